/* answers.h - what is answered, as lines on stdout; and how good the answers were. */
#ifndef CLI_ANSWERS_H
#define CLI_ANSWERS_H

#include "stream/session.h"

/* A chance from 0 to 1 as given to --reject; NULL is 0. EXIT_OK, or the exit status after an error
 * message. */
int answers_reject(const char *command, const char *given, double *out);

/* "label,confidence,novelty". */
void answers_head(void);

/* A line of it. "unknown" if it was rejected, or nothing was learned yet. */
void answers_print(const tacos_classifier *classifier, const Answered *answered);

/* A word as a field of CSV. */
void answers_field(const char *text);

/* ---- summary.c ---- */

/* One line, without its end: "5000 samples, 2000 of them now  accuracy 91.20%, of the last 1000
 * 92.50%". */
void summary_line(const Session *session, uint64_t n_before, uint64_t n_now);

/* The figures of the evaluation, on stderr. */
void summary_print(const Session *session);

/* If answers are missing, or no better than not looking at the samples: a warning with the likely
 * cause. */
void summary_warn(const Session *session);

/* ---- folder.c ---- */

/* A row of the time series, if one is due or `last` is set; and FOLDER/stream.json and stream.csv
 * with it, where FOLDER is not NULL. EXIT_OK, or the exit status after an error message. */
typedef struct StreamFolder {
    const char *path;   /* NULL: no files */
    const char *stream; /* what is learned; NULL: not known */
    const char *model;
} StreamFolder;
int folder_update(const StreamFolder *folder, const Session *session, int last);

double clock_seconds(void);

#endif
