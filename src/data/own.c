/* own.c - which files a folder has, and whether its two halves fit. */
#include "data/own.h"

#include "base/output.h"

#include <math.h>
#include <stdbool.h>
#include <unistd.h>

void images_shape(Images *images, size_t n_pixels) {
    size_t side = (size_t)floor(sqrt((double)n_pixels) + 0.5);
    bool square = side * side == n_pixels;
    images->height = square ? side : 1;
    images->width = square ? side : n_pixels;
}

typedef struct Place {
    char path[OUTPUT_PATH_MAX];
} Place;

static bool locate(Place *out, const char *folder, const char *half, const char *ending) {
    int n = snprintf(out->path, sizeof out->path, "%s/%s%s", folder, half, ending);
    return n > 0 && (size_t)n < sizeof out->path && access(out->path, R_OK) == 0;
}

/* One half of a set, in the form in which it is there; `idx` is what IDX files call it. */
static tacos_status read_half(Images *out, const char *folder, const char *half, const char *idx,
                              tacos_error *err) {
    Place images, labels;
    if (locate(&images, folder, half, ".csv"))
        return csv_read(out, images.path, err);
    if (locate(&images, folder, half, "-images.npy")) {
        (void)locate(&labels, folder, half, "-labels.npy");
        return npy_read(out, images.path, labels.path, err);
    }
    if (locate(&images, folder, idx, "-images-idx3-ubyte") ||
        locate(&images, folder, idx, "-images-idx3-ubyte.gz")) {
        (void)locate(&images, folder, idx, "-images-idx3-ubyte");
        (void)locate(&labels, folder, idx, "-labels-idx1-ubyte");
        return idx_read(out, images.path, labels.path, UINT8_MAX + 1, err);
    }
    return failure(err, TACOS_MISSING,
                   "%.200s has no %s.csv, no %s-images.npy and no %s-images-idx3-ubyte", folder,
                   half, half, idx);
}

static size_t count_classes(size_t n, const Images *images) {
    for (size_t i = 0; i < images->n; i++)
        if (images->labels[i] >= n)
            n = (size_t)images->labels[i] + 1;
    return n;
}

tacos_status own_load(Dataset *out, const char *folder, tacos_error *err) {
    *out = (Dataset){0};
    tacos_status status = read_half(&out->train, folder, "train", "train", err);
    if (status == TACOS_OK)
        status = read_half(&out->test, folder, "test", "t10k", err);
    if (status == TACOS_OK &&
        (out->train.height != out->test.height || out->train.width != out->test.width))
        status = failure(err, TACOS_FORMAT,
                         "%.200s: training images are %zux%zu but test images are %zux%zu", folder,
                         out->train.height, out->train.width, out->test.height, out->test.width);
    if (status != TACOS_OK) {
        dataset_free(out);
        return status;
    }
    out->n_classes = count_classes(count_classes(0, &out->train), &out->test);
    return TACOS_OK;
}
