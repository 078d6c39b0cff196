/* learner.h - a network, or columns, with the memory to run one sample, in one block. Its functions
 * are those of tacos.h (learner.c, snapshot.c), and these. */
#ifndef NET_LEARNER_H
#define NET_LEARNER_H

#include "columns/columns.h"
#include "net/predict.h"
#include "net/sample.h"

typedef struct tacos_learner {
    tacos_allocator allocator;
    size_t n_bytes; /* of the whole block, this struct included */
    Network net;    /* of columns: parameters, seed and the number of samples, no layers */
    Scratch scratch;
    Predictor predictor;
    Columns columns; /* used if the model is columns; it then learns and predicts with `view` */
    ColumnsScratch view;
    tacos_counters learning, predicting;
} Learner;

tacos_status learner_new(Learner **out, const Params *params, uint32_t seed,
                         const tacos_allocator *allocator, tacos_error *err);

static inline bool learner_is_columns(const Learner *learner) {
    return params_is_columns(&learner->net.params);
}

/* The input is in the raster of the scratch, of the predictor; of columns, in the view. */
void learner_learn(Learner *learner, size_t target);
int learner_predict(Learner *learner);

/* A learner of columns with more outputs that knows what this one does; its counters start at 0. */
tacos_status learner_widen(Learner **out, const Learner *learner, size_t n_outputs,
                           tacos_error *err);

/* Show an image to columns, as values or as spikes drawn for sample `number`. */
void learner_show_columns(const Learner *learner, ColumnsScratch *view, const uint8_t *pixels,
                          RngPurpose purpose, uint64_t number);

/* Before anybody reads what was learned. */
void learner_settle(Learner *learner);

#endif
