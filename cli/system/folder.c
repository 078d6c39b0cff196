/* folder.c - make, search and remove folders. Symbolic links are never followed. */
#include "system/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int folder_join(char *out, const char *folder, const char *name) {
    int n = snprintf(out, FOLDER_PATH_SIZE, "%s/%s", folder, name);
    if (n >= 0 && n < FOLDER_PATH_SIZE)
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
    char part[FOLDER_PATH_SIZE];
    if (folder_join(part, path, "") != 0) /* the '/' at the end makes the loop reach the last */
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

int folder_find(char *out, const char *folder, const char *file) {
    char path[FOLDER_PATH_SIZE];
    struct dirent *entry;
    int result = -1;
    DIR *dir = opendir(folder);
    if (!dir)
        return -1;
    while (result != 0 && (entry = readdir(dir))) {
        if (is_dots(entry->d_name) || folder_join(path, folder, entry->d_name) != 0)
            continue;
        if (is_folder(path)) {
            result = folder_find(out, path, file);
        } else if (strcmp(entry->d_name, file) == 0) {
            (void)snprintf(out, FOLDER_PATH_SIZE, "%s", folder);
            result = 0;
        }
    }
    (void)closedir(dir);
    if (result != 0)
        errno = ENOENT;
    return result;
}

int folder_remove(const char *folder) {
    char path[FOLDER_PATH_SIZE];
    struct dirent *entry;
    DIR *dir = is_folder(folder) ? opendir(folder) : NULL;
    if (!dir)
        return -1;
    while ((entry = readdir(dir))) {
        if (is_dots(entry->d_name) || folder_join(path, folder, entry->d_name) != 0)
            continue;
        (void)(is_folder(path) ? folder_remove(path) : unlink(path));
    }
    (void)closedir(dir);
    return rmdir(folder); /* fails if anything above did */
}
