/* test_idx.c - IDX files are read right, and every way of being wrong is named. */
#include "data/formats/formats.h"
#include "folder.h"

#include <zlib.h>

enum { IMAGES_MAGIC = 0x803, LABELS_MAGIC = 0x801, N_CLASSES = 10 };

/* A folder of its own for every test, with a place for each file that one may make. */
typedef struct Files {
    char path[64];
    char images[96], labels[96], images_gz[96], labels_gz[96];
} Files;

static int make_folder(void **state) {
    Files *f = calloc(1, sizeof *f);
    if (!f)
        return -1;
    (void)snprintf(f->path, sizeof f->path, "/tmp/tacos-test-idx-XXXXXX");
    if (!mkdtemp(f->path))
        return -1;
    (void)snprintf(f->images, sizeof f->images, "%s/img-idx3", f->path);
    (void)snprintf(f->labels, sizeof f->labels, "%s/lab-idx1", f->path);
    (void)snprintf(f->images_gz, sizeof f->images_gz, "%s/img-idx3.gz", f->path);
    (void)snprintf(f->labels_gz, sizeof f->labels_gz, "%s/lab-idx1.gz", f->path);
    *state = f;
    return 0;
}

static int remove_folder(void **state) {
    Files *f = *state;
    (void)remove(f->images); /* a folder in one of the tests */
    (void)unlink(f->labels);
    (void)unlink(f->images_gz);
    (void)unlink(f->labels_gz);
    int failed = rmdir(f->path);
    free(f);
    return failed;
}

/* ---- Making files ---------------------------------------------------------------------------- */

/* What to write: a header, if n_header bytes of it, and then n_content bytes 0 1 2 ... 9 0 1 ... */
typedef struct Spec {
    uint32_t magic, dims[3];
    size_t n_header, n_content;
} Spec;

#define IMAGES(n, height, width, n_content)                                                        \
    { IMAGES_MAGIC, {n, height, width}, 16, n_content }
#define LABELS(n, n_content)                                                                       \
    { LABELS_MAGIC, {n, 0, 0}, 8, n_content }

static void put_bytes(const char *path, const uint8_t *bytes, size_t n) {
    write_bytes(path, bytes, n);
}

static void put_gzip(const char *path, const uint8_t *bytes, size_t n) {
    gzFile gz = gzopen(path, "wb");
    assert_non_null(gz);
    assert_int_equal(gzwrite(gz, bytes, (unsigned)n), n);
    assert_int_equal(gzclose(gz), Z_OK);
}

static void put_spec(const char *path, const Spec *spec,
                     void (*put)(const char *path, const uint8_t *bytes, size_t n)) {
    uint8_t *bytes = malloc(16 + spec->n_content);
    const uint32_t words[4] = {spec->magic, spec->dims[0], spec->dims[1], spec->dims[2]};
    assert_non_null(bytes);
    for (size_t i = 0; i < 16; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> (24 - 8 * (i % 4)));
    for (size_t i = 0; i < spec->n_content; i++)
        bytes[spec->n_header + i] = (uint8_t)(i % 10);
    put(path, bytes, spec->n_header + spec->n_content);
    free(bytes);
}

static const Spec good_images = IMAGES(6, 2, 3, 36), good_labels = LABELS(6, 6);

/* ---- Checks ---------------------------------------------------------------------------------- */

static void expect_good(const Files *f) {
    Images images;
    tacos_error err = {TACOS_OK, "untouched"};
    assert_int_equal(idx_read(&images, f->images, f->labels, N_CLASSES, &err), TACOS_OK);
    assert_string_equal(err.text, "untouched");
    assert_int_equal(images.n, 6);
    assert_int_equal(images.height, 2);
    assert_int_equal(images.width, 3);
    for (size_t i = 0; i < 36; i++)
        assert_int_equal(images.pixels[i], i % 10);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(images.labels[i], i);
    images_free(&images);
    assert_null(images.pixels);
    assert_null(images.labels);
    assert_int_equal(images.n, 0);
}

/* It fails so, its sentence has the words (up to the first NULL), and the caller's memory is as it
 * was. */
static void expect_error(const Files *f, tacos_status status, const char *const words[4]) {
    Images images, before;
    tacos_error err = {TACOS_OK, ""};
    memset(&images, 0x5a, sizeof images);
    memcpy(&before, &images, sizeof images);
    assert_int_equal(idx_read(&images, f->images, f->labels, N_CLASSES, &err), status);
    assert_int_equal(err.status, status);
    for (size_t i = 0; i < 4 && words[i]; i++) {
        if (!strstr(err.text, words[i]))
            fail_msg("no \"%s\" in: %s", words[i], err.text);
    }
    assert_memory_equal(&images, &before, sizeof images);
    assert_int_equal(idx_read(&images, f->images, f->labels, N_CLASSES, NULL), status);
}

