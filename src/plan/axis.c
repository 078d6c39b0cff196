/* axis.c - parses values that contain ranges, and writes the values they stand for. */
#include "plan/axis.h"

#include "base/decimal.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 32, ARGUMENTS_MAX = 3 };

#define WHOLE_MAX 0x1p53 /* up to here, doubles represent every integer */

static const struct {
    const char *name, *form;
} functions[] = {
    [PIECE_TEXT] = {"", ""},
    [PIECE_LINEAR] = {"linear", "linear(LOW, HIGH, N)"},
    [PIECE_LOG] = {"log", "log(LOW, HIGH, N)"},
    [PIECE_INTEGER] = {"integer", "integer(LOW, HIGH, N)"},
    [PIECE_CHOICE] = {"choice", "choice(a | b | c)"},
    [PIECE_TIMES] = {"times", "times(FACTOR, KEY)"},
};

enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

/* ---- values of an axis ---- */

/* Short, but integers in full: key_set must read back the same number. */
static void write_number(double value, char *buf) {
    bool whole = value == floor(value) && fabs(value) < 1e15;
    (void)snprintf(buf, NUMBER_SIZE, whole ? "%.0f" : "%.6g", value == 0 ? 0 : value); /* no -0 */
}

/* The number at t from 0 to 1; both ends are exact. */
static double between(const Piece *axis, double t) {
    if (t <= 0)
        return axis->low;
    if (t >= 1)
        return axis->high;
    if (axis->kind == PIECE_LOG)
        return exp(log(axis->low) * (1 - t) + log(axis->high) * t);
    double value = axis->low * (1 - t) + axis->high * t;
    return axis->kind == PIECE_INTEGER ? round(value) : value;
}

static size_t level_at(const Piece *axis, double place) {
    size_t level = (size_t)(place * (double)axis->n_levels);
    return level < axis->n_levels ? level : axis->n_levels - 1;
}

static const char *choice_item(const Piece *axis, size_t level) {
    const char *item = axis->text;
    while (level-- > 0)
        item += strlen(item) + 1;
    return item;
}

/* The text at a place, in buf or in the piece. */
static const char *axis_text(const Piece *axis, double place, char *buf) {
    if (axis->n_levels == 0) {
        write_number(between(axis, place), buf);
        return buf;
    }
    size_t level = level_at(axis, place);
    if (axis->kind == PIECE_CHOICE)
        return choice_item(axis, level);
    write_number(between(axis, (double)level / (double)(axis->n_levels - 1)), buf);
    return buf;
}

/* ---- reading ---- */

static char *trim(char *text) {
    text += strspn(text, " \t");
    for (size_t n = strlen(text); n > 0 && strchr(" \t", text[n - 1]); n--)
        text[n - 1] = '\0';
    return text;
}

/* Cut a text at each separator. Parts beyond `max` are counted but not stored. */
static size_t split(char *text, char separator, char **parts, size_t max) {
    size_t n = 0;
    for (char *next; text; text = next, n++) {
        next = strchr(text, separator);
        if (next)
            *next++ = '\0';
        if (n < max)
            parts[n] = trim(text);
    }
    return n;
}

static tacos_status read_number(const Piece *piece, const char *key, const char *text, double *out,
                                tacos_error *err) {
    char *end;
    *out = strtod(text, &end);
    if (end == text || *end || !isfinite(*out))
        return failure(err, TACOS_INVALID, "%s: '%.40s' in %s is not a number", key, text,
                       functions[piece->kind].form);
    return TACOS_OK;
}

static tacos_status read_levels(Piece *axis, const char *key, const char *text, tacos_error *err) {
    double n;
    TRY(read_number(axis, key, text, &n, err));
    if (n != floor(n) || n < 2 || n > AXIS_LEVELS_MAX)
        return failure(err, TACOS_RANGE,
                       "%s: N = %.40s in %s: a whole number from 2 to %d is wanted; to keep to one "
                       "value, write just the value",
                       key, text, functions[axis->kind].form, AXIS_LEVELS_MAX);
    axis->n_levels = (size_t)n;
    return TACOS_OK;
}

