/* tacos.h - a spiking network that learns one task after another and keeps the old ones.
 *
 * The library computes TACOS (Soures et al., arXiv 2409.00021). This header is the learner, and is
 * stable: docs/library.md says what may change from version to version, and how to build and link.
 *
 *   tacos_config      what a learner is made of: named keys with a unit, a range and a default
 *   tacos_learner     a network that learns and predicts one sample at a time
 *   tacos_lock        keeps two processes from changing one file at the same time
 *   tacos_events      a recording of an event camera, as spikes
 *   tacos_evaluation  how well a stream is answered while it is learned
 *
 * tacos_lab.h adds what `tacos` uses to run experiments: data sets, plans, stores, benchmarks.
 *
 * Rules that hold for every function:
 *   - It never prints, exits or aborts on bad input, and there are no globals.
 *   - It returns TACOS_OK or a status; then `err` (which may be NULL) holds a sentence for people.
 *     On success `err` is untouched.
 *   - What a function makes (*_new, *_open, *_load) is in *out on success and is the caller's, to
 *     be given to the *_free of its kind; on failure *out is NULL, unless stated otherwise.
 *   - Pointers must not be NULL, unless stated otherwise, and except for every *_free.
 *   - What a caller passes (strings, arrays, structs) is read during the call and not kept, unless
 *     stated otherwise.
 *   - Strings from tables (keys, models, data sets, cases) are static; what is read from a handle
 *     lives as long as the handle, unless stated otherwise.
 *   - A handle belongs to one thread at a time, which may change between calls; different handles
 *     are independent, and functions without a handle may be called from any thread.
 *   - The same configuration, seed and samples give the same bits on every machine.
 *   - One environment variable is read: TACOS_KERNEL, when a learner is made.
 */
#ifndef TACOS_H
#define TACOS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Semantic versioning; docs/library.md says what counts as a breaking change. */
#define TACOS_VERSION_MAJOR  0
#define TACOS_VERSION_MINOR  1
#define TACOS_VERSION_PATCH  0
#define TACOS_VERSION_STRING "0.1.0"

/* The version of the library that is linked, which may differ from TACOS_VERSION_STRING. */
const char *tacos_version(void);

/* ---- Errors ---------------------------------------------------------------------------------- */

/* name, what it means. The order is part of the interface; new ones go to the end. */
#define TACOS_STATUS_MAP(X)                                                                        \
    X(OK, "success")                                                                               \
    X(INVALID, "invalid argument or value")                                                        \
    X(UNKNOWN, "unknown name")                                                                     \
    X(RANGE, "value out of range")                                                                 \
    X(FORMAT, "malformed file")                                                                    \
    X(MISSING, "file not found")                                                                   \
    X(IO, "input or output failed")                                                                \
    X(EXISTS, "already exists")                                                                    \
    X(CHECKSUM, "checksum mismatch")                                                               \
    X(VERSION, "made by a newer version")                                                          \
    X(MEMORY, "out of memory")                                                                     \
    X(INTERRUPTED, "interrupted")                                                                  \
    X(BUSY, "in use by another process")                                                           \
    X(DIVERGED, "learning diverged: numbers grew beyond all bounds")

typedef enum tacos_status {
#define TACOS_STATUS_ENUM(name, text) TACOS_##name,
    TACOS_STATUS_MAP(TACOS_STATUS_ENUM)
#undef TACOS_STATUS_ENUM
} tacos_status;

typedef struct tacos_error {
    tacos_status status;
    char text[512]; /* one sentence, no newline, always terminated */
} tacos_error;

/* The meaning of a status in a few words; never NULL. */
const char *tacos_status_text(tacos_status status);

/* The name closest to `word` among `names` (terminated by NULL), or NULL if none is close: for "did
 * you mean". */
const char *tacos_nearest(const char *word, const char *const *names);

/* Escape untrusted text (from a file, a name, an argument) for a terminal or a log, as is done for
 * every tacos_error: control characters (C0, DEL, C1), line ends, byte order marks and characters
 * that change the direction of text become \uNNNN, bytes that are not UTF-8 become \xNN, and the
 * rest is kept. As many whole characters as fit are written to buf[size] (NULL if size is 0),
 * terminated. Returns the length of the whole result, as snprintf does: `size` or more means that
 * it was truncated. */
