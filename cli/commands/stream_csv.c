/* stream_csv.c - joins the values and the labels of a published stream into one table.
 *
 * Both files have a line per row: numbers separated by blanks, and a label, as a number. The table
 * has a header, commas, and the same digits, so its bytes do not depend on how numbers are printed.
 */
#include "commands/data_fetch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

typedef struct Stream {
    const char *values, *labels, *table; /* names of files */
    const char *header;
    const char *const *classes; /* what stands for label 0, 1, ...; NULL: the number */
    size_t n_classes;
} Stream;

typedef struct Joining {
    FILE *values, *labels;
    gzFile table;
    char *row, *label; /* of getline */
    size_t row_size, label_size, line;
} Joining;

/* The next line of a file without its end; -1 at the end of the file. */
static ssize_t next_line(char **line, size_t *size, FILE *file) {
    ssize_t n = getline(line, size, file);
    while (n > 0 && strchr("\r\n ", (*line)[n - 1]))
        (*line)[--n] = '\0';
    return n;
}

/* The word for a label; NULL if there is none. */
static const char *class_of(const Stream *stream, const char *label) {
    char *end;
    unsigned long number = strtoul(label, &end, 10);
    if (end == label || *end)
        return NULL;
    if (!stream->classes)
        return label;
    return number < stream->n_classes ? stream->classes[number] : NULL;
}

static int write_row(const Stream *stream, Joining *joining, char why[WHY_SIZE]) {
    const char *word = class_of(stream, joining->label);
    if (!word)
        return refuse(why, "%s: line %zu is not a label", stream->labels, joining->line);
    for (char *blank = joining->row; (blank = strchr(blank, ' '));)
        *blank = ',';
    if (gzputs(joining->table, joining->row) < 0 || gzputc(joining->table, ',') < 0 ||
        gzputs(joining->table, word) < 0 || gzputc(joining->table, '\n') < 0)
        return refuse(why, "cannot write %s", stream->table);
    return 0;
}

static int join(const Stream *stream, Joining *joining, int (*stop)(void), char why[WHY_SIZE]) {
    if (gzputs(joining->table, stream->header) < 0)
        return refuse(why, "cannot write %s", stream->table);
    for (joining->line = 1; !stop(); joining->line++) {
        ssize_t n_row = next_line(&joining->row, &joining->row_size, joining->values);
        ssize_t n_label = next_line(&joining->label, &joining->label_size, joining->labels);
        if (n_row <= 0 && n_label <= 0)
            return 0;
        if (n_row <= 0 || n_label <= 0)
            return refuse(why, "%s and %s have not as many lines", stream->values, stream->labels);
        if (write_row(stream, joining, why) != 0)
            return -1;
    }
    return refuse(why, "interrupted");
}

static FILE *open_part(const char *folder, const char *name, char why[WHY_SIZE]) {
    char path[PATH_SIZE];
    FILE *file = folder_path(path, folder, name) == 0 ? fopen(path, "rb") : NULL;
    if (!file)
        (void)refuse(why, "cannot read %s: %s", name, strerror(errno));
    return file;
}

static gzFile create(const char *folder, const char *name, char why[WHY_SIZE]) {
    char path[PATH_SIZE];
    gzFile file = folder_path(path, folder, name) == 0 ? gzopen(path, "wb9") : NULL;
    if (!file)
        (void)refuse(why, "cannot create %s: %s", name, strerror(errno));
    return file;
}

static int convert(const Stream *stream, const char *from, const char *to, int (*stop)(void),
                   char why[WHY_SIZE]) {
    Joining joining = {.values = open_part(from, stream->values, why)};
    joining.labels = joining.values ? open_part(from, stream->labels, why) : NULL;
    joining.table = joining.labels ? create(to, stream->table, why) : NULL;
    int result = joining.table ? join(stream, &joining, stop, why) : -1;
    if (joining.table && gzclose(joining.table) != Z_OK && result == 0)
        result = refuse(why, "cannot write %s", stream->table);
    if (joining.values)
        (void)fclose(joining.values);
    if (joining.labels)
        (void)fclose(joining.labels);
    free(joining.row);
    free(joining.label);
    return result;
}

int elec2_convert(const char *folder, const char *out_folder, int (*stop)(void),
                  char why[WHY_SIZE]) {
    static const char *const classes[] = {"UP", "DOWN"};
    static const Stream stream = {
        .values = "elec2_data.dat",
        .labels = "elec2_label.dat",
        .table = "elec2.csv.gz",
        .header = "date,day,period,nswprice,nswdemand,vicprice,vicdemand,transfer,label\n",
        .classes = classes,
        .n_classes = 2,
    };
    return convert(&stream, folder, out_folder, stop, why);
}

int outdoor_convert(const char *folder, const char *out_folder, int (*stop)(void),
                    char why[WHY_SIZE]) {
    static const Stream stream = {
        .values = "outdoorStream.data",
        .labels = "outdoorStream.labels",
        .table = "outdoor.csv.gz",
        .header = "f1,f2,f3,f4,f5,f6,f7,f8,f9,f10,f11,f12,f13,f14,f15,f16,f17,f18,f19,f20,f21,"
                  "label\n",
    };
    return convert(&stream, folder, out_folder, stop, why);
}
