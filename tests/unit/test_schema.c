/* test_schema.c - what is known of features: names, kinds, categories, scales, trends. */
#include "stream/schema.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "check.h"

static const double NOTHING = (double)NAN;

/* ---- names ---- */

static void names_have_numbers(void **state) {
    Names names = {0};
    tacos_error err;
    char longest[NAME_LONGEST + 2];
    (void)state;
    memset(longest, 'x', sizeof longest);
    longest[NAME_LONGEST + 1] = '\0';
    assert_int_equal(names_find(&names, "a"), NO_NAME);
    assert_fails(names_add(&names, longest, &err), TACOS_RANGE);
    longest[NAME_LONGEST] = '\0';
    assert_succeeds(names_add(&names, longest, &err));
    assert_succeeds(names_add(&names, "", &err));
    assert_succeeds(names_add(&names, "\xff\n\x1b", &err));
    assert_int_equal(names_find(&names, longest), 0);
    assert_int_equal(names_find(&names, ""), 1);
    assert_int_equal(names_find(&names, "\xff\n\x1b"), 2);
    assert_int_equal(names_find(&names, "\xff\n"), NO_NAME);
    assert_int_equal(names_bytes(&names), 4 + 3 * 2 + NAME_LONGEST + 3);
    names_keep(&names, 1);
    assert_true(names.n == 1 && names_find(&names, "") == NO_NAME);
    names_free(&names);
    assert_int_equal(names.n, 0);
}

/* ---- kinds and categories ---- */

enum { MOST = 2 }; /* categories with a number of their own */

typedef struct Row {
    double numbers[3];
    const char *texts[3];
} Row;

static tacos_status meet(Schema *schema, const Row *row, double *record, tacos_error *err) {
    const tacos_sample sample = {row->numbers, row->texts, 3};
    TRY(schema_check(schema, &sample, err));
    TRY(schema_meet_categories(schema, &sample, MOST, err));
    (void)schema_meet_kinds(schema, &sample);
    schema_record(schema, &sample, MOST, record);
    return TACOS_OK;
}

static void the_first_value_decides_the_kind(void **state) {
    Schema schema = {0};
    double record[3];
    tacos_error err;
    char name[FEATURE_TEXT_SIZE];
    (void)state;
    assert_succeeds(schema_new(&schema, 3, &err));
    assert_succeeds(meet(&schema, &(Row){{NOTHING, 1, NOTHING}, {"x"}}, record, &err));
    assert_int_equal(schema.feature[0].kind, FEATURE_CATEGORY);
    assert_int_equal(schema.feature[1].kind, FEATURE_NUMBER);
    assert_int_equal(schema.feature[2].kind, FEATURE_UNDECIDED);
    assert_true(record[0] == 0 && record[1] == 1 && isnan(record[2]));
    assert_fails(meet(&schema, &(Row){{1, 1, 1}, {NULL}}, record, &err), TACOS_INVALID);
    assert_says(err, "feature 1 is a number; it was a category before");
    assert_fails(meet(&schema, &(Row){{0}, {"x", "y"}}, record, &err), TACOS_INVALID);
    assert_says(err, "feature 2 is 'y'; it was a number before");
    assert_fails(meet(&schema, &(Row){{NOTHING, HUGE_VAL, 0}, {NULL}}, record, &err), TACOS_RANGE);
    assert_says(err, "feature 2 is infinite");
    assert_fails(meet(&schema, &(Row){{NOTHING, 0, -HUGE_VAL}, {NULL}}, record, &err), TACOS_RANGE);
    assert_succeeds(meet(&schema, &(Row){{NOTHING, NOTHING, -5}, {NULL}}, record, &err));
    assert_true(isnan(record[0]) && isnan(record[1]) && record[2] == -5);
    assert_succeeds(names_add(&schema.names, "\"odd\n", &err));
    assert_string_equal(feature_text(&schema, 0, name), "feature '\"odd\n'");
    assert_string_equal(feature_text(&schema, 2, name), "feature 3");
    schema_free(&schema);
}

