/* test_npz.c - NumPy's .npz, good ones and bad ones. */
#include "data/catalog/catalog.h"
#include "data/formats/formats.h"

#include "album.h"
#include "npy_file.h"

static const uint8_t pixels[] = {0, 1, 2, 3, 4, 255, 7, 7, 7, 7, 7, 7};
static const int64_t labels[] = {3, 0};

static Npy good_images(void) {
    return make_npy("|u1", "2, 2, 3", pixels, sizeof pixels);
}

static Npy good_labels(void) {
    return make_npy("<i8", "2,", labels, sizeof labels);
}

static void two_arrays_in_one_file(void **state) {
    Npy images = good_images(), truth = good_labels();
    Zip train = zip_at(*state, "train.npz"), test = zip_at(*state, "test.npz");
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    put(&train, "images.npy", images.bytes, images.n);
    put(&train, "labels.npy", truth.bytes, truth.n);
    zip_write(&train);
    put(&test, "labels.npy", truth.bytes, truth.n);
    put(&test, "more.npy", truth.bytes, truth.n); /* what is not asked for is not looked at */
    put(&test, "images.npy", images.bytes, images.n);
    zip_write(&test);
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.n_classes, 4);
    assert_int_equal(set.train.n, 2);
    assert_int_equal(set.train.height, 2);
    assert_int_equal(set.train.width, 3);
    assert_memory_equal(set.train.pixels, pixels, sizeof pixels);
    assert_memory_equal(set.test.pixels, pixels, sizeof pixels);
    assert_int_equal(set.test.labels[0], 3);
    dataset_free(&set);
}

static void missing_and_damaged_arrays_are_explained(void **state) {
    Npy images = good_images(), truth = good_labels();
    const struct {
        const char *name;
        size_t n; /* bytes of the images */
        const char *says;
    } cases[] = {
        {"pictures.npy", images.n, "train.npz holds no images.npy"},
        {"images.npy", images.n - 1, "train.npz: images.npy: it is cut off"},
        {"images.npy", 20, "train.npz: images.npy: its header is damaged"},
        {"images.npy", 3, "train.npz: images.npy: this is not a NumPy array"},
        {"../images.npy", images.n, "leads out of the zip file"},
    };
    Images out;
    tacos_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Zip zip = zip_at(*state, "train.npz");
        put(&zip, cases[i].name, images.bytes, cases[i].n);
        put(&zip, "labels.npy", truth.bytes, truth.n);
        zip_write(&zip);
        assert_fails(npz_read(&out, zip.path, &err), TACOS_FORMAT);
        assert_says(err, cases[i].says);
    }
    Zip zip = zip_at(*state, "train.npz");
    put(&zip, "images.npy", images.bytes, images.n);
    zip_write(&zip);
    assert_fails(npz_read(&out, zip.path, &err), TACOS_FORMAT);
    assert_says(err, "train.npz holds no labels.npy");
}

/* Any byte of the file may be wrong; what is read is then the same, or nothing. */
static void no_damage_goes_unnoticed(void **state) {
    Npy images = good_images(), truth = good_labels();
    Zip zip = zip_at(*state, "train.npz");
    Images out;
    tacos_error err;
    size_t n, n_refused = 0;
    put(&zip, "images.npy", images.bytes, images.n);
    put(&zip, "labels.npy", truth.bytes, truth.n);
    zip_write(&zip);
    char *bytes = read_bytes(zip.path, &n);
    for (size_t i = 0; i < n; i++) {
        bytes[i] ^= 0x41;
        write_bytes(zip.path, bytes, n);
        if (npz_read(&out, zip.path, &err) == TACOS_OK) {
            assert_memory_equal(out.pixels, pixels, sizeof pixels);
            images_free(&out);
        } else {
            n_refused++;
        }
        bytes[i] ^= 0x41;
    }
    assert_true(n_refused > n / 2);
    write_bytes(zip.path, bytes, n / 2);
    assert_fails(npz_read(&out, zip.path, &err), TACOS_FORMAT);
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(two_arrays_in_one_file),
        IN_FOLDER(missing_and_damaged_arrays_are_explained),
        IN_FOLDER(no_damage_goes_unnoticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
