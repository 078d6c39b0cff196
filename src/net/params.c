/* params.c - the learner's key table, the table of variants, and tacos_config. */
#include "net/params.h"

#include "base/allocator.h"
#include "base/decimal.h"
#include "columns/columns.h"
#include "net/removed.h"

#include <string.h>

#define MODEL(name, metaplasticity, consolidation, about)                                          \
    {name, metaplasticity, consolidation, about},
const Model models[] = {MODEL_MAP(MODEL){COLUMNS_NAME, M_NONE, false, COLUMNS_ABOUT}};
const int columns_model = sizeof models / sizeof *models - 1;

#define MODEL_NAME(name, metaplasticity, consolidation, about) name,
static const char *const model_names[] = {MODEL_MAP(MODEL_NAME) COLUMNS_NAME, NULL};

static const char *const feedbacks[] = {"separate", "shared", NULL};
static const char *const column_inputs[] = {"values", "spikes", NULL};          /* ColumnInput */
static const char *const column_features[] = {"auto", "edges", "values", NULL}; /* ColumnFeatures */
static const char *const column_settles[] = {"stochastic", "nearest", "none", NULL};
static const char *const target_fps[] = {"cleared", "kept", "silent", NULL};

#define AT(field) offsetof(Params, field)

/* Time constants start at 1 ms and dt ends there, so that no step overshoots (dt/tau <= 1). */
#define TAU_MIN 1.0
#define TAU_MAX 1e9
#define BIG     1e6

