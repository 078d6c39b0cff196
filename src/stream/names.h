/* names.h - a growing list of different names, numbered in the order in which they came. */
#ifndef STREAM_NAMES_H
#define STREAM_NAMES_H

#include "base/pack.h"
#include "base/status.h"

enum { NAME_LONGEST = 1000 }; /* bytes of a name */
enum { NO_NAME = -1 };

typedef struct Names {
    char **name;
    size_t n, room;
} Names;

void names_free(Names *names);

/* The number of a name, or NO_NAME. */
long names_find(const Names *names, const char *name);

/* Add a name, whether there is one like it or not. */
tacos_status names_add(Names *names, const char *name, tacos_error *err);

/* Only the first n remain. */
void names_keep(Names *names, size_t n);

/* How many bytes they take when packed. */
size_t names_bytes(const Names *names);

/* Writes or reads them, at most `most`; false if what is read is not such a list. */
bool names_move(Names *names, size_t most, Pack *pack);

#endif
