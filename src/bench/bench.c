/* bench.c - the list of cases, the selection of those to run, and running them in order. */
#include "bench/bench.h"

#include "data/catalog/catalog.h"

#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

/* ---- the cases ---- */

/* The paper's network, wider ones, and deeper ones; about two seconds each, or longer if needed. */
#define CASES_OF(input)                                                                            \
    {input "-784-200-2", input, {1, {200}}, BENCH_SMALL, false, 24, 24},                           \
        {input "-784-1000-2", input, {1, {1000}}, BENCH_SMALL, true, 10, 16},                      \
        {input "-784-4000-2", input, {1, {4000}}, BENCH_SLOW, true, 3, 8},                         \
        {input "-784-200-200-2", input, {2, {200, 200}}, BENCH_SMALL, false, 16, 24},              \
        {input "-784-1000-1000-2", input, {2, {1000, 1000}}, BENCH_SLOW, true, 3, 8},              \
        {input "-784-4000-4000-2", input, {2, {4000, 4000}}, BENCH_LARGE, true, 2, 4},

static const BenchShape shapes[] = {CASES_OF("mnist") CASES_OF("fashion")};

enum { N_SHAPES = sizeof shapes / sizeof *shapes, PIXELS = 784 };

const char *tacos_bench_name(size_t i) {
    return i < N_SHAPES ? shapes[i].name : NULL;
}

/* ---- selection ---- */

static bool is_usual(const tacos_bench_options *options, const BenchShape *shape) {
    return shape->size == BENCH_SMALL || (shape->size == BENCH_SLOW && !options->quick) ||
           (shape->size == BENCH_LARGE && options->large);
}

/* A name selects its case, a pattern those of its cases that run by default. */
static bool is_meant(const tacos_bench_options *options, const char *name,
                     const BenchShape *shape) {
    return strcmp(name, shape->name) == 0 ||
           (fnmatch(name, shape->name, 0) == 0 && is_usual(options, shape));
}

static bool is_wanted(const tacos_bench_options *options, const BenchShape *shape) {
    if (options->n_names == 0)
        return is_usual(options, shape);
    for (size_t i = 0; i < options->n_names; i++)
        if (is_meant(options, options->names[i], shape))
            return true;
    return false;
}

static tacos_status check_name(const tacos_bench_options *options, const char *name,
                               tacos_error *err) {
    const char *all[N_SHAPES + 1] = {NULL};
    bool left_out = false;
    for (size_t i = 0; i < N_SHAPES; i++) {
        all[i] = shapes[i].name;
        if (is_meant(options, name, &shapes[i]))
            return TACOS_OK;
        left_out |= fnmatch(name, shapes[i].name, 0) == 0;
    }
    if (left_out)
        return failure(err, TACOS_INVALID,
                       "'%.60s' matches only cases that run only if given by their full name",
                       name);
    const char *near = tacos_nearest(name, all);
    if (near)
        return failure(err, TACOS_UNKNOWN, "no case '%.60s'; the nearest is '%s'", name, near);
    return failure(err, TACOS_UNKNOWN, "no case '%.60s'; an example of a case is '%s'", name,
                   all[0]);
}

static tacos_status check_options(const tacos_bench_options *options, tacos_error *err) {
    if (options->n_threads > BENCH_THREADS_MAX)
        return failure(err, TACOS_RANGE, "%u threads are out of range: at most %d",
                       options->n_threads, BENCH_THREADS_MAX);
    for (size_t i = 0; i < options->n_names; i++)
        TRY(check_name(options, options->names[i], err));
    return TACOS_OK;
}

/* 1, 2, 4, ... and the most. */
static BenchThreads list_threads(const tacos_bench_options *options) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    size_t most = options->n_threads > 0 ? options->n_threads : (size_t)(cores > 0 ? cores : 1);
    BenchThreads threads = {0};
    most = most < BENCH_THREADS_MAX ? most : BENCH_THREADS_MAX;
    for (size_t n = 1; n < most; n *= 2)
        threads.count[threads.n++] = n;
    threads.count[threads.n++] = most;
    return threads;
}

