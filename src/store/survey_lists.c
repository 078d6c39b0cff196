/* survey_lists.c - a key that is a list of numbers everywhere, as a column for each of them. */
#include "lab/experiment.h"
#include "store/survey.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t count_items(const char *list) {
    size_t n = 1;
    for (; *list; list++)
        n += *list == ',';
    return n;
}

/* How many items every value has; 0 if not all have as many, or if it is no list of numbers. */
static size_t items_of(const Survey *survey, const SurveyColumn *column) {
    ExperimentKey found;
    size_t n = count_items(column->values[0]);
    if (!experiment_key(column->key, &found) || found.key->type != KEY_REALS || n < 2)
        return 0;
    for (size_t i = 1; i < survey->n_configs; i++)
        if (count_items(column->values[i]) != n)
            return 0;
    return n;
}

static const char *keep_item(Survey *survey, const char *list, size_t k) {
    char text[64];
    for (; k > 0; k--)
        list = strchr(list, ',') + 1;
    (void)snprintf(text, sizeof text, "%.*s", (int)strcspn(list, ","), list);
    return survey_keep_text(survey, text);
}

/* One item of a list as a column of its own. */
static tacos_status make_column(Survey *survey, const SurveyColumn *list, size_t k,
                                SurveyColumn *out, tacos_error *err) {
    char name[128];
    (void)snprintf(name, sizeof name, "%s[%zu]", list->key, k + 1);
    *out = (SurveyColumn){
        .key = survey_keep_text(survey, name),
        .values = calloc(survey->n_configs, sizeof *out->values),
    };
    bool missing = !out->key || !out->values;
    for (size_t i = 0; i < survey->n_configs && !missing; i++) {
        out->values[i] = keep_item(survey, list->values[i], k);
        missing = !out->values[i];
    }
    if (!missing)
        return TACOS_OK;
    free(out->values);
    return survey_no_memory(err);
}

static tacos_status split(Survey *survey, size_t at, size_t n, tacos_error *err) {
    SurveyColumn *columns = realloc(survey->columns, (survey->n_columns + n) * sizeof *columns);
    if (!columns)
        return survey_no_memory(err);
    survey->columns = columns;
    for (size_t k = 0; k < n; k++) {
        TRY(make_column(survey, &columns[at], k, &columns[survey->n_columns], err));
        survey->n_columns++;
    }
    free(columns[at].values);
    columns[at] = columns[--survey->n_columns]; /* their order is made later */
    return TACOS_OK;
}

tacos_status survey_split_lists(Survey *survey, tacos_error *err) {
    for (size_t c = survey->n_configs ? survey->n_columns : 0; c > 0; c--) {
        size_t n = items_of(survey, &survey->columns[c - 1]);
        if (n > 0)
            TRY(split(survey, c - 1, n, err));
    }
    return TACOS_OK;
}
