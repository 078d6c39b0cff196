/* params.h - the parameters of a learner: those of the paper, and the variants.
 *
 * Params is plain data, set through the key table in params.c; a tacos_config holds one. Nothing
 * here is derived; decay factors, counts of steps and the like are computed where they are used. */
#ifndef NET_PARAMS_H
#define NET_PARAMS_H

#include "net/future.h"

/* What makes a synapse less plastic. */
typedef enum Metaplasticity {
    M_NONE,    /* nothing: m = 0 always */
    M_DYNAMIC, /* exp(-|m w|), where m grows with use, up to m_max */
    M_FIXED,   /* exp(-|m w|), m = m_max everywhere from the start */
    M_USE,     /* 1 / (1 + c n), n the samples in which its presynaptic neuron spiked */
} Metaplasticity;

/* What moves a weight. */
typedef enum Rule {
    BY_ERROR, /* the error neurons, as in the paper */
    BY_COUNT, /* onto outputs: the log-odds of the label, given that the presynaptic neuron spikes
               */
} Rule;

/* A variant is these choices; there is no other difference between them. */
typedef struct Model {
    const char *name;
    Metaplasticity metaplasticity;
    bool consolidation; /* keep w_ref and pull w towards it */
    Rule rule;
    const char *about;
} Model;

/* name, metaplasticity, consolidation, rule, what it is */
#define MODEL_MAP(X)                                                                               \
    X("tacos", M_DYNAMIC, true, BY_ERROR, "metaplasticity that grows with use, and consolidation") \
    X("snn", M_NONE, false, BY_ERROR, "the plain network")                                         \
    X("snn+metaplasticity", M_DYNAMIC, false, BY_ERROR, "metaplasticity alone")                    \
    X("snn+consolidation", M_NONE, true, BY_ERROR, "consolidation alone")                          \
    X("fixed", M_FIXED, true, BY_ERROR,                                                            \
      "m = m_max in every synapse from the start, and consolidation")                              \
    X("use", M_USE, false, BY_ERROR, "plasticity that falls with use, 1/(1 + c n)")                \
    X("use+consolidation", M_USE, true, BY_ERROR,                                                  \
      "plasticity that falls with use, and consolidation")                                         \
    X("counting", M_NONE, false, BY_COUNT,                                                         \
      "no error: weights onto outputs are log-odds, counted sample by sample")

extern const Model models[];

/* What the paper leaves open; docs/readings.md. */
typedef enum Feedback { FEEDBACK_SEPARATE, FEEDBACK_SHARED } Feedback;
typedef enum TargetFp { TARGET_FP_CLEARED, TARGET_FP_KEPT, TARGET_FP_SILENT } TargetFp;

typedef struct Params {
    int model; /* index into models[] */

    size_t n_inputs;
    Counts hidden; /* sizes of the hidden layers */
    size_t n_outputs;

    double dt_ms;   /* dt */
    size_t n_steps; /* T */

    double threshold_hidden, threshold_output, threshold_error; /* V_th */
    double tau_syn_input_ms, tau_syn_later_ms;                  /* tau_syn */
    double tau_m_hidden_ms, tau_m_output_ms;                    /* tau_m */
    double r_hidden, r_output;                                  /* R */
    double refractory_ms;

    double input_rate_hz, label_rate_hz;

    double tau_e_ms, r_e; /* error neurons */
    double tau_u_ms, r_u; /* error compartment */
    double i_min, i_max;  /* gate of the update: I_min < I < I_max */
    double learning_rate; /* eta */

    double tau_trace_ms;                                              /* tau_trace */
    double m_threshold_input, m_threshold_hidden, m_threshold_output; /* on traces X */
    double delta_m_hidden, delta_m_output;                            /* delta m */
    double m_max;                                                     /* onto hidden neurons */
    double m_max_output; /* onto outputs; infinity for no bound */

    double alpha;      /* heterosynaptic decay */
    double w_ref_rate; /* dt / tau_cons: w_ref follows w by this much per sample */

    int feedback;  /* a Feedback: B of false positives and negatives, one matrix or two */
    int target_fp; /* a TargetFp: what the target's own false-positive neuron does */

    size_t n_expansion;       /* units between the inputs and the first layer; 0: none */
    double expansion_active;  /* fraction of them that fires */
    size_t expansion_steps;   /* steps in which they receive input, before those of the sample */
    double expansion_rate_hz; /* of those that fire */
    int expansion_synapses;   /* an ExpansionSynapses */
    double use_slope;         /* c, of plasticity 1 / (1 + c n) */
    double count_prior;       /* a, the initial count of every weight with rule BY_COUNT */
    double output_inhibition; /* fraction of the outputs' mean input subtracted from each */

    Reals init_w; /* w ~ U(-init_w, init_w); one for all, or one per synapse layer */
    Reals init_b; /* B ~ U(-init_b, init_b); one for all, or one per hidden layer */

    FutureParams future;
} Params;

/* Where the synapses of the expansion are kept. */
typedef enum ExpansionSynapses {
    EXPANSION_DRAWN, /* nowhere: they are drawn from the seed when needed */
    EXPANSION_STORED,
} ExpansionSynapses;

extern const KeyTable params_table;

void params_defaults(Params *params);

/* What tacos.h calls it. */
struct tacos_config {
    tacos_allocator allocator;
    Params params;
};

/* The value of a key as text, as tacos_config_get gives it. */
tacos_status params_get(const Params *params, const char *name, char *buf, size_t size,
                        tacos_error *err);

/* Checks what involves several keys. */
tacos_status params_check(const Params *params, tacos_error *err);

static inline const Model *params_model(const Params *params) {
    return &models[params->model];
}

/* Rows of B: one per output for both kinds of error neurons, or for each kind. */
static inline size_t params_feedback_rows(const Params *params) {
    return params->n_outputs * (params->feedback == FEEDBACK_SEPARATE ? 2 : 1);
}

/* Whether a key is of src/future. */
static inline bool params_is_future(const Key *key) {
    return key->offset >= offsetof(Params, future) &&
           key->offset < offsetof(Params, future) + sizeof(FutureParams);
}

/* Does a layer count the uses of its presynaptic neurons? */
static inline bool params_count_uses(const Params *params) {
    return params_model(params)->metaplasticity == M_USE || params_model(params)->rule == BY_COUNT;
}

/* Steps in which inputs are received, and neurons that feed the first layer. */
static inline size_t params_input_steps(const Params *params) {
    return params->n_expansion > 0 ? params->expansion_steps : params->n_steps;
}

static inline size_t params_first(const Params *params) {
    return params->n_expansion > 0 ? params->n_expansion : params->n_inputs;
}

/* Neurons between inputs and outputs, those of the expansion too. */
static inline size_t params_hidden_neurons(const Params *params) {
    size_t n = params->n_expansion;
    for (size_t l = 0; l < params->hidden.n; l++)
        n += params->hidden.value[l];
    return n;
}

/* The i-th of a list that may hold one value for all. */
static inline double reals_at(const Reals *reals, size_t i) {
    return reals->value[reals->n == 1 ? 0 : i];
}

#endif
