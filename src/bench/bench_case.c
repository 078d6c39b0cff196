/* bench_case.c - one case: trains and tests a network in small batches, measuring the machine in
 * between.
 *
 * Every batch is run with each number of threads in turn, so that all of them see the same images
 * at the same age of the network, and the same state of the machine. */
#include "bench/bench.h"

#include "lab/clock.h"
#include "bench/peaks.h"
#include "bench/roofline.h"
#include "net/encode.h"

#include <stdatomic.h>
#include <stdlib.h>

enum {
    SEED = 1,
    OUTPUTS = 2,
    STEPS = 150,
    /* Rows that sleep are caught up every RESTS_MAX samples: a batch contains its share of that. */
    TRAIN_BATCH = RESTS_MAX,
    TEST_BATCH = 32, /* for each thread */
    WARM_BATCHES = 2,
};

/* The times with one number of threads. */
typedef struct Times {
    double train_us[BENCH_BATCHES_MAX], test_us[BENCH_BATCHES_MAX];
    RooflineCount count;
    tacos_bench_peaks peaks;
} Times;

typedef struct Measure {
    const BenchJob *job;
    Learner *learner;
    Predictor *predictors[BENCH_THREADS_MAX]; /* one per thread; the first is the learner's own */
    size_t n_predictors;
    size_t n_trained, n_tested; /* the next images to show */
    Peaks peaks;
    Times times[BENCH_COUNTS_MAX];
} Measure;

/* ---- samples ---- */

/* Evenly over all images, and so over all classes, by which they are sorted: steps of the golden
 * section. Even classes are taught as one output, odd ones as the other, as in the paper's tasks.
 */
static size_t pick(const Images *images, size_t number) {
    uint32_t fraction = (uint32_t)number * 2654435769U; /* of 2^32 */
    return (size_t)((uint64_t)fraction * images->n >> 32);
}

/* Unprocessed: this is not an experiment. */
static const uint8_t *pixels_of(const Images *images, size_t image) {
    return images->pixels + image * images_size(images);
}

static void learn(Measure *m, RooflineCount *count) {
    const Images *images = &m->job->data->train;
    Learner *learner = m->learner;
    size_t image = pick(images, m->n_trained++);
    show_pixels(&learner->net, pixels_of(images, image), RNG_INPUT, learner->net.n_learned,
                &learner->scratch.raster);
    sample_learn(&learner->net, &learner->scratch, images->labels[image] % OUTPUTS,
                 &count->learned);
    for (size_t l = 0; l < learner->net.n_layers; l++)
        count->awake[l] += (double)learner->scratch.layers[l].n_awake;
}

static void count_moved(const Learner *learner, RooflineCount *count) {
    for (size_t l = 0; l < learner->net.n_layers; l++)
        for (size_t j = 0; j < learner->net.layers[l].n_pre; j++)
            count->moved[l] += learner->scratch.layers[l].marks[j].moved ? TRAIN_BATCH : 0;
}

/* False if it was stopped. */
static bool train_batch(Measure *m, RooflineCount *count, double *us) {
    double start = clock_seconds();
    for (size_t i = 0; i < TRAIN_BATCH; i++) {
        learn(m, count);
        if (m->job->stop(m->job->user))
            return false;
    }
    *us = 1e6 * (clock_seconds() - start) / TRAIN_BATCH;
    count_moved(m->learner, count);
    return true;
}

typedef struct TestBatch {
    Measure *measure;
    size_t n;
    atomic_size_t next;
} TestBatch;

static void test_part(void *user, size_t member, size_t n) {
    TestBatch *batch = user;
    Measure *m = batch->measure;
    const Images *images = &m->job->data->test;
    tacos_counters tally = {0};
    (void)n;
    for (size_t i; (i = atomic_fetch_add(&batch->next, 1)) < batch->n;) {
        size_t image = pick(images, m->n_tested + i);
        show_pixels(&m->learner->net, pixels_of(images, image), RNG_PREDICT, image,
                    &m->predictors[member]->raster);
        (void)sample_predict(&m->learner->net, m->predictors[member], &tally);
    }
}

static bool test_batch(Measure *m, double *us) {
    Team *team = m->learner->scratch.team;
    TestBatch batch = {.measure = m, .n = TEST_BATCH * team_size(team)};
    double start = clock_seconds();
    team_do(team, test_part, &batch);
    *us = 1e6 * (clock_seconds() - start) / (double)batch.n;
    m->n_tested += batch.n;
    return !m->job->stop(m->job->user);
}

/* ---- batches ---- */

static void do_nothing(void *user, size_t member, size_t n) {
    (void)user;
    (void)member;
    (void)n;
}

/* The k-th number of threads, awake and waiting. */
static void use_threads(Measure *m, size_t k) {
    size_t n = m->job->threads->count[k];
    if (team_size(m->learner->scratch.team) != n)
        tacos_learner_set_threads(m->learner, n);
    team_do(m->learner->scratch.team, do_nothing, NULL);
}

static size_t n_batches(const Measure *m, size_t usual) {
    enum { LEAST = 2, QUICKER = 4 };
    if (!m->job->quick)
        return usual;
    return usual / QUICKER > LEAST ? usual / QUICKER : LEAST;
}

/* How many thread counts are trained with: narrow networks are not shared. */
static size_t n_training(const Measure *m) {
    return m->job->shape->shared ? m->job->threads->n : 1;
}

static tacos_status interrupted(tacos_error *err) {
    return failure(err, TACOS_INTERRUPTED, "interrupted");
}

