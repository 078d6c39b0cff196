/* fake_gpu.c - networks "on the device" are learners like any other. */
#include "fake_gpu.h"

#include "cuda/gpu.h"
#include "net/encode.h"
#include "net/learner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FakeGpu fake_gpu;

struct Gpu {
    GpuInfo info;
    bool lost;
};

struct GpuImages {
    size_t n, n_inputs;
    uint8_t *pixels;
};

struct GpuNet {
    Learner *learner;
    uint32_t *order; /* [n_orders][n_inputs] */
    size_t n_orders;
    uint8_t *room; /* [n_inputs] */
};

static void read_environment(void) {
    static const struct {
        const char *name;
        size_t *value;
    } words[] = {{"room=", &fake_gpu.room},
                 {"networks=", &fake_gpu.networks},
                 {"jobs=", &fake_gpu.jobs},
                 {"lost=", &fake_gpu.lost}};
    const char *text = getenv("TACOS_FAKE_GPU");
    for (size_t i = 0; text && i < sizeof words / sizeof *words; i++) {
        const char *at = strstr(text, words[i].name);
        if (at)
            *words[i].value = strtoul(at + strlen(words[i].name), NULL, 10);
    }
    fake_gpu.none |= text && strcmp(text, "none") == 0;
}

tacos_status gpu_open(Gpu **out, tacos_error *err) {
    read_environment();
    if (fake_gpu.none)
        return failure(err, TACOS_MISSING, "there is no GPU");
    *out = calloc(1, sizeof **out);
    if (!*out)
        return failure(err, TACOS_MEMORY, "no memory for a GPU");
    (*out)->info = (GpuInfo){.name = "a fake", .n_processors = 1};
    return TACOS_OK;
}

void gpu_close(Gpu *gpu) {
    free(gpu);
}

const GpuInfo *gpu_info(const Gpu *gpu) {
    return &gpu->info;
}

bool gpu_takes(const Gpu *gpu, const Params *params, tacos_error *why) {
    const FutureParams *future = &params->future;
    (void)gpu;
    if (params->hidden.n > 2)
        status_explain(why, TACOS_INVALID, "the GPU has at most two hidden layers");
    else if (future->m_growth_error != 0 || future->rehearsal_every > 0)
        status_explain(why, TACOS_INVALID, "the GPU has nothing of the future work");
    else
        return true;
    return false;
}

size_t gpu_room(const Gpu *gpu, const Params *params) {
    (void)gpu;
    (void)params;
    return fake_gpu.room > 0 ? fake_gpu.room : 4;
}

/* ---- images ---- */

tacos_status gpu_images_new(GpuImages **out, Gpu *gpu, const uint8_t *pixels, size_t n,
                            size_t n_inputs, tacos_error *err) {
    GpuImages *images = calloc(1, sizeof *images);
    (void)gpu;
    if (images)
        *images = (GpuImages){n, n_inputs, malloc(n * n_inputs)};
    if (!images || !images->pixels) {
        free(images);
        return failure(err, TACOS_MEMORY, "no memory for images");
    }
    memcpy(images->pixels, pixels, n * n_inputs);
    fake_gpu.n_images++;
    *out = images;
    return TACOS_OK;
}

void gpu_images_free(GpuImages *images) {
    free(images->pixels);
    free(images);
    fake_gpu.n_images--;
}

/* ---- a network ---- */

static void copy_layers(Network *to, const Network *from) {
    for (size_t l = 0; l < from->n_layers; l++) {
        Layer *a = &to->layers[l];
        const Layer *b = &from->layers[l];
        size_t n = b->n_pre * b->stride;
        memcpy(a->w, b->w, n * sizeof *a->w);
        if (b->w_ref)
            memcpy(a->w_ref, b->w_ref, n * sizeof *a->w_ref);
        if (b->m_steps)
            memcpy(a->m_steps, b->m_steps, n * sizeof *a->m_steps);
    }
    to->n_learned = from->n_learned;
}

