/* keys.c - sets and gets fields by name, as text. */
#include "base/posix.h"

#include "base/keys.h"

#include "base/utf8.h"
#include "base/decimal.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const key_type_names[] = {
    [KEY_REAL] = "real",   [KEY_BOUND] = "bound",   [KEY_COUNT] = "count", [KEY_CHOICE] = "choice",
    [KEY_REALS] = "reals", [KEY_COUNTS] = "counts", [KEY_TEXT] = "text",
};

const Key *keys_find(KeyTable table, const char *name) {
    for (size_t i = 0; i < table.n; i++)
        if (table.keys[i].name[0] == name[0] && strcmp(table.keys[i].name, name) == 0)
            return &table.keys[i];
    return NULL;
}

void keys_defaults(KeyTable table, void *fields) {
    for (size_t i = 0; i < table.n; i++) {
        tacos_status status = key_set(&table.keys[i], fields, table.keys[i].default_value, NULL);
        assert(status == TACOS_OK && "a default must be in range");
        (void)status;
    }
}

void key_choices(const Key *key, char *buf, size_t size) {
    size_t used = 0;
    buf[0] = '\0';
    for (const char *const *c = key->choices; c && *c && used < size; c++)
        used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "", *c);
}

static tacos_status fail_range(const Key *key, const char *value, tacos_error *err) {
    return failure(err, TACOS_RANGE, "%s = %s is out of range: it must be from %.12g to %.12g%s%s",
                   key->name, value, key->min, key->max, key->unit[0] ? " " : "", key->unit);
}

static tacos_status read_real(const Key *key, const char *value, double *out, tacos_error *err) {
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end != '\0')
        return failure(err, TACOS_INVALID, "%s = %s: expected a number%s%s", key->name,
                       value[0] ? value : "(nothing)", key->unit[0] ? " in " : "", key->unit);
    if (!isfinite(number) || number < key->min || number > key->max)
        return fail_range(key, value, err);
    *out = number;
    return TACOS_OK;
}

static tacos_status read_bound(const Key *key, const char *value, double *out, tacos_error *err) {
    if (strcmp(value, "none") != 0)
        return read_real(key, value, out, err);
    *out = (double)INFINITY;
    return TACOS_OK;
}

static tacos_status read_count(const Key *key, const char *value, size_t *out, tacos_error *err) {
    double number = 0;
    TRY(read_real(key, value, &number, err));
    if (number != floor(number))
        return failure(err, TACOS_INVALID, "%s = %s: expected a whole number", key->name, value);
    *out = (size_t)number;
    return TACOS_OK;
}

static tacos_status read_choice(const Key *key, const char *value, int *out, tacos_error *err) {
    char choices[256];
    for (int i = 0; key->choices[i]; i++)
        if (strcmp(key->choices[i], value) == 0) {
            *out = i;
            return TACOS_OK;
        }
    key_choices(key, choices, sizeof choices);
    const char *near = tacos_nearest(value, key->choices);
    if (near)
        return failure(err, TACOS_INVALID, "%s = %s: it must be one of %s; the nearest is '%s'",
                       key->name, value, choices, near);
    return failure(err, TACOS_INVALID, "%s = %s: it must be one of %s", key->name, value, choices);
}

/* Read "a,b,c", each item within the key's range. */
static tacos_status read_list(const Key *key, const char *value, void *field, tacos_error *err) {
    char item[64];
    Reals reals = {0};
    Counts counts = {0};
    bool none = key->type == KEY_COUNTS && strcmp(value, "none") == 0;
    for (const char *at = none ? NULL : value; at; at = *at == ',' ? at + 1 : NULL) {
        size_t n = strcspn(at, ",");
        if (n >= sizeof item)
            return failure(err, TACOS_INVALID, "%s: '%.20s...' is too long for a number", key->name,
                           at);
        memcpy(item, at, n);
        item[n] = '\0';
        if (reals.n == KEY_LIST_MAX || counts.n == KEY_LIST_MAX)
            return failure(err, TACOS_INVALID, "%s: at most %d values are possible", key->name,
                           KEY_LIST_MAX);
        if (key->type == KEY_REALS)
            TRY(read_real(key, item, &reals.value[reals.n++], err));
        else
            TRY(read_count(key, item, &counts.value[counts.n++], err));
        at += n;
    }
    if (key->type == KEY_REALS)
        *(Reals *)field = reals;
    else
        *(Counts *)field = counts;
    return TACOS_OK;
}

static tacos_status read_value(const Key *key, void *fields, const char *value, tacos_error *err) {
    void *field = (char *)fields + key->offset;
    switch (key->type) {
    case KEY_REAL:
        return read_real(key, value, field, err);
    case KEY_BOUND:
        return read_bound(key, value, field, err);
    case KEY_COUNT:
        return read_count(key, value, field, err);
    case KEY_CHOICE:
        return read_choice(key, value, field, err);
    case KEY_REALS:
    case KEY_COUNTS:
        return read_list(key, value, field, err);
    case KEY_TEXT:
        if (strlen(value) >= KEY_TEXT_SIZE)
            return failure(err, TACOS_INVALID, "%s: the value is longer than %d characters",
                           key->name, KEY_TEXT_SIZE - 1);
        strcpy(field, value);
        return TACOS_OK;
    }
    return failure(err, TACOS_INVALID, "%s has no type", key->name);
}

