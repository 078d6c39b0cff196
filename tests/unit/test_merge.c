/* test_merge.c - columns learners that never met become one, the same in whatever order they are
 * named. */
#include "check.h"
#include "heap.h"

#include "net/learner.h"

#include <stdlib.h>

/* ---- learners of small images: class c is a bar of its own, with noise ---- */

enum { SIDE = 10, N_INPUTS = SIDE * SIDE, CLASSES = 4 };

#define SHAPE                                                                                      \
    "model = columns\ninputs = 100\noutputs = 4\ninput_shape = 10,10\ncolumn_cells = 7\n"          \
    "column_stride = 2\n"
#define VALUES SHAPE "column_features = values\n"
#define VECTOR "model = columns\ninputs = 100\noutputs = 4\n"

static void draw(uint32_t k, size_t class, float image[N_INPUTS]) {
    Dice dice = {.game = k};
    size_t from = 1 + 2 * class + (size_t)roll(&dice, 0, 1.5);
    for (size_t y = 0; y < SIDE; y++)
        for (size_t x = 0; x < SIDE; x++) {
            bool on = class % 2 == 0 ? x >= from && x < from + 2 : y >= from && y < from + 2;
            image[y * SIDE + x] = (float)(on ? roll(&dice, 0.5, 1) : roll(&dice, 0, 0.2));
        }
}

static tacos_learner *make(const char *keys, const char *more, uint32_t seed) {
    tacos_config *config;
    tacos_learner *learner;
    tacos_error err;
    assert_succeeds(tacos_config_new(&config, &err));
    assert_succeeds(tacos_config_parse(config, keys, "keys", &err));
    assert_succeeds(tacos_config_parse(config, more, "more", &err));
    assert_succeeds(tacos_learner_new(&learner, config, seed, NULL, &err));
    tacos_config_free(config);
    return learner;
}

/* Samples from..to-1, of the classes first..last in turn. */
static void teach(tacos_learner *learner, uint32_t from, uint32_t to, size_t first, size_t last) {
    for (uint32_t k = from; k < to; k++) {
        float image[N_INPUTS];
        size_t class = first + k % (last - first + 1);
        tacos_error err;
        draw(k, class, image);
        assert_succeeds(tacos_learner_learn(learner, image, N_INPUTS, class, &err));
    }
}

static int answer(tacos_learner *learner, uint32_t k, size_t class) {
    float image[N_INPUTS];
    tacos_prediction out;
    tacos_error err;
    draw(k, class, image);
    assert_succeeds(tacos_learner_predict(learner, image, N_INPUTS, 0, &out, &err));
    return out.output;
}

static size_t count_right(tacos_learner *learner, uint32_t from, uint32_t to) {
    size_t n = 0;
    for (uint32_t k = from; k < to; k++)
        n += answer(learner, k, k % CLASSES) == (int)(k % CLASSES);
    return n;
}

static tacos_learner *merge(tacos_learner *const *learners, size_t n,
                            const tacos_merge_options *how) {
    tacos_learner *out;
    tacos_error err;
    assert_succeeds(
        tacos_learner_merge(&out, (const tacos_learner *const *)learners, n, how, NULL, &err));
    return out;
}

/* ---- bytes of a file ---- */

enum { ROOM = 1 << 20 };
typedef struct Bytes {
    size_t n, at;
    unsigned char byte[ROOM];
} Bytes;

static int put(void *user, const void *bytes, size_t n) {
    Bytes *into = user;
    assert_true(n <= ROOM - into->n);
    memcpy(into->byte + into->n, bytes, n);
    into->n += n;
    return 0;
}

static int get(void *user, void *bytes, size_t n) {
    Bytes *from = user;
    if (n > from->n - from->at)
        return 1;
    memcpy(bytes, from->byte + from->at, n);
    from->at += n;
    return 0;
}

static Bytes *bytes_of(tacos_learner *learner) {
    Bytes *bytes = calloc(1, sizeof *bytes);
    tacos_error err;
    assert_non_null(bytes);
    assert_succeeds(tacos_learner_save_to(learner, put, bytes, &err));
    return bytes;
}