tacos_status tacos_bench_wanted(const tacos_bench_options *options, const char *name,
                                size_t n_threads, int *out, tacos_error *err) {
    TRY(check_options(options, err));
    BenchThreads threads = list_threads(options);
    bool shape = false, count = false;
    for (size_t i = 0; i < N_SHAPES; i++)
        shape |= strcmp(shapes[i].name, name) == 0 && is_wanted(options, &shapes[i]);
    for (size_t k = 0; k < threads.n; k++)
        count |= threads.count[k] == n_threads;
    *out = shape && count;
    return TACOS_OK;
}

/* ---- input ---- */

/* Images in memory: the data set, or a look-alike. */
typedef struct Input {
    const char *name; /* NULL: nothing yet */
    bool look_alike;
    Dataset data;
} Input;

static void input_close(Input *input) {
    dataset_free(&input->data);
    input->name = NULL;
}

static tacos_status input_open(Input *input, const char *name, const char *dir, tacos_error *err) {
    enum { LOOK_ALIKES = 1000 };
    tacos_error why;
    if (input->name && strcmp(input->name, name) == 0)
        return TACOS_OK;
    input_close(input);
    tacos_status status = dataset_load(&input->data, name, dir, &why);
    input->look_alike = status == TACOS_MISSING;
    if (input->look_alike)
        TRY(lookalike_make(&input->data, name, LOOK_ALIKES, err));
    else if (status != TACOS_OK)
        return failure(err, status, "%s", why.text);
    input->name = name;
    size_t pixels = images_size(&input->data.train);
    if (pixels != PIXELS || input->data.train.n == 0 || input->data.test.n == 0)
        return failure(err, TACOS_FORMAT, "the images of %s are not the %d pixels of its cases",
                       name, PIXELS);
    return TACOS_OK;
}

/* ---- run ---- */

typedef struct Bench {
    const tacos_bench_options *options;
    BenchThreads threads;
    Input input;
    BenchReport *report;
    void *user;
    tacos_bench_progress progress;
} Bench;

static bool stop(void *user) {
    Bench *bench = user;
    return bench->options->progress && bench->options->progress(bench->user, &bench->progress) != 0;
}

static tacos_status run_case(Bench *bench, const BenchShape *shape, tacos_error *err) {
    tacos_bench_case results[BENCH_COUNTS_MAX] = {0};
    bench->progress.name = shape->name;
    TRY(input_open(&bench->input, shape->dataset, bench->options->data_dir, err));
    BenchJob job = {shape, &bench->threads, &bench->input.data, bench->options->quick, stop, bench};
    TRY(bench_case(&job, results, err));
    for (size_t k = 0; k < bench->threads.n; k++) {
        results[k].dataset = shape->dataset;
        results[k].look_alike = bench->input.look_alike;
        bench->progress.n_done++;
        if (bench->report(bench->user, &results[k]) != 0)
            return failure(err, TACOS_INTERRUPTED, "interrupted");
    }
    return TACOS_OK;
}

tacos_status tacos_bench_run(const tacos_bench_options *options, BenchReport *report, void *user,
                             tacos_error *err) {
    TRY(check_options(options, err));
    Bench bench = {options, list_threads(options), {0}, report, user, {0}};
    for (size_t i = 0; i < N_SHAPES; i++)
        bench.progress.n_total += is_wanted(options, &shapes[i]) ? bench.threads.n : 0;
    tacos_status status = TACOS_OK;
    for (size_t i = 0; i < N_SHAPES && status == TACOS_OK; i++)
        if (is_wanted(options, &shapes[i]))
            status = run_case(&bench, &shapes[i], err);
    input_close(&bench.input);
    return status;
}
