/* test_rivals.c - what all rivals are made of: the network, its gradients, optimisers, noise; and
 * what is promised of every method. */
#include "test_rivals.h"

#include "rivals/noise.h"
#include "heap.h"

/* ---- The network ---- */

static Rival *naive(size_t hidden, const char *text) {
    return toy_rival("naive", text, (RivalShape){TOY_IN, TOY_OUT, toy_hidden[hidden]}, 3);
}

static void logits_are_those_of_the_formula(void **state) {
    (void)state;
    for (size_t h = 0; h < N_HIDDEN; h++) {
        Rival *rival = naive(h, "batch 8");
        ToyBatch batch = toy_batch(1);
        float scores[TOY_BATCH * TOY_OUT];
        double theta[TOY_THETA_MAX] = {0}, z[16] = {0};
        for (size_t i = 0; i < rival->mlp.n_theta; i++)
            theta[i] = (double)rival->theta[i];
        rival_predict(rival, batch.x, TOY_BATCH, scores);
        for (size_t i = 0; i < TOY_BATCH; i++) {
            ref_logits(&rival->mlp, theta, batch.x + i * TOY_IN, z);
            for (size_t k = 0; k < TOY_OUT; k++)
                assert_close(scores[i * TOY_OUT + k], z[k], 1e-6);
        }
        rival_free(rival);
    }
}

static void gradient_is_the_slope_of_the_loss(void **state) {
    (void)state;
    for (size_t h = 0; h < N_HIDDEN; h++) {
        Rival *rival = naive(h, "batch 8");
        Mlp *mlp = &rival->mlp;
        ToyBatch batch = toy_batch(2);
        size_t n = TOY_BATCH - 1; /* a batch that is not full */
        RefBatch ref = {mlp, batch.x, batch.target, n};
        double wanted[TOY_THETA_MAX] = {0}, theta[TOY_THETA_MAX] = {0};
        ref_slope(ref_cross_entropy, &ref, rival->theta, mlp->n_theta, wanted);
        const float *logits = mlp_forward(mlp, rival->theta, batch.x, n);
        double loss =
            loss_cross_entropy(logits, batch.target, n, TOY_OUT, 1 / (float)n, mlp->slope);
        mlp_backward(mlp, rival->theta, batch.x, n, rival->grad);
        for (size_t i = 0; i < mlp->n_theta; i++) {
            assert_close(rival->grad[i], wanted[i], 1e-6);
            theta[i] = (double)rival->theta[i];
        }
        assert_close(loss, ref_cross_entropy(theta, &ref), 1e-6);
        rival_free(rival);
    }
}

static void weights_begin_within_their_range(void **state) {
    Rival *rival = toy_rival("naive", "batch 1", (RivalShape){100, 2, {1, {50}}}, 5);
    double sum = 0, squares = 0, most = 0;
    (void)state;
    for (size_t i = 0; i < 5050; i++) { /* the first layer, range 0.1 */
        double w = (double)rival->theta[i];
        sum += w;
        squares += w * w;
        most = fmax(most, fabs(w));
    }
    assert_true(most <= 0.1 && most > 0.099);
    assert_close(sum / 5050, 0, 0.1 / sqrt(3 * 5050) * 4);
    assert_close(squares / 5050, 0.01 / 3, 0.0002);
    for (size_t i = 5050; i < rival->mlp.n_theta; i++)
        assert_true(fabs((double)rival->theta[i]) <= 1 / sqrt(50));
    rival_free(rival);
}

static void work_is_counted(void **state) {
    Rival *rival = naive(2, "batch 8");
    ToyBatch batch = toy_batch(3);
    float scores[TOY_BATCH * TOY_OUT];
    (void)state;
    rival_learn(rival, batch.x, batch.target, 8);
    rival_predict(rival, batch.x, 3, scores);
    /* Forward 5 6 + 6 4 + 4 3; back the same for weights, and but for the inputs for units. */
    assert_int_equal(rival_stats(rival).learn_macs, 8 * (66 + 66 + 36));
    assert_int_equal(rival_stats(rival).predict_macs, 3 * 66);
    rival_free(rival);
}

