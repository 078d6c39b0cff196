/* learn.h - learns samples: one block of threads is one network. The steps are those of
 * src/net/sample.c, and the updates of synapses are as lazy as there.
 *
 * The state of the rows awake is in shared memory as far as it fits, that of the busiest rows
 * first. Everything else is in global memory, of which the caches hold most. */
#ifndef CUDA_LEARN_H
#define CUDA_LEARN_H

#include "cuda/outputs.h"

/* ---- a sample begins ---- */

DEVICE bool is_awake(const Block *b, uint32_t a) {
    return room_u16(b, b->at->n_of)[a] > 0;
}

/* How often each active input spikes. */
DEVICE void count_inputs(const Block *b) {
    const uint32_t *mask = room_u32(b, b->at->mask);
    EACH (a, variables(b)->n_active) {
        uint32_t n = 0;
        for (uint32_t t = 0; t < b->at->n_steps; t++)
            n += bit_is_set(mask + t * b->at->input_words, a);
        room_u16(b, b->at->n_of)[a] = (uint16_t)n;
    }
}

/* Does an active input spike enough for m to grow (step 3)? */
DEVICE bool input_is_ready(const Block *b, uint32_t a) {
    const uint32_t *mask = room_u32(b, b->at->mask);
    float x = 0;
    for (uint32_t t = 0; t < b->at->n_steps; t++)
        if (bit_is_set(mask + t * b->at->input_words, a))
            x += b->net->trace[t];
    return x > b->net->layers[0].x_pre_min;
}

/* The busiest inputs get the first slots. */
DEVICE void assign_slots(const Block *b) {
    const uint16_t *n_of = room_u16(b, b->at->n_of);
    uint32_t n = variables(b)->n_active;
    EACH (a, n) {
        uint32_t rank = 0;
        for (uint32_t other = 0; other < n; other++)
            rank += n_of[other] > n_of[a] || (n_of[other] == n_of[a] && other < a);
        room_u16(b, b->at->slot)[a] = (uint16_t)rank;
        room_u16(b, b->at->row_of)[rank] = room_u16(b, b->at->active)[a];
        room_u8(b, b->at->last)[rank] = 0;
        room_u8(b, b->at->ready)[rank] = b->plastic && input_is_ready(b, a);
        if (n_of[a] > 0)
            ADD(&variables(b)->n_awake, 1);
    }
}

/* Rows that will wake go through the samples that they slept through. */
DEVICE void rest_wakers(const Block *b) {
    const GpuLayer *layer = &b->net->layers[0];
    float *refs = room_float(b, b->at->refs);
    EACH_WARP (item, variables(b)->n_active * layer->chunks) {
        uint32_t a = chunk_row(layer, item), c = (item - a * layer->chunks) * WARP + lane;
        uint32_t pre = room_u16(b, b->at->active)[a], n = layer->n_post;
        if (c >= n || !is_awake(b, a))
            continue;
        if (layer->moved[pre] && layer->rested[pre] < b->net->n_rests)
            row_rest(b, layer, pre, c, layer->slept, layer->rested[pre], b->net->n_rests);
        if (a < b->at->n_refs)
            refs[a * n + c] = layer->w_ref[pre * n + c];
    }
}

/* known[t] = the sum of w_ref of the rows that spike at step t. */
DEVICE void sum_known(const Block *b, const uint16_t *events) {
    const GpuLayer *layer = &b->net->layers[0];
    const uint32_t *at = room_u32(b, b->at->at);
    const uint16_t *active = room_u16(b, b->at->active);
    const float *refs = room_float(b, b->at->refs), *w_ref = layer->w_ref;
    uint32_t n = layer->n_post, chunks = layer->chunks, n_refs = b->at->n_refs;
    float *known = layer->known;
    EACH_WARP (item, b->at->n_steps * chunks) {
        uint32_t t = chunk_row(layer, item), c = (item - t * chunks) * WARP + lane;
        uint32_t to = at[t + 1];
        float sum = 0;
        if (c >= n)
            continue;
        UNROLL(4)
        for (uint32_t k = at[t]; k < to; k++) {
            uint32_t a = events[k];
            sum += a < n_refs ? refs[a * n + c] : w_ref[active[a] * n + c];
        }
        known[t * n + c] = sum;
    }
}

