/* inspect.c - `tacos inspect`: shows what a saved learner contains. */
#include "output/inspect.h"

#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int ascending(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Move finite values to the front; how many they are. */
static size_t keep_finite(float *values, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (isfinite(values[i]))
            values[kept++] = values[i];
    return kept;
}

static double quantile(const float *sorted, size_t n, double q) {
    double at = q * (double)(n - 1);
    size_t below = (size_t)at, above = below + 1 < n ? below + 1 : below;
    return sorted[below] + (at - (double)below) * ((double)sorted[above] - sorted[below]);
}

static void take_moments(const float *values, Distribution *out) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < out->n; i++)
        sum += values[i];
    out->mean = sum / (double)out->n;
    for (size_t i = 0; i < out->n; i++) {
        double d = values[i] - out->mean;
        squares += d * d;
    }
    out->sd = out->n > 1 ? sqrt(squares / (double)(out->n - 1)) : 0;
}

double distribution_edge(const Distribution *distribution, size_t bin) {
    return distribution->min +
           (distribution->max - distribution->min) * ((double)bin / DISTRIBUTION_BINS);
}

static void count_bins(const float *sorted, Distribution *out) {
    size_t bin = 0;
    for (size_t i = 0; i < out->n; i++) {
        while (bin + 1 < DISTRIBUTION_BINS && sorted[i] >= distribution_edge(out, bin + 1) &&
               out->max > out->min)
            bin++;
        out->counts[bin]++;
    }
}

void distribution_of(float *values, size_t n, Distribution *out) {
    *out = (Distribution){.n = keep_finite(values, n)};
    out->n_odd = n - out->n;
    if (out->n == 0)
        return;
    qsort(values, out->n, sizeof *values, ascending);
    out->min = values[0];
    out->q1 = quantile(values, out->n, 0.25);
    out->median = quantile(values, out->n, 0.5);
    out->q3 = quantile(values, out->n, 0.75);
    out->max = values[out->n - 1];
    take_moments(values, out);
    count_bins(values, out);
}

typedef struct InspectArgs {
    const char *path;
    int json;
} InspectArgs;

/* ---- what its two ways to print share ---- */

char *inspect_key(const Inspection *inspection, const char *key, char value[INSPECT_VALUE_SIZE]) {
    (void)tacos_learner_get(inspection->learner, key, value, INSPECT_VALUE_SIZE, NULL);
    return value;
}

/* ---- layers ---- */

static float value_of(const tacos_layer_view *view, Quantity quantity, size_t pre, size_t post) {
    size_t at = pre * view->stride + post;
    switch (quantity) {
    case QUANTITY_W:
        return view->w[at];
    case QUANTITY_W_REF:
        return view->w_ref[at];
    case QUANTITY_DISTANCE:
        return fabsf(view->w[at] - view->w_ref[at]);
    default:
        return tacos_layer_m(view, pre, post);
    }
}

/* `room` has a place for every synapse. */
static void look_at_layer(const tacos_layer_view *view, float *room, LayerReport *out) {
    size_t n = view->n_pre * view->n_post, n_full = 0;
    *out = (LayerReport){.n_pre = view->n_pre, .n_post = view->n_post};
    for (int q = 0; q < QUANTITIES; q++) {
        out->has[q] = view->w_ref || q == QUANTITY_W || q == QUANTITY_M;
        if (!out->has[q])
            continue;
        for (size_t pre = 0; pre < view->n_pre; pre++)
            for (size_t post = 0; post < view->n_post; post++)
                room[pre * view->n_post + post] = value_of(view, (Quantity)q, pre, post);
        for (size_t i = 0; q == QUANTITY_M && i < n; i++)
            n_full += room[i] >= view->m_max;
        distribution_of(room, n, &out->distribution[q]);
    }
    out->at_m_max = (double)n_full / (double)n;
}

