/* output.c - atomic replacement: write beside, flush, rename. */
#include "base/posix.h"

#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

tacos_status output_open(Output *output, const char *path, tacos_error *err) {
    int n =
        snprintf(output->temporary, sizeof output->temporary, "%s.tmp-%ld", path, (long)getpid());
    if (n < 0 || (size_t)n >= sizeof output->temporary)
        return failure(err, TACOS_INVALID, "the path %.100s... is too long", path);
    strcpy(output->path, path);
    output->file = fopen(output->temporary, "wbe");
    if (!output->file)
        return failure_errno(err, "cannot write %s", path);
    return TACOS_OK;
}

/* Best effort: some file systems cannot flush a folder, and the file itself is safe. */
static void flush_folder(const char *path) {
    char copy[OUTPUT_PATH_MAX];
    strcpy(copy, path);
    int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return;
    (void)fsync(folder);
    (void)close(folder);
}

tacos_status output_commit(Output *output, tacos_error *err) {
    FILE *file = output->file;
    int bad = ferror(file) || fflush(file) != 0 || fsync(fileno(file)) != 0;
    int reason = errno;
    output->file = NULL;
    if (fclose(file) != 0 && !bad) {
        bad = 1;
        reason = errno;
    }
    if (!bad && rename(output->temporary, output->path) != 0) {
        bad = 1;
        reason = errno;
    }
    if (bad) {
        (void)unlink(output->temporary);
        errno = reason;
        return failure_errno(err, "cannot write %s", output->path);
    }
    flush_folder(output->path);
    return TACOS_OK;
}

void output_abandon(Output *output) {
    if (!output->file)
        return;
    (void)fclose(output->file);
    (void)unlink(output->temporary);
    output->file = NULL;
}

tacos_status output_make_folder(const char *path, tacos_error *err) {
    char part[OUTPUT_PATH_MAX];
    struct stat info;
    if (path[0] == '\0' || strlen(path) >= sizeof part)
        return failure(err, TACOS_INVALID, "'%.100s' is no path for a folder", path);
    strcpy(part, path);
    for (char *end = part + 1;; end++) {
        if (*end && *end != '/')
            continue;
        char separator = *end;
        *end = '\0';
        /* Looked for first: making an existing folder can fail with more than EEXIST. */
        if (stat(part, &info) != 0 && mkdir(part, 0777) != 0 && errno != EEXIST)
            return failure_errno(err, "cannot make the folder %s", part);
        if (stat(part, &info) == 0 && !S_ISDIR(info.st_mode))
            return failure(err, TACOS_IO, "cannot make the folder %s: %s is not a folder", path,
                           part);
        if (separator == '\0')
            return TACOS_OK;
        *end = separator;
    }
}

tacos_status output_new_folder(const char *path, tacos_error *err) {
    char copy[OUTPUT_PATH_MAX];
    if (path[0] == '\0' || strlen(path) >= sizeof copy)
        return failure(err, TACOS_INVALID, "'%.100s' is no path for a folder", path);
    strcpy(copy, path);
    TRY(output_make_folder(dirname(copy), err));
    if (mkdir(path, 0777) == 0)
        return TACOS_OK;
    struct stat info;
    int reason = errno;
    if (reason == EEXIST && stat(path, &info) == 0 && !S_ISDIR(info.st_mode))
        return failure(err, TACOS_IO, "cannot make the folder %s: it is not a folder", path);
    if (reason == EEXIST)
        return failure(err, TACOS_EXISTS, "%s exists", path);
    errno = reason;
    return failure_errno(err, "cannot make the folder %s", path);
}

tacos_status input_read_text(const char *path, size_t limit, char **out, tacos_error *err) {
    FILE *file = fopen(path, "rbe");
    char *text = file ? malloc(limit + 2) : NULL;
    if (!file)
        return failure_errno(err, "cannot read %s", path);
    if (!text) {
        (void)fclose(file);
        return failure(err, TACOS_MEMORY, "no memory to read %s", path);
    }
    size_t n = fread(text, 1, limit + 1, file);
    int bad = ferror(file), reason = errno;
    (void)fclose(file);
    text[n] = '\0';
    if (!bad && n <= limit && strlen(text) == n) {
        *out = text;
        return TACOS_OK;
    }
    free(text);
    errno = reason;
    if (bad)
        return failure_errno(err, "cannot read %s", path);
    if (n > limit)
        return failure(err, TACOS_FORMAT, "%s is larger than %zu bytes", path, limit);
    return failure(err, TACOS_FORMAT, "%s is not text: it holds a zero byte", path);
}
