/* rows_json.c - a sample as a JSON object. */
#include "stream/rows.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { DIGITS_SIZE = 32 };

struct JsonRow {
    json_t *object; /* of which texts are parts */
    double *numbers;
    const char **texts;
    size_t room;
    char label[DIGITS_SIZE]; /* a number */
};

void json_row_free(JsonRow *room) {
    if (!room)
        return;
    json_decref(room->object);
    free(room->numbers);
    free(room->texts);
    free(room);
}

static int grow(JsonRow *room, size_t n) {
    if (n <= room->room)
        return 0;
    double *numbers = realloc(room->numbers, n * sizeof *numbers);
    if (numbers)
        room->numbers = numbers;
    const char **texts = realloc(room->texts, n * sizeof *texts);
    if (texts)
        room->texts = texts;
    if (!numbers || !texts)
        return -1;
    room->room = n;
    return 0;
}

/* "x" may be a single text. */
static size_t count_values(const json_t *x) {
    return json_is_string(x) ? 1 : json_array_size(x);
}

static int read_values(JsonRow *room, const json_t *x, char why[WHY_SIZE]) {
    size_t n = count_values(x);
    if (!json_is_array(x) && !json_is_string(x))
        return refuse(why, "it has no array \"x\"");
    if (n == 0)
        return refuse(why, "\"x\" is empty");
    if (grow(room, n) != 0)
        return refuse(why, "no memory for a sample of %zu features", n);
    for (size_t i = 0; i < n; i++) {
        const json_t *value = json_is_string(x) ? x : json_array_get(x, i);
        room->texts[i] = json_string_value(value);
        room->numbers[i] = json_is_number(value) ? json_number_value(value) : (double)NAN;
        if (!json_is_number(value) && !json_is_string(value) && !json_is_null(value))
            return refuse(why, "\"x\"[%zu] is not a number, a string or null", i);
    }
    return 0;
}

/* The shortest digits that read back as the same number: 2, 2.0 and "2" are one label. */
static const char *digits_of(double value, char buf[DIGITS_SIZE]) {
    int n = 6;
    do
        (void)snprintf(buf, DIGITS_SIZE, "%.*g", n, value);
    while (n++ < 17 && strtod(buf, NULL) != value);
    return buf;
}

static int read_label(JsonRow *room, const json_t *y, const char **out, char why[WHY_SIZE]) {
    *out = NULL;
    if (json_is_string(y)) {
        const char *text = json_string_value(y);
        *out = *text && !(text[0] == '?' && !text[1]) ? text : NULL;
    } else if (json_is_integer(y)) {
        (void)snprintf(room->label, sizeof room->label, "%" JSON_INTEGER_FORMAT,
                       json_integer_value(y));
        *out = room->label;
    } else if (json_is_real(y)) {
        *out = digits_of(json_real_value(y), room->label);
    } else if (y && !json_is_null(y)) {
        return refuse(why, "\"y\" is not a number, a string or null");
    }
    return 0;
}

int json_row_read(JsonRow **room, const char *line, Row *out, char why[WHY_SIZE]) {
    json_error_t error;
    if (!*room && !(*room = calloc(1, sizeof **room)))
        return refuse(why, "no memory for a sample");
    json_decref((*room)->object);
    (*room)->object = json_loads(line, JSON_REJECT_DUPLICATES, &error);
    if (!(*room)->object)
        return refuse(why, "column %d: %.150s", error.column, error.text);
    const json_t *x = json_object_get((*room)->object, "x");
    if (read_values(*room, x, why) != 0 ||
        read_label(*room, json_object_get((*room)->object, "y"), &out->label, why) != 0)
        return -1;
    out->sample = (tacos_sample){(*room)->numbers, (*room)->texts, count_values(x)};
    return 0;
}
