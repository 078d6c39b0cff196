/* classifier.c - tacos_classifier: settings, its learner, answers. */
#include "stream/classifier.h"

#include "base/array.h"
#include "net/encode.h"
#include "net/removed.h"

#include <math.h>
#include <string.h>

/* ---- settings ---- */

static const KeyTable *const tables[] = {&stream_table, &params_table};

static tacos_status set_key(void *user, const char *name, const char *value, tacos_error *err) {
    Classifier *c = user;
    const Key *key = keys_find(stream_table, name);
    if (key)
        return key_set(key, &c->params, value, err);
    key = keys_find(params_table, name);
    TRY(removed_refuse(name, value, err));
    if (!key)
        return keys_fail_unknown(tables, 2, NULL, name, err);
    if (strcmp(name, "inputs") == 0 || strcmp(name, "column_group") == 0)
        return failure(err, TACOS_INVALID, "'%s' of a classifier follows from its samples", name);
    return key_set(key, &c->learner_params, value, err);
}

static const tacos_preset_info *find_preset(const char *name, tacos_preset_info *out) {
    for (size_t i = 0; tacos_preset(i, out); i++)
        if (!name || strcmp(out->name, name) == 0)
            return out;
    return NULL;
}

/* Of a model that cannot get more of them, where no key and no preset says how many. */
enum { OUTPUTS_UNTOLD = 10 };

static tacos_status fail_preset(const char *name, tacos_error *err) {
    const char *names[16] = {0};
    tacos_preset_info preset;
    for (size_t i = 0; i < 15 && tacos_preset(i, &preset); i++)
        names[i] = preset.name;
    const char *near = tacos_nearest(name, names);
    return failure(err, TACOS_UNKNOWN, "unknown preset '%.40s'%s%s%s", name,
                   near ? "; the nearest is '" : "", near ? near : "", near ? "'" : "");
}

tacos_status tacos_classifier_new(tacos_classifier **out, const char *preset, uint32_t seed,
                                  tacos_error *err) {
    tacos_preset_info found;
    *out = NULL;
    if (!find_preset(preset, &found))
        return fail_preset(preset, err);
    Classifier *c = calloc(1, sizeof *c);
    if (!c)
        return failure(err, TACOS_MEMORY, "no memory for a classifier");
    c->seed = seed;
    keys_defaults(stream_table, &c->params);
    params_defaults(&c->learner_params);
    c->learner_params.n_outputs = OUTPUTS_UNTOLD;
    judge_start(&c->judge);
    tacos_status status = keys_parse(found.settings, found.name, set_key, c, err);
    if (status != TACOS_OK) {
        tacos_classifier_free(c);
        return status;
    }
    *out = c;
    return TACOS_OK;
}

void tacos_classifier_free(tacos_classifier *c) {
    if (!c)
        return;
    warm_up_end(c);
    schema_free(&c->schema);
    names_free(&c->labels);
    tacos_learner_free(c->learner);
    free(c->label_samples);
    free(c->record);
    free(c->intensity);
    free(c->bits);
    free(c->chances);
    free(c->room);
    free(c);
}

tacos_status tacos_classifier_set(tacos_classifier *c, const char *key, const char *value,
                                  tacos_error *err) {
    if (c->n_seen > 0)
        return failure(err, TACOS_INVALID, "settings cannot change after the first sample");
    return set_key(c, key, value, err);
}

tacos_status tacos_classifier_get(const tacos_classifier *c, const char *name, char *buf,
                                  size_t size, tacos_error *err) {
    char value[KEY_VALUE_SIZE];
    const Key *key = keys_find(stream_table, name);
    if (!key)
        return params_get(c->learner ? &c->learner->net.params : &c->learner_params, name, buf,
                          size, err);
    key_get(key, &c->params, value);
    return text_give(value, buf, size, err);
}

tacos_status tacos_classifier_set_features(tacos_classifier *c, const char *const *names, size_t n,
                                           tacos_error *err) {
    if (c->n_seen > 0)
        return failure(err, TACOS_INVALID, "features cannot get names after the first sample");
    if (n == 0)
        return failure(err, TACOS_INVALID, "a sample needs at least one feature");
    Schema schema = {0};
    tacos_status status = schema_new(&schema, n, err);
    for (size_t i = 0; i < n && status == TACOS_OK; i++)
        status = names_add(&schema.names, names[i], err);
    if (status != TACOS_OK) {
        schema_free(&schema);
        return status;
    }
    schema_free(&c->schema);
    c->schema = schema;
    return TACOS_OK;
}

/* ---- memory ---- */

tacos_status classifier_make_room(Classifier *c, size_t n_labels, size_t n_inputs,
                                  tacos_error *err) {
    if (!array_grow(&c->record, &c->record_room, classifier_record_size(c), sizeof *c->record) ||
        !array_grow(&c->intensity, &c->intensity_room, n_inputs, sizeof *c->intensity) ||
        !array_grow(&c->bits, &c->bits_room, n_labels, sizeof *c->bits) ||
        !array_grow(&c->chances, &c->chances_room, n_labels, sizeof *c->chances) ||
        !array_grow(&c->room, &c->room_room, 2 * n_labels, sizeof *c->room) ||
        !array_grow(&c->label_samples, &c->label_samples_room, n_labels, sizeof *c->label_samples))
        return failure(err, TACOS_MEMORY, "no memory for %zu features, %zu inputs and %zu labels",
                       c->schema.n, n_inputs, n_labels);
    return TACOS_OK;
}

/* ---- the learner ---- */