size_t tacos_text_plain(const char *text, char *buf, size_t size);

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Where the memory of a learner (or configuration) comes from. `alloc` returns n_bytes aligned to
 * `alignment` (a power of two, at most 64) or NULL; `free` (NULL: nothing to do) releases them. A
 * learner allocates one block when it is made and frees it once; both happen in the calling thread.
 * The struct is copied; `user`, which is passed to both, must outlive the learner. */
typedef struct tacos_allocator {
    void *(*alloc)(void *user, size_t n_bytes, size_t alignment);
    void (*free)(void *user, void *memory, size_t n_bytes);
    void *user;
} tacos_allocator;

/* ---- Configuration --------------------------------------------------------------------------- */

typedef struct tacos_config tacos_config;

/* A configuration with every key at its default (docs/readings.md says how they follow from the
 * paper). It has the keys of a learner: `inputs`, `outputs`, and those of docs/keys.md that are
 * neither an experiment's nor a rival's. */
tacos_status tacos_config_new(tacos_config **out, tacos_error *err);

/* The same in memory of the caller, where there is no malloc; `allocator` may be NULL (malloc).
 * It allocates once, and setting or reading keys allocates nothing. */
tacos_status tacos_config_new_from(tacos_config **out, const tacos_allocator *allocator,
                                   tacos_error *err);
void tacos_config_free(tacos_config *config);

/* Set one key from text, in the key's unit. On error the configuration is as it was. Whether
 * keys are compatible is checked when a learner is made. */
tacos_status tacos_config_set(tacos_config *config, const char *key, const char *value,
                              tacos_error *err);

/* Set keys from "key = value" lines; '#' starts a comment. Errors give `name` and
 * the line number. On error the configuration is as it was. */
tacos_status tacos_config_parse(tacos_config *config, const char *text, const char *name,
                                tacos_error *err);

/* Write a key's value as text into buf, which has `size` bytes: whole and terminated, or "" with an
 * error. Passing the text to tacos_config_set gives the same value again. */
tacos_status tacos_config_get(const tacos_config *config, const char *key, char *buf, size_t size,
                              tacos_error *err);

/* The name of the i-th key that a configuration has, or NULL past the end. */
const char *tacos_config_key(size_t i);

/* ---- Learner --------------------------------------------------------------------------------- */

typedef struct tacos_learner tacos_learner;

/* Make a network from a configuration, which is not needed afterwards, and a seed, from which its
 * first weights, its feedback and all random spikes follow. `allocator` may be NULL (malloc). */
tacos_status tacos_learner_new(tacos_learner **out, const tacos_config *config, uint32_t seed,
                               const tacos_allocator *allocator, tacos_error *err);
void tacos_learner_free(tacos_learner *learner);

/* Let n threads share the layers that are wide enough for it to pay off. The default of 1 uses only
 * the calling thread; the limit is 256. The threads are created now (with malloc) and end with the
 * learner; if the system provides fewer, those are used. Results do not depend on their number. */
void tacos_learner_set_threads(tacos_learner *learner, size_t n);

typedef struct tacos_shape {
    size_t n_inputs, n_outputs;
    size_t n_layers; /* synapse layers: hidden layers + 1 */
    size_t n_steps;  /* time steps of a sample: T */
} tacos_shape;

/* The sizes that follow from the configuration; they never change. */
tacos_shape tacos_learner_shape(const tacos_learner *learner);

/* The seed that it was made from. */
uint32_t tacos_learner_seed(const tacos_learner *learner);

/* One key of the configuration that it was made from, as tacos_config_get gives it. */
tacos_status tacos_learner_get(const tacos_learner *learner, const char *key, char *buf,
                               size_t size, tacos_error *err);

/* Samples learned since it was made, also before it was saved and loaded. */
uint64_t tacos_learner_learned(const tacos_learner *learner);

/* A checksum of every weight, reference, metaplastic state and feedback: the same on every machine,
 * and what tacos_run.model_digest is. */
uint32_t tacos_learner_digest(tacos_learner *learner);

/* Learn one sample. `intensity` has n_inputs values in [0,1], each the firing rate of an input as a
 * fraction of input_rate_hz; `target`, from 0, is the output that should fire. On error nothing is
 * learned. No memory is allocated, here or in any other function that learns or predicts. */
