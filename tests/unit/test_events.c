/* test_events.c - files of event cameras: as spikes, as images, and wrong in every way. */
#include "data/catalog/catalog.h"
#include "data/formats/event_camera.h"

#include "folder.h"

#include <math.h>

/* ---- files in the making ---- */

typedef struct File {
    uint8_t bytes[4096];
    size_t n;
} File;

static void add(File *file, const void *bytes, size_t n) {
    assert_true(file->n + n <= sizeof file->bytes);
    memcpy(file->bytes + file->n, bytes, n);
    file->n += n;
}

static void add_word(File *file, uint32_t value, size_t n) {
    for (size_t k = 0; k < n; k++)
        add(file, &(uint8_t){(uint8_t)(value >> (8 * k))}, 1);
}

static void add_bin(File *file, uint8_t x, uint8_t y, bool on, uint32_t us) {
    uint8_t bytes[] = {x, y, (uint8_t)((on ? 0x80U : 0) | us >> 16), (uint8_t)(us >> 8),
                       (uint8_t)us};
    add(file, bytes, sizeof bytes);
}

static const char HEADER[] =
    "#!AER-DAT3.1\r\n#Format: RAW\r\n#Source 1: DVS128\r\n#!END-HEADER\r\n";

static void add_packet(File *file, uint32_t type, uint32_t size, uint32_t overflow, uint32_t n) {
    add_word(file, type, 2);
    add_word(file, 1, 2); /* source */
    add_word(file, size, 4);
    add_word(file, 4, 4); /* where the time is */
    add_word(file, overflow, 4);
    add_word(file, n, 4);
    add_word(file, n, 4);
    add_word(file, n, 4);
}

static void add_polarity(File *file, uint32_t x, uint32_t y, bool on, bool valid, uint32_t us) {
    add_word(file, x << 17 | y << 2 | (uint32_t)on << 1 | valid, 4);
    add_word(file, us, 4);
}

static void put(const Folder *folder, const File *file) {
    write_bytes(folder->file, file->bytes, file->n);
}

/* ---- reading ---- */

static const tacos_events_options small = {
    .height = 3, .width = 4, .n_polarities = 2, .bin_ms = 1, .max_steps = 10};

static tacos_status read_small(const Folder *folder, tacos_events **out, tacos_error *err) {
    *out = (tacos_events *)&err;
    return tacos_events_read(out, folder->file, &small, err);
}

static void assert_spike(const tacos_events *events, size_t step, size_t on, size_t y, size_t x) {
    assert_true(step < events->n_steps);
    assert_int_equal(events->spikes[step * events->n_inputs + (on * 3 + y) * 4 + x], 1);
}

static size_t count_spikes(const tacos_events *events) {
    size_t n = 0;
    for (size_t i = 0; i < events->n_steps * events->n_inputs; i++)
        n += events->spikes[i];
    return n;
}

static void nmnist_becomes_spikes(void **state) {
    File file = {.n = 0};
    tacos_events *events;
    tacos_error err;
    add_bin(&file, 1, 2, true, 70500);
    add_bin(&file, 0, 0, false, 70000); /* the first, though not in order */
    add_bin(&file, 3, 2, true, 71000);
    add_bin(&file, 3, 2, true, 71999); /* the same pixel in the same step */
    add_bin(&file, 3, 1, false, 72000);
    add_bin(&file, 0, 0, true, 80000); /* too late: step 10 */
    put(*state, &file);
    assert_succeeds(read_small(*state, &events, &err));
    assert_int_equal(events->n_steps, 10);
    assert_int_equal(events->n_inputs, 24);
    assert_int_equal(events->n_events, 6);
    assert_int_equal(events->n_left_out, 1);
    assert_true(events->duration_ms == 10.0);
    assert_int_equal(count_spikes(events), 4);
    assert_spike(events, 0, 0, 0, 0);
    assert_spike(events, 0, 1, 2, 1);
    assert_spike(events, 1, 1, 2, 3);
    assert_spike(events, 2, 0, 1, 3);
    tacos_events_free(events);
}

