/* classifier_info.c - what a classifier tells about itself. */
#include "stream/classifier.h"

size_t tacos_classifier_n_labels(const tacos_classifier *c) {
    return c->labels.n;
}

const char *tacos_classifier_label(const tacos_classifier *c, size_t label) {
    return label < c->labels.n ? c->labels.name[label] : NULL;
}

uint64_t tacos_classifier_label_samples(const tacos_classifier *c, size_t label) {
    return label < c->labels.n ? c->label_samples[label] : 0;
}

tacos_learner *tacos_classifier_learner(const tacos_classifier *c) {
    return c->learner;
}

/* Everything that a file would have, but the settings. */
static size_t kept_bytes(const Classifier *c) {
    size_t sum = sizeof(Judge) + sizeof(Encoder) + schema_bytes(&c->schema) +
                 names_bytes(&c->labels) + c->labels.n * sizeof *c->label_samples +
                 c->warm_up.n * (classifier_record_size(c) * sizeof(double) + sizeof(long));
    return sum + (c->learner ? tacos_learner_stats_get(c->learner).model_bytes : 0);
}

tacos_classifier_info tacos_classifier_info_get(const tacos_classifier *c) {
    const Encoder *e = &c->encoder;
    bool known = c->n_seen > 0;
    return (tacos_classifier_info){
        .n_learned = c->n_learned,
        .n_seen = c->n_seen,
        .n_features = c->schema.n,
        .n_inputs = e->n_inputs,
        .n_labels = c->labels.n,
        .encoder = encoder_names[known ? e->kind : (EncoderKind)c->params.encoder],
        .height = known && e->kind != ENCODER_TABLE ? e->height : 0,
        .width = known && e->kind != ENCODER_TABLE ? e->width : 0,
        .channels = known && e->kind != ENCODER_TABLE ? e->channels : 0,
        .model_bytes = kept_bytes(c),
        .workspace_bytes = c->learner ? tacos_learner_stats_get(c->learner).workspace_bytes : 0,
        .warming_up = !c->warm_up.over,
    };
}
