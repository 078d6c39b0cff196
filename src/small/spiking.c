/* spiking.c - the spiking networks of TACOS in a caller's memory: src/net one synapse at a time,
 * the same bits with less memory.
 *
 * What is slower than there, or left out, and why nothing else follows from it:
 *   - A row awake has v in the place of w, and f with the sign of M; |M| is computed from m.
 *   - Drives are kept for the steps at which an awake row had its last spike, counts of spikes as a
 *     bit per step.
 *   - Input spikes are drawn four steps at a time, predictions made step by step.
 *   - Rows that sleep through a sample go through it at its end. */
#include "kernel/plan.h"
#include "kernel/synapse.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "plans are read where they lie, which is little-endian"
#endif

typedef uint32_t PlanWord __attribute__((may_alias));
typedef float PlanFloat __attribute__((may_alias));

enum { NO_LINE = 0xffff, LEARNER_HEADER = 28 }; /* a saved learner's first bytes, up to its keys */

/* A layer of synapses, and the neurons that they feed. */
typedef struct SpikingLayer {
    uint32_t n_pre, n_post, n_lines;
    uint32_t merged_steps, m_every;
    float x_pre_min, x_post_min;
    SynapseRule synapse;
    NeuronRule neuron;
    /* What lasts. */
    float *w, *w_ref;  /* [n_pre][n_post]; v in the place of w while a row is awake */
    uint16_t *m_steps; /* the same */
    float *feedback;   /* [feedback_rows][n_post] */
    /* Of a sample: synapses, and lines, one for each step at which awake rows had their last
     * spike. */
    float *f;         /* [n_pre][n_post]: exp(-|m w|) with the sign of w, in rows awake */
    uint16_t *line;   /* [n_pre]: that of a row's last spike; NO_LINE: it sleeps */
    uint16_t *n_rows; /* [n_lines]: rows that have this line */
    uint16_t *now;    /* [n_lines]: 1 + its step */
    float *drive;     /* [n_lines][n_post]: eta U [gate] at that step */
    uint32_t fresh;   /* the line of this step; NO_LINE: no row spiked */
    /* Neurons. */
    float *i, *v, *u;          /* [n_post]; at the end of a sample u is the trace X */
    uint16_t *hold, *n_spikes; /* [n_post] */
    uint32_t *spiked;          /* [n_post][words]: a bit per step */
    uint16_t *list;            /* [n_post]: who spikes at this step */
    uint32_t n_list;
} SpikingLayer;

/* What all layers share. */
typedef struct SpikingCommon {
    uint8_t *drawn;     /* [n_inputs]: spikes of four steps */
    uint16_t *list;     /* [n_inputs]: who spikes at this step */
    float *x;           /* [n_inputs]: their trace */
    float *v_fp, *v_fn; /* [n_outputs]: error neurons */
    int8_t *s_fp, *s_fn;
} SpikingCommon;

/* The parts of a block. */
typedef struct SpikingBlock {
    PlanHeader plan;
    const unsigned char *bytes;
    const PlanWord *limit;       /* [PLAN_VALUES] */
    const unsigned char *layers; /* [n_layers] */
    const PlanFloat *trace;      /* [n_steps] */
    const PlanFloat *sums;       /* [n_sums] */
} SpikingBlock;

struct tacos_spiking {
    SpikingBlock block;
    uint64_t n_learned;
    uint32_t seed, step, n_list;
    size_t model_bytes;
    SpikingCommon common;
    SpikingLayer *layers;
};

/* ---- memory ---- */

static uint32_t spiking_words(const PlanHeader *plan) {
    return (plan->n_steps + 31) / 32;
}