/* Until the firing rates have settled and m has begun to grow. Then the working set is known. */
static tacos_status warm_up(Measure *m, tacos_error *err) {
    const BenchThreads *threads = m->job->threads;
    RooflineCount count = {0};
    double unused;
    bool brief = m->job->quick || m->job->shape->size != BENCH_SMALL;
    use_threads(m, n_training(m) - 1);
    for (size_t b = 0; b < (brief ? 1 : WARM_BATCHES); b++)
        if (!train_batch(m, &count, &unused))
            return interrupted(err);
    size_t bytes = (size_t)roofline_working_set(&m->learner->net, &count);
    return peaks_open(&m->peaks, m->learner->net.kernel, bytes, threads->count[threads->n - 1],
                      err);
}

static tacos_status train(Measure *m, tacos_error *err) {
    size_t first = m->n_trained;
    for (size_t b = 0; b < n_batches(m, m->job->shape->train_batches); b++)
        for (size_t k = 0; k < n_training(m); k++) {
            use_threads(m, k);
            m->n_trained = first + b * TRAIN_BATCH;
            if (!train_batch(m, &m->times[k].count, &m->times[k].train_us[b]))
                return interrupted(err);
            peaks_try(&m->peaks, m->learner->scratch.team, &m->times[k].peaks);
        }
    learner_settle(m->learner);
    return TACOS_OK;
}

static tacos_status test(Measure *m, tacos_error *err) {
    double unused;
    for (size_t k = 0; k < m->job->threads->n; k++) { /* memory that has not been touched yet */
        use_threads(m, k);
        if (!test_batch(m, &unused))
            return interrupted(err);
    }
    for (size_t b = 0; b < n_batches(m, m->job->shape->test_batches); b++)
        for (size_t k = 0; k < m->job->threads->n; k++) {
            use_threads(m, k);
            if (!test_batch(m, &m->times[k].test_us[b]))
                return interrupted(err);
        }
    return TACOS_OK;
}

/* ---- results ---- */

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of sorted values, between the two nearest. */
static double quantile(const double *values, size_t n, double q) {
    double at = q * (double)(n - 1);
    size_t below = (size_t)at;
    double above = below + 1 < n ? values[below + 1] : values[below];
    return values[below] + (at - (double)below) * (above - values[below]);
}

tacos_bench_time bench_time(double *us, size_t n_batches, size_t n_samples) {
    qsort(us, n_batches, sizeof *us, by_size);
    return (tacos_bench_time){
        .us_per_sample = quantile(us, n_batches, 0.5),
        .fastest_us = us[0],
        .spread_us = quantile(us, n_batches, 0.75) - quantile(us, n_batches, 0.25),
        .n_batches = n_batches,
        .n_samples = n_samples,
    };
}

static void conclude_training(Measure *m, size_t k, tacos_bench_case *out) {
    const Network *net = &m->learner->net;
    Times *times = &m->times[k];
    size_t batches = n_batches(m, m->job->shape->train_batches);
    out->n_train_threads = team_size(m->learner->scratch.team);
    out->train = bench_time(times->train_us, batches, batches * TRAIN_BATCH);
    out->events =
        (double)times->count.learned.synaptic_events / (double)times->count.learned.samples;
    out->ns_per_event = out->events > 0 ? 1e3 * out->train.us_per_sample / out->events : 0;
    out->working_set_bytes = roofline_working_set(net, &times->count);
    out->peaks = times->peaks;
    Roofline line = roofline_sample(net, &times->count, &out->peaks);
    out->operations = line.operations;
    out->bytes = line.bytes;
    out->memory_bound = line.memory_us > line.compute_us;
    out->roofline_us = out->memory_bound ? line.memory_us : line.compute_us;
    out->roofline_fraction = out->roofline_us / out->train.us_per_sample;
}

static void conclude(Measure *m, tacos_bench_case *results) {
    size_t batches = n_batches(m, m->job->shape->test_batches);
    for (size_t k = 0; k < m->job->threads->n; k++) {
        tacos_bench_case *out = &results[k];
        use_threads(m, k);
        if (k < n_training(m))
            conclude_training(m, k, out);
        else
            *out = results[0];
        out->name = m->job->shape->name;
        out->kernel = m->learner->net.kernel->name;
        out->n_threads = team_size(m->learner->scratch.team);
        out->test = bench_time(m->times[k].test_us, batches, batches * TEST_BATCH * out->n_threads);
    }
}

/* ---- a case ---- */

static void measure_close(Measure *m) {
    for (size_t k = 1; k < m->n_predictors; k++)
        predictor_free(m->predictors[k]);
    peaks_close(&m->peaks);
    tacos_learner_free(m->learner);
    free(m);
}

static tacos_status measure_open(Measure *m, tacos_error *err) {
    const BenchThreads *threads = m->job->threads;
    Params params;
    params_defaults(&params);
    params.n_inputs = images_size(&m->job->data->train);
    params.n_outputs = OUTPUTS;
    params.n_steps = STEPS;
    params.hidden = m->job->shape->hidden;
    TRY(learner_new(&m->learner, &params, SEED, NULL, err));
    m->predictors[m->n_predictors++] = &m->learner->predictor;
    for (; m->n_predictors < threads->count[threads->n - 1]; m->n_predictors++)
        TRY(predictor_new(&m->predictors[m->n_predictors], &m->learner->net, err));
    return TACOS_OK;
}

tacos_status bench_case(const BenchJob *job, tacos_bench_case *results, tacos_error *err) {
    Measure *m = calloc(1, sizeof *m);
    if (!m)
        return failure(err, TACOS_MEMORY, "no memory to measure");
    m->job = job;
    tacos_status status = measure_open(m, err);
    if (status == TACOS_OK)
        status = warm_up(m, err);
    if (status == TACOS_OK)
        status = train(m, err);
    if (status == TACOS_OK)
        status = test(m, err);
    if (status == TACOS_OK)
        conclude(m, results);
    measure_close(m);
    return status;
}
