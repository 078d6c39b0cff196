/* network.h - the model of the paper as data: what lasts (Network) and what one sample needs
 * (Scratch to learn, Predictor to predict).
 *
 * A Network is what learning changes and what a checkpoint holds; predicting only reads it. Layers
 * are synapses together with the neurons they feed, inputs' side first. All live in memory given
 * once.
 *
 * Synapses are caught up lazily: a row wakes when its presynaptic neuron first spikes in a sample,
 * is touched when it spikes again, and sleeps when the sample ends. What the steps in between owe
 * it is read from two short histories of the postsynaptic layer (drive, count); what the samples
 * owe it through which it slept, from another (slept). network_settle pays all of that; nothing
 * that is learned depends on when. docs/performance.md tells how near this is to the stepwise rule.
 */
#ifndef NET_NETWORK_H
#define NET_NETWORK_H

#include "base/arena.h"
#include "base/raster.h"
#include "base/rng.h"
#include "base/team.h"
#include "kernel/kernel.h"
#include "net/expansion.h"
#include "net/params.h"

enum { LAYERS_MAX = KEY_LIST_MAX, RESTS_MAX = 32 };

/* ---- What lasts ---- */

typedef struct Layer {
    size_t n_pre, n_post, stride; /* stride = padded n_post */
    float *w;                     /* [n_pre][stride] */
    float *w_ref;                 /* [n_pre][stride], NULL without consolidation */
    uint16_t *m_steps;            /* [n_pre][stride], NULL unless m is dynamic */
    uint16_t *uses;               /* n: [n_pre], NULL unless uses are counted */
    float *feedback;              /* B: [params_feedback_rows][stride], NULL in the output layer */
    float *error_hz; /* [stride]: rate of errors heard over many samples, NULL unless they count */

    /* Derived from the parameters. */
    SynapseRule synapse;
    NeuronRule neuron;
    size_t merged_steps;         /* at most so many steps of decay are merged with an error */
    float x_pre_min, x_post_min; /* traces above which m grows ... */
    uint64_t m_every;            /* ... in one of so many samples; synapse.delta_m is as large */
    float use_slope;             /* c */
} Layer;

static inline Row layer_row(const Layer *layer, size_t pre) {
    size_t at = pre * layer->stride;
    return (Row){
        .w = layer->w + at,
        .w_ref = layer->w_ref ? layer->w_ref + at : NULL,
        .m_steps = layer->m_steps ? layer->m_steps + at : NULL,
        .plasticity = layer->uses ? 1.0f / (1.0f + layer->use_slope * (float)layer->uses[pre]) : 1,
    };
}

/* The mean inputs that are rehearsed: of each output, those of several times. An input is how
 * likely it spikes in a step. All NULL without rehearsal. */
typedef struct Memory {
    float *means;        /* [n_outputs][rehearsal_means][n_inputs] */
    uint64_t *n;         /* [n_outputs][rehearsal_means]: samples in each, 0 where there is none */
    uint64_t *open;      /* [n_outputs]: the one that takes samples */
    uint64_t *rehearsed; /* one number: samples rehearsed, which numbers their random draws */
} Memory;

typedef struct Network {
    Params params;
    const Kernel *kernel;
    uint32_t seed;
    uint64_t n_learned; /* samples learned; numbers the random draws of the next one */
    size_t n_layers;
    Layer layers[LAYERS_MAX];
    Memory memory;
    size_t n_bytes;      /* of the arrays above */
    Expansion expansion; /* what the first layer hears instead of the inputs, if there is one */

    /* Derived from the parameters. */
    float error_step, error_th, error_min; /* dt R_e / tau_e, V_th, floor */
    uint64_t label_odds;                   /* a label spikes if a 32-bit draw is below this */
    bool tended;                           /* something happens between samples */
} Network;

/* ---- Who looks on ---- */

typedef struct Watch {
    tacos_watcher *watcher; /* NULL: nobody */
    void *user;
} Watch;

/* ---- What it takes to learn ---- */

/* Where a row stands between two samples. */
typedef struct RowMark {
    uint8_t rested; /* so many samples of LayerScratch.slept it has been through */
    bool awake;
    bool moved; /* w is not w_ref, so that sleeping changes it */
} RowMark;

