/* test_kernel.c - the arithmetic below the inner loops, neurons and lists. Rows of synapses are in
 * test_rows.c; that all kernels give these bits, in tests/kernel. */
#include "kernel/kernel.h"
#include "kernel/lane.h"
#include "check.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const double EXP_BOUND = 2.5e-7; /* of exp(-x), up to LANE_EXP_MAX */
static const double CELL_BOUND = 1e-6;  /* of I and V after a few steps, both about 1 */

/* ---- exp(-x) ---- */

static double exp_error(float x) {
    double exact = exp(-(double)x);
    return fabs((double)lane_exp_neg(x) - exact) / exact;
}

static void exp_is_within_its_bound(void **state) {
    double worst = 0;
    (void)state;
    for (long i = 0; i <= 20L << 15; i++)
        worst = fmax(worst, exp_error((float)i * 0x1p-15f));
    Dice dice = {.game = 1};
    for (int i = 0; i < 500000; i++) /* off the grid, and tiny */
        worst = fmax(worst, exp_error((float)(20 * pow(roll(&dice, 0, 1), 1 + i % 8))));
    print_message("exp(-x): off by %.3g of its value\n", worst);
    assert_true(worst <= EXP_BOUND);
}

static void exp_of_0_is_1(void **state) {
    (void)state;
    assert_true(lane_exp_neg(0.0f) == 1.0f);
    assert_true(lane_exp_neg(FLT_TRUE_MIN) == 1.0f);
}

static void exp_is_constant_beyond_its_limit(void **state) {
    const float far[] = {nextafterf(20, 21), 21, 1e3f, FLT_MAX, INFINITY};
    (void)state;
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        assert_true(lane_exp_neg(far[i]) == lane_exp_neg(LANE_EXP_MAX));
    assert_true(lane_exp_neg(LANE_EXP_MAX) > 1e-9f);
}

/* It may step back by a last digit where its pieces meet, never more; and is never above 1. */
static void exp_falls_all_the_way(void **state) {
    float last = 1;
    (void)state;
    for (float x = 0x1p-26f; x < LANE_EXP_MAX; x = fmaxf(x * 1.00001f, nextafterf(x, 64))) {
        float y = lane_exp_neg(x);
        assert_true(y <= 1 && y <= last * (1 + 2 * FLT_EPSILON));
        last = y;
    }
}

/* ---- a b + c with one rounding ---- */

static size_t n_doubts;

static void assert_same(const char *who, float is, float wanted, float a, float b, float c) {
    bool same = isnan(wanted) ? isnan(is) : lane_bits(is) == lane_bits(wanted);
    if (!same)
        fail_msg("%s: %a * %a + %a is %a instead of %a", who, (double)a, (double)b, (double)c,
                 (double)is, (double)wanted);
}

/* Emulated, with doubt allowed and without it. */
static void try_fma(float a, float b, float c) {
    uint32_t doubt = 0;
    float wanted = fmaf(a, b, c), tried = lane_fma_or_doubt(a, b, c, &doubt);
    assert_same("lane_fma_slow", lane_fma_slow(a, b, c), wanted, a, b, c);
    assert_same("lane_fma", lane_fma(a, b, c), wanted, a, b, c);
    n_doubts += doubt != 0;
    if (!doubt)
        assert_same("lane_fma_or_doubt", tried, wanted, a, b, c);
}

/* The sum that the product all but cancels, and its neighbours. */
static void try_cancelling(float a, float b) {
    float c = -(a * b);
    try_fma(a, b, c);
    try_fma(a, b, nextafterf(c, INFINITY));
    try_fma(a, b, nextafterf(c, -INFINITY));
    try_fma(a, b, c * 2);
}

static float any_float(Dice *dice) {
    return lane_float(roll_word(dice));
}

static float with_exponent(Dice *dice, int exponent) {
    return ldexpf((roll_word(dice) % 2 ? -1.0f : 1.0f) * (float)roll(dice, 1, 2), exponent);
}

