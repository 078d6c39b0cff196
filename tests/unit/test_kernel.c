/* test_kernel.c - the inner loops against the formulas of the specification in double precision. */
#include "row_bench.h"

#include <float.h>
#include <math.h>

/* ---- exp(-x) --------------------------------------------------------------------------------- */

static const double EXP_BOUND = 2.5e-7;

static double exp_error(float x) {
    double exact = exp(-(double)x);
    return fabs((double)kernel_exp_neg(x) - exact) / exact;
}

static void exp_is_within_its_bound(void **state) {
    double worst = 0;
    (void)state;
    for (long i = 0; i <= 64L << 15; i++)
        worst = fmax(worst, exp_error((float)i * 0x1p-15f));
    Dice dice = {.game = 1};
    for (int i = 0; i < 500000; i++) /* off the grid, and tiny */
        worst = fmax(worst, exp_error((float)(64 * pow(roll(&dice, 0, 1), 1 + i % 8))));
    print_message("worst relative error of exp(-x): %.3g\n", worst);
    assert_true(worst <= EXP_BOUND);
}

static void exp_of_0_is_1(void **state) {
    (void)state;
    assert_true(kernel_exp_neg(0.0f) == 1.0f);
    assert_true(kernel_exp_neg(FLT_TRUE_MIN) == 1.0f);
}

static void exp_is_constant_beyond_64(void **state) {
    const float far[] = {nextafterf(64, 65), 65, 1e3f, FLT_MAX, INFINITY};
    (void)state;
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        assert_true(kernel_exp_neg(far[i]) == kernel_exp_neg(64.0f));
    assert_true(kernel_exp_neg(64.0f) > FLT_MIN);
}

/* It may step back by a last digit where its pieces meet, never more; and is never above 1. */
static void exp_falls_all_the_way(void **state) {
    float last = 1;
    (void)state;
    for (float x = 0x1p-26f; x < 64; x = fmaxf(x * 1.00001f, nextafterf(x, 64))) {
        float y = kernel_exp_neg(x);
        assert_true(y <= 1 && y <= last * (1 + 2 * FLT_EPSILON));
        last = y;
    }
}

/* ---- rows of synapses ------------------------------------------------------------------------ */

typedef struct Found {
    double series, rounding; /* worst: of |w - w_ref|, and ulps beyond the bound */
    size_t at_once, one_by_one, crossing;
} Found;

static const double SERIES_BOUND = 2e-5; /* of |w - w_ref|; kernel.h promises it */
/* Beyond the bound: a few roundings at once, and half an ulp a step one by one. */
static const double ROUNDING_ULPS = 2, ROUNDING_A_STEP = 0.5;

static void judge(Found *found, const Bench *b, size_t i) {
    double w = b->w_before[i], w_ref = (double)b->w_ref[i], alpha = (double)b->rule.alpha;
    double d = fabs(w - w_ref), g = alpha * exp(-fabs(b->m[i] * w));
    int k = b->now[i] - b->after[i];
    double exact = decays(w, w_ref, b->m[i], k, alpha), off = fabs((double)b->w[i] - exact);
    double scale = fmax(fabs(w), fabs(w_ref));
    double beyond = (off - SERIES_BOUND * d) / ulp(scale);
    bool crosses = (exact < 0) != (w < 0);
    bool small = k * g * (1 + b->m[i] * d) < 0.999 * (double)KERNEL_DECAY_AT_ONCE && !crosses;
    found->at_once += k > 1 && small;
    found->one_by_one += k > 1 && !small;
    found->crossing += crosses;
    if (small && d > 0.5 * scale) /* where rounding does not hide the series */
        found->series = fmax(found->series, off / d);
    found->rounding = fmax(found->rounding, beyond);
    if (!(beyond <= ROUNDING_ULPS + (small ? 0 : k * ROUNDING_A_STEP)))
        fail_msg("%d decays, w %.9g, w_ref %.9g, m %.9g, alpha %.9g: %.9g instead of %.9g", k, w,
                 w_ref, b->m[i], alpha, (double)b->w[i], exact);
}