static void assert_same(tacos_learner *a, tacos_learner *b) {
    Bytes *x = bytes_of(a), *y = bytes_of(b);
    assert_int_equal(x->n, y->n);
    assert_memory_equal(x->byte, y->byte, x->n);
    free(x);
    free(y);
}

/* ---- three learners, of different sizes even ---- */

enum { PARTS = 3 };

static const char *const kinds[] = {SHAPE, VALUES, VECTOR, SHAPE "column_looks = 5\n",
                                    SHAPE "column_input = spikes\nsteps = 30\n"};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void make_parts(tacos_learner *parts[PARTS], const char *keys) {
    static const char *const sizes[] = {"column_units = 70\n", "column_units = 60\n",
                                        "column_memory_kb = 5.5\n"};
    for (uint32_t k = 0; k < PARTS; k++) {
        parts[k] = make(keys, sizes[k], 5);
        teach(parts[k], 1000 * k, 1000 * k + 150, k, k + 1);
    }
}

static void free_parts(tacos_learner *parts[PARTS]) {
    for (size_t k = 0; k < PARTS; k++)
        tacos_learner_free(parts[k]);
}

static void the_order_does_not_matter(void **state) {
    static const size_t orders[][PARTS] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                           {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    static const tacos_merge_options options[] = {
        {0}, {.n_units = 30}, {.memory_kb = 8}, {.match = 0.8}, {.match = 1}};
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        tacos_learner *parts[PARTS];
        make_parts(parts, kinds[kind]);
        for (size_t o = 0; o < sizeof options / sizeof *options; o++) {
            tacos_learner *first = merge(parts, PARTS, &options[o]);
            for (size_t k = 1; k < sizeof orders / sizeof *orders; k++) {
                tacos_learner *in_order[PARTS];
                for (size_t i = 0; i < PARTS; i++)
                    in_order[i] = parts[orders[k][i]];
                tacos_learner *other = merge(in_order, PARTS, &options[o]);
                assert_same(first, other);
                tacos_learner_free(other);
            }
            tacos_learner_free(first);
        }
        free_parts(parts);
    }
}

/* Many units of equal use and of equal templates: what decides between them is what they are. */
static void ties_do_not_matter(void **state) {
    tacos_learner *parts[4];
    (void)state;
    for (uint32_t k = 0; k < 4; k++) {
        parts[k] = make(SHAPE, "column_units = 40\ncolumn_match = 0.99\n", 1);
        teach(parts[k], 0, 10, 0, k == 3 ? 0 : 3); /* the first three are the same */
    }
    const tacos_merge_options few = {.n_units = 15};
    tacos_learner *one = merge(parts, 4, &few);
    tacos_learner *turned[] = {parts[3], parts[2], parts[0], parts[1]};
    tacos_learner *other = merge(turned, 4, &few);
    assert_same(one, other);
    assert_int_equal(one->columns.n_units, 15);
    tacos_learner_free(one);
    tacos_learner_free(other);
    for (size_t k = 0; k < 4; k++)
        tacos_learner_free(parts[k]);
}

static void every_kernel_merges_the_same(void **state) {
    uint32_t digest = 0;
    (void)state;
    for (size_t k = 0; kernels[k]; k++) {
        tacos_learner *parts[PARTS];
        const Kernel *kernel;
        assert_int_equal(setenv("TACOS_KERNEL", kernels[k]->name, 1), 0);
        if (kernel_select(&kernel, NULL) != TACOS_OK)
            continue;
        make_parts(parts, SHAPE);
        tacos_learner *merged = merge(parts, PARTS, NULL);
        assert_true(digest == 0 || tacos_learner_digest(merged) == digest);
        digest = tacos_learner_digest(merged);
        tacos_learner_free(merged);
        free_parts(parts);
    }
    assert_int_equal(unsetenv("TACOS_KERNEL"), 0);
    assert_int_not_equal(digest, 0);
}

/* ---- what it has learned ---- */

