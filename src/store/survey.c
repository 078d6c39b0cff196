/* survey.c - chooses and sorts the configurations to show, the keys that vary, and the fronts. */
#include "store/survey.h"

#include "lab/experiment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- fronts: sorted by x, a point is on the front if its y is the best so far ---- */

static int by_x_then_y(const void *a, const void *b) {
    const FrontPoint *p = a, *q = b;
    if (p->x != q->x)
        return p->x > q->x ? -1 : 1;
    return (p->y < q->y) - (p->y > q->y);
}

void fronts_mark(FrontPoint *points, size_t n) {
    double best = -INFINITY; /* y of the points with larger x */
    if (n > 0)
        qsort(points, n, sizeof *points, by_x_then_y);
    for (size_t from = 0, to; from < n; from = to) {
        double top = points[from].y; /* y of the points with equal x */
        for (to = from; to < n && points[to].x == points[from].x; to++)
            *points[to].on = points[to].y == top && top > best;
        best = fmax(best, top);
    }
}

/* ---- rows ----
 *
 * Successive halving runs a configuration on the first few tasks, then, if it does well, another on
 * more of them that differs only in the key `tasks`. A configuration that a longer one continues is
 * not shown. */

/* Sorted so that configurations that differ only in their tasks are neighbours. */
typedef struct Sibling {
    const Survey *survey;
    const SurveyColumn *tasks; /* NULL: unknown */
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

/* Does one of the sorted texts start with these tasks and a comma? */
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

/* Sorted: the tasks of all configurations; and a buffer of the same size for one group of
 * siblings. */
typedef struct Streams {
    const char **all, **group;
} Streams;

/* siblings[0] to [n - 1] differ only in their tasks. One is stopped if others were meant to go
 * further, whether or not those are complete. */
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

static const SurveyColumn *column_of(const Survey *survey, const char *key) {
    for (size_t c = 0; c < survey->n_columns; c++)
        if (strcmp(survey->columns[c].key, key) == 0)
            return &survey->columns[c];
    return NULL;
}

static void find_rows(Survey *survey, Sibling *siblings, const Streams *streams) {
    const SurveyColumn *tasks = column_of(survey, "tasks");
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

/* ---- order ---- */

static int more_first(double a, double b) {
    return (a < b) - (a > b);
}

/* Whole ones by MA; stopped ones first by how far they got. Then by their keys, so that the order
 * does not depend on the history of the store. */
static int best_first(const void *a, const void *b) {
    const tacos_survey_row *x = &((const SurveyRank *)a)->config->row;
    const tacos_survey_row *y = &((const SurveyRank *)b)->config->row;
    int order = x->stopped - y->stopped;
    if (order == 0 && x->stopped)
        order = more_first((double)x->n_tasks, (double)y->n_tasks);
    if (order == 0)
        order = more_first(x->MA.mean, y->MA.mean);
    if (order == 0)
        order = strcmp(x->digest, y->digest);
    return order != 0 ? order : strcmp(x->experiment, y->experiment);
}

static void sort_rows(Survey *survey) {
    if (survey->n_rows > 0)
        qsort(survey->rows, survey->n_rows, sizeof *survey->rows, best_first);
    while (survey->n_whole < survey->n_rows && !survey->rows[survey->n_whole].config->row.stopped)
        survey->n_whole++;
}

/* ---- keys ---- */

/* The position of a key in the tables; keys of a newer program come last. */
static size_t place_of(const char *column) {
    char name[128];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(column, "["), column);
    return experiment_key_place(name);
}

static int by_place(const void *a, const void *b) {
    const char *x = ((const SurveyColumn *)a)->key, *y = ((const SurveyColumn *)b)->key;
    size_t at_x = place_of(x), at_y = place_of(y);
    return at_x != at_y ? (at_x > at_y) - (at_x < at_y) : strcmp(x, y);
}

/* Stopped rows have fewer tasks because they were stopped, which is shown anyway. */
static bool varies(const Survey *survey, const SurveyColumn *column) {
    bool whole_only = strcmp(column->key, "tasks") == 0 && survey->n_whole > 0;
    size_t n = whole_only ? survey->n_whole : survey->n_rows;
    for (size_t i = 1; i < n; i++)
        if (strcmp(column->values[survey->rows[i].at], column->values[survey->rows[0].at]) != 0)
            return true;
    return false;
}

static void free_column(SurveyColumn *column) {
    free(column->values);
    free(column->levels);
}

static void drop_constant_columns(Survey *survey) {
    size_t n = 0;
    if (survey->n_columns > 0)
        qsort(survey->columns, survey->n_columns, sizeof *survey->columns, by_place);
    for (size_t c = 0; c < survey->n_columns; c++) {
        if (varies(survey, &survey->columns[c]))
            survey->columns[n++] = survey->columns[c];
        else
            free_column(&survey->columns[c]);
    }
    survey->n_columns = n;
}

/* ---- fronts ---- */

/* An undefined metric is on no front; nor is a network that never answers, which forgets nothing,
 * or one that is right no more often than by chance. */
static bool competes(const SurveyConfig *config) {
    return config->silent <= TACOS_SILENT_PERCENT &&
           !tacos_is_chance(config->row.MA.mean, config->chance);
}

static tacos_status mark_fronts(Survey *survey, tacos_error *err) {
    size_t n;
    FrontPoint *points = malloc((survey->n_whole + 1) * sizeof *points);
    if (!points)
        return survey_no_memory(err);
#define FRONT(want, also, front)                                                                   \
    n = 0;                                                                                         \
    for (size_t i = 0; i < survey->n_whole; i++) {                                                 \
        tacos_survey_row *row = &survey->rows[i].config->row;                                      \
        if (competes(survey->rows[i].config) && isfinite(row->want) && isfinite(also))             \
            points[n++] = (FrontPoint){row->want, also, &row->front};                              \
    }                                                                                              \
    fronts_mark(points, n)
    FRONT(A.mean, row->BWT.mean, transfer_front);
    FRONT(MA.mean, -row->model_bytes, memory_front);
    FRONT(MA.mean, -row->operations, operations_front);
#undef FRONT
    free(points);
    return TACOS_OK;
}

/* ---- chance ---- */

static void find_chances(Survey *survey) {
    static const char *const keys[] = {"tasks", "scenario"};
    Experiment experiment;
    for (size_t i = 0; i < survey->n_configs; i++) {
        experiment_defaults(&experiment);
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            const SurveyColumn *column = column_of(survey, keys[k]);
            if (column) /* a value of a newer program leaves the default */
                (void)tacos_experiment_set(&experiment, keys[k], column->values[i], NULL);
        }
        survey->configs[i].chance = tacos_experiment_chance(&experiment);
    }
}

