/* survey_levels.c - the effect of a key: groups configurations by its value, or by ranges of it. */
#include "store/survey.h"

#include "base/decimal.h"
#include "lab/experiment.h"
#include "lab/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More distinct numbers than SINGLES_MAX are grouped into this many ranges. */
enum { SINGLES_MAX = 8, RANGES = 4 };

/* A whole configuration, as seen by one key. */
typedef struct Cell {
    const char *text;
    double number;
    size_t rank; /* breaks ties: order and sums depend only on the store */
    const tacos_survey_row *row;
} Cell;

static int by_rank(const Cell *a, const Cell *b) {
    return (a->rank > b->rank) - (a->rank < b->rank);
}

static int by_text(const void *a, const void *b) {
    int order = strcmp(((const Cell *)a)->text, ((const Cell *)b)->text);
    return order != 0 ? order : by_rank(a, b);
}

static int by_number(const void *a, const void *b) {
    const Cell *x = a, *y = b;
    if (x->number != y->number)
        return x->number > y->number ? 1 : -1;
    return by_text(a, b);
}

static bool read_number(Cell *cell) {
    char *end;
    cell->number = strtod(cell->text, &end);
    return end != cell->text && *end == '\0' && isfinite(cell->number);
}

/* Fill and sort the cells; are all of them numbers? */
static bool sort_cells(const Survey *survey, const SurveyColumn *column, Cell *cells) {
    size_t n = survey->n_whole;
    bool numbers = true;
    for (size_t i = 0; i < n; i++) {
        const SurveyRank *rank = &survey->rows[i];
        cells[i] = (Cell){.text = column->values[rank->at], .rank = i, .row = &rank->config->row};
        numbers = read_number(&cells[i]) && numbers;
    }
    qsort(cells, n, sizeof *cells, numbers ? by_number : by_text);
    return numbers;
}

/* The end of the cells with the same value as cells[from]. */
static size_t same_until(const Cell *cells, size_t n, size_t from) {
    size_t to = from + 1;
    while (to < n && strcmp(cells[to].text, cells[from].text) == 0)
        to++;
    return to;
}

static size_t count_values(const Cell *cells, size_t n) {
    size_t count = 0;
    for (size_t from = 0; from < n; from = same_until(cells, n, from))
        count++;
    return count;
}

/* The range of a value, by the middle of the cells that have it. */
static size_t range_of(size_t from, size_t to, size_t n) {
    return RANGES * (from + to) / (2 * n);
}

static size_t range_until(const Cell *cells, size_t n, size_t from) {
    size_t to = same_until(cells, n, from), range = range_of(from, to, n);
    while (to < n) {
        size_t next = same_until(cells, n, to);
        if (range_of(to, next, n) != range)
            break;
        to = next;
    }
    return to;
}

/* "0.04", "0.004 to 0.02", or as much of a long text as fits. */
static void write_label(char *out, size_t size, const Cell *first, const Cell *last) {
    if (strcmp(first->text, last->text) != 0)
        (void)snprintf(out, size, "%.6g to %.6g", first->number, last->number);
    else if (strlen(first->text) < size)
        strcpy(out, first->text);
    else
        (void)snprintf(out, size, "%.*s...", (int)size - 4, first->text);
}

/* scratch holds n numbers. */
static tacos_survey_level level_of(const Cell *cells, size_t n, double *scratch) {
    tacos_survey_level level = {.n_configs = n};
    write_label(level.label, sizeof level.label, &cells[0], &cells[n - 1]);
#define OVER_CONFIGS(metric)                                                                       \
    for (size_t i = 0; i < n; i++)                                                                 \
        scratch[i] = cells[i].row->metric.mean;                                                    \
    level.metric = metrics_summary(scratch, n)
    OVER_CONFIGS(MA);
    OVER_CONFIGS(A);
    OVER_CONFIGS(BWT);
#undef OVER_CONFIGS
    return level;
}

/* Sums of squares between levels and in total. Differences from one of the values are summed, so
 * that equal numbers give exactly 0. */
static double share_of(const SurveyColumn *column, const Cell *cells, size_t n) {
    double base = cells[0].row->MA.mean, sum = 0, total = 0, between = 0;
    for (size_t i = 0; i < n; i++)
        sum += cells[i].row->MA.mean - base;
    double mean = sum / (double)n;
    for (size_t l = 0, i = 0; l < column->n_levels; l++) {
        size_t n_level = column->levels[l].n_configs;
        double level = 0;
        for (size_t end = i + n_level; i < end; i++) {
            double d = cells[i].row->MA.mean - base - mean;
            level += d;
            total += d * d;
        }
        between += level * level / (double)n_level;
    }
    return total > 0 ? fmin(between / total, 1) : 0;
}

static tacos_status find_levels(SurveyColumn *column, const Survey *survey, Cell *cells,
                                double *scratch, tacos_error *err) {
    size_t n = survey->n_whole;
    bool numbers = sort_cells(survey, column, cells);
    size_t n_values = count_values(cells, n);
    bool ranges = numbers && n_values > SINGLES_MAX;
    column->levels = malloc((ranges ? RANGES : n_values) * sizeof *column->levels);
    if (!column->levels)
        return survey_no_memory(err);
    for (size_t from = 0, to; from < n; from = to) {
        to = ranges ? range_until(cells, n, from) : same_until(cells, n, from);
        column->levels[column->n_levels++] = level_of(cells + from, to - from, scratch);
    }
    column->share = share_of(column, cells, n);
    return TACOS_OK;
}

tacos_status survey_find_levels(Survey *survey, tacos_error *err) {
    if (survey->n_whole == 0)
        return TACOS_OK;
    Cell *cells = malloc(survey->n_whole * sizeof *cells);
    double *scratch = malloc(survey->n_whole * sizeof *scratch);
    tacos_status status = cells && scratch ? TACOS_OK : survey_no_memory(err);
    CLocale locale = c_locale_begin();
    for (size_t c = 0; c < survey->n_columns && status == TACOS_OK; c++)
        status = find_levels(&survey->columns[c], survey, cells, scratch, err);
    c_locale_end(&locale);
    free(cells);
    free(scratch);
    return status;
}

/* ---- lists: a key whose value is always a list of numbers gets a column per item ---- */

static size_t count_items(const char *list) {
    size_t n = 1;
    for (; *list; list++)
        n += *list == ',';
    return n;
}

/* The number of items in every value; 0 if lengths differ, or if some value is not a list of
 * numbers. */
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

/* One item of a list as a separate column. */
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
    columns[at] = columns[--survey->n_columns]; /* sorted later */
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
