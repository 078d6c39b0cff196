/* test_columns_learner.c - a learner of the model columns as its users see it, and runs of it. */
#include "net/learner.h"
#include "heap.h"
#include "toy.h"

#include <stdio.h>

#define SMALL "inputs = 40\noutputs = 2\ninput_shape = 5,8\ncolumn_units = 80\ncolumn_looks = 5\n"

/* ---- memory ---- */

static void it_allocates_once(void **state) {
    Heap heap = {0};
    tacos_allocator allocator = heap_allocator(&heap);
    tacos_learner *learner = toy_learner(SMALL, "columns", 1, &allocator);
    tacos_learner_stats stats = tacos_learner_stats_get(learner);
    (void)state;
    toy_learn(learner, 0, 50);
    (void)toy_predict(learner, 0, 0);
    assert_int_equal(heap.calls, 1);
    assert_int_equal(stats.model_bytes + stats.workspace_bytes, heap.live_bytes);
    assert_int_equal(tacos_learner_stats_get(learner).model_bytes, stats.model_bytes);
    tacos_learner_free(learner);
    assert_int_equal(heap.live_bytes, 0);
}

/* As many units as fit, and not one more. */
static void memory_is_used_up(void **state) {
    (void)state;
    for (size_t kb = 2; kb < 3000; kb = 2 * kb + 1)
        for (size_t n_outputs = 1; n_outputs < 12; n_outputs += 5) {
            char text[256];
            (void)snprintf(
                text, sizeof text,
                "inputs = 784\ninput_shape = 28,28\noutputs = %zu\ncolumn_memory_kb = %zu\n",
                n_outputs, kb);
            Learner *learner = toy_learner(text, "columns", 1, NULL);
            size_t unit = learner->columns.geometry.n_values + 1 + n_outputs;
            size_t bytes = tacos_learner_stats_get(learner).model_bytes;
            assert_true(bytes <= 1000 * kb && bytes + unit + 2 * 4 > 1000 * kb);
            tacos_learner_free(learner);
        }
}

/* ---- errors ---- */

static void what_it_does_not_have_is_refused(void **state) {
    tacos_learner *learner = toy_learner(SMALL, "columns", 1, NULL);
    tacos_layer_values values = {0};
    tacos_layer_view view;
    tacos_error err;
    (void)state;
    assert_int_equal(tacos_learner_shape(learner).n_layers, 0);
    assert_fails(tacos_learner_layer(learner, 0, &view, &err), TACOS_INVALID);
    assert_string_equal(err.text, "a columns learner has no layers of synapses");
    assert_fails(tacos_learner_set_layer(learner, 0, &values, &err), TACOS_INVALID);
    tacos_learner_free(learner);
}

/* ---- what units have learned ---- */

static void units_are_those_of_the_state(void **state) {
    tacos_learner *learner = toy_learner(SMALL, "columns", 1, NULL);
    tacos_columns_view view;
    tacos_unit unit;
    tacos_error err;
    float intensity[40] = {0};
    (void)state;
    assert_succeeds(tacos_learner_columns(learner, &view, &err));
    assert_int_equal(view.n_units, 0);
    assert_fails(tacos_learner_unit(learner, 0, &unit, NULL, NULL, &err), TACOS_RANGE);
    for (size_t i = 0; i < 20; i++) {
        for (size_t k = 0; k < 40; k++)
            intensity[k] = (float)((k * (i % 2 ? 7 : 3) + i) % 5) / 4;
        assert_succeeds(tacos_learner_learn(learner, intensity, 40, i % 2, &err));
    }
    assert_succeeds(tacos_learner_columns(learner, &view, &err));
    assert_int_equal(view.n_units, learner->columns.n_units);
    assert_int_equal(view.window_high * view.window_wide * view.n_values,
                     learner->columns.geometry.n_values);
    size_t of_place[256] = {0}, before = 0;
    for (size_t i = 0; i < view.n_units; i++) {
        int8_t values[256];
        uint32_t counts[2];
        assert_succeeds(tacos_learner_unit(learner, i, &unit, values, counts, &err));
        assert_true(unit.place >= before && unit.place < view.n_places);
        size_t at = columns_unit(&learner->columns, unit.place, of_place[unit.place]++);
        int8_t wanted[WINDOW_MAX];
        columns_read_template(&learner->columns, at, wanted);
        assert_memory_equal(values, wanted, learner->columns.geometry.n_values);
        assert_true(unit.uses > 0 && counts[0] + counts[1] > 0);
        before = unit.place;
    }
    for (size_t p = 0; p < view.n_places; p++)
        assert_int_equal(of_place[p], learner->columns.place_units[p]);
    assert_fails(tacos_learner_unit(learner, view.n_units, &unit, NULL, NULL, &err), TACOS_RANGE);
    tacos_learner_free(learner);
}