tacos_status tacos_learner_learn(tacos_learner *learner, const float *intensity, size_t n_inputs,
                                 size_t target, tacos_error *err);

/* The same from given spikes: spikes[step * n_inputs + input] is 0 or not, a step being dt_ms long.
 * Any number of steps up to the learner's n_steps; what is missing at the end is silence. */
tacos_status tacos_learner_learn_spikes(tacos_learner *learner, const uint8_t *spikes,
                                        size_t n_steps, size_t n_inputs, size_t target,
                                        tacos_error *err);

/* The output that fired most; on a tie the lowest; -1 if none fired. */
typedef struct tacos_prediction {
    int output;
    const uint32_t *counts; /* [n_outputs] spikes over the sample; the learner's, and valid until it
                             * predicts again or is freed */
} tacos_prediction;

/* Predict one sample. Only the counters of the learner change: the answer is a function of
 * what was learned, of `intensity`, and of `draw`, which numbers the random draw of input spikes
 * (give samples different numbers for independent noise, or always 0). */
tacos_status tacos_learner_predict(tacos_learner *learner, const float *intensity, size_t n_inputs,
                                   uint64_t draw, tacos_prediction *out, tacos_error *err);

/* The same from given spikes, as in tacos_learner_learn_spikes; nothing is random here. */
tacos_status tacos_learner_predict_spikes(tacos_learner *learner, const uint8_t *spikes,
                                          size_t n_steps, size_t n_inputs, tacos_prediction *out,
                                          tacos_error *err);

/* The plastic state of one layer of synapses, row by row: synapse pre -> post is at
 * [pre * stride + post]. The arrays belong to the learner and stay in place until it is freed.
 * Their values are up to date until it learns again; call tacos_learner_layer to update them. */
typedef struct tacos_layer_view {
    size_t n_pre, n_post, stride;
    const float *w;          /* weights */
    const float *w_ref;      /* reference weights; NULL without consolidation */
    const uint16_t *m_steps; /* metaplastic steps taken; NULL where m is the same for all */
    float delta_m, m_max;    /* m = min(m_steps * delta_m, m_max) ... */
    float m_all;             /* ... or, where m_steps is NULL, this */
} tacos_layer_view;

/* View a layer: 0 is the one fed by the inputs, n_layers - 1 the last. */
tacos_status tacos_learner_layer(tacos_learner *learner, size_t layer, tacos_layer_view *out,
                                 tacos_error *err);

/* Replace the values of a layer, from arrays [n_pre][n_post] without padding; NULL keeps the old
 * ones. Values that are not finite and arrays that the layer does not have (see tacos_layer_view)
 * are refused, and nothing changes. */
typedef struct tacos_layer_values {
    const float *w, *w_ref;
    const uint16_t *m_steps;
} tacos_layer_values;

tacos_status tacos_learner_set_layer(tacos_learner *learner, size_t layer,
                                     const tacos_layer_values *values, tacos_error *err);

/* What the units of a columns learner look at: windows of a grid of cells (docs/columns.md). */
typedef struct tacos_columns_view {
    size_t n_units;                  /* in use */
    size_t n_places, places_wide;    /* places are numbered row by row */
    size_t window_high, window_wide; /* in cells; of a plain vector 1, and its values */
    size_t n_values;                 /* of each cell ... */
    int edges; /* ... which are eight directions in which brightness rises, from right clockwise; 0:
                  sums of inputs */
} tacos_columns_view;

tacos_status tacos_learner_columns(const tacos_learner *learner, tacos_columns_view *out,
                                   tacos_error *err);

/* One of them; units are numbered place by place. Either array may be NULL. */
typedef struct tacos_unit {
    size_t place;
    uint32_t uses; /* samples that it won, nearly */
} tacos_unit;

/* values: [window_high][window_wide][n_values], its template, from -127 to 127; counts:
 * [n_outputs], how many of the samples that it won were of each output, nearly. */
tacos_status tacos_learner_unit(const tacos_learner *learner, size_t unit, tacos_unit *out,
                                int8_t *values, uint32_t *counts, tacos_error *err);

/* The metaplastic state m of one synapse. */
static inline float tacos_layer_m(const tacos_layer_view *view, size_t pre, size_t post) {
    float m;
    if (!view->m_steps)
        return view->m_all;
    m = view->m_steps[pre * view->stride + post]; /* exactly */
    m *= view->delta_m;
    return m < view->m_max ? m : view->m_max;
}

