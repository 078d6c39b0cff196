/* test_oracle_columns.c - columns against examples/columns.c, after every sample of random small
 * learners: every bit of what was learned, and every answer.
 *
 * What happened is counted, so that agreement about nothing cannot pass. */
#include "follow_columns.h"
#include "net/learner.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { LEARNERS = 104, SAMPLES = 260, STEPS_MAX = 40 };

/* A repeatable choice of learners and samples. */
typedef struct Dice {
    uint32_t learner, turn;
} Dice;

static uint32_t roll_word(Dice *dice) {
    return rng_block(20261118, (RngPurpose)97, dice->learner, dice->turn++, 0).word[0];
}

static size_t roll_count(Dice *dice, size_t low, size_t high) {
    return low + (size_t)((uint64_t)roll_word(dice) * (high - low + 1) >> 32);
}

/* One of a few, most of which a default is among. */
#define ROLL_OF(dice, ...)                                                                         \
    ((const double[]){__VA_ARGS__}[roll_count(                                                     \
        dice, 0, sizeof((const double[]){__VA_ARGS__}) / sizeof(double) - 1)])

/* ---- configurations ---- */

/* Images, some of them large for their cells; signals, standing and lying; vectors. */
static void roll_shape(Dice *dice, Params *p) {
    size_t height = roll_count(dice, 2, 18), width = roll_count(dice, 2, 18);
    ColumnsParams *keys = &p->columns;
    if (dice->learner % 8 == 0) {
        height = roll_count(dice, 20, 48);
        width = roll_count(dice, 20, 48);
    }
    if (dice->learner % 8 == 1)
        height = 1;
    if (dice->learner % 8 == 2)
        width = 1;
    keys->shape = (Counts){2, {height, width}};
    if (dice->learner % 8 == 3) {
        keys->shape.n = 3;
        keys->shape.value[2] = roll_count(dice, 1, 3);
    }
    p->n_inputs = height * width * (keys->shape.n == 3 ? keys->shape.value[2] : 1);
    if (dice->learner % 8 == 4) {
        keys->shape.n = 0;
        keys->group = roll_count(dice, 0, 1) ? roll_count(dice, 2, 6) : 1;
        p->n_inputs = roll_count(dice, 1, 300 / keys->group) * keys->group;
    }
}

static void roll_geometry(Dice *dice, Params *p) {
    ColumnsParams *keys = &p->columns;
    keys->features = (int)roll_count(dice, 0, 2);
    keys->cells = (size_t)ROLL_OF(dice, 0, 0, 0, 1, 2, 3, 5, 8, 12);
    keys->window = (size_t)ROLL_OF(dice, 0, 0, 0, 1, 2, 3, 4, 6);
    keys->stride = (size_t)ROLL_OF(dice, 0, 0, 1, 2, 3);
    keys->places = (size_t)ROLL_OF(dice, 0, 0, 1, 5, 30);
    keys->looks = (size_t)ROLL_OF(dice, 1, 1, 1, 2, 5, 9);
    keys->look_cost = ROLL_OF(dice, 0.01, 0, 0.3, 1);
    keys->contrast = ROLL_OF(dice, 0, 0, 0.001, 0.1, 0.3);
}

/* A vector whose only place soon lacks units: some that were used are recycled. */
static void roll_crowd(Dice *dice, ColumnsParams *keys) {
    keys->places = 1;
    keys->n_units = roll_count(dice, 9, 16);
    keys->match = ROLL_OF(dice, 0.8, 0.95);
    keys->match_error = 0;
    keys->recycle = 8;
    keys->recycle_uses = 0;
}

/* A vector of so many values that a few sums of them all would not fit. */
static void roll_long(Dice *dice, Params *p) {
    p->n_inputs = roll_count(dice, 200, 300);
    p->columns.input = COLUMN_INPUT_VALUES;
    p->columns.group = 1;
    p->columns.window = roll_count(dice, 2, 5);
    p->columns.contrast = 0;
}

/* Memory is full within a few samples. */
static void roll_rule(Dice *dice, Params *p) {
    ColumnsParams *keys = &p->columns;
    keys->n_units = roll_count(dice, 0, 3) > 0 ? roll_count(dice, 1, 90) : 0;
    keys->memory_kb = ROLL_OF(dice, 1, 2, 4, 8);
    keys->match = ROLL_OF(dice, 0, 0, 0.5, 0.8, 0.95, 1);
    keys->match_error =
        keys->match > 0 ? ROLL_OF(dice, 0, 0, 1, keys->match) : ROLL_OF(dice, 0, 0.9);
    keys->match_step = ROLL_OF(dice, 0.0005, 0, 0.02, 0.1);
    keys->settle = (int)roll_count(dice, 0, 2);
    keys->inherit = ROLL_OF(dice, 2, 0, 0.3, 40);
    keys->recycle = (size_t)ROLL_OF(dice, 8, 8, 0, 2);
    keys->recycle_uses = (size_t)ROLL_OF(dice, 3, 0, 30);
    keys->trust = ROLL_OF(dice, 0.0003, 0, 0.02, 1);
}

