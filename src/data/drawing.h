/* drawing.h - one drawing: from the bytes of a PNG to ink, and from much ink to a small image. */
#ifndef DATA_DRAWING_H
#define DATA_DRAWING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DRAWING_WHY_SIZE = 160 };

/* Decode a PNG of side x side grey pixels; ink[side][side] is 0 where it is white, 255 where black.
 * Colour, transparency and 16 bits are refused. If it fails, `why` says what is wrong with it, as
 * the end of a sentence. */
bool drawing_decode(const uint8_t *png, size_t n, size_t side, uint8_t *ink,
                    char why[DRAWING_WHY_SIZE]);

/* Scale in[from][from] down to out[to][to]: each pixel is the mean of the area that it covers,
 * rounded to the nearest. Whole numbers only, so that it is the same on every machine. */
void drawing_shrink(const uint8_t *in, size_t from, uint8_t *out, size_t to);

#endif
