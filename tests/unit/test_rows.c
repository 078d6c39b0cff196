/* test_rows.c - rows of synapses, as ref computes them, against the stepwise rule of the
 * specification in double precision.
 *
 * Bounds are derived: what a short form leaves out, and so many roundings. The worst that is found
 * is printed, by itself or as a share of its bound, and that must not pass 1. */
#include "kernel/lane.h"
#include "row_bench.h"

/* f: exp(-x) is off by EXP_BOUND, and by the rounding of x = m w; beyond LANE_EXP_MAX f
 * stays above, by up to FLOOR. Errors are given as part of f only where f is above SMALL. */
static const double EPS = 0x1p-24, EXP_BOUND = 2.5e-7, FLOOR = 2.1e-9, SMALL = 1e-8;

/* k decays at once, b = k alpha f (1 + |a|) <= KERNEL_DECAY_MAX: the series leaves out
 * x^3 / 6 |1 - 4 a + 2 a^2| <= b^3 / 3 of w - w_ref, and a little of higher order. */
#define SERIES_BOUND (1.1 * pow((double)KERNEL_DECAY_MAX, 3) / 3)

/* f after a change of w, z = m times that <= sqrt(KERNEL_TURN_MAX): the series leaves out this. */
#define TURN_BOUND(z) (pow(z, 4) / 24 * exp(fabs(z)))
#define TURN_MAX      sqrt((double)KERNEL_TURN_MAX)

/* Many visits of a row within a sample: how far f may come from its own w, and w from where the
 * rule takes it, as part of the way that it went there (of ways longer than WAY_MIN). */
static const double FOLLOW_F = 2.5e-4, FOLLOW_W = 2e-4, WAY_MIN = 0.1;
enum { VISITS = 60 };

/* ---- how far off ---- */

typedef struct Worst {
    double off, share; /* the largest by itself; as a share of its bound */
} Worst;

/* `scale`: what it is part of, or 0 if it should not count by itself. */
static void judge(Worst *worst, double off, double bound, double scale) {
    if (scale > 0)
        worst->off = fmax(worst->off, off / scale);
    worst->share = fmax(worst->share, off / bound);
}

static double f_rounding(double w, double m) {
    return EXP_BOUND + fmin(fabs(m * w), (double)LANE_EXP_MAX) * EPS;
}

static double f_scale(double f) {
    return f > SMALL ? f : 0;
}

/* ---- one visit ---- */

static const Ranges visits = {-4, -1, 1, 0.5, 0.05, KERNEL_MERGED_MAX};

static double owed(const Bench *b, size_t i) {
    return (double)b->now[i] - (double)b->before[i];
}

/* As rows_visit has it: the error, and with it the decays that are owed. */
static void judge_visit(Worst *of_w, Worst *of_f, const Bench *b, size_t i) {
    double m = b->m[i], w = b->start[i], d = w - b->ref[i], drive = (double)b->drive[i];
    double f = plasticity(w, m), fall = f * (drive + owed(b, i) * d);
    double terms = (f + FLOOR) * (fabs(drive) + fabs(owed(b, i) * d));
    double rounding = (f_rounding(w, m) + 4 * EPS) * terms + ulp(fmax(fabs(d), fabs(d - fall)));
    judge(of_w, fabs(part(b, i, 0) - (d - fall)), rounding + FLOOR, 0);
    if (!b->rule.plastic)
        return;
    double later = plasticity(w - fall, m), off = fabs(part(b, i, 1) - later);
    double by_w = m * (rounding + ulp(w - fall)) + f_rounding(w, m) + f_rounding(w - fall, m);
    judge(of_f, off, (TURN_BOUND(TURN_MAX) + by_w + 4 * EPS) * later + FLOOR, f_scale(later));
}

static void a_visit_is_its_formula(void **state) {
    (void)state;
    for (Kind kind = M_0; kind < KINDS; kind++) {
        Worst of_w = {0}, of_f = {0};
        for (uint32_t game = 0; game < 3000; game++) {
            Bench b = roll_bench(game, kind, visits);
            bench_visit(&b);
            for (size_t i = 0; i < USED; i++)
                judge_visit(&of_w, &of_f, &b, i);
        }
        print_message("%s: w %.2g of its bound; f off by %.2g, %.2g of its bound\n",
                      kind_names[kind], of_w.share, of_f.off, of_f.share);
        assert_true(of_w.share <= 1 && of_f.share <= 1);
    }
}

