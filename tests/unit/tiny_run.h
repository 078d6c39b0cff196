/* tiny_run.h - an experiment that takes a moment, and a watcher of its progress. */
#ifndef TESTS_TINY_RUN_H
#define TESTS_TINY_RUN_H

#include "folder.h"
#include "tacos_lab.h"

static const uint32_t SEEDS[] = {5, 1, 3}; /* not in order: results are */
enum { N_SEEDS = 3 };

/* Two tasks of built-in symbols, small enough for a moment: 2 * 30 + 3 * 2 * 20 samples. */
static const char TINY[] = "# tiny\ndataset = glyphs\ntasks = 0-1,2-3\nsamples_per_task = 30\n"
                           "test_samples_per_task = 20\nhidden = 20\nsteps = 60\n";
enum { TINY_SAMPLES = 2 * 30 + 3 * 2 * 20 };

/* An experiment from text, through a file in the folder. */
static inline tacos_status open_text(const Folder *folder, const char *text, tacos_experiment **out,
                                     tacos_error *err) {
    char path[128];
    (void)snprintf(path, sizeof path, "%s/my-run.conf", folder->path);
    write_bytes(path, text, strlen(text));
    tacos_status status = tacos_experiment_open(out, path, err);
    (void)remove(path);
    return status;
}

static inline tacos_experiment *open_tiny(const Folder *folder) {
    tacos_experiment *experiment;
    tacos_error err;
    assert_succeeds(open_text(folder, TINY, &experiment, &err));
    return experiment;
}

/* What a progress callback is to do, and what it has seen. */
typedef struct Watch {
    size_t stop_after_runs; /* ask to stop once so many are complete; SIZE_MAX never */
    const char *remove;     /* a folder to take away meanwhile, or NULL */
    size_t calls;
    bool backwards; /* progress went back, or past its total */
    tacos_progress last;
} Watch;

static inline int watch(void *user, const tacos_progress *progress) {
    Watch *watch = user;
    /* An assertion would jump out of the library: so it only takes notes. */
    watch->backwards |= progress->done < watch->last.done || progress->done > progress->total ||
                        progress->runs_done < watch->last.runs_done;
    watch->calls++;
    watch->last = *progress;
    if (watch->remove)
        remove_all(watch->remove);
    return progress->runs_done >= watch->stop_after_runs;
}

static inline tacos_run_options options(unsigned n_jobs, Watch *user, const char *out_dir) {
    return (tacos_run_options){.seeds = SEEDS,
                               .n_seeds = N_SEEDS,
                               .n_jobs = n_jobs,
                               .out_dir = out_dir,
                               .progress = watch,
                               .user = user};
}

/* Run the tiny experiment; free the results. */
static inline tacos_status run(const Folder *folder, const tacos_run_options *how,
                               tacos_results **out, tacos_error *err) {
    tacos_experiment *experiment = open_tiny(folder);
    *out = (tacos_results *)&err;
    tacos_status status = tacos_experiment_run(experiment, how, out, err);
    tacos_experiment_free(experiment);
    assert_false(((const Watch *)how->user)->backwards);
    return status;
}

static inline void assert_same_run(const tacos_run *a, const tacos_run *b) {
    assert_int_equal(a->seed, b->seed);
    assert_int_equal(a->n_tasks, 2);
    assert_memory_equal(a->R, b->R, 4 * sizeof *a->R);
    assert_memory_equal(a->b, b->b, 2 * sizeof *a->b);
    assert_memory_equal(a->after, b->after, 2 * sizeof *a->after);
    assert_memory_equal(&a->stats, &b->stats, sizeof a->stats);
    assert_int_equal(a->model_digest, b->model_digest);
}

#endif