/* What examples/columns.c has room for. */
static bool is_small(const ReferenceRule *rule) {
    int n = rule->edges ? DIRECTIONS : rule->channels;
    return rule->cells_high * rule->cells_wide * n <= CELL_VALUES && rule->n_places <= PLACES &&
           follow_window(rule) <= WINDOW && rule->n_units <= UNITS;
}

static Params roll_params(Dice *dice, ReferenceRule *rule) {
    for (;;) {
        Params p;
        params_defaults(&p);
        p.model = columns_model;
        p.n_outputs = roll_count(dice, 1, 5);
        p.n_steps = roll_count(dice, 1, STEPS_MAX);
        p.input_rate_hz = ROLL_OF(dice, 250, 30, 1000);
        p.columns.input = dice->learner % 3 == 2;
        roll_shape(dice, &p);
        roll_geometry(dice, &p);
        roll_rule(dice, &p);
        if (dice->learner % 16 == 12)
            roll_crowd(dice, &p.columns);
        if (dice->learner % 32 == 20)
            roll_long(dice, &p);
        if (params_check(&p, NULL) != TACOS_OK)
            continue;
        *rule = follow_rule(&p);
        if (is_small(rule))
            return p;
    }
}

/* ---- samples ---- */

/* A few patterns with noise, the same for several outputs; some samples are dark, some have nothing
 * but black and white. */
static size_t roll_sample(Dice *dice, const Params *p, float *intensity) {
    size_t target = roll_count(dice, 0, 2) ? 0 : roll_count(dice, 0, p->n_outputs - 1);
    uint32_t kind = roll_word(dice), pattern = roll_count(dice, 0, 3) ? (uint32_t)target : kind % 3;
    for (size_t j = 0; j < p->n_inputs; j++) {
        uint32_t word = roll_word(dice);
        RngBlock block = rng_block(dice->learner, (RngPurpose)96, pattern, (uint32_t)j / 3, 0);
        uint32_t value = block.word[0] >> 24;
        if (word % 8 == 0)
            value = word >> 24;
        if (kind % 16 == 1)
            value = word & 256 ? 255 : 0;
        intensity[j] = kind % 16 == 0 && j > p->n_inputs / 3 ? 0 : (float)value / 255.0f;
    }
    return target;
}

static size_t roll_spikes(Dice *dice, const Params *p, uint8_t *spikes) {
    size_t n_steps = roll_count(dice, 0, p->n_steps);
    for (size_t i = 0; i < n_steps * p->n_inputs; i++)
        spikes[i] = (uint8_t)(roll_word(dice) % 3 + i % 2 > 1 ? i | 1 : 0);
    return n_steps;
}

/* ---- comparison ---- */

static ReferenceColumns reference;

static void same(int64_t engine, int64_t expected, const char *what, size_t place, size_t i) {
    if (engine != expected)
        fail_msg("%s: engine %lld, reference %lld at place %zu, %zu; sample %llu", what,
                 (long long)engine, (long long)expected, place, i,
                 (unsigned long long)reference.n_learned);
}

static void same_unit(const Columns *c, size_t p, size_t k) {
    size_t unit = columns_unit(c, p, k);
    int u = unit_of(&reference, (int)p, (int)k);
    assert_true(u >= 0);
    for (size_t d = 0; d < c->geometry.n_values; d++)
        same(*columns_value(c, unit, d), reference.units[u].t[d], "template", p, d);
    same(c->uses[unit], reference.units[u].uses, "uses", p, k);
    for (size_t o = 0; o < c->n_outputs; o++)
        same(columns_counts(c, unit)[o], reference.units[u].counts[o], "count", p, o);
}

static void same_state(const Columns *c) {
    same((int64_t)c->n_units, reference.n_units, "units", 0, 0);
    for (size_t o = 0; o < c->n_outputs; o++)
        same(c->totals[o], reference.totals[o], "total", 0, o);
    for (size_t p = 0; p < c->geometry.n_places; p++) {
        const ReferencePlace *place = &reference.places[p];
        same(c->trust[p], place->trust, "trust", p, 0);
        same(c->match[p], place->theta, "theta", p, 0);
        for (size_t o = 0; o < c->n_outputs; o++)
            same(c->silent[p * c->n_outputs + o], place->silent[o], "silent", p, o);
        for (size_t k = 0; k < c->place_units[p]; k++)
            same_unit(c, p, k);
        assert_true(unit_of(&reference, (int)p, (int)c->place_units[p]) == NOBODY);
    }
}

