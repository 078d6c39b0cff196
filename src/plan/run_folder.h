/* run_folder.h - the folder of an experiment: its file names, its store, and results.json and
 * accuracy.csv, which are written from the store. docs/results.md describes them. */
#ifndef PLAN_RUN_FOLDER_H
#define PLAN_RUN_FOLDER_H

#include "base/files.h"
#include "base/json_out.h"
#include "lab/results.h"
#include "lab/task_split.h"
#include "store/store.h"
#include "tacos_lab.h"

/* ---- files of a seed ---- */

/* What it learned. */
static inline void run_model_path(const char *folder, uint32_t seed, char path[OUTPUT_PATH_MAX]) {
    (void)snprintf(path, OUTPUT_PATH_MAX, "%s/model-%u.tacos", folder, seed);
}

/* Its state, until the run is complete. */
static inline void run_checkpoint_path(const char *folder, uint32_t seed,
                                       char path[OUTPUT_PATH_MAX]) {
    (void)snprintf(path, OUTPUT_PATH_MAX, "%s/run-%u.checkpoint", folder, seed);
}

/* Remove the checkpoint of a run that is in the store. */
void run_checkpoint_remove(const char *folder, uint32_t seed);

/* ---- the folder ---- */

typedef struct OutputFolder {
    char path[OUTPUT_PATH_MAX - 128];
    char store_path[OUTPUT_PATH_MAX];
    size_t n_wanted; /* runs */
    bool made;       /* the folder did not exist before */
    bool fresh;      /* the store did not exist, or was empty */
    Store *store;    /* its lock also locks the folder */
} OutputFolder;

/* Create the folder and open its store, or fail with TACOS_BUSY. A folder that is not empty is
 * refused, unless it holds results of this configuration or only remains of a start that was
 * killed, or unless forced: then its store is replaced. */
tacos_status run_folder_open(OutputFolder *folder, const Experiment *experiment,
                             const tacos_run_options *options, tacos_error *err);

/* Close the store, which unlocks the folder. */
void run_folder_close(OutputFolder *folder);

/* The same after a start that achieved nothing: also remove the store and these seeds' models if
 * they are new, and the folder if it is empty. */
void run_folder_remove(OutputFolder *folder, const uint32_t *seeds, size_t n_seeds);

/* ---- results ---- */

/* The experiment that the results belong to. */
typedef struct RunSubject {
    const Experiment *experiment;
    const TaskSplit *split;
    Experiment settled; /* with derived values filled in */
} RunSubject;

/* The members of results.json before its runs, except for the example. */
void run_head_write(JsonOut *json, const RunSubject *subject, const char *status, size_t n_wanted);

/* ---- a run in progress ---- */

#define RUNNING_NAME "running.json"

/* Write the file that says how far it is, and remove it. */
tacos_status run_live_write(const char *folder, size_t n_wanted, const RunSubject *subject,
                            const tacos_progress *progress, tacos_error *err);
void run_live_remove(const char *folder);

/* Write results.json and accuracy.csv from the runs so far. */
tacos_status run_folder_write(const OutputFolder *folder, const RunSubject *subject,
                              const Results *results, tacos_error *err);

#endif
