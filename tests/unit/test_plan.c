/* test_plan.c - plans: what a file means, and what is wrong with one that means nothing. */
#include "plan/axis.h"
#include "plan/plan.h"
#include "folder.h"

#include <locale.h>
#include <math.h>

/* A plan from text, through a file in the folder. */
static tacos_status open_text(const Folder *folder, const char *text, Plan **out,
                              tacos_error *err) {
    char path[128];
    (void)snprintf(path, sizeof path, "%s/my-plan.conf", folder->path);
    write_bytes(path, text, strlen(text));
    return tacos_plan_open(out, path, err);
}

static Plan *opened(const Folder *folder, const char *text) {
    Plan *plan = NULL;
    tacos_error err;
    assert_succeeds(open_text(folder, text, &plan, &err));
    return plan;
}

static Experiment config_of(const Plan *plan, size_t i) {
    Experiment config;
    tacos_error err;
    assert_succeeds(plan_config(plan, i, &config, &err));
    return config;
}

static void assert_value(const Plan *plan, size_t i, const char *key, const char *wanted) {
    char value[KEY_VALUE_SIZE];
    tacos_error err;
    Experiment config = config_of(plan, i);
    assert_succeeds(tacos_experiment_get(&config, key, value, sizeof value, &err));
    if (strcmp(value, wanted) != 0)
        fail_msg("configuration %zu has %s = %s, not %s", i, key, value, wanted);
}