/* The error at its step, then the decays one by one; the first may be of that step too. Where a
 * visit takes k alpha g, g = f (w - w_ref), from the beginning of the way, the rule takes it along
 * the way; and |dg/dw| <= f (1 + |a|). */
static void judge_stepwise(Worst *worst, const Bench *b, size_t i, bool together) {
    double m = b->m[i], w = b->start[i], d = w - b->ref[i], drive = (double)b->drive[i];
    double alpha = (double)b->rule.alpha, k_alpha = b->k[i] * alpha;
    bool first = together && b->k[i] > 0;
    Way way = way_from(w, b->ref[i], m);
    way_step(&way, drive, first ? alpha : 0);
    way_decay(&way, b->k[i] - first, alpha);
    double left_out = k_alpha * way.f_most * (1 + way.a_most) * way.length;
    double terms = plasticity(w, m) * (fabs(drive) + k_alpha * fabs(d));
    double rounding = (f_rounding(w, m) + 4 * EPS) * terms + ulp(d) + ulp(part(b, i, 0)) +
                      fabs(owed(b, i) - k_alpha) * fabs(d);
    judge(worst, fabs(awake_w(b, i) - way.w), left_out + rounding + FLOOR,
          way.a_most <= 1 ? way.length + 1e-4 : 0);
}

static void a_visit_is_near_the_stepwise_rule(void **state) {
    (void)state;
    for (Kind kind = M_0; kind < KINDS; kind++) {
        Worst worst = {0};
        for (uint32_t game = 0; game < 3000; game++) {
            Bench b = roll_bench(game, kind, visits);
            bench_visit(&b);
            for (size_t i = 0; i < USED && (double)b.rule.alpha <= KERNEL_MERGED_MAX; i++) {
                judge_stepwise(&worst, &b, i, false);
                judge_stepwise(&worst, &b, i, true);
            }
        }
        print_message("%s: w off by %.2g of its way where |a| <= 1, %.4f of its bound\n",
                      kind_names[kind], worst.off, worst.share);
        assert_true(worst.share <= 1);
    }
}

static void without_reference_only_the_error_counts(void **state) {
    (void)state;
    for (uint32_t game = 0; game < 300; game++) {
        Bench b = roll_bench(game, (Kind)(game % KINDS), visits);
        b.rule.decays = false;
        bench_wake(&b);
        bench_visit(&b);
        for (size_t i = 0; i < USED; i++) {
            double w = b.start[i] - plasticity(b.start[i], b.m[i]) * (double)b.drive[i];
            assert_true(fabs(part(&b, i, 0) - w) <= 2 * ulp(fabs(b.start[i]) + 0.05));
        }
    }
}

static void the_sum_is_of_what_a_row_became(void **state) {
    (void)state;
    for (uint32_t game = 0; game < 300; game++) {
        Bench b = roll_bench(game, (Kind)(game % KINDS), visits);
        AwakeRow row = bench_awake(&b);
        for (size_t i = 0; i < USED; i++)
            b.current[i] = (float)i;
        bench_visit(&b);
        for (size_t i = 0; i < USED; i++)
            assert_true(b.current[i] == (float)i + (float)part(&b, i, 0));
        float before = b.current[3];
        kernel_ref.rows_add(&row, 1, b.current, ALL);
        assert_true(b.current[3] == before + b.w_ref[3]);
    }
}

/* ---- decays ---- */

static const Ranges decaying = {-4, 0, 1, 0.5, 0, 1};

/* What k decays may be off by: the series, or a rounding a step; f and the last digit. */
static double decay_bound(const Way *way, double d, int k, double k_alpha, bool series,
                          bool stepwise) {
    double scale = fmax(fmax(fabs(way->w), fabs(way->w_ref)), fabs(d));
    double bound = (f_rounding(INFINITY, 1) + 6 * EPS) * (way->f_most * k_alpha * fabs(d));
    bound += (stepwise ? k + 2 : 2) * ulp(scale) + (series ? SERIES_BOUND * fabs(d) : 0);
    return bound * way->growth + FLOOR;
}

