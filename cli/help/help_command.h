/* help_command.h - what `tacos help COMMAND` and `tacos COMMAND --help` print. */
#ifndef CLI_HELP_COMMAND_H
#define CLI_HELP_COMMAND_H

#include "cli.h"

#include <stdio.h>

void help_command(FILE *out, const Command *command);

/* "--jobs N" into out. Returns out. */
enum { OPTION_USAGE_SIZE = 64 };
char *help_option_usage(char out[OPTION_USAGE_SIZE], const Option *option);

/* All words of a kind, one a line with what it is. */
void help_words(FILE *out, WordKind kind);

/* A line of a list: a word, padded to so many columns, and what it is. A longer word has a line of
 * its own. */
void help_row(FILE *out, const char *word, int width, const char *about);

/* The same for all of them. */
void help_examples(FILE *out, const Example *examples);

#endif
