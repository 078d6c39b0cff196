/* learn.h - learns samples: one block of threads is one network. The steps are those of
 * src/net/sample.c, and the updates of synapses are as lazy as there.
 *
 * The state of the rows awake is in shared memory as far as it fits, that of the busiest rows
 * first. Everything else is in global memory, of which the caches hold most. */
#ifndef CUDA_LEARN_H
#define CUDA_LEARN_H

#include "cuda/outputs.h"

/* ---- a sample begins ---- */

DEVICE uint32_t is_awake(const Block *b, uint32_t a) {
    return room_u32(b, b->at->n_of)[a] > 0;
}

/* How often each active input spikes, and whether that suffices for m to grow (step 3). */
DEVICE void count_inputs(const Block *b) {
    const uint32_t *mask = room_u32(b, b->at->mask);
    uint32_t *n_of = room_u32(b, b->at->n_of);
    EACH (a, variables(b)->n_active) {
        uint32_t n = 0;
        float x = 0;
        for (uint32_t t = 0; t < b->at->n_steps; t++)
            if (bit_is_set(mask + t * b->at->input_words, a)) {
                x += b->net->trace[t];
                n++;
            }
        n_of[a] = n;
        room_u8(b, b->at->last)[a] = 0;
        room_u8(b, b->at->ready)[a] = x > b->net->layers[0].x_pre_min;
    }
}

/* The busiest inputs get the first slots. */
DEVICE void assign_slots(const Block *b) {
    const uint32_t *n_of = room_u32(b, b->at->n_of);
    uint32_t n = variables(b)->n_active;
    EACH (a, n) {
        uint32_t rank = 0;
        for (uint32_t other = 0; other < n; other++)
            rank += n_of[other] > n_of[a] || (n_of[other] == n_of[a] && other < a);
        room_u16(b, b->at->slot)[a] = (uint16_t)rank;
        room_u16(b, b->at->row_of)[rank] = room_u16(b, b->at->active)[a];
    }
}

/* Rows that will wake go through the samples that they slept through. */
DEVICE void rest_wakers(const Block *b) {
    const GpuLayer *layer = &b->net->layers[0];
    EACH_WARP (item, variables(b)->n_active * layer->chunks) {
        uint32_t a = chunk_row(layer, item), c = (item - a * layer->chunks) * WARP + lane;
        uint32_t pre = room_u16(b, b->at->active)[a];
        if (c < layer->n_post && is_awake(b, a) && layer->moved[pre] &&
            layer->rested[pre] < b->net->n_rests)
            row_rest(b, layer, pre, c, layer->slept, layer->rested[pre], b->net->n_rests);
    }
}

/* known[t] = the sum of w_ref of the rows that spike at step t. */
DEVICE void sum_known(const Block *b, const uint16_t *events) {
    const GpuLayer *layer = &b->net->layers[0];
    const uint32_t *at = room_u32(b, b->at->at);
    const uint16_t *active = room_u16(b, b->at->active);
    EACH_WARP (item, b->at->n_steps * layer->chunks) {
        uint32_t t = chunk_row(layer, item), c = (item - t * layer->chunks) * WARP + lane;
        float sum = 0;
        if (c < layer->n_post) {
            for (uint32_t k = at[t]; k < at[t + 1]; k++)
                sum += layer->w_ref[active[events[k]] * layer->n_post + c];
            layer->known[t * layer->n_post + c] = sum;
        }
    }
}