typedef struct Decayed {
    Worst of_w, of_f, series;
    size_t at_once, one_by_one, across;
} Decayed;

static void judge_decay(Decayed *found, const Bench *b, size_t i) {
    double m = b->m[i], w = b->start[i], d = w - b->ref[i],
           k_alpha = b->k[i] * (double)b->rule.alpha;
    double near = k_alpha * plasticity(w, m) * (1 + m * fabs(d)) / (double)KERNEL_DECAY_MAX;
    Way way = way_from(w, b->ref[i], m);
    way_decay(&way, b->k[i], (double)b->rule.alpha);
    bool series = near < 0.999 && !way.across;
    double miscounted = fabs(owed(b, i) - k_alpha) * way.f_most * fabs(d) * way.growth;
    double bound = decay_bound(&way, d, b->k[i], k_alpha, near < 1.001, !series) + 2 * miscounted;
    double off = fabs(awake_w(b, i) - way.w);
    found->at_once += b->k[i] > 1 && series;
    found->one_by_one += b->k[i] > 1 && !series;
    found->across += way.across;
    judge(&found->of_w, off, bound, 0);
    if (series && fabs(d) > 0.5 * fabs(w)) /* where rounding does not hide it */
        judge(&found->series, off, bound, fabs(d));
    if (!b->rule.plastic)
        return;
    double f = plasticity(way.w, m), by_w = m * bound + f_rounding(way.w, m) + 8 * EPS;
    judge(&found->of_f, fabs(part(b, i, 1) - f), by_w * f * exp(m * bound) + FLOOR, f_scale(f));
}

static void decays_at_once_are_the_stepwise_rule(void **state) {
    (void)state;
    for (Kind kind = M_0; kind < KINDS; kind++) {
        Decayed found = {0};
        for (uint32_t game = 0; game < 3000; game++) {
            Bench b = roll_bench(game, kind, decaying);
            AwakeRow row = bench_awake(&b);
            kernel_ref.row_decay(&row, b.now, &b.rule, ALL);
            for (size_t i = 0; i < USED; i++)
                judge_decay(&found, &b, i);
        }
        print_message("%s: %zu at once, %zu one by one, %zu across 0; series off by %.2g of "
                      "|w - w_ref|; w %.2g, f %.2g of their bounds\n",
                      kind_names[kind], found.at_once, found.one_by_one, found.across,
                      found.series.off, found.of_w.share, found.of_f.share);
        assert_true(found.at_once > 10000 && found.one_by_one > 10000);
        assert_true(kind == M_0 || found.across > 500);
        assert_true(found.of_w.share <= 1 && found.of_f.share <= 1);
    }
}

/* ---- rest ---- */

static const Ranges resting = {-4, -0.5, 1, 0.5, 0, 0.5};

/* Errors add up from sample to sample, and those of w and w_ref become each other's. */
static void judge_rest(Worst *worst, const Bench *b, const Nights *nights, size_t i) {
    double w = b->start[i], w_ref = b->ref[i], alpha = (double)b->rule.alpha;
    double rate = (double)b->rule.cons_rate, of_w = 0, of_ref = 0, most = fabs(w - w_ref);
    for (size_t s = 0; s < nights->n; s++) {
        int k = nights->k[s][i];
        Way way = way_from(w, w_ref, b->m[i]);
        way_decay(&way, k, alpha);
        of_w = (of_w + k * alpha * way.f_most * of_ref) * way.growth +
               decay_bound(&way, w - w_ref, k, k * alpha, true, true);
        w = way.w;
        w_ref += rate * (w - w_ref);
        of_ref += rate * of_w + 2 * ulp(w_ref);
    }
    judge(worst, fabs((double)b->w[i] - w), of_w, most > 0.5 * fabs(b->start[i]) ? most : 0);
    judge(worst, fabs((double)b->w_ref[i] - w_ref), of_ref, 0);
}