/* Each learned one class, and answers nothing else; together they know all. */
static void classes_learned_apart_are_known_together(void **state) {
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        tacos_learner *parts[CLASSES];
        for (uint32_t c = 0; c < CLASSES; c++) {
            parts[c] = make(kinds[kind], "column_units = 100\n", 1);
            teach(parts[c], 1000 * c, 1000 * c + 200, c, c);
            assert_int_equal(count_right(parts[c], 9000, 9100), 100 / CLASSES);
        }
        tacos_learner *merged = merge(parts, CLASSES, NULL);
        size_t right = count_right(merged, 9000, 9100);
        if (right < 90)
            fail_msg("kind %zu: %zu of 100 right", kind, right);
        assert_int_equal(tacos_learner_learned(merged), CLASSES * 200);
        tacos_learner_free(merged);
        for (size_t c = 0; c < CLASSES; c++)
            tacos_learner_free(parts[c]);
    }
}

static uint64_t sum_32(const uint32_t *values, size_t n) {
    uint64_t sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += values[k];
    return sum;
}

/* Counts of output k, of all units. */
static uint64_t sum_counts(const Columns *columns, size_t k) {
    uint64_t sum = 0;
    for (size_t p = 0; p < columns->geometry.n_places; p++)
        for (size_t u = 0; u < columns->place_units[p]; u++)
            sum += count_value(columns_counts(columns, columns_unit(columns, p, u))[k]);
    return sum;
}

/* Totals and silent counts add up exactly; counts to what one byte holds of a sum, which is within
 * 1/32 of it. */
static void nothing_counted_is_lost(void **state) {
    tacos_learner *parts[PARTS];
    uint64_t silent = 0, before = 0;
    (void)state;
    make_parts(parts, SHAPE);
    tacos_learner *merged = merge(parts, PARTS, &(tacos_merge_options){.n_units = 40});
    const Columns *out = &merged->columns;
    for (size_t c = 0; c < CLASSES; c++) {
        uint64_t total = 0, counts = 0, now = sum_counts(out, c);
        for (size_t k = 0; k < PARTS; k++) {
            total += parts[k]->columns.totals[c];
            counts += sum_counts(&parts[k]->columns, c);
        }
        assert_int_equal(out->totals[c], total);
        assert_in_range(now, counts - counts / 32, counts + counts / 32);
    }
    size_t n = out->geometry.n_places * CLASSES;
    for (size_t k = 0; k < PARTS; k++) {
        silent += sum_32(parts[k]->columns.silent, n);
        before += tacos_learner_learned(parts[k]);
    }
    assert_int_equal(sum_32(out->silent, n), silent);
    assert_int_equal(tacos_learner_learned(merged), before);
    tacos_learner_free(merged);
    free_parts(parts);
}

/* Totals stay at the most that they hold. */
static void full_totals_stay_full(void **state) {
    tacos_learner *parts[PARTS];
    (void)state;
    make_parts(parts, SHAPE);
    parts[0]->columns.totals[0] = UINT32_MAX - 5;
    parts[1]->columns.totals[0] = 6;
    parts[2]->columns.totals[0] = 0;
    tacos_learner *merged = merge(parts, PARTS, NULL);
    assert_int_equal(merged->columns.totals[0], UINT32_MAX);
    tacos_learner_free(merged);
    free_parts(parts);
}

/* A template is the mean by use of those that joined. */
static void templates_are_averaged_by_use(void **state) {
    tacos_learner *parts[2];
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        parts[k] = make(VALUES, "column_units = 30\n", 1);
        teach(parts[k], 0, 1, 0, 0); /* a unit a place */
        Columns *c = &parts[k]->columns;
        size_t unit = columns_unit(c, 0, 0);
        for (size_t d = 0; d < c->geometry.n_values; d++)
            *columns_value(c, unit, d) = (int8_t)(k == 0 ? 40 : d == 0 ? 50 : 37);
        columns_set_inverse(c, unit);
        c->uses[unit] = count_code(k == 0 ? 3 : 1);
        memset(columns_counts(c, unit), 0, CLASSES);
        columns_counts(c, unit)[k] = 7;
    }
    tacos_learner *merged = merge(parts, 2, NULL);
    const Columns *c = &merged->columns;
    size_t unit = columns_unit(c, 0, 0);
    assert_int_equal(c->place_units[0], 1);
    assert_int_equal(*columns_value(c, unit, 0), 43); /* 42.5, and away from 0 */
    assert_int_equal(*columns_value(c, unit, 1), 39); /* 39.25 */
    assert_int_equal(count_value(c->uses[unit]), 4);
    for (size_t k = 0; k < CLASSES; k++)
        assert_int_equal(columns_counts(c, unit)[k], k < 2 ? 7 : 0);
    tacos_learner_free(merged);
    tacos_learner_free(parts[0]);
    tacos_learner_free(parts[1]);
}