tacos_status gpu_net_new(GpuNet **out, Gpu *gpu, const Network *net, const uint32_t *order,
                         size_t n_orders, tacos_error *err) {
    size_t n_inputs = net->params.n_inputs, bytes = n_orders * n_inputs * sizeof *order;
    if (gpu->lost)
        return failure(err, TACOS_IO, "it was lost before");
    if (fake_gpu.networks > 0 && fake_gpu.n_open >= fake_gpu.networks)
        return failure(err, TACOS_MEMORY, "no memory on the GPU for another network");
    GpuNet *copy = calloc(1, sizeof *copy);
    if (!copy)
        return failure(err, TACOS_MEMORY, "no memory for a network");
    fake_gpu.n_open++;
    tacos_status status = learner_new(&copy->learner, &net->params, net->seed, NULL, err);
    copy->order = malloc(bytes + 1);
    copy->room = malloc(n_inputs);
    if (status == TACOS_OK && (!copy->order || !copy->room))
        status = failure(err, TACOS_MEMORY, "no memory for a network");
    if (status != TACOS_OK) {
        gpu_net_free(copy);
        return status;
    }
    if (n_orders > 0)
        memcpy(copy->order, order, bytes);
    copy->n_orders = n_orders;
    copy_layers(&copy->learner->net, net);
    scratch_start(&copy->learner->scratch, &copy->learner->net);
    *out = copy;
    return TACOS_OK;
}

void gpu_net_free(GpuNet *gpu_net) {
    fake_gpu.n_open--;
    tacos_learner_free(gpu_net->learner);
    free(gpu_net->order);
    free(gpu_net->room);
    free(gpu_net);
}

tacos_status gpu_net_fetch(const GpuNet *gpu_net, Network *net, tacos_error *err) {
    (void)err;
    learner_settle(gpu_net->learner);
    copy_layers(net, &gpu_net->learner->net);
    return TACOS_OK;
}

/* ---- work ---- */

static const uint8_t *show(const GpuNet *net, const GpuImages *images, const StreamSample *sample) {
    const uint8_t *pixels = images->pixels + sample->image * images->n_inputs;
    if (sample->task == 0 || sample->task > net->n_orders)
        return pixels;
    const uint32_t *order = net->order + (sample->task - 1) * images->n_inputs;
    for (size_t j = 0; j < images->n_inputs; j++)
        net->room[j] = pixels[order[j]];
    return net->room;
}

static void learn(Learner *learner, const uint8_t *pixels, const StreamSample *sample) {
    show_pixels(&learner->net, pixels, RNG_INPUT, learner->net.n_learned, &learner->scratch.raster);
    learner_learn(learner, sample->target);
}

static void predict(Learner *learner, const uint8_t *pixels, const StreamSample *sample,
                    uint16_t *counts) {
    show_pixels(&learner->net, pixels, RNG_PREDICT, sample->image, &learner->scratch.raster);
    (void)learner_predict(learner);
    for (size_t o = 0; o < learner->net.params.n_outputs; o++)
        counts[o] = (uint16_t)learner->predictor.counts[o];
}

static void do_job(GpuJob *job) {
    Learner *learner = job->net->learner;
    learner->learning = learner->predicting = (tacos_counters){0};
    for (size_t i = 0; i < job->n; i++) {
        const StreamSample *sample = &job->samples[i];
        const uint8_t *pixels = show(job->net, job->images, sample);
        if (job->predicts)
            predict(learner, pixels, sample, job->counts + i * learner->net.params.n_outputs);
        else
            learn(learner, pixels, sample);
    }
    job->tally = job->predicts ? learner->predicting : learner->learning;
}

tacos_status gpu_work(Gpu *gpu, GpuJob *jobs, size_t n, tacos_error *err) {
    if (fake_gpu.jobs > 0 && n > fake_gpu.jobs)
        return failure(err, TACOS_MEMORY, "no memory on the GPU for %zu jobs", n);
    if (fake_gpu.n_calls < FAKE_CALLS_MAX)
        fake_gpu.calls[fake_gpu.n_calls] = n;
    gpu->lost |= ++fake_gpu.n_calls == fake_gpu.lost;
    if (gpu->lost)
        return failure(err, TACOS_IO, "an illegal instruction was encountered");
    for (size_t i = 0; i < n; i++)
        do_job(&jobs[i]);
    return TACOS_OK;
}
