/* names.h - what a word of the command line may be: the names there are, and what each is.
 *
 * Help lists them, the shells complete them, and a mistyped one is answered with the nearest; all
 * from here. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stddef.h>

typedef enum NameKind {
    NAME_ANY, /* nothing that could be listed: a number, an address */
    NAME_FILE,
    NAME_FOLDER,
    NAME_COMMAND,
    NAME_EXPERIMENT, /* built in; or a file */
    NAME_PLAN,       /* likewise */
    NAME_PART,       /* of the paper */
    NAME_FIGURE,     /* that can be plotted; or a folder */
    NAME_MODEL,
    NAME_KEY,
    NAME_SETTING, /* KEY=VALUE */
    NAME_DATASET,
    NAME_CASE, /* of the benchmark */
    NAME_TOPIC,
    NAME_SHELL,
    NAME_WHEN, /* to use colour */
    NAME_LIST, /* what help can list */
} NameKind;

typedef struct Name {
    char name[64];
    char about[320]; /* "" where the name says it */
} Name;

/* The i-th of a kind; 0 past the end, else 1. */
int name_get(NameKind kind, size_t i, Name *out);

/* Is it one of them? Then *out is the whole of it. */
int name_find(NameKind kind, const char *name, Name *out);

/* The one most like a word, if any is near: 1 and *out, else 0. */
int name_nearest(NameKind kind, const char *word, Name *out);

/* May it be a file as well? */
int name_is_file(NameKind kind);

/* Length of the longest name. */
int name_widest(NameKind kind);

#endif