static void decays_at_once_are_the_stepwise_rule(void **state) {
    const char *names[KINDS] = {"m 0", "m the same", "m by steps"};
    (void)state;
    for (Kind kind = M_0; kind < KINDS; kind++) {
        Found found = {0};
        for (uint32_t game = 0; game < 3000; game++) {
            Bench b = roll_bench(game, kind);
            catch_up(&b, false, true);
            for (size_t i = 0; i < USED; i++)
                judge(&found, &b, i);
        }
        print_message("%s: %zu decays at once, %zu one by one, %zu cross 0; series off by %.3g of "
                      "|w - w_ref|, rounding by %.3g ulps\n",
                      names[kind], found.at_once, found.one_by_one, found.crossing, found.series,
                      found.rounding);
        assert_true(found.at_once > 10000 && found.one_by_one > 2000 && found.crossing > 1000);
    }
}

/* The error first, with the decay of its step; then the decays of the steps since. */
static void owed_error_comes_before_later_decays(void **state) {
    (void)state;
    for (uint32_t game = 0; game < 3000; game++) {
        Bench b = roll_bench(game, (Kind)(game % KINDS));
        bool later = game % 2;
        if (!later)
            memcpy(b.now, b.after, sizeof b.now);
        catch_up(&b, true, true);
        for (size_t i = 0; i < USED; i++) {
            double alpha = (double)b.rule.alpha, w_ref = (double)b.w_ref[i], w = b.w_before[i];
            double pull = alpha * (w - w_ref) * (b.after[i] - b.before[i]);
            w -= exp(-fabs(b.m[i] * w)) * ((double)b.drive[i] + pull);
            double bound = 4 * ulp(fmax(fabs(b.w_before[i]), fabs(w_ref)) + 0.05);
            bound += later ? SERIES_BOUND * fabs(w - w_ref) : 0;
            w = decays(w, w_ref, b.m[i], b.now[i] - b.after[i], alpha);
            if (!(fabs((double)b.w[i] - w) <= bound))
                fail_msg("game %u, %zu: %.9g instead of %.9g", game, i, (double)b.w[i], w);
        }
    }
}

static void without_reference_only_the_error_counts(void **state) {
    (void)state;
    for (uint32_t game = 0; game < 300; game++) {
        Bench b = roll_bench(game, (Kind)(game % KINDS));
        catch_up(&b, true, false);
        for (size_t i = 0; i < USED; i++) {
            double w = b.w_before[i] - exp(-fabs(b.m[i] * b.w_before[i])) * (double)b.drive[i];
            assert_true(fabs((double)b.w[i] - w) <= 2 * ulp(fabs(b.w_before[i]) + 0.05));
        }
    }
}

static void padding_stays_0_and_reference_stays(void **state) {
    (void)state;
    for (uint32_t game = 0; game < 300; game++) {
        Bench b = roll_bench(game, (Kind)(game % KINDS)), was = b;
        catch_up(&b, game % 2, true);
        for (size_t i = USED; i < N; i++)
            assert_true(b.w[i] == 0 && !signbit(b.w[i]));
        assert_memory_equal(b.w_ref, was.w_ref, sizeof b.w_ref);
        assert_memory_equal(b.m_steps, was.m_steps, sizeof b.m_steps);
    }
}

static void strengthening_stops_at_the_ceiling(void **state) {
    const uint16_t ceilings[] = {0, 1, 7, UINT16_MAX};
    (void)state;
    for (size_t c = 0; c < 4; c++) {
        uint16_t top = ceilings[c], below = (uint16_t)(top ? top - 1 : 0);
        _Alignas(64) uint16_t m[16] = {0, below, top, 0}, ready[16] = {1, 1, 1, 0};
        kernel_row_strengthen(m, ready, top, 16);
        assert_int_equal(m[0], top ? 1 : 0);
        assert_int_equal(m[1], top);
        assert_int_equal(m[2], top);
        assert_int_equal(m[3], 0);
    }
}

static void consolidation_moves_the_reference_alone(void **state) {
    Bench b = roll_bench(1, M_0), was = b;
    (void)state;
    kernel_row_consolidate((Row){b.w, b.w_ref, NULL}, 0.006f, N);
    assert_memory_equal(b.w, was.w, sizeof b.w);
    for (size_t i = 0; i < USED; i++) {
        double ref = (double)was.w_ref[i];
        ref += (double)0.006f * ((double)b.w[i] - ref);
        assert_true(fabs((double)b.w_ref[i] - ref) <= ulp(ref));
        assert_true(b.w_ref[i] != was.w_ref[i]);
    }
}

/* ---- neurons --------------------------------------------------------------------------------- */

/* Sixteen neurons that all hear the same; the first is looked at. */
typedef struct Cells {
    _Alignas(64) float i[16], v[16], u[16], input[16], error[16], drive[16];
    _Alignas(64) int32_t hold[16];
    _Alignas(64) uint8_t spiked[16];
} Cells;

