/* test_omniglot.c - Omniglot's zip files are read right in whatever order, and every way of being
 * wrong is named. */
#include "data/formats/archive.h"
#include "album.h"

enum { N_TRAIN = 2, N_TEST = 1 };

/* ---- Checks ---------------------------------------------------------------------------------- */

static tacos_status read_zip(Dataset *out, const char *path, tacos_error *err) {
    const char *const paths[] = {path};
    return omniglot_read_zips(out, paths, 1, N_TRAIN, N_TEST, err);
}

/* It fails so, and the sentence names the file and has the words. */
static void expect_error(const char *path, tacos_status status, const char *const words[3]) {
    Dataset data;
    tacos_error err;
    assert_fails(read_zip(&data, path, &err), status);
    assert_says(err, path);
    for (size_t i = 0; i < 3 && words[i]; i++)
        assert_says(err, words[i]);
    assert_null(data.train.pixels);
    assert_int_equal(read_zip(&data, path, NULL), status);
}

#define EXPECT_ERROR(path, status, ...)                                                            \
    expect_error(path, status, (const char *const[3]){__VA_ARGS__})

/* ---- Scaling --------------------------------------------------------------------------------- */

static double covered(size_t s, size_t t, double step) {
    double start = (double)t * step, end = start + step;
    double from = (double)s > start ? (double)s : start;
    double to = (double)(s + 1) < end ? (double)(s + 1) : end;
    return to > from ? to - from : 0;
}

static double naive_mean(const uint8_t *in, size_t from, size_t to, size_t y, size_t x) {
    double step = (double)from / (double)to, sum = 0;
    for (size_t v = 0; v < from; v++)
        for (size_t u = 0; u < from; u++)
            sum += covered(v, y, step) * covered(u, x, step) * in[v * from + u];
    return sum / (step * step);
}

static void shrinks_by_area(void **state) {
    (void)state;
    static const size_t sizes[][2] = {{SIDE, SMALL}, {SIDE, 35}, {SIDE, 1}, {28, 28}, {7, 5}};
    uint8_t in[SIDE * SIDE], out[SIDE * SIDE];
    scribble(in, 77, true);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        size_t from = sizes[k][0], to = sizes[k][1];
        picture_scale(in, from, from, 1, out, to, to);
        for (size_t i = 0; i < to * to; i++) {
            double off = out[i] - naive_mean(in, from, to, i / to, i % to);
            if (off > 0.5 + 1e-9 || off < -0.5 - 1e-9)
                fail_msg("%zu to %zu: pixel %zu is off by %g", from, to, i, off);
        }
    }
    memset(in, 255, sizeof in);
    picture_scale(in, SIDE, SIDE, 1, out, SMALL, SMALL);
    for (size_t i = 0; i < SMALL * SMALL; i++)
        assert_int_equal(out[i], 255);
}

/* As omniglot.c reads a drawing. */
static bool decode_ink(const uint8_t *png, size_t n, uint8_t ink[SIDE * SIDE],
                       char why[PICTURE_WHY_SIZE]) {
    PictureRules rules = {.side = SIDE, .plain_grey = true, .invert = true};
    Picture picture;
    if (!picture_decode(&picture, png, n, rules, why))
        return false;
    memcpy(ink, picture.pixels, (size_t)SIDE * SIDE);
    free(picture.pixels);
    return true;
}

/* A black corner at the top left on white paper is ink there, and nowhere else. */
static void black_is_ink_and_up_is_up(void **state) {
    (void)state;
    uint8_t ink[SIDE * SIDE] = {0}, read[SIDE * SIDE];
    char why[PICTURE_WHY_SIZE];
    for (size_t x = 0; x < 40; x++)
        ink[3 * SIDE + x] = ink[x * SIDE + 5] = 255;
    const PngKind interlaced = {SIDE, SIDE, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7};
    const PngKind *const kinds[] = {&grey1, &grey8, &interlaced};
    for (size_t k = 0; k < 3; k++) {
        Png png = make_png(kinds[k], ink);
        assert_true(decode_ink(png.bytes, png.n, read, why));
        assert_memory_equal(read, ink, sizeof ink);
    }
}

