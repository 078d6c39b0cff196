/* survey_rows.c - which configurations are shown: successive halving runs one on the first few
 * tasks, then, if it is good, another on more of them, which differs in the key `tasks` alone. */
#include "store/survey.h"

#include <stdlib.h>
#include <string.h>

/* What is sorted to bring together those that differ in their tasks alone. */
typedef struct Sibling {
    const Survey *survey;
    const SurveyColumn *tasks; /* NULL: nothing is known of them */
    SurveyRank rank;
} Sibling;

static const char *tasks_at(const SurveyColumn *tasks, size_t at) {
    return tasks ? tasks->values[at] : "";
}

static int compare_others(const Sibling *a, const Sibling *b) {
    const Survey *survey = a->survey;
    for (size_t c = 0; c < survey->n_columns; c++) {
        const SurveyColumn *column = &survey->columns[c];
        const char *x = column->values[a->rank.at], *y = column->values[b->rank.at];
        int order = column == a->tasks || x == y ? 0 : strcmp(x, y);
        if (order != 0)
            return order;
    }
    return 0;
}

static int by_others_then_tasks(const void *a, const void *b) {
    const Sibling *x = a, *y = b;
    int order = compare_others(x, y);
    return order != 0 ? order
                      : strcmp(tasks_at(x->tasks, x->rank.at), tasks_at(y->tasks, y->rank.at));
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Is one of the sorted texts these tasks, a comma and more? */
static bool is_continued(const char *tasks, const char *const *sorted, size_t n) {
    size_t length = strlen(tasks), low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strncmp(sorted[middle], tasks, length);
        if (order < 0 || (order == 0 && (unsigned char)sorted[middle][length] < ','))
            low = middle + 1;
        else
            high = middle;
    }
    return low < n && strncmp(sorted[low], tasks, length) == 0 && sorted[low][length] == ',';
}

/* Sorted: the tasks of all configurations, and, with room for as many, those of some siblings. */
typedef struct Streams {
    const char **all, **group;
} Streams;

/* siblings[0] to [n - 1] differ in their tasks alone. Stopped are those that others were to go
 * beyond, whether these are complete or not. */
static void add_rows(Survey *survey, const Sibling *siblings, size_t n, const Streams *streams) {
    for (size_t i = 0; i < n; i++)
        streams->group[i] = tasks_at(siblings[i].tasks, siblings[i].rank.at);
    for (size_t i = 0; i < n; i++) {
        if (is_continued(streams->group[i], streams->group, n))
            continue;
        siblings[i].rank.config->row.stopped =
            is_continued(streams->group[i], streams->all, survey->n_configs);
        survey->rows[survey->n_rows++] = siblings[i].rank;
    }
}

static void add_all_rows(Survey *survey, Sibling *siblings, size_t n, const Streams *streams) {
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && compare_others(&siblings[from], &siblings[to]) == 0;)
            to++;
        add_rows(survey, siblings + from, to - from, streams);
    }
}

static const SurveyColumn *tasks_of(const Survey *survey) {
    for (size_t c = 0; c < survey->n_columns; c++)
        if (strcmp(survey->columns[c].key, "tasks") == 0)
            return &survey->columns[c];
    return NULL;
}

static void find_rows(Survey *survey, Sibling *siblings, const Streams *streams) {
    const SurveyColumn *tasks = tasks_of(survey);
    size_t n = 0;
    for (size_t i = 0; i < survey->n_configs; i++) {
        streams->all[i] = tasks_at(tasks, i);
        if (survey->configs[i].row.n_runs > 0)
            siblings[n++] = (Sibling){survey, tasks, {&survey->configs[i], i}};
    }
    qsort(streams->all, survey->n_configs, sizeof *streams->all, by_text);
    qsort(siblings, n, sizeof *siblings, by_others_then_tasks);
    add_all_rows(survey, siblings, n, streams);
}

tacos_status survey_find_rows(Survey *survey, tacos_error *err) {
    size_t n = survey->n_configs;
    if (n == 0)
        return TACOS_OK;
    Sibling *siblings = malloc(n * sizeof *siblings);
    Streams streams = {malloc(n * sizeof *streams.all), malloc(n * sizeof *streams.group)};
    survey->rows = malloc(n * sizeof *survey->rows);
    tacos_status status = TACOS_OK;
    if (siblings && streams.all && streams.group && survey->rows)
        find_rows(survey, siblings, &streams);
    else
        status = survey_no_memory(err);
    free(siblings);
    free(streams.all);
    free(streams.group);
    return status;
}
