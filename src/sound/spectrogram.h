/* spectrogram.h - a sound as a grey picture of fixed size: frequencies over time, the logarithm of
 * their energy as brightness. docs/data.md describes it step by step. */
#ifndef SOUND_SPECTROGRAM_H
#define SOUND_SPECTROGRAM_H

#include "sound/wav.h"

typedef struct SpectrogramRules {
    size_t n_bands, n_frames; /* height and width of the picture */
    double low_hz, high_hz;   /* of the bands; at most half the rate of the sound */
} SpectrogramRules;

extern const SpectrogramRules spectrogram_default;

enum { SPECTROGRAM_SECONDS_MAX = 600, SPECTROGRAM_BANDS_MAX = 256 };

/* The picture, [n_bands][n_frames], the lowest band first. The same bits on every machine. A sound
 * without any energy is black; `name` is what errors call the sound. */
tacos_status spectrogram_draw(const Sound *sound, const SpectrogramRules *rules, uint8_t *out,
                              const char *name, tacos_error *err);

#endif