/* ---- Good zip files -------------------------------------------------------------------------- */

static void check_good(const Dataset *data, const Album *album, size_t first, size_t n_classes) {
    for (size_t c = 0; c < n_classes; c++)
        for (size_t d = 0; d < N_TRAIN + N_TEST; d++) {
            const Images *images = d < N_TRAIN ? &data->train : &data->test;
            size_t at = d < N_TRAIN ? (first + c) * N_TRAIN + d : (first + c) * N_TEST;
            assert_int_equal(images->labels[at], first + c);
            assert_memory_equal(images->pixels + at * SMALL * SMALL,
                                album->small[c * (N_TRAIN + N_TEST) + d], SMALL * SMALL);
        }
}

static void reads_in_whatever_order(void **state) {
    Album *album = make_album();
    Zip one = zip_at(*state, "one.zip"), two = zip_at(*state, "two.zip");
    Dataset data;
    tacos_error err;
    put_all_good(&one, album, N_GOOD);
    zip_write(&one);
    put(&two, "box/", NULL, 0);
    put(&two, "box/Beta/", NULL, 0);
    put(&two, "__MACOSX/box/._Beta", "junk", 4);
    for (size_t i = N_GOOD; i-- > 0;)
        put_good(&two, album, i);
    zip_write(&two);

    const char *const paths[] = {two.path, one.path};
    assert_succeeds(omniglot_read_zips(&data, paths, 2, N_TRAIN, N_TEST, &err));
    assert_int_equal(data.n_classes, 6);
    assert_int_equal(data.train.n, 12);
    assert_int_equal(data.test.n, 6);
    assert_int_equal(data.train.height, SMALL);
    assert_int_equal(data.test.width, SMALL);
    check_good(&data, album, 0, 3);
    check_good(&data, album, 3, 3);
    dataset_free(&data);
    free(album);
}

/* ---- Bad names ------------------------------------------------------------------------------- */

