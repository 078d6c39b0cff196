/* drawing.c - drawings: pictures of one kind, dark on light. */
#include "data/drawing.h"

#include <assert.h>
#include <stdlib.h>

bool drawing_decode(const uint8_t *png, size_t n, size_t side, uint8_t *ink,
                    char why[DRAWING_WHY_SIZE]) {
    PictureRules rules = {.side = side, .plain_grey = true};
    Picture picture;
    if (!picture_decode(&picture, png, n, rules, why))
        return false;
    for (size_t i = 0; i < side * side; i++)
        ink[i] = (uint8_t)(UINT8_MAX - picture.grey[i]);
    free(picture.grey);
    return true;
}

void drawing_shrink(const uint8_t *in, size_t from, uint8_t *out, size_t to) {
    assert(to <= from);
    picture_scale(in, from, from, out, to, to);
}