/* Those that learned more count for more; and theta stays below where it starts. */
static void trust_and_theta_are_averaged_by_samples(void **state) {
    tacos_learner *parts[2];
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        parts[k] = make(SHAPE, "column_units = 30\ncolumn_match = 0.9\n", 1);
        teach(parts[k], 0, k == 0 ? 30 : 10, 0, 3);
        parts[k]->columns.trust[0] = k == 0 ? TRUST_ONE : 3 * TRUST_ONE;
        parts[k]->columns.match[0] = MATCH_ONE / 10 * (k == 0 ? 8 : 4);
    }
    tacos_learner *merged = merge(parts, 2, NULL);
    assert_int_equal(merged->columns.trust[0], TRUST_ONE * 3 / 2);
    assert_int_equal(merged->columns.match[0] / 100, MATCH_ONE / 10 * 7 / 100);
    tacos_learner_free(merged);
    /* Numbers of samples that nobody learns. */
    parts[0]->net.n_learned = parts[1]->net.n_learned = UINT64_MAX / 2;
    merged = merge(parts, 2, NULL);
    assert_int_equal(merged->columns.trust[0], 2 * TRUST_ONE);
    tacos_learner_free(merged);
    tacos_learner_free(parts[0]);
    tacos_learner_free(parts[1]);
}

static void nothing_learned_is_merged_too(void **state) {
    tacos_learner *parts[] = {make(SHAPE, "", 1), make(SHAPE, "", 1)};
    tacos_learner *merged = merge(parts, 2, NULL);
    (void)state;
    assert_same(merged, parts[0]);
    assert_int_equal(answer(merged, 0, 0), -1);
    tacos_learner_free(merged);
    teach(parts[1], 0, 50, 0, 3);
    merged = merge(parts, 2, NULL);
    assert_true(count_right(merged, 9000, 9100) >= count_right(parts[1], 9000, 9100) - 5);
    tacos_learner_free(merged);
    tacos_learner_free(parts[0]);
    tacos_learner_free(parts[1]);
}

/* ---- what it is like ---- */

static void assert_key(const tacos_learner *learner, const char *key, const char *wanted) {
    char value[64];
    tacos_error err;
    assert_succeeds(tacos_learner_get(learner, key, value, sizeof value, &err));
    assert_string_equal(value, wanted);
}

static void the_size_is_as_asked(void **state) {
    tacos_learner *parts[PARTS];
    (void)state;
    make_parts(parts, SHAPE); /* 70 units, 60 units, 5.5 kB */
    tacos_learner *by_default = merge(parts, PARTS, NULL);
    size_t most = by_default->columns.most_units;
    assert_int_equal(most, 70);
    tacos_learner *few = merge(parts, PARTS, &(tacos_merge_options){.n_units = 25});
    assert_key(few, "column_units", "25");
    assert_int_equal(few->columns.n_units, 25);
    tacos_learner *small = merge(parts, PARTS, &(tacos_merge_options){.memory_kb = 4.5});
    assert_key(small, "column_memory_kb", "4.5");
    assert_key(small, "column_units", "0");
    assert_true(tacos_learner_stats_get(small).model_bytes <= 4500);
    assert_int_equal(small->columns.n_units, small->columns.most_units);
    tacos_learner *same[] = {parts[2], parts[2]};
    tacos_learner *as_they_are = merge(same, 2, NULL);
    assert_key(as_they_are, "column_memory_kb", "5.5");
    assert_key(as_they_are, "column_units", "0");
    tacos_learner_free(as_they_are);
    tacos_learner_free(small);
    tacos_learner_free(few);
    tacos_learner_free(by_default);
    free_parts(parts);
}

