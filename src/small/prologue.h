/* prologue.h - what takes the place of the library's headers on a device: no text of errors, no
 * keys, no choice of kernels. tools/single puts it where it first meets such a header. */
#ifndef SMALL_PROLOGUE_H
#define SMALL_PROLOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(__STDC_HOSTED__) || __STDC_HOSTED__
#include <string.h>
#elif defined(__cplusplus)
extern "C" void *memcpy(void *to, const void *from, size_t n);
extern "C" void *memmove(void *to, const void *from, size_t n);
extern "C" void *memset(void *at, int byte, size_t n);
#else /* there may be no such header; the program has the functions, which compilers need anyway   \
       */
void *memcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *at, int byte, size_t n);
#endif

/* ---- sizes that a program may choose ---- */

#ifndef TACOS_WINDOW_MAX
#define TACOS_WINDOW_MAX 256 /* values of a window; learning takes so many bytes of stack */
#endif

#define WINDOW_MAX   TACOS_WINDOW_MAX
#define ARENA_ALIGN  8
#define KERNEL_UNITS 1 /* no vectors, so no blocks to fill up */
#define SETTLE_LANES 4
typedef uint16_t BlockIndex;

#ifdef __cplusplus
#define restrict __restrict
#endif

#ifdef TACOS_SPIKING
#include <float.h>
#define LANE_WHOLE /* no double precision */
#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L)
#define static_assert(holds, text) typedef char static_assert_holds[(holds) ? 1 : -1]
#else
#include <assert.h>
#endif
#endif

/* ---- errors without text ---- */

typedef enum tacos_status { TACOS_OK, TACOS_RANGE } tacos_status;
typedef struct tacos_error tacos_error;

#define failure(err, status, ...) ((void)(err), (status))

#define TRY(call)                                                                                  \
    do {                                                                                           \
        tacos_status try_status_ = (call);                                                         \
        if (try_status_ != TACOS_OK)                                                               \
            return try_status_;                                                                    \
    } while (0)

/* ---- the rest ---- */

typedef struct Counts {
    size_t n;
    size_t value[3];
} Counts;

typedef struct Span {
    size_t from, to;
} Span;

#include "kernel/units.h"

/* The two inner loops; see kernel.h of this folder. */
typedef struct Kernel {
    Match (*match)(const Matching *matching);
    uint32_t (*settle)(const Settling *settling);
} Kernel;

#endif
