/* survey_read.c - reads the rows and keys of a store into configurations and columns. */
#include "store/survey.h"

#include "base/array.h"
#include "lab/results.h"
#include "net/removed.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

/* Averaged over the runs of a configuration. */
typedef struct RunFigures {
    tacos_metrics final;
    double memory_overhead, model_bytes, operations, seconds, silent;
} RunFigures;

typedef struct Reader {
    Survey *survey;
    size_t n_runs;
    RunFigures *runs; /* [n_runs] complete ones of the current configuration */
    double *scratch;  /* [n_runs] */
    size_t config_room, failure_room, column_room, run_room, scratch_room;
    SurveyConfig *config; /* whose keys are being read */
    size_t next_column;   /* guess for the next key: all configurations list the same ones */
} Reader;

/* ---- memory ---- */

enum { TEXTS_BYTES = 1 << 16 };

struct SurveyTexts {
    SurveyTexts *next;
    size_t used, size;
    char bytes[];
};

void survey_free_texts(Survey *survey) {
    while (survey->texts) {
        SurveyTexts *next = survey->texts->next;
        free(survey->texts);
        survey->texts = next;
    }
}

const char *survey_keep_text(Survey *survey, const char *text) {
    SurveyTexts *texts = survey->texts;
    size_t n = strlen(text) + 1;
    if (!texts || texts->size - texts->used < n) {
        size_t size = n > TEXTS_BYTES ? n : TEXTS_BYTES;
        texts = malloc(sizeof *texts + size);
        if (!texts)
            return NULL;
        *texts = (SurveyTexts){.next = survey->texts, .size = size};
        survey->texts = texts;
    }
    char *copy = texts->bytes + texts->used;
    memcpy(copy, text, n);
    texts->used += n;
    return copy;
}

/* ---- runs ---- */

static double operations_of(const tacos_counters *c) {
    return c->samples > 0 ? (double)tacos_counters_operations(c) / (double)c->samples : 0;
}

static tacos_status add_run(Reader *reader, const StoreRow *row, tacos_error *err) {
    size_t n = reader->n_runs + 1;
    if (!array_grow(&reader->runs, &reader->run_room, n, sizeof *reader->runs) ||
        !array_grow(&reader->scratch, &reader->scratch_room, n, sizeof *reader->scratch))
        return survey_no_memory(err);
    reader->runs[reader->n_runs++] = (RunFigures){
        .final = row->final,
        .memory_overhead = row->memory_overhead,
        .model_bytes = (double)row->stats.model_bytes,
        .operations = operations_of(&row->stats.learning),
        .seconds = row->train_seconds + row->test_seconds,
        .silent = row->silent,
    };
    return TACOS_OK;
}

/* Summary of the figure at this offset in RunFigures. */
static tacos_summary summary_of(const Reader *reader, size_t offset) {
    for (size_t i = 0; i < reader->n_runs; i++)
        reader->scratch[i] = *(const double *)((const char *)&reader->runs[i] + offset);
    return metrics_summary(reader->scratch, reader->n_runs);
}

/* All rows of the current configuration have been seen. */
static void end_config(Reader *reader) {
    Survey *survey = reader->survey;
    if (reader->n_runs == 0)
        return;
    tacos_survey_row *row = &survey->configs[survey->n_configs - 1].row;
    row->n_runs = reader->n_runs;
#define SUMMARY(field)     summary_of(reader, offsetof(RunFigures, field))
#define METRIC(name, text) row->name = SUMMARY(final.name);
    TACOS_METRIC_MAP(METRIC)
    row->memory_overhead = SUMMARY(memory_overhead).mean;
    row->model_bytes = SUMMARY(model_bytes).mean;
    row->operations = SUMMARY(operations).mean;
    row->seconds = SUMMARY(seconds).mean;
    survey->configs[survey->n_configs - 1].silent = SUMMARY(silent).mean;
#undef METRIC
#undef SUMMARY
    reader->n_runs = 0;
}

static tacos_status begin_config(Reader *reader, const StoreRow *row, tacos_error *err) {
    Survey *survey = reader->survey;
    if (!array_grow(&survey->configs, &reader->config_room, survey->n_configs + 1,
                    sizeof *survey->configs))
        return survey_no_memory(err);
    SurveyConfig *config = &survey->configs[survey->n_configs];
    *config = (SurveyConfig){.id = row->config};
    config->row.experiment = survey_keep_text(survey, row->experiment);
    config->row.digest = survey_keep_text(survey, row->digest);
    if (!config->row.experiment || !config->row.digest)
        return survey_no_memory(err);
    survey->n_configs++;
    return TACOS_OK;
}

