/* test_tasks.c - from "0-1,2-3" to streams of samples. */
#include "data/tasks.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>

/* Images of two pixels: their class, and which of their class they are. */
static Images make_images(const char *classes, size_t times) {
    size_t cycle = strlen(classes), n = cycle * times, rank[256] = {0};
    Images images = {.n = n, .height = 1, .width = 2, .channels = 1};
    images.pixels = malloc(2 * n);
    images.labels = malloc(n * sizeof *images.labels);
    assert_true(images.pixels && images.labels);
    for (size_t i = 0; i < n; i++) {
        images.labels[i] = (uint16_t)(classes[i % cycle] - '0');
        images.pixels[2 * i] = (uint8_t)images.labels[i];
        images.pixels[2 * i + 1] = (uint8_t)rank[images.labels[i]]++;
    }
    return images;
}

static Tasks parse(const char *text) {
    Tasks tasks;
    tacos_error err;
    assert_succeeds(tasks_parse(&tasks, text, &err));
    return tasks;
}

static TaskSamples shuffled(const Images *images, const Tasks *tasks, size_t t, size_t limit,
                            uint32_t seed) {
    TaskSamples samples;
    tacos_error err;
    assert_succeeds(
        task_samples_shuffled(&samples, images, tasks, t, (TaskPart){.limit = limit}, seed, &err));
    return samples;
}

static bool same_order(const TaskSamples *a, const TaskSamples *b) {
    return a->n == b->n && memcmp(a->image, b->image, a->n * sizeof *a->image) == 0;
}

/* ---- Text ------------------------------------------------------------------------------------ */

static void tasks_are_read(void **state) {
    (void)state;
    Tasks tasks = parse("3-0, 7-8-9 ,255");
    assert_int_equal(tasks.n, 3);
    assert_int_equal(tasks.n_outputs, 3);
    assert_int_equal(tasks.task[0].n_classes, 2);
    assert_int_equal(tasks.task[0].classes[0], 3);
    assert_int_equal(tasks.task[0].classes[1], 0);
    assert_int_equal(tasks.task[1].classes[2], 9);
    assert_int_equal(tasks.task[2].classes[0], 255);
}

