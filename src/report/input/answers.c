/* answers.c - adds up the counts of all seeds. */
#include "report/input/answers.h"

#include "base/array.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More is not a table that anybody reads; files are untrusted. */
enum { CELLS_MAX = 1 << 20 };

static int by_number(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The classes that occur, ascending, and whether any sample got no answer. */
static tacos_status find_classes(const RunFolder *runs, uint32_t **out, size_t *n, bool *none,
                                 tacos_error *err) {
    uint32_t *all = NULL;
    size_t n_all = 0, room = 0;
    *none = false;
    *out = NULL;
    *n = 0;
    for (size_t i = 0; i < runs->n_runs; i++)
        for (size_t k = 0; k < runs->runs[i].n_answers; k++) {
            if (!array_grow(&all, &room, n_all + 1, sizeof *all)) {
                free(all);
                return failure(err, TACOS_MEMORY, "no memory for counts of answers");
            }
            all[n_all++] = runs->runs[i].answers[k].label;
            *none |= runs->runs[i].answers[k].answer < 0;
        }
    if (n_all > 0)
        qsort(all, n_all, sizeof *all, by_number);
    for (size_t k = 0; k < n_all; k++)
        if (*n == 0 || all[*n - 1] != all[k])
            all[(*n)++] = all[k];
    *out = all;
    return TACOS_OK;
}

/* ---- names ---- */

/* Append as many whole characters as fit. */
static void append(char out[ANSWER_NAME_SIZE], const char *words) {
    size_t used = strlen(out);
    while (*words) {
        size_t n = utf8_length((const unsigned char *)words);
        n = n > 0 ? n : 1;
        if (used + n + 1 > ANSWER_NAME_SIZE)
            return;
        memcpy(out + used, words, n);
        used += n;
        out[used] = '\0';
        words += n;
    }
}

static void append_class(char out[ANSWER_NAME_SIZE], const RunFolder *runs, size_t class) {
    const json_t *names = json_object_get(json_object_get(runs->root, "data"), "classes");
    const char *name = json_string_value(json_array_get(names, class));
    char number[24];
    (void)snprintf(number, sizeof number, "%zu", class);
    append(out, name ? name : number);
}

/* "0/2/4": what is taught as an output. */
static void name_output(char out[ANSWER_NAME_SIZE], const RunFolder *runs, const json_t *taught) {
    for (size_t k = 0; k < json_array_size(taught); k++) {
        if (k > 0)
            append(out, "/");
        append_class(out, runs, (size_t)json_integer_value(json_array_get(taught, k)));
    }
}

void answers_name_output(char out[ANSWER_NAME_SIZE], const RunFolder *runs, size_t output) {
    const json_t *taught = json_array_get(json_object_get(runs->root, "outputs"), output);
    out[0] = '\0';
    name_output(out, runs, taught);
    if (out[0] == '\0')
        (void)snprintf(out, ANSWER_NAME_SIZE, "output %zu", output);
}

static bool is_taught(const json_t *taught, uint32_t class) {
    for (size_t k = 0; k < json_array_size(taught); k++)
        if (json_integer_value(json_array_get(taught, k)) == class)
            return true;
    return false;
}

static void fill_names(Answers *answers, const RunFolder *runs, const uint32_t *classes) {
    const json_t *outputs = json_object_get(runs->root, "outputs");
    size_t n_outputs = json_array_size(outputs);
    for (size_t c = 0; c < answers->n_classes; c++)
        append_class(answers->class_names[c], runs, classes[c]);
    for (size_t o = 0; o < n_outputs; o++) {
        const json_t *taught = json_array_get(outputs, o);
        name_output(answers->answer_names[o], runs, taught);
        for (size_t c = 0; c < answers->n_classes; c++)
            answers->right[c * answers->n_answers + o] = is_taught(taught, classes[c]);
    }
    if (answers->n_answers > n_outputs)
        append(answers->answer_names[n_outputs], "none");
}

/* ---- counts ---- */

static void add_run(Answers *answers, const tacos_run *run, const uint32_t *classes,
                    size_t n_outputs) {
    for (size_t k = 0; k < run->n_answers; k++) {
        const tacos_answer_count *count = &run->answers[k];
        const uint32_t *at =
            bsearch(&count->label, classes, answers->n_classes, sizeof *classes, by_number);
        size_t answer = count->answer < 0 ? n_outputs : (size_t)count->answer;
        if (!at || count->after_task >= answers->n_moments || answer >= answers->n_answers)
            continue;
        answers->counts[(count->after_task * answers->n_classes + (size_t)(at - classes)) *
                            answers->n_answers +
                        answer] += count->n;
    }
}

static tacos_status make_room(Answers *answers, tacos_error *err) {
    size_t cells = answers->n_classes * answers->n_answers;
    answers->class_names = calloc(answers->n_classes, sizeof *answers->class_names);
    answers->answer_names = calloc(answers->n_answers, sizeof *answers->answer_names);
    answers->right = calloc(cells, sizeof *answers->right);
    answers->counts = calloc(cells * answers->n_moments, sizeof *answers->counts);
    if (!answers->class_names || !answers->answer_names || !answers->right || !answers->counts)
        return failure(err, TACOS_MEMORY, "no memory for counts of answers");
    return TACOS_OK;
}

static tacos_status fill(Answers *answers, const RunFolder *runs, const uint32_t *classes,
                         bool none, tacos_error *err) {
    size_t n_outputs = json_array_size(json_object_get(runs->root, "outputs"));
    answers->n_answers = n_outputs + none;
    if (answers->n_classes == 0 || n_outputs == 0)
        return failure(err, TACOS_MISSING,
                       "%s has no counts of answers, as runs of older versions "
                       "and of very many classes",
                       runs->folder);
    if (answers->n_classes > CELLS_MAX / answers->n_answers / answers->n_moments)
        return failure(err, TACOS_MISSING, "%s has too many classes to be shown", runs->folder);
    TRY(make_room(answers, err));
    fill_names(answers, runs, classes);
    for (size_t i = 0; i < runs->n_runs; i++)
        add_run(answers, &runs->runs[i], classes, n_outputs);
    return TACOS_OK;
}

tacos_status answers_make(Answers *out, const RunFolder *runs, tacos_error *err) {
    uint32_t *classes;
    bool none;
    *out = (Answers){.n_moments = runs->n_tasks + 1};
    TRY(find_classes(runs, &classes, &out->n_classes, &none, err));
    tacos_status status = fill(out, runs, classes, none, err);
    free(classes);
    if (status != TACOS_OK)
        answers_free(out);
    return status;
}

void answers_free(Answers *answers) {
    free(answers->class_names);
    free(answers->answer_names);
    free(answers->right);
    free(answers->counts);
    *answers = (Answers){0};
}

/* ---- percent ---- */

static const double *row_of(const Answers *answers, size_t moment, size_t class) {
    return answers->counts + (moment * answers->n_classes + class) * answers->n_answers;
}

static double sum_of(const Answers *answers, size_t moment, size_t class) {
    double sum = 0;
    for (size_t a = 0; a < answers->n_answers; a++)
        sum += row_of(answers, moment, class)[a];
    return sum;
}

double answers_percent(const Answers *answers, size_t moment, size_t class, size_t answer) {
    double sum = sum_of(answers, moment, class);
    return sum > 0 ? 100 * row_of(answers, moment, class)[answer] / sum : (double)NAN;
}

double answers_right_percent(const Answers *answers, size_t moment, size_t class) {
    double sum = sum_of(answers, moment, class), right = 0;
    for (size_t a = 0; a < answers->n_answers; a++)
        if (answers->right[class * answers->n_answers + a])
            right += row_of(answers, moment, class)[a];
    return sum > 0 ? 100 * right / sum : (double)NAN;
}
