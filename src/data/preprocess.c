/* preprocess.c - centres and softens images, with integers only: the same on every machine. */
#include "data/preprocess.h"

#include <string.h>

/* How far to move so that the mean of `moment / light` comes to the middle of n places, rounded: in
 * halves of a place from the first, the middle is at n - 1 and the mean at 2 moment / light. */
static int64_t way_to_middle(uint64_t moment, uint64_t light, size_t n) {
    int64_t twice = (int64_t)(n * light) - (int64_t)(2 * moment); /* the way + 1/2, times 2 light */
    int64_t whole = (int64_t)(2 * light);
    return (twice - (twice < 0 ? whole - 1 : 0)) / whole;
}

void preprocess_centre(const uint8_t *in, size_t height, size_t width, size_t channels,
                       uint8_t *out) {
    size_t line = width * channels; /* bytes */
    uint64_t light = 0, across = 0, down = 0;
    for (size_t y = 0; y < height; y++)
        for (size_t i = 0; i < line; i++) {
            light += in[y * line + i];
            across += i / channels * in[y * line + i];
            down += y * in[y * line + i];
        }
    if (light == 0) {
        memcpy(out, in, height * line);
        return;
    }
    int64_t dx = way_to_middle(across, light, width), dy = way_to_middle(down, light, height);
    size_t from = dx < 0 ? (size_t)-dx : 0, to = dx > 0 ? (size_t)dx : 0;
    memset(out, 0, height * line);
    for (size_t y = 0; y < height; y++) {
        size_t row = (size_t)((int64_t)y + dy); /* above the image it is past its end, too */
        if (row < height)
            memcpy(out + row * line + to * channels, in + y * line + from * channels,
                   (width - from - to) * channels);
    }
}

/* The places within `radius` of one of n. */
static size_t first_near(size_t at, size_t radius) {
    return at > radius ? at - radius : 0;
}

static size_t end_near(size_t at, size_t radius, size_t n) {
    return at + radius < n ? at + radius + 1 : n;
}

void preprocess_soften(const uint8_t *in, size_t height, size_t width, size_t channels,
                       size_t radius, uint8_t *out) {
    size_t side = 2 * radius + 1, area = side * side;
    for (size_t y = 0; y < height; y++)
        for (size_t i = 0; i < width * channels; i++) {
            size_t x = i / channels, k = i % channels, sum = 0;
            for (size_t v = first_near(y, radius); v < end_near(y, radius, height); v++)
                for (size_t u = first_near(x, radius); u < end_near(x, radius, width); u++)
                    sum += in[(v * width + u) * channels + k];
            out[y * width * channels + i] = (uint8_t)((sum + area / 2) / area);
        }
}

const uint8_t *preprocess_image(const Preprocess *look, const uint8_t *image, uint8_t *room) {
    uint8_t *next = room;
    if (look->centre) {
        preprocess_centre(image, look->height, look->width, look->channels, next);
        image = next;
        next += look->height * look->width * look->channels;
    }
    if (look->soften > 0) {
        preprocess_soften(image, look->height, look->width, look->channels, look->soften, next);
        image = next;
    }
    return image;
}