/* ---- open ---- */

static tacos_status fill(Survey *survey, const char *store_path, tacos_error *err) {
    TRY(survey_read(survey, store_path, err));
    find_chances(survey);
    TRY(survey_find_rows(survey, err));
    TRY(survey_split_lists(survey, err));
    sort_rows(survey);
    drop_constant_columns(survey);
    TRY(survey_find_levels(survey, err));
    return mark_fronts(survey, err);
}

tacos_status tacos_survey_open(Survey **out, const char *store_path, tacos_error *err) {
    *out = NULL;
    Survey *survey = calloc(1, sizeof *survey);
    if (!survey)
        return survey_no_memory(err);
    tacos_status status = fill(survey, store_path, err);
    if (status == TACOS_OK)
        *out = survey;
    else
        tacos_survey_free(survey);
    return status;
}

void tacos_survey_free(Survey *survey) {
    if (!survey)
        return;
    for (size_t c = 0; c < survey->n_columns; c++)
        free_column(&survey->columns[c]);
    free(survey->columns);
    free(survey->configs);
    free(survey->rows);
    free(survey->failures);
    survey_free_texts(survey);
    free(survey);
}

/* ---- look ---- */

const tacos_survey_row *tacos_survey_row_get(const Survey *survey, size_t i) {
    return i < survey->n_rows ? &survey->rows[i].config->row : NULL;
}

double tacos_survey_silent(const Survey *survey, size_t i) {
    return i < survey->n_rows ? survey->rows[i].config->silent : 0;
}

double tacos_survey_chance(const Survey *survey, size_t i) {
    return i < survey->n_rows ? survey->rows[i].config->chance : 0;
}

const char *tacos_survey_key(const Survey *survey, size_t k) {
    return k < survey->n_columns ? survey->columns[k].key : NULL;
}

const char *tacos_survey_value(const Survey *survey, size_t i, size_t k) {
    if (i >= survey->n_rows || k >= survey->n_columns)
        return NULL;
    return survey->columns[k].values[survey->rows[i].at];
}

int tacos_survey_level_get(const Survey *survey, size_t k, size_t l, tacos_survey_level *out) {
    if (k >= survey->n_columns || l >= survey->columns[k].n_levels)
        return false;
    *out = survey->columns[k].levels[l];
    return true;
}

double tacos_survey_share(const Survey *survey, size_t k) {
    return k < survey->n_columns ? survey->columns[k].share : 0;
}

size_t tacos_survey_planned(const Survey *survey) {
    size_t n = 0;
    for (size_t i = 0; i < survey->n_configs; i++)
        n += survey->configs[i].row.n_planned;
    return n;
}

const char *tacos_survey_failure(const Survey *survey, size_t i) {
    return i < survey->n_failures ? survey->failures[i] : NULL;
}
