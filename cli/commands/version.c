/* version.c - `tacos version`. */
#include "cli.h"

#include "terminal/print.h"

#include <stdio.h>

static int cmd_version(int argc, char **argv) {
    int code = EXIT_OK;
    if (!options_read(&command_version, NULL, NULL, argc, argv, &code))
        return code;
    if (optind < argc)
        return cli_usage("version", "version takes no arguments");
    print("tacos %s\n", tacos_version());
    return EXIT_OK;
}

const Command command_version = {
    .name = "version",
    .group = GROUP_SELF,
    .run = cmd_version,
    .about = "print the version",
    .synopsis = "",
    .text = "Prints the name and the version of the program, as `tacos --version` does.",
};