static void a_spiking_network_has_no_units(void **state) {
    tacos_learner *learner = toy_learner("inputs = 4\noutputs = 2\nhidden = 3\n", "tacos", 1, NULL);
    tacos_columns_view view;
    tacos_unit unit;
    tacos_error err;
    (void)state;
    assert_fails(tacos_learner_columns(learner, &view, &err), TACOS_INVALID);
    assert_string_equal(err.text, "a spiking network has no units of columns");
    assert_fails(tacos_learner_unit(learner, 0, &unit, NULL, NULL, &err), TACOS_INVALID);
    tacos_learner_free(learner);
}

static void bad_samples_leave_no_trace(void **state) {
    static const char *const inputs[] = {"column_input = values", "column_input = spikes"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "%s%s\n", SMALL, inputs[i]);
        tacos_learner *learner = toy_learner(text, "columns", 1, NULL);
        ToySample bad = toy_sample(0);
        tacos_prediction guess;
        tacos_error err;
        bad.intensity[39] = 1.5f;
        toy_learn(learner, 0, 10);
        uint32_t before = tacos_learner_digest(learner);
        assert_fails(tacos_learner_learn(learner, bad.intensity, 40, 0, &err), TACOS_RANGE);
        assert_string_equal(err.text, "intensity 39 is 1.5; it must be from 0 to 1");
        assert_fails(tacos_learner_learn(learner, bad.intensity, 39, 0, &err), TACOS_INVALID);
        assert_fails(tacos_learner_learn(learner, toy_sample(0).intensity, 40, 2, &err),
                     TACOS_RANGE);
        assert_fails(tacos_learner_predict(learner, bad.intensity, 40, 0, &guess, &err),
                     TACOS_RANGE);
        assert_int_equal(tacos_learner_learned(learner), 10);
        assert_int_equal(tacos_learner_digest(learner), before);
        tacos_learner_free(learner);
    }
}

/* ---- answers ---- */

static void it_answers_nothing_before_it_has_learned(void **state) {
    tacos_learner *learner = toy_learner(SMALL, "columns", 1, NULL);
    tacos_prediction guess = toy_predict(learner, 0, 0);
    (void)state;
    assert_int_equal(guess.output, -1);
    assert_true(guess.counts[0] == 0 && guess.counts[1] == 0);
    toy_learn(learner, 0, 1); /* of output 0 */
    guess = toy_predict(learner, 1, 0);
    assert_int_equal(guess.output, 0);
    assert_true(guess.counts[0] > 0 && guess.counts[1] == 0);
    tacos_learner_free(learner);
}