static void both_polarities_may_be_one(void **state) {
    const Folder *folder = *state;
    tacos_events_options options = small;
    File file = {.n = 0};
    tacos_events *events;
    tacos_error err;
    add_bin(&file, 1, 2, true, 5);
    add_bin(&file, 1, 2, false, 6);
    put(folder, &file);
    options.n_polarities = 1;
    assert_succeeds(tacos_events_read(&events, folder->file, &options, &err));
    assert_int_equal(events->n_inputs, 12);
    assert_int_equal(events->n_steps, 1);
    assert_int_equal(count_spikes(events), 1);
    assert_spike(events, 0, 0, 2, 1);
    tacos_events_free(events);
}

static void the_timer_of_nmnist_overflows(void **state) {
    File file = {.n = 0};
    tacos_events *events;
    tacos_error err;
    add_bin(&file, 0, 0, false, 0);
    add_bin(&file, 77, 240, false, 0);
    add_bin(&file, 1, 0, false, 10);
    put(*state, &file);
    assert_succeeds(read_small(*state, &events, &err));
    assert_int_equal(events->n_events, 2);
    assert_int_equal(events->n_steps, 9);
    assert_spike(events, 8, 0, 0, 1); /* 8192 + 10 us */
    tacos_events_free(events);
}

static File good_aedat(void) {
    File file = {.n = 0};
    add(&file, HEADER, strlen(HEADER));
    add_packet(&file, 0, 8, 0, 1); /* special events, which are passed over */
    add_polarity(&file, 9999, 9999, true, true, 0);
    add_packet(&file, 1, 8, 0, 2);
    add_polarity(&file, 1, 2, true, true, INT32_MAX);
    add_polarity(&file, 9999, 9999, true, false, 0); /* struck out */
    add_packet(&file, 1, 8, 1, 1);
    add_polarity(&file, 3, 0, false, true, 1999); /* 2 ms later */
    return file;
}

static void aedat_becomes_spikes(void **state) {
    File file = good_aedat();
    tacos_events *events;
    tacos_error err;
    put(*state, &file);
    assert_succeeds(read_small(*state, &events, &err));
    assert_int_equal(events->n_events, 2);
    assert_int_equal(events->n_steps, 3);
    assert_spike(events, 0, 1, 2, 1);
    assert_spike(events, 2, 0, 0, 3);
    tacos_events_free(events);
}

/* What the function is for. */
static void a_learner_learns_what_a_camera_saw(void **state) {
    const Folder *folder = *state;
    tacos_config *config;
    tacos_learner *learner;
    tacos_events *events;
    tacos_error err;
    tacos_prediction answer;
    File file = {.n = 0};
    for (uint32_t t = 0; t < 60; t++)
        for (uint8_t x = 0; x < 4; x++)
            add_bin(&file, x, (uint8_t)(t % 3), true, t * 1000);
    put(folder, &file);
    assert_succeeds(tacos_config_new(&config, &err));
    assert_succeeds(tacos_config_parse(
        config, "inputs = 24\noutputs = 2\nhidden = 40\nsteps = 60\n", "text", &err));
    assert_succeeds(tacos_learner_new(&learner, config, 1, NULL, &err));
    tacos_events_options options = small;
    options.max_steps = tacos_learner_shape(learner).n_steps;
    assert_succeeds(tacos_events_read(&events, folder->file, &options, &err));
    assert_int_equal(events->n_steps, 60);
    for (int i = 0; i < 200; i++)
        assert_succeeds(tacos_learner_learn_spikes(learner, events->spikes, events->n_steps,
                                                   events->n_inputs, 1, &err));
    assert_succeeds(tacos_learner_predict_spikes(learner, events->spikes, events->n_steps,
                                                 events->n_inputs, &answer, &err));
    assert_int_equal(answer.output, 1);
    tacos_events_free(events);
    tacos_learner_free(learner);
    tacos_config_free(config);
}

/* ---- what is wrong ---- */

