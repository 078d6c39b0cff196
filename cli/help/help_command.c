/* help_command.c - prints the help of a command from its table. */
#include "help/help.h"

#include "terminal/print.h"
#include "terminal/terminal.h"

#include <string.h>

enum { INDENT = 2, GAP = 2, EXAMPLE_MAX = 40 };

void help_row(FILE *out, const char *word, int width, const char *about) {
    print_to(out, "%*s%-*s", INDENT, "", *about ? width + GAP : 0, word);
    if ((int)strlen(word) > width)
        print_to(out, "\n%*s", INDENT + width + GAP, "");
    paragraph_print(out, about, INDENT + width + GAP);
}

void help_names(FILE *out, NameKind kind) {
    Name name;
    int width = name_widest(kind);
    for (size_t i = 0; name_get(kind, i, &name); i++)
        help_row(out, name.name, width, name.about);
}

static void print_heading(FILE *out, const char *text, const char *of) {
    fputc('\n', out);
    style_print(out, STYLE_HEADING, "%s%s:", text, of);
    fputc('\n', out);
}

/* ---- usage ---- */

static void print_usage(FILE *out, const Command *command) {
    const char *lead = "usage:";
    for (const char *line = command->synopsis; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        style_print(out, STYLE_HEADING, "%6s", lead);
        print_to(out, " tacos %s%s%.*s\n", command->name, *line ? " " : "",
                 (int)strcspn(line, "\n"), line);
        lead = "";
    }
}

/* ---- options ---- */

char *help_option_usage(char out[OPTION_USAGE_SIZE], const Option *option) {
    (void)snprintf(out, OPTION_USAGE_SIZE, "--%s%s%s", option->name, option->argument ? " " : "",
                   option->argument ? option->argument : "");
    return out;
}

static int widest(const Option *table, int width) {
    char usage[OPTION_USAGE_SIZE];
    for (const Option *o = table; o && o->name; o++) {
        int n = (int)strlen(help_option_usage(usage, o));
        width = n > width ? n : width;
    }
    return width;
}

static void print_options(FILE *out, const Option *table, int width) {
    char usage[OPTION_USAGE_SIZE];
    for (const Option *o = table; o && o->name; o++)
        help_row(out, help_option_usage(usage, o), width, o->text);
}

/* Those of the command and those that all have, then those of subcommands. */
static void print_all_options(FILE *out, const Command *command) {
    print_heading(out, "options", "");
    int width = widest(options_common, widest(command->options, 0));
    print_options(out, command->options, width);
    print_options(out, options_common, width);
    for (const Subcommand *s = command->subcommands; s && s->name; s++) {
        if (!s->options)
            continue;
        print_heading(out, "options of ", s->name);
        print_options(out, s->options, widest(s->options, 0));
    }
}

/* ---- the rest ---- */

static void print_subcommands(FILE *out, const Command *command) {
    int width = 0;
    for (const Subcommand *s = command->subcommands; s->name; s++)
        width = (int)strlen(s->name) > width ? (int)strlen(s->name) : width;
    print_heading(out, "subcommands", "");
    for (const Subcommand *s = command->subcommands; s->name; s++)
        help_row(out, s->name, width, s->about);
}

void help_examples(FILE *out, const Example *examples) {
    int width = INDENT;
    for (const Example *e = examples; e->line; e++) {
        int n = (int)strlen(e->line);
        width = n > width && n <= EXAMPLE_MAX ? n : width;
    }
    for (const Example *e = examples; e->line; e++)
        help_row(out, e->line, width, e->about);
}

void help_command(FILE *out, const Command *command) {
    print_usage(out, command);
    fputc('\n', out);
    paragraph_print(out, command->text, 0);
    if (command->argument_title) {
        print_heading(out, command->argument_title, "");
        help_names(out, command->argument);
    }
    if (command->subcommands)
        print_subcommands(out, command);
    print_all_options(out, command);
    if (command->more) {
        fputc('\n', out);
        paragraph_print(out, command->more, 0);
    }
    if (command->examples) {
        print_heading(out, "examples", "");
        help_examples(out, command->examples);
    }
}
