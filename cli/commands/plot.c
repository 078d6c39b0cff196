/* plot.c - `tacos plot`: a figure for print, as SVG or, through rsvg-convert, as PDF or PNG. */
#include "cli.h"

#include "help/help.h"
#include "system/files.h"
#include "system/process.h"
#include "tacos_report.h"
#include "terminal/print.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const Option table[] = {
    TEXT_OPTION(
        "out", "FILE", NAME_FILE, 0,
        "write the figure to FILE, also `-o FILE`: .svg, .pdf or .png, or .csv for its numbers "
        "(default: SVG to standard output)"),
    OPTION_END,
};

/* ---- the list ---- */

/* What a figure shows of the folders of a list. */
typedef const char *About(const tacos_figure_info *info);

static const char *of_run(const tacos_figure_info *info) {
    return info->of_run;
}

static const char *of_runs(const tacos_figure_info *info) {
    return info->of_runs;
}

static const char *of_reproduction(const tacos_figure_info *info) {
    return info->of_reproduction;
}

static void print_list(const char *head, About *of) {
    tacos_figure_info info;
    print("%s\n", head);
    for (size_t i = 0; tacos_figure(i, &info); i++) {
        const char *about = of(&info);
        if (about)
            help_row(stdout, info.name, name_widest(NAME_FIGURE), about);
    }
}

static int print_figures(void) {
    print_list("from a folder of `tacos run`:", of_run);
    putchar('\n');
    print_list("from several folders of `tacos run`, in one picture:", of_runs);
    putchar('\n');
    print_list("from a folder of `tacos reproduce`:", of_reproduction);
    return EXIT_OK;
}

/* ---- kinds of files ---- */

typedef struct FileKind {
    const char *ending;
    int csv;
    const char *converted;  /* rsvg-convert's name of it; NULL: we write it */
    const char *background; /* of what it converts */
} FileKind;

static const FileKind file_kinds[] = {{".svg", 0, NULL, NULL},
                                      {".csv", 1, NULL, NULL},
                                      {".pdf", 0, "pdf", "none"},
                                      {".png", 0, "png", "white"}};

static const FileKind *file_kind(const char *path) {
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof file_kinds / sizeof *file_kinds; i++)
        if (n > 4 && strcmp(path + n - 4, file_kinds[i].ending) == 0)
            return &file_kinds[i];
    return NULL;
}

/* What is to be drawn. */
typedef struct Subject {
    const char *figure;
    const char *const *dirs; /* [n] */
    size_t n;
} Subject;

static tacos_status draw(const Subject *subject, char **out, tacos_error *err) {
    return tacos_figure_draw_several(subject->figure, subject->dirs, subject->n, 0, out, err);
}

/* ---- converting ---- */

static int convert(int svg, int made, const FileKind *kind) {
    /* A point is a point in a PDF; in a PNG 600 of them make an inch. */
    const char *const argv[] = {
        "rsvg-convert", "--format", kind->converted,      "--dpi-x",        "600",
        "--dpi-y",      "600",      "--background-color", kind->background, NULL};
    Interrupt guard;
    interrupt_begin(&guard);
    ChildResult result = child_filter(argv, svg, made);
    interrupt_end(&guard);
    if (result == CHILD_ABSENT)
        cli_error(
            "PDF and PNG need rsvg-convert, which is not installed (Debian: librsvg2-bin); SVG "
            "needs nothing");
    else if (result == CHILD_FAILED)
        cli_error("rsvg-convert failed");
    return result == CHILD_OK ? EXIT_OK : EXIT_FAILED;
}

/* Through two files that have no name, so that nothing is left of them whatever happens. */
static int write_converted(const Subject *subject, const char *out, const FileKind *kind) {
    char *text;
    tacos_error err = {0};
    if (draw(subject, &text, &err) != TACOS_OK)
        return cli_fail(&err);
    FILE *svg = nameless_file(text), *made = nameless_file("");
    int code = EXIT_FAILED;
    if (!svg || !made)
        cli_error("cannot write a temporary file: %s", strerror(errno));
    else
        code = convert(fileno(svg), fileno(made), kind);
    if (code == EXIT_OK && whole_file_copy(made, out, &err) != TACOS_OK)
        code = cli_fail(&err);
    if (svg)
        (void)fclose(svg);
    if (made)
        (void)fclose(made);
    tacos_figure_free(text);
    return code;
}

/* ---- writing ---- */

static int print_figure(const Subject *subject) {
    char *text;
    tacos_error err = {0};
    if (draw(subject, &text, &err) != TACOS_OK)
        return cli_fail(&err);
    print_data(text, strlen(text));
    tacos_figure_free(text);
    return EXIT_OK;
}

static int write_figure(const Subject *subject, const char *out) {
    const FileKind *kind = file_kind(out);
    tacos_error err = {0};
    if (!kind)
        return cli_usage("plot", "%s does not end with .svg, .pdf, .png or .csv", out);
    if (kind->converted) {
        int code = write_converted(subject, out, kind);
        if (code != EXIT_OK)
            return code;
    } else if (tacos_figure_write_several(subject->figure, subject->dirs, subject->n, kind->csv,
                                          out, &err) != TACOS_OK) {
        return cli_fail(&err);
    }
    print("%s\n", out);
    return EXIT_OK;
}

static int cmd_plot(int argc, char **argv) {
    const char *out = NULL;
    int code = EXIT_OK;
    if (!options_read(&command_plot, table, &out, argc, argv, &code))
        return code;
    char *const *words = argv + optind;
    int n = argc - optind;
    if (n == 0 && !out)
        return print_figures();
    if (n < 2)
        return cli_usage("plot", "expected a figure and a folder; `tacos plot` lists the figures");
    Subject subject = {words[0], (const char *const *)words + 1, (size_t)n - 1};
    return out ? write_figure(&subject, out) : print_figure(&subject);
}

static const Example examples[] = {
    {"tacos plot", "list the figures"},
    {"tacos plot accuracy results/split-mnist-20261115-101530 -o accuracy.pdf",
     "a figure of a run"},
    {"tacos plot means results/split-mnist-* -o means.pdf", "two models in one picture"},
    {"tacos plot headline results/reproduce -o table1.svg", "a reproduced table of the paper"},
    {"tacos plot memory docs/columns.csv -o docs/beyond.svg", "accuracy by memory, from a table"},
    {NULL, NULL},
};

const Command command_plot = {
    .name = "plot",
    .group = GROUP_RESULTS,
    .run = cmd_plot,
    .about = "draw a figure for print",
    .synopsis = "FIGURE DIR... [--out FILE]",
    .text =
        "DIR is a folder of `tacos run` or of `tacos reproduce`; several of `tacos run` are drawn "
        "in one picture. The figure `memory` is also drawn from the table columns.csv that `tacos "
        "reproduce columns` writes, without the runs. Figures are as wide as a column "
        "or a page of a paper, use 7.5-point type, and have colours that everyone can tell apart. "
        "Without arguments, lists the figures and what each is made from.\n\n"
        "PDF and PNG need rsvg-convert (Debian: librsvg2-bin).",
    .argument = NAME_FIGURE,
    .argument_title = "figures",
    .options = table,
    .examples = examples,
};