/* With room for all and nothing alike, all units are there as they were. */
static void units_that_differ_are_side_by_side(void **state) {
    tacos_learner *parts[2];
    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        parts[k] = make(VALUES, "", 1);
        teach(parts[k], 0, 1, 2 * k, 2 * k); /* a sample of one class, and of another */
    }
    tacos_learner *merged = merge(parts, 2, &(tacos_merge_options){.match = 1});
    const Columns *a = &parts[0]->columns, *b = &parts[1]->columns, *c = &merged->columns;
    for (size_t p = 0; p < c->geometry.n_places; p++)
        assert_int_equal(c->place_units[p], a->place_units[p] + b->place_units[p]);
    assert_int_equal(c->n_units, a->n_units + b->n_units);
    tacos_learner_free(merged);
    tacos_learner_free(parts[0]);
    tacos_learner_free(parts[1]);
}

/* Whether units that are the same are both kept or not, each that is kept stays in use. */
static void every_unit_of_the_result_is_in_use(void **state) {
    static const double matches[] = {0.5, 0.99, 1};
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++)
        for (size_t m = 0; m < 3; m++) {
            tacos_learner *part = make(kinds[kind], "column_units = 200\n", 1);
            teach(part, 0, 60, 0, 3);
            part->columns.uses[columns_unit(&part->columns, 0, 0)] = 0; /* as a file may say */
            tacos_learner *same[] = {part, part};
            tacos_learner *merged = merge(same, 2, &(tacos_merge_options){.match = matches[m]});
            const Columns *c = &merged->columns;
            for (size_t p = 0; p < c->geometry.n_places; p++)
                for (size_t u = 0; u < c->place_units[p]; u++)
                    assert_true(c->uses[columns_unit(c, p, u)] > 0);
            tacos_learner_free(merged);
            tacos_learner_free(part);
        }
}

static void it_goes_on(void **state) {
    tacos_learner *parts[PARTS], *loaded;
    tacos_error err;
    (void)state;
    make_parts(parts, SHAPE);
    uint32_t before = tacos_learner_digest(parts[0]);
    tacos_learner *merged = merge(parts, PARTS, NULL);
    assert_int_equal(tacos_learner_digest(parts[0]), before);
    Bytes *bytes = bytes_of(merged);
    assert_succeeds(tacos_learner_load_from(&loaded, get, bytes, NULL, &err));
    free(bytes);
    teach(merged, 5000, 5300, 0, 3);
    teach(loaded, 5000, 5300, 0, 3);
    assert_same(merged, loaded);
    assert_int_equal(tacos_learner_learned(merged), PARTS * 150 + 300);
    assert_true(count_right(merged, 9000, 9100) >= 90);
    tacos_learner *again[] = {merged, parts[0]};
    tacos_learner *twice = merge(again, 2, NULL);
    assert_true(count_right(twice, 9000, 9100) >= 85);
    tacos_learner_free(twice);
    tacos_learner_free(merged);
    tacos_learner_free(loaded);
    free_parts(parts);
}

/* ---- what cannot be merged ---- */

static void refused(const char *keys, const char *more, uint32_t seed, const char *why) {
    tacos_learner *parts[] = {make(SHAPE, "", 1), make(SHAPE, "column_units = 20\n", 1),
                              make(keys, more, seed)};
    tacos_learner *out = parts[0];
    tacos_error err;
    assert_fails(
        tacos_learner_merge(&out, (const tacos_learner *const *)parts, 3, NULL, NULL, &err),
        TACOS_INVALID);
    assert_null(out);
    assert_says(err, why);
    assert_says(err, "learner 3");
    for (size_t k = 0; k < 3; k++)
        tacos_learner_free(parts[k]);
}