static int look_at_layers(tacos_learner *learner, Inspection *out) {
    for (size_t l = 0; l < out->shape.n_layers; l++) {
        tacos_layer_view view;
        tacos_error err = {0};
        if (tacos_learner_layer(learner, l, &view, &err) != TACOS_OK)
            return cli_fail(&err);
        float *room = malloc(view.n_pre * view.n_post * sizeof *room);
        if (!room)
            return cli_no_memory("the layers");
        look_at_layer(&view, room, &out->layers[l]);
        free(room);
    }
    return EXIT_OK;
}

/* ---- the command ---- */

static int inspect(tacos_learner *learner, const InspectArgs *args, size_t file_bytes) {
    Inspection inspection = {
        .path = args->path,
        .file_bytes = file_bytes,
        .learner = learner,
        .shape = tacos_learner_shape(learner),
        .stats = tacos_learner_stats_get(learner),
    };
    /* Columns have none. */
    inspection.layers = calloc(inspection.shape.n_layers + 1, sizeof *inspection.layers);
    if (!inspection.layers)
        return cli_no_memory("the layers");
    int code = look_at_layers(learner, &inspection);
    if (code == EXIT_OK)
        code = args->json ? inspect_json(&inspection) : inspect_text(&inspection);
    free(inspection.layers);
    return code;
}

static int inspect_stream(const InspectArgs *args, size_t file_bytes) {
    tacos_classifier *classifier;
    tacos_error err = {0};
    if (tacos_classifier_load(&classifier, args->path, &err) != TACOS_OK) {
        cli_error("%s", err.text);
        return EXIT_FAILED;
    }
    int code = args->json ? inspect_stream_json(classifier, file_bytes)
                          : inspect_stream_text(classifier, args->path, file_bytes);
    tacos_classifier_free(classifier);
    return code;
}

static const Option table[] = {
    FLAG_OPTION("json", offsetof(InspectArgs, json), "print JSON, as docs/inspect.md describes"),
    OPTION_END,
};

static int cmd_inspect(int argc, char **argv) {
    InspectArgs args = {0};
    tacos_learner *learner = NULL;
    tacos_error err = {0};
    int code = EXIT_OK;
    if (!options_read(&command_inspect, table, &args, argc, argv, &code))
        return code;
    args.path = argv[optind];
    struct stat file;
    if (stat(args.path, &file) != 0) {
        cli_error("cannot read %s: %s", args.path, strerror(errno));
        return EXIT_FAILED;
    }
    if (tacos_classifier_is_file(args.path))
        return inspect_stream(&args, (size_t)file.st_size);
    if (tacos_learner_load(&learner, args.path, NULL, &err) != TACOS_OK) {
        cli_error("%s", err.text);
        return EXIT_FAILED; /* whatever is wrong with it, it is the file */
    }
    code = inspect(learner, &args, (size_t)file.st_size);
    tacos_learner_free(learner);
    return code;
}

static const Example examples[] = {
    {"tacos inspect model.tacos", "as text"},
    {"tacos inspect model.tacos --json | jq '.layers[0].m.median'", "one value of the JSON"},
    {NULL, NULL},
};

const Command command_inspect = {
    .name = "inspect",
    .group = GROUP_LEARNER,
    .run = cmd_inspect,
    .about = "show what a saved classifier or learner contains",
    .arguments = {1, 1, "one MODEL"},
    .synopsis = "MODEL [--json]",
    .text =
        "MODEL is a classifier saved by `tacos learn`. Prints how many samples it has seen and "
        "learned, its size in bytes, keys that are not at their defaults, its encoder, the kind "
        "and scale of each feature, and the labels with their samples.\n\n"
        "Or MODEL is a learner saved by `tacos learn --set inputs=N`, `tacos run` or "
        "tacos_learner_save. Prints "
        "what it is (model, layers, seed, keys that are not at their defaults), how many samples "
        "it has learned and its size in bytes; and for each layer of synapses the distributions "
        "of the weights w, the reference weights w_ref, the distances |w - w_ref| and the "
        "metaplastic states m: extremes, quartiles, mean, standard deviation and a histogram.",
    .argument = NAME_FILE,
    .options = table,
    .examples = examples,
};