/* Spikes of one step. Group 0 are the inputs, 1 to n_layers the neurons that the layers of synapses
 * feed (the last are the outputs), then two groups of error neurons with one neuron per output:
 * those that fire when it spiked too much, and too little. */
typedef struct tacos_spikes {
    size_t group, step;
    const uint32_t *neurons; /* [n], ascending; valid during the call */
    size_t n;                /* at least 1 */
} tacos_spikes;

/* Receives spikes, in the thread that learns or predicts; it must not call the learner. */
typedef void tacos_watcher(void *user, const tacos_spikes *spikes);

/* Report every spike while samples are learned (step by step) or predicted (group by group, without
 * error neurons). `user` is passed to the watcher; NULL, the default, removes it. Results do not
 * change. */
void tacos_learner_watch(tacos_learner *learner, tacos_watcher *watcher, void *user);

/* Counters since the learner was made or loaded: name, whether it counts an operation on a weight,
 * and what it counts. */
#define TACOS_COUNTER_MAP(X)                                                                       \
    X(samples, 0, "presentations, rehearsed ones too")                                             \
    X(input_spikes, 0, "spikes of the inputs")                                                     \
    X(hidden_spikes, 0, "spikes of all hidden layers")                                             \
    X(output_spikes, 0, "spikes of the outputs")                                                   \
    X(error_spikes, 0, "spikes of the error neurons")                                              \
    X(synaptic_events, 1, "a spike arriving at one synapse")                                       \
    X(error_updates, 1, "a weight moved by the error (eRBP)")                                      \
    X(decay_updates, 1, "a weight pulled to its reference by a postsynaptic spike")                \
    X(macs, 1, "multiplications with a weight, of a rival; 0 for spiking models")

typedef struct tacos_counters {
#define TACOS_COUNTER_FIELD(name, operation, text) uint64_t name;
    TACOS_COUNTER_MAP(TACOS_COUNTER_FIELD)
#undef TACOS_COUNTER_FIELD
} tacos_counters;

/* All operations together. */
static inline uint64_t tacos_counters_operations(const tacos_counters *counters) {
    uint64_t n = 0;
#define TACOS_COUNTER_ADD(name, operation, text) n += (operation) ? counters->name : 0;
    TACOS_COUNTER_MAP(TACOS_COUNTER_ADD)
#undef TACOS_COUNTER_ADD
    return n;
}

typedef struct tacos_learner_stats {
    tacos_counters learning;
    tacos_counters predicting;
    size_t model_bytes;     /* what must be kept between samples: w, w_ref, m, B, means */
    size_t workspace_bytes; /* membranes, traces and buffers of one running sample */
    size_t baseline_bytes;  /* model_bytes of the plain SNN of the same shape */
} tacos_learner_stats;

/* Counters and sizes, as of now. */
tacos_learner_stats tacos_learner_stats_get(const tacos_learner *learner);

/* Save to a file. Each save is atomic (written to a temporary file, flushed, renamed); if several
 * processes save to one file, the last one wins. See tacos_lock_take. */
tacos_status tacos_learner_save(tacos_learner *learner, const char *path, tacos_error *err);

/* Load a learner from a file. It continues bit for bit as the saved one would, on any machine; its
 * counters start at 0, and it has one thread and no watcher. A file that is damaged or was made by
 * a newer version is an error. `allocator` may be NULL (malloc). */
tacos_status tacos_learner_load(tacos_learner **out, const char *path,
                                const tacos_allocator *allocator, tacos_error *err);

/* Save to and load from other places than files: flash, a socket, memory. These functions take or
 * provide all n bytes and return 0; anything else is an error. */
typedef int tacos_write(void *user, const void *bytes, size_t n);
typedef int tacos_read(void *user, void *bytes, size_t n);

/* Save through a function, to which `user` is passed; the bytes are those of a file. */
tacos_status tacos_learner_save_to(tacos_learner *learner, tacos_write *write, void *user,
                                   tacos_error *err);

/* Load through a function. What is read is checked, but its first bytes determine how much memory
 * is allocated: use an allocator with a limit if the source is not trusted. */
