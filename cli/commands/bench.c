/* bench.c - `tacos bench`: the speed of this machine, as a table or as JSON. */
#include "cli.h"

#include "output/bench.h"
#include "output/json.h"
#include "system/process.h"
#include "terminal/progress.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct BenchArgs {
    tacos_bench_options options;
    const char *against;
    unsigned long threads;
    int json;
} BenchArgs;

/* Where the results go. */
typedef struct BenchOut {
    BenchTable table;
    json_t *array; /* NULL: print a table */
    Progress progress;
    const char *at; /* the case being shown */
    size_t n_done;
    int no_memory;
} BenchOut;

#define AT(field) offsetof(BenchArgs, field)

static const Option table[] = {
    WHOLE_OPTION(
        "threads", "N", 1, 256, AT(threads),
        "measure with 1, 2, 4, ... up to N threads (default: one per core); testing uses all of "
        "them, training only in networks that are wide enough"),
    FLAG_OPTION("quick", AT(options.quick), "measure fewer batches, and slow cases only if named"),
    FLAG_OPTION("large", AT(options.large), "include 784-4000-4000-2, which takes minutes"),
    FLAG_OPTION("json", AT(json), "print JSON instead of a table"),
    TEXT_OPTION("against", "FILE", NAME_FILE, AT(against),
                "compare with saved output of `--json`: ratios now / then, below 1 is faster now"),
    OPTION_DATA(AT(options.data_dir)),
    OPTION_END,
};

/* Fills args; false if there is nothing to do but exit with *code. */
static int parse(int argc, char **argv, BenchArgs *args, int *code) {
    *args = (BenchArgs){0};
    if (!options_read(&command_bench, table, args, argc, argv, code))
        return 0;
    args->options.n_threads = (unsigned)args->threads;
    args->options.names = (const char *const *)argv + optind;
    args->options.n_names = (size_t)(argc - optind);
    return 1;
}

/* ---- progress: one line, on a terminal only ---- */

static int on_progress(void *user, const tacos_bench_progress *progress) {
    BenchOut *out = user;
    if (out->at != progress->name) {
        out->at = progress->name;
        progress_step(&out->progress, progress->n_done, progress->n_total, progress->name);
    }
    return interrupt_signal() != 0;
}

static void erase_progress(BenchOut *out) {
    if (out->at)
        progress_end(&out->progress);
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

static int finish(const BenchOut *out, tacos_status status, const tacos_error *err) {
    if (out->no_memory)
        return cli_no_memory("the results");
    if (status != TACOS_OK && status != TACOS_INTERRUPTED)
        return cli_fail(err);
    if (!out->array) {
        bench_table_end(&out->table);
    } else if (status == TACOS_OK || out->n_done > 0) {
        if (json_print(out->array, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) != EXIT_OK)
            return EXIT_FAILED;
    }
    if (status == TACOS_OK)
        return EXIT_OK;
    cli_error("interrupted; %zu complete case(s)", out->n_done);
    return EXIT_FAILED;
}

static int measure(const BenchArgs *args, const BenchSaved *saved) {
    Interrupt guard;
    tacos_error err = {0};
    tacos_bench_options options = args->options;
    BenchOut out = {.table.saved = saved};
    progress_begin(&out.progress, 0);
    out.array = args->json ? json_array() : NULL;
    if (args->json && !out.array)
        return cli_no_memory("the results");
    options.progress = on_progress;
    interrupt_begin(&guard);
    tacos_status status = tacos_bench_run(&options, on_case, &out, &err);
    erase_progress(&out);
    int code = finish(&out, status, &err);
    json_decref(out.array);
    interrupt_end(&guard);
    return code;
}

/* ---- --against: checked before anything is measured ---- */

static int check_common(const BenchArgs *args, const BenchSaved *saved) {
    tacos_error err = {0};
    int common = 0;
    for (size_t i = 0; i < saved->n && !common; i++)
        if (tacos_bench_wanted(&args->options, saved->cases[i].name, saved->cases[i].n_threads,
                               &common, &err) != TACOS_OK)
            return cli_fail(&err);
    if (common)
        return EXIT_OK;
    cli_error("%s contains none of the cases to be measured", args->against);
    return EXIT_FAILED;
}

static int measure_against(const BenchArgs *args) {
    BenchSaved *saved = malloc(sizeof *saved);
    if (!saved)
        return cli_no_memory("the results");
    int code = bench_saved_read(saved, args->against) == 0 ? EXIT_OK : EXIT_FAILED;
    if (code == EXIT_OK)
        code = check_common(args, saved);
    if (code == EXIT_OK)
        code = measure(args, saved);
    free(saved);
    return code;
}

static int cmd_bench(int argc, char **argv) {
    BenchArgs args;
    int code = EXIT_OK;
    if (!parse(argc, argv, &args, &code))
        return code;
    return args.against ? measure_against(&args) : measure(&args, NULL);
}

static const Example examples[] = {
    {"tacos bench --quick", "the usual widths, quickly"},
    {"tacos bench 'mnist-*' --json > before.json", "save the figures"},
    {"tacos bench 'mnist-*' --against before.json", "compare with them later"},
    {NULL, NULL},
};

const Command command_bench = {
    .name = "bench",
    .group = GROUP_MACHINE,
    .run = cmd_bench,
    .about = "measure the time per sample against the machine's limits",
    .synopsis = "[CASE...] [options]",
    .text =
        "Trains and tests networks of several widths and prints the time per sample of each: the "
        "median over small batches, the fastest batch, and the spread between the quartiles. CASE "
        "is a name such as mnist-784-200-2, or a pattern such as 'mnist-*'. If a data set is not "
        "installed (`tacos data list`), synthetic images with the same statistics take its "
        "place.\n\n"
        "The roofline is the least time that the peak rates of this machine, measured next to "
        "each case, allow for the operations and bytes of a training sample; the table shows how "
        "much of it is reached, and whether memory or arithmetic is the limit.",
    .argument = NAME_CASE,
    .options = table,
    .more = "`TACOS_KERNEL` selects the vector instructions, as for every command.",
    .examples = examples,
};
