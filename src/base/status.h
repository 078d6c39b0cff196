/* status.h - how functions fail: a status to branch on and a sentence to read. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include "tacos.h"

/* Fill err, which may be NULL. */
void status_explain(tacos_error *err, tacos_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fill err and return the status: `return failure(...)`. A macro, so that compilers and analysers
 * see that it is never success. */
#define failure(err, status, ...) (status_explain((err), (status), __VA_ARGS__), (status))

/* The same with ": <what errno means>" appended. The status is MISSING for ENOENT,
 * MEMORY for ENOMEM, IO otherwise. */
tacos_status failure_errno(tacos_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#define TRY(call)                                                                                  \
    do {                                                                                           \
        tacos_status try_status_ = (call);                                                         \
        if (try_status_ != TACOS_OK)                                                               \
            return try_status_;                                                                    \
    } while (0)

#endif
