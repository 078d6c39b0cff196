/* test_rivals_untold.c - the methods that know of no tasks, by their formulas: BGD, SS, RLS. */
#include "test_rivals.h"

#include "rivals/noise.h"

#include <stdio.h>

static const RivalShape toy = {TOY_IN, TOY_OUT, {2, {6, 4}}};

/* ---- BGD ---- */

/* The noise of draw k of the b-th batch, for the first parameters. */
static void normal_by_hand(uint32_t seed, uint64_t sample, double *epsilon, size_t n) {
    float values[NOISE_GROUP];
    noise_normal((NoiseStream){.seed = seed, .sample = sample}, 0, NOISE_GROUP, values);
    for (size_t i = 0; i < n; i++)
        epsilon[i] = (double)values[i];
}

static void bgd_by_hand(size_t draws) {
    char text[80];
    (void)snprintf(text, sizeof text, "batch 2 sigma_init 0.4 draws %zu", draws);
    Rival *rival = toy_rival("bgd", text, (RivalShape){1, 2, {0, {0}}}, 17);
    double mu[4], sigma[4] = {0.4, 0.4, 0.4, 0.4}, grad[4], epsilon[4];
    Dice dice = {.game = 17};
    for (size_t i = 0; i < 4; i++)
        mu[i] = (double)rival->theta[i];
    for (uint64_t b = 0; b < 4; b++) {
        float x[2] = {(float)roll(&dice, -2, 2), (float)roll(&dice, -2, 2)};
        uint16_t target[2] = {0, 1};
        double slope[4] = {0}, moment[4] = {0};
        for (size_t k = 0; k < draws; k++) {
            double theta[4];
            normal_by_hand(17, b * draws + k, epsilon, 4);
            for (size_t i = 0; i < 4; i++)
                theta[i] = mu[i] + sigma[i] * epsilon[i];
            for (size_t s = 0; s < 2; s++) { /* averaged over the batch */
                slope_by_hand(theta, (double)x[s], target[s], grad);
                for (size_t i = 0; i < 4; i++) {
                    slope[i] += grad[i] / 2 / (double)draws;
                    moment[i] += grad[i] / 2 * epsilon[i] / (double)draws;
                }
            }
        }
        for (size_t i = 0; i < 4; i++) {
            double s = sigma[i];
            mu[i] -= s * s * slope[i];
            sigma[i] = s * sqrt(1 + pow(s * moment[i] / 2, 2)) - s * s * moment[i] / 2;
        }
        rival_learn(rival, x, target, 2);
        assert_all_close(rival->theta, mu, 4, 2e-6);
        assert_all_close(rival->bgd.sigma, sigma, 4, 2e-6);
    }
    assert_true(fabs(sigma[0] - 0.4) > 1e-3);
    rival_free(rival);
}

static void bgd_moves_mu_and_sigma(void **state) {
    (void)state;
    bgd_by_hand(1);
    bgd_by_hand(3);
}

/* ---- SS ---- */

static void ss_masks_have_the_mean_of_p(void **state) {
    Rival *rival = toy_rival("ss", "batch 1 optimizer_rate 0 keep_up 0 keep_down 0 keep_init 0.3",
                             (RivalShape){40, 2, {1, {25}}}, 18);
    float x[40] = {0};
    uint16_t target = 1;
    double open = 0, n = 0;
    (void)state;
    for (size_t b = 0; b < 100; b++) {
        rival_learn(rival, x, &target, 1);
        for (size_t i = 0; i < rival->mlp.n_theta; i++) {
            bool bias = (i >= 1000 && i < 1025) || i >= 1075;
            float gain = rival->ss.gain[i];
            assert_true(gain == 0 || gain == 1 / rival->ss.keep[i]);
            assert_close(rival->ss.drawn[i], gain * rival->theta[i], 0);
            assert_true(!bias || gain == 1);
            open += bias ? 0 : gain > 0;
            n += bias ? 0 : 1;
        }
    }
    assert_close(open / n, 0.3, 5 * sqrt(0.21 / n));
    rival_free(rival);
}