static void categories_are_numbered_until_the_list_is_full(void **state) {
    static const char *const texts[] = {"x", "", "x", "z", "", "w"};
    static const double numbers[] = {0, 1, 0, MOST, 1, MOST};
    Schema schema = {0};
    double record[3];
    tacos_error err;
    (void)state;
    assert_succeeds(schema_new(&schema, 3, &err));
    for (size_t k = 0; k < 6; k++) {
        const tacos_sample unseen = {(double[3]){0}, (const char *[3]){"never"}, 3};
        schema_record(&schema, &unseen, MOST, record);
        assert_true(schema.feature[0].categories.n < MOST ? isnan(record[0]) : record[0] == MOST);
        assert_succeeds(meet(&schema, &(Row){{0, 0, 0}, {texts[k]}}, record, &err));
        assert_true(record[0] == numbers[k]);
    }
    assert_int_equal(schema.feature[0].categories.n, MOST);
    schema_free(&schema);
}

/* As after a sample that could not be learned. */
static void what_was_met_can_be_forgotten(void **state) {
    Schema schema = {0};
    double record[3];
    tacos_error err;
    (void)state;
    assert_succeeds(schema_new(&schema, 3, &err));
    assert_succeeds(meet(&schema, &(Row){{0, 0, NOTHING}, {"x"}}, record, &err));
    schema_settle(&schema, true);
    assert_succeeds(meet(&schema, &(Row){{0, 0, 3}, {"y"}}, record, &err));
    schema_settle(&schema, false);
    assert_int_equal(schema.feature[0].kind, FEATURE_CATEGORY);
    assert_int_equal(schema.feature[0].categories.n, 1);
    assert_int_equal(schema.feature[2].kind, FEATURE_UNDECIDED);
    schema_settle(&schema, false); /* nothing is new */
    assert_int_equal(schema.feature[0].categories.n, 1);
    assert_succeeds(meet(&schema, &(Row){{0, 0, NOTHING}, {"x", NULL, "text"}}, record, &err));
    assert_true(record[2] == 0);
    schema_free(&schema);
}

/* ---- scales ---- */

static Schema one_number(size_t n_trends) {
    Schema schema = {0};
    tacos_error err;
    assert_succeeds(schema_new(&schema, 1, &err));
    StreamParams past = {.trends = {.n = n_trends}};
    assert_succeeds(schema_begin_past(&schema, &past, &err));
    schema.feature[0].kind = FEATURE_NUMBER;
    return schema;
}

static void scales_are_measured_without_the_tails(void **state) {
    Schema schema = one_number(0);
    double records[200], room[200];
    (void)state;
    for (size_t k = 0; k < 200; k++)
        records[k] = k % 2 ? NOTHING : (double)(k * 77 % 200) / 2;
    schema_measure(&schema, records, 200, room);
    assert_true(schema.feature[0].low == 2 && schema.feature[0].high == 97);
    schema_measure(&schema, &NOTHING, 1, room); /* nothing to measure: as before */
    assert_true(schema.feature[0].low == 2 && schema.feature[0].high == 97);
    schema_measure(&schema, &records[2], 1, room);
    assert_true(schema.feature[0].low == schema.feature[0].high);
    schema_free(&schema);
}

/* Of a value from a cumulative distribution. */
typedef double Quantile(double part);

static double uniform(double part) {
    return 3 * part - 1;
}

static double exponential(double part) {
    return -1e6 * log(1 - part);
}

static double two_heaps(double part) {
    return part < 0.5 ? part : 1000 + part;
}

static void follow_to(Quantile *quantile, double low, double high, double near) {
    Schema schema = one_number(0);
    Feature *feature = &schema.feature[0];
    Dice dice = {.game = 3};
    double sum_low = 0, sum_high = 0;
    enum { SETTLES = 300000, MEASURED = 200000 };
    feature->low = low;
    feature->high = high;
    for (size_t k = 0; k < SETTLES + MEASURED; k++) {
        double value = quantile(roll(&dice, 0, 0.9999999));
        schema_follow(&schema, &value);
        assert_true(feature->low < feature->high);
        sum_low += k >= SETTLES ? feature->low : 0;
        sum_high += k >= SETTLES ? feature->high : 0;
    }
    double span = quantile(0.98) - quantile(0.02);
    assert_true(fabs(sum_low / MEASURED - quantile(0.02)) < near * span);
    assert_true(fabs(sum_high / MEASURED - quantile(0.98)) < near * span);
    schema_free(&schema);
}

