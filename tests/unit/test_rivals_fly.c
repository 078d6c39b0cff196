/* test_rivals_fly.c - the fly by its formulas: which inputs a cell reads, which cells fire, what is
 * learned. */
#include "test_rivals.h"

#include <stdio.h>

/* ---- what cells read ---- */

static void cells_read_different_inputs_all_alike(void **state) {
    enum { INPUTS = 50, CELLS = 4000, READS = 10 };
    Rival *rival = toy_rival("fly", "fly_density 0.2 fly_active 0.01",
                             (RivalShape){INPUTS, 2, {1, {CELLS}}}, 40);
    const Fly *fly = &rival->fly;
    double read[INPUTS] = {0}, p = (double)READS / INPUTS;
    (void)state;
    assert_int_equal(fly->n_reads, READS);
    assert_int_equal(fly->n_active, CELLS / 100);
    for (size_t cell = 0; cell < CELLS; cell++) {
        bool has[INPUTS] = {false};
        for (size_t j = 0; j < READS; j++) {
            uint16_t input = fly->reads[cell * READS + j];
            assert_true(input < INPUTS && !has[input]);
            has[input] = true;
            read[input]++;
        }
    }
    for (size_t i = 0; i < INPUTS; i++)
        assert_close(read[i], CELLS * p, 5 * sqrt(CELLS * p * (1 - p)));
    rival_free(rival);
}

static void a_part_is_at_least_one_and_at_most_all(void **state) {
    static const char *const texts[] = {"fly_density 0 fly_active 0", "fly_density 1 fly_active 1"};
    static const size_t wanted[][2] = {{1, 1}, {6, 9}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        Rival *rival = toy_rival("fly", texts[i], (RivalShape){6, 2, {1, {9}}}, 41);
        assert_int_equal(rival->fly.n_reads, wanted[i][0]);
        assert_int_equal(rival->fly.n_active, wanted[i][1]);
        rival_free(rival);
    }
}

/* ---- which cells fire ---- */

enum { CELLS_MAX = 60 };

/* Does cell a come before b, sorted by sum, and by number where those are equal? */
static bool comes_before(const float *sums, size_t a, size_t b) {
    return sums[a] > sums[b] || (sums[a] == sums[b] && a < b);
}

static void assert_fires(const float *sums, size_t n_cells, size_t n_active) {
    FlyCell firing[CELLS_MAX];
    float activity[CELLS_MAX] = {0}, largest = 0;
    size_t n_positive = 0, n = fly_choose(sums, n_cells, n_active, firing);
    for (size_t i = 0; i < n; i++) {
        assert_true(activity[firing[i].cell] == 0); /* none twice */
        activity[firing[i].cell] = firing[i].activity;
    }
    for (size_t a = 0; a < n_cells; a++) {
        n_positive += sums[a] > 0;
        largest = fmaxf(largest, sums[a]);
    }
    assert_int_equal(n, n_positive < n_active ? n_positive : n_active);
    for (size_t a = 0; a < n_cells; a++) {
        size_t before = 0;
        for (size_t b = 0; b < n_cells; b++)
            before += comes_before(sums, b, a);
        bool fires = before < n_active && sums[a] > 0;
        assert_true(activity[a] == (fires ? sums[a] / largest : 0));
    }
}

static void exactly_the_largest_fire(void **state) {
    Dice dice = {.game = 42};
    (void)state;
    for (size_t game = 0; game < 3000; game++) {
        float sums[CELLS_MAX];
        size_t n_cells = 1 + roll_word(&dice) % CELLS_MAX, kinds = 1 + roll_word(&dice) % 8;
        for (size_t i = 0; i < n_cells; i++) /* few different sums, so that many are equal */
            sums[i] = (float)(roll_word(&dice) % kinds) - 1;
        assert_fires(sums, n_cells, 1 + roll_word(&dice) % n_cells);
    }
}

static void equal_sums_fire_in_order(void **state) {
    float sums[7] = {2, 5, 5, 5, 1, 5, 2};
    FlyCell firing[3];
    bool fires[7] = {false};
    (void)state;
    assert_int_equal(fly_choose(sums, 7, 3, firing), 3);
    for (size_t i = 0; i < 3; i++) {
        assert_true(firing[i].activity == 1);
        fires[firing[i].cell] = true;
    }
    assert_true(fires[1] && fires[2] && fires[3]);
}

