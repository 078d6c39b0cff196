/* learner.c - tacos_learner: creating one, feeding it samples, inspecting it. */
#include "net/learner.h"

#include "base/arena.h"
#include "net/encode.h"

#include <math.h>
#include <string.h>

/* The whole layout; see arena.h for why it runs twice. Learning and predicting share the raster. */
static Learner *carve(Arena *arena, Network *net, Scratch *scratch, Predictor *predictor) {
    Learner *learner = arena_take(arena, 1, sizeof *learner);
    network_carve(net, arena);
    scratch_carve(scratch, net, arena);
    predictor_carve(predictor, net, arena);
    raster_carve(&scratch->raster, params_input_steps(&net->params), net->params.n_inputs, arena);
    burst_carve(&scratch->burst, &net->expansion, net->params.n_steps, arena);
    predictor->raster = scratch->raster;
    predictor->burst = scratch->burst;
    return learner;
}

tacos_status learner_new(Learner **out, const Params *params, uint32_t seed,
                         const tacos_allocator *allocator, tacos_error *err) {
    Arena arena = {0};
    Network net;
    Scratch scratch = {0};
    Predictor predictor = {0};
    const Kernel *kernel;
    tacos_allocator from = arena_allocator(allocator);
    TRY(params_check(params, err));
    TRY(kernel_select(&kernel, err));
    network_shape(&net, params, seed, kernel);
    (void)carve(&arena, &net, &scratch, &predictor);
    size_t n_bytes = arena.used;
    void *block = arena.overflow ? NULL : from.alloc(from.user, n_bytes, ARENA_ALIGN);
    if (arena.overflow)
        return failure(err, TACOS_MEMORY, "a network of this size exceeds the address space");
    if (!block)
        return failure(err, TACOS_MEMORY, "no memory for a network of %.3g MB",
                       (double)n_bytes / 1e6);
    arena = (Arena){.base = block};
    Learner *learner = carve(&arena, &net, &scratch, &predictor);
    *learner = (Learner){.allocator = from,
                         .n_bytes = n_bytes,
                         .net = net,
                         .scratch = scratch,
                         .predictor = predictor};
    network_draw(&learner->net);
    scratch_start(&learner->scratch, &learner->net);
    predictor_start(&learner->predictor, &learner->net);
    *out = learner;
    return TACOS_OK;
}

tacos_status tacos_learner_new(tacos_learner **out, const tacos_config *config, uint32_t seed,
                               const tacos_allocator *allocator, tacos_error *err) {
    *out = NULL;
    return learner_new(out, &config->params, seed, allocator, err);
}

void tacos_learner_free(tacos_learner *learner) {
    if (!learner)
        return;
    tacos_allocator from = learner->allocator;
    team_free(learner->scratch.team);
    if (from.free)
        from.free(from.user, learner, learner->n_bytes);
}

void tacos_learner_set_threads(tacos_learner *learner, size_t n) {
    team_free(learner->scratch.team);
    learner->scratch.team = team_new(n);
}

void learner_learn(Learner *learner, size_t target) {
    sample_learn(&learner->net, &learner->scratch, target, &learner->learning);
}

int learner_predict(Learner *learner) {
    learner_settle(learner);
    return sample_predict(&learner->net, &learner->predictor, &learner->predicting);
}

void learner_settle(Learner *learner) {
    network_settle(&learner->net, &learner->scratch);
}

/* ---- samples ---- */

static tacos_status check_inputs(const Learner *learner, size_t n_inputs, tacos_error *err) {
    size_t wanted = learner->net.params.n_inputs;
    if (n_inputs != wanted)
        return failure(err, TACOS_INVALID, "%zu inputs were given; the network has %zu", n_inputs,
                       wanted);
    return TACOS_OK;
}

static tacos_status check_target(const Learner *learner, size_t target, tacos_error *err) {
    size_t n = learner->net.params.n_outputs;
    if (target >= n)
        return failure(err, TACOS_RANGE, "target %zu is out of range: the outputs are 0 to %zu",
                       target, n - 1);
    return TACOS_OK;
}

