/* measures.h - how much weights move and hidden activity changes, from task to task. */
#ifndef LAB_MEASURES_H
#define LAB_MEASURES_H

#include "lab/results.h"
#include "lab/stream.h"
#include "base/pack.h"
#include "net/learner.h"

/* What an experiment may ask for; the key `measure`. */
typedef enum MeasureWish {
    MEASURE_NONE,
    MEASURE_WEIGHTS,
    MEASURE_ACTIVITY,
    MEASURE_ALL
} MeasureWish;

/* The most that a run can have: two a layer and one a class, after each task; and how silent it is
 * in the end. */
enum { MEASURES_MAX = TASKS_MAX * (2 * KEY_LIST_MAX + TASK_CLASSES_MAX) + 1 };

typedef struct Measures Measures;

/* Before anything is learned. *out is NULL if nothing is to be measured, which the others accept.
 */
tacos_status measures_new(Measures **out, MeasureWish wish, const TaskSplit *split,
                          const Stream *stream, Learner *learner, tacos_error *err);
void measures_free(Measures *measures);

/* Once task k (from 0) is learned. Nothing of the learner changes. */
void measures_after(Measures *measures, size_t k);

/* Write or read what was measured and what comparing needs; false on failure. */
bool measures_move(Measures *measures, Pack *pack);

/* Hand over what was measured. */
void measures_give(Measures *measures, tacos_run *run);

#endif