/* name, type, field, min, max, unit, symbol, default, what it is, choices */
static const Key keys[] = {
    {"model", KEY_CHOICE, AT(model), 0, 0, "", "", "tacos",
     "which mechanisms the synapses have; fixed means m = m_max from the start", model_names},
    {"inputs", KEY_COUNT, AT(n_inputs), 1, BIG, "", "", "784", "input neurons", NULL},
    {"hidden", KEY_COUNTS, AT(hidden), 1, BIG, "", "", "200",
     "sizes of the hidden layers, input side first; none for no hidden layer", NULL},
    {"outputs", KEY_COUNT, AT(n_outputs), 1, 4096, "", "", "2", "output neurons", NULL},
    {"dt_ms", KEY_REAL, AT(dt_ms), 0.01, 1, "ms", "dt", "1", "length of a time step", NULL},
    {"steps", KEY_COUNT, AT(n_steps), 1, 10000, "", "T", "150", "time steps per sample", NULL},
    {"learning_rate", KEY_REAL, AT(learning_rate), 0, 10, "", "eta", "0.01",
     "size of the error-driven update", NULL},
    {"threshold_hidden", KEY_REAL, AT(threshold_hidden), 1e-3, BIG, "mV", "V_th", "1",
     "firing threshold of hidden neurons", NULL},
    {"threshold_output", KEY_REAL, AT(threshold_output), 1e-3, BIG, "mV", "V_th", "2",
     "firing threshold of output neurons", NULL},
    {"threshold_error", KEY_REAL, AT(threshold_error), 1e-3, BIG, "mV", "V_th", "2.5",
     "firing threshold of error neurons", NULL},
    {"tau_syn_input_ms", KEY_REAL, AT(tau_syn_input_ms), TAU_MIN, TAU_MAX, "ms", "tau_syn", "10",
     "time constant of the synaptic current from the inputs", NULL},
    {"tau_syn_later_ms", KEY_REAL, AT(tau_syn_later_ms), TAU_MIN, TAU_MAX, "ms", "tau_syn", "25",
     "time constant of the synaptic current in all later layers", NULL},
    {"tau_m_hidden_ms", KEY_REAL, AT(tau_m_hidden_ms), TAU_MIN, TAU_MAX, "ms", "tau_m", "15",
     "membrane time constant of hidden neurons", NULL},
    {"tau_m_output_ms", KEY_REAL, AT(tau_m_output_ms), TAU_MIN, TAU_MAX, "ms", "tau_m", "25",
     "membrane time constant of output neurons", NULL},
    {"r_hidden", KEY_REAL, AT(r_hidden), 0, BIG, "mOhm", "R", "1",
     "membrane resistance of hidden neurons", NULL},
    {"r_output", KEY_REAL, AT(r_output), 0, BIG, "mOhm", "R", "5",
     "membrane resistance of output neurons", NULL},
    {"refractory_ms", KEY_REAL, AT(refractory_ms), 0, 1000, "ms", "tau_ref", "4",
     "time after a spike in which the membrane stays at rest", NULL},
    {"input_rate_hz", KEY_REAL, AT(input_rate_hz), 0, 1e5, "Hz", "F_input", "250",
     "firing rate of an input of intensity 1", NULL},
    {"label_rate_hz", KEY_REAL, AT(label_rate_hz), 0, 1e5, "Hz", "F_label", "200",
     "firing rate of the label of the target output", NULL},
    {"tau_e_ms", KEY_REAL, AT(tau_e_ms), TAU_MIN, TAU_MAX, "ms", "tau_e", "10",
     "time constant of the error neurons", NULL},
    {"r_e", KEY_REAL, AT(r_e), 0, BIG, "mOhm", "R_e", "25", "resistance of the error neurons",
     NULL},
    {"tau_u_ms", KEY_REAL, AT(tau_u_ms), TAU_MIN, TAU_MAX, "ms", "tau_u", "15",
     "time constant of the error compartment U", NULL},
    {"r_u", KEY_REAL, AT(r_u), 0, BIG, "mOhm", "R_u", "5", "resistance of the error compartment U",
     NULL},
    {"i_min", KEY_REAL, AT(i_min), -BIG, BIG, "", "I_min", "-11",
     "the error moves weights only while the current is above this", NULL},
    {"i_max", KEY_REAL, AT(i_max), -BIG, BIG, "", "I_max", "13",
     "the error moves weights only while the current is below this", NULL},
    {"tau_trace_ms", KEY_REAL, AT(tau_trace_ms), TAU_MIN, TAU_MAX, "ms", "tau_trace", "50",
     "time constant of the spike traces X", NULL},
    {"m_threshold_input", KEY_REAL, AT(m_threshold_input), 0, BIG, "", "m_th", "6",
     "trace of an input above which its synapses may become metaplastic", NULL},
    {"m_threshold_hidden", KEY_REAL, AT(m_threshold_hidden), 0, BIG, "", "m_th", "5",
     "the same for hidden neurons", NULL},
    {"m_threshold_output", KEY_REAL, AT(m_threshold_output), 0, BIG, "", "m_th", "2",
     "the same for output neurons", NULL},
    {"delta_m_hidden", KEY_REAL, AT(delta_m_hidden), 0, 1000, "", "delta m", "0.005",
     "growth of m per sample, synapses onto hidden neurons", NULL},
    {"delta_m_output", KEY_REAL, AT(delta_m_output), 0, 1000, "", "delta m", "0.0013",
     "growth of m per sample, synapses onto output neurons", NULL},
    {"m_max", KEY_REAL, AT(m_max), 0, 1000, "", "m_max", "25",
     "largest metaplastic state of synapses onto hidden neurons; of all synapses if m is fixed",
     NULL},
    {"alpha", KEY_REAL, AT(alpha), 0, 1, "", "alpha", "0.0005",
     "heterosynaptic decay towards w_ref at a postsynaptic spike, in models with consolidation",
     NULL},
    {"w_ref_rate", KEY_REAL, AT(w_ref_rate), 0, 1, "", "dt/tau_cons", "4e-05",
     "fraction of its distance to w by which w_ref moves per sample, in models with consolidation",
     NULL},
    {"init_w", KEY_REALS, AT(init_w), 0, 1000, "", "w", "0.8",
     "initial weights are uniform in -init_w..init_w; one for all, or one per synapse layer", NULL},
    {"init_b", KEY_REALS, AT(init_b), 0, 1000, "", "B", "6",
     "feedback is uniform in -init_b..init_b; one for all, or one per hidden layer", NULL},

    /* ---- the paper's future work; in this place so that files keep their order ---- */
    {"m_growth_error", KEY_REAL, AT(future.m_growth_error), -1, 1, "", "", "0",
     "above 0: m grows less in samples with more error; below 0: in those with less", NULL},
    {"tend_every", KEY_COUNT, AT(future.tend_every), 1, BIG, "", "", "64",
     "samples between two times at which m may fall and neurons may be replaced", NULL},
    {"tau_release_ms", KEY_REAL, AT(future.tau_release_ms), 0, TAU_MAX, "ms", "", "0",
     "time constant with which m falls; 0 for never", NULL},
    {"release_error_hz", KEY_REAL, AT(future.release_error_hz), 0, 1e5, "Hz", "", "0",
     "m falls where a neuron receives errors above this mean rate; 0 for nowhere", NULL},
    {"tau_release_error_ms", KEY_REAL, AT(future.tau_release_error_ms), TAU_MIN, TAU_MAX, "ms", "",
     "15000", "time constant of the mean error rate that release_error_hz is compared with", NULL},
    {"release_share", KEY_REAL, AT(future.release_share), 0, 1, "", "", "0.1",
     "fraction of m that is lost each time where errors persist", NULL},
    {"neurogenesis_m", KEY_REAL, AT(future.neurogenesis_m), 0, 1000, "", "", "0",
     "mean m of a hidden layer's synapses above which some neurons are replaced; 0 for never",
     NULL},
    {"neurogenesis_neurons", KEY_COUNT, AT(future.neurogenesis_neurons), 1, BIG, "", "", "1",
     "neurons per layer that are replaced at a time", NULL},
    {"rehearsal_every", KEY_COUNT, AT(future.rehearsal_every), 0, 1e9, "", "", "0",
     "samples after which the mean inputs of each output are learned again; 0 for never", NULL},
    {"rehearsal_means", KEY_COUNT, AT(future.rehearsal_means), 1, 1000, "", "", "1",
     "mean inputs kept per output; if there are more, the two nearest are merged", NULL},
    {"rehearsal_rounds", KEY_COUNT, AT(future.rehearsal_rounds), 1, 1000, "", "", "1",
     "times that a rehearsal goes through all mean inputs", NULL},
    {"rehearsal_release", KEY_REAL, AT(future.rehearsal_release), 0, 1, "", "", "0",
     "fraction of m that is lost after a rehearsal", NULL},

    /* ---- what the paper leaves open ---- */
    {"m_max_output", KEY_BOUND, AT(m_max_output), 0, 1000, "", "m_max", "none",
     "largest metaplastic state of synapses onto outputs; none for no bound", NULL},
    {"feedback", KEY_CHOICE, AT(feedback), 0, 0, "", "w^fp, w^fn", "separate",
     "false positives and false negatives each have a feedback matrix, or share one", feedbacks},
    {"target_fp", KEY_CHOICE, AT(target_fp), 0, 0, "", "", "cleared",
     "the target's own false-positive neuron: cleared after each step, kept, or silent",
     target_fps},

    /* ---- columns ---- */
    {"input_shape", KEY_COUNTS, AT(columns.shape), 1, BIG, "", "", "none",
     "height, width and, optionally, channels of the input; height 1 is a signal; none is a plain "
     "vector",
     NULL},
    {"column_input", KEY_CHOICE, AT(columns.input), 0, 0, "", "", "values",
     "what a columns learner sees: the values of the inputs, or the number of their spikes",
     column_inputs},
    {"column_features", KEY_CHOICE, AT(columns.features), 0, 0, "", "", "auto",
     "what is compared: edges in eight directions, or values; auto is edges for images",
     column_features},
    {"column_cells", KEY_COUNT, AT(columns.cells), 0, 4096, "", "", "0",
     "cells along a side of the input, in each of which features are summed; 0 for the default",
     NULL},
    {"column_window", KEY_COUNT, AT(columns.window), 0, 4096, "", "", "0",
     "side of the window of a place, in cells; of a plain vector, sums per place; 0 for the "
     "default",
     NULL},
    {"column_stride", KEY_COUNT, AT(columns.stride), 0, 4096, "", "", "0",
     "cells from one window to the next; 0 for the default", NULL},
    {"column_places", KEY_COUNT, AT(columns.places), 0, PLACES_MAX, "", "", "0",
     "places of a plain vector, each of which sums the inputs in another way or has other groups; 0 "
     "for the default",
     NULL},
    {"column_group", KEY_COUNT, AT(columns.group), 1, 1000, "", "", "1",
     "inputs of a plain vector that stay together, such as the fields of a feature; a place sees "
     "all or none of them",
     NULL},
    {"column_memory_kb", KEY_REAL, AT(columns.memory_kb), 0.001, 1e8, "kB", "", "667",
     "memory for what is learned, which decides the number of units", NULL},
    {"column_units", KEY_COUNT, AT(columns.n_units), 0, 1e8, "", "N", "0",
     "number of units, instead of column_memory_kb; 0 for as many as fit in it", NULL},
    {"column_match", KEY_REAL, AT(columns.match), 0, 1, "", "theta", "0",
     "a place recruits a unit if no unit matches better than this; 0 for the default", NULL},
    {"column_match_error", KEY_REAL, AT(columns.match_error), 0, 1, "", "theta_E", "0",
     "the same if the answer was wrong; 0 for halfway between theta and 1", NULL},
    {"column_match_step", KEY_REAL, AT(columns.match_step), 0, 0.1, "", "", "0.0005",
     "once all units are in use, by how much theta falls when a place would recruit; it rises "
     "otherwise, up to where it started, so that one sample in ten recruits; 0 for never",
     NULL},
    {"column_settle", KEY_CHOICE, AT(columns.settle), 0, 0, "", "", "stochastic",
     "how templates become the mean of what they win: rounded at random or to the nearest; or not",
     column_settles},
    {"column_inherit", KEY_REAL, AT(columns.inherit), 0, 1000, "", "kappa", "2",
     "most counts that a new unit takes over from the nearest one; 0 for none", NULL},
    {"column_recycle", KEY_COUNT, AT(columns.recycle), 0, 1000, "", "", "8",
     "once all units are in use: units compared to find one to take over; 0 for never", NULL},
    {"column_recycle_uses", KEY_COUNT, AT(columns.recycle_uses), 0, BIG, "", "", "3",
     "most uses of a unit that may be taken over; of a plain vector, a quarter of the mean if that "
     "is more",
     NULL},
    {"column_trust", KEY_REAL, AT(columns.trust), 0, 1, "", "", "0.0003",
     "how fast a place's weight in the vote follows errors; 0 for equal weights", NULL},
    {"column_contrast", KEY_REAL, AT(columns.contrast), 0, 1, "", "", "0",
     "a place with less contrast is silent; 1 is the full range; 0 for the default", NULL},
    {"column_looks", KEY_COUNT, AT(columns.looks), 1, 9, "", "", "1",
     "looks at an image: 1 as it is, 5 or 9 also moved by a pixel in 4 or 8 directions", NULL},
    {"column_look_cost", KEY_REAL, AT(columns.look_cost), 0, 1, "", "", "0.01",
     "subtracted from the match of a moved look", NULL},
};

