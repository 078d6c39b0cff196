/* compare.c - `tacos compare`: several results side by side. */
#include "cli.h"

#include "output/json.h"
#include "output/failure.h"
#include "system/files.h"
#include "terminal/grid.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { FOLDERS_MAX = 64, SCHEMA_VERSION = 2 };

static const char *const metrics[] = {"MA", "A", "BWT", "forgetting", "MO"};
enum { N_METRICS = sizeof metrics / sizeof *metrics };

/* The keys of an experiment that decide what is learned and scored. Accuracies of runs that differ
 * in them are not of the same thing. */
static const char *const stream_keys[] = {
    "dataset",    "tasks",    "samples_per_task", "test_samples_per_task",
    "validation", "scenario", "permute",          "blur",
    "centre",     "soften"};
enum { N_STREAM_KEYS = sizeof stream_keys / sizeof *stream_keys };

/* One row of the table: the results of a folder. */
typedef struct Line {
    const char *folder;
    char name[64], model[64];
    size_t n_runs;
    int partial;                    /* fewer runs than requested */
    int silent;                     /* its outputs are often silent */
    int chance;                     /* its MA is at or below chance */
    tacos_summary value[N_METRICS]; /* n = 0: not defined, as BWT is after one task */
    json_t *config;                 /* of the experiment */
} Line;

static int read_line(const json_t *root, Line *line) {
    const json_t *config = json_object_get(root, "config"),
                 *summary = json_object_get(root, "summary");
    const char *name = json_string_value(json_object_get(root, "experiment"));
    const char *model = json_string_value(json_object_get(config, "model"));
    const char *hidden = json_string_value(json_object_get(config, "hidden"));
    const char *status = json_string_value(json_object_get(root, "status"));
    line->n_runs = json_array_size(json_object_get(root, "runs"));
    line->partial = !status || strcmp(status, "complete") != 0;
    line->silent =
        is_silent(json_number_value(json_object_get(json_object_get(summary, "silent"), "mean")));
    if (!name || !model || line->n_runs == 0)
        return -1;
    (void)snprintf(line->name, sizeof line->name, "%s", name);
    (void)snprintf(line->model, sizeof line->model, "%s%s%s", model, hidden ? " " : "",
                   hidden ? hidden : "");
    for (size_t k = 0; k < N_METRICS; k++) {
        const json_t *metric = json_object_get(summary, metrics[k]),
                     *mean = json_object_get(metric, "mean");
        if (!json_is_number(mean) && !json_is_null(mean))
            return -1;
        line->value[k] =
            (tacos_summary){json_is_null(mean) ? 0 : line->n_runs, json_number_value(mean),
                            json_number_value(json_object_get(metric, "sd"))};
    }
    line->chance =
        tacos_is_chance(line->value[0].mean, json_number_value(json_object_get(root, "chance")));
    return line->value[0].n > 0 ? 0 : -1;
}

static int load(const char *folder, Line *line) {
    char path[PATH_SIZE];
    if (folder_path(path, folder, "results.json") != 0) {
        cli_error("%s/results.json: %s", folder, strerror(errno));
        return -1;
    }
    json_t *root = json_read(path, 0);
    if (!root)
        return -1;
    const char *schema = json_string_value(json_object_get(root, "schema"));
    json_int_t version = json_integer_value(json_object_get(root, "schema_version"));
    *line = (Line){.folder = folder, .config = json_incref(json_object_get(root, "config"))};
    int bad = !schema || strcmp(schema, "tacos-results") != 0 || version < 1 ||
              (version <= SCHEMA_VERSION && read_line(root, line) != 0);
    json_decref(root);
    if (bad)
        cli_error("%s does not contain the results of a run", path);
    else if (version > SCHEMA_VERSION)
        cli_error("%s was written by a newer version of tacos (schema version %d)", path,
                  (int)version);
    return bad || version > SCHEMA_VERSION ? -1 : 0;
}

/* Silent ones, and those at chance, do not. */
static int competes(const Line *line) {
    return !line->silent && !line->chance;
}

/* Is its MA ahead of all others that compete by more than the deviations? */
static int is_best(const Line *lines, size_t n, size_t i) {
    for (size_t k = 0; k < n; k++)
        if (k != i && competes(&lines[k]) &&
            !tacos_summary_above(&lines[i].value[0], &lines[k].value[0]))
            return 0;
    return n > 1 && competes(&lines[i]);
}

