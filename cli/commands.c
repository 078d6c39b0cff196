/* commands.c - the commands, in the order in which `tacos help` lists them. */
#include "cli.h"

#include <string.h>

const char commands_about[] =
    "spiking networks that learn one task after another and keep the old ones";

const Example commands_first_steps[] = {
    {"tacos run demo", "learn five tasks of built-in symbols"},
    {"tacos run demo --set model=snn", "the same without protection: see it forget"},
    {"tacos data get mnist", "obtain MNIST"},
    {"tacos run split-mnist --seeds 3", "and learn it, with three seeds"},
    {NULL, NULL},
};

const char *const command_groups[GROUP_COUNT] = {
    [GROUP_RUNS] = "make runs",
    [GROUP_LEARNER] = "use a learner",
    [GROUP_RESULTS] = "look at what came of them",
    [GROUP_MACHINE] = "data sets and speed",
    [GROUP_SELF] = "about tacos itself",
};

/* A line each, and new ones are easy to merge. */
/* clang-format off */
static const Command *const commands[] = {
    &command_run,
    &command_sweep,
    &command_reproduce,
    &command_learn,
    &command_predict,
    &command_inspect,
    &command_export,
    &command_import,
    &command_compare,
    &command_report,
    &command_plot,
    &command_data,
    &command_bench,
    &command_help,
    &command_completion,
    &command_version,
    NULL,
};
/* clang-format on */

const Command *cli_command_at(size_t i) {
    for (const Command *const *c = commands; *c; c++)
        if (i-- == 0)
            return *c;
    return NULL;
}

const Command *cli_command(const char *name) {
    const Command *command;
    for (size_t i = 0; (command = cli_command_at(i)); i++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}
