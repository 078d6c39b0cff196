/* folders.c - names, sorted, and what they stand for. */
#include "data/folders.h"

#include "base/array.h"
#include "base/output.h"
#include "data/dataset.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

void names_free(Names *names) {
    for (size_t i = 0; i < names->n; i++)
        free(names->at[i]);
    free(names->at);
    *names = (Names){0};
}

/* ---- names ---- */

static tacos_status add_name(Names *names, const char *name, const char *folder, tacos_error *err) {
    if (names->n == NAMES_MAX)
        return failure(err, TACOS_FORMAT, "%.300s has more than the %d names that can be right",
                       folder, NAMES_MAX);
    char *copy =
        array_grow(&names->at, &names->room, names->n + 1, sizeof *names->at) ? strdup(name) : NULL;
    if (!copy)
        return failure(err, TACOS_MEMORY, "no memory to list %.300s", folder);
    names->at[names->n++] = copy;
    return TACOS_OK;
}

static tacos_status add_names(Names *names, DIR *dir, const char *folder, tacos_error *err) {
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(dir);
        if (!entry)
            return errno == 0 ? TACOS_OK : failure_errno(err, "cannot list %.300s", folder);
        if (entry->d_name[0] != '.')
            TRY(add_name(names, entry->d_name, folder, err));
    }
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

tacos_status names_list(Names *out, const char *folder, tacos_error *err) {
    DIR *dir = opendir(folder);
    *out = (Names){0};
    if (!dir)
        return failure_errno(err, "cannot list %.300s", folder);
    tacos_status status = add_names(out, dir, folder, err);
    (void)closedir(dir);
    if (status == TACOS_OK && out->n == 0)
        status = failure(err, TACOS_FORMAT, "%.300s is empty", folder);
    if (status != TACOS_OK)
        names_free(out);
    else
        qsort(out->at, out->n, sizeof *out->at, compare_names);
    return status;
}

/* ---- classes ---- */

/* A whole number below CLASSES_MAX, or -1. */
static int class_number(const char *name) {
    size_t n = strspn(name, "0123456789");
    long number = n > 0 && n < 8 && name[n] == '\0' ? strtol(name, NULL, 10) : -1;
    return number < CLASSES_MAX ? (int)number : -1;
}

static bool all_numbers(const Names *names) {
    for (size_t i = 0; i < names->n; i++)
        if (class_number(names->at[i]) < 0)
            return false;
    return true;
}

/* 1 and 01 would be one class. */
static tacos_status check_numbers(const Names *names, const char *folder, tacos_error *err) {
    const char *taken[CLASSES_MAX] = {NULL};
    for (size_t i = 0; i < names->n; i++) {
        const char **place = &taken[class_number(names->at[i])];
        if (*place)
            return failure(err, TACOS_FORMAT, "%.300s: %s and %s are the same class", folder,
                           *place, names->at[i]);
        *place = names->at[i];
    }
    return TACOS_OK;
}

tacos_status classes_list(Classes *out, const char *set, tacos_error *err) {
    char folder[OUTPUT_PATH_MAX];
    tacos_status status = TACOS_OK;
    *out = (Classes){0};
    TRY(path_join(folder, set, "train", "", err));
    TRY(names_list(&out->names, folder, err));
    out->numbered = all_numbers(&out->names);
    if (out->numbered)
        status = check_numbers(&out->names, folder, err);
    else if (out->names.n > CLASSES_MAX)
        status = failure(err, TACOS_FORMAT, "%.300s has %zu classes; there may be %d", folder,
                         out->names.n, CLASSES_MAX);
    if (status != TACOS_OK)
        classes_free(out);
    return status;
}

void classes_free(Classes *classes) {
    names_free(&classes->names);
}

tacos_status classes_find(const Classes *classes, const char *name, const char *folder,
                          uint16_t *label, tacos_error *err) {
    const Names *names = &classes->names;
    if (classes->numbered) {
        int number = class_number(name);
        if (number < 0)
            return failure(err, TACOS_FORMAT,
                           "%.300s: the classes in train are numbers from 0 to %d, this is none",
                           folder, CLASSES_MAX - 1);
        *label = (uint16_t)number;
        return TACOS_OK;
    }
    char *const *found = bsearch(&name, names->at, names->n, sizeof *names->at, compare_names);
    if (!found)
        return failure(err, TACOS_FORMAT, "%.300s: there is no such class in train", folder);
    *label = (uint16_t)(found - names->at);
    return TACOS_OK;
}
