/* test_stream_encoder.c - records become intensities: receptive fields, categories, pixels; and
 * what looks like an image. */
#include "data/catalog/catalog.h"
#include "stream/encoder.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"

static const double NOTHING = (double)NAN;

static StreamParams params_of(size_t fields, size_t categories) {
    StreamParams params;
    keys_defaults(stream_table, &params);
    params.fields = fields;
    params.categories = categories;
    return params;
}

/* The kinds are 'n', a number from 0 to 1, 'c', a category, or '?', undecided. */
static Schema schema_of(const char *kinds, size_t n_trends) {
    Schema schema = {0};
    tacos_error err;
    assert_succeeds(schema_new(&schema, strlen(kinds), &err));
    StreamParams past = {.trends = {.n = n_trends}};
    assert_succeeds(schema_begin_past(&schema, &past, &err));
    for (size_t i = 0; kinds[i]; i++) {
        schema.feature[i].kind = kinds[i] == 'n'   ? FEATURE_NUMBER
                                 : kinds[i] == 'c' ? FEATURE_CATEGORY
                                                   : FEATURE_UNDECIDED;
        schema.feature[i].high = 1;
    }
    return schema;
}

/* ---- tables ---- */

/* Between the outermost fields the sum is that of a triangle two fields wide, cut to so many. */
static void fields_of_a_number_add_up(void **state) {
    (void)state;
    for (size_t fields = 2; fields <= 64; fields += 7) {
        StreamParams params = params_of(fields, 12);
        Schema schema = schema_of("n", 0);
        Encoder encoder;
        float out[64];
        encoder_table(&encoder, &schema, &params);
        assert_int_equal(encoder.n_inputs, fields);
        for (int i = 0; i <= 1000; i++) {
            double value = i / 1000.0, sum = 0, centre = 0, wanted = 0;
            encoder_encode(&encoder, &schema, &value, out);
            for (size_t j = 0; j < fields; j++) {
                double away = fabs(value * (double)(fields - 1) - (double)j);
                wanted += away < 2 ? 1 - away / 2 : 0;
                sum += (double)out[j];
                centre += (double)out[j] * (double)j;
                assert_true(out[j] >= 0 && out[j] <= 1);
            }
            assert_true(fabs(sum - wanted) < 1e-6);
            if (value * (double)(fields - 1) >= 2 && (1 - value) * (double)(fields - 1) >= 2) {
                assert_true(fabs(sum - 2) < 1e-6);
                assert_true(fabs(centre / sum - value * (double)(fields - 1)) < 1e-5);
            }
        }
        schema_free(&schema);
    }
}

static void values_outside_are_at_the_ends(void **state) {
    static const double low[] = {-5, -DBL_MAX, 0, -DBL_TRUE_MIN};
    static const double high[] = {5, DBL_MAX, 1, DBL_TRUE_MIN};
    StreamParams params = params_of(6, 12);
    Schema schema = schema_of("n", 0);
    Encoder encoder;
    float at_end[6], out[6];
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        schema.feature[0].low = 0;
        schema.feature[0].high = 1;
        encoder_table(&encoder, &schema, &params);
        encoder_encode(&encoder, &schema, (double[]){1}, at_end);
        encoder_encode(&encoder, &schema, &high[k], out);
        assert_true(high[k] < 1 || memcmp(at_end, out, sizeof out) == 0);
        encoder_encode(&encoder, &schema, (double[]){0}, at_end);
        encoder_encode(&encoder, &schema, &low[k], out);
        assert_memory_equal(at_end, out, sizeof out);
        schema.feature[0].low = low[k]; /* scales of any size, also of nearly none */
        schema.feature[0].high = high[k];
        for (double value = -DBL_MAX; value <= 1e308; value += 1e306) {
            encoder_encode(&encoder, &schema, &value, out);
            for (size_t j = 0; j < 6; j++)
                assert_true(out[j] >= 0 && out[j] <= 1);
        }
    }
    schema_free(&schema);
}

/* Constant, a value is in the middle; missing, it is nothing. */
static void what_has_no_scale_is_in_the_middle(void **state) {
    StreamParams params = params_of(5, 12);
    Schema schema = schema_of("n?", 0);
    Encoder encoder;
    float out[10];
    (void)state;
    schema.feature[0].low = schema.feature[0].high = 7;
    encoder_table(&encoder, &schema, &params);
    assert_int_equal(encoder.n_inputs, 10);
    encoder_encode(&encoder, &schema, (double[]){7, NOTHING}, out);
    assert_true(out[2] == 1 && out[1] == 0.5f && out[3] == 0.5f && out[0] == 0 && out[4] == 0);
    for (size_t j = 5; j < 10; j++)
        assert_true(out[j] == 0);
    encoder_encode(&encoder, &schema, (double[]){NOTHING, NOTHING}, out);
    for (size_t j = 0; j < 10; j++)
        assert_true(out[j] == 0);
    schema_free(&schema);
}