static void expect(const Folder *folder, const File *file, const char *says) {
    tacos_events *events;
    tacos_error err;
    put(folder, file);
    assert_fails(read_small(folder, &events, &err), TACOS_FORMAT);
    assert_null(events);
    assert_says(err, folder->file);
    assert_says(err, says);
}

static void bad_nmnist_is_explained(void **state) {
    File file = {.n = 0};
    expect(*state, &file, "holds no event");
    add_bin(&file, 0, 0, true, 1);
    file.n--;
    expect(*state, &file, "has 4 bytes, which is not a multiple of 5, the size of an event");
    file.n = 0;
    add_bin(&file, 0, 240, true, 1);
    expect(*state, &file, "holds no event");
    add_bin(&file, 4, 0, true, 1);
    expect(*state, &file,
           "at byte 5 is an event in column 4, row 0; the sensor's are 0 to 3 and 0 "
           "to 2");
    file.n = 0;
    add_bin(&file, 0, 3, true, 1);
    expect(*state, &file, "column 0, row 3");
}

static void bad_aedat_is_explained(void **state) {
    static const struct {
        const char *header, *says;
    } headers[] = {
        {"#!AER-DAT2.0\r\n", "another version; 3.1 is read"},
        {"#!AER-DAT", "another version"},
        {"#!AER-DAT3.1", "a line of its header has no end"},
        {"#!AER-DAT3.1\r\n#Format: Compressed\r\n#!END-HEADER\r\n", "its events are packed"},
        {"#!AER-DAT3.1\r\n#!END-HEADER\r\n", "holds no event"},
        {"#!AER-DAT3.1\r\n#!END-HEADER\r\nabc", "at byte 28 is a packet that is cut off"},
    };
    static const struct {
        uint32_t type, size, overflow, n;
        const char *says;
    } packets[] = {
        {1, 8, 0, 2, "is a packet that is cut off"},
        {1, 8, 0, UINT32_MAX, "is a packet that is cut off"},
        {7, UINT32_MAX, 0, UINT32_MAX, "is a packet that is cut off"},
        {1, 4, 0, 1, "events of an unknown form"},
        {1, 8, UINT32_MAX, 1, "whose header is damaged"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        File file = {.n = 0};
        add(&file, headers[i].header, strlen(headers[i].header));
        expect(*state, &file, headers[i].says);
    }
    for (size_t i = 0; i < sizeof packets / sizeof *packets; i++) {
        File file = {.n = 0};
        add(&file, HEADER, strlen(HEADER));
        add_packet(&file, packets[i].type, packets[i].size, packets[i].overflow, packets[i].n);
        add_polarity(&file, 0, 0, true, true, 5);
        expect(*state, &file, packets[i].says);
    }
    File file = {.n = 0};
    add(&file, HEADER, strlen(HEADER));
    add_packet(&file, 1, 8, 0, 1);
    add_polarity(&file, 0, 0, true, true, UINT32_MAX);
    expect(*state, &file, "is an event with a negative time");
    file = good_aedat();
    for (file.n--; file.n > strlen(HEADER); file.n--) { /* some cuts leave whole packets */
        tacos_events *events;
        put(*state, &file);
        if (read_small(*state, &events, NULL) == TACOS_OK)
            assert_int_equal(events->n_events, 1);
        tacos_events_free(events);
    }
}

static void bad_options_and_files(void **state) {
    static const tacos_events_options bad[] = {
        {0, 4, 2, 1, 10},       {3, 0, 2, 1, 10},
        {3, 4, 0, 1, 10},       {3, 4, 3, 1, 10},
        {3, 4, 2, 0, 10},       {3, 4, 2, -1, 10},
        {3, 4, 2, NAN, 10},     {3, 4, 2, 1, 0},
        {1 << 16, 4, 2, 1, 10}, {1 << 15, 1 << 15, 2, 1, 10},
    };
    const Folder *folder = *state;
    File file = {.n = 0};
    tacos_events *events;
    tacos_error err;
    add_bin(&file, 0, 0, true, 1);
    put(folder, &file);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(tacos_events_read(&events, folder->file, &bad[i], &err), TACOS_RANGE);
    assert_fails(tacos_events_read(&events, folder->path, &small, &err), TACOS_FORMAT);
    assert_says(err, "is not a file but a folder");
    assert_fails(tacos_events_read(&events, "/nowhere/at.all", &small, &err), TACOS_MISSING);
    assert_null(events);
    /* A file that is larger than any sample, though nothing is in it. */
    assert_int_equal(truncate(folder->file, (off_t)RECORDING_BYTES_MAX + 5), 0);
    assert_fails(tacos_events_read(&events, folder->file, &small, &err), TACOS_FORMAT);
    assert_says(err, "exceeds the limit of");
}

/* Times as far apart as can be ask for no more steps than were allowed. */
static void no_time_is_too_long(void **state) {
    File file = {.n = 0};
    tacos_events *events;
    tacos_error err;
    add(&file, HEADER, strlen(HEADER));
    add_packet(&file, 1, 8, 0, 1);
    add_polarity(&file, 0, 0, true, true, 0);
    add_packet(&file, 1, 8, INT32_MAX, 1);
    add_polarity(&file, 0, 0, true, true, INT32_MAX);
    put(*state, &file);
    assert_succeeds(read_small(*state, &events, &err));
    assert_int_equal(events->n_steps, 10);
    assert_int_equal(events->n_left_out, 1);
    tacos_events_free(events);
}

/* ---- as images ---- */

static void put_in(const Folder *folder, const char *name, const File *file) {
    static const char *const folders[] = {"train", "test", "train/0", "test/0"};
    char path[160];
    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder->path, folders[i]);
        (void)mkdir(path, 0700);
    }
    (void)snprintf(path, sizeof path, "%s/%s", folder->path, name);
    write_bytes(path, file->bytes, file->n);
}