tacos_status key_set(const Key *key, void *fields, const char *value, tacos_error *err) {
    CLocale locale = c_locale_begin();
    tacos_status status = read_value(key, fields, value, err);
    c_locale_end(&locale);
    return status;
}

static size_t print_real(char *buf, size_t size, double value) {
    const char *digits = REAL(value == 0 ? 0 : value); /* no -0 */
    (void)snprintf(buf, size, "%s", digits);
    return strlen(digits);
}

static void write_value(const Key *key, const void *fields, char *buf) {
    const void *field = (const char *)fields + key->offset;
    const Reals *reals = field;
    const Counts *counts = field;
    size_t used = 0;
    buf[0] = '\0';
    switch (key->type) {
    case KEY_REAL:
        (void)print_real(buf, KEY_VALUE_SIZE, *(const double *)field);
        break;
    case KEY_BOUND:
        if (isinf(*(const double *)field))
            strcpy(buf, "none");
        else
            (void)print_real(buf, KEY_VALUE_SIZE, *(const double *)field);
        break;
    case KEY_COUNT:
        (void)snprintf(buf, KEY_VALUE_SIZE, "%lu", (unsigned long)*(const size_t *)field);
        break;
    case KEY_CHOICE:
        (void)snprintf(buf, KEY_VALUE_SIZE, "%s", key->choices[*(const int *)field]);
        break;
    case KEY_REALS:
        for (size_t i = 0; i < reals->n; i++) {
            if (i > 0)
                buf[used++] = ',';
            used += print_real(buf + used, KEY_VALUE_SIZE - used, reals->value[i]);
        }
        break;
    case KEY_COUNTS:
        for (size_t i = 0; i < counts->n; i++)
            used += (size_t)snprintf(buf + used, KEY_VALUE_SIZE - used, "%s%lu", i ? "," : "",
                                     (unsigned long)counts->value[i]);
        if (counts->n == 0)
            strcpy(buf, "none");
        break;
    case KEY_TEXT:
        strcpy(buf, field);
        break;
    }
}

void key_get(const Key *key, const void *fields, char *buf) {
    CLocale locale = c_locale_begin();
    write_value(key, fields, buf);
    c_locale_end(&locale);
}

/* By value, as text: 0 has two signs, and bytes after the end of a list or text mean nothing. */
size_t keys_write(KeyTable table, const void *fields, char *text, size_t size) {
    size_t used = 0;
    for (size_t k = 0; k < table.n; k++) {
        char value[KEY_VALUE_SIZE];
        key_get(&table.keys[k], fields, value);
        int n = snprintf(text + used, size - used, "%s = %s\n", table.keys[k].name, value);
        used += (size_t)n < size - used ? (size_t)n : 0;
    }
    return used;
}

bool key_equal(const Key *key, const void *a, const void *b) {
    char left[KEY_VALUE_SIZE], right[KEY_VALUE_SIZE];
    key_get(key, a, left);
    key_get(key, b, right);
    return strcmp(left, right) == 0;
}

bool keys_equal(KeyTable table, const void *a, const void *b) {
    for (size_t k = 0; k < table.n; k++)
        if (!key_equal(&table.keys[k], a, b))
            return false;
    return true;
}

tacos_status text_give(const char *text, char *buf, size_t size, tacos_error *err) {
    if (strlen(text) < size) {
        strcpy(buf, text);
        return TACOS_OK;
    }
    if (size > 0)
        buf[0] = '\0';
    return failure(err, TACOS_RANGE, "%zu bytes are too few for '%.100s'", size, text);
}

tacos_status keys_fail_unknown(const KeyTable *const *tables, size_t n_tables,
                               bool (*skip)(const char *name), const char *name, tacos_error *err) {
    enum { NAMES_MAX = 128 };
    const char *names[NAMES_MAX + 1] = {NULL};
    size_t n = 0;
    for (size_t t = 0; t < n_tables; t++)
        for (size_t k = 0; k < tables[t]->n && n < NAMES_MAX; k++)
            if (!skip || !skip(tables[t]->keys[k].name))
                names[n++] = tables[t]->keys[k].name;
    const char *best = tacos_nearest(name, names);
    if (best)
        return failure(err, TACOS_UNKNOWN, "unknown key '%.80s'; the nearest is '%s'", name, best);
    return failure(err, TACOS_UNKNOWN, "unknown key '%.80s'", name);
}