#define EXPECT_ERROR(f, status, ...) expect_error(f, status, (const char *const[4]){__VA_ARGS__})

/* ---- Good files ------------------------------------------------------------------------------ */

static void reads_plain_files(void **state) {
    Files *f = *state;
    put_spec(f->images, &good_images, put_bytes);
    put_spec(f->labels, &good_labels, put_bytes);
    expect_good(f);
}

static void reads_gzip_files(void **state) {
    Files *f = *state;
    put_spec(f->images_gz, &good_images, put_gzip);
    put_spec(f->labels_gz, &good_labels, put_gzip);
    expect_good(f);
}

static void reads_gzip_without_its_ending(void **state) {
    Files *f = *state;
    put_spec(f->images, &good_images, put_gzip);
    put_spec(f->labels, &good_labels, put_bytes);
    expect_good(f);
}

/* Larger than the first piece of memory that the reader takes. */
static void reads_large_files(void **state) {
    Files *f = *state;
    const Spec large = IMAGES(3, 1000, 1100, 3300000), labels = LABELS(3, 3);
    Images images;
    put_spec(f->images_gz, &large, put_gzip);
    put_spec(f->labels, &labels, put_bytes);
    assert_int_equal(idx_read(&images, f->images, f->labels, N_CLASSES, NULL), TACOS_OK);
    for (size_t i = 0; i < 3300000; i++)
        if (images.pixels[i] != i % 10)
            fail_msg("pixel %zu is %d", i, images.pixels[i]);
    images_free(&images);
}

/* ---- Bad content ----------------------------------------------------------------------------- */

static const struct {
    Spec images, labels;
    const char *words[4];
} bad[] = {
    /* headers */
    {{IMAGES_MAGIC, {0}, 0, 0}, LABELS(6, 6), {"img-idx3", "truncated", "holds 0 bytes", "16"}},
    {{IMAGES_MAGIC, {0}, 3, 0}, LABELS(6, 6), {"img-idx3", "truncated", "holds 3 bytes", "16"}},
    {{IMAGES_MAGIC, {6, 2, 3}, 15, 0}, LABELS(6, 6), {"img-idx3", "holds 15 bytes", "16"}},
    {IMAGES(6, 2, 3, 36), {LABELS_MAGIC, {6}, 7, 0}, {"lab-idx1", "holds 7 bytes", "8"}},
    {{LABELS_MAGIC, {6, 2, 3}, 16, 36}, LABELS(6, 6), {"img-idx3", "0x00000801", "0x00000803"}},
    {IMAGES(6, 2, 3, 36), {IMAGES_MAGIC, {6}, 8, 6}, {"lab-idx1", "0x00000803", "0x00000801"}},
    {{0x3c21444f, {0}, 4, 0}, LABELS(6, 6), {"img-idx3", "images", "0x3c21444f"}},
    /* sizes */
    {IMAGES(0, 28, 28, 0), LABELS(6, 6), {"img-idx3", "0 images"}},
    {IMAGES(6, 2, 3, 36), LABELS(0, 0), {"lab-idx1", "0 labels"}},
    {IMAGES(6, 0, 3, 0), LABELS(6, 6), {"img-idx3", "0 x 3 pixels", "1 to 4096"}},
    {IMAGES(6, 2, 0, 0), LABELS(6, 6), {"img-idx3", "2 x 0 pixels", "1 to 4096"}},
    {IMAGES(6, 4097, 3, 9), LABELS(6, 6), {"img-idx3", "4097 x 3 pixels"}},
    {IMAGES(6, 2, UINT32_MAX, 9), LABELS(6, 6), {"img-idx3", "2 x 4294967295 pixels"}},
    {IMAGES(100000001, 2, 3, 9), LABELS(6, 6), {"img-idx3", "100000001 images"}},
    {IMAGES(6, 2, 3, 36), LABELS(UINT32_MAX, 6), {"lab-idx1", "4294967295 labels"}},
    /* length: the second could not be allocated, so a reader that believes headers is out of
     * memory instead */
    {IMAGES(100, 28, 28, 1234), LABELS(6, 6), {"img-idx3", "1234 bytes of pixels", "78400"}},
    {IMAGES(100000000, 4096, 4096, 50),
     LABELS(6, 6),
     {"img-idx3", "50 bytes of pixels", "1677721600000000"}},
    {IMAGES(6, 2, 3, 35), LABELS(6, 6), {"img-idx3", "truncated", "35 bytes", "promises 36"}},
    {IMAGES(6, 2, 3, 36), LABELS(6, 5), {"lab-idx1", "truncated", "5 bytes of labels", "6"}},
    {IMAGES(6, 2, 3, 37), LABELS(6, 6), {"img-idx3", "too long", "36 of pixels"}},
    {IMAGES(6, 2, 3, 36), LABELS(6, 7), {"lab-idx1", "too long", "6 of labels"}},
    /* the two together */
    {IMAGES(6, 2, 3, 36), LABELS(7, 7), {"img-idx3", "6 images", "lab-idx1", "7 labels"}},
};

