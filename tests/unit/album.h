/* album.h - drawings as PNG images and zip files of them, good and bad, for tests of Omniglot. */
#ifndef TESTS_ALBUM_H
#define TESTS_ALBUM_H

#include "data/catalog/catalog.h"
#include "data/formats/png_in.h"
#include "folder.h"

#include <png.h>
#include <zip.h>

enum { SIDE = OMNIGLOT_DRAWING_SIDE, SMALL = OMNIGLOT_SIDE };
enum { PNG_MAX = 20000 };

/* ---- Drawings -------------------------------------------------------------------------------- */

typedef struct Png {
    uint8_t bytes[PNG_MAX];
    size_t n;
} Png;

typedef struct PngKind {
    size_t width, height;
    int depth, color, interlace;
} PngKind;
static const PngKind grey1 = {SIDE, SIDE, 1, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE};
static const PngKind grey8 = {SIDE, SIDE, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE};

static inline void put_png_bytes(png_structp png, png_bytep bytes, size_t n) {
    Png *out = png_get_io_ptr(png);
    assert_true(n <= PNG_MAX - out->n);
    memcpy(out->bytes + out->n, bytes, n);
    out->n += n;
}

/* One bit a pixel or a byte; a kind that wants more has what is left of it zero. */
static inline void fill_row(uint8_t *row, const PngKind *kind, const uint8_t *ink, size_t y) {
    for (size_t x = 0; x < kind->width; x++) {
        uint8_t white = (uint8_t)(255 - ink[y % SIDE * SIDE + x]);
        if (kind->depth == 1)
            row[x / 8] |= (uint8_t)((white > 127) << (7 - x % 8));
        else
            row[x] = white;
    }
}

/* Of ink[SIDE][SIDE]; no kind is wider, and one that is higher repeats it. */
static inline Png make_png(const PngKind *kind, const uint8_t *ink) {
    Png out = {.n = 0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    const png_color palette[2] = {{0, 0, 0}, {255, 255, 255}};
    png_set_write_fn(png, &out, put_png_bytes, NULL);
    png_set_IHDR(png, info, (png_uint_32)kind->width, (png_uint_32)kind->height, kind->depth,
                 kind->color, kind->interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (kind->color == PNG_COLOR_TYPE_PALETTE)
        png_set_PLTE(png, info, palette, 2);
    png_write_info(png, info);
    int n_passes = png_set_interlace_handling(png);
    for (int pass = 0; pass < n_passes; pass++)
        for (size_t y = 0; y < kind->height; y++) {
            uint8_t row[8 * SIDE] = {0};
            fill_row(row, kind, ink, y);
            png_write_row(png, row);
        }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return out;
}

/* Noise: of greys, or of black on white. */
static inline void scribble(uint8_t *ink, uint32_t number, bool grey) {
    Dice dice = {number, 0};
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        uint32_t word = roll_word(&dice);
        ink[i] = grey ? (uint8_t)word : word % 5 == 0 ? 255 : 0;
    }
}

/* ---- Zip files ------------------------------------------------------------------------------- */

typedef struct Entry {
    const char *name;
    const void *bytes;
    size_t n;
} Entry;

enum { ENTRIES_MAX = 64 };
typedef struct Zip {
    char path[96];
    Entry entries[ENTRIES_MAX];
    size_t n;
} Zip;

static inline Zip zip_at(const Folder *folder, const char *name) {
    Zip zip = {.n = 0};
    (void)snprintf(zip.path, sizeof zip.path, "%s/%s", folder->path, name);
    return zip;
}

static inline void put(Zip *zip, const char *name, const void *bytes, size_t n) {
    assert_true(zip->n < ENTRIES_MAX);
    zip->entries[zip->n++] = (Entry){name, bytes, n};
}

static inline void zip_write(const Zip *zip) {
    (void)unlink(zip->path);
    zip_t *file = zip_open(zip->path, ZIP_CREATE | ZIP_EXCL, NULL);
    assert_non_null(file);
    for (size_t i = 0; i < zip->n; i++) {
        const Entry *entry = &zip->entries[i];
        size_t length = strlen(entry->name);
        if (length > 0 && entry->name[length - 1] == '/') {
            assert_true(zip_dir_add(file, entry->name, 0) >= 0);
            continue;
        }
        zip_source_t *source = zip_source_buffer(file, entry->bytes, entry->n, 0);
        assert_true(zip_file_add(file, entry->name, source, 0) >= 0);
    }
    assert_int_equal(zip_close(file), 0);
}

/* Three characters of two alphabets, three drawings each, in the order in which they should be
 * read. */
static const char *const good_names[] = {
    "box/Alpha/character01/0001_01.png", "box/Alpha/character01/0001_02.png",
    "box/Alpha/character01/0001_03.png", "box/Alpha/character02/0002_01.png",
    "box/Alpha/character02/0002_02.png", "box/Alpha/character02/0002_03.png",
    "box/Beta/character01/0003_01.png",  "box/Beta/character01/0003_02.png",
    "box/Beta/character01/0003_03.png",
};
enum { N_GOOD = sizeof good_names / sizeof *good_names };

typedef struct Album {
    Png pngs[N_GOOD];
    uint8_t small[N_GOOD][SMALL * SMALL]; /* what should come out */
} Album;

static inline Album *make_album(void) {
    Album *album = malloc(sizeof *album);
    uint8_t ink[SIDE * SIDE];
    assert_non_null(album);
    for (uint32_t i = 0; i < N_GOOD; i++) {
        scribble(ink, i, i % 2);
        album->pngs[i] = make_png(i % 2 ? &grey8 : &grey1, ink);
        picture_scale(ink, SIDE, SIDE, 1, album->small[i], SMALL, SMALL);
    }
    return album;
}

static inline void put_good(Zip *zip, const Album *album, size_t i) {
    put(zip, good_names[i], album->pngs[i].bytes, album->pngs[i].n);
}

/* All in a mixed order, but for one that is left out (N_GOOD: none is). */
static inline void put_all_good(Zip *zip, const Album *album, size_t but) {
    for (size_t j = 0; j < N_GOOD; j++)
        if (5 * j % N_GOOD != but)
            put_good(zip, album, 5 * j % N_GOOD);
}

#endif
