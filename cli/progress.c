/* progress.c - rate and time left, and the wish to stop. */
#include "progress.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Signal handlers can reach nothing else. */
static volatile sig_atomic_t caught;

static void on_signal(int number) {
    caught = number;
}

void progress_catch_signals(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND; /* a second Ctrl-C ends at once */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

int progress_signal(void) {
    return caught;
}

void progress_begin(Progress *progress, int quiet) {
    *progress = (Progress){.quiet = quiet, .terminal = isatty(STDERR_FILENO)};
}

static void write_duration(char *buf, size_t size, double seconds) {
    long s = (long)(seconds + 0.5);
    if (s >= 3600)
        (void)snprintf(buf, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        (void)snprintf(buf, size, "%ld:%02ld", s / 60, s % 60);
}

int progress_show(void *user, const tacos_progress *state) {
    Progress *progress = user;
    double every = progress->terminal ? 0.2 : 10;
    if (caught || progress->quiet || state->seconds - progress->last_seconds < every)
        return caught != 0;
    progress->last_seconds = state->seconds;
    double rate = (double)state->done / state->seconds;
    char left[32];
    write_duration(left, sizeof left, (double)(state->total - state->done) / rate);
    fprintf(stderr, "%s%3d%%  runs %zu/%zu  %.0f samples/s  %s left%s",
            progress->terminal ? "\r" : "", (int)(100 * state->done / state->total),
            state->runs_done, state->runs_total, rate, left, progress->terminal ? "\033[K" : "\n");
    return 0;
}

void progress_end(const Progress *progress) {
    if (progress->terminal && !progress->quiet)
        fputs("\r\033[K", stderr);
}
