/* params.c - the key table of classifiers, and the presets. */
#include "stream/params.h"

#include "base/array.h"
#include "sound/spectrogram.h"
#include "tacos_stream.h"

#include <stddef.h>

const char *const encoder_names[] = {"auto",   "table",       "image", "none",
                                     "signal", "spectrogram", NULL};
static const char *const contexts[] = {"none", "repeat", NULL};

#define AT(field) offsetof(StreamParams, field)

/* name, type, field, min, max, unit, symbol, default, what it is, choices */
static const Key keys[] = {
    {"encoder", KEY_CHOICE, AT(encoder), 0, 0, "", "", "auto",
     "how features become intensities: table, each with a scale of its own; image, all are pixels "
     "with one scale; none, they are intensities; signal, each line is a step of a signal, and a "
     "sample the last encoder_window of them; spectrogram, a sample is the name of a WAV file; auto is "
     "spectrogram if the first sample is such a name, image if the first samples look like one, else "
     "table",
     encoder_names},
    {"encoder_fields", KEY_COUNT, AT(fields), 2, 64, "", "", "6",
     "overlapping receptive fields, and so inputs, of a number (encoder = table)", NULL},
    {"encoder_categories", KEY_COUNT, AT(categories), 1, 1000, "", "", "12",
     "categories of a text feature that have an input of their own; all further ones share the "
     "last",
     NULL},
    {"encoder_trends", KEY_COUNTS, AT(trends), 2, 1e6, "", "", "none",
     "also encode how far each number is from its mean over about so many recent samples; for "
     "series such as sensors or prices",
     NULL},
    {"encoder_window", KEY_COUNT, AT(window), 2, 4096, "", "", "64",
     "steps of a signal that a sample consists of (encoder = signal)", NULL},
    {"encoder_bands", KEY_COUNT, AT(bands), 1, SPECTROGRAM_BANDS_MAX, "", "", "16",
     "frequency bands of a spectrogram, its height (encoder = spectrogram)", NULL},
    {"encoder_frames", KEY_COUNT, AT(frames), 1, 1024, "", "", "32",
     "columns of a spectrogram, to which the sound is stretched", NULL},
    {"encoder_low_hz", KEY_REAL, AT(low_hz), 0, 192000, "Hz", "", "100",
     "where the lowest band of a spectrogram begins", NULL},
    {"encoder_high_hz", KEY_REAL, AT(high_hz), 0, 192000, "Hz", "", "8000",
     "where the highest band of a spectrogram ends; never above half the sampling rate", NULL},
    {"context", KEY_CHOICE, AT(context), 0, 0, "", "", "repeat",
     "what an answer in a stream takes from the labels before: repeat, how often a label follows "
     "itself; or none",
     contexts},
    {"labels_max", KEY_COUNT, AT(labels_max), 2, LABELS_MOST, "", "", "1000",
     "labels that may appear; those that have not take no memory", NULL},
    {"warm_up", KEY_COUNT, AT(warm_up), 1, 10000, "", "", "256",
     "first samples, which are kept until the scales of features are known", NULL},
};

const KeyTable stream_table = {keys, sizeof keys / sizeof *keys};

int tacos_classifier_key(size_t i, tacos_classifier_key_info *out) {
    if (i >= stream_table.n)
        return 0;
    *out = (tacos_classifier_key_info){keys[i].name, keys[i].default_value, keys[i].doc};
    return 1;
}

static const tacos_preset_info presets[] = {
    {"default", "tables, images and text categories; finds out which", "model = columns\n"},
    {"series", "samples that follow each other in time, such as sensors or prices",
     "model = columns\nencoder = table\nencoder_trends = 6,24,96\n"},
    {"signal", "one step of a signal per line; a sample is the last 64 of them",
     "model = columns\nencoder = signal\n"},
    {"sound", "samples are names of WAV files, which become spectrograms",
     "model = columns\nencoder = spectrogram\n"},
    {"small", "as the default, in 64 kB", "model = columns\ncolumn_memory_kb = 64\n"},
    {"large", "as the default, in 4 MB", "model = columns\ncolumn_memory_kb = 4000\n"},
    {"paper", "the spiking network of the paper; outputs for ten labels",
     "model = tacos\nhidden = 200\noutputs = 10\nfeedback = shared\n"},
};

int tacos_preset(size_t i, tacos_preset_info *out) {
    if (i >= sizeof presets / sizeof *presets)
        return 0;
    *out = presets[i];
    return 1;
}
