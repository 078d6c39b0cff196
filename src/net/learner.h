/* learner.h - a network with room to run one sample, in one block of memory. */
#ifndef NET_LEARNER_H
#define NET_LEARNER_H

#include "net/network.h"

typedef struct tacos_learner {
    tacos_allocator allocator;
    size_t n_bytes; /* of the whole block, this struct included */
    Network net;
    Scratch scratch;
    tacos_counters learning, predicting;
} Learner;

tacos_status learner_new(Learner **out, const Params *params, uint32_t seed,
                         const tacos_allocator *allocator, tacos_error *err);
void learner_free(Learner *learner);
tacos_learner_stats learner_stats(const Learner *learner);

/* snapshot.c */
uint32_t learner_digest(const Learner *learner); /* of everything learned, on any machine */
tacos_status learner_save(const Learner *learner, const char *path, tacos_error *err);
tacos_status learner_load(Learner **out, const char *path, const tacos_allocator *allocator,
                          tacos_error *err);

#endif
