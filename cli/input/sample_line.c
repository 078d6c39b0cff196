/* sample_line.c - parses one sample, strictly: malformed input is reported, never guessed at. */
#include "input/samples.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t sample_longest(size_t n_inputs) {
    return n_inputs * 32 + 4096;
}

/* The shortest digits that read back as the same number: 1.0000001 is not shown as 1. */
enum { DIGITS_SIZE = 32 };
static const char *digits_of(double value, char buf[DIGITS_SIZE]) {
    int n = 6;
    do
        (void)snprintf(buf, DIGITS_SIZE, "%.*g", n, value);
    while (n++ < 17 && strtod(buf, NULL) != value);
    return buf;
}

static int take_value(const SampleFormat *format, size_t i, double value, Sample *out,
                      char why[WHY_SIZE]) {
    double intensity = value / format->scale;
    char is[DIGITS_SIZE], most[DIGITS_SIZE];
    if (!(intensity >= 0 && intensity <= 1))
        return refuse(why, "input %zu is %s; expected 0 to %s", i + 1, digits_of(value, is),
                      digits_of(format->scale, most));
    out->intensity[i] = (float)intensity;
    return 0;
}

static int take_label(const SampleFormat *format, double value, Sample *out, char why[WHY_SIZE]) {
    char is[DIGITS_SIZE];
    if (!(value >= 0 && value < (double)format->n_outputs) || value != floor(value))
        return refuse(why, "the label is %s; it must be a whole number from 0 to %zu",
                      digits_of(value, is), format->n_outputs - 1);
    out->label = (long)value;
    return 0;
}

/* ---- numbers with commas, semicolons or tabs between them ---- */

static int is_separator(char c) {
    return c == ',' || c == ';';
}

/* A whole number of a few digits, as pixels are, up to the next separator: 1, or 0 if it is written
 * in another way. strtod takes ten times as long as this. */
static int next_digits(char **at, double *out) {
    enum { DIGITS_MAX = 9 };
    unsigned long value = 0;
    char *end = *at;
    for (; *end >= '0' && *end <= '9' && end - *at < DIGITS_MAX; end++)
        value = 10 * value + (unsigned long)(*end - '0');
    int tab = end[0] == '\t' && isdigit((unsigned char)end[1]);
    if (end == *at || (!is_separator(*end) && !tab && *end != '\0'))
        return 0;
    *out = (double)value;
    *at = *end ? end + 1 : end;
    return 1;
}

/* The next number; 1, 0 past the end, -1 if it is none. */
static int next_number(char **at, double *out) {
    char *end;
    if (next_digits(at, out))
        return 1;
    *at += strspn(*at, " \t");
    if (**at == '\0')
        return 0;
    *out = strtod(*at, &end);
    if (end == *at)
        return -1;
    const char *blank = end;
    end += strspn(end, " \t");
    int separated = is_separator(*end);
    if (*end != '\0' && !separated && !memchr(blank, '\t', (size_t)(end - blank)))
        return -1;
    *at = end + separated;
    return 1;
}

/* ---- names of columns ---- */

static int is_letter(char c) {
    return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* What begins with a letter or a digit, perhaps in quotes, and is no number: `label`, `1x1`; not
 * `1e5`, `nan`, `[0` or nothing. */
static int is_name(const char *field) {
    char *end;
    field += strspn(field, " \t\"");
    if (!isdigit((unsigned char)*field) && !is_letter(*field))
        return 0;
    (void)strtod(field, &end);
    return is_letter(end[strspn(end, " \t")]);
}

size_t sample_names(const char *line) {
    for (size_t n = 1; is_name(line); n++) {
        line += strcspn(line, ",;\t");
        if (!*line++)
            return n;
    }
    return 0;
}

size_t sample_columns(const SampleFormat *format) {
    return format->n_inputs + (format->label != LABEL_NONE);
}

/* ---- a line of numbers ---- */

static int read_numbers(const SampleFormat *format, char *line, Sample *out, char why[WHY_SIZE]) {
    size_t labelled = format->label != LABEL_NONE, wanted = sample_columns(format), n = 0;
    size_t label_at = format->label == LABEL_FIRST ? 0 : format->n_inputs;
    double value;
    int found;
    while ((found = next_number(&line, &value)) > 0) {
        int wrong = 0;
        if (n >= wanted)
            return refuse(why, "it has more than %zu numbers", wanted);
        if (labelled && n == label_at)
            wrong = take_label(format, value, out, why);
        else
            wrong = take_value(format, n - (labelled && n > label_at), value, out, why);
        if (wrong)
            return wrong;
        n++;
    }
    if (found < 0)
        return refuse(why, "field %zu is not a number: '%.20s'", n + 1, line);
    if (n != wanted)
        return refuse(why, "it has %zu numbers; expected %zu%s", n, wanted,
                      labelled ? ", including the label" : "");
    return 0;
}

/* ---- JSON ---- */

static int read_array(const SampleFormat *format, const json_t *x, Sample *out,
                      char why[WHY_SIZE]) {
    if (!json_is_array(x))
        return refuse(why, "it has no array \"x\"");
    if (json_array_size(x) != format->n_inputs)
        return refuse(why, "\"x\" has %zu numbers; expected %zu", json_array_size(x),
                      format->n_inputs);
    for (size_t i = 0; i < format->n_inputs; i++) {
        const json_t *value = json_array_get(x, i);
        if (!json_is_number(value))
            return refuse(why, "\"x\"[%zu] is not a number", i);
        if (take_value(format, i, json_number_value(value), out, why))
            return -1;
    }
    return 0;
}

static int read_json(const SampleFormat *format, const char *line, Sample *out,
                     char why[WHY_SIZE]) {
    json_error_t error;
    json_t *object = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    if (!object)
        return refuse(why, "column %d: %.150s", error.column, error.text);
    const json_t *y = json_object_get(object, "y");
    int wrong = read_array(format, json_object_get(object, "x"), out, why);
    if (!wrong && y && !json_is_number(y))
        wrong = refuse(why, "\"y\" is not a number");
    if (!wrong && y)
        wrong = take_label(format, json_number_value(y), out, why);
    json_decref(object);
    return wrong;
}

int sample_read(const SampleFormat *format, char *line, Sample *out, char why[WHY_SIZE]) {
    out->label = NO_LABEL;
    line += strspn(line, " \t");
    return *line == '{' ? read_json(format, line, out, why) : read_numbers(format, line, out, why);
}