/* ---- Optimisers ---- */

/* One parameter's steps by the book. */
static double step_by_hand(OptimizerKind kind, double g, size_t t, double *m, double *v) {
    if (kind == OPTIMIZER_SGD)
        return 0.01 * g;
    if (kind == OPTIMIZER_ADAGRAD) {
        *v += g * g;
        return 0.01 * g / (sqrt(*v) + 1e-10);
    }
    *m = 0.9 * *m + 0.1 * g;
    *v = 0.999 * *v + 0.001 * g * g;
    double m_hat = *m / (1 - pow(0.9, (double)t)), v_hat = *v / (1 - pow(0.999, (double)t));
    return 0.01 * m_hat / (sqrt(v_hat) + 1e-8);
}

static void optimizers_step_by_the_book(void **state) {
    enum { N = 37, PIECE = 20 };
    (void)state;
    for (int kind = OPTIMIZER_SGD; kind <= OPTIMIZER_ADAGRAD; kind++) {
        float room[2 * 64] = {0}, theta[N], grad[N];
        double wanted[N], m[N] = {0}, v[N] = {0};
        Optimizer optimizer;
        Dice dice = {.game = (uint32_t)kind};
        optimizer_shape(&optimizer, (OptimizerKind)kind, 0.01);
        optimizer.mean = room;
        optimizer.squares = room + 64;
        for (size_t i = 0; i < N; i++)
            wanted[i] = (double)(theta[i] = (float)roll(&dice, -1, 1));
        for (size_t t = 1; t <= 5; t++) {
            for (size_t i = 0; i < N; i++) {
                grad[i] = (float)roll(&dice, -1, 1);
                wanted[i] -= step_by_hand((OptimizerKind)kind, (double)grad[i], t, &m[i], &v[i]);
            }
            optimizer_begin(&optimizer);
            optimizer_step(&optimizer, 0, PIECE, grad, theta);
            optimizer_step(&optimizer, PIECE, N - PIECE, grad + PIECE, theta + PIECE);
            for (size_t i = 0; i < N; i++)
                assert_close(theta[i], wanted[i], 1e-6);
        }
    }
}

static void moments_do_not_stick_at_denormal_numbers(void **state) {
    float theta = 1, grad = 1e-3f, mean = 0, squares = 0;
    Optimizer optimizer;
    (void)state;
    optimizer_shape(&optimizer, OPTIMIZER_ADAM, 0.01);
    optimizer.mean = &mean;
    optimizer.squares = &squares;
    for (size_t t = 0; t < 1000; t++) {
        optimizer_begin(&optimizer);
        optimizer_step(&optimizer, 0, 1, &grad, &theta);
        grad = 0;
    }
    assert_true(mean == 0);
    assert_true(squares > 0);
}

/* ---- Penalties ---- */

static void merged_penalties_pull_like_both(void **state) {
    float omega[2][4] = {{1, 0, 3, 0}, {2, 5, 0, 0}};
    float at[2][4] = {{1, 1, 1, 1}, {-1, 2, 7, 3}};
    float theta[4] = {0.5f, -2, 3, 9}, apart[4] = {0}, together[4] = {0};
    Anchor first = {omega[0], at[0], NULL}, second = {omega[1], at[1], &first};
    (void)state;
    penalty_add(&second, 10, 0, 4, theta, apart);
    assert_close(apart[0], 20 * (1 * -0.5 + 2 * 1.5), 1e-5);
    penalty_merge(&first, omega[1], at[1], 4);
    penalty_add(&first, 10, 0, 4, theta, together);
    for (size_t i = 0; i < 4; i++)
        assert_close(together[i], apart[i], 1e-4);
}

/* ---- Noise ---- */

