/* run_folder.c - opens the folder of an experiment, tells its own files from others, cleans up. */
#include "plan/run_folder.h"

#include <ctype.h>
#include <dirent.h>
#include <string.h>
#include <unistd.h>

/* Holds all results. */
#define STORE_NAME "results.db"

/* ---- its files ---- */

/* The names of its files; '#' stands for a seed. */
static const char *const written[] = {"results.json", RUNNING_NAME,    "accuracy.csv",
                                      "report.html",  "model-#.tacos", "run-#.checkpoint"};
enum { N_WRITTEN = sizeof written / sizeof *written };

static bool is_like(const char *name, size_t n, const char *pattern) {
    const char *end = name + n;
    for (; *pattern && name < end; pattern++) {
        if (*pattern == '#' && isdigit((unsigned char)*name))
            while (name < end && isdigit((unsigned char)*name))
                name++;
        else if (*name++ != *pattern)
            return false;
    }
    return !*pattern && name == end;
}

static bool is_temporary(const char *name) {
    size_t n = output_temporary_stem(name);
    for (size_t k = 0; n > 0 && k < N_WRITTEN; k++)
        if (is_like(name, n, written[k]))
            return true;
    return false;
}

/* The store's own files do not count as contents: whether it is empty shows when it is opened. */
static bool is_of_store(const char *name) {
    size_t n = sizeof STORE_NAME - 1;
    if (strncmp(name, STORE_NAME, n) != 0)
        return false;
    for (size_t k = 0; store_file_endings[k]; k++)
        if (strcmp(name + n, store_file_endings[k]) == 0)
            return true;
    return strcmp(name + n, "-lock") == 0;
}

void run_checkpoint_remove(const char *folder, uint32_t seed) {
    char path[OUTPUT_PATH_MAX];
    run_checkpoint_path(folder, seed, path);
    (void)unlink(path);
}

static bool is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

typedef enum FolderState {
    FOLDER_ABSENT,
    FOLDER_UNFILLED, /* empty, except perhaps for remains of a start that was killed */
    FOLDER_FILLED,
} FolderState;

static FolderState folder_state(const char *folder) {
    FolderState state = FOLDER_UNFILLED;
    DIR *dir = opendir(folder);
    if (!dir)
        return FOLDER_ABSENT;
    for (struct dirent *entry; state == FOLDER_UNFILLED && (entry = readdir(dir));)
        if (!is_dots(entry->d_name) && !is_of_store(entry->d_name) && !is_temporary(entry->d_name))
            state = FOLDER_FILLED;
    (void)closedir(dir);
    return state;
}

/* Remove the temporary files of killed processes. */
static void remove_stale(const char *folder) {
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[OUTPUT_PATH_MAX];
        if (is_temporary(entry->d_name) &&
            path_join(path, folder, entry->d_name, "", NULL) == TACOS_OK)
            output_remove_stale(path);
    }
    if (dir)
        (void)closedir(dir);
}

/* ---- open and close ---- */

static tacos_status find_paths(OutputFolder *folder, const tacos_run_options *options,
                               tacos_error *err) {
    *folder = (OutputFolder){.n_wanted = options->n_seeds};
    if (strlen(options->out_dir) >= sizeof folder->path)
        return failure(err, TACOS_INVALID, "the path of the output folder is too long");
    strcpy(folder->path, options->out_dir);
    (void)snprintf(folder->store_path, sizeof folder->store_path, "%s/%s", folder->path,
                   STORE_NAME);
    return TACOS_OK;
}

static tacos_status fail_filled(const OutputFolder *folder, tacos_error *err) {
    return failure(err, TACOS_EXISTS, "%s exists and is not empty", folder->path);
}

/* If several processes start at once, one creates the folder; the store's lock decides which of
 * them gets it. */
static tacos_status make_folder(OutputFolder *folder, tacos_error *err) {
    tacos_status status = output_new_folder(folder->path, err);
    folder->made = status == TACOS_OK;
    return status == TACOS_EXISTS ? TACOS_OK : status;
}

/* Another process may be using a seed's model; better to fail now than at the end. */
static tacos_status check_models(const OutputFolder *folder, const tacos_run_options *options,
                                 tacos_error *err) {
    for (size_t k = 0; k < options->n_seeds; k++) {
        char path[OUTPUT_PATH_MAX];
        LockFile lock;
        run_model_path(folder->path, options->seeds[k], path);
        if (access(path, F_OK) != 0)
            continue;
        TRY(lockfile_take(&lock, path, err));
        lockfile_release(&lock);
    }
    return TACOS_OK;
}

/* A store that holds this configuration alone is resumed. */
static tacos_status check_store(const OutputFolder *folder, const Experiment *experiment,
                                bool filled, tacos_error *err) {
    bool only = false;
    if (filled && folder->fresh)
        return fail_filled(folder, err);
    TRY(store_holds_only(folder->store, experiment, &only, err));
    return only ? TACOS_OK
                : failure(err, TACOS_EXISTS, "%s holds the results of another configuration",
                          folder->path);
}

static tacos_status open_store(OutputFolder *folder, const Experiment *experiment,
                               const tacos_run_options *options, bool filled, tacos_error *err) {
    TRY(check_models(folder, options, err));
    TRY((options->force ? store_open_anew : store_open)(&folder->store, folder->store_path, err));
    folder->fresh = store_was_empty(folder->store);
    tacos_status status = TACOS_OK;
    if (!options->force)
        status = check_store(folder, experiment, filled, err);
    if (status != TACOS_OK) {
        store_close(folder->store);
        folder->store = NULL;
        return status;
    }
    for (size_t k = 0; options->force && k < options->n_seeds; k++)
        run_checkpoint_remove(folder->path, options->seeds[k]);
    remove_stale(folder->path);
    return TACOS_OK;
}

tacos_status run_folder_open(OutputFolder *folder, const Experiment *experiment,
                             const tacos_run_options *options, tacos_error *err) {
    TRY(find_paths(folder, options, err));
    FolderState before = folder_state(folder->path);
    if (before == FOLDER_FILLED && !options->force && access(folder->store_path, F_OK) != 0)
        return fail_filled(folder, err);
    if (before == FOLDER_ABSENT)
        TRY(make_folder(folder, err));
    tacos_status status = open_store(folder, experiment, options, before == FOLDER_FILLED, err);
    if (status != TACOS_OK && folder->made)
        (void)rmdir(folder->path); /* fails if another process uses it */
    return status;
}

void run_folder_close(OutputFolder *folder) {
    store_close(folder->store);
    folder->store = NULL;
}

void run_folder_remove(OutputFolder *folder, const uint32_t *seeds, size_t n_seeds) {
    char path[OUTPUT_PATH_MAX];
    for (size_t k = 0; k < n_seeds && folder->fresh; k++) {
        run_model_path(folder->path, seeds[k], path);
        (void)unlink(path);
    }
    if (folder->fresh) {
        store_discard(folder->store);
        folder->store = NULL;
    }
    run_folder_close(folder);
    if (folder->made)
        (void)rmdir(folder->path);
}
