/* sweep_merge.c - `tacos sweep merge`: one store of several, such as those of the parts of a plan.
 */
#include "commands/sweep.h"

#include "terminal/print.h"

#include <stdio.h>

typedef struct MergeArgs {
    const char *out;
} MergeArgs;

const Option sweep_merge_options[] = {
    TEXT_OPTION("out", "STORE", NAME_FILE, offsetof(MergeArgs, out),
                "the store that takes the runs (also `-o STORE`)"),
    OPTION_END,
};

static void print_counts(const char *store, const tacos_store_counts *counts) {
    print("%s: %zu run%s complete", store, counts->n_complete, counts->n_complete == 1 ? "" : "s");
    if (counts->n_failed > 0)
        printf(", %zu failed", counts->n_failed);
    if (counts->n_planned > 0)
        printf(", %zu missing: `tacos sweep PLAN --store` makes them", counts->n_planned);
    printf("\n");
}

int sweep_merge(int argc, char **argv) {
    MergeArgs args = {0};
    tacos_store_counts counts;
    tacos_error err = {0};
    int code = EXIT_OK;
    if (!options_read(&command_sweep, sweep_merge_options, &args, argc, argv, &code))
        return code;
    if (!args.out)
        return cli_usage("sweep", "sweep merge: expected -o STORE, the result");
    if (optind == argc)
        return cli_usage("sweep", "sweep merge: expected the stores to merge");
    const char *const *others = (const char *const *)(argv + optind);
    if (tacos_store_merge(args.out, others, (size_t)(argc - optind), &counts, &err) != TACOS_OK)
        return cli_fail(&err);
    print_counts(args.out, &counts);
    return EXIT_OK;
}