static void bad_tasks_are_explained(void **state) {
    static const struct {
        const char *text;
        tacos_status status;
        const char *says;
    } cases[] = {
        {"", TACOS_INVALID, "classes are numbers"},
        {"0-1,", TACOS_INVALID, "classes are numbers"},
        {"0-1,,2", TACOS_INVALID, "classes are numbers"},
        {"0-", TACOS_INVALID, "classes are numbers"},
        {"-1", TACOS_INVALID, "missing before '-1'"},
        {"0-1;2-3", TACOS_INVALID, "'1;2' is neither a number nor a name"},
        {"0 1", TACOS_INVALID, "'0 1' is neither a number nor a name"},
        {"cat-1st", TACOS_INVALID, "begins with a digit is between double quotes"},
        {"\"cat-dog", TACOS_INVALID, "is not ended"},
        {"\"\"-dog", TACOS_INVALID, "or empty"},
        {"\"cat\"dog", TACOS_INVALID, "expected a comma before 'dog'"},
        {"cat-dog-cat", TACOS_INVALID, "class cat occurs twice in one task"},
        {"cat-dog,,2", TACOS_INVALID, "a class is missing"},
        {"0-4096", TACOS_RANGE, "class 4096 is above 4095"},
        {"0-99999999999999999999999", TACOS_RANGE, "is above 4095"},
        {"0-1,2-3-2", TACOS_INVALID, "class 2 occurs twice in one task"},
        {"0-1-2-3-4-5-6-7-8-9-10-11-12-13-14-15-16", TACOS_RANGE, "at most 16 classes"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Tasks tasks;
        tacos_error err;
        assert_fails(tasks_parse(&tasks, cases[i].text, &err), cases[i].status);
        assert_says(err, cases[i].says);
    }
}

/* As tasks_number writes `text`, or an error that says what `text` is expected to. */
static void expect_numbers(const char *text, const char *numbers, const char *says) {
    char *list[] = {"cat", "cow", "ice cream", "t-shirt", "a,b", "7", "dog"}, out[64];
    ClassNames names = {sizeof list / sizeof *list, list};
    Tasks tasks;
    tacos_error err = {0};
    assert_succeeds(tasks_parse(&tasks, text, &err));
    assert_true(tasks.n_named > 0);
    if (says) {
        assert_fails(tasks_number(text, &names, out, sizeof out, &err), TACOS_INVALID);
        assert_says(err, says);
    } else {
        assert_succeeds(tasks_number(text, &names, out, sizeof out, &err));
        assert_string_equal(out, numbers);
    }
}

static void classes_have_names(void **state) {
    (void)state;
    expect_numbers("cat-dog", "0-6", NULL);
    expect_numbers(" cat - ice cream , 4-dog,cow", "0-2,4-6,1", NULL);
    expect_numbers("\"t-shirt\"-\"a,b\",\"7\"-7", "3-4,5-7", NULL);
    expect_numbers("cat-dogg", NULL, "no class is named 'dogg'; the nearest: 'dog'");
    expect_numbers("caw", NULL, "no class is named 'caw'; the nearest: 'cat', 'cow'");
    expect_numbers("elephant", NULL, "`tacos data show` lists the names");
    expect_numbers("t-shirt", NULL, "no class is named 't'");
    Tasks tasks = parse("cat-dog,dog-cow");
    assert_int_equal(tasks.n_named, 3);
    assert_int_equal(tasks.task[0].classes[1], tasks.task[1].classes[0]);
    char text[] = "\"a,b\"-cat,dog,cow";
    tasks_cut(text, 2);
    assert_string_equal(text, "\"a,b\"-cat,dog");
}

static void sixty_four_tasks_are_the_most(void **state) {
    char text[2 * TASKS_MAX + 2];
    Tasks tasks;
    tacos_error err;
    (void)state;
    for (size_t i = 0; i <= TASKS_MAX; i++)
        memcpy(text + 2 * i, "1,", 2);
    text[2 * TASKS_MAX - 1] = '\0';
    assert_int_equal(parse(text).n, TASKS_MAX);
    text[2 * TASKS_MAX - 1] = ',';
    text[2 * TASKS_MAX + 1] = '\0';
    assert_fails(tasks_parse(&tasks, text, &err), TACOS_RANGE);
    assert_says(err, "at most 64");
}

static void classes_are_checked_against_the_data(void **state) {
    tacos_error err;
    (void)state;
    Tasks tasks = parse("0-1,2-10");
    assert_succeeds(tasks_settle(&tasks, 11, &err));
    assert_fails(tasks_settle(&tasks, 10, &err), TACOS_RANGE);
    assert_says(err, "task 2 has class 10");
    assert_says(err, "0 to 9");
}

static void random_tasks_have_each_class_once(void **state) {
    Tasks tasks, other, again;
    size_t seen[292] = {0}, same = 0;
    tacos_error err;
    (void)state;
    assert_succeeds(tasks_parse(&tasks, "random:50x5", &err));
    assert_succeeds(tasks_parse(&other, "random:50x5:2", &err));
    assert_int_equal(tasks.n, 50);
    assert_int_equal(tasks.n_outputs, 5);
    again = tasks;
    assert_succeeds(tasks_settle(&tasks, 292, &err));
    assert_succeeds(tasks_settle(&again, 292, &err));
    assert_succeeds(tasks_settle(&other, 292, &err));
    for (size_t t = 0; t < 50; t++)
        for (size_t k = 0; k < 5; k++) {
            assert_int_equal(tasks.task[t].classes[k], again.task[t].classes[k]);
            assert_int_equal(seen[tasks.task[t].classes[k]]++, 0);
            same += tasks.task[t].classes[k] == other.task[t].classes[k];
        }
    assert_true(same < 10); /* another draw is another one: one in 292 by chance */
    assert_succeeds(tasks_parse(&tasks, "random:50x5", &err));
    assert_fails(tasks_settle(&tasks, 249, &err), TACOS_RANGE);
    assert_says(err, "more than the data set's 249 classes");
}

static void random_tasks_that_are_none_are_refused(void **state) {
    static const char *const bad[] = {
        "random",      "random:",     "random:5",     "random:5x",
        "random:5x5x", "random:5x5:", "random:5x5:x", "random:5x5:1x"};
    Tasks tasks;
    tacos_error err;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_fails(tasks_parse(&tasks, bad[i], &err), TACOS_INVALID);
    assert_fails(tasks_parse(&tasks, "random:65x2", &err), TACOS_RANGE);
    assert_fails(tasks_parse(&tasks, "random:5x17", &err), TACOS_RANGE);
    assert_fails(tasks_parse(&tasks, "random:0x5", &err), TACOS_RANGE);
    assert_fails(tasks_parse(&tasks, "random:-5x5", &err), TACOS_RANGE);
}

/* ---- outputs ---- */

static void tasks_share_a_head_at_first(void **state) {
    static const char *const texts[] = {"3-0,7-8-9,0", "random:3x3"};
    tacos_error err;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        Tasks tasks = parse(texts[i]);
        assert_succeeds(tasks_settle(&tasks, 10, &err));
        assert_int_equal(tasks.n_outputs, 3);
        for (size_t t = 0; t < 3; t++)
            for (size_t k = 0; k < tasks.task[t].n_classes; k++)
                assert_int_equal(tasks.task[t].outputs[k], k);
    }
}

