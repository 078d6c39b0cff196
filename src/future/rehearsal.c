/* rehearsal.c - relearns means of past samples, beyond the paper; then m may fall.
 *
 * For each output a running mean of its samples is kept: the probability that an input spikes in a
 * step. Here a class is an output: a learner with two outputs that is shown ten digits cannot know
 * that there are ten. With several means per output, each covers a period, from one rehearsal to
 * the next; when there are too many, the two most alike are merged. So a stream that comes in
 * blocks ends up as one mean per block, although nothing marks where blocks begin.
 *
 * A rehearsal shows every mean with its label as an ordinary sample, which the counters include.
 * Then the weights are consolidated (w_ref = w), and m loses part of its steps. */
#include "future/mechanisms.h"
#include "net/encode.h"

#include <string.h>

static float *mean_at(Network *net, size_t output, size_t k) {
    const Params *p = &net->params;
    return net->future.memory.means + (output * p->future.rehearsal_means + k) * p->n_inputs;
}

static uint64_t *n_of(Network *net, size_t output) {
    return net->future.memory.n + output * net->params.future.rehearsal_means;
}

void rehearsal_remember(Network *net, Scratch *scratch, size_t target) {
    const Events *events = &scratch->raster.events;
    size_t n_inputs = net->params.n_inputs, open = (size_t)net->future.memory.open[target];
    float *mean = mean_at(net, target, open), *shown = scratch->future.shown;
    float step = 1.0f / (float)++n_of(net, target)[open];
    memset(shown, 0, n_inputs * sizeof *shown);
    for (size_t k = 0; k < events->at[events->n_steps]; k++)
        shown[events->row[k]] += 1.0f;
    for (size_t j = 0; j < n_inputs; j++)
        mean[j] += step * (shown[j] / (float)events->n_steps - mean[j]);
}

static double distance(const float *a, const float *b, size_t n) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
        double d = (double)a[j] - (double)b[j];
        sum += d * d;
    }
    return sum;
}

typedef struct Pair {
    size_t a, b;
} Pair;

/* For an output whose means are all in use. */
static Pair most_alike(Network *net, size_t output) {
    Pair best = {0, 1};
    double least = -1;
    for (size_t a = 0; a + 1 < net->params.future.rehearsal_means; a++)
        for (size_t b = a + 1; b < net->params.future.rehearsal_means; b++) {
            double d =
                distance(mean_at(net, output, a), mean_at(net, output, b), net->params.n_inputs);
            if (least < 0 || d < least) {
                least = d;
                best = (Pair){a, b};
            }
        }
    return best;
}

/* a becomes the mean of both; the means after b move up. */
static void merge(Network *net, size_t output, Pair pair) {
    size_t n_inputs = net->params.n_inputs, last = net->params.future.rehearsal_means - 1;
    float *a = mean_at(net, output, pair.a), *b = mean_at(net, output, pair.b);
    uint64_t *n = n_of(net, output);
    float part = (float)((double)n[pair.b] / (double)(n[pair.a] + n[pair.b]));
    for (size_t j = 0; j < n_inputs; j++)
        a[j] += part * (b[j] - a[j]);
    n[pair.a] += n[pair.b];
    memmove(b, b + n_inputs, (last - pair.b) * n_inputs * sizeof *b);
    memmove(n + pair.b, n + pair.b + 1, (last - pair.b) * sizeof *n);
    memset(mean_at(net, output, last), 0, n_inputs * sizeof *b);
    n[last] = 0;
}

/* The next samples of this output start a new mean. */
static void begin_mean(Network *net, size_t output) {
    uint64_t *open = &net->future.memory.open[output];
    if (net->params.future.rehearsal_means == 1 || n_of(net, output)[*open] == 0)
        return;
    if (*open + 1 < net->params.future.rehearsal_means)
        (*open)++;
    else
        merge(net, output, most_alike(net, output));
}

/* An ordinary sample, but not part of the stream. */
static void rehearse(Network *net, Scratch *scratch, size_t target, tacos_counters *tally) {
    uint64_t n_learned = net->n_learned;
    sample_begin(net, scratch, tally);
    scratch->labels = (LabelDraws){RNG_REHEARSAL, *net->future.memory.rehearsed, UINT32_MAX};
    while (scratch->step < net->params.n_steps)
        sample_step(net, scratch, target);
    sample_end(net, scratch);
    net->n_learned = n_learned;
}

/* The outputs take turns. */
static void rehearse_all(Network *net, Scratch *scratch, tacos_counters *tally) {
    for (size_t k = 0; k < net->params.future.rehearsal_means; k++)
        for (size_t o = 0; o < net->params.n_outputs; o++) {
            if (n_of(net, o)[k] == 0)
                continue;
            PoissonCode code = network_code(net, RNG_REHEARSAL);
            encode_chances(&code, *net->future.memory.rehearsed, mean_at(net, o, k),
                           &scratch->raster);
            rehearse(net, scratch, o, tally);
            ++*net->future.memory.rehearsed;
        }
}

static void consolidate(Network *net, Scratch *scratch) {
    uint64_t share = rng_odds(net->params.future.rehearsal_release);
    for (size_t l = 0; l < net->n_layers; l++) {
        Layer *layer = &net->layers[l];
        if (layer->w_ref)
            memcpy(layer->w_ref, layer->w, layer->n_pre * layer->stride * sizeof *layer->w);
        for (size_t i = 0; i < layer->stride; i++)
            scratch->future.shares[i] = share;
        release_steps(net, l, 1, scratch->future.shares);
    }
}

void rehearsal_run(Network *net, Scratch *scratch, tacos_counters *tally) {
    scratch->future.rehearsing = true;
    for (size_t round = 0; round < net->params.future.rehearsal_rounds; round++)
        rehearse_all(net, scratch, tally);
    scratch->future.rehearsing = false;
    network_settle(net, scratch);
    consolidate(net, scratch);
    for (size_t o = 0; o < net->params.n_outputs; o++)
        begin_mean(net, o);
}
