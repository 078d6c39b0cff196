/* learner.h - a network with the memory to run one sample, in one block. Its functions are those of
 * tacos.h (learner.c, snapshot.c), and these. */
#ifndef NET_LEARNER_H
#define NET_LEARNER_H

#include "net/predict.h"
#include "net/sample.h"

typedef struct tacos_learner {
    tacos_allocator allocator;
    size_t n_bytes; /* of the whole block, this struct included */
    Network net;
    Scratch scratch;
    Predictor predictor;
    tacos_counters learning, predicting;
} Learner;

tacos_status learner_new(Learner **out, const Params *params, uint32_t seed,
                         const tacos_allocator *allocator, tacos_error *err);

/* The input is in the raster of the scratch, of the predictor. */
void learner_learn(Learner *learner, size_t target);
int learner_predict(Learner *learner);

/* Before anybody reads what was learned. */
void learner_settle(Learner *learner);

#endif
