/* test_readings.c - what the paper leaves open and keys decide: feedback, target_fp, w_ref_rate,
 * and how far m goes. That each is computed as docs/engine.md says, tests/oracle sees. */
#include "net/learner.h"
#include "folder.h"
#include "toy.h"

#include <math.h>

static tacos_learner *learner_with(const char *reading) {
    char text[1024];
    (void)snprintf(text, sizeof text, "%s%s", TOY, reading);
    return toy_learner(text, "tacos", 4, NULL);
}

#define FAR "m_max = 1000\ndelta_m_hidden = 0.004\n" /* 250,000 steps */

static const char *const readings[] = {
    "feedback = separate\n",
    "feedback = shared\n",
    "target_fp = kept\n",
    "target_fp = silent\n",
    "feedback = shared\ntarget_fp = kept\n",
    "feedback = shared\ntarget_fp = silent\n",
    "delta_m_output = 1\nm_max_output = none\n",
    "delta_m_output = 1\nm_max_output = 2\n",
    "w_ref_rate = 0.5\n",
    FAR,
};
enum { READINGS = sizeof readings / sizeof *readings };

static uint32_t digest_after(const char *reading, uint32_t n) {
    tacos_learner *learner = learner_with(reading);
    toy_learn(learner, 0, n);
    uint32_t digest = tacos_learner_digest(learner);
    tacos_learner_free(learner);
    return digest;
}

/* ---- each, and with every kernel ---- */

static void each_learns_something_else(void **state) {
    uint32_t digests[READINGS];
    (void)state;
    for (size_t r = 0; r < READINGS; r++) {
        digests[r] = digest_after(readings[r], 30);
        for (size_t other = 0; other < r; other++)
            assert_int_not_equal(digests[r], digests[other]);
    }
}

static void every_kernel_gives_the_same(void **state) {
    (void)state;
    for (size_t r = 0; r < READINGS; r++) {
        uint32_t wanted = digest_after(readings[r], 20);
        for (size_t k = 0; kernels[k]; k++) {
            if (!kernels[k]->runs_here())
                continue;
            assert_int_equal(setenv("TACOS_KERNEL", kernels[k]->name, 1), 0);
            assert_int_equal(digest_after(readings[r], 20), wanted);
            assert_int_equal(unsetenv("TACOS_KERNEL"), 0);
        }
    }
}

static void a_loaded_learner_goes_on_as_the_saved_one(void **state) {
    const Folder *folder = *state;
    tacos_error err;
    for (size_t r = 0; r < READINGS; r++) {
        tacos_learner *learner = learner_with(readings[r]), *loaded;
        toy_learn(learner, 0, 7); /* between two growths of FAR */
        assert_succeeds(tacos_learner_save(learner, folder->file, &err));
        assert_succeeds(tacos_learner_load(&loaded, folder->file, NULL, &err));
        toy_learn(learner, 7, 20);
        toy_learn(loaded, 7, 20);
        assert_true(same_learner(learner, loaded));
        assert_int_equal(tacos_learner_digest(learner), tacos_learner_digest(loaded));
        tacos_learner_free(learner);
        tacos_learner_free(loaded);
    }
}

/* ---- feedback ---- */

static void feedback_is_one_matrix_or_two(void **state) {
    tacos_learner *separate = learner_with("init_b = 3\n");
    tacos_learner *shared = learner_with("init_b = 3\nfeedback = shared\n");
    const Layer *two = &separate->net.layers[0], *one = &shared->net.layers[0];
    size_t stride = two->stride, row = stride * sizeof *two->feedback;
    float least = 0, most = 0;
    (void)state;
    assert_true(same_learner(separate, shared));
    for (size_t k = 0; k < 4 * stride; k++) {
        float b = two->feedback[k];
        assert_true(k % stride < 20 ? b != 0 : b == 0);
        least = fminf(least, b);
        most = fmaxf(most, b);
    }
    assert_true(least >= -3 && least < -2.7f && most <= 3 && most > 2.7f);
    for (size_t a = 0; a < 4; a++) /* no two rows alike: of either kind, of both outputs */
        for (size_t b = 0; b < a; b++)
            for (size_t i = 0; i < 20; i++)
                assert_true(two->feedback[a * stride + i] != two->feedback[b * stride + i]);
    assert_memory_equal(one->feedback, two->feedback, 2 * row);
    assert_int_equal(tacos_learner_stats_get(separate).model_bytes -
                         tacos_learner_stats_get(shared).model_bytes,
                     2 * row);
    tacos_learner_free(separate);
    tacos_learner_free(shared);
}

/* ---- w_ref ---- */

static void w_ref_follows_once_per_sample(void **state) {
    static const struct {
        const char *text;
        float rate;
    } rates[] = {{"w_ref_rate = 0\n", 0}, {"w_ref_rate = 0.25\n", 0.25f}, {"w_ref_rate = 1\n", 1}};
    (void)state;
    for (size_t r = 0; r < 3; r++) {
        tacos_learner *learner = learner_with(rates[r].text);
        float before[20 * 16], moved = 0;
        for (uint32_t k = 0; k < 20; k++) {
            tacos_layer_view view = toy_layer(learner, 1);
            assert_int_equal(view.n_pre * view.stride, 20 * 16);
            memcpy(before, view.w_ref, sizeof before);
            toy_learn(learner, k, k + 1);
            view = toy_layer(learner, 1);
            for (size_t i = 0; i < 20 * 16; i++) {
                float wanted = before[i] + rates[r].rate * (view.w[i] - before[i]);
                assert_true(fabsf(view.w_ref[i] - wanted) <= 1e-6f);
                moved = fmaxf(moved, fabsf(view.w_ref[i] - before[i]));
            }
        }
        assert_true((moved > 0) == (rates[r].rate > 0));
        tacos_learner_free(learner);
    }
}