static void fma_of_special_numbers(void **state) {
    const float special[] = {0,
                             FLT_TRUE_MIN,
                             3 * FLT_TRUE_MIN,
                             FLT_MIN / 2,
                             FLT_MIN - FLT_TRUE_MIN,
                             FLT_MIN,
                             FLT_MIN + FLT_TRUE_MIN,
                             2 * FLT_MIN,
                             2 * FLT_MIN + FLT_TRUE_MIN,
                             0x1p-75f,
                             0x1.fffffep-64f,
                             0x1p-24f,
                             0x1.000002p-24f,
                             0.5f,
                             0x1.fffffep-1f,
                             1,
                             0x1.000002p0f,
                             3,
                             0x1.000002p23f,
                             0x1p24f,
                             0x1.000002p24f,
                             0x1.fffffep63f,
                             0x1p64f,
                             FLT_MAX / 2,
                             FLT_MAX,
                             INFINITY,
                             NAN};
    enum { N_SPECIAL = sizeof special / sizeof *special };
    (void)state;
    for (size_t k = 0; k < N_SPECIAL * N_SPECIAL * N_SPECIAL; k++)
        for (unsigned signs = 0; signs < 8; signs++) {
            float a = special[k % N_SPECIAL], b = special[k / N_SPECIAL % N_SPECIAL];
            float c = special[k / N_SPECIAL / N_SPECIAL];
            try_fma(signs & 1 ? -a : a, signs & 2 ? -b : b, signs & 4 ? -c : c);
        }
}

/* Any bits; numbers of like size; results among the subnormals; sums that cancel. */
static void fma_of_random_numbers(void **state) {
    Dice dice = {.game = 2};
    (void)state;
    for (int k = 0; k < 300000; k++) {
        int near = (int)(roll_word(&dice) % 60) - 30, low = (int)(roll_word(&dice) % 40) - 155;
        try_fma(any_float(&dice), any_float(&dice), any_float(&dice));
        try_fma(with_exponent(&dice, 0), with_exponent(&dice, 0), with_exponent(&dice, near));
        try_fma(with_exponent(&dice, -60), with_exponent(&dice, low + 60),
                with_exponent(&dice, (int)(roll_word(&dice) % 30) - 149));
        try_cancelling(with_exponent(&dice, 0), with_exponent(&dice, near));
        try_cancelling(with_exponent(&dice, -60), with_exponent(&dice, low + 60));
    }
}

/* Two floats whose product is 1 and a hair more or less: too little for a double to tell beside a
 * number 2^24 times as large. Sometimes it is 1. */
static void roll_near_1(Dice *dice, float *a, float *b) {
    const int64_t one = (int64_t)1 << 47;
    int64_t x = 1 << 23, y = 1 << 24;
    for (bool more = roll_word(dice) % 8; more; more = llabs(x * y - one) >= 1 << 18) {
        x = (1 << 23) + roll_word(dice) % (1 << 23);
        y = (one + x / 2) / x;
    }
    *a = (float)x * 0x1p-23f;
    *b = (float)y * 0x1p-24f;
}

/* c lies on a float, a b about half the way to the next. A third of them where floats begin to lie
 * no closer, and a quarter on a power of 2, below which they may lie twice as close. */
static void fma_halfway(void **state) {
    Dice dice = {.game = 3};
    (void)state;
    n_doubts = 0;
    for (int k = 0; k < 150000; k++) {
        float a, b;
        uint32_t above = roll_word(&dice) % 4 ? roll_word(&dice) % (1 << 23) : 0;
        int scale = roll_word(&dice) % 3 ? (int)(roll_word(&dice) % 200) - 149 : -149;
        float c = ldexpf((float)((1 << 23) + above), scale); /* apart by 2^scale */
        roll_near_1(&dice, &a, &b);
        a = ldexpf(a, scale / 2);
        b = ldexpf(b, scale - scale / 2 - 1);
        try_fma(a, b, c);
        try_fma(a, b, -c);
        try_fma(a, b / 2, -c);
    }
    print_message("fma: doubt about %zu of 450000 sums near halfway\n", n_doubts);
}

/* ---- neurons ---- */

enum { LANES = KERNEL_LANES };
static const Span ALL = {0, LANES};

/* A block of neurons that all hear the same; the first is looked at. */
typedef struct Cells {
    _Alignas(64) float i[LANES], v[LANES], u[LANES], input[LANES], error[LANES], drive[LANES];
    _Alignas(64) float before[LANES], after[LANES];
    _Alignas(64) int32_t hold[LANES];
    uint16_t spiked;
} Cells;

static Neurons neurons_of(Cells *c) {
    return (Neurons){.i = c->i, .v = c->v, .u = c->u, .hold = c->hold};
}

