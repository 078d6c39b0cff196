/* help.h - the text of `tacos help` and of the manual pages. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "cli.h"
#include "tacos_lab.h"
#include "tacos_stream.h"

#include <stdio.h>

/* ---- commands ---- */

void help_command(FILE *out, const Command *command);

/* "--jobs N" into out. Returns out. */
enum { OPTION_USAGE_SIZE = 64 };
char *help_option_usage(char out[OPTION_USAGE_SIZE], const Option *option);

/* All names of a kind, one per line, with their descriptions. */
void help_names(FILE *out, NameKind kind);

/* A row of a list: a name, padded to `width` columns, and its description. A longer name gets a
 * line of its own. */
void help_row(FILE *out, const char *word, int width, const char *about);

/* A row for each example. */
void help_examples(FILE *out, const Example *examples);

/* ---- keys ---- */

enum { KEY_TEXT_SIZE = 256 };

/* Each writes into out and returns it. */
char *key_default(char out[KEY_TEXT_SIZE], const tacos_key_info *key); /* "50 ms" */
char *key_range(char out[KEY_TEXT_SIZE], const tacos_key_info *key);   /* "1 to 1000 ms" */
char *key_example(char out[KEY_TEXT_SIZE], const tacos_key_info *key); /* "m_max=12.5" */

/* "a whole number" */
const char *key_type(const tacos_key_info *key);

/* Whose key it is. */
const char *key_owner(const tacos_key_info *key);

/* ---- keys of classifiers ---- */

/* "tacos learn m --new --set labels_max=20 <train.csv", into out. Returns out. */
enum { STREAM_EXAMPLE_SIZE = 160 };
char *stream_key_example(char out[STREAM_EXAMPLE_SIZE], const tacos_classifier_key_info *key);

/* ---- examples ---- */

enum { EXAMPLE_SIZE = 512 };

/* Each writes "tacos run demo --set ..." into out and returns it. */
char *key_example_line(char out[EXAMPLE_SIZE], const tacos_key_info *key);
char *model_example_line(char out[EXAMPLE_SIZE], const char *model);

/* ---- manual pages ---- */

/* Print the names of all pages, "tacos-run.1". */
void man_list(void);

/* Print a page for man(1). 0 if there is none of this name. */
int man_print(const char *page);

#endif