static void rests_are_the_stepwise_rule(void **state) {
    (void)state;
    for (Kind kind = M_0; kind < KINDS; kind++) {
        Worst worst = {0};
        for (uint32_t game = 0; game < 2000; game++) {
            Bench b = roll_bench(game, kind, resting);
            Nights nights = roll_nights(game, b.rule.alpha);
            bench_rest(&b, &nights);
            for (size_t i = 0; i < USED; i++)
                judge_rest(&worst, &b, &nights, i);
        }
        print_message("%s, up to %d samples: w off by %.2g of |w - w_ref|, %.2g of its bound\n",
                      kind_names[kind], RESTS, worst.off, worst.share);
        assert_true(worst.share <= 1);
    }
}

/* ---- many visits ---- */

static const Ranges following = {-4, -3, 0, -0.5, 0, KERNEL_MERGED_MAX};

/* A synapse through its visits: as the rule has it, and how far f may have come from its own w. */
typedef struct Follow {
    Way way;
    double before, of_f;
} Follow;

typedef struct Followed {
    Worst of_f;
    double of_w;   /* the largest, of its way */
    size_t afresh; /* times that f was computed anew */
} Followed;

/* What the series leaves out stays with f until f is computed anew: far, or across 0. It may cross
 * 0 by so little that f does not pass 1. */
static void judge_f(Followed *found, Follow *s, const Bench *b, size_t i) {
    double m = b->m[i], w = awake_w(b, i), f = plasticity(w, m), z = m * (w - s->before);
    double rounding = m * (ulp(part(b, i, 0)) + ulp(w)) + 4 * EPS;
    double on = s->of_f + TURN_BOUND(z) + rounding, anew = f_rounding(w, m) + rounding;
    bool far = fabs(z) > 1.01 * TURN_MAX;
    s->of_f = far ? anew : fmax(on, anew) + 2 * fmin(m * fabs(w), on);
    found->afresh += far || (w < 0) != (s->before < 0);
    judge(&found->of_f, fabs(part(b, i, 1) - f), s->of_f * f + FLOOR, f_scale(f));
}

/* One more visit of every synapse. */
static void follow_visit(Followed *found, Follow s[USED], Bench *b, double size, Dice *dice) {
    for (size_t i = 0; i < USED; i++) {
        b->drive[i] = (float)roll(dice, -size, size);
        roll_count(b, i, dice, 3);
        s[i].before = awake_w(b, i);
        way_step(&s[i].way, (double)b->drive[i], owed(b, i));
    }
    bench_visit(b);
    for (size_t i = 0; i < USED; i++) {
        const Way *way = &s[i].way;
        judge_f(found, &s[i], b, i);
        if (way->length > WAY_MIN)
            found->of_w = fmax(found->of_w, fabs(awake_w(b, i) - way->w) / way->length);
    }
}

static void f_is_followed_through_many_visits(void **state) {
    enum { GAMES = 1500 };
    (void)state;
    for (Kind kind = M_ALL; kind < KINDS; kind++) {
        Followed found = {0};
        for (uint32_t game = 0; game < GAMES; game++) {
            Dice dice = {.game = game};
            Bench b = roll_bench(game, kind, following);
            Follow s[USED];
            double size = pow(10, roll(&dice, -4, -1.3));
            for (size_t i = 0; i < USED; i++)
                s[i] = (Follow){.way = way_from(b.start[i], b.ref[i], b.m[i]),
                                .of_f = f_rounding(b.start[i], b.m[i])};
            for (int visit = 0; visit < VISITS; visit++)
                follow_visit(&found, s, &b, size, &dice);
        }
        print_message("%s, %d visits, f anew %zu times in 10000: f off by %.2g, %.2g of its bound; "
                      "w by %.2g of its way\n",
                      kind_names[kind], VISITS, found.afresh * 10000 / (GAMES * USED * VISITS),
                      found.of_f.off, found.of_f.share, found.of_w);
        assert_true(found.of_f.share <= 1);
        assert_true(found.of_f.off <= FOLLOW_F && found.of_w <= FOLLOW_W);
    }
}

/* ---- wake, sleep ---- */

