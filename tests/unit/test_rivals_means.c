/* test_rivals_means.c - the methods that keep a mean for each output, by their formulas: NCM, SLDA,
 * RanDumb. */
#include "test_rivals.h"

#include <float.h>
#include <stdio.h>

enum { BATCHES = 6, FEATURES_MAX = 16, UNITS = 9 };

static const RivalShape toy = {TOY_IN, TOY_OUT, {1, {UNITS}}};

static size_t batch_size(uint32_t b) {
    return b % 2 ? TOY_BATCH : TOY_BATCH - 1;
}

static void learn_batches(Rival *rival, bool backwards) {
    for (uint32_t i = 0; i < BATCHES; i++) {
        uint32_t b = backwards ? BATCHES - 1 - i : i;
        ToyBatch batch = toy_batch(b);
        rival_learn(rival, batch.x, batch.target, batch_size(b));
    }
}

/* Means and covariance of all samples at once, as no stream could compute them. */
typedef struct Direct {
    size_t n, total, count[TOY_OUT];
    double mean[TOY_OUT][FEATURES_MAX], covariance[FEATURES_MAX * FEATURES_MAX];
} Direct;

static void add_square(Direct *direct, const double *f, const double *mean) {
    size_t n = direct->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            direct->covariance[i * n + j] +=
                (f[i] - mean[i]) * (f[j] - mean[j]) / (double)direct->total;
}

static Direct compute_directly(const Rival *rival) {
    Direct direct = {0};
    double f[FEATURES_MAX];
    for (uint32_t pass = 0; pass < 3; pass++) /* how many; means; squares */
        for (uint32_t b = 0; b < BATCHES; b++) {
            ToyBatch batch = toy_batch(b);
            for (size_t s = 0; s < batch_size(b); s++) {
                uint16_t target = batch.target[s];
                direct.n = features_by_hand(rival, batch.x + s * TOY_IN, f);
                direct.total += pass == 0;
                direct.count[target] += pass == 0;
                for (size_t i = 0; pass == 1 && i < direct.n; i++)
                    direct.mean[target][i] += f[i] / (double)direct.count[target];
                if (pass == 2)
                    add_square(&direct, f, direct.mean[target]);
            }
        }
    return direct;
}

/* f^T Lambda m - m^T Lambda m / 2 */
static double lda_score(const Direct *direct, double shrinkage, const double *f, size_t k) {
    double a[FEATURES_MAX * FEATURES_MAX], w[FEATURES_MAX], score = 0;
    size_t n = direct->n;
    for (size_t i = 0; i < n; i++) {
        w[i] = direct->mean[k][i];
        for (size_t j = 0; j < n; j++)
            a[i * n + j] =
                (1 - shrinkage) * direct->covariance[i * n + j] + (i == j ? shrinkage : 0);
    }
    solve_by_hand(a, w, n);
    for (size_t i = 0; i < n; i++)
        score += w[i] * (f[i] - direct->mean[k][i] / 2);
    return score;
}

static void lda_equals_the_formula(const char *method, const char *text, double shrinkage) {
    Rival *rival = toy_rival(method, text, toy, 30);
    ToyBatch probe = toy_batch(77);
    float scores[TOY_BATCH * TOY_OUT];
    double f[FEATURES_MAX];
    learn_batches(rival, false);
    rival_predict(rival, probe.x, TOY_BATCH, scores);
    Direct direct = compute_directly(rival);
    for (size_t s = 0; s < TOY_BATCH; s++) {
        (void)features_by_hand(rival, probe.x + s * TOY_IN, f);
        for (size_t k = 0; k < TOY_OUT; k++) {
            double wanted = lda_score(&direct, shrinkage, f, k);
            assert_close(scores[s * TOY_OUT + k], wanted, 1e-5 * (1 + fabs(wanted)));
        }
    }
    rival_free(rival);
}

static void slda_is_discriminant_analysis(void **state) {
    (void)state;
    lda_equals_the_formula("slda", "batch 8 shrinkage 0.01", 0.01);
    lda_equals_the_formula("slda", "batch 8 shrinkage 0.3 features relu", 0.3);
    lda_equals_the_formula("slda", "batch 8 shrinkage 1", 1); /* then by distance alone */
}

