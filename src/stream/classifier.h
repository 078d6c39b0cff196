/* classifier.h - the parts of a classifier; its functions are those of tacos_stream.h:
 * classifier.c (settings and answers), record.c (what a sample is), classifier_next.c (learning),
 * warm_up.c (the first samples), classifier_file.c, classifier_info.c. */
#ifndef STREAM_CLASSIFIER_H
#define STREAM_CLASSIFIER_H

#include "net/learner.h"
#include "stream/encoder.h"
#include "stream/judge.h"

/* The first samples of a stream, as they came. */
typedef struct WarmUp {
    double *records; /* [n][classifier_record_size] */
    long *labels;    /* [n]; NO_LABEL for a sample without one */
    size_t n, records_room, labels_room;
    bool over;
} WarmUp;

struct tacos_classifier {
    StreamParams params;
    Params learner_params; /* as set; inputs and outputs follow from the stream */
    uint32_t seed;
    uint64_t n_seen, n_learned;

    Schema schema; /* n is 0 before the first sample */
    Encoder encoder;
    Names labels;
    uint64_t *label_samples; /* [labels.n]: how often each was learned */
    size_t label_samples_room;
    Learner *learner; /* NULL before the first label */
    Judge judge;
    WarmUp warm_up;

    /* Room to answer. */
    double *record;   /* [classifier_record_size] */
    float *intensity; /* [n_inputs] */
    double *bits;     /* [labels] evidence */
    double *chances;  /* [labels] of the last answer */
    double *room;     /* [2 labels] */
    size_t record_room, intensity_room, bits_room, chances_room, room_room;
};

typedef tacos_classifier Classifier;

/* Names of categories that are kept: those with an input of their own. Names of sounds are none. */
static inline size_t classifier_categories(const Classifier *c) {
    return c->params.encoder == ENCODER_SPECTROGRAM ? 0 : c->params.categories - 1;
}

/* Room for records, and to answer for so many labels and inputs. On error nothing changes. */
tacos_status classifier_make_room(Classifier *c, size_t n_labels, size_t n_inputs,
                                  tacos_error *err);

/* ---- record.c ---- */

/* Numbers of a record: pixels of a spectrogram, else one per feature. */
size_t classifier_record_size(const Classifier *c);

/* Whether a sample is the name of a WAV file, judged by the name. */
bool sample_is_sound(const tacos_sample *sample);

/* Whether a sample fits what came before and the settings. */
tacos_status classifier_check(const Classifier *c, const tacos_sample *sample, tacos_error *err);

/* The record of such a sample; and its intensities, too. They fail where a sound cannot be read. */
tacos_status classifier_read(Classifier *c, const tacos_sample *sample, tacos_error *err);
tacos_status classifier_take(Classifier *c, const tacos_sample *sample, tacos_error *err);

/* ---- evidence ---- */

/* Of columns: for the sample that was last predicted or learned, before it was. */
Evidence classifier_columns_evidence(Classifier *c);

/* For the sample that was taken; `draw` as in tacos_learner_predict. */
tacos_status classifier_look(Classifier *c, uint64_t draw, Evidence *out, tacos_error *err);

void classifier_answer(const Classifier *c, const Evidence *evidence, bool in_stream,
                       tacos_answer *out);

/* ---- the learner ---- */

/* The parameters of a learner for as many labels as there are, with the inputs of an encoder. */
Params classifier_params(const Classifier *c, const Encoder *encoder);

tacos_status classifier_new_learner(const Classifier *c, const Encoder *encoder, Learner **out,
                                    tacos_error *err);

/* Learn a record whose label is known, or only let trends follow it; intensities are in range, so
 * this does not fail. */
tacos_status classifier_absorb(Classifier *c, const double *record, long label, tacos_error *err);

/* ---- warm_up.c ---- */

/* Keep the record; NO_LABEL if it has none. */
tacos_status warm_up_add(Classifier *c, long label, tacos_error *err);

/* Keep the record and learn it; `again`: everything kept is to be encoded anew. On error nothing
 * changes but the number of records kept. */
tacos_status warm_up_learn(Classifier *c, long label, bool again, tacos_error *err);

/* Forget the first samples. */
void warm_up_end(Classifier *c);

#endif
