/* params.h - the parameters of a learner: those of the paper, and the variants.
 *
 * Params is plain data, set through the key table in params.c; a tacos_config holds one. Nothing
 * here is derived; decay factors, counts of steps and the like are computed where they are used. */
#ifndef NET_PARAMS_H
#define NET_PARAMS_H

#include "columns/params.h"
#include "net/future.h"

/* What makes a synapse less plastic. */
typedef enum Metaplasticity {
    M_NONE,    /* nothing: m = 0 always */
    M_DYNAMIC, /* exp(-|m w|), where m grows with use, up to m_max */
    M_FIXED,   /* exp(-|m w|), m = m_max everywhere from the start */
} Metaplasticity;

/* A variant is these choices; there is no other difference between them. */
typedef struct Model {
    const char *name;
    Metaplasticity metaplasticity;
    bool consolidation; /* keep w_ref and pull w towards it */
    const char *about;
} Model;

/* name, metaplasticity, consolidation, what it is */
#define MODEL_MAP(X)                                                                               \
    X("tacos", M_DYNAMIC, true, "metaplasticity that grows with use, and consolidation")           \
    X("snn", M_NONE, false, "the plain network")                                                   \
    X("snn+metaplasticity", M_DYNAMIC, false, "metaplasticity alone")                              \
    X("snn+consolidation", M_NONE, true, "consolidation alone")                                    \
    X("fixed", M_FIXED, true, "m = m_max in every synapse from the start, and consolidation")

/* These variants, then columns (src/columns), which has no synapses. */
extern const Model models[];
extern const int columns_model; /* its index */
#define COLUMNS_NAME "columns"
#define COLUMNS_ABOUT                                                                              \
    "units that compete place by place, keep what they have seen, and count labels"

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

    Reals init_w; /* w ~ U(-init_w, init_w); one for all, or one per synapse layer */
    Reals init_b; /* B ~ U(-init_b, init_b); one for all, or one per hidden layer */

    FutureParams future;
    ColumnsParams columns;
} Params;

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

static inline bool params_is_columns(const Params *params) {
    return params->model == columns_model;
}

enum { FULL_VALUE = 255 }; /* an intensity of 1 as columns see it */

/* The spikes that an input of intensity 1 has in a sample, on average; at least 1. */
uint32_t params_full_spikes(const Params *params);

/* The shape of columns with these parameters, without their arrays. */
struct Columns;
tacos_status params_columns(const Params *params, struct Columns *out, tacos_error *err);

/* Rows of B: one per output for both kinds of error neurons, or for each kind. */
static inline size_t params_feedback_rows(const Params *params) {
    return params->n_outputs * (params->feedback == FEEDBACK_SEPARATE ? 2 : 1);
}

/* Whether a key is of src/future. */
static inline bool params_is_future(const Key *key) {
    return key->offset >= offsetof(Params, future) &&
           key->offset < offsetof(Params, future) + sizeof(FutureParams);
}

/* Neurons between inputs and outputs. */
static inline size_t params_hidden_neurons(const Params *params) {
    size_t n = 0;
    for (size_t l = 0; l < params->hidden.n; l++)
        n += params->hidden.value[l];
    return n;
}

/* Whether a key is of src/columns. */
static inline bool params_is_of_columns(const Key *key) {
    return key->offset >= offsetof(Params, columns) &&
           key->offset < offsetof(Params, columns) + sizeof(ColumnsParams);
}

/* Whether a key matters: for columns with these parameters or, if NULL, for a spiking network. */
bool params_key_matters(const Key *key, const ColumnsParams *columns);

/* The i-th of a list that may hold one value for all. */
static inline double reals_at(const Reals *reals, size_t i) {
    return reals->value[reals->n == 1 ? 0 : i];
}

#endif