static double clip(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

static void ss_by_hand(const char *text, double up, double down, double freeze, double large) {
    Rival *rival = toy_rival("ss", text, (RivalShape){1, 2, {0, {0}}}, 19);
    double w[4], p[4] = {0.25, 0.25, 1, 1}, grad[4], drawn[4];
    bool rose = false, fell = false, froze = false;
    Dice dice = {.game = 19};
    for (size_t i = 0; i < 4; i++)
        w[i] = (double)rival->theta[i];
    for (size_t b = 0; b < 60; b++) {
        float x = (float)roll(&dice, -2, 2);
        uint16_t target = (uint16_t)(roll_word(&dice) % 2);
        rival_learn(rival, &x, &target, 1);
        for (size_t i = 0; i < 4; i++)
            drawn[i] = rival->ss.gain[i] > 0 ? w[i] / p[i] : 0;
        slope_by_hand(drawn, (double)x, target, grad);
        for (size_t i = 0; i < 4; i++) {
            double g = rival->ss.gain[i] > 0 ? grad[i] / p[i] : 0;
            w[i] -= 0.1 * (1 - p[i]) * g;
            if (p[i] < freeze) {
                double next = clip(p[i] + (1 - p[i]) * (fabs(g) >= large ? up : -down), 0.25, 1);
                rose = rose || next > p[i];
                fell = fell || next < p[i];
                p[i] = next;
            } else {
                froze = froze || i < 2;
            }
        }
        assert_all_close(rival->theta, w, 4, 1e-5);
        assert_all_close(rival->ss.keep, p, 4, 1e-5);
    }
    assert_true(rose && fell && froze);
    rival_free(rival);
}

static void ss_moves_w_and_p(void **state) {
    (void)state;
    ss_by_hand("batch 1 optimizer_rate 0.1 keep_up 0.2 keep_down 0.05 keep_freeze 0.6 "
               "keep_gradient 0.05",
               0.2, 0.05, 0.6, 0.05);
}

/* ---- RLS ---- */

static void rls_equals_the_closed_form(const char *features) {
    enum { BATCHES = 5, MOST = 16 };
    char text[80];
    (void)snprintf(text, sizeof text, "batch 8 ridge 0.5 features %s", features);
    Rival *rival = toy_rival("rls", text, (RivalShape){TOY_IN, TOY_OUT, {1, {9}}}, 20);
    size_t n = rival->rls.gram.n;
    double f[MOST];
    ToyBatch probe = toy_batch(77);
    float scores[TOY_BATCH * TOY_OUT];
    for (uint32_t b = 0; b < BATCHES; b++) {
        ToyBatch batch = toy_batch(b);
        rival_learn(rival, batch.x, batch.target, b % 2 ? TOY_BATCH : TOY_BATCH - 1);
    }
    rival_predict(rival, probe.x, TOY_BATCH, scores);
    for (size_t k = 0; k < TOY_OUT; k++) {
        double a[MOST * MOST] = {0}, w[MOST] = {0};
        for (size_t i = 0; i < n; i++)
            a[i * n + i] = 0.5;
        for (uint32_t b = 0; b < BATCHES; b++) {
            ToyBatch batch = toy_batch(b);
            for (size_t s = 0; s < (b % 2 ? TOY_BATCH : TOY_BATCH - 1); s++) {
                features_by_hand(rival, batch.x + s * TOY_IN, f);
                f[n - 1] = 1;
                for (size_t i = 0; i < n; i++) {
                    w[i] += f[i] * (batch.target[s] == k ? 1 : -1);
                    for (size_t j = 0; j < n; j++)
                        a[i * n + j] += f[i] * f[j];
                }
            }
        }
        solve_by_hand(a, w, n);
        for (size_t s = 0; s < TOY_BATCH; s++) {
            double wanted = 0;
            features_by_hand(rival, probe.x + s * TOY_IN, f);
            f[n - 1] = 1;
            for (size_t i = 0; i < n; i++)
                wanted += w[i] * f[i];
            assert_close(scores[s * TOY_OUT + k], wanted, 1e-6);
        }
    }
    rival_free(rival);
}

static void rls_is_ridge_regression(void **state) {
    (void)state;
    rls_equals_the_closed_form("pixels");
    rls_equals_the_closed_form("relu");
    rls_equals_the_closed_form("spikes");
}

static void rls_has_no_order(void **state) {
    ToyBatch probe = toy_batch(77);
    float scores[2][TOY_BATCH * TOY_OUT];
    (void)state;
    for (size_t way = 0; way < 2; way++) {
        Rival *rival = toy_rival("rls", "batch 8", toy, 21);
        for (uint32_t b = 0; b < 40; b++) {
            ToyBatch batch = toy_batch(way ? 39 - b : b);
            rival_learn(rival, batch.x, batch.target, TOY_BATCH);
            if (b % 7 == 0) /* asking in between does not matter */
                rival_predict(rival, probe.x, TOY_BATCH, scores[way]);
        }
        rival_predict(rival, probe.x, TOY_BATCH, scores[way]);
        rival_free(rival);
    }
    for (size_t i = 0; i < TOY_BATCH * TOY_OUT; i++)
        assert_close(scores[0][i], scores[1][i], 1e-6);
}

/* Two features that are always the same, and a ridge that their size drowns. */
static void rls_survives_a_ridge_that_is_too_small(void **state) {
    Rival *rival = toy_rival("rls", "batch 8 ridge 1e-9", (RivalShape){2, 2, {0, {0}}}, 22);
    float scores[2];
    (void)state;
    for (uint32_t b = 0; b < 50; b++) {
        float side = b % 2 ? 3e4f : -3e4f, x[2] = {side, side};
        uint16_t target = b % 2;
        rival_learn(rival, x, &target, 1);
    }
    rival_predict(rival, (float[]){3e4f, 3e4f}, 1, scores);
    assert_close(scores[1], 1, 1e-3);
    assert_close(scores[0], -1, 1e-3);
    rival_free(rival);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bgd_moves_mu_and_sigma),
        cmocka_unit_test(ss_masks_have_the_mean_of_p),
        cmocka_unit_test(ss_moves_w_and_p),
        cmocka_unit_test(rls_is_ridge_regression),
        cmocka_unit_test(rls_has_no_order),
        cmocka_unit_test(rls_survives_a_ridge_that_is_too_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
