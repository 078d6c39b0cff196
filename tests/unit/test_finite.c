/* test_finite.c - whatever configuration is in range, learning makes no infinity and no NaN.
 *
 *   test_finite [CASES [GAME]]
 *
 * Keys of a learner are drawn over their whole range, often at one of its ends; only the sizes are
 * kept small. With every key drawn most networks are silent and learn nothing, so in most cases
 * some keys alone are, and the others make a lively network. */
#include "check.h"

#include "net/learner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { CASES = 12000, SAMPLES = 12, SAMPLES_LONG = 100, NEURONS_MAX = 40 };

static size_t n_cases = CASES;
static uint32_t first_game = 1;

static size_t roll_count(Dice *dice, size_t low, size_t high) {
    return low + roll_word(dice) % (high - low + 1);
}

/* ---- a configuration ---- */

/* An end of the range, its default, or anything between: evenly, or by the order of magnitude. */
static double roll_real(Dice *dice, const tacos_key_info *key) {
    double small = key->min > 0 ? key->min : 1e-45, at = roll(dice, 0, 1);
    switch (roll_word(dice) % 8) {
    case 0:
        return key->min;
    case 1:
    case 2:
        return key->max;
    case 3:
        return strtod(key->default_value, NULL);
    case 4:
        return key->min + (key->max - key->min) * at;
    case 5:
        return key->min < 0 ? -pow(-key->min, at) : small;
    default:
        return small * pow(key->max / small, at);
    }
}

/* Other than the defaults, what makes a small network lively. */
static const char *const lively[][2] = {
    {"init_w", "10"},
    {"learning_rate", "0.03"},
    {"m_threshold_input", "1"},
    {"m_threshold_hidden", "1"},
    {"m_threshold_output", "0.5"},
    {"alpha", "0.002"},
};

static const char *lively_value(const tacos_key_info *key) {
    for (size_t k = 0; k < sizeof lively / sizeof *lively; k++)
        if (strcmp(key->name, lively[k][0]) == 0)
            return lively[k][1];
    return key->default_value;
}

/* Sizes that a test can afford; the widths that fill vectors, and those that do not. */
static const struct {
    const char *name;
    size_t low, high;
} sizes[] = {{"inputs", 1, NEURONS_MAX}, {"outputs", 1, NEURONS_MAX}, {"steps", 1, 60}};

/* The same for those that are drawn like any other key. */
static const struct {
    const char *name;
    size_t low, high;
} counts[] = {{"tend_every", 1, 8},
              {"neurogenesis_neurons", 1, 5},
              {"rehearsal_every", 0, 12},
              {"rehearsal_means", 1, 4},
              {"rehearsal_rounds", 1, 2}};

static bool roll_small(Dice *dice, const tacos_key_info *key, char *text, size_t size) {
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        if (strcmp(key->name, counts[k].name) == 0) {
            (void)snprintf(text, size, "%zu", roll_count(dice, counts[k].low, counts[k].high));
            return true;
        }
    return false;
}

static void roll_choice(Dice *dice, const tacos_key_info *key, char *text, size_t size) {
    size_t n = 1;
    const char *at = key->choices;
    for (const char *c = at; *c; c++)
        n += *c == ',';
    for (size_t k = roll_word(dice) % n; k > 0; k--)
        at = strchr(at, ',') + 2;
    (void)snprintf(text, size, "%.*s", (int)strcspn(at, ","), at);
}

/* One value for all, or one for each of n. */
static void roll_reals(Dice *dice, const tacos_key_info *key, size_t n, char *text, size_t size) {
    size_t used = 0;
    n = n > 0 && roll_word(dice) % 2 ? n : 1;
    for (size_t k = 0; k < n; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%.17g", k ? "," : "",
                                 roll_real(dice, key));
}

static size_t roll_hidden(Dice *dice, char *text, size_t size) {
    size_t n = roll_word(dice) % 4, used = (size_t)snprintf(text, size, n ? "" : "none");
    for (size_t k = 0; k < n; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%zu", k ? "," : "",
                                 roll_count(dice, 1, NEURONS_MAX));
    return n;
}

static void roll_value(Dice *dice, const tacos_key_info *key, double wild, size_t n_hidden,
                       char *text, size_t size) {
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (strcmp(key->name, sizes[k].name) == 0) {
            (void)snprintf(text, size, "%zu", roll_count(dice, sizes[k].low, sizes[k].high));
            return;
        }
    if (strcmp(key->type, "choice") != 0 && roll(dice, 0, 1) >= wild)
        (void)snprintf(text, size, "%s", lively_value(key));
    else if (strcmp(key->type, "choice") == 0)
        roll_choice(dice, key, text, size);
    else if (strcmp(key->type, "reals") == 0)
        roll_reals(dice, key, n_hidden + (strcmp(key->name, "init_b") != 0), text, size);
    else if (strcmp(key->type, "bound") == 0 && roll_word(dice) % 4 == 0)
        (void)snprintf(text, size, "none");
    else if (strcmp(key->type, "real") == 0 || strcmp(key->type, "bound") == 0)
        (void)snprintf(text, size, "%.17g", roll_real(dice, key));
    else if (!roll_small(dice, key, text, size))
        fail_msg("a key of a kind that this test does not know: %s", key->name);
}

/* The text of a configuration. */
static void roll_config(Dice *dice, char *text, size_t size) {
    char value[600];
    tacos_key_info key;
    double wild = roll_word(dice) % 8 == 0 ? 1 : roll(dice, 0, 0.4);
    size_t n_hidden = roll_hidden(dice, value, sizeof value);
    size_t used = (size_t)snprintf(text, size, "hidden = %s\n", value);
    for (size_t i = 0; tacos_key(i, &key); i++) {
        if (!tacos_key_of_learner(&key) || strcmp(key.name, "hidden") == 0 ||
            key.group == TACOS_KEY_COLUMNS) /* which compute with whole numbers */
            continue;
        if (strcmp(key.name, "model") == 0) /* rivals are no learners */
            (void)snprintf(value, sizeof value, "%s",
                           models[roll_word(dice) % (uint32_t)columns_model].name);
        else
            roll_value(dice, &key, wild, n_hidden, value, sizeof value);
        used += (size_t)snprintf(text + used, size - used, "%s = %s\n", key.name, value);
        assert_true(used < size);
    }
}

/* ---- what it learns ---- */

static void learn(Dice *dice, tacos_learner *learner, tacos_error *err) {
    float intensity[NEURONS_MAX];
    uint8_t spikes[60 * NEURONS_MAX];
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
