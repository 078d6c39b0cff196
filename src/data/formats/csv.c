/* csv.c - images as lines of numbers: a label, then the pixels. What value is white may only be
 * known at the end; the file is then read again. */
#include "data/formats/formats.h"

#include "base/array.h"
#include "base/decimal.h"
#include "base/utf8.h"
#include "base/bytes.h"
#include "data/formats/fields.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct CsvReader {
    const char *path;
    size_t line;     /* from 1 */
    size_t n_pixels; /* of every image; 0 before the first */
    bool began;      /* a line had something in it */
    size_t n_names;  /* of columns; 0: none are given */
    double full;     /* the value that becomes 255 */
    bool strict;     /* larger ones are an error */
    double most;     /* the largest so far */
    size_t row_room, pixel_room, label_room;
    uint8_t *row;
    Images images;
} CsvReader;

static tacos_status fail_line(const CsvReader *reader, const char *what, tacos_error *err) {
    return failure(err, TACOS_FORMAT, "%.300s:%zu: %s", reader->path, reader->line, what);
}

/* A whole number of a few digits, as most are, up to the comma or the end: quickly. */
static bool take_digits(const char **at, double *out) {
    enum { DIGITS_MAX = 9 };
    unsigned long value = 0;
    const char *end = *at;
    for (; isdigit((unsigned char)*end) && end - *at < DIGITS_MAX; end++)
        value = 10 * value + (unsigned long)(*end - '0');
    if (end == *at || (*end != ',' && *end != '\0'))
        return false;
    *out = (double)value;
    *at = end;
    return true;
}

/* A number from 0; *at moves on to the comma or the end. */
static bool take_number(const char **at, double *out) {
    enum { NUMBER_SIZE = 64 };
    char copy[NUMBER_SIZE];
    const char *from = *at + strspn(*at, " \t");
    size_t n = strcspn(from, ",");
    *at = from;
    if (take_digits(at, out))
        return true;
    *at = from + n;
    while (n > 0 && strchr(" \t\r\n", from[n - 1]))
        n--;
    if (n >= NUMBER_SIZE)
        return false;
    memcpy(copy, from, n);
    copy[n] = '\0';
    return field_read(copy, false, out) == FIELD_NUMBER && *out >= 0;
}

static tacos_status keep_pixel(CsvReader *reader, size_t n, double value, tacos_error *err) {
    if (n >= IMAGE_PIXELS_MAX)
        return fail_line(reader, "the image has too many pixels", err);
    if (value > reader->full && reader->strict)
        return failure(err, TACOS_FORMAT, "%.300s:%zu: %s is more than the scale in size.conf, %s",
                       reader->path, reader->line, REAL(value), REAL(reader->full));
    if (!array_grow(&reader->row, &reader->row_room, n + 1, 1))
        return failure(err, TACOS_MEMORY, "no memory to read %.300s", reader->path);
    reader->most = value > reader->most ? value : reader->most;
    value = value < reader->full ? value : reader->full;
    reader->row[n] = (uint8_t)(value / reader->full * UINT8_MAX + 0.5);
    return TACOS_OK;
}

static tacos_status make_room(CsvReader *reader, tacos_error *err) {
    Images *images = &reader->images;
    if (images->n >= SET_BYTES_MAX / reader->n_pixels)
        return fail_line(reader, "the file is too large", err);
    if (!array_grow(&images->pixels, &reader->pixel_room, images->n + 1, reader->n_pixels) ||
        !array_grow(&images->labels, &reader->label_room, images->n + 1, sizeof *images->labels))
        return failure(err, TACOS_MEMORY, "no memory to read %.300s", reader->path);
    return TACOS_OK;
}

static tacos_status read_line(CsvReader *reader, const char *line, tacos_error *err) {
    double label = 0, pixel = 0;
    size_t n = 0;
    if (!take_number(&line, &label) || label > CLASSES_MAX - 1 || label != floor(label))
        return fail_line(reader, "expected a label first, a whole number from 0 to 4095", err);
    for (; *line == ','; n++) {
        line++;
        if (!take_number(&line, &pixel))
            return fail_line(reader, "pixels are numbers from 0", err);
        TRY(keep_pixel(reader, n, pixel, err));
    }
    if (n == 0 || (reader->n_pixels > 0 && n != reader->n_pixels))
        return failure(err, TACOS_FORMAT,
                       "%.300s:%zu: there are %zu pixels; the first image has %zu", reader->path,
                       reader->line, n, reader->n_pixels);
    if (reader->n_names > 0 && n + 1 != reader->n_names)
        return failure(err, TACOS_FORMAT,
                       "%.300s:%zu: there are %zu numbers, but names of %zu columns", reader->path,
                       reader->line, n + 1, reader->n_names);
    reader->n_pixels = n;
    TRY(make_room(reader, err));
    memcpy(reader->images.pixels + reader->images.n * n, reader->row, n);
    reader->images.labels[reader->images.n++] = (uint16_t)label;
    return TACOS_OK;
}

