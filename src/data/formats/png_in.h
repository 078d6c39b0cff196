/* png_in.h - decodes any kind of PNG to pixels, grey or of colours, and scales them. Integers only,
 * so that an image is the same on every machine. */
#ifndef DATA_FORMATS_PNG_IN_H
#define DATA_FORMATS_PNG_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Picture {
    size_t height, width;
    size_t channels; /* 1: grey; 3: red, green and blue */
    uint8_t *pixels; /* [height][width][channels], 0 black, 255 white; free it */
} Picture;

/* What a picture must be; zeros: anything. */
typedef struct PictureRules {
    size_t side;     /* height and width */
    bool plain_grey; /* no colour, no transparency, at most 8 bits */
    bool invert;     /* black becomes 255 */
    bool grey;       /* colour becomes luminance, 0.299 red + 0.587 green + 0.114 blue */
} PictureRules;

enum { PICTURE_WHY_SIZE = 160 };

/* No picture may have more pixels, and none needs more than 4 bytes of memory for each; before
 * allocating, the size is checked against what the file's bytes can hold. */
enum { PICTURE_PIXELS_MAX = 1 << 24 };

/* Decode a PNG. It has colour if any of its pixels has. 16 bits become 8, and what is transparent
 * is laid on black. If it fails, `why` says what is wrong with it, as the end of a sentence. */
bool picture_decode(Picture *out, const uint8_t *png, size_t n, PictureRules rules,
                    char why[PICTURE_WHY_SIZE]);

/* Scale in[in_height][in_width][channels] to out[height][width][channels]: each pixel is the mean
 * of the area that it covers, rounded to the nearest; each side on its own. */
void picture_scale(const uint8_t *in, size_t in_height, size_t in_width, size_t channels,
                   uint8_t *out, size_t height, size_t width);

#endif
