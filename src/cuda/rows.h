/* rows.h - rows of synapses of hidden layers: they wake, pay what they owe, sleep, rest. Each
 * function does 32 columns of a row. */
#ifndef CUDA_ROWS_H
#define CUDA_ROWS_H

#include "cuda/lanes.h"
#include "cuda/memory.h"

/* A block at work. */
typedef struct Block {
    unsigned char *room; /* shared memory */
    const LearnRoom *at; /* what is where in it */
    GpuNetwork *net;     /* a copy in shared memory */
    bool plastic, decays;
} Block;

/* What the loops over a layer's rows need, so that they need not look it up every time. */
typedef struct Rows {
    uint32_t l, n, chunks, chunks_inverse, near, merged_steps, ring;
    SynapseRule rule;
    float *v, *f, *drive, *count; /* in shared memory */
    uint16_t *code;
    float *far_v, *far_f;
    uint16_t *far_code;
    const float *far_drive, *far_count, *w_ref; /* w_ref: [n_pre][n], NULL without decays */
} Rows;

DEVICE float *room_float(const Block *b, uint32_t at) {
    return (float *)(void *)(b->room + at);
}

DEVICE uint32_t *room_u32(const Block *b, uint32_t at) {
    return (uint32_t *)(void *)(b->room + at);
}

DEVICE uint16_t *room_u16(const Block *b, uint32_t at) {
    return (uint16_t *)(void *)(b->room + at);
}

DEVICE uint8_t *room_u8(const Block *b, uint32_t at) {
    return (uint8_t *)(b->room + at);
}

DEVICE Variables *variables(const Block *b) {
    return (Variables *)(void *)(b->room + b->at->variables);
}

DEVICE Rows rows_of(const Block *b, uint32_t l) {
    const GpuLayer *layer = &b->net->layers[l];
    const HiddenRoom *h = &b->at->hidden[l];
    Rows rows = {l,
                 layer->n_post,
                 layer->chunks,
                 layer->chunks_inverse,
                 b->at->near[l],
                 layer->merged_steps,
                 b->at->ring,
                 layer->synapse,
                 room_float(b, b->at->rows_v[l]),
                 room_float(b, b->at->rows_f[l]),
                 room_float(b, h->drive),
                 room_float(b, h->count),
                 room_u16(b, b->at->rows_code[l]),
                 layer->far_v,
                 layer->far_f,
                 layer->far_code,
                 layer->drive,
                 layer->count,
                 layer->w_ref};
    return rows;
}

DEVICE uint32_t rows_item(const Rows *rows, uint32_t item) {
    return rows->chunks_inverse ? HIGH_PRODUCT(item, rows->chunks_inverse) : item;
}

/* ---- rows that spike at a step ---- */

DEVICE Entry entry_make(uint32_t slot, uint32_t line) {
    return slot | line << 16;
}

DEVICE uint32_t entry_slot(Entry e) {
    return e & 0xffff;
}

DEVICE uint32_t entry_line(Entry e) {
    return e >> 16;
}

/* ---- the state of a synapse awake ---- */

DEVICE AwakeSynapse awake_load(const Block *b, const Rows *rows, uint32_t slot, uint32_t c,
                               uint32_t *code) {
    AwakeSynapse s = {0, 1, 0};
    *code = 0;
    if (slot < rows->near) {
        uint32_t k = slot * rows->n + c;
        s.v = rows->v[k];
        if (b->plastic) {
            s.f = rows->f[k];
            *code = rows->code[k];
        }
    } else {
        uint32_t k = (slot - rows->near) * rows->n + c;
        s.v = rows->far_v[k];
        if (b->plastic) {
            s.f = rows->far_f[k];
            *code = rows->far_code[k];
        }
    }
    if (b->plastic)
        s.M = code_m(*code, &rows->rule);
    return s;
}

DEVICE void awake_store(const Block *b, const Rows *rows, uint32_t slot, uint32_t c,
                        const AwakeSynapse *s) {
    if (slot < rows->near) {
        uint32_t k = slot * rows->n + c;
        rows->v[k] = s->v;
        if (b->plastic)
            rows->f[k] = s->f;
    } else {
        uint32_t k = (slot - rows->near) * rows->n + c;
        rows->far_v[k] = s->v;
        if (b->plastic)
            rows->far_f[k] = s->f;
    }
}

DEVICE void awake_store_code(const Rows *rows, uint32_t slot, uint32_t c, uint16_t code) {
    if (slot < rows->near)
        rows->code[slot * rows->n + c] = code;
    else
        rows->far_code[(slot - rows->near) * rows->n + c] = code;
}

/* ---- histories: line 0 is before the sample ---- */

DEVICE float history_count(const Rows *rows, uint32_t line, uint32_t now, uint32_t c) {
    return line + rows->ring > now ? rows->count[(line & (rows->ring - 1)) * rows->n + c]
                                   : rows->far_count[line * rows->n + c];
}

DEVICE float history_drive(const Rows *rows, uint32_t line, uint32_t now, uint32_t c) {
    return line + rows->ring > now ? rows->drive[(line & (rows->ring - 1)) * rows->n + c]
                                   : rows->far_drive[line * rows->n + c];
}

/* ---- rows ---- */

/* Has a row whose last spike was at `line` waited too long for its decays to be merged with the
 * error? */
DEVICE bool is_late(bool decays, uint32_t merged_steps, uint32_t line, uint32_t now) {
    return decays && now > merged_steps && line < now - merged_steps;
}

