/* survey.c - rows in order, the keys that vary, the fronts; and looking at it all. */
#include "store/survey.h"

#include "lab/experiment.h"
#include "store/fronts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- order ---- */

static int more_first(double a, double b) {
    return (a < b) - (a > b);
}

/* Whole ones by MA; stopped ones by how far they came first. Then by what they are, so that the
 * order does not depend on how the store came about. */
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

/* The place of a key in the tables; those of a newer program come after all of ours. */
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

/* Stopped rows have other tasks because they were stopped, which is told already. */
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

/* What is not defined is on no front; nor is a network that never answers, which forgets nothing.
 */
static tacos_status mark_fronts(Survey *survey, tacos_error *err) {
    size_t n;
    FrontPoint *points = malloc((survey->n_whole + 1) * sizeof *points);
    if (!points)
        return survey_no_memory(err);
#define FRONT(want, also, front)                                                                   \
    n = 0;                                                                                         \
    for (size_t i = 0; i < survey->n_whole; i++) {                                                 \
        tacos_survey_row *row = &survey->rows[i].config->row;                                      \
        bool silent = survey->rows[i].config->silent > TACOS_SILENT_PERCENT;                       \
        if (!silent && isfinite(row->want) && isfinite(also))                                      \
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

/* ---- open ---- */

static tacos_status fill(Survey *survey, const char *store_path, tacos_error *err) {
    TRY(survey_read(survey, store_path, err));
    TRY(survey_find_rows(survey, err));
    TRY(survey_split_lists(survey, err));
    sort_rows(survey);
    drop_constant_columns(survey);
    TRY(survey_find_levels(survey, err));
    return mark_fronts(survey, err);
}

tacos_status survey_open(Survey **out, const char *store_path, tacos_error *err) {
    *out = NULL;
    Survey *survey = calloc(1, sizeof *survey);
    if (!survey)
        return survey_no_memory(err);
    tacos_status status = fill(survey, store_path, err);
    if (status == TACOS_OK)
        *out = survey;
    else
        survey_free(survey);
    return status;
}

void survey_free(Survey *survey) {
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

const tacos_survey_row *survey_row(const Survey *survey, size_t i) {
    return i < survey->n_rows ? &survey->rows[i].config->row : NULL;
}

double survey_silent(const Survey *survey, size_t i) {
    return i < survey->n_rows ? survey->rows[i].config->silent : 0;
}

const char *survey_key(const Survey *survey, size_t k) {
    return k < survey->n_columns ? survey->columns[k].key : NULL;
}

const char *survey_value(const Survey *survey, size_t i, size_t k) {
    if (i >= survey->n_rows || k >= survey->n_columns)
        return NULL;
    return survey->columns[k].values[survey->rows[i].at];
}

bool survey_level(const Survey *survey, size_t k, size_t l, tacos_survey_level *out) {
    if (k >= survey->n_columns || l >= survey->columns[k].n_levels)
        return false;
    *out = survey->columns[k].levels[l];
    return true;
}

double survey_share(const Survey *survey, size_t k) {
    return k < survey->n_columns ? survey->columns[k].share : 0;
}

size_t survey_planned(const Survey *survey) {
    size_t n = 0;
    for (size_t i = 0; i < survey->n_configs; i++)
        n += survey->configs[i].row.n_planned;
    return n;
}

const char *survey_failure(const Survey *survey, size_t i) {
    return i < survey->n_failures ? survey->failures[i] : NULL;
}