static void noise_is_that_of_the_generator(void **state) {
    uint32_t words[2 * NOISE_GROUP];
    (void)state;
    noise_words((NoiseStream){.seed = 9, .sample = 1ull << 40 | 3, .index = 1}, 3 * NOISE_GROUP,
                2 * NOISE_GROUP, words);
    for (uint32_t i = 0; i < 2 * NOISE_GROUP; i++) {
        uint32_t group = i / NOISE_GROUP, lane = i % NOISE_LANES, word = i / NOISE_LANES % 4;
        RngBlock block =
            rng_block(9, RNG_RIVAL_NOISE, 1ull << 40 | 3, (3 + group) * NOISE_LANES + lane, 1);
        assert_int_equal(words[i], block.word[word]);
    }
}

static void noise_is_normal(void **state) {
    enum { N = 1 << 17 };
    float *values = malloc(N * sizeof *values);
    double moment[5] = {0};
    size_t beyond = 0;
    (void)state;
    assert_non_null(values);
    noise_normal((NoiseStream){.seed = 1}, 0, N, values);
    for (size_t i = 0; i < N; i++) {
        for (int k = 1; k <= 4; k++)
            moment[k] += pow((double)values[i], k) / N;
        beyond += fabsf(values[i]) > 3;
    }
    assert_close(moment[1], 0, 5 * sqrt(1.0 / N));
    assert_close(moment[2], 1, 5 * sqrt(2.0 / N));
    assert_close(moment[3], 0, 5 * sqrt(15.0 / N));
    assert_close(moment[4], 3, 5 * sqrt(96.0 / N));
    assert_close((double)beyond / N, 0.0026998, 5 * sqrt(0.0027 / N));
    free(values);
}

/* Box and Muller's pair by the C library: the same radius, and an angle that is the words'. */
static void noise_has_the_radius_of_its_word(void **state) {
    uint32_t words[NOISE_GROUP];
    float values[NOISE_GROUP];
    (void)state;
    for (uint64_t s = 0; s < 200; s++) {
        noise_words((NoiseStream){.sample = s}, 0, NOISE_GROUP, words);
        noise_normal((NoiseStream){.sample = s}, 0, NOISE_GROUP, values);
        for (size_t j = 0; j < NOISE_LANES; j++) {
            double x = (double)values[j], y = (double)values[NOISE_LANES + j];
            double u = ((words[j] >> 8) + 1) * 0x1p-24;
            double angle = (words[NOISE_LANES + j] * 0x1p-32 - 0.125) * 2 * acos(-1);
            double r = sqrt(-2 * log(u));
            assert_close(x, r * cos(angle), 2e-6);
            assert_close(y, r * sin(angle), 2e-6);
        }
    }
}

/* ---- The table, and what no key can tell ---- */

static void the_table_says_what_a_method_needs(void **state) {
    static const struct {
        const char *name;
        bool told, keeps;
    } wanted[] = {{"naive", false, false},   {"joint", false, true},      {"l2", true, false},
                  {"ewc", true, false},      {"online-ewc", true, false}, {"si", true, false},
                  {"mas", true, false},      {"lwf", true, false},        {"bgd", false, false},
                  {"ss", false, false},      {"rls", false, false},       {"slda", false, false},
                  {"randumb", false, false}, {"ncm", false, false},       {"knn", false, false},
                  {"fly", false, false}};
    size_t n = sizeof wanted / sizeof *wanted;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        int found = rival_find(wanted[i].name);
        assert_true(found >= 0);
        const RivalInfo *info = rival_info((size_t)found);
        assert_string_equal(info->name, wanted[i].name);
        assert_true(info->told_tasks == wanted[i].told && info->keeps_data == wanted[i].keeps);
        assert_true(strlen(info->about) > 10);
    }
    assert_null(rival_info(n));
    assert_int_equal(rival_find("tacos"), -1);
}

