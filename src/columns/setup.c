/* setup.c - the size and the constants of a columns learner, in whole numbers; shape.c computes the
 * same from parameters that may have a fraction. */
#include "columns/block.h"

#include <string.h>

enum { MILLION = 1000000 };

void setup_defaults(ColumnsSetup *setup) {
    memset(setup, 0, sizeof *setup);
    setup->channels = 1;
    setup->seed = 1;
    setup->match_step = 500;
    setup->inherit = 2000;
    setup->recycle = 8;
    setup->recycle_uses = 3;
    setup->trust = 300;
    setup->looks = 1;
    setup->look_cost = 10000;
}

/* ---- ranges ---- */

/* So that products and sums fit; those of the keys. */
static bool setup_holds(const ColumnsSetup *s) {
    uint32_t rows = s->height > 0 ? s->height : 1;
    bool fits = rows <= SETUP_INPUTS_MAX && s->width > 0 && s->width <= SETUP_INPUTS_MAX &&
                s->channels > 0 && s->channels <= SETUP_INPUTS_MAX &&
                (uint64_t)rows * s->width * s->channels <= SETUP_INPUTS_MAX;
    bool sizes = s->outputs > 0 && s->outputs <= SETUP_INPUTS_MAX && s->units > 0 &&
                 s->units <= SETUP_UNITS_MAX && s->cells <= 4096 && s->window <= 4096 &&
                 s->stride <= 4096 && s->places <= PLACES_MAX;
    bool shares = s->match <= MILLION && s->match_error <= MILLION &&
                  (s->match_error == 0 || s->match_error >= s->match) &&
                  s->match_step <= MILLION / 10 && s->trust <= MILLION && s->contrast <= MILLION &&
                  s->look_cost <= MILLION && s->inherit <= MILLION;
    bool choices = s->features <= COLUMN_VALUES && s->settle <= SETTLE_NONE && s->looks > 0 &&
                   s->looks <= 9 && s->recycle <= 1000 && (s->looks == 1 || s->height > 0) &&
                   (s->height > 0 || s->channels == 1);
    return fits && sizes && shares && choices;
}

/* ---- constants ---- */

/* 2^30 times a number of millionths. */
static int32_t share_of_match(uint32_t millionths) {
    return (int32_t)(((uint64_t)millionths << 30) / MILLION);
}

/* How sums are scaled so that the largest ones fit. */
static void setup_shifts(Columns *c) {
    const Geometry *g = &c->geometry;
    ColumnsRule *r = &c->rule;
    uint64_t part = g->edges ? CELL_SHARES * CELL_SHARES * 3 / 2 : 1,
             cells = g->map_high * g->map_wide;
    uint64_t most = (uint64_t)(g->height + g->map_high) * (g->width + g->map_wide) * part * 255;
    int shift = 0;
    for (; g->edges && most >= cells << (31 + shift); shift++)
        r->edge_shift++;
    for (; most >= cells << ((g->edges ? 24 : 15) + shift); shift++)
        r->root_shift++;
    for (; g->summed && most * g->n_summed >= cells << (15 + shift); shift++)
        r->sum_shift++;
}

/* (a / b)^2, rounded down. */
static uint64_t square_of_ratio(uint64_t a, uint64_t b) {
    uint64_t x = b; /* their greatest common divisor */
    for (uint64_t y = a; y > 0;) {
        uint64_t remains = x % y;
        x = y;
        y = remains;
    }
    a /= x;
    b /= x;
    uint64_t whole = a / b, rest = a % b;
    for (; b >> 31 > 0; b >>= 1)
        rest >>= 1;
    return whole * whole + (2 * whole * rest + rest * rest / b) / b;
}

/* Below what a place is silent: contrast times what a cell sums of full inputs, on average. */
static uint64_t setup_silence(const Columns *c, uint32_t contrast) {
    const Geometry *g = &c->geometry;
    int shift = c->rule.edge_shift + c->rule.root_shift + c->rule.sum_shift;
    uint64_t cells = (uint64_t)(g->map_high * g->map_wide) << shift;
    uint64_t sum = (uint64_t)g->height * g->width * 255;
    if (contrast == 0)
        contrast = g->edges ? 50 : 20000;
    if (!g->edges)
        return square_of_ratio(sum * contrast * g->n_values, cells * MILLION);
    uint64_t window =
        g->window_high * g->window_wide; /* 256 / 15625 is 256 CELL_SHARES^2 / MILLION */
    return 256 * sum * contrast * window / (cells * 15625);
}

void setup_rule(Columns *c, const ColumnsSetup *s) {
    const uint64_t ln2 = 6096987078286; /* 2^43 ln(2) */
    ColumnsRule *r = &c->rule;
    memset(r, 0, sizeof *r);
    columns_take_norm(c);
    setup_shifts(c);
    r->silence = setup_silence(c, s->contrast);
    r->match = s->match > 0 ? share_of_match(s->match) : columns_default_match(c);
    r->error_gap = 65536 / 2; /* halfway to 1 */
    if (s->match_error > 0 && r->match < MATCH_ONE) {
        uint64_t gap = ((uint64_t)(MILLION - s->match_error) << 40) / 15625;
        uint64_t part = gap / (uint64_t)(MATCH_ONE - r->match);
        r->error_gap = part < 65536 ? (uint32_t)part : 65536;
    }
    r->match_down = share_of_match(s->match_step);
    r->match_up = (int32_t)(((uint64_t)s->match_step << 30) / (9 * MILLION)); /* one in ten */
    r->look_cost = share_of_match(s->look_cost);
    r->inherit = s->inherit * 32 / 125; /* times 256 / 1000 */
    r->trust_rate =
        (uint32_t)((s->trust * ln2 + ((uint64_t)MILLION << 18)) / ((uint64_t)MILLION << 19));
}

/* ---- shape ---- */

bool setup_shape(Columns *out, const ColumnsSetup *s) {
    ColumnsParams *p = &out->params;
    memset(out, 0, sizeof *out);
    if (!setup_holds(s))
        return false;
    if (s->height > 0) {
        p->shape.n = 3;
        p->shape.value[0] = s->height;
        p->shape.value[1] = s->width;
        p->shape.value[2] = s->channels;
    }
    p->features = (int)s->features;
    p->cells = s->cells;
    p->window = s->window;
    p->stride = s->stride;
    p->places = s->places;
    p->group = 1;
    p->settle = (int)s->settle;
    p->recycle = s->recycle;
    p->recycle_uses = s->recycle_uses;
    p->looks = s->looks;
    size_t n_inputs = (size_t)(s->height > 0 ? s->height : 1) * s->width * s->channels;
    if (geometry_shape(&out->geometry, p, n_inputs, NULL) != TACOS_OK)
        return false;
    p->n_units = out->most_units = s->units;
    out->n_outputs = s->outputs;
    out->most_blocks = columns_count_blocks(out);
    out->n_bytes = columns_state_bytes(out);
    setup_rule(out, s);
    return true;
}
