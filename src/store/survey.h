/* survey.h - the configurations of a store compared, each summarized over its seeds. */
#ifndef STORE_SURVEY_H
#define STORE_SURVEY_H

#include "base/status.h"
#include "tacos_lab.h"

#include <stdbool.h>

typedef struct SurveyConfig {
    int64_t id;    /* in the store */
    double silent; /* percent of the test samples in the end, mean over runs */
    tacos_survey_row row;
} SurveyConfig;

/* A configuration that is shown. */
typedef struct SurveyRank {
    SurveyConfig *config;
    size_t at; /* its place among the configs, and in a column's values */
} SurveyRank;

/* One key in all configurations. */
typedef struct SurveyColumn {
    const char *key;
    const char **values; /* [n_configs]; "" where a configuration says nothing of an unknown key */
    size_t n_levels;
    tacos_survey_level *levels; /* [n_levels] */
    double share;
} SurveyColumn;

typedef struct SurveyTexts SurveyTexts;

typedef struct tacos_survey {
    SurveyTexts *texts; /* what all the pointers to char point to */
    size_t n_configs;
    SurveyConfig *configs; /* [n_configs] by id, also those that are no rows */
    size_t n_rows, n_whole;
    SurveyRank *rows; /* [n_rows] the best first; whole ones, then stopped ones */
    size_t n_columns;
    SurveyColumn *columns; /* [n_columns] once all is done those that vary */
    size_t n_failures;
    const char **failures; /* [n_failures] */
} Survey;

/* See tacos_lab.h; NULL, false or 0 past the end. */

/* ---- parts of survey_open ---- */

/* Fill in configs, columns and failures. */
tacos_status survey_read(Survey *survey, const char *store_path, tacos_error *err);
void survey_free_texts(Survey *survey);

/* A copy that lasts as long as the survey, or NULL. */
const char *survey_keep_text(Survey *survey, const char *text);

/* Lists of as many numbers everywhere become columns like init_w[1]. */
tacos_status survey_split_lists(Survey *survey, tacos_error *err);

/* Fill in rows, in no order, without those that a longer stream continues; mark the stopped. */
tacos_status survey_find_rows(Survey *survey, tacos_error *err);

/* Fill in levels and share of every column. */
tacos_status survey_find_levels(Survey *survey, tacos_error *err);

/* What no other beats, where there are two things to want. */
typedef struct FrontPoint {
    double x, y; /* of both, more is better */
    int *on;     /* set to 1 if no other is at least as good in both and better in one, else 0 */
} FrontPoint;

/* The points are sorted by it. */
void fronts_mark(FrontPoint *points, size_t n);

static inline tacos_status survey_no_memory(tacos_error *err) {
    return failure(err, TACOS_MEMORY, "no memory to read a store");
}

#endif
