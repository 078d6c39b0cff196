/* sample_reader.h - samples from standard input, for as long as there are any: what `tacos learn`
 * and `tacos predict` share. */
#ifndef CLI_FEED_H
#define CLI_FEED_H

#include "cli.h"
#include "input/lines.h"
#include "input/sample_line.h"

typedef struct SampleReaderArgs {
    const char *label;    /* "first", "last" or "none" */
    const char *on_error; /* "stop" or "skip" */
    const char *scale;    /* a number */
} SampleReaderArgs;

/* Their rows in a command's table of options; SAMPLE_READER_OPTIONS(offset of the
 * SampleReaderArgs). */
/* clang-format off */
#define SAMPLE_READER_OPTIONS(at) \
    {"label", OPTION_TEXT, NAME_ANY, (at) + offsetof(SampleReaderArgs, label), 0, 0, "PLACE", \
     "position of the label in a line of numbers: `first` (the default), `last` or `none`"}, \
    {"scale", OPTION_TEXT, NAME_ANY, (at) + offsetof(SampleReaderArgs, scale), 0, 0, "NUMBER", \
     "the value of full intensity, such as 255 (default: 1)"}, \
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
    READ_FAILED,  /* and it was told */
} ReadResult;

/* EXIT_OK, or what to exit with after it was told. `labelled`: a sample without a label is wrong.
 */
int sample_reader_open(SampleReader *reader, const char *command, const SampleReaderArgs *args,
                       const tacos_learner *learner);
void sample_reader_close(SampleReader *reader);

/* The next sample. One without a label where `labelled` is set is as wrong as one with a word in
 * it. */
ReadResult sample_reader_next(SampleReader *reader, int labelled);

/* How many lines were passed over, if any. */
void sample_reader_report_skipped(const SampleReader *reader);

#endif