static void names_what_is_wrong(void **state) {
    Files *f = *state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_spec(f->images, &bad[i].images, put_bytes);
        put_spec(f->labels, &bad[i].labels, put_bytes);
        expect_error(f, TACOS_FORMAT, bad[i].words);
        put_spec(f->images, &bad[i].images, put_gzip);
        put_spec(f->labels, &bad[i].labels, put_gzip);
        expect_error(f, TACOS_FORMAT, bad[i].words);
    }
}

static void names_a_label_out_of_range(void **state) {
    Files *f = *state;
    const uint8_t labels[] = {0, 0, 8, 1, 0, 0, 0, 6, 0, 1, 9, 2, 10, 200};
    put_spec(f->images, &good_images, put_bytes);
    put_bytes(f->labels, labels, sizeof labels);
    EXPECT_ERROR(f, TACOS_FORMAT, "lab-idx1", "label 4", "is 10", "below 10");
}

/* ---- Bad files ------------------------------------------------------------------------------- */

static void names_a_missing_file(void **state) {
    Files *f = *state;
    EXPECT_ERROR(f, TACOS_MISSING, f->labels, f->labels_gz, "No such file");
    put_spec(f->labels, &good_labels, put_bytes);
    EXPECT_ERROR(f, TACOS_MISSING, f->images, f->images_gz, "No such file");
}

static void names_an_unreadable_file(void **state) {
    Files *f = *state;
    put_spec(f->labels, &good_labels, put_bytes);
    assert_int_equal(mkdir(f->images, 0700), 0);
    EXPECT_ERROR(f, TACOS_IO, f->images, "directory");
}

/* Cut a gzip file anywhere, or change any one byte of its data or its sum: always an error. */
static void names_broken_gzip(void **state) {
    Files *f = *state;
    uint8_t *whole;
    size_t n;
    put_spec(f->labels, &good_labels, put_bytes);
    put_spec(f->images_gz, &good_images, put_gzip);
    whole = (uint8_t *)read_bytes(f->images_gz, &n);
    for (size_t cut = 10; cut < n; cut++) {
        put_bytes(f->images_gz, whole, cut);
        EXPECT_ERROR(f, TACOS_FORMAT, f->images_gz, "truncated", "gzip");
    }
    for (size_t at = 10; at < n; at++) {
        whole[at] ^= 0xff;
        put_bytes(f->images_gz, whole, n);
        EXPECT_ERROR(f, TACOS_FORMAT, f->images_gz);
        whole[at] ^= 0xff;
    }
    whole[n - 8] ^= 1; /* the first byte of the CRC */
    put_bytes(f->images_gz, whole, n);
    EXPECT_ERROR(f, TACOS_FORMAT, f->images_gz, "corrupt", "gzip", "incorrect data check");
    free(whole);
}

/* ---- Helpers of dataset.c ---- */

static void checksum_covers_pixels_and_labels(void **state) {
    (void)state;
    uint8_t pixels[] = "12345", bytes[] = {6, 7, 8, 255}, wide[] = {6, 0, 7, 0, 8, 0, 0, 1};
    uint16_t labels[] = {6, 7, 8, 255};
    Images images = {
        .n = 4, .height = 1, .width = 1, .channels = 1, .pixels = pixels, .labels = labels};
    Images none = {0};
    uint32_t crc = images_checksum(0, &images);
    assert_int_equal(crc, crc32(crc32(0, pixels, 4), bytes, 4));
    assert_int_equal(images_checksum(crc, &none), crc);
    labels[3] = 256; /* now each has two bytes */
    assert_int_equal(images_checksum(0, &images), crc32(crc32(0, pixels, 4), wide, 8));
    images_free(NULL);
    dataset_free(NULL);
}

#define WITH_FILES(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void) {
    const struct CMUnitTest tests[] = {
        WITH_FILES(reads_plain_files),
        WITH_FILES(reads_gzip_files),
        WITH_FILES(reads_gzip_without_its_ending),
        WITH_FILES(reads_large_files),
        WITH_FILES(names_what_is_wrong),
        WITH_FILES(names_a_label_out_of_range),
        WITH_FILES(names_a_missing_file),
        WITH_FILES(names_an_unreadable_file),
        WITH_FILES(names_broken_gzip),
        cmocka_unit_test(checksum_covers_pixels_and_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
