/* own.c - which files a folder has, and whether its two halves fit. */
#include "data/own.h"

#include "base/output.h"
#include "data/bytes.h"

#include <math.h>
#include <stdbool.h>
#include <sys/stat.h>

void images_shape(Images *images, size_t n_pixels) {
    size_t side = (size_t)floor(sqrt((double)n_pixels) + 0.5);
    bool square = side * side == n_pixels;
    images->height = square ? side : 1;
    images->width = square ? side : n_pixels;
}

/* Half of a set: its name, and what IDX files call it. */
typedef struct Half {
    const char *folder, *name, *idx;
} Half;

typedef struct Place {
    char path[OUTPUT_PATH_MAX];
} Place;

/* Whether it is there, readable or not: opening it will tell. */
static bool locate(Place *out, const char *folder, const char *name, const char *ending) {
    struct stat info;
    return path_join(out->path, folder, name, ending, NULL) == TACOS_OK &&
           lstat(out->path, &info) == 0;
}

static tacos_status read_csv(Images *out, const Half *half, tacos_error *err) {
    Place images;
    (void)locate(&images, half->folder, half->name, ".csv");
    return csv_read(out, images.path, err);
}

static tacos_status read_npz(Images *out, const Half *half, tacos_error *err) {
    Place both;
    (void)locate(&both, half->folder, half->name, ".npz");
    return npz_read(out, both.path, err);
}

static tacos_status read_npy(Images *out, const Half *half, tacos_error *err) {
    Place images, labels;
    (void)locate(&images, half->folder, half->name, "-images.npy");
    (void)locate(&labels, half->folder, half->name, "-labels.npy");
    return npy_read(out, images.path, labels.path, err);
}

/* What is there must be a file; what is not, may be there as .gz. */
static tacos_status check_idx(Place *place, const Half *half, const char *ending,
                              tacos_error *err) {
    Place zipped;
    char gz[64];
    (void)snprintf(gz, sizeof gz, "%s.gz", ending);
    if (locate(place, half->folder, half->idx, ending))
        return file_check(place->path, err);
    return locate(&zipped, half->folder, half->idx, gz) ? file_check(zipped.path, err) : TACOS_OK;
}

static tacos_status read_idx(Images *out, const Half *half, tacos_error *err) {
    Place images, labels;
    TRY(check_idx(&images, half, "-images-idx3-ubyte", err));
    TRY(check_idx(&labels, half, "-labels-idx1-ubyte", err));
    return idx_read(out, images.path, labels.path, UINT8_MAX + 1, err);
}

static tacos_status read_samples(Images *out, const Half *half, tacos_error *err) {
    return samples_read(out, half->folder, half->name, err);
}

/* The forms, and what there is where half of a set has one. */
static const struct {
    bool as_idx; /* called as IDX calls it */
    const char *ending;
    tacos_status (*read)(Images *out, const Half *half, tacos_error *err);
} forms[] = {
    {false, ".csv", read_csv},
    {false, ".npz", read_npz},
    {false, "-images.npy", read_npy},
    {true, "-images-idx3-ubyte", read_idx},
    {true, "-images-idx3-ubyte.gz", read_idx},
    {false, "", read_samples},
};

static tacos_status read_half(Images *out, const Half *half, tacos_error *err) {
    Place place;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        if (locate(&place, half->folder, forms[f].as_idx ? half->idx : half->name, forms[f].ending))
            return forms[f].read(out, half, err);
    return failure(err, TACOS_MISSING,
                   "%.200s has no %s.csv, no %s.npz, no %s-images.npy, no %s-images-idx3-ubyte and "
                   "no folder %s",
                   half->folder, half->name, half->name, half->name, half->idx, half->name);
}

static size_t count_classes(size_t n, const Images *images) {
    for (size_t i = 0; i < images->n; i++)
        if (images->labels[i] >= n)
            n = (size_t)images->labels[i] + 1;
    return n;
}

tacos_status own_load(Dataset *out, const char *folder, tacos_error *err) {
    *out = (Dataset){0};
    tacos_status status = read_half(&out->train, &(Half){folder, "train", "train"}, err);
    if (status == TACOS_OK)
        status = read_half(&out->test, &(Half){folder, "test", "t10k"}, err);
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
