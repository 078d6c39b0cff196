/* shown.c - lists of splits, and of images in every way they are preprocessed. */
#include "cuda/shown.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct ImageNode {
    const Images *images;
    Preprocess look;
    GpuImages *copy;
    struct ImageNode *next;
} ImageNode;

typedef struct ShownNode {
    const TaskSplit *split;
    Shown shown;
    struct ShownNode *next;
} ShownNode;

struct ShownAll {
    Batch *batch;
    pthread_mutex_t lock;
    ImageNode *images;
    ShownNode *first;
};

tacos_status shown_all_new(ShownAll **out, Batch *batch, tacos_error *err) {
    ShownAll *all = calloc(1, sizeof *all);
    if (!all)
        return failure(err, TACOS_MEMORY, "no memory for the images of a GPU");
    all->batch = batch;
    pthread_mutex_init(&all->lock, NULL);
    *out = all;
    return TACOS_OK;
}

void shown_all_free(ShownAll *all) {
    if (!all)
        return;
    (void)batch_lock(all->batch);
    for (ImageNode *next, *node = all->images; node; node = next) {
        next = node->next;
        gpu_images_free(node->copy);
        free(node);
    }
    batch_unlock(all->batch);
    for (ShownNode *next, *node = all->first; node; node = next) {
        next = node->next;
        free(node->shown.samples);
        free(node);
    }
    pthread_mutex_destroy(&all->lock);
    free(all);
}

/* ---- images ---- */

/* As stream_show shows them, but for the order of pixels, which is a network's own. */
static tacos_status preprocess_all(const Preprocess *look, const Images *images, uint8_t **out,
                                   tacos_error *err) {
    size_t size = images_size(images);
    uint8_t *room = malloc(2 * size + 1);
    *out = malloc(images->n * size + 1);
    if (!room || !*out) {
        free(room);
        free(*out);
        return failure(err, TACOS_MEMORY, "no memory to preprocess %zu images", images->n);
    }
    for (size_t i = 0; i < images->n; i++)
        memcpy(*out + i * size, preprocess_image(look, images->pixels + i * size, room), size);
    free(room);
    return TACOS_OK;
}

static tacos_status copy_images(Batch *batch, const Preprocess *look, const Images *images,
                                GpuImages **out, tacos_error *err) {
    tacos_error why = {0};
    uint8_t *pixels;
    TRY(preprocess_all(look, images, &pixels, err));
    tacos_status status =
        gpu_images_new(out, batch_lock(batch), pixels, images->n, images_size(images), &why);
    batch_unlock(batch);
    free(pixels);
    return batch_outcome(batch, status, &why, err);
}

static bool same_look(const Preprocess *a, const Preprocess *b) {
    return a->height == b->height && a->width == b->width && a->channels == b->channels &&
           a->centre == b->centre && a->soften == b->soften;
}

static tacos_status get_images(ShownAll *all, const Preprocess *look, const Images *images,
                               const GpuImages **out, tacos_error *err) {
    ImageNode *node = all->images;
    while (node && !(node->images == images && same_look(&node->look, look)))
        node = node->next;
    if (!node) {
        node = calloc(1, sizeof *node);
        if (!node)
            return failure(err, TACOS_MEMORY, "no memory for the images of a GPU");
        tacos_status status = copy_images(all->batch, look, images, &node->copy, err);
        if (status != TACOS_OK) {
            free(node);
            return status;
        }
        node->images = images;
        node->look = *look;
        node->next = all->images;
        all->images = node;
    }
    *out = node->copy;
    return TACOS_OK;
}

/* ---- splits ---- */

static tacos_status list_samples(const TaskSplit *split, Shown *out, tacos_error *err) {
    size_t n = 0;
    for (size_t t = 0; t < split->tasks.n; t++)
        n += split->test[t].n;
    out->samples = malloc(n * sizeof *out->samples + 1);
    if (!out->samples)
        return failure(err, TACOS_MEMORY, "no memory for %zu test samples", n);
    for (size_t t = 0; t < split->tasks.n; t++)
        for (size_t i = 0; i < split->test[t].n; i++)
            out->samples[out->n_samples++] =
                (StreamSample){split->test[t].image[i], split->test[t].target[i], (uint16_t)t};
    return TACOS_OK;
}

static tacos_status open_shown(ShownAll *all, const TaskSplit *split, Shown *out,
                               tacos_error *err) {
    Preprocess look = task_split_preprocess(split);
    TRY(get_images(all, &look, &split->data->train, &out->learned, err));
    TRY(get_images(all, &look, split->scored, &out->scored, err));
    return list_samples(split, out, err);
}

static tacos_status find_or_open(ShownAll *all, const TaskSplit *split, const Shown **out,
                                 tacos_error *err) {
    ShownNode *node = all->first;
    while (node && node->split != split)
        node = node->next;
    if (!node) {
        node = calloc(1, sizeof *node);
        if (!node)
            return failure(err, TACOS_MEMORY, "no memory for the images of a GPU");
        tacos_status status = open_shown(all, split, &node->shown, err);
        if (status != TACOS_OK) {
            free(node);
            return status;
        }
        node->split = split;
        node->next = all->first;
        all->first = node;
    }
    *out = &node->shown;
    return TACOS_OK;
}

tacos_status shown_get(ShownAll *all, const TaskSplit *split, const Shown **out, tacos_error *err) {
    pthread_mutex_lock(&all->lock);
    tacos_status status = find_or_open(all, split, out, err);
    pthread_mutex_unlock(&all->lock);
    return status;
}
