/* small.c - `tacos export --small`, and `tacos import` of what it writes or a microcontroller
 * saved. */
#include "commands/small.h"

#include "cli.h"

#include "system/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int put(void *user, const void *bytes, size_t n) {
    return fwrite(bytes, 1, n, user) == n ? 0 : -1;
}

int small_export(tacos_learner *learner, const char *path) {
    WholeFile file;
    tacos_error err = {0};
    if (whole_file_open(&file, path, &err) != TACOS_OK)
        return cli_fail(&err);
    if (tacos_learner_save_small(learner, put, file.out, &err) != TACOS_OK) {
        (void)fclose(file.out);
        free(file.bytes);
        return cli_fail(&err);
    }
    return whole_file_close(&file, path, &err) == TACOS_OK ? EXIT_OK : cli_fail(&err);
}

bool small_is(const char *path) {
    char start[8] = {0};
    FILE *file = fopen(path, "rbe");
    size_t n = file ? fread(start, 1, sizeof start, file) : 0;
    if (file)
        (void)fclose(file);
    return n == sizeof start && (memcmp(start, "TACOSMCU", sizeof start) == 0 ||
                                 memcmp(start, "TACOSSNN", sizeof start) == 0);
}

/* All of a file, to be freed; NULL, and errno. */
static char *read_whole(const char *path, size_t *n) {
    char *bytes = NULL, some[4096];
    FILE *from = fopen(path, "rbe"), *to = from ? open_memstream(&bytes, n) : NULL;
    bool good = to;
    for (size_t here = 1; good && here > 0;) {
        here = fread(some, 1, sizeof some, from);
        good = fwrite(some, 1, here, to) == here && !ferror(from);
    }
    if (to && fclose(to) != 0)
        good = false;
    if (from)
        (void)fclose(from);
    if (good)
        return bytes;
    free(bytes);
    return NULL;
}

static int fail(const char *path, const char *why) {
    cli_error("cannot import %s: %s", path, why);
    return EXIT_FAILED;
}

int small_import(const char *path, const char *to) {
    tacos_learner *learner;
    tacos_error err = {0};
    size_t n = 0;
    char *bytes = read_whole(path, &n);
    if (!bytes)
        return fail(path, strerror(errno));
    tacos_status status = tacos_learner_load_small(&learner, bytes, n, NULL, &err);
    free(bytes);
    if (status != TACOS_OK)
        return fail(path, err.text);
    status = tacos_learner_save(learner, to, &err);
    tacos_learner_free(learner);
    return status == TACOS_OK ? EXIT_OK : cli_fail(&err);
}
