/* reproduce.c - settings, files, plans and runs shared by the parts of `tacos reproduce`. */
#include "reproduce.h"

#include "cli.h"
#include "commands/sweep.h"
#include "terminal/print.h"
#include "terminal/terminal.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- settings ---- */

static tacos_status set_experiment_key(void *experiment, const char *key, const char *value,
                                       tacos_error *err) {
    return tacos_experiment_set(experiment, key, value, err);
}

static tacos_status set_plan_key(void *plan, const char *key, const char *value, tacos_error *err) {
    return tacos_plan_set(plan, key, value, err);
}

int reproduce_check_sets(const ReproduceArgs *args) {
    tacos_experiment *scratch = NULL;
    tacos_error err = {0};
    if (tacos_experiment_open(&scratch, "split-mnist", &err) != TACOS_OK)
        return cli_fail(&err);
    int code = settings_apply("reproduce", &args->sets, set_experiment_key, scratch);
    tacos_experiment_free(scratch);
    return code;
}

int reproduce_name_tables(ReproduceArgs *args) {
    int used = snprintf(args->tables, PATH_SIZE, "%s", args->out);
    for (size_t i = 0; i < args->sets.n && used < PATH_SIZE; i++) {
        int from = used + 1;
        used += snprintf(args->tables + used, PATH_SIZE - (size_t)used, "/%s", args->sets.items[i]);
        for (int k = from; k < used && k < PATH_SIZE; k++)
            if (args->tables[k] == '/')
                args->tables[k] = '_';
    }
    if (used < PATH_SIZE)
        return EXIT_OK;
    return cli_usage("reproduce", "the path of the tables is too long: %.60s...", args->tables);
}

/* ---- files ---- */

FILE *reproduce_open(TableFile *file, const ReproduceArgs *args, const char *part,
                     const char *ending) {
    char name[64];
    tacos_error err = {0};
    (void)snprintf(name, sizeof name, "%s%s", part, ending);
    if (folder_path(file->path, args->tables, name) != 0) {
        cli_error("%s/%s: %s", args->tables, name, strerror(errno));
        return NULL;
    }
    if (whole_file_open(&file->whole, file->path, &err) == TACOS_OK)
        return file->whole.out;
    (void)cli_fail(&err);
    return NULL;
}

int reproduce_close(TableFile *file) {
    tacos_error err = {0};
    return whole_file_close(&file->whole, file->path, &err) == TACOS_OK ? EXIT_OK : cli_fail(&err);
}

static tacos_status set_json_member(void *object, const char *key, const char *value,
                                    tacos_error *err) {
    if (json_object_set_new(object, key, json_string(value)) == 0)
        return TACOS_OK;
    (void)snprintf(err->text, sizeof err->text, "--set %.60s: the value is not UTF-8", key);
    return err->status = TACOS_INVALID;
}

int reproduce_write_origin(const ReproduceArgs *args, const char *part) {
    char store[3 * OPTION_LIST_MAX + sizeof REPRODUCE_STORE] = "";
    TableFile file;
    json_t *set = json_object();
    int code = settings_apply("reproduce", &args->sets, set_json_member, set);
    for (size_t i = 0; i < args->sets.n; i++) /* one folder each: reproduce_name_tables */
        strcat(store, "../");
    strcat(store, REPRODUCE_STORE);
    json_t *root =
        json_pack("{s:s, s:i, s:s, s:s, s:b, s:i, s:o, s:s}", "schema", "tacos-reproduction",
                  "schema_version", 1, "program_version", TACOS_VERSION_STRING, "part", part,
                  "quick", args->quick, "seeds", (int)args->seeds, "set", set, "store", store);
    char *text = json_dumps(root, JSON_ENSURE_ASCII);
    FILE *out = code == EXIT_OK && text ? reproduce_open(&file, args, part, ".json") : NULL;
    if (!text)
        cli_error("no memory to write %s.json", part);
    if (out)
        print_to(out, "%s\n", text);
    free(text);
    json_decref(root);
    return out ? reproduce_close(&file) : EXIT_FAILED;
}

void reproduce_heading(FILE *out, const ReproduceArgs *args, const char *name, const char *about,
                       int markdown) {
    style_print(out, STYLE_HEADING, "%s%s", markdown ? "### " : "", name);
    print_to(out, ": %s%s", about, args->quick ? " (QUICK: few samples, a first impression)" : "");
    for (size_t i = 0; i < args->sets.n; i++)
        print_to(out, "%s%s", i == 0 ? "; with " : ", ", args->sets.items[i]);
    fputs("\n\n", out);
}

/* ---- plans ---- */

int reproduce_plan(const ReproduceArgs *args, const char *name, tacos_plan **out) {
    tacos_error err = {0};
    if (tacos_plan_open(out, name, &err) != TACOS_OK)
        return cli_fail(&err);
    if (args->quick)
        tacos_plan_set_quick(*out);
    if (args->seeds && tacos_plan_set_seeds(*out, (uint32_t)args->seeds, &err) != TACOS_OK)
        return cli_fail(&err);
    return settings_apply("reproduce", &args->sets, set_plan_key, *out);
}

int reproduce_runs(const ReproduceArgs *args, const tacos_plan *plan, const char *store) {
    PlanRun how = {.store = store,
                   .data = args->data,
                   .jobs = args->jobs,
                   .quiet = args->quiet,
                   .resume = args->resume};
    int code = EXIT_OK;
    if (args->show)
        return EXIT_OK;
    if (!args->quiet)
        print_to(stderr, "%s\n", tacos_plan_info_get(plan).name);
    if (plan_run(plan, &how, &code) == TACOS_OK && code != EXIT_OK) {
        *args->runs_failed = 1;
        return EXIT_OK;
    }
    return code;
}
