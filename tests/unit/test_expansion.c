/* test_expansion.c - units with fixed random synapses, of which those that hear most fire. */
#include "net/expansion.h"
#include "net/learner.h"
#include "toy.h"

#include <math.h>
#include <stdio.h>

/* ---- one expansion, by hand ---- */

enum { INPUTS = 61, UNITS = 3000, STEPS = 40, FIRING = 60 };

typedef struct Stand {
    Params params;
    Expansion expansion;
    Raster raster;
    Burst burst;
    void *memory;
} Stand;

static void carve(Stand *stand, Arena *arena) {
    expansion_carve(&stand->expansion, &stand->params, arena);
    raster_carve(&stand->raster, STEPS, INPUTS, arena);
    burst_carve(&stand->burst, &stand->expansion, FIRING, arena);
}

static Stand stand_open(const Kernel *kernel, double active, ExpansionSynapses synapses) {
    Stand stand = {0};
    Arena arena = {0};
    params_defaults(&stand.params);
    stand.params.n_inputs = INPUTS;
    stand.params.n_expansion = UNITS;
    stand.params.expansion_active = active;
    stand.params.expansion_steps = STEPS;
    stand.params.expansion_synapses = (int)synapses;
    stand.params.n_steps = FIRING;
    expansion_shape(&stand.expansion, &stand.params);
    carve(&stand, &arena);
    stand.memory = aligned_alloc(ARENA_ALIGN, arena.used);
    assert_non_null(stand.memory);
    arena = (Arena){.base = stand.memory};
    carve(&stand, &arena);
    expansion_draw(&stand.expansion, kernel, 7);
    return stand;
}

/* The input spikes: each with odds of its own. */
static void shine(Stand *stand, uint32_t game, double brightest) {
    Dice dice = {.game = game};
    Events *events = &stand->raster.events;
    double odds[INPUTS];
    size_t n = 0;
    for (size_t j = 0; j < INPUTS; j++)
        odds[j] = roll(&dice, -brightest, brightest);
    for (size_t t = 0; t < STEPS; t++) {
        events->at[t] = n;
        for (uint32_t j = 0; j < INPUTS; j++)
            if (roll(&dice, 0, 1) < odds[j])
                events->row[n++] = j;
    }
    events->at[STEPS] = n;
}

static void fire(Stand *stand, const Kernel *kernel) {
    expansion_fire(&stand->expansion, kernel, 7, &stand->raster, &stand->burst);
}

/* One spike of one input. */
static void poke(Stand *stand, uint32_t input) {
    Events *events = &stand->raster.events;
    for (size_t t = 0; t <= STEPS; t++)
        events->at[t] = t > 0;
    events->row[0] = input;
}

static void every_unit_hears_one_of_each_group(void **state) {
    Stand stand = stand_open(&kernel_ref, 0.01, EXPANSION_DRAWN);
    size_t groups = stand.expansion.n_groups, of_input[INPUTS] = {0};
    int32_t *sum = calloc(groups * UNITS, sizeof *sum);
    (void)state;
    assert_int_equal(groups, (INPUTS + 3) / 4);
    for (uint32_t j = 0; j < INPUTS; j++) {
        poke(&stand, j);
        fire(&stand, &kernel_ref);
        for (size_t i = 0; i < UNITS; i++) {
            sum[j % groups * UNITS + i] += stand.burst.drive[i];
            of_input[j] += (size_t)stand.burst.drive[i];
        }
    }
    for (size_t g = 0; g < groups; g++)
        for (size_t i = 0; i < UNITS; i++)
            if (g + 3 * groups < INPUTS) /* a group of four */
                assert_int_equal(sum[g * UNITS + i], 1);
            else
                assert_true(sum[g * UNITS + i] <= 1);
    for (size_t j = 0; j < INPUTS; j++) /* a quarter of the units, within 5 sigma */
        assert_true(fabs((double)of_input[j] - UNITS / 4.0) < 5 * sqrt(UNITS * 3 / 16.0));
    free(sum);
    free(stand.memory);
}

static int compare_drives(const void *a, const void *b) {
    return *(const int32_t *)b - *(const int32_t *)a;
}

