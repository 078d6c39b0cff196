/* show.h - an image becomes the spikes of a sample. */
#ifndef LAB_SHOW_H
#define LAB_SHOW_H

#include "data/dataset.h"
#include "data/encode.h"
#include "net/network.h"

/* `number` names the random draw. */
static inline void show_pixels(const Network *net, const uint8_t *pixels, RngPurpose purpose,
                               uint64_t number, Raster *raster) {
    PoissonCode code = {net->kernel, net->seed, purpose, net->params.input_rate_hz,
                        net->params.dt_ms};
    encode_pixels(&code, number, pixels, raster);
}

static inline void show(const Network *net, const Images *images, size_t image, RngPurpose purpose,
                        uint64_t number, Raster *raster) {
    show_pixels(net, images->pixels + image * net->params.n_inputs, purpose, number, raster);
}

#endif
