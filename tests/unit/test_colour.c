/* test_colour.c - a data set in colour through everything: its shape, models of each kind, results
 * and figures. */
#include "lab/features.h"
#include "lab/stream.h"
#include "npy_file.h"
#include "report_box.h"

#include "lab/experiment.h"

enum { HIGH = 4, WIDE = 6, CHANNELS = 3, SIZE = HIGH * WIDE * CHANNELS, EACH = 60 };

/* Classes differ in colour only: the mean of the channels is the same. */
static void draw(uint8_t *pixels, size_t class_index, size_t image) {
    for (size_t i = 0; i < SIZE; i++) {
        bool lit = (i / CHANNELS + image) % 3 > 0;
        pixels[i] = (uint8_t)(lit ? (i % CHANNELS == class_index ? 240 : 30) : 100);
    }
}

static void write_npy(const Folder *folder, const char *name, const char *shape,
                      const uint8_t *elements, size_t n) {
    static char bytes[1 << 14];
    Npy head = make_npy("|u1", shape, elements, 0);
    assert_true(head.n + n <= sizeof bytes);
    memcpy(bytes, head.bytes, head.n);
    memcpy(bytes + head.n, elements, n);
    write_bytes(within(folder, name), bytes, head.n + n);
}

static void make_set(const Folder *folder) {
    static uint8_t pixels[2 * EACH * SIZE], labels[2 * EACH];
    char images_shape[64], labels_shape[64];
    assert_int_equal(mkdir(within(folder, "mine"), 0700), 0);
    for (size_t i = 0; i < 2 * EACH; i++) {
        labels[i] = (uint8_t)(i % 2);
        draw(pixels + i * SIZE, i % 2, i / 2);
    }
    (void)snprintf(images_shape, sizeof images_shape, "%d, %d, %d, %d", 2 * EACH, HIGH, WIDE,
                   CHANNELS);
    (void)snprintf(labels_shape, sizeof labels_shape, "%d,", 2 * EACH);
    for (int half = 0; half < 2; half++) {
        write_npy(folder, half ? "mine/test-images.npy" : "mine/train-images.npy", images_shape,
                  pixels, sizeof pixels);
        write_npy(folder, half ? "mine/test-labels.npy" : "mine/train-labels.npy", labels_shape,
                  labels, sizeof labels);
    }
}

#define MINE "dataset=mine", "tasks=0-1", "measure=none"

static const TaskSplit *split_of(TaskSplits *splits, const char *const *keys, Experiment *settled) {
    tacos_experiment *experiment;
    const TaskSplit *split;
    tacos_error err;
    assert_succeeds(tacos_experiment_open(&experiment, "demo", &err));
    assert_succeeds(set_keys(experiment, keys, &err));
    assert_succeeds(task_splits_get(splits, &experiment->params, &split, &err));
    assert_succeeds(task_split_settle(split, experiment, settled, &err));
    tacos_experiment_free(experiment);
    return split;
}

static void models_learn_its_shape(void **state) {
    const Folder *folder = *state;
    TaskSplits *splits;
    Experiment settled;
    tacos_error err;
    make_set(folder);
    assert_succeeds(task_splits_new(&splits, folder->path, &err));
    (void)split_of(splits, KEYS(MINE, "model=columns"), &settled);
    const Counts *shape = &settled.learner.columns.shape;
    assert_int_equal(settled.learner.n_inputs, SIZE);
    assert_int_equal(shape->n, 3);
    assert_int_equal(shape->value[0], HIGH);
    assert_int_equal(shape->value[1], WIDE);
    assert_int_equal(shape->value[2], CHANNELS);
    (void)split_of(splits, KEYS(MINE, "model=columns", "permute=pixels"), &settled);
    assert_int_equal(settled.learner.columns.shape.n, 0);
    task_splits_free(splits);
}

