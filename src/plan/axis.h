/* axis.h - values with ranges in them, as in "init_w = log(0.3, 1, 3),1".
 *
 *   linear(LOW, HIGH[, N])   N levels from LOW to HIGH, or any number between them
 *   log(LOW, HIGH[, N])      the same in the logarithm
 *   integer(LOW, HIGH[, N])  N integers, or all of them
 *   choice(a | b | c)        one of these texts
 *   times(FACTOR, KEY)       FACTOR times the value of KEY; not an axis
 *
 * Each range is a separate axis. A place on it is a number from 0 to 1. */
#ifndef PLAN_AXIS_H
#define PLAN_AXIS_H

#include "base/keys.h"

enum { AXIS_LEVELS_MAX = 1000 }; /* limit of N */

typedef enum PieceKind {
    PIECE_TEXT, /* as it stands */
    PIECE_LINEAR,
    PIECE_LOG,
    PIECE_INTEGER,
    PIECE_CHOICE,
    PIECE_TIMES,
} PieceKind;

typedef struct Piece {
    PieceKind kind;
    double low, high; /* ends of a range; low is also the factor of `times` */
    size_t n_levels;  /* of an axis; 0: any number between its ends */
    const char *text; /* text: itself; choice: its items, each terminated; times: the key */
} Piece;

static inline bool piece_is_axis(const Piece *piece) {
    return piece->kind != PIECE_TEXT && piece->kind != PIECE_TIMES;
}

/* A value as the pieces that make it up. */
typedef struct Pattern {
    char *text; /* owns what the pieces point into */
    size_t n;
    Piece *pieces; /* [n] */
    size_t n_axes, n_times;
} Pattern;

/* The key is for error messages. Free a pattern with pattern_free. */
tacos_status pattern_parse(Pattern *out, const char *key, const char *value, tacos_error *err);
void pattern_free(Pattern *pattern);

/* The a-th axis. */
const Piece *pattern_axis(const Pattern *pattern, size_t a);

/* A level's place is its middle. */
static inline double axis_place(const Piece *axis, size_t level) {
    return ((double)level + 0.5) / (double)axis->n_levels;
}

/* The current value of a key, for `times`. */
typedef double PatternNumber(const void *user, const char *key);

/* The value at a place on each axis. buf holds KEY_VALUE_SIZE bytes. */
tacos_status pattern_write(const Pattern *pattern, const double *places, PatternNumber *number,
                           const void *user, char *buf, tacos_error *err);

#endif
