/* test_rivals_held.c - the methods that hold on to what tasks left: penalties and their
 * importances, distillation; by their formulas. */
#include "test_rivals.h"

static const RivalShape toy = {TOY_IN, TOY_OUT, {2, {6, 4}}};

#define SGD "batch 8 optimizer sgd optimizer_rate 0.5 "

/* What a batch of SGD moved, per rate, is the gradient that it went by. */
static void learn_gradient(Rival *rival, const ToyBatch *batch, double *grad) {
    float before[TOY_THETA_MAX];
    memcpy(before, rival->theta, rival->mlp.n_theta * sizeof *before);
    rival_learn(rival, batch->x, batch->target, TOY_BATCH);
    for (size_t i = 0; i < rival->mlp.n_theta; i++)
        grad[i] = ((double)before[i] - (double)rival->theta[i]) / rival->params.optimizer_rate;
}

static void assert_gradient(Rival *rival, const ToyBatch *batch, RefLoss *loss, const void *user,
                            double tolerance) {
    double wanted[TOY_THETA_MAX] = {0}, got[TOY_THETA_MAX] = {0};
    ref_slope(loss, user, rival->theta, rival->mlp.n_theta, wanted);
    learn_gradient(rival, batch, got);
    for (size_t i = 0; i < rival->mlp.n_theta; i++)
        if (!(fabs(got[i] - wanted[i]) <= tolerance * (1 + fabs(wanted[i]))))
            fail_msg("slope %zu is %.9g instead of %.9g", i, got[i], wanted[i]);
}

/* ---- Penalties ---- */

typedef struct Pulled {
    RefBatch batch;
    const Rival *rival;
} Pulled;

static double pulled_loss(const double *theta, const void *user) {
    const Pulled *pulled = user;
    double loss = ref_cross_entropy(theta, &pulled->batch);
    for (const Anchor *a = pulled->rival->held.anchors; a; a = a->before)
        for (size_t i = 0; i < pulled->rival->mlp.n_theta; i++) {
            double way = theta[i] - (double)a->theta[i];
            loss +=
                pulled->rival->params.strength * (a->omega ? (double)a->omega[i] : 1) * way * way;
        }
    return loss;
}

static void penalties_are_part_of_the_gradient(void **state) {
    static const char *const methods[] = {"l2", "ewc", "online-ewc", "si", "mas"};
    (void)state;
    for (size_t m = 0; m < 5; m++) {
        Rival *rival = toy_rival(methods[m], SGD "strength 0.7", toy, 11);
        double pull = 0;
        for (uint32_t game = 0; game < 12; game += TOY_TASK_BATCHES)
            toy_learn_task(rival, game);
        rival_begin_task(rival);
        for (uint32_t k = 0; k < 3; k++) {
            ToyBatch batch = toy_batch(100 + k);
            Pulled pulled = {{&rival->mlp, batch.x, batch.target, TOY_BATCH}, rival};
            assert_gradient(rival, &batch, pulled_loss, &pulled, 2e-6);
        }
        for (size_t i = 0; i < rival->mlp.n_theta; i++) {
            const Anchor *a = rival->held.anchors;
            pull += (a->omega ? fabs((double)a->omega[i]) : 1) *
                    fabs((double)(rival->theta[i] - a->theta[i]));
        }
        assert_true(pull > 0.01); /* so there was something to find */
        rival_free(rival);
    }
}

static void the_first_task_is_free(void **state) {
    static const char *const methods[] = {"l2", "ewc", "online-ewc", "si", "mas", "lwf"};
    Rival *naive = toy_rival("naive", SGD, toy, 12);
    (void)state;
    toy_learn_task(naive, 0);
    for (size_t m = 0; m < 6; m++) {
        Rival *rival = toy_rival(methods[m], SGD "strength 1000", toy, 12);
        toy_learn_task(rival, 0);
        assert_memory_equal(rival->theta, naive->theta, rival->mlp.n_theta * sizeof *rival->theta);
        toy_learn_task(rival, 3);
        rival_free(rival);
    }
    rival_free(naive);
}

/* ---- EWC ---- */

