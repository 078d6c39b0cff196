/* fig_cost.c - the cost of a run: spikes, operations, memory. */
#include "report/figures/figures.h"

#include <math.h>
#include <stdio.h>

enum { LEARNING, PREDICTING, PHASES };

/* One number of a run in a phase. */
typedef double Ask(const RunFolder *runs, const tacos_run *run, size_t phase);

enum { ROWS_MAX = 4 };

/* A chart of costs. */
typedef struct Cost {
    const char *label, *unit;
    size_t n_phases; /* 1: the same in both */
    struct {
        const char *label;
        Ask *ask;
    } rows[ROWS_MAX]; /* fewer end with a row without a label */
} Cost;

static const tacos_counters *counters(const tacos_run *run, size_t phase) {
    return phase == LEARNING ? &run->stats.learning : &run->stats.predicting;
}

static double per_sample(const tacos_run *run, size_t phase, uint64_t count) {
    uint64_t samples = counters(run, phase)->samples;
    return samples ? (double)count / (double)samples : NAN;
}

/* Hertz of one of n neurons, from their spikes per sample. */
static double rate(const RunFolder *runs, double spikes, double n, const char *steps) {
    double seconds = runs_number(runs, steps) * runs_number(runs, "dt_ms") / 1000;
    return n > 0 && seconds > 0 ? spikes / (seconds * n) : NAN;
}

static double input_rate(const RunFolder *runs, const tacos_run *run, size_t phase) {
    return rate(runs, per_sample(run, phase, counters(run, phase)->input_spikes),
                runs_number(runs, "inputs"), "steps");
}

static double hidden_rate(const RunFolder *runs, const tacos_run *run, size_t phase) {
    return rate(runs, per_sample(run, phase, counters(run, phase)->hidden_spikes),
                (double)runs_hidden(runs), "steps");
}

static double output_rate(const RunFolder *runs, const tacos_run *run, size_t phase) {
    return rate(runs, per_sample(run, phase, counters(run, phase)->output_spikes),
                runs_number(runs, "outputs"), "steps");
}

/* Each output has two, which are idle while predicting. */
static double error_rate(const RunFolder *runs, const tacos_run *run, size_t phase) {
    return phase == LEARNING
               ? rate(runs, per_sample(run, phase, counters(run, phase)->error_spikes),
                      2 * runs_number(runs, "outputs"), "steps")
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
    Moments moments = {0};
    for (size_t i = 0; i < runs->n_runs; i++)
        moments_add(&moments, ask(runs, &runs->runs[i], phase));
    return moments_summary(&moments);
}

/* Rows that are 0 in every phase are left out: a rival has no synaptic events, a spiking network no
 * multiplications. Returns how many are left. */
static size_t fill(Curves *curves, const RunFolder *runs, const Cost *cost) {
    size_t n = 0;
    for (size_t r = 0; r < ROWS_MAX && cost->rows[r].label; r++) {
        bool any = false;
        for (size_t p = 0; p < cost->n_phases; p++) {
            tacos_summary value = over_runs(runs, cost->rows[r].ask, p);
            curves_set(curves, p, n, 0, value);
            any |= value.n > 0 && value.mean != 0;
        }
        if (any)
            curves->names[n++] = cost->rows[r].label;
    }
    return n;
}

static tacos_status draw(Figure *figure, const RunFolder *runs, const Cost *cost,
                         tacos_error *err) {
    static const char *const phases[PHASES] = {"learning", "predicting"};
    bool both = cost->n_phases == PHASES;
    Curves curves;
    TRY(curves_make(&curves, cost->n_phases, ROWS_MAX, err));
    for (size_t p = 0; p < cost->n_phases; p++)
        curves_series(&curves, p, figure_key(figure, LEGEND_BAR, (unsigned)p, phases[p]),
                      both ? phases[p] : "");
    size_t n = fill(&curves, runs, cost);
    if (n == 0) {
        curves_free(&curves);
        return failure(err, TACOS_MISSING, "%s has no such counts", runs->folder);
    }
    figure->height = bars_horizontal_height(figure, n, cost->n_phases);
    Bars style = {.box = figure_box(figure),
                  .label = cost->label,
                  .unit = cost->unit,
                  .digits = 2,
                  .horizontal = true,
                  .n_groups = n};
    curves_draw_bars(&curves, figure, style, NULL, "what");
    if (!both)
        figure->n_keys = 0; /* bars of one kind need no legend */
    return figure_check(figure, err);
}

tacos_status draw_rates(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                        tacos_error *err) {
    static const Cost cost = {"spikes per second",
                              " Hz",
                              PHASES,
                              {{"inputs", input_rate},
                               {"hidden", hidden_rate},
                               {"outputs", output_rate},
                               {"error neurons", error_rate}}};
    figure_begin(figure, sizes, "rates", "Firing rates");
    text_add(&figure->about, "Spikes per second of one neuron, mean over all neurons of its kind "
                             "and all samples.");
    if (!runs->known)
        return failure(err, TACOS_MISSING,
                       "%s was made by another version, whose models or keys are unknown here",
                       runs->folder);
    if (!runs_is_spiking(runs))
        return failure(err, TACOS_MISSING, "%s does not hold a spiking network", runs->folder);
    return draw(figure, runs, &cost, err);
}

tacos_status draw_operations(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                             tacos_error *err) {
    static const Cost cost = {"thousands per sample",
                              " thousand",
                              PHASES,
                              {{"synaptic events", synaptic_events},
                               {"error updates", error_updates},
                               {"decay updates", decay_updates},
                               {"multiplications", macs}}};
    figure_begin(figure, sizes, "operations", "Operations per sample");
    text_add(
        &figure->about,
        "Spikes that arrive at a synapse, weights changed by the error, weights pulled to their "
        "reference; for a rival, multiplications with a weight.");
    return draw(figure, runs, &cost, err);
}

tacos_status draw_memory(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                         tacos_error *err) {
    static const Cost cost = {"kilobytes",
                              " kB",
                              1,
                              {{"plain network", baseline_bytes},
                               {"this model", model_bytes},
                               {"one sample's workspace", workspace_bytes}}};
    figure_begin(figure, sizes, "memory", "Memory");
    text_add(&figure->about,
             "What must be kept between samples, by a plain network of this shape "
             "and by this model, and what processing one sample needs in addition.");
    return draw(figure, runs, &cost, err);
}
