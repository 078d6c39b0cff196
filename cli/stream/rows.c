/* rows.c - reads the rows of a stream, and stops at those that are wrong or skips them. */
#include "stream/rows.h"

#include "system/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    LINE_LONGEST = 1 << 22, /* of JSON */
    REPORTED_MAX = 10,      /* further rows that are wrong are counted, not reported one by one */
};

static const char INPUT[] = "standard input";

/* ---- where bytes come from ---- */

static tacos_status read_bytes(void *user, void *bytes, size_t n, size_t *got, tacos_error *err) {
    Rows *rows = user;
    LineKind kind = lines_bytes(&rows->lines, bytes, n, got);
    if (kind == LINE_READ || kind == LINE_END)
        return TACOS_OK;
    rows->stopped = kind == LINE_STOPPED;
    *err = (tacos_error){kind == LINE_STOPPED ? TACOS_INTERRUPTED : TACOS_IO, ""};
    if (kind == LINE_FAILED)
        (void)snprintf(err->text, sizeof err->text, "cannot read %s: %s", INPUT, strerror(errno));
    return err->status;
}

/* Who writes to a pipe or a terminal may wait for answers; a file does not. */
static int waits(int file) {
    struct stat is;
    return fstat(file, &is) != 0 || !S_ISREG(is.st_mode);
}

/* ---- opening ---- */

static int read_choice(const Rows *rows, const char *option, const char *given,
                       const char *const words[2], int *out) {
    for (int k = 0; given && k < 2; k++)
        if (strcmp(given, words[k]) == 0) {
            *out = k;
            return EXIT_OK;
        }
    return given ? cli_usage(rows->command, "--%s %s: expected %s or %s", option, given, words[0],
                             words[1])
                 : EXIT_OK;
}

/* Columns that have the names of features are in their order: EXIT_OK, or an error message. */
static int check_order(const Rows *rows, const tacos_classifier *classifier) {
    const tacos_table_info *info = tacos_table_info_get(rows->table);
    for (size_t i = 0, k = 0; i < info->n_columns; i++) {
        tacos_feature_info here, other;
        if ((info->label && i == info->label_at) ||
            !tacos_classifier_feature(classifier, k++, &here) || !here.name ||
            strcmp(here.name, info->names[i]) == 0)
            continue;
        for (size_t j = 0; tacos_classifier_feature(classifier, j, &other); j++)
            if (strcmp(other.name, info->names[i]) == 0) {
                cli_error("column %zu is '%s'; expected '%s', the order in which columns were "
                          "learned",
                          i + 1, other.name, here.name);
                return EXIT_FAILED;
            }
    }
    return EXIT_OK;
}

static int set_columns(Rows *rows, const RowsArgs *args, const RowsKnown *known) {
    tacos_feature_info feature;
    const tacos_table_info *info = tacos_table_info_get(rows->table);
    long column = label_column(rows, args, known);
    if (column == LABEL_UNKNOWN)
        return EXIT_USAGE;
    tacos_table_set_label(rows->table, (size_t)column);
    rows->label_at = info->label ? column : LABEL_UNKNOWN;
    for (size_t i = 0;
         known->classifier && tacos_classifier_feature(known->classifier, i, &feature); i++)
        if (strcmp(feature.kind, "category") == 0)
            tacos_table_set_text(rows->table, i);
    return known->classifier && info->header_line ? check_order(rows, known->classifier) : EXIT_OK;
}

static int open_table(Rows *rows, const char *path, tacos_table_options options,
                      const RowsArgs *args, const RowsKnown *known) {
    tacos_error err = {0};
    tacos_status status = tacos_table_open(&rows->table, path ? path : INPUT,
                                           path ? NULL : read_bytes, rows, &options, &err);
    if (status == TACOS_OK)
        return set_columns(rows, args, known);
    return rows->stopped ? EXIT_OK : cli_fail(&err);
}

int rows_open(Rows *rows, const char *command, int file, const char *path, const RowsArgs *args,
              const RowsKnown *known) {
    static const char *const policies[] = {"stop", "skip"}, *const answers[] = {"no", "yes"};
    tacos_table_options options = {.waits = !path && waits(file)};
    int header = -1;
    size_t n;
    *rows = (Rows){.command = command, .label_at = LABEL_UNKNOWN};
    int code = read_choice(rows, "on-error", args->on_error, policies, &rows->skip);
    if (code == EXIT_OK)
        code = read_choice(rows, "header", args->header, answers, &header);
    if (code != EXIT_OK)
        return code;
    if (header >= 0)
        options.header = header ? TACOS_HEADER_FIRST : TACOS_HEADER_NONE;
    if (lines_open(&rows->lines, file, LINE_LONGEST) != 0)
        return cli_no_memory("the input");
    const char *first = path ? NULL : lines_first(&rows->lines, &n);
    if (!path && !first)
        return EXIT_OK; /* rows_next says why */
    rows->is_json = first && first[strspn(first, " \t")] == '{';
    return rows->is_json ? EXIT_OK : open_table(rows, path, options, args, known);
}

