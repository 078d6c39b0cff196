/* params.h - the settings of a classifier beside those of its learner, and the presets. */
#ifndef STREAM_PARAMS_H
#define STREAM_PARAMS_H

#include "base/keys.h"

/* How features become intensities. */
typedef enum EncoderKind {
    ENCODER_AUTO,        /* image if the first samples look like one, otherwise table */
    ENCODER_TABLE,       /* each feature has a scale and receptive fields of its own */
    ENCODER_IMAGE,       /* all have one scale and are pixels, side by side */
    ENCODER_NONE,        /* they are intensities from 0 to 1 already */
    ENCODER_SIGNAL,      /* a sample is the last few records, of which each feature has a scale */
    ENCODER_SPECTROGRAM, /* a sample is the name of a WAV file */
} EncoderKind;

typedef enum ContextKind { CONTEXT_NONE, CONTEXT_REPEAT } ContextKind;

typedef struct StreamParams {
    int encoder;            /* EncoderKind */
    size_t fields;          /* receptive fields of a number */
    size_t categories;      /* of a text feature that have an input of their own */
    Counts trends;          /* time constants of recent means, in samples */
    size_t window;          /* records of a signal that are a sample */
    size_t bands, frames;   /* of a spectrogram: height and width */
    double low_hz, high_hz; /* of its bands */
    int context;            /* ContextKind */
    size_t labels_max;
    size_t warm_up; /* samples that are kept until scales are known */
} StreamParams;

enum { LABELS_MOST = 4096 };

extern const KeyTable stream_table;

extern const char *const encoder_names[];

#endif
