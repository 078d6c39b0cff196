/* names.h - the values that arguments and options accept by name, with descriptions.
 *
 * Help lists them, shells complete them, and typos are matched against them. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stddef.h>

typedef enum NameKind {
    NAME_ANY, /* not listed: a number, an address */
    NAME_FILE,
    NAME_FOLDER,
    NAME_COMMAND,
    NAME_EXPERIMENT, /* built in; or a file */
    NAME_PLAN,       /* likewise */
    NAME_PART,       /* of the paper */
    NAME_FIGURE,     /* that can be plotted; or a folder */
    NAME_MODEL,
    NAME_KEY,
    NAME_SETTING,        /* KEY=VALUE */
    NAME_PRESET,         /* of classifiers */
    NAME_STREAM_KEY,     /* that classifiers have and learners have not */
    NAME_STREAM_SETTING, /* KEY=VALUE of either */
    NAME_YES_NO,
    NAME_DATASET,
    NAME_CASE, /* of the benchmark */
    NAME_TOPIC,
    NAME_SHELL,
    NAME_WHEN,   /* to use colour */
    NAME_DEVICE, /* that makes runs */
    NAME_LIST,   /* what help can list */
    NAME_KINDS,
} NameKind;

typedef struct Name {
    char name[64];
    char about[320]; /* "" if the name says it all */
} Name;

/* The i-th of a kind; 0 past the end, else 1. */
int name_get(NameKind kind, size_t i, Name *out);

/* Is it one of them? Then *out is the whole of it. */
int name_find(NameKind kind, const char *name, Name *out);

/* The nearest to a mistyped name: 1 and *out, or 0 if none is near. */
int name_nearest(NameKind kind, const char *word, Name *out);

/* May it be a file as well? */
int name_is_file(NameKind kind);

/* Length of the longest name. */
int name_widest(NameKind kind);

#endif
