/* names.h - what a word of the command line may be: the names there are, and what each is.
 *
 * Help lists them, the shells complete them, and a mistyped one is answered with the nearest; all
 * from here. */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

#include <stddef.h>

typedef enum WordKind {
    WORD_ANY, /* nothing that could be listed: a number, an address */
    WORD_FILE,
    WORD_FOLDER,
    WORD_COMMAND,
    WORD_EXPERIMENT, /* built in; or a file */
    WORD_PLAN,       /* likewise */
    WORD_PART,       /* of the paper */
    WORD_FIGURE,     /* that can be plotted; or a folder */
    WORD_MODEL,
    WORD_KEY,
    WORD_SETTING, /* KEY=VALUE */
    WORD_DATASET,
    WORD_CASE, /* of the benchmark */
    WORD_TOPIC,
    WORD_SHELL,
    WORD_WHEN, /* to use colour */
    WORD_LIST, /* what help can list */
} WordKind;

typedef struct Word {
    char name[64];
    char about[320]; /* "" where the name says it */
} Word;

/* The i-th of a kind; 0 past the end, else 1. */
int word_get(WordKind kind, size_t i, Word *out);

/* Is it one of them? Then *out is the whole of it. */
int word_find(WordKind kind, const char *name, Word *out);

/* The one most like a word, if any is near: 1 and *out, else 0. */
int word_nearest(WordKind kind, const char *word, Word *out);

/* May it be a file as well? */
int word_is_file(WordKind kind);

/* Length of the longest name. */
int word_widest(WordKind kind);

#endif
