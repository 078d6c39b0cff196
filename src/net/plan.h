/* plan.h - a spiking network as the block of bytes that a microcontroller learns in; what it begins
 * with is in kernel/plan.h. */
#ifndef NET_PLAN_H
#define NET_PLAN_H

#include "net/learner.h"

/* Fails, and says why, if a device could not continue from it bit for bit. */
tacos_status plan_save(Learner *learner, tacos_write *write, void *user, tacos_error *err);

/* Whether bytes begin like such a block, and the learner in it. */
bool plan_is(const void *block, size_t n_bytes);
tacos_status plan_load(Learner **out, const void *block, size_t n_bytes,
                       const tacos_allocator *allocator, tacos_error *err);

#endif
