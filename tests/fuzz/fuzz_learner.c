/* fuzz_learner.c - a saved learner, from an allocator that knows a limit; what can be loaded
 * learns, answers and is saved again. */
#include "fuzz_images.h"
#include "repair.h"

enum { MEMORY_MAX = 1 << 20, BEFORE_TEXT = 28 };

static void *limited_alloc(void *user, size_t n_bytes, size_t alignment) {
    (void)user;
    if (n_bytes > MEMORY_MAX)
        return NULL;
    return aligned_alloc(alignment, (n_bytes + alignment - 1) / alignment * alignment);
}

static void limited_free(void *user, void *memory, size_t n_bytes) {
    (void)user;
    (void)n_bytes;
    free(memory);
}

static const tacos_allocator limited = {limited_alloc, limited_free, NULL};

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

static void load(const uint8_t *bytes, size_t n) {
    Reading reading = {bytes, n};
    tacos_learner *learner;
    tacos_error err = {0};
    tacos_status status = tacos_learner_load_from(&learner, read_some, &reading, &limited, &err);
    if (status == TACOS_OK)
        use(learner);
    else
        check_failure(status, &err);
    tacos_learner_free(learner);
}

static void load_file(const uint8_t *bytes, size_t n) {
    FuzzFile file = file_of(bytes, n);
    tacos_learner *learner;
    (void)tacos_learner_load(&learner, file.path, &limited, NULL);
    tacos_learner_free(learner);
    file_end(&file);
}

/* The parts after the header follow from the configuration in it. */
static void repair_weights(Repair *repair, const char *text) {
    tacos_config *config;
    tacos_learner *learner = NULL;
    HOLDS(tacos_config_new(&config, NULL) == TACOS_OK);
    if (tacos_config_parse(config, text, "fuzz", NULL) == TACOS_OK &&
        tacos_learner_new(&learner, config, 1, &limited, NULL) == TACOS_OK)
        repair_layers(repair, learner);
    tacos_learner_free(learner);
    tacos_config_free(config);
}

static void repair_all(uint8_t *bytes, size_t n) {
    Repair repair = {bytes, n, 0};
    if (n < BEFORE_TEXT)
        return;
    size_t n_text = bytes[24] | (size_t)bytes[25] << 8;
    bytes[26] = bytes[27] = 0;
    if (n_text > n - BEFORE_TEXT)
        return;
    char *text = text_of(bytes + BEFORE_TEXT, n_text);
    repair_part(&repair, BEFORE_TEXT + n_text);
    repair_weights(&repair, text);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    uint8_t *copy = malloc(n + 1);
    HOLDS(copy);
    memcpy(copy, bytes, n);
    load(bytes, n);
    repair_all(copy, n);
    load(copy, n);
    load_file(copy, n);
    free(copy);
    return 0;
}
