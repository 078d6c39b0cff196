/* learner.c - make and free a learner. */
#include "net/learner.h"

#include "base/memory.h"

#include <stdlib.h>

/* The whole layout; see arena.h for why it runs twice. Learning and predicting take turns with the
 * raster. */
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
    tacos_allocator from = memory_allocator(allocator);
    TRY(params_check(params, err));
    TRY(kernel_select(&kernel, err));
    network_shape(&net, params, seed, kernel);
    (void)carve(&arena, &net, &scratch, &predictor);
    size_t n_bytes = arena.used;
    void *block = arena.overflow ? NULL : from.alloc(from.user, n_bytes, ARENA_ALIGN);
    if (arena.overflow)
        return failure(err, TACOS_MEMORY, "no memory is large enough for a network of this size");
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

void learner_free(Learner *learner) {
    if (!learner)
        return;
    tacos_allocator from = learner->allocator;
    team_free(learner->scratch.team);
    if (from.free)
        from.free(from.user, learner, learner->n_bytes);
}

void learner_set_threads(Learner *learner, size_t n) {
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

static Predictor *carve_predictor(Arena *arena, const Network *net, Predictor *predictor) {
    Predictor *place = arena_take(arena, 1, sizeof *place);
    predictor_carve(predictor, net, arena);
    raster_carve(&predictor->raster, params_input_steps(&net->params), net->params.n_inputs, arena);
    burst_carve(&predictor->burst, &net->expansion, net->params.n_steps, arena);
    return place;
}

tacos_status predictor_new(Predictor **out, const Network *net, tacos_error *err) {
    Arena arena = {0};
    Predictor predictor = {0};
    (void)carve_predictor(&arena, net, &predictor);
    void *block = arena.overflow ? NULL : aligned_alloc(ARENA_ALIGN, arena.used);
    if (!block)
        return failure(err, TACOS_MEMORY, "no memory to predict in another thread");
    arena = (Arena){.base = block};
    *out = carve_predictor(&arena, net, &predictor);
    **out = predictor;
    predictor_start(*out, net);
    return TACOS_OK;
}

void predictor_free(Predictor *predictor) {
    free(predictor);
}

enum { PAPER_HIDDEN = 200 };

static int plain_snn(void) {
    int model = 0;
    while (models[model].metaplasticity != M_NONE || models[model].consolidation ||
           models[model].rule != BY_ERROR)
        model++;
    return model;
}

/* An expansion stands in the place of the paper's hidden layer. */
static size_t baseline_bytes(const Params *params) {
    Params plain = *params;
    if (plain.n_expansion > 0) {
        plain.n_expansion = 0;
        if (plain.hidden.n == 0)
            plain.hidden = (Counts){.n = 1, .value = {PAPER_HIDDEN}};
    }
    return network_bytes(&plain, plain_snn());
}

tacos_learner_stats learner_stats(const Learner *learner) {
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