static tacos_status check_range(const Piece *axis, const char *key, tacos_error *err) {
    const char *name = functions[axis->kind].name;
    if (axis->low >= axis->high)
        return failure(err, TACOS_RANGE, "%s: %s(%s, %s) is empty: LOW must be below HIGH", key,
                       name, REAL(axis->low), REAL(axis->high));
    if (axis->kind == PIECE_LOG && axis->low <= 0)
        return failure(err, TACOS_RANGE, "%s: log(%s, %s): LOW must be above 0", key,
                       REAL(axis->low), REAL(axis->high));
    if (axis->kind != PIECE_INTEGER)
        return TACOS_OK;
    if (axis->low != floor(axis->low) || axis->high != floor(axis->high))
        return failure(err, TACOS_INVALID, "%s: integer(%s, %s): the ends must be whole numbers",
                       key, REAL(axis->low), REAL(axis->high));
    if (axis->low < -WHOLE_MAX / 2 || axis->high > WHOLE_MAX / 2)
        return failure(err, TACOS_RANGE, "%s: integer(%s, %s): the ends must be within %s and %s",
                       key, REAL(axis->low), REAL(axis->high), REAL(-WHOLE_MAX / 2),
                       REAL(WHOLE_MAX / 2));
    return TACOS_OK;
}

/* Levels ascend, so equal texts are neighbours. */
static tacos_status check_levels(const Piece *axis, const char *key, tacos_error *err) {
    char text[2][NUMBER_SIZE] = {"", ""};
    for (size_t i = 0; i < axis->n_levels; i++) {
        (void)axis_text(axis, axis_place(axis, i), text[i % 2]);
        if (strcmp(text[0], text[1]) == 0)
            return failure(err, TACOS_RANGE, "%s: %s(%s, %s, %zu) has the level %s twice", key,
                           functions[axis->kind].name, REAL(axis->low), REAL(axis->high),
                           axis->n_levels, text[0]);
    }
    return TACOS_OK;
}

static tacos_status read_range(Piece *axis, const char *key, char **arguments, size_t n,
                               tacos_error *err) {
    TRY(read_number(axis, key, arguments[0], &axis->low, err));
    TRY(read_number(axis, key, arguments[1], &axis->high, err));
    TRY(check_range(axis, key, err));
    if (n == 3) {
        TRY(read_levels(axis, key, arguments[2], err));
        return check_levels(axis, key, err);
    }
    if (axis->kind == PIECE_INTEGER)
        axis->n_levels = (size_t)(axis->high - axis->low) + 1;
    return TACOS_OK;
}

/* Items are compacted in place, each right after the one before. */
static tacos_status read_choice(Piece *axis, const char *key, char *inside, tacos_error *err) {
    char *end = inside;
    axis->text = inside;
    for (char *next; inside; inside = next) {
        next = strchr(inside, '|');
        if (next)
            *next++ = '\0';
        const char *item = trim(inside);
        size_t size = strlen(item) + 1;
        if (size == 1)
            return failure(err, TACOS_INVALID, "%s: an item of choice(...) is empty", key);
        for (size_t i = 0; i < axis->n_levels; i++)
            if (strcmp(choice_item(axis, i), item) == 0)
                return failure(err, TACOS_INVALID, "%s: choice(...) has '%.60s' twice", key, item);
        memmove(end, item, size);
        end += size;
        axis->n_levels++;
    }
    return TACOS_OK;
}

/* The arguments between a function's brackets. */
static tacos_status read_inside(Piece *piece, const char *key, char *inside, tacos_error *err) {
    char *arguments[ARGUMENTS_MAX];
    if (piece->kind == PIECE_CHOICE)
        return read_choice(piece, key, inside, err);
    size_t n = split(inside, ',', arguments, ARGUMENTS_MAX);
    if (n != 2 && (n != 3 || piece->kind == PIECE_TIMES))
        return failure(err, TACOS_INVALID, "%s: %zu argument%s instead of %s in %s", key, n,
                       n == 1 ? "" : "s", piece->kind == PIECE_TIMES ? "2" : "2 or 3",
                       functions[piece->kind].form);
    if (piece->kind != PIECE_TIMES)
        return read_range(piece, key, arguments, n, err);
    piece->text = arguments[1];
    return read_number(piece, key, arguments[0], &piece->low, err);
}

static tacos_status fail_no_function(const char *key, const char *name, tacos_error *err) {
    const char *names[N_FUNCTIONS] = {NULL};
    for (size_t i = 1; i < N_FUNCTIONS; i++)
        names[i - 1] = functions[i].name;
    const char *best = tacos_nearest(name, names);
    if (best)
        return failure(err, TACOS_UNKNOWN, "%s: unknown range '%.40s(...)'; the nearest is '%s'",
                       key, name, best);
    return failure(err, TACOS_UNKNOWN,
                   "%s: unknown range '%.40s(...)'; there are linear, log, integer, choice and "
                   "times",
                   key, name);
}

