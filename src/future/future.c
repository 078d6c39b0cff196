/* future.c - implements net/future.h: the mechanisms' memory, and when each of them runs.
 *
 * None of them needs task boundaries: a learner knows only the samples and labels it has seen. */
#include "future/mechanisms.h"
#include "net/errors.h"
#include "net/snapshot.h"

#include <math.h>
#include <string.h>

#define SAMPLES_MAX (UINT64_C(1) << 53) /* more than anyone will learn */

static bool growth_wanted(const Params *p) {
    return future_grows(p) && p->future.m_growth_error != 0;
}

/* Does anything happen between samples? */
static bool pauses_wanted(const Params *p) {
    const FutureParams *b = &p->future;
    return future_grows(p) && (b->tau_release_ms > 0 || b->release_error_hz > 0 ||
                               b->neurogenesis_m > 0 || b->rehearsal_every > 0);
}

/* ---- memory ---- */

void future_carve(Network *net, Arena *arena) {
    const Params *p = &net->params;
    Memory *memory = &net->future.memory;
    size_t n = p->n_outputs, n_means = p->future.rehearsal_means;
    for (size_t l = 0; l < net->n_layers && future_releases_errors(p); l++)
        net->future.error_hz[l] = arena_take(arena, net->layers[l].stride, sizeof(float));
    if (!future_rehearses(p))
        return;
    memory->means = arena_take_rows(arena, n * n_means, p->n_inputs, sizeof *memory->means);
    memory->n = arena_take_rows(arena, n, n_means, sizeof *memory->n);
    memory->open = arena_take(arena, n, sizeof *memory->open);
    memory->rehearsed = arena_take(arena, 1, sizeof *memory->rehearsed);
}

void future_reset(Network *net) {
    const Params *p = &net->params;
    Memory *memory = &net->future.memory;
    size_t n = p->n_outputs, n_means = p->future.rehearsal_means;
    for (size_t l = 0; l < net->n_layers && future_releases_errors(p); l++)
        memset(net->future.error_hz[l], 0, net->layers[l].stride * sizeof(float));
    if (!future_rehearses(p))
        return;
    memset(memory->means, 0, n * n_means * p->n_inputs * sizeof *memory->means);
    memset(memory->n, 0, n * n_means * sizeof *memory->n);
    memset(memory->open, 0, n * sizeof *memory->open);
    *memory->rehearsed = 0;
}

void future_carve_scratch(Scratch *scratch, const Network *net, Arena *arena) {
    const Params *p = &net->params;
    FutureScratch *s = &scratch->future;
    size_t widest = network_widest(net);
    bool errors = growth_wanted(p) || future_releases_errors(p);
    if (errors)
        s->n_errors = arena_take(arena, 2 * p->n_outputs, sizeof *s->n_errors);
    for (size_t l = 0; l < net->n_layers && errors; l++) {
        s->heard[l] = arena_take(arena, net->layers[l].stride, sizeof *s->heard[l]);
        if (growth_wanted(p))
            s->grows[l] = arena_take(arena, net->layers[l].stride, sizeof *s->grows[l]);
    }
    if (pauses_wanted(p)) {
        s->shares = arena_take(arena, widest, sizeof *s->shares);
        s->sums = arena_take(arena, widest, sizeof *s->sums);
        s->worth = arena_take(arena, widest, sizeof *s->worth);
    }
    if (future_rehearses(p))
        s->shown = arena_take(arena, p->n_inputs, sizeof *s->shown);
}

/* ---- a sample ---- */

void future_count_errors(const Network *net, Scratch *scratch) {
    size_t n = net->params.n_outputs;
    uint32_t *n_fp = scratch->future.n_errors, *n_fn = n_fp + n;
    if (scratch->step == 0)
        memset(n_fp, 0, 2 * n * sizeof *n_fp);
    for (size_t o = 0; o < n; o++) {
        n_fp[o] += scratch->s_fp[o] != 0;
        n_fn[o] += scratch->s_fn[o] != 0;
    }
}

/* An output receives its own error neurons; a hidden neuron receives those of all outputs, through
 * its feedback: the mean of their rates, weighted by |B|. */
