/* test_rivals_all.c - what is promised of every method: it learns, the seed decides, predicting
 * changes nothing, memory is counted. */
#include "test_rivals.h"

#include <pthread.h>

/* Two clouds in TOY_IN dimensions; which is which can be turned round. */
static void blobs(uint32_t game, bool turned, float *x, uint16_t *target) {
    Dice dice = {.game = game};
    for (size_t i = 0; i < TOY_BATCH; i++) {
        uint16_t side = (uint16_t)(roll_word(&dice) % 2);
        target[i] = turned ? !side : side;
        for (size_t j = 0; j < TOY_IN; j++) {
            double noise = 0;
            for (size_t k = 0; k < 4; k++)
                noise += roll(&dice, -0.5, 0.5);
            x[i * TOY_IN + j] = (float)(noise + (side ? 0.7 : -0.7) * (j % 2 ? 1 : -1));
        }
    }
}

static size_t blobs_task(void *user, size_t at, float *x, uint16_t *target) {
    if (at >= 20)
        return 0;
    blobs((uint32_t)at, *(bool *)user, x, target);
    return TOY_BATCH;
}

/* Where the others' settings would not do. */
static const struct {
    const char *method, *text;
    Counts hidden;
} blobs_settings[] = {
    {"ss", "batch 8 optimizer_rate 0.3 keep_init 0.5 keep_up 0.01 keep_down 0.005", {2, {30, 20}}},
    {"randumb", "batch 8 rbf_gamma 0.1", {1, {30}}},
    {"knn", "batch 8 memory_kb 1 neighbours 5 pixel_mean 0.5 pixel_sd 4", {2, {30, 20}}},
    {"fly", "batch 8 fly_density 0.4 fly_active 0.1 fly_rate 0.01", {1, {60}}},
    {NULL, "batch 8 optimizer_rate 0.01 sigma_init 0.1 strength 0.1", {2, {30, 20}}},
};

static Rival *blobs_rival(const char *method, uint32_t seed) {
    size_t i = 0;
    while (blobs_settings[i].method && strcmp(blobs_settings[i].method, method) != 0)
        i++;
    return toy_rival(method, blobs_settings[i].text,
                     (RivalShape){TOY_IN, 2, blobs_settings[i].hidden}, seed);
}

static void learn_blobs(Rival *rival, bool turned) {
    rival_begin_task(rival);
    for (uint32_t b = 0; b < 150; b++) {
        float x[TOY_BATCH * TOY_IN];
        uint16_t target[TOY_BATCH];
        blobs(b, turned, x, target);
        rival_learn(rival, x, target, TOY_BATCH);
    }
    rival_end_task(rival, blobs_task, &turned);
}

static double blobs_accuracy(Rival *rival, bool turned) {
    size_t right = 0;
    for (uint32_t b = 0; b < 40; b++) {
        float x[TOY_BATCH * TOY_IN], scores[TOY_BATCH * 2];
        uint16_t target[TOY_BATCH];
        blobs(1000 + b, turned, x, target);
        rival_predict(rival, x, TOY_BATCH, scores);
        for (size_t i = 0; i < TOY_BATCH; i++)
            right += scores[2 * i + target[i]] > scores[2 * i + !target[i]];
    }
    return (double)right / (40 * TOY_BATCH);
}

static void every_method_learns(void **state) {
    (void)state;
    for (size_t m = 0; rival_info(m); m++)
        for (int turned = 0; turned < 2; turned++) {
            Rival *rival = blobs_rival(rival_info(m)->name, 1);
            learn_blobs(rival, turned);
            double accuracy = blobs_accuracy(rival, turned);
            if (accuracy < 0.95)
                fail_msg("%s has %.3f right", rival_info(m)->name, accuracy);
            rival_free(rival);
        }
}

static uint32_t digest_of(const char *method, uint32_t seed, bool turned) {
    Rival *rival = blobs_rival(method, seed);
    learn_blobs(rival, turned);
    learn_blobs(rival, !turned);
    uint32_t digest = rival_digest(rival);
    rival_free(rival);
    return digest;
}

/* On pixels there is nothing random, and the order of samples makes no difference but rounding. */
static bool is_drawn(const char *method) {
    return strcmp(method, "rls") != 0 && strcmp(method, "slda") != 0 && strcmp(method, "ncm") != 0;
}

static void the_seed_decides(void **state) {
    (void)state;
    for (size_t m = 0; rival_info(m); m++) {
        const char *name = rival_info(m)->name;
        uint32_t digest = digest_of(name, 1, false);
        assert_int_equal(digest_of(name, 1, false), digest);
        if (!is_drawn(name)) {
            assert_int_equal(digest_of(name, 2, false), digest);
        } else {
            assert_int_not_equal(digest_of(name, 2, false), digest);
            assert_int_not_equal(digest_of(name, 1, true), digest);
        }
    }
}

