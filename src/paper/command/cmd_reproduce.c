/* cmd_reproduce.c - `tacos reproduce`: the paper's numbers beside ours. */
#include "cli.h"
#include "device.h"

#include "reproduce.h"
#include "system/files.h"
#include "system/process.h"
#include "terminal/print.h"
#include "terminal/terminal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Parts that the library does not list: the first needs no runs, the second those of several
 * parts. */
static const char FUNCTION[] = "function", SCORE[] = "score";

/* ---- which parts ---- */

static int add_part(ReproduceArgs *args, const char *name) {
    tacos_paper_part part;
    int all = strcmp(name, "all") == 0, function = all || strcmp(name, FUNCTION) == 0,
        score = all || strcmp(name, SCORE) == 0, found = function || score;
    args->function |= function;
    args->score |= score;
    for (size_t i = 0; tacos_paper_part_get(i, &part); i++) {
        if (!all && strcmp(part.name, name) != 0)
            continue;
        found = 1;
        if (args->n_parts < PARTS_MAX)
            args->parts[args->n_parts++] = part;
    }
    return found ? EXIT_OK : cli_unknown("reproduce", "the paper has no part", NAME_PART, name);
}

static int has_part(const ReproduceArgs *args, const char *name) {
    for (size_t i = 0; i < args->n_parts; i++)
        if (strcmp(args->parts[i].name, name) == 0)
            return 1;
    return 0;
}

#define AT(field) offsetof(ReproduceArgs, field)

static const Option table[] = {
    {"quick", OPTION_FLAG, NAME_ANY, AT(quick), 0, 0, NULL,
     "a first impression in minutes: 600 training and 200 test samples per task, with m, w_ref and the penalty of EWC "
     "adjusted to that; `all` takes 7 minutes of one core; not for publication"},
    {"set", OPTION_LIST, NAME_SETTING, AT(sets), 0, 0, "KEY=VALUE",
     "change a key in every row that does not set it itself (`tacos help keys`), like "
     "`validation=0.1` to score held-out training images; may be repeated; tables go to DIR/KEY=VALUE"},
    {"seeds", OPTION_WHOLE, NAME_ANY, AT(seeds), 1, TACOS_SEEDS_MAX, "N",
     "seeds 1 to N (default: as in the plan, 5)"},
    OPTION_JOBS(AT(jobs)),
    OPTION_DEVICE(AT(device)),
    {"out", OPTION_TEXT, NAME_FOLDER, AT(out), 0, 0, "DIR",
     "the store, and of each part a CSV and a Markdown table and the settings (default: results/reproduce, or "
     "results/reproduce-quick)"},
    {"with-rivals", OPTION_FLAG, NAME_ANY, AT(with_rivals), 0, 0, NULL,
     "also run the part `methods`"},
    {"show", OPTION_FLAG, NAME_ANY, AT(show), 0, 0, NULL,
     "make no runs; print the tables of those in the store"},
    {"dry-run", OPTION_FLAG, NAME_ANY, AT(dry_run), 0, 0, NULL,
     "make no runs; print how many are missing, and the time they will take here: that of a configuration's runs in the "
     "store or, if there is none, of 40 training and 8 test samples of each task, scaled to all"},
    OPTION_DATA(AT(data)),
    OPTION_QUIET(AT(quiet)),
    OPTION_END,
};

/* Fills args; false if the program should exit with *code. */
static int parse(int argc, char **argv, ReproduceArgs *args, int *code) {
    *args = (ReproduceArgs){.resume = {.command = "reproduce", .argc = argc, .argv = argv}};
    if (!options_read(&command_reproduce, table, args, argc, argv, code))
        return 0;
    if (optind == argc)
        *code = cli_usage("reproduce", "which part of the paper? `all` is all of it");
    for (int i = optind; i < argc && *code == EXIT_OK; i++)
        *code = add_part(args, argv[i]);
    if (args->with_rivals && *code == EXIT_OK && !has_part(args, "methods"))
        *code = add_part(args, "methods");
    if (!args->out)
        args->out = args->quick ? "results/reproduce-quick" : "results/reproduce";
    if (*code == EXIT_OK)
        *code = reproduce_check_sets(args);
    if (*code == EXIT_OK)
        *code = reproduce_name_tables(args);
    return *code == EXIT_OK &&
           (args->dry_run || args->show || device_use("reproduce", args->device, code));
}

/* ---- parts ---- */

static int write_markdown(const ReproduceArgs *args, const tacos_paper_part *part,
                          const tacos_reproduction *reproduction) {
    TableFile file;
    FILE *out = reproduce_open(&file, args, part->name, ".md");
    if (!out)
        return EXIT_FAILED;
    reproduce_heading(out, args, part->name, part->about, 1);
    reproduce_print(out, reproduction, 1);
    return reproduce_close(&file);
}

static int write_csv(const ReproduceArgs *args, const char *part, const char *ending,
                     void (*write)(FILE *out, const tacos_reproduction *reproduction),
                     const tacos_reproduction *reproduction) {
    TableFile file;
    FILE *out = reproduce_open(&file, args, part, ending);
    if (!out)
        return EXIT_FAILED;
    write(out, reproduction);
    return reproduce_close(&file);
}

static void print_verdicts(const tacos_reproduction *reproduction) {
    static const char *const verdicts[] = {"match", "above", "below"};
    size_t n[3] = {0};
    const tacos_cell *cell;
    for (size_t i = 0; (cell = tacos_reproduction_cell(reproduction, i)); i++)
        for (size_t v = 0; v < 3; v++)
            n[v] += strcmp(cell->verdict, verdicts[v]) == 0;
    if (n[0] + n[1] + n[2] > 0)
        printf("  %zu of %zu numbers match the paper's, %zu are above, %zu below\n\n", n[0],
               n[0] + n[1] + n[2], n[1], n[2]);
}

