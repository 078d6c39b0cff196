/* cmd_compare.c - `tacos compare`: several results side by side. */
#include "cli.h"

#include "options.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { FOLDERS_MAX = 64, SCHEMA_VERSION = 1 };

static const char *const metrics[] = {"MA", "A", "BWT", "forgetting", "MO"};
enum { N_METRICS = sizeof metrics / sizeof *metrics };

/* One folder's line. */
typedef struct Line {
    const char *folder;
    char name[64], model[64];
    size_t n_runs;
    int partial; /* fewer runs than were asked for */
    double mean[N_METRICS], sd[N_METRICS];
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
    if (!name || !model || !hidden || line->n_runs == 0)
        return -1;
    (void)snprintf(line->name, sizeof line->name, "%s", name);
    (void)snprintf(line->model, sizeof line->model, "%s %s", model, hidden);
    for (size_t k = 0; k < N_METRICS; k++) {
        const json_t *metric = json_object_get(summary, metrics[k]);
        if (!json_is_number(json_object_get(metric, "mean")))
            return -1;
        line->mean[k] = json_number_value(json_object_get(metric, "mean"));
        line->sd[k] = json_number_value(json_object_get(metric, "sd"));
    }
    return 0;
}

static int load(const char *folder, Line *line) {
    char path[4096];
    json_error_t error;
    (void)snprintf(path, sizeof path, "%s/results.json", folder);
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "tacos: cannot read %s: %s\n", path, strerror(errno));
        return -1;
    }
    json_t *root = json_loadf(file, 0, &error);
    (void)fclose(file);
    if (!root) {
        fprintf(stderr, "tacos: %s: line %d: %s\n", path, error.line, error.text);
        return -1;
    }
    const char *schema = json_string_value(json_object_get(root, "schema"));
    json_int_t version = json_integer_value(json_object_get(root, "schema_version"));
    line->folder = folder;
    int bad = !schema || strcmp(schema, "tacos-results") != 0 || version < 1 ||
              (version == SCHEMA_VERSION && read_line(root, line) != 0);
    json_decref(root);
    if (bad)
        fprintf(stderr, "tacos: %s does not hold results of a run\n", path);
    else if (version > SCHEMA_VERSION)
        fprintf(stderr, "tacos: %s was written by a newer program (schema version %d)\n", path,
                (int)version);
    return bad || version > SCHEMA_VERSION ? -1 : 0;
}

static int widest(const Line *lines, size_t n) {
    size_t width = strlen("folder");
    for (size_t i = 0; i < n; i++)
        if (strlen(lines[i].folder) > width)
            width = strlen(lines[i].folder);
    return (int)width;
}

static void print_lines(const Line *lines, size_t n) {
    int width = widest(lines, n);
    printf("%-*s  %-13s %-22s %4s ", width, "folder", "experiment", "model", "runs");
    for (size_t k = 0; k < N_METRICS; k++)
        printf(" %15s", metrics[k]);
    printf(" %10s\n", "MA vs last");
    for (size_t i = 0; i < n; i++) {
        printf("%-*s  %-13s %-22s %4zu%s", width, lines[i].folder, lines[i].name, lines[i].model,
               lines[i].n_runs, lines[i].partial ? "*" : " ");
        for (size_t k = 0; k < N_METRICS; k++) {
            char cell[40];
            (void)snprintf(cell, sizeof cell, lines[i].n_runs > 1 ? "%.2f +- %.2f" : "%.2f",
                           lines[i].mean[k], lines[i].sd[k]);
            printf(" %15s", cell);
        }
        printf(" %+10.2f\n", lines[i].mean[0] - lines[n - 1].mean[0]);
    }
}

int cmd_compare(int argc, char **argv) {
    Line lines[FOLDERS_MAX];
    const Option none[] = {{NULL, OPTION_FLAG, NULL, 0, 0}};
    int code = EXIT_OK;
    if (!options_read("compare", none, argc, argv, &code))
        return code;
    size_t n = (size_t)(argc - optind);
    if (n < 1 || n > FOLDERS_MAX)
        return cli_usage("compare", "from 1 to %d folders are wanted", FOLDERS_MAX);
    for (size_t i = 0; i < n; i++)
        if (load(argv[(size_t)optind + i], &lines[i]) != 0)
            return EXIT_FAILED;
    print_lines(lines, n);
    return EXIT_OK;
}