static void a_split_head_has_an_output_for_every_class(void **state) {
    static const uint16_t wanted[3][3] = {{0, 1}, {2, 1, 3}, {3, 0}};
    Tasks tasks = parse("3-0,7-0-4095,4095-3");
    (void)state;
    tasks_split_head(&tasks);
    assert_int_equal(tasks.n_outputs, 4);
    for (size_t t = 0; t < 3; t++)
        for (size_t k = 0; k < tasks.task[t].n_classes; k++)
            assert_int_equal(tasks.task[t].outputs[k], wanted[t][k]);
}

/* More outputs than a byte can name. */
static void the_outputs_of_many_classes_are_all_different(void **state) {
    Images images = make_images("0", 1);
    Tasks tasks = parse("random:60x16");
    tacos_error err;
    (void)state;
    assert_succeeds(tasks_settle(&tasks, 1000, &err));
    tasks_split_head(&tasks);
    assert_int_equal(tasks.n_outputs, 960);
    for (size_t o = 0; o < 960; o++) {
        TaskSamples samples;
        images.labels[0] = tasks.task[o / 16].classes[o % 16];
        assert_succeeds(task_samples(&samples, &images, &tasks, o / 16, (TaskPart){0}, &err));
        assert_int_equal(samples.target[0], o);
        task_samples_free(&samples);
    }
    images_free(&images);
}

/* ---- a part held out ---- */

static void what_is_held_out_is_not_learned(void **state) {
    Images images = make_images("0011", 50); /* 100 of each, mixed */
    Tasks tasks;
    TaskSamples held, rest, again;
    tacos_error err;
    size_t n_of[2] = {0};
    (void)state;
    assert_succeeds(tasks_parse(&tasks, "0-1", &err));
    assert_succeeds(task_samples(&held, &images, &tasks, 0, (TaskPart){0.25, true, 0}, &err));
    assert_succeeds(
        task_samples_shuffled(&rest, &images, &tasks, 0, (TaskPart){0.25, false, 0}, 1, &err));
    assert_int_equal(held.n, 50);
    assert_int_equal(rest.n, 150);
    for (size_t i = 0; i < held.n; i++) {
        n_of[held.target[i]]++;
        for (size_t k = 0; k < rest.n; k++)
            assert_int_not_equal(held.image[i], rest.image[k]);
    }
    assert_int_equal(n_of[0], 25); /* as many of each class */
    assert_succeeds(task_samples(&again, &images, &tasks, 0, (TaskPart){0.25, true, 0}, &err));
    assert_memory_equal(held.image, again.image, held.n * sizeof *held.image);
    task_samples_free(&held);
    task_samples_free(&rest);
    task_samples_free(&again);
    assert_fails(task_samples(&held, &images, &tasks, 0, (TaskPart){0.001, true, 0}, &err),
                 TACOS_INVALID);
    assert_says(err, "held out");
    images_free(&images);
}

/* ---- Samples --------------------------------------------------------------------------------- */

static void a_task_takes_its_classes_in_order(void **state) {
    Images images = make_images("0123", 5);
    Tasks tasks = parse("0-1,3-1");
    TaskSamples samples;
    tacos_error err;
    (void)state;
    assert_succeeds(task_samples(&samples, &images, &tasks, 1, (TaskPart){0}, &err));
    assert_int_equal(samples.n, 10);
    for (size_t i = 0; i < samples.n; i++) {
        uint16_t label = images.labels[samples.image[i]];
        assert_int_equal(label, i % 2 ? 3 : 1);
        assert_int_equal(samples.target[i], label == 3 ? 0 : 1);
        assert_true(i == 0 || samples.image[i] > samples.image[i - 1]);
    }
    task_samples_free(&samples);
    images_free(&images);
}

