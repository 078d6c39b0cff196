/* bench.h - how long a sample takes: networks of several widths on several kinds of input, with one
 * thread and with more. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "data/dataset.h"
#include "net/learner.h"
#include "tacos_lab.h"

enum { BENCH_THREADS_MAX = 256, BENCH_COUNTS_MAX = 10, BENCH_BATCHES_MAX = 32 };

typedef enum BenchSize {
    BENCH_SMALL,
    BENCH_SLOW,  /* not with --quick */
    BENCH_LARGE, /* only with --large or by name */
} BenchSize;

/* One network on one kind of input. */
typedef struct BenchShape {
    const char *name, *dataset;
    Counts hidden;
    BenchSize size;
    bool shared;                        /* wide enough for threads to train it together */
    size_t train_batches, test_batches; /* of each number of threads; up to BENCH_BATCHES_MAX */
} BenchShape;

/* The numbers of threads to measure with, ascending; the first is 1. */
typedef struct BenchThreads {
    size_t n, count[BENCH_COUNTS_MAX];
} BenchThreads;

/* ---- bench.c ---- */

typedef int BenchReport(void *user, const tacos_bench_case *result);

/* ---- bench_case.c: measure one ---- */

typedef struct BenchJob {
    const BenchShape *shape;
    const BenchThreads *threads;
    const Dataset *data;
    bool quick;
    bool (*stop)(void *user); /* checked after every sample */
    void *user;
} BenchJob;

/* One result for each number of threads; the fields about the input are left to the caller. */
tacos_status bench_case(const BenchJob *job, tacos_bench_case *results, tacos_error *err);

/* Sorts the times. */
tacos_bench_time bench_time(double *us, size_t n_batches, size_t n_samples);

#endif