typedef struct LayerScratch {
    Neurons neurons;  /* [stride] each */
    float *input;     /* [stride]: sum_j w_ij S_j */
    float *waste;     /* [stride]: sums that nobody needs */
    float *error;     /* [stride]: E */
    float *x;         /* [stride]: trace X as it will be at the end of the sample */
    uint16_t *ready;  /* [stride]: X above its threshold */
    uint16_t *spiked; /* [stride / KERNEL_LANES]: S of this step, a bit each */
    uint32_t *spikes; /* [stride + a word]: who spiked this step, ascending */
    uint32_t *column; /* [stride]: 0, 1, 2, ... */
    size_t n_spikes;

    /* Histories. Line t + 1 is step t; line 0 is before the sample. */
    float *drive; /* [T + 1][stride]: eta U [gate] */
    float *count; /* [T + 2][stride]: alpha times the spikes before the step */
    float *known; /* [T][stride]: sum_j w_ref_ij S_j in the first layer, whose spikes are known */

    RowMark *marks; /* [n_pre] */
    float *awake; /* [most][stride * parts]: room for the most rows awake, in the order they woke */
    AwakeRow *rows;       /* [n_pre]: of those awake, where they are and what they owe */
    uint32_t *awake_rows; /* [most]: which those are */
    size_t n_awake;

    /* The work of a step, put together by synapses_plan. */
    AwakeRow *visits; /* [most]: the rows to be read */
    uint32_t *wakers; /* [most]: those that wake */
    AwakeRow *owing;  /* [most]: what those owe that are late, behind by too many steps */
    size_t n_visits, n_wakers, n_late;

    float *slept;   /* [RESTS_MAX][stride]: count at the end of samples that rows slept through */
    size_t n_rests; /* so many */

    float *heard;    /* [stride]: rate of errors in this sample, Hz; NULL unless they count */
    uint16_t *grows; /* [stride]: whose synapses may grow m; NULL if all may */
} LayerScratch;

typedef struct Scratch {
    size_t step; /* the next step to run */
    LayerScratch layers[LAYERS_MAX];
    Raster raster;       /* the input spikes */
    Burst burst;         /* what the expansion makes of them */
    const Events *heard; /* what the first layer hears: either */
    size_t target;       /* the label */
    float *input_x; /* [n_pre]: trace X of what the first layer hears, at the end of the sample */
    float *trace;   /* [T]: what is left at the end of the trace of a spike */
    RngBlock label; /* random numbers for four steps of labels */
    float *v_fp, *v_fn;    /* [n_outputs]: error neurons */
    int8_t *s_fp, *s_fn;   /* [n_outputs]: their spikes of this step */
    tacos_counters *tally; /* where this sample's work is counted */
    Team *team;            /* threads that share wide layers, or NULL */
    Watch watch;

    /* For what is beyond the paper; NULL where it is not asked for. */
    uint32_t *n_errors; /* [2][n_outputs]: false positives, false negatives in this sample */
    uint64_t *shares;   /* [widest layer]: of 2^32, what m loses */
    uint64_t *sums;     /* [widest layer]: steps of all synapses onto a neuron */
    float *worth;       /* [widest layer]: what a neuron means to the next layer */
    float *shown;       /* [n_inputs]: how often inputs spiked */
    bool rehearsing;    /* the sample is none of the stream's */
} Scratch;

/* ---- What it takes to predict ---- */

typedef struct Predictor {
    Raster raster;    /* the input spikes */
    Burst burst;      /* what the expansion makes of them */
    Neurons outputs;  /* [stride] each, if they inhibit each other; */
    float *input;     /* [T][stride] */
    float *no_count;  /* [stride] */
    uint32_t *column; /* [widest layer]: 0, 1, 2, ... */
    uint16_t *spiked; /* [T][words of the widest layer] */
    Events events[2]; /* what one layer hears and the next one says */
    uint32_t *counts; /* [n_outputs]: output spikes of the last sample */
    Watch watch;
} Predictor;

/* What the first layer hears of the raster's spikes; counts them. */
const Events *network_hear(const Network *net, const Raster *raster, Burst *burst,
                           tacos_counters *tally);

/* ---- network.c: lay out, derive, draw ---- */

/* Set up everything but the arrays. params must have passed params_check. */
void network_shape(Network *net, const Params *params, uint32_t seed, const Kernel *kernel);

/* Carve the arrays (twice, see arena.h), then fill them with the initial state. */
void network_carve(Network *net, Arena *arena);
void network_draw(Network *net);

/* Bytes that network_carve takes for another model of the same shape. */
size_t network_bytes(const Params *params, int model);

/* ---- scratch.c: all but the rasters ---- */

void scratch_carve(Scratch *scratch, const Network *net, Arena *arena);
/* Once the network's arrays are filled. */
void scratch_start(Scratch *scratch, const Network *net);
void predictor_carve(Predictor *predictor, const Network *net, Arena *arena);
void predictor_start(Predictor *predictor, const Network *net);

