/* look.h - an image as an eye would have it: in the middle, and a little out of focus. */
#ifndef DATA_LOOK_H
#define DATA_LOOK_H

#include <stddef.h>
#include <stdint.h>

/* Move the centre of mass of an image's light to the middle, by whole pixels; what moves out of the
 * image is lost. A dark image stays as it is. */
void look_centre(const uint8_t *in, size_t height, size_t width, uint8_t *out);

/* Each pixel the mean of the square of 2 radius + 1 pixels a side around it; outside is dark. */
void look_soften(const uint8_t *in, size_t height, size_t width, size_t radius, uint8_t *out);

#endif
