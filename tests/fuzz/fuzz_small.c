/* fuzz_small.c - the state of a learner on a microcontroller, from an allocator that knows a limit;
 * what can be loaded learns, answers and is saved again as the same bytes. */
#include "base/little_endian.h"
#include "columns/block.h"
#include "fuzz_images.h"
#include "kernel/plan.h"
#include "repair.h"

typedef struct Bytes {
    const uint8_t *at;
    size_t left;
} Bytes;

static int compare(void *user, const void *bytes, size_t n) {
    Bytes *wanted = user;
    HOLDS(n <= wanted->left && memcmp(bytes, wanted->at, n) == 0);
    wanted->at += n;
    wanted->left -= n;
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
    HOLDS(tacos_learner_save_small(learner, write_nowhere, NULL, NULL) == TACOS_OK);
    free(intensity);
}

static bool is_spiking(const uint8_t *bytes, size_t n) {
    return n >= sizeof(PlanHeader) && memcmp(bytes, "TACOSSNN", 8) == 0;
}

/* Keys may have been written in another way than they are saved. */
static void load(const uint8_t *bytes, size_t n) {
    tacos_learner *learner;
    tacos_error err = {0};
    tacos_status status = tacos_learner_load_small(&learner, bytes, n, &limited, &err);
    if (status != TACOS_OK) {
        check_failure(status, &err);
        return;
    }
    Bytes wanted = {bytes, n};
    if (!is_spiking(bytes, n)) {
        HOLDS(tacos_learner_save_small(learner, compare, &wanted, NULL) == TACOS_OK);
        HOLDS(wanted.left == 0);
    }
    use(learner);
    tacos_learner_free(learner);
}

/* The sum of the constants, then those of the learner. */
static void repair_spiking(uint8_t *bytes, size_t n) {
    Repair repair = {bytes, n, 0};
    uint64_t plan = little_endian_get(bytes + offsetof(PlanHeader, plan_bytes), 4);
    if (plan < sizeof(PlanHeader) || plan > n)
        return;
    repair_part(&repair, plan - 4);
    (void)repair_learner(&repair);
}

/* The header's sum and length, then those of what follows from it. */
static void repair_all(uint8_t *bytes, size_t n) {
    Repair repair = {bytes, n, 0};
    ColumnsSetup setup;
    Columns columns;
    if (n < BLOCK_HEADER)
        return;
    for (size_t k = 0; k < 4; k++)
        bytes[12 + k] = (uint8_t)(n >> (8 * k));
    if (is_spiking(bytes, n)) {
        repair_spiking(bytes, n);
        return;
    }
    uint32_t fields[SETUP_FIELDS];
    for (size_t k = 0; k < SETUP_FIELDS; k++)
        fields[k] = (uint32_t)little_endian_get(bytes + 16 + 4 * k, 4);
    memcpy(&setup, fields, sizeof setup);
    repair_part(&repair, BLOCK_HEADER - 4);
    if (setup_shape(&columns, &setup))
        repair_columns(&repair, &columns);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    uint8_t *copy = malloc(n + 1);
    HOLDS(copy);
    memcpy(copy, bytes, n);
    load(bytes, n);
    repair_all(copy, n);
    load(copy, n);
    free(copy);
    return 0;
}
