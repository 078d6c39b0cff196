/* learner.c - make and free a learner. */
#include "net/learner.h"

#include "base/memory.h"

#include <string.h>

/* The whole layout; see arena.h for why it runs twice. */
static Learner *carve(Arena *arena, Network *net, Scratch *scratch) {
    Learner *learner = arena_take(arena, 1, sizeof *learner);
    network_carve(net, arena);
    scratch_carve(scratch, net, arena);
    return learner;
}

tacos_status learner_new(Learner **out, const Params *params, uint32_t seed,
                         const tacos_allocator *allocator, tacos_error *err) {
    Arena arena = {0};
    Network net;
    Scratch scratch = {0};
    tacos_allocator from = memory_allocator(allocator);
    TRY(params_check(params, err));
    network_shape(&net, params, seed);
    (void)carve(&arena, &net, &scratch);
    size_t n_bytes = arena.used;
    void *block = arena.overflow ? NULL : from.alloc(from.user, n_bytes, ARENA_ALIGN);
    if (arena.overflow)
        return failure(err, TACOS_MEMORY, "no memory is large enough for a network of this size");
    if (!block)
        return failure(err, TACOS_MEMORY, "no memory for a network of %.3g MB",
                       (double)n_bytes / 1e6);
    memset(block, 0, n_bytes);
    arena = (Arena){.base = block};
    Learner *learner = carve(&arena, &net, &scratch);
    learner->allocator = from;
    learner->n_bytes = n_bytes;
    learner->net = net;
    learner->scratch = scratch;
    network_draw(&learner->net);
    *out = learner;
    return TACOS_OK;
}

void learner_free(Learner *learner) {
    if (!learner)
        return;
    tacos_allocator from = learner->allocator;
    if (from.free)
        from.free(from.user, learner, learner->n_bytes);
}

static int plain_snn(void) {
    int model = 0;
    while (models[model].metaplasticity != M_NONE || models[model].consolidation)
        model++;
    return model;
}

tacos_learner_stats learner_stats(const Learner *learner) {
    return (tacos_learner_stats){
        .learning = learner->learning,
        .predicting = learner->predicting,
        .model_bytes = learner->net.n_bytes,
        .workspace_bytes = learner->n_bytes - learner->net.n_bytes,
        .baseline_bytes = network_bytes(&learner->net.params, plain_snn()),
    };
}