/* Slots are in the order of spikes; rows without any have the last. */
DEVICE void wake_inputs(const Block *b, const Rows *rows) {
    EACH_WARP (item, variables(b)->n_awake * rows->chunks) {
        uint32_t slot = rows_item(rows, item), c = (item - slot * rows->chunks) * WARP + lane;
        if (c < rows->n)
            row_wake(b, rows, slot, room_u16(b, b->at->row_of)[slot], c);
    }
}

DEVICE void draw_labels(const Block *b) {
    const GpuNetwork *net = b->net;
    EACH (block, (b->at->n_steps + 3) / 4) {
        RngBlock r = rng_block(net->seed, RNG_LABEL, net->n_learned, block, 0);
        for (uint32_t i = 0; i < 4 && block * 4 + i < b->at->n_steps; i++)
            room_u8(b, b->at->labels)[block * 4 + i] = r.word[i] < net->label_odds;
    }
}

DEVICE void clear_neurons(const Block *b) {
    for (uint32_t l = 0; l + 1 < b->at->n_layers; l++) {
        const HiddenRoom *h = &b->at->hidden[l];
        uint32_t n = b->at->width[l];
        EACH (c, n) {
            room_float(b, h->i)[c] = room_float(b, h->v)[c] = room_float(b, h->u)[c] = 0;
            room_float(b, h->x)[c] = 0;
            room_u32(b, h->hold)[c] = room_u32(b, h->n_spikes)[c] = room_u32(b, h->n_moved)[c] = 0;
            room_u8(b, h->last)[c] = 0;
            /* Lines 0 and 1. */
            room_float(b, h->drive)[c] = room_float(b, h->count)[c] = 0;
            room_float(b, h->count)[n + c] = 0;
        }
    }
    EACH (o, b->at->n_outputs) {
        Variables *vars = variables(b);
        vars->i[o] = vars->v[o] = vars->u[o] = vars->x[o] = vars->v_fp[o] = vars->v_fn[o] = 0;
        vars->hold[o] = 0;
        vars->n_out_spikes[o] = vars->n_errors[o] = vars->n_moved[o] = 0;
        room_float(b, b->at->out_drive)[o] = room_float(b, b->at->out_count)[o] = 0;
        room_float(b, b->at->out_count)[b->at->n_outputs + o] = 0;
    }
}

/* The rows that spike at step t, by one warp. */
DEVICE void plan_step(const Block *b, uint32_t t, uint32_t lane) {
    const uint32_t *at = room_u32(b, b->at->at);
    Entry *list = room_u32(b, b->at->list);
    uint8_t *last = room_u8(b, b->at->last);
    for (uint32_t k = at[t] + lane; k < at[t + 1]; k += WARP) {
        uint32_t slot = b->net->events[k];
        list[k - at[t]] = entry_make(slot, last[slot]);
        last[slot] = (uint8_t)(t + 1);
    }
}

DEVICE Input learn_input(const Block *b, const GpuTask *task, const GpuSample *sample) {
    const GpuNetwork *net = b->net;
    Input in = {net,
                task->pixels + (size_t)sample->image * net->n_inputs,
                net->order && sample->task > 0 ? net->order + (sample->task - 1) * net->n_inputs
                                               : 0,
                room_u32(b, b->at->words),
                room_u16(b, b->at->active),
                &variables(b)->n_active,
                room_u32(b, b->at->mask),
                b->at->input_words,
                room_u32(b, b->at->at)};
    return in;
}

