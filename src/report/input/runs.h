/* runs.h - the contents of a folder of `tacos run`: configuration, and the run of every seed. */
#ifndef REPORT_RUNS_H
#define REPORT_RUNS_H

#include "base/status.h"
#include "tacos_lab.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>

enum { LABEL_SIZE_MAX = 96, VALUE_SIZE = 1100, TASK_NAME_SIZE = 88 };

/* The paper has at most some thirty numbers for one configuration. */
enum { PAPER_NUMBERS_MAX = 64 };

/* A key of the configuration, as results.json has it. */
typedef struct ConfigValue {
    const char *key;
    char value[VALUE_SIZE];
} ConfigValue;

/* A training image, for figures. */
typedef struct Example {
    size_t task, class, target, height, width, channels;
    uint8_t *pixels; /* [height][width][channels]; NULL: there is none */
} Example;

static inline size_t example_size(const Example *example) {
    return example->height * example->width * example->channels;
}

typedef struct RunFolder {
    const char *folder;         /* as it was given */
    char label[LABEL_SIZE_MAX]; /* of a series, in figures */
    json_t *root;               /* owns the texts */
    const char *name, *version, *dataset;
    bool complete;
    bool running; /* in progress: what is not scored yet is NaN, or not there */
    double samples_done, samples_total, seconds; /* while running */
    size_t n_wanted;
    uint64_t n_train_images, n_test_images;
    size_t n_config;
    ConfigValue *config;          /* [n_config] in the file's order */
    tacos_experiment *experiment; /* the configuration as far as its keys are known */
    bool known;                   /* all keys are known */
    size_t n_tasks, n_runs;
    char (*tasks)[TASK_NAME_SIZE]; /* [n_tasks] "cat vs dog", all different */
    bool tasks_named;              /* by their classes; else "task 1" and so on */
    tacos_run *runs;               /* [n_runs] by seed */
    Example example;
    size_t n_paper; /* the paper's numbers for this configuration */
    tacos_paper_number paper[PAPER_NUMBERS_MAX];
} RunFolder;

/* Read FOLDER/results.json. `folder` must outlive it. */
tacos_status runs_open(RunFolder *out, const char *folder, tacos_error *err);
/* Is there a FOLDER/running.json, of a run in progress? Read it: runs have b, R and nothing else.
 */
bool runs_are_running(const char *folder);
tacos_status runs_open_running(RunFolder *out, const char *folder, tacos_error *err);

void runs_free(RunFolder *runs);

/* The value of a key, or NULL. */
const char *runs_config(const RunFolder *runs, const char *key);

/* What a key is; *out is unchanged if this program does not know it. */
bool runs_find_key(const char *name, tacos_key_info *out);

/* Name the tasks, whose number is known. */
tacos_status runs_name_tasks(RunFolder *runs, tacos_error *err);

/* Did both learn the same stream of samples: the same values of the experiment's keys? If not,
 * *key is one that differs. */
bool runs_same_stream(const RunFolder *a, const RunFolder *b, const char **key);

/* What MA would be by chance, in percent; 0: unknown. */
double runs_chance(const RunFolder *runs);

/* A spiking network, or a rival? */
bool runs_is_spiking(const RunFolder *runs);

/* Mean and deviation over seeds of a metric of docs/metrics.md after task k (from 1; 0: the last);
 * n = 0 if there is none. `part`: layer or class. */
tacos_summary runs_metric(const RunFolder *runs, const char *metric, size_t k, size_t part);

/* The same for the accuracy on task t after task k; t from 1, k from 0, which is before learning.
 */
tacos_summary runs_accuracy(const RunFolder *runs, size_t k, size_t t);
double run_accuracy(const tacos_run *run, size_t k, size_t t);

/* The paper's number for a metric after a task (0: of the whole run) of a layer or class; value and
 * sd are NaN if there is none. */
tacos_paper_number runs_paper(const RunFolder *runs, const char *metric, size_t after_task,
                              size_t part);

/* Percent of the test samples on which no output spiked, 0 if unknown; and whether that is so much
 * that the metrics mean little. */
double runs_silent_percent(const RunFolder *runs);
bool runs_are_silent(const RunFolder *runs);

/* Is its MA, in the end, at or below chance, tacos_experiment_chance? */
bool runs_are_chance(const RunFolder *runs);

/* Neither silent nor at chance: may it be marked as the best? */
static inline bool runs_compete(const RunFolder *runs) {
    return !runs_are_silent(runs) && !runs_are_chance(runs);
}

/* The number of parts (layers or classes) of a measure, 0 if it was not measured. */
size_t runs_parts(const RunFolder *runs, const char *measure);

/* A number of the configuration, 0 if it is not set; and the number of hidden neurons. */
double runs_number(const RunFolder *runs, const char *key);
size_t runs_hidden(const RunFolder *runs);

/* The seeds: "1 to 5", "1, 3". */
void runs_seeds(const RunFolder *runs, char *out, size_t size);

/* Running mean and deviation; numbers that are not finite are ignored. */
typedef struct Moments {
    size_t n;
    double mean, squares;
} Moments;

static inline void moments_add(Moments *moments, double value) {
    if (!isfinite(value))
        return;
    double before = value - moments->mean;
    moments->n++;
    moments->mean += before / (double)moments->n;
    moments->squares += before * (value - moments->mean);
}

static inline tacos_summary moments_summary(const Moments *moments) {
    size_t n = moments->n;
    return (tacos_summary){n, n ? moments->mean : NAN,
                           n > 1 ? sqrt(moments->squares / (double)(n - 1)) : 0};
}

#endif