static void waking_computes_all_from_w(void **state) {
    Worst of_f = {0};
    (void)state;
    for (uint32_t game = 0; game < 1000; game++) {
        Bench b = roll_bench(game, (Kind)(game % KINDS), visits);
        for (size_t i = 0; i < USED; i++) {
            double m = b.m[i], w = b.start[i], f = plasticity(w, m);
            assert_true(part(&b, i, 0) == w - b.ref[i]);
            if (!b.rule.plastic)
                continue;
            assert_true(part(&b, i, 2) == copysign(m, w));
            judge(&of_f, fabs(part(&b, i, 1) - f), f_rounding(w, m) * f + FLOOR, f_scale(f));
        }
    }
    print_message("f off by %.2g, %.2g of its bound\n", of_f.off, of_f.share);
    assert_true(of_f.share <= 1);
}

static void sleeping_keeps_w_and_moves_the_reference(void **state) {
    (void)state;
    for (uint32_t game = 0; game < 300; game++) {
        Bench b = roll_bench(game, (Kind)(game % KINDS), visits);
        bench_visit(&b);
        bench_sleep(&b);
        for (size_t i = 0; i < USED; i++) {
            double v = part(&b, i, 0), ref = b.ref[i] + (double)b.rule.cons_rate * v;
            assert_true(b.w[i] == (float)(v + b.ref[i]));
            assert_true(fabs((double)b.w_ref[i] - ref) <= ulp(ref));
        }
    }
}

static void strengthening_stops_at_the_ceiling(void **state) {
    const uint16_t ceilings[] = {0, 1, 7, UINT16_MAX};
    (void)state;
    for (size_t c = 0; c < 4; c++) {
        uint16_t top = ceilings[c], below = (uint16_t)(top ? top - 1 : 0);
        SynapseRule rule = {.plastic = true, .m_ceiling = top};
        _Alignas(64) uint16_t m[N] = {0, below, top, 0}, ready[N] = {1, 1, 1, 0};
        _Alignas(64) float w[N] = {0}, awake[3 * N] = {0};
        const Row row = {.w = w, .m_steps = m};
        kernel_ref.row_sleep(&row, awake, ready, &rule, ALL);
        assert_int_equal(m[0], top ? 1 : 0);
        assert_int_equal(m[1], top);
        assert_int_equal(m[2], top);
        assert_int_equal(m[3], 0);
        kernel_ref.row_sleep(&row, awake, NULL, &rule, ALL);
        assert_int_equal(m[0], top ? 1 : 0);
    }
}

/* Where there is no synapse all is 0, and stays so to the sign. */
static void padding_stays_0(void **state) {
    (void)state;
    for (uint32_t game = 0; game < 300; game++) {
        Bench b = roll_bench(game, (Kind)(game % KINDS), game % 2 ? visits : decaying);
        Nights nights = roll_nights(game, b.rule.alpha);
        AwakeRow row = bench_awake(&b);
        bench_visit(&b);
        kernel_ref.row_decay(&row, b.now, &b.rule, ALL);
        bench_sleep(&b);
        bench_rest(&b, &nights);
        for (size_t i = USED; i < N; i++) {
            assert_true(b.w[i] == 0 && !signbit(b.w[i]));
            assert_true(b.w_ref[i] == 0 && !signbit(b.w_ref[i]));
            assert_true(part(&b, i, 0) == 0 && b.current[i] == 0 && b.m_steps[i] == 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_visit_is_its_formula),
        cmocka_unit_test(a_visit_is_near_the_stepwise_rule),
        cmocka_unit_test(without_reference_only_the_error_counts),
        cmocka_unit_test(the_sum_is_of_what_a_row_became),
        cmocka_unit_test(decays_at_once_are_the_stepwise_rule),
        cmocka_unit_test(rests_are_the_stepwise_rule),
        cmocka_unit_test(f_is_followed_through_many_visits),
        cmocka_unit_test(waking_computes_all_from_w),
        cmocka_unit_test(sleeping_keeps_w_and_moves_the_reference),
        cmocka_unit_test(strengthening_stops_at_the_ceiling),
        cmocka_unit_test(padding_stays_0),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