/* The answer, and by how much each output is likelier than the least likely one. */
static void same_answer(const tacos_prediction *engine, int answer) {
    int64_t least = answer == NOBODY ? 0 : reference.score[answer];
    same(engine->output, answer, "answer", 0, 0);
    for (int o = 0; o < reference.rule.n_outputs; o++)
        if (reference.totals[o] > 0 && reference.score[o] < least)
            least = reference.score[o];
    for (int o = 0; o < reference.rule.n_outputs; o++)
        same(engine->counts[o], reference.totals[o] > 0 ? reference.score[o] - least + 1 : 0,
             "strength", 0, (size_t)o);
}

static void same_novelty(const ColumnsNovelty *engine, int answer) {
    FollowedNovelty expected = follow_novelty(&reference, answer);
    same(engine->disagreement, expected.disagreement, "disagreement", 0, 0);
    same(engine->unlikeness, expected.unlikeness, "unlikeness", 0, 0);
}

static size_t n_silent, n_right, n_wrong;

static void predict(Learner *learner, const float *intensity, size_t target, uint64_t draw) {
    static int counts[INPUTS];
    const Params *p = &learner->net.params;
    tacos_prediction guess;
    assert_int_equal(tacos_learner_predict(learner, intensity, p->n_inputs, draw, &guess, NULL),
                     TACOS_OK);
    follow_intensities(p, learner->net.seed, RNG_PREDICT, draw, intensity, counts);
    same_answer(&guess, reference_answer(&reference, counts));
    same_novelty(&learner->view.novelty, guess.output);
    n_right += guess.output == (int)target;
    n_wrong += guess.output != (int)target;
    for (int place = 0; place < reference.n_places; place++)
        n_silent += (size_t)reference.places[place].is_silent;
}

/* From spikes that are given. */
static void learn_spikes(Learner *learner, Dice *dice, size_t target) {
    static int counts[INPUTS];
    static uint8_t spikes[STEPS_MAX * INPUTS];
    const Params *p = &learner->net.params;
    size_t n_steps = roll_spikes(dice, p, spikes);
    tacos_prediction guess;
    follow_spikes(p, spikes, n_steps, counts);
    assert_int_equal(
        tacos_learner_predict_spikes(learner, spikes, n_steps, p->n_inputs, &guess, NULL),
        TACOS_OK);
    same_answer(&guess, reference_answer(&reference, counts));
    assert_int_equal(
        tacos_learner_learn_spikes(learner, spikes, n_steps, p->n_inputs, target, NULL), TACOS_OK);
    reference_learn(&reference, counts, (int)target);
}

static void learn_intensities(Learner *learner, const float *intensity, size_t target) {
    static int counts[INPUTS];
    const Params *p = &learner->net.params;
    follow_intensities(p, learner->net.seed, RNG_INPUT, reference.n_learned, intensity, counts);
    assert_int_equal(tacos_learner_learn(learner, intensity, p->n_inputs, target, NULL), TACOS_OK);
    reference_learn(&reference, counts, (int)target);
}

static void follow_learner(Dice *dice, size_t n_samples) {
    static float intensity[INPUTS];
    ReferenceRule rule;
    Params params = roll_params(dice, &rule);
    Learner *learner;
    assert_int_equal(learner_new(&learner, &params, 100 + dice->learner, NULL, NULL), TACOS_OK);
    learner->view.wants_novelty = true;
    reference_start(&reference, &rule, 100 + dice->learner);
    assert_int_equal(learner->columns.geometry.n_places, reference.n_places);
    assert_int_equal(learner->columns.geometry.n_values, reference.window);
    assert_int_equal(learner->columns.most_units, rule.n_units);
    for (uint64_t k = 0; k < n_samples; k++) {
        size_t target = roll_sample(dice, &params, intensity);
        predict(learner, intensity, target, k);
        if (k % 16 == 9)
            learn_spikes(learner, dice, target);
        else
            learn_intensities(learner, intensity, target);
        same_state(&learner->columns);
    }
    tacos_learner_free(learner);
}

static void test_columns_are_the_reference(void **state) {
    (void)state;
    for (uint32_t n = 0; n < LEARNERS; n++) {
        Dice dice = {.learner = n};
        follow_learner(&dice, SAMPLES);
    }
    printf("%d learners, %d samples each: %zu right, %zu wrong, %zu silences;", LEARNERS, SAMPLES,
           n_right, n_wrong, n_silent);
    for (size_t k = 0; k < EVENTS; k++) {
        printf(" %llu", (unsigned long long)n_events[k]);
        assert_true(n_events[k] > 500);
    }
    printf(" events\n");
    assert_true(n_right > 5000 && n_wrong > 2000 && n_silent > 5000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
