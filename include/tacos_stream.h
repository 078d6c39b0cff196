/* tacos_stream.h - learning from a stream: features of any scale, labels that appear as they come,
 * answers with a confidence, and "unknown" as an answer.
 *
 *   tacos_classifier  a learner with what a stream needs around it: an encoder, names of labels,
 *                     calibrated confidence, and a measure of novelty
 *
 * The rules of tacos.h hold here, too. docs/streams.md is the manual. A classifier is a function
 * of its settings, its seed and the samples in their order, to the last bit, also if it was saved
 * and loaded in between. */
#ifndef TACOS_STREAM_H
#define TACOS_STREAM_H

#include "tacos.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tacos_classifier tacos_classifier;

/* ---- Settings -------------------------------------------------------------------------------- */

/* The i-th preset: its name, what it is for, and its settings as "key = value" lines. False past
 * the end. The first is the default. */
typedef struct tacos_preset_info {
    const char *name, *about, *settings;
} tacos_preset_info;
int tacos_preset(size_t i, tacos_preset_info *out);

/* The i-th key of classifiers that a learner does not have, or NULL past the end; tacos_key_about
 * of tacos_lab.h does not list them. */
typedef struct tacos_classifier_key_info {
    const char *name, *default_value, *about;
} tacos_classifier_key_info;
int tacos_classifier_key(size_t i, tacos_classifier_key_info *out);

/* Make a classifier with the settings of a preset (NULL: the default) and a seed. */
tacos_status tacos_classifier_new(tacos_classifier **out, const char *preset, uint32_t seed,
                                  tacos_error *err);
void tacos_classifier_free(tacos_classifier *classifier);

/* Change a setting, before the first sample: a key of classifiers or of a learner. `inputs` and
 * `input_shape` follow from the samples, and so do `outputs` of the model columns; other models
 * have as many outputs as `outputs` says (10 at first), for as many labels. On error nothing
 * changes. */
tacos_status tacos_classifier_set(tacos_classifier *classifier, const char *key, const char *value,
                                  tacos_error *err);

/* A setting as text, as tacos_config_get gives it. */
tacos_status tacos_classifier_get(const tacos_classifier *classifier, const char *key, char *buf,
                                  size_t size, tacos_error *err);

/* Names of features, in the order of their values, before the first sample; for messages and
 * files. Without them they are "feature 1" and so on. On error nothing changes. */
tacos_status tacos_classifier_set_features(tacos_classifier *classifier, const char *const *names,
                                           size_t n, tacos_error *err);

/* ---- Samples --------------------------------------------------------------------------------- */

/* A sample has n features. Feature i is the category texts[i] if `texts` and texts[i] are not NULL;
 * otherwise the number numbers[i], where NaN is a missing value. Whether a feature is a number or a
 * category is decided by its first value that is not missing; if there is none in the warm-up it is
 * a number. With encoder = image, signal or none there are only numbers; with none, from 0 to 1.
 * With encoder = spectrogram a sample is one text, the name of a WAV file, which is read each time
 * that the sample is answered. */
typedef struct tacos_sample {
    const double *numbers;
    const char *const *texts; /* NULL: all are numbers */
    size_t n;
} tacos_sample;

typedef struct tacos_answer {
    int label;         /* the number of the likeliest label; -1 before anything was learned */
    double confidence; /* the chance that it is right, as far as the stream has shown */
    double novelty;    /* 0 to 1: how unlike everything learned the sample is; a typical sample of
                          the stream is near 0.5. NaN for models other than columns */
    const double *chances; /* [labels known] of every label, 1 in all; the classifier's, valid until
                              it answers again */
} tacos_answer;

/* The next sample of the stream: answer it, then learn it if `label` is not NULL. The answer (out
 * may be NULL) knows what came before: how often a label is followed by itself (`context`), the
 * recent means of features (`encoder_trends`), the steps of a signal (`encoder_window`). On error
 * nothing changes; if a sound cannot be read, it is the error of its file. */
