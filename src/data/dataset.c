/* dataset.c - a data set by name. */
#include "data/dataset.h"

#include "base/output.h"
#include "data/catalog.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { GLYPHS_SEED = 1, IDX_CLASSES = 10 };

static tacos_status read_half(Images *out, const char *name, const char *dir, const char *half,
                              tacos_error *err) {
    char images[OUTPUT_PATH_MAX], labels[OUTPUT_PATH_MAX];
    int a = snprintf(images, sizeof images, "%s/%s/%s-images-idx3-ubyte", dir, name, half);
    int b = snprintf(labels, sizeof labels, "%s/%s/%s-labels-idx1-ubyte", dir, name, half);
    if (a < 0 || b < 0 || (size_t)a >= sizeof images || (size_t)b >= sizeof labels)
        return failure(err, TACOS_INVALID, "the path of the data folder is too long");
    return idx_read(out, images, labels, IDX_CLASSES, err);
}

static tacos_status read_idx_set(Dataset *out, const char *name, const char *dir,
                                 tacos_error *err) {
    char folder[OUTPUT_PATH_MAX];
    TRY(catalog_dir(dir, folder, sizeof folder, err));
    *out = (Dataset){.n_classes = IDX_CLASSES};
    tacos_status status = read_half(&out->train, name, folder, "train", err);
    if (status == TACOS_OK)
        status = read_half(&out->test, name, folder, "t10k", err);
    if (status == TACOS_OK &&
        (out->train.height != out->test.height || out->train.width != out->test.width))
        status = failure(err, TACOS_FORMAT,
                         "%s: training images are %zux%zu but test images are %zux%zu", name,
                         out->train.height, out->train.width, out->test.height, out->test.width);
    if (status != TACOS_OK)
        dataset_free(out);
    return status;
}

tacos_status dataset_load(Dataset *out, const char *name, const char *dir, tacos_error *err) {
    bool built_in = strcmp(name, "glyphs") == 0;
    TRY(built_in ? glyphs_make(out, GLYPHS_SEED, err) : read_idx_set(out, name, dir, err));
    tacos_status status = images_sort_by_class(&out->train, err);
    if (status == TACOS_OK)
        status = images_sort_by_class(&out->test, err);
    if (status != TACOS_OK) {
        dataset_free(out);
        return status;
    }
    out->checksum = images_checksum(images_checksum(0, &out->train), &out->test);
    return TACOS_OK;
}