/* Every channel has a frame of its own. */
static void a_rival_sees_a_frame_around_colours(void **state) {
    enum { SIDE = 8 };
    const Folder *folder = *state;
    const size_t top = (SIDE - HIGH) / 2, left = (SIDE - WIDE) / 2;
    TaskSplits *splits;
    Experiment settled;
    Features *features;
    float seen[SIDE * SIDE * CHANNELS];
    tacos_error err;
    make_set(folder);
    assert_succeeds(task_splits_new(&splits, folder->path, &err));
    const TaskSplit *split = split_of(
        splits, KEYS(MINE, "model=naive", "pad_to=8", "pixel_mean=0", "pixel_sd=1"), &settled);
    const uint8_t *pixels = split->data->train.pixels;
    assert_succeeds(features_new(&features, split, &settled, 1, &err));
    assert_int_equal(features_size(features), sizeof seen / sizeof *seen);
    features_extract(features, pixels, RNG_INPUT, 0, seen);
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        size_t y = i / CHANNELS / SIDE - top, x = i / CHANNELS % SIDE - left; /* wrap below 0 */
        bool inside = y < HIGH && x < WIDE;
        uint8_t value = inside ? pixels[(y * WIDE + x) * CHANNELS + i % CHANNELS] : 0;
        assert_int_equal((int)((double)seen[i] * 255 + 0.5), value);
    }
    features_free(features);
    task_splits_free(splits);
}

/* All the classes differ in is colour. */
static double final_accuracy(const char *folder) {
    json_t *root = open_results(folder);
    const json_t *run = json_array_get(json_object_get(root, "runs"), 0);
    const json_t *rows = json_object_get(run, "R");
    double accuracy = json_number_value(json_array_get(json_array_get(rows, 0), 0));
    json_decref(root);
    return accuracy;
}

static void every_kind_of_model_learns_it(void **state) {
    static const char *const kinds[] = {"columns", "snn", "naive"};
    static const char *const settings[] = {"column_features=values", "steps=60", "epochs=30"};
    const Folder *folder = *state;
    tacos_error err = {0};
    make_set(folder);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char model[64];
        (void)snprintf(model, sizeof model, "model=%s", kinds[i]);
        const char *out = within(folder, kinds[i]);
        const char *const *keys = KEYS(MINE, model, "samples_per_task=0", settings[i]);
        if (try_run_into(out, 1, keys, folder->path, &err) != TACOS_OK)
            fail_msg("%s: %s", kinds[i], err.text);
        if (final_accuracy(out) < 90)
            fail_msg("%s: %.1f", kinds[i], final_accuracy(out));
    }
}

static void figures_show_it(void **state) {
    const Folder *folder = *state;
    tacos_error err = {0};
    make_set(folder);
    const char *out = within(folder, "run");
    if (try_run_into(out, 1, KEYS(MINE, "samples_per_task=8"), folder->path, &err) != TACOS_OK)
        fail_msg("%s", err.text);
    json_t *root = open_results(out), *example = json_object_get(root, "example");
    assert_int_equal(json_integer_value(json_object_get(example, "channels")), CHANNELS);
    assert_int_equal(strlen(json_string_value(json_object_get(example, "pixels"))), 2 * SIZE);
    char *page = page_of(out, within(folder, "page.html"));
    (void)assert_drawings(page);
    assert_holds(page, "One image through the network");
    assert_holds(page, "A pixel is the mean of its channels");
    free(page);
    /* Two channels have no colour that one could draw; images of before had one and did not say. */
    json_object_set_new(example, "channels", json_integer(2));
    json_object_set_new(example, "width", json_integer(WIDE * CHANNELS / 2));
    write_results(root, out);
    page = page_of(out, within(folder, "page.html"));
    (void)assert_drawings(page);
    assert_holds(page, "One image through the network");
    free(page);
    root = open_results(out);
    example = json_object_get(root, "example");
    json_object_del(example, "channels");
    json_object_set_new(example, "width", json_integer(WIDE * CHANNELS));
    write_results(root, out);
    page = page_of(out, within(folder, "page.html"));
    assert_holds(page, "One image through the network");
    assert_lacks(page, "A pixel is the mean of its channels");
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(models_learn_its_shape),
        IN_FOLDER(a_rival_sees_a_frame_around_colours),
        IN_FOLDER(every_kind_of_model_learns_it),
        IN_FOLDER(figures_show_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
