/* schema.c - see schema.h. */
#include "stream/schema.h"

#include "base/array.h"
#include "base/exact.h"
#include "base/pack_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the values of a feature, so many are below low, and as many above high. */
static const double TAIL = 0.02;
/* After warming up, low and high move by this fraction of their distance, at most. */
static const double FOLLOW = 0.002;

/* ---- making ---- */

/* One more, with its trends; false without memory. */
static bool add_feature(Schema *schema) {
    size_t n = schema->n, n_trends = schema->n_trends;
    if (!array_grow(&schema->feature, &schema->feature_room, n + 1, sizeof *schema->feature) ||
        !array_grow(&schema->trends, &schema->trends_room, (n + 1) * n_trends,
                    sizeof *schema->trends))
        return false;
    schema->feature[n] = (Feature){0};
    for (size_t k = 0; k < n_trends; k++)
        schema->trends[n * n_trends + k] = (Trend){0};
    schema->n++;
    return true;
}

tacos_status schema_new(Schema *schema, size_t n, tacos_error *err) {
    if (n > FEATURES_MAX)
        return failure(err, TACOS_RANGE, "a sample of %zu features is too large; at most %d", n,
                       FEATURES_MAX);
    while (schema->n < n)
        if (!add_feature(schema)) {
            schema_free(schema);
            return failure(err, TACOS_MEMORY, "no memory for %zu features", n);
        }
    return TACOS_OK;
}

/* Records of a signal that are kept: all of a sample but the last. */
static size_t past_records(const StreamParams *params) {
    return params->encoder == ENCODER_SIGNAL ? params->window - 1 : 0;
}

tacos_status schema_begin_past(Schema *schema, const StreamParams *params, tacos_error *err) {
    History history;
    size_t n_trends = params->trends.n, n = schema->n * n_trends;
    TRY(history_new(&history, past_records(params), schema->n, err));
    Trend *trends = n > 0 ? calloc(n, sizeof *trends) : NULL;
    if (n > 0 && !trends) {
        history_free(&history);
        return failure(err, TACOS_MEMORY, "no memory for trends of %zu features", schema->n);
    }
    history_free(&schema->history);
    schema->history = history;
    free(schema->trends);
    schema->trends = trends;
    schema->trends_room = n;
    schema->n_trends = n_trends;
    return TACOS_OK;
}

void schema_free(Schema *schema) {
    for (size_t i = 0; i < schema->n; i++)
        names_free(&schema->feature[i].categories);
    free(schema->feature);
    free(schema->trends);
    history_free(&schema->history);
    names_free(&schema->names);
    *schema = (Schema){0};
}

const char *feature_text(const Schema *schema, size_t i, char buf[FEATURE_TEXT_SIZE]) {
    if (i < schema->names.n)
        (void)snprintf(buf, FEATURE_TEXT_SIZE, "feature '%.40s'", schema->names.name[i]);
    else
        (void)snprintf(buf, FEATURE_TEXT_SIZE, "feature %zu", i + 1);
    return buf;
}

/* ---- samples ---- */

static const char *text_of(const tacos_sample *sample, size_t i) {
    return sample->texts ? sample->texts[i] : NULL;
}

static FeatureKind kind_of(const tacos_sample *sample, size_t i) {
    if (text_of(sample, i))
        return FEATURE_CATEGORY;
    return isnan(sample->numbers[i]) ? FEATURE_UNDECIDED : FEATURE_NUMBER;
}

tacos_status schema_check(const Schema *schema, const tacos_sample *sample, tacos_error *err) {
    char name[FEATURE_TEXT_SIZE];
    if (sample->n != schema->n)
        return failure(err, TACOS_INVALID, "a sample of %zu features was given; the first had %zu",
                       sample->n, schema->n);
    for (size_t i = 0; i < sample->n; i++) {
        FeatureKind kind = kind_of(sample, i), before = schema->feature[i].kind;
        if (kind == FEATURE_CATEGORY && before == FEATURE_NUMBER)
            return failure(err, TACOS_INVALID, "%s is '%.40s'; it was a number before",
                           feature_text(schema, i, name), text_of(sample, i));
        if (kind == FEATURE_NUMBER && before == FEATURE_CATEGORY)
            return failure(err, TACOS_INVALID, "%s is a number; it was a category before",
                           feature_text(schema, i, name));
        if (kind == FEATURE_NUMBER && isinf(sample->numbers[i]))
            return failure(err, TACOS_RANGE, "%s is infinite", feature_text(schema, i, name));
        if (kind == FEATURE_CATEGORY && strlen(text_of(sample, i)) > NAME_LONGEST)
            return failure(err, TACOS_RANGE, "%s is too long for a category: at most %d bytes",
                           feature_text(schema, i, name), NAME_LONGEST);
    }
    return TACOS_OK;
}

