/* image_folder.c - data sets with one file per sample, HALF/LABEL/FILE: a .png is an image, a .bin
 * or .aedat a recording of an event camera, which becomes an image of event counts per pixel, and a
 * .wav a sound, which becomes a spectrogram.
 *
 * If all folder names in train/ are integers, these are the classes; otherwise the names, sorted by
 * their bytes, are classes 0, 1, ... What file managers leave behind is ignored. Deeper folders are
 * not allowed, so links cannot form a cycle.
 *
 * A file size.conf beside train/ gives `height` and `width`: the size that images are scaled to, or
 * the sensor's. Without it all images must have the same size, and sensors have N-MNIST's. It also
 * gives the `channels` of pictures: 1 for grey, 3 for colour; without it they have colour if any
 * has. */
#include "data/formats/formats.h"

#include "base/array.h"
#include "base/files.h"
#include "data/formats/event_camera.h"
#include "data/formats/png_in.h"
#include "data/formats/size_conf.h"
#include "sound/spectrogram.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { NMNIST_SIDE = 34 };
#define PICTURE_BYTES_MAX ((size_t)1 << 26)

typedef struct Size {
    size_t height, width, channels; /* 0: not given */
} Size;

typedef struct Kind Kind;
typedef struct Shelf {
    Size size;
    const Kind *kind; /* of every file; NULL before the first */
    size_t pixel_room, label_room;
    Images images; /* height and width are 0 before the first */
} Shelf;

/* What a file may be, by the end of its name. */
struct Kind {
    const char *ending;
    tacos_status (*read)(Shelf *shelf, const char *path, tacos_error *err);
};

/* ---- names of a folder ---- */

/* The names in a folder, sorted. */
typedef struct Names {
    char **at; /* [n] */
    size_t n, room;
    size_t n_ignored;
} Names;

enum { NAMES_MAX = 1 << 20 };

static void names_free(Names *names) {
    for (size_t i = 0; i < names->n; i++)
        free(names->at[i]);
    free(names->at);
    *names = (Names){0};
}

static tacos_status add_name(Names *names, const char *name, const char *folder, tacos_error *err) {
    if (names->n == NAMES_MAX)
        return failure(err, TACOS_FORMAT, "%.300s exceeds the limit of %d names", folder,
                       NAMES_MAX);
    char *copy =
        array_grow(&names->at, &names->room, names->n + 1, sizeof *names->at) ? strdup(name) : NULL;
    if (!copy)
        return failure(err, TACOS_MEMORY, "no memory to list %.300s", folder);
    names->at[names->n++] = copy;
    return TACOS_OK;
}

/* Hidden files, and what file managers leave behind. */
static bool is_ignored(const char *name) {
    static const char *const left_behind[] = {"Thumbs.db", "ehthumbs.db", "desktop.ini",
                                              "__MACOSX"};
    for (size_t i = 0; i < sizeof left_behind / sizeof *left_behind; i++)
        if (strcasecmp(name, left_behind[i]) == 0)
            return true;
    return name[0] == '.';
}

static tacos_status add_names(Names *names, DIR *dir, const char *folder, tacos_error *err) {
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(dir);
        if (!entry)
            return errno == 0 ? TACOS_OK : failure_errno(err, "cannot list %.300s", folder);
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (is_ignored(entry->d_name))
            names->n_ignored++;
        else
            TRY(add_name(names, entry->d_name, folder, err));
    }
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static tacos_status names_list(Names *out, const char *folder, tacos_error *err) {
    DIR *dir = opendir(folder);
    *out = (Names){0};
    if (!dir)
        return failure_errno(err, "cannot list %.300s", folder);
    tacos_status status = add_names(out, dir, folder, err);
    (void)closedir(dir);
    if (status == TACOS_OK && out->n == 0)
        status = failure(err, TACOS_FORMAT, "%.300s is empty", folder);
    if (status != TACOS_OK)
        names_free(out);
    else
        qsort(out->at, out->n, sizeof *out->at, compare_names);
    return status;
}

/* ---- classes ---- */

