/* plan.c - writes what a device needs to know of a spiking network, and the saved learner behind
 * it; and reads such a block. */
#include "net/plan.h"

#include "base/little_endian.h"
#include "base/pack_file.h"
#include "kernel/plan.h"
#include "net/encode.h"
#include "net/snapshot.h"

#include <string.h>

_Static_assert(sizeof(PlanHeader) == 4 * PLAN_HEADER_WORDS &&
                   sizeof(PlanLayer) == 4 * PLAN_LAYER_WORDS,
               "32-bit numbers without gaps");

/* ---- the constants ---- */

static PlanLayer plan_layer(const Layer *layer) {
    const SynapseRule *s = &layer->synapse;
    const NeuronRule *n = &layer->neuron;
    return (PlanLayer){
        .n_pre = (uint32_t)layer->n_pre,
        .n_post = (uint32_t)layer->n_post,
        .merged_steps = (uint32_t)layer->merged_steps,
        .m_every = (uint32_t)layer->m_every,
        .x_pre_min = layer->x_pre_min,
        .x_post_min = layer->x_post_min,
        .alpha = s->alpha,
        .delta_m = s->delta_m,
        .m_max = s->m_max,
        .m_all = s->m_all,
        .cons_rate = s->cons_rate,
        .m_ceiling = s->m_ceiling,
        .syn = n->syn,
        .mem = n->mem,
        .r = n->r,
        .v_th = n->v_th,
        .v_min = n->v_min,
        .hold = n->hold < UINT16_MAX ? (uint32_t)n->hold : UINT16_MAX, /* longer than any sample */
        .u = n->u,
        .r_u = n->r_u,
        .eta = n->eta,
        .i_min = n->i_min,
        .i_max = n->i_max,
    };
}

static void plan_odds(const Network *net, PlanHeader *plan, uint32_t limit[PLAN_VALUES]) {
    PoissonCode code = network_code(net, RNG_INPUT);
    uint64_t odds[PLAN_VALUES];
    encode_odds(&code, odds);
    for (size_t v = PLAN_VALUES; v-- > 0;) {
        limit[v] = (uint32_t)(odds[v] - 1);
        if (odds[v] > 0)
            plan->first = (uint32_t)v;
    }
}

/* A neuron spikes at most every hold + 1 steps. */
static uint32_t most_spikes(const Network *net) {
    size_t every = (size_t)net->layers[0].neuron.hold + 1;
    return (uint32_t)((net->params.n_steps + every - 1) / every);
}

static PlanHeader plan_header(const Network *net) {
    const Params *p = &net->params;
    const Model *model = params_model(p);
    uint32_t n_layers = (uint32_t)net->n_layers, n_steps = (uint32_t)p->n_steps;
    return (PlanHeader){
        .magic = {PLAN_MAGIC_0, PLAN_MAGIC_1},
        .version = PLAN_VERSION,
        .plan_bytes = plan_bytes(n_layers, n_steps, most_spikes(net) + 1),
        .n_layers = n_layers,
        .n_inputs = (uint32_t)p->n_inputs,
        .n_outputs = (uint32_t)p->n_outputs,
        .n_steps = n_steps,
        .n_sums = most_spikes(net) + 1,
        .plastic = model->metaplasticity != M_NONE,
        .decays = model->consolidation,
        .grows = model->metaplasticity == M_DYNAMIC,
        .feedback_rows = (uint32_t)params_feedback_rows(p),
        .clears = p->target_fp == TARGET_FP_CLEARED,
        .silent = p->target_fp == TARGET_FP_SILENT,
        .first = PLAN_VALUES,
        .labels = net->label_odds > 0,
        .label_limit = (uint32_t)(net->label_odds - 1),
        .error_step = net->error_step,
        .error_th = net->error_th,
        .error_min = net->error_min,
    };
}

/* ---- out ---- */

static void pack_words(Pack *pack, const void *words, size_t n) {
    for (size_t k = 0; k < n; k++) {
        uint32_t word;
        memcpy(&word, (const char *)words + 4 * k, sizeof word);
        (void)pack_whole(pack, word, sizeof word);
    }
}

static void pack_float(Pack *pack, float value) {
    pack_words(pack, &value, 1);
}

static void write_plan(Pack *pack, const Learner *learner, PlanHeader plan) {
    const Network *net = &learner->net;
    uint32_t limit[PLAN_VALUES];
    float sum = 0;
    plan_odds(net, &plan, limit);
    pack_words(pack, &plan, PLAN_HEADER_WORDS);
    pack_words(pack, limit, PLAN_VALUES);
    for (size_t l = 0; l < net->n_layers; l++) {
        PlanLayer layer = plan_layer(&net->layers[l]);
        pack_words(pack, &layer, PLAN_LAYER_WORDS);
    }
    pack_words(pack, learner->scratch.trace, plan.n_steps);
    for (uint32_t k = 0; k < plan.n_sums; k++) {
        pack_float(pack, sum);
        sum += net->layers[0].neuron.alpha;
    }
    (void)pack_checksum(pack);
}

static bool has_future(const FutureParams *f) {
    return f->m_growth_error != 0 || f->tau_release_ms > 0 || f->release_error_hz > 0 ||
           f->neurogenesis_m > 0 || f->rehearsal_every > 0;
}

