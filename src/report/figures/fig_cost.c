/* fig_cost.c - what a run takes: spikes, operations, memory. */
#include "report/charts/charts.h"
#include "report/figures/figures.h"
#include "report/input/sum.h"

#include <math.h>
#include <stdio.h>

/* One number of a run, while it learns (phase 0) or predicts (1). */
typedef double Ask(const RunFolder *runs, const tacos_run *run, size_t phase);

typedef struct Row {
    const char *label;
    Ask *ask;
} Row;

static const tacos_counters *counters(const tacos_run *run, size_t phase) {
    return phase == 0 ? &run->stats.learning : &run->stats.predicting;
}

static double per_sample(const tacos_run *run, size_t phase, uint64_t count) {
    uint64_t samples = counters(run, phase)->samples;
    return samples ? (double)count / (double)samples : NAN;
}

/* Spikes a second of one of n neurons. */
static double rate_within(const RunFolder *runs, const tacos_run *run, size_t phase,
                          uint64_t spikes, size_t n, const char *steps) {
    double seconds = runs_number(runs, steps) * runs_number(runs, "dt_ms") / 1000;
    return n > 0 && seconds > 0 ? per_sample(run, phase, spikes) / (seconds * (double)n) : NAN;
}

static double rate(const RunFolder *runs, const tacos_run *run, size_t phase, uint64_t spikes,
                   size_t n) {
    return rate_within(runs, run, phase, spikes, n, "steps");
}

static size_t count_of(const RunFolder *runs, const char *key) {
    return (size_t)fmax(runs_number(runs, key), 0);
}

static double input_rate(const RunFolder *runs, const tacos_run *run, size_t phase) {
    return rate_within(runs, run, phase, counters(run, phase)->input_spikes,
                       count_of(runs, "inputs"),
                       runs_number(runs, "expansion") > 0 ? "expansion_steps" : "steps");
}

static double hidden_rate(const RunFolder *runs, const tacos_run *run, size_t phase) {
    return rate(runs, run, phase, counters(run, phase)->hidden_spikes, runs_hidden(runs));
}

static double output_rate(const RunFolder *runs, const tacos_run *run, size_t phase) {
    return rate(runs, run, phase, counters(run, phase)->output_spikes, count_of(runs, "outputs"));
}

/* There are two for each output, and none at work while predicting. */
static double error_rate(const RunFolder *runs, const tacos_run *run, size_t phase) {
    return phase == 0 ? rate(runs, run, phase, counters(run, phase)->error_spikes,
                             2 * count_of(runs, "outputs"))
                      : NAN;
}

#define OPERATIONS(field)                                                                          \
    static double field(const RunFolder *runs, const tacos_run *run, size_t phase) {               \
        (void)runs;                                                                                \
        return per_sample(run, phase, counters(run, phase)->field) / 1000;                         \
    }
OPERATIONS(synaptic_events)
OPERATIONS(error_updates)
OPERATIONS(decay_updates)
OPERATIONS(macs)
#undef OPERATIONS

#define BYTES(field)                                                                               \
    static double field(const RunFolder *runs, const tacos_run *run, size_t phase) {               \
        (void)runs;                                                                                \
        (void)phase;                                                                               \
        return (double)run->stats.field / 1000;                                                    \
    }
BYTES(model_bytes)
BYTES(workspace_bytes)
BYTES(baseline_bytes)
#undef BYTES

static tacos_summary over_runs(const RunFolder *runs, Ask *ask, size_t phase) {
    Sum sum = {0};
    for (size_t i = 0; i < runs->n_runs; i++)
        sum_take(&sum, ask(runs, &runs->runs[i], phase));
    return sum_up(&sum);
}

/* Lying bars, a row each that is not 0 in every phase: a rival has no synaptic event, a spiking
 * network no multiplication. Where a row is, 0 is a value like any other. */