tacos_status tacos_learner_load_from(tacos_learner **out, tacos_read *read, void *user,
                                     const tacos_allocator *allocator, tacos_error *err);

/* A learner as one block of bytes for a microcontroller (docs/small.md), which continues from it
 * bit for bit. Fails, and says why, if it could not: columns with spikes as input, keys of more
 * than six decimals or more than 65535 units; spiking networks with keys of the paper's future
 * work, more than 7 hidden layers or more than 65534 neurons in a layer. */
tacos_status tacos_learner_save_small(tacos_learner *learner, tacos_write *write, void *user,
                                      tacos_error *err);

/* A learner of such a block, from a device or from tacos_learner_save_small. */
tacos_status tacos_learner_load_small(tacos_learner **out, const void *block, size_t n_bytes,
                                      const tacos_allocator *allocator, tacos_error *err);

/* ---- Merging --------------------------------------------------------------------------------- */

/* NULL or 0 is the default. */
typedef struct tacos_merge_options {
    double memory_kb; /* of the result, as the key column_memory_kb has it; by default the most that
                       * one of the learners has ... */
    size_t n_units;   /* ... unless this is given, as column_units */
    double match;     /* units that match each other by this or more become one, from 0 to 1; by
                       * default two thirds of the way from theta to 1 */
} tacos_merge_options;

/* Make one learner of n (at least 2) that learned different samples, and keep those as they are.
 * The model must be columns, and the seed and all keys the same except column_memory_kb and
 * column_units; TACOS_INVALID, with the name of what differs, if not. The result does not depend on
 * the order of the learners. It has learned as many samples as all of them, and can learn more.
 * `options` and `allocator` may be NULL; while it works, memory for all units comes from malloc. */
tacos_status tacos_learner_merge(tacos_learner **out, const tacos_learner *const *learners,
                                 size_t n, const tacos_merge_options *options,
                                 const tacos_allocator *allocator, tacos_error *err);

/* ---- Evaluation ------------------------------------------------------------------------------ */

/* Prequential evaluation of a stream: every sample is answered first and learned then, so each
 * tests what was learned before it. Labels and answers are indices from 0, of which more may appear
 * at any time. Beside the accuracy always stands that of repeating the last label, which is high
 * wherever labels come in long runs. docs/streams.md defines every figure. */
typedef struct tacos_evaluation tacos_evaluation;

/* 0 is the default. */
typedef struct tacos_evaluation_options {
    size_t window;       /* samples in the window: 1000, at most 1,000,000 */
    size_t max_labels;   /* 1000, at most 4096; they take memory only once they appear */
    size_t report_every; /* samples from row to row of the time series: 100 */
} tacos_evaluation_options;

/* `options` may be NULL. */
tacos_status tacos_evaluation_new(tacos_evaluation **out, const tacos_evaluation_options *options,
                                  tacos_error *err);
void tacos_evaluation_free(tacos_evaluation *evaluation);

/* The options that it was made with, defaults filled in. */
tacos_evaluation_options tacos_evaluation_options_get(const tacos_evaluation *evaluation);

/* Add a sample: its label, and what was answered before the label was known: -1 for no answer.
 * `rejected`: it was answered "unknown", and `answer` is what it would have been otherwise; it then
 * counts as not right. Memory is allocated only where a label or an answer is larger than all
 * before; on an error (that, or TACOS_RANGE beyond max_labels) nothing is added. */
tacos_status tacos_evaluation_add(tacos_evaluation *evaluation, size_t label, int answer,
                                  int rejected, tacos_error *err);

/* Accuracies are in percent, of all samples of the span unless stated otherwise; NaN where not
 * defined, as over no samples. */
typedef struct tacos_evaluation_span {
    uint64_t samples, right;
    uint64_t rejected;     /* answered "unknown" */
    uint64_t unanswered;   /* -1, and not rejected */
    double accuracy;       /* what is rejected or unanswered is not right */
    double answered;       /* the accuracy of what was answered */
    double repeat_last;    /* the accuracy of repeating the last label */
    double majority;       /* the accuracy of answering the most frequent label so far */
    double kappa;          /* Cohen's: 1 is perfect, 0 is chance */
    double kappa_temporal; /* 1 is perfect, 0 is repeating the last label */
} tacos_evaluation_span;

