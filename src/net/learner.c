/* learner.c - tacos_learner: creating one, feeding it samples, inspecting it. */
#include "net/learner.h"

#include "base/allocator.h"
#include "base/arena.h"
#include "net/encode.h"

#include <math.h>
#include <string.h>

/* The whole layout; see arena.h for why it runs twice. Learning and predicting share the raster. */
static Learner *carve(Arena *arena, Learner *draft) {
    Learner *learner = arena_take(arena, 1, sizeof *learner);
    Network *net = &draft->net;
    if (learner_is_columns(draft)) {
        columns_carve(&draft->columns, arena);
        columns_scratch_carve(&draft->view, &draft->columns, arena);
        return learner;
    }
    network_carve(net, arena);
    scratch_carve(&draft->scratch, net, arena);
    predictor_carve(&draft->predictor, net, arena);
    raster_carve(&draft->scratch.raster, net->params.n_steps, net->params.n_inputs, arena);
    draft->predictor.raster = draft->scratch.raster;
    return learner;
}

/* Everything but the arrays. */
static tacos_status shape(Learner *draft, const Params *params, uint32_t seed, tacos_error *err) {
    const Kernel *kernel;
    TRY(params_check(params, err));
    TRY(kernel_select(&kernel, err));
    network_shape(&draft->net, params, seed, kernel);
    if (!params_is_columns(params))
        return TACOS_OK;
    draft->net.n_layers = 0;
    TRY(params_columns(params, &draft->columns, err));
    draft->net.n_bytes = draft->columns.n_bytes;
    return TACOS_OK;
}

static void start(Learner *learner) {
    Network *net = &learner->net;
    if (learner_is_columns(learner)) {
        columns_start(&learner->columns, net->seed, net->kernel);
        return;
    }
    network_draw(net);
    scratch_start(&learner->scratch, net);
    predictor_start(&learner->predictor, net);
}

tacos_status learner_new(Learner **out, const Params *params, uint32_t seed,
                         const tacos_allocator *allocator, tacos_error *err) {
    Arena arena = {0};
    Learner draft = {.allocator = arena_allocator(allocator)};
    const tacos_allocator *from = &draft.allocator;
    TRY(shape(&draft, params, seed, err));
    (void)carve(&arena, &draft);
    draft.n_bytes = arena.used;
    void *block = arena.overflow ? NULL : from->alloc(from->user, arena.used, ARENA_ALIGN);
    if (arena.overflow)
        return failure(err, TACOS_MEMORY, "a network of this size exceeds the address space");
    if (!block)
        return failure(err, TACOS_MEMORY, "no memory for a network of %.3g MB",
                       (double)draft.n_bytes / 1e6);
    arena = (Arena){.base = block};
    Learner *learner = carve(&arena, &draft);
    *learner = draft;
    start(learner);
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
    if (!learner_is_columns(learner)) {
        sample_learn(&learner->net, &learner->scratch, target, &learner->learning);
        return;
    }
    uint64_t before = learner->view.macs;
    columns_learn(&learner->columns, &learner->view, learner->net.n_learned++, target);
    learner->learning.samples++;
    learner->learning.macs += learner->view.macs - before;
}

int learner_predict(Learner *learner) {
    if (!learner_is_columns(learner)) {
        learner_settle(learner);
        return sample_predict(&learner->net, &learner->predictor, &learner->predicting);
    }
    uint64_t before = learner->view.macs;
    int best = columns_predict(&learner->columns, &learner->view);
    learner->predicting.samples++;
    learner->predicting.macs += learner->view.macs - before;
    return best;
}

void learner_settle(Learner *learner) {
    if (!learner_is_columns(learner))
        network_settle(&learner->net, &learner->scratch);
}

tacos_status learner_widen(Learner **out, const Learner *learner, size_t n_outputs,
                           tacos_error *err) {
    Params params = learner->net.params;
    params.n_outputs = n_outputs;
    TRY(learner_new(out, &params, learner->net.seed, &learner->allocator, err));
    columns_widen(&(*out)->columns, &learner->columns);
    (*out)->net.n_learned = learner->net.n_learned;
    return TACOS_OK;
}

/* ---- what columns see ---- */

static void count_spikes(const Raster *raster, uint16_t *counts) {
    const Events *events = &raster->events;
    memset(counts, 0, raster->n_inputs * sizeof *counts);
    for (size_t k = 0; k < events->at[events->n_steps]; k++)
        counts[events->row[k]]++;
}

static tacos_status see_intensities(const Learner *learner, const float *intensity,
                                    RngPurpose purpose, uint64_t number, ColumnsScratch *view,
                                    tacos_error *err) {
    PoissonCode code = network_code(&learner->net, purpose);
    if (learner->columns.n_steps > 0) {
        TRY(encode_intensities(&code, number, intensity, &view->raster, err));
        count_spikes(&view->raster, view->input);
        return TACOS_OK;
    }
    TRY(encode_check(intensity, learner->net.params.n_inputs, err));
    for (size_t j = 0; j < learner->net.params.n_inputs; j++)
        view->input[j] = (uint16_t)(intensity[j] * (float)FULL_VALUE + 0.5f);
    return TACOS_OK;
}

