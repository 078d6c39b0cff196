/* progress.h - progress on stderr: one line, redrawn, on a terminal; plain lines elsewhere. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "tacos_lab.h"

typedef struct Progress {
    int quiet, terminal;
    double last_seconds; /* when it was last shown */
} Progress;

void progress_begin(Progress *progress, int quiet);

/* A callback for tacos_run_options; asks to stop once a signal came (process.h). */
int progress_show(void *user, const tacos_progress *state);

/* The same for work in steps, of which `what` is at hand; on a terminal only. */
void progress_step(const Progress *progress, size_t done, size_t total, const char *what);

/* Erase the line. */
void progress_end(const Progress *progress);

#endif