tacos_status schema_meet_categories(Schema *schema, const tacos_sample *sample, size_t most,
                                    tacos_error *err) {
    for (size_t i = 0; i < sample->n; i++) {
        Feature *feature = &schema->feature[i];
        const char *text = text_of(sample, i);
        if (!text || feature->categories.n >= most || names_find(&feature->categories, text) >= 0)
            continue;
        TRY(names_add(&feature->categories, text, err));
        feature->has_new_category = schema->has_new = true;
    }
    return TACOS_OK;
}

bool schema_meet_kinds(Schema *schema, const tacos_sample *sample) {
    bool any = false;
    for (size_t i = 0; i < sample->n; i++) {
        Feature *feature = &schema->feature[i];
        if (feature->kind != FEATURE_UNDECIDED)
            continue;
        feature->kind = kind_of(sample, i);
        feature->has_new_kind = feature->kind != FEATURE_UNDECIDED;
        any = any || feature->has_new_kind;
    }
    schema->has_new = schema->has_new || any;
    return any;
}

void schema_settle(Schema *schema, bool keep) {
    for (size_t i = 0; i < schema->n && schema->has_new; i++) {
        Feature *feature = &schema->feature[i];
        if (feature->has_new_category && !keep)
            names_keep(&feature->categories, feature->categories.n - 1);
        if (feature->has_new_kind && !keep)
            feature->kind = FEATURE_UNDECIDED;
        feature->has_new_category = feature->has_new_kind = false;
    }
    schema->has_new = false;
}

void schema_record(const Schema *schema, const tacos_sample *sample, size_t most, double *record) {
    for (size_t i = 0; i < sample->n; i++) {
        const Feature *feature = &schema->feature[i];
        const char *text = text_of(sample, i);
        long known = text ? names_find(&feature->categories, text) : NO_NAME;
        if (!text)
            record[i] = sample->numbers[i];
        else if (feature->kind != FEATURE_CATEGORY)
            record[i] = (double)NAN;
        else if (known != NO_NAME)
            record[i] = (double)known;
        else
            record[i] = feature->categories.n == most ? (double)most : (double)NAN;
    }
}

/* ---- scales ---- */

