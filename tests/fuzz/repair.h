/* repair.h - files with sums over their parts: nothing but luck would make those right, so targets
 * try an input as it is, and then with its sums repaired. */
#ifndef FUZZ_REPAIR_H
#define FUZZ_REPAIR_H

#include "columns/pack.h"
#include "fuzz.h"
#include "net/learner.h"

typedef struct Repair {
    uint8_t *bytes; /* [n] */
    size_t n, at;   /* where the next part begins */
} Repair;

/* Put the sum of the next n_part bytes behind them, if there is room for it. */
static inline void repair_part(Repair *repair, uint64_t n_part) {
    if (repair->n < 4 || repair->at > repair->n - 4 || n_part > repair->n - 4 - repair->at) {
        repair->at = repair->n;
        return;
    }
    uint32_t sum = crc_add(0, repair->bytes + repair->at, (size_t)n_part);
    repair->at += (size_t)n_part;
    for (size_t k = 0; k < 4; k++)
        repair->bytes[repair->at++] = (uint8_t)(sum >> (8 * k));
}

/* The parts of columns: places, and units. */
static inline void repair_columns(Repair *repair, const Columns *columns) {
    size_t n_outputs = columns->n_outputs;
    uint64_t places = 4 * n_outputs + columns->geometry.n_places * (12 + 4 * n_outputs);
    repair_part(repair, places);
    repair_part(repair, columns_packed_bytes(columns) - places - 2 * 4);
}

/* The parts of a learner's layers, or of columns. */
static inline void repair_learned(Repair *repair, tacos_learner *learner) {
    if (learner_is_columns(learner)) {
        repair_columns(repair, &learner->columns);
        return;
    }
    tacos_shape shape = tacos_learner_shape(learner);
    for (size_t l = 0; l < shape.n_layers; l++) {
        tacos_layer_view view;
        HOLDS(tacos_learner_layer(learner, l, &view, NULL) == TACOS_OK);
        repair_part(repair, 4 * view.n_pre * view.n_post);
        if (view.w_ref)
            repair_part(repair, 4 * view.n_pre * view.n_post);
        if (view.m_steps)
            repair_part(repair, 2 * view.n_pre * view.n_post);
        if (l + 1 < shape.n_layers)
            repair_part(repair, 4 * params_feedback_rows(&learner->net.params) * view.n_post);
    }
}

/* Learners get so much memory. */
enum { LIMIT_BYTES = 1 << 20 };

static inline void *limited_alloc(void *user, size_t n_bytes, size_t alignment) {
    (void)user;
    if (n_bytes > LIMIT_BYTES)
        return NULL;
    return aligned_alloc(alignment, (n_bytes + alignment - 1) / alignment * alignment);
}

static inline void limited_free(void *user, void *memory, size_t n_bytes) {
    (void)user;
    (void)n_bytes;
    free(memory);
}

static const tacos_allocator limited = {limited_alloc, limited_free, NULL};

/* A saved learner; the parts after the header follow from the configuration in it. False if that
 * is not one for a learner within the limit. */
static inline bool repair_learner(Repair *repair) {
    enum { LENGTH_AT = 24, BEFORE_TEXT = 28 };
    uint8_t *bytes = repair->bytes + repair->at;
    size_t n = repair->n - repair->at;
    tacos_config *config;
    tacos_learner *learner = NULL;
    if (n < BEFORE_TEXT)
        return false;
    size_t n_text = bytes[LENGTH_AT] | (size_t)bytes[LENGTH_AT + 1] << 8;
    bytes[LENGTH_AT + 2] = bytes[LENGTH_AT + 3] = 0;
    if (n_text > n - BEFORE_TEXT)
        return false;
    char *text = text_of(bytes + BEFORE_TEXT, n_text);
    repair_part(repair, BEFORE_TEXT + n_text);
    HOLDS(tacos_config_new(&config, NULL) == TACOS_OK);
    if (tacos_config_parse(config, text, "fuzz", NULL) == TACOS_OK &&
        tacos_learner_new(&learner, config, 1, &limited, NULL) == TACOS_OK)
        repair_learned(repair, learner);
    bool good = learner != NULL;
    tacos_learner_free(learner);
    tacos_config_free(config);
    free(text);
    return good;
}

#endif