static void an_empty_task_is_named(void **state) {
    Images images = make_images("01", 3);
    Tasks tasks = parse("0-1,2-3");
    TaskSamples samples;
    tacos_error err;
    (void)state;
    assert_fails(task_samples(&samples, &images, &tasks, 1, (TaskPart){0}, &err), TACOS_INVALID);
    assert_says(err, "task 2 is empty");
    assert_fails(task_samples_shuffled(&samples, &images, &tasks, 1, (TaskPart){0}, 1, &err),
                 TACOS_INVALID);
    images_free(&images);
}

/* Even where the classes lie one after the other, as they do once sorted. */
static void thinning_keeps_classes_balanced(void **state) {
    static const size_t limits[] = {1, 2, 3, 10, 50, 99, 100, 199};
    Images images = make_images("0123456789", 100);
    Tasks tasks = parse("4-7");
    (void)state;
    assert_int_equal(images_sort_by_class(&images, NULL), TACOS_OK);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        TaskSamples samples;
        size_t of[2] = {0}, last = 0;
        assert_int_equal(
            task_samples(&samples, &images, &tasks, 0, (TaskPart){.limit = limits[i]}, NULL),
            TACOS_OK);
        assert_int_equal(samples.n, limits[i]);
        for (size_t k = 0; k < samples.n; k++) {
            assert_true(k == 0 || samples.image[k] > last); /* none twice */
            last = samples.image[k];
            of[samples.target[k]]++;
            assert_int_equal(samples.target[k], images.labels[last] == 7);
        }
        assert_true(of[0] <= of[1] + 1 && of[1] <= of[0] + 1);
        task_samples_free(&samples);
    }
    images_free(&images);
}

static void a_limit_above_all_is_no_limit(void **state) {
    Images images = make_images("01", 10);
    Tasks tasks = parse("0-1");
    TaskSamples samples;
    (void)state;
    assert_int_equal(task_samples(&samples, &images, &tasks, 0, (TaskPart){.limit = 1000}, NULL),
                     TACOS_OK);
    assert_int_equal(samples.n, 20);
    task_samples_free(&samples);
    images_free(&images);
}

/* ---- Shuffling ------------------------------------------------------------------------------- */

static void a_shuffle_keeps_every_sample_once(void **state) {
    Images images = make_images("012", 50);
    Tasks tasks = parse("2-0");
    TaskSamples samples = shuffled(&images, &tasks, 0, 0, 7);
    bool seen[150] = {false};
    (void)state;
    assert_int_equal(samples.n, 100);
    for (size_t i = 0; i < samples.n; i++) {
        uint16_t label = images.labels[samples.image[i]];
        assert_false(seen[samples.image[i]]);
        seen[samples.image[i]] = true;
        assert_int_equal(samples.target[i], label == 0 ? 1 : 0);
        assert_true(label != 1);
    }
    task_samples_free(&samples);
    images_free(&images);
}

static void a_shuffle_is_the_seeds_and_the_tasks_own(void **state) {
    Images images = make_images("01", 50);
    Tasks tasks = parse("0-1,0-1");
    TaskSamples a = shuffled(&images, &tasks, 0, 0, 7), again = shuffled(&images, &tasks, 0, 0, 7);
    TaskSamples seed = shuffled(&images, &tasks, 0, 0, 8),
                task = shuffled(&images, &tasks, 1, 0, 7);
    (void)state;
    assert_true(same_order(&a, &again));
    assert_false(same_order(&a, &seed));
    assert_false(same_order(&a, &task));
    task_samples_free(&a);
    task_samples_free(&again);
    task_samples_free(&seed);
    task_samples_free(&task);
    images_free(&images);
}