static void names_a_name_that_is_wrong(void **state) {
    static const struct {
        const char *name, *word;
    } bad[] = {
        {"/etc/passwd", "leads out"},
        {"box/../../Alpha/character01/0001_01.png", "leads out"},
        {"..", "leads out"},
        {"box/..", "leads out"},
        {"../", "leads out"},
        {"box\\Alpha\\character01\\0001_01.png", "leads out"},
        {"0001_01.png", "not a drawing"},
        {"Alpha/character01/0001_01.png", "not a drawing"},
        {"box/more/Alpha/character01/0001_01.png", "not a drawing"},
        {"box//character01/0001_01.png", "not a drawing"},
        {"box/Alpha/character1/0001_01.png", "not a drawing"},
        {"box/Alpha/character001/0001_01.png", "not a drawing"},
        {"box/Alpha/character01/001_01.png", "not a drawing"},
        {"box/Alpha/character01/0001-01.png", "not a drawing"},
        {"box/Alpha/character01/0001_01.png.exe", "not a drawing"},
        {"box/Alpha/character01/0001_01.PNG", "not a drawing"},
        {"box/Alpha/character01/.DS_Store", "not a drawing"},
        {"box/..Alpha/..x/0001_01.png", "not a drawing"},
        {"box/Alpha/character01/0001_00.png", "of drawer 0"},
        {"box/Alpha/character01/0001_04.png", "of drawer 4"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Zip zip = zip_at(*state, "bad.zip");
        put(&zip, bad[i].name, "x", 1);
        zip_write(&zip);
        EXPECT_ERROR(zip.path, TACOS_FORMAT, bad[i].name, bad[i].word);
    }
}

/* A name can be long, and can hold what a terminal would obey. */
static void shows_names_safely(void **state) {
    char name[3000];
    Zip zip = zip_at(*state, "bad.zip");
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    memcpy(name, "box/\x1b[2J", 8);
    put(&zip, name, "x", 1);
    zip_write(&zip);
    EXPECT_ERROR(zip.path, TACOS_FORMAT, "box/?[2Jnnnn", "nnn...'");
}

static void names_what_is_missing_or_twice(void **state) {
    Album *album = make_album();
    for (size_t i = 0; i < N_GOOD; i++) {
        char drawer[32];
        Zip zip = zip_at(*state, "bad.zip");
        put_all_good(&zip, album, i);
        zip_write(&zip);
        (void)snprintf(drawer, sizeof drawer, "lacks the drawing of drawer %zu", i % 3 + 1);
        EXPECT_ERROR(zip.path, TACOS_FORMAT, drawer, i < 6 ? "Alpha/character0" : "Beta");

        put_good(&zip, album, i);
        put(&zip, "other/Alpha/character02/0009_03.png", album->pngs[0].bytes, album->pngs[0].n);
        zip_write(&zip);
        EXPECT_ERROR(zip.path, TACOS_FORMAT, "twice", "other/Alpha/character02/0009_03.png",
                     good_names[5]);
    }
    Zip zip = zip_at(*state, "bad.zip");
    put(&zip, "box/", NULL, 0);
    zip_write(&zip);
    EXPECT_ERROR(zip.path, TACOS_FORMAT, "no drawings");
    free(album);
}

/* ---- Bad drawings ---------------------------------------------------------------------------- */

/* All is good but the drawing of place 4. */
static void zip_with(Zip *zip, const Album *album, const void *bytes, size_t n) {
    zip->n = 0;
    put_all_good(zip, album, 4);
    put(zip, good_names[4], bytes, n);
    zip_write(zip);
}

static void names_a_picture_that_is_no_drawing(void **state) {
    static const struct {
        PngKind kind;
        const char *word;
    } bad[] = {
        {{SIDE - 1, SIDE, 8, PNG_COLOR_TYPE_GRAY, 0}, "104 x 105 pixels, not 105 x 105"},
        {{SIDE, 2000, 1, PNG_COLOR_TYPE_GRAY, 0}, "105 x 2000 pixels"},
        {{SIDE, SIDE, 16, PNG_COLOR_TYPE_GRAY, 0}, "plain grey"},
        {{SIDE, SIDE, 8, PNG_COLOR_TYPE_RGB, 0}, "plain grey"},
        {{SIDE, SIDE, 8, PNG_COLOR_TYPE_GRAY_ALPHA, 0}, "plain grey"},
        {{SIDE, SIDE, 1, PNG_COLOR_TYPE_PALETTE, 0}, "plain grey"},
    };
    uint8_t ink[SIDE * SIDE] = {0};
    Album *album = make_album();
    Zip zip = zip_at(*state, "bad.zip");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Png png = make_png(&bad[i].kind, ink);
        zip_with(&zip, album, png.bytes, png.n);
        EXPECT_ERROR(zip.path, TACOS_FORMAT, good_names[4], bad[i].word);
    }
    zip_with(&zip, album, "GIF89a, say", 11);
    EXPECT_ERROR(zip.path, TACOS_FORMAT, good_names[4], "broken PNG image (Not a PNG file)");
    zip_with(&zip, album, "", 0);
    EXPECT_ERROR(zip.path, TACOS_FORMAT, good_names[4], "broken PNG image (it ends too early)");
    free(album);
}

/* Cut anywhere, or with any one byte changed, a PNG is an error that says so. */
static void names_a_broken_png(void **state) {
    (void)state;
    uint8_t ink[SIDE * SIDE] = {0}, read[SIDE * SIDE];
    char why[PICTURE_WHY_SIZE];
    memset(ink + 50 * SIDE, 255, SIDE);
    Png png = make_png(&grey1, ink);
    for (size_t cut = 0; cut < png.n; cut++) {
        assert_false(decode_ink(png.bytes, cut, read, why));
        assert_non_null(strstr(why, cut < 8 ? "PNG" : "ends too early"));
    }
    for (size_t at = 0; at < png.n; at++) {
        png.bytes[at] ^= 0x10;
        assert_false(decode_ink(png.bytes, png.n, read, why));
        assert_non_null(strstr(why, "it is"));
        png.bytes[at] ^= 0x10;
    }
    assert_true(decode_ink(png.bytes, png.n, read, why));
}

