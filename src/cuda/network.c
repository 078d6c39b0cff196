/* network.c - copies networks to the device and back. */
#include "cuda/network.h"

#include "cuda/rooms.h"
#include "net/encode.h"
#include "net/scratch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Learning without plasticity keeps little of a row, so that two blocks fit. */
static size_t learn_blocks(bool plastic) {
    return plastic ? 1 : 2;
}

size_t gpu_learn_bytes(const Gpu *gpu, bool plastic) {
    size_t n = learn_blocks(plastic);
    return n == 1 ? gpu->info.shared_bytes : gpu->info.shared_bytes / n - GPU_RESERVED_BYTES;
}

size_t gpu_score_bytes(const Gpu *gpu) {
    return gpu->info.shared_bytes / 2 - GPU_RESERVED_BYTES;
}

/* ---- what the kernels can compute ---- */

static bool is_plastic(const Params *params) {
    return params_model(params)->metaplasticity != M_NONE;
}

static bool no(tacos_error *why, const char *text) {
    status_explain(why, TACOS_INVALID, "%s", text);
    return false;
}

static bool has_future(const Params *params) {
    Params plain;
    params_defaults(&plain);
    for (size_t i = 0; i < params_table.n; i++) {
        const Key *key = &params_table.keys[i];
        if (params_is_future(key) && !key_equal(key, &plain, params))
            return true;
    }
    return false;
}

/* The steps of m that a hidden layer counts must fit beside the sign of w. */
static bool steps_fit(const Params *params) {
    Network net;
    network_shape(&net, params, 0, NULL);
    for (size_t l = 0; l + 1 < net.n_layers; l++)
        if (net.layers[l].synapse.m_ceiling > CODE_STEPS)
            return false;
    return true;
}

static bool size_fits(const Params *params) {
    bool fits = params->n_inputs <= GPU_INPUTS_MAX && params->n_outputs <= GPU_OUTPUTS_MAX &&
                params->n_steps <= GPU_STEPS_MAX;
    for (size_t l = 0; l < params->hidden.n; l++)
        fits = fits && params->hidden.value[l] <= GPU_WIDTH_MAX;
    return fits;
}

bool gpu_takes(const Gpu *gpu, const Params *params, tacos_error *why) {
    LearnRoom learn;
    ScoreRoom score;
    if (params_is_columns(params))
        return no(why, "the GPU computes no columns");
    if (params->hidden.n < 1 || params->hidden.n > GPU_HIDDEN_MAX)
        return no(why, "the GPU computes networks of one or two hidden layers");
    if (has_future(params))
        return no(why, "the GPU computes nothing of the paper's future work");
    if (!size_fits(params) || !steps_fit(params))
        return no(why, "the network is larger than the GPU computes");
    if (!learn_room(&learn, params, is_plastic(params), gpu_learn_bytes(gpu, is_plastic(params))) ||
        !score_room(&score, params, gpu_score_bytes(gpu)))
        return no(why, "the network does not fit into the shared memory of the GPU");
    return true;
}

/* ---- memory ---- */

/* A network to be copied, and where its arrays will be. Those up to n_sent are copied, the rest
 * is of samples. */
typedef struct Draft {
    const Network *net;
    const uint32_t *order;
    size_t n_orders;
    GpuNetwork shape; /* with pointers into the device's memory */
    uint64_t *odds;
    float *trace;
    uint32_t *pixel_order;
    size_t n_sent;
} Draft;

