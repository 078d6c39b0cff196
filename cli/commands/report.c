/* report.c - `tacos report`: results as one HTML page. */
#include "cli.h"

#include "system/files.h"
#include "tacos_report.h"
#include "terminal/print.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

typedef struct ReportArgs {
    const char *out, *baseline;
} ReportArgs;

static const Option table[] = {
    TEXT_OPTION(
        "out", "FILE", NAME_FILE, offsetof(ReportArgs, out),
        "write the page to FILE, also `-o FILE` (default: DIR/report.html; for several folders: "
        "report.html)"),
    TEXT_OPTION("baseline", "DIR", NAME_FOLDER, offsetof(ReportArgs, baseline),
                "a run of another model on the same stream of samples, with which the first "
                "sentence of a single run's page compares it"),
    OPTION_END,
};

static int cmd_report(int argc, char **argv) {
    ReportArgs args = {0};
    char path[PATH_SIZE];
    tacos_error err = {0};
    int code = EXIT_OK;
    if (!options_read(&command_report, table, &args, argc, argv, &code))
        return code;
    size_t n = (size_t)(argc - optind);
    char *const *dirs = argv + optind;
    if (args.baseline && n > 1)
        return cli_usage("report", "--baseline is for one folder; several are compared with each "
                                   "other");
    if (!args.out && n == 1 && folder_path(path, dirs[0], "report.html") != 0)
        return cli_usage("report", "%s: %s", dirs[0], strerror(errno));
    if (!args.out)
        args.out = n == 1 ? path : "report.html";
    tacos_report_options options = {
        .dirs = (const char *const *)dirs, .n_dirs = n, .baseline = args.baseline};
    if (tacos_report_write_with(&options, args.out, &err) != TACOS_OK)
        return cli_fail(&err);
    print("%s\n", args.out);
    return EXIT_OK;
}

static const Example examples[] = {
    {"tacos report results/split-mnist-20261115-101530", "a run"},
    {"tacos report results/split-mnist-20261115-101530 --baseline "
     "results/split-mnist-20261115-111530",
     "the same, compared with the plain network in its first sentence"},
    {"tacos report results/split-mnist-* -o all.html", "several, side by side"},
    {"tacos report results/reproduce", "the paper's tables and figures, reproduced"},
    {NULL, NULL},
};

const Command command_report = {
    .name = "report",
    .group = GROUP_RESULTS,
    .run = cmd_report,
    .about = "write an HTML report of one or more runs",
    .arguments = {1, TACOS_REPORT_DIRS_MAX, "1 to 32 folders"},
    .synopsis = "DIR [--baseline DIR] [--out FILE]\n"
                "DIR DIR... [--out FILE]",
    .text =
        "DIR is a folder of `tacos run`; several are compared on one page. Or it is a folder of "
        "`tacos reproduce`: the figures and numbers of each part beside the paper's. Or it has the "
        "evaluation of a stream, stream.json (docs/streams.md).\n\n"
        "The page is one self-contained HTML file, to open in any browser, print or send. "
        "docs/report.md describes it.",
    .argument = NAME_FOLDER,
    .options = table,
    .examples = examples,
};
