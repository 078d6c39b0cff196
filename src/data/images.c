/* images.c - what every set of images has in common, wherever it came from. */
#include "data/dataset.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void images_free(Images *images) {
    if (!images)
        return;
    free(images->pixels);
    free(images->labels);
    *images = (Images){0};
}

void dataset_free(Dataset *dataset) {
    if (!dataset)
        return;
    images_free(&dataset->train);
    images_free(&dataset->test);
    *dataset = (Dataset){0};
}

uint32_t images_checksum(uint32_t crc, const Images *images) {
    if (images->n == 0) /* given NULL, zlib would start anew */
        return crc;
    crc = (uint32_t)crc32_z(crc, images->pixels, images->n * images->height * images->width);
    return (uint32_t)crc32_z(crc, images->labels, images->n);
}

/* A counting sort: images of a class keep their order. */
tacos_status images_sort_by_class(Images *images, tacos_error *err) {
    size_t size = images->height * images->width, place[UINT8_MAX + 2] = {0};
    uint8_t *pixels = malloc(images->n * size + 1), *labels = malloc(images->n + 1);
    if (!pixels || !labels) {
        free(pixels);
        free(labels);
        return failure(err, TACOS_MEMORY, "no memory to sort %zu images", images->n);
    }
    for (size_t i = 0; i < images->n; i++)
        place[images->labels[i] + 1]++;
    for (size_t c = 1; c <= UINT8_MAX; c++)
        place[c] += place[c - 1];
    for (size_t i = 0; i < images->n; i++) {
        size_t to = place[images->labels[i]]++;
        labels[to] = images->labels[i];
        memcpy(pixels + to * size, images->pixels + i * size, size);
    }
    free(images->pixels);
    free(images->labels);
    images->pixels = pixels;
    images->labels = labels;
    return TACOS_OK;
}
