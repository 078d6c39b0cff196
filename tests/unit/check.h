/* check.h - cmocka, and what the unit tests add to it. Include it after the project's headers:
 * cmocka's macros have common names. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include "base/rng.h"
#include "tacos_lab.h"

#include <stdbool.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* Does ThreadSanitizer watch? Arithmetic is many times slower then. */
#ifdef __SANITIZE_THREAD__
enum { THREADS_ARE_WATCHED = 1 };
#else
enum { THREADS_ARE_WATCHED = 0 };
#endif

/* The sentence of an error holds this. */
#define assert_says(err, word)                                                                     \
    do {                                                                                           \
        if (!strstr((err).text, (word)))                                                           \
            fail_msg("'%s' is not in: %s", (word), (err).text);                                    \
    } while (0)

/* A call that takes `&err` fails with this status, in `err` too, and a sentence. */
#define assert_fails(call, wanted)                                                                 \
    do {                                                                                           \
        memset(&err, 0, sizeof err);                                                               \
        tacos_status got_ = (call);                                                                \
        if (got_ != (wanted) || err.status != (wanted) || !err.text[0])                            \
            fail_msg("%s: %s instead of %s: %s", #call, tacos_status_text(got_),                   \
                     tacos_status_text(wanted), err.text);                                         \
    } while (0)

/* A call that takes `&err` succeeds and leaves it as it was. */
#define assert_succeeds(call)                                                                      \
    do {                                                                                           \
        tacos_error before_;                                                                       \
        memset(&before_, 0x5a, sizeof before_);                                                    \
        memcpy(&err, &before_, sizeof err);                                                        \
        tacos_status got_ = (call);                                                                \
        if (got_ != TACOS_OK)                                                                      \
            fail_msg("%s: %s", #call, err.text);                                                   \
        assert_memory_equal(&err, &before_, sizeof err);                                           \
    } while (0)

/* Repeatable random numbers of the tests' own. */
typedef struct Dice {
    uint32_t game, turn;
} Dice;

static inline uint32_t roll_word(Dice *dice) {
    return rng_block(20260901, (RngPurpose)98, dice->game, dice->turn++, 0).word[0];
}

static inline double roll(Dice *dice, double low, double high) {
    return low + (high - low) * (double)rng_unit(roll_word(dice));
}

#endif
