/* params.h - what a learner is made of: the parameters of the paper, and the variants.
 *
 * Params is plain data set through the key table in params.c. Nothing here is derived; what follows
 * from it (decay factors, counts of steps) is computed where it is used. */
#ifndef NET_PARAMS_H
#define NET_PARAMS_H

#include "base/keys.h"

/* How the metaplastic state m of a synapse comes about. */
typedef enum Metaplasticity {
    M_NONE,    /* m = 0 for ever */
    M_DYNAMIC, /* m grows with use, up to m_max */
    M_FIXED,   /* m = m_max everywhere from the start */
} Metaplasticity;

/* A variant of the paper is two choices; there is no other difference between them. */
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

extern const Model models[];

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
    double m_max;

    double alpha;       /* heterosynaptic decay */
    double tau_cons_ms; /* tau_cons */

    Reals init_w; /* w ~ U(-init_w, init_w); one for all, or one a synapse layer */
    Reals init_b; /* B ~ U(-init_b, init_b); one for all, or one a hidden layer */

    /* Beyond the paper, for models in which m grows; all off by default. */
    double m_growth_error;                         /* growth.c */
    size_t tend_every;                             /* tend.c */
    double tau_release_ms;                         /* release.c: m falls ... */
    double release_error_hz, tau_release_error_ms; /* ... where errors persist ... */
    double release_share;                          /* ... by this much */
    double neurogenesis_m;                         /* neurogenesis.c */
    size_t neurogenesis_neurons;
    size_t rehearsal_every, rehearsal_means, rehearsal_rounds; /* rehearsal.c */
    double rehearsal_release;
} Params;

extern const KeyTable params_table;

void params_defaults(Params *params);

/* What no single key can tell: that they fit together. */
tacos_status params_check(const Params *params, tacos_error *err);

static inline const Model *params_model(const Params *params) {
    return &models[params->model];
}

/* What is beyond the paper is of models in which m grows. */
static inline bool params_grow(const Params *params) {
    return params_model(params)->metaplasticity == M_DYNAMIC;
}

static inline bool params_release_errors(const Params *params) {
    return params_grow(params) && params->release_error_hz > 0;
}

static inline bool params_rehearse(const Params *params) {
    return params_grow(params) && params->rehearsal_every > 0;
}

/* The i-th of a list that may hold one value for all. */
static inline double reals_at(const Reals *reals, size_t i) {
    return reals->value[reals->n == 1 ? 0 : i];
}

#endif