void learner_show_columns(const Learner *learner, ColumnsScratch *view, const uint8_t *pixels,
                          RngPurpose purpose, uint64_t number) {
    if (learner->columns.n_steps > 0) {
        show_pixels(&learner->net, pixels, purpose, number, &view->raster);
        count_spikes(&view->raster, view->input);
        return;
    }
    for (size_t j = 0; j < learner->net.params.n_inputs; j++)
        view->input[j] = pixels[j];
}

/* Given spikes are counted. Columns that see values take the count for the intensity that would
 * have so many on average. */
static void see_spikes(const Learner *learner, const uint8_t *spikes, size_t n_steps,
                       ColumnsScratch *view) {
    size_t n = learner->net.params.n_inputs;
    uint32_t full = params_full_spikes(&learner->net.params);
    memset(view->input, 0, n * sizeof *view->input);
    for (size_t t = 0; t < n_steps; t++)
        for (size_t j = 0; j < n; j++)
            view->input[j] = (uint16_t)(view->input[j] + (spikes[t * n + j] != 0));
    for (size_t j = 0; j < n && learner->columns.n_steps == 0; j++) {
        uint32_t value = (view->input[j] * (uint32_t)FULL_VALUE + full / 2) / full;
        view->input[j] = (uint16_t)(value < FULL_VALUE ? value : FULL_VALUE);
    }
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

static tacos_status take_intensities(Learner *learner, const float *intensity, size_t n_inputs,
                                     RngPurpose purpose, uint64_t number, tacos_error *err) {
    PoissonCode code = network_code(&learner->net, purpose);
    TRY(check_inputs(learner, n_inputs, err));
    if (learner_is_columns(learner))
        return see_intensities(learner, intensity, purpose, number, &learner->view, err);
    return encode_intensities(&code, number, intensity, &learner->scratch.raster, err);
}

static tacos_status take_spikes(Learner *learner, const uint8_t *spikes, size_t n_steps,
                                size_t n_inputs, tacos_error *err) {
    size_t most = learner->net.params.n_steps;
    TRY(check_inputs(learner, n_inputs, err));
    if (n_steps > most)
        return failure(err, TACOS_RANGE, "%zu steps were given; a sample has at most %zu", n_steps,
                       most);
    if (learner_is_columns(learner))
        see_spikes(learner, spikes, n_steps, &learner->view);
    else
        encode_spikes(spikes, n_steps, &learner->scratch.raster);
    return TACOS_OK;
}

tacos_status tacos_learner_learn(tacos_learner *learner, const float *intensity, size_t n_inputs,
                                 size_t target, tacos_error *err) {
    TRY(check_target(learner, target, err));
    TRY(take_intensities(learner, intensity, n_inputs, RNG_INPUT, learner->net.n_learned, err));
    learner_learn(learner, target);
    return TACOS_OK;
}

tacos_status tacos_learner_learn_spikes(tacos_learner *learner, const uint8_t *spikes,
                                        size_t n_steps, size_t n_inputs, size_t target,
                                        tacos_error *err) {
    TRY(check_target(learner, target, err));
    TRY(take_spikes(learner, spikes, n_steps, n_inputs, err));
    learner_learn(learner, target);
    return TACOS_OK;
}

static void predict(Learner *learner, tacos_prediction *out) {
    out->output = learner_predict(learner);
    out->counts = learner_is_columns(learner) ? learner->view.counts : learner->predictor.counts;
}

tacos_status tacos_learner_predict(tacos_learner *learner, const float *intensity, size_t n_inputs,
                                   uint64_t draw, tacos_prediction *out, tacos_error *err) {
    TRY(take_intensities(learner, intensity, n_inputs, RNG_PREDICT, draw, err));
    predict(learner, out);
    return TACOS_OK;
}

tacos_status tacos_learner_predict_spikes(tacos_learner *learner, const uint8_t *spikes,
                                          size_t n_steps, size_t n_inputs, tacos_prediction *out,
                                          tacos_error *err) {
    TRY(take_spikes(learner, spikes, n_steps, n_inputs, err));
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
        .n_steps = p->n_steps,
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

static int plain_snn(void) {
    int model = 0;
    while (models[model].metaplasticity != M_NONE || models[model].consolidation)
        model++;
    return model;
}

tacos_learner_stats tacos_learner_stats_get(const tacos_learner *learner) {
    return (tacos_learner_stats){
        .learning = learner->learning,
        .predicting = learner->predicting,
        .model_bytes = learner->net.n_bytes,
        .workspace_bytes = learner->n_bytes - learner->net.n_bytes,
        .baseline_bytes = network_bytes(&learner->net.params, plain_snn()),
    };
}

/* ---- weights ---- */

static tacos_status check_layer(const Learner *learner, size_t index, tacos_error *err) {
    if (learner_is_columns(learner))
        return failure(err, TACOS_INVALID, "a columns learner has no layers of synapses");
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
