/* inspect_text.c - a saved learner for people: a table and histograms of every layer. */
#include "output/inspect.h"

#include "cli.h"
#include "terminal/grid.h"
#include "terminal/print.h"
#include "terminal/terminal.h"

#include <stdio.h>
#include <string.h>

static const char *const names[QUANTITIES] = {"w", "w_ref", "|w - w_ref|", "m"};

/* ---- what it is ---- */

/* Does the first layer hear an expansion, not the inputs? */
static int inspect_expanded(const Inspection *inspection) {
    return inspection->stats.fixed_bytes > 0;
}

static void print_shape(const Inspection *inspection) {
    printf("%zu", inspection->shape.n_inputs);
    if (inspect_expanded(inspection))
        printf("-(%zu)", inspection->layers[0].n_pre);
    for (size_t l = 0; l < inspection->shape.n_layers; l++)
        printf("-%zu", inspection->layers[l].n_post);
}

static void print_title(const Inspection *inspection) {
    const tacos_learner_stats *stats = &inspection->stats;
    char model[INSPECT_VALUE_SIZE];
    unsigned long long n = tacos_learner_learned(inspection->learner);
    style_print(stdout, STYLE_HEADING, "%s", inspection->path);
    print(": %s ", inspect_key(inspection, "model", model));
    print_shape(inspection);
    print(", seed %u, %llu sample%s learned\n", tacos_learner_seed(inspection->learner), n,
          n == 1 ? "" : "s");
    printf("%.3f MB in the file, %.3f MB held, %.3f MB to work in; %.2f x the plain network\n",
           (double)inspection->file_bytes / 1e6, (double)stats->model_bytes / 1e6,
           (double)stats->workspace_bytes / 1e6,
           (double)stats->model_bytes / (double)stats->baseline_bytes);
    if (inspect_expanded(inspection))
        print("%.3f MB of fixed synapses onto %zu units, %s\n", (double)stats->fixed_bytes / 1e6,
              inspection->layers[0].n_pre,
              stats->fixed_stored ? "stored" : "if they were stored: they are drawn from the seed");
}

/* Model and sizes are in the title. */
static int is_told(const tacos_key_info *key) {
    return strcmp(key->name, "model") == 0 || strcmp(key->name, "hidden") == 0 || key->derived;
}

static int print_config(const Inspection *inspection) {
    Grid grid = {0};
    tacos_key_info key;
    char value[INSPECT_VALUE_SIZE];
    size_t n = 0;
    grid_head(&grid, "key", 1);
    grid_head(&grid, "value", 0);
    grid_head(&grid, "default", 0);
    grid_head(&grid, "", 1);
    for (size_t i = 0; tacos_key(i, &key); i++) {
        if (!inspect_has_key(&key) || is_told(&key) ||
            strcmp(inspect_key(inspection, key.name, value), key.default_value) == 0)
            continue;
        n++;
        grid_cell(&grid, "%s", key.name);
        grid_cell(&grid, "%s", value);
        grid_cell(&grid, "%s", key.default_value);
        grid_cell(&grid, "%s", key.unit);
    }
    print("\n%s\n",
          n > 0 ? "keys that are not at their defaults" : "all keys are at their defaults");
    if (n == 0) {
        grid_free(&grid);
        return 0;
    }
    return grid_end(&grid);
}

/* ---- a layer ---- */

/* "784 inputs to 200 hidden neurons" */
static void print_layer_title(const Inspection *inspection, size_t l) {
    const LayerReport *layer = &inspection->layers[l];
    size_t n = inspection->shape.n_layers;
    const char *first = inspect_expanded(inspection) ? "units" : "inputs";
    const char *from = l == 0 ? first : "hidden neurons",
               *to = l + 1 == n ? "outputs" : "hidden neurons";
    putchar('\n');
    style_print(stdout, STYLE_HEADING, "layer %zu of %zu", l + 1, n);
    print(": %zu %s to %zu %s, %zu synapses\n", layer->n_pre, from, layer->n_post, to,
          layer->n_pre * layer->n_post);
}

static int print_table(const LayerReport *layer) {
    static const char *const heads[] = {"min", "q1", "median", "q3", "max", "mean", "sd"};
    Grid grid = {0};
    grid_head(&grid, "", 1);
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
        grid_head(&grid, heads[h], 0);
    grid_head(&grid, "at m_max", 0);
    for (int q = 0; q < QUANTITIES; q++) {
        const Distribution *s = &layer->distribution[q];
        const double values[] = {s->min, s->q1, s->median, s->q3, s->max, s->mean, s->sd};
        if (!layer->has[q])
            continue;
        grid_cell(&grid, "%s", names[q]);
        for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
            if (s->n > 0)
                grid_cell(&grid, "%.3g", values[h]);
            else
                grid_cell(&grid, "-");
        }
        if (q == QUANTITY_M)
            grid_cell(&grid, "%.1f%%", 100 * layer->at_m_max);
        else
            grid_cell(&grid, "%s", "");
    }
    return grid_end(&grid);
}

/* ---- histograms ---- */

static size_t largest_count(const Distribution *distribution) {
    size_t largest = 0;
    for (size_t b = 0; b < DISTRIBUTION_BINS; b++)
        if (distribution->counts[b] > largest)
            largest = distribution->counts[b];
    return largest;
}

/* "  -0.5 to -0.25  #####  12.3%", as wide as the terminal. */
static void print_histogram(const char *name, const Distribution *distribution) {
    enum { EDGES = 2 + 9 + 4 + 9 + 2, SHARE = 8, BAR_MIN = 8 };
    int width = terminal_width(stdout) - EDGES - SHARE;
    char bar[BAR_SIZE];
    putchar('\n');
    style_print(stdout, STYLE_HEADING, "  %s\n", name);
    for (size_t b = 0; b < DISTRIBUTION_BINS; b++) {
        printf("  %9.3g to %9.3g  ", distribution_edge(distribution, b),
               distribution_edge(distribution, b + 1));
        double fraction = (double)distribution->counts[b] / (double)largest_count(distribution);
        style_print(stdout, STYLE_GOOD, "%s",
                    terminal_bar(bar, fraction, width < BAR_MIN ? BAR_MIN : width));
        printf(" %6.2f%%\n", 100 * (double)distribution->counts[b] / (double)distribution->n);
    }
}

static void print_layer_notes(const LayerReport *layer) {
    for (int q = 0; q < QUANTITIES; q++) {
        const Distribution *s = &layer->distribution[q];
        if (!layer->has[q])
            continue;
        if (s->n_odd > 0)
            print("\n  %s: %zu of %zu are not finite and are left out\n", names[q], s->n_odd,
                  s->n + s->n_odd);
        if (s->n > 0 && s->min == s->max)
            print("\n  %s is %.6g in every synapse\n", names[q], s->min);
        else if (s->n > 0)
            print_histogram(names[q], s);
    }
    if (!layer->has[QUANTITY_W_REF])
        puts("\n  The model has no reference weights.");
}

int inspect_text(const Inspection *inspection) {
    print_title(inspection);
    int bad = print_config(inspection);
    for (size_t l = 0; l < inspection->shape.n_layers && !bad; l++) {
        print_layer_title(inspection, l);
        bad = print_table(&inspection->layers[l]);
        if (!bad)
            print_layer_notes(&inspection->layers[l]);
    }
    if (!bad)
        return EXIT_OK;
    cli_error("no memory to print what is in %s", inspection->path);
    return EXIT_FAILED;
}