static void shape_layer(SpikingLayer *y, const SpikingBlock *b, uint32_t l) {
    PlanLayer p;
    memset(y, 0, sizeof *y);
    memcpy(&p, b->layers + l * sizeof p, sizeof p);
    y->n_pre = p.n_pre;
    y->n_post = p.n_post;
    y->n_lines = p.n_pre < b->plan.n_steps ? p.n_pre : b->plan.n_steps;
    y->merged_steps = p.merged_steps;
    y->m_every = p.m_every;
    y->x_pre_min = p.x_pre_min;
    y->x_post_min = p.x_post_min;
    y->synapse.plastic = b->plan.plastic > 0;
    y->synapse.decays = b->plan.decays > 0;
    y->synapse.alpha = p.alpha;
    y->synapse.delta_m = p.delta_m;
    y->synapse.m_max = p.m_max;
    y->synapse.m_all = p.m_all;
    y->synapse.m_ceiling = (uint16_t)p.m_ceiling;
    y->synapse.cons_rate = p.cons_rate;
    y->neuron.syn = p.syn;
    y->neuron.mem = p.mem;
    y->neuron.r = p.r;
    y->neuron.v_th = p.v_th;
    y->neuron.v_min = p.v_min;
    y->neuron.hold = (int32_t)p.hold;
    y->neuron.u = p.u;
    y->neuron.r_u = p.r_u;
    y->neuron.eta = p.eta;
    y->neuron.i_min = p.i_min;
    y->neuron.i_max = p.i_max;
}

static void carve_model(SpikingLayer *y, const PlanHeader *plan, bool is_output, Arena *arena) {
    ARENA_TAKE_ROWS(arena, y->w, y->n_pre, y->n_post);
    if (plan->decays)
        ARENA_TAKE_ROWS(arena, y->w_ref, y->n_pre, y->n_post);
    if (plan->grows)
        ARENA_TAKE_ROWS(arena, y->m_steps, y->n_pre, y->n_post);
    if (!is_output)
        ARENA_TAKE_ROWS(arena, y->feedback, plan->feedback_rows, y->n_post);
}

static void carve_sample(SpikingLayer *y, const PlanHeader *plan, Arena *arena) {
    if (plan->plastic)
        ARENA_TAKE_ROWS(arena, y->f, y->n_pre, y->n_post);
    if (plan->decays || plan->grows)
        ARENA_TAKE_ROWS(arena, y->spiked, y->n_post, spiking_words(plan));
    ARENA_TAKE_ROWS(arena, y->drive, y->n_lines, y->n_post);
    ARENA_TAKE(arena, y->now, y->n_lines);
    ARENA_TAKE(arena, y->n_rows, y->n_lines);
    ARENA_TAKE(arena, y->line, y->n_pre);
    ARENA_TAKE(arena, y->i, y->n_post);
    ARENA_TAKE(arena, y->v, y->n_post);
    ARENA_TAKE(arena, y->u, y->n_post);
    ARENA_TAKE(arena, y->hold, y->n_post);
    ARENA_TAKE(arena, y->n_spikes, y->n_post);
    ARENA_TAKE(arena, y->list, y->n_post);
}

static void carve_common(SpikingCommon *c, const PlanHeader *plan, Arena *arena) {
    ARENA_TAKE(arena, c->drawn, plan->n_inputs);
    ARENA_TAKE(arena, c->list, plan->n_inputs);
    if (plan->grows)
        ARENA_TAKE(arena, c->x, plan->n_inputs);
    ARENA_TAKE(arena, c->v_fp, plan->n_outputs);
    ARENA_TAKE(arena, c->v_fn, plan->n_outputs);
    ARENA_TAKE(arena, c->s_fp, plan->n_outputs);
    ARENA_TAKE(arena, c->s_fn, plan->n_outputs);
}

/* The whole layout; without a base it is measured. Returns the bytes of the model. */
static size_t carve_spiking(Arena *arena, const SpikingBlock *b, tacos_spiking **out) {
    tacos_spiking *s;
    SpikingLayer *layers, layer;
    SpikingCommon common;
    size_t model_bytes = 0;
    ARENA_TAKE(arena, s, 1);
    ARENA_TAKE(arena, layers, b->plan.n_layers);
    for (uint32_t l = 0; l < b->plan.n_layers; l++) {
        SpikingLayer *y = arena->base ? &layers[l] : &layer;
        shape_layer(y, b, l);
        size_t before = arena->used;
        carve_model(y, &b->plan, l + 1 == b->plan.n_layers, arena);
        model_bytes += arena->used - before;
        carve_sample(y, &b->plan, arena);
    }
    carve_common(arena->base ? &s->common : &common, &b->plan, arena);
    if (arena->base)
        s->layers = layers;
    *out = s;
    return model_bytes;
}
