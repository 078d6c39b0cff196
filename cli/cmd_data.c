/* cmd_data.c - `tacos data`: which data sets there are, whether they are right, and getting them.
 */
#include "cli.h"
#include "data_fetch.h"
#include "interrupt.h"
#include "options.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH_SIZE = 4096, MAX_SETS = 32 };

typedef struct Options {
    const char *from, *mirror;
    char dir[PATH_SIZE]; /* the data folder */
    char **names;        /* [n_names] */
    int n_names;
} Options;

static const tacos_data_info *find_set(const char *name) {
    const tacos_data_info *set;
    for (size_t i = 0; (set = tacos_data_set(i)); i++)
        if (strcmp(set->name, name) == 0)
            return set;
    return NULL;
}

/* Whether any file of a set is here, right or not. */
static int has_files(const tacos_data_info *set, const char *dir) {
    char path[PATH_SIZE];
    struct stat info;
    const char *file;
    for (size_t i = 0; (file = tacos_data_file(set, i)); i++) {
        for (int with_gz = 0; with_gz < 2; with_gz++) {
            int n = snprintf(path, sizeof path, "%s/%s/%s%s", dir, set->name, file,
                             with_gz ? ".gz" : "");
            if (n > 0 && (size_t)n < sizeof path && stat(path, &info) == 0)
                return 1;
        }
    }
    return 0;
}

/* ---- list, verify, get ----------------------------------------------------------------------- */

static int list(const Options *options) {
    const tacos_data_info *set;
    (void)fprintf(stderr, "data folder: %s\n", options->dir);
    for (size_t i = 0; (set = tacos_data_set(i)); i++) {
        char state[600];
        tacos_error err;
        const char *edition;
        if (set->built_in)
            (void)snprintf(state, sizeof state, "built in");
        else if (tacos_data_verify(set->name, options->dir, &edition, &err) == TACOS_OK)
            (void)snprintf(state, sizeof state, "here (%s)", edition);
        else if (err.status == TACOS_MISSING && !has_files(set, options->dir))
            (void)snprintf(state, sizeof state, "not here");
        else
            (void)snprintf(state, sizeof state, "damaged: %s", err.text);
        (void)printf("%-10s %-22s %s\n", set->name, state, set->about);
    }
    return EXIT_OK;
}

static int verify_one(const tacos_data_info *set, const char *dir) {
    tacos_error err;
    const char *edition;
    if (tacos_data_verify(set->name, dir, &edition, &err) != TACOS_OK) {
        return cli_fail(&err);
    }
    (void)printf("ok %s (%s)\n", set->name, edition);
    return EXIT_OK;
}

static int verify(const Options *options) {
    const tacos_data_info *set;
    int result = EXIT_OK;
    for (int i = 0; i < options->n_names; i++)
        if (verify_one(find_set(options->names[i]), options->dir) != EXIT_OK)
            result = EXIT_FAILED;
    for (size_t i = 0; options->n_names == 0 && (set = tacos_data_set(i)); i++)
        if ((set->built_in || has_files(set, options->dir)) &&
            verify_one(set, options->dir) != EXIT_OK)
            result = EXIT_FAILED;
    return result;
}

static int get_one(const tacos_data_info *set, const Options *options) {
    tacos_error err;
    if (tacos_data_verify(set->name, options->dir, NULL, &err) == TACOS_OK) {
        (void)fprintf(stderr, "%s: %s\n", set->name,
                      set->built_in ? "built in, nothing to get" : "already here");
        return verify_one(set, options->dir);
    }
    if (has_files(set, options->dir))
        (void)fprintf(stderr, "%s: getting it again, for %s\n", set->name, err.text);
    if (!options->from) {
        if (data_fetch(set, options->dir, options->mirror) != 0)
            return EXIT_FAILED;
    } else if (tacos_data_install(set->name, options->from, options->dir, &err) != TACOS_OK) {
        return cli_fail(&err);
    }
    return verify_one(set, options->dir);
}

