/* encoder.h - how a record becomes the intensities that a learner sees.
 *
 * In a table each number has `fields` inputs, its receptive fields, and as many more for every
 * trend; a category has one for each of its values, rounded up to whole groups of `fields`. So all
 * inputs come in groups of the same size. */
#ifndef STREAM_ENCODER_H
#define STREAM_ENCODER_H

#include "stream/schema.h"

typedef struct Encoder {
    EncoderKind kind; /* not ENCODER_AUTO */
    size_t fields, categories;
    size_t n_inputs;
    /* Of an image; of a spectrogram its bands, its frames and 1; of a signal 1, its window and its
     * features. */
    size_t height, width, channels;
    double low, high; /* the same of all pixels */
} Encoder;

/* Whether records of n numbers look like images of `height` x `width` pixels with `channels`:
 * neighbours differ less than other pixels do, and pixels a row apart less than those a little
 * nearer or farther. */
bool encoder_is_image(const double *records, size_t n_rows, size_t n, Encoder *encoder);

/* Make an encoder for these features, whose scales are known; for images, from the records. */
void encoder_table(Encoder *encoder, const Schema *schema, const StreamParams *params);
void encoder_image(Encoder *encoder, const double *records, size_t n_rows, size_t n);
void encoder_none(Encoder *encoder, size_t n);
void encoder_signal(Encoder *encoder, size_t n, size_t window);
void encoder_spectrogram(Encoder *encoder, size_t n_bands, size_t n_frames);

/* In a table: groups of `fields` inputs that a feature has. */
size_t encoder_groups(const Encoder *encoder, const Feature *feature, size_t n_trends);

/* out[n_inputs] */
void encoder_encode(const Encoder *encoder, const Schema *schema, const double *record, float *out);

bool encoder_move(Encoder *encoder, Pack *pack);

#endif