DEVICE void learn_begin(const Block *b, const Rows *rows, const GpuTask *task,
                        const GpuSample *sample) {
    Variables *vars = variables(b);
    Input in = learn_input(b, task, sample);
    FIRST_THREAD {
        vars->n_awake = 0;
        for (uint32_t l = 0; l < GPU_HIDDEN_MAX; l++)
            vars->n_hidden[l] = vars->n_hidden_moved[l] = 0;
    }
    input_find(&in, b->at->input_words);
    input_draw(&in, RNG_INPUT, b->net->n_learned);
    draw_labels(b);
    clear_neurons(b);
    BARRIER;
    count_inputs(b);
    input_count(&in);
    assign_slots(b);
    BARRIER;
    PROFILE(b, draw);
    bool fits = in.at[b->at->n_steps] <= b->at->n_events;
    if (b->decays) {
        input_list(&in, fits ? room_u16(b, b->at->events) : b->net->events, 0);
        rest_wakers(b);
        BARRIER;
        if (fits)
            sum_known(b, room_u16(b, b->at->events));
        else
            sum_known(b, b->net->events);
        BARRIER;
    }
    input_list(&in, b->net->events, room_u16(b, b->at->slot));
    BARRIER;
    PROFILE(b, known);
    wake_inputs(b, rows);
    EACH_WARP (only, 1) {
        (void)only;
        plan_step(b, 0, lane);
    }
    BARRIER;
    PROFILE(b, wake);
}

/* ---- a step ---- */

/* Rows pay what they owe; v is put where the sum finds it. A warp does two chunks at a time, so
 * that it reads the second while it waits for the first. */
DEVICE void pay_inputs(const Block *b, const Rows *rows, uint32_t t) {
    enum { AT_ONCE = 2 };
    const uint32_t *at = room_u32(b, b->at->at);
    const Entry *list = room_u32(b, b->at->list);
    const uint16_t *row_of = room_u16(b, b->at->row_of);
    float *stage = room_float(b, b->at->stage);
    uint32_t stage_rows = b->at->stage_rows, n_items = (at[t + 1] - at[t]) * rows->chunks;
    EACH_WARP (pair, (n_items + AT_ONCE - 1) / AT_ONCE) {
        Payment p[AT_ONCE];
        uint32_t k[AT_ONCE], c[AT_ONCE], slot[AT_ONCE];
        UNROLL(2)
        for (uint32_t i = 0; i < AT_ONCE; i++) {
            uint32_t item = pair * AT_ONCE + i;
            k[i] = rows_item(rows, item);
            c[i] = item < n_items ? (item - k[i] * rows->chunks) * WARP + lane : rows->n;
            slot[i] = item < n_items ? entry_slot(list[k[i]]) : 0;
            if (c[i] < rows->n)
                p[i] = payment_load(b, rows, slot[i], row_of[slot[i]], entry_line(list[k[i]]),
                                    t + 1, c[i]);
        }
        UNROLL(2)
        for (uint32_t i = 0; i < AT_ONCE; i++) {
            if (c[i] >= rows->n)
                continue;
            float v = payment_make(b, rows, &p[i], slot[i], row_of[slot[i]], c[i]);
            if (k[i] < stage_rows)
                stage[k[i] * rows->n + c[i]] = v;
        }
    }
}

DEVICE float rows_v(const Rows *rows, uint32_t slot, uint32_t c) {
    return slot < rows->near ? rows->v[slot * rows->n + c]
                             : rows->far_v[(slot - rows->near) * rows->n + c];
}

DEVICE float sum_inputs(const Block *b, const Rows *rows, uint32_t t, uint32_t c) {
    const uint32_t *at = room_u32(b, b->at->at);
    const Entry *list = room_u32(b, b->at->list);
    const float *stage = room_float(b, b->at->stage) + c;
    uint32_t n = at[t + 1] - at[t], n_staged = n < b->at->stage_rows ? n : b->at->stage_rows;
    float sum = b->decays ? b->net->layers[0].known[t * rows->n + c] : 0;
    UNROLL(8)
    for (uint32_t k = 0; k < n_staged; k++)
        sum += stage[k * rows->n];
    for (uint32_t k = n_staged; k < n; k++)
        sum += rows_v(rows, entry_slot(list[k]), c);
    return sum;
}