/* An interrupt waits until what is half done is done or removed. */
static int get(const Options *options) {
    Interrupt guard;
    int result = EXIT_OK;
    interrupt_begin(&guard);
    for (int i = 0; i < options->n_names && !interrupt_signal(); i++)
        if (get_one(find_set(options->names[i]), options) != EXIT_OK)
            result = EXIT_FAILED;
    if (interrupt_signal()) {
        (void)fprintf(stderr, "tacos: interrupted\n");
        result = EXIT_FAILED;
    }
    interrupt_end(&guard);
    return result;
}

/* ---- the command line ------------------------------------------------------------------------ */

static const struct Action {
    const char *name;
    int (*run)(const Options *options);
    int takes_names, needs_names, takes_source;
} actions[] = {
    {"list", list, 0, 0, 0},
    {"verify", verify, 1, 0, 0},
    {"get", get, 1, 1, 1},
};
enum { N_ACTIONS = sizeof actions / sizeof *actions };

static int unknown_word(const char *kind, const char *word, const char *const *names) {
    const char *near = tacos_nearest(word, names);
    if (near)
        return cli_usage("data", "no %s '%s'; the nearest is '%s'", kind, word, near);
    char all[256] = "";
    for (size_t used = 0; *names && used < sizeof all; names++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", used ? ", " : "", *names);
    return cli_usage("data", "no %s '%s'; there are %s", kind, word, all);
}

static int unknown_action(const char *word) {
    const char *names[N_ACTIONS + 1] = {NULL};
    for (size_t i = 0; i < N_ACTIONS; i++)
        names[i] = actions[i].name;
    return unknown_word("subcommand", word, names);
}

static int unknown_set(const char *word) {
    const char *names[MAX_SETS + 1] = {NULL};
    const tacos_data_info *set;
    for (size_t i = 0; i < MAX_SETS && (set = tacos_data_set(i)); i++)
        names[i] = set->name;
    return unknown_word("data set", word, names);
}

static int check(const struct Action *action, const Options *options) {
    if (options->n_names > 0 && !action->takes_names)
        return cli_usage("data", "too many words, from '%s'", options->names[0]);
    if (options->n_names == 0 && action->needs_names)
        return cli_usage("data", "which data set?");
    if ((options->from || options->mirror) && !action->takes_source)
        return cli_usage("data", "--from and --mirror are not for %s", action->name);
    if (options->from && options->mirror)
        return cli_usage("data", "--from and --mirror exclude each other");
    if (options->mirror && options->n_names > 1)
        return cli_usage("data", "with --mirror, one data set at a time");
    for (int i = 0; i < options->n_names; i++)
        if (!find_set(options->names[i]))
            return unknown_set(options->names[i]);
    return EXIT_OK;
}

int cmd_data(int argc, char **argv) {
    Options options = {0};
    const struct Action *action = NULL;
    const char *dir = NULL;
    const Option table[] = {
        {"from", OPTION_TEXT, &options.from, 0, 0},
        {"mirror", OPTION_TEXT, &options.mirror, 0, 0},
        {"data", OPTION_TEXT, &dir, 0, 0},
        {NULL, OPTION_FLAG, NULL, 0, 0},
    };
    tacos_error err;
    int code = EXIT_OK;
    if (!options_read("data", table, argc, argv, &code))
        return code;
    if (optind == argc) {
        (void)fputs(cli_command("data")->usage, stderr);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < N_ACTIONS; i++)
        if (strcmp(actions[i].name, argv[optind]) == 0)
            action = &actions[i];
    if (!action)
        return unknown_action(argv[optind]);
    options.names = argv + optind + 1;
    options.n_names = argc - optind - 1;
    int result = check(action, &options);
    if (result != EXIT_OK)
        return result;
    if (tacos_data_dir(dir, options.dir, sizeof options.dir, &err) != TACOS_OK) {
        return cli_fail(&err);
    }
    return action->run(&options);
}
