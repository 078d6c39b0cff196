/* devices.c - what a spiking network of every model is on a device, and what it learns there.
 *
 *   devices FILE > wanted     write FILE, a header with a block for each model, and print what
 *                             examples/mcu/spiking.c prints, as the library learns and answers
 *   devices FILE KEYS...      the header alone, with one network of these keys, to be measured
 *
 * It uses tacos.h alone. */
#include <tacos.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "spiking_samples.h"

/* That of bits.c: everything happens within few samples. */
static const char settings[] =
    "inputs = 50\nhidden = 37,20\noutputs = 3\nsteps = 100\ninit_w = 1.5\nlearning_rate = 0.1\nalpha = 0.002\ndelta_m_hidden = 0.2\n"
    "w_ref_rate = 0.04\nm_threshold_input = 1\nm_threshold_hidden = 1\nm_threshold_output = 0.5\n";

static const char *const models[] = {"tacos", "snn", "snn+metaplasticity", "snn+consolidation",
                                     "fixed"};

enum { MODELS = sizeof models / sizeof *models };

static void must(tacos_status status, const tacos_error *err) {
    if (status == TACOS_OK)
        return;
    fprintf(stderr, "devices: %s\n", err->text);
    exit(EXIT_FAILURE);
}

static int put(void *user, const void *bytes, size_t n) {
    for (size_t k = 0; k < n; k++)
        if (fprintf(user, "%u,", ((const unsigned char *)bytes)[k]) < 0)
            return -1;
    return 0;
}

static tacos_learner *learner_of(const char *text, const char *model) {
    tacos_config *config;
    tacos_learner *learner;
    tacos_error err;
    must(tacos_config_new(&config, &err), &err);
    must(tacos_config_parse(config, text, "settings", &err), &err);
    if (model)
        must(tacos_config_set(config, "model", model, &err), &err);
    must(tacos_learner_new(&learner, config, 1, NULL, &err), &err);
    tacos_config_free(config);
    return learner;
}

static void write_block(FILE *file, size_t k, tacos_learner *learner) {
    tacos_error err;
    fprintf(file, "static const unsigned char block_%zu[] __attribute__((aligned(4))) = {", k);
    must(tacos_learner_save_small(learner, put, file, &err), &err);
    fprintf(file, "};\n");
}

static void write_list(FILE *file, size_t n, const char *const *names, size_t n_inputs,
                       size_t n_outputs) {
    fprintf(file,
            "enum { INPUTS = %zu, OUTPUTS = %zu };\n"
            "static const struct {\n    const char *name;\n    const unsigned char *block;\n"
            "    size_t n;\n} networks[] = {\n",
            n_inputs, n_outputs);
    for (size_t k = 0; k < n; k++)
        fprintf(file, "    {\"%s\", block_%zu, sizeof block_%zu},\n", names[k], k, k);
    fprintf(file, "};\n");
}

static void show(uint32_t k, float *intensity, size_t n) {
    for (uint32_t j = 0; j < n; j++)
        intensity[j] = (float)sample_value(k, j, 3) / 255.0f;
}

static void learn(const char *model, tacos_learner *learner) {
    float intensity[50];
    tacos_error err;
    tacos_prediction answer;
    uint32_t answers = 2166136261u;
    for (uint32_t k = 0; k < SAMPLES; k++) {
        show(k, intensity, 50);
        must(tacos_learner_learn(learner, intensity, 50, k % 3, &err), &err);
        must(tacos_learner_predict(learner, intensity, 50, k, &answer, &err), &err);
        answers = (answers ^ (uint32_t)answer.output) * 16777619u;
        for (uint32_t o = 0; o < 3; o++)
            answers = (answers ^ (uint32_t)answer.counts[o]) * 16777619u;
    }
    printf("%s digest %08" PRIx32 " answers %08" PRIx32 "\n", model, tacos_learner_digest(learner),
           answers);
}

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (!file)
        return EXIT_FAILURE;
    if (argc > 2) {
        tacos_learner *learner = learner_of(argv[2], NULL);
        tacos_shape shape = tacos_learner_shape(learner);
        write_block(file, 0, learner);
        write_list(file, 1, models, shape.n_inputs, shape.n_outputs);
        tacos_learner_free(learner);
        return fclose(file) == 0 ? 0 : EXIT_FAILURE;
    }
    for (size_t k = 0; k < MODELS; k++) {
        tacos_learner *learner = learner_of(settings, models[k]);
        write_block(file, k, learner);
        learn(models[k], learner);
        tacos_learner_free(learner);
    }
    write_list(file, MODELS, models, 50, 3);
    return fclose(file) == 0 ? 0 : EXIT_FAILURE;
}
