/* test_cifar.c - files of CIFAR-10's binary version: planes become pixels, and every way of being
 * wrong is named. */
#include "data/catalog/catalog.h"
#include "data/formats/formats.h"
#include "folder.h"

#include <zlib.h>

enum { PLANE = CIFAR_SIDE * CIFAR_SIDE, SIZE = 3 * PLANE, RECORD = 1 + SIZE };

/* Values of which each plane has its own. */
static uint8_t value_at(size_t record, size_t plane, size_t i) {
    return (uint8_t)(record * 7 + plane * 50 + i % 31);
}

/* `n` records, whose labels are 9, 8, ... */
static void make_records(uint8_t *out, size_t n) {
    for (size_t r = 0; r < n; r++) {
        out[r * RECORD] = (uint8_t)(9 - r);
        for (size_t k = 0; k < 3; k++)
            for (size_t i = 0; i < PLANE; i++)
                out[r * RECORD + 1 + k * PLANE + i] = value_at(r, k, i);
    }
}

static void put(const Folder *folder, const char *name, const void *bytes, size_t n) {
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", folder->path, name);
    write_bytes(path, bytes, n);
}

static void put_gzip(const char *path, const void *bytes, size_t n) {
    gzFile gz = gzopen(path, "wb");
    assert_non_null(gz);
    assert_int_equal(gzwrite(gz, bytes, (unsigned)n), n);
    assert_int_equal(gzclose(gz), Z_OK);
}

static tacos_status read_one(Images *out, const char *path, tacos_error *err) {
    return cifar_read(out, &path, 1, err);
}

static void assert_records(const Images *images, size_t first, size_t n) {
    for (size_t r = 0; r < n; r++) {
        const uint8_t *pixels = images->pixels + (first + r) * SIZE;
        assert_int_equal(images->labels[first + r], 9 - r);
        for (size_t i = 0; i < PLANE; i++)
            for (size_t k = 0; k < 3; k++)
                assert_int_equal(pixels[i * 3 + k], value_at(r, k, i));
    }
}

static void planes_become_pixels(void **state) {
    const Folder *folder = *state;
    static uint8_t bytes[2 * RECORD];
    Images images;
    tacos_error err;
    make_records(bytes, 2);
    write_bytes(folder->file, bytes, sizeof bytes);
    assert_succeeds(read_one(&images, folder->file, &err));
    assert_int_equal(images.n, 2);
    assert_int_equal(images.height, 32);
    assert_int_equal(images.width, 32);
    assert_int_equal(images.channels, 3);
    assert_records(&images, 0, 2);
    images_free(&images);
}

static void several_files_and_gzip(void **state) {
    const Folder *folder = *state;
    static uint8_t bytes[3 * RECORD];
    char one[128], zipped[160];
    const char *const paths[] = {one, folder->file};
    Images images;
    tacos_error err;
    make_records(bytes, 3);
    (void)snprintf(one, sizeof one, "%s/one", folder->path);
    (void)snprintf(zipped, sizeof zipped, "%s.gz", one);
    put_gzip(zipped, bytes, sizeof bytes);
    write_bytes(folder->file, bytes, RECORD);
    assert_succeeds(cifar_read(&images, paths, 2, &err));
    assert_int_equal(images.n, 4);
    assert_records(&images, 0, 3);
    assert_records(&images, 3, 1);
    images_free(&images);
}

static void wrong_files_are_explained(void **state) {
    const Folder *folder = *state;
    static uint8_t bytes[2 * RECORD];
    Images images;
    tacos_error err;
    assert_fails(read_one(&images, folder->file, &err), TACOS_MISSING);
    assert_says(err, "/file.gz");
    make_records(bytes, 2);
    write_bytes(folder->file, bytes, 0);
    assert_fails(read_one(&images, folder->file, &err), TACOS_FORMAT);
    assert_says(err, "/file is empty");
    write_bytes(folder->file, bytes, 2 * RECORD - 1);
    assert_fails(read_one(&images, folder->file, &err), TACOS_FORMAT);
    assert_says(err, "/file is truncated: record 1 (counting from 0) has 3072 of 3073 bytes");
    bytes[RECORD] = 10;
    write_bytes(folder->file, bytes, sizeof bytes);
    assert_fails(read_one(&images, folder->file, &err), TACOS_FORMAT);
    assert_says(err, "/file: label 10 is not below 10");
    put_gzip(folder->file, bytes, RECORD);
    assert_int_equal(truncate(folder->file, 40), 0);
    assert_fails(read_one(&images, folder->file, &err), TACOS_FORMAT);
    assert_says(err, "its gzip data");
}

static void the_set_has_six_files(void **state) {
    const Folder *folder = *state;
    static uint8_t bytes[2 * RECORD];
    char name[64];
    Dataset set;
    tacos_error err;
    make_records(bytes, 2);
    for (int i = 1; i <= 5; i++) {
        (void)snprintf(name, sizeof name, "data_batch_%d.bin", i);
        put(folder, name, bytes, sizeof bytes);
    }
    assert_fails(cifar10_read(&set, folder->path, &err), TACOS_MISSING);
    assert_says(err, "test_batch.bin");
    put(folder, "test_batch.bin", bytes, RECORD);
    assert_succeeds(cifar10_read(&set, folder->path, &err));
    assert_int_equal(set.n_classes, 10);
    assert_int_equal(set.train.n, 10);
    assert_int_equal(set.test.n, 1);
    assert_records(&set.train, 8, 2);
    assert_records(&set.test, 0, 1);
    dataset_free(&set);
}

/* The data set itself, where it is installed: its first images, and what `tacos data show` says. */
static void the_true_set(void **state) {
    static const uint16_t first[] = {3, 8, 8, 0, 6, 6, 1, 6, 3, 1}; /* of the test images */
    const char *data = getenv("TACOS_DATA");
    char folder[512];
    Dataset set;
    tacos_data_content content;
    tacos_error err;
    (void)state;
    if (data)
        (void)snprintf(folder, sizeof folder, "%s/cifar10", data);
    if (!data || !exists(folder))
        skip();
    assert_succeeds(tacos_data_verify("cifar10", data, NULL, &err));
    assert_succeeds(cifar10_read(&set, folder, &err));
    assert_int_equal(set.train.n, 50000);
    assert_int_equal(set.test.n, 10000);
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        assert_int_equal(set.test.labels[i], first[i]);
    dataset_free(&set);
    assert_succeeds(tacos_data_describe("cifar10", data, &content, &err));
    assert_int_equal(content.channels, 3);
    assert_int_equal(content.height * content.width, PLANE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(planes_become_pixels),      IN_FOLDER(several_files_and_gzip),
        IN_FOLDER(wrong_files_are_explained), IN_FOLDER(the_set_has_six_files),
        cmocka_unit_test(the_true_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
