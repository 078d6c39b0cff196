/* bench_json.h - what `tacos bench --json` prints, and what it once printed, to compare with. */
#ifndef CLI_BENCH_JSON_H
#define CLI_BENCH_JSON_H

#include "tacos.h"

#include <jansson.h>

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

#endif
