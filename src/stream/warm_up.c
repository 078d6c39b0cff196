/* warm_up.c - the first samples of a stream: they are kept, and learned again each time that the
 * scales of features have been measured on half as many more of them. */
#include "stream/classifier.h"

#include "base/array.h"

tacos_status warm_up_add(Classifier *c, long label, tacos_error *err) {
    WarmUp *w = &c->warm_up;
    size_t n = classifier_record_size(c);
    if (!array_grow(&w->records, &w->records_room, (w->n + 1) * n, sizeof *w->records) ||
        !array_grow(&w->labels, &w->labels_room, w->n + 1, sizeof *w->labels))
        return failure(err, TACOS_MEMORY, "no memory for the first %zu samples", w->n + 1);
    memcpy(w->records + w->n * n, c->record, n * sizeof *w->records);
    w->labels[w->n++] = label;
    return TACOS_OK;
}

/* Scales are measured after 1, 2, 3, 4, 6, 8, 12, ... samples and the last one. */
static bool is_due(const Classifier *c) {
    size_t n = c->warm_up.n, power = 1;
    while (2 * power <= n)
        power *= 2;
    return n == power || n == power + power / 2 || n >= c->params.warm_up;
}

/* ---- encoder ---- */

static bool all_numbers(const Schema *schema) {
    for (size_t i = 0; i < schema->n; i++)
        if (schema->feature[i].kind != FEATURE_NUMBER)
            return false;
    return true;
}

/* The shape that the learner was told, as an image. */
static bool take_shape(const Classifier *c, Encoder *encoder) {
    const Counts *shape = &c->learner_params.columns.shape;
    if (shape->n < 2)
        return false;
    encoder->height = shape->value[0];
    encoder->width = shape->value[1];
    encoder->channels = shape->n > 2 ? shape->value[2] : 1;
    return true;
}

static bool is_image(const Classifier *c, Encoder *encoder) {
    const WarmUp *w = &c->warm_up;
    int wanted = c->params.encoder;
    if (wanted == ENCODER_TABLE || (wanted == ENCODER_AUTO && !all_numbers(&c->schema)))
        return false;
    if (take_shape(c, encoder))
        return true;
    bool looks_so = encoder_is_image(w->records, w->n, c->schema.n, encoder);
    if (wanted == ENCODER_IMAGE && encoder->channels == 0) { /* pixels without a shape */
        encoder->height = 1;
        encoder->width = c->schema.n;
        encoder->channels = 1;
    }
    return looks_so || wanted == ENCODER_IMAGE;
}

static Encoder choose_encoder(const Classifier *c) {
    const WarmUp *w = &c->warm_up;
    size_t n = c->schema.n;
    Encoder encoder = {0};
    if (c->params.encoder == ENCODER_NONE) {
        (void)take_shape(c, &encoder);
        encoder_none(&encoder, n);
    } else if (c->params.encoder == ENCODER_SIGNAL)
        encoder_signal(&encoder, n, c->params.window);
    else if (c->params.encoder == ENCODER_SPECTROGRAM)
        encoder_spectrogram(&encoder, c->params.bands, c->params.frames);
    else if (is_image(c, &encoder))
        encoder_image(&encoder, w->records, w->n, n);
    else
        encoder_table(&encoder, &c->schema, &c->params);
    return encoder;
}

/* ---- again ---- */

/* All that encoding and learning anew needs; *learner is NULL if there are no labels. */
static tacos_status prepare(Classifier *c, const Encoder *encoder, Learner **learner, double **room,
                            tacos_error *err) {
    *learner = NULL;
    *room = malloc(c->warm_up.n * sizeof **room);
    if (!*room)
        return failure(err, TACOS_MEMORY, "no memory to measure %zu samples", c->warm_up.n);
    /* No more labels than there is room for: evidence stays where it is. */
    tacos_status status = classifier_make_room(c, c->labels.n, encoder->n_inputs, err);
    if (status == TACOS_OK && c->labels.n > 0)
        status = classifier_new_learner(c, encoder, learner, err);
    if (status != TACOS_OK)
        free(*room);
    return status;
}

/* Measure scales, and learn all samples so far with a new encoder and a new learner. */
static tacos_status restart(Classifier *c, tacos_error *err) {
    const WarmUp *w = &c->warm_up;
    Encoder encoder = choose_encoder(c);
    Learner *learner;
    double *room;
    TRY(prepare(c, &encoder, &learner, &room, err));
    if (encoder.kind != ENCODER_SPECTROGRAM) /* which has intensities already */
        schema_measure(&c->schema, w->records, w->n, room);
    free(room);
    c->encoder = encoder;
    tacos_learner_free(c->learner);
    c->learner = learner;
    schema_forget(&c->schema);
    for (size_t k = 0; k < w->n; k++)
        TRY(classifier_absorb(c, w->records + k * classifier_record_size(c), w->labels[k], err));
    return TACOS_OK;
}

tacos_status warm_up_learn(Classifier *c, long label, bool again, tacos_error *err) {
    size_t outputs = c->learner ? c->learner->net.params.n_outputs : 0;
    TRY(warm_up_add(c, label, err));
    if (again || c->labels.n > outputs || is_due(c))
        TRY(restart(c, err));
    else
        TRY(classifier_absorb(c, c->record, label, err));
    if (c->warm_up.n >= c->params.warm_up)
        warm_up_end(c);
    return TACOS_OK;
}

void warm_up_end(Classifier *c) {
    free(c->warm_up.records);
    free(c->warm_up.labels);
    c->warm_up = (WarmUp){.over = true};
    for (size_t i = 0; i < c->schema.n; i++)
        if (c->schema.feature[i].kind == FEATURE_UNDECIDED)
            c->schema.feature[i].kind = FEATURE_NUMBER;
}