static tacos_status check_device(const Network *net, tacos_error *err) {
    if (has_future(&net->params.future))
        return failure(err, TACOS_INVALID, "a device has nothing of the paper's future work");
    if (net->n_layers > PLAN_LAYERS_MAX)
        return failure(err, TACOS_RANGE, "too large for a device: %zu hidden layers; at most %d",
                       net->n_layers - 1, PLAN_LAYERS_MAX - 1);
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        size_t most = layer->n_pre > layer->n_post ? layer->n_pre : layer->n_post;
        if (most > PLAN_NEURONS_MAX)
            return failure(err, TACOS_RANGE,
                           "too large for a device: a layer of %zu neurons; at most %d", most,
                           PLAN_NEURONS_MAX);
        if (layer->m_every > UINT32_MAX)
            return failure(err, TACOS_RANGE, "a device cannot have such small steps of m");
    }
    return TACOS_OK;
}

static bool count_bytes(void *user, void *bytes, size_t n) {
    (void)bytes;
    *(uint64_t *)user += n;
    return true;
}

/* Bytes that must be the same. */
typedef struct Wanted {
    const unsigned char *at;
    size_t n;
} Wanted;

static bool compare(void *user, void *bytes, size_t n) {
    Wanted *wanted = user;
    bool same = n <= wanted->n && memcmp(bytes, wanted->at, n) == 0;
    wanted->at += same ? n : 0;
    wanted->n -= same ? n : 0;
    return same;
}

tacos_status plan_save(Learner *learner, tacos_write *write, void *user, tacos_error *err) {
    PlanHeader plan = plan_header(&learner->net);
    uint64_t n_bytes = plan.plan_bytes;
    Pack counting = {.writing = true, .move = count_bytes, .user = &n_bytes};
    PackCalls calls = {.write = write, .user = user};
    Pack pack = pack_write_calls(&calls);
    TRY(check_device(&learner->net, err));
    TRY(learner_write(learner, &counting, err));
    if (n_bytes > UINT32_MAX)
        return failure(err, TACOS_RANGE, "too large for a device: %llu bytes",
                       (unsigned long long)n_bytes);
    plan.n_bytes = (uint32_t)n_bytes;
    write_plan(&pack, learner, plan);
    return learner_write(learner, &pack, err);
}

/* ---- back ---- */

bool plan_is(const void *block, size_t n_bytes) {
    return n_bytes >= 8 && little_endian_get(block, 4) == PLAN_MAGIC_0 &&
           little_endian_get((const unsigned char *)block + 4, 4) == PLAN_MAGIC_1;
}

static tacos_status check_block(const unsigned char *bytes, size_t n_bytes, size_t *plan,
                                tacos_error *err) {
    if (n_bytes < sizeof(PlanHeader))
        return failure(err, TACOS_FORMAT, "a damaged state: it is incomplete");
    uint64_t version = little_endian_get(bytes + offsetof(PlanHeader, version), 4);
    uint64_t wanted = little_endian_get(bytes + offsetof(PlanHeader, n_bytes), 4);
    *plan = (size_t)little_endian_get(bytes + offsetof(PlanHeader, plan_bytes), 4);
    if (version > PLAN_VERSION)
        return failure(err, TACOS_VERSION, "a state of a newer version");
    if (wanted != n_bytes || *plan < sizeof(PlanHeader) || *plan > n_bytes)
        return failure(err, TACOS_FORMAT, "a damaged state: it has %zu bytes instead of %llu",
                       n_bytes, (unsigned long long)wanted);
    if (crc_add(0, bytes, *plan - 4) != little_endian_get(bytes + *plan - 4, 4))
        return failure(err, TACOS_CHECKSUM,
                       "a damaged state: the checksum of its constants is wrong");
    return TACOS_OK;
}

/* The constants are those of the keys, as this machine derives them. */
static tacos_status check_plan(const Learner *learner, const unsigned char *bytes, size_t n_bytes,
                               size_t n_plan, tacos_error *err) {
    PlanHeader plan = plan_header(&learner->net);
    Wanted wanted = {bytes, n_plan};
    Pack pack = {.writing = true, .move = compare, .user = &wanted};
    TRY(check_device(&learner->net, err));
    plan.n_bytes = (uint32_t)n_bytes;
    write_plan(&pack, learner, plan);
    if (pack.failed || wanted.n > 0)
        return failure(err, TACOS_INVALID, "a device with other constants than its keys give");
    return TACOS_OK;
}

tacos_status plan_load(Learner **out, const void *block, size_t n_bytes,
                       const tacos_allocator *allocator, tacos_error *err) {
    const unsigned char *bytes = block;
    Learner *learner;
    size_t plan;
    *out = NULL;
    TRY(check_block(bytes, n_bytes, &plan, err));
    TRY(learner_read_bytes(&learner, bytes + plan, n_bytes - plan, "the state", allocator, err));
    tacos_status status = check_plan(learner, bytes, n_bytes, plan, err);
    if (status == TACOS_OK)
        *out = learner;
    else
        tacos_learner_free(learner);
    return status;
}
