/* roofline.c - converts counts to operations and bytes, and those to time. */
#include "bench/roofline.h"

/* ---- what one round of each loop costs ---- */

/* The loops of a training sample. A round is a block of KERNEL_LANES columns. */
typedef enum Loop {
    VISIT,     /* rows_visit: a row that spikes, and once more when the sample ends */
    SUM_KNOWN, /* steps_sum: w_ref of an input that spikes */
    SUM,       /* rows_add: w_ref of a hidden neuron that spikes */
    WAKE,      /* row_wake and row_sleep: a row, once per sample */
    REST,      /* row_rest: a sample that a row slept through */
    NEURON,    /* neurons_fire and neurons_feel: neurons, every step */
    DRAW,      /* draw: KERNEL_LANES inputs, four steps */
    N_LOOPS,
} Loop;

typedef struct Cost {
    double operations; /* on KERNEL_LANES floats at once */
    /* Bytes; what is changed moves in and, later, out again. */
    double read, changed;           /* of the working set, wherever it lives, */
    double near_read, near_changed; /* and of the first cache */
} Cost;

enum { BLOCK = KERNEL_LANES * sizeof(float), M_BLOCK = KERNEL_LANES * sizeof(uint16_t) };

/* Arithmetic, comparisons and conversions count as operations; loads and stores as bytes. */
static const Cost costs[N_LOOPS] = {
    /* Changes v and f, reads M. The lines of drive and count are those of the last few steps, which
     * all rows of a step share tile by tile. */
    [VISIT] = {12, BLOCK, 2 * BLOCK, 2 * BLOCK, 0},
    /* Goes through all steps by tiles that stay in the first cache. */
    [SUM_KNOWN] = {1, 0, 0, BLOCK, 0},
    [SUM] = {1, BLOCK, 0, 0, 0},
    /* Waking reads w, w_ref and m and writes v, f and M (a line that is written is fetched first);
     * sleeping reads v and changes w, w_ref and m. The exponential is 12 of the operations. */
    [WAKE] = {40, 3 * BLOCK + M_BLOCK, 5 * BLOCK + M_BLOCK, 0, 0},
    /* RESTS_MAX samples for one trip of w, w_ref and m; the lines of what is owed stay near. */
    [REST] = {31, (double)M_BLOCK / RESTS_MAX, 2.0 * BLOCK / RESTS_MAX, BLOCK, 0},
    /* Reads input, count and error; changes I, V, U and the refractory time, writes the next lines
     * of count and drive. */
    [NEURON] = {35, 0, 0, 3 * BLOCK, 6 * BLOCK},
    /* Ten rounds of Philox on 64-bit lanes, then four comparisons. */
    [DRAW] = {140, 0, 0, 0, 0},
};

/* ---- counting ---- */

static double blocks(const Network *net, size_t l) {
    return (double)net->layers[l].stride / KERNEL_LANES;
}

/* The counters have hidden spikes in one sum, and events = sum of spikes times synapses of each:
 * two equations, which two hidden layers need. */
void roofline_spikes(const Network *net, const tacos_counters *learned, double spikes[LAYERS_MAX]) {
    double hidden = (double)learned->hidden_spikes;
    spikes[0] = (double)learned->input_spikes;
    if (net->n_layers == 2)
        spikes[1] = hidden;
    if (net->n_layers == 3) {
        double n_first = (double)net->layers[0].n_post, n_second = (double)net->layers[1].n_post;
        double n_out = (double)net->layers[2].n_post;
        double events = (double)learned->synaptic_events - spikes[0] * n_first;
        spikes[1] = n_second > n_out ? (events - hidden * n_out) / (n_second - n_out) : hidden / 2;
        spikes[2] = hidden - spikes[1];
    }
}

/* Rounds of each loop in a sample. */
static void count_rounds(const Network *net, const RooflineCount *count, double rounds[N_LOOPS]) {
    double samples = (double)count->learned.samples, steps = (double)net->params.n_steps;
    double spikes[LAYERS_MAX] = {0};
    roofline_spikes(net, &count->learned, spikes);
    for (size_t l = 0; l < net->n_layers; l++) {
        double row = blocks(net, l) / samples;
        rounds[VISIT] += (spikes[l] + count->awake[l]) * row;
        rounds[l == 0 ? SUM_KNOWN : SUM] += spikes[l] * row;
        rounds[WAKE] += count->awake[l] * row;
        rounds[REST] += (count->moved[l] - count->awake[l]) * row;
        rounds[NEURON] += steps * blocks(net, l);
    }
    rounds[DRAW] = count->awake[0] / samples / KERNEL_LANES * steps / 4;
}

/* v, f and M of the rows awake, and beyond the first layer w_ref. */
double roofline_working_set(const Network *net, const RooflineCount *count) {
    double bytes = 0;
    for (size_t l = 0; l < net->n_layers; l++) {
        double awake = count->awake[l] / (double)count->learned.samples;
        bytes += awake * (l == 0 ? 3 : 4) * blocks(net, l) * BLOCK;
    }
    return bytes;
}

/* ---- time ---- */

Roofline roofline_sample(const Network *net, const RooflineCount *count,
                         const tacos_bench_peaks *peaks) {
    double rounds[N_LOOPS] = {0}, seconds = 0;
    Roofline line = {0};
    count_rounds(net, count, rounds);
    for (size_t k = 0; k < N_LOOPS; k++) {
        const Cost *cost = &costs[k];
        double changed = 2 * cost->changed, near_changed = 2 * cost->near_changed;
        line.operations += rounds[k] * cost->operations;
        line.bytes += rounds[k] * (cost->read + changed + cost->near_read + near_changed);
        seconds += rounds[k] * (cost->read / peaks->own_read_bytes_per_s +
                                changed / peaks->own_update_bytes_per_s +
                                cost->near_read / peaks->l1_read_bytes_per_s +
                                near_changed / peaks->l1_update_bytes_per_s);
    }
    line.compute_us = 1e6 * line.operations * KERNEL_LANES / peaks->fma_per_s;
    line.memory_us = 1e6 * seconds;
    return line;
}
