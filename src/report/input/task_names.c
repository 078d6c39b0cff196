/* task_names.c - what the tasks of a run are called: "cat vs dog", by their classes. */
#include "report/input/runs.h"

#include "base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Up to so many classes are all named. */
enum { NAMED_CLASSES = 3, CLASS_NAME_SIZE = 24 };

/* A task's name while it is put together. */
typedef struct Name {
    char first[CLASS_NAME_SIZE], last[CLASS_NAME_SIZE];
    char all[TASK_NAME_SIZE]; /* of at most NAMED_CLASSES */
    size_t n;
} Name;

/* As many whole characters of n bytes as fit. */
static void copy_short(char out[CLASS_NAME_SIZE], const char *name, size_t n) {
    static const char more[] = "\xe2\x80\xa6";
    size_t used = 0;
    while (used < n) {
        size_t bytes = utf8_length((const unsigned char *)name + used);
        bytes = bytes > 0 ? bytes : 1;
        if (used + bytes + sizeof more > CLASS_NAME_SIZE) {
            strcpy(out + used, more);
            return;
        }
        memcpy(out + used, name + used, bytes);
        used += bytes;
    }
    out[used] = '\0';
}

static void add_class(Name *name, const char *class, size_t n) {
    size_t used = strlen(name->all);
    copy_short(name->last, class, n);
    if (name->n == 0)
        strcpy(name->first, name->last);
    if (name->n < NAMED_CLASSES)
        (void)snprintf(name->all + used, sizeof name->all - used, "%s%s", name->n > 0 ? " vs " : "",
                       name->last);
    name->n++;
}

static void end_name(const Name *name, char out[TASK_NAME_SIZE]) {
    if (name->n <= NAMED_CLASSES)
        memcpy(out, name->all, TASK_NAME_SIZE);
    else
        (void)snprintf(out, TASK_NAME_SIZE, "%s \xe2\x80\xa6 %s", name->first, name->last);
}

/* As newer files have them, where classes have names. */
static bool read_listed(RunFolder *runs) {
    const json_t *tasks = json_object_get(runs->root, "tasks");
    if (json_array_size(tasks) != runs->n_tasks)
        return false;
    for (size_t t = 0; t < runs->n_tasks; t++) {
        const json_t *names = json_object_get(json_array_get(tasks, t), "names");
        Name name = {.n = 0};
        for (size_t k = 0; k < json_array_size(names); k++) {
            const char *class = json_string_value(json_array_get(names, k));
            if (!class)
                return false;
            add_class(&name, class, strlen(class));
        }
        if (name.n == 0)
            return false;
        end_name(&name, runs->tasks[t]);
    }
    return true;
}

/* By the key `tasks`: "0-1,2-3". Tasks at random have no names. */
static bool read_key(RunFolder *runs) {
    const char *at = runs_config(runs, "tasks");
    if (!at || strspn(at, "0123456789-, ") != strlen(at))
        return false;
    for (size_t t = 0; t < runs->n_tasks; t++) {
        Name name = {.n = 0};
        while (*at && *at != ',') {
            size_t n = strcspn(at, "-, ");
            if (n > 0)
                add_class(&name, at, n);
            at += n + strspn(at + n, "- ");
        }
        if (name.n == 0)
            return false;
        end_name(&name, runs->tasks[t]);
        at += *at == ',';
    }
    return *at == '\0';
}

static bool all_differ(const RunFolder *runs) {
    for (size_t t = 0; t < runs->n_tasks; t++)
        for (size_t u = 0; u < t; u++)
            if (strcmp(runs->tasks[t], runs->tasks[u]) == 0)
                return false;
    return true;
}

tacos_status runs_name_tasks(RunFolder *runs, tacos_error *err) {
    runs->tasks = calloc(runs->n_tasks + 1, sizeof *runs->tasks);
    if (!runs->tasks)
        return failure(err, TACOS_MEMORY, "no memory for the names of tasks");
    runs->tasks_named = (read_listed(runs) || read_key(runs)) && all_differ(runs);
    for (size_t t = 0; t < runs->n_tasks && !runs->tasks_named; t++)
        (void)snprintf(runs->tasks[t], sizeof runs->tasks[t], "task %zu", t + 1);
    return TACOS_OK;
}
