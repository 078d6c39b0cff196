/* builtin.h - .conf files built into the program, and the names of users' files. */
#ifndef LAB_BUILTIN_H
#define LAB_BUILTIN_H

#include "base/status.h"
#include "tacos_lab.h"

#include <stdbool.h>

/* The files of experiments/, embedded in the program. */
typedef struct EmbeddedFile {
    const char *name; /* "split-mnist.conf", "plans/trade-off.conf"; NULL ends the table */
    const char *text;
} EmbeddedFile;

extern const EmbeddedFile embedded_files[];

/* A kind of file: its folder, and its name in error messages. */
typedef struct Builtins {
    const char *folder; /* "plans/", or "" for the top */
    const char *what;   /* "plan" */
} Builtins;

/* The i-th file of a kind; false past the end. */
bool builtin_get(const Builtins *kind, size_t i, tacos_experiment_info *out);

/* The text of a file by name, without .conf; NULL if there is none. */
const char *builtin_find(const Builtins *kind, const char *name);

/* Fails with "no plan 'x'" and the nearest name, or all names. */
tacos_status builtin_fail(const Builtins *kind, const char *name, tacos_error *err);

/* Is this a path rather than a built-in name? */
bool builtin_is_path(const char *name_or_path);

/* "dir/my-run.conf" is named my-run. */
enum { BUILTIN_NAME_SIZE = 128 };
tacos_status builtin_name(const Builtins *kind, const char *path, char out[BUILTIN_NAME_SIZE],
                          tacos_error *err);

#endif
