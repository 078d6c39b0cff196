/* load.c - loads a data set by name: from the catalogue, or from a user's folder, whose format is
 * recognised by its files. */
#include "data/catalog/catalog.h"

#include "base/decimal.h"
#include "base/keys.h"
#include "base/bytes.h"
#include "data/formats/formats.h"
#include "data/formats/size_conf.h"
#include "data/formats/table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MNIST_CLASSES = 10 };

/* Half of a set: its name, and what IDX files call it. */
typedef struct Half {
    const char *folder, *name, *idx;
    CsvScale *scale; /* the same for both */
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

/* Lines have a shape if size.conf gives one. */
static tacos_status shape_csv(Images *images, const SizeConf *conf, const char *path,
                              tacos_error *err) {
    size_t n = images_size(images), channels = conf->channels > 0 ? conf->channels : 1;
    if (conf->height == 0)
        return TACOS_OK;
    if (conf->height * conf->width * channels != n)
        return failure(err, TACOS_FORMAT,
                       "%.300s has %zu values in a line, but size.conf says %zu x %zu x %zu", path,
                       n, conf->height, conf->width, channels);
    images->height = conf->height;
    images->width = conf->width;
    images->channels = channels;
    return TACOS_OK;
}

static tacos_status read_csv(Images *out, const Half *half, tacos_error *err) {
    Place place;
    SizeConf conf;
    (void)locate(&place, half->folder, half->name, ".csv");
    TRY(size_conf_read(&conf, half->folder, err));
    if (conf.scale > 0)
        *half->scale = (CsvScale){.full = conf.scale, .stated = true};
    TRY(csv_read(out, place.path, half->scale, err));
    tacos_status status = shape_csv(out, &conf, place.path, err);
    if (status != TACOS_OK)
        images_free(out);
    return status;
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

/* The reader of a half, or NULL if there is nothing to read. */
static HalfReader *find_reader(const Half *half) {
    Place place;
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        if (locate(&place, half->folder, formats[f].as_idx ? half->idx : half->name,
                   formats[f].ending))
            return formats[f].read;
    return NULL;
}

static tacos_status read_any(Images *out, const Half *half, tacos_error *err) {
    HalfReader *read = find_reader(half);
    if (read)
        return read(out, half, err);
    return failure(err, TACOS_MISSING,
                   "%.200s has no %s.csv, no %s.npz, no %s-images.npy, no %s-images-idx3-ubyte and "
                   "no folder %s",
                   half->folder, half->name, half->name, half->name, half->idx, half->name);
}

/* ---- both halves ---- */

/* If only one half has colour, the other one gets it: it may just have no coloured picture. */
static tacos_status match_halves(Images *train, Images *test, const char *folder,
                                 tacos_error *err) {
    if (train->height != test->height || train->width != test->width)
        return failure(err, TACOS_FORMAT,
                       "%.200s: training images are %zux%zu but test images are %zux%zu", folder,
                       train->height, train->width, test->height, test->width);
    if (train->channels == 1 && test->channels == COLOURS)
        return images_add_colour(train, err);
    if (train->channels == COLOURS && test->channels == 1)
        return images_add_colour(test, err);
    if (train->channels != test->channels)
        return failure(err, TACOS_FORMAT,
                       "%.200s: training images have %zu channels but test images have %zu", folder,
                       train->channels, test->channels);
    return TACOS_OK;
}

static tacos_status read_halves(Dataset *out, const char *folder, HalfReader *read,
                                tacos_error *err) {
    CsvScale scale = {0};
    *out = (Dataset){0};
    tacos_status status = read(&out->train, &(Half){folder, "train", "train", &scale}, err);
    if (status == TACOS_OK)
        status = read(&out->test, &(Half){folder, "test", "t10k", &scale}, err);
    if (status == TACOS_OK)
        status = match_halves(&out->train, &out->test, folder, err);
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

/* ---- a data set without a test part: split.conf says how much of it is for testing ---- */

typedef struct Split {
    double test_fraction;
} Split;

static const Key split_keys[] = {
    {"test_fraction", KEY_REAL, offsetof(Split, test_fraction), 0.01, 0.9, "", "", "0.2",
     "of each class, if there is no test part", NULL},
};
static const KeyTable split_table = {split_keys, sizeof split_keys / sizeof *split_keys};
enum { SPLIT_TEXT_MAX = 4096 };

static tacos_status set_split(void *user, const char *name, const char *value, tacos_error *err) {
    const KeyTable *const tables[] = {&split_table};
    const Key *key = keys_find(split_table, name);
    return key ? key_set(key, user, value, err) : keys_fail_unknown(tables, 1, NULL, name, err);
}

static tacos_status read_split(Split *out, const char *folder, tacos_error *err) {
    Place place;
    char *text = NULL;
    keys_defaults(split_table, out);
    if (!locate(&place, folder, "split", ".conf"))
        return TACOS_OK;
    TRY(file_check(place.path, err));
    TRY(input_read_text(place.path, SPLIT_TEXT_MAX, &text, err));
    tacos_status status = keys_parse(text, place.path, set_split, out, err);
    free(text);
    return status;
}

static tacos_status read_and_split(Dataset *out, const Half *train, tacos_error *err) {
    Split split;
    *out = (Dataset){.test_from_train = true};
    TRY(read_split(&split, train->folder, err));
    out->test_fraction = split.test_fraction;
    tacos_status status = read_any(&out->train, train, err);
    if (status == TACOS_OK)
        status = images_split(&out->train, split.test_fraction, &out->test, err);
    if (status == TACOS_OK && out->test.n == 0)
        status = failure(err, TACOS_FORMAT,
                         "%.200s has no test part, and too few images per class to split off %s of "
                         "them for testing; test_fraction in split.conf changes that",
                         train->folder, REAL(split.test_fraction));
    if (status != TACOS_OK)
        dataset_free(out);
    return status;
}

tacos_status user_dataset_read(Dataset *out, const char *folder, tacos_error *err) {
    CsvScale scale = {0};
    const Half train = {folder, "train", "train", &scale}, test = {folder, "test", "t10k", &scale};
    if (find_reader(&train) && !find_reader(&test))
        TRY(read_and_split(out, &train, err));
    else
        TRY(read_halves(out, folder, read_any, err));
    out->n_classes = count_classes(count_classes(0, &out->train), &out->test);
    tacos_status status =
        folder_class_names(&out->names, folder, find_reader(&train) == read_folder, err);
    if (status == TACOS_OK && out->names.n > 0 && out->names.n < out->n_classes)
        status = failure(err, TACOS_FORMAT,
                         "%.200s: classes.txt has %zu names, but there is a class %zu", folder,
                         out->names.n, out->n_classes - 1);
    if (status != TACOS_OK)
        dataset_free(out);
    return status;
}

bool user_dataset_is_folders(const char *folder) {
    return find_reader(&(Half){folder, "train", "train", NULL}) == read_folder;
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

/* NAME or NAME:VARIANT of a known set; NULL if it is none. */
static const CatalogSet *find_set(const char *name, const char **variant) {
    char base[64];
    const CatalogSet *set = NULL;
    size_t n = strcspn(name, ":");
    *variant = NULL;
    (void)snprintf(base, sizeof base, "%.*s", (int)(n < sizeof base ? n : 0), name);
    if (catalog_find(catalog_builtin(), name[n] ? base : name, &set, NULL) != TACOS_OK ||
        (name[n] && !set->read_variant))
        return NULL;
    *variant = name[n] ? name + n + 1 : NULL;
    return set;
}

static tacos_status read_known(Dataset *out, const CatalogSet *set, const char *variant,
                               const char *base, tacos_error *err) {
    CatalogPath folder;
    if (set->info.is_table)
        return failure(err, TACOS_INVALID,
                       "%s is a table of numbers in an order; experiments learn from images",
                       set->info.name);
    TRY(catalog_folder(catalog_builtin(), &set->info, base, &folder, err));
    return variant ? set->read_variant(out, folder.text, variant, err)
                   : set->read(out, folder.text, err);
}

static tacos_status read_set(Dataset *out, const char *name, const char *dir, tacos_error *err) {
    char base[OUTPUT_PATH_MAX], folder[OUTPUT_PATH_MAX];
    const char *variant;
    const CatalogSet *set = find_set(name, &variant);
    struct stat info;
    if (set && set->info.built_in)
        return set->read(out, NULL, err);
    TRY(tacos_data_dir(dir, base, sizeof base, err));
    if (set)
        return read_known(out, set, variant, base, err);
    TRY(path_join(folder, base, name, "", err));
    return stat(folder, &info) == 0 ? user_dataset_read(out, folder, err)
                                    : fail_unknown(name, folder, err);
}

tacos_status catalog_table(const char *name, const char *dir, CatalogPath *out, tacos_error *err) {
    const Catalog *catalog = catalog_builtin();
    const CatalogSet *set = NULL;
    CatalogPath base, folder;
    TRY(catalog_find(catalog, name, &set, err));
    if (!set->info.is_table)
        return failure(err, TACOS_INVALID, "%s is not a table", name);
    TRY(tacos_data_dir(dir, base.text, sizeof base.text, err));
    TRY(catalog_folder(catalog, &set->info, base.text, &folder, err));
    const char *file = catalog_file(catalog, &set->info, 0);
    tacos_status status = catalog_locate(catalog, &set->info, file, folder.text, out, err);
    if (status == TACOS_MISSING)
        return failure(err, status, "%s: %s is not in %s: `tacos data get %s` downloads it", name,
                       file, folder.text, name);
    return status;
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

static tacos_status describe_table(const char *name, const char *dir, tacos_data_content *out,
                                   tacos_error *err) {
    const TableRules rules = {.look_ahead = TABLE_LOOK_AHEAD};
    CatalogPath path;
    Table table;
    TRY(catalog_table(name, dir, &path, err));
    TRY(table_read(&table, path.text, &rules, err));
    *out = (tacos_data_content){.n_train = table.n_rows,
                                .height = 1,
                                .width = table.n_features,
                                .channels = 1,
                                .n_classes = table.classes.n,
                                .train_names_line = table.names_line,
                                .is_table = 1};
    table_free(&table);
    return TACOS_OK;
}

tacos_status tacos_data_describe(const char *name, const char *dir, tacos_data_content *out,
                                 tacos_error *err) {
    Dataset set;
    const char *variant;
    const CatalogSet *known = find_set(name, &variant);
    *out = (tacos_data_content){0};
    if (known && known->info.is_table)
        return describe_table(name, dir, out, err);
    TRY(dataset_load(&set, name, dir, err));
    *out = (tacos_data_content){
        .n_train = set.train.n,
        .n_test = set.test.n,
        .height = set.train.height,
        .width = set.train.width,
        .channels = set.train.channels,
        .n_classes = set.n_classes,
        .train_names_line = set.train.names_line,
        .test_names_line = set.test.names_line,
        .test_from_train = set.test_from_train,
        .test_fraction = set.test_fraction,
        .n_ignored = set.train.n_ignored + set.test.n_ignored,
        .scale = set.train.full,
        .train_most = set.train.most,
        .test_most = set.test.most,
    };
    dataset_free(&set);
    return TACOS_OK;
}