tacos_status tacos_classifier_next(tacos_classifier *classifier, const tacos_sample *sample,
                                   const char *label, tacos_answer *out, tacos_error *err);

/* Answer a sample that is not part of the stream; nothing that was learned changes. */
tacos_status tacos_classifier_predict(tacos_classifier *classifier, const tacos_sample *sample,
                                      tacos_answer *out, tacos_error *err);

/* The same for a sample that comes next: what tacos_classifier_next would answer, except that a
 * category never seen is a missing value. */
tacos_status tacos_classifier_predict_next(tacos_classifier *classifier, const tacos_sample *sample,
                                           tacos_answer *out, tacos_error *err);

/* What the learner sees of a sample that comes next: the intensity of each input, from 0 to 1. The
 * array is the classifier's, valid until it is used again. Fails before the first sample. */
tacos_status tacos_classifier_encode(tacos_classifier *classifier, const tacos_sample *sample,
                                     const float **out, size_t *n, tacos_error *err);

/* ---- What it knows --------------------------------------------------------------------------- */

/* Labels are numbered from 0 in the order in which they were first learned. */
size_t tacos_classifier_n_labels(const tacos_classifier *classifier);
const char *tacos_classifier_label(const tacos_classifier *classifier, size_t label);

/* Samples of a label that were learned. */
uint64_t tacos_classifier_label_samples(const tacos_classifier *classifier, size_t label);

typedef struct tacos_classifier_info {
    uint64_t n_learned, n_seen; /* samples with a label; and all of the stream */
    size_t n_features, n_inputs, n_labels;
    const char *encoder; /* "table", "image", "signal", "spectrogram" or "none"; "auto" before the
                            first sample */
    size_t height, width, channels; /* of an image; of a spectrogram bands, frames and 1; of a
                                       signal 1, its window and features; else 0 */
    size_t model_bytes;             /* all that is kept between samples */
    size_t workspace_bytes;         /* what answering needs besides */
    int warming_up;                 /* whether the first samples are still kept to choose scales */
} tacos_classifier_info;
tacos_classifier_info tacos_classifier_info_get(const tacos_classifier *classifier);

/* A feature of the samples. The scale is that of its own; pixels of an image have one for all. */
typedef struct tacos_feature_info {
    const char *name; /* NULL: it was given none */
    const char *kind; /* "number", "category" or "sound"; "undecided" as long as all values were
                         missing */
    double low, high; /* of a number: encoded as 0 and 1 */
    size_t n_categories;
    size_t first_input, n_inputs; /* of the learner; n_inputs is 0 before the first sample */
} tacos_feature_info;

/* The i-th feature; 0 past the end. And a category of it, NULL past the end. */
int tacos_classifier_feature(const tacos_classifier *classifier, size_t i, tacos_feature_info *out);
const char *tacos_classifier_category(const tacos_classifier *classifier, size_t feature,
                                      size_t category);

/* The learner inside, for tacos_learner_get, _stats_get and the like; NULL before the first label.
 * It is the classifier's and may be replaced by another one when a sample is learned. */
tacos_learner *tacos_classifier_learner(const tacos_classifier *classifier);

/* A checksum of all that was learned. */
uint32_t tacos_classifier_digest(tacos_classifier *classifier);

/* ---- Files ----------------------------------------------------------------------------------- */

/* As for a learner. tacos_classifier_is_file tells the two kinds of files apart: 1 if the file
 * begins like a saved classifier. */
tacos_status tacos_classifier_save(tacos_classifier *classifier, const char *path,
                                   tacos_error *err);
tacos_status tacos_classifier_load(tacos_classifier **out, const char *path, tacos_error *err);
tacos_status tacos_classifier_save_to(tacos_classifier *classifier, tacos_write *write, void *user,
                                      tacos_error *err);
tacos_status tacos_classifier_load_from(tacos_classifier **out, tacos_read *read, void *user,
                                        tacos_error *err);
int tacos_classifier_is_file(const char *path);

#ifdef __cplusplus
}
#endif
#endif
