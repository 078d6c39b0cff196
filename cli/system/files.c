/* files.c - paths, folders, and files that are written atomically. Symbolic links are never
 * followed. */
#include "system/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int refuse(char why[WHY_SIZE], const char *format, ...) {
    va_list args;
    va_start(args, format);
    (void)vsnprintf(why, WHY_SIZE, format, args);
    va_end(args);
    return -1;
}

int folder_path(char *out, const char *folder, const char *name) {
    int n = snprintf(out, PATH_SIZE, "%s/%s", folder, name);
    if (n >= 0 && n < PATH_SIZE)
        return 0;
    errno = ENAMETOOLONG;
    return -1;
}

static bool is_folder(const char *path) {
    struct stat info;
    if (lstat(path, &info) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(info.st_mode);
}

int folder_make(const char *path) {
    struct stat info;
    char part[PATH_SIZE];
    if (folder_path(part, path, "") != 0) /* the '/' at the end makes the loop reach the last */
        return -1;
    for (char *p = strchr(part + 1, '/'); p; p = strchr(p + 1, '/')) {
        *p = '\0';
        if (stat(part, &info) != 0 && mkdir(part, 0777) != 0 && errno != EEXIST)
            return -1;
        *p = '/';
    }
    return 0;
}

static bool is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

int folder_is_empty(const char *folder) {
    const struct dirent *entry;
    int empty = 1;
    DIR *dir = opendir(folder);
    while (dir && empty && (entry = readdir(dir)))
        empty = is_dots(entry->d_name);
    if (dir)
        (void)closedir(dir);
    return empty;
}

int folder_find(char *out, const char *folder, const char *file) {
    char path[PATH_SIZE];
    struct dirent *entry;
    int result = -1;
    DIR *dir = opendir(folder);
    if (!dir)
        return -1;
    while (result != 0 && (entry = readdir(dir))) {
        if (is_dots(entry->d_name) || folder_path(path, folder, entry->d_name) != 0)
            continue;
        if (is_folder(path)) {
            result = folder_find(out, path, file);
        } else if (strcmp(entry->d_name, file) == 0) {
            (void)snprintf(out, PATH_SIZE, "%s", folder);
            result = 0;
        }
    }
    (void)closedir(dir);
    if (result != 0)
        errno = ENOENT;
    return result;
}

int folder_remove(const char *folder) {
    char path[PATH_SIZE];
    struct dirent *entry;
    DIR *dir = is_folder(folder) ? opendir(folder) : NULL;
    if (!dir)
        return -1;
    while ((entry = readdir(dir))) {
        if (is_dots(entry->d_name) || folder_path(path, folder, entry->d_name) != 0)
            continue;
        (void)(is_folder(path) ? folder_remove(path) : unlink(path));
    }
    (void)closedir(dir);
    return rmdir(folder); /* fails if anything above did */
}

tacos_status whole_file_no_memory(const char *path, tacos_error *err) {
    err->status = TACOS_MEMORY;
    (void)snprintf(err->text, sizeof err->text, "no memory to write %s", path);
    return TACOS_MEMORY;
}

tacos_status whole_file_open(WholeFile *file, const char *path, tacos_error *err) {
    *file = (WholeFile){0};
    file->out = open_memstream(&file->bytes, &file->n);
    return file->out ? TACOS_OK : whole_file_no_memory(path, err);
}

tacos_status whole_file_close(WholeFile *file, const char *path, tacos_error *err) {
    int bad = ferror(file->out);
    bad |= fclose(file->out);
    tacos_status status =
        bad ? whole_file_no_memory(path, err) : tacos_file_write(path, file->bytes, file->n, err);
    free(file->bytes);
    return status;
}

tacos_status whole_file_copy(FILE *from, const char *path, tacos_error *err) {
    char buffer[4096];
    WholeFile file;
    size_t n;
    tacos_status status = whole_file_open(&file, path, err);
    if (status != TACOS_OK)
        return status;
    rewind(from);
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0)
        (void)fwrite(buffer, 1, n, file.out);
    return whole_file_close(&file, path, err);
}

FILE *nameless_file(const char *text) {
    FILE *file = tmpfile();
    if (file && fputs(text, file) >= 0 && fflush(file) == 0 && fseek(file, 0, SEEK_SET) == 0)
        return file;
    if (file)
        (void)fclose(file);
    return NULL;
}
