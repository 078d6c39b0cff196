/* folders.h - half of a data set as folders: HALF/LABEL/FILE, listed in an order that no disk
 * decides.
 *
 * If all names of folders in train/ are whole numbers, these are the classes; else the names,
 * sorted by their bytes, are classes 0, 1, ... Names that begin with a dot are passed over. Nothing
 * lies deeper, so that no link leads in a circle. */
#ifndef DATA_FOLDERS_H
#define DATA_FOLDERS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The names in a folder, sorted. */
typedef struct Names {
    char **at; /* [n] */
    size_t n, room;
} Names;

enum { NAMES_MAX = 1 << 20 };

tacos_status names_list(Names *out, const char *folder, tacos_error *err);
void names_free(Names *names);

/* The classes of a data set, from its folder train/. */
typedef struct Classes {
    Names names;
    bool numbered;
} Classes;

tacos_status classes_list(Classes *out, const char *set, tacos_error *err);
void classes_free(Classes *classes);

/* Which class a folder is. `folder` is what errors call it. */
tacos_status classes_find(const Classes *classes, const char *name, const char *folder,
                          uint16_t *label, tacos_error *err);

#endif