/* Outputs come in powers of two, so that there are few changes. */
static size_t outputs_for(const Classifier *c) {
    size_t outputs = 2;
    if (!params_is_columns(&c->learner_params))
        return c->learner_params.n_outputs;
    while (outputs < c->labels.n)
        outputs *= 2;
    return outputs;
}

static void set_shape(const Encoder *encoder, Params *params) {
    params->n_inputs = encoder->n_inputs;
    params->columns.group = encoder->kind == ENCODER_TABLE ? encoder->fields : 1;
    if (encoder->kind == ENCODER_TABLE || encoder->height == 0)
        params->columns.shape = (Counts){0};
    else
        params->columns.shape =
            (Counts){.n = 3, .value = {encoder->height, encoder->width, encoder->channels}};
}

Params classifier_params(const Classifier *c, const Encoder *encoder) {
    Params params = c->learner_params;
    set_shape(encoder, &params);
    params.n_outputs = outputs_for(c);
    return params;
}

tacos_status classifier_new_learner(const Classifier *c, const Encoder *encoder, Learner **out,
                                    tacos_error *err) {
    Params params = classifier_params(c, encoder);
    if (params.n_inputs > FEATURES_MAX)
        return failure(err, TACOS_RANGE, "%zu features become %zu inputs; at most %d are possible",
                       c->schema.n, params.n_inputs, FEATURES_MAX);
    TRY(learner_new(out, &params, c->seed, NULL, err));
    (*out)->view.wants_novelty = true;
    return TACOS_OK;
}

tacos_status classifier_absorb(Classifier *c, const double *record, long label, tacos_error *err) {
    encoder_encode(&c->encoder, &c->schema, record, c->intensity);
    if (label != NO_LABEL)
        TRY(tacos_learner_learn(c->learner, c->intensity, c->encoder.n_inputs, (size_t)label, err));
    schema_remember(&c->schema, &c->params.trends, record);
    return TACOS_OK;
}

/* ---- evidence ---- */

Evidence classifier_columns_evidence(Classifier *c) {
    const ColumnsScratch *view = &c->learner->view;
    for (size_t k = 0; k < c->labels.n; k++)
        c->bits[k] = (double)view->score[k] / (1 << LOG_SHIFT);
    return (Evidence){.bits = c->bits,
                      .n = c->labels.n,
                      .has_novelty = true,
                      .disagreement = (double)view->novelty.disagreement,
                      .unlikeness = (double)view->novelty.unlikeness};
}

static Evidence spiking_evidence(Classifier *c, const uint32_t *counts) {
    for (size_t k = 0; k < c->labels.n; k++)
        c->bits[k] = counts[k];
    return (Evidence){.bits = c->bits, .n = c->labels.n};
}

tacos_status classifier_look(Classifier *c, uint64_t draw, Evidence *out, tacos_error *err) {
    tacos_prediction guess;
    *out = (Evidence){.bits = c->bits};
    if (!c->learner)
        return TACOS_OK;
    TRY(tacos_learner_predict(c->learner, c->intensity, c->encoder.n_inputs, draw, &guess, err));
    *out = learner_is_columns(c->learner) ? classifier_columns_evidence(c)
                                          : spiking_evidence(c, guess.counts);
    return TACOS_OK;
}

/* ---- answers ---- */

/* The novelty of any sample before the first label. */
static double nothing_known(const Classifier *c) {
    return params_is_columns(&c->learner_params) ? 1 : (double)NAN;
}

/* Nothing is like a sample without any intensity, such as silence. */
static bool is_blank(const Classifier *c) {
    for (size_t i = 0; i < c->encoder.n_inputs; i++)
        if (c->intensity[i] > 0)
            return false;
    return true;
}

void classifier_answer(const Classifier *c, const Evidence *evidence, bool in_stream,
                       tacos_answer *out) {
    Verdict verdict = judge_sample(&c->judge, evidence, c->label_samples, in_stream, c->chances);
    *out = (tacos_answer){.label = verdict.label,
                          .confidence = verdict.confidence,
                          .novelty = verdict.novelty,
                          .chances = c->chances};
    if (verdict.label == NO_LABEL)
        out->novelty = nothing_known(c);
    else if (evidence->has_novelty && is_blank(c))
        out->novelty = 1;
}

static tacos_status answer_only(Classifier *c, const tacos_sample *sample, bool in_stream,
                                tacos_answer *out, tacos_error *err) {
    Evidence evidence;
    if (c->n_seen > 0) {
        TRY(classifier_check(c, sample, err));
        TRY(classifier_take(c, sample, err));
    }
    TRY(classifier_look(c, in_stream ? c->n_learned : 0, &evidence, err));
    classifier_answer(c, &evidence, in_stream && c->params.context == CONTEXT_REPEAT, out);
    return TACOS_OK;
}

tacos_status tacos_classifier_predict(tacos_classifier *c, const tacos_sample *sample,
                                      tacos_answer *out, tacos_error *err) {
    return answer_only(c, sample, false, out, err);
}

tacos_status tacos_classifier_predict_next(tacos_classifier *c, const tacos_sample *sample,
                                           tacos_answer *out, tacos_error *err) {
    return answer_only(c, sample, true, out, err);
}

tacos_status tacos_classifier_encode(tacos_classifier *c, const tacos_sample *sample,
                                     const float **out, size_t *n, tacos_error *err) {
    if (c->encoder.n_inputs == 0)
        return failure(err, TACOS_INVALID,
                       "how features are encoded is decided by the first samples");
    TRY(classifier_check(c, sample, err));
    TRY(classifier_take(c, sample, err));
    *out = c->intensity;
    *n = c->encoder.n_inputs;
    return TACOS_OK;
}