static void predicting_changes_nothing(void **state) {
    (void)state;
    for (size_t m = 0; rival_info(m); m++) {
        Rival *rival = blobs_rival(rival_info(m)->name, 1);
        Rival *twin = blobs_rival(rival_info(m)->name, 1);
        float x[TOY_BATCH * TOY_IN], scores[2][TOY_BATCH * 2];
        uint16_t target[TOY_BATCH];
        learn_blobs(rival, false);
        learn_blobs(twin, false);
        blobs(5000, false, x, target);
        uint32_t digest = rival_digest(rival);
        rival_predict(rival, x, TOY_BATCH, scores[0]);
        for (size_t i = 0; i < TOY_BATCH; i++) /* however it is cut into batches */
            rival_predict(rival, x + i * TOY_IN, 1, scores[1] + 2 * i);
        for (size_t i = 0; i < TOY_BATCH * 2; i++)
            assert_close(scores[0][i], scores[1][i], 2e-5);
        assert_int_equal(rival_digest(rival), digest);
        learn_blobs(rival, true);
        learn_blobs(twin, true);
        assert_int_equal(rival_digest(rival), rival_digest(twin));
        rival_free(rival);
        rival_free(twin);
    }
}

/* Where the library is unsafe in threads this is wrong now and then, not always. */
static void *train_in_a_thread(void *user) {
    Rival *rival = toy_rival("naive", "batch 32", (RivalShape){100, 2, {2, {50, 40}}}, 6);
    float x[32 * 100];
    uint16_t target[32];
    Dice dice = {.game = 6};
    for (size_t i = 0; i < 3200; i++)
        x[i] = (float)roll(&dice, -1, 1);
    for (size_t i = 0; i < 32; i++)
        target[i] = (uint16_t)(roll_word(&dice) % 2);
    for (size_t b = 0; b < 2000; b++)
        rival_learn(rival, x, target, 32);
    *(uint32_t *)user = rival_digest(rival);
    rival_free(rival);
    return NULL;
}

static void rivals_in_threads_do_not_disturb_each_other(void **state) {
    enum { N = 6 };
    pthread_t threads[N];
    uint32_t alone, digest[N];
    (void)state;
    (void)train_in_a_thread(&alone);
    for (size_t k = 0; k < N; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, train_in_a_thread, &digest[k]), 0);
    for (size_t k = 0; k < N; k++)
        assert_int_equal(pthread_join(threads[k], NULL), 0);
    for (size_t k = 0; k < N; k++)
        assert_int_equal(digest[k], alone);
}

/* Whatever else there is, of an output without samples nothing is known. */
static void outputs_without_samples_never_answer(void **state) {
    static const char *const apart[] = {"slda", "randumb", "ncm", "knn", "fly"};
    (void)state;
    for (size_t m = 0; m < sizeof apart / sizeof *apart; m++) {
        Rival *rival = toy_rival(apart[m], "batch 8 fly_density 0.4 fly_active 0.2",
                                 (RivalShape){TOY_IN, 5, {1, {30}}}, 1);
        for (uint32_t b = 0; b < 20; b++) { /* two outputs, from the second batch on three */
            ToyBatch batch = toy_batch(b);
            float scores[TOY_BATCH * 5];
            for (size_t i = 0; i < TOY_BATCH; i++)
                batch.target[i] = (uint16_t)(batch.target[i] == 0 ? 1
                                             : b                  ? 5 - batch.target[i]
                                                                  : 3);
            if (b > 0)
                rival_predict(rival, batch.x, TOY_BATCH, scores);
            for (size_t i = 0; b > 0 && i < TOY_BATCH * 5; i++) {
                bool seen = i % 5 == 1 || i % 5 == 3 || (i % 5 == 4 && b > 1);
                assert_true(isfinite(scores[i]));
                assert_true(seen == (scores[i] > SCORE_UNSEEN));
            }
            rival_learn(rival, batch.x, batch.target, TOY_BATCH);
        }
        rival_free(rival);
    }
}

/* Then nothing is known of any. */
static void every_method_answers_before_it_learns(void **state) {
    (void)state;
    for (size_t m = 0; rival_info(m); m++) {
        Rival *rival = blobs_rival(rival_info(m)->name, 1);
        float x[TOY_BATCH * TOY_IN], scores[TOY_BATCH * 2];
        uint16_t target[TOY_BATCH];
        blobs(1, false, x, target);
        rival_predict(rival, x, TOY_BATCH, scores);
        for (size_t i = 0; i < TOY_BATCH * 2; i++)
            assert_true(isfinite(scores[i]));
        assert_true(rival_is_finite(rival));
        rival_free(rival);
    }
}