static tacos_status try_new(const char *method, const char *text, RivalShape shape,
                            tacos_error *err) {
    RivalParams params = toy_params(text);
    Rival *rival = NULL;
    tacos_status status = rival_new(&rival, (size_t)rival_find(method), &params, &shape, 1, err);
    assert_null(rival);
    return status;
}

static void impossible_rivals_get_a_sentence(void **state) {
    tacos_error err;
    (void)state;
    assert_fails(try_new("rls", "features relu", (RivalShape){5, 2, {0, {0}}}, &err),
                 TACOS_INVALID);
    assert_says(err, "hidden");
    assert_fails(try_new("slda", "features relu", (RivalShape){5, 2, {2, {3, 4}}}, &err),
                 TACOS_INVALID);
    assert_says(err, "hidden must be one number, and has 2");
    assert_fails(try_new("randumb", "", (RivalShape){5, 2, {0, {0}}}, &err), TACOS_INVALID);
    assert_says(err, "hidden must be one number, and has 0");
    assert_fails(try_new("fly", "", (RivalShape){5, 2, {2, {3, 4}}}, &err), TACOS_INVALID);
    assert_says(err, "hidden must be one number, and has 2");
    assert_fails(try_new("fly", "", (RivalShape){65537, 2, {1, {3}}}, &err), TACOS_INVALID);
    assert_says(err, "fly reads at most 65536 inputs, and here are 65537");
    assert_fails(try_new("knn", "memory_kb 1", (RivalShape){991, 2, {0, {0}}}, &err),
                 TACOS_INVALID);
    assert_says(err, "memory_kb = 1 holds no sample of 991 values; each needs 993 bytes");
    assert_fails(try_new("naive", "", (RivalShape){5, 2, {1, {0}}}, &err), TACOS_INVALID);
    assert_fails(try_new("naive", "", (RivalShape){0, 2, {0, {0}}}, &err), TACOS_INVALID);
}

/* What the method needs is small even for these shapes: it has no matrix. */
static bool is_small(const char *method) {
    return strcmp(method, "ncm") == 0 || strcmp(method, "knn") == 0;
}

/* It has one layer, or not so many inputs, whatever memory there is. */
static bool is_limited(const char *method) {
    return strcmp(method, "fly") == 0 || strcmp(method, "randumb") == 0;
}

static void absurd_sizes_are_out_of_memory(void **state) {
    static const RivalShape shapes[] = {
        {(size_t)1 << 40, 2, {0, {0}}},
        {(1u << 31) - 2, 2, {1, {(1u << 31) - 2}}},
        {(1u << 31) - 2, 2, {2, {(1u << 31) - 2, (1u << 31) - 2}}},
        {(1u << 30), 2, {1, {1u << 28}}}, /* as many bytes as can be counted, but not be had */
    };
    tacos_error err;
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (size_t m = 0; rival_info(m); m++) {
            const char *name = rival_info(m)->name;
            if (i > 0 && is_small(name))
                continue;
            tacos_status status = try_new(name, "", shapes[i], &err);
            if (status != TACOS_MEMORY && !(is_limited(name) && status == TACOS_INVALID))
                fail_msg("%s: %s", name, err.text);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logits_are_those_of_the_formula),
        cmocka_unit_test(gradient_is_the_slope_of_the_loss),
        cmocka_unit_test(weights_begin_within_their_range),
        cmocka_unit_test(work_is_counted),
        cmocka_unit_test(optimizers_step_by_the_book),
        cmocka_unit_test(moments_do_not_stick_at_denormal_numbers),
        cmocka_unit_test(merged_penalties_pull_like_both),
        cmocka_unit_test(noise_is_that_of_the_generator),
        cmocka_unit_test(noise_is_normal),
        cmocka_unit_test(noise_has_the_radius_of_its_word),
        cmocka_unit_test(the_table_says_what_a_method_needs),
        cmocka_unit_test(impossible_rivals_get_a_sentence),
        cmocka_unit_test(absurd_sizes_are_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