typedef struct tacos_evaluation_figures {
    tacos_evaluation_span overall, window; /* of all samples, of the last `window` */
    uint64_t rejected_right;               /* rejected, but the answer would have been right */
    size_t labels;                         /* the largest label or answer so far, plus 1 */
} tacos_evaluation_figures;

tacos_evaluation_figures tacos_evaluation_figures_get(const tacos_evaluation *evaluation);

/* Of all samples so far. */
typedef struct tacos_evaluation_label {
    uint64_t samples;  /* of this label */
    uint64_t answered; /* times that this was the answer */
    uint64_t right;
    double recall;    /* percent of its samples that were right; NaN if there are none */
    double precision; /* percent of the times it was the answer that were right; likewise */
} tacos_evaluation_label;

/* Of a label that has not appeared, zeros and NaN. */
tacos_evaluation_label tacos_evaluation_label_get(const tacos_evaluation *evaluation, size_t label);

/* How often a label got an answer; -1: none, or rejected. */
uint64_t tacos_evaluation_confusion(const tacos_evaluation *evaluation, size_t label, int answer);

/* Drift alarms: the accuracy has fallen, by more than chance explains. The test is ADWIN (Bifet and
 * Gavaldà 2007; delta = 0.002) over whether each answer was right, every 32 samples. */
enum { TACOS_EVALUATION_ALARMS = 32 };
typedef struct tacos_evaluation_drift {
    uint64_t alarms;                      /* all of them */
    size_t n;                             /* the last ones, at most TACOS_EVALUATION_ALARMS: */
    uint64_t at[TACOS_EVALUATION_ALARMS]; /* [n] the number of the sample, from 1, ascending */
    uint64_t width; /* samples since the last change, up or down, that ADWIN found */
} tacos_evaluation_drift;

tacos_evaluation_drift tacos_evaluation_drift_get(const tacos_evaluation *evaluation);

/* A row of the time series: name, what it is; WHOLE is uint64_t, NUMBER double. */
#define TACOS_EVALUATION_ROW_MAP(WHOLE, NUMBER)                                                    \
    WHOLE(samples, "samples so far")                                                               \
    NUMBER(accuracy, "percent right of all")                                                       \
    NUMBER(window_accuracy, "percent right over the window")                                       \
    NUMBER(repeat_last, "percent right by repeating the last label, of all")                       \
    NUMBER(window_repeat_last, "the same over the window")                                         \
    NUMBER(kappa, "Cohen's kappa of all")                                                          \
    NUMBER(window_kappa, "the same over the window")                                               \
    NUMBER(kappa_temporal, "kappa against repeating the last label, of all")                       \
    NUMBER(window_kappa_temporal, "the same over the window")                                      \
    WHOLE(rejected, "answered unknown so far")                                                     \
    WHOLE(drift_alarms, "drift alarms so far")                                                     \
    NUMBER(samples_per_second, "since the row before")                                             \
    WHOLE(bytes, "memory of the model")

typedef struct tacos_evaluation_row {
#define TACOS_EVALUATION_ROW_WHOLE(name, text)  uint64_t name;
#define TACOS_EVALUATION_ROW_NUMBER(name, text) double name;
    TACOS_EVALUATION_ROW_MAP(TACOS_EVALUATION_ROW_WHOLE, TACOS_EVALUATION_ROW_NUMBER)
#undef TACOS_EVALUATION_ROW_WHOLE
#undef TACOS_EVALUATION_ROW_NUMBER
} tacos_evaluation_row;

/* Whether a row is due: after every `report_every` samples. */
int tacos_evaluation_due(const tacos_evaluation *evaluation);

/* A row as of now. `seconds` is any clock that only moves forward, or NaN; samples_per_second is
 * NaN without one at this row and the one before, as after loading. Rows that are due are kept: at
 * most TACOS_EVALUATION_ROWS of them; when there are more, every second one is dropped, and from
 * then on only every second one that is due is kept. */
enum { TACOS_EVALUATION_ROWS = 512 };
tacos_evaluation_row tacos_evaluation_report(tacos_evaluation *evaluation, double seconds,
                                             uint64_t bytes);

/* Count samples_per_second from here: at the start, and after loading. */
void tacos_evaluation_clock(tacos_evaluation *evaluation, double seconds);

/* The rows that are kept, and their number. */
const tacos_evaluation_row *tacos_evaluation_series(const tacos_evaluation *evaluation, size_t *n);