/* ---- Bad zip files --------------------------------------------------------------------------- */

static void names_a_file_that_is_no_zip(void **state) {
    Folder *folder = *state;
    EXPECT_ERROR(folder->file, TACOS_MISSING, "No such file");
    write_bytes(folder->file, "no zip, but long enough to be one", 33);
    EXPECT_ERROR(folder->file, TACOS_FORMAT, "Not a zip archive");
    write_bytes(folder->file, "", 0);
    EXPECT_ERROR(folder->file, TACOS_FORMAT, "");
}

static void names_an_entry_that_is_too_large(void **state) {
    uint8_t *zeros = calloc(1, 3 * ARCHIVE_BYTES_MAX);
    Album *album = make_album();
    Zip zip = zip_at(*state, "bad.zip");
    assert_non_null(zeros);
    zip_with(&zip, album, zeros, ARCHIVE_BYTES_MAX);
    EXPECT_ERROR(zip.path, TACOS_FORMAT, good_names[4], "Not a PNG");
    zip_with(&zip, album, zeros, ARCHIVE_BYTES_MAX + 1);
    EXPECT_ERROR(zip.path, TACOS_FORMAT, good_names[4], "exceeds the limit of 65536 bytes");
    free(zeros);
    free(album);
}

/* Change the fields of an entry in both its headers: `local` and `central` are their places. */
static void patch(const Zip *zip, const char *name, size_t local, size_t central, uint32_t value,
                  size_t n_bytes) {
    size_t n, length = strlen(name);
    uint8_t *bytes = (uint8_t *)read_bytes(zip->path, &n);
    for (size_t i = 46; i + length < n; i++) {
        if (memcmp(bytes + i, name, length) != 0)
            continue;
        bool is_local = memcmp(bytes + i - 30, "PK\3\4", 4) == 0;
        uint8_t *at = is_local ? bytes + i - 30 + local : bytes + i - 46 + central;
        for (size_t k = 0; k < n_bytes; k++)
            at[k] = (uint8_t)(value >> 8 * k);
    }
    write_bytes(zip->path, bytes, n);
    free(bytes);
}

static void names_an_entry_that_lies(void **state) {
    uint8_t *zeros = calloc(1, 3 * ARCHIVE_BYTES_MAX);
    Album *album = make_album();
    Zip zip = zip_at(*state, "bad.zip");
    assert_non_null(zeros);
    zip_with(&zip, album, zeros, 3 * ARCHIVE_BYTES_MAX);
    patch(&zip, good_names[4], 22, 24, 413, 4); /* size */
    EXPECT_ERROR(zip.path, TACOS_FORMAT, good_names[4]);
    zip_with(&zip, album, zeros, 413);
    patch(&zip, good_names[4], 22, 24, 0x7fffffff, 4);
    EXPECT_ERROR(zip.path, TACOS_FORMAT, good_names[4], "exceeds the limit");
    zip_with(&zip, album, album->pngs[4].bytes, album->pngs[4].n);
    patch(&zip, good_names[4], 14, 16, 0x12345678, 4); /* CRC */
    EXPECT_ERROR(zip.path, TACOS_FORMAT, good_names[4], "cannot be unpacked (CRC error)");
    zip_with(&zip, album, album->pngs[4].bytes, album->pngs[4].n);
    patch(&zip, good_names[4], 6, 8, 1, 2); /* flags */
    EXPECT_ERROR(zip.path, TACOS_FORMAT, good_names[4], "encrypted");
    zip_with(&zip, album, album->pngs[4].bytes, album->pngs[4].n);
    patch(&zip, good_names[4], 8, 10, 98, 2); /* method */
    EXPECT_ERROR(zip.path, TACOS_FORMAT, good_names[4], "neither stored nor deflated");
    free(zeros);
    free(album);
}