static void scales_follow_known_distributions(void **state) {
    (void)state;
    follow_to(uniform, -1, 2, 0.05);
    follow_to(uniform, 40, 50, 0.05);
    follow_to(exponential, 0, 1, 0.05);
    follow_to(two_heaps, 0, 500, 0.05);
}

static void a_constant_feature_gets_a_scale_when_it_changes(void **state) {
    Schema schema = one_number(0);
    Feature *feature = &schema.feature[0];
    (void)state;
    feature->low = feature->high = 5;
    schema_follow(&schema, (double[]){5});
    schema_follow(&schema, &NOTHING);
    assert_true(feature->low == 5 && feature->high == 5);
    schema_follow(&schema, (double[]){7});
    assert_true(feature->low >= 5 && feature->low < 5.2 && feature->high > 6.8);
    schema_free(&schema);
}

static void scales_stand_any_finite_number(void **state) {
    static const double odd[] = {DBL_MAX, -DBL_MAX, DBL_TRUE_MIN, -DBL_TRUE_MIN, 0, -0.0, 1e-300};
    (void)state;
    for (size_t first = 0; first < 7; first++) {
        Schema schema = one_number(1);
        Feature *feature = &schema.feature[0];
        const Counts taus = {1, {6}};
        feature->low = feature->high = odd[first];
        for (size_t k = 0; k < 500; k++) {
            double value = odd[k * k % 7];
            double place = trend_place(&schema.trends[0], value);
            assert_true(place >= 0 && place <= 1);
            schema_follow(&schema, &value);
            schema_remember(&schema, &taus, &value);
            assert_true(isfinite(feature->low) && isfinite(feature->high));
            assert_true(feature->low <= feature->high);
            assert_true(isfinite(schema.trends[0].mean) && isfinite(schema.trends[0].spread));
        }
        schema_free(&schema);
    }
}

/* ---- trends ---- */

static void trends_are_means_of_recent_values(void **state) {
    Schema schema = one_number(2);
    const Counts taus = {2, {4, 100}};
    double fast = 0, slow = 0;
    (void)state;
    assert_true(trend_place(&schema.trends[0], 17) == 0.5);
    for (size_t k = 1; k <= 400; k++) {
        double value = k < 200 ? 10 + (double)(k % 2) : 50 - (double)(k % 3);
        fast += (value - fast) / (double)(k < 4 ? k : 4);
        slow += (value - slow) / (double)(k < 100 ? k : 100);
        schema_remember(&schema, &taus, &value);
        schema_remember(&schema, &taus, &NOTHING); /* not a value */
        assert_true(fabs(schema.trends[0].mean - fast) < 1e-9);
        assert_true(fabs(schema.trends[1].mean - slow) < 1e-9);
    }
    assert_int_equal(schema.trends[0].n, 400);
    assert_true(trend_place(&schema.trends[1], schema.trends[1].mean) == 0.5);
    assert_true(trend_place(&schema.trends[1], 1e9) == 1);
    assert_true(trend_place(&schema.trends[1], -1e9) == 0);
    schema_forget(&schema);
    assert_true(schema.trends[1].n == 0 && schema.trends[1].mean == 0);
    schema_free(&schema);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_have_numbers),
        cmocka_unit_test(the_first_value_decides_the_kind),
        cmocka_unit_test(categories_are_numbered_until_the_list_is_full),
        cmocka_unit_test(what_was_met_can_be_forgotten),
        cmocka_unit_test(scales_are_measured_without_the_tails),
        cmocka_unit_test(scales_follow_known_distributions),
        cmocka_unit_test(a_constant_feature_gets_a_scale_when_it_changes),
        cmocka_unit_test(scales_stand_any_finite_number),
        cmocka_unit_test(trends_are_means_of_recent_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