void rows_close(Rows *rows) {
    tacos_table_close(rows->table);
    json_row_free(rows->json);
    lines_close(&rows->lines);
}

tacos_status rows_name_features(const Rows *rows, tacos_classifier *classifier, tacos_error *err) {
    const tacos_table_info *info = rows->table ? tacos_table_info_get(rows->table) : NULL;
    if (!info || !info->header_line || tacos_classifier_info_get(classifier).n_features > 0)
        return TACOS_OK;
    const char **names = calloc(info->n_columns, sizeof *names);
    if (!names)
        return whole_file_no_memory("the names of columns", err);
    for (size_t i = 0, k = 0; i < info->n_columns; i++)
        if (!info->label || i != info->label_at)
            names[k++] = info->names[i];
    tacos_status status = tacos_classifier_set_features(classifier, names, info->n_features, err);
    free((void *)names);
    return status;
}

/* ---- rows ---- */

/* Whether reading continues after a malformed row: READ_SAMPLE, or READ_FAILED. Both report it. */
static ReadResult wrong_row(Rows *rows, const char *why) {
    if (rows->passing)
        return READ_SAMPLE;
    if (rows->skip && rows->n_skipped++ >= REPORTED_MAX)
        return READ_SAMPLE;
    cli_error("line %llu: %s%s", (unsigned long long)rows->row.line, why,
              rows->skip ? "; skipped" : "");
    if (!rows->skip)
        rows->n_rows--; /* whoever resumes gets it again, perhaps mended */
    return rows->skip ? READ_SAMPLE : READ_FAILED;
}

int rows_refused(Rows *rows, const tacos_error *err) {
    switch (err->status) {
    case TACOS_INVALID:
    case TACOS_RANGE:
    case TACOS_MISSING: /* these are of files that a row names */
    case TACOS_IO:
    case TACOS_FORMAT:
        return wrong_row(rows, err->text) == READ_SAMPLE ? EXIT_OK : EXIT_FAILED;
    default:
        return cli_fail(err);
    }
}

/* What the table says begins with the name of the input and the line, "NAME:6: ", which wrong_row
 * tells. */
static const char *take_place(Rows *rows, const char *text) {
    for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
        char *end;
        unsigned long line = strtoul(at + 1, &end, 10);
        if (end > at + 1 && strncmp(end, ": ", 2) == 0) {
            rows->row.line = line;
            return end + 2;
        }
    }
    return text;
}

static ReadResult next_of_table(Rows *rows) {
    for (;;) {
        tacos_table_row found;
        tacos_error err = {0};
        size_t line = tacos_table_line(rows->table);
        tacos_status status = tacos_table_next(rows->table, &found, &err);
        if (rows->stopped)
            return READ_STOPPED;
        if (status == TACOS_OK && !found.numbers)
            return READ_END;
        rows->n_rows++;
        if (status == TACOS_OK) {
            size_t n = tacos_table_info_get(rows->table)->n_features;
            rows->row = (Row){found.line, {found.numbers, found.texts, n}, found.label};
            return READ_SAMPLE;
        }
        if (status != TACOS_FORMAT || tacos_table_line(rows->table) == line) {
            (void)cli_fail(&err);
            return READ_FAILED;
        }
        if (wrong_row(rows, take_place(rows, err.text)) == READ_FAILED)
            return READ_FAILED;
    }
}

static ReadResult fail_reading(LineKind kind) {
    cli_error("cannot read %s: %s", INPUT,
              kind == LINE_FAILED ? strerror(errno) : "it is UTF-16 text; expected UTF-8");
    return READ_FAILED;
}

static ReadResult next_of_json(Rows *rows) {
    for (;;) {
        char *line, why[WHY_SIZE] = "it is not text, or too long";
        LineKind kind = lines_next(&rows->lines, &line);
        rows->row.line = rows->lines.number;
        if (kind == LINE_END)
            return READ_END;
        if (kind == LINE_STOPPED)
            return READ_STOPPED;
        if (kind == LINE_FAILED || kind == LINE_UTF16)
            return fail_reading(kind);
        if (kind == LINE_READ && line[strspn(line, " \t")] == '\0')
            continue;
        rows->n_rows++;
        if (kind == LINE_READ && json_row_read(&rows->json, line, &rows->row, why) == 0)
            return READ_SAMPLE;
        if (wrong_row(rows, why) == READ_FAILED)
            return READ_FAILED;
    }
}

ReadResult rows_next(Rows *rows) {
    return rows->table ? next_of_table(rows) : rows->stopped ? READ_STOPPED : next_of_json(rows);
}

ReadResult rows_pass(Rows *rows, uint64_t n) {
    ReadResult kind = READ_SAMPLE;
    rows->passing = 1;
    while (rows->n_rows < n && kind == READ_SAMPLE)
        kind = interrupt_signal() ? READ_STOPPED : rows_next(rows);
    rows->passing = 0;
    return kind;
}

void rows_report_skipped(const Rows *rows) {
    if (rows->n_skipped > 0)
        fprintf(stderr, "%llu line(s) skipped\n", (unsigned long long)rows->n_skipped);
}