static void a_folder_of_recordings_is_a_set_of_images(void **state) {
    const Folder *folder = *state;
    File file = {.n = 0}, aedat = good_aedat();
    File size = {.n = 0};
    Dataset set;
    tacos_error err;
    for (uint32_t t = 0; t < 4; t++)
        add_bin(&file, 33, 33, true, t);
    add_bin(&file, 1, 0, false, 9);
    put_in(folder, "train/0/a.bin", &file);
    put_in(folder, "test/0/a.bin", &file);
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.train.height, 68); /* those that went darker above the others */
    assert_int_equal(set.train.width, 34);
    assert_int_equal(set.train.pixels[1], 64); /* 1 of 4 */
    assert_int_equal(set.train.pixels[68 * 34 - 1], 255);
    dataset_free(&set);

    (void)remove_all(folder->path);
    assert_int_equal(mkdir(folder->path, 0700), 0);
    put_in(folder, "train/0/a.aedat", &aedat);
    put_in(folder, "test/0/a.aedat", &aedat);
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_MISSING);
    assert_says(err,
                "train/0/a.aedat: a file size.conf beside train must give the size of the sensor");
    add(&size, "height = 3\nwidth = 4\n", 21);
    put_in(folder, "size.conf", &size);
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.train.height, 6);
    assert_int_equal(set.train.pixels[3], 255);
    assert_int_equal(set.train.pixels[(3 + 2) * 4 + 1], 255);
    dataset_free(&set);
    add(&size, "height = 1\n", 11); /* too small for the second */
    put_in(folder, "size.conf", &size);
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "column 1, row 2; the sensor's are 0 to 3 and 0 to 0");
    add(&size, "channels = 1\n", 13);
    put_in(folder, "size.conf", &size);
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "size.conf has channels, which only pictures have");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(nmnist_becomes_spikes),
        IN_FOLDER(both_polarities_may_be_one),
        IN_FOLDER(the_timer_of_nmnist_overflows),
        IN_FOLDER(aedat_becomes_spikes),
        IN_FOLDER(a_learner_learns_what_a_camera_saw),
        IN_FOLDER(bad_nmnist_is_explained),
        IN_FOLDER(bad_aedat_is_explained),
        IN_FOLDER(bad_options_and_files),
        IN_FOLDER(no_time_is_too_long),
        IN_FOLDER(a_folder_of_recordings_is_a_set_of_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
