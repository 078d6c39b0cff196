/* bits.c - what every spiking model learns from the same few samples, as one number each.
 *
 * Prints "MODEL DIGEST" lines. Whoever builds the library, in whatever way and for whatever
 * machine, must get the same ones, with every kernel (TACOS_KERNEL). It uses tacos.h alone, and of
 * that what a learner needs. */
#include <tacos.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_INPUTS = 50, N_OUTPUTS = 3, N_SAMPLES = 30 };

/* A small network in which everything happens within few samples: decays in ones and in many. */
static const char settings[] =
    "inputs = 50\nhidden = 37,20\noutputs = 3\nsteps = 100\ninit_w = 1.5\nlearning_rate = 0.1\nalpha = 0.002\ndelta_m_hidden = 0.2\n"
    "w_ref_rate = 0.04\nm_threshold_input = 1\nm_threshold_hidden = 1\nm_threshold_output = 0.5\n";

static const char *const models[] = {"tacos", "snn", "snn+metaplasticity", "snn+consolidation",
                                     "fixed"};

static void must(tacos_status status, const tacos_error *err) {
    if (status == TACOS_OK)
        return;
    fprintf(stderr, "bits: %s\n", err->text);
    exit(EXIT_FAILURE);
}

/* FNV-1a over the bits of a float, lowest first, so that the order of a machine's bytes is no
 * matter.
 */
static uint32_t add(uint32_t digest, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int k = 0; k < 4; k++)
        digest = (digest ^ (bits >> 8 * k & 255)) * 16777619u;
    return digest;
}

static uint32_t digest_of(tacos_learner *learner) {
    uint32_t digest = 2166136261u;
    tacos_error err;
    for (size_t l = 0; l < tacos_learner_shape(learner).n_layers; l++) {
        tacos_layer_view view;
        must(tacos_learner_layer(learner, l, &view, &err), &err);
        for (size_t pre = 0; pre < view.n_pre; pre++)
            for (size_t post = 0; post < view.n_post; post++) {
                digest = add(digest, view.w[pre * view.stride + post]);
                digest = add(digest, view.w_ref ? view.w_ref[pre * view.stride + post] : 0);
                digest = add(digest, tacos_layer_m(&view, pre, post));
            }
    }
    return digest;
}

static void learn(tacos_learner *learner) {
    tacos_error err;
    for (size_t k = 0; k < N_SAMPLES; k++) {
        float intensity[N_INPUTS];
        for (size_t i = 0; i < N_INPUTS; i++)
            intensity[i] = (i + k) % N_OUTPUTS == 0 ? (float)(i % 5) / 4 : 0;
        must(tacos_learner_learn(learner, intensity, N_INPUTS, k % N_OUTPUTS, &err), &err);
    }
}

int main(void) {
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        tacos_config *config;
        tacos_learner *learner;
        tacos_error err;
        must(tacos_config_new(&config, &err), &err);
        must(tacos_config_parse(config, settings, "settings", &err), &err);
        must(tacos_config_set(config, "model", models[k], &err), &err);
        must(tacos_learner_new(&learner, config, 1, NULL, &err), &err);
        learn(learner);
        printf("%s %08lx\n", models[k], (unsigned long)digest_of(learner));
        tacos_learner_free(learner);
        tacos_config_free(config);
    }
    return 0;
}
