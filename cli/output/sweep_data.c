/* sweep_data.c - the contents of a store for other programs: CSV and JSON. */
#include "commands/sweep.h"

#include "cli.h"
#include "output/json.h"
#include "terminal/print.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- CSV ---- */

/* Between quotes where RFC 4180 wants them. */
static void put_text(const char *text) {
    int quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted)
        putchar('"');
    for (size_t n; n = strcspn(text, "\""), text[n]; text += n + 1) {
        print_data(text, n + 1);
        putchar('"');
    }
    print_data(text, strlen(text));
    if (quoted)
        putchar('"');
}

/* The number of tasks and of runs are called otherwise than the key `tasks`. */
static void put_head(const tacos_survey *survey) {
    fputs("rank,experiment,digest,stopped,n_tasks,n_runs", stdout);
    for (size_t k = 0; tacos_survey_key(survey, k); k++) {
        putchar(',');
        put_text(tacos_survey_key(survey, k));
    }
#define HEAD(name, text) fputs("," #name "_mean," #name "_sd", stdout);
    TACOS_METRIC_MAP(HEAD)
#undef HEAD
    puts(",memory_overhead,model_bytes,operations,seconds,transfer_front,memory_front,"
         "operations_front,chance,silent");
}

/* Nothing between the commas where it is not defined. */
static void put_summary(const tacos_summary *summary) {
    if (summary->n > 0)
        printf(",%.10g,%.10g", summary->mean, summary->sd);
    else
        fputs(",,", stdout);
}

static void put_row(const tacos_survey *survey, size_t i, const tacos_survey_row *row) {
    printf("%zu,", i + 1);
    put_text(row->experiment);
    putchar(',');
    put_text(row->digest);
    printf(",%d,%zu,%zu", row->stopped, row->n_tasks, row->n_runs);
    for (size_t k = 0; tacos_survey_key(survey, k); k++) {
        putchar(',');
        put_text(tacos_survey_value(survey, i, k));
    }
#define VALUE(name, text) put_summary(&row->name);
    TACOS_METRIC_MAP(VALUE)
#undef VALUE
    printf(",%.10g,%.10g,%.10g,%.6g,%d,%d,%d,%.10g,%.10g\n", row->memory_overhead, row->model_bytes,
           row->operations, row->seconds, row->transfer_front, row->memory_front,
           row->operations_front, tacos_survey_chance(survey, i), tacos_survey_silent(survey, i));
}

int sweep_show_csv(const tacos_survey *survey, const SweepShow *how) {
    const tacos_survey_row *row;
    put_head(survey);
    for (size_t i = 0; (row = tacos_survey_row_get(survey, i)) && (how->top == 0 || i < how->top);
         i++)
        put_row(survey, i, row);
    return EXIT_OK;
}

/* ---- JSON ---- */

enum { SCHEMA_VERSION = 2 };

static json_t *json_count(size_t n) {
    return json_integer((json_int_t)n);
}

static json_t *json_summary(const tacos_summary *summary) {
    if (summary->n == 0) /* not defined */
        return json_pack("{s:n, s:n}", "mean", "sd");
    return json_pack("{s:f, s:f}", "mean", summary->mean, "sd", summary->sd);
}

/* ---- configurations ---- */

static json_t *json_keys(const tacos_survey *survey, size_t i) {
    json_t *keys = json_object();
    const char *key;
    int bad = 0;
    for (size_t k = 0; (key = tacos_survey_key(survey, k)); k++)
        bad |=
            json_object_set_new(keys, key, json_key_value(key, tacos_survey_value(survey, i, k)));
    return json_unless(bad, keys);
}

static json_t *json_metrics(const tacos_survey_row *row) {
    json_t *metrics = json_object();
    int bad = 0;
#define METRIC(name, text) bad |= json_object_set_new(metrics, #name, json_summary(&row->name));
    TACOS_METRIC_MAP(METRIC)
#undef METRIC
    return json_unless(bad, metrics);
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
    PUT("chance", json_real(tacos_survey_chance(survey, i)));
    PUT("silent", json_real(tacos_survey_silent(survey, i)));
    PUT("fronts", json_pack("{s:b, s:b, s:b}", "transfer", row->transfer_front, "memory",
                            row->memory_front, "operations", row->operations_front));
#undef PUT
    return json_unless(bad, config);
}

static json_t *json_configs(const tacos_survey *survey, size_t top) {
    json_t *configs = json_array();
    const tacos_survey_row *row;
    int bad = 0;
    for (size_t i = 0; (row = tacos_survey_row_get(survey, i)) && (top == 0 || i < top); i++)
        bad |= json_array_append_new(configs, json_config(survey, i, row));
    return json_unless(bad, configs);
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
    return json_unless(bad, levels);
}

size_t *sweep_keys_by_share(const tacos_survey *survey, size_t *n) {
    for (*n = 0; tacos_survey_key(survey, *n);)
        ++*n;
    size_t *order = malloc((*n + 1) * sizeof *order);
    for (size_t k = 0; order && k < *n; k++) {
        size_t at = k;
        for (; at > 0 && tacos_survey_share(survey, order[at - 1]) < tacos_survey_share(survey, k);
             at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    return order;
}

static json_t *json_effects(const tacos_survey *survey) {
    json_t *effects = json_array();
    size_t n, *order = sweep_keys_by_share(survey, &n);
    int bad = !order;
    for (size_t k = 0; order && k < n; k++)
        bad |=
            json_array_append_new(effects, json_pack("{s:o, s:f, s:o}", "key",
                                                     json_text(tacos_survey_key(survey, order[k])),
                                                     "share", tacos_survey_share(survey, order[k]),
                                                     "levels", json_levels(survey, order[k])));
    free(order);
    return json_unless(bad, effects);
}

static json_t *json_failures(const tacos_survey *survey) {
    json_t *failures = json_array();
    const char *why;
    int bad = 0;
    for (size_t i = 0; (why = tacos_survey_failure(survey, i)); i++)
        bad |= json_array_append_new(failures, json_text(why));
    return json_unless(bad, failures);
}

int sweep_show_json(const tacos_survey *survey, const SweepShow *how) {
    json_t *root = json_pack("{s:s, s:i, s:o, s:o, s:o, s:o}", "schema", "tacos-sweep",
                             "schema_version", SCHEMA_VERSION, "store", json_text(how->store),
                             "configurations", json_configs(survey, how->top), "effects",
                             json_effects(survey), "failures", json_failures(survey));
    if (!root)
        return cli_no_memory("the JSON output");
    int code = json_print(root, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
    json_decref(root);
    return code;
}