static void fire(Cells *c, float input, const NeuronRule *rule) {
    Neurons neurons = {c->i, c->v, c->u, c->hold, c->spiked};
    for (size_t k = 0; k < 16; k++)
        c->input[k] = input;
    kernel_neurons_fire(&neurons, c->input, rule, 16);
    assert_memory_equal(c->v, c->v + 8, 8 * sizeof *c->v);
}

static void refractoriness_lasts_exactly_hold_steps(void **state) {
    (void)state;
    for (int32_t hold = 0; hold < 6; hold++) {
        NeuronRule rule = {.syn = 1, .mem = 1, .r = 1, .v_th = 1, .v_min = -0.1f, .hold = hold};
        Cells c = {0};
        for (int step = 0; step < 30; step++) {
            fire(&c, 5, &rule);
            assert_int_equal(c.spiked[0], step % (hold + 1) == 0);
            assert_true(c.v[0] == 0 && c.i[0] == 5);
        }
    }
}

static void membrane_is_leaky_and_has_a_floor(void **state) {
    NeuronRule rule = {.syn = 0.1f, .mem = 0.05f, .r = 5, .v_th = 2, .v_min = -0.2f, .hold = 4};
    const float inputs[] = {0.3f, -0.1f, 0.2f, -3, -3, -3, -3, 0.5f, 0.5f};
    Cells c = {0};
    double i = 0, v = 0;
    bool at_floor = false;
    (void)state;
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; k++) {
        fire(&c, inputs[k], &rule);
        i += (double)rule.syn * ((double)inputs[k] - i);
        v = fmax(v + (double)rule.mem * ((double)rule.r * i - v), (double)rule.v_min);
        at_floor |= c.v[0] == rule.v_min;
        assert_true(fabs((double)c.i[0] - i) < 1e-6 && fabs((double)c.v[0] - v) < 1e-6);
        assert_int_equal(c.spiked[0], 0);
    }
    assert_true(at_floor);
}

static void threshold_itself_fires(void **state) {
    NeuronRule rule = {.syn = 1, .mem = 1, .r = 1, .v_th = 1, .v_min = -0.1f, .hold = 4};
    Cells below = {0}, at = {0};
    (void)state;
    fire(&below, nextafterf(1, 0), &rule);
    fire(&at, 1, &rule);
    assert_int_equal(below.spiked[0], 0);
    assert_int_equal(at.spiked[0], 1);
}

/* I_min < I < I_max moves weights; U follows the error whatever the gate does. */
static void gate_is_an_open_interval(void **state) {
    NeuronRule rule = {.u = 0.5f, .r_u = 4, .eta = 0.25f, .i_min = -11, .i_max = 13};
    Cells c = {.i = {-12, -11, nextafterf(-11, 0), 0, nextafterf(13, 0), 13, 14}};
    Neurons neurons = {c.i, c.v, c.u, c.hold, c.spiked};
    (void)state;
    for (size_t k = 0; k < 7; k++)
        c.error[k] = 1;
    assert_int_equal(kernel_neurons_feel(&neurons, c.error, c.drive, &rule, 16), 3);
    for (size_t k = 0; k < 7; k++) {
        assert_true(c.u[k] == 2);
        assert_true(c.drive[k] == (k >= 2 && k <= 4 ? 0.5f : 0));
    }
    memset(c.error, 0, sizeof c.error);
    (void)kernel_neurons_feel(&neurons, c.error, c.drive, &rule, 16);
    assert_true(c.u[3] == 1); /* the leak */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exp_is_within_its_bound),
        cmocka_unit_test(exp_of_0_is_1),
        cmocka_unit_test(exp_is_constant_beyond_64),
        cmocka_unit_test(exp_falls_all_the_way),
        cmocka_unit_test(decays_at_once_are_the_stepwise_rule),
        cmocka_unit_test(owed_error_comes_before_later_decays),
        cmocka_unit_test(without_reference_only_the_error_counts),
        cmocka_unit_test(padding_stays_0_and_reference_stays),
        cmocka_unit_test(strengthening_stops_at_the_ceiling),
        cmocka_unit_test(consolidation_moves_the_reference_alone),
        cmocka_unit_test(refractoriness_lasts_exactly_hold_steps),
        cmocka_unit_test(membrane_is_leaky_and_has_a_floor),
        cmocka_unit_test(threshold_itself_fires),
        cmocka_unit_test(gate_is_an_open_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