static double number(const Plan *plan, size_t i, const char *key) {
    char value[KEY_VALUE_SIZE];
    Experiment config = config_of(plan, i);
    assert_int_equal(tacos_experiment_get(&config, key, value, sizeof value, NULL), TACOS_OK);
    return strtod(value, NULL);
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

static double twenty(const void *user, const char *key) {
    (void)user;
    assert_string_equal(key, "r_e");
    return 20;
}

static void ranges_are_read_and_written(void **state) {
    static const struct {
        const char *value;
        size_t n_axes, n_levels; /* of the first axis */
        double place;            /* on all axes */
        const char *text;
    } cases[] = {
        {"1.50", 0, 0, 0, "1.50"},
        {"0-1, 2-3", 0, 0, 0, "0-1, 2-3"},
        {"linear(5, 50, 4)", 1, 4, 0, "5"},
        {"linear(5, 50, 4)", 1, 4, 0.25, "20"},
        {"linear(5, 50, 4)", 1, 4, 0.7499, "35"},
        {"linear(5, 50, 4)", 1, 4, 1, "50"},
        {"linear(-1,1)", 1, 0, 0.5, "0"},
        {"linear(0, 1)", 1, 0, 0.123456789, "0.123457"},
        {" linear ( 0, 1)", 0, 0, 0, NULL},
        {"log(0.004, 0.4, 3)", 1, 3, 0.5, "0.04"},
        {"log(0.004, 0.4, 3)", 1, 3, 0.9, "0.4"},
        {"log( 1e-300 ,1e300)", 1, 0, 0.5, "1"},
        {"log(0.01, 1)", 1, 0, 0.75, "0.316228"},
        {"integer(100, 200, 3)", 1, 3, 0.5, "150"},
        {"integer(1, 4, 3)", 1, 3, 0.5, "3"},
        {"integer(-2, 3, 4)", 1, 4, 0.3, "0"},
        {"integer(1, 10)", 1, 10, 0.99, "10"},
        {"integer(1234567, 7654321)", 1, 6419755, 0, "1234567"},
        {"choice(a | b c|d )", 1, 3, 0.5, "b c"},
        {"choice(0-1,2-3 | 4-5)", 1, 2, 0, "0-1,2-3"},
        {"choice(a|b)", 1, 2, 1, "b"},
        {"log(1, 1000000, 2)", 1, 2, 1, "1000000"},
        {"choice(one)", 1, 1, 0.7, "one"},
        {"times(0.1, r_e)", 0, 0, 0, "2"},
        {"log(0.3, 1.2, 3),linear(1, 2, 2)", 2, 3, 0.4, "0.6,1"},
        {"1,integer(2, 3),4,choice(5|6),7", 2, 2, 0.5, "1,3,4,6,7"},
        {"times(2, r_e),linear(1, 3),times(3, r_e)", 1, 0, 0.5, "40,2,60"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double places[] = {cases[i].place, cases[i].place};
        char text[KEY_VALUE_SIZE];
        Pattern pattern;
        tacos_error err;
        if (!cases[i].text) { /* a name stands right before its bracket */
            assert_fails(pattern_parse(&pattern, "k", cases[i].value, &err), TACOS_UNKNOWN);
            continue;
        }
        assert_succeeds(pattern_parse(&pattern, "k", cases[i].value, &err));
        assert_int_equal(pattern.n_axes, cases[i].n_axes);
        if (pattern.n_axes > 0)
            assert_int_equal(pattern_axis(&pattern, 0)->n_levels, cases[i].n_levels);
        assert_succeeds(pattern_write(&pattern, places, twenty, NULL, text, &err));
        assert_string_equal(text, cases[i].text);
        pattern_free(&pattern);
    }
}

static void bad_ranges_are_explained(void **state) {
    static const struct {
        const char *value;
        tacos_status status;
        const char *says;
    } cases[] = {
        {"linear(5, 5)", TACOS_RANGE, "m_max: linear(5, 5) is empty"},
        {"integer(5, 3, 2)", TACOS_RANGE, "integer(5, 3) is empty"},
        {"log(0, 1)", TACOS_RANGE, "LOW must be above 0"},
        {"log(-1, 1, 3)", TACOS_RANGE, "LOW must be above 0"},
        {"linear(5, many)", TACOS_INVALID, "'many' in linear(LOW, HIGH, N) is not a number"},
        {"linear(nan, 5)", TACOS_INVALID, "'nan'"},
        {"linear(1, inf)", TACOS_INVALID, "'inf'"},
        {"linear(1, )", TACOS_INVALID, "''"},
        {"linear(1, 2, x)", TACOS_INVALID, "'x'"},
        {"linear(1, 2, 1)", TACOS_RANGE, "a whole number from 2 to 1000"},
        {"linear(1, 2, 2.5)", TACOS_RANGE, "a whole number from 2 to 1000"},
        {"linear(1, 2, 1001)", TACOS_RANGE, "a whole number from 2 to 1000"},
        {"linear(1, 1.0000001, 3)", TACOS_RANGE, "has the level 1 twice"},
        {"integer(1, 3, 5)", TACOS_RANGE, "integer(1, 3, 5) has the level"},
        {"integer(1.5, 3)", TACOS_INVALID, "whole numbers"},
        {"integer(0, 1e300)", TACOS_RANGE, "within"},
        {"linear(1)", TACOS_INVALID, "1 argument instead of 2 or 3"},
        {"linear()", TACOS_INVALID, "1 argument instead of 2 or 3"},
        {"linear(1, 2, 3, 4, 5)", TACOS_INVALID, "5 arguments instead of 2 or 3"},
        {"times(2)", TACOS_INVALID, "1 argument instead of 2 in times(FACTOR, KEY)"},
        {"times(2, r_e, 3)", TACOS_INVALID, "3 arguments instead of 2"},
        {"times(two, r_e)", TACOS_INVALID, "'two'"},
        {"linear(1, 2", TACOS_INVALID, "a ')' is missing in linear(LOW, HIGH, N)"},
        {"choice(1 | log(2, 3))", TACOS_INVALID, "a ')' is missing in choice"},
        {"choice(a | | b)", TACOS_INVALID, "an item of choice(...) is empty"},
        {"choice()", TACOS_INVALID, "empty"},
        {"choice(a | b |)", TACOS_INVALID, "empty"},
        {"choice(a | b | a)", TACOS_INVALID, "has 'a' twice"},
        {"liner(1, 2)", TACOS_UNKNOWN, "'liner(...)'; the nearest is 'linear'"},
        {"gaussian(1, 2)", TACOS_UNKNOWN, "there are linear, log, integer, choice and times"},
        {"(1, 2)", TACOS_UNKNOWN, "unknown range '(...)'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Pattern pattern;
        tacos_error err;
        assert_fails(pattern_parse(&pattern, "m_max", cases[i].value, &err), cases[i].status);
        assert_says(err, "m_max: ");
        assert_says(err, cases[i].says);
    }
}

static void a_decimal_comma_changes_nothing(void **state) {
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
        printf("skipped: no locale with decimal commas\n");
        skip();
    }
    Plan *plan = opened(*state, "experiment = demo\nm_max = linear(0.5, 1.5, 3)\n"
                                "r_e = times(0.5, m_max)\ninit_w = 0.5,log(0.1, 0.4, 3)\n");
    assert_value(plan, 4, "init_w", "0.5,0.2");
    assert_true(config_of(plan, 8).learner.m_max == 1.5);
    assert_true(config_of(plan, 8).learner.r_e == 0.75);
    tacos_plan_free(plan);
    setlocale(LC_NUMERIC, "C");
}

/* ---- Grids ----------------------------------------------------------------------------------- */

static void a_grid_has_all_combinations_the_last_axis_fastest(void **state) {
    Plan *plan = opened(*state, "experiment = demo\nseeds = 2\n"
                                "m_max = linear(5, 50, 4)\nhidden = 30\n"
                                "model = choice(tacos | snn)\nsteps = integer(100, 200, 3)\n");
    assert_int_equal(plan->n_configs, 4 * 2 * 3);
    assert_int_equal(plan->n_seeds, 2);
    assert_string_equal(plan->name, "my-plan");
    for (size_t i = 0; i < plan->n_configs; i++) {
        static const char *const m_max[] = {"5", "20", "35", "50"},
                                 *const model[] = {"tacos", "snn"},
                                 *const steps[] = {"100", "150", "200"};
        assert_value(plan, i, "m_max", m_max[i / 6]);
        assert_value(plan, i, "model", model[i / 3 % 2]);
        assert_value(plan, i, "steps", steps[i % 3]);
        assert_value(plan, i, "hidden", "30");
        assert_value(plan, i, "delta_m_hidden", "0.01"); /* as in the demo */
        assert_string_equal(config_of(plan, i).name, "demo");
    }
    tacos_plan_free(plan);
}

static void a_key_may_have_several_axes(void **state) {
    Plan *plan = opened(*state, "experiment = demo\ninit_w = log(0.3, 1.2, 3), linear(1, 2, 2)\n"
                                "tasks = choice(0-1,2-3 | 4-5)\n");
    assert_int_equal(plan->n_configs, 12);
    assert_value(plan, 0, "init_w", "0.3,1");
    assert_value(plan, 2, "init_w", "0.3,2");
    assert_value(plan, 4, "init_w", "0.6,1");
    assert_value(plan, 11, "init_w", "1.2,2");
    assert_value(plan, 10, "tasks", "0-1,2-3");
    assert_value(plan, 11, "tasks", "4-5");
    tacos_plan_free(plan);
}

static void times_follows_another_key_wherever_it_stands(void **state) {
    Plan *plan = opened(*state, "experiment = demo\n"
                                "r_u = times(2, r_e)\n" /* of a line below, itself a product */
                                "r_e = times(0.5, r_output)\n"
                                "r_output = linear(4, 8, 2)\n"
                                "delta_m_output = times(0.1, delta_m_hidden)\n"
                                "steps = times(0.25, test_samples_per_task)\n");
    assert_int_equal(plan->n_configs, 2);
    assert_value(plan, 0, "r_e", "2");
    assert_value(plan, 0, "r_u", "4");
    assert_value(plan, 1, "r_e", "4");
    assert_value(plan, 1, "r_u", "8");
    assert_value(plan, 0, "delta_m_output", "0.001"); /* of the demo's 0.01 */
    assert_value(plan, 0, "steps", "50");             /* of the demo's 200 */
    tacos_plan_free(plan);
}

static void a_plan_may_have_one_configuration(void **state) {
    Plan *plan = opened(*state, "experiment = demo\n");
    assert_int_equal(plan->n_configs, 1);
    assert_int_equal(plan->n_seeds, 1);
    assert_int_equal(plan->seeds[0], 1);
    tacos_plan_free(plan);
    plan = opened(*state, "experiment = demo\nsampling = random\nconfigurations = 9\n");
    assert_int_equal(plan->n_configs, 1); /* nine times the same would be a waste */
    tacos_plan_free(plan);
    tacos_plan_free(NULL);
}

/* ---- Sections -------------------------------------------------------------------------------- */

static void sections_share_and_override_what_stands_before(void **state) {
    Plan *plan = opened(*state, "experiment = demo\nm_max = linear(5, 10, 2)\nsteps = 100\n"
                                "r_u = times(2, r_e)\n"
                                "[plain]\n"
                                "[ two layers ] # a comment\n"
                                "hidden = 20,20\nm_max = 7\nsteps = integer(50, 70)\n"
                                "[more]\nr_e = linear(1, 2, 2)\n");
    assert_int_equal(plan->n_sections, 3);
    assert_int_equal(plan->n_configs, 2 + 21 + 4);
    assert_string_equal(config_of(plan, 0).name, "plain");
    assert_string_equal(config_of(plan, 1).name, "plain");
    assert_string_equal(config_of(plan, 2).name, "two layers");
    assert_string_equal(config_of(plan, 23).name, "more");
    assert_value(plan, 1, "m_max", "10");
    assert_value(plan, 1, "steps", "100");
    assert_value(plan, 1, "hidden", "200");
    assert_value(plan, 22, "m_max", "7");
    assert_value(plan, 22, "steps", "70");
    assert_value(plan, 22, "hidden", "20,20");
    assert_value(plan, 23, "m_max", "5");
    assert_value(plan, 24, "r_e", "2");
    assert_value(plan, 24, "r_u", "4"); /* a common product of the section's own value */
    assert_value(plan, 25, "m_max", "10");
    assert_value(plan, 26, "steps", "100");
    tacos_plan_free(plan);
}

static tacos_status ignore(void *user, const char *key, const char *value, tacos_error *err) {
    (void)user, (void)key, (void)value, (void)err;
    return TACOS_OK;
}

static void only_plans_have_sections(void **state) {
    tacos_error err;
    (void)state;
    assert_fails(keys_parse("a = 1\n[b]\n", "text", ignore, NULL, &err), TACOS_INVALID);
    assert_string_equal(err.text, "text:2: this file cannot have sections like '[b]'");
}

/* ---- Points ---------------------------------------------------------------------------------- */

#define SPACE                                                                                      \
    "experiment = demo\nm_max = linear(5, 50)\nr_e = log(1, 100)\nsteps = integer(100, 131)\n"     \
    "model = choice(tacos | snn)\nr_u = linear(1, 2, 4)\nconfigurations = 32\n"

static void points_lie_in_their_ranges(void **state) {
    static const char *const sampling[] = {"random", "latin", "sobol"};
    for (size_t k = 0; k < 3; k++) {
        char text[512];
        size_t small = 0, n_snn = 0;
        double steps = 0;
        (void)snprintf(text, sizeof text, SPACE "sampling = %s\n", sampling[k]);
        Plan *plan = opened(*state, text);
        assert_int_equal(plan->n_configs, 32);
        for (size_t i = 0; i < 32; i++) {
            double m_max = number(plan, i, "m_max"), r_e = number(plan, i, "r_e");
            double r_u = 3 * (number(plan, i, "r_u") - 1);
            assert_true(m_max >= 5 && m_max <= 50 && r_e >= 1 && r_e <= 100);
            assert_true(fabs(r_u - round(r_u)) < 1e-4 && r_u > -0.1 && r_u < 3.1);
            small += r_e < 10;
            n_snn += config_of(plan, i).model == 1;
            steps += number(plan, i, "steps");
        }
        /* Sobol and Latin points halve every axis exactly, and have each of 32 numbers once. */
        assert_in_range(small, k > 0 ? 16 : 6, k > 0 ? 16 : 26);
        assert_in_range(n_snn, k > 0 ? 16 : 6, k > 0 ? 16 : 26);
        assert_true(k == 0 || steps == 32 * 115.5);
        tacos_plan_free(plan);
    }
}

static void assert_same_points(const Plan *a, const Plan *b, bool same) {
    size_t n = 0;
    assert_int_equal(a->n_configs, b->n_configs);
    for (size_t i = 0; i < a->n_configs; i++) {
        Experiment x = config_of(a, i), y = config_of(b, i);
        n += x.learner.m_max == y.learner.m_max && x.learner.r_e == y.learner.r_e;
    }
    assert_int_equal(n, same ? a->n_configs : 0);
}

static void points_depend_on_the_sampling_seed_alone(void **state) {
    Plan *plan = opened(*state, SPACE "sampling = latin\n");
    Plan *again = opened(*state, SPACE "sampling = latin\nsampling_seed = 1\nseeds = 3\n");
    Plan *other = opened(*state, SPACE "sampling = latin\nsampling_seed = 2\n");
    assert_same_points(plan, again, true);
    assert_same_points(plan, other, false);
    tacos_plan_free(plan);
    tacos_plan_free(again);
    tacos_plan_free(other);
}

static void sections_have_points_of_their_own(void **state) {
    Plan *plan = opened(*state, SPACE "sampling = sobol\n[a]\n[b]\n");
    assert_int_equal(plan->n_configs, 64);
    for (size_t i = 0; i < 32; i++)
        assert_true(number(plan, i, "m_max") != number(plan, 32 + i, "m_max"));
    tacos_plan_free(plan);
}

/* ---- Seeds ----------------------------------------------------------------------------------- */

static void seeds_are_a_number_or_a_list(void **state) {
    static const struct {
        const char *text;
        size_t n;
        uint32_t seeds[5];
    } cases[] = {
        {"5", 5, {1, 2, 3, 4, 5}},     {"1", 1, {1}},   {"3-5", 3, {3, 4, 5}},
        {"9, 1,3-4", 4, {1, 3, 4, 9}}, {"0-0", 1, {0}}, {"4294967295,0", 2, {0, 4294967295}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "experiment = demo\nseeds = %s\n", cases[i].text);
        Plan *plan = opened(*state, text);
        assert_int_equal(plan->n_seeds, cases[i].n);
        assert_memory_equal(plan->seeds, cases[i].seeds, cases[i].n * sizeof(uint32_t));
        tacos_plan_free(plan);
    }
}

/* ---- Refusing -------------------------------------------------------------------------------- */

#define DEMO    "experiment = demo\n"
#define HALVING DEMO "halving = 3\n"
#define AXES_5  "linear(0,1),linear(0,1),linear(0,1),linear(0,1),linear(0,1)"
#define AXES_10 AXES_5 "," AXES_5
#define LEVELS  "linear(0,1,1000),linear(0,1,1000),linear(0,1,1000),"

static void bad_plans_are_explained_with_the_line(void **state) {
    static const struct {
        const char *text;
        tacos_status status;
        const char *says;
    } cases[] = {
        /* the plan's own keys */
        {"seeds = 3\n", TACOS_INVALID, "my-plan.conf: a line 'experiment = NAME'"},
        {"\nexperiment = dem\n", TACOS_UNKNOWN, "my-plan.conf:2: no experiment 'dem'"},
        {"experiment = no.conf\n", TACOS_MISSING, "my-plan.conf:1: cannot read /tmp/tacos-test"},
        {DEMO "sampling = cube\n", TACOS_INVALID, "my-plan.conf:2: sampling = cube"},
        {DEMO "configurations = 10\n", TACOS_INVALID, "my-plan.conf:2: configurations is not for"},
        {DEMO "\nsampling = random\n", TACOS_INVALID,
         "my-plan.conf:3: a line 'configurations = N'"},
        {DEMO "configurations = 0\n", TACOS_RANGE, "my-plan.conf:2: configurations = 0"},
        {DEMO "halving = 1\n", TACOS_INVALID, "my-plan.conf:2: halving = 1"},
        {HALVING "validation = 0\n", TACOS_INVALID, "my-plan.conf:2: halving must not use"},
        {HALVING "validation = linear(0, 0.1, 2)\n", TACOS_INVALID, "my-plan.conf:2: halving"},
        {HALVING "[a]\nvalidation = 0.1\n[b]\n", TACOS_INVALID, "my-plan.conf:2: halving"},
        {HALVING "validation = 0.1\ntasks = random:5x2\n", TACOS_INVALID,
         "my-plan.conf:2: halving runs the first of the tasks that are listed"},
        {HALVING "validation = 0.1\nrungs = 2,2\n", TACOS_INVALID, "my-plan.conf:4: rungs must"},
        {HALVING "validation = 0.1\nrungs = 2,5\n", TACOS_INVALID,
         "my-plan.conf:4: the last rung, 5"},
        {HALVING "validation = 0.1\nrungs = 2\ntasks = choice(0-1,2-3,4-5 | 0-1,2-3)\n",
         TACOS_INVALID, "my-plan.conf:4: the last rung, 2, must be below the number of tasks, 2"},
        {DEMO "rungs = 2\n", TACOS_INVALID, "my-plan.conf:2: rungs are for halving"},
        {DEMO "seed = 2\n", TACOS_UNKNOWN,
         "my-plan.conf:2: unknown key 'seed'; the nearest is 'seeds'"},
        {DEMO "[a]\nseeds = 2\n", TACOS_INVALID, "my-plan.conf:3: seeds is for the whole plan"},
        {DEMO DEMO, TACOS_INVALID, "my-plan.conf:2: experiment is set twice, first in line 1"},
        /* seeds */
        {DEMO "seeds =\n", TACOS_INVALID, "my-plan.conf:2: seeds are whole numbers"},
        {DEMO "seeds = 0\n", TACOS_RANGE, "my-plan.conf:2: seeds: the range 1-0 is empty"},
        {DEMO "seeds = 5-3\n", TACOS_RANGE, "the range 5-3 is empty"},
        {DEMO "seeds = 1,\n", TACOS_INVALID, "expected one at the end"},
        {DEMO "seeds = 1,x\n", TACOS_INVALID, "expected one before x"},
        {DEMO "seeds = -1\n", TACOS_INVALID, "expected one before -1"},
        {DEMO "seeds = 1-3 5\n", TACOS_INVALID, "expected a comma before '5'"},
        {DEMO "seeds = 1,4-6,5\n", TACOS_INVALID, "my-plan.conf:2: seed 5 is given twice"},
        {DEMO "seeds = 1,4294967296\n", TACOS_RANGE, "above 4294967295"},
        {DEMO "seeds = 0-4294967295\n", TACOS_RANGE, "at most 10000"},
        /* keys and values */
        {DEMO "m_mx = 3\n", TACOS_UNKNOWN, "my-plan.conf:2: unknown key 'm_mx'"},
        {DEMO "inputs = 3\n", TACOS_INVALID,
         "my-plan.conf:2: inputs is not a key of an experiment"},
        {DEMO "m_max = 3\n\nm_max = 4\n", TACOS_INVALID,
         "my-plan.conf:4: m_max is set twice, first in line 2"},
        {DEMO "[a]\nm_max = 3\nm_max = 3\n", TACOS_INVALID, "my-plan.conf:4: m_max is set twice"},
        {DEMO "alpha = 2\n[a]\nalpha = 1\n", TACOS_RANGE, "my-plan.conf:2: alpha = 2 is out"},
        {DEMO "alpha = linear(0, 2, 2)\n", TACOS_RANGE,
         "my-plan.conf:2: alpha = 2 is out of range"},
        {DEMO "\nalpha = linear(-1, 1, 3)\n", TACOS_RANGE, "my-plan.conf:3: alpha = -1 is out"},
        {DEMO "sampling = sobol\nconfigurations = 4\nalpha = log(0.1, 1.5)\n", TACOS_RANGE,
         "my-plan.conf:4: alpha = 1.5 is out"},
        {DEMO "sampling = sobol\nconfigurations = 4\nsteps = linear(100, 200)\n", TACOS_INVALID,
         "my-plan.conf:4: steps = 131.831: expected a whole number"},
        {DEMO "steps = linear(100, 200, 4)\n", TACOS_INVALID,
         "my-plan.conf:2: steps = 133.333: expected a whole"},
        {DEMO "steps = integer(1, 20000)\n", TACOS_RANGE, "my-plan.conf:2: steps = 20000 is out"},
        {DEMO "model = choice(tacos | snm)\n", TACOS_INVALID, "my-plan.conf:2: model = snm"},
        {DEMO "tasks = choice(0-1 | 2-2)\n", TACOS_INVALID, "my-plan.conf:2: tasks = 2-2: class 2"},
        {DEMO "m_max = linear(1, 2, 3\n", TACOS_INVALID, "my-plan.conf:2: m_max: a ')' is missing"},
        {DEMO "m_max = linear(1, 2)\n", TACOS_INVALID,
         "my-plan.conf:2: m_max: a grid needs a number"},
        {DEMO "init_w = linear(1, 2, 2),log(1, 2)\n", TACOS_INVALID,
         "my-plan.conf:2: init_w[2]: a grid needs"},
        /* times */
        {DEMO "m_max = times(2, m_mx)\n", TACOS_UNKNOWN, "my-plan.conf:2: unknown key 'm_mx'"},
        {DEMO "m_max = times(2, seeds)\n", TACOS_UNKNOWN, "my-plan.conf:2: unknown key 'seeds'"},
        {DEMO "m_max = times(2, inputs)\n", TACOS_INVALID, "my-plan.conf:2: inputs is not a key"},
        {DEMO "m_max = times(2, m_max)\n", TACOS_INVALID, "my-plan.conf:2: m_max cannot be"},
        {DEMO "m_max = times(2, init_w)\n", TACOS_INVALID,
         "my-plan.conf:2: m_max: times(2, init_w) is not"},
        {DEMO "m_max = times(2, model)\n", TACOS_INVALID, "model is not a number"},
        {DEMO "r_e = times(2, r_u)\nr_u = times(2, r_e)\n", TACOS_INVALID,
         "my-plan.conf:2: r_e: circular `times`"},
        {DEMO "m_max = linear(5, 600, 2)\nr_e = times(1e4, m_max)\n", TACOS_RANGE,
         "my-plan.conf:3: r_e = 6000000 is out of range"},
        {DEMO "steps = times(0.33, samples_per_task)\nsamples_per_task = choice(100 | 10)\n",
         TACOS_INVALID, "my-plan.conf:2: steps = 3.3: expected a whole number"},
        /* sections */
        {DEMO "[a]\n[b]\n[a]\n", TACOS_INVALID, "my-plan.conf:4: duplicate section [a]"},
        {DEMO "[]\n", TACOS_INVALID, "my-plan.conf:2: a section's name has 1 to 100 bytes"},
        {DEMO "[a\n", TACOS_INVALID, "my-plan.conf:2: a section is written '[name]'"},
        {DEMO "[a] = 3\n", TACOS_INVALID, "my-plan.conf:2: a section is written '[name]'"},
        {DEMO "[a\tb]\n", TACOS_INVALID, "my-plan.conf:2: a section's name is UTF-8 text"},
        {DEMO "[a\xc2\x9b"
              "b]\n",
         TACOS_INVALID, "without control characters, not 'a\\u009bb'"},
        {DEMO "[a\xff]\n", TACOS_INVALID, "without control characters, not 'a\\xff'"},
        /* sizes */
        {DEMO "init_w = " LEVELS LEVELS LEVELS "1\n", TACOS_RANGE, "more than 10000000"},
        {DEMO "sampling = random\nconfigurations = 2000001\nr_e = linear(0, 1)\nseeds = 5\n",
         TACOS_RANGE, "more than 10000000 runs"},
        {DEMO "sampling = sobol\nconfigurations = 2\ninit_w = " AXES_10 "\ninit_b = " AXES_10
              "," AXES_5 "\n",
         TACOS_RANGE, "my-plan.conf:5: init_b: this range is one too many: at most 21"},
        {DEMO "sampling = random\nconfigurations = 2000001\n[a]\nr_e = linear(0, 1)\n[b]\n"
              "r_e = linear(0, 1)\n[c]\nr_e = linear(0, 1)\n[d]\nr_e = linear(0, 1)\n[e]\n"
              "r_e = linear(0, 1)\n",
         TACOS_RANGE, "more than 10000000 runs"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Plan *plan = NULL;
        tacos_error err;
        assert_fails(open_text(*state, cases[i].text, &plan, &err), cases[i].status);
        assert_says(err, cases[i].says);
        assert_null(plan);
    }
}

static void halving_with_all_it_wants_is_taken(void **state) {
    Plan *plan = opened(*state, HALVING "validation = 0.1\nrungs = 2,4\nm_max = linear(1, 9, 9)\n");
    assert_int_equal(plan->params.halving, 3);
    assert_int_equal(plan->params.rungs.n, 2);
    assert_int_equal(plan->n_configs, 9);
    tacos_plan_free(plan);
}

/* ---- Opening --------------------------------------------------------------------------------- */

static void an_experiment_beside_the_plan_is_found(void **state) {
    const Folder *folder = *state;
    char path[128];
    (void)snprintf(path, sizeof path, "%s/tiny.conf", folder->path);
    write_bytes(path, "hidden = 17\n", 12);
    Plan *plan = opened(folder, "experiment = tiny.conf\nm_max = linear(5, 10, 2)\n");
    assert_value(plan, 1, "hidden", "17");
    assert_string_equal(config_of(plan, 1).name, "tiny");
    tacos_plan_free(plan);
    write_bytes(path, "hidden = 0\n", 11);
    tacos_error err;
    assert_fails(open_text(folder, "# x\nexperiment = tiny.conf\n", &plan, &err), TACOS_RANGE);
    assert_says(err, "my-plan.conf:2: ");
    assert_says(err, "tiny.conf:1: hidden = 0 is out of range");
}

static void builtin_plans_are_listed_and_open(void **state) {
    tacos_experiment_info info;
    size_t n = 0;
    (void)state;
    for (; tacos_plan_builtin(n, &info); n++) {
        Plan *plan = NULL;
        tacos_error err;
        assert_true(info.about[0] && info.text[0]);
        assert_succeeds(tacos_plan_open(&plan, info.name, &err));
        assert_string_equal(plan->name, info.name);
        for (size_t i = 0; i < plan->n_configs; i++) {
            Experiment config = config_of(plan, i);
            assert_succeeds(params_check(&config.learner, &err));
        }
        tacos_plan_free(plan);
    }
    assert_true(n >= 1);
}

static void the_trade_off_is_that_of_the_paper(void **state) {
    Plan *plan = NULL;
    tacos_error err;
    (void)state;
    assert_succeeds(tacos_plan_open(&plan, "trade-off", &err));
    assert_int_equal(plan->n_configs, 36);
    assert_int_equal(plan->n_seeds, 2);
    assert_value(plan, 0, "dataset", "mnist");
    assert_value(plan, 0, "m_max", "5");
    assert_value(plan, 35, "m_max", "50");
    assert_value(plan, 8, "delta_m_output", "0.0052");
    assert_value(plan, 35, "w_ref_rate", "0.00016");
    assert_string_equal(config_of(plan, 35).name, "split-mnist");
    tacos_plan_free(plan);
}

static void an_unknown_plan_is_answered_with_the_nearest(void **state) {
    Plan *plan = NULL;
    tacos_error err;
    (void)state;
    assert_fails(tacos_plan_open(&plan, "tradeoff", &err), TACOS_UNKNOWN);
    assert_says(err, "no plan 'tradeoff'; the nearest is 'trade-off'");
    assert_fails(tacos_plan_open(&plan, "xyzzyxyzzy", &err), TACOS_UNKNOWN);
    assert_says(err, "trade-off");
    assert_fails(tacos_plan_open(&plan, "trade-off.conf", &err), TACOS_MISSING); /* a path */
    assert_fails(tacos_plan_open(&plan, "/nowhere/x.conf", &err), TACOS_MISSING);
    assert_null(plan);
}

static void an_experiment_is_a_plan_of_one(void **state) {
    static const uint32_t seeds[] = {5, 1, 3}, twice[] = {5, 1, 5}, sorted[] = {1, 3, 5};
    Experiment *experiment;
    Plan *plan = NULL;
    tacos_error err;
    (void)state;
    assert_succeeds(tacos_experiment_open(&experiment, "demo", &err));
    assert_fails(plan_of(&plan, experiment, twice, 3, &err), TACOS_INVALID);
    assert_says(err, "seed 5 is given twice");
    assert_fails(plan_of(&plan, experiment, seeds, 0, &err), TACOS_INVALID);
    assert_null(plan);
    assert_succeeds(plan_of(&plan, experiment, seeds, 3, &err));
    assert_string_equal(plan->name, "demo");
    assert_int_equal(plan->n_configs, 1);
    assert_int_equal(plan->n_seeds, 3);
    assert_memory_equal(plan->seeds, sorted, sizeof sorted);
    Experiment config = config_of(plan, 0);
    assert_memory_equal(&config, experiment, sizeof config);
    tacos_plan_free(plan);
    free(experiment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_read_and_written),
        cmocka_unit_test(bad_ranges_are_explained),
        IN_FOLDER(a_decimal_comma_changes_nothing),
        IN_FOLDER(a_grid_has_all_combinations_the_last_axis_fastest),
        IN_FOLDER(a_key_may_have_several_axes),
        IN_FOLDER(times_follows_another_key_wherever_it_stands),
        IN_FOLDER(a_plan_may_have_one_configuration),
        IN_FOLDER(sections_share_and_override_what_stands_before),
        cmocka_unit_test(only_plans_have_sections),
        IN_FOLDER(points_lie_in_their_ranges),
        IN_FOLDER(points_depend_on_the_sampling_seed_alone),
        IN_FOLDER(sections_have_points_of_their_own),
        IN_FOLDER(seeds_are_a_number_or_a_list),
        IN_FOLDER(bad_plans_are_explained_with_the_line),
        IN_FOLDER(halving_with_all_it_wants_is_taken),
        IN_FOLDER(an_experiment_beside_the_plan_is_found),
        cmocka_unit_test(builtin_plans_are_listed_and_open),
        cmocka_unit_test(the_trade_off_is_that_of_the_paper),
        cmocka_unit_test(an_unknown_plan_is_answered_with_the_nearest),
        cmocka_unit_test(an_experiment_is_a_plan_of_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
