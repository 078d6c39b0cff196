/* test_shown.c - what is measured and kept of a run is what the network was shown: images that are
 * centred and softened on the way are as good as images that are so in the file. */
#include "data/preprocess.h"
#include "report_box.h"

#include <math.h>

enum { SIDE = 10, PIXELS = SIDE * SIDE, CLASSES = 4, EACH = 8 };

/* A block of its own width for each class, off the middle. */
static void draw(uint8_t *pixels, int i) {
    memset(pixels, 0, PIXELS);
    for (int y = 0; y < 5; y++)
        for (int x = 0; x <= i % CLASSES + 2; x++)
            pixels[(y + i % 2) * SIDE + x + i / CLASSES % 2] = (uint8_t)(200 + i);
}

static void write_images(const Folder *folder, const char *name, const Preprocess *look) {
    FILE *file = fopen(within(folder, name), "w");
    uint8_t pixels[PIXELS], room[2 * PIXELS];
    assert_non_null(file);
    for (int i = 0; i < CLASSES * EACH; i++) {
        draw(pixels, i);
        const uint8_t *shown = preprocess_image(look, pixels, room);
        (void)fprintf(file, "%d", i % CLASSES);
        for (size_t p = 0; p < PIXELS; p++)
            (void)fprintf(file, ",%d", shown[p]);
        (void)fputc('\n', file);
    }
    assert_int_equal(fclose(file), 0);
}

/* What a run leaves: its measures, its accuracies and its example; free it. */
static json_t *run_with(const Folder *folder, const char *name, const char *const *keys) {
    tacos_error err;
    char run[256];
    strcpy(run, within(folder, name));
    assert_succeeds(try_run_into(run, 1, keys, folder->path, &err));
    json_t *root = open_results(run), *first = json_array_get(json_object_get(root, "runs"), 0);
    json_t *out =
        json_pack("{s:O,s:O,s:O}", "example", json_object_get(root, "example"), "R",
                  json_object_get(first, "R"), "measures", json_object_get(first, "measures"));
    assert_non_null(out);
    json_decref(root);
    return out;
}

/* Is there anything that a look could change? */
static void assert_similar(const json_t *run) {
    const json_t *measures = json_object_get(run, "measures");
    double most = 0;
    for (size_t i = 0; i < json_array_size(measures); i++) {
        const json_t *measure = json_array_get(measures, i);
        if (strcmp(json_string_value(json_object_get(measure, "name")), "similarity") == 0)
            most = fmax(most, json_number_value(json_object_get(measure, "value")));
    }
    assert_true(most > 0);
}

static void assert_same(const json_t *a, const json_t *b, const char *member) {
    if (!json_equal(json_object_get(a, member), json_object_get(b, member)))
        fail_msg("%s differs", member);
}

static void a_look_is_as_good_as_other_images(void **state) {
    const Folder *folder = *state;
    static const Preprocess none = {SIDE, SIDE, 1, false, 0};
    static const struct {
        const char *centre, *soften;
        Preprocess look;
    } looks[] = {{"centre=mass", "soften=0", {SIDE, SIDE, 1, true, 0}},
                 {"centre=none", "soften=1", {SIDE, SIDE, 1, false, 1}},
                 {"centre=mass", "soften=1", {SIDE, SIDE, 1, true, 1}}};
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        remove_all(within(folder, "raw"));
        remove_all(within(folder, "made"));
        remove_all(within(folder, "a"));
        remove_all(within(folder, "b"));
        assert_int_equal(mkdir(within(folder, "raw"), 0700), 0);
        assert_int_equal(mkdir(within(folder, "made"), 0700), 0);
        write_images(folder, "raw/train.csv", &none);
        write_images(folder, "raw/test.csv", &none);
        write_images(folder, "made/train.csv", &looks[i].look);
        write_images(folder, "made/test.csv", &looks[i].look);
        json_t *a = run_with(folder, "a",
                             KEYS("dataset=raw", "tasks=0-1,2-3", "measure=all", "steps=150",
                                  looks[i].centre, looks[i].soften));
        json_t *b = run_with(folder, "b",
                             KEYS("dataset=made", "tasks=0-1,2-3", "measure=all", "steps=150"));
        assert_similar(a);
        assert_same(a, b, "R"); /* what was learned and scored is the same ... */
        assert_same(a, b, "measures");
        assert_same(a, b, "example");
        json_decref(a);
        json_decref(b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_look_is_as_good_as_other_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
