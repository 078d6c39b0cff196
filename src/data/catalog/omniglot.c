/* omniglot.c - reads Omniglot's zip files: names first, so that missing files are noticed before
 * anything is unpacked. */
#include "data/catalog/catalog.h"

#include "base/array.h"
#include "data/formats/archive.h"
#include "data/formats/png_in.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { N_TRAIN = 15, N_TEST = 5 }; /* drawers */
enum { IMAGE_SIZE = OMNIGLOT_SIDE * OMNIGLOT_SIDE };

/* An entry of a zip file, and what its name says. */
typedef struct Drawing {
    size_t entry;
    const char *name, *alphabet; /* the zip file's; the alphabet is not terminated */
    size_t n_alphabet;
    unsigned character, drawer;
} Drawing;

typedef struct Volume {
    Archive archive;
    Drawing *drawings; /* [n], by alphabet, character and drawer once they are sorted */
    size_t n;
} Volume;

typedef struct Reader {
    Dataset *out;
    size_t n_train, n_test;
    uint8_t png[ARCHIVE_ROOM];
} Reader;

/* ---- Names ----------------------------------------------------------------------------------- */

static bool skip_text(const char **at, const char *text) {
    size_t n = strlen(text);
    if (strncmp(*at, text, n) != 0)
        return false;
    *at += n;
    return true;
}

static bool skip_folder(const char **at) {
    size_t n = strcspn(*at, "/");
    if (n == 0 || (*at)[n] != '/')
        return false;
    *at += n + 1;
    return true;
}

static bool read_number(const char **at, size_t n_digits, unsigned *out) {
    *out = 0;
    for (size_t i = 0; i < n_digits; i++, (*at)++) {
        if (**at < '0' || **at > '9')
            return false;
        *out = 10 * *out + (unsigned)(**at - '0');
    }
    return true;
}

/* FOLDER/ALPHABET/characterNN/NNNN_DD.png */
static bool parse_name(Drawing *out, const char *name) {
    const char *at = name;
    unsigned id;
    out->name = name;
    if (!skip_folder(&at))
        return false;
    out->alphabet = at;
    if (!skip_folder(&at))
        return false;
    out->n_alphabet = (size_t)(at - 1 - out->alphabet);
    return skip_text(&at, "character") && read_number(&at, 2, &out->character) &&
           skip_text(&at, "/") && read_number(&at, 4, &id) && skip_text(&at, "_") &&
           read_number(&at, 2, &out->drawer) && strcmp(at, ".png") == 0;
}

static bool is_passed_over(const char *name) {
    size_t n = strlen(name);
    return (n > 0 && name[n - 1] == '/') || strncmp(name, "__MACOSX/", 9) == 0;
}

static int compare_characters(const Drawing *a, const Drawing *b) {
    size_t n = a->n_alphabet < b->n_alphabet ? a->n_alphabet : b->n_alphabet;
    int order = memcmp(a->alphabet, b->alphabet, n);
    if (order == 0)
        order = (a->n_alphabet > b->n_alphabet) - (a->n_alphabet < b->n_alphabet);
    if (order == 0)
        order = (a->character > b->character) - (a->character < b->character);
    return order;
}

static int compare_drawings(const void *a, const void *b) {
    const Drawing *one = a, *other = b;
    int order = compare_characters(one, other);
    if (order == 0)
        order = (one->drawer > other->drawer) - (one->drawer < other->drawer);
    return order;
}

/* ---- What a zip file holds ------------------------------------------------------------------- */

static tacos_status list_drawings(Volume *volume, size_t n_drawers, tacos_error *err) {
    const Archive *archive = &volume->archive;
    volume->drawings = calloc(archive->n_entries + 1, sizeof *volume->drawings);
    if (!volume->drawings)
        return failure(err, TACOS_MEMORY, "no memory to list %s", archive->path);
    for (size_t i = 0; i < archive->n_entries; i++) {
        const char *name = NULL;
        TRY(archive_name(archive, i, &name, err));
        if (is_passed_over(name))
            continue;
        Drawing *drawing = &volume->drawings[volume->n++];
        drawing->entry = i;
        if (!parse_name(drawing, name))
            return failure(err, TACOS_FORMAT,
                           "%s: '%s' is not a drawing: expected "
                           "FOLDER/ALPHABET/characterNN/NNNN_DD.png",
                           archive->path, archive_show(name).text);
        if (drawing->drawer < 1 || drawing->drawer > n_drawers)
            return failure(err, TACOS_FORMAT, "%s: %s is of drawer %u, there are 1 to %zu",
                           archive->path, archive_show(name).text, drawing->drawer, n_drawers);
    }
    if (volume->n == 0)
        return failure(err, TACOS_FORMAT, "%s holds no drawings", archive->path);
    qsort(volume->drawings, volume->n, sizeof *volume->drawings, compare_drawings);
    return TACOS_OK;
}

static tacos_status fail_missing(const Volume *volume, const Drawing *of, size_t drawer,
                                 tacos_error *err) {
    return failure(err, TACOS_FORMAT,
                   "%s is not whole: the character of %s lacks the drawing of drawer %zu",
                   volume->archive.path, archive_show(of->name).text, drawer);
}

