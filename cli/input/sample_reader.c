/* sample_reader.c - reads samples from standard input, and stops at malformed lines or skips them.
 */
#include "input/samples.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Further malformed lines are counted, not reported one by one. */
enum { REPORTED_MAX = 10 };

/* ---- options ---- */

/* Which of two or three words it is, or -1. */
static int choose(const char *given, const char *const *words) {
    for (int i = 0; words[i]; i++)
        if (!given || strcmp(given, words[i]) == 0)
            return i;
    return -1;
}

static int read_scale(const char *given, double *out) {
    char *end;
    *out = 1;
    if (!given)
        return 0;
    *out = strtod(given, &end);
    return end == given || *end || !isfinite(*out) || *out <= 0 ? -1 : 0;
}

static int read_args(SampleReader *reader, const SampleReaderArgs *args) {
    static const char *const labels[] = {"first", "last", "none", NULL};
    static const char *const policies[] = {"stop", "skip", NULL};
    int label = choose(args->label, labels), policy = choose(args->on_error, policies);
    if (label < 0)
        return cli_usage(reader->command, "--label %s: expected first, last or none", args->label);
    if (policy < 0)
        return cli_usage(reader->command, "--on-error %s: expected stop or skip", args->on_error);
    if (read_scale(args->scale, &reader->format.scale) != 0)
        return cli_usage(reader->command, "--scale %s: expected a number above 0", args->scale);
    reader->format.label = (LabelPlace)label;
    reader->skip = policy;
    return EXIT_OK;
}

int sample_reader_open(SampleReader *reader, const char *command, const SampleReaderArgs *args,
                       const tacos_learner *learner) {
    tacos_shape shape = tacos_learner_shape(learner);
    *reader = (SampleReader){.command = command};
    reader->format.n_inputs = shape.n_inputs;
    reader->format.n_outputs = shape.n_outputs;
    int code = read_args(reader, args);
    if (code != EXIT_OK)
        return code;
    reader->sample.intensity = calloc(shape.n_inputs, sizeof *reader->sample.intensity);
    if (reader->sample.intensity &&
        lines_open(&reader->lines, STDIN_FILENO, sample_longest(shape.n_inputs)) == 0)
        return EXIT_OK;
    sample_reader_close(reader);
    cli_error("no memory for samples of %zu inputs", shape.n_inputs);
    return EXIT_FAILED;
}

void sample_reader_close(SampleReader *reader) {
    lines_close(&reader->lines);
    free(reader->sample.intensity);
}

/* ---- lines ---- */

/* READ_SAMPLE if reading continues with the next line. */
static ReadResult wrong_line(SampleReader *reader, const char *why) {
    unsigned long long number = reader->lines.number;
    if (reader->skip && reader->n_skipped++ >= REPORTED_MAX)
        return READ_SAMPLE;
    cli_error("line %llu: %s%s", number, why, reader->skip ? "; skipped" : "");
    return reader->skip ? READ_SAMPLE : READ_FAILED;
}

static int is_empty(const char *line) {
    return line[strspn(line, " \t")] == '\0';
}

/* The first line with anything in it may name the columns; then it says so. 1 if it does, 0 if it
 * is a sample or should be one, -1 with `why` if they are not the columns that are wanted. */
static int read_names(SampleReader *reader, const char *line, char why[WHY_SIZE]) {
    size_t n = reader->began ? 0 : sample_names(line), wanted = sample_columns(&reader->format);
    reader->began = 1;
    if (n == 0)
        return 0;
    if (n != wanted) {
        (void)snprintf(why, WHY_SIZE, "it names %zu column%s; expected %zu%s", n, n == 1 ? "" : "s",
                       wanted, reader->format.label == LABEL_NONE ? "" : ", including the label");
        return -1;
    }
    fprintf(stderr, "line %llu: column names, skipped\n", (unsigned long long)reader->lines.number);
    return 1;
}

/* The sample of a line: 0, 1 if it has none, -1 with `why` if it is wrong. */
static int read_line(SampleReader *reader, LineKind kind, char *line, int labelled,
                     char why[WHY_SIZE]) {
    if (kind == LINE_TOO_LONG || kind == LINE_ZERO) {
        (void)snprintf(why, WHY_SIZE, "%s",
                       kind == LINE_ZERO ? "it is not text: it contains a zero byte"
                                         : "it is longer than a sample can be");
        return -1;
    }
    if (is_empty(line))
        return 1;
    int names = read_names(reader, line, why);
    if (names != 0)
        return names;
    if (sample_read(&reader->format, line, &reader->sample, why) != 0)
        return -1;
    if (!labelled || reader->sample.label != NO_LABEL)
        return 0;
    (void)snprintf(why, WHY_SIZE, "it has no label to learn from");
    return -1;
}

ReadResult sample_reader_next(SampleReader *reader, int labelled) {
    char why[WHY_SIZE], *line;
    for (;;) {
        LineKind kind = lines_next(&reader->lines, &line);
        if (kind == LINE_END)
            return READ_END;
        if (kind == LINE_STOPPED)
            return READ_STOPPED;
        if (kind == LINE_FAILED || kind == LINE_UTF16) {
            cli_error("cannot read standard input: %s",
                      kind == LINE_FAILED ? strerror(errno) : "it is UTF-16 text; expected UTF-8");
            return READ_FAILED;
        }
        int found = read_line(reader, kind, line, labelled, why);
        if (found == 0)
            return READ_SAMPLE;
        if (found < 0 && wrong_line(reader, why) == READ_FAILED)
            return READ_FAILED;
    }
}

void sample_reader_report_skipped(const SampleReader *reader) {
    if (reader->n_skipped > 0)
        fprintf(stderr, "%llu line(s) skipped\n", (unsigned long long)reader->n_skipped);
}