static bool fire(Cells *c, float input, const NeuronRule *rule) {
    Neurons neurons = neurons_of(c);
    for (size_t k = 0; k < LANES; k++)
        c->input[k] = input;
    kernel_ref.neurons_fire(&neurons, c->input, rule, &c->spiked, c->before, c->after, ALL);
    assert_memory_equal(c->v, c->v + LANES / 2, LANES / 2 * sizeof *c->v);
    assert_true(c->spiked == 0 || c->spiked == 0xffff);
    assert_true(c->after[3] == c->before[3] + (c->spiked ? rule->alpha : 0));
    memcpy(c->before, c->after, sizeof c->before);
    return c->spiked;
}

static void refractoriness_lasts_exactly_hold_steps(void **state) {
    (void)state;
    for (int32_t hold = 0; hold < 6; hold++) {
        NeuronRule rule = {
            .syn = 1, .mem = 1, .r = 1, .v_th = 1, .v_min = -0.1f, .hold = hold, .alpha = 0.25f};
        Cells c = {0};
        for (int step = 0; step < 30; step++) {
            assert_int_equal(fire(&c, 5, &rule), step % (hold + 1) == 0);
            assert_true(c.v[0] == 0 && c.i[0] == 5);
        }
        assert_true(c.after[0] == 0.25f * (float)((30 + hold) / (hold + 1)));
    }
}

static void membrane_is_leaky_and_has_a_floor(void **state) {
    NeuronRule rule = {
        .syn = 0.1f, .mem = 0.05f, .r = 5, .v_th = 2, .v_min = -0.2f, .hold = 4, .alpha = 0.25f};
    const float inputs[] = {0.3f, -0.1f, 0.2f, -3, -3, -3, -3, 0.5f, 0.5f};
    Cells c = {0};
    double i = 0, v = 0, worst = 0;
    bool at_floor = false;
    (void)state;
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++) {
        assert_false(fire(&c, inputs[k], &rule));
        i += (double)rule.syn * ((double)inputs[k] - i);
        v = fmax(v + (double)rule.mem * ((double)rule.r * i - v), (double)rule.v_min);
        at_floor |= c.v[0] == rule.v_min;
        worst = fmax(worst, fmax(fabs((double)c.i[0] - i), fabs((double)c.v[0] - v)));
    }
    print_message("I and V: off by %.3g\n", worst);
    assert_true(worst <= CELL_BOUND);
    assert_true(at_floor);
}

static void threshold_itself_fires(void **state) {
    NeuronRule rule = {
        .syn = 1, .mem = 1, .r = 1, .v_th = 1, .v_min = -0.1f, .hold = 4, .alpha = 0.25f};
    Cells below = {0}, at = {0};
    (void)state;
    assert_false(fire(&below, nextafterf(1, 0), &rule));
    assert_true(fire(&at, 1, &rule));
}

/* I_min < I < I_max moves weights; U follows the error whatever the gate does. */
static void gate_is_an_open_interval(void **state) {
    NeuronRule rule = {.u = 0.5f, .r_u = 4, .eta = 0.25f, .i_min = -11, .i_max = 13};
    Cells c = {.i = {-12, -11, nextafterf(-11, 0), 0, nextafterf(13, 0), 13, 14}};
    Neurons neurons = neurons_of(&c);
    (void)state;
    for (size_t k = 0; k < 7; k++)
        c.error[k] = 1;
    assert_int_equal(kernel_ref.neurons_feel(&neurons, c.error, c.drive, &rule, ALL), 3);
    for (size_t k = 0; k < 7; k++) {
        assert_true(c.u[k] == 2);
        assert_true(c.drive[k] == (k >= 2 && k <= 4 ? 0.5f : 0));
    }
    (void)kernel_ref.neurons_feel(&neurons, NULL, c.drive, &rule, ALL);
    assert_true(c.u[3] == 1); /* the leak */
}

/* ---- all steps at once ---- */

enum { STEPS = 40, PRE = 9 };

typedef struct Film {
    _Alignas(64) float w[PRE * LANES], input[STEPS * LANES];
    size_t at[STEPS + 1];
    uint32_t row[STEPS * PRE + LANES];
    Events events;
} Film;

static void roll_film(Film *film, Dice *dice) {
    size_t n = 0;
    for (size_t k = 0; k < PRE * LANES; k++)
        film->w[k] = (float)roll(dice, -0.5, 1);
    for (size_t t = 0; t < STEPS; t++) {
        film->at[t] = n;
        for (uint32_t j = 0; j < PRE; j++)
            if (roll_word(dice) % 3 == 0)
                film->row[n++] = j;
    }
    film->at[STEPS] = n;
    film->events = (Events){.n_steps = STEPS, .at = film->at, .row = film->row};
}