static void carve_kept(Draft *draft, size_t l, Arena *arena) {
    GpuLayer *layer = &draft->shape.layers[l];
    const Layer *from = &draft->net->layers[l];
    size_t n_pre = layer->n_pre, n = layer->n_post, T = draft->shape.n_steps;
    layer->w = arena_take_rows(arena, n_pre, n, sizeof(float));
    if (from->w_ref)
        layer->w_ref = arena_take_rows(arena, n_pre, n, sizeof(float));
    if (layer->synapse.plastic)
        layer->m_steps = arena_take_rows(arena, n_pre, n, sizeof(uint16_t));
    if (from->feedback) {
        layer->feedback =
            arena_take_rows(arena, params_feedback_rows(&draft->net->params), n, sizeof(float));
        size_t before = params_feedback_rows(&draft->net->params) - draft->shape.n_outputs;
        layer->feedback_fn = layer->feedback ? layer->feedback + before * n : NULL;
    }
    layer->moved = arena_take(arena, n_pre, sizeof(uint8_t));
    layer->rested = arena_take(arena, n_pre, sizeof(uint8_t));
    layer->drive = arena_take_rows(arena, T + 2, n, sizeof(float));
    layer->count = arena_take_rows(arena, T + 2, n, sizeof(float));
}

static void carve_scratch(Draft *draft, size_t l, Arena *arena) {
    GpuLayer *layer = &draft->shape.layers[l];
    size_t n_pre = layer->n_pre, n = layer->n_post;
    layer->far_v = arena_take_rows(arena, n_pre, n, sizeof(float));
    layer->far_f = arena_take_rows(arena, n_pre, n, sizeof(float));
    if (l + 1 == draft->shape.n_layers)
        layer->far_M = arena_take_rows(arena, n_pre, n, sizeof(float));
    else
        layer->far_code = arena_take_rows(arena, n_pre, n, sizeof(uint16_t));
    if (l > 0)
        return;
    layer->slept = arena_take_rows(arena, GPU_RESTS_MAX, n, sizeof(float));
    layer->known = arena_take_rows(arena, draft->shape.n_steps, n, sizeof(float));
}

static GpuNetwork *carve(Draft *draft, Arena *arena) {
    GpuNetwork *shape = &draft->shape, *place = arena_take(arena, 1, sizeof *place);
    draft->odds = arena_take(arena, 256, sizeof *draft->odds);
    draft->trace = arena_take(arena, shape->n_steps, sizeof *draft->trace);
    if (draft->n_orders > 0)
        draft->pixel_order =
            arena_take_rows(arena, draft->n_orders, shape->n_inputs, sizeof *draft->pixel_order);
    for (size_t l = 0; l < shape->n_layers; l++)
        carve_kept(draft, l, arena);
    draft->n_sent = arena->used;
    for (size_t l = 0; l < shape->n_layers; l++)
        carve_scratch(draft, l, arena);
    shape->events = arena_take_rows(arena, shape->n_steps, shape->n_inputs, sizeof(uint16_t));
    shape->odds = draft->odds;
    shape->trace = draft->trace;
    shape->order = draft->pixel_order;
    return place;
}

/* The parameters of a layer. If m is fixed, every synapse has one step of that size. */
static void derive_layer(GpuLayer *out, const Layer *layer, const Params *params) {
    *out = (GpuLayer){
        .synapse = layer->synapse,
        .neuron = layer->neuron,
        .n_pre = (uint32_t)layer->n_pre,
        .n_post = (uint32_t)layer->n_post,
        .chunks = (uint32_t)((layer->n_post + WARP - 1) / WARP),
        .merged_steps = (uint32_t)layer->merged_steps,
        .x_pre_min = layer->x_pre_min,
        .x_post_min = layer->x_post_min,
        .m_every = layer->m_every,
    };
    if (out->chunks > 1)
        out->chunks_inverse = (uint32_t)(((uint64_t)1 << 32) / out->chunks + 1);
    if (params_model(params)->metaplasticity == M_FIXED) {
        out->synapse.delta_m = out->synapse.m_max = layer->synapse.m_all;
        out->synapse.m_ceiling = 0;
    }
}

static void derive(GpuNetwork *out, const Network *net) {
    const Params *p = &net->params;
    *out = (GpuNetwork){
        .n_layers = (uint32_t)net->n_layers,
        .n_inputs = (uint32_t)p->n_inputs,
        .n_outputs = (uint32_t)p->n_outputs,
        .n_steps = (uint32_t)p->n_steps,
        .seed = net->seed,
        .n_learned = net->n_learned,
        .target_fp_clears = p->target_fp == TARGET_FP_CLEARED,
        .target_fp_silent = p->target_fp == TARGET_FP_SILENT,
        .error_step = net->error_step,
        .error_th = net->error_th,
        .error_min = net->error_min,
        .label_odds = net->label_odds,
    };
    for (size_t l = 0; l < net->n_layers; l++)
        derive_layer(&out->layers[l], &net->layers[l], p);
}