static tacos_status draw_rows(Figure *figure, const RunFolder *runs, const Row *rows, size_t n_rows,
                              size_t n_phases, const char *label, const char *unit,
                              tacos_error *err) {
    static const char *const phases[] = {"learning", "predicting"};
    Curves curves;
    size_t n = 0;
    TRY(curves_make(&curves, n_phases, n_rows, err));
    for (size_t p = 0; p < n_phases; p++)
        curves_series(&curves, p,
                      n_phases > 1 ? figure_key(figure, LEGEND_BAR, (unsigned)p, phases[p])
                                   : figure_key(figure, LEGEND_BAR, 0, "kilobytes"),
                      n_phases > 1 ? phases[p] : "");
    for (size_t r = 0; r < n_rows; r++) {
        bool any = false;
        for (size_t p = 0; p < n_phases; p++) {
            tacos_summary value = over_runs(runs, rows[r].ask, p);
            curves_set(&curves, p, n, 0, value);
            any |= value.n > 0 && value.mean != 0;
        }
        if (any)
            (void)snprintf(curves.words[n++], sizeof curves.words[0], "%s", rows[r].label);
    }
    tacos_status status = TACOS_OK;
    if (n == 0)
        status = failure(err, TACOS_MISSING, "%s counts none of it", runs->folder);
    figure->height = bars_lying_height(figure, n, n_phases);
    Bars bars = {.box = figure_box(figure),
                 .label = label,
                 .unit = unit,
                 .digits = 2,
                 .lying = true,
                 .n_groups = n,
                 .groups = curves.names,
                 .n_series = n_phases,
                 .series = curves.bar};
    if (status == TACOS_OK) {
        bars_draw(figure, &bars);
        bars_table(figure, &bars, NULL, "what");
        status = figure_check(figure, err);
        figure->n_keys = n_phases > 1 ? n_phases : 0; /* one kind of bar needs no legend */
    }
    curves_free(&curves);
    return status;
}

tacos_status draw_rates(Figure *figure, const Look *look, const RunFolder *runs, tacos_error *err) {
    static const Row rows[] = {{"inputs", input_rate},
                               {"hidden", hidden_rate},
                               {"outputs", output_rate},
                               {"error neurons", error_rate}};
    figure_begin(figure, look, "rates", "Firing rates");
    text_add(&figure->about, "Spikes a second of one neuron, mean over all neurons of the kind and "
                             "all samples.");
    if (!runs_is_spiking(runs) || !runs->known)
        return failure(err, TACOS_MISSING, "%s is not of a spiking network", runs->folder);
    return draw_rows(figure, runs, rows, sizeof rows / sizeof *rows, 2, "spikes a second", " Hz",
                     err);
}

tacos_status draw_operations(Figure *figure, const Look *look, const RunFolder *runs,
                             tacos_error *err) {
    static const Row rows[] = {{"synaptic events", synaptic_events},
                               {"error updates", error_updates},
                               {"decay updates", decay_updates},
                               {"multiplications", macs}};
    figure_begin(figure, look, "operations", "Operations a sample");
    text_add(&figure->about,
             "Spikes that arrive at a synapse, weights moved by the error, weights pulled to their "
             "reference; of a rival, multiplications with a weight.");
    return draw_rows(figure, runs, rows, sizeof rows / sizeof *rows, 2, "thousands a sample",
                     " thousand", err);
}

tacos_status draw_memory(Figure *figure, const Look *look, const RunFolder *runs,
                         tacos_error *err) {
    static const Row rows[] = {{"plain network", baseline_bytes},
                               {"this model", model_bytes},
                               {"one sample's workspace", workspace_bytes}};
    figure_begin(figure, look, "memory", "Memory");
    text_add(&figure->about, "What must be kept between samples, by a plain network of this shape "
                             "and by this model, and what one running sample needs besides.");
    return draw_rows(figure, runs, rows, sizeof rows / sizeof *rows, 1, "kilobytes", " kB", err);
}
