/* schema.h - what is known of each feature of a stream: its name, whether it is a number or a
 * category, which categories it had, its scale, and its recent means. */
#ifndef STREAM_SCHEMA_H
#define STREAM_SCHEMA_H

#include "stream/history.h"
#include "stream/names.h"
#include "stream/params.h"
#include "tacos_stream.h"

typedef enum FeatureKind { FEATURE_UNDECIDED, FEATURE_NUMBER, FEATURE_CATEGORY } FeatureKind;

/* The mean of recent values and their mean distance from it. */
typedef struct Trend {
    double mean, spread;
    uint64_t n; /* values so far */
} Trend;

typedef struct Feature {
    FeatureKind kind;
    Names categories;
    double low, high; /* encoded as 0 and 1: nearly all values are between them */
    bool has_new_kind, has_new_category; /* since schema_settle */
} Feature;

enum { FEATURES_MAX = 1000000 }; /* as the inputs of a learner */

/* A record is a sample as doubles: numbers as they are, the numbers of categories, NaN for a
 * missing value, for a category never learned and for one of a feature not decided yet. If there
 * are more categories than are listed, the others have the number after the last. */
typedef struct Schema {
    size_t n, n_trends;
    Names names;      /* as many as features, or none */
    Feature *feature; /* [n] */
    Trend *trends;    /* [n][n_trends] */
    History history;  /* of a signal */
    size_t feature_room, trends_room;
    bool has_new; /* a feature has a new kind or category */
} Schema;

/* There is one if k < n_trends. */
static inline Trend *schema_trend(const Schema *schema, size_t i, size_t k) {
    return &schema->trends[i * schema->n_trends + k];
}

/* Features of which nothing is known, in an empty schema; without a past. */
tacos_status schema_new(Schema *schema, size_t n, tacos_error *err);
void schema_free(Schema *schema);

/* Begin with the past that an encoder needs: trends of each feature, the last records of a signal.
 * On error nothing changes. */
tacos_status schema_begin_past(Schema *schema, const StreamParams *params, tacos_error *err);

/* "feature 3", or its name in quotes. */
enum { FEATURE_TEXT_SIZE = 64 };
const char *feature_text(const Schema *schema, size_t i, char buf[FEATURE_TEXT_SIZE]);

/* Whether a sample fits: as many features, each of the kind that it had before. */
tacos_status schema_check(const Schema *schema, const tacos_sample *sample, tacos_error *err);

/* After schema_check: learn new categories, up to `most` of a feature, which fails without memory;
 * and the kinds of features not seen before, true if there are any. */
tacos_status schema_meet_categories(Schema *schema, const tacos_sample *sample, size_t most,
                                    tacos_error *err);
bool schema_meet_kinds(Schema *schema, const tacos_sample *sample);

/* What was met since the last call is kept, or forgotten. */
void schema_settle(Schema *schema, bool keep);

/* A sample as a record. */
void schema_record(const Schema *schema, const tacos_sample *sample, size_t most, double *record);

/* ---- scales ---- */

/* Low and high of every number, from n_rows records; `room` has space for n_rows doubles. */
void schema_measure(Schema *schema, const double *records, size_t n_rows, double *room);

/* After warming up they follow the stream slowly. */
void schema_follow(Schema *schema, const double *record);

/* ---- what came before ---- */

void schema_forget(Schema *schema);
void schema_remember(Schema *schema, const Counts *taus, const double *record);

/* How far a value is from the recent mean, on a scale of 0 to 1; 0.5 is the mean itself. */
double trend_place(const Trend *trend, double value);

/* Bytes that are kept, and all of it to or from a file: an empty schema takes memory only for the
 * bytes that it reads. False if what is read is no schema with this past, which is NULL before the
 * first sample, and these categories. */
size_t schema_bytes(const Schema *schema);
bool schema_move(Schema *schema, const StreamParams *past, size_t most_categories, Pack *pack);

#endif