static tacos_status take_intensities(const Learner *learner, const float *intensity,
                                     size_t n_inputs, RngPurpose purpose, uint64_t number,
                                     Raster *raster, tacos_error *err) {
    PoissonCode code = network_code(&learner->net, purpose);
    TRY(check_inputs(learner, n_inputs, err));
    return encode_intensities(&code, number, intensity, raster, err);
}

static tacos_status take_spikes(const Learner *learner, const uint8_t *spikes, size_t n_steps,
                                size_t n_inputs, Raster *raster, tacos_error *err) {
    TRY(check_inputs(learner, n_inputs, err));
    if (n_steps > raster->events.n_steps)
        return failure(err, TACOS_RANGE, "%zu steps were given; a sample has at most %zu", n_steps,
                       raster->events.n_steps);
    encode_spikes(spikes, n_steps, raster);
    return TACOS_OK;
}

tacos_status tacos_learner_learn(tacos_learner *learner, const float *intensity, size_t n_inputs,
                                 size_t target, tacos_error *err) {
    TRY(check_target(learner, target, err));
    TRY(take_intensities(learner, intensity, n_inputs, RNG_INPUT, learner->net.n_learned,
                         &learner->scratch.raster, err));
    learner_learn(learner, target);
    return TACOS_OK;
}

tacos_status tacos_learner_learn_spikes(tacos_learner *learner, const uint8_t *spikes,
                                        size_t n_steps, size_t n_inputs, size_t target,
                                        tacos_error *err) {
    TRY(check_target(learner, target, err));
    TRY(take_spikes(learner, spikes, n_steps, n_inputs, &learner->scratch.raster, err));
    learner_learn(learner, target);
    return TACOS_OK;
}

static void predict(Learner *learner, tacos_prediction *out) {
    out->output = learner_predict(learner);
    out->counts = learner->predictor.counts;
}

tacos_status tacos_learner_predict(tacos_learner *learner, const float *intensity, size_t n_inputs,
                                   uint64_t draw, tacos_prediction *out, tacos_error *err) {
    TRY(take_intensities(learner, intensity, n_inputs, RNG_PREDICT, draw,
                         &learner->predictor.raster, err));
    predict(learner, out);
    return TACOS_OK;
}

tacos_status tacos_learner_predict_spikes(tacos_learner *learner, const uint8_t *spikes,
                                          size_t n_steps, size_t n_inputs, tacos_prediction *out,
                                          tacos_error *err) {
    TRY(take_spikes(learner, spikes, n_steps, n_inputs, &learner->predictor.raster, err));
    predict(learner, out);
    return TACOS_OK;
}

/* ---- what it is ---- */

tacos_shape tacos_learner_shape(const tacos_learner *learner) {
    const Params *p = &learner->net.params;
    return (tacos_shape){
        .n_inputs = p->n_inputs,
        .n_outputs = p->n_outputs,
        .n_layers = learner->net.n_layers,
        .n_steps = params_input_steps(p),
        .n_steps_all = network_first_step(&learner->net) + p->n_steps,
    };
}

uint32_t tacos_learner_seed(const tacos_learner *learner) {
    return learner->net.seed;
}

tacos_status tacos_learner_get(const tacos_learner *learner, const char *key, char *buf,
                               size_t size, tacos_error *err) {
    return params_get(&learner->net.params, key, buf, size, err);
}

uint64_t tacos_learner_learned(const tacos_learner *learner) {
    return learner->net.n_learned;
}

enum { PAPER_HIDDEN = 200 };

static int plain_snn(void) {
    int model = 0;
    while (models[model].metaplasticity != M_NONE || models[model].consolidation ||
           models[model].rule != BY_ERROR)
        model++;
    return model;
}

