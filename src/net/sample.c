/* sample.c - learns one sample, step by step in the order of docs/engine.md. */
#include "net/sample.h"

#include "net/errors.h"
#include "net/synapse.h"

#include <string.h>

/* With less work than this (synapses touched), one thread is done before others have begun. */
enum { SHARED_MIN = 1 << 16 };

/* ---- work on a layer, shared by columns ---- */

typedef struct Work {
    Network *net;
    Scratch *scratch;
    size_t l;
    const float *x_pre;
} Work;

static Span share(const Work *work, size_t member, size_t n) {
    size_t blocks = work->net->layers[work->l].stride / KERNEL_LANES;
    return (Span){blocks * member / n * KERNEL_LANES, blocks * (member + 1) / n * KERNEL_LANES};
}

static void do_shared(Work *work, TeamJob *job, size_t n_rows) {
    bool much = n_rows * work->net->layers[work->l].stride >= SHARED_MIN;
    team_do(much ? work->scratch->team : NULL, job, work);
}

/* ---- begin ---- */

static void wake_part(void *user, size_t member, size_t n) {
    Work *work = user;
    Span span = share(work, member, n);
    const Layer *layer = &work->net->layers[work->l];
    LayerScratch *s = &work->scratch->layers[work->l];
    synapses_ready(work->net, work->l, work->scratch, span);
    if (s->known)
        work->net->kernel->steps_sum(layer->w_ref, layer->stride, &work->scratch->raster.events,
                                     s->known, span);
}

/* The spikes that the first layer hears are known beforehand: their rows wake, and what their
 * reference weights add up to is computed for all steps at once. */
static void wake_inputs(Network *net, Scratch *scratch) {
    LayerScratch *s = &scratch->layers[0];
    const Events *events = &scratch->raster.events;
    size_t n = events->at[events->n_steps];
    s->n_visits = s->n_wakers = s->n_late = 0;
    for (size_t k = 0; k < n; k++)
        if (!s->marks[events->row[k]].awake)
            synapses_wake(&net->layers[0], s, events->row[k]);
    scratch->tally->input_spikes += n;
    do_shared(&(Work){net, scratch, 0, NULL}, wake_part, s->n_wakers);
}

static void begin_layer(const Layer *layer, LayerScratch *s) {
    size_t n = layer->stride;
    s->n_awake = 0;
    memset(s->neurons.i, 0, n * sizeof *s->neurons.i);
    memset(s->neurons.v, 0, n * sizeof *s->neurons.v);
    memset(s->neurons.u, 0, n * sizeof *s->neurons.u);
    memset(s->neurons.hold, 0, n * sizeof *s->neurons.hold);
    memset(s->x, 0, n * sizeof *s->x);
    memset(s->waste, 0, n * sizeof *s->waste);
}

void sample_begin(Network *net, Scratch *scratch, tacos_counters *tally) {
    scratch->step = 0;
    scratch->tally = tally;
    scratch->labels = (LabelDraws){RNG_LABEL, net->n_learned, 0};
    tally->samples++;
    for (size_t l = 0; l < net->n_layers; l++)
        begin_layer(&net->layers[l], &scratch->layers[l]);
    memset(scratch->input_x, 0, net->layers[0].n_pre * sizeof *scratch->input_x);
    errors_begin(net, scratch);
    wake_inputs(net, scratch);
}

/* ---- step ---- */

/* Step 2, once the spikes of the layer before have been delivered. */
static void fire(const Network *net, size_t l, Scratch *scratch, Span span) {
    const Layer *layer = &net->layers[l];
    LayerScratch *s = &scratch->layers[l];
    const float *before = s->count + (scratch->step + 1) * layer->stride;
    float *after = s->count + (scratch->step + 2) * layer->stride;
    net->kernel->neurons_fire(&s->neurons, s->input, &layer->neuron, s->spiked, before, after,
                              span);
}

static void forward_part(void *user, size_t member, size_t n) {
    Work *work = user;
    Network *net = work->net;
    const Layer *layer = &net->layers[work->l];
    LayerScratch *s = &work->scratch->layers[work->l];
    Span span = share(work, member, n);
    size_t bytes = (span.to - span.from) * sizeof *s->input;
    synapses_ready(net, work->l, work->scratch, span);
    if (s->known) {
        const float *known = s->known + work->scratch->step * layer->stride;
        memcpy(s->input + span.from, known + span.from, bytes);
    } else {
        memset(s->input + span.from, 0, bytes);
        if (layer->w_ref)
            net->kernel->rows_add(s->visits, s->n_visits, s->input, span);
    }
    synapses_visit(net, work->l, work->scratch, s->input, span);
    fire(net, work->l, work->scratch, span);
}

