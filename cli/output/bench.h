/* bench.h - the results of `tacos bench` as JSON and as a table. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "tacos_lab.h"

#include <jansson.h>

/* ---- JSON ---- */

enum { BENCH_SAVED_MAX = 256 };

typedef struct BenchSavedCase {
    char name[64], kernel[16], input[32];
    size_t n_threads, n_train_threads;
    double train_us, test_us, train_fastest_us, test_fastest_us;
    tacos_bench_peaks peaks;
} BenchSavedCase;

typedef struct BenchSaved {
    size_t n;
    BenchSavedCase cases[BENCH_SAVED_MAX];
} BenchSaved;

/* A case as an object, with ratios if it is among those saved (which may be NULL). NULL if there is
 * no memory. */
json_t *bench_json(const tacos_bench_case *result, const BenchSaved *saved);

/* "mnist", or "mnist look-alikes". */
void bench_input(const tacos_bench_case *result, char *out, size_t size);

/* 0, or -1 after saying what is wrong. */
int bench_saved_read(BenchSaved *out, const char *path);

/* The same case with as many threads, or NULL. */
const BenchSavedCase *bench_saved_find(const BenchSaved *saved, const char *name, size_t n_threads);

/* Was training measured with just these threads, or are its figures another line's? */
int bench_trained(const tacos_bench_case *result);

/* ---- table ---- */

/* Sums of logarithms of ratios now / then. */
typedef struct BenchRatios {
    size_t n_train, n_test;
    double train, test, train_fastest, test_fastest;
    tacos_bench_peaks peaks;
    int others; /* a case had another kernel or other input then */
} BenchRatios;

typedef struct BenchTable {
    const BenchSaved *saved; /* to compare with, or NULL */
    size_t n_lines;
    int narrow;       /* a terminal without room for all columns */
    char inputs[160]; /* those used, "mnist look-alikes, fashion" */
    BenchRatios ratios;
} BenchTable;

void bench_table_line(BenchTable *table, const tacos_bench_case *result);
void bench_table_end(const BenchTable *table);

#endif
