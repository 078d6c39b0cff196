/* options.h - what is wrong with an option. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <getopt.h>

/* Say what getopt_long (with opterr 0 and ':' in front) did not like; `kind` is what it returned.
 * Returns EXIT_USAGE. */
int options_fail(const char *command, const struct option *known, int kind, char **argv);

/* A whole number from min to max, and nothing else: 0, or -1. */
int options_whole(const char *text, unsigned long min, unsigned long max, unsigned long *out);

#endif
