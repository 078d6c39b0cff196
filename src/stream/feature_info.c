/* feature_info.c - what a classifier tells about its features. */
#include "stream/classifier.h"

static size_t inputs_of(const Classifier *c, const Feature *feature) {
    const Encoder *e = &c->encoder;
    if (e->kind == ENCODER_SPECTROGRAM)
        return e->n_inputs;
    return e->kind == ENCODER_TABLE ? e->fields * encoder_groups(e, feature, c->schema.n_trends)
                                    : 1;
}

static const char *kind_of(const Classifier *c, const Feature *feature) {
    static const char *const kinds[] = {[FEATURE_UNDECIDED] = "undecided",
                                        [FEATURE_NUMBER] = "number",
                                        [FEATURE_CATEGORY] = "category"};
    return c->params.encoder == ENCODER_SPECTROGRAM ? "sound" : kinds[feature->kind];
}

int tacos_classifier_feature(const tacos_classifier *c, size_t i, tacos_feature_info *out) {
    if (i >= c->schema.n)
        return 0;
    const Feature *feature = &c->schema.feature[i];
    *out = (tacos_feature_info){.name = i < c->schema.names.n ? c->schema.names.name[i] : NULL,
                                .kind = kind_of(c, feature),
                                .low = feature->low,
                                .high = feature->high,
                                .n_categories = feature->categories.n};
    if (c->encoder.n_inputs == 0)
        return 1;
    for (size_t k = 0; k < i; k++)
        out->first_input += inputs_of(c, &c->schema.feature[k]);
    out->n_inputs = inputs_of(c, feature);
    return 1;
}

const char *tacos_classifier_category(const tacos_classifier *c, size_t feature, size_t category) {
    if (feature >= c->schema.n || category >= c->schema.feature[feature].categories.n)
        return NULL;
    return c->schema.feature[feature].categories.name[category];
}
