/* inspect_json.c - a saved learner for programs; docs/inspect.md describes it. */
#include "output/inspect.h"

#include "cli.h"
#include "output/json_print.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA_VERSION = 1 };

/* The whole if nothing went wrong, else NULL, which no object or array takes. */
static json_t *unless(int bad, json_t *whole) {
    if (!bad)
        return whole;
    json_decref(whole);
    return NULL;
}

/* As in a result file: numbers as numbers, all else as text. */
static json_t *key_value(const tacos_key_info *key, const char *text) {
    if (strcmp(key->type, "count") == 0)
        return json_integer((json_int_t)strtod(text, NULL));
    return strcmp(key->type, "real") == 0 ? json_real(strtod(text, NULL)) : json_string(text);
}

static json_t *config_object(const Inspection *inspection) {
    json_t *config = json_object();
    tacos_key_info key;
    char value[INSPECT_VALUE_SIZE];
    int bad = 0;
    for (size_t i = 0; tacos_key(i, &key); i++)
        if (inspect_has_key(&key))
            bad |= json_object_set_new(config, key.name,
                                       key_value(&key, inspect_key(inspection, key.name, value)));
    return unless(bad, config);
}

static json_t *histogram_object(const Distribution *distribution) {
    json_t *counts = json_array();
    int bad = 0;
    for (size_t b = 0; b < DISTRIBUTION_BINS; b++)
        bad |= json_array_append_new(counts, json_integer((json_int_t)distribution->counts[b]));
    return json_pack("{s:f, s:f, s:o}", "from", distribution->min, "to", distribution->max,
                     "counts", unless(bad, counts));
}

/* null where there is nothing to tell. */
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
    return unless(bad, layers);
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
    if (!root) {
        cli_error("no memory to print what is in %s", inspection->path);
        return EXIT_FAILED;
    }
    int code = json_print(root, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    json_decref(root);
    return code;
}
