/* stream.c - orders the samples of all tasks into one stream, and the pixels of each task. */
#include "lab/stream.h"

#include "base/rng.h"

#include <assert.h>
#include <stdlib.h>

/* The samples of a task, in their order without blur. */
static tacos_status add_task(Stream *stream, const TaskSplit *split, size_t t, uint32_t seed,
                             tacos_error *err) {
    StreamSample *out = stream->samples + stream->end[t] - split->n_train[t];
    TaskSamples samples;
    TRY(task_samples_shuffled(&samples, &split->data->train, &split->tasks, t,
                              task_split_learned(split), seed, err));
    assert(samples.n == split->n_train[t]);
    for (size_t i = 0; i < samples.n; i++)
        out[i] = (StreamSample){samples.image[i], samples.target[i], (uint16_t)t};
    task_samples_free(&samples);
    return TACOS_OK;
}

typedef struct Placed {
    double place;
    StreamSample sample;
} Placed;

/* An image occurs once per task, so no two samples are equal and the order is unique. */
static int by_place(const void *a, const void *b) {
    const Placed *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    if (x->sample.task != y->sample.task)
        return x->sample.task < y->sample.task ? -1 : 1;
    return x->sample.image < y->sample.image ? -1 : x->sample.image > y->sample.image;
}

double stream_place(size_t t, size_t i, size_t n, double blur, uint32_t seed) {
    uint32_t word = rng_block(seed, RNG_BLUR, t, (uint32_t)(i / 4), 0).word[i % 4];
    double shift = ((double)word + 0.5) * 0x1p-31 - 1; /* -1 to 1 */
    return (double)t + ((double)i + 0.5) / (double)n + blur * shift;
}

static tacos_status blur_order(Stream *stream, const TaskSplit *split, uint32_t seed,
                               tacos_error *err) {
    size_t n = stream->end[split->tasks.n - 1], at = 0;
    Placed *placed = malloc(n * sizeof *placed);
    if (!placed)
        return failure(err, TACOS_MEMORY, "no memory to blur a stream of %zu samples", n);
    for (size_t t = 0; t < split->tasks.n; t++)
        for (size_t i = 0; i < split->n_train[t]; i++, at++)
            placed[at] = (Placed){stream_place(t, i, split->n_train[t], split->params.blur, seed),
                                  stream->samples[at]};
    qsort(placed, n, sizeof *placed, by_place);
    for (size_t k = 0; k < n; k++)
        stream->samples[k] = placed[k].sample;
    free(placed);
    return TACOS_OK;
}

static void rearrange(const uint8_t *in, const uint32_t *order, size_t n, uint8_t *out) {
    for (size_t j = 0; j < n; j++)
        out[j] = in[order[j]];
}

const uint8_t *stream_show(const Stream *stream, size_t t, const Images *images, size_t image,
                           uint8_t *room) {
    size_t n = stream->n_inputs;
    const uint8_t *shown = preprocess_image(&stream->look, images->pixels + image * n, room);
    if (!stream->order || t == 0)
        return shown;
    uint8_t *out = shown == room ? room + n : room; /* the half not holding the image */
    rearrange(shown, stream->order + (t - 1) * n, n, out);
    return out;
}

static tacos_status fill(Stream *stream, const TaskSplit *split, uint32_t seed, tacos_error *err) {
    for (size_t t = 0; t < split->tasks.n; t++)
        TRY(add_task(stream, split, t, seed, err));
    for (size_t t = 1; t < split->tasks.n && stream->order; t++)
        rng_order(stream->order + (t - 1) * stream->n_inputs, stream->n_inputs, seed, RNG_PERMUTE,
                  t);
    return split->params.blur > 0 ? blur_order(stream, split, seed, err) : TACOS_OK;
}

tacos_status stream_open(Stream *out, const TaskSplit *split, uint32_t seed, tacos_error *err) {
    Stream stream = {.look = task_split_preprocess(split)};
    bool permute = split->params.permute == PERMUTE_PIXELS && split->tasks.n > 1;
    size_t n = 0;
    stream.n_inputs = images_size(split->scored);
    for (size_t t = 0; t < split->tasks.n; t++)
        stream.end[t] = n += split->n_train[t];
    stream.samples = malloc(n * sizeof *stream.samples + 1);
    if (permute)
        stream.order = malloc((split->tasks.n - 1) * stream.n_inputs * sizeof *stream.order);
    tacos_status status = TACOS_OK;
    if (!stream.samples || (permute && !stream.order))
        status = failure(err, TACOS_MEMORY, "no memory for a stream of %zu samples", n);
    else
        status = fill(&stream, split, seed, err);
    if (status == TACOS_OK)
        *out = stream;
    else
        stream_close(&stream);
    return status;
}

void stream_close(Stream *stream) {
    free(stream->samples);
    free(stream->order);
    *stream = (Stream){0};
}
