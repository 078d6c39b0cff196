/* test_finite.c - whatever configuration is in range, learning makes no infinity and no NaN.
 *
 *   test_finite [CASES [GAME]]
 *
 * Keys of a learner are drawn over their whole range, often at one of its ends; only the sizes are
 * kept small. With every key drawn most networks are silent and learn nothing, so in most cases
 * some keys alone are, and the others make a lively network. */
#include "any_config.h"

#include "net/learner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CASES = 12000, SAMPLES = 12, SAMPLES_LONG = 100 };

static size_t n_cases = CASES;
static uint32_t first_game = 1;

/* ---- what it learns ---- */

static void learn(Dice *dice, tacos_learner *learner, tacos_error *err) {
    float intensity[NEURONS_MAX];
    uint8_t spikes[STEPS_MAX * NEURONS_MAX];
    tacos_shape shape = tacos_learner_shape(learner);
    size_t target = roll_word(dice) % shape.n_outputs;
    uint32_t busy = roll_word(dice) % 3;
    for (size_t i = 0; i < shape.n_inputs; i++)
        intensity[i] = busy == 0   ? 1
                       : busy == 1 ? (float)(roll_word(dice) % 2)
                                   : (float)roll(dice, 0, 1);
    for (size_t i = 0; i < shape.n_steps * shape.n_inputs; i++)
        spikes[i] = busy == 0 || roll_word(dice) % 4 == 0;
    if (roll_word(dice) % 2)
        assert_int_equal(tacos_learner_learn(learner, intensity, shape.n_inputs, target, err),
                         TACOS_OK);
    else
        assert_int_equal(
            tacos_learner_learn_spikes(learner, spikes, shape.n_steps, shape.n_inputs, target, err),
            TACOS_OK);
}

static bool all_finite(const float *values, size_t n) {
    for (size_t i = 0; values && i < n; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

/* The synapses as anybody sees them, and the membranes as the last sample left them. */
static const char *not_finite(tacos_learner *learner, tacos_error *err) {
    for (size_t l = 0; l < learner->net.n_layers; l++) {
        const Neurons *neurons = &learner->scratch.layers[l].neurons;
        tacos_layer_view view;
        assert_int_equal(tacos_learner_layer(learner, l, &view, err), TACOS_OK);
        size_t n = view.n_pre * view.stride;
        if (!all_finite(view.w, n))
            return "w";
        if (!all_finite(view.w_ref, n))
            return "w_ref";
        for (size_t pre = 0; pre < view.n_pre; pre++)
            for (size_t post = 0; post < view.n_post; post++)
                if (!isfinite(tacos_layer_m(&view, pre, post)))
                    return "m";
        if (!all_finite(neurons->i, view.stride))
            return "I";
        if (!all_finite(neurons->v, view.stride))
            return "V";
        if (!all_finite(neurons->u, view.stride))
            return "U";
    }
    return NULL;
}

/* How many cases had something to fail with. */
static size_t n_made, n_learned, n_decayed, n_strengthened, n_tended, n_rehearsed;

static void count_case(tacos_learner *learner) {
    tacos_counters done = tacos_learner_stats_get(learner).learning;
    size_t steps = 0;
    for (size_t l = 0; l < learner->net.n_layers; l++) {
        const Layer *layer = &learner->net.layers[l];
        for (size_t i = 0; layer->m_steps && i < layer->n_pre * layer->stride; i++)
            steps += layer->m_steps[i];
    }
    n_made++;
    n_learned += done.error_updates > 0;
    n_decayed += done.decay_updates > 0;
    n_strengthened += steps > 0;
    n_tended += learner->scratch.future.shares != NULL;
    n_rehearsed +=
        learner->net.future.memory.rehearsed && *learner->net.future.memory.rehearsed > 0;
}

static void one_case(uint32_t game) {
    Dice dice = {.game = game};
    char text[8192];
    tacos_config *config;
    tacos_learner *learner = NULL;
    tacos_error err;
    roll_config(&dice, text, sizeof text);
    assert_int_equal(tacos_config_new(&config, &err), TACOS_OK);
    if (tacos_config_parse(config, text, "case", &err) != TACOS_OK)
        fail_msg("game %u: %s", game, err.text);
    tacos_status status = tacos_learner_new(&learner, config, game, NULL, &err);
    tacos_config_free(config);
    if (status != TACOS_OK) {
        assert_int_equal(status, TACOS_RANGE); /* keys that do not fit together */
        return;
    }
    size_t n = roll_word(&dice) % 16 == 0 ? SAMPLES_LONG : roll_count(&dice, 1, SAMPLES);
    for (size_t k = 0; k < n; k++)
        learn(&dice, learner, &err);
    const char *what = not_finite(learner, &err);
    if (what)
        fail_msg("game %u: %s is not finite with\n%s", game, what, text);
    count_case(learner);
    tacos_learner_free(learner);
}

static void test_finite(void **state) {
    (void)state;
    for (size_t k = 0; k < n_cases; k++)
        one_case(first_game + (uint32_t)k);
    printf("%zu of %zu configurations fitted together; in %zu errors moved weights, in %zu weights "
           "decayed, in %zu m grew; %zu were tended between samples, %zu rehearsed\n",
           n_made, n_cases, n_learned, n_decayed, n_strengthened, n_tended, n_rehearsed);
    assert_true(n_made > n_cases / 4);
    assert_true(n_learned > n_made / 4);
    assert_true(n_decayed > n_made / 8);
    assert_true(n_strengthened > n_made / 16);
    assert_true(n_tended > n_made / 16 && n_rehearsed > n_made / 64);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_finite)};
    if (argc > 1)
        n_cases = strtoul(argv[1], NULL, 10);
    if (argc > 2)
        first_game = (uint32_t)strtoul(argv[2], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