static void names_too_many_entries(void **state) {
    Zip zip = zip_at(*state, "bad.zip");
    zip_t *file = zip_open(zip.path, ZIP_CREATE | ZIP_EXCL, NULL);
    assert_non_null(file);
    for (int i = 0; i <= ARCHIVE_ENTRIES_MAX; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%d", i);
        assert_true(zip_dir_add(file, name, 0) >= 0);
    }
    assert_int_equal(zip_close(file), 0);
    EXPECT_ERROR(zip.path, TACOS_FORMAT, "10001 entries", "10000");
}

/* Cut anywhere, or with any one byte changed: it is an error or it is what it was. */
static void survives_any_damage(void **state) {
    Folder *folder = *state;
    Album *album = make_album();
    Zip zip = zip_at(folder, "whole.zip");
    Dataset data;
    tacos_error err;
    size_t n, n_read = 0;
    put_all_good(&zip, album, N_GOOD);
    zip_write(&zip);
    uint8_t *whole = (uint8_t *)read_bytes(zip.path, &n);
    for (size_t at = 0; at < n; at += 97) {
        write_bytes(folder->file, whole, at);
        assert_fails(read_zip(&data, folder->file, &err), TACOS_FORMAT);
        whole[at] ^= 0x41;
        write_bytes(folder->file, whole, n);
        whole[at] ^= 0x41;
        if (read_zip(&data, folder->file, &err) == TACOS_OK) {
            check_good(&data, album, 0, 3);
            dataset_free(&data);
            n_read++;
        }
    }
    assert_true(n_read < n / 97 / 2);
    free(whole);
    free(album);
}

/* ---- The real set ---------------------------------------------------------------------------- */

static void check_ink(const Images *images) {
    size_t size = images->height * images->width;
    double sum = 0;
    for (size_t i = 0; i < images->n; i++) {
        double own = 0;
        for (size_t k = 0; k < size; k++)
            own += images->pixels[i * size + k];
        if (own < 255 * 5) /* as much as five black pixels */
            fail_msg("image %zu has next to no ink: %g", i, own);
        sum += own;
    }
    double mean = sum / (double)(images->n * size);
    if (mean < 15 || mean > 25)
        fail_msg("the mean pixel is %g", mean);
}

static void reads_the_real_set(void **state) {
    (void)state;
    const char *dir = getenv("TACOS_DATA");
    char path[4096];
    Dataset data;
    tacos_error err;
    int length = dir ? snprintf(path, sizeof path, "%s/omniglot", dir) : 0;
    if (length <= 0 || (size_t)length >= sizeof path || !exists(path))
        skip();
    assert_succeeds(dataset_load(&data, "omniglot", dir, &err));
    assert_int_equal(data.n_classes, 292);
    assert_int_equal(data.train.n, 292 * 15);
    assert_int_equal(data.test.n, 292 * 5);
    for (size_t i = 0; i < data.train.n; i++)
        assert_int_equal(data.train.labels[i], i / 15);
    for (size_t i = 0; i < data.test.n; i++)
        assert_int_equal(data.test.labels[i], i / 5);
    check_ink(&data.train);
    check_ink(&data.test);
    assert_int_equal(data.checksum, 0x26dfc4fc);
    dataset_free(&data);
}

static void a_missing_set_is_missing(void **state) {
    Folder *folder = *state;
    Dataset data;
    tacos_error err;
    assert_fails(dataset_load(&data, "omniglot", folder->path, &err), TACOS_MISSING);
    assert_says(err, "omniglot/images_background_small1.zip");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shrinks_by_area),
        cmocka_unit_test(black_is_ink_and_up_is_up),
        IN_FOLDER(reads_in_whatever_order),
        IN_FOLDER(names_a_name_that_is_wrong),
        IN_FOLDER(shows_names_safely),
        IN_FOLDER(names_what_is_missing_or_twice),
        IN_FOLDER(names_a_picture_that_is_no_drawing),
        cmocka_unit_test(names_a_broken_png),
        IN_FOLDER(names_a_file_that_is_no_zip),
        IN_FOLDER(names_an_entry_that_is_too_large),
        IN_FOLDER(names_an_entry_that_lies),
        IN_FOLDER(names_too_many_entries),
        IN_FOLDER(survives_any_damage),
        cmocka_unit_test(reads_the_real_set),
        IN_FOLDER(a_missing_set_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
