/* wav.h - sound from WAV files: PCM of 8, 16, 24 or 32 bits, of any rate; several channels become
 * their mean. */
#ifndef SOUND_WAV_H
#define SOUND_WAV_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WAV_CHANNELS_MAX = 8, WAV_RATE_MIN = 1000, WAV_RATE_MAX = 384000 };
enum { WAV_BYTES_MAX = 1 << 26 }; /* of a file */

typedef struct Sound {
    float *samples; /* [n] from -1 to 1; the caller's to free */
    size_t n;
    unsigned rate; /* samples per second */
} Sound;

/* A file, or its bytes. `name` is what errors call it. Whatever is not as the format says is an
 * error, also what is cut off; chunks other than `fmt ` and `data` are skipped. */
tacos_status wav_read(Sound *out, const char *path, tacos_error *err);
tacos_status wav_decode(Sound *out, const uint8_t *bytes, size_t n, const char *name,
                        tacos_error *err);
void sound_free(Sound *sound);

/* Whether a file with this name should be one: it ends in .wav, in any case. */
bool wav_is_name(const char *name);

#endif
