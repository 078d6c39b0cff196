/* learn_report.c - how many samples were predicted correctly before they were learned. */
#include "commands/learn.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double REDRAW_SECONDS = 0.25;

static void accuracy_add(RunningAccuracy *accuracy, int answer) {
    uint8_t *place = &accuracy->recent[accuracy->n % RECENT_SAMPLES];
    accuracy->recent_right -= *place;
    *place = answer == ANSWER_RIGHT;
    accuracy->unanswered = answer == ANSWER_NONE ? accuracy->unanswered + 1 : 0;
    accuracy->recent_right += *place;
    accuracy->right += *place;
    accuracy->n++;
}

static double percent(uint64_t part, uint64_t of) {
    return of > 0 ? 100.0 * (double)part / (double)of : 0;
}

static double now_seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* On a terminal the line is redrawn; the last one stays. */
static void report(const Learning *learning, int last) {
    const RunningAccuracy *a = &learning->accuracy;
    if (learning->terminal)
        fputc('\r', stderr);
    fprintf(stderr, "%llu samples", (unsigned long long)learning->n);
    if (!learning->args->blind)
        fprintf(stderr, "  predicted correctly before learning: %.2f%%", percent(a->right, a->n));
    if (a->n > RECENT_SAMPLES)
        fprintf(stderr, ", of the last %d %.2f%%", RECENT_SAMPLES,
                percent(a->recent_right, RECENT_SAMPLES));
    if (learning->terminal)
        fputs("\033[K", stderr);
    if (last || !learning->terminal)
        fputc('\n', stderr);
    (void)fflush(stderr);
}

void learn_count(Learning *learning, int answer) {
    if (!learning->args->blind)
        accuracy_add(&learning->accuracy, answer);
    learning->n++;
    if (learning->args->quiet)
        return;
    if (!learning->terminal) {
        if (learning->n % learning->args->report_every == 0)
            report(learning, 0);
        return;
    }
    double now = now_seconds();
    if (now - learning->reported_at < REDRAW_SECONDS)
        return;
    learning->reported_at = now;
    report(learning, 0);
}

/* The network does not work if it did not answer any of so many samples in the end, or is right no
 * more often than by chance. Each remedy is tested in tests/cli/honest.bats. */
static void warn_if_failing(const Learning *learning) {
    enum { UNANSWERED = 100 };
    const RunningAccuracy *a = &learning->accuracy;
    char outputs[32] = "";
    if (a->unanswered >= UNANSWERED) {
        cli_error("warning: the last %llu samples were all answered with -1: no output spiked",
                  (unsigned long long)a->unanswered);
        fputs(
            "--set model=columns always answers; a smaller threshold_output or a larger learning_rate may help\n",
            stderr);
        return;
    }
    if (a->n < RECENT_SAMPLES ||
        tacos_learner_get(learning->learner, "outputs", outputs, sizeof outputs, NULL) != TACOS_OK)
        return;
    unsigned long n_outputs = strtoul(outputs, NULL, 10);
    double chance = n_outputs > 1 ? 100.0 / (double)n_outputs : 0;
    double recent = percent(a->recent_right, RECENT_SAMPLES);
    if (!tacos_is_chance(recent, chance))
        return;
    cli_error("warning: of the last %d samples %.2f%% were predicted correctly, at or below chance "
              "(%.2f%%)",
              RECENT_SAMPLES, recent, chance);
    fputs("do the labels follow from the numbers? if so, --set model=columns may help\n", stderr);
}

void learn_report_end(Learning *learning) {
    if (learning->args->quiet)
        return;
    report(learning, 1);
    warn_if_failing(learning);
    sample_reader_report_skipped(&learning->reader);
}

void learn_report_interrupted(const Learning *learning) {
    static const char *const without[] = {"new", "set", "seed", NULL};
    const LearnArgs *args = learning->args;
    Resume resume = args->resume;
    resume.without = without;
    cli_error("interrupted; what was learned is kept in %s", args->path);
    resume_print(&resume);
}
