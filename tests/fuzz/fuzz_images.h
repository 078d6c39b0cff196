/* fuzz_images.h - what every reader of images promises. */
#ifndef FUZZ_IMAGES_H
#define FUZZ_IMAGES_H

#include "fuzz.h"

#include "data/dataset.h"

/* Everything that is promised to be there is touched; then it goes. */
static inline void use_images(Images *images) {
    HOLDS(images->n > 0 && images->height > 0 && images->width > 0);
    HOLDS(images->channels > 0 && images->channels <= CHANNELS_MAX);
    touch(images->pixels, images->n * images_size(images));
    for (size_t i = 0; i < images->n; i++)
        HOLDS(images->labels[i] < CLASSES_MAX);
    images_free(images);
}

/* A failure has a status and a sentence. */
static inline void check_failure(tacos_status status, const tacos_error *err) {
    HOLDS(err->status == status);
    check_sentence(err->text, sizeof err->text);
}

#endif