/* ---- lines ---- */

static bool is_letter(char c) {
    return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Begins with a letter or a digit, perhaps in quotes, and is not a number: `label`, `1x1`; not
 * `1e5`, `nan`, `[0` or an empty field. */
static bool is_name(const char *field) {
    char *end;
    field += strspn(field, " \t\"");
    if (!isdigit((unsigned char)*field) && !is_letter(*field))
        return false;
    (void)strtod(field, &end);
    return is_letter(end[strspn(end, " \t")]);
}

/* The number of names in a header line; 0 if a field is not a name. */
static size_t count_names(const char *line) {
    for (size_t n = 1; is_name(line); n++) {
        line += strcspn(line, ",");
        if (!*line++)
            return n;
    }
    return 0;
}

/* The first line that is not blank may be a header: every field must be a name, so that no image
 * can be mistaken for one. */
static tacos_status read_any(CsvReader *reader, const char *line, tacos_error *err) {
    if (!line[strspn(line, " \t\r\n")])
        return TACOS_OK;
    bool first = !reader->began;
    reader->began = true;
    size_t n_names = first ? count_names(line) : 0;
    if (n_names == 0)
        return read_line(reader, line, err);
    reader->n_names = n_names;
    reader->images.names_line = reader->line;
    return TACOS_OK;
}

static tacos_status read_lines(CsvReader *reader, FILE *file, tacos_error *err) {
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    tacos_status status = TACOS_OK;
    while (status == TACOS_OK && (n = getline(&line, &size, file)) >= 0) {
        size_t mark = reader->line++ == 0 ? bom_length(line) : 0;
        if (reader->line == 1 && bom_is_utf16(line))
            status =
                failure(err, TACOS_FORMAT, "%.300s is UTF-16 text; expected UTF-8", reader->path);
        else if (strlen(line) != (size_t)n)
            status = fail_line(reader, "this is not text: it holds a zero byte", err);
        else
            status = read_any(reader, line + mark, err);
    }
    if (status == TACOS_OK && !feof(file)) /* not ferror: a line may also find no memory */
        status = failure_errno(err, "cannot read %s", reader->path);
    free(line);
    return status;
}

/* The file from its beginning. */
static tacos_status read_file(CsvReader *reader, tacos_error *err) {
    FILE *file;
    reader->line = 0;
    reader->began = false;
    reader->images.n = 0;
    TRY(file_open(&file, reader->path, err));
    tacos_status status = read_lines(reader, file, err);
    (void)fclose(file);
    if (status == TACOS_OK && reader->images.n == 0)
        status = failure(err, TACOS_FORMAT, "%.300s holds no image", reader->path);
    return status;
}

/* A second time, if the first shows that 255 is not the value of white. */
static tacos_status read_scaled(CsvReader *reader, CsvScale *scale, tacos_error *err) {
    bool given = scale->full > 0;
    reader->full = given ? scale->full : UINT8_MAX;
    reader->strict = scale->stated;
    TRY(read_file(reader, err));
    if (given)
        return TACOS_OK;
    if (reader->most > 0 && reader->most <= 1)
        reader->full = 1;
    else if (reader->most > UINT8_MAX)
        reader->full = reader->most;
    scale->full = reader->full;
    return reader->full == UINT8_MAX ? TACOS_OK : read_file(reader, err);
}

tacos_status csv_read(Images *out, const char *path, CsvScale *scale, tacos_error *err) {
    CsvReader reader = {.path = path};
    tacos_status status = read_scaled(&reader, scale, err);
    free(reader.row);
    if (status != TACOS_OK) {
        images_free(&reader.images);
        return status;
    }
    images_shape(&reader.images, reader.n_pixels);
    reader.images.full = reader.full;
    reader.images.most = reader.most;
    *out = reader.images;
    return TACOS_OK;
}
