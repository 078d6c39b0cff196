/* save_learner.c - a learner for the tests of `tacos inspect`, and all its numbers to compare with.
 *
 *   save_learner FILE SEED SAMPLES [KEY=VALUE...]
 *
 * Learns SAMPLES samples of noise, saves the learner in FILE, and prints {"layers": [{"w": [...],
 * "w_ref": [...] or null, "m": [...]}]}. SAMPLES may be "nan": then nothing is learned, and one
 * weight is made to be no number at all. */
#include "tacos.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(tacos_status status, const tacos_error *err) {
    if (status == TACOS_OK)
        return;
    fprintf(stderr, "save_learner: %s\n", err->text);
    exit(1);
}

static tacos_learner *make(unsigned long seed, int n, char **settings) {
    tacos_config *config;
    tacos_learner *learner;
    tacos_error err;
    check(tacos_config_new(&config, &err), &err);
    for (int i = 0; i < n; i++)
        check(tacos_config_parse(config, settings[i], "setting", &err), &err);
    check(tacos_learner_new(&learner, config, (uint32_t)seed, NULL, &err), &err);
    tacos_config_free(config);
    return learner;
}

static void learn(tacos_learner *learner, unsigned long n_samples) {
    tacos_shape shape = tacos_learner_shape(learner);
    float *intensity = malloc(shape.n_inputs * sizeof *intensity);
    unsigned noise = 1;
    tacos_error err;
    for (unsigned long k = 0; k < n_samples && intensity; k++) {
        for (size_t j = 0; j < shape.n_inputs; j++) {
            noise = noise * 1664525u + 1013904223u;
            intensity[j] = (float)(noise >> 8) / (float)(1 << 24);
        }
        check(tacos_learner_learn(learner, intensity, shape.n_inputs, k % shape.n_outputs, &err),
              &err);
    }
    free(intensity);
}

typedef enum What { W, W_REF, M } What;

static void print_values(const char *name, const tacos_layer_view *view, What what) {
    printf("\"%s\": ", name);
    if (what == W_REF && !view->w_ref) {
        printf("null");
        return;
    }
    putchar('[');
    for (size_t pre = 0; pre < view->n_pre; pre++)
        for (size_t post = 0; post < view->n_post; post++) {
            size_t at = pre * view->stride + post;
            float value = what == W       ? view->w[at]
                          : what == W_REF ? view->w_ref[at]
                                          : tacos_layer_m(view, pre, post);
            printf("%s%.17g", pre + post > 0 ? ", " : "", (double)value);
        }
    putchar(']');
}

static void print_layers(tacos_learner *learner) {
    size_t n = tacos_learner_shape(learner).n_layers;
    printf("{\"layers\": [");
    for (size_t l = 0; l < n; l++) {
        tacos_layer_view view;
        tacos_error err;
        check(tacos_learner_layer(learner, l, &view, &err), &err);
        printf("%s{", l > 0 ? ", " : "");
        print_values("w", &view, W);
        printf(", ");
        print_values("w_ref", &view, W_REF);
        printf(", ");
        print_values("m", &view, M);
        putchar('}');
    }
    puts("]}");
}

int main(int argc, char **argv) {
    tacos_layer_view view;
    tacos_error err;
    if (argc < 4)
        return 2;
    tacos_learner *learner = make(strtoul(argv[2], NULL, 10), argc - 4, argv + 4);
    if (strcmp(argv[3], "nan") == 0) {
        check(tacos_learner_layer(learner, 0, &view, &err), &err);
        ((float *)view.w)[0] = NAN;
    } else {
        learn(learner, strtoul(argv[3], NULL, 10));
        print_layers(learner);
    }
    check(tacos_learner_save(learner, argv[1], &err), &err);
    tacos_learner_free(learner);
    return 0;
}
