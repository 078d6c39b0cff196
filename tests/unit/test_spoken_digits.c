/* test_spoken_digits.c - spoken digits from a zip file of recordings, a made one and the true one.
 */
#include "data/catalog/catalog.h"

#include "folder.h"

#include <zip.h>

/* A zip file of one tiny recording under each name. */
static void put_zip(const char *path, const char *const *names) {
    /* 8000 samples per second of 8 bits: four of them */
    static const uint8_t wav[] = "RIFF\x28\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0"
                                 "\1\0\x8\0data\4\0\0\0\x80\xff\x80\x01";
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    assert_non_null(zip);
    for (; *names; names++) {
        zip_source_t *source = zip_source_buffer(zip, wav, sizeof wav - 1, 0);
        assert_true(zip_file_add(zip, *names, source, 0) >= 0);
    }
    assert_int_equal(zip_close(zip), 0);
}

static void reads_any_folder_of_a_zip_file(void **state) {
    static const char *const names[] = {"a/recordings/3_ann_0.wav", "a/README.md", "7_bob_x_7.wav",
                                        "a/.hidden.wav", NULL};
    Folder *folder = *state;
    char path[160];
    Dataset data;
    tacos_error err;
    (void)snprintf(path, sizeof path, "%s/spoken-digits.zip", folder->path);
    put_zip(path, names);
    assert_succeeds(spoken_digits_read(&data, folder->path, &err));
    assert_int_equal(data.train.n, 1);
    assert_int_equal(data.train.labels[0], 7);
    assert_int_equal(data.test.n, 1);
    assert_int_equal(data.test.labels[0], 3);
    dataset_free(&data);
    assert_succeeds(spoken_digits_read_without(&data, folder->path, "bob_x", &err));
    assert_int_equal(data.test.labels[0], 7);
    dataset_free(&data);
}

static void says_what_is_wrong(void **state) {
    static const struct {
        const char *names[3], *says;
    } cases[] = {
        {{"README.md"}, "holds no .wav"},
        {{"10_ann_0.wav"}, "'10_ann_0.wav' is not DIGIT_SPEAKER_INDEX.wav"},
        {{"1_0.wav"}, "is not DIGIT_SPEAKER_INDEX.wav"},
        {{"1__0.wav"}, "is not DIGIT_SPEAKER_INDEX.wav"},
        {{"1_ann_-1.wav"}, "is not DIGIT_SPEAKER_INDEX.wav"},
        {{"1_ann_0x.wav"}, "is not DIGIT_SPEAKER_INDEX.wav"},
        {{"1_ann_0.wav"}, "has no recording for training"},
        {{"1_ann_5.wav"}, "has no recording for testing"},
        {{"a/1_ann_0.wav", "b/1_ann_0.wav"}, "holds 1_ann_0.wav twice"},
    };
    Folder *folder = *state;
    char path[160];
    Dataset data;
    tacos_error err;
    (void)snprintf(path, sizeof path, "%s/spoken-digits.zip", folder->path);
    assert_fails(spoken_digits_read(&data, folder->path, &err), TACOS_MISSING);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_zip(path, cases[i].names);
        assert_fails(spoken_digits_read(&data, folder->path, &err), TACOS_FORMAT);
        assert_says(err, cases[i].says);
        assert_null(data.train.pixels);
    }
}

/* ---- the true set ---- */

static const char *digits_or_skip(void) {
    const char *dir = getenv("TACOS_DATA");
    tacos_error err;
    if (!dir || (tacos_data_verify("spoken-digits", dir, NULL, &err) == TACOS_MISSING))
        skip();
    return dir;
}

static void reads_the_spoken_digits(void **state) {
    const char *dir = digits_or_skip();
    Dataset data;
    tacos_error err;
    (void)state;
    assert_succeeds(dataset_load(&data, "spoken-digits", dir, &err));
    assert_int_equal(data.n_classes, 10);
    assert_int_equal(data.train.n, 2700);
    assert_int_equal(data.test.n, 300);
    for (size_t i = 0; i < data.train.n; i++)
        assert_int_equal(data.train.labels[i], i / 270);
    assert_int_equal(data.train.height, 16);
    assert_int_equal(data.train.width, 32);
    assert_int_equal(data.checksum, 0x161d5bc9);
    dataset_free(&data);
}

static void leaves_a_speaker_out(void **state) {
    static const char *const names[] = {"george",  "jackson", "lucas",
                                        "nicolas", "theo",    "yweweler"};
    const char *dir = digits_or_skip();
    Dataset data;
    tacos_error err;
    char name[40];
    (void)state;
    for (size_t s = 0; s < 6; s++) {
        (void)snprintf(name, sizeof name, "spoken-digits:%s", names[s]);
        assert_succeeds(dataset_load(&data, name, dir, &err));
        assert_int_equal(data.train.n, 2500);
        assert_int_equal(data.test.n, 500);
        dataset_free(&data);
    }
    assert_fails(dataset_load(&data, "spoken-digits:nobody", dir, &err), TACOS_UNKNOWN);
    assert_says(err, "no speaker 'nobody'; there are george");
    assert_fails(dataset_load(&data, "spoken-digits:", dir, &err), TACOS_UNKNOWN);
    assert_null(data.train.pixels);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(reads_any_folder_of_a_zip_file),
        IN_FOLDER(says_what_is_wrong),
        cmocka_unit_test(reads_the_spoken_digits),
        cmocka_unit_test(leaves_a_speaker_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