/* The Fisher information of a task, sample by sample. */
static void fisher_by_hand(Rival *rival, uint32_t game, double *fisher) {
    size_t n_theta = rival->mlp.n_theta, n_samples = 0;
    memset(fisher, 0, n_theta * sizeof *fisher);
    for (size_t at = 0; at < TOY_TASK_BATCHES; at++) {
        ToyBatch batch = toy_batch(game + (uint32_t)at);
        for (size_t s = 0; s < toy_task_size(at); s++, n_samples++) {
            double theta[TOY_THETA_MAX] = {0}, slope[TOY_THETA_MAX] = {0}, z[16] = {0};
            uint16_t best = 0;
            const float *x = batch.x + s * TOY_IN;
            for (size_t i = 0; i < n_theta; i++)
                theta[i] = (double)rival->theta[i];
            ref_logits(&rival->mlp, theta, x, z);
            for (uint16_t k = 1; k < TOY_OUT; k++)
                best = z[k] > z[best] ? k : best;
            ref_slope(ref_cross_entropy, &(RefBatch){&rival->mlp, x, &best, 1}, rival->theta,
                      n_theta, slope);
            for (size_t i = 0; i < n_theta; i++)
                fisher[i] += slope[i] * slope[i];
        }
    }
    for (size_t i = 0; i < n_theta; i++)
        fisher[i] /= (double)n_samples;
}

static void ewc_keeps_the_fisher_information_of_each_task(void **state) {
    Rival *rival = toy_rival("ewc", SGD, toy, 13);
    size_t n = rival->mlp.n_theta;
    double first[TOY_THETA_MAX] = {0}, second[TOY_THETA_MAX] = {0};
    float theta[TOY_THETA_MAX];
    (void)state;
    toy_learn_task(rival, 0);
    fisher_by_hand(rival, 0, first);
    memcpy(theta, rival->theta, n * sizeof *theta);
    toy_learn_task(rival, 3);
    fisher_by_hand(rival, 3, second);
    const Anchor *last = rival->held.anchors;
    assert_all_close(last->omega, second, n, 1e-6);
    assert_memory_equal(last->theta, rival->theta, n * sizeof *theta);
    assert_all_close(last->before->omega, first, n, 1e-6);
    assert_memory_equal(last->before->theta, theta, n * sizeof *theta);
    assert_null(last->before->before);
    rival_free(rival);
}

static void online_ewc_adds_them_up(void **state) {
    Rival *rival = toy_rival("online-ewc", SGD "gamma 0.25", toy, 13);
    size_t n = rival->mlp.n_theta;
    double sum[TOY_THETA_MAX] = {0}, fisher[TOY_THETA_MAX] = {0};
    (void)state;
    for (uint32_t game = 0; game < 9; game += 3) {
        toy_learn_task(rival, game);
        fisher_by_hand(rival, game, fisher);
        for (size_t i = 0; i < n; i++)
            sum[i] = 0.25 * sum[i] + fisher[i];
    }
    assert_all_close(rival->held.anchor.omega, sum, n, 1e-6);
    assert_memory_equal(rival->held.anchor.theta, rival->theta, n * sizeof(float));
    rival_free(rival);
}

/* ---- MAS ---- */

static double mean_square(const double *theta, const void *user) {
    const RefBatch *batch = user;
    double z[16] = {0}, sum = 0;
    for (size_t i = 0; i < batch->n; i++) {
        ref_logits(batch->mlp, theta, batch->x + i * TOY_IN, z);
        for (size_t k = 0; k < TOY_OUT; k++)
            sum += z[k] * z[k] / (double)(batch->n * TOY_OUT);
    }
    return sum;
}

static void mas_is_the_slope_of_the_outputs(void **state) {
    Rival *rival = toy_rival("mas", SGD, toy, 14);
    size_t n = rival->mlp.n_theta;
    double omega[TOY_THETA_MAX] = {0}, slope[TOY_THETA_MAX] = {0};
    (void)state;
    for (uint32_t game = 0; game < 6; game += 3) {
        toy_learn_task(rival, game);
        for (size_t at = 0; at < TOY_TASK_BATCHES; at++) {
            ToyBatch batch = toy_batch(game + (uint32_t)at);
            RefBatch ref = {&rival->mlp, batch.x, batch.target, toy_task_size(at)};
            ref_slope(mean_square, &ref, rival->theta, n, slope);
            for (size_t i = 0; i < n; i++)
                omega[i] += fabs(slope[i]) / TOY_TASK_BATCHES;
        }
    }
    assert_all_close(rival->held.anchor.omega, omega, n, 1e-6);
    rival_free(rival);
}

