/* predict.h - predicts a sample. Needs a network that has settled, and one Predictor per thread. */
#ifndef NET_PREDICT_H
#define NET_PREDICT_H

#include "net/network.h"

typedef struct Predictor {
    Raster raster;    /* the input spikes */
    uint32_t *column; /* [widest layer]: 0, 1, 2, ... */
    uint16_t *spiked; /* [T][words of the widest layer] */
    Events events[2]; /* spikes into a layer and out of it, in turn */
    uint32_t *counts; /* [n_outputs]: output spikes of the last sample */
    Watch watch;
} Predictor;

/* As part of a larger block: all but the raster. */
void predictor_carve(Predictor *predictor, const Network *net, Arena *arena);
void predictor_start(Predictor *predictor, const Network *net);

/* In memory of its own. */
tacos_status predictor_new(Predictor **out, const Network *net, tacos_error *err);
void predictor_free(Predictor *predictor);

/* Returns the predicted output, or -1 if none fired. Counts are in the predictor. */
int sample_predict(const Network *net, Predictor *predictor, tacos_counters *tally);

#endif
