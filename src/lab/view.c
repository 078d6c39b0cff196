/* view.c - pixels in a frame, or spike counts. */
#include "lab/view.h"

#include "net/encode.h"
#include "net/learner.h"

#include <stdlib.h>
#include <string.h>

struct View {
    size_t height, width; /* of an image */
    size_t side;          /* of the frame; 0: none */
    size_t n;             /* numbers */
    float of_pixel[256];  /* what a pixel becomes */
    Learner *layer;       /* NULL: pixels are seen */
    tacos_counters learning, predicting;
};

static tacos_status open_pixels(View *view, const RivalParams *params, tacos_error *err) {
    size_t largest = view->height > view->width ? view->height : view->width;
    view->side = params->pad_to;
    view->n = view->side ? view->side * view->side : view->height * view->width;
    for (int p = 0; p < 256; p++)
        view->of_pixel[p] = (float)((p / 255.0 - params->pixel_mean) / params->pixel_sd);
    if (view->side && view->side < largest)
        return failure(err, TACOS_INVALID, "pad_to = %zu is too small for images of %zu x %zu",
                       view->side, view->height, view->width);
    return TACOS_OK;
}

static tacos_status open_spikes(View *view, const Params *params, uint32_t seed, tacos_error *err) {
    if (params->hidden.n == 0)
        return failure(err, TACOS_INVALID,
                       "features = spikes needs a hidden layer to read, but hidden = none");
    TRY(learner_new(&view->layer, params, seed, NULL, err));
    view->n = params->hidden.value[params->hidden.n - 1];
    return TACOS_OK;
}

tacos_status view_new(View **out, const Stage *stage, const Experiment *settled, uint32_t seed,
                      tacos_error *err) {
    const Images *images = &stage->data->train;
    View *view = calloc(1, sizeof *view);
    if (!view)
        return failure(err, TACOS_MEMORY, "no memory for a view");
    view->height = images->height;
    view->width = images->width;
    tacos_status status = settled->rival.features == FEATURES_SPIKES
                              ? open_spikes(view, &settled->learner, seed, err)
                              : open_pixels(view, &settled->rival, err);
    if (status == TACOS_OK)
        *out = view;
    else
        view_free(view);
    return status;
}

void view_free(View *view) {
    if (view)
        tacos_learner_free(view->layer);
    free(view);
}

size_t view_size(const View *view) {
    return view->n;
}

static void show_framed(const View *view, const uint8_t *pixels, float *out) {
    size_t top = (view->side - view->height) / 2, left = (view->side - view->width) / 2;
    for (size_t i = 0; i < view->n; i++)
        out[i] = view->of_pixel[0];
    for (size_t y = 0; y < view->height; y++)
        for (size_t x = 0; x < view->width; x++)
            out[(top + y) * view->side + left + x] = view->of_pixel[pixels[y * view->width + x]];
}

static void show_spikes(View *view, const uint8_t *pixels, RngPurpose purpose, uint64_t number,
                        float *out) {
    const Network *net = &view->layer->net;
    Predictor *predictor = &view->layer->predictor;
    const Events *spikes = &predictor->events[(net->n_layers - 2) % 2];
    show_pixels(net, pixels, purpose, number, &predictor->raster);
    (void)sample_predict(net, predictor,
                         purpose == RNG_INPUT ? &view->learning : &view->predicting);
    memset(out, 0, view->n * sizeof *out);
    for (size_t s = 0; s < spikes->at[spikes->n_steps]; s++)
        out[spikes->row[s]]++;
}

void view_show(View *view, const uint8_t *pixels, RngPurpose purpose, uint64_t number, float *out) {
    if (view->layer)
        show_spikes(view, pixels, purpose, number, out);
    else if (view->side)
        show_framed(view, pixels, out);
    else
        for (size_t i = 0; i < view->n; i++)
            out[i] = view->of_pixel[pixels[i]];
}

/* What the frozen layer did for the samples that the rival has counted itself. */
static void add(tacos_counters *sum, const tacos_counters *done) {
    sum->input_spikes += done->input_spikes;
    sum->hidden_spikes += done->hidden_spikes;
    sum->synaptic_events += done->synaptic_events;
}

void view_count(const View *view, tacos_learner_stats *stats) {
    if (!view->layer)
        return;
    stats->model_bytes += tacos_learner_stats_get(view->layer).model_bytes;
    add(&stats->learning, &view->learning);
    add(&stats->predicting, &view->predicting);
}
