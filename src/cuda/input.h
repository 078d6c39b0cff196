/* input.h - the input spikes of a sample, as net/encode.c draws them: which inputs are active, when
 * each of them spikes, and lists of those that spike at every step. */
#ifndef CUDA_INPUT_H
#define CUDA_INPUT_H

#include "base/philox.h"
#include "cuda/memory.h"

/* Where the spikes of a sample are put together; pointers to shared or global memory. */
typedef struct Input {
    const GpuNetwork *net;
    const uint8_t *pixels; /* [n_inputs] */
    const uint32_t *order; /* [n_inputs]: pixel of an input, or NULL */
    uint32_t *words;       /* [input_words]: which inputs are active */
    uint16_t *active;      /* [n_inputs]: these, ascending */
    uint32_t *n_active;
    uint32_t *mask; /* [T][mask_words]: which of the active inputs spike */
    uint32_t mask_words;
    uint32_t *at; /* [T + 1] */
} Input;

DEVICE uint64_t input_odds(const Input *in, uint32_t j) {
    return in->net->odds[in->pixels[in->order ? in->order[j] : j]];
}

/* The bits set before bit i of an array of words. */
DEVICE uint32_t bits_before(const uint32_t *words, uint32_t i) {
    uint32_t n = 0;
    for (uint32_t w = 0; w < i / WARP; w++)
        n += POPCOUNT(words[w]);
    return n + POPCOUNT(words[i / WARP] & ((1u << i % WARP) - 1));
}

DEVICE bool bit_is_set(const uint32_t *words, uint32_t i) {
    return words[i / WARP] >> i % WARP & 1;
}

/* Lists the active inputs. Ends with a barrier. */
DEVICE void input_find(const Input *in, uint32_t n_words) {
    uint32_t n = in->net->n_inputs;
    EACH_WARP (w, n_words) {
        uint32_t j = w * WARP + lane;
        VOTE(in->words[w], j < n && input_odds(in, j) > 0);
    }
    BARRIER;
    EACH (j, n) {
        if (bit_is_set(in->words, j))
            in->active[bits_before(in->words, j)] = (uint16_t)j;
    }
    FIRST_THREAD *in->n_active =
        bits_before(in->words, (n_words - 1) * WARP) + POPCOUNT(in->words[n_words - 1]);
    BARRIER;
}

/* Draws who spikes when: four steps of 32 inputs at a time. No barrier. */
DEVICE void input_draw(const Input *in, RngPurpose purpose, uint64_t sample) {
    uint32_t n = *in->n_active, n_steps = in->net->n_steps;
    uint32_t blocks = (n_steps + 3) / 4, words = (n + WARP - 1) / WARP;
    EACH_WARP (item, words * blocks) {
        uint32_t w = item / blocks, block = item % blocks, a = w * WARP + lane;
        uint32_t j = a < n ? in->active[a] : 0;
        uint64_t odds = a < n ? input_odds(in, j) : 0;
        RngBlock r = rng_block(in->net->seed, purpose, sample, block, j);
        for (uint32_t i = 0; i < 4; i++)
            if (block * 4 + i < n_steps)
                VOTE(in->mask[(block * 4 + i) * in->mask_words + w], r.word[i] < odds);
    }
}

/* at[] of all steps; at first how many spike, in the place of the step after. Ends with a barrier;
 * needs one before. */
DEVICE void input_count(const Input *in) {
    uint32_t n_steps = in->net->n_steps, words = (*in->n_active + WARP - 1) / WARP;
    uint32_t *n_spikes = in->at + n_steps + 1; /* [T] */
    EACH (t, n_steps) {
        uint32_t n = 0;
        for (uint32_t w = 0; w < words; w++)
            n += POPCOUNT(in->mask[t * in->mask_words + w]);
        n_spikes[t] = n;
    }
    BARRIER;
    EACH (t, n_steps + 1) {
        uint32_t sum = 0;
        for (uint32_t s = 0; s < t; s++)
            sum += n_spikes[s];
        in->at[t] = sum;
    }
    BARRIER;
}

/* The active inputs that spike, step by step, ascending; or their numbers, if `number` is not NULL.
 * No barrier. */
DEVICE void input_list(const Input *in, uint16_t *events, const uint16_t *number) {
    uint32_t words = (*in->n_active + WARP - 1) / WARP;
    EACH (item, words * in->net->n_steps) {
        uint32_t t = item / words, w = item % words, at = in->at[t];
        const uint32_t *mask = in->mask + t * in->mask_words;
        for (uint32_t k = 0; k < w; k++)
            at += POPCOUNT(mask[k]);
        for (uint32_t bits = mask[w]; bits; bits &= bits - 1, at++) {
            uint16_t a = (uint16_t)(w * WARP + LOWEST_BIT(bits));
            events[at] = number ? number[a] : a;
        }
    }
}

#endif