/* The classes of a data set, from its folder train/. */
typedef struct Classes {
    Names names;
    bool numbered;
} Classes;

/* A whole number below CLASSES_MAX, or -1. */
static int class_number(const char *name) {
    size_t n = strspn(name, "0123456789");
    long number = n > 0 && n < 8 && name[n] == '\0' ? strtol(name, NULL, 10) : -1;
    return number < CLASSES_MAX ? (int)number : -1;
}

static bool all_numbers(const Names *names) {
    for (size_t i = 0; i < names->n; i++)
        if (class_number(names->at[i]) < 0)
            return false;
    return true;
}

/* 1 and 01 would be one class. */
static tacos_status check_numbers(const Names *names, const char *folder, tacos_error *err) {
    const char *taken[CLASSES_MAX] = {NULL};
    for (size_t i = 0; i < names->n; i++) {
        const char **place = &taken[class_number(names->at[i])];
        if (*place)
            return failure(err, TACOS_FORMAT, "%.300s: %s and %s are the same class", folder,
                           *place, names->at[i]);
        *place = names->at[i];
    }
    return TACOS_OK;
}

static tacos_status classes_list(Classes *out, const char *set, tacos_error *err) {
    char folder[OUTPUT_PATH_MAX];
    tacos_status status = TACOS_OK;
    *out = (Classes){0};
    TRY(path_join(folder, set, "train", "", err));
    TRY(names_list(&out->names, folder, err));
    out->numbered = all_numbers(&out->names);
    if (out->numbered)
        status = check_numbers(&out->names, folder, err);
    else if (out->names.n > CLASSES_MAX)
        status = failure(err, TACOS_FORMAT, "%.300s has %zu classes; the limit is %d", folder,
                         out->names.n, CLASSES_MAX);
    if (status != TACOS_OK)
        names_free(&out->names);
    return status;
}

static tacos_status classes_find(const Classes *classes, const char *name, const char *folder,
                                 uint16_t *label, tacos_error *err) {
    const Names *names = &classes->names;
    if (classes->numbered) {
        int number = class_number(name);
        if (number < 0)
            return failure(err, TACOS_FORMAT,
                           "%.300s: the classes in train are numbers from 0 to %d, this is none",
                           folder, CLASSES_MAX - 1);
        *label = (uint16_t)number;
        return TACOS_OK;
    }
    char *const *found = NULL;
    if (names->n > 0)
        found = bsearch(&name, names->at, names->n, sizeof *names->at, compare_names);
    if (!found)
        return failure(err, TACOS_FORMAT, "%.300s: there is no such class in train", folder);
    *label = (uint16_t)(found - names->at);
    return TACOS_OK;
}

/* ---- images one by one ---- */

/* Room for one more image of this size, which the others must have too. */
static tacos_status add_image(Shelf *shelf, Size size, uint8_t **pixels, const char *path,
                              tacos_error *err) {
    Images *images = &shelf->images;
    size_t n_pixels = size.height * size.width, n_bytes = n_pixels * size.channels;
    if (n_pixels == 0 || n_pixels > IMAGE_PIXELS_MAX)
        return failure(err, TACOS_FORMAT, "%.300s: %zu x %zu pixels are out of range", path,
                       size.height, size.width);
    if (images->n >= SET_BYTES_MAX / n_bytes)
        return failure(err, TACOS_FORMAT, "%.300s: with this file the data set is too large", path);
    if (!array_grow(&images->pixels, &shelf->pixel_room, images->n + 1, n_bytes) ||
        !array_grow(&images->labels, &shelf->label_room, images->n + 1, sizeof *images->labels))
        return failure(err, TACOS_MEMORY, "no memory to read %.300s", path);
    images->height = size.height;
    images->width = size.width;
    images->channels = size.channels;
    *pixels = images->pixels + images->n * n_bytes;
    return TACOS_OK;
}

/* ---- pictures ---- */

/* The first picture with colour gives it to those before it. */
static tacos_status colour_shelf(Shelf *shelf, tacos_error *err) {
    TRY(images_add_colour(&shelf->images, err));
    shelf->pixel_room = shelf->images.n;
    return TACOS_OK;
}