/* A row of a later hidden layer wakes at its first spike of a sample, which is when its line is 0.
 */
DEVICE void pay_hidden(const Block *b, const Rows *rows, uint32_t t, uint32_t n_spikes) {
    const Entry *list = room_u32(b, b->at->hidden[rows->l - 1].list);
    EACH_WARP (item, n_spikes * rows->chunks) {
        uint32_t k = rows_item(rows, item), c = (item - k * rows->chunks) * WARP + lane;
        uint32_t pre = entry_slot(list[k]), line = entry_line(list[k]);
        if (c >= rows->n)
            continue;
        if (line == 0)
            row_wake(b, rows, pre, pre, c);
        row_pay(b, rows, pre, pre, line, t + 1, c);
    }
}

DEVICE float sum_hidden(const Block *b, const Rows *rows, uint32_t c, uint32_t n_spikes) {
    const Entry *list = room_u32(b, b->at->hidden[rows->l - 1].list);
    float sum = 0;
    if (b->decays)
        for (uint32_t k = 0; k < n_spikes; k++)
            sum += rows->w_ref[entry_slot(list[k]) * rows->n + c];
    for (uint32_t k = 0; k < n_spikes; k++)
        sum += rows_v(rows, entry_slot(list[k]), c);
    return sum;
}

/* Step 2 and 3 of hidden neuron c. */
DEVICE bool fire_hidden(const Block *b, uint32_t l, uint32_t t, uint32_t c, float input) {
    const HiddenRoom *h = &b->at->hidden[l];
    const GpuLayer *layer = &b->net->layers[l];
    uint32_t n = layer->n_post, ring = b->at->ring - 1;
    float *count = room_float(b, h->count);
    Membrane m = {room_float(b, h->i)[c], room_float(b, h->v)[c], (int32_t)room_u32(b, h->hold)[c]};
    bool spikes = neuron_fire(&m, input, &layer->neuron);
    room_float(b, h->i)[c] = m.i;
    room_float(b, h->v)[c] = m.v;
    room_u32(b, h->hold)[c] = (uint32_t)m.hold;
    if (b->decays) {
        float next = count[((t + 1) & ring) * n + c] + (spikes ? layer->neuron.alpha : 0.0f);
        count[((t + 2) & ring) * n + c] = next;
        layer->count[(t + 2) * n + c] = next;
    }
    if (spikes) {
        room_float(b, h->x)[c] += b->net->trace[t];
        room_u32(b, h->n_spikes)[c]++;
    }
    return spikes;
}

DEVICE void fire_layer(const Block *b, const Rows *rows, uint32_t t, uint32_t n_spikes) {
    uint32_t l = rows->l, *bits = room_u32(b, b->at->hidden[l].bits);
    EACH_WARP (word, rows->chunks) {
        uint32_t c = word * WARP + lane;
        bool spikes = false;
        if (c < rows->n)
            spikes = fire_hidden(
                b, l, t, c, l == 0 ? sum_inputs(b, rows, t, c) : sum_hidden(b, rows, c, n_spikes));
        VOTE(bits[word], spikes);
    }
}

/* Number of spikes of hidden layer l at this step; every thread computes it. */
DEVICE uint32_t count_spikes(const Block *b, uint32_t l) {
    const uint32_t *bits = room_u32(b, b->at->hidden[l].bits);
    uint32_t n = 0;
    for (uint32_t w = 0; w < b->net->layers[l].chunks; w++)
        n += POPCOUNT(bits[w]);
    return n;
}

