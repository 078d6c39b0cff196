/* tone.h - a WAV file with a tone that rises. */
#ifndef TESTS_TONE_H
#define TESTS_TONE_H

#include "base/little_endian.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TONE_RATE = 8000, TONE_SAMPLES = 2400, TONE_HEAD = 44 };

/* From `from` to `to` Hz, in 16 bits. */
static inline bool tone_write(const char *path, double from, double to) {
    uint8_t bytes[TONE_HEAD + 2 * TONE_SAMPLES] = "RIFF";
    double turns = 0;
    little_endian_put(bytes + 4, sizeof bytes - 8, 4);
    memcpy(bytes + 8, "WAVEfmt ", 8);
    little_endian_put(bytes + 16, 16, 4);
    little_endian_put(bytes + 20, 1, 2);
    little_endian_put(bytes + 22, 1, 2);
    little_endian_put(bytes + 24, TONE_RATE, 4);
    little_endian_put(bytes + 28, 2 * TONE_RATE, 4);
    little_endian_put(bytes + 32, 2, 2);
    little_endian_put(bytes + 34, 16, 2);
    memcpy(bytes + 36, "data", 4);
    little_endian_put(bytes + 40, 2 * TONE_SAMPLES, 4);
    for (int i = 0; i < TONE_SAMPLES; i++) {
        turns += (from + (to - from) * i / TONE_SAMPLES) / TONE_RATE;
        turns -= turns >= 1 ? 1 : 0;
        int value = (int)(20000 * (turns < 0.5 ? 4 * turns - 1 : 3 - 4 * turns));
        little_endian_put(bytes + TONE_HEAD + 2 * i, (uint16_t)value, 2);
    }
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(bytes, 1, sizeof bytes, file) == sizeof bytes;
    return file && fclose(file) == 0 && good;
}

#endif
