/* shape.c - from the parameters of a columns learner, which may have a fraction, to whole numbers;
 * setup.c does the same from whole numbers. */
#include "columns/columns.h"

#include "base/allocator.h"
#include "base/decimal.h"
#include "base/status.h"

/* ---- size ---- */

static tacos_status choose_units(Columns *c, tacos_error *err) {
    const double most = 1e8;
    size_t n_places = c->geometry.n_places;
    double bytes = c->params.memory_kb * 1000;
    c->most_units = c->params.n_units;
    if (c->most_units > 0)
        return TACOS_OK;
    double fixed = (double)columns_state_bytes(c) + 4; /* a block begun */
    double unit = (double)(c->geometry.n_values + 1 + c->n_outputs) + 4.0 / KERNEL_UNITS;
    double units = (bytes - fixed) / unit;
    if (!(units >= (double)n_places))
        return failure(err, TACOS_RANGE,
                       "column_memory_kb is %s; %zu places with at least a unit each need %s",
                       REAL(c->params.memory_kb), n_places,
                       REAL((double)(uint64_t)(fixed + (double)n_places * unit + 1) / 1000));
    c->most_units = (size_t)(units < most ? units : most);
    return TACOS_OK;
}

/* ---- constants ---- */

/* The largest sum of edges (or values) in a cell, in what one input gives. */
static double largest_sum(const Geometry *g) {
    double high = (double)g->height / (double)g->map_high + 1;
    double wide = (double)g->width / (double)g->map_wide + 1;
    return high * wide * (g->edges ? CELL_SHARES * CELL_SHARES * 1.5 : 1);
}

static uint64_t bounded(double x) {
    return x < 0x1p63 ? (uint64_t)x : (uint64_t)1 << 63;
}

/* The share of samples that recruit a unit, once all are in use: theta moves until it is this. */
static const double RECRUITS = 0.1;

/* How sums are scaled so that the largest ones fit, and below what a place is silent. */
static void scale_sums(Columns *c, const ColumnsTask *task) {
    const Geometry *g = &c->geometry;
    ColumnsRule *r = &c->rule;
    double d = (double)g->n_values, contrast = c->params.contrast;
    double full = task->full, most = largest_sum(g) * task->most, scale = 1;
    if (contrast == 0)
        contrast = g->edges ? 5e-5 : 0.02;
    r->smooth = g->edges && c->n_steps > 0;
    while (r->smooth && task->most * SMOOTH_SUM >> r->smooth_shift > UINT16_MAX)
        r->smooth_shift++;
    if (r->smooth) {
        full *= SMOOTH_SUM / (double)(1 << r->smooth_shift);
        most *= SMOOTH_SUM / (double)(1 << r->smooth_shift);
    }
    while (g->edges && most * scale >= 0x1p31) {
        r->edge_shift++;
        scale /= 2;
    }
    while (most * scale >= (g->edges ? 0x1p24 : 0x1p15)) {
        r->root_shift++;
        scale /= 2;
    }
    while (g->summed && most * scale * (double)g->n_summed >= 0x1p15) {
        r->sum_shift++;
        scale /= 2;
    }
    double inputs = (double)(g->height * g->width) / (double)(g->map_high * g->map_wide);
    double least = contrast * full * inputs * scale; /* of a cell */
    if (g->edges) /* 256 times the sum of what the roots were taken of */
        r->silence = bounded(256.0 * CELL_SHARES * CELL_SHARES * least *
                             (double)(g->window_high * g->window_wide));
    else /* D^2 times the variance */
        r->silence = bounded(d * d * least * least);
}

static void take_rule(Columns *c, const ColumnsTask *task) {
    const ColumnsParams *p = &c->params;
    ColumnsRule *r = &c->rule;
    columns_take_norm(c);
    scale_sums(c, task);
    r->match = p->match > 0 ? (int32_t)(p->match * MATCH_ONE) : columns_default_match(c);
    r->error_gap = 65536 / 2; /* halfway to 1 */
    if (p->match_error > 0 && r->match < MATCH_ONE)
        r->error_gap =
            (uint32_t)((1 - p->match_error) * MATCH_ONE / (MATCH_ONE - r->match) * 65536);
    r->error_gap = r->error_gap < 65536 ? r->error_gap : 65536;
    r->match_down = (int32_t)(p->match_step * MATCH_ONE);
    r->match_up = (int32_t)(p->match_step * RECRUITS / (1 - RECRUITS) * MATCH_ONE);
    r->look_cost = (int32_t)(p->look_cost * MATCH_ONE);
    r->inherit = (uint32_t)(p->inherit * 256);
    r->trust_rate = (uint32_t)(p->trust * 0.69314718055994531 / 256 * TRUST_ONE * 65536 + 0.5);
}

tacos_status columns_shape(Columns *out, const ColumnsParams *params, const ColumnsTask *task,
                           tacos_error *err) {
    *out = (Columns){.params = *params, .n_outputs = task->n_outputs, .n_steps = task->n_steps};
    TRY(geometry_shape(&out->geometry, params, task->n_inputs, err));
    if (params->looks > 1 && out->geometry.vector)
        return failure(err, TACOS_RANGE,
                       "column_looks = %zu needs an input_shape: a plain vector cannot be moved",
                       params->looks);
    TRY(choose_units(out, err));
    out->most_blocks = columns_count_blocks(out);
    out->n_bytes = columns_state_bytes(out);
    take_rule(out, task);
    return TACOS_OK;
}

bool columns_same_rule(const ColumnsRule *a, const ColumnsRule *b) {
    return a->norm2 == b->norm2 && a->norm == b->norm && a->silence == b->silence &&
           a->match == b->match && a->look_cost == b->look_cost && a->error_gap == b->error_gap &&
           a->match_down == b->match_down && a->match_up == b->match_up &&
           a->inherit == b->inherit && a->trust_rate == b->trust_rate && a->smooth == b->smooth &&
           a->smooth_shift == b->smooth_shift && a->edge_shift == b->edge_shift &&
           a->root_shift == b->root_shift && a->sum_shift == b->sum_shift;
}

/* ---- memory to predict in ---- */

tacos_status columns_scratch_new(ColumnsScratch **out, const Columns *columns, tacos_error *err) {
    Arena arena = {0};
    ColumnsScratch measured;
    (void)arena_take(&arena, 1, sizeof measured);
    columns_scratch_carve(&measured, columns, &arena);
    char *block = arena.overflow ? NULL : arena_default_alloc(NULL, arena.used, ARENA_ALIGN);
    if (!block)
        return failure(err, TACOS_MEMORY, "no memory to predict");
    arena = (Arena){.base = block};
    ColumnsScratch *scratch = arena_take(&arena, 1, sizeof *scratch);
    columns_scratch_carve(scratch, columns, &arena);
    *out = scratch;
    return TACOS_OK;
}

void columns_scratch_free(ColumnsScratch *scratch) {
    free(scratch);
}