static void all_steps_at_once_are_one_after_the_other(void **state) {
    NeuronRule rule = {.syn = 0.3f, .mem = 0.2f, .r = 3, .v_th = 1, .v_min = -0.1f, .hold = 2};
    uint16_t spiked[STEPS];
    size_t n_spikes = 0;
    Dice dice = {.game = 4};
    Film film;
    Cells c = {0};
    Neurons neurons = neurons_of(&c);
    (void)state;
    roll_film(&film, &dice);
    kernel_ref.steps_sum(film.w, LANES, &film.events, film.input, ALL);
    kernel_ref.steps_fire(film.w, LANES, &film.events, &rule, spiked, ALL);
    for (size_t t = 0; t < STEPS; t++) {
        float sum[LANES] = {0};
        for (size_t k = film.at[t]; k < film.at[t + 1]; k++)
            for (size_t i = 0; i < LANES; i++)
                sum[i] += film.w[film.row[k] * LANES + i];
        assert_memory_equal(sum, film.input + t * LANES, sizeof sum);
        kernel_ref.neurons_fire(&neurons, sum, &rule, &c.spiked, c.before, c.after, ALL);
        assert_int_equal(spiked[t], c.spiked);
        n_spikes += (size_t)__builtin_popcount(c.spiked);
    }
    assert_true(n_spikes > STEPS);
}

/* ---- random numbers, lists ---- */

static void draws_are_the_numbers_of_that_name(void **state) {
    const uint32_t key[2] = {7, RNG_INPUT};
    const uint64_t sample = 0x123456789a;
    enum { T = 11, WORDS = 2 };
    uint16_t spiked[T * WORDS];
    uint32_t index[LANES], limit[LANES];
    Dice dice = {.game = 5};
    (void)state;
    memset(spiked, 0xff, sizeof spiked);
    for (uint32_t i = 0; i < LANES; i++) {
        index[i] = 3 * i;
        limit[i] = i == 0 ? 0 : i == 1 ? UINT32_MAX : roll_word(&dice);
    }
    limit[2] = rng_block(7, RNG_INPUT, sample, 1, 6).word[2]; /* of step 6, and just enough */
    kernel_ref.draw(key, sample, index, limit, spiked + 1, WORDS, T);
    for (uint32_t t = 0; t < T; t++) {
        assert_int_equal(spiked[t * WORDS], 0xffff);
        for (size_t i = 0; i < LANES; i++) {
            RngBlock block = rng_block(7, RNG_INPUT, sample, t / 4, index[i]);
            assert_int_equal(spiked[t * WORDS + 1] >> i & 1, block.word[t % 4] <= limit[i]);
        }
    }
    assert_true(spiked[6 * WORDS + 1] >> 2 & 1);
}

static void collecting_lists_columns_in_order(void **state) {
    const uint16_t mask[] = {0x8001, 0, 0x0006};
    uint32_t column[3 * LANES], list[3 * LANES + LANES];
    const uint32_t wanted[] = {1000, 1015, 1033, 1034};
    (void)state;
    for (uint32_t i = 0; i < 3 * LANES; i++)
        column[i] = 1000 + i;
    assert_int_equal(kernel_ref.collect(list, mask, 3, column), 4);
    assert_memory_equal(list, wanted, sizeof wanted);
    assert_int_equal(kernel_ref.collect(list, mask, 0, column), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_is_within_its_bound),
        cmocka_unit_test(exp_of_0_is_1),
        cmocka_unit_test(exp_is_constant_beyond_its_limit),
        cmocka_unit_test(exp_falls_all_the_way),
        cmocka_unit_test(fma_of_special_numbers),
        cmocka_unit_test(fma_of_random_numbers),
        cmocka_unit_test(fma_halfway),
        cmocka_unit_test(refractoriness_lasts_exactly_hold_steps),
        cmocka_unit_test(membrane_is_leaky_and_has_a_floor),
        cmocka_unit_test(threshold_itself_fires),
        cmocka_unit_test(gate_is_an_open_interval),
        cmocka_unit_test(all_steps_at_once_are_one_after_the_other),
        cmocka_unit_test(draws_are_the_numbers_of_that_name),
        cmocka_unit_test(collecting_lists_columns_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