/* What hidden layer l sends to the next one. */
DEVICE void list_hidden(const Block *b, uint32_t l, uint32_t t) {
    const HiddenRoom *h = &b->at->hidden[l];
    const uint32_t *bits = room_u32(b, h->bits);
    uint8_t *last = room_u8(b, h->last);
    EACH (c, b->at->width[l])
        if (bit_is_set(bits, c)) {
            room_u32(b, h->list)[bits_before(bits, c)] = entry_make(c, last[c]);
            last[c] = (uint8_t)(t + 1);
        }
}

/* What the synapses of hidden neuron c send to the outputs, as the k-th at this step. */
DEVICE void pay_output(const Block *b, uint32_t c, uint32_t k, uint32_t line, uint32_t t) {
    const GpuLayer *layer = output_layer(b);
    uint32_t n = layer->n_post;
    if (line == 0)
        output_wake(b, c);
    for (uint32_t o = 0; o < n; o++) {
        room_float(b, b->at->out_staged)[k * n + o] = output_pay(b, c, o, line, t + 1);
        if (b->decays)
            room_float(b, b->at->out_ref)[k * n + o] = layer->w_ref[c * n + o];
    }
}

/* What the last hidden layer sends to the outputs; meanwhile a warp plans the next step. */
DEVICE void pay_outputs(const Block *b, uint32_t t) {
    uint32_t l = b->at->n_layers - 2, width = b->at->width[l];
    uint32_t chunks = b->net->layers[l].chunks;
    const uint32_t *bits = room_u32(b, b->at->hidden[l].bits);
    uint8_t *last = room_u8(b, b->at->hidden[l].last);
    EACH_WARP (item, chunks + (t + 1 < b->at->n_steps)) {
        uint32_t c = item * WARP + lane;
        if (item == chunks)
            plan_step(b, t + 1, lane);
        else if (c < width && bit_is_set(bits, c)) {
            pay_output(b, c, bits_before(bits, c), last[c], t);
            last[c] = (uint8_t)(t + 1);
        }
    }
    FIRST_THREAD variables(b)->n_spikes = count_spikes(b, l);
}

/* Steps 6 and 7 of hidden layer l, to which n_visits rows spoke at this step. */
DEVICE void feel_layer(const Block *b, uint32_t l, uint32_t t, uint32_t n_visits) {
    const HiddenRoom *h = &b->at->hidden[l];
    const GpuLayer *layer = &b->net->layers[l];
    const Variables *vars = variables(b);
    uint32_t n = layer->n_post;
    EACH (c, n) {
        float error = 0;
        for (uint32_t o = 0; o < b->at->n_outputs; o++) {
            if (vars->s_fp[o])
                error += 1.0f * layer->feedback[o * n + c];
            if (vars->s_fn[o])
                error += -1.0f * layer->feedback_fn[o * n + c];
        }
        float d =
            neuron_feel(&room_float(b, h->u)[c], error, room_float(b, h->i)[c], &layer->neuron);
        room_float(b, h->drive)[((t + 1) & (b->at->ring - 1)) * n + c] = d;
        layer->drive[(t + 1) * n + c] = d;
        room_u32(b, h->n_moved)[c] += d != 0 ? n_visits : 0;
    }
}

DEVICE void learn_step(const Block *b, const Rows *rows, uint32_t t, uint32_t target) {
    const uint32_t *at = room_u32(b, b->at->at);
    uint32_t n_hidden = b->at->n_layers - 1, n_inputs = at[t + 1] - at[t];
    pay_inputs(b, rows, t);
    BARRIER;
    PROFILE(b, pay);
    fire_layer(b, rows, t, 0);
    BARRIER;
    PROFILE(b, fire);
    for (uint32_t l = 1; l < n_hidden; l++) {
        uint32_t n_spikes = count_spikes(b, l - 1);
        Rows later = rows_of(b, l);
        list_hidden(b, l - 1, t);
        BARRIER;
        pay_hidden(b, &later, t, n_spikes);
        BARRIER;
        fire_layer(b, &later, t, n_spikes);
        BARRIER;
    }
    PROFILE(b, later);
    pay_outputs(b, t);
    BARRIER;
    PROFILE(b, outputs);
    EACH (o, b->at->n_outputs)
        output_step(b, o, t, target);
    BARRIER;
    PROFILE(b, errors);
    for (uint32_t l = 0; l < n_hidden; l++)
        feel_layer(b, l, t, l == 0 ? n_inputs : count_spikes(b, l - 1));
    BARRIER;
    PROFILE(b, feel);
}

