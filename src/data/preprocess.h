/* preprocess.h - an image as an eye would have it: in the middle, and a little out of focus. */
#ifndef DATA_PREPROCESS_H
#define DATA_PREPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How an experiment shows images, whatever the task. */
typedef struct Preprocess {
    size_t height, width; /* of an image */
    bool centre;          /* images are shown centred, */
    size_t soften;        /* then each pixel as the mean of those so near to it */
} Preprocess;

/* An image as it is shown: itself, or in `room`, which has the bytes of two images. */
const uint8_t *preprocess_image(const Preprocess *look, const uint8_t *image, uint8_t *room);

/* Move the centre of mass of an image's light to the middle, by whole pixels; what moves out of the
 * image is lost. A dark image stays as it is. */
void preprocess_centre(const uint8_t *in, size_t height, size_t width, uint8_t *out);

/* Each pixel the mean of the square of 2 radius + 1 pixels a side around it; outside is dark. */
void preprocess_soften(const uint8_t *in, size_t height, size_t width, size_t radius, uint8_t *out);

#endif
