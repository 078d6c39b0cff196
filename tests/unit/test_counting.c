/* test_counting.c - weights that are log-odds, counted; and the exp and log that they need. */
#include "base/exact.h"
#include "toy.h"

#include <math.h>

static void exp_and_log_are_near_those_of_libm(void **state) {
    Dice dice = {.game = 1};
    (void)state;
    for (size_t k = 0; k < 200000; k++) {
        double x = roll(&dice, -40, 40), y = exp(roll(&dice, -40, 40));
        assert_true(fabs(exact_exp(x) / exp(x) - 1) < 4e-16 * (1 + fabs(x)));
        assert_true(fabs(exact_log(y) - log(y)) < 4e-16 * (1 + fabs(log(y))));
    }
    assert_true(exact_exp(0) == 1 && exact_log(1) == 0);
    assert_true(isfinite(exact_exp(1e9)) && exact_exp(-1e9) > 0);
}

/* ---- counts ---- */

enum { SAMPLES = 10000 };
#define COUNTED                                                                                    \
    "inputs = 8\nhidden = none\noutputs = 3\nsteps = 5\ninput_rate_hz = 1000\ninit_w = 0\n"        \
    "count_prior = 0.5\n"

typedef struct Drawing {
    float intensity[8];
    size_t target;
} Drawing;

/* Inputs are on or off; the last one is always on. */
static Drawing drawing(uint32_t k) {
    Dice dice = {.game = k};
    Drawing d = {.target = (size_t)roll(&dice, 0, 2.999)};
    for (size_t j = 0; j < 8; j++)
        d.intensity[j] = j == 7 || roll(&dice, 0, 1) < (j % 3 == d.target ? 0.6 : 0.05);
    return d;
}

static tacos_learner *counted(uint32_t first, int step) {
    tacos_learner *learner = toy_learner(COUNTED, "counting", 1, NULL);
    tacos_error err;
    for (uint32_t k = 0; k < SAMPLES; k++) {
        Drawing d = drawing(first + (uint32_t)((int)k * step));
        assert_succeeds(tacos_learner_learn(learner, d.intensity, 8, d.target, &err));
    }
    return learner;
}

static void weights_are_the_log_odds(void **state) {
    tacos_learner *learner = counted(0, 1);
    tacos_layer_view view = toy_layer(learner, 0);
    double with[8][3] = {{0}}, all[8] = {0};
    (void)state;
    for (uint32_t k = 0; k < SAMPLES; k++) {
        Drawing d = drawing(k);
        for (size_t j = 0; j < 8; j++)
            if (d.intensity[j] > 0) {
                with[j][d.target]++;
                all[j]++;
            }
    }
    for (size_t j = 0; j < 8; j++) {
        assert_int_equal(view.uses[j], (int)all[j]);
        for (size_t o = 0; o < 3; o++) {
            double w = (double)view.w[j * view.stride + o];
            double count = (all[j] + 1) / (1 + exp(-w)) - 0.5;
            assert_true(fabs(count - with[j][o]) < 0.05);
        }
    }
    assert_int_equal(tacos_learner_stats_get(learner).learning.error_spikes, 0);
    tacos_learner_free(learner);
}

/* Tasks in any order, even backwards, end in the same weights. */
static void the_order_does_not_matter(void **state) {
    tacos_learner *a = counted(0, 1), *b = counted(SAMPLES - 1, -1);
    tacos_layer_view x = toy_layer(a, 0), y = toy_layer(b, 0);
    (void)state;
    assert_memory_equal(x.uses, y.uses, 8 * sizeof *x.uses);
    for (size_t i = 0; i < 8 * x.stride; i++)
        assert_true(fabsf(x.w[i] - y.w[i]) < 1e-4f);
    tacos_learner_free(a);
    tacos_learner_free(b);
}

/* A count ends at 65535: from there on weights forget slowly, and nothing breaks. */
static void counts_end(void **state) {
    tacos_learner *learner = toy_learner(COUNTED, "counting", 1, NULL);
    uint16_t uses[8] = {65534, 65534, 65534, 65534, 65534, 65534, 65534, 65534};
    tacos_error err;
    (void)state;
    assert_succeeds(tacos_learner_set_layer(learner, 0, &(tacos_layer_values){.uses = uses}, &err));
    for (uint32_t k = 0; k < 5; k++) {
        Drawing d = drawing(k);
        assert_succeeds(tacos_learner_learn(learner, d.intensity, 8, d.target, &err));
    }
    tacos_layer_view view = toy_layer(learner, 0);
    assert_int_equal(view.uses[7], 65535);
    for (size_t i = 0; i < 8 * view.stride; i++)
        assert_true(isfinite(view.w[i]));
    tacos_learner_free(learner);
}

/* ---- outputs that inhibit each other ---- */

/* Weights that would make all outputs fire alike, or none: with inhibition it is the differences
 * that count. */
static void inhibition_leaves_differences(void **state) {
    const float level[] = {-3, 0, 3};
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        tacos_learner *learner =
            toy_learner(COUNTED "steps = 100\noutput_inhibition = 1\n", "counting", 1, NULL);
        float w[24], intensity[8];
        tacos_prediction said;
        tacos_error err;
        for (size_t i = 0; i < 24; i++)
            w[i] = level[k] + (i % 3 == 1 ? 0.5f : 0);
        for (size_t j = 0; j < 8; j++)
            intensity[j] = 1;
        assert_succeeds(tacos_learner_set_layer(learner, 0, &(tacos_layer_values){.w = w}, &err));
        assert_succeeds(tacos_learner_predict(learner, intensity, 8, 1, &said, &err));
        assert_int_equal(said.output, 1);
        assert_int_equal(said.counts[0], 0);
        assert_true(said.counts[1] > 5);
        /* learning shows the same sample to the same neurons */
        assert_succeeds(tacos_learner_learn(learner, intensity, 8, 1, &err));
        assert_int_equal(tacos_learner_stats_get(learner).learning.output_spikes, said.counts[1]);
        tacos_learner_free(learner);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_and_log_are_near_those_of_libm),
        cmocka_unit_test(weights_are_the_log_odds),
        cmocka_unit_test(the_order_does_not_matter),
        cmocka_unit_test(counts_end),
        cmocka_unit_test(inhibition_leaves_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