/* ---- a sample ends ---- */

DEVICE bool hidden_is_ready(const Block *b, uint32_t l, uint32_t c) {
    return room_float(b, b->at->hidden[l].x)[c] > b->net->layers[l].x_post_min;
}

/* Rows awake pay the rest and sleep. */
DEVICE void sleep_inputs(const Block *b, const Rows *rows) {
    GpuLayer *layer = &b->net->layers[0];
    uint32_t now = b->at->n_steps + 1;
    bool grows = b->plastic && b->net->n_learned % layer->m_every == 0;
    EACH_WARP (item, variables(b)->n_awake * rows->chunks) {
        uint32_t slot = rows_item(rows, item), c = (item - slot * rows->chunks) * WARP + lane;
        uint32_t pre = room_u16(b, b->at->row_of)[slot];
        if (c >= rows->n)
            continue;
        float v = row_pay(b, rows, slot, pre, room_u8(b, b->at->last)[slot], now, c);
        row_sleep(b, 0, pre, v, grows && room_u8(b, b->at->ready)[slot] && hidden_is_ready(b, 0, c),
                  c);
        if (c > 0)
            continue;
        layer->moved[pre] = 1;
        layer->rested[pre] = (uint8_t)(b->net->n_rests + 1);
    }
    EACH (c, rows->n)
        if (b->decays)
            layer->slept[b->net->n_rests * rows->n + c] = history_count(rows, now, now, c);
}

/* Rows of later layers that slept go through the sample at once. */
DEVICE void sleep_hidden(const Block *b, const Rows *rows) {
    const GpuLayer *layer = &b->net->layers[rows->l];
    const HiddenRoom *before = &b->at->hidden[rows->l - 1];
    const uint8_t *last = room_u8(b, before->last);
    uint32_t now = b->at->n_steps + 1;
    bool grows = b->plastic && b->net->n_learned % layer->m_every == 0;
    EACH_WARP (item, layer->n_pre * rows->chunks) {
        uint32_t pre = rows_item(rows, item), c = (item - pre * rows->chunks) * WARP + lane;
        bool pre_grows = grows && room_float(b, before->x)[pre] > layer->x_pre_min;
        if (c >= rows->n)
            continue;
        if (last[pre] > 0)
            row_sleep(b, rows->l, pre, row_pay(b, rows, pre, pre, last[pre], now, c),
                      pre_grows && hidden_is_ready(b, rows->l, c), c);
        else if (b->decays && layer->moved[pre])
            row_rest(b, layer, pre, c, layer->count + now * rows->n, 0, 1);
    }
}

DEVICE void settle(const Block *b) {
    const GpuLayer *layer = &b->net->layers[0];
    EACH_WARP (item, layer->n_pre * layer->chunks) {
        uint32_t pre = chunk_row(layer, item), c = (item - pre * layer->chunks) * WARP + lane;
        if (c < layer->n_post && layer->moved[pre] && layer->rested[pre] < b->net->n_rests)
            row_rest(b, layer, pre, c, layer->slept, layer->rested[pre], b->net->n_rests);
    }
    BARRIER;
    EACH (pre, layer->n_pre)
        layer->rested[pre] = 0;
    FIRST_THREAD b->net->n_rests = 0;
    BARRIER;
}