/* ---- SI ---- */

static void si_follows_the_path(void **state) {
    Rival *rival =
        toy_rival("si", "batch 1 optimizer sgd optimizer_rate 0.3 strength 0.2 damping 0.1",
                  (RivalShape){1, 2, {0, {0}}}, 15);
    double theta[4], from[4], path[4] = {0}, omega[4] = {0}, grad[4];
    Dice dice = {.game = 15};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        theta[i] = from[i] = (double)rival->theta[i];
    for (size_t task = 0; task < 3; task++) {
        rival_begin_task(rival);
        for (size_t k = 0; k < 4; k++) {
            float x = (float)roll(&dice, -2, 2);
            uint16_t target = (uint16_t)(roll_word(&dice) % 2);
            slope_by_hand(theta, (double)x, target, grad);
            for (size_t i = 0; i < 4; i++) {
                double step = -0.3 * (grad[i] + 2 * 0.2 * omega[i] * (theta[i] - from[i]));
                theta[i] += step;
                path[i] -= grad[i] * step;
            }
            rival_learn(rival, &x, &target, 1);
            assert_all_close(rival->theta, theta, 4, 1e-6);
            assert_all_close(rival->held.path, path, 4, 1e-6);
        }
        rival_end_task(rival, NULL, NULL);
        for (size_t i = 0; i < 4; i++) {
            omega[i] += path[i] / ((theta[i] - from[i]) * (theta[i] - from[i]) + 0.1);
            from[i] = theta[i];
            path[i] = 0;
        }
        assert_all_close(rival->held.anchor.omega, omega, 4, 1e-5);
        assert_true(rival->held.path[0] == 0);
    }
    rival_free(rival);
}

/* ---- LwF ---- */

typedef struct Distilled {
    RefBatch batch;
    double old[TOY_THETA_MAX];
    double task, temperature;
} Distilled;

static double distilled_loss(const double *theta, const void *user) {
    const Distilled *d = user;
    double new_part = 1 / d->task, t = d->temperature, loss = 0;
    for (size_t i = 0; i < d->batch.n; i++) {
        double z[16] = {0}, p[16] = {0}, wanted[16];
        ref_logits(d->batch.mlp, d->old, d->batch.x + i * TOY_IN, z);
        ref_softmax(z, TOY_OUT, t, wanted);
        ref_logits(d->batch.mlp, theta, d->batch.x + i * TOY_IN, z);
        ref_softmax(z, TOY_OUT, t, p);
        for (size_t k = 0; k < TOY_OUT; k++)
            loss -= t * t * wanted[k] * log(p[k]) / (double)d->batch.n;
    }
    return new_part * ref_cross_entropy(theta, &d->batch) + (1 - new_part) * loss;
}

static void lwf_distils_the_network_before(void **state) {
    Rival *rival = toy_rival("lwf", SGD "temperature 3", toy, 16);
    Distilled d = {.temperature = 3};
    (void)state;
    toy_learn_task(rival, 0);
    for (uint32_t task = 2; task <= 3; task++) {
        rival_begin_task(rival);
        d.task = task;
        for (size_t i = 0; i < rival->mlp.n_theta; i++)
            d.old[i] = (double)rival->theta[i];
        for (uint32_t k = 0; k < 3; k++) {
            ToyBatch batch = toy_batch(10 * task + k);
            d.batch = (RefBatch){&rival->mlp, batch.x, batch.target, TOY_BATCH};
            assert_gradient(rival, &batch, distilled_loss, &d, 2e-6);
        }
        rival_end_task(rival, NULL, NULL);
    }
    rival_free(rival);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(penalties_are_part_of_the_gradient),
        cmocka_unit_test(the_first_task_is_free),
        cmocka_unit_test(ewc_keeps_the_fisher_information_of_each_task),
        cmocka_unit_test(online_ewc_adds_them_up),
        cmocka_unit_test(mas_is_the_slope_of_the_outputs),
        cmocka_unit_test(si_follows_the_path),
        cmocka_unit_test(lwf_distils_the_network_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
