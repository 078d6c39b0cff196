/* show.h - pixels become the spikes of a sample. In an experiment they come from stream_show. */
#ifndef LAB_SHOW_H
#define LAB_SHOW_H

#include "net/encode.h"
#include "net/network.h"

/* `number` names the random draw. */
static inline void show_pixels(const Network *net, const uint8_t *pixels, RngPurpose purpose,
                               uint64_t number, Raster *raster) {
    PoissonCode code = {net->kernel, net->seed, purpose, net->params.input_rate_hz,
                        net->params.dt_ms};
    encode_pixels(&code, number, pixels, raster);
}

#endif