/* The first line of a CSV file of rows, and a row as a line, each with its newline. As many
 * characters as fit are written to buf[size], terminated; returns the length of the whole line, at
 * most TACOS_EVALUATION_CSV_SIZE - 1. What is not defined is left empty. */
enum { TACOS_EVALUATION_CSV_SIZE = 512 };
size_t tacos_evaluation_csv_head(char *buf, size_t size);
size_t tacos_evaluation_csv_row(const tacos_evaluation_row *row, char *buf, size_t size);

/* What the JSON document says besides. Any may be NULL. */
typedef struct tacos_evaluation_about {
    const char *stream, *model;                     /* what was learned, by what */
    const char *(*label)(void *user, size_t label); /* the name of a label; NULL: its number */
    void *user;                                     /* passed to it */
} tacos_evaluation_about;

/* All figures as a JSON document, which `tacos report` reads as stream.json of a folder;
 * docs/streams.md. `about` may be NULL. *out is terminated, *n its length, to be written with
 * tacos_file_write and freed with tacos_evaluation_json_free. */
tacos_status tacos_evaluation_json(const tacos_evaluation *evaluation,
                                   const tacos_evaluation_about *about, char **out, size_t *n,
                                   tacos_error *err);
void tacos_evaluation_json_free(char *text);

/* Save and load: it continues bit for bit as the saved one would, on any machine. What is read is
 * checked, and makes it allocate at most 8 MB plus 40 bytes per byte read. */
tacos_status tacos_evaluation_save_to(const tacos_evaluation *evaluation, tacos_write *write,
                                      void *user, tacos_error *err);
tacos_status tacos_evaluation_load_from(tacos_evaluation **out, tacos_read *read, void *user,
                                        tacos_error *err);

/* ---- Files ----------------------------------------------------------------------------------- */

/* A process that reads, changes and rewrites a file keeps others from doing so at the same time by
 * holding its lock: a file PATH-lock, which the system unlocks when the process ends in any way.
 * TACOS_BUSY, with the name of the holder, if another process has it. `tacos learn` and `tacos
 * import` lock their model, tacos_experiment_run the models that it writes; tacos_learner_save does
 * not lock. */
typedef struct tacos_lock tacos_lock;
tacos_status tacos_lock_take(tacos_lock **out, const char *path, tacos_error *err);
void tacos_lock_release(tacos_lock *lock);

/* Write a file atomically, as all files of this library are: to PATH.tmp-K, flushed, then renamed.
 * Temporary files of killed processes are removed. Devices and pipes are written directly.
 *
 * If the size of files is limited (ulimit -f), the system sends SIGXFSZ, which ends the process
 * unless it is ignored: then this and all other functions that write return an error. The library
 * does not touch signals, so this is up to the program: signal(SIGXFSZ, SIG_IGN). */
tacos_status tacos_file_write(const char *path, const void *bytes, size_t n, tacos_error *err);

/* ---- Events ---------------------------------------------------------------------------------- */

/* A recording of an event camera as spikes for tacos_learner_learn_spikes: N-MNIST (.bin) or
 * AEDAT 3.1, recognized by content; see docs/data.md. */
typedef struct tacos_events_options {
    size_t height, width; /* of the sensor; an event outside of it is an error */
    size_t n_polarities;  /* 2: inputs for darker, then for lighter; 1: for both together */
    double bin_ms;        /* length of a step; dt_ms of a learner */
    size_t max_steps;     /* later events are left out; n_steps of a learner */
} tacos_events_options;

typedef struct tacos_events {
    size_t n_steps;  /* up to the last event, and at most max_steps */
    size_t n_inputs; /* n_polarities * height * width, by polarity, row and column */
    uint8_t *spikes; /* [n_steps][n_inputs]: 1 where there is an event or more, else 0 */
    uint64_t n_events, n_left_out;
    double duration_ms; /* from the first event, which starts step 0, to the last */
} tacos_events;

/* Read a file. It needs the memory of the file (at most 256 MiB) twice, and of the spikes (at most
 * 1 GiB). */
tacos_status tacos_events_read(tacos_events **out, const char *path,
                               const tacos_events_options *options, tacos_error *err);
void tacos_events_free(tacos_events *events);

#ifdef __cplusplus
}
#endif
#endif