/* Groups of inputs, all of one size; the last category is shared. */
static void categories_have_an_input_each(void **state) {
    enum { FIELDS = 6, CATEGORIES = 8, GROUP = 12 };
    StreamParams params = params_of(FIELDS, CATEGORIES);
    Schema schema = schema_of("cn", 0);
    Encoder encoder;
    float out[GROUP + FIELDS];
    (void)state;
    encoder_table(&encoder, &schema, &params);
    assert_int_equal(encoder.n_inputs, GROUP + FIELDS);
    for (size_t k = 0; k <= CATEGORIES; k++) { /* one too many: missing */
        double value = k < CATEGORIES ? (double)k : NOTHING;
        encoder_encode(&encoder, &schema, (double[]){value, NOTHING}, out);
        for (size_t j = 0; j < GROUP + FIELDS; j++)
            assert_true(out[j] == (j == k && k < CATEGORIES));
    }
    schema_free(&schema);
    for (size_t categories = 1; categories <= 1000; categories += 111) {
        params = params_of(FIELDS, categories);
        schema = schema_of("c", 0);
        encoder_table(&encoder, &schema, &params);
        assert_true(encoder.n_inputs % FIELDS == 0 && encoder.n_inputs >= categories);
        assert_true(encoder.n_inputs < categories + FIELDS);
        schema_free(&schema);
    }
}

static void trends_have_fields_of_their_own(void **state) {
    StreamParams params = params_of(3, 12);
    Schema schema = schema_of("nn", 2);
    Encoder encoder;
    float out[18];
    (void)state;
    schema.trends[3] = (Trend){.mean = 100, .spread = 10, .n = 5}; /* the second of the second */
    encoder_table(&encoder, &schema, &params);
    assert_int_equal(encoder.n_inputs, 18);
    encoder_encode(&encoder, &schema, (double[]){0, 1000}, out);
    const float none[3] = {0.5f, 1, 0.5f}, high[3] = {0, 0.5f, 1}, low[3] = {1, 0.5f, 0};
    assert_memory_equal(out, low, sizeof low);
    assert_memory_equal(out + 3, none, sizeof none);
    assert_memory_equal(out + 6, none, sizeof none);
    assert_memory_equal(out + 9, high, sizeof high);
    assert_memory_equal(out + 12, none, sizeof none);
    assert_memory_equal(out + 15, high, sizeof high);
    schema_free(&schema);
}

/* ---- images ---- */

static void glyphs_are_images(void **state) {
    enum { ROWS = 40, N = GLYPHS_SIDE * GLYPHS_SIDE };
    Encoder encoder = {0};
    Dataset set;
    tacos_error err;
    double *rows = calloc(ROWS * N, sizeof *rows);
    (void)state;
    assert_non_null(rows);
    assert_succeeds(glyphs_make(&set, 1, &err));
    for (size_t i = 0; i < ROWS * N; i++)
        rows[i] = set.train.pixels[i] / 16.0;
    for (size_t k = 1; k <= ROWS; k++)
        assert_true(encoder_is_image(rows, k, N, &encoder));
    assert_true(encoder.height == GLYPHS_SIDE && encoder.width == GLYPHS_SIDE);
    assert_int_equal(encoder.channels, 1);
    rows[5] = NOTHING;
    assert_true(encoder_is_image(rows, ROWS, N, &encoder));
    encoder_image(&encoder, rows, ROWS, N);
    assert_true(encoder.low == 0 && encoder.high > 10 && encoder.n_inputs == N);
    dataset_free(&set);
    free(rows);
}

/* A soft blob somewhere in 8 x 8 pixels, as scikit-learn's digits have 16 grey levels. */
static void small_drawings_are_images(void **state) {
    double rows[20 * 64];
    Dice dice = {.game = 1};
    Encoder encoder = {0};
    (void)state;
    for (size_t k = 0; k < 20; k++) {
        double y = roll(&dice, 2, 5), x = roll(&dice, 2, 5), size = roll(&dice, 1.5, 2.5);
        for (int i = 0; i < 64; i++) {
            double far = hypot(i / 8 - y, i % 8 - x) / size;
            rows[k * 64 + (size_t)i] = floor(16 * exp(-far * far));
        }
    }
    assert_true(encoder_is_image(rows, 20, 64, &encoder));
    assert_true(encoder.height == 8 && encoder.width == 8 && encoder.channels == 1);
}

