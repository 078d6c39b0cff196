/* fuzz_png.c - a PNG of any kind, and the same at another size.
 *
 * A PNG is full of sums, which nothing but luck would make right: so an input is tried as it is,
 * and then with the sums of its chunks repaired. */
#include "fuzz.h"

#include "base/pack.h"
#include "data/formats/png_in.h"

enum { SIGNATURE = 8, AROUND = 12, SMALL_HEIGHT = 5, SMALL_WIDTH = 3, COLOURS = 3 };

static uint32_t word(const uint8_t *b) {
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static void repair(uint8_t *png, size_t n) {
    size_t at = SIGNATURE;
    while (n >= AROUND && at <= n - AROUND && word(png + at) <= n - AROUND - at) {
        size_t length = word(png + at);
        uint32_t sum = crc_add(0, png + at + 4, length + 4);
        for (size_t k = 0; k < 4; k++)
            png[at + 8 + length + k] = (uint8_t)(sum >> (24 - 8 * k));
        at += AROUND + length;
    }
}

static void decode_as(const uint8_t *png, size_t n, PictureRules rules) {
    uint8_t small[SMALL_HEIGHT * SMALL_WIDTH * COLOURS];
    char why[PICTURE_WHY_SIZE] = "";
    Picture picture;
    if (!picture_decode(&picture, png, n, rules, why)) {
        check_sentence(why, sizeof why);
        HOLDS(!picture.pixels);
        return;
    }
    HOLDS(picture.height > 0 && picture.width > 0);
    HOLDS(picture.height * picture.width <= PICTURE_PIXELS_MAX);
    HOLDS(picture.channels == 1 || (picture.channels == COLOURS && !rules.grey));
    picture_scale(picture.pixels, picture.height, picture.width, picture.channels, small,
                  SMALL_HEIGHT, SMALL_WIDTH);
    free(picture.pixels);
}

static void decode(const uint8_t *png, size_t n) {
    decode_as(png, n, (PictureRules){0});
    decode_as(png, n, (PictureRules){.grey = true});
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    uint8_t *copy = malloc(n + 1);
    HOLDS(copy);
    decode(bytes, n);
    memcpy(copy, bytes, n);
    repair(copy, n);
    decode(copy, n);
    free(copy);
    return 0;
}
