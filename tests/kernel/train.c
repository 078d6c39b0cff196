/* train.c - train on the built-in symbols with every kernel that runs here; what is learned must be
 * the same to the last bit.
 *
 *   train [MODEL [SAMPLES]]
 *
 * Prints "MODEL,FEEDBACK KERNEL DIGEST" lines, of columns "MODEL,INPUT KERNEL DIGEST"; without
 * arguments for all models. A machine of another kind must print the same digests. It needs neither
 * zlib nor libmd, so that it can be built for one. */
#include "columns/pack.h"
#include "data/catalog/catalog.h"
#include "net/encode.h"
#include "net/learner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SEED = 1, SAMPLES = 60, PIXELS = GLYPHS_SIDE * GLYPHS_SIDE };

/* A small network in which everything happens within few samples. */
static const char *const settings[][2] = {
    {"hidden", "48"},
    {"outputs", "2"},
    {"steps", "100"},
    {"m_threshold_input", "2"},
    {"m_threshold_hidden", "1"},
    {"m_threshold_output", "0.5"},
    {"w_ref_rate", "0.04"},
    {"alpha", "0.002"},
    /* Columns whose units are soon all in use. */
    {"input_shape", "28,28"},
    {"column_units", "100"},
    {"column_match", "0.97"},
    {"column_looks", "5"},
};

static void stop(const tacos_error *err) {
    fprintf(stderr, "train: %s\n", err->text);
    exit(EXIT_FAILURE);
}

static void set(Params *params, const char *key, const char *value) {
    tacos_error err;
    if (key_set(keys_find(params_table, key), params, value, &err) != TACOS_OK)
        stop(&err);
}

/* A model, and the key of its own that is tried with every value. */
typedef struct Variant {
    const char *model, *key, *value;
} Variant;

static Params params_for(const Variant *variant) {
    Params params;
    params_defaults(&params);
    set(&params, "model", variant->model);
    set(&params, variant->key, variant->value);
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        set(&params, settings[k][0], settings[k][1]);
    return params;
}

/* Two tasks, one after the other, of two symbols that take turns. */
static void learn(Learner *learner, unsigned samples) {
    const Network *net = &learner->net;
    PoissonCode code = {net->kernel, SEED, RNG_INPUT, net->params.input_rate_hz, net->params.dt_ms};
    bool columns = learner_is_columns(learner);
    for (unsigned k = 0; k < samples; k++) {
        uint8_t pixels[PIXELS];
        unsigned first = k < samples / 2 ? 0 : 2;
        glyphs_draw(SEED, first + k % 2, k, pixels);
        if (columns)
            learner_show_columns(learner, &learner->view, pixels, RNG_INPUT, net->n_learned);
        else
            encode_pixels(&code, net->n_learned, pixels, &learner->scratch.raster);
        learner_learn(learner, k % 2);
    }
    learner_settle(learner);
}

/* FNV-1a over the bytes, which are in the same order on all machines that tacos runs on. */
static uint64_t digest(uint64_t hash, const void *bytes, size_t n) {
    for (size_t k = 0; bytes && k < n; k++)
        hash = (hash ^ ((const unsigned char *)bytes)[k]) * 0x100000001b3;
    return hash;
}

static uint64_t network_digest(const Network *net) {
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        size_t n = layer->n_pre * layer->stride;
        hash = digest(hash, layer->w, n * sizeof *layer->w);
        hash = digest(hash, layer->w_ref, n * sizeof *layer->w_ref);
        hash = digest(hash, layer->m_steps, n * sizeof *layer->m_steps);
    }
    return hash;
}

static bool digest_more(void *user, void *bytes, size_t n) {
    uint64_t *hash = user;
    *hash = digest(*hash, bytes, n);
    return true;
}

static uint64_t learner_digest(Learner *learner) {
    uint64_t hash = 0xcbf29ce484222325;
    Pack pack = {.writing = true, .move = digest_more, .user = &hash};
    if (!learner_is_columns(learner))
        return network_digest(&learner->net);
    (void)columns_move(&learner->columns, &pack);
    return hash;
}

/* How much of each mechanism there was to see. */
static void explain(const Learner *learner) {
    size_t grown = 0;
    if (learner_is_columns(learner)) {
        const Columns *c = &learner->columns;
        printf("# %zu of %zu units, %zu products\n", c->n_units, c->most_units,
               (size_t)learner->learning.macs);
        return;
    }
    for (size_t l = 0; l < learner->net.n_layers; l++) {
        const Layer *layer = &learner->net.layers[l];
        for (size_t k = 0; layer->m_steps && k < layer->n_pre * layer->stride; k++)
            grown += layer->m_steps[k] > 0;
    }
    printf("# %zu hidden spikes, %zu output spikes, %zu synapses with m > 0\n",
           (size_t)learner->learning.hidden_spikes, (size_t)learner->learning.output_spikes, grown);
}

/* Trains with one kernel. */
static uint64_t train(const Variant *variant, const Kernel *kernel, unsigned samples, bool talk) {
    tacos_error err;
    Learner *learner;
    char name[64];
    Params params = params_for(variant);
    (void)setenv("TACOS_KERNEL", kernel->name, 1);
    if (learner_new(&learner, &params, SEED, NULL, &err) != TACOS_OK)
        stop(&err);
    learn(learner, samples);
    uint64_t hash = learner_digest(learner);
    if (talk)
        explain(learner);
    (void)snprintf(name, sizeof name, "%s,%s", variant->model, variant->value);
    printf("%-28s %-8s %016" PRIx64 "\n", name, kernel->name, hash);
    tacos_learner_free(learner);
    return hash;
}

static bool train_with(const Variant *variant, unsigned samples) {
    uint64_t first = 0;
    bool same = true, begun = false;
    for (size_t k = 0; kernels[k]; k++) {
        if (!kernels[k]->runs_here())
            continue;
        uint64_t hash = train(variant, kernels[k], samples, !begun);
        same &= !begun || hash == first;
        first = hash;
        begun = true;
    }
    return same;
}

/* Whether all kernels learn the same, with each kind of feedback or, in columns, of input. */
static bool train_all(const char *model, unsigned samples) {
    const char *name = strcmp(model, COLUMNS_NAME) == 0 ? "column_input" : "feedback";
    const Key *key = keys_find(params_table, name);
    bool same = true;
    for (size_t k = 0; key->choices[k]; k++)
        same &= train_with(&(Variant){model, name, key->choices[k]}, samples);
    return same;
}

int main(int argc, char **argv) {
    unsigned samples = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : SAMPLES;
    bool same = true;
    if (argc > 1) {
        same = train_all(argv[1], samples);
    } else {
        const Key *key = keys_find(params_table, "model");
        for (size_t m = 0; key->choices[m]; m++)
            same &= train_all(key->choices[m], samples);
    }
    if (!same)
        fprintf(stderr, "train: kernels learn differently\n");
    return same ? EXIT_SUCCESS : EXIT_FAILURE;
}
