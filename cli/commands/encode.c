/* encode.c - `tacos encode`: what the learner of a classifier sees of each sample. */
#include "output/json.h"
#include "stream/answers.h"
#include "stream/rows.h"
#include "system/process.h"
#include "terminal/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct EncodeArgs {
    const char *path; /* NULL: --preset and --set */
    StreamSettings settings;
    RowsArgs reader;
    int json, quiet;
} EncodeArgs;

/* A row that is kept: the first ones, until scales are known. */
typedef struct KeptRow {
    double *numbers;
    char **texts;
    uint64_t line;
} KeptRow;

typedef struct Encoding {
    const EncodeArgs *args;
    tacos_classifier *classifier;
    Rows rows;
    KeptRow *kept; /* [n_kept] */
    size_t n_kept, n_features;
    int head_printed;
} Encoding;

#define AT(field) offsetof(EncodeArgs, field)

static const Option table[] = {
    STREAM_SETTING_OPTIONS(AT(settings)),
    TEXT_OPTION("label", "COLUMN", NAME_ANY, AT(reader.label),
                "the column of the label: `first`, `last`, `none`, its name or its number"),
    ROWS_HEADER_OPTION(AT(reader)),
    TEXT_OPTION("on-error", "WHAT", NAME_ANY, AT(reader.on_error),
                "what to do about a malformed line: `stop` (the default) or `skip` it"),
    FLAG_OPTION(
        "json", AT(json),
        "print one JSON object per line: `line`, and `features` with the intensities of each, or "
        "`inputs` of a signal"),
    FLAG_OPTION("quiet", AT(quiet), "print nothing else"),
    OPTION_END,
};

/* ---- output ---- */

/* The name of a feature, "feature 3" if it has none. */
static const char *name_of(const tacos_feature_info *feature, size_t i, char buf[40]) {
    (void)snprintf(buf, 40, "feature %zu", i + 1);
    return feature->name ? feature->name : buf;
}

/* What the j-th input of a feature stands for: "colour=red", "size 2", or "size". Inputs for
 * categories that have not come have numbers, too. */
static void input_name(const Encoding *e, size_t i, const tacos_feature_info *feature, size_t j,
                       char *out, size_t size) {
    char buf[40];
    const char *category = tacos_classifier_category(e->classifier, i, j);
    const char *name = name_of(feature, i, buf);
    if (category)
        (void)snprintf(out, size, "%s=%s", name, category);
    else if (feature->n_inputs == 1)
        (void)snprintf(out, size, "%s", name);
    else
        (void)snprintf(out, size, "%s %zu", name, j + 1);
}

/* Whether each feature has inputs of its own; not where a sample is a window over a signal. */
static int has_parts(const Encoding *e, size_t n) {
    tacos_feature_info feature;
    size_t sum = 0;
    for (size_t i = 0; tacos_classifier_feature(e->classifier, i, &feature); i++)
        sum += feature.n_inputs;
    return sum == n;
}

static void print_head(const Encoding *e, size_t n) {
    tacos_feature_info feature;
    char name[2200];
    if (!has_parts(e, n)) {
        for (size_t k = 0; k < n; k++) {
            if (k > 0)
                putchar(',');
            printf("input %zu", k + 1);
        }
        putchar('\n');
        return;
    }
    for (size_t i = 0; tacos_classifier_feature(e->classifier, i, &feature); i++)
        for (size_t j = 0; j < feature.n_inputs; j++) {
            input_name(e, i, &feature, j, name, sizeof name);
            if (i + j > 0)
                putchar(',');
            answers_field(name);
        }
    putchar('\n');
}

static void print_csv(const float *intensity, size_t n) {
    for (size_t k = 0; k < n; k++) {
        if (k > 0)
            putchar(',');
        printf("%.6g", (double)intensity[k]);
    }
    putchar('\n');
}

