/* dataset.c - a data set by name. */
#include "data/dataset.h"

#include "base/nearest.h"
#include "base/output.h"
#include "data/catalog.h"
#include "data/omniglot.h"
#include "data/own.h"

#include <string.h>
#include <sys/stat.h>

enum { GLYPHS_SEED = 1, IDX_CLASSES = 10 };

static tacos_status read_half(Images *out, const char *name, const char *dir, const char *half,
                              tacos_error *err) {
    char folder[OUTPUT_PATH_MAX], images[OUTPUT_PATH_MAX], labels[OUTPUT_PATH_MAX];
    TRY(path_join(folder, dir, name, "", err));
    TRY(path_join(images, folder, half, "-images-idx3-ubyte", err));
    TRY(path_join(labels, folder, half, "-labels-idx1-ubyte", err));
    return idx_read(out, images, labels, IDX_CLASSES, err);
}

static tacos_status read_idx_set(Dataset *out, const char *name, const char *folder,
                                 tacos_error *err) {
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

/* A folder of somebody's own; if there is none, the name may be misspelt. */
static tacos_status read_own_set(Dataset *out, const char *name, const char *dir,
                                 tacos_error *err) {
    static const char *const known[] = {"glyphs", "mnist", "fashion", "omniglot", NULL};
    char folder[OUTPUT_PATH_MAX];
    struct stat info;
    TRY(path_join(folder, dir, name, "", err));
    if (stat(folder, &info) == 0)
        return own_load(out, folder, err);
    const char *near = nearest(name, known);
    return failure(err, TACOS_MISSING, "no data set '%s': there is no folder %.200s%s%s%s", name,
                   folder, near ? "; the nearest known one is '" : "", near ? near : "",
                   near ? "'" : "");
}

static tacos_status read_set(Dataset *out, const char *name, const char *dir, tacos_error *err) {
    char folder[OUTPUT_PATH_MAX];
    if (strcmp(name, "glyphs") == 0)
        return glyphs_make(out, GLYPHS_SEED, err);
    TRY(catalog_dir(dir, folder, sizeof folder, err));
    if (strcmp(name, "omniglot") == 0)
        return omniglot_load(out, folder, err);
    if (strcmp(name, "mnist") == 0 || strcmp(name, "fashion") == 0)
        return read_idx_set(out, name, folder, err);
    return read_own_set(out, name, folder, err);
}

tacos_status dataset_load(Dataset *out, const char *name, const char *dir, tacos_error *err) {
    TRY(read_set(out, name, dir, err));
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