static void memory_is_counted(void **state) {
    static const struct {
        const char *name;
        double start, a_task;
    } wanted[] = {{"naive", 1, 0},      {"joint", 1, 0}, {"l2", 2, 0},  {"ewc", 1, 2},
                  {"online-ewc", 3, 0}, {"si", 4, 0},    {"mas", 3, 0}, {"lwf", 2, 0},
                  {"bgd", 2, 0},        {"ss", 2, 0}};
    (void)state;
    for (size_t m = 0; m < sizeof wanted / sizeof *wanted; m++) {
        Rival *rival = blobs_rival(wanted[m].name, 1);
        size_t baseline = ((TOY_IN + 1) * 30 + 31 * 20 + 21 * 2) * sizeof(float);
        for (size_t k = 0; k < 3; k++) {
            RivalStats stats = rival_stats(rival);
            assert_int_equal(stats.baseline_bytes, baseline);
            assert_close((double)stats.model_bytes / (double)baseline,
                         wanted[m].start + (double)k * wanted[m].a_task, 1e-12);
            assert_int_equal(stats.model_bytes + stats.workspace_bytes, rival->n_bytes);
            learn_blobs(rival, k % 2);
        }
        rival_free(rival);
    }
}

/* Of a symmetric matrix one half is kept. */
static void memory_of_linear_methods_is_counted(void **state) {
    enum { HALF_8 = 8 * 9 / 2 * sizeof(double), LAYER = 8 * 10 * sizeof(float) };
    static const struct {
        const char *name, *text;
        size_t bytes;
    } wanted[] = {
        {"rls", "", HALF_8 + 8 * 2 * sizeof(double)},
        {"rls", "features relu", 11 * 12 / 2 * sizeof(double) + 11 * 2 * sizeof(double) + LAYER},
        {"slda", "", 7 * 8 / 2 * sizeof(double) + 2 * (7 * sizeof(float) + sizeof(uint64_t))},
        {"slda", "features relu",
         10 * 11 / 2 * sizeof(double) + 2 * (10 * sizeof(float) + sizeof(uint64_t)) + LAYER},
        {"randumb", "",
         10 * 11 / 2 * sizeof(double) + 2 * (10 * sizeof(float) + sizeof(uint64_t)) + LAYER},
        {"ncm", "", 2 * (7 * sizeof(float) + sizeof(uint64_t))},
        {"knn", "memory_kb 1", 992 / 9 * 9 + 8},
        {"fly", "fly_density 0.6", 10 * 4 * sizeof(uint16_t) + 2 * (10 * sizeof(float) + 1)},
    };
    (void)state;
    for (size_t m = 0; m < sizeof wanted / sizeof *wanted; m++) {
        Rival *rival = toy_rival(wanted[m].name, wanted[m].text, (RivalShape){7, 2, {1, {10}}}, 1);
        RivalStats stats = rival_stats(rival);
        if (stats.model_bytes != wanted[m].bytes)
            fail_msg("%s %s has %zu bytes", wanted[m].name, wanted[m].text, stats.model_bytes);
        assert_int_equal(stats.model_bytes + stats.workspace_bytes, rival->n_bytes);
        rival_free(rival);
    }
}

static void work_of_linear_methods_is_counted(void **state) {
    /* per sample; slda and randumb also solve once, before they predict */
    static const struct {
        const char *name;
        uint64_t learn, solve, predict;
    } wanted[] = {
        {"slda", 7 * 8 / 2 + 2 * 7, 7 * 7 * 7 / 6 + 7 * 7 * 2 + 7 * 2, 7 * 2},
        {"randumb", 7 * 10 + 10 * 11 / 2 + 2 * 10, 1000 / 6 + 100 * 2 + 10 * 2, 7 * 10 + 10 * 2},
        {"ncm", 7, 0, 7 * 2},
        {"knn", 7, 0, (8 + 1) * 7},
        {"fly", 10 * 4 + 2, 0, 10 * 4 + 2 * 2},
    };
    (void)state;
    for (size_t m = 0; m < sizeof wanted / sizeof *wanted; m++) {
        Rival *rival = toy_rival(wanted[m].name, "batch 8 fly_density 0.6 fly_active 0.2",
                                 (RivalShape){7, 2, {1, {10}}}, 1);
        float x[8 * 7], scores[3 * 2];
        uint16_t target[8] = {0, 1};
        Dice dice = {.game = 1};
        for (size_t i = 0; i < 8 * 7; i++)
            x[i] = (float)roll(&dice, 0, 1);
        rival_learn(rival, x, target, 8);
        assert_int_equal(rival_stats(rival).learn_macs, 8 * wanted[m].learn);
        rival_predict(rival, x, 3, scores);
        assert_int_equal(rival_stats(rival).learn_macs, 8 * wanted[m].learn + wanted[m].solve);
        assert_int_equal(rival_stats(rival).predict_macs, 3 * wanted[m].predict);
        rival_free(rival);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_learns),
        cmocka_unit_test(the_seed_decides),
        cmocka_unit_test(predicting_changes_nothing),
        cmocka_unit_test(rivals_in_threads_do_not_disturb_each_other),
        cmocka_unit_test(outputs_without_samples_never_answer),
        cmocka_unit_test(every_method_answers_before_it_learns),
        cmocka_unit_test(memory_is_counted),
        cmocka_unit_test(memory_of_linear_methods_is_counted),
        cmocka_unit_test(work_of_linear_methods_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
