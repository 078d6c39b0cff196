/* repair.h - files with sums over their parts: nothing but luck would make those right, so targets
 * try an input as it is, and then with its sums repaired. */
#ifndef FUZZ_REPAIR_H
#define FUZZ_REPAIR_H

#include "base/pack.h"
#include "fuzz.h"
#include "tacos.h"

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

/* The parts of a learner's layers. */
static inline void repair_layers(Repair *repair, tacos_learner *learner) {
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
            repair_part(repair, 4 * shape.n_outputs * view.n_post);
    }
}

#endif
