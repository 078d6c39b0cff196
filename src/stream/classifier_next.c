/* classifier_next.c - tacos_classifier_next: a sample is checked, answered and learned, or refused
 * without a trace.
 *
 * What can fail comes first: checks, then memory for what the sample adds. The learner is replaced
 * last, and what follows cannot fail. Features, categories and labels that a sample added before a
 * failure are taken back. */
#include "stream/classifier.h"

#include <string.h>

/* ---- checks ---- */

static tacos_status check_label(const Classifier *c, const char *label, tacos_error *err) {
    if (!label || names_find(&c->labels, label) != NO_NAME)
        return TACOS_OK;
    if (label[0] == '\0')
        return failure(err, TACOS_INVALID, "a label must not be empty");
    if (strlen(label) > NAME_LONGEST)
        return failure(err, TACOS_RANGE, "a label is too long: at most %d bytes", NAME_LONGEST);
    if (c->labels.n >= c->params.labels_max)
        return failure(err, TACOS_RANGE, "label '%.40s' is one too many: labels_max is %zu", label,
                       c->params.labels_max);
    if (!params_is_columns(&c->learner_params) && c->labels.n >= c->learner_params.n_outputs)
        return failure(err, TACOS_RANGE,
                       "label '%.40s' is one too many: this model has a fixed number of outputs, "
                       "outputs = %zu",
                       label, c->learner_params.n_outputs);
    return TACOS_OK;
}

/* The first sample says how many features there are, and whether it is a sound. */
static tacos_status begin(Classifier *c, const tacos_sample *sample, tacos_error *err) {
    if (sample->n == 0)
        return failure(err, TACOS_INVALID, "a sample needs at least one feature");
    if (c->schema.n == 0)
        TRY(schema_new(&c->schema, sample->n, err));
    if (c->n_seen > 0)
        return TACOS_OK;
    if (c->params.encoder == ENCODER_AUTO && sample_is_sound(sample))
        c->params.encoder = ENCODER_SPECTROGRAM;
    return schema_begin_past(&c->schema, &c->params, err);
}

/* ---- learning ---- */

/* What there is to judge the sample by. Columns that learn answer first, so a label that they have
 * learned before can be learned at once: *learned is then true. */
static tacos_status look_or_learn(Classifier *c, long label, Evidence *out, bool *learned,
                                  tacos_error *err) {
    *learned = label != NO_LABEL && c->warm_up.over && learner_is_columns(c->learner);
    if (!*learned)
        return classifier_look(c, c->n_learned, out, err);
    TRY(tacos_learner_learn(c->learner, c->intensity, c->encoder.n_inputs, (size_t)label, err));
    *out = classifier_columns_evidence(c);
    return TACOS_OK;
}

/* There is room for one more. */
static tacos_status add_label(Classifier *c, const char *label, long *out, tacos_error *err) {
    TRY(names_add(&c->labels, label, err));
    *out = (long)c->labels.n - 1;
    c->label_samples[*out] = 0;
    c->chances[*out] = 0;
    return TACOS_OK;
}

/* After the warm-up: a learner with an output for every label. */
static tacos_status widen(Classifier *c, tacos_error *err) {
    Learner *wider;
    if (!c->learner) /* the warm-up had no labels */
        return classifier_new_learner(c, &c->encoder, &c->learner, err);
    if (c->labels.n <= c->learner->net.params.n_outputs)
        return TACOS_OK;
    Params params = classifier_params(c, &c->encoder);
    TRY(learner_widen(&wider, c->learner, params.n_outputs, err));
    wider->view.wants_novelty = true;
    tacos_learner_free(c->learner);
    c->learner = wider;
    return TACOS_OK;
}

/* Learn a sample that has been answered. */
static tacos_status learn(Classifier *c, const tacos_sample *sample, long label, bool learned,
                          tacos_error *err) {
    if (!c->warm_up.over) {
        bool again = schema_meet_kinds(&c->schema, sample);
        if (again)
            TRY(classifier_read(c, sample, err));
        return warm_up_learn(c, label, again, err);
    }
    if (label != NO_LABEL)
        TRY(widen(c, err));
    TRY(classifier_absorb(c, c->record, learned ? NO_LABEL : label, err));
    schema_follow(&c->schema, c->record);
    return TACOS_OK;
}

/* Everything but the learner learns: whether the answer was right, and what came when. */
static void remember(Classifier *c, const Evidence *evidence, long label) {
    c->n_seen++;
    if (label == NO_LABEL)
        return;
    if (evidence->n > 0)
        judge_learn(&c->judge, evidence, c->label_samples,
                    (size_t)label < evidence->n ? label : NO_LABEL, c->room);
    judge_follow(&c->judge, label);
    c->label_samples[label]++;
    c->n_learned++;
}

static tacos_status answer_and_learn(Classifier *c, const tacos_sample *sample, const char *label,
                                     tacos_answer *answer, tacos_error *err) {
    Evidence evidence;
    bool learned;
    long number = label ? names_find(&c->labels, label) : NO_LABEL;
    TRY(classifier_make_room(c, c->labels.n + 1, c->encoder.n_inputs, err));
    TRY(schema_meet_categories(&c->schema, sample, classifier_categories(c), err));
    TRY(classifier_take(c, sample, err));
    TRY(look_or_learn(c, number, &evidence, &learned, err));
    classifier_answer(c, &evidence, c->params.context == CONTEXT_REPEAT, answer);
    if (label && number == NO_NAME)
        TRY(add_label(c, label, &number, err));
    TRY(learn(c, sample, number, learned, err));
    remember(c, &evidence, number);
    return TACOS_OK;
}

tacos_status tacos_classifier_next(tacos_classifier *c, const tacos_sample *sample,
                                   const char *label, tacos_answer *out, tacos_error *err) {
    const int encoder = c->params.encoder;
    const size_t n_features = c->schema.n, n_labels = c->labels.n, n_kept = c->warm_up.n;
    tacos_answer answer;
    tacos_status status = begin(c, sample, err);
    if (status == TACOS_OK)
        status = check_label(c, label, err);
    if (status == TACOS_OK)
        status = classifier_check(c, sample, err);
    if (status == TACOS_OK)
        status = answer_and_learn(c, sample, label, &answer, err);
    schema_settle(&c->schema, status == TACOS_OK);
    if (status == TACOS_OK) {
        if (out)
            *out = answer;
        return TACOS_OK;
    }
    names_keep(&c->labels, n_labels);
    if (!c->warm_up.over)
        c->warm_up.n = n_kept;
    if (c->n_seen == 0) {
        c->schema.n_trends = 0;
        c->params.encoder = encoder;
    }
    if (n_features == 0)
        schema_free(&c->schema);
    return status;
}