/* ---- what is learned ---- */

static void fly_by_hand(const char *text, double rate, double decay, bool at_most) {
    enum { CELLS = 30, READS = 2, ACTIVE = 6 };
    Rival *rival = toy_rival("fly", text, (RivalShape){TOY_IN, TOY_OUT, {1, {CELLS}}}, 43);
    double w[TOY_OUT][CELLS] = {{0}};
    float scores[TOY_BATCH * TOY_OUT];
    bool clipped = false;
    (void)at_most;
    for (uint32_t b = 0; b < 30; b++) {
        ToyBatch batch = toy_batch(b);
        double wanted[TOY_BATCH * TOY_OUT] = {0};
        rival_learn(rival, batch.x, batch.target, TOY_BATCH - 1);
        for (size_t pass = 0; pass < 2; pass++) /* learn, then answer */
            for (size_t s = 0; s < TOY_BATCH - 1; s++) {
                float sums[CELLS];
                FlyCell firing[ACTIVE];
                for (size_t cell = 0; cell < CELLS; cell++) {
                    const uint16_t *reads = rival->fly.reads + cell * READS;
                    sums[cell] = batch.x[s * TOY_IN + reads[0]] + batch.x[s * TOY_IN + reads[1]];
                }
                size_t n = fly_choose(sums, CELLS, ACTIVE, firing);
                double *own = w[batch.target[s]];
                for (size_t cell = 0; pass == 0 && cell < CELLS; cell++)
                    own[cell] *= 1 - decay;
                for (size_t i = 0; i < n; i++) {
                    double a = (double)firing[i].activity, *weight = &own[firing[i].cell];
                    if (pass == 0) {
                        clipped = clipped || *weight + rate * a > 1;
                        *weight = fmin(1, *weight + rate * a);
                    }
                    for (size_t k = 0; k < TOY_OUT; k++)
                        wanted[s * TOY_OUT + k] += pass == 0 ? 0 : w[k][firing[i].cell] * a;
                }
            }
        rival_predict(rival, batch.x, TOY_BATCH - 1, scores);
        assert_all_close(scores, wanted, (TOY_BATCH - 1) * TOY_OUT, 1e-5);
        assert_all_close(rival->fly.weights, w[0], TOY_OUT * CELLS, 1e-5);
    }
    assert_true(clipped == at_most);
    rival_free(rival);
}

static void fly_learns_by_its_rule(void **state) {
    (void)state;
    fly_by_hand("batch 8 fly_density 0.4 fly_active 0.2 fly_rate 0.1", 0.1, 0, true);
    fly_by_hand("batch 8 fly_density 0.4 fly_active 0.2 fly_rate 0.02 fly_decay 0.05", 0.02, 0.05,
                false);
}

static void fly_does_not_see_batches(void **state) {
    enum { N = 37, INPUTS = 20 };
    static const size_t cuts[] = {1, 3, 8, 9, 16, N};
    float x[N * INPUTS];
    uint16_t target[N];
    uint32_t digest[sizeof cuts / sizeof *cuts];
    Dice dice = {.game = 44};
    (void)state;
    for (size_t i = 0; i < N * INPUTS; i++)
        x[i] = (float)roll(&dice, 0, 1);
    for (size_t i = 0; i < N; i++)
        target[i] = (uint16_t)(roll_word(&dice) % 4);
    for (size_t c = 0; c < sizeof cuts / sizeof *cuts; c++) {
        Rival *rival = toy_rival("fly", "fly_density 0.3 fly_active 0.1 fly_decay 0.001",
                                 (RivalShape){INPUTS, 4, {1, {100}}}, 45);
        for (size_t from = 0; from < N; from += cuts[c])
            rival_learn(rival, x + from * INPUTS, target + from,
                        N - from < cuts[c] ? N - from : cuts[c]);
        digest[c] = rival_digest(rival);
        rival_free(rival);
    }
    for (size_t c = 1; c < sizeof cuts / sizeof *cuts; c++)
        assert_int_equal(digest[c], digest[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_read_different_inputs_all_alike),
        cmocka_unit_test(a_part_is_at_least_one_and_at_most_all),
        cmocka_unit_test(exactly_the_largest_fire),
        cmocka_unit_test(equal_sums_fire_in_order),
        cmocka_unit_test(fly_learns_by_its_rule),
        cmocka_unit_test(fly_does_not_see_batches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