/* An expansion replaces the paper's hidden layer. */
static size_t baseline_bytes(const Params *params) {
    Params plain = *params;
    if (plain.n_expansion > 0) {
        plain.n_expansion = 0;
        if (plain.hidden.n == 0)
            plain.hidden = (Counts){.n = 1, .value = {PAPER_HIDDEN}};
    }
    return network_bytes(&plain, plain_snn());
}

tacos_learner_stats tacos_learner_stats_get(const tacos_learner *learner) {
    return (tacos_learner_stats){
        .learning = learner->learning,
        .predicting = learner->predicting,
        .model_bytes = learner->net.n_bytes,
        .workspace_bytes = learner->n_bytes - learner->net.n_bytes,
        .baseline_bytes = baseline_bytes(&learner->net.params),
        .fixed_bytes = learner->net.expansion.n_units > 0 ? learner->net.expansion.n_bytes : 0,
        .fixed_stored = learner->net.expansion.choices != NULL,
    };
}

/* ---- weights ---- */

static tacos_status check_layer(const Learner *learner, size_t index, tacos_error *err) {
    if (index >= learner->net.n_layers)
        return failure(err, TACOS_RANGE, "layer %zu is out of range: the layers are 0 to %zu",
                       index, learner->net.n_layers - 1);
    return TACOS_OK;
}

tacos_status tacos_learner_layer(tacos_learner *learner, size_t index, tacos_layer_view *out,
                                 tacos_error *err) {
    TRY(check_layer(learner, index, err));
    const Layer *layer = &learner->net.layers[index];
    learner_settle(learner);
    *out = (tacos_layer_view){
        .n_pre = layer->n_pre,
        .n_post = layer->n_post,
        .stride = layer->stride,
        .w = layer->w,
        .w_ref = layer->w_ref,
        .m_steps = layer->m_steps,
        .delta_m = layer->synapse.delta_m,
        .m_max = layer->synapse.m_max,
        .m_all = layer->synapse.m_all,
        .uses = layer->uses,
    };
    return TACOS_OK;
}

static tacos_status check_values(const Layer *layer, const tacos_layer_values *values,
                                 tacos_error *err) {
    const float *const reals[] = {values->w, values->w_ref};
    const struct {
        bool given, there;
        const char *name;
    } parts[] = {
        {values->w_ref, layer->w_ref, "reference weights"},
        {values->m_steps, layer->m_steps, "metaplastic states"},
        {values->uses, layer->uses, "counts of uses"},
    };
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        if (parts[k].given && !parts[k].there)
            return failure(err, TACOS_INVALID, "a network of this model has no %s", parts[k].name);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; reals[k] && i < layer->n_pre * layer->n_post; i++)
            if (!isfinite(reals[k][i]))
                return failure(err, TACOS_RANGE, "value %zu is not finite", i);
    return TACOS_OK;
}

tacos_status tacos_learner_set_layer(tacos_learner *learner, size_t index,
                                     const tacos_layer_values *values, tacos_error *err) {
    TRY(check_layer(learner, index, err));
    Layer *layer = &learner->net.layers[index];
    TRY(check_values(layer, values, err));
    learner_settle(learner);
    if (values->uses)
        memcpy(layer->uses, values->uses, layer->n_pre * sizeof *layer->uses);
    for (size_t j = 0; j < layer->n_pre; j++) {
        Row row = layer_row(layer, j);
        size_t from = j * layer->n_post, n = layer->n_post;
        if (values->w)
            memcpy(row.w, values->w + from, n * sizeof *row.w);
        if (values->w_ref && row.w_ref)
            memcpy(row.w_ref, values->w_ref + from, n * sizeof *row.w_ref);
        if (values->m_steps && row.m_steps)
            memcpy(row.m_steps, values->m_steps + from, n * sizeof *row.m_steps);
    }
    scratch_start(&learner->scratch, &learner->net);
    return TACOS_OK;
}

void tacos_learner_watch(tacos_learner *learner, tacos_watcher *watcher, void *user) {
    learner->scratch.watch = learner->predictor.watch = (Watch){watcher, user};
}