static tacos_status put_picture(Shelf *shelf, const Picture *picture, const char *path,
                                tacos_error *err) {
    Images *images = &shelf->images;
    Size size = shelf->size;
    uint8_t *pixels = NULL;
    if (size.height == 0)
        size = (Size){picture->height, picture->width, size.channels};
    if (images->n > 0 && (size.height != images->height || size.width != images->width))
        return failure(err, TACOS_FORMAT,
                       "%.300s is %zu pixels high and %zu wide, the first picture %zu and %zu; "
                       "size.conf would say to which size to scale them",
                       path, picture->height, picture->width, images->height, images->width);
    size.channels = picture->channels;
    if (size.channels < shelf->size.channels || (images->n > 0 && size.channels < images->channels))
        size.channels = COLOURS;
    if (images->n > 0 && size.channels > images->channels)
        TRY(colour_shelf(shelf, err));
    TRY(add_image(shelf, size, &pixels, path, err));
    picture_scale(picture->pixels, picture->height, picture->width, picture->channels, pixels,
                  size.height, size.width);
    if (picture->channels < size.channels)
        pixels_add_colour(pixels, size.height * size.width);
    return TACOS_OK;
}

static tacos_status read_picture(Shelf *shelf, const char *path, tacos_error *err) {
    Bytes bytes;
    Picture picture;
    char why[PICTURE_WHY_SIZE];
    TRY(file_take(&bytes, path, PICTURE_BYTES_MAX, err));
    PictureRules rules = {.grey = shelf->size.channels == 1};
    bool good = picture_decode(&picture, bytes.at, bytes.n, rules, why);
    free(bytes.at);
    if (!good)
        return failure(err, TACOS_FORMAT, "%.300s cannot be read: %s", path, why);
    tacos_status status = put_picture(shelf, &picture, path, err);
    free(picture.pixels);
    return status;
}

/* ---- recordings ---- */

static tacos_status count_events(Shelf *shelf, const char *path, Size sensor, tacos_error *err) {
    Recording recording;
    uint8_t *pixels = NULL;
    Size image = {2 * sensor.height, sensor.width, 1};
    if (shelf->size.channels > 0)
        return failure(err, TACOS_FORMAT,
                       "%.300s: size.conf has channels, which only pictures have", path);
    TRY(recording_open(&recording, path, sensor.height, sensor.width, err));
    tacos_status status = add_image(shelf, image, &pixels, path, err);
    if (status == TACOS_OK)
        status = recording_count(&recording, pixels, err);
    recording_close(&recording);
    return status;
}

static tacos_status read_nmnist(Shelf *shelf, const char *path, tacos_error *err) {
    Size sensor = shelf->size;
    if (sensor.height == 0)
        sensor = (Size){NMNIST_SIDE, NMNIST_SIDE, 1};
    return count_events(shelf, path, sensor, err);
}

static tacos_status read_aedat(Shelf *shelf, const char *path, tacos_error *err) {
    if (shelf->size.height == 0)
        return failure(err, TACOS_MISSING,
                       "%.300s: a file size.conf beside train must give the size of the sensor: "
                       "height = 128, width = 128",
                       path);
    return count_events(shelf, path, shelf->size, err);
}

/* ---- sounds ---- */

static tacos_status read_sound(Shelf *shelf, const char *path, tacos_error *err) {
    SpectrogramRules rules = spectrogram_default;
    Sound sound;
    uint8_t *pixels = NULL;
    if (shelf->size.height > 0) {
        rules.n_bands = shelf->size.height;
        rules.n_frames = shelf->size.width;
    }
    if (shelf->size.channels > 0)
        return failure(err, TACOS_FORMAT,
                       "%.300s: size.conf has channels, which only pictures have", path);
    if (rules.n_bands > SPECTROGRAM_BANDS_MAX)
        return failure(err, TACOS_FORMAT,
                       "%.300s: size.conf has height = %zu; sounds have %d at most", path,
                       rules.n_bands, SPECTROGRAM_BANDS_MAX);
    TRY(wav_read(&sound, path, err));
    Size size = {rules.n_bands, rules.n_frames, 1};
    tacos_status status = add_image(shelf, size, &pixels, path, err);
    if (status == TACOS_OK)
        status = spectrogram_draw(&sound, &rules, pixels, path, err);
    sound_free(&sound);
    return status;
}

