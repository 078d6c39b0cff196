/* snapshot.h - a learner as bytes: as a file, or within the checkpoint of a run. */
#ifndef NET_SNAPSHOT_H
#define NET_SNAPSHOT_H

#include "base/pack_file.h"
#include "net/learner.h"

/* Rows of n numbers, `stride` apart in memory and next to each other in a file. */
struct Section {
    void *values;
    size_t number_bytes; /* 2, 4, 8: uint16_t, float, uint64_t */
    size_t n_rows, n, stride;
    bool ends; /* a checksum follows */
};

tacos_status learner_write(Learner *learner, Pack *pack, tacos_error *err);

/* A learner of these parameters as learner_write wrote it; `name` is for messages. It takes memory
 * for a learner only after all bytes of one have come. */
tacos_status learner_read(Learner **out, const Params *wanted, Pack *pack, const char *name,
                          tacos_error *err);

/* A learner of bytes in memory, of which it takes all. */
tacos_status learner_read_bytes(Learner **out, const void *bytes, size_t n, const char *name,
                                const tacos_allocator *allocator, tacos_error *err);

/* All that lasts and all that was counted, out or in, for a learner of the same parameters and
 * seed. False if it could not be moved; if that was reading, the learner is good for nothing. */
bool learner_move(Learner *learner, Pack *pack);

#endif