/* 64 columns, each with a scale of its own, or all alike. */
static void tables_of_64_columns_are_not(void **state) {
    double rows[30 * 64];
    (void)state;
    for (uint32_t kind = 0; kind < 30; kind++) {
        Dice dice = {.game = 10 + kind};
        Encoder encoder = {0};
        double middle[64], size[64];
        for (size_t i = 0; i < 64; i++) {
            middle[i] = kind % 3 == 0 ? 0 : roll(&dice, -1, 1);
            size[i] = kind % 3 == 2 ? pow(10, roll(&dice, -3, 3)) : 1;
        }
        for (size_t k = 0; k < 30 * 64; k++)
            rows[k] = size[k % 64] * (middle[k % 64] + roll(&dice, -1, 1));
        assert_false(encoder_is_image(rows, 30, 64, &encoder));
    }
    double constant[64] = {0}, odd[64] = {DBL_MAX, -DBL_MAX, DBL_MAX, NOTHING};
    Encoder encoder = {0};
    assert_false(encoder_is_image(constant, 1, 64, &encoder));
    assert_false(encoder_is_image(odd, 1, 64, &encoder));
}

/* Glyphs without their margins above and below, or left and right; grey, and in colours. */
static void oblong_images_are_recognised(void **state) {
    enum { ROWS = 40, SIDE = GLYPHS_SIDE, MARGIN = 4, MOST = 3 * SIDE * SIDE };
    static const struct {
        size_t height, width, channels;
    } cases[] = {{20, 28, 1}, {28, 20, 1}, {28, 20, 3}, {20, 28, 3},
                 {28, 28, 1}, {28, 28, 3}, {18, 24, 1}, {24, 18, 3} /* 1296 is 36 x 36 */};
    Dataset set;
    tacos_error err;
    double *rows = calloc(ROWS * MOST, sizeof *rows);
    (void)state;
    assert_non_null(rows);
    assert_succeeds(glyphs_make(&set, 1, &err));
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t height = cases[k].height, width = cases[k].width, channels = cases[k].channels;
        size_t top = (SIDE - height) / 2, left = (SIDE - width) / 2, at = 0;
        Encoder encoder = {0};
        for (size_t r = 0; r < ROWS; r++)
            for (size_t i = 0; i < height * width * channels; i++) {
                size_t y = i / channels / width + top, x = i / channels % width + left;
                rows[at++] =
                    set.train.pixels[r * SIDE * SIDE + y * SIDE + x] / (double)(1 + i % channels);
            }
        assert_true(encoder_is_image(rows, ROWS, height * width * channels, &encoder));
        assert_int_equal(encoder.height, height);
        assert_int_equal(encoder.width, width);
        assert_int_equal(encoder.channels, channels);
    }
    dataset_free(&set);
    free(rows);
}

/* Random walks and waves, whose neighbours are alike as well, columns with scales of their own, and
 * twelve sensors of which each sample has a day, hour by hour, alike or with units of their own.
 * 144 is also a square. */
enum { SENSORS = 12, MOST_VALUES = 144 };

static void make_row(uint32_t kind, uint32_t r, size_t n, const double level[], double row[]) {
    Dice dice = {.game = 1000 * kind + r};
    double walk = 0, period = roll(&dice, 15, 128), phase = roll(&dice, 0, 7),
           load = roll(&dice, -1, 1);
    for (size_t i = 0; i < n; i++) {
        double noise = roll(&dice, -1, 1), hour = (double)(i / SENSORS);
        walk += noise;
        row[i] = kind == 0   ? walk
                 : kind == 1 ? sin(6.28 * (double)i / period + phase) + noise / 5
                 : kind == 2 ? pow(10, 3 * level[i]) * noise
                 : kind == 3
                     ? sin(0.5 * hour) + level[i % SENSORS] + load + noise / 5
                     : pow(10, 3 * level[i % SENSORS]) * (sin(0.5 * hour) + load + noise / 5);
    }
}

