/* setup_keys.h - the keys that mean the same as a device's setup. */
#ifndef TESTS_SETUP_KEYS_H
#define TESTS_SETUP_KEYS_H

#include "columns/setup.h"
#include "net/params.h"

/* The keys of a setup. */
static inline Params keys_of(const ColumnsSetup *s) {
    Params p;
    params_defaults(&p);
    p.model = columns_model;
    p.n_inputs = (size_t)(s->height > 0 ? s->height : 1) * s->width * s->channels;
    p.n_outputs = s->outputs;
    p.columns = (ColumnsParams){
        .shape = {s->height > 0 ? 3 : 0, {s->height, s->width, s->channels}},
        .features = (int)s->features,
        .cells = s->cells,
        .window = s->window,
        .stride = s->stride,
        .places = s->places,
        .group = 1,
        .n_units = s->units,
        .match = s->match / 1e6,
        .match_error = s->match_error / 1e6,
        .match_step = s->match_step / 1e6,
        .settle = (int)s->settle,
        .inherit = s->inherit / 1e3,
        .recycle = s->recycle,
        .recycle_uses = s->recycle_uses,
        .trust = s->trust / 1e6,
        .contrast = s->contrast / 1e6,
        .looks = s->looks,
        .look_cost = s->look_cost / 1e6,
    };
    return p;
}

#endif
