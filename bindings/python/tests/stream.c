/* stream.c - a stream of samples learned through the C interface, for Python to be held against.
 *
 *   stream CONFIG SEED SAMPLES OUT
 *
 * CONFIG is a text of "key = value" lines, one sample in the file SAMPLES is a target (int64) and
 * then its intensities (float32), all in the order and the bytes of this machine. The learner is
 * saved to OUT; on stdout are the digest, the output that fired most for every sample with draw 5,
 * and then the seconds of the processor that a sample took to learn. */
#include "tacos.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double cpu_s(void) {
    struct timespec t = {0};
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); /* clock: printed, not judged */
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void need(int good, const char *what) {
    if (!good) {
        (void)fprintf(stderr, "stream: %s\n", what);
        exit(1);
    }
}

typedef struct Sample {
    int64_t target;
    float *intensity;
} Sample;

static Sample *read_samples(const char *path, size_t n_inputs, size_t *n) {
    FILE *file = fopen(path, "rb");
    Sample *samples = NULL;
    int64_t target;
    need(file != NULL, path);
    for (*n = 0; fread(&target, sizeof target, 1, file) == 1; ++*n) {
        samples = realloc(samples, (*n + 1) * sizeof *samples);
        samples[*n] = (Sample){target, malloc(n_inputs * sizeof(float))};
        need(fread(samples[*n].intensity, sizeof(float), n_inputs, file) == n_inputs, path);
    }
    (void)fclose(file);
    return samples;
}

int main(int argc, char **argv) {
    tacos_config *config;
    tacos_learner *learner;
    tacos_prediction guess;
    tacos_error err = {0};
    size_t n;
    need(argc == 5, "usage: stream CONFIG SEED SAMPLES OUT");
    need(tacos_config_new(&config, &err) == TACOS_OK, err.text);
    need(tacos_config_parse(config, argv[1], "CONFIG", &err) == TACOS_OK, err.text);
    uint32_t seed = (uint32_t)strtoul(argv[2], NULL, 10);
    need(tacos_learner_new(&learner, config, seed, NULL, &err) == TACOS_OK, err.text);
    size_t n_inputs = tacos_learner_shape(learner).n_inputs;
    Sample *samples = read_samples(argv[3], n_inputs, &n);
    double start = cpu_s();
    for (size_t i = 0; i < n; i++)
        need(tacos_learner_learn(learner, samples[i].intensity, n_inputs, (size_t)samples[i].target,
                                 &err) == TACOS_OK,
             err.text);
    double seconds = cpu_s() - start;
    (void)printf("%" PRIu32 "\n", tacos_learner_digest(learner));
    for (size_t i = 0; i < n; i++) {
        need(tacos_learner_predict(learner, samples[i].intensity, n_inputs, 5, &guess, &err) ==
                 TACOS_OK,
             err.text);
        (void)printf("%d%c", guess.output, i + 1 < n ? ' ' : '\n');
        free(samples[i].intensity);
    }
    (void)printf("%.9f\n", seconds / (double)(n > 0 ? n : 1));
    need(tacos_learner_save(learner, argv[4], &err) == TACOS_OK, err.text);
    tacos_learner_free(learner);
    tacos_config_free(config);
    free(samples);
    return 0;
}
