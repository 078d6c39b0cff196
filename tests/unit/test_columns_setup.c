/* test_columns_setup.c - what a device computes from whole numbers is what the library computes
 * from keys; and what cannot be is refused. */
#include "check.h"
#include "columns/block.h"
#include "setup_keys.h"

#include <string.h>

/* Whether there is such a learner; if so, it is the same one. */
static bool assert_same(const ColumnsSetup *setup) {
    Columns mine, theirs;
    Params p = keys_of(setup);
    bool possible = params_check(&p, NULL) == TACOS_OK;
    assert_int_equal(setup_shape(&mine, setup), possible);
    if (!possible)
        return false;
    assert_int_equal(params_columns(&p, &theirs, NULL), TACOS_OK);
    assert_memory_equal(&mine.geometry, &theirs.geometry, sizeof mine.geometry);
    assert_int_equal(mine.most_units, theirs.most_units);
    assert_int_equal(mine.n_bytes, theirs.n_bytes);
    /* A limit that is a whole number may come out below it in double precision, as 0.1 is. */
    if (setup->contrast > 0 && mine.rule.silence == theirs.rule.silence + 1)
        mine.rule.silence--;
    if (!columns_same_rule(&mine.rule, &theirs.rule))
        fail_msg(
            "%u x %u x %u, contrast %u, features %u: silence %llu, not %llu; match %d, not %d; "
            "error %u, not %u; trust %u: %u, not %u",
            setup->height, setup->width, setup->channels, setup->contrast, setup->features,
            (unsigned long long)mine.rule.silence, (unsigned long long)theirs.rule.silence,
            mine.rule.match, theirs.rule.match, mine.rule.error_gap, theirs.rule.error_gap,
            setup->trust, mine.rule.trust_rate, theirs.rule.trust_rate);
    return true;
}

static ColumnsSetup plain(uint32_t height, uint32_t width) {
    ColumnsSetup setup;
    setup_defaults(&setup);
    setup.height = height;
    setup.width = width;
    setup.outputs = 10;
    setup.units = 500;
    return setup;
}

static void the_defaults_are_those_of_the_keys(void **state) {
    ColumnsSetup setup = plain(28, 28);
    Params p = keys_of(&setup), defaults;
    (void)state;
    params_defaults(&defaults);
    for (size_t i = 0; i < params_table.n; i++) {
        const Key *key = &params_table.keys[i];
        if (params_is_of_columns(key) && strcmp(key->name, "input_shape") != 0 &&
            strcmp(key->name, "column_memory_kb") != 0 && strcmp(key->name, "column_units") != 0 &&
            !key_equal(key, &p, &defaults))
            fail_msg("the default of %s differs", key->name);
    }
}

static void every_default_shape_is_the_same(void **state) {
    (void)state;
    for (uint32_t high = 0; high <= 40; high++)
        for (uint32_t wide = 1; wide <= 40; wide++)
            for (uint32_t features = 0; features <= 2; features++) {
                ColumnsSetup setup = plain(high, wide);
                setup.features = features;
                (void)assert_same(&setup);
            }
    for (uint32_t n = 1; n <= 4000; n++) {
        ColumnsSetup signal = plain(1, n), vector = plain(0, n);
        assert_true(assert_same(&signal));
        assert_true(assert_same(&vector));
    }
}

static void every_trust_is_the_same(void **state) {
    (void)state;
    for (uint32_t trust = 0; trust <= 1000000; trust += trust < 20000 ? 1 : 13) {
        ColumnsSetup setup = plain(2, 2);
        setup.trust = trust;
        assert_true(assert_same(&setup));
    }
}

static uint32_t roll_below(Dice *dice, uint32_t n) {
    return roll_word(dice) % n;
}

/* One of a few numbers, or any up to `most`. */
static uint32_t some(Dice *dice, uint32_t most) {
    const uint32_t often[] = {0,        1,   most / 2, most / 4 * 3, most / 10, most / 10 * 9,
                              most / 5, most};
    return roll_below(dice, 2) == 0 ? often[roll_below(dice, 8)] : roll_below(dice, most + 1);
}

static void any_setup_is_the_same(void **state) {
    Dice dice = {.game = 1};
    size_t n_possible = 0;
    (void)state;
    for (size_t k = 0; k < 60000; k++) {
        ColumnsSetup s = plain(roll_below(&dice, 40), 1 + roll_below(&dice, 60));
        s.channels = s.height > 0 && roll_below(&dice, 3) == 0 ? 1 + roll_below(&dice, 4) : 1;
        s.outputs = 1 + roll_below(&dice, 20);
        s.units = 1 + some(&dice, 5000);
        s.features = roll_below(&dice, 3);
        s.cells = roll_below(&dice, 3) == 0 ? roll_below(&dice, 20) : 0;
        s.window = roll_below(&dice, 3) == 0 ? roll_below(&dice, 12) : 0;
        s.stride = roll_below(&dice, 3) == 0 ? roll_below(&dice, 5) : 0;
        s.places = roll_below(&dice, 3) == 0 ? roll_below(&dice, 40) : 0;
        s.match = some(&dice, 1000000);
        s.match_error = roll_below(&dice, 2) == 0 ? some(&dice, 1000000) : 0;
        s.match_step = some(&dice, 100000);
        s.inherit = some(&dice, 1000000);
        s.trust = some(&dice, 1000000);
        s.contrast = some(&dice, 1000000);
        s.looks = 1 + roll_below(&dice, 9);
        s.look_cost = some(&dice, 1000000);
        n_possible += assert_same(&s);
    }
    assert_true(n_possible > 6000);
}

static void impossible_setups_are_refused(void **state) {
    const struct {
        size_t field; /* by its number */
        uint32_t value;
    } wrong[] = {{0, 70000},    {1, 0},        {1, 70000},      {2, 0},         {3, 0},
                 {3, 70000},    {4, 0},        {4, 70000},      {6, 3},         {7, 5000},
                 {8, 100},      {11, 1000001}, {12, 1000001},   {13, 100001},   {14, 3},
                 {15, 1000001}, {16, 1001},    {18, 1000001},   {19, 1000001},  {20, 0},
                 {20, 10},      {21, 1000001}, {0, UINT32_MAX}, {2, UINT32_MAX}};
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        ColumnsSetup setup = plain(28, 28);
        Columns columns;
        uint32_t fields[SETUP_FIELDS];
        assert_true(setup_shape(&columns, &setup));
        memcpy(fields, &setup, sizeof fields);
        fields[wrong[k].field] = wrong[k].value;
        memcpy(&setup, fields, sizeof fields);
        if (setup_shape(&columns, &setup))
            fail_msg("field %zu = %u was taken", wrong[k].field, wrong[k].value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_defaults_are_those_of_the_keys),
        cmocka_unit_test(every_default_shape_is_the_same),
        cmocka_unit_test(every_trust_is_the_same),
        cmocka_unit_test(any_setup_is_the_same),
        cmocka_unit_test(impossible_setups_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
