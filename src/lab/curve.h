/* curve.h - accuracy within tasks: at some points while a task is learned, a few test samples of it
 * and of the first task are asked. */
#ifndef LAB_CURVE_H
#define LAB_CURVE_H

#include "base/pack_file.h"
#include "lab/task_split.h"

/* POINTS: the most per task. SAMPLES: of a task, that are asked at each. */
enum { CURVE_POINTS_MAX = 100, CURVE_SAMPLES = 50 };

/* The most measures of a run. */
enum { CURVE_MEASURES_MAX = TASKS_MAX * CURVE_POINTS_MAX * 2 };

/* Whose samples are asked. */
typedef enum CurveOf { CURVE_NEWEST, CURVE_FIRST, CURVES } CurveOf;

typedef struct Curve {
    size_t n_tasks, n_points; /* n_points: per task; 0: there is no curve */
    TaskSamples *samples;     /* [n_tasks] those that are asked, of each task's scored ones */
    double *percents;         /* [n_tasks][n_points][CURVES]; NaN: not asked */
} Curve;

tacos_status curve_make(Curve *out, const TaskSplit *split, tacos_error *err);
void curve_free(Curve *curve);

/* The number of points in the first `done` of a task's n samples. The last is at its end. Of fewer
 * samples than points, the points between two samples are left out. */
static inline size_t curve_points(const Curve *curve, size_t done, size_t n) {
    return (size_t)((uint64_t)done * curve->n_points / n);
}

/* How many more samples until the next point; SIZE_MAX: there is none. */
size_t curve_next(const Curve *curve, size_t done, size_t n);

static inline double *curve_at(const Curve *curve, size_t task, size_t point, CurveOf of) {
    return &curve->percents[(task * curve->n_points + point) * CURVES + of];
}

/* Write or read the points. */
void curve_move(const Curve *curve, Pack *pack);

/* Add them to the measures of a run. */
tacos_status curve_give(const Curve *curve, tacos_run *run, tacos_error *err);

#endif
