/* help.c - `tacos help`: the overview, and help on commands, keys, experiments, plans and models.
 */
#include "cli.h"

#include "help/help.h"
#include "terminal/print.h"
#include "terminal/terminal.h"

#include <stdio.h>
#include <string.h>

/* ---- overview ---- */

static void print_group(CommandGroup group) {
    const Command *command;
    putchar('\n');
    style_print(stdout, STYLE_HEADING, "%s", command_groups[group]);
    putchar('\n');
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        if (command->group == group)
            help_row(stdout, command->name, name_widest(NAME_COMMAND), command->about);
}

static void print_steps(const char *title, const Example *steps) {
    putchar('\n');
    style_print(stdout, STYLE_HEADING, "%s", title);
    putchar('\n');
    help_examples(stdout, steps);
}

static int help_overview(void) {
    static const Example more[] = {
        {"tacos help COMMAND", "explain a command and its options"},
        {"tacos help keys", "list the keys; tacos help KEY explains one"},
        {"tacos help experiments", "built-in experiments; also plans, models and presets"},
        {NULL, NULL},
    };
    print("tacos - %s\n\n", commands_about);
    style_print(stdout, STYLE_HEADING, "usage:");
    puts(" tacos COMMAND [arguments]");
    for (int g = 0; g < GROUP_COUNT; g++)
        print_group((CommandGroup)g);
    print_steps("first steps", commands_first_steps);
    print_steps("more help", more);
    return EXIT_OK;
}

/* ---- lists ---- */

/* For people: what it is, then the rest. */
static void print_key_row(const tacos_key_info *key) {
    char value[KEY_TEXT_SIZE], text[3 * KEY_TEXT_SIZE];
    (void)snprintf(text, sizeof text, "%s (default: %s%s%s)", key->doc, key_default(value, key),
                   key->symbol[0] ? "; symbol: " : "", key->symbol);
    help_row(stdout, key->name, name_widest(NAME_KEY), text);
}

/* For programs: columns. */
static void print_key_line(const tacos_key_info *key) {
    char value[KEY_TEXT_SIZE];
    print("%-22s %-10s %-20s %s\n", key->name, key->symbol, key_default(value, key), key->doc);
}

static void list_keys(void) {
    int people = terminal_is(stdout);
    tacos_key_info key;
    if (!people)
        print("%-22s %-10s %-20s %s\n", "key", "symbol", "default", "what it is");
    for (int group = 0; group < TACOS_KEY_GROUPS; group++)
        for (size_t i = 0; tacos_key(i, &key); i++)
            if (!key.derived && (int)key.group == group)
                (people ? print_key_row : print_key_line)(&key);
}

static void list_models(void) {
    static const char *const kinds[] = {"spiking", "columns", "rival"};
    tacos_model_info model;
    Name name;
    for (size_t i = 0; tacos_model(i, &model) && name_get(NAME_MODEL, i, &name); i++) {
        print("%-19s %-7s ", model.name, kinds[model.kind]);
        paragraph_last(stdout, name.about, 28);
    }
}

static void list_names(NameKind kind) {
    Name name;
    int width = name_widest(kind);
    for (size_t i = 0; name_get(kind, i, &name); i++) {
        print("%-*s ", width, name.name);
        paragraph_last(stdout, name.about, width + 1);
    }
}

static void list_presets(void) {
    list_names(NAME_PRESET);
}

static void list_stream_keys(void) {
    int people = terminal_is(stdout);
    tacos_classifier_key_info key;
    if (!people)
        print("%-22s %-20s %s\n", "key", "default", "what it is");
    for (size_t i = 0; tacos_classifier_key(i, &key); i++) {
        char text[3 * KEY_TEXT_SIZE];
        (void)snprintf(text, sizeof text, "%s (default: %s)", key.about, key.default_value);
        if (people)
            help_row(stdout, key.name, name_widest(NAME_STREAM_KEY), text);
        else
            print("%-22s %-20s %s\n", key.name, key.default_value, key.about);
    }
}

static void list_experiments(void) {
    list_names(NAME_EXPERIMENT);
}

static void list_plans(void) {
    list_names(NAME_PLAN);
}

/* ---- one thing ---- */

/* Each is true if there is something of this name. */

static int explain_command(const char *name) {
    const Command *command = cli_command(name);
    if (command)
        help_command(stdout, command);
    return command != NULL;
}

static int explain_list(const char *name) {
    static const struct {
        const char *name;
        void (*print)(void);
    } lists[] = {
        {"keys", list_keys},   {"models", list_models},   {"experiments", list_experiments},
        {"plans", list_plans}, {"presets", list_presets}, {"stream-keys", list_stream_keys}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(lists[i].name, name) == 0) {
            lists[i].print();
            return 1;
        }
    return 0;
}

static void print_fact(const char *what, const char *value) {
    print("  %-13s ", what);
    paragraph_last(stdout, value, 16);
}