const KeyTable params_table = {keys, sizeof keys / sizeof *keys};

void params_defaults(Params *params) {
    keys_defaults(params_table, params);
}

/* Keys of any learner, and those that say how inputs become spikes. */
static const char *const common_keys[] = {"model", "inputs", "outputs", NULL};
static const char *const spike_keys[] = {"steps", "dt_ms", "input_rate_hz", NULL};

static bool is_one_of(const char *name, const char *const *names) {
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

bool params_key_matters(const Key *key, const ColumnsParams *columns) {
    if (!columns)
        return !params_is_of_columns(key);
    return params_is_of_columns(key) || is_one_of(key->name, common_keys) ||
           (columns->input == COLUMN_INPUT_SPIKES && is_one_of(key->name, spike_keys));
}

static tacos_status check_list(const char *name, const Reals *list, size_t n_layers,
                               const char *layers, tacos_error *err) {
    if (list->n == 1 || list->n == n_layers)
        return TACOS_OK;
    return failure(err, TACOS_RANGE,
                   "%s has %zu values; it takes 1, or one for each of the %zu %s layers", name,
                   list->n, n_layers, layers);
}

uint32_t params_full_spikes(const Params *params) {
    double odds = params->input_rate_hz * params->dt_ms / 1000;
    double spikes = (odds < 1 ? odds : 1) * (double)params->n_steps;
    return spikes < 1 ? 1 : (uint32_t)(spikes + 0.5);
}

tacos_status params_columns(const Params *params, Columns *out, tacos_error *err) {
    bool spikes = params->columns.input == COLUMN_INPUT_SPIKES;
    ColumnsTask task = {.n_inputs = params->n_inputs,
                        .n_outputs = params->n_outputs,
                        .n_steps = spikes ? params->n_steps : 0,
                        .full = spikes ? params_full_spikes(params) : FULL_VALUE,
                        .most = spikes ? (uint32_t)params->n_steps : FULL_VALUE};
    return columns_shape(out, &params->columns, &task, err);
}

static tacos_status check_columns(const Params *params, tacos_error *err) {
    const ColumnsParams *p = &params->columns;
    Columns columns;
    if (p->match_error > 0 && p->match_error < p->match)
        return failure(err, TACOS_RANGE,
                       "column_match_error = %s must not be below column_match = %s",
                       REAL(p->match_error), REAL(p->match));
    return params_columns(params, &columns, err);
}

tacos_status params_check(const Params *params, tacos_error *err) {
    if (params_is_columns(params))
        return check_columns(params, err);
    size_t n_hidden = params->hidden.n;
    if (n_hidden >= KEY_LIST_MAX)
        return failure(err, TACOS_RANGE, "hidden has %zu layers; at most %d are possible", n_hidden,
                       KEY_LIST_MAX - 1);
    if (params->i_min >= params->i_max)
        return failure(err, TACOS_RANGE, "i_min = %s must be below i_max = %s", REAL(params->i_min),
                       REAL(params->i_max));
    TRY(check_list("init_w", &params->init_w, n_hidden + 1, "synapse", err));
    TRY(check_list("init_b", &params->init_b, n_hidden, "hidden", err));
    return TACOS_OK;
}

/* ---- tacos_config ---- */

static const KeyTable *const config_tables[] = {&params_table};

tacos_status tacos_config_new_from(tacos_config **out, const tacos_allocator *allocator,
                                   tacos_error *err) {
    tacos_allocator from = arena_allocator(allocator);
    tacos_config *config = from.alloc(from.user, sizeof *config, _Alignof(max_align_t));
    *out = NULL;
    if (!config)
        return failure(err, TACOS_MEMORY, "no memory for a configuration");
    config->allocator = from;
    params_defaults(&config->params);
    *out = config;
    return TACOS_OK;
}

tacos_status tacos_config_new(tacos_config **out, tacos_error *err) {
    return tacos_config_new_from(out, NULL, err);
}

void tacos_config_free(tacos_config *config) {
    if (!config)
        return;
    tacos_allocator from = config->allocator;
    if (from.free)
        from.free(from.user, config, sizeof *config);
}

static tacos_status set_param(void *user, const char *name, const char *value, tacos_error *err) {
    const Key *key = keys_find(params_table, name);
    TRY(removed_refuse(name, value, err));
    return key ? key_set(key, user, value, err)
               : keys_fail_unknown(config_tables, 1, NULL, name, err);
}

tacos_status tacos_config_set(tacos_config *config, const char *key, const char *value,
                              tacos_error *err) {
    return set_param(&config->params, key, value, err);
}

tacos_status tacos_config_parse(tacos_config *config, const char *text, const char *name,
                                tacos_error *err) {
    Params copy = config->params;
    TRY(keys_parse(text, name, set_param, &copy, err));
    config->params = copy;
    return TACOS_OK;
}

tacos_status params_get(const Params *params, const char *name, char *buf, size_t size,
                        tacos_error *err) {
    char value[KEY_VALUE_SIZE];
    const Key *key = keys_find(params_table, name);
    if (size > 0)
        buf[0] = '\0';
    if (!key)
        return keys_fail_unknown(config_tables, 1, NULL, name, err);
    key_get(key, params, value);
    return text_give(value, buf, size, err);
}

tacos_status tacos_config_get(const tacos_config *config, const char *key, char *buf, size_t size,
                              tacos_error *err) {
    return params_get(&config->params, key, buf, size, err);
}

const char *tacos_config_key(size_t i) {
    return i < params_table.n ? params_table.keys[i].name : NULL;
}
