/* man.c - manual pages in the format of man(1): tacos(1), one per command, and tacos-keys(5). */
#include "cli.h"
#include "help/help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 70 };

/* One character; how many bytes it took. */
static size_t put(char c) {
    static const struct {
        char c;
        const char *name;
    } special[] = {{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
                   {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (special[i].c == c) {
            fputs(special[i].name, stdout);
            return strlen(special[i].name);
        }
    putchar(c);
    return 1;
}

/* ---- text, escaped for troff ---- */

typedef struct Writer {
    size_t n;    /* bytes in this line */
    int bold;    /* between backquotes */
    int at_stop; /* the last word ended a sentence */
} Writer;

static void put_word(Writer *writer, const char *word, size_t n) {
    if (writer->n > 0 && (writer->at_stop || writer->n + 1 + n > LINE_BYTES)) {
        putchar('\n');
        writer->n = 0;
    } else if (writer->n > 0) {
        putchar(' ');
        writer->n++;
    }
    if (writer->n == 0 && word[0] == '.')
        fputs("\\&", stdout); /* not a request */
    for (size_t i = 0; i < n; i++) {
        if (word[i] == '`') {
            writer->bold = !writer->bold;
            fputs(writer->bold ? "\\fB" : "\\fR", stdout);
            writer->n += 3;
        } else {
            writer->n += put(word[i]);
        }
    }
    writer->at_stop = word[n - 1] == '.';
}

/* Paragraphs, with a blank line between them in the text; `...` becomes bold. */
static void roff_text(const char *text) {
    Writer writer = {0};
    while (*text) {
        size_t gap = strspn(text, " \n"), n = strcspn(text + gap, " \n");
        if (gap > 1 && text[0] == '\n' && text[1] == '\n') {
            fputs("\n.PP", stdout);
            writer.at_stop = 1;
        }
        text += gap;
        if (n == 0)
            break;
        put_word(&writer, text, n);
        text += n;
    }
    putchar('\n');
}

/* ---- usage ---- */

static int is_name(char c) {
    return isalnum((unsigned char)c) || c == '-' || c == '_';
}

/* "KEY" is to be filled in; "--set" and "show" are typed. */
static int is_typed(const char *word, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (islower((unsigned char)word[i]))
            return 1;
    return 0;
}

/* One line: what is typed is bold, what is filled in (CAPITALS) is italic. */
static void roff_usage(const char *text) {
    while (*text && *text != '\n') {
        size_t n = 0;
        while (is_name(text[n]))
            n++;
        if (n == 0) {
            (void)put(*text++);
            continue;
        }
        fputs(is_typed(text, n) ? "\\fB" : "\\fI", stdout);
        for (size_t i = 0; i < n; i++)
            (void)put(text[i]);
        fputs("\\fR", stdout);
        text += n;
    }
    putchar('\n');
}

/* A heading: .SH or .SS. */
static void roff_heading(const char *macro, const char *text) {
    printf("%s %c", macro, toupper((unsigned char)text[0]));
    for (text++; *text; text++)
        (void)put(*text);
    putchar('\n');
}

/* The first line of a list entry. */
static void roff_entry(const char *usage) {
    puts(".TP");
    roff_usage(usage);
}

/* A command line, as it is. */
static void roff_line(const char *text) {
    puts(".PP\n.nf\n.RS");
    if (*text == '.')
        fputs("\\&", stdout);
    for (; *text; text++)
        (void)put(*text);
    puts("\n.RE\n.fi");
}

/* Of the release; it changes with TACOS_VERSION_STRING. */
static const char date[] = "2026-11-15";

static const char main_page[] = "tacos.1", keys_page[] = "tacos-keys.5";

/* ---- parts of every page ---- */

/* "tacos-run.1" begins with .TH TACOS\-RUN 1 */
static void print_title(const char *page) {
    size_t n = strlen(page) - 2;
    fputs(".TH ", stdout);
    for (size_t i = 0; i < n; i++)
        printf(page[i] == '-' ? "\\-" : "%c", toupper((unsigned char)page[i]));
    printf(" %s %s \"tacos %s\" \"tacos manual\"\n", page + n + 1, date, tacos_version());
    puts(".nh\n.ad l"); /* commands are copied from it: no hyphens, no stretched blanks */
}

static void print_name(const char *page, const char *about) {
    char line[256];
    (void)snprintf(line, sizeof line, "%.*s - %s", (int)strlen(page) - 2, page, about);
    roff_heading(".SH", "NAME");
    roff_text(line);
}

static void print_see_also(const char *const *pages) {
    roff_heading(".SH", "SEE ALSO");
    for (; *pages; pages++) {
        size_t n = strlen(*pages) - 2;
        char name[64];
        (void)snprintf(name, sizeof name, "`%.*s`(%s)%s", (int)n, *pages, *pages + n + 1,
                       pages[1] ? "," : "");
        roff_text(name);
    }
}

static void print_options(const Option *table) {
    char usage[OPTION_USAGE_SIZE];
    for (const Option *o = table; o && o->name; o++) {
        roff_entry(help_option_usage(usage, o));
        roff_text(o->text);
    }
}

static void print_names(NameKind kind) {
    Name name;
    for (size_t i = 0; name_get(kind, i, &name); i++) {
        roff_entry(name.name);
        roff_text(name.about);
    }
}

static void print_examples(const Example *examples) {
    roff_heading(".SH", "EXAMPLES");
    for (const Example *e = examples; e->line; e++) {
        char about[256];
        (void)snprintf(about, sizeof about, "%c%s:", toupper((unsigned char)e->about[0]),
                       e->about + 1);
        if (e > examples)
            puts(".PP");
        roff_text(about);
        roff_line(e->line);
    }
}

/* ---- a command ---- */

static void print_synopsis(const Command *command) {
    roff_heading(".SH", "SYNOPSIS");
    for (const char *line = command->synopsis; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (line > command->synopsis)
            puts(".br");
        printf("\\fBtacos %s\\fR%s", command->name, *line ? " " : "");
        roff_usage(line);
    }
}

static void print_subcommands(const Command *command) {
    roff_heading(".SH", "SUBCOMMANDS");
    for (const Subcommand *s = command->subcommands; s->name; s++) {
        roff_entry(s->name);
        roff_text(s->about);
    }
}

static void print_all_options(const Command *command) {
    char title[64];
    roff_heading(".SH", "OPTIONS");
    print_options(command->options);
    print_options(options_common);
    for (const Subcommand *s = command->subcommands; s && s->name; s++) {
        if (!s->options)
            continue;
        (void)snprintf(title, sizeof title, "Options of %s", s->name);
        roff_heading(".SS", title);
        print_options(s->options);
    }
}

static void print_command(const char *page, const Command *command) {
    static const char *const see[] = {main_page, keys_page, NULL};
    print_title(page);
    print_name(page, command->about);
    print_synopsis(command);
    roff_heading(".SH", "DESCRIPTION");
    roff_text(command->text);
    if (command->more) {
        puts(".PP");
        roff_text(command->more);
    }
    if (command->argument_title) {
        roff_heading(".SS", command->argument_title);
        print_names(command->argument);
    }
    if (command->subcommands)
        print_subcommands(command);
    print_all_options(command);
    if (command->examples)
        print_examples(command->examples);
    print_see_also(see);
}

/* ---- the program ---- */

static void print_groups(void) {
    const Command *command;
    roff_heading(".SH", "COMMANDS");
    for (int g = 0; g < GROUP_COUNT; g++) {
        roff_heading(".SS", command_groups[g]);
        for (size_t i = 0; (command = cli_command_at(i)); i++)
            if ((int)command->group == g) {
                char name[64];
                (void)snprintf(name, sizeof name, "tacos-%s(1)", command->name);
                roff_entry(name);
                roff_text(command->about);
            }
    }
}

static void print_pairs(const char *title, const char *const (*pairs)[2], size_t n) {
    roff_heading(".SH", title);
    for (size_t i = 0; i < n; i++) {
        roff_entry(pairs[i][0]);
        roff_text(pairs[i][1]);
    }
}

static void print_main(void) {
    static const char *const environment[][2] = {
        {"TACOS_DATA",
         "The data folder; `--data` takes precedence. Without either it is tacos in the user's "
         "cache folder (`$XDG_CACHE_HOME`, else ~/.cache)."},
        {"TACOS_KERNEL",
         "The vector instructions to use: ref, avx2, avx512, avx512-vnni, neon or neon-dot. "
         "Results do not depend on it."},
        {"NO_COLOR", "If set and not empty: no colours."},
        {"CLICOLOR_FORCE",
         "If set, not empty and not 0: colours even if the output is not a terminal."},
    };
    static const char *const statuses[][2] = {
        {"0", "Success."},
        {"1", "Failure: a file, a data set, a run. An interrupted command ends by the signal."},
        {"2", "Usage error: an unknown command, option, name or key, or a value out of range."},
    };
    static const char *const see[] = {keys_page, NULL};
    print_title(main_page);
    print_name(main_page, commands_about);
    roff_heading(".SH", "SYNOPSIS");
    puts("\\fBtacos\\fR [\\fB\\-\\-color\\fR \\fIWHEN\\fR] \\fICOMMAND\\fR [\\fIarguments\\fR]\n"
         ".br\n"
         "\\fBtacos \\-\\-help\\fR | \\fB\\-\\-version\\fR");
    roff_heading(".SH", "DESCRIPTION");
    roff_text(
        "A spiking neural network that learns one task after another, needs no task boundaries, "
        "sees every sample once, and keeps what it has learned: TACOS (Soures et al., "
        "arXiv 2409.00021). Data go to standard output, progress and errors to standard "
        "error.");
    print_groups();
    roff_heading(".SH", "OPTIONS");
    print_options(options_common);
    roff_entry("--version");
    roff_text("print the version");
    print_pairs("ENVIRONMENT", environment, sizeof environment / sizeof *environment);
    print_pairs("EXIT STATUS", statuses, sizeof statuses / sizeof *statuses);
    print_examples(commands_first_steps);
    print_see_also(see);
}

/* ---- keys ---- */

static void print_key(const tacos_key_info *key) {
    char value[KEY_TEXT_SIZE], facts[4 * KEY_TEXT_SIZE];
    size_t used = 0;
    printf(".TP\n.B %s\n", key->name);
    roff_text(key->doc);
    puts(".br");
    if (key->symbol[0])
        used = (size_t)snprintf(facts, sizeof facts, "In the paper: %s. ", key->symbol);
    used += (size_t)snprintf(facts + used, sizeof facts - used, "%c%s. ",
                             toupper((unsigned char)key_type(key)[0]), key_type(key) + 1);
    used += (size_t)snprintf(facts + used, sizeof facts - used, "Default: %s. ",
                             key_default(value, key));
    (void)snprintf(facts + used, sizeof facts - used, "Range: %s.", key_range(value, key));
    roff_text(facts);
}

static void print_stream_key(const tacos_classifier_key_info *key) {
    char facts[KEY_TEXT_SIZE];
    printf(".TP\n.B %s\n", key->name);
    roff_text(key->about);
    puts(".br");
    (void)snprintf(facts, sizeof facts, "Default: %s.", key->default_value);
    roff_text(facts);
}

static void print_keys(void) {
    static const struct {
        const char *title;
        tacos_key_group group;
    } kinds[] = {{"Experiments", TACOS_KEY_EXPERIMENT},
                 {"Learners and experiments", TACOS_KEY_LEARNER},
                 {"Columns", TACOS_KEY_COLUMNS},
                 {"Beyond the paper", TACOS_KEY_FUTURE},
                 {"Rival methods", TACOS_KEY_RIVAL}};
    static const char *const see[] = {main_page, "tacos-run.1", "tacos-sweep.1", NULL};
    tacos_key_info key;
    tacos_classifier_key_info stream_key;
    print_title(keys_page);
    print_name(keys_page, "the keys of a configuration");
    roff_heading(".SH", "DESCRIPTION");
    roff_text(
        "Set a key with `tacos run EXPERIMENT --set KEY=VALUE`, or as a line `KEY = VALUE` of "
        "a .conf file, where # starts a comment; those of learners and classifiers also with "
        "`tacos learn MODEL --new --set KEY=VALUE`. `tacos help KEY` prints the same.");
    roff_heading(".SH", "KEYS");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        roff_heading(".SS", kinds[k].title);
        for (size_t i = 0; tacos_key(i, &key); i++)
            if (key.group == kinds[k].group)
                print_key(&key);
    }
    roff_heading(".SS", "Classifiers");
    for (size_t i = 0; tacos_classifier_key(i, &stream_key); i++)
        print_stream_key(&stream_key);
    print_see_also(see);
}

/* ---- all ---- */

static void write_page(char out[64], const Command *command) {
    (void)snprintf(out, 64, "tacos-%s.1", command->name);
}

/* The command that a page is about, or NULL. */
static const Command *command_of(const char *page) {
    const Command *command;
    char name[64];
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        write_page(name, command);
        if (strcmp(name, page) == 0)
            break;
    }
    return command;
}

void man_list(void) {
    const Command *command;
    char page[64];
    puts(main_page);
    for (size_t i = 0; (command = cli_command_at(i)); i++) {
        write_page(page, command);
        puts(page);
    }
    puts(keys_page);
}

int man_print(const char *page) {
    const Command *command = command_of(page);
    if (command)
        print_command(page, command);
    else if (strcmp(page, main_page) == 0)
        print_main();
    else if (strcmp(page, keys_page) == 0)
        print_keys();
    else
        return 0;
    return 1;
}
