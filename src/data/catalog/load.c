/* load.c - loads a data set by name: from the catalogue, or from a user's folder, whose format is
 * recognised by its files. */
#include "data/catalog/catalog.h"

#include "data/formats/bytes.h"
#include "data/formats/formats.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { MNIST_CLASSES = 10 };

/* Half of a set: its name, and what IDX files call it. */
typedef struct Half {
    const char *folder, *name, *idx;
} Half;

typedef tacos_status HalfReader(Images *out, const Half *half, tacos_error *err);

typedef struct Place {
    char path[OUTPUT_PATH_MAX];
} Place;

/* ---- one reader per format ---- */

/* Whether the name exists, readable or not: opening it will fail with the reason. */
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

/* A file, or a missing one, which idx_read looks for as .gz. */
static tacos_status check_idx(Place *place, const Half *half, const char *ending,
                              tacos_error *err) {
    Place zipped;
    char gz[64];
    (void)snprintf(gz, sizeof gz, "%s.gz", ending);
    if (locate(place, half->folder, half->idx, ending))
        return file_check(place->path, err);
    return locate(&zipped, half->folder, half->idx, gz) ? file_check(zipped.path, err) : TACOS_OK;
}

static tacos_status read_idx_below(Images *out, const Half *half, size_t n_classes,
                                   tacos_error *err) {
    Place images, labels;
    TRY(check_idx(&images, half, "-images-idx3-ubyte", err));
    TRY(check_idx(&labels, half, "-labels-idx1-ubyte", err));
    return idx_read(out, images.path, labels.path, n_classes, err);
}

static tacos_status read_idx(Images *out, const Half *half, tacos_error *err) {
    return read_idx_below(out, half, UINT8_MAX + 1, err);
}

static tacos_status read_mnist(Images *out, const Half *half, tacos_error *err) {
    return read_idx_below(out, half, MNIST_CLASSES, err);
}

static tacos_status read_folder(Images *out, const Half *half, tacos_error *err) {
    return image_folder_read(out, half->folder, half->name, err);
}

/* The formats in order of precedence, each recognised by a file or folder of half of a set. */
static const struct {
    bool as_idx; /* named as IDX files are */
    const char *ending;
    HalfReader *read;
} formats[] = {
    {false, ".csv", read_csv},
    {false, ".npz", read_npz},
    {false, "-images.npy", read_npy},
    {true, "-images-idx3-ubyte", read_idx},
    {true, "-images-idx3-ubyte.gz", read_idx},
    {false, "", read_folder},
};

static tacos_status read_any(Images *out, const Half *half, tacos_error *err) {
    Place place;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        if (locate(&place, half->folder, formats[f].as_idx ? half->idx : half->name,
                   formats[f].ending))
            return formats[f].read(out, half, err);
    return failure(err, TACOS_MISSING,
                   "%.200s has no %s.csv, no %s.npz, no %s-images.npy, no %s-images-idx3-ubyte and "
                   "no folder %s",
                   half->folder, half->name, half->name, half->name, half->idx, half->name);
}

/* ---- both halves ---- */

static tacos_status read_halves(Dataset *out, const char *folder, HalfReader *read,
                                tacos_error *err) {
    *out = (Dataset){0};
    tacos_status status = read(&out->train, &(Half){folder, "train", "train"}, err);
    if (status == TACOS_OK)
        status = read(&out->test, &(Half){folder, "test", "t10k"}, err);
    if (status == TACOS_OK &&
        (out->train.height != out->test.height || out->train.width != out->test.width))
        status = failure(err, TACOS_FORMAT,
                         "%.200s: training images are %zux%zu but test images are %zux%zu", folder,
                         out->train.height, out->train.width, out->test.height, out->test.width);
    if (status != TACOS_OK)
        dataset_free(out);
    return status;
}

static size_t count_classes(size_t n, const Images *images) {
    for (size_t i = 0; i < images->n; i++)
        if (images->labels[i] >= n)
            n = (size_t)images->labels[i] + 1;
    return n;
}

tacos_status user_dataset_read(Dataset *out, const char *folder, tacos_error *err) {
    TRY(read_halves(out, folder, read_any, err));
    out->n_classes = count_classes(count_classes(0, &out->train), &out->test);
    return TACOS_OK;
}

tacos_status mnist_read(Dataset *out, const char *folder, tacos_error *err) {
    TRY(read_halves(out, folder, read_mnist, err));
    out->n_classes = MNIST_CLASSES;
    return TACOS_OK;
}

/* ---- by name ---- */

/* Neither in the catalogue nor a folder: the name may be misspelt. */
static tacos_status fail_unknown(const char *name, const char *folder, tacos_error *err) {
    enum { NAMES_MAX = 16 };
    const Catalog *catalog = catalog_builtin();
    const char *names[NAMES_MAX + 1] = {NULL};
    for (size_t i = 0; i < catalog->n_sets && i < NAMES_MAX; i++)
        names[i] = catalog->sets[i].info.name;
    const char *near = tacos_nearest(name, names);
    return failure(err, TACOS_MISSING, "no data set '%s': there is no folder %.200s%s%s%s", name,
                   folder, near ? "; the nearest known one is '" : "", near ? near : "",
                   near ? "'" : "");
}

static tacos_status read_set(Dataset *out, const char *name, const char *dir, tacos_error *err) {
    char base[OUTPUT_PATH_MAX], folder[OUTPUT_PATH_MAX];
    const CatalogSet *set = NULL;
    struct stat info;
    bool known = catalog_find(catalog_builtin(), name, &set, NULL) == TACOS_OK;
    if (known && set->info.built_in)
        return set->read(out, NULL, err);
    TRY(tacos_data_dir(dir, base, sizeof base, err));
    TRY(path_join(folder, base, name, "", err));
    if (known)
        return set->read(out, folder, err);
    return stat(folder, &info) == 0 ? user_dataset_read(out, folder, err)
                                    : fail_unknown(name, folder, err);
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

tacos_status tacos_data_describe(const char *name, const char *dir, tacos_data_content *out,
                                 tacos_error *err) {
    Dataset set;
    *out = (tacos_data_content){0};
    TRY(dataset_load(&set, name, dir, err));
    *out = (tacos_data_content){
        .n_train = set.train.n,
        .n_test = set.test.n,
        .height = set.train.height,
        .width = set.train.width,
        .n_classes = set.n_classes,
        .train_names_line = set.train.names_line,
        .test_names_line = set.test.names_line,
    };
    dataset_free(&set);
    return TACOS_OK;
}