static int show_part(const ReproduceArgs *args, const tacos_paper_part *part,
                     const tacos_plan *plan, const char *store) {
    tacos_reproduction *reproduction = NULL;
    tacos_error err = {0};
    if (tacos_reproduction_open(&reproduction, part->name, plan, store, &err) != TACOS_OK)
        return cli_fail(&err);
    reproduce_heading(stdout, args, part->name, part->about, 0);
    reproduce_print(stdout, reproduction, 0);
    print_verdicts(reproduction);
    int code = write_markdown(args, part, reproduction);
    if (code == EXIT_OK)
        code = write_csv(args, part->name, ".csv", reproduce_csv, reproduction);
    if (code == EXIT_OK)
        code = write_csv(args, part->name, "-accuracy.csv", reproduce_accuracy_csv, reproduction);
    if (code == EXIT_OK)
        code = reproduce_write_origin(args, part->name);
    tacos_reproduction_free(reproduction);
    return code;
}

/* Figure 2, which needs no runs. */
static int show_function(const ReproduceArgs *args) {
    enum { EVERY = 4 }; /* show every 4th weight, write all */
    tacos_paper_point point;
    TableFile file;
    FILE *out = reproduce_open(&file, args, FUNCTION, ".csv");
    if (!out)
        return EXIT_FAILED;
    fputs("m,w,plasticity\n", out);
    style_print(stdout, STYLE_HEADING, "%s", FUNCTION);
    printf(": plasticity exp(-|m w|) as a function of the weight, for several m\n\n");
    style_begin(stdout, STYLE_HEADING);
    print("  %5s", "w");
    for (size_t i = 0; i < TACOS_PAPER_CURVES && tacos_paper_function(i, &point); i++)
        printf("  m = %-4g", point.m);
    style_end(stdout, STYLE_HEADING);
    for (size_t i = 0; tacos_paper_function(i, &point); i++) {
        fprintf(out, "%g,%.2f,%.10g\n", point.m, point.w, point.plasticity);
        if (i / TACOS_PAPER_CURVES % EVERY != 0)
            continue;
        if (i % TACOS_PAPER_CURVES == 0)
            printf("\n  %5.2f", point.w);
        printf("  %8.5f", point.plasticity);
    }
    printf("\n\n");
    int code = reproduce_close(&file);
    return code == EXIT_OK ? reproduce_write_origin(args, FUNCTION) : code;
}

/* Several parts may share a plan; its runs are made once, since the store then has them. */
static int reproduce_part(const ReproduceArgs *args, const tacos_paper_part *part,
                          const char *store) {
    tacos_plan *plan = NULL;
    int code = reproduce_plan(args, part->plan, &plan);
    if (code == EXIT_OK)
        code = reproduce_runs(args, plan, store);
    if (code == EXIT_OK)
        code = show_part(args, part, plan, store);
    tacos_plan_free(plan);
    return code;
}

/* ---- command ---- */

static int cmd_reproduce(int argc, char **argv) {
    ReproduceArgs args;
    char store[PATH_SIZE];
    Interrupt guard;
    int code = EXIT_OK, runs_failed = 0;
    if (!parse(argc, argv, &args, &code))
        return code;
    args.runs_failed = &runs_failed;
    if (args.dry_run)
        return reproduce_estimate(&args);
    if (folder_make(args.tables) != 0) {
        cli_error("cannot make the folder %s: %s", args.tables, strerror(errno));
        return EXIT_FAILED;
    }
    if (folder_path(store, args.out, REPRODUCE_STORE) != 0) {
        cli_error("%s/runs.db: %s", args.out, strerror(errno));
        return EXIT_FAILED;
    }
    interrupt_begin(&guard);
    for (size_t i = 0; i < args.n_parts && code == EXIT_OK; i++)
        code = reproduce_part(&args, &args.parts[i], store);
    if (args.function && code == EXIT_OK)
        code = show_function(&args);
    if (args.score && code == EXIT_OK)
        code = reproduce_score(&args, store);
    interrupt_end(&guard);
    return code == EXIT_OK && runs_failed ? EXIT_FAILED : code;
}

static const Example examples[] = {
    {"tacos reproduce all --quick", "everything, on few samples"},
    {"tacos reproduce headline", "table 1 in full"},
    {"tacos reproduce all --dry-run", "how long all of it takes"},
    {"tacos reproduce headline --show", "again, from the runs in the store"},
    {"tacos reproduce score --seeds 2 --set validation=0.1 --set silence=wrong",
     "how near to the paper, on held-out images, with a key changed"},
    {NULL, NULL},
};

const Command command_reproduce = {
    .name = "reproduce",
    .group = GROUP_RUNS,
    .run = cmd_reproduce,
    .spreads = 1,
    .about = "make the paper's tables and figures, beside its own numbers",
    .synopsis = "PART... [options]",
    .text = "PART is one of those below. Makes the runs that its plan needs and prints each number "
            "next to the paper's: = if it is within twice either deviation or 2 points, else + or "
            "-.",
    .argument = NAME_PART,
    .argument_title = "parts",
    .options = table,
    .more =
        "Stopped or killed, the same command resumes from the store. Under mpirun or srun the runs "
        "are spread over all processes.",
    .examples = examples,
};
