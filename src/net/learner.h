/* learner.h - a network with room to run one sample, in one block of memory. */
#ifndef NET_LEARNER_H
#define NET_LEARNER_H

#include "base/pack.h"
#include "net/network.h"

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
void learner_free(Learner *learner);
tacos_learner_stats learner_stats(const Learner *learner);

/* Share wide layers among n threads; 1 for none. The result is the same. */
void learner_set_threads(Learner *learner, size_t n);

void learner_learn(Learner *learner, size_t target);
int learner_predict(Learner *learner);
/* Before anybody reads what was learned. */
void learner_settle(Learner *learner);

/* A way to predict with a learner that has settled, one for every thread that does. */
tacos_status predictor_new(Predictor **out, const Network *net, tacos_error *err);
void predictor_free(Predictor *predictor);

/* snapshot.c */
uint32_t learner_digest(Learner *learner); /* of everything learned, on any machine */
tacos_status learner_write(Learner *learner, Pack *pack, tacos_error *err);
tacos_status learner_save(Learner *learner, const char *path, tacos_error *err);
/* `name` is what errors call it. With the file that it comes from, its length is checked before
 * memory is asked for; `file` may be NULL. */
tacos_status learner_read(Learner **out, Pack *pack, FILE *file, const char *name,
                          const tacos_allocator *allocator, tacos_error *err);
tacos_status learner_load(Learner **out, const char *path, const tacos_allocator *allocator,
                          tacos_error *err);
/* All that lasts and all that was counted, out or in, for a learner of the same parameters and
 * seed; false if it could not be moved, and after a reading of which the learner is good for
 * nothing. */
bool learner_move(Learner *learner, Pack *pack);

#endif
