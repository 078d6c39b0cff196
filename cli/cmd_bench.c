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
    int json, help;
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

/* Fills args; EXIT_OK or what to exit with. */
static int parse(int argc, char **argv, BenchArgs *args) {
    static const struct option options[] = {
        {"threads", required_argument, NULL, 't'}, {"quick", no_argument, NULL, 'q'},
        {"large", no_argument, NULL, 'l'},         {"json", no_argument, NULL, 'j'},
        {"against", required_argument, NULL, 'a'}, {"data", required_argument, NULL, 'd'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
    };
    *args = (BenchArgs){0};
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":h", options, NULL)) != -1;) {
        switch (c) {
        case 't':
            if (options_whole(optarg, 1, 256, &args->threads) != 0)
                return cli_usage("bench", "--threads %s: a number from 1 to 256 is wanted", optarg);
            break;
        case 'q':
            args->options.quick = 1;
            break;
        case 'l':
            args->options.large = 1;
            break;
        case 'j':
            args->json = 1;
            break;
        case 'a':
            args->against = optarg;
            break;
        case 'd':
            args->options.data_dir = optarg;
            break;
        case 'h':
            args->help = 1;
            return EXIT_OK;
        default:
            return options_fail("bench", options, c, argv);
        }
    }
    args->options.n_threads = (unsigned)args->threads;
    args->options.names = (const char *const *)argv + optind;
    args->options.n_names = (size_t)(argc - optind);
    return EXIT_OK;
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
    int code = parse(argc, argv, &args);
    if (code != EXIT_OK)
        return code;
    if (args.help) {
        fputs(cli_command("bench")->usage, stdout);
        return EXIT_OK;
    }
    return args.against ? measure_against(&args) : measure(&args, NULL);
}
