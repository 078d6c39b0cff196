/* sample_reader.h - samples from standard input, for as long as there are any: what `tacos learn`
 * and `tacos predict` share. */
#ifndef CLI_FEED_H
#define CLI_FEED_H

#include "cli.h"
#include "input/lines.h"
#include "input/sample_line.h"

typedef struct FeedArgs {
    const char *label;    /* "first", "last" or "none" */
    const char *on_error; /* "stop" or "skip" */
    const char *scale;    /* a number */
} FeedArgs;

/* Their rows in a command's table of options; FEED_OPTIONS(offset of the FeedArgs). */
/* clang-format off */
#define FEED_OPTIONS(at) \
    {"label", OPTION_TEXT, WORD_ANY, (at) + offsetof(FeedArgs, label), 0, 0, "PLACE", \
     "where a line of numbers has its label: `first` (the default), `last` or `none`"}, \
    {"scale", OPTION_TEXT, WORD_ANY, (at) + offsetof(FeedArgs, scale), 0, 0, "NUMBER", \
     "the value that stands for full intensity, such as 255 (default: 1)"}, \
    {"on-error", OPTION_TEXT, WORD_ANY, (at) + offsetof(FeedArgs, on_error), 0, 0, "WHAT", \
     "what to do about a line that cannot be read: `stop` (the default) or `skip` it; either way " \
     "it is told with its number"}
/* clang-format on */

typedef struct Feed {
    const char *command;
    Lines lines;
    SampleFormat format;
    Sample sample; /* the last one */
    int skip;
    int began; /* a line had something in it */
    uint64_t n_skipped;
} Feed;

typedef enum FeedKind {
    FEED_SAMPLE,
    FEED_END,
    FEED_STOPPED, /* a signal came */
    FEED_FAILED,  /* and it was told */
} FeedKind;

/* EXIT_OK, or what to exit with after it was told. `labelled`: a sample without a label is wrong.
 */
int feed_open(Feed *feed, const char *command, const FeedArgs *args, const tacos_learner *learner);
void feed_close(Feed *feed);

/* The next sample. One without a label where `labelled` is set is as wrong as one with a word in
 * it. */
FeedKind feed_next(Feed *feed, int labelled);

/* How many lines were passed over, if any. */
void feed_tell_skipped(const Feed *feed);

#endif