/* Step 3. Only metaplasticity reads the traces. */
static void leave_traces(float *x, float trace, const uint32_t *spikes, size_t n) {
    for (size_t k = 0; k < n; k++)
        x[spikes[k]] += trace;
}

/* The spikes of a layer reach the next one within the same step. */
static void forward(Network *net, Scratch *scratch) {
    const Events *events = &scratch->raster.events;
    bool traces = params_model(&net->params)->metaplasticity == M_DYNAMIC;
    const uint32_t *spikes = events->row + events->at[scratch->step];
    size_t n_spikes = events->at[scratch->step + 1] - events->at[scratch->step];
    if (traces)
        leave_traces(scratch->input_x, scratch->trace[scratch->step], spikes, n_spikes);
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        LayerScratch *s = &scratch->layers[l];
        synapses_plan(net, l, scratch, spikes, n_spikes, true);
        do_shared(&(Work){net, scratch, l, NULL}, forward_part, n_spikes);
        /* Padding never spikes: its input is 0, and thresholds are above 0. */
        s->n_spikes =
            net->kernel->collect(s->spikes, s->spiked, layer->stride / KERNEL_LANES, s->column);
        scratch->tally->synaptic_events += n_spikes * layer->n_post;
        spikes = s->spikes;
        n_spikes = s->n_spikes;
        if (traces)
            leave_traces(s->x, scratch->trace[scratch->step], spikes, n_spikes);
        if (l + 1 < net->n_layers)
            scratch->tally->hidden_spikes += n_spikes;
    }
    scratch->tally->output_spikes += n_spikes;
}

/* Error neurons are few: one call per spike. */
static void watch_errors(const Watch *watch, size_t group, size_t step, const int8_t *spiked,
                         size_t n) {
    for (uint32_t o = 0; o < n; o++)
        if (spiked[o])
            watch_spikes(watch, group, step, &o, 1);
}

static void watch_step(const Network *net, const Scratch *scratch) {
    const Watch *watch = &scratch->watch;
    const Events *inputs = &scratch->raster.events;
    size_t step = scratch->step, n = net->n_layers, n_outputs = net->params.n_outputs;
    watch_spikes(watch, 0, step, inputs->row + inputs->at[step],
                 inputs->at[step + 1] - inputs->at[step]);
    for (size_t l = 0; l < n; l++)
        watch_spikes(watch, l + 1, step, scratch->layers[l].spikes, scratch->layers[l].n_spikes);
    watch_errors(watch, n + 1, step, scratch->s_fp, n_outputs);
    watch_errors(watch, n + 2, step, scratch->s_fn, n_outputs);
}

void sample_step(Network *net, Scratch *scratch, size_t target) {
    forward(net, scratch);
    errors_step(net, scratch, target);
    if (scratch->watch.watcher)
        watch_step(net, scratch);
    scratch->step++;
}

/* ---- end ---- */

static void sleep_part(void *user, size_t member, size_t n) {
    Work *work = user;
    synapses_sleep(work->net, work->l, work->scratch, work->x_pre, share(work, member, n));
}

static void settle_part(void *user, size_t member, size_t n) {
    Work *work = user;
    synapses_settle(work->net, work->l, work->scratch, share(work, member, n));
}

static void settle_layer(Network *net, Scratch *scratch, size_t l) {
    LayerScratch *s = &scratch->layers[l];
    if (s->n_rests == 0)
        return;
    do_shared(&(Work){net, scratch, l, NULL}, settle_part, net->layers[l].n_pre);
    s->n_rests = 0;
    for (size_t j = 0; j < net->layers[l].n_pre; j++)
        s->marks[j].rested = 0;
}

void network_settle(Network *net, Scratch *scratch) {
    for (size_t l = 0; l < net->n_layers; l++)
        settle_layer(net, scratch, l);
}

void sample_end(Network *net, Scratch *scratch) {
    const float *x_pre = scratch->input_x;
    future_end_sample(net, scratch);
    for (size_t l = 0; l < net->n_layers; l++) {
        LayerScratch *s = &scratch->layers[l];
        synapses_plan(net, l, scratch, s->awake_rows, s->n_awake, false);
        do_shared(&(Work){net, scratch, l, x_pre}, sleep_part, s->n_awake);
        synapses_end(net, l, scratch);
        if (s->n_rests == RESTS_MAX)
            settle_layer(net, scratch, l);
        x_pre = s->x;
    }
    net->n_learned++;
}

void sample_learn(Network *net, Scratch *scratch, size_t target, tacos_counters *tally) {
    sample_begin(net, scratch, tally);
    while (scratch->step < net->params.n_steps)
        sample_step(net, scratch, target);
    sample_end(net, scratch);
    future_learned(net, scratch, target, tally);
}
