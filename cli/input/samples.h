/* samples.h - samples from standard input, one per line: cut into lines, parsed, and read one after
 * another by `tacos learn` and `tacos predict`. */
#ifndef CLI_SAMPLES_H
#define CLI_SAMPLES_H

#include "cli.h"
#include "system/files.h"

#include <stddef.h>
#include <stdint.h>

/* ---- lines, in memory that does not grow ---- */

typedef struct Lines {
    int file;        /* descriptor */
    uint64_t number; /* of the line that was read last, from 1 */
    char *room;      /* [size] */
    size_t size;
    size_t from, to; /* what was read ahead */
    int ended;
} Lines;

typedef enum LineKind {
    LINE_READ,
    LINE_TOO_LONG, /* it was skipped */
    LINE_ZERO,     /* it holds a zero byte: it is not text */
    LINE_UTF16,    /* the stream begins as UTF-16 does: no line of it can be read */
    LINE_END,
    LINE_STOPPED, /* a signal came (process.h) while waiting */
    LINE_FAILED,  /* see errno */
} LineKind;

/* Lines of up to `longest` bytes. 0, or -1 without memory. */
int lines_open(Lines *lines, int file, size_t longest);
void lines_close(Lines *lines);

/* The next line, terminated, without its end ("\n" or "\r\n"); the last one need not have one, and
 * the byte order mark that the first may have is left out. It is valid until the next call. */
LineKind lines_next(Lines *lines, char **out);

/* The first line that is not blank, before anything was taken, and its length; nothing is taken.
 * NULL: there is none, or it cannot be read. */
const char *lines_first(Lines *lines, size_t *n);

/* Up to n bytes as they are; *got is 0 unless it is LINE_READ. */
LineKind lines_bytes(Lines *lines, void *bytes, size_t n, size_t *got);

/* ---- one sample ---- */

/* Where the label is among the numbers of a line. JSON has it by name. */
typedef enum LabelPlace { LABEL_FIRST, LABEL_LAST, LABEL_NONE } LabelPlace;

typedef struct SampleFormat {
    size_t n_inputs, n_outputs;
    LabelPlace label;
    double scale; /* what stands for 1 */
} SampleFormat;

enum { NO_LABEL = -1 };

typedef struct Sample {
    float *intensity; /* [n_inputs], the caller's; 0 to 1 */
    long label;       /* 0 to n_outputs - 1, or NO_LABEL */
} Sample;

/* {"x": [...], "y": 1} (y may be missing), or numbers. 0, or -1 with a sentence in `why`. The line
 * is used up. */
int sample_read(const SampleFormat *format, char *line, Sample *out, char why[WHY_SIZE]);

/* The number of columns that a line names, with a word in every field; 0 if it is not such a line.
 */
size_t sample_names(const char *line);

/* How many numbers a line has, including the label. */
size_t sample_columns(const SampleFormat *format);

/* The longest line that makes sense for so many inputs. */
size_t sample_longest(size_t n_inputs);

/* ---- the reader ---- */

typedef struct SampleReaderArgs {
    const char *label;    /* "first", "last" or "none" */
    const char *on_error; /* "stop" or "skip" */
    const char *scale;    /* a number */
} SampleReaderArgs;

/* Their rows in a command's table of options; SAMPLE_READER_OPTIONS(offset of the
 * SampleReaderArgs). */
/* clang-format off */
#define SAMPLE_READER_OPTIONS(at) \
    {"label", OPTION_TEXT, NAME_ANY, (at) + offsetof(SampleReaderArgs, label), 0, 0, "COLUMN", \
     "the column of the label: `first`, `last`, `none`, its name or its number; of a fixed shape " \
     "only the first three (default: first)"}, \
    {"scale", OPTION_TEXT, NAME_ANY, (at) + offsetof(SampleReaderArgs, scale), 0, 0, "NUMBER", \
     "of a fixed shape: the value of full intensity, such as 255 (default: 1)"}, \
    {"on-error", OPTION_TEXT, NAME_ANY, (at) + offsetof(SampleReaderArgs, on_error), 0, 0, "WHAT", \
     "what to do about a malformed line: `stop` (the default) or `skip` it; either way it is " \
     "reported by number"}
/* clang-format on */

typedef struct SampleReader {
    const char *command;
    Lines lines;
    SampleFormat format;
    Sample sample; /* the last one */
    int skip;
    int began; /* a line had something in it */
    uint64_t n_skipped;
} SampleReader;

typedef enum ReadResult {
    READ_SAMPLE,
    READ_END,
    READ_STOPPED, /* a signal came */
    READ_FAILED,  /* after an error message */
} ReadResult;

/* EXIT_OK, or the exit status after an error message.
 */
int sample_reader_open(SampleReader *reader, const char *command, const SampleReaderArgs *args,
                       const tacos_learner *learner);
void sample_reader_close(SampleReader *reader);

/* The next sample. If `labelled` is set, one without a label is malformed. */
ReadResult sample_reader_next(SampleReader *reader, int labelled);

/* Report how many lines were skipped, if any. */
void sample_reader_report_skipped(const SampleReader *reader);

#endif