static json_t *inputs_array(const float *intensity, size_t n) {
    json_t *inputs = json_array();
    int bad = 0;
    for (size_t k = 0; k < n; k++)
        bad |= json_array_append_new(inputs, json_real((double)intensity[k]));
    return json_unless(bad, inputs);
}

static json_t *features_object(const Encoding *e, const float *intensity) {
    json_t *features = json_object();
    tacos_feature_info feature;
    char buf[40];
    int bad = 0;
    for (size_t i = 0; tacos_classifier_feature(e->classifier, i, &feature); i++)
        bad |= json_object_set_new(features, name_of(&feature, i, buf),
                                   inputs_array(intensity + feature.first_input, feature.n_inputs));
    return json_unless(bad, features);
}

static int print_json(const Encoding *e, const float *intensity, size_t n, uint64_t line) {
    int parts = has_parts(e, n);
    json_t *root = json_pack("{s:I, s:o}", "line", (json_int_t)line, parts ? "features" : "inputs",
                             parts ? features_object(e, intensity) : inputs_array(intensity, n));
    if (!root)
        return cli_no_memory("the JSON output");
    int code = json_print(root, JSON_REAL_PRECISION(6));
    json_decref(root);
    return code;
}

static int encode_one(Encoding *e, const tacos_sample *sample, uint64_t line) {
    const float *intensity;
    size_t n;
    tacos_error err = {0};
    tacos_status status = tacos_classifier_encode(e->classifier, sample, &intensity, &n, &err);
    if (status != TACOS_OK) {
        e->rows.row.line = line;
        return rows_refused(&e->rows, &err);
    }
    if (e->args->json)
        return print_json(e, intensity, n, line);
    if (!e->head_printed)
        print_head(e, n);
    e->head_printed = 1;
    print_csv(intensity, n);
    return EXIT_OK;
}

/* ---- the first rows ---- */

static void kept_free(Encoding *e) {
    for (size_t k = 0; k < e->n_kept; k++) {
        for (size_t i = 0; e->kept[k].texts && i < e->n_features; i++)
            free(e->kept[k].texts[i]);
        free(e->kept[k].texts);
        free(e->kept[k].numbers);
    }
    free(e->kept);
}

static int keep(Encoding *e, const Row *row) {
    size_t n = row->sample.n;
    KeptRow *kept = &e->kept[e->n_kept++];
    e->n_features = n;
    *kept = (KeptRow){calloc(n, sizeof(double)), calloc(n, sizeof(char *)), row->line};
    if (!kept->numbers || !kept->texts)
        return cli_no_memory("the first samples");
    memcpy(kept->numbers, row->sample.numbers, n * sizeof(double));
    for (size_t i = 0; i < n; i++)
        if (row->sample.texts && row->sample.texts[i] &&
            !(kept->texts[i] = strdup(row->sample.texts[i])))
            return cli_no_memory("the first samples");
    return EXIT_OK;
}

/* They are only measured: without labels nothing is learned. */
static int measure(Encoding *e, const Row *row) {
    tacos_error err = {0};
    tacos_status status = tacos_classifier_next(e->classifier, &row->sample, NULL, NULL, &err);
    return status == TACOS_OK ? keep(e, row) : rows_refused(&e->rows, &err);
}

static int measure_first(Encoding *e, ReadResult *kind) {
    char warm_up[32] = "";
    int code = EXIT_OK;
    (void)tacos_classifier_get(e->classifier, "warm_up", warm_up, sizeof warm_up, NULL);
    size_t most = strtoul(warm_up, NULL, 10);
    e->kept = calloc(most + 1, sizeof *e->kept);
    if (!e->kept)
        return cli_no_memory("the first samples");
    while (e->n_kept < most && *kind == READ_SAMPLE && code == EXIT_OK) {
        *kind = interrupt_signal() ? READ_STOPPED : rows_next(&e->rows);
        if (*kind == READ_SAMPLE)
            code = measure(e, &e->rows.row);
    }
    for (size_t k = 0; k < e->n_kept && code == EXIT_OK; k++) {
        const KeptRow *row = &e->kept[k];
        tacos_sample sample = {row->numbers, (const char *const *)row->texts, e->n_features};
        code = encode_one(e, &sample, row->line);
    }
    return code;
}