/* ---- contents: `at` is a place in a copy of the device's memory on this machine ---- */

typedef struct Copy {
    unsigned char *bytes;
    const unsigned char *device; /* what bytes[0] is there */
} Copy;

static void *at(const Copy *copy, const void *device) {
    return copy->bytes + ((const unsigned char *)device - copy->device);
}

/* Rows without padding, or back. */
static void pack_rows(void *to, const void *from, size_t n_rows, size_t n, size_t stride,
                      size_t size) {
    for (size_t j = 0; j < n_rows; j++)
        memcpy((char *)to + j * n * size, (const char *)from + j * stride * size, n * size);
}

static void unpack_rows(void *to, const void *from, size_t n_rows, size_t n, size_t stride,
                        size_t size) {
    for (size_t j = 0; j < n_rows; j++)
        memcpy((char *)to + j * stride * size, (const char *)from + j * n * size, n * size);
}

static void fill_layer(const Copy *copy, const GpuLayer *to, const Layer *from, size_t n_feedback) {
    size_t n_pre = from->n_pre, n = from->n_post, stride = from->stride;
    pack_rows(at(copy, to->w), from->w, n_pre, n, stride, sizeof(float));
    if (to->w_ref)
        pack_rows(at(copy, to->w_ref), from->w_ref, n_pre, n, stride, sizeof(float));
    if (from->m_steps)
        pack_rows(at(copy, to->m_steps), from->m_steps, n_pre, n, stride, sizeof(uint16_t));
    uint16_t *fixed = to->m_steps && !from->m_steps ? at(copy, to->m_steps) : NULL;
    for (size_t k = 0; fixed && k < n_pre * n; k++)
        fixed[k] = 1;
    if (to->feedback)
        pack_rows(at(copy, to->feedback), from->feedback, n_feedback, n, stride, sizeof(float));
    uint8_t *moved = at(copy, to->moved);
    for (size_t j = 0; j < n_pre && from->w_ref; j++)
        moved[j] = memcmp(from->w + j * stride, from->w_ref + j * stride, n * sizeof(float)) != 0;
}

static void fill(const Draft *draft, const Copy *copy) {
    const Network *net = draft->net;
    PoissonCode code = network_code(net, RNG_INPUT);
    memcpy(copy->bytes, &draft->shape, sizeof draft->shape);
    encode_odds(&code, at(copy, draft->odds));
    trace_fill(at(copy, draft->trace), &net->params);
    if (draft->pixel_order)
        memcpy(at(copy, draft->pixel_order), draft->order,
               draft->n_orders * net->params.n_inputs * sizeof *draft->order);
    for (size_t l = 0; l < net->n_layers; l++)
        fill_layer(copy, &draft->shape.layers[l], &net->layers[l],
                   params_feedback_rows(&net->params));
}

/* ---- gpu.h ---- */

static size_t widest(const Params *params) {
    size_t n = 0;
    for (size_t l = 0; l < params->hidden.n; l++)
        n = params->hidden.value[l] > n ? params->hidden.value[l] : n;
    return n;
}

static tacos_status copy_there(GpuNet *gpu_net, const Draft *draft, tacos_error *err) {
    Copy copy = {calloc(1, draft->n_sent), (const unsigned char *)gpu_net->device};
    if (!copy.bytes)
        return failure(err, TACOS_MEMORY, "no memory for a copy of a network");
    fill(draft, &copy);
    tacos_status status =
        machine_write(gpu_net->gpu->machine, gpu_net->device, copy.bytes, draft->n_sent, err);
    free(copy.bytes);
    return status;
}