static void predicting_changes_nothing(void **state) {
    Learner *learner = toy_learner(SMALL, "columns", 1, NULL);
    uint32_t counts[2], n_right = 0;
    (void)state;
    toy_learn(learner, 0, 40);
    uint32_t digest = tacos_learner_digest(learner);
    memcpy(counts, toy_predict(learner, 7, 0).counts, sizeof counts);
    for (uint32_t k = 100; k < 200; k++)
        n_right += toy_predict(learner, k, k).output == (int)(k % 2);
    assert_memory_equal(toy_predict(learner, 7, 1).counts, counts, sizeof counts);
    assert_int_equal(tacos_learner_digest(learner), digest);
    assert_true(n_right >= 98);
    assert_int_equal(tacos_learner_stats_get(learner).predicting.samples, 102);
    tacos_learner_free(learner);
}

/* ---- the same bits ---- */

static uint32_t digest_of(const char *kernel, size_t n_threads) {
    setenv("TACOS_KERNEL", kernel, 1);
    tacos_learner *learner = toy_learner(SMALL, "columns", 5, NULL);
    unsetenv("TACOS_KERNEL");
    tacos_learner_set_threads(learner, n_threads);
    toy_learn(learner, 0, 150);
    uint32_t digest = tacos_learner_digest(learner);
    tacos_learner_free(learner);
    return digest;
}

static void kernels_and_threads_change_no_bit(void **state) {
    uint32_t first = digest_of("ref", 1);
    (void)state;
    for (size_t k = 0; kernels[k]; k++)
        for (size_t n = 1; n <= 3 && kernels[k]->runs_here(); n++)
            assert_int_equal(digest_of(kernels[k]->name, n), first);
}

/* ---- runs ---- */

static tacos_experiment *open_small(const char *input) {
    static const char *const keys[][2] = {
        {"model", "columns"},
        {"tasks", "0-1,2-3"},
        {"column_units", "60"},
        {"samples_per_task", "30"},
        {"test_samples_per_task", "20"},
        {"steps", "40"},
    };
    tacos_experiment *experiment;
    tacos_error err;
    assert_succeeds(tacos_experiment_open(&experiment, "demo", &err));
    assert_succeeds(tacos_experiment_set(experiment, "column_input", input, &err));
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        assert_succeeds(tacos_experiment_set(experiment, keys[k][0], keys[k][1], &err));
    return experiment;
}

static void assert_same_run(const tacos_run *a, const tacos_run *b) {
    assert_int_equal(a->n_tasks, 2);
    assert_memory_equal(a->R, b->R, 4 * sizeof *a->R);
    assert_memory_equal(a->b, b->b, 2 * sizeof *a->b);
    assert_memory_equal(&a->stats, &b->stats, sizeof a->stats);
    assert_int_equal(a->model_digest, b->model_digest);
}

/* One seed on several threads: they share the samples that are scored. */
static void threads_that_score_change_no_bit(void **state) {
    static const char *const inputs[] = {"values", "spikes"};
    static const uint32_t seed = 4;
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        tacos_experiment *experiment = open_small(inputs[i]);
        tacos_results *results[4];
        tacos_error err;
        for (unsigned n = 0; n < 4; n++) {
            tacos_run_options how = {.seeds = &seed, .n_seeds = 1, .n_jobs = 1 + n};
            assert_succeeds(tacos_experiment_run(experiment, &how, &results[n], &err));
            assert_same_run(tacos_results_run(results[0], 0), tacos_results_run(results[n], 0));
        }
        for (size_t n = 0; n < 4; n++)
            tacos_results_free(results[n]);
        tacos_experiment_free(experiment);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_allocates_once),
        cmocka_unit_test(memory_is_used_up),
        cmocka_unit_test(what_it_does_not_have_is_refused),
        cmocka_unit_test(units_are_those_of_the_state),
        cmocka_unit_test(a_spiking_network_has_no_units),
        cmocka_unit_test(bad_samples_leave_no_trace),
        cmocka_unit_test(it_answers_nothing_before_it_has_learned),
        cmocka_unit_test(predicting_changes_nothing),
        cmocka_unit_test(kernels_and_threads_change_no_bit),
        cmocka_unit_test(threads_that_score_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
