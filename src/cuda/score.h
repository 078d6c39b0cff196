/* score.h - predicts samples, as src/net/predict.c does: layer by layer through all steps. The
 * samples of a network are dealt to several blocks. */
#ifndef CUDA_SCORE_H
#define CUDA_SCORE_H

#include "cuda/input.h"
#include "cuda/lanes.h"

typedef struct ScoreBlock {
    unsigned char *room;
    const ScoreRoom *at;
    GpuNetwork *net;  /* a copy in shared memory */
    float *input;     /* [T][widest]: sums, in global memory */
    uint16_t *events; /* [T * n_inputs], likewise */
} ScoreBlock;

DEVICE float *score_float(const ScoreBlock *b, uint32_t at) {
    return (float *)(void *)(b->room + at);
}

DEVICE uint32_t *score_u32(const ScoreBlock *b, uint32_t at) {
    return (uint32_t *)(void *)(b->room + at);
}

DEVICE ScoreVariables *score_variables(const ScoreBlock *b) {
    return (ScoreVariables *)(void *)(b->room + b->at->variables);
}

/* ---- sums of rows, for all steps ---- */

/* Rows of inputs. */
DEVICE void sum_events(const ScoreBlock *b, const uint16_t *events) {
    const GpuLayer *layer = &b->net->layers[0];
    const uint32_t *at = score_u32(b, b->at->at);
    const uint16_t *active = (const uint16_t *)(const void *)(b->room + b->at->active);
    const float *rows = score_float(b, b->at->rows), *w = layer->w;
    uint32_t n = layer->n_post, chunks = layer->chunks, near = b->at->near;
    EACH_WARP (item, b->at->n_steps * chunks) {
        uint32_t t = chunk_row(layer, item);
        uint32_t c = (item - t * chunks) * WARP + lane;
        float sum = 0;
        if (c < n) {
            for (uint32_t k = at[t]; k < at[t + 1]; k++) {
                uint32_t a = events[k];
                sum += a < near ? rows[a * n + c] : w[active[a] * n + c];
            }
            b->input[t * n + c] = sum;
        }
    }
}

/* Rows of hidden neurons, of layer l; few columns are outputs. */
DEVICE float sum_bits(const GpuLayer *layer, const uint32_t *bits, uint32_t n_words, uint32_t c) {
    float sum = 0;
    for (uint32_t w = 0; w < n_words; w++)
        for (uint32_t left = bits[w]; left; left &= left - 1)
            sum += layer->w[(w * WARP + LOWEST_BIT(left)) * layer->n_post + c];
    return sum;
}

DEVICE void sum_hidden_bits(const ScoreBlock *b, uint32_t l) {
    const GpuLayer *layer = &b->net->layers[l];
    const uint32_t *bits = score_u32(b, b->at->bits[(l - 1) % 2]);
    uint32_t n = layer->n_post, words = b->net->layers[l - 1].chunks;
    float *input = l + 1 == b->at->n_layers ? score_float(b, b->at->out_input) : b->input;
    EACH (item, b->at->n_steps * n) {
        uint32_t t = item / n, c = item % n;
        input[t * n + c] = sum_bits(layer, bits + t * b->at->bit_words, words, c);
    }
}

/* ---- neurons through all steps ---- */

DEVICE void fire_steps(const ScoreBlock *b, uint32_t l) {
    const GpuLayer *layer = &b->net->layers[l];
    uint32_t n = layer->n_post, n_steps = b->at->n_steps;
    uint32_t *bits = score_u32(b, b->at->bits[l % 2]);
    NeuronRule rule = layer->neuron;
    EACH_WARP (word, layer->chunks) {
        uint32_t c = word * WARP + lane;
        Membrane m = {0, 0, 0};
        for (uint32_t t = 0; t < n_steps; t++) {
            bool spikes = neuron_fire(&m, c < n ? b->input[t * n + c] : 0, &rule);
            VOTE(bits[t * b->at->bit_words + word], spikes && c < n);
        }
    }
}

DEVICE void fire_outputs(const ScoreBlock *b, uint16_t *counts) {
    const GpuLayer *layer = &b->net->layers[b->at->n_layers - 1];
    const float *input = score_float(b, b->at->out_input);
    uint32_t n = layer->n_post;
    EACH (o, n) {
        Membrane m = {0, 0, 0};
        uint32_t count = 0;
        for (uint32_t t = 0; t < b->at->n_steps; t++)
            count += neuron_fire(&m, input[t * n + o], &layer->neuron);
        counts[o] = (uint16_t)count;
        ADD(&score_variables(b)->spikes[b->at->n_layers - 1], count);
    }
}