static void learners_that_differ_are_refused(void **state) {
    (void)state;
    refused(SHAPE, "", 2, "seed 1, learner 3 has 2");
    refused("inputs = 100\noutputs = 4\nhidden = 9\n", "", 1, "model tacos");
    refused(VECTOR, "", 1, "input_shape = 10,10");
    refused(SHAPE, "inputs = 64\ninput_shape = 8,8\n", 1, "inputs = 100");
    refused(SHAPE, "outputs = 5\n", 1, "outputs = 4, learner 3 has 5");
    refused(SHAPE, "column_features = values\n", 1, "column_features = auto");
    refused(SHAPE, "column_input = spikes\n", 1, "column_input = values");
    refused(SHAPE, "column_cells = 5\n", 1, "column_cells = 7");
    refused(SHAPE, "column_window = 2\n", 1, "column_window = 0");
    refused(SHAPE, "column_stride = 1\n", 1, "column_stride = 2");
    refused(SHAPE, "column_contrast = 0.1\n", 1, "column_contrast = 0");
    refused(SHAPE, "column_looks = 5\n", 1, "column_looks = 1");
}

static void wrong_requests_are_refused(void **state) {
    tacos_learner *parts[] = {make(SHAPE, "", 1), make(SHAPE, "", 1)}, *out;
    const tacos_learner *const *both = (const tacos_learner *const *)parts;
    static const struct {
        tacos_merge_options how;
        const char *why;
    } wrong[] = {
        {{.match = 1.5}, "match = 1.5"},
        {{.match = -0.1}, "match = -0.1"},
        {{.memory_kb = -3}, "column_memory_kb = -3"},
        {{.memory_kb = 1e9}, "column_memory_kb = 1e+09"},
        {{.memory_kb = 0.5}, "column_memory_kb is 0.5"},
        {{.n_units = 200000000}, "column_units = 2e+08"},
    };
    tacos_error err;
    (void)state;
    for (size_t n = 0; n < 2; n++) {
        assert_fails(tacos_learner_merge(&out, both, n, NULL, NULL, &err), TACOS_INVALID);
        assert_says(err, "two learners");
    }
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        assert_fails(tacos_learner_merge(&out, both, 2, &wrong[k].how, NULL, &err), TACOS_RANGE);
        assert_says(err, wrong[k].why);
        assert_null(out);
    }
    tacos_learner_free(parts[0]);
    tacos_learner_free(parts[1]);
}

static void it_lives_in_memory_of_the_caller(void **state) {
    tacos_learner *parts[] = {make(SHAPE, "", 1), make(SHAPE, "", 1)}, *out;
    const tacos_learner *const *both = (const tacos_learner *const *)parts;
    Heap heap = {0};
    tacos_allocator allocator = heap_allocator(&heap);
    tacos_error err;
    (void)state;
    assert_succeeds(tacos_learner_merge(&out, both, 2, NULL, &allocator, &err));
    assert_int_equal(heap.calls, 1);
    tacos_learner_free(out);
    assert_int_equal(heap.live_bytes, 0);
    heap.empty = true;
    assert_fails(tacos_learner_merge(&out, both, 2, NULL, &allocator, &err), TACOS_MEMORY);
    assert_null(out);
    tacos_learner_free(parts[0]);
    tacos_learner_free(parts[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_does_not_matter),
        cmocka_unit_test(ties_do_not_matter),
        cmocka_unit_test(every_kernel_merges_the_same),
        cmocka_unit_test(classes_learned_apart_are_known_together),
        cmocka_unit_test(nothing_counted_is_lost),
        cmocka_unit_test(full_totals_stay_full),
        cmocka_unit_test(templates_are_averaged_by_use),
        cmocka_unit_test(trust_and_theta_are_averaged_by_samples),
        cmocka_unit_test(nothing_learned_is_merged_too),
        cmocka_unit_test(the_size_is_as_asked),
        cmocka_unit_test(units_that_differ_are_side_by_side),
        cmocka_unit_test(every_unit_of_the_result_is_in_use),
        cmocka_unit_test(it_goes_on),
        cmocka_unit_test(learners_that_differ_are_refused),
        cmocka_unit_test(wrong_requests_are_refused),
        cmocka_unit_test(it_lives_in_memory_of_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
