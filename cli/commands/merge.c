/* merge.c - `tacos merge`: one learner of several that learned different samples. */
#include "cli.h"

#include "tacos_stream.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct MergeArgs {
    const char *out, *match;
    unsigned long memory_kb, n_units;
    int force;
} MergeArgs;

#define AT(field) offsetof(MergeArgs, field)

static const Option table[] = {
    TEXT_OPTION("out", "MODEL", NAME_FILE, AT(out), "the result (also `-o MODEL`)"),
    WHOLE_OPTION("memory-kb", "K", 1, 100000000, AT(memory_kb),
                 "the size of the result, as `column_memory_kb` (default: that of the largest)"),
    WHOLE_OPTION("units", "N", 1, 100000000, AT(n_units),
                 "the same as a number of units, as `column_units`"),
    TEXT_OPTION("match", "M", NAME_ANY, AT(match),
                "units that match each other by M or more become one, from 0 to 1 (default: two "
                "thirds of the way from theta to 1)"),
    FLAG_OPTION("force", AT(force), "replace the result if it exists"),
    OPTION_END,
};

/* ---- the learners ---- */

typedef struct Learners {
    size_t n;
    const tacos_learner **items;
} Learners;

static void learners_free(Learners *learners) {
    for (size_t k = 0; k < learners->n; k++)
        tacos_learner_free((tacos_learner *)learners->items[k]);
    free(learners->items);
}

static int learners_load(Learners *learners, char **paths, size_t n) {
    tacos_error err = {0};
    learners->items = calloc(n, sizeof(tacos_learner *));
    if (!learners->items)
        return cli_no_memory("the learners");
    for (; learners->n < n; learners->n++) {
        tacos_learner *learner;
        if (tacos_classifier_is_file(paths[learners->n])) {
            cli_error("%s is a classifier: its scales and labels are those of its own stream, so "
                      "it cannot be merged; learners of fixed shape can",
                      paths[learners->n]);
            return EXIT_FAILED;
        }
        if (tacos_learner_load(&learner, paths[learners->n], NULL, &err) != TACOS_OK)
            return cli_fail(&err);
        learners->items[learners->n] = learner;
    }
    return EXIT_OK;
}

/* ---- merging ---- */

static int read_options(const MergeArgs *args, tacos_merge_options *out) {
    char *end;
    *out = (tacos_merge_options){.memory_kb = (double)args->memory_kb, .n_units = args->n_units};
    if (!args->out)
        return cli_usage("merge", "expected -o MODEL, the result");
    if (args->memory_kb > 0 && args->n_units > 0)
        return cli_usage("merge", "--memory-kb and --units exclude each other");
    if (!args->match)
        return EXIT_OK;
    out->match = strtod(args->match, &end);
    if (end == args->match || *end || !(out->match > 0 && out->match <= 1))
        return cli_usage("merge", "--match %s: expected a number above 0, up to 1", args->match);
    return EXIT_OK;
}

static int merge(const MergeArgs *args, const tacos_merge_options *how, char **paths, size_t n) {
    Learners learners = {0};
    tacos_learner *merged = NULL;
    tacos_error err = {0};
    int code = learners_load(&learners, paths, n);
    if (code == EXIT_OK &&
        (tacos_learner_merge(&merged, learners.items, learners.n, how, NULL, &err) != TACOS_OK ||
         tacos_learner_save(merged, args->out, &err) != TACOS_OK))
        code = cli_fail(&err);
    tacos_learner_free(merged);
    learners_free(&learners);
    return code;
}

static int cmd_merge(int argc, char **argv) {
    MergeArgs args = {0};
    tacos_merge_options how;
    tacos_lock *lock;
    tacos_error err = {0};
    int code = EXIT_OK;
    if (!options_read(&command_merge, table, &args, argc, argv, &code))
        return code;
    code = read_options(&args, &how);
    if (code != EXIT_OK)
        return code;
    if (tacos_lock_take(&lock, args.out, &err) != TACOS_OK)
        return cli_fail(&err);
    if (!args.force && access(args.out, F_OK) == 0) {
        cli_error("%s exists; --force replaces it", args.out);
        code = EXIT_FAILED;
    } else {
        code = merge(&args, &how, argv + optind, (size_t)(argc - optind));
    }
    tacos_lock_release(lock);
    return code;
}

static const Example examples[] = {
    {"tacos merge a.tacos b.tacos -o both.tacos", "what two learners know, in the size of one"},
    {"tacos merge a.tacos b.tacos -o both.tacos --force --memory-kb 128", "in 128 kB"},
    {NULL, NULL},
};

const Command command_merge = {
    .name = "merge",
    .group = GROUP_LEARNER,
    .run = cmd_merge,
    .about = "make one learner of several that learned different samples",
    .arguments = {2, 65536, "two MODELs or more"},
    .synopsis = "MODEL MODEL... -o MODEL [options]",
    .text =
        "The MODELs are learners of model columns that need not have met: each may have learned "
        "other samples, other classes, on another machine. The result has learned all of it, and "
        "can learn more. It is the same, to the last bit, in whatever order they are named.\n\n"
        "Of the units of all MODELs, place by place, the most used are kept, except those that "
        "are like one that is; every other unit joins the nearest that is kept. Templates are "
        "averaged by use, uses and counts added.\n\n"
        "The MODELs must have the same seed and the same keys, except `column_memory_kb` and "
        "`column_units`; the error names what differs.",
    .argument = NAME_FILE,
    .options = table,
    .examples = examples,
};
