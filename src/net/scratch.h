/* scratch.h - what learning needs besides the network: the state of one sample, and the updates
 * that rows of synapses are owed.
 *
 * Synapses are updated lazily: a row wakes when its presynaptic neuron first spikes in a sample, is
 * touched when it spikes again, and sleeps when the sample ends. The updates of the steps in
 * between are read from two short histories of the postsynaptic layer (drive, count); those of the
 * samples it slept through, from another (slept). network_settle applies all of them; nothing that
 * is learned depends on when. docs/performance.md derives how close this is to the stepwise
 * rule. */
#ifndef NET_SCRATCH_H
#define NET_SCRATCH_H

#include "base/team.h"
#include "net/network.h"

enum { RESTS_MAX = 32 };

/* Where a row stands between two samples. */
typedef struct RowMark {
    uint8_t rested; /* samples of LayerScratch.slept that it has been through */
    bool awake;
    bool moved; /* w is not w_ref, so that sleeping changes it */
} RowMark;

typedef struct LayerScratch {
    Neurons neurons;  /* [stride] each */
    float *input;     /* [stride]: sum_j w_ij S_j */
    float *waste;     /* [stride]: sums that are not used */
    float *error;     /* [stride]: E */
    float *x;         /* [stride]: trace X as it will be at the end of the sample */
    uint16_t *ready;  /* [stride]: X above its threshold */
    uint16_t *spiked; /* [stride / KERNEL_LANES]: S of this step, a bit each */
    uint32_t *spikes; /* [stride + a word]: the neurons that spiked this step, ascending */
    uint32_t *column; /* [stride]: 0, 1, 2, ... */
    size_t n_spikes;

    /* Histories. Line t + 1 is step t; line 0 is before the sample. */
    float *drive; /* [T + 1][stride]: eta U [gate] */
    float *count; /* [T + 2][stride]: alpha times the spikes before the step */
    float *known; /* [T][stride]: sum_j w_ref_ij S_j in the first layer, whose spikes are known */

    RowMark *marks;       /* [n_pre] */
    float *awake;         /* [n_pre][stride * parts]: of the rows awake, in the order they woke */
    AwakeRow *rows;       /* [n_pre]: of those awake, where they are and what they owe */
    uint32_t *awake_rows; /* [n_pre]: which those are */
    size_t n_awake;

    /* The work of a step, put together by synapses_plan. */
    AwakeRow *visits; /* [n_pre]: the rows to be read */
    uint32_t *wakers; /* [n_pre]: those that wake */
    AwakeRow *owing;  /* [n_pre]: what those owe that are late, behind by too many steps */
    size_t n_visits, n_wakers, n_late;

    float *slept;   /* [RESTS_MAX][stride]: count at the end of samples that rows slept through */
    size_t n_rests; /* how many */
} LayerScratch;

/* Which random numbers a sample's labels draw: block = step / 4. */
typedef struct LabelDraws {
    RngPurpose purpose;
    uint64_t sample;
    uint32_t index;
} LabelDraws;

struct Scratch {
    size_t step; /* the next step to run */
    LayerScratch layers[LAYERS_MAX];
    Raster raster;  /* the input spikes */
    float *input_x; /* [n_inputs]: their trace X, at the end of the sample */
    float *trace;   /* [T]: what is left at the end of the trace of a spike */
    LabelDraws labels;
    RngBlock label;        /* four steps of them */
    float *v_fp, *v_fn;    /* [n_outputs]: error neurons */
    int8_t *s_fp, *s_fn;   /* [n_outputs]: their spikes of this step */
    tacos_counters *tally; /* counts the work of this sample */
    Team *team;            /* threads that share wide layers, or NULL */
    Watch watch;
    FutureScratch future;
};

/* What is left at the end of a sample of the trace of a spike, [T]: step 3,
 * X += S - X dt / tau_trace, seen from there. */
void trace_fill(float *trace, const Params *params);

/* All but the raster. */
void scratch_carve(Scratch *scratch, const Network *net, Arena *arena);
/* Once the network's arrays are filled. */
void scratch_start(Scratch *scratch, const Network *net);

#endif