static void randumb_is_the_same_on_cosines(void **state) {
    (void)state;
    lda_equals_the_formula("randumb", "batch 8 shrinkage 0.01 rbf_gamma 0.5", 0.01);
}

/* The product of two inputs' features is the kernel, up to 1 / sqrt(units). */
static void cosines_approximate_the_kernel(void **state) {
    enum { MANY = 4000 };
    Rival *rival =
        toy_rival("randumb", "batch 8 rbf_gamma 0.3", (RivalShape){TOY_IN, 2, {1, {MANY}}}, 31);
    ToyBatch batch = toy_batch(5);
    uint16_t target[TOY_BATCH] = {0};
    double near = 1, far = 0;
    (void)state;
    rival_predict(rival, batch.x, TOY_BATCH, (float[TOY_BATCH * 2]){0}); /* fills lda.x */
    for (size_t a = 0; a < TOY_BATCH; a++)
        for (size_t b = 0; b < TOY_BATCH; b++) {
            double distance = 0, product = 0;
            for (size_t j = 0; j < TOY_IN; j++)
                distance +=
                    pow((double)batch.x[a * TOY_IN + j] - (double)batch.x[b * TOY_IN + j], 2);
            for (size_t j = 0; j < MANY; j++)
                product += rival->lda.x[a * MANY + j] * rival->lda.x[b * MANY + j];
            assert_close(product, exp(-0.3 * distance), 5 / sqrt(MANY));
            near = fmin(near, exp(-0.3 * distance));
            far = fmax(far, exp(-0.3 * distance));
        }
    assert_true(near < 0.5 && far == 1); /* so that one number would not do for all */
    rival_learn(rival, batch.x, target, TOY_BATCH);
    rival_free(rival);
}

static void slda_has_no_order(void **state) {
    ToyBatch probe = toy_batch(77);
    float scores[2][TOY_BATCH * TOY_OUT];
    (void)state;
    for (size_t way = 0; way < 2; way++) {
        Rival *rival = toy_rival("slda", "batch 8 shrinkage 0.01", toy, 32);
        learn_batches(rival, way);
        rival_predict(rival, probe.x, TOY_BATCH, scores[way]);
        rival_free(rival);
    }
    for (size_t i = 0; i < TOY_BATCH * TOY_OUT; i++)
        assert_close(scores[0][i], scores[1][i], 1e-4);
}

static void ncm_scores_by_distance(void **state) {
    Rival *rival = toy_rival("ncm", "batch 8", toy, 33);
    ToyBatch probe = toy_batch(77);
    float scores[TOY_BATCH * TOY_OUT];
    (void)state;
    learn_batches(rival, false);
    rival_predict(rival, probe.x, TOY_BATCH, scores);
    Direct direct = compute_directly(rival);
    for (size_t s = 0; s < TOY_BATCH; s++)
        for (size_t k = 0; k < TOY_OUT; k++) {
            double wanted = 0;
            for (size_t j = 0; j < TOY_IN; j++)
                wanted -= pow((double)probe.x[s * TOY_IN + j] - direct.mean[k][j], 2);
            assert_close(scores[s * TOY_OUT + k], wanted, 1e-5);
        }
    rival_free(rival);
}

/* The distance is added up in several parts; here one is left over. */
static void ncm_adds_up_every_value(void **state) {
    enum { N = 27 };
    Rival *rival = toy_rival("ncm", "batch 1", (RivalShape){N, 2, {0, {0}}}, 34);
    float x[N] = {0}, scores[2];
    (void)state;
    rival_learn(rival, x, (uint16_t[]){1}, 1);
    for (size_t j = 0; j < N; j++) {
        x[j] = 3;
        rival_predict(rival, x, 1, scores);
        assert_close(scores[1], -9, 0);
        assert_true(scores[0] == SCORE_UNSEEN);
        x[j] = 0;
    }
    rival_free(rival);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slda_is_discriminant_analysis),
        cmocka_unit_test(randumb_is_the_same_on_cosines),
        cmocka_unit_test(cosines_approximate_the_kernel),
        cmocka_unit_test(slda_has_no_order),
        cmocka_unit_test(ncm_scores_by_distance),
        cmocka_unit_test(ncm_adds_up_every_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