/* ---- files ---- */

static const Kind kinds[] = {
    {".png", read_picture}, {".wav", read_sound}, {".bin", read_nmnist}, {".aedat", read_aedat}};

static const Kind *kind_of(const char *name) {
    const char *ending = strrchr(name, '.');
    for (size_t k = 0; ending && k < sizeof kinds / sizeof *kinds; k++)
        if (strcasecmp(ending, kinds[k].ending) == 0)
            return &kinds[k];
    return NULL;
}

static tacos_status read_file(Shelf *shelf, const char *folder, const char *name, uint16_t label,
                              tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    const Kind *kind = kind_of(name);
    TRY(path_join(path, folder, name, "", err));
    if (!kind)
        return failure(err, TACOS_FORMAT,
                       "%.300s is not a sample: expected .png, .wav, .bin or .aedat", path);
    if (shelf->kind && shelf->kind != kind)
        return failure(err, TACOS_FORMAT, "%.300s: the files before it are %s", path,
                       shelf->kind->ending);
    shelf->kind = kind;
    TRY(kind->read(shelf, path, err));
    shelf->images.labels[shelf->images.n++] = label;
    return TACOS_OK;
}

/* All of HALF/LABEL. */
static tacos_status read_class(Shelf *shelf, const Classes *classes, const char *half,
                               const char *name, tacos_error *err) {
    char folder[OUTPUT_PATH_MAX];
    Names files;
    uint16_t label = 0;
    struct stat info;
    tacos_status status = TACOS_OK;
    TRY(path_join(folder, half, name, "", err));
    if (stat(folder, &info) == 0 && !S_ISDIR(info.st_mode))
        return failure(err, TACOS_FORMAT, "%.300s is not a folder: each class needs one", folder);
    TRY(classes_find(classes, name, folder, &label, err));
    TRY(names_list(&files, folder, err));
    shelf->images.n_ignored += files.n_ignored;
    for (size_t i = 0; i < files.n && status == TACOS_OK; i++)
        status = read_file(shelf, folder, files.at[i], label, err);
    names_free(&files);
    return status;
}

static tacos_status read_classes(Shelf *shelf, const Classes *classes, const char *half,
                                 tacos_error *err) {
    Names folders;
    tacos_status status = TACOS_OK;
    TRY(names_list(&folders, half, err));
    shelf->images.n_ignored += folders.n_ignored;
    for (size_t i = 0; i < folders.n && status == TACOS_OK; i++)
        status = read_class(shelf, classes, half, folders.at[i], err);
    names_free(&folders);
    return status;
}

tacos_status image_folder_read(Images *out, const char *set, const char *half, tacos_error *err) {
    char folder[OUTPUT_PATH_MAX];
    Classes classes;
    SizeConf conf;
    TRY(path_join(folder, set, half, "", err));
    TRY(size_conf_read(&conf, set, err));
    if (conf.scale > 0)
        return failure(err, TACOS_FORMAT, "%.300s: size.conf has scale, which only CSV files have",
                       set);
    Shelf shelf = {.size = {conf.height, conf.width, conf.channels}};
    TRY(classes_list(&classes, set, err));
    tacos_status status = read_classes(&shelf, &classes, folder, err);
    names_free(&classes.names);
    if (status == TACOS_OK)
        *out = shelf.images;
    else
        images_free(&shelf.images);
    return status;
}

tacos_status image_folder_names(ClassNames *out, const char *set, tacos_error *err) {
    Classes classes;
    *out = (ClassNames){0};
    TRY(classes_list(&classes, set, err));
    if (classes.numbered)
        names_free(&classes.names);
    else
        *out = (ClassNames){classes.names.n, classes.names.at};
    return TACOS_OK;
}