static void put_heads(Grid *grid) {
    grid_column(grid, "folder", (GridColumn){1, 0, 0});
    grid_column(grid, "experiment", (GridColumn){1, 2, 13});
    grid_column(grid, "model", (GridColumn){1, 1, 22});
    grid_column(grid, "runs ", (GridColumn){0, 1, 5});
    for (size_t k = 0; k < N_METRICS; k++)
        grid_column(grid, metrics[k], (GridColumn){0, 1, 15});
    grid_column(grid, "MA vs last", (GridColumn){0, 1, 10});
}

static int print_lines(const Line *lines, size_t n) {
    size_t n_silent = 0, n_chance = 0;
    Grid grid = {0};
    put_heads(&grid);
    for (size_t i = 0; i < n; i++) {
        grid_cell(&grid, "%s", lines[i].folder);
        grid_cell(&grid, "%s", lines[i].name);
        grid_cell(&grid, "%s", lines[i].model);
        grid_cell(&grid, "%zu%s%s", lines[i].n_runs, failure_mark(lines[i].silent, lines[i].chance),
                  lines[i].partial ? "*" : " ");
        n_silent += lines[i].silent != 0;
        n_chance += !lines[i].silent && lines[i].chance;
        for (size_t k = 0; k < N_METRICS; k++) {
            grid_summary(&grid, &lines[i].value[k]);
            if (k == 0 && is_best(lines, n, i))
                grid_style(&grid, STYLE_GOOD);
        }
        grid_cell(&grid, "%+.2f", lines[i].value[0].mean - lines[n - 1].value[0].mean);
    }
    if (grid_end(&grid) != 0)
        return -1;
    failure_footnotes(n_silent, n_chance);
    return 0;
}

/* A key that a file lacks is equal only to one that the other lacks, too. */
static int is_equal(const Line *a, const Line *b, const char *key) {
    const json_t *x = json_object_get(a->config, key), *y = json_object_get(b->config, key);
    return x && y ? json_equal(x, y) : x == y;
}

/* Names the first key in which a folder differs from the last one. */
static void warn_if_different(const Line *lines, size_t n) {
    const Line *last = &lines[n - 1];
    for (size_t i = 0; i + 1 < n; i++)
        for (size_t k = 0; k < N_STREAM_KEYS; k++)
            if (!is_equal(&lines[i], last, stream_keys[k])) {
                cli_error("warning: %s and %s differ in %s: their accuracies are of different "
                          "experiments",
                          lines[i].folder, last->folder, stream_keys[k]);
                return;
            }
}

static int compare(char *const *folders, Line *lines, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (load(folders[i], &lines[i]) != 0)
            return EXIT_FAILED;
    if (print_lines(lines, n) != 0)
        return cli_no_memory("the table");
    warn_if_different(lines, n);
    return EXIT_OK;
}

static int cmd_compare(int argc, char **argv) {
    Line lines[FOLDERS_MAX] = {{0}};
    int code = EXIT_OK;
    if (!options_read(&command_compare, NULL, NULL, argc, argv, &code))
        return code;
    size_t n = (size_t)(argc - optind);
    code = compare(argv + optind, lines, n);
    for (size_t i = 0; i < n; i++)
        json_decref(lines[i].config);
    return code;
}

static const Example examples[] = {
    {"tacos compare results/split-mnist-*", "all runs, compared with the last"},
    {NULL, NULL},
};

const Command command_compare = {
    .name = "compare",
    .group = GROUP_RESULTS,
    .run = cmd_compare,
    .about = "compare the results of several runs side by side",
    .arguments = {1, FOLDERS_MAX, "1 to 64 folders"},
    .synopsis = "DIR...",
    .text =
        "Reads results.json in each folder. The last column is the difference in MA from the last "
        "folder. An asterisk after the run count: it was interrupted, with fewer runs than "
        "requested. An exclamation mark: the outputs stayed silent on so many test samples that "
        "the numbers mean little. A question mark: it is right no more often than by chance. An MA in green is ahead of all others by more than the two "
        "deviations together. Folders that learned or scored something else than the last one are "
        "reported on stderr.",
    .argument = NAME_FOLDER,
    .examples = examples,
};