static tacos_status add_failure(Reader *reader, const char *why, tacos_error *err) {
    Survey *survey = reader->survey;
    if (!array_grow(&survey->failures, &reader->failure_room, survey->n_failures + 1,
                    sizeof *survey->failures))
        return survey_no_memory(err);
    const char *text = survey_keep_text(survey, why);
    if (!text)
        return survey_no_memory(err);
    survey->failures[survey->n_failures++] = text;
    return TACOS_OK;
}

static tacos_status on_row(void *user, const StoreRow *row, tacos_error *err) {
    Reader *reader = user;
    Survey *survey = reader->survey;
    if (survey->n_configs == 0 || survey->configs[survey->n_configs - 1].id != row->config) {
        end_config(reader);
        TRY(begin_config(reader, row, err));
    }
    tacos_survey_row *config = &survey->configs[survey->n_configs - 1].row;
    if (strcmp(row->status, "complete") == 0) {
        config->n_tasks = row->n_tasks;
        return add_run(reader, row, err);
    }
    if (strcmp(row->status, "failed") == 0) {
        config->n_failed++;
        return add_failure(reader, row->error, err);
    }
    config->n_planned++;
    return TACOS_OK;
}

/* ---- keys ---- */

static int by_id(const void *a, const void *b) {
    const SurveyConfig *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* The column of a key, added if missing; NULL if out of memory. */
static SurveyColumn *find_column(Reader *reader, const char *key) {
    Survey *survey = reader->survey;
    size_t n = survey->n_columns, at = reader->next_column;
    if (at >= n || strcmp(survey->columns[at].key, key) != 0)
        for (at = 0; at < n && strcmp(survey->columns[at].key, key) != 0;)
            at++;
    reader->next_column = at + 1;
    if (at < n)
        return &survey->columns[at];
    if (!array_grow(&survey->columns, &reader->column_room, n + 1, sizeof *survey->columns))
        return NULL;
    SurveyColumn *columns = survey->columns;
    columns[n] = (SurveyColumn){
        .key = survey_keep_text(survey, key),
        .values = calloc(survey->n_configs, sizeof *columns[n].values),
    };
    if (!columns[n].key || !columns[n].values) {
        free(columns[n].values);
        return NULL;
    }
    survey->n_columns++;
    return &columns[n];
}

static tacos_status on_key(void *user, int64_t config, const char *key, const char *value,
                           tacos_error *err) {
    Reader *reader = user;
    Survey *survey = reader->survey;
    if (experiment_derives(key) || removed_setting(key, value) == REMOVED_DEFAULT)
        return TACOS_OK;
    if (!reader->config || reader->config->id != config)
        reader->config = bsearch(&(SurveyConfig){.id = config}, survey->configs, survey->n_configs,
                                 sizeof *survey->configs, by_id);
    if (!reader->config) /* none of its runs existed a moment ago */
        return TACOS_OK;
    SurveyColumn *column = find_column(reader, key);
    if (!column)
        return survey_no_memory(err);
    /* Neighbours mostly share the value. */
    size_t i = (size_t)(reader->config - survey->configs);
    const char *before = i > 0 ? column->values[i - 1] : NULL;
    column->values[i] =
        before && strcmp(before, value) == 0 ? before : survey_keep_text(survey, value);
    return column->values[i] ? TACOS_OK : survey_no_memory(err);
}

/* The value that a configuration from before this key implies. */
static void default_of(const char *name, char *out) {
    Experiment defaults;
    ExperimentKey found;
    out[0] = '\0';
    if (!experiment_key(name, &found))
        return;
    experiment_defaults(&defaults);
    key_get(found.key, (const char *)&defaults + found.offset, out);
}

static tacos_status fill_gaps(Survey *survey, tacos_error *err) {
    char text[KEY_VALUE_SIZE];
    for (size_t c = 0; c < survey->n_columns; c++) {
        SurveyColumn *column = &survey->columns[c];
        default_of(column->key, text);
        const char *value = survey_keep_text(survey, text);
        if (!value)
            return survey_no_memory(err);
        for (size_t i = 0; i < survey->n_configs; i++)
            if (!column->values[i])
                column->values[i] = value;
    }
    return TACOS_OK;
}

/* ---- all ---- */

static tacos_status read_all(Reader *reader, Store *store, tacos_error *err) {
    Survey *survey = reader->survey;
    TRY(store_each_row(store, on_row, reader, err));
    end_config(reader);
    if (survey->n_configs == 0)
        return TACOS_OK;
    qsort(survey->configs, survey->n_configs, sizeof *survey->configs, by_id);
    TRY(store_each_key(store, on_key, reader, err));
    return fill_gaps(survey, err);
}

tacos_status survey_read(Survey *survey, const char *store_path, tacos_error *err) {
    Store *store;
    Reader reader = {.survey = survey};
    TRY(store_open_to_read(&store, store_path, err));
    tacos_status status = read_all(&reader, store, err);
    store_close(store);
    free(reader.runs);
    free(reader.scratch);
    return status;
}