static char *trim(char *text) {
    text += strspn(text, " \t\r");
    for (size_t n = strlen(text); n > 0 && strchr(" \t\r", text[n - 1]); n--)
        text[n - 1] = '\0';
    return text;
}

/* Names appear in tables and messages, so they are short and have no control characters. */
static tacos_status parse_section(char *line, KeySection *section, void *user, tacos_error *err) {
    size_t n = strlen(line);
    if (!section)
        return failure(err, TACOS_INVALID, "this file cannot have sections like '%.60s'", line);
    if (line[n - 1] != ']')
        return failure(err, TACOS_INVALID, "a section is written '[name]', not '%.60s'", line);
    line[n - 1] = '\0';
    char *name = trim(line + 1);
    if (!*name || strlen(name) >= KEY_SECTION_SIZE)
        return failure(err, TACOS_INVALID, "a section's name has 1 to %d bytes",
                       KEY_SECTION_SIZE - 1);
    if (plain_text(name, NULL, 0) != strlen(name))
        return failure(err, TACOS_INVALID,
                       "a section's name is UTF-8 text without control characters, not '%s'", name);
    return section(user, name, err);
}

static tacos_status parse_line(char *line, KeySetter *set, KeySection *section, void *user,
                               tacos_error *err) {
    line = trim(line);
    if (!*line)
        return TACOS_OK;
    if (*line == '[')
        return parse_section(line, section, user, err);
    char *equals = strchr(line, '=');
    if (!equals)
        return failure(err, TACOS_INVALID, "expected 'key = value', not '%.60s'", line);
    *equals = '\0';
    return set(user, trim(line), trim(equals + 1), err);
}

tacos_status keys_fail_line(const char *name, size_t line, const tacos_error *inner,
                            tacos_error *err) {
    return failure(err, inner->status, "%.200s:%zu: %.280s", name, line, inner->text);
}

tacos_status keys_parse_sections(const char *text, const char *name, KeySetter *set,
                                 KeySection *section, void *user, size_t *line, tacos_error *err) {
    char copy[KEY_VALUE_SIZE];
    text += bom_length(text);
    for (*line = 1; *text; ++*line) {
        size_t n = strcspn(text, "\n"), n_before_comment = strcspn(text, "#\n");
        tacos_error inner = {0};
        tacos_status status;
        if (n_before_comment < sizeof copy) {
            memcpy(copy, text, n_before_comment);
            copy[n_before_comment] = '\0';
            status = parse_line(copy, set, section, user, &inner);
        } else {
            status = failure(&inner, TACOS_INVALID, "the line is longer than %zu characters",
                             sizeof copy - 1);
        }
        inner.status = status;
        if (status != TACOS_OK)
            return keys_fail_line(name, *line, &inner, err);
        text += n + (text[n] == '\n');
    }
    return TACOS_OK;
}

tacos_status keys_parse(const char *text, const char *name, KeySetter *set, void *user,
                        tacos_error *err) {
    size_t line;
    return keys_parse_sections(text, name, set, NULL, user, &line, err);
}

/* ---- tacos_nearest: what somebody probably meant to type ---- */

/* By edit distance: letters added, dropped, changed, or two swapped. */
enum { NEAREST_LENGTH = 40, FAR = NEAREST_LENGTH + 1 };

static size_t min_of(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Three rows of the usual table are enough: a swap looks two rows back. */
static size_t distance(const char *a, const char *b) {
    size_t rows[3][NEAREST_LENGTH + 1];
    size_t n_a = strlen(a), n_b = strlen(b);
    if (n_a > NEAREST_LENGTH || n_b > NEAREST_LENGTH)
        return FAR;
    for (size_t j = 0; j <= n_b; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n_a; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n_b; j++) {
            row[j] = min_of(above[j], row[j - 1]) + 1;
            row[j] = min_of(row[j], above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = min_of(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[n_a % 3][n_b];
}

/* "omni" is meant for "omniglot", and "fashion-mnist" for "fashion". */
static int one_begins_other(const char *a, const char *b) {
    size_t n = min_of(strlen(a), strlen(b));
    return n >= 3 && strncmp(a, b, n) == 0;
}

/* Are all letters of the word in the name, in order? Then some were only left out. */
static int leaves_out(const char *word, const char *name) {
    for (; *word && *name; name++)
        word += *word == *name;
    return !*word;
}

const char *tacos_nearest(const char *word, const char *const *names) {
    const char *best = NULL;
    size_t best_distance = FAR;
    for (; *names; names++) {
        size_t d = one_begins_other(word, *names) ? 1 : distance(word, *names);
        /* "sed" is as far from "set" as from "seed", but a letter left out is more likely. */
        int nearer = d < best_distance || (best && d == best_distance && leaves_out(word, *names) &&
                                           !leaves_out(word, best));
        /* A third of the letters may be wrong; more is another word. */
        if (nearer && d <= (strlen(*names) + 2) / 3) {
            best = *names;
            best_distance = d;
        }
    }
    return best;
}