/* The function named, in n_name letters, before the bracket. */
static tacos_status find_function(const char *key, const char *from, const char *bracket,
                                  size_t *n_name, PieceKind *out, tacos_error *err) {
    char name[KEY_VALUE_SIZE];
    const char *begin = bracket;
    while (begin > from && (begin[-1] == '_' || (begin[-1] >= 'a' && begin[-1] <= 'z')))
        begin--;
    *n_name = (size_t)(bracket - begin);
    (void)snprintf(name, sizeof name, "%.*s", (int)*n_name, begin);
    for (size_t i = 1; i < N_FUNCTIONS; i++)
        if (strcmp(functions[i].name, name) == 0) {
            *out = (PieceKind)i;
            return TACOS_OK;
        }
    return fail_no_function(key, name, err);
}

static void add_text(Pattern *out, const char *text) {
    if (*text)
        out->pieces[out->n++] = (Piece){.kind = PIECE_TEXT, .text = text};
}

static tacos_status read_pieces(Pattern *out, const char *key, tacos_error *err) {
    char *at = out->text;
    for (char *bracket; (bracket = strchr(at, '('));) {
        Piece piece = {.kind = PIECE_TEXT};
        size_t n_name = 0;
        TRY(find_function(key, at, bracket, &n_name, &piece.kind, err));
        char *inside = bracket + 1, *end = inside + strcspn(inside, "()");
        if (*end != ')')
            return failure(err, TACOS_INVALID, "%s: a ')' is missing in %s", key,
                           functions[piece.kind].form);
        bracket[-(ptrdiff_t)n_name] = '\0';
        *end = '\0';
        add_text(out, at);
        TRY(read_inside(&piece, key, inside, err));
        out->n_axes += piece_is_axis(&piece);
        out->n_times += piece.kind == PIECE_TIMES;
        out->pieces[out->n++] = piece;
        at = end + 1;
    }
    add_text(out, at);
    return TACOS_OK;
}

tacos_status pattern_parse(Pattern *out, const char *key, const char *value, tacos_error *err) {
    size_t n = 1; /* the text after the last range, and per range itself and the text before it */
    for (const char *c = value; *c; c++)
        n += *c == '(' ? 2 : 0;
    Pattern pattern = {.text = strdup(value), .pieces = calloc(n, sizeof *pattern.pieces)};
    tacos_status status = TACOS_OK;
    if (!pattern.text || !pattern.pieces)
        status = failure(err, TACOS_MEMORY, "no memory for the value of %s", key);
    CLocale locale = c_locale_begin();
    if (status == TACOS_OK)
        status = read_pieces(&pattern, key, err);
    c_locale_end(&locale);
    if (status == TACOS_OK)
        *out = pattern;
    else
        pattern_free(&pattern);
    return status;
}

void pattern_free(Pattern *pattern) {
    free(pattern->text);
    free(pattern->pieces);
    *pattern = (Pattern){0};
}

const Piece *pattern_axis(const Pattern *pattern, size_t a) {
    const Piece *piece = pattern->pieces;
    assert(a < pattern->n_axes);
    while (!piece_is_axis(piece) || a-- > 0)
        piece++;
    return piece;
}

/* ---- writing ---- */

static const char *piece_text(const Piece *piece, const double **place, PatternNumber *number,
                              const void *user, char *buf) {
    if (piece->kind == PIECE_TEXT)
        return piece->text;
    if (piece->kind != PIECE_TIMES)
        return axis_text(piece, *(*place)++, buf);
    write_number(piece->low * number(user, piece->text), buf);
    return buf;
}

tacos_status pattern_write(const Pattern *pattern, const double *places, PatternNumber *number,
                           const void *user, char *buf, tacos_error *err) {
    size_t used = 0;
    char digits[NUMBER_SIZE];
    CLocale locale = c_locale_begin();
    buf[0] = '\0';
    for (size_t i = 0; i < pattern->n && used < KEY_VALUE_SIZE; i++) {
        const char *text = piece_text(&pattern->pieces[i], &places, number, user, digits);
        used += (size_t)snprintf(buf + used, KEY_VALUE_SIZE - used, "%s", text);
    }
    c_locale_end(&locale);
    if (used >= KEY_VALUE_SIZE)
        return failure(err, TACOS_INVALID, "'%.40s...' is longer than %d characters", buf,
                       KEY_VALUE_SIZE - 1);
    return TACOS_OK;
}
