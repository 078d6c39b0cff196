/* builtin.c - looks up built-in files by folder and name. */
#include "lab/builtin.h"

#include <stdio.h>
#include <string.h>

static const char ENDING[] = ".conf";
enum { ENDING_SIZE = sizeof ENDING - 1 };

static bool has_ending(const char *name) {
    size_t n = strlen(name);
    return n > ENDING_SIZE && strcmp(name + n - ENDING_SIZE, ENDING) == 0;
}

/* The name within its folder, or NULL if the file is of another kind. */
static const char *name_within(const Builtins *kind, const char *path) {
    size_t n = strlen(kind->folder);
    if (strncmp(path, kind->folder, n) != 0 || strchr(path + n, '/') || !has_ending(path + n))
        return NULL;
    return path + n;
}

bool builtin_get(const Builtins *kind, size_t i, tacos_experiment_info *out) {
    for (const EmbeddedFile *f = embedded_files; f->name; f++) {
        const char *name = name_within(kind, f->name);
        if (!name || i-- > 0)
            continue;
        *out = (tacos_experiment_info){.text = f->text};
        (void)snprintf(out->name, sizeof out->name, "%.*s", (int)(strlen(name) - ENDING_SIZE),
                       name);
        if (strncmp(f->text, "# ", 2) == 0)
            (void)snprintf(out->about, sizeof out->about, "%.*s", (int)strcspn(f->text + 2, "\n"),
                           f->text + 2);
        return true;
    }
    return false;
}

const char *builtin_find(const Builtins *kind, const char *name) {
    tacos_experiment_info info;
    for (size_t i = 0; builtin_get(kind, i, &info); i++)
        if (strcmp(info.name, name) == 0)
            return info.text;
    return NULL;
}

tacos_status builtin_fail(const Builtins *kind, const char *name, tacos_error *err) {
    enum { BUILTINS_MAX = 64 };
    char all[256] = "";
    size_t used = 0, n = 0;
    tacos_experiment_info info[BUILTINS_MAX];
    const char *names[BUILTINS_MAX + 1] = {NULL};
    for (; n < BUILTINS_MAX && builtin_get(kind, n, &info[n]); n++) {
        names[n] = info[n].name;
        if (used < sizeof all)
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", n ? ", " : "",
                                     info[n].name);
    }
    const char *best = tacos_nearest(name, names);
    if (best)
        return failure(err, TACOS_UNKNOWN, "no %s '%.80s'; the nearest is '%s'", kind->what, name,
                       best);
    return failure(err, TACOS_UNKNOWN, "no %s '%.80s'; it is a .conf file or one of: %.250s",
                   kind->what, name, all);
}

bool builtin_is_path(const char *name_or_path) {
    return strchr(name_or_path, '/') || has_ending(name_or_path);
}

tacos_status builtin_name(const Builtins *kind, const char *path, char out[BUILTIN_NAME_SIZE],
                          tacos_error *err) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name);
    if (has_ending(name))
        n -= ENDING_SIZE;
    if (n == 0 || n >= BUILTIN_NAME_SIZE || name[0] == '.')
        return failure(err, TACOS_INVALID,
                       "'%.100s' is not a valid name for %s %s: it must have 1 to %d bytes and not "
                       "start with a dot",
                       name, strchr("aeiou", kind->what[0]) ? "an" : "a", kind->what,
                       BUILTIN_NAME_SIZE - 1);
    memcpy(out, name, n);
    out[n] = '\0';
    return TACOS_OK;
}
