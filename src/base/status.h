/* status.h - how a function fails: a status to branch on and a sentence to read. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include "tacos.h"

/* Fill err (which may be NULL) and return status, so that `return fail(...)` reads as one thought.
 */
tacos_status fail(tacos_error *err, tacos_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same with ": <what errno means>" behind the sentence. The status is MISSING for ENOENT, IO
 * otherwise. */
tacos_status fail_errno(tacos_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define TRY(call)                                                                                  \
    do {                                                                                           \
        tacos_status try_status_ = (call);                                                         \
        if (try_status_ != TACOS_OK)                                                               \
            return try_status_;                                                                    \
    } while (0)

#endif