DEVICE void wake_inputs(const Block *b) {
    const GpuLayer *layer = &b->net->layers[0];
    EACH_WARP (item, variables(b)->n_active * layer->chunks) {
        uint32_t slot = chunk_row(layer, item), c = (item - slot * layer->chunks) * WARP + lane;
        /* Slots are in order of spikes; those without any are last. */
        if (c < layer->n_post && slot < variables(b)->n_awake)
            row_wake(b, 0, slot, room_u16(b, b->at->row_of)[slot], c);
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

/* The rows that spike at step t, by one warp. Global events were listed at the begin. */
DEVICE void plan_step(const Block *b, uint32_t t, uint32_t lane) {
    const uint32_t *at = room_u32(b, b->at->at);
    Entry *list = room_u32(b, b->at->list[t & 1]);
    uint8_t *last = room_u8(b, b->at->last);
    for (uint32_t k = at[t] + lane; k < at[t + 1]; k += WARP) {
        uint32_t a = b->net->events[k], slot = room_u16(b, b->at->slot)[a], stage = NO_STAGE;
        if (slot >= b->at->near[0]) {
            stage = ADD(&variables(b)->n_staged[t & 1], 1);
            stage = stage < b->at->stage_rows ? stage : NO_STAGE;
        }
        list[k - at[t]] = entry_make(slot, last[a], stage);
        last[a] = (uint8_t)(t + 1);
    }
}

DEVICE Input learn_input(const Block *b, const GpuTask *task, const GpuSample *sample) {
    const GpuNetwork *net = b->net;
    Input in = {net,
                task->pixels + (size_t)sample->image * net->n_inputs,
                net->order && sample->task > 0 ? net->order + (sample->task - 1) * net->n_inputs : 0,
                room_u32(b, b->at->words),
                room_u16(b, b->at->active),
                &variables(b)->n_active,
                room_u32(b, b->at->mask),
                b->at->input_words,
                room_u32(b, b->at->at)};
    return in;
}

DEVICE void learn_begin(const Block *b, const GpuTask *task, const GpuSample *sample) {
    Variables *vars = variables(b);
    Input in = learn_input(b, task, sample);
    FIRST_THREAD {
        vars->n_awake = 0;
        vars->n_staged[0] = vars->n_staged[1] = 0;
    }
    input_find(&in, b->at->input_words);
    input_draw(&in, RNG_INPUT, b->net->n_learned);
    draw_labels(b);
    clear_neurons(b);
    BARRIER;
    count_inputs(b);
    input_count(&in);
    assign_slots(b);
    EACH (a, vars->n_active)
        ADD(&vars->n_awake, is_awake(b, a));
    bool fits = in.at[b->at->n_steps] <= b->at->n_events;
    input_list(&in, fits ? room_u16(b, b->at->events) : 0, b->net->events);
    if (b->decays) {
        rest_wakers(b);
        BARRIER;
        if (fits)
            sum_known(b, room_u16(b, b->at->events));
        else
            sum_known(b, b->net->events);
    }
    BARRIER;
    wake_inputs(b);
    EACH_WARP (only, 1) {
        (void)only;
        plan_step(b, 0, lane);
    }
    BARRIER;
}

/* ---- a step ---- */

/* Rows pay what they owe; v of far rows is put where the sum finds it. */
DEVICE void pay_inputs(const Block *b, uint32_t t) {
    const GpuLayer *layer = &b->net->layers[0];
    const uint32_t *at = room_u32(b, b->at->at);
    const Entry *list = room_u32(b, b->at->list[t & 1]);
    EACH_WARP (item, (at[t + 1] - at[t]) * layer->chunks) {
        uint32_t k = chunk_row(layer, item), c = (item - k * layer->chunks) * WARP + lane;
        Entry e = list[k];
        if (c < layer->n_post) {
            uint32_t slot = entry_slot(e), stage = entry_stage(e);
            float v = row_pay(b, 0, slot, room_u16(b, b->at->row_of)[slot], entry_line(e), t + 1, c);
            if (stage != NO_STAGE)
                room_float(b, b->at->stage)[stage * layer->n_post + c] = v;
        }
    }
}

DEVICE float input_v(const Block *b, Entry e, uint32_t c) {
    const GpuLayer *layer = &b->net->layers[0];
    uint32_t slot = entry_slot(e), stage = entry_stage(e), n = layer->n_post;
    if (slot < b->at->near[0])
        return room_float(b, b->at->rows_v[0])[slot * n + c];
    if (stage != NO_STAGE)
        return room_float(b, b->at->stage)[stage * n + c];
    return layer->far_v[(slot - b->at->near[0]) * n + c];
}

DEVICE float sum_inputs(const Block *b, uint32_t t, uint32_t c) {
    const GpuLayer *layer = &b->net->layers[0];
    const uint32_t *at = room_u32(b, b->at->at);
    const Entry *list = room_u32(b, b->at->list[t & 1]);
    uint32_t n = at[t + 1] - at[t];
    float sum = b->decays ? layer->known[t * layer->n_post + c] : 0;
    for (uint32_t k = 0; k < n; k++)
        sum += input_v(b, list[k], c);
    return sum;
}

/* A row of a later hidden layer wakes at its first spike of a sample, which is when its line is 0. */
DEVICE void pay_hidden(const Block *b, uint32_t l, uint32_t t, uint32_t n_spikes) {
    const GpuLayer *layer = &b->net->layers[l];
    const Entry *list = room_u32(b, b->at->hidden[l - 1].list);
    EACH_WARP (item, n_spikes * layer->chunks) {
        uint32_t k = chunk_row(layer, item), c = (item - k * layer->chunks) * WARP + lane;
        uint32_t pre = entry_slot(list[k]), line = entry_line(list[k]);
        if (c < layer->n_post) {
            if (line == 0)
                row_wake(b, l, pre, pre, c);
            row_pay(b, l, pre, pre, line, t + 1, c);
        }
    }
}

DEVICE float sum_hidden(const Block *b, uint32_t l, uint32_t c, uint32_t n_spikes) {
    const GpuLayer *layer = &b->net->layers[l];
    const Entry *list = room_u32(b, b->at->hidden[l - 1].list);
    uint32_t n = layer->n_post, near = b->at->near[l];
    const float *near_v = room_float(b, b->at->rows_v[l]);
    float sum = 0;
    if (b->decays)
        for (uint32_t k = 0; k < n_spikes; k++)
            sum += layer->w_ref[entry_slot(list[k]) * n + c];
    for (uint32_t k = 0; k < n_spikes; k++) {
        uint32_t pre = entry_slot(list[k]);
        sum += pre < near ? near_v[pre * n + c] : layer->far_v[(pre - near) * n + c];
    }
    return sum;
}

/* Step 2 and 3 of hidden neuron c. */
DEVICE bool fire_hidden(const Block *b, uint32_t l, uint32_t t, uint32_t c, float input) {
    const HiddenRoom *h = &b->at->hidden[l];
    const GpuLayer *layer = &b->net->layers[l];
    uint32_t n = layer->n_post, ring = b->at->ring - 1;
    float *count = room_float(b, h->count);
    Membrane m = {room_float(b, h->i)[c], room_float(b, h->v)[c],
                  (int32_t)room_u32(b, h->hold)[c]};
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

/* All of layer l; meanwhile a warp plans the first layer's next step. */
DEVICE void fire_layer(const Block *b, uint32_t l, uint32_t t, uint32_t n_spikes) {
    const GpuLayer *layer = &b->net->layers[l];
    uint32_t *bits = room_u32(b, b->at->hidden[l].bits);
    bool plans = l == 0 && t + 1 < b->at->n_steps;
    EACH_WARP (item, layer->chunks + (plans ? 1 : 0)) {
        uint32_t c = item * WARP + lane;
        bool spikes = false;
        if (item == layer->chunks) {
            plan_step(b, t + 1, lane);
            continue;
        }
        if (c < layer->n_post)
            spikes = fire_hidden(b, l, t, c,
                                 l == 0 ? sum_inputs(b, t, c) : sum_hidden(b, l, c, n_spikes));
        VOTE(bits[item], spikes);
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
            room_u32(b, h->list)[bits_before(bits, c)] = entry_make(c, last[c], NO_STAGE);
            last[c] = (uint8_t)(t + 1);
        }
}

/* What the last hidden layer sends to the outputs. */
DEVICE void pay_outputs(const Block *b, uint32_t t) {
    uint32_t l = b->at->n_layers - 2, n = b->at->n_outputs;
    const HiddenRoom *h = &b->at->hidden[l];
    const GpuLayer *layer = output_layer(b);
    const uint32_t *bits = room_u32(b, h->bits);
    uint8_t *last = room_u8(b, h->last);
    EACH (c, b->at->width[l])
        if (bit_is_set(bits, c)) {
            uint32_t k = bits_before(bits, c);
            if (last[c] == 0)
                output_wake(b, c);
            for (uint32_t o = 0; o < n; o++) {
                room_float(b, b->at->out_staged)[k * n + o] = output_pay(b, c, o, last[c], t + 1);
                if (b->decays)
                    room_float(b, b->at->out_ref)[k * n + o] = layer->w_ref[c * n + o];
            }
            last[c] = (uint8_t)(t + 1);
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
        float d = neuron_feel(&room_float(b, h->u)[c], error, room_float(b, h->i)[c],
                              &layer->neuron);
        room_float(b, h->drive)[((t + 1) & (b->at->ring - 1)) * n + c] = d;
        layer->drive[(t + 1) * n + c] = d;
        room_u32(b, h->n_moved)[c] += d != 0 ? n_visits : 0;
    }
}

DEVICE void learn_step(const Block *b, uint32_t t, uint32_t target) {
    const uint32_t *at = room_u32(b, b->at->at);
    uint32_t n_hidden = b->at->n_layers - 1;
    pay_inputs(b, t);
    BARRIER;
    FIRST_THREAD variables(b)->n_staged[t & 1] = 0;
    fire_layer(b, 0, t, 0);
    BARRIER;
    for (uint32_t l = 1; l < n_hidden; l++) {
        uint32_t n_spikes = count_spikes(b, l - 1);
        list_hidden(b, l - 1, t);
        BARRIER;
        pay_hidden(b, l, t, n_spikes);
        BARRIER;
        fire_layer(b, l, t, n_spikes);
        BARRIER;
    }
    pay_outputs(b, t);
    BARRIER;
    EACH (o, b->at->n_outputs)
        output_step(b, o, t, target);
    BARRIER;
    for (uint32_t l = 0; l < n_hidden; l++)
        feel_layer(b, l, t, l == 0 ? at[t + 1] - at[t] : count_spikes(b, l - 1));
    BARRIER;
}

/* ---- a sample ends ---- */

DEVICE bool hidden_is_ready(const Block *b, uint32_t l, uint32_t c) {
    return room_float(b, b->at->hidden[l].x)[c] > b->net->layers[l].x_post_min;
}

/* Rows awake pay the rest and sleep. */
DEVICE void sleep_inputs(const Block *b) {
    const GpuLayer *layer = &b->net->layers[0];
    bool grows = b->plastic && b->net->n_learned % layer->m_every == 0;
    EACH_WARP (item, variables(b)->n_active * layer->chunks) {
        uint32_t a = chunk_row(layer, item), c = (item - a * layer->chunks) * WARP + lane;
        uint32_t line = room_u8(b, b->at->last)[a], pre = room_u16(b, b->at->active)[a];
        if (line > 0 && c < layer->n_post) {
            float v =
                row_pay(b, 0, room_u16(b, b->at->slot)[a], pre, line, b->at->n_steps + 1, c);
            row_sleep(b, 0, pre, v,
                      grows && room_u8(b, b->at->ready)[a] && hidden_is_ready(b, 0, c), c);
            layer->moved[pre] = 1;
            layer->rested[pre] = (uint8_t)(b->net->n_rests + 1);
        }
    }
    EACH (c, layer->n_post)
        if (b->decays)
            layer->slept[b->net->n_rests * layer->n_post + c] =
                history_count(b, 0, b->at->n_steps + 1, b->at->n_steps + 1, c);
}

/* Rows of later layers that slept go through the sample at once. */
DEVICE void sleep_hidden(const Block *b, uint32_t l) {
    const GpuLayer *layer = &b->net->layers[l];
    const uint8_t *last = room_u8(b, b->at->hidden[l - 1].last);
    const float *x_pre = room_float(b, b->at->hidden[l - 1].x);
    uint32_t now = b->at->n_steps + 1;
    bool grows = b->plastic && b->net->n_learned % layer->m_every == 0;
    EACH_WARP (item, layer->n_pre * layer->chunks) {
        uint32_t pre = chunk_row(layer, item), c = (item - pre * layer->chunks) * WARP + lane;
        if (c < layer->n_post && last[pre] > 0)
            row_sleep(b, l, pre, row_pay(b, l, pre, pre, last[pre], now, c),
                      grows && x_pre[pre] > layer->x_pre_min && hidden_is_ready(b, l, c), c);
        else if (c < layer->n_post && b->decays && layer->moved[pre])
            row_rest(b, layer, pre, c, layer->count + now * layer->n_post, 0, 1);
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

/* One thread. */
DEVICE void add_tally(const Block *b) {
    GpuTally *tally = &b->net->tally;
    const Variables *vars = variables(b);
    uint32_t n_spikes = room_u32(b, b->at->at)[b->at->n_steps];
    tally->input_spikes += n_spikes;
    for (uint32_t l = 0; l + 1 < b->at->n_layers; l++) {
        const HiddenRoom *h = &b->at->hidden[l];
        uint64_t spikes = 0, moved = 0;
        for (uint32_t c = 0; c < b->at->width[l]; c++) {
            spikes += room_u32(b, h->n_spikes)[c];
            moved += room_u32(b, h->n_moved)[c];
        }
        tally->synaptic_events += (uint64_t)n_spikes * b->at->width[l];
        tally->hidden_spikes += spikes;
        tally->error_updates += moved;
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

DEVICE void learn_end(const Block *b) {
    uint32_t last_hidden = b->at->n_layers - 2;
    const GpuLayer *outputs = output_layer(b);
    sleep_inputs(b);
    for (uint32_t l = 1; l <= last_hidden; l++)
        sleep_hidden(b, l);
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
}

/* ---- a network ---- */

DEVICE void learn_all(const Block *b, const GpuTask *task) {
    FIRST_THREAD {
        *b->net = *task->net;
        tally_clear(&b->net->tally);
    }
    BARRIER;
    for (uint32_t k = 0; k < task->n; k++) {
        learn_begin(b, task, &task->samples[k]);
        for (uint32_t t = 0; t < b->at->n_steps; t++)
            learn_step(b, t, task->samples[k].target);
        learn_end(b);
        if (b->decays && (b->net->n_rests == GPU_RESTS_MAX || k + 1 == task->n))
            settle(b);
    }
    FIRST_THREAD {
        task->net->n_learned = b->net->n_learned;
        task->net->tally = b->net->tally;
    }
}

#endif
