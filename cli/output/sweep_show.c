/* sweep_show.c - the options of `tacos sweep show`, and what its ways of showing share. */
#include "commands/sweep.h"

#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct ShowArgs {
    SweepShow how;
    int csv, json;
} ShowArgs;

/* ---- shared ---- */

size_t sweep_count_rows(const tacos_survey *survey) {
    size_t n = 0;
    while (tacos_survey_row_get(survey, n))
        n++;
    return n;
}

size_t sweep_count_keys(const tacos_survey *survey) {
    size_t n = 0;
    while (tacos_survey_key(survey, n))
        n++;
    return n;
}

size_t *sweep_keys_by_share(const tacos_survey *survey) {
    size_t n = sweep_count_keys(survey);
    size_t *order = malloc((n + 1) * sizeof *order);
    for (size_t k = 0; order && k < n; k++) {
        size_t at = k;
        for (; at > 0 && tacos_survey_share(survey, order[at - 1]) < tacos_survey_share(survey, k);
             at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    return order;
}

int sweep_key_is_number(const char *key, int *whole) {
    tacos_key_info info;
    if (strchr(key, '[')) { /* one of a list of numbers */
        *whole = 0;
        return 1;
    }
    for (size_t i = 0; tacos_key(i, &info); i++)
        if (strcmp(info.name, key) == 0) {
            *whole = strcmp(info.type, "count") == 0;
            return *whole || strcmp(info.type, "real") == 0;
        }
    return 0;
}

int sweep_no_memory(void) {
    cli_error("no memory to show the results");
    return EXIT_FAILED;
}

/* ---- options ---- */

static int check(int argc, char **argv, ShowArgs *args) {
    if (args->csv && args->json)
        return cli_usage("sweep", "--csv and --json do not go together");
    if (args->how.all && args->how.top > 0)
        return cli_usage("sweep", "--top and --all do not go together");
    if (argc - optind != 1)
        return cli_usage("sweep", "sweep show wants one store, %d are given", argc - optind);
    args->how.store = argv[optind];
    return EXIT_OK;
}

#define AT(field) offsetof(ShowArgs, field)

const Option sweep_show_options[] = {
    {"top", OPTION_WHOLE, NAME_ANY, AT(how.top), 1, 1000000000, "N", "the N best (default: 10)"},
    {"all", OPTION_FLAG, NAME_ANY, AT(how.all), 0, 0, NULL, "all of them; nothing is left out"},
    {"csv", OPTION_FLAG, NAME_ANY, AT(csv), 0, 0, NULL, "every configuration as CSV"},
    {"json", OPTION_FLAG, NAME_ANY, AT(json), 0, 0, NULL, "the same and the effects as JSON"},
    OPTION_END,
};

/* Fills args; false if there is nothing to do but exit with *code. */
static int parse(int argc, char **argv, ShowArgs *args, int *code) {
    *args = (ShowArgs){0};
    if (!options_read(&command_sweep, sweep_show_options, args, argc, argv, code))
        return 0;
    *code = check(argc, argv, args);
    return *code == EXIT_OK;
}

int sweep_show(int argc, char **argv) {
    ShowArgs args;
    tacos_survey *survey;
    tacos_error err = {0};
    int code = EXIT_OK;
    if (!parse(argc, argv, &args, &code))
        return code;
    if (tacos_survey_open(&survey, args.how.store, &err) != TACOS_OK)
        return cli_fail(&err);
    if (args.csv)
        code = sweep_show_csv(survey, &args.how);
    else if (args.json)
        code = sweep_show_json(survey, &args.how);
    else
        code = sweep_show_table(survey, &args.how);
    tacos_survey_free(survey);
    return code;
}