/* ---- the steps of a sample ---- */

/* synapse.c: rows are planned by one thread, then worked on by all, each on its span of columns. */
void synapses_begin(LayerScratch *scratch);
void synapses_wake(const Layer *layer, LayerScratch *scratch, uint32_t pre); /* it sleeps */
/* These rows will be read at the present step. From then on each owes the error of this step, if
 * it spiked, and the decays since. */
void synapses_plan(const Network *net, size_t l, Scratch *scratch, const uint32_t *list, size_t n,
                   bool spiked);
/* Those of them that sleep wake; those that are late catch up. */
void synapses_ready(const Network *net, size_t l, Scratch *scratch, Span span);
/* All of them catch up with this step, and are added to `sum` (w_ref, if there is one, is not). */
void synapses_visit(const Network *net, size_t l, Scratch *scratch, float *sum, Span span);
/* The sample is over; all that is awake has been planned. */
void synapses_sleep(const Network *net, size_t l, Scratch *scratch, const float *x_pre, Span span);
void synapses_end(const Network *net, size_t l, Scratch *scratch);
/* Every row has been through every sample. */
void synapses_settle(const Network *net, size_t l, Scratch *scratch, Span span);

/* lif.c */
void neurons_begin(const Layer *layer, LayerScratch *scratch);
void neurons_fire(const Network *net, size_t l, Scratch *scratch, Span span);
void neurons_collect(const Network *net, size_t l, Scratch *scratch); /* spiked to spikes */

/* The outputs' inputs less a part of their mean. */
void outputs_inhibit(const Network *net, float *input);

/* counting.c: the sample is over; weights onto outputs follow the counts. */
void counting_learn(const Network *net, const Scratch *scratch);

/* errors.c */
void errors_begin(const Network *net, Scratch *scratch);
void errors_step(const Network *net, Scratch *scratch, size_t target);
/* The rate of errors that each neuron of a layer heard in the sample that ends. */
void errors_heard(const Network *net, size_t l, Scratch *scratch);

/* With an expansion, layers begin when it has listened: so many steps into the sample. */
static inline size_t network_first_step(const Network *net) {
    return net->expansion.n_units > 0 ? net->params.expansion_steps : 0;
}

/* watch.c: tell of a step that was learned; of all steps of a group that was predicted, the first
 * of which is step `first` of the sample. */
void watch_step(const Network *net, const Scratch *scratch);
void watch_group(const Watch *watch, size_t group, size_t first, const Events *events);

/* sample.c: a whole sample; the input is in the raster. */
void sample_begin(const Network *net, Scratch *scratch, tacos_counters *tally);
void sample_step(const Network *net, Scratch *scratch, size_t target);
void sample_end(Network *net, Scratch *scratch);
void sample_run(Network *net, Scratch *scratch, size_t target, tacos_counters *tally); /* all */
/* The same, and what a learner does between samples. */
void sample_learn(Network *net, Scratch *scratch, size_t target, tacos_counters *tally);
/* Before anybody reads w, w_ref or m. */
void network_settle(const Network *net, Scratch *scratch);

/* ---- beyond the paper: off by default ---- */

/* growth.c: who may grow m, by the errors of the sample that ends. */
void growth_draw(const Network *net, size_t l, Scratch *scratch);

/* beyond.c: a sample of the stream has been learned. */
bool tend_wanted(const Params *params);
void tend(Network *net, Scratch *scratch, size_t target, tacos_counters *tally);

/* release.c: m falls. The network has settled. */
void release_watch(const Network *net, const Scratch *scratch); /* errors of the last sample */
void release_tend(const Network *net, Scratch *scratch);
/* Synapses onto neuron i lose shares[i] of 2^32 of their steps. What falls at the same time for
 * another reason has another `reason`, 0 or 1. */
void release_steps(const Network *net, size_t l, uint32_t reason, const uint64_t *shares);

/* neurogenesis.c: neurons begin anew. The network has settled. */
void neurogenesis_tend(const Network *net, Scratch *scratch);

/* rehearsal.c: the sample that was learned joins the means; all of them are learned again. */
void rehearsal_remember(const Network *net, Scratch *scratch, size_t target);
void rehearsal_run(Network *net, Scratch *scratch, tacos_counters *tally);

/* predict.c: returns the predicted output, or -1 if none fired. Counts are in the predictor. */
int sample_predict(const Network *net, Predictor *predictor, tacos_counters *tally);

#endif