/* ---- the command ---- */

static int encode_rows(Encoding *e) {
    ReadResult kind = READ_SAMPLE;
    int code = e->args->path ? EXIT_OK : measure_first(e, &kind);
    while (kind == READ_SAMPLE && code == EXIT_OK) {
        kind = interrupt_signal() ? READ_STOPPED : rows_next(&e->rows);
        if (kind == READ_SAMPLE)
            code = encode_one(e, &e->rows.row.sample, e->rows.row.line);
    }
    if (!e->args->quiet)
        rows_report_skipped(&e->rows);
    return kind == READ_FAILED ? EXIT_FAILED : code;
}

static int encode_opened(Encoding *e) {
    const EncodeArgs *args = e->args;
    Session session = {.path = args->path, .classifier = e->classifier};
    tacos_error err = {0};
    int code = args->path ? session_load(&session, 0, 1) : EXIT_OK;
    long label_at = args->path ? session.label_at : LABEL_UNKNOWN;
    session.classifier = NULL;
    session_free(&session);
    RowsKnown known = {e->classifier, label_at, args->quiet};
    if (code == EXIT_OK)
        code = rows_open(&e->rows, "encode", STDIN_FILENO, NULL, &args->reader, &known);
    if (code == EXIT_OK && rows_name_features(&e->rows, e->classifier, &err) != TACOS_OK)
        code = cli_fail(&err);
    if (code == EXIT_OK)
        code = encode_rows(e);
    rows_close(&e->rows);
    kept_free(e);
    return code;
}

static int open_classifier(const EncodeArgs *args, tacos_classifier **out) {
    tacos_error err = {0};
    if (!args->path)
        return settings_classifier("encode", &args->settings, args->quiet, out);
    if (args->settings.preset || args->settings.sets.n > 0)
        return cli_usage(
            "encode",
            "--preset and --set are for a new classifier: MODEL has its settings already");
    return tacos_classifier_load(out, args->path, &err) == TACOS_OK ? EXIT_OK : cli_fail(&err);
}

static int cmd_encode(int argc, char **argv) {
    EncodeArgs args = {.settings = {.seed = 1}};
    Encoding encoding = {.args = &args};
    Interrupt guard;
    int code = EXIT_OK;
    if (!options_read(&command_encode, table, &args, argc, argv, &code))
        return code;
    args.path = argv[optind];
    code = open_classifier(&args, &encoding.classifier);
    if (code != EXIT_OK)
        return code;
    interrupt_begin(&guard);
    code = encode_opened(&encoding);
    tacos_classifier_free(encoding.classifier);
    interrupt_end(&guard);
    return code;
}

static const Example examples[] = {
    {"tacos encode m <test.csv", "as this model sees samples"},
    {"tacos encode --preset series --json <train.csv", "as a new one would"},
    {NULL, NULL},
};

const Command command_encode = {
    .name = "encode",
    .group = GROUP_LEARNER,
    .run = cmd_encode,
    .about = "show what samples become before they are learned",
    .arguments = {0, 1, "at most one MODEL"},
    .synopsis = "[MODEL] [options] <SAMPLES",
    .text =
        "For each sample of standard input, in the format of `tacos learn`, prints the intensities "
        "that the learner inside the classifier sees, from 0 to 1: a line of CSV below a line of "
        "names. A number has several inputs, its overlapping receptive fields (`encoder_fields`), "
        "and as many for each of its recent means (`encoder_trends`); a category has one input for "
        "each word; what is missing is 0.\n\n"
        "MODEL is a classifier that `tacos learn` made, with the scales that it has learned. "
        "Without it, scales are measured on the first samples (`warm_up`), which are read before "
        "anything is printed. Labels are passed over.",
    .argument = NAME_FILE,
    .options = table,
    .examples = examples,
};
