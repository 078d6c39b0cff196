/* inspect.c - a saved learner as text (tables and histograms of every layer) and as JSON, which
 * docs/inspect.md describes. */
#include "output/inspect.h"

#include "cli.h"
#include "output/json.h"
#include "terminal/grid.h"
#include "terminal/print.h"
#include "terminal/terminal.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[QUANTITIES] = {"w", "w_ref", "|w - w_ref|", "m"};

/* ---- title and keys ---- */

static void print_shape(const Inspection *inspection) {
    printf("%zu", inspection->shape.n_inputs);
    for (size_t l = 0; l + 1 < inspection->shape.n_layers; l++)
        printf("-%zu", inspection->layers[l].n_post);
    printf("-%zu", inspection->shape.n_outputs);
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
    printf("%.3f MB in the file, %.3f MB for the model, %.3f MB to work in; %.2f x the plain "
           "network\n",
           (double)inspection->file_bytes / 1e6, (double)stats->model_bytes / 1e6,
           (double)stats->workspace_bytes / 1e6,
           (double)stats->model_bytes / (double)stats->baseline_bytes);
}

/* Model and sizes are in the title. */
static int is_told(const tacos_key_info *key) {
    static const char *const told[] = {"model", "inputs", "hidden", "outputs"};
    for (size_t k = 0; k < sizeof told / sizeof *told; k++)
        if (strcmp(key->name, told[k]) == 0)
            return 1;
    return 0;
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
        if (!tacos_learner_uses_key(inspection->learner, key.name) || is_told(&key) ||
            strcmp(inspect_key(inspection, key.name, value), key.default_value) == 0)
            continue;
        n++;
        grid_cell(&grid, "%s", key.name);
        grid_cell(&grid, "%s", value);
        grid_cell(&grid, "%s", key.default_value);
        grid_cell(&grid, "%s", key.unit);
    }
    print("\n%s\n",
          n > 0 ? "keys that are not at their defaults" : "all other keys are at their defaults");
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
    const char *from = l == 0 ? "inputs" : "hidden neurons",
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
    return bad ? cli_no_memory("the tables") : EXIT_OK;
}

enum { SCHEMA_VERSION = 1 };

static json_t *config_object(const Inspection *inspection) {
    json_t *config = json_object();
    tacos_key_info key;
    char value[INSPECT_VALUE_SIZE];
    int bad = 0;
    for (size_t i = 0; tacos_key(i, &key); i++)
        if (tacos_key_of_learner(&key))
            bad |= json_object_set_new(
                config, key.name,
                json_key_value(key.name, inspect_key(inspection, key.name, value)));
    return json_unless(bad, config);
}

static json_t *histogram_object(const Distribution *distribution) {
    json_t *counts = json_array();
    int bad = 0;
    for (size_t b = 0; b < DISTRIBUTION_BINS; b++)
        bad |= json_array_append_new(counts, json_integer((json_int_t)distribution->counts[b]));
    return json_pack("{s:f, s:f, s:o}", "from", distribution->min, "to", distribution->max,
                     "counts", json_unless(bad, counts));
}

/* null if the model does not have it. */
static json_t *distribution_object(const LayerReport *layer, Quantity quantity) {
    const Distribution *s = &layer->distribution[quantity];
    if (!layer->has[quantity])
        return json_null();
    if (s->n == 0)
        return json_pack("{s:I, s:I}", "n", (json_int_t)0, "not_finite", (json_int_t)s->n_odd);
    return json_pack("{s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o}", "n", (json_int_t)s->n,
                     "not_finite", (json_int_t)s->n_odd, "min", s->min, "q1", s->q1, "median",
                     s->median, "q3", s->q3, "max", s->max, "mean", s->mean, "sd", s->sd,
                     "histogram", histogram_object(s));
}

static json_t *layers_array(const Inspection *inspection) {
    json_t *layers = json_array();
    int bad = 0;
    for (size_t l = 0; l < inspection->shape.n_layers; l++) {
        const LayerReport *layer = &inspection->layers[l];
        bad |= json_array_append_new(
            layers, json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:f}", "n_pre",
                              (json_int_t)layer->n_pre, "n_post", (json_int_t)layer->n_post, "w",
                              distribution_object(layer, QUANTITY_W), "w_ref",
                              distribution_object(layer, QUANTITY_W_REF), "distance",
                              distribution_object(layer, QUANTITY_DISTANCE), "m",
                              distribution_object(layer, QUANTITY_M), "at_m_max", layer->at_m_max));
    }
    return json_unless(bad, layers);
}

static json_t *bytes_object(const Inspection *inspection) {
    const tacos_learner_stats *stats = &inspection->stats;
    return json_pack("{s:I, s:I, s:I, s:I}", "file", (json_int_t)inspection->file_bytes, "model",
                     (json_int_t)stats->model_bytes, "workspace",
                     (json_int_t)stats->workspace_bytes, "baseline_model",
                     (json_int_t)stats->baseline_bytes);
}

int inspect_json(const Inspection *inspection) {
    const tacos_learner *learner = inspection->learner;
    json_t *root =
        json_pack("{s:s, s:i, s:s, s:I, s:I, s:o, s:o, s:o}", "schema", "tacos-inspect",
                  "schema_version", SCHEMA_VERSION, "program_version", tacos_version(), "seed",
                  (json_int_t)tacos_learner_seed(learner), "samples_learned",
                  (json_int_t)tacos_learner_learned(learner), "config", config_object(inspection),
                  "bytes", bytes_object(inspection), "layers", layers_array(inspection));
    if (!root)
        return cli_no_memory("the JSON output");
    int code = json_print(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(root);
    return code;
}
