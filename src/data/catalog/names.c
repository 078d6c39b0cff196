/* names.c - the names of classes, without reading the data set. */
#include "data/catalog/catalog.h"

#include "base/array.h"
#include "base/bytes.h"
#include "data/formats/formats.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { NAMES_TEXT_MAX = 1 << 20 };

/* ---- classes.txt: a name per line ---- */

static tacos_status check_name(const ClassNames *names, const char *name, const char *path,
                               tacos_error *err) {
    if (!*name || strchr(name, '"'))
        return failure(err, TACOS_FORMAT, "%.300s:%zu: a name is not empty and has no double quote",
                       path, names->n + 1);
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->at[i], name) == 0)
            return failure(err, TACOS_FORMAT,
                           "%.300s:%zu: '%.60s' is already the name of class %zu", path,
                           names->n + 1, name, i);
    if (names->n == CLASSES_MAX)
        return failure(err, TACOS_FORMAT, "%.300s: there are more than %d names", path,
                       CLASSES_MAX);
    return TACOS_OK;
}

static tacos_status add_name(ClassNames *names, size_t *room, char *name, const char *path,
                             tacos_error *err) {
    name += strspn(name, " \t");
    for (size_t n = strlen(name); n > 0 && strchr(" \t\r", name[n - 1]);)
        name[--n] = '\0';
    TRY(check_name(names, name, path, err));
    char *copy =
        array_grow(&names->at, room, names->n + 1, sizeof *names->at) ? strdup(name) : NULL;
    if (!copy)
        return failure(err, TACOS_MEMORY, "no memory to read %.300s", path);
    names->at[names->n++] = copy;
    return TACOS_OK;
}

static tacos_status read_names(ClassNames *out, const char *path, tacos_error *err) {
    char *text = NULL, *rest = NULL;
    size_t room = 0;
    tacos_status status = TACOS_OK;
    TRY(file_check(path, err));
    TRY(input_read_text(path, NAMES_TEXT_MAX, &text, err));
    for (char *line = text; status == TACOS_OK && line && *line; line = rest) {
        rest = strchr(line, '\n');
        if (rest)
            *rest++ = '\0';
        status = add_name(out, &room, line, path, err);
    }
    free(text);
    if (status != TACOS_OK)
        class_names_free(out);
    return status;
}

/* ---- by folder, by name ---- */

tacos_status folder_class_names(ClassNames *out, const char *folder, bool of_samples,
                                tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    struct stat info;
    *out = (ClassNames){0};
    if (of_samples)
        TRY(image_folder_names(out, folder, err));
    if (out->n > 0)
        return TACOS_OK;
    TRY(path_join(path, folder, "classes.txt", "", err));
    return lstat(path, &info) == 0 ? read_names(out, path, err) : TACOS_OK;
}

tacos_status dataset_names(ClassNames *out, const char *name, const char *dir, tacos_error *err) {
    char base[OUTPUT_PATH_MAX], folder[OUTPUT_PATH_MAX];
    const CatalogSet *set = NULL;
    *out = (ClassNames){0};
    if (catalog_find(catalog_builtin(), name, &set, NULL) == TACOS_OK)
        return TACOS_OK;
    TRY(tacos_data_dir(dir, base, sizeof base, err));
    TRY(path_join(folder, base, name, "", err));
    return folder_class_names(out, folder, user_dataset_is_folders(folder), err);
}

/* ---- interface ---- */

struct tacos_class_names {
    ClassNames names;
};

tacos_status tacos_class_names_open(tacos_class_names **out, const char *dataset, const char *dir,
                                    tacos_error *err) {
    tacos_class_names *names = calloc(1, sizeof *names);
    *out = NULL;
    if (!names)
        return failure(err, TACOS_MEMORY, "no memory for the names of classes");
    tacos_status status = dataset_names(&names->names, dataset, dir, err);
    if (status == TACOS_OK)
        *out = names;
    else
        free(names);
    return status;
}

const char *tacos_class_names_get(const tacos_class_names *names, size_t i) {
    return i < names->names.n ? names->names.at[i] : NULL;
}

void tacos_class_names_free(tacos_class_names *names) {
    if (names)
        class_names_free(&names->names);
    free(names);
}