/* ---- m ---- */

static float largest_m(tacos_learner *learner, size_t l) {
    tacos_layer_view view = toy_layer(learner, l);
    float most = 0;
    for (size_t j = 0; j < view.n_pre; j++)
        for (size_t i = 0; i < view.n_post; i++)
            most = fmaxf(most, tacos_layer_m(&view, j, i));
    return most;
}

static void hidden_neurons_and_outputs_have_bounds_of_their_own(void **state) {
    tacos_learner *bounded = learner_with("m_max = 0.5\nm_max_output = 0.02\n");
    tacos_learner *none = learner_with("m_max = 0.5\nm_max_output = none\n");
    tacos_learner *fixed = toy_learner(TOY "m_max = 0.5\nm_max_output = 0.02\n", "fixed", 4, NULL);
    (void)state;
    toy_learn(bounded, 0, 60);
    toy_learn(none, 0, 60);
    assert_true(largest_m(bounded, 0) == 0.5f);
    assert_true(largest_m(bounded, 1) == 0.02f);
    assert_true(largest_m(none, 0) == 0.5f);
    assert_true(largest_m(none, 1) > 0.1f); /* 25 of 60 samples, by 0.004 */
    for (size_t l = 0; l < 2; l++)          /* all synapses have the same m */
        assert_true(largest_m(fixed, l) == 0.5f);
    tacos_learner_free(bounded);
    tacos_learner_free(none);
    tacos_learner_free(fixed);
}

/* The most steps that any synapse of a layer has, after all had `steps` and n samples were learned.
 */
static uint16_t most_steps(tacos_learner *learner, size_t l, uint16_t steps, uint32_t n) {
    tacos_layer_view view = toy_layer(learner, l);
    uint16_t all[40 * 20], most = 0;
    tacos_error err;
    for (size_t k = 0; k < view.n_pre * view.n_post; k++)
        all[k] = steps;
    assert_succeeds(
        tacos_learner_set_layer(learner, l, &(tacos_layer_values){.m_steps = all}, &err));
    toy_learn(learner, 0, n);
    view = toy_layer(learner, l);
    for (size_t j = 0; j < view.n_pre; j++)
        for (size_t i = 0; i < view.n_post; i++) {
            uint16_t here = view.m_steps[j * view.stride + i];
            assert_true(here >= steps); /* none begins at 0 again */
            most = here > most ? here : most;
        }
    return most;
}

/* It stops where 16 bits end. */
static void m_without_a_bound_ends_at_65535_steps(void **state) {
    tacos_learner *learner = learner_with("m_max_output = none\n");
    (void)state;
    assert_true(isinf(toy_layer(learner, 1).m_max));
    assert_int_equal(most_steps(learner, 1, 65530, 30), 65535);
    assert_true(largest_m(learner, 1) == 65535 * toy_layer(learner, 1).delta_m);
    tacos_learner_free(learner);
}

/* 250,000 steps do not fit into 16 bits: they are four times as large, and come in one of four
 * samples. */
static void a_bound_that_is_far_away_is_reached_in_larger_steps(void **state) {
    tacos_learner *learner = learner_with(FAR);
    size_t grown = 0;
    (void)state;
    assert_true(toy_layer(learner, 0).delta_m == 0.016f);
    assert_true(toy_layer(learner, 1).delta_m == 0.004f); /* outputs: 1,250 steps */
    for (uint32_t k = 0; k < 40; k++) {
        uint64_t before = 0, after = 0;
        for (size_t i = 0; i < 40 * 32; i++)
            before += learner->net.layers[0].m_steps[i];
        toy_learn(learner, k, k + 1);
        for (size_t i = 0; i < 40 * 32; i++)
            after += learner->net.layers[0].m_steps[i];
        assert_true(after == before || k % 4 == 0);
        grown += after > before;
    }
    assert_int_equal(grown, 10);
    assert_int_equal(most_steps(learner, 0, 62499, 9), 62500); /* m_max, and not further */
    assert_true(largest_m(learner, 0) == 1000);
    tacos_learner_free(learner);
}

static void steps_may_be_as_small_as_numbers_are(void **state) {
    static const char *const steps[] = {"1e-19", "1e-30", "1e-45", "1e-300", "5e-324"};
    (void)state;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        char text[128];
        (void)snprintf(text, sizeof text, "delta_m_hidden = %s\ndelta_m_output = %s\n", steps[k],
                       steps[k]);
        tacos_learner *learner = learner_with(text);
        toy_learn(learner, 0, 10);
        for (size_t l = 0; l < 2; l++)
            assert_true(largest_m(learner, l) <= 5.0f / 65535 * 1.0001f);
        tacos_learner_free(learner);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_learns_something_else),
        cmocka_unit_test(every_kernel_gives_the_same),
        IN_FOLDER(a_loaded_learner_goes_on_as_the_saved_one),
        cmocka_unit_test(feedback_is_one_matrix_or_two),
        cmocka_unit_test(w_ref_follows_once_per_sample),
        cmocka_unit_test(hidden_neurons_and_outputs_have_bounds_of_their_own),
        cmocka_unit_test(m_without_a_bound_ends_at_65535_steps),
        cmocka_unit_test(a_bound_that_is_far_away_is_reached_in_larger_steps),
        cmocka_unit_test(steps_may_be_as_small_as_numbers_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