static void series_and_tables_are_not(void **state) {
    enum { ROWS = 40 };
    static double rows[ROWS * MOST_VALUES];
    static const size_t sizes[] = {128, 144, 132, 96};
    (void)state;
    for (uint32_t game = 0; game < 100; game++) {
        Dice dice = {.game = 100 + game};
        double level[MOST_VALUES];
        size_t n = sizes[game / 5 % 4];
        for (size_t i = 0; i < MOST_VALUES; i++)
            level[i] = roll(&dice, -1, 1);
        for (uint32_t r = 0; r < ROWS; r++)
            make_row(game % 5, r, n, level, rows + r * n);
        Encoder encoder = {0};
        assert_false(encoder_is_image(rows, ROWS, n, &encoder));
    }
}

static void squares_are_asked_first(void **state) {
    static const struct {
        size_t n, side, channels; /* side 0: no */
    } cases[] = {{49, 0, 0},  {63, 0, 0},   {65, 0, 0}, {64, 8, 1},
                 {192, 8, 3}, {784, 28, 1}, {1, 0, 0},  {3072, 32, 3}};
    (void)state;
    for (size_t k = 0; k < 8; k++) {
        size_t n = cases[k].n;
        double *row = calloc(n, sizeof *row);
        Encoder encoder = {0};
        assert_non_null(row);
        for (size_t i = 0; i < n; i++) /* dark above, bright below */
            row[i] = 2 * i >= n;
        assert_true(encoder_is_image(row, 1, n, &encoder) == (cases[k].side > 0));
        assert_true(encoder.height == cases[k].side && encoder.channels == cases[k].channels);
        free(row);
    }
}

static void pixels_share_a_scale(void **state) {
    Schema schema = schema_of("nnnn", 0);
    Encoder encoder = {.height = 2, .width = 2, .channels = 1};
    float out[4];
    (void)state;
    encoder_image(&encoder, (double[]){NOTHING, 10, 30, 20}, 1, 4);
    encoder_encode(&encoder, &schema, (double[]){NOTHING, 10, 25, 1e308}, out);
    assert_true(out[0] == 0 && out[1] == 0 && out[2] == 0.75f && out[3] == 1);
    encoder_none(&encoder, 4);
    encoder_encode(&encoder, &schema, (double[]){0, 0.25, 1, NOTHING}, out);
    assert_true(out[0] == 0 && out[1] == 0.25f && out[2] == 1 && out[3] == 0);
    schema_free(&schema);
}

/* The oldest step first; steps before the first, and missing values, are 0. */
static void a_signal_is_its_last_steps(void **state) {
    enum { WINDOW = 3, N = 2, STEPS = 7 };
    Schema schema = schema_of("nn", 0);
    StreamParams params = params_of(6, 12);
    Encoder encoder;
    tacos_error err;
    float out[WINDOW * N];
    (void)state;
    params.encoder = ENCODER_SIGNAL;
    params.window = WINDOW;
    assert_succeeds(schema_begin_past(&schema, &params, &err));
    encoder_signal(&encoder, N, WINDOW);
    assert_int_equal(encoder.n_inputs, WINDOW * N);
    for (int k = 0; k < STEPS; k++) {
        const double step[N] = {(k + 1) / 8.0, k == 4 ? NOTHING : 1 - k / 8.0};
        encoder_encode(&encoder, &schema, step, out);
        for (int age = 0; age < WINDOW; age++) {
            int at = k - age;
            const float *seen = out + (WINDOW - 1 - age) * N;
            assert_true(seen[0] == (at < 0 ? 0 : (float)(at + 1) / 8));
            assert_true(seen[1] == (at < 0 || at == 4 ? 0 : 1 - (float)at / 8));
        }
        schema_remember(&schema, &params.trends, step);
    }
    schema_forget(&schema);
    encoder_encode(&encoder, &schema, (double[N]){1, 1}, out);
    assert_true(out[0] == 0 && out[3] == 0 && out[4] == 1 && out[5] == 1);
    schema_free(&schema);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_a_number_add_up),
        cmocka_unit_test(values_outside_are_at_the_ends),
        cmocka_unit_test(what_has_no_scale_is_in_the_middle),
        cmocka_unit_test(categories_have_an_input_each),
        cmocka_unit_test(trends_have_fields_of_their_own),
        cmocka_unit_test(glyphs_are_images),
        cmocka_unit_test(small_drawings_are_images),
        cmocka_unit_test(tables_of_64_columns_are_not),
        cmocka_unit_test(oblong_images_are_recognised),
        cmocka_unit_test(series_and_tables_are_not),
        cmocka_unit_test(squares_are_asked_first),
        cmocka_unit_test(pixels_share_a_scale),
        cmocka_unit_test(a_signal_is_its_last_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
