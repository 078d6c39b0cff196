/* test_columns_limits.c - columns where numbers are as large as they can be: nothing overflows, and
 * what is answered still makes sense. Sanitizers see more of it. */
#include "net/learner.h"
#include "toy.h"

#include <stdio.h>

/* ---- inputs ---- */

/* As many spikes as steps in every input that the pattern names. */
static uint8_t *most_spikes(const Params *params, uint32_t pattern) {
    size_t n = params->n_inputs;
    uint8_t *spikes = calloc(params->n_steps, n);
    assert_non_null(spikes);
    for (size_t j = 0; j < n; j++)
        spikes[j] = (uint8_t)(pattern >> j % 32 & 1);
    for (size_t t = 1; t < params->n_steps; t++)
        memcpy(spikes + t * n, spikes, n);
    return spikes;
}

/* What roots are taken of has 24 bits, a sum of values 15. */
static void assert_sums_fit(const Learner *learner) {
    const Columns *c = &learner->columns;
    uint32_t most = 0;
    for (size_t i = 0; i < geometry_map(&c->geometry); i++) {
        uint32_t sum = learner->view.sums[i] >> c->rule.root_shift;
        assert_true(sum < (c->geometry.edges ? 1U << 24 : 1U << 15));
        most = learner->view.map[i] > most ? learner->view.map[i] : most;
    }
    assert_true(most > 0);
}

static void the_most_spikes_fit(void **state) {
    static const char *const shapes[] = {
        "inputs = 784\ninput_shape = 28,28\n",
        "inputs = 784\ninput_shape = 28,28\ncolumn_cells = 1\n",
        "inputs = 784\ninput_shape = 28,28\ncolumn_features = values\n",
        "inputs = 784\ninput_shape = 28,28\ncolumn_features = values\ncolumn_cells = 2\n",
        "inputs = 768\ninput_shape = 16,16,3\ncolumn_cells = 2\n",
        "inputs = 784\ninput_shape = 1,784\n",
        "inputs = 784\n",
    };
    static const char *const keys[] = {
        "column_input = spikes\nsteps = 10000\ninput_rate_hz = 0\n",
        "column_input = spikes\nsteps = 3000\ninput_rate_hz = 1e5\n",
        "steps = 10000\ninput_rate_hz = 0\n",
        "steps = 150\n",
    };
    static const uint32_t patterns[] = {0xffff, 0x33333333, 0x55555555};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            char text[256];
            tacos_error err;
            (void)snprintf(text, sizeof text, "%s%scolumn_units = 20\n", shapes[i], keys[k]);
            Learner *learner = toy_learner(text, "columns", 1, NULL);
            const Params *params = &learner->net.params;
            for (size_t n = 0; n < sizeof patterns / sizeof *patterns; n++) {
                uint8_t *spikes = most_spikes(params, patterns[n]);
                assert_succeeds(tacos_learner_learn_spikes(learner, spikes, params->n_steps,
                                                           params->n_inputs, n % 2, &err));
                assert_sums_fit(learner);
                free(spikes);
            }
            tacos_learner_free(learner);
        }
}

/* ---- looks ---- */

/* A signal that alternates is, moved by one, its own opposite: the worst match there is. */
static void a_moved_look_at_full_cost_never_wins(void **state) {
    float signal[12] = {0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1};
    Learner *learner =
        toy_learner("inputs = 12\noutputs = 2\ninput_shape = 1,12\ncolumn_window = 8\n"
                    "column_looks = 9\ncolumn_look_cost = 1\ncolumn_units = 3\n",
                    "columns", 1, NULL);
    tacos_prediction guess;
    tacos_error err;
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        assert_succeeds(tacos_learner_learn(learner, signal, 12, 1, &err));
        assert_succeeds(tacos_learner_predict(learner, signal, 12, 0, &guess, &err));
        assert_int_equal(guess.output, 1);
        assert_true(learner->view.win[0].match > MATCH_ONE / 100 * 99);
    }
    tacos_learner_free(learner);
}

/* ---- counts and votes ---- */

static void totals_and_silences_stay_at_their_largest(void **state) {
    float dark[8] = {0};
    Learner *learner =
        toy_learner("inputs = 8\noutputs = 2\ncolumn_units = 20\n", "columns", 1, NULL);
    Columns *c = &learner->columns;
    tacos_prediction guess;
    tacos_error err;
    (void)state;
    assert_int_equal(c->geometry.n_places, 16);
    c->totals[0] = UINT32_MAX;
    c->totals[1] = 1000;
    for (size_t p = 0; p < 16; p++)
        c->silent[2 * p] = UINT32_MAX;
    for (size_t k = 0; k < 2; k++) {
        assert_succeeds(tacos_learner_learn(learner, dark, 8, 0, &err));
        assert_int_equal(c->totals[0], UINT32_MAX);
        assert_int_equal(c->silent[0], UINT32_MAX);
        assert_succeeds(tacos_learner_predict(learner, dark, 8, 0, &guess, &err));
        assert_int_equal(guess.output, 0);
        assert_true(guess.counts[0] > guess.counts[1] && guess.counts[1] == 1);
    }
    tacos_learner_free(learner);
}

/* All places speak for one output, and against the other, as loudly as they can. */
static void the_loudest_votes_can_be_added(void **state) {
    float dark[4] = {0};
    Learner *learner = toy_learner("inputs = 4\noutputs = 2\ncolumn_window = 1\n"
                                   "column_places = 16383\ncolumn_units = 1\n",
                                   "columns", 1, NULL);
    Columns *c = &learner->columns;
    tacos_prediction guess;
    tacos_error err;
    (void)state;
    c->totals[0] = 1;
    c->totals[1] = UINT32_MAX;
    for (size_t p = 0; p < PLACES_MAX; p++) {
        c->silent[2 * p] = UINT32_MAX;
        c->trust[p] = TRUST_MOST;
    }
    assert_succeeds(tacos_learner_predict(learner, dark, 4, 0, &guess, &err));
    assert_int_equal(guess.output, 0);
    assert_true(learner->view.score[0] > 1 << 30 && learner->view.score[1] < -(1 << 30));
    assert_int_equal(guess.counts[0], (int64_t)learner->view.score[0] - learner->view.score[1] + 1);
    assert_int_equal(guess.counts[1], 1);
    tacos_learner_free(learner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_spikes_fit),
        cmocka_unit_test(a_moved_look_at_full_cost_never_wins),
        cmocka_unit_test(totals_and_silences_stay_at_their_largest),
        cmocka_unit_test(the_loudest_votes_can_be_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