static void those_fire_that_heard_most(void **state) {
    (void)state;
    for (uint32_t game = 0; game < 30; game++) {
        Stand stand = stand_open(&kernel_ref, 0.01 * (1 + game % 5), EXPANSION_DRAWN);
        int32_t sorted[UNITS];
        bool wins[UNITS] = {false};
        shine(&stand, game, 0.5);
        fire(&stand, &kernel_ref);
        size_t n = stand.burst.n_winners;
        assert_int_equal(n, 30 * (1 + game % 5));
        memcpy(sorted, stand.burst.drive, sizeof sorted);
        qsort(sorted, UNITS, sizeof *sorted, compare_drives);
        for (size_t k = 0; k < n; k++) {
            wins[stand.burst.winners[k]] = true;
            assert_true(k == 0 || stand.burst.winners[k] > stand.burst.winners[k - 1]);
        }
        for (size_t i = 0; i < UNITS; i++) {
            if (stand.burst.drive[i] > sorted[n - 1])
                assert_true(wins[i]);
            if (stand.burst.drive[i] < sorted[n - 1])
                assert_false(wins[i]);
        }
        free(stand.memory);
    }
}

static void one_at_least_may_fire(void **state) {
    Stand stand = stand_open(&kernel_ref, 1e-6, EXPANSION_DRAWN);
    (void)state;
    shine(&stand, 1, 0.5);
    fire(&stand, &kernel_ref);
    assert_int_equal(stand.burst.n_winners, 1);
    free(stand.memory);
}

static void who_hears_nothing_is_silent(void **state) {
    Stand stand = stand_open(&kernel_ref, 1, EXPANSION_DRAWN);
    (void)state;
    for (size_t t = 0; t <= STEPS; t++)
        stand.raster.events.at[t] = 0;
    fire(&stand, &kernel_ref);
    assert_int_equal(stand.burst.n_winners, 0);
    assert_int_equal(stand.burst.events.at[FIRING], 0);
    poke(&stand, 0); /* all may fire, but only a quarter heard */
    fire(&stand, &kernel_ref);
    size_t heard = 0;
    for (size_t i = 0; i < UNITS; i++)
        heard += stand.burst.drive[i] > 0;
    assert_int_equal(stand.burst.n_winners, heard);
    assert_true(heard > 0 && heard < UNITS / 2);
    free(stand.memory);
}

static void winners_take_turns(void **state) {
    Stand stand = stand_open(&kernel_ref, 0.02, EXPANSION_DRAWN);
    const Events *events = &stand.burst.events;
    size_t spikes[UNITS] = {0};
    double mean = 60 * 0.15; /* of one */
    (void)state;
    shine(&stand, 3, 0.5);
    fire(&stand, &kernel_ref);
    for (size_t t = 0; t < FIRING; t++) {
        double now = (double)(events->at[t + 1] - events->at[t]);
        assert_true(fabs(now - 60 * 0.15) <= 1); /* of all, evenly over time */
        for (size_t k = events->at[t]; k < events->at[t + 1]; k++) {
            assert_true(k == events->at[t] || events->row[k] > events->row[k - 1]);
            spikes[events->row[k]]++;
        }
    }
    for (size_t k = 0; k < stand.burst.n_winners; k++)
        assert_true(fabs((double)spikes[stand.burst.winners[k]] - mean) <= 1);
    free(stand.memory);
}

/* Drawn or stored, with any kernel. */
static void the_same_units_fire(void **state) {
    (void)state;
    for (uint32_t game = 0; game < 5; game++) {
        Stand first = stand_open(&kernel_ref, 0.01, EXPANSION_DRAWN);
        shine(&first, game, 0.8);
        fire(&first, &kernel_ref);
        for (size_t k = 0; kernels[k]; k++)
            for (int stored = 0; kernels[k]->runs_here() && stored < 2; stored++) {
                Stand other = stand_open(kernels[k], 0.01, (ExpansionSynapses)stored);
                shine(&other, game, 0.8);
                fire(&other, kernels[k]);
                assert_int_equal(stored, other.expansion.choices != NULL);
                assert_memory_equal(first.burst.drive, other.burst.drive, UNITS * sizeof(int32_t));
                assert_int_equal(first.burst.n_winners, other.burst.n_winners);
                assert_memory_equal(first.burst.winners, other.burst.winners,
                                    first.burst.n_winners * sizeof(uint32_t));
                free(other.memory);
            }
        free(first.memory);
    }
}

/* ---- learners with one ---- */

#define EXPANDED                                                                                   \
    "inputs = 40\nhidden = none\noutputs = 2\nsteps = 60\nexpansion = 600\n"                       \
    "expansion_active = 0.05\nexpansion_steps = 50\ninit_w = 0\nlearning_rate = 0.05\n"

