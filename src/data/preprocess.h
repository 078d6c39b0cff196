/* preprocess.h - images centred and softened before they are encoded. */
#ifndef DATA_PREPROCESS_H
#define DATA_PREPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How an experiment preprocesses all images. */
typedef struct Preprocess {
    size_t height, width, channels; /* of an image */
    bool centre;
    size_t soften; /* after centring: the radius of the mean around each pixel, 0 for none */
} Preprocess;

/* The preprocessed image: `image` itself, or in `room`, which has the bytes of two images. */
const uint8_t *preprocess_image(const Preprocess *look, const uint8_t *image, uint8_t *room);

/* Move the centre of mass of an image's light, that of all channels together, to the middle, by
 * whole pixels; what moves out of the image is lost. A dark image is unchanged. */
void preprocess_centre(const uint8_t *in, size_t height, size_t width, size_t channels,
                       uint8_t *out);

/* Each pixel the mean of the square of 2 radius + 1 pixels a side around it; outside is dark. Every
 * channel by itself. */
void preprocess_soften(const uint8_t *in, size_t height, size_t width, size_t channels,
                       size_t radius, uint8_t *out);

#endif
