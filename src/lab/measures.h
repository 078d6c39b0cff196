/* measures.h - how far weights move and hidden activity changes from task to task. */
#ifndef LAB_MEASURES_H
#define LAB_MEASURES_H

#include "lab/results.h"
#include "lab/stream.h"
#include "base/pack_file.h"
#include "net/learner.h"

/* The values of the key `measure`. */
typedef enum MeasureWish {
    MEASURE_NONE,
    MEASURE_WEIGHTS,
    MEASURE_ACTIVITY,
    MEASURE_ALL
} MeasureWish;

/* The most a run can have: two per layer and one per class after each task, plus the silence at the
 * end. */
enum { MEASURES_MAX = TASKS_MAX * (2 * KEY_LIST_MAX + TASK_CLASSES_MAX) + 1 };

typedef struct Measures Measures;

/* Call before anything is learned. *out is NULL if nothing is to be measured, which the other
 * functions accept. */
tacos_status measures_new(Measures **out, MeasureWish wish, const TaskSplit *split,
                          const Stream *stream, Learner *learner, tacos_error *err);
void measures_free(Measures *measures);

/* Call after learning task k (from 0). Does not change the learner. */
void measures_after(Measures *measures, size_t k);

/* Write or read the measures and the state they need; false on failure. */
bool measures_move(Measures *measures, Pack *pack);

/* Move the measures to the run. */
void measures_give(Measures *measures, tacos_run *run);

#endif