DEVICE void count_hidden(const Block *b, uint32_t l) {
    EACH (c, b->at->width[l]) {
        ADD(&variables(b)->n_hidden[l], room_u32(b, b->at->hidden[l].n_spikes)[c]);
        ADD(&variables(b)->n_hidden_moved[l], room_u32(b, b->at->hidden[l].n_moved)[c]);
    }
}

/* One thread, after count_hidden. */
DEVICE void add_tally(const Block *b) {
    GpuTally *tally = &b->net->tally;
    const Variables *vars = variables(b);
    uint32_t n_spikes = room_u32(b, b->at->at)[b->at->n_steps];
    tally->input_spikes += n_spikes;
    for (uint32_t l = 0; l + 1 < b->at->n_layers; l++) {
        uint64_t spikes = vars->n_hidden[l];
        tally->synaptic_events += (uint64_t)n_spikes * b->at->width[l];
        tally->hidden_spikes += spikes;
        tally->error_updates += vars->n_hidden_moved[l];
        tally->decay_updates += b->decays ? spikes * b->net->layers[l].n_pre : 0;
        n_spikes = (uint32_t)spikes;
    }
    tally->synaptic_events += (uint64_t)n_spikes * b->at->n_outputs;
    for (uint32_t o = 0; o < b->at->n_outputs; o++) {
        tally->output_spikes += vars->n_out_spikes[o];
        tally->error_spikes += vars->n_errors[o];
        tally->error_updates += vars->n_moved[o];
        tally->decay_updates += b->decays ? vars->n_out_spikes[o] * output_layer(b)->n_pre : 0;
    }
}

DEVICE void learn_end(const Block *b, const Rows *rows) {
    uint32_t last_hidden = b->at->n_layers - 2;
    const GpuLayer *outputs = output_layer(b);
    sleep_inputs(b, rows);
    for (uint32_t l = 0; l <= last_hidden; l++)
        count_hidden(b, l);
    for (uint32_t l = 1; l <= last_hidden; l++) {
        Rows later = rows_of(b, l);
        sleep_hidden(b, &later);
    }
    EACH (c, b->at->width[last_hidden])
        output_end(b, c, room_u8(b, b->at->hidden[last_hidden].last)[c],
                   b->plastic &&
                       room_float(b, b->at->hidden[last_hidden].x)[c] > outputs->x_pre_min);
    BARRIER;
    for (uint32_t l = 1; l <= last_hidden; l++)
        EACH (pre, b->net->layers[l].n_pre)
            b->net->layers[l].moved[pre] |= room_u8(b, b->at->hidden[l - 1].last)[pre] > 0;
    FIRST_THREAD {
        add_tally(b);
        b->net->n_rests += b->decays;
        b->net->n_learned++;
    }
    BARRIER;
    PROFILE(b, sleep);
}

/* ---- a network ---- */

DEVICE void learn_all(const Block *b, const GpuTask *task) {
    FIRST_THREAD {
        *b->net = *task->net;
        tally_clear(&b->net->tally);
    }
    PROFILE(b, settle);
    BARRIER;
    Rows rows = rows_of(b, 0);
    for (uint32_t k = 0; k < task->n; k++) {
        learn_begin(b, &rows, task, &task->samples[k]);
        for (uint32_t t = 0; t < b->at->n_steps; t++)
            learn_step(b, &rows, t, task->samples[k].target);
        learn_end(b, &rows);
        if (b->decays && (b->net->n_rests == GPU_RESTS_MAX || k + 1 == task->n))
            settle(b);
        PROFILE(b, settle);
    }
    FIRST_THREAD {
        task->net->n_learned = b->net->n_learned;
        task->net->tally = b->net->tally;
#ifdef GPU_PROFILE
        for (uint32_t k = 0; k < PROFILE_PARTS; k++)
            task->net->cycles[k] = b->net->cycles[k];
#endif
    }
}

#endif
