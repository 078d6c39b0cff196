/* folder.h - a folder of its own for every test, gone afterwards with all that is in it. */
#ifndef TESTS_FOLDER_H
#define TESTS_FOLDER_H

#include "check.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Folder {
    char path[64];
    char file[96]; /* a place for one file */
} Folder;

static inline int folder_make(void **state) {
    Folder *folder = calloc(1, sizeof *folder);
    if (!folder)
        return -1;
    strcpy(folder->path, "/tmp/tacos-test-XXXXXX");
    if (!mkdtemp(folder->path))
        return -1;
    (void)snprintf(folder->file, sizeof folder->file, "%s/file", folder->path);
    *state = folder;
    return 0;
}

static inline void remove_all(const char *path) {
    char inner[1024];
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        int n = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (n > 0 && (size_t)n < sizeof inner)
            remove_all(inner);
    }
    if (dir)
        (void)closedir(dir);
    (void)remove(path);
}

static inline int folder_remove(void **state) {
    Folder *folder = *state;
    remove_all(folder->path);
    free(folder);
    return 0;
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, folder_make, folder_remove)

/* How many things are in a folder. */
static inline size_t folder_count(const char *path) {
    size_t n = 0;
    DIR *dir = opendir(path);
    while (dir && readdir(dir))
        n++;
    if (dir)
        (void)closedir(dir);
    return n > 2 ? n - 2 : 0;
}

static inline int exists(const char *path) {
    struct stat info;
    return lstat(path, &info) == 0;
}

static inline void write_bytes(const char *path, const void *bytes, size_t n) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* The whole file, terminated; free it. */
static inline char *read_bytes(const char *path, size_t *n) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    *n = (size_t)info.st_size;
    char *bytes = calloc(1, *n + 1);
    FILE *file = fopen(path, "rb");
    assert_non_null(bytes);
    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, *n, file), *n);
    (void)fclose(file);
    return bytes;
}

#endif