/* The error of the spike at `line` with the first of its decays, then all others at once. */
DEVICE void synapse_catch_up(AwakeSynapse *s, float drive, float merged, float rest, float w_ref,
                             bool has_error, const SynapseRule *rule, bool plastic) {
    if (has_error && !synapse_visit(s, drive, merged, plastic, true))
        synapse_refresh(s, s->v + w_ref, lane_magnitude(s->M));
    synapse_decay(s, rest, w_ref, rule, plastic);
}

/* A synapse that pays what it owes since the line of its row's last spike. */
typedef struct Payment {
    AwakeSynapse s;
    uint32_t code;
    float drive, owed; /* the error, and the decays that are merged with it */
    float rest, w_ref; /* if it is late: all other decays */
    bool late, has_error;
} Payment;

DEVICE void payment_load_late(const Rows *rows, Payment *p, uint32_t pre, uint32_t line,
                              uint32_t now, uint32_t c) {
    uint32_t n = rows->n, merged = line > 0 ? line + rows->merged_steps : 0;
    float then = rows->far_count[merged * n + c];
    p->drive = rows->far_drive[line * n + c];
    p->owed = then - rows->far_count[line * n + c];
    p->rest = history_count(rows, now, now, c) - then;
    p->w_ref = rows->w_ref[pre * n + c];
}

/* Column c of row `pre` (in `slot`) from `line` to line `now`: everything that is read. */
DEVICE Payment payment_load(const Block *b, const Rows *rows, uint32_t slot, uint32_t pre,
                            uint32_t line, uint32_t now, uint32_t c) {
    Payment p = {{0, 0, 0}, 0, 0, 0, 0, 0, false, false};
    p.late = is_late(b->decays, rows->merged_steps, line, now);
    p.has_error = line > 0;
    p.s = awake_load(b, rows, slot, c, &p.code);
    if (p.late) {
        payment_load_late(rows, &p, pre, line, now, c);
    } else {
        p.drive = line > 0 ? history_drive(rows, line, now, c) : 0;
        if (b->decays)
            p.owed = history_count(rows, now, now, c) -
                     (line > 0 ? history_count(rows, line, now, c) : 0);
    }
    return p;
}

/* Computes it, and writes the result. */
DEVICE float payment_make(const Block *b, const Rows *rows, Payment *p, uint32_t slot, uint32_t pre,
                          uint32_t c) {
    float M = p->s.M;
    if (p->late) {
        synapse_catch_up(&p->s, p->drive, p->owed, p->rest, p->w_ref, p->has_error, &rows->rule,
                         b->plastic);
    } else if (!synapse_visit(&p->s, p->drive, p->owed, b->plastic, b->decays)) {
        float w = b->decays ? p->s.v + rows->w_ref[pre * rows->n + c] : p->s.v;
        synapse_refresh(&p->s, w, lane_magnitude(M));
    }
    awake_store(b, rows, slot, c, &p->s);
    if (b->plastic && (lane_bits(M) ^ lane_bits(p->s.M)) >> 31)
        awake_store_code(rows, slot, c, code_make(p->code, p->s.M));
    return p->s.v;
}

DEVICE float row_pay(const Block *b, const Rows *rows, uint32_t slot, uint32_t pre, uint32_t line,
                     uint32_t now, uint32_t c) {
    Payment p = payment_load(b, rows, slot, pre, line, now, c);
    return payment_make(b, rows, &p, slot, pre, c);
}

/* Samples that a row slept through. */
DEVICE void row_rest(const Block *b, const GpuLayer *layer, uint32_t pre, uint32_t c,
                     const float *slept, uint32_t from, uint32_t to) {
    uint32_t n = layer->n_post, k = pre * n + c;
    float w = layer->w[k], w_ref = layer->w_ref[k];
    float m = b->plastic ? code_m(layer->m_steps[k], &layer->synapse) : 0;
    for (uint32_t s = from; s < to; s++)
        synapse_rest(&w, &w_ref, m, slept[s * n + c], &layer->synapse, b->plastic);
    layer->w[k] = w;
    layer->w_ref[k] = w_ref;
}

DEVICE void row_wake(const Block *b, const Rows *rows, uint32_t slot, uint32_t pre, uint32_t c) {
    const GpuLayer *layer = &b->net->layers[rows->l];
    uint32_t k = pre * rows->n + c, steps = b->plastic ? layer->m_steps[k] : 0;
    float m = b->plastic ? code_m(steps, &rows->rule) : 0;
    AwakeSynapse s =
        synapse_wake(layer->w[k], b->decays ? rows->w_ref[k] : 0, m, b->plastic, b->decays);
    awake_store(b, rows, slot, c, &s);
    if (b->plastic)
        awake_store_code(rows, slot, c, code_make(steps, s.M));
}

/* The sample is over, and everything is paid. */
DEVICE void row_sleep(const Block *b, uint32_t l, uint32_t pre, float v, bool grows, uint32_t c) {
    GpuLayer *layer = &b->net->layers[l];
    uint32_t k = pre * layer->n_post + c;
    float w = v;
    if (b->decays) {
        float w_ref = layer->w_ref[k];
        w = v + w_ref;
        layer->w_ref[k] = lane_fma(layer->synapse.cons_rate, v, w_ref);
    }
    layer->w[k] = w;
    if (grows && layer->m_steps[k] < layer->synapse.m_ceiling)
        layer->m_steps[k]++;
}

#endif
