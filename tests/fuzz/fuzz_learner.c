/* fuzz_learner.c - a saved learner, from an allocator that knows a limit; what can be loaded
 * learns, answers and is saved again. */
#include "fuzz_images.h"
#include "repair.h"

typedef struct Reading {
    const uint8_t *bytes;
    size_t n;
} Reading;

static int read_some(void *user, void *to, size_t n) {
    Reading *reading = user;
    if (n > reading->n)
        return -1;
    memcpy(to, reading->bytes, n);
    reading->bytes += n;
    reading->n -= n;
    return 0;
}

static int write_nowhere(void *user, const void *bytes, size_t n) {
    (void)user;
    (void)bytes;
    (void)n;
    return 0;
}

static void use(tacos_learner *learner) {
    tacos_shape shape = tacos_learner_shape(learner);
    float *intensity = calloc(shape.n_inputs, sizeof *intensity);
    tacos_prediction answer;
    HOLDS(intensity);
    for (size_t i = 0; i < shape.n_inputs; i++)
        intensity[i] = (float)(i % 3) / 2;
    HOLDS(tacos_learner_learn(learner, intensity, shape.n_inputs, 0, NULL) == TACOS_OK);
    HOLDS(tacos_learner_predict(learner, intensity, shape.n_inputs, 0, &answer, NULL) == TACOS_OK);
    HOLDS(answer.output >= -1 && answer.output < (int)shape.n_outputs);
    HOLDS(tacos_learner_save_to(learner, write_nowhere, NULL, NULL) == TACOS_OK);
    free(intensity);
}

static tacos_status load(const uint8_t *bytes, size_t n) {
    Reading reading = {bytes, n};
    tacos_learner *learner;
    tacos_error err = {0};
    tacos_status status = tacos_learner_load_from(&learner, read_some, &reading, &limited, &err);
    if (status == TACOS_OK)
        use(learner);
    else
        check_failure(status, &err);
    tacos_learner_free(learner);
    return status;
}

static void load_file(const uint8_t *bytes, size_t n) {
    FuzzFile file = file_of(bytes, n);
    tacos_learner *learner;
    (void)tacos_learner_load(&learner, file.path, &limited, NULL);
    tacos_learner_free(learner);
    file_end(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    uint8_t *copy = malloc(n + 1);
    HOLDS(copy);
    memcpy(copy, bytes, n);
    tacos_status status = load(bytes, n);
    (void)repair_learner(&(Repair){copy, n, 0});
    if (status == TACOS_OK) /* what is whole has nothing to repair */
        HOLDS(memcmp(copy, bytes, n) == 0);
    (void)load(copy, n);
    load_file(copy, n);
    free(copy);
    return 0;
}
