/* fuzz_tasks.c - a list of tasks, below the names of classes, one per line: what is read is read
 * again as numbers, with as many tasks and classes. */
#include "fuzz_images.h"

#include "data/tasks.h"

/* The lines of a text but the last, which is returned. */
static char *take_names(char *text, ClassNames *names) {
    enum { MOST = 64 };
    static char *at[MOST];
    *names = (ClassNames){0, at};
    for (char *end; names->n < MOST && (end = strchr(text, '\n')); text = end + 1) {
        *end = '\0';
        at[names->n++] = text;
    }
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    char *text = text_of(bytes, n), numbers[1024];
    ClassNames names;
    Tasks tasks, again;
    tacos_error err = {0};
    char *list = take_names(text, &names);
    tacos_status status = tasks_parse(&tasks, list, &err);
    if (status == TACOS_OK && !tasks.random)
        status = tasks_number(list, &names, numbers, sizeof numbers, &err);
    if (status != TACOS_OK) {
        check_failure(status, &err);
    } else if (!tasks.random && tasks_parse(&again, numbers, &err) == TACOS_OK) {
        HOLDS(again.n == tasks.n && again.n_named == 0);
        for (size_t t = 0; t < tasks.n; t++)
            HOLDS(again.task[t].n_classes == tasks.task[t].n_classes);
    }
    free(text);
    return 0;
}
