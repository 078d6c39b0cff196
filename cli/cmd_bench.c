/* cmd_bench.c - `tacos bench`: the speed of this machine, as a table or as JSON. */
#include "cli.h"

#include "bench_table.h"
#include "interrupt.h"
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct BenchArgs {
    tacos_bench_options options;
    const char *against;
    unsigned long threads;
    int json;
} BenchArgs;

/* What is done with the cases that come in. */
typedef struct BenchOut {
    BenchTable table;
    json_t *array;  /* NULL: print a table */
    int terminal;   /* somebody watches stderr */
    const char *at; /* the case whose name is there */
    size_t n_done;
    int no_memory;
} BenchOut;

/* Fills args; false if there is nothing to do but exit with *code. */
static int parse(int argc, char **argv, BenchArgs *args, int *code) {
    const Option options[] = {
        {"threads", OPTION_WHOLE, &args->threads, 1, 256},
        {"quick", OPTION_FLAG, &args->options.quick, 0, 0},
        {"large", OPTION_FLAG, &args->options.large, 0, 0},
        {"json", OPTION_FLAG, &args->json, 0, 0},
        {"against", OPTION_TEXT, &args->against, 0, 0},
        {"data", OPTION_TEXT, &args->options.data_dir, 0, 0},
        {NULL, OPTION_FLAG, NULL, 0, 0},
    };
    *args = (BenchArgs){0};
    if (!options_read("bench", options, argc, argv, code))
        return 0;
    args->options.n_threads = (unsigned)args->threads;
    args->options.names = (const char *const *)argv + optind;
    args->options.n_names = (size_t)(argc - optind);
    return 1;
}

/* ---- progress: one line, on a terminal only ---- */

static int on_progress(void *user, const tacos_bench_progress *progress) {
    BenchOut *out = user;
    if (out->terminal && out->at != progress->name) {
        out->at = progress->name;
        fprintf(stderr, "\r%zu/%zu  %s\033[K", progress->n_done, progress->n_total, progress->name);
    }
    return interrupt_signal() != 0;
}

static void erase_progress(BenchOut *out) {
    if (out->terminal && out->at)
        fputs("\r\033[K", stderr);
    out->at = NULL;
}

/* ---- cases ---- */

static int on_case(void *user, const tacos_bench_case *result) {
    BenchOut *out = user;
    out->n_done++;
    erase_progress(out);
    if (!out->array)
        bench_table_line(&out->table, result);
    else if (json_array_append_new(out->array, bench_json(result, out->table.saved)) != 0)
        out->no_memory = 1;
    return out->no_memory || interrupt_signal() != 0;
}

static int out_of_memory(void) {
    fputs("tacos: no memory for the results\n", stderr);
    return EXIT_FAILED;
}

static int finish(const BenchOut *out, tacos_status status, const tacos_error *err) {
    if (out->no_memory)
        return out_of_memory();
    if (status != TACOS_OK && status != TACOS_INTERRUPTED)
        return cli_fail(err);
    if (!out->array) {
        bench_table_end(&out->table);
    } else if (status == TACOS_OK || out->n_done > 0) {
        (void)json_dumpf(out->array, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        putchar('\n');
    }
    if (status == TACOS_OK)
        return EXIT_OK;
    fprintf(stderr, "tacos: interrupted; %zu complete case(s)\n", out->n_done);
    return EXIT_FAILED;
}

static int measure(const BenchArgs *args, const BenchSaved *saved) {
    Interrupt guard;
    tacos_error err = {0};
    tacos_bench_options options = args->options;
    BenchOut out = {.table.saved = saved, .terminal = isatty(STDERR_FILENO)};
    out.array = args->json ? json_array() : NULL;
    if (args->json && !out.array)
        return out_of_memory();
    options.progress = on_progress;
    interrupt_begin(&guard);
    tacos_status status = tacos_bench_run(&options, on_case, &out, &err);
    erase_progress(&out);
    int code = finish(&out, status, &err);
    json_decref(out.array);
    interrupt_end(&guard);
    return code;
}

/* ---- what to compare with: wrong before the work, not after ---- */

static int check_common(const BenchArgs *args, const BenchSaved *saved) {
    tacos_error err = {0};
    int common = 0;
    for (size_t i = 0; i < saved->n && !common; i++)
        if (tacos_bench_wanted(&args->options, saved->cases[i].name, saved->cases[i].n_threads,
                               &common, &err) != TACOS_OK)
            return cli_fail(&err);
    if (common)
        return EXIT_OK;
    fprintf(stderr, "tacos: %s has none of the cases to be measured\n", args->against);
    return EXIT_FAILED;
}

static int measure_against(const BenchArgs *args) {
    BenchSaved *saved = malloc(sizeof *saved);
    if (!saved)
        return out_of_memory();
    int code = bench_saved_read(saved, args->against) == 0 ? EXIT_OK : EXIT_FAILED;
    if (code == EXIT_OK)
        code = check_common(args, saved);
    if (code == EXIT_OK)
        code = measure(args, saved);
    free(saved);
    return code;
}

int cmd_bench(int argc, char **argv) {
    BenchArgs args;
    int code = EXIT_OK;
    if (!parse(argc, argv, &args, &code))
        return code;
    return args.against ? measure_against(&args) : measure(&args, NULL);
}
