/* drawing.h - one drawing of Omniglot: from the bytes of a PNG to ink, and from much ink to a small
 * image. */
#ifndef DATA_DRAWING_H
#define DATA_DRAWING_H

#include "data/picture.h"

enum { DRAWING_WHY_SIZE = PICTURE_WHY_SIZE };

/* Decode a PNG of side x side grey pixels; ink[side][side] is 0 where it is white, 255 where black.
 * Colour, transparency and 16 bits are refused: they would need a rule for what is ink in them. If
 * it fails, `why` says what is wrong with it, as the end of a sentence. */
bool drawing_decode(const uint8_t *png, size_t n, size_t side, uint8_t *ink,
                    char why[DRAWING_WHY_SIZE]);

/* Scale in[from][from] down to out[to][to], as picture_scale does. */
void drawing_shrink(const uint8_t *in, size_t from, uint8_t *out, size_t to);

#endif
