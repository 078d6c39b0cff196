/* folder.c - which files in a folder are ours, and which of them are rests. */
#include "plan/folder.h"

#include "store/store.h"

#include <ctype.h>
#include <dirent.h>
#include <string.h>
#include <unistd.h>

/* Names of the files that appear in it, of which some have a seed, '#'. */
static const char *const written[] = {"results.json", "accuracy.csv", "report.html",
                                      "model-#.tacos", "run-#.checkpoint"};
enum { N_WRITTEN = sizeof written / sizeof *written };

static bool is_like(const char *name, size_t n, const char *pattern) {
    const char *end = name + n;
    for (; *pattern && name < end; pattern++) {
        if (*pattern == '#' && isdigit((unsigned char)*name))
            while (name < end && isdigit((unsigned char)*name))
                name++;
        else if (*name++ != *pattern)
            return false;
    }
    return !*pattern && name == end;
}

static bool is_temporary(const char *name) {
    size_t n = output_temporary_stem(name);
    for (size_t k = 0; n > 0 && k < N_WRITTEN; k++)
        if (is_like(name, n, written[k]))
            return true;
    return false;
}

/* The store counts too: those who open it see whether there is anything in it. */
static bool is_of_store(const char *name) {
    size_t n = sizeof FOLDER_STORE - 1;
    if (strncmp(name, FOLDER_STORE, n) != 0)
        return false;
    for (size_t k = 0; store_file_endings[k]; k++)
        if (strcmp(name + n, store_file_endings[k]) == 0)
            return true;
    return strcmp(name + n, "-lock") == 0;
}

void folder_forget_checkpoint(const char *folder, uint32_t seed) {
    char path[OUTPUT_PATH_MAX];
    folder_checkpoint(folder, seed, path);
    (void)unlink(path);
}

static bool is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

FolderState folder_look(const char *folder) {
    FolderState state = FOLDER_UNFILLED;
    DIR *dir = opendir(folder);
    if (!dir)
        return FOLDER_ABSENT;
    for (struct dirent *entry; state == FOLDER_UNFILLED && (entry = readdir(dir));)
        if (!is_dots(entry->d_name) && !is_of_store(entry->d_name) && !is_temporary(entry->d_name))
            state = FOLDER_FILLED;
    (void)closedir(dir);
    return state;
}

void folder_clean(const char *folder) {
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char path[OUTPUT_PATH_MAX];
        int n = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (is_temporary(entry->d_name) && n > 0 && (size_t)n < sizeof path)
            output_remove_stale(path);
    }
    if (dir)
        (void)closedir(dir);
}