static void hear_errors(const Network *net, size_t l, Scratch *scratch) {
    const Params *p = &net->params;
    const Layer *layer = &net->layers[l];
    float *heard = scratch->future.heard[l];
    const float *b_fn = errors_feedback_fn(net, layer);
    const uint32_t *n_fp = scratch->future.n_errors, *n_fn = n_fp + p->n_outputs;
    float to_hz = (float)(1000 / ((double)p->n_steps * p->dt_ms));
    for (size_t i = 0; i < layer->n_post; i++) {
        float sum = 0, weight = 0;
        for (size_t o = 0; layer->feedback && o < p->n_outputs; o++) {
            float fp = fabsf(layer->feedback[o * layer->stride + i]);
            float fn = fabsf(b_fn[o * layer->stride + i]);
            sum += fp * (float)n_fp[o] + fn * (float)n_fn[o];
            weight += 0.5f * (fp + fn);
        }
        if (!layer->feedback)
            heard[i] = to_hz * (float)(n_fp[i] + n_fn[i]);
        else
            heard[i] = weight > 0 ? to_hz * (sum / weight) : 0.0f;
    }
}

void future_end_sample(const Network *net, Scratch *scratch) {
    for (size_t l = 0; l < net->n_layers && scratch->future.n_errors; l++) {
        hear_errors(net, l, scratch);
        if (growth_wanted(&net->params))
            growth_draw(net, l, scratch);
    }
}

/* Everything happens at samples whose number is a multiple of a key, so what a learner does next
 * depends only on how many samples it has learned, even after it is saved and loaded. */
void future_learned(Network *net, Scratch *scratch, size_t target, tacos_counters *tally) {
    const Params *p = &net->params;
    if (!pauses_wanted(p))
        return;
    if (future_releases_errors(p))
        release_follow(net, scratch);
    if (future_rehearses(p))
        rehearsal_remember(net, scratch, target);
    if (net->n_learned % p->future.tend_every == 0) {
        network_settle(net, scratch);
        release_run(net, scratch);
        neurogenesis_run(net, scratch);
    }
    if (future_rehearses(p) && net->n_learned % p->future.rehearsal_every == 0)
        rehearsal_run(net, scratch, tally);
}

/* ---- files ---- */

size_t future_sections(Network *net, size_t l, Section *list) {
    const Params *p = &net->params;
    const Memory *memory = &net->future.memory;
    size_t n = p->n_outputs, n_means = n * p->future.rehearsal_means, n_inputs = p->n_inputs;
    if (l < net->n_layers && future_releases_errors(p)) {
        const Layer *layer = &net->layers[l];
        list[0] = (Section){net->future.error_hz[l], 4, 1, layer->n_post, layer->stride, true};
        return 1;
    }
    if (l < net->n_layers || !future_rehearses(p))
        return 0;
    list[0] = (Section){memory->rehearsed, 8, 1, 1, 1, false};
    list[1] = (Section){memory->open, 8, 1, n, n, false};
    list[2] = (Section){memory->n, 8, 1, n_means, n_means, false};
    list[3] = (Section){memory->means, 4, n_means, n_inputs, n_inputs, true};
    return 4;
}

/* Reject means that are not probabilities, an index out of range, and means before the open one
 * that have no sample. */
bool future_holds(const Network *net) {
    const Params *p = &net->params;
    const Memory *memory = &net->future.memory;
    size_t n_means = p->future.rehearsal_means;
    if (!future_rehearses(p))
        return true;
    for (size_t k = 0; k < p->n_outputs * n_means * p->n_inputs; k++)
        if (!(memory->means[k] >= 0 && memory->means[k] <= 1))
            return false;
    for (size_t o = 0; o < p->n_outputs; o++) {
        const uint64_t *n = memory->n + o * n_means;
        if (memory->open[o] >= n_means)
            return false;
        for (size_t k = 0; k < n_means; k++)
            if (n[k] > SAMPLES_MAX || (k < memory->open[o] && n[k] == 0))
                return false;
    }
    return true;
}
