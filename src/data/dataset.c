/* dataset.c - frees, sorts, colours and checksums images. */
#include "data/dataset.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
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

void class_names_free(ClassNames *names) {
    for (size_t i = 0; i < names->n; i++)
        free(names->at[i]);
    free(names->at);
    *names = (ClassNames){0};
}

void dataset_free(Dataset *dataset) {
    if (!dataset)
        return;
    images_free(&dataset->train);
    images_free(&dataset->test);
    class_names_free(&dataset->names);
    *dataset = (Dataset){0};
}

void images_shape(Images *images, size_t n_pixels) {
    size_t side = (size_t)floor(sqrt((double)n_pixels) + 0.5);
    bool square = side * side == n_pixels;
    images->height = square ? side : 1;
    images->width = square ? side : n_pixels;
    images->channels = 1;
}

/* From the last pixel back, so that none is overwritten before it is read. */
void pixels_add_colour(uint8_t *pixels, size_t n) {
    for (size_t i = n; i-- > 0;)
        memset(pixels + COLOURS * i, pixels[i], COLOURS);
}

tacos_status images_add_colour(Images *images, tacos_error *err) {
    size_t n = images->n * images_size(images);
    assert(images->channels == 1);
    uint8_t *pixels = realloc(images->pixels, COLOURS * n + 1);
    if (!pixels)
        return failure(err, TACOS_MEMORY, "no memory for %zu images in colour", images->n);
    pixels_add_colour(pixels, n);
    images->pixels = pixels;
    images->channels = COLOURS;
    return TACOS_OK;
}

uint32_t images_checksum(uint32_t crc, const Images *images) {
    size_t width = 1;
    if (images->n == 0) /* given NULL, zlib would start over */
        return crc;
    crc = (uint32_t)crc32_z(crc, images->pixels, images->n * images_size(images));
    for (size_t i = 0; i < images->n; i++)
        width = images->labels[i] > UINT8_MAX ? 2 : width;
    for (size_t i = 0; i < images->n; i++) {
        uint8_t bytes[2] = {(uint8_t)images->labels[i], (uint8_t)(images->labels[i] >> 8)};
        crc = (uint32_t)crc32_z(crc, bytes, width);
    }
    return crc;
}

static void swap_bytes(uint8_t *a, uint8_t *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint8_t byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

/* Each image's place if images of a class keep their order. */
static void count_places(const Images *images, uint32_t *place) {
    uint32_t next[CLASSES_MAX + 1] = {0};
    for (size_t i = 0; i < images->n; i++)
        next[images->labels[i] + 1]++;
    for (size_t c = 1; c < CLASSES_MAX; c++)
        next[c] += next[c - 1];
    for (size_t i = 0; i < images->n; i++)
        place[i] = next[images->labels[i]]++;
}

/* In place: a second copy of the images would dominate a run's memory. */
tacos_status images_sort_by_class(Images *images, tacos_error *err) {
    size_t size = images_size(images);
    uint32_t *place = malloc((images->n + 1) * sizeof *place);
    if (!place)
        return failure(err, TACOS_MEMORY, "no memory to sort %zu images", images->n);
    count_places(images, place);
    for (size_t i = 0; i < images->n; i++)
        while (place[i] != i) {
            size_t to = place[i];
            swap_bytes(images->pixels + i * size, images->pixels + to * size, size);
            uint16_t label = images->labels[i];
            images->labels[i] = images->labels[to];
            images->labels[to] = label;
            place[i] = place[to];
            place[to] = (uint32_t)to;
        }
    free(place);
    return TACOS_OK;
}

/* Whether an image, of whose class `seen` came before, is to be moved: the number of images that
 * are reaches the next whole number. */
static bool is_moved(uint32_t *seen, double fraction) {
    double before = floor((double)*seen * fraction);
    return floor((double)++*seen * fraction) > before;
}

static size_t count_moved(const Images *images, double fraction) {
    uint32_t seen[CLASSES_MAX] = {0};
    size_t n = 0;
    for (size_t i = 0; i < images->n; i++)
        n += is_moved(&seen[images->labels[i]], fraction);
    return n;
}

tacos_status images_split(Images *images, double fraction, Images *out, tacos_error *err) {
    uint32_t seen[CLASSES_MAX] = {0};
    size_t size = images_size(images), n = count_moved(images, fraction), kept = 0;
    *out = *images;
    out->n = 0;
    out->n_ignored = 0;
    out->pixels = malloc(n * size + 1);
    out->labels = malloc((n + 1) * sizeof *out->labels);
    if (!out->pixels || !out->labels) {
        images_free(out);
        return failure(err, TACOS_MEMORY, "no memory to split %zu images", images->n);
    }
    for (size_t i = 0; i < images->n; i++) {
        bool moved = is_moved(&seen[images->labels[i]], fraction);
        Images *to = moved ? out : images;
        size_t at = moved ? out->n++ : kept++;
        memmove(to->pixels + at * size, images->pixels + i * size, size);
        to->labels[at] = images->labels[i];
    }
    images->n = kept;
    return TACOS_OK;
}