/* Each of five samples comes to each place equally often, to 5 sigma. */
static void a_shuffle_favours_no_place(void **state) {
    enum { SEEDS = 5000, SAMPLES = 5 };
    size_t times[SAMPLES][SAMPLES] = {{0}};
    Images images = make_images("0", SAMPLES);
    Tasks tasks = parse("0");
    double sigma = sqrt(SEEDS * 0.2 * 0.8);
    (void)state;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        TaskSamples samples = shuffled(&images, &tasks, 0, 0, seed);
        for (size_t i = 0; i < SAMPLES; i++)
            times[i][samples.image[i]]++;
        task_samples_free(&samples);
    }
    for (size_t i = 0; i < SAMPLES; i++)
        for (size_t k = 0; k < SAMPLES; k++)
            assert_true(fabs((double)times[i][k] - SEEDS * 0.2) < 5 * sigma);
    images_free(&images);
}

static void a_limit_keeps_the_first_of_the_order(void **state) {
    Images images = make_images("01", 50);
    Tasks tasks = parse("0-1");
    TaskSamples all = shuffled(&images, &tasks, 0, 0, 7),
                some = shuffled(&images, &tasks, 0, 30, 7);
    (void)state;
    assert_int_equal(some.n, 30);
    assert_memory_equal(some.image, all.image, 30 * sizeof *some.image);
    task_samples_free(&all);
    task_samples_free(&some);
    images_free(&images);
}

static void the_files_mixture_of_classes_means_nothing(void **state) {
    Images mixed = make_images("0120", 60), blocks = make_images("0012", 60);
    Tasks tasks = parse("0-2");
    (void)state;
    assert_memory_not_equal(mixed.labels, blocks.labels, mixed.n);
    assert_int_equal(images_sort_by_class(&mixed, NULL), TACOS_OK);
    assert_int_equal(images_sort_by_class(&blocks, NULL), TACOS_OK);
    assert_memory_equal(mixed.labels, blocks.labels, mixed.n);
    assert_memory_equal(mixed.pixels, blocks.pixels, 2 * mixed.n);
    TaskSamples a = shuffled(&mixed, &tasks, 0, 100, 3), b = shuffled(&blocks, &tasks, 0, 100, 3);
    assert_true(same_order(&a, &b));
    task_samples_free(&a);
    task_samples_free(&b);
    images_free(&mixed);
    images_free(&blocks);
}

/* Pixels stay with their labels, in the file's order within a class. */
static void sorting_moves_whole_images(void **state) {
    Images images = make_images("3051", 20);
    (void)state;
    images.labels[7] = images.pixels[14] = 255; /* the last label there can be */
    images.pixels[15] = 0;
    assert_int_equal(images_sort_by_class(&images, NULL), TACOS_OK);
    for (size_t i = 0; i < images.n; i++) {
        assert_int_equal(images.pixels[2 * i], images.labels[i]);
        if (i > 0 && images.labels[i] == images.labels[i - 1])
            assert_true(images.pixels[2 * i + 1] > images.pixels[2 * i - 1]);
        else
            assert_true(i == 0 || images.labels[i] > images.labels[i - 1]);
    }
    assert_int_equal(images.labels[images.n - 1], 255);
    images_free(&images);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_tasks_have_each_class_once),
        cmocka_unit_test(random_tasks_that_are_none_are_refused),
        cmocka_unit_test(tasks_share_a_head_at_first),
        cmocka_unit_test(a_split_head_has_an_output_for_every_class),
        cmocka_unit_test(the_outputs_of_many_classes_are_all_different),
        cmocka_unit_test(what_is_held_out_is_not_learned),
        cmocka_unit_test(tasks_are_read),
        cmocka_unit_test(bad_tasks_are_explained),
        cmocka_unit_test(classes_have_names),
        cmocka_unit_test(sixty_four_tasks_are_the_most),
        cmocka_unit_test(classes_are_checked_against_the_data),
        cmocka_unit_test(a_task_takes_its_classes_in_order),
        cmocka_unit_test(an_empty_task_is_named),
        cmocka_unit_test(thinning_keeps_classes_balanced),
        cmocka_unit_test(a_limit_above_all_is_no_limit),
        cmocka_unit_test(a_shuffle_keeps_every_sample_once),
        cmocka_unit_test(a_shuffle_is_the_seeds_and_the_tasks_own),
        cmocka_unit_test(a_shuffle_favours_no_place),
        cmocka_unit_test(a_limit_keeps_the_first_of_the_order),
        cmocka_unit_test(the_files_mixture_of_classes_means_nothing),
        cmocka_unit_test(sorting_moves_whole_images),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
