/* features.c - computes a rival's inputs: pixels in a frame, or spike counts. */
#include "lab/features.h"

#include "net/encode.h"
#include "net/learner.h"

#include <stdlib.h>
#include <string.h>

struct Features {
    size_t height, width, channels; /* of an image */
    size_t side;                    /* of the frame; 0: none */
    size_t n;                       /* features */
    float of_pixel[256];            /* value of a pixel */
    Learner *layer;                 /* NULL: pixels are used */
    tacos_counters learning, predicting;
};

static tacos_status open_pixels(Features *features, const RivalParams *params, tacos_error *err) {
    size_t largest = features->height > features->width ? features->height : features->width;
    features->side = params->pad_to;
    features->n = features->channels * (features->side ? features->side * features->side
                                                       : features->height * features->width);
    for (int p = 0; p < 256; p++)
        features->of_pixel[p] = (float)((p / 255.0 - params->pixel_mean) / params->pixel_sd);
    if (features->side && features->side < largest)
        return failure(err, TACOS_INVALID, "pad_to = %zu is too small for images of %zu x %zu",
                       features->side, features->height, features->width);
    return TACOS_OK;
}

static tacos_status open_spikes(Features *features, const Params *params, uint32_t seed,
                                tacos_error *err) {
    if (params->hidden.n == 0)
        return failure(err, TACOS_INVALID,
                       "features = spikes needs a hidden layer to read, but hidden = none");
    TRY(learner_new(&features->layer, params, seed, NULL, err));
    features->n = params->hidden.value[params->hidden.n - 1];
    return TACOS_OK;
}

tacos_status features_new(Features **out, const TaskSplit *split, const Experiment *settled,
                          uint32_t seed, tacos_error *err) {
    const Images *images = &split->data->train;
    Features *features = calloc(1, sizeof *features);
    if (!features)
        return failure(err, TACOS_MEMORY, "no memory for the features of a rival");
    features->height = images->height;
    features->width = images->width;
    features->channels = images->channels;
    tacos_status status = settled->rival.features == FEATURES_SPIKES
                              ? open_spikes(features, &settled->learner, seed, err)
                              : open_pixels(features, &settled->rival, err);
    if (status == TACOS_OK)
        *out = features;
    else
        features_free(features);
    return status;
}

void features_free(Features *features) {
    if (features)
        tacos_learner_free(features->layer);
    free(features);
}

size_t features_size(const Features *features) {
    return features->n;
}

static void show_framed(const Features *features, const uint8_t *pixels, float *out) {
    size_t top = (features->side - features->height) / 2,
           left = (features->side - features->width) / 2 * features->channels,
           line = features->width * features->channels;
    for (size_t i = 0; i < features->n; i++)
        out[i] = features->of_pixel[0];
    for (size_t y = 0; y < features->height; y++)
        for (size_t i = 0; i < line; i++)
            out[(top + y) * features->side * features->channels + left + i] =
                features->of_pixel[pixels[y * line + i]];
}

static void show_spikes(Features *features, const uint8_t *pixels, RngPurpose purpose,
                        uint64_t number, float *out) {
    const Network *net = &features->layer->net;
    Predictor *predictor = &features->layer->predictor;
    const Events *spikes = &predictor->events[(net->n_layers - 2) % 2];
    show_pixels(net, pixels, purpose, number, &predictor->raster);
    (void)sample_predict(net, predictor,
                         purpose == RNG_INPUT ? &features->learning : &features->predicting);
    memset(out, 0, features->n * sizeof *out);
    for (size_t s = 0; s < spikes->at[spikes->n_steps]; s++)
        out[spikes->row[s]]++;
}

void features_extract(Features *features, const uint8_t *pixels, RngPurpose purpose,
                      uint64_t number, float *out) {
    if (features->layer)
        show_spikes(features, pixels, purpose, number, out);
    else if (features->side)
        show_framed(features, pixels, out);
    else
        for (size_t i = 0; i < features->n; i++)
            out[i] = features->of_pixel[pixels[i]];
}

/* The work of the frozen layer, without the samples, which the rival counts. */
static void add(tacos_counters *sum, const tacos_counters *done) {
    sum->input_spikes += done->input_spikes;
    sum->hidden_spikes += done->hidden_spikes;
    sum->synaptic_events += done->synaptic_events;
}

void features_count(const Features *features, tacos_learner_stats *stats) {
    if (!features->layer)
        return;
    stats->model_bytes += tacos_learner_stats_get(features->layer).model_bytes;
    add(&stats->learning, &features->learning);
    add(&stats->predicting, &features->predicting);
}
