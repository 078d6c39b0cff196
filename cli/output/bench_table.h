/* bench_table.h - the figures of `tacos bench` for people, line by line as they come. */
#ifndef CLI_BENCH_TABLE_H
#define CLI_BENCH_TABLE_H

#include "output/bench_json.h"

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
