/* failure.c - warnings about networks that never answer, or are right no more often than by chance.
 *
 * Every remedy that is named here is applied in tests/cli/honest.bats, which checks that it helps.
 */
#include "output/failure.h"

#include "cli.h"
#include "terminal/print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- after a run ---- */

/* Does the last hidden layer spike less than once a sample? Then nothing reaches the outputs. */
static int hidden_is_silent(const tacos_experiment *experiment, const tacos_results *results) {
    char hidden[64] = "none";
    const tacos_counters *c = &tacos_results_run(results, 0)->stats.predicting;
    (void)tacos_experiment_get(experiment, "hidden", hidden, sizeof hidden, NULL);
    return strcmp(hidden, "none") != 0 && c->hidden_spikes < c->samples;
}

static void warn_silent(const tacos_experiment *experiment, const tacos_results *results,
                        double percent) {
    cli_error("warning: silent network: no output spiked on %.1f%% of the test samples, so its "
              "accuracy, BWT and forgetting say little about what it learned",
              percent);
    paragraph_print(
        stderr,
        hidden_is_silent(experiment, results)
            ? "The hidden neurons hardly spike. A smaller threshold_hidden helps; model=columns "
              "always answers."
            : "The hidden neurons spike, but too little of it reaches the outputs. A smaller "
              "threshold_output or a larger r_output helps or, if the weights hardly move, a "
              "larger learning_rate or label_rate_hz; model=columns always answers.",
        0);
}

/* The mean accuracy on a task right after it was learned. */
static double mean_fresh(const tacos_results *results) {
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < tacos_results_count(results); i++) {
        const tacos_run *run = tacos_results_run(results, i);
        for (size_t k = 0; k < run->n_tasks; k++, n++)
            sum += run->after[k].A;
    }
    return sum / (double)n;
}

static int kind_of(const tacos_experiment *experiment) {
    char name[64] = "";
    tacos_model_info model;
    (void)tacos_experiment_get(experiment, "model", name, sizeof name, NULL);
    for (size_t i = 0; tacos_model(i, &model); i++)
        if (strcmp(model.name, name) == 0)
            return (int)model.kind;
    return TACOS_MODEL_SPIKING;
}

/* By what it knew of each task when it had just learned it, and by the kind of its model. */
static const char *chance_cause(const tacos_experiment *experiment, double fresh, double chance) {
    static const char *const nothing_learned[] = {
        [TACOS_MODEL_SPIKING] =
            "It does not even know a task that it has just learned: the errors hardly move the "
            "weights. A larger learning_rate, more samples_per_task, or model=columns, which "
            "has no such keys, may help.",
        [TACOS_MODEL_COLUMNS] =
            "It does not even know a task that it has just learned: it sees too little of it. More "
            "samples_per_task help.",
        [TACOS_MODEL_RIVAL] =
            "It does not even know a task that it has just learned: its steps are too small, too "
            "few or too large. Another optimizer_rate, more samples_per_task, or model=columns, "
            "which has no such keys, may help.",
    };
    if (!tacos_is_chance(fresh, chance))
        return "It knows tasks that it has just learned, but not in the end: tasks want different answers for the "
               "same class, or the model does not protect what it knows. "
               "scenario=class gives each class an output of its own; model=columns forgets least.";
    return nothing_learned[kind_of(experiment)];
}

static void warn_chance(const tacos_experiment *experiment, const tacos_results *results, double ma,
                        double chance) {
    cli_error(
        "warning: MA is %.2f, at or below chance (%.2f): in the end it is right no more often "
        "than answers without any knowledge",
        ma, chance);
    paragraph_print(stderr, chance_cause(experiment, mean_fresh(results), chance), 0);
}

void failure_warn(const tacos_experiment *experiment, const tacos_results *results) {
    double chance = tacos_experiment_chance(experiment);
    tacos_summary silent, ma;
    if (tacos_results_summary(results, "silent", &silent, NULL) == TACOS_OK &&
        is_silent(silent.mean))
        warn_silent(experiment, results, silent.mean);
    else if (tacos_results_summary(results, "MA", &ma, NULL) == TACOS_OK &&
             tacos_is_chance(ma.mean, chance))
        warn_chance(experiment, results, ma.mean, chance);
}

/* ---- tables ---- */

const char *failure_mark(int silent, int chance) {
    return silent ? "!" : chance ? "?" : "";
}

void failure_footnotes(size_t n_silent, size_t n_chance) {
    char text[256];
    (void)snprintf(text, sizeof text,
                   "! silent: no output spiked on more than %.0f%% of the test samples, so the "
                   "accuracy, BWT and forgetting of such a network say little; it is never marked "
                   "as the best.",
                   TACOS_SILENT_PERCENT);
    if (n_silent > 0)
        paragraph_print(stdout, text, 0);
    if (n_chance > 0)
        paragraph_print(stdout,
                        "? chance: MA is at or below that of answers without any knowledge; it is "
                        "never marked as the best.",
                        0);
}