static void it_learns_with_every_model(void **state) {
    (void)state;
    for (size_t m = 0; m < TOY_MODELS; m++) {
        tacos_learner *learner = toy_learner(EXPANDED, toy_models[m], 4, NULL);
        size_t right = 0;
        toy_learn(learner, 0, 60);
        for (uint32_t k = 100; k < 120; k++)
            right += toy_predict(learner, k, k).output == (int)(k % 2);
        if (strcmp(toy_models[m], "fixed") != 0) /* which does not learn much from w = 0 */
            assert_true(right >= 19);
        tacos_learner_free(learner);
    }
}

static void stored_synapses_change_nothing_else(void **state) {
    (void)state;
    for (size_t m = 0; m < TOY_MODELS; m++) {
        tacos_learner *drawn = toy_learner(EXPANDED, toy_models[m], 4, NULL);
        tacos_learner *stored =
            toy_learner(EXPANDED "expansion_synapses = stored\n", toy_models[m], 4, NULL);
        tacos_learner_stats a, b;
        toy_learn(drawn, 0, 30);
        toy_learn(stored, 0, 30);
        assert_true(same_learner(drawn, stored));
        a = tacos_learner_stats_get(drawn);
        b = tacos_learner_stats_get(stored);
        assert_int_equal(a.model_bytes, b.model_bytes);
        assert_int_equal(a.fixed_bytes, 10 * 600 * 2 / 8);
        assert_false(a.fixed_stored);
        assert_true(b.fixed_stored);
        assert_true(b.fixed_bytes >= a.fixed_bytes);
        assert_int_equal(a.learning.synaptic_events, b.learning.synaptic_events);
        tacos_learner_free(drawn);
        tacos_learner_free(stored);
    }
}

/* What learning changes in the network of docs/beyond.md is no more than the plain network has. */
static void ten_thousand_units_need_no_more_memory(void **state) {
    const char *const outputs[] = {"outputs = 2\n", "outputs = 10\n"};
    const char *const learning[] = {"use", "counting"};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        char text[200];
        (void)snprintf(text, sizeof text, "expansion = 10000\nhidden = none\n%s", outputs[k]);
        tacos_learner *learner = toy_learner(text, learning[k], 1, NULL);
        tacos_learner_stats stats = tacos_learner_stats_get(learner);
        assert_true(stats.model_bytes <= stats.baseline_bytes);
        assert_int_equal(stats.model_bytes, 10000 * 16 * 4 + 20032);
        assert_int_equal(stats.fixed_bytes, 196 * 10000 * 2 / 8);
        tacos_learner_free(learner);
    }
}

static void what_does_not_fit_is_refused(void **state) {
    const char *const wrong[][2] = {
        {"expansion = 1000\nexpansion_rate_hz = 1000\n", "more than a spike in a step"},
        {"expansion = 1000\ninputs = 1000000\nexpansion_steps = 10000\n",
         "more spikes than can be counted"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        tacos_config *config = toy_config(wrong[k][0], "use");
        tacos_learner *learner;
        tacos_error err;
        assert_fails(tacos_learner_new(&learner, config, 1, NULL, &err), TACOS_RANGE);
        assert_says(err, wrong[k][1]);
        tacos_config_free(config);
    }
}

/* Spikes may come for as long as it listens, and no longer. */
static void spikes_come_while_it_listens(void **state) {
    tacos_learner *learner = toy_learner(EXPANDED, "use", 4, NULL);
    tacos_shape shape = tacos_learner_shape(learner);
    uint8_t spikes[51 * 40] = {1, 1, 1};
    tacos_error err;
    (void)state;
    assert_int_equal(shape.n_steps, 50);
    assert_int_equal(shape.n_steps_all, 110);
    assert_succeeds(tacos_learner_learn_spikes(learner, spikes, 50, 40, 0, &err));
    assert_fails(tacos_learner_learn_spikes(learner, spikes, 51, 40, 0, &err), TACOS_RANGE);
    tacos_learner_free(learner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_unit_hears_one_of_each_group),
        cmocka_unit_test(those_fire_that_heard_most),
        cmocka_unit_test(one_at_least_may_fire),
        cmocka_unit_test(who_hears_nothing_is_silent),
        cmocka_unit_test(winners_take_turns),
        cmocka_unit_test(the_same_units_fire),
        cmocka_unit_test(it_learns_with_every_model),
        cmocka_unit_test(stored_synapses_change_nothing_else),
        cmocka_unit_test(ten_thousand_units_need_no_more_memory),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(spikes_come_while_it_listens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
