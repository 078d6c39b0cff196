/* report.c - `tacos report`: results as one page. */
#include "cli.h"

#include "tacos_report.h"
#include "terminal/print.h"

#include <stdio.h>

enum { PATH_SIZE = 4096 };

typedef struct ReportArgs {
    const char *out;
} ReportArgs;

static const Option table[] = {
    {"out", OPTION_TEXT, NAME_FILE, offsetof(ReportArgs, out), 0, 0, "FILE",
     "write the page to FILE, also `-o FILE` (default: DIR/report.html; for several folders: report.html)"},
    OPTION_END,
};

/* DIR/report.html for one folder, else report.html here. */
static int default_path(char *out, char *const *dirs, size_t n) {
    int used = n == 1 ? snprintf(out, PATH_SIZE, "%s/report.html", dirs[0])
                      : snprintf(out, PATH_SIZE, "report.html");
    return used > 0 && used < PATH_SIZE ? 0 : -1;
}

static int cmd_report(int argc, char **argv) {
    ReportArgs args = {0};
    char path[PATH_SIZE];
    tacos_error err = {0};
    int code = EXIT_OK;
    if (!options_read(&command_report, table, &args, argc, argv, &code))
        return code;
    size_t n = (size_t)(argc - optind);
    char *const *dirs = argv + optind;
    if (n < 1 || n > TACOS_REPORT_DIRS_MAX)
        return cli_usage("report", "expected 1 to %d folders", TACOS_REPORT_DIRS_MAX);
    if (!args.out && default_path(path, dirs, n) != 0)
        return cli_usage("report", "the path of the folder is too long");
    const char *out = args.out ? args.out : path;
    if (tacos_report_write((const char *const *)dirs, n, out, &err) != TACOS_OK)
        return cli_fail(&err);
    print("%s\n", out);
    return EXIT_OK;
}

static const Example examples[] = {
    {"tacos report results/split-mnist-20261115-101530", "a run"},
    {"tacos report results/split-mnist-* -o all.html", "several, side by side"},
    {"tacos report results/reproduce", "the paper's tables and figures, reproduced"},
    {NULL, NULL},
};

const Command command_report = {
    .name = "report",
    .group = GROUP_RESULTS,
    .run = cmd_report,
    .about = "write an HTML report of one or more runs",
    .synopsis = "DIR... [--out FILE]",
    .text =
        "DIR is a folder of `tacos run`; several are compared on one page. Or it is a folder of `tacos reproduce`: the figures and numbers of each part beside the paper's.\n\nThe page is one self-contained HTML file, to open in any browser, print or send. docs/report.md describes it.",
    .argument = NAME_FOLDER,
    .options = table,
    .examples = examples,
};