tacos_status gpu_net_new(GpuNet **out, Gpu *gpu, const Network *net, const uint32_t *order,
                         size_t n_orders, tacos_error *err) {
    Draft draft = {.net = net, .order = order, .n_orders = n_orders};
    Arena arena = {0};
    GpuNet *gpu_net = calloc(1, sizeof *gpu_net);
    if (!gpu_net)
        return failure(err, TACOS_MEMORY, "no memory for a network");
    derive(&draft.shape, net);
    (void)carve(&draft, &arena);
    *gpu_net = (GpuNet){.gpu = gpu,
                        .params = net->params,
                        .plastic = is_plastic(&net->params),
                        .decays = params_model(&net->params)->consolidation,
                        .widest = widest(&net->params)};
    size_t n_bytes = arena.used;
    void *memory = arena.overflow ? NULL : machine_alloc(gpu->machine, n_bytes);
    if (!memory) {
        free(gpu_net);
        return failure(err, TACOS_MEMORY, "no memory on the GPU for a network of %.3g MB",
                       (double)n_bytes / 1e6);
    }
    arena = (Arena){.base = memory};
    gpu_net->device = carve(&draft, &arena);
    tacos_status status = copy_there(gpu_net, &draft, err);
    if (status != TACOS_OK) {
        gpu_net_free(gpu_net);
        return status;
    }
    *out = gpu_net;
    return TACOS_OK;
}

void gpu_net_free(GpuNet *gpu_net) {
    if (!gpu_net)
        return;
    machine_free(gpu_net->gpu->machine, gpu_net->device);
    free(gpu_net);
}

static tacos_status fetch_array(const GpuNet *gpu_net, void *to, const void *from,
                                const Layer *layer, size_t size, tacos_error *err) {
    size_t n = layer->n_pre * layer->n_post;
    void *packed = malloc(n * size);
    if (!packed)
        return failure(err, TACOS_MEMORY, "no memory for a copy of a network");
    tacos_status status = machine_read(gpu_net->gpu->machine, packed, from, n * size, err);
    if (status == TACOS_OK)
        unpack_rows(to, packed, layer->n_pre, layer->n_post, layer->stride, size);
    free(packed);
    return status;
}

tacos_status gpu_net_fetch(const GpuNet *gpu_net, Network *net, tacos_error *err) {
    GpuNetwork shape;
    TRY(machine_read(gpu_net->gpu->machine, &shape, gpu_net->device, sizeof shape, err));
    for (size_t l = 0; l < net->n_layers; l++) {
        Layer *layer = &net->layers[l];
        const GpuLayer *from = &shape.layers[l];
        TRY(fetch_array(gpu_net, layer->w, from->w, layer, sizeof(float), err));
        if (layer->w_ref)
            TRY(fetch_array(gpu_net, layer->w_ref, from->w_ref, layer, sizeof(float), err));
        if (layer->m_steps)
            TRY(fetch_array(gpu_net, layer->m_steps, from->m_steps, layer, sizeof(uint16_t), err));
    }
    net->n_learned = shape.n_learned;
    return TACOS_OK;
}

bool gpu_nets_alike(const GpuNet *a, const GpuNet *b) {
    const Params *p = &a->params, *q = &b->params;
    bool alike = p->n_inputs == q->n_inputs && p->n_outputs == q->n_outputs &&
                 p->n_steps == q->n_steps && p->hidden.n == q->hidden.n &&
                 a->plastic == b->plastic && a->decays == b->decays;
    for (size_t l = 0; alike && l < p->hidden.n; l++)
        alike = p->hidden.value[l] == q->hidden.value[l];
    return alike;
}

size_t gpu_room(const Gpu *gpu, const Params *params) {
    Network net;
    Draft draft = {.net = &net};
    Arena arena = {0};
    network_shape(&net, params, 0, NULL);
    derive(&draft.shape, &net);
    (void)carve(&draft, &arena);
    size_t blocks = gpu->info.n_processors * learn_blocks(is_plastic(params));
    size_t fit = gpu->info.memory_bytes / 2 / (arena.used ? arena.used : 1);
    return blocks < fit ? blocks : fit > 0 ? fit : 1;
}
