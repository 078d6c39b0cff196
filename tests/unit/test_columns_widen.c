/* test_columns_widen.c - columns that get more outputs keep what they learned. */
#include "columns/count.h"
#include "net/learner.h"
#include "toy.h"

/* Samples of as many outputs as the learner has, with patterns in common. */
static size_t varied_sample(const Learner *learner, uint32_t k, float *intensity) {
    size_t target = k % learner->net.params.n_outputs;
    Dice dice = {.game = 700 + k};
    for (size_t j = 0; j < TOY_INPUTS; j++)
        intensity[j] = (float)((j * (target + 2) % 7 < 3 ? 0.6 : 0) + roll(&dice, 0, 0.4));
    return target;
}

static void learn(Learner *learner, uint32_t from, uint32_t to) {
    for (uint32_t k = from; k < to; k++) {
        float intensity[TOY_INPUTS];
        size_t target = varied_sample(learner, k, intensity);
        tacos_error err;
        assert_succeeds(tacos_learner_learn(learner, intensity, TOY_INPUTS, target, &err));
    }
}

static Learner *widened(const Learner *from, size_t n_outputs) {
    Learner *to;
    tacos_error err;
    assert_succeeds(learner_widen(&to, from, n_outputs, &err));
    return to;
}

static void same_answers(Learner *a, Learner *b) {
    size_t n = a->net.params.n_outputs;
    for (uint32_t k = 0; k < 60; k++) {
        float intensity[TOY_INPUTS];
        tacos_prediction x, y;
        tacos_error err;
        (void)varied_sample(a, 10000 + k, intensity);
        assert_succeeds(tacos_learner_predict(a, intensity, TOY_INPUTS, k, &x, &err));
        assert_succeeds(tacos_learner_predict(b, intensity, TOY_INPUTS, k, &y, &err));
        assert_int_equal(x.output, y.output);
        assert_memory_equal(x.counts, y.counts, n * sizeof *x.counts);
        for (size_t o = n; o < b->net.params.n_outputs; o++)
            assert_int_equal(y.counts[o], 0);
    }
}

static const char *const kinds[] = {
    "inputs = 40\noutputs = 3\ninput_shape = 5,8\ncolumn_cells = 4\ncolumn_units = 200\n",
    "inputs = 40\noutputs = 2\ncolumn_group = 5\ncolumn_units = 300\n",
    "inputs = 40\noutputs = 2\ncolumn_memory_kb = 60\n",
    "inputs = 40\noutputs = 5\ninput_shape = 1,40\ncolumn_units = 90\n",
    ("inputs = 40\noutputs = 2\ninput_shape = 5,8\ncolumn_input = spikes\nsteps = 20\n"
     "column_units = 150\n"),
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void answers_stay_if_all_units_fit(void **state) {
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++)
        for (uint32_t n = 0; n < 400; n = 3 * n + 1) {
            Learner *was = toy_learner(kinds[kind], "columns", 5, NULL);
            learn(was, 0, n);
            for (size_t more = 1; more <= 64; more *= 4) {
                Learner *is = widened(was, was->net.params.n_outputs + more);
                if (was->columns.n_units <= is->columns.most_units) {
                    assert_int_equal(is->columns.n_units, was->columns.n_units);
                    same_answers(was, is);
                }
                assert_int_equal(is->net.n_learned, n);
                assert_true(is->columns.n_units <= is->columns.most_units);
                tacos_learner_free(is);
            }
            tacos_learner_free(was);
        }
}

/* One step at a time or all at once is the same. */
static void steps_add_up(void **state) {
    Learner *was = toy_learner(kinds[0], "columns", 5, NULL);
    (void)state;
    learn(was, 0, 150);
    Learner *half = widened(was, 7), *step = widened(half, 20), *once = widened(was, 20);
    assert_int_equal(tacos_learner_digest(step), tacos_learner_digest(once));
    learn(step, 150, 250);
    learn(once, 150, 250);
    assert_int_equal(tacos_learner_digest(step), tacos_learner_digest(once));
    tacos_learner_free(was);
    tacos_learner_free(half);
    tacos_learner_free(step);
    tacos_learner_free(once);
}

/* How many units have each code of uses. */
static void count_uses(const Columns *c, size_t *with) {
    memset(with, 0, (COUNT_MOST + 1) * sizeof *with);
    for (size_t p = 0; p < c->geometry.n_places; p++)
        for (size_t u = 0; u < c->place_units[p]; u++)
            with[c->uses[columns_unit(c, p, u)]]++;
}

static void the_least_used_go_where_memory_is_short(void **state) {
    size_t before[COUNT_MOST + 1], after[COUNT_MOST + 1], n_short = 0;
    (void)state;
    for (size_t more = 10; more <= 80; more *= 2) {
        Learner *was = toy_learner("inputs = 40\noutputs = 2\ncolumn_memory_kb = 12\n"
                                   "column_match = 0.95\n",
                                   "columns", 5, NULL);
        learn(was, 0, 900);
        assert_int_equal(was->columns.n_units, was->columns.most_units);
        Learner *is = widened(was, 2 + more);
        size_t left_out = was->columns.n_units - is->columns.n_units;
        assert_int_equal(is->columns.n_units, is->columns.most_units);
        assert_true(is->net.n_bytes <= 12000);
        count_uses(&was->columns, before);
        count_uses(&is->columns, after);
        for (size_t code = 0; code <= COUNT_MOST; code++) {
            size_t gone = left_out < before[code] ? left_out : before[code];
            assert_int_equal(after[code], before[code] - gone);
            left_out -= gone;
        }
        assert_int_equal(left_out, 0);
        n_short += is->columns.n_units < was->columns.n_units;
        learn(is, 900, 1300); /* it goes on, also with places that have lost all their units */
        tacos_learner_free(was);
        tacos_learner_free(is);
    }
    assert_int_equal(n_short, 4);
}

static void theta_stays_where_it_fell_to(void **state) {
    Learner *was = toy_learner("inputs = 40\noutputs = 2\ncolumn_units = 40\n"
                               "column_match = 0.99\ncolumn_match_step = 0.05\n",
                               "columns", 5, NULL);
    bool any = false;
    (void)state;
    learn(was, 0, 300);
    Learner *is = widened(was, 9);
    for (size_t p = 0; p < was->columns.geometry.n_places; p++) {
        assert_int_equal(is->columns.match[p], was->columns.match[p]);
        assert_int_equal(is->columns.trust[p], was->columns.trust[p]);
        any = any || was->columns.match[p] < was->columns.rule.match;
    }
    assert_true(any);
    tacos_learner_free(was);
    tacos_learner_free(is);
}

static void no_room_for_a_unit_per_place_is_an_error(void **state) {
    Learner *was =
        toy_learner("inputs = 40\noutputs = 2\ncolumn_memory_kb = 12\n", "columns", 5, NULL);
    Learner *is;
    tacos_error err;
    (void)state;
    learn(was, 0, 100);
    uint32_t digest = tacos_learner_digest(was);
    assert_fails(learner_widen(&is, was, 100000, &err), TACOS_RANGE);
    assert_says(err, "column_memory_kb");
    assert_int_equal(tacos_learner_digest(was), digest);
    tacos_learner_free(was);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_stay_if_all_units_fit),
        cmocka_unit_test(steps_add_up),
        cmocka_unit_test(the_least_used_go_where_memory_is_short),
        cmocka_unit_test(theta_stays_where_it_fell_to),
        cmocka_unit_test(no_room_for_a_unit_per_place_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