static int explain_key(const char *name) {
    tacos_key_info key;
    char text[KEY_TEXT_SIZE], example[EXAMPLE_SIZE];
    size_t i = 0;
    while (tacos_key(i, &key) && strcmp(key.name, name) != 0)
        i++;
    if (!tacos_key(i, &key))
        return 0;
    style_print(stdout, STYLE_HEADING, "%s", key.name);
    printf(": ");
    paragraph_last(stdout, key.doc, (int)strlen(key.name) + 2);
    if (key.symbol[0])
        print_fact("symbol", key.symbol);
    print_fact("type", key_type(&key));
    if (key.unit[0])
        print_fact("unit", key.unit);
    print_fact("default", key_default(text, &key));
    print_fact("range", key_range(text, &key));
    print_fact("a key of", key_owner(&key));
    if (key.derived)
        puts("  A learner's key; in an experiment it follows from the data set and the tasks.");
    else
        print_fact("example", key_example_line(example, &key));
    return 1;
}

static int explain_stream_key(const char *name) {
    tacos_classifier_key_info key;
    char example[STREAM_EXAMPLE_SIZE];
    size_t i = 0;
    while (tacos_classifier_key(i, &key) && strcmp(key.name, name) != 0)
        i++;
    if (!tacos_classifier_key(i, &key))
        return 0;
    style_print(stdout, STYLE_HEADING, "%s", key.name);
    printf(": ");
    paragraph_last(stdout, key.about, (int)strlen(key.name) + 2);
    print_fact("default", key.default_value);
    print_fact("a key of", "classifiers (tacos learn, evaluate, encode)");
    print_fact("example", stream_key_example(example, &key));
    return 1;
}

static int explain_preset(const char *name) {
    tacos_preset_info preset;
    for (size_t i = 0; tacos_preset(i, &preset); i++)
        if (strcmp(preset.name, name) == 0) {
            print("# %s\n", preset.about);
            print_lines(preset.settings);
            return 1;
        }
    return 0;
}

/* An experiment or a plan: the file itself. */
static int explain_file(const char *name) {
    int (*const get[])(size_t i, tacos_experiment_info * out) = {tacos_experiment_builtin,
                                                                 tacos_plan_builtin};
    tacos_experiment_info info;
    for (size_t k = 0; k < sizeof get / sizeof *get; k++)
        for (size_t i = 0; get[k](i, &info); i++)
            if (strcmp(info.name, name) == 0) {
                print_lines(info.text);
                return 1;
            }
    return 0;
}

static int explain_model(const char *name) {
    Name model;
    char example[EXAMPLE_SIZE];
    if (!name_find(NAME_MODEL, name, &model))
        return 0;
    style_print(stdout, STYLE_HEADING, "%s", model.name);
    printf(": ");
    paragraph_last(stdout, model.about, (int)strlen(model.name) + 2);
    print_fact("example", model_example_line(example, model.name));
    return 1;
}

static int help_topic(const char *topic) {
    static int (*const explain[])(const char *name) = {
        explain_command, explain_list,       explain_key,   explain_file,
        explain_model,   explain_stream_key, explain_preset};
    for (size_t i = 0; i < sizeof explain / sizeof *explain; i++)
        if (explain[i](topic))
            return EXIT_OK;
    return cli_unknown(NULL, "no help on", NAME_TOPIC, topic);
}

/* ---- the command ---- */

static const Option table[] = {
    FLAG_OPTION(
        "man", 0,
        "print a manual page, such as tacos-run.1, in the format of man(1); without a name, list "
        "the pages"),
    OPTION_END,
};

static int help_man(const char *page) {
    if (page && !man_print(page))
        return cli_usage("help", "no manual page '%s'; `tacos help --man` lists them", page);
    if (!page)
        man_list();
    return EXIT_OK;
}

static int cmd_help(int argc, char **argv) {
    int man = 0, code = EXIT_OK;
    if (!options_read(&command_help, table, &man, argc, argv, &code))
        return code;
    if (man)
        return help_man(argv[optind]);
    return optind < argc ? help_topic(argv[optind]) : help_overview();
}

static const Example examples[] = {
    {"tacos help run", "a command"},
    {"tacos help m_max", "a key: what it is, its unit, range and default"},
    {"tacos help presets", "the settings of tacos learn, by name"},
    {"tacos help split-mnist", "an experiment's .conf file"},
    {NULL, NULL},
};

const Command command_help = {
    .name = "help",
    .group = GROUP_SELF,
    .run = cmd_help,
    .about = "explain a command, key, preset, experiment, plan or model",
    .arguments = {0, 1, "at most one topic"},
    .synopsis = "[COMMAND | KEY | PRESET | EXPERIMENT | PLAN | MODEL]\n"
                "keys | stream-keys | presets | models | experiments | plans\n"
                "--man [PAGE]",
    .text = "Without a topic, lists the commands. An experiment or a plan is printed as its .conf "
            "file, a starting point for your own.",
    .argument = NAME_TOPIC,
    .options = table,
    .examples = examples,
};
