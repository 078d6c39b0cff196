/* survey.h - compares the configurations of a store, each summarised over its seeds. */
#ifndef STORE_SURVEY_H
#define STORE_SURVEY_H

#include "base/status.h"
#include "tacos_lab.h"

#include <stdbool.h>

typedef struct SurveyConfig {
    int64_t id;    /* in the store */
    double silent; /* percent of the test samples at the end, mean over runs */
    double chance; /* tacos_experiment_chance */
    tacos_survey_row row;
} SurveyConfig;

/* A configuration to show. */
typedef struct SurveyRank {
    SurveyConfig *config;
    size_t at; /* index into configs, and into a column's values */
} SurveyRank;

/* One key over all configurations. */
typedef struct SurveyColumn {
    const char *key;
    const char **values; /* [n_configs]; "" where a configuration lacks an unknown key */
    size_t n_levels;
    tacos_survey_level *levels; /* [n_levels] */
    double share;
} SurveyColumn;

typedef struct SurveyTexts SurveyTexts;

typedef struct tacos_survey {
    SurveyTexts *texts; /* owns all strings */
    size_t n_configs;
    SurveyConfig *configs; /* [n_configs] by id, including those not shown */
    size_t n_rows, n_whole;
    SurveyRank *rows; /* [n_rows] best first; whole ones, then stopped ones */
    size_t n_columns;
    SurveyColumn *columns; /* [n_columns]; in the end only those that vary */
    size_t n_failures;
    const char **failures; /* [n_failures] */
} Survey;

/* ---- parts of survey_open ---- */

/* Fill in configs, columns and failures. */
tacos_status survey_read(Survey *survey, const char *store_path, tacos_error *err);
void survey_free_texts(Survey *survey);

/* A copy that lives as long as the survey, or NULL. */
const char *survey_keep_text(Survey *survey, const char *text);

/* Keys whose lists have the same length everywhere become columns like init_w[1]. */
tacos_status survey_split_lists(Survey *survey, tacos_error *err);

/* Fill in rows, unsorted, without those that a longer stream continues; mark the stopped ones. */
tacos_status survey_find_rows(Survey *survey, tacos_error *err);

/* Fill in levels and share of every column. */
tacos_status survey_find_levels(Survey *survey, tacos_error *err);

/* A point that is on the front unless another one dominates it. */
typedef struct FrontPoint {
    double x, y; /* larger is better */
    int *on;     /* set to 1 if no other is at least as good in both and better in one, else 0 */
} FrontPoint;

/* Sorts the points. */
void fronts_mark(FrontPoint *points, size_t n);

static inline tacos_status survey_no_memory(tacos_error *err) {
    return failure(err, TACOS_MEMORY, "no memory to read a store");
}

#endif
