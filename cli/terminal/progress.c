/* progress.c - a progress line (bar, rate, time left) that fits the width of the terminal. */
#include "terminal/progress.h"

#include "cli.h"
#include "system/process.h"
#include "terminal/print.h"
#include "terminal/terminal.h"

#include <stdio.h>

/* Parts of a higher rank than this make room for the bar. */
enum { BAR_MIN = 8, BAR_MAX = 40, FRAME = 3, PART_SIZE = 64, RANK_ABOVE_BAR = 2, TASKS_SHOWN = 10 };

void progress_begin(Progress *progress, int quiet) {
    *progress = (Progress){.quiet = quiet, .terminal = terminal_is(stderr)};
}

/* ---- a line ---- */

/* In the order of the line; where it is narrow, those of the highest rank go first. */
typedef struct Part {
    char text[PART_SIZE]; /* "" for nothing */
    int rank;
} Part;

static int columns_of(const Part *parts, size_t n) {
    int columns = 0;
    for (size_t i = 0; i < n; i++)
        if (parts[i].text[0])
            columns += 2 + terminal_columns(parts[i].text);
    return columns;
}

/* The part to do without next, or NULL. */
static Part *least(Part *parts, size_t n) {
    Part *worst = NULL;
    for (size_t i = 0; i < n; i++)
        if (parts[i].text[0] && (!worst || parts[i].rank > worst->rank))
            worst = &parts[i];
    return worst;
}

/* Leave out what does not fit; columns for the bar, or 0. */
static int make_room(Part *parts, size_t n, int room) {
    for (Part *part; (part = least(parts, n));) {
        int left = room - columns_of(parts, n);
        if (left - FRAME >= BAR_MIN)
            return left - FRAME > BAR_MAX ? BAR_MAX : left - FRAME;
        if (left >= 0 && part->rank <= RANK_ABOVE_BAR)
            return 0;
        part->text[0] = '\0';
    }
    return 0;
}

static void print_parts(const Part *parts, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (parts[i].text[0])
            print_to(stderr, "  %s", parts[i].text);
}

/* "\r 45% [####      ]  parts": the line never reaches the last column, where terminals wrap.
 */
static void draw(double fraction, Part *parts, size_t n) {
    char bar[BAR_SIZE];
    int columns = make_room(parts, n, terminal_width(stderr) - 1 - 4);
    fprintf(stderr, "\r%3d%%", (int)(100 * fraction));
    if (columns > 0) {
        fputs(" [", stderr);
        style_print(stderr, STYLE_GOOD, "%s", terminal_bar(bar, fraction, columns));
        fputc(']', stderr);
    }
    print_parts(parts, n);
    fputs("\033[K", stderr);
    (void)fflush(stderr);
}

/* ---- runs ---- */

static void write_duration(char *buf, size_t size, double seconds) {
    long s = (long)(seconds + 0.5);
    if (s >= 3600)
        (void)snprintf(buf, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
    else
        (void)snprintf(buf, size, "%ld:%02ld", s / 60, s % 60);
}

enum { PART_RUNS, PART_TASKS, PART_RATE, PART_BEST, PART_ELAPSED, PART_LEFT, PARTS };

/* The tasks learned by the run that is farthest, in whole percent: "tasks 98 73 55". */
static void describe_tasks(const tacos_progress *state, char text[PART_SIZE]) {
    const tacos_live_run *far = NULL;
    for (size_t i = 0; i < state->n_live; i++)
        if (!far || state->live[i].n_rows > far->n_rows)
            far = &state->live[i];
    if (!far || far->n_rows < 2)
        return;
    size_t k = far->n_rows - 2, from = k < TASKS_SHOWN ? 0 : k + 1 - TASKS_SHOWN;
    int used = snprintf(text, PART_SIZE, "tasks%s", from > 0 ? " ..." : "");
    for (size_t t = from; t <= k && used < PART_SIZE; t++)
        used += snprintf(text + used, (size_t)(PART_SIZE - used), " %.0f",
                         far->R[k * far->n_tasks + t]);
}

static void describe(const tacos_progress *state, Part parts[PARTS]) {
    double rate = (double)state->done / state->seconds;
    char failed[32] = "", elapsed[32], left[32];
    write_duration(elapsed, sizeof elapsed, state->seconds);
    write_duration(left, sizeof left, (double)(state->total - state->done) / rate);
    if (state->runs_failed > 0)
        (void)snprintf(failed, sizeof failed, " (%zu failed)", state->runs_failed);
    parts[PART_RUNS].rank = 1;
    (void)snprintf(parts[PART_RUNS].text, PART_SIZE, "runs %zu/%zu%s", state->runs_done,
                   state->runs_total, failed);
    parts[PART_TASKS].rank = 3;
    describe_tasks(state, parts[PART_TASKS].text);
    parts[PART_RATE].rank = 2;
    (void)snprintf(parts[PART_RATE].text, PART_SIZE, "%.0f samples/s", rate);
    parts[PART_BEST].rank = 4;
    if (state->best >= 0)
        (void)snprintf(parts[PART_BEST].text, PART_SIZE, "best MA %.2f", state->best);
    parts[PART_ELAPSED].rank = 5;
    (void)snprintf(parts[PART_ELAPSED].text, PART_SIZE, "%s elapsed", elapsed);
    parts[PART_LEFT].rank = 0;
    (void)snprintf(parts[PART_LEFT].text, PART_SIZE, "%s left", left);
}

int progress_show(void *user, const tacos_progress *state) {
    Progress *progress = user;
    double every = progress->terminal ? 0.2 : 10;
    Part parts[PARTS] = {{{0}, 0}};
    if (interrupt_signal())
        return 1;
    if (state->note) {
        progress_end(progress);
        cli_error("note: %s", state->note);
    }
    if (progress->quiet || state->seconds - progress->last_seconds < every || state->done == 0)
        return 0;
    progress->last_seconds = state->seconds;
    double fraction = (double)state->done / (double)state->total;
    describe(state, parts);
    if (progress->terminal) {
        draw(fraction, parts, PARTS);
    } else {
        fprintf(stderr, "%3d%%", (int)(100 * fraction));
        print_parts(parts, PARTS);
        fputc('\n', stderr);
    }
    return 0;
}

/* ---- steps ---- */

void progress_step(const Progress *progress, size_t done, size_t total, const char *what) {
    Part parts[2] = {{.rank = 0}, {.rank = 1}};
    if (!progress->terminal || progress->quiet)
        return;
    (void)snprintf(parts[0].text, PART_SIZE, "%zu/%zu", done, total);
    (void)snprintf(parts[1].text, PART_SIZE, "%s", what);
    draw((double)done / (double)total, parts, 2);
}

void progress_end(const Progress *progress) {
    if (!progress->terminal || progress->quiet)
        return;
    fputs("\r\033[K", stderr);
    (void)fflush(stderr);
}