static int compare_reals(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

void schema_measure(Schema *schema, const double *records, size_t n_rows, double *room) {
    for (size_t i = 0; i < schema->n; i++) {
        Feature *feature = &schema->feature[i];
        size_t n = 0;
        for (size_t r = 0; r < n_rows; r++)
            if (!isnan(records[r * schema->n + i]))
                room[n++] = records[r * schema->n + i];
        if (n == 0)
            continue;
        qsort(room, n, sizeof *room, compare_reals);
        size_t tail = (size_t)(TAIL * (double)n);
        feature->low = room[tail];
        feature->high = room[n - 1 - tail];
    }
}

/* A running quantile: it goes down by much if little should be below it, and so on; the steps are
 * in balance where a fraction `part` of all values is below. */
static double follow(double quantile, double value, double part, double step) {
    if (value < quantile)
        return quantile - step * (1 - part);
    return value > quantile ? quantile + step * part : quantile;
}

void schema_follow(Schema *schema, const double *record) {
    for (size_t i = 0; i < schema->n; i++) {
        Feature *feature = &schema->feature[i];
        double step = FOLLOW * (feature->high / 2 - feature->low / 2) * 2;
        if (feature->kind != FEATURE_NUMBER || isnan(record[i]))
            continue;
        if (!(step > 0)) /* constant so far: what differs becomes the other end */
            step = fabs(record[i] / 2 - feature->low / 2) * 2;
        double low = follow(feature->low, record[i], TAIL, step);
        double high = follow(feature->high, record[i], 1 - TAIL, step);
        if (low < high && isfinite(low) && isfinite(high)) {
            feature->low = low;
            feature->high = high;
        }
    }
}

/* ---- what came before ---- */

void schema_forget(Schema *schema) {
    history_clear(&schema->history);
    for (size_t k = 0; k < schema->n * schema->n_trends; k++)
        schema->trends[k] = (Trend){0};
}

/* Means over all values at first, then over about tau (the spread: 1,000) of the last ones. */
static void trend_follow(Trend *trend, double tau, double value) {
    const double spread_tau = 1000;
    double n = (double)++trend->n;
    if (trend->n == 1)
        trend->mean = value;
    double away = value / 2 - trend->mean / 2;
    trend->spread += (fabs(away) - trend->spread) / (n < spread_tau ? n : spread_tau);
    trend->mean += 2 * (away / (n < tau ? n : tau));
}

void schema_remember(Schema *schema, const Counts *taus, const double *record) {
    history_add(&schema->history, record);
    for (size_t i = 0; i < schema->n; i++)
        for (size_t k = 0; k < schema->n_trends; k++)
            if (schema->feature[i].kind == FEATURE_NUMBER && !isnan(record[i]))
                trend_follow(schema_trend(schema, i, k), (double)taus->value[k], record[i]);
}

/* Three times the mean distance is the end of the scale. */
double trend_place(const Trend *trend, double value) {
    double away = value / 2 - trend->mean / 2, end = 6 * trend->spread;
    if (!(end > 0))
        return 0.5;
    double place = 0.5 + away / end;
    return place < 0 ? 0 : place > 1 ? 1 : place;
}

/* ---- keeping ---- */

size_t schema_bytes(const Schema *schema) {
    size_t sum =
        names_bytes(&schema->names) + schema->history.length * schema->history.n * sizeof(double);
    for (size_t i = 0; i < schema->n; i++)
        sum += 1 + 2 * sizeof(double) + names_bytes(&schema->feature[i].categories) +
               schema->n_trends * sizeof(Trend);
    return sum;
}

static bool feature_holds(const Feature *feature) {
    return isfinite(feature->low) && isfinite(feature->high) && feature->low <= feature->high &&
           feature->kind <= FEATURE_CATEGORY &&
           (feature->categories.n == 0 || feature->kind == FEATURE_CATEGORY);
}

static bool move_trend(Trend *trend, Pack *pack) {
    trend->mean = pack_real(pack, trend->mean);
    trend->spread = pack_real(pack, trend->spread);
    trend->n = pack_whole(pack, trend->n, 8);
    return isfinite(trend->mean) && isfinite(trend->spread) && trend->spread >= 0;
}

static bool move_feature(Schema *schema, size_t i, size_t most_categories, Pack *pack) {
    Feature *feature = &schema->feature[i];
    feature->kind = (FeatureKind)pack_whole(pack, feature->kind, 1);
    feature->low = pack_real(pack, feature->low);
    feature->high = pack_real(pack, feature->high);
    bool good = names_move(&feature->categories, most_categories, pack) && feature_holds(feature);
    for (size_t k = 0; good && k < schema->n_trends; k++)
        good = move_trend(schema_trend(schema, i, k), pack);
    return good && !pack->failed;
}

bool schema_move(Schema *schema, const StreamParams *past, size_t most_categories, Pack *pack) {
    size_t n = (size_t)pack_whole(pack, schema->n, 4);
    if (n > FEATURES_MAX || (past && n == 0) || !names_move(&schema->names, n, pack) ||
        (schema->names.n > 0 && schema->names.n != n))
        return false;
    if (!pack->writing)
        schema->n_trends = past ? past->trends.n : 0;
    for (size_t i = 0; i < n; i++) {
        pack->no_memory = !pack->writing && !add_feature(schema);
        if (pack->no_memory || !move_feature(schema, i, most_categories, pack))
            return false;
    }
    return !past || history_move(&schema->history, past_records(past), n, pack);
}