/* Every character has one drawing of each drawer: sorted, they come in full turns. */
static tacos_status check_drawings(const Volume *volume, size_t n_drawers, tacos_error *err) {
    for (size_t i = 0; i < volume->n; i++) {
        const Drawing *drawing = &volume->drawings[i], *first = drawing - i % n_drawers;
        size_t wanted = i % n_drawers + 1;
        if (i > 0 && compare_drawings(drawing - 1, drawing) == 0)
            return failure(err, TACOS_FORMAT, "%s has the same drawing twice: %s and %s",
                           volume->archive.path, archive_show(drawing[-1].name).text,
                           archive_show(drawing->name).text);
        if (compare_characters(first, drawing) != 0 || drawing->drawer != wanted)
            return fail_missing(volume, first, wanted, err);
    }
    size_t rest = volume->n % n_drawers;
    return rest == 0 ? TACOS_OK
                     : fail_missing(volume, &volume->drawings[volume->n - 1], rest + 1, err);
}

/* ---- Images ---------------------------------------------------------------------------------- */

static tacos_status make_room(Images *images, size_t n_more, tacos_error *err) {
    size_t n = images->n + n_more, pixel_room = images->n, label_room = images->n;
    if (!array_grow(&images->pixels, &pixel_room, n, IMAGE_SIZE) ||
        !array_grow(&images->labels, &label_room, n, sizeof *images->labels))
        return failure(err, TACOS_MEMORY, "no memory for %zu images", n);
    return TACOS_OK;
}

static tacos_status read_drawing(Reader *reader, const Volume *volume, const Drawing *drawing,
                                 size_t class_index, tacos_error *err) {
    bool trains = drawing->drawer <= reader->n_train;
    Images *images = trains ? &reader->out->train : &reader->out->test;
    char why[PICTURE_WHY_SIZE];
    PictureRules rules = {.side = OMNIGLOT_DRAWING_SIDE, .plain_grey = true, .invert = true};
    Picture picture;
    size_t n = 0;
    TRY(archive_read(&volume->archive, drawing->entry, reader->png, &n, err));
    if (!picture_decode(&picture, reader->png, n, rules, why))
        return failure(err, TACOS_FORMAT, "%s: %s is not a drawing: %s", volume->archive.path,
                       archive_show(drawing->name).text, why);
    picture_scale(picture.pixels, OMNIGLOT_DRAWING_SIDE, OMNIGLOT_DRAWING_SIDE, 1,
                  images->pixels + images->n * IMAGE_SIZE, OMNIGLOT_SIDE, OMNIGLOT_SIDE);
    free(picture.pixels);
    images->labels[images->n++] = (uint16_t)class_index;
    return TACOS_OK;
}

static tacos_status read_volume(Reader *reader, Volume *volume, const char *path,
                                tacos_error *err) {
    size_t n_drawers = reader->n_train + reader->n_test;
    Dataset *out = reader->out;
    TRY(archive_open(&volume->archive, path, err));
    TRY(list_drawings(volume, n_drawers, err));
    TRY(check_drawings(volume, n_drawers, err));
    size_t n_classes = volume->n / n_drawers;
    if (out->n_classes + n_classes > CLASSES_MAX)
        return failure(err, TACOS_FORMAT, "%s holds %zu characters: the limit is %d in all", path,
                       n_classes, CLASSES_MAX);
    TRY(make_room(&out->train, n_classes * reader->n_train, err));
    TRY(make_room(&out->test, n_classes * reader->n_test, err));
    for (size_t i = 0; i < volume->n; i++)
        TRY(read_drawing(reader, volume, &volume->drawings[i], out->n_classes + i / n_drawers,
                         err));
    out->n_classes += n_classes;
    return TACOS_OK;
}

tacos_status omniglot_read_zips(Dataset *out, const char *const *paths, size_t n_paths,
                                size_t n_train, size_t n_test, tacos_error *err) {
    const Images none = {.height = OMNIGLOT_SIDE, .width = OMNIGLOT_SIDE, .channels = 1};
    tacos_status status = TACOS_OK;
    *out = (Dataset){.train = none, .test = none};
    Reader *reader = malloc(sizeof *reader); /* its buffer is too large for the stack of a thread */
    if (!reader)
        return failure(err, TACOS_MEMORY, "no memory to read %s", paths[0]);
    reader->out = out;
    reader->n_train = n_train;
    reader->n_test = n_test;
    for (size_t i = 0; i < n_paths && status == TACOS_OK; i++) {
        Volume volume = {.n = 0};
        status = read_volume(reader, &volume, paths[i], err);
        archive_close(&volume.archive);
        free(volume.drawings);
    }
    free(reader);
    if (status != TACOS_OK)
        dataset_free(out);
    return status;
}

tacos_status omniglot_read(Dataset *out, const char *folder, tacos_error *err) {
    char one[OUTPUT_PATH_MAX], two[OUTPUT_PATH_MAX];
    TRY(path_join(one, folder, "images_background_small1.zip", "", err));
    TRY(path_join(two, folder, "images_background_small2.zip", "", err));
    const char *const paths[] = {one, two};
    return omniglot_read_zips(out, paths, 2, N_TRAIN, N_TEST, err);
}
