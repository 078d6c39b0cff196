/* sweep_show_json.c - all that a survey knows, as JSON. Without memory a value is NULL, which no
 * object or array takes: so what counts is whether all could be put in. */
#include "commands/sweep.h"

#include "cli.h"
#include "output/json_print.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA_VERSION = 2 };

/* Jansson takes UTF-8 alone; a path may be anything. */
static json_t *json_text(const char *text) {
    json_t *value = json_string(text);
    char *plain = value ? NULL : strdup(text);
    if (!plain)
        return value;
    for (char *c = plain; *c; c++)
        if ((unsigned char)*c >= 0x80)
            *c = '?';
    value = json_string(plain);
    free(plain);
    return value;
}

static json_t *json_count(size_t n) {
    return json_integer((json_int_t)n);
}

static json_t *json_summary(const tacos_summary *summary) {
    if (summary->n == 0) /* not defined */
        return json_pack("{s:n, s:n}", "mean", "sd");
    return json_pack("{s:f, s:f}", "mean", summary->mean, "sd", summary->sd);
}

/* The whole if nothing went wrong, else NULL. */
static json_t *unless(int bad, json_t *whole) {
    if (!bad)
        return whole;
    json_decref(whole);
    return NULL;
}

/* ---- configurations ---- */

/* As in a result file: numbers as numbers, all else as text. */
static json_t *json_value(const char *key, const char *text) {
    char *end;
    int whole;
    if (!sweep_key_is_number(key, &whole))
        return json_text(text);
    double value = strtod(text, &end);
    if (end == text || *end)
        return json_text(text);
    return whole ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *json_keys(const tacos_survey *survey, size_t i) {
    json_t *keys = json_object();
    const char *key;
    int bad = 0;
    for (size_t k = 0; (key = tacos_survey_key(survey, k)); k++)
        bad |= json_object_set_new(keys, key, json_value(key, tacos_survey_value(survey, i, k)));
    return unless(bad, keys);
}

static json_t *json_metrics(const tacos_survey_row *row) {
    json_t *metrics = json_object();
    int bad = 0;
#define METRIC(name, text) bad |= json_object_set_new(metrics, #name, json_summary(&row->name));
    TACOS_METRIC_MAP(METRIC)
#undef METRIC
    return unless(bad, metrics);
}

static json_t *json_config(const tacos_survey *survey, size_t i, const tacos_survey_row *row) {
    json_t *config = json_object();
    int bad = 0;
#define PUT(name, value) bad |= json_object_set_new(config, name, value)
    PUT("rank", json_count(i + 1));
    PUT("experiment", json_text(row->experiment));
    PUT("digest", json_text(row->digest));
    PUT("keys", json_keys(survey, i));
    PUT("runs", json_count(row->n_runs));
    PUT("failed", json_count(row->n_failed));
    PUT("planned", json_count(row->n_planned));
    PUT("tasks", json_count(row->n_tasks));
    PUT("stopped", json_boolean(row->stopped));
    PUT("metrics", json_metrics(row));
    PUT("MO", json_real(row->memory_overhead));
    PUT("model_bytes", json_real(row->model_bytes));
    PUT("operations", json_real(row->operations));
    PUT("seconds", json_real(row->seconds));
    PUT("silent", json_real(tacos_survey_silent(survey, i)));
    PUT("fronts", json_pack("{s:b, s:b, s:b}", "transfer", row->transfer_front, "memory",
                            row->memory_front, "operations", row->operations_front));
#undef PUT
    return unless(bad, config);
}

static json_t *json_configs(const tacos_survey *survey, size_t top) {
    json_t *configs = json_array();
    const tacos_survey_row *row;
    int bad = 0;
    for (size_t i = 0; (row = tacos_survey_row_get(survey, i)) && (top == 0 || i < top); i++)
        bad |= json_array_append_new(configs, json_config(survey, i, row));
    return unless(bad, configs);
}

/* ---- effects and failures ---- */

static json_t *json_levels(const tacos_survey *survey, size_t k) {
    json_t *levels = json_array();
    tacos_survey_level level;
    int bad = 0;
    for (size_t l = 0; tacos_survey_level_get(survey, k, l, &level); l++)
        bad |= json_array_append_new(
            levels,
            json_pack("{s:o, s:o, s:o, s:o, s:o}", "label", json_text(level.label),
                      "configurations", json_count(level.n_configs), "MA", json_summary(&level.MA),
                      "A", json_summary(&level.A), "BWT", json_summary(&level.BWT)));
    return unless(bad, levels);
}

static json_t *json_effects(const tacos_survey *survey) {
    json_t *effects = json_array();
    size_t *order = sweep_keys_by_share(survey);
    int bad = !order;
    for (size_t k = 0; order && tacos_survey_key(survey, k); k++)
        bad |=
            json_array_append_new(effects, json_pack("{s:o, s:f, s:o}", "key",
                                                     json_text(tacos_survey_key(survey, order[k])),
                                                     "share", tacos_survey_share(survey, order[k]),
                                                     "levels", json_levels(survey, order[k])));
    free(order);
    return unless(bad, effects);
}

static json_t *json_failures(const tacos_survey *survey) {
    json_t *failures = json_array();
    const char *why;
    int bad = 0;
    for (size_t i = 0; (why = tacos_survey_failure(survey, i)); i++)
        bad |= json_array_append_new(failures, json_text(why));
    return unless(bad, failures);
}

int sweep_show_json(const tacos_survey *survey, const SweepShow *how) {
    json_t *root = json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "schema", "tacos-sweep",
                             "schema_version", SCHEMA_VERSION, "store", json_text(how->store),
                             "configurations", json_configs(survey, how->top), "effects",
                             json_effects(survey), "failures", json_failures(survey));
    if (!root)
        return sweep_no_memory();
    int code = json_print(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(root);
    return code;
}