DEVICE void count_layer(const ScoreBlock *b, uint32_t l) {
    const uint32_t *bits = score_u32(b, b->at->bits[l % 2]);
    uint32_t words = b->net->layers[l].chunks;
    EACH (t, b->at->n_steps) {
        uint32_t n = 0;
        for (uint32_t w = 0; w < words; w++)
            n += POPCOUNT(bits[t * b->at->bit_words + w]);
        ADD(&score_variables(b)->spikes[l], n);
    }
}

/* ---- a sample ---- */

DEVICE void add_score_tally(const ScoreBlock *b) {
    GpuTally *tally = &b->net->tally;
    uint32_t n_spikes = score_u32(b, b->at->at)[b->at->n_steps];
    tally->input_spikes += n_spikes;
    for (uint32_t l = 0; l < b->at->n_layers; l++) {
        tally->synaptic_events += (uint64_t)n_spikes * b->net->layers[l].n_post;
        n_spikes = score_variables(b)->spikes[l];
        *(l + 1 < b->at->n_layers ? &tally->hidden_spikes : &tally->output_spikes) += n_spikes;
    }
}

DEVICE void score_rows(const ScoreBlock *b, const uint16_t *active, uint32_t n_active) {
    const GpuLayer *layer = &b->net->layers[0];
    uint32_t n = layer->n_post, near = n_active < b->at->near ? n_active : b->at->near;
    float *rows = score_float(b, b->at->rows);
    EACH_WARP (item, near * layer->chunks) {
        uint32_t a = chunk_row(layer, item);
        uint32_t c = (item - a * layer->chunks) * WARP + lane;
        if (c < n)
            rows[a * n + c] = layer->w[active[a] * n + c];
    }
}

DEVICE void score_input(const ScoreBlock *b, const GpuTask *task, const GpuSample *sample) {
    const GpuNetwork *net = b->net;
    Input in = {net,
                task->pixels + (size_t)sample->image * net->n_inputs,
                net->order && sample->task > 0 ? net->order + (sample->task - 1) * net->n_inputs
                                               : 0,
                score_u32(b, b->at->words),
                (uint16_t *)(void *)(b->room + b->at->active),
                &score_variables(b)->n_active,
                score_u32(b, b->at->mask),
                b->at->input_words,
                score_u32(b, b->at->at)};
    uint16_t *near_events = (uint16_t *)(void *)(b->room + b->at->events);
    input_find(&in, b->at->input_words);
    input_draw(&in, RNG_PREDICT, sample->image);
    BARRIER;
    input_count(&in);
    bool fits = in.at[b->at->n_steps] <= b->at->n_events;
    input_list(&in, fits ? near_events : b->events, 0);
    score_rows(b, in.active, *in.n_active);
    BARRIER;
    if (fits)
        sum_events(b, near_events);
    else
        sum_events(b, b->events);
    BARRIER;
}

DEVICE void score_sample(const ScoreBlock *b, const GpuTask *task, uint32_t k) {
    uint32_t last = b->at->n_layers - 1;
    FIRST_THREAD for (uint32_t l = 0; l <= last; l++) score_variables(b)->spikes[l] = 0;
    score_input(b, task, &task->samples[k]);
    for (uint32_t l = 0; l < last; l++) {
        fire_steps(b, l);
        BARRIER;
        count_layer(b, l);
        sum_hidden_bits(b, l + 1);
        BARRIER;
    }
    fire_outputs(b, task->counts + (size_t)k * b->at->n_outputs);
    BARRIER;
    FIRST_THREAD add_score_tally(b);
    BARRIER;
}

/* Block `part` of `n_parts` that share the samples of a network; its tally is written to *tally. */
DEVICE void score_all(const ScoreBlock *b, const GpuTask *task, uint32_t part, uint32_t n_parts,
                      GpuTally *tally) {
    FIRST_THREAD {
        *b->net = *task->net;
        tally_clear(&b->net->tally);
    }
    BARRIER;
    for (uint32_t k = part; k < task->n; k += n_parts)
        score_sample(b, task, k);
    FIRST_THREAD *tally = b->net->tally;
}

#endif
