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

/* ---- rows that spike at a step ---- */

DEVICE Entry entry_make(uint32_t slot, uint32_t line, uint32_t stage) {
    return slot | line << 16 | stage << 24;
}

DEVICE uint32_t entry_slot(Entry e) {
    return e & 0xffff;
}

DEVICE uint32_t entry_line(Entry e) {
    return e >> 16 & 0xff;
}

DEVICE uint32_t entry_stage(Entry e) {
    return e >> 24;
}

/* ---- the state of a synapse awake ---- */

DEVICE AwakeSynapse awake_load(const Block *b, uint32_t l, uint32_t slot, uint32_t c,
                               uint32_t *code) {
    const GpuLayer *layer = &b->net->layers[l];
    AwakeSynapse s = {0, 1, 0};
    *code = 0;
    if (slot < b->at->near[l]) {
        uint32_t k = slot * layer->n_post + c;
        s.v = room_float(b, b->at->rows_v[l])[k];
        if (b->plastic) {
            s.f = room_float(b, b->at->rows_f[l])[k];
            *code = room_u16(b, b->at->rows_code[l])[k];
        }
    } else {
        uint32_t k = (slot - b->at->near[l]) * layer->n_post + c;
        s.v = layer->far_v[k];
        if (b->plastic) {
            s.f = layer->far_f[k];
            *code = layer->far_code[k];
        }
    }
    if (b->plastic)
        s.M = code_m(*code, &layer->synapse);
    return s;
}

DEVICE void awake_store(const Block *b, uint32_t l, uint32_t slot, uint32_t c,
                        const AwakeSynapse *s) {
    const GpuLayer *layer = &b->net->layers[l];
    if (slot < b->at->near[l]) {
        uint32_t k = slot * layer->n_post + c;
        room_float(b, b->at->rows_v[l])[k] = s->v;
        if (b->plastic)
            room_float(b, b->at->rows_f[l])[k] = s->f;
    } else {
        uint32_t k = (slot - b->at->near[l]) * layer->n_post + c;
        layer->far_v[k] = s->v;
        if (b->plastic)
            layer->far_f[k] = s->f;
    }
}

DEVICE void awake_store_code(const Block *b, uint32_t l, uint32_t slot, uint32_t c, uint16_t code) {
    const GpuLayer *layer = &b->net->layers[l];
    if (slot < b->at->near[l])
        room_u16(b, b->at->rows_code[l])[slot * layer->n_post + c] = code;
    else
        layer->far_code[(slot - b->at->near[l]) * layer->n_post + c] = code;
}

/* ---- histories: line 0 is before the sample ---- */

DEVICE float history_count(const Block *b, uint32_t l, uint32_t line, uint32_t now, uint32_t c) {
    const GpuLayer *layer = &b->net->layers[l];
    if (line + b->at->ring > now)
        return room_float(b, b->at->hidden[l].count)[(line & (b->at->ring - 1)) * layer->n_post + c];
    return layer->count[line * layer->n_post + c];
}

DEVICE float history_drive(const Block *b, uint32_t l, uint32_t line, uint32_t now, uint32_t c) {
    const GpuLayer *layer = &b->net->layers[l];
    if (line + b->at->ring > now)
        return room_float(b, b->at->hidden[l].drive)[(line & (b->at->ring - 1)) * layer->n_post + c];
    return layer->drive[line * layer->n_post + c];
}

/* ---- rows ---- */

/* Has the row of a spike at `line` waited too long for its decays to be merged with an error? */
DEVICE bool row_is_late(const Block *b, const GpuLayer *layer, uint32_t line, uint32_t now) {
    return b->decays && now > layer->merged_steps && line < now - layer->merged_steps;
}

/* The error of the spike at `line` with the first of its decays, then all others at once. */
DEVICE void synapse_catch_up(AwakeSynapse *s, float drive, float merged, float rest, float w_ref,
                             bool has_error, const SynapseRule *rule, bool plastic) {
    if (has_error && !synapse_visit(s, drive, merged, plastic, true))
        synapse_refresh(s, s->v + w_ref, lane_magnitude(s->M));
    synapse_decay(s, rest, w_ref, rule, plastic);
}

/* Column c of row `pre` (in `slot`) pays what it owes from `line` to line `now`. */
DEVICE float row_pay(const Block *b, uint32_t l, uint32_t slot, uint32_t pre, uint32_t line,
                     uint32_t now, uint32_t c) {
    const GpuLayer *layer = &b->net->layers[l];
    uint32_t n = layer->n_post, code;
    AwakeSynapse s = awake_load(b, l, slot, c, &code);
    const float *w_ref = b->decays ? layer->w_ref + pre * n + c : 0;
    bool refreshed = false;
    if (row_is_late(b, layer, line, now)) {
        uint32_t merged = line > 0 ? line + layer->merged_steps : 0;
        float sign = s.M;
        synapse_catch_up(&s, layer->drive[line * n + c],
                         layer->count[merged * n + c] - layer->count[line * n + c],
                         history_count(b, l, now, now, c) - layer->count[merged * n + c], *w_ref,
                         line > 0, &layer->synapse, b->plastic);
        refreshed = (lane_bits(sign) ^ lane_bits(s.M)) >> 31;
    } else {
        float drive = line > 0 ? history_drive(b, l, line, now, c) : 0;
        float owed = 0;
        if (b->decays)
            owed = history_count(b, l, now, now, c) -
                   (line > 0 ? history_count(b, l, line, now, c) : 0);
        if (!synapse_visit(&s, drive, owed, b->plastic, b->decays)) {
            synapse_refresh(&s, b->decays ? s.v + *w_ref : s.v, lane_magnitude(s.M));
            refreshed = true;
        }
    }
    awake_store(b, l, slot, c, &s);
    if (b->plastic && refreshed)
        awake_store_code(b, l, slot, c, code_make(code, s.M));
    return s.v;
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

DEVICE float row_wake(const Block *b, uint32_t l, uint32_t slot, uint32_t pre, uint32_t c) {
    const GpuLayer *layer = &b->net->layers[l];
    uint32_t k = pre * layer->n_post + c, steps = b->plastic ? layer->m_steps[k] : 0;
    float m = b->plastic ? code_m(steps, &layer->synapse) : 0;
    AwakeSynapse s =
        synapse_wake(layer->w[k], b->decays ? layer->w_ref[k] : 0, m, b->plastic, b->decays);
    awake_store(b, l, slot, c, &s);
    if (b->plastic)
        awake_store_code(b, l, slot, c, code_make(steps, s.M));
    return s.v;
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
