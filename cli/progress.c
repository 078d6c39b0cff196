/* progress.c - rate and time left. */
#include "progress.h"

#include "interrupt.h"

#include <stdio.h>
#include <unistd.h>

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
    if (interrupt_signal())
        return 1;
    if (progress->quiet || state->seconds - progress->last_seconds < every || state->done == 0)
        return 0;
    progress->last_seconds = state->seconds;
    double rate = (double)state->done / state->seconds;
    char left[32], failed[32] = "", best[32] = "";
    write_duration(left, sizeof left, (double)(state->total - state->done) / rate);
    if (state->runs_failed > 0)
        (void)snprintf(failed, sizeof failed, " (%zu failed)", state->runs_failed);
    if (state->best >= 0)
        (void)snprintf(best, sizeof best, "  best MA %.2f", state->best);
    fprintf(stderr, "%s%3d%%  runs %zu/%zu%s  %.0f samples/s%s  %s left%s",
            progress->terminal ? "\r" : "", (int)(100 * state->done / state->total),
            state->runs_done, state->runs_total, failed, rate, best, left,
            progress->terminal ? "\033[K" : "\n");
    return 0;
}

void progress_end(const Progress *progress) {
    if (progress->terminal && !progress->quiet)
        fputs("\r\033[K", stderr);
}
