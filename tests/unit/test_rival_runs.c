/* test_rival_runs.c - rivals through the same protocol as the spiking models: what they are shown,
 * what is counted, and what is refused. */
#include "lab/experiment.h"
#include "lab/protocol.h"
#include "lab/features.h"
#include "net/learner.h"
#include "rivals/rival.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static TaskSplits *splits;

static int open_stages(void **state) {
    (void)state;
    return task_splits_new(&splits, NULL, NULL) == TACOS_OK ? 0 : -1;
}

static int close_stages(void **state) {
    (void)state;
    task_splits_free(splits);
    return 0;
}

/* A small experiment on the built-in symbols; `keys` is "key=value key=value". */
static Experiment wish(const char *keys) {
    Experiment *demo, out;
    tacos_error err;
    char copy[512], *rest = copy;
    assert_succeeds(tacos_experiment_open(&demo, "demo", &err));
    out = *demo;
    free(demo);
    assert_succeeds(tacos_experiment_set(&out, "samples_per_task", "100", &err));
    assert_succeeds(tacos_experiment_set(&out, "test_samples_per_task", "40", &err));
    assert_succeeds(tacos_experiment_set(&out, "hidden", "20", &err));
    (void)snprintf(copy, sizeof copy, "%s", keys);
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        assert_succeeds(tacos_experiment_set(&out, word, value, &err));
    }
    return out;
}

static const TaskSplit *split_of(const Experiment *experiment) {
    const TaskSplit *split;
    tacos_error err;
    assert_succeeds(task_splits_get(splits, &experiment->params, &split, &err));
    return split;
}

static int add_up(void *user, uint64_t n) {
    *(uint64_t *)user += n;
    return 0;
}

static tacos_run run_seed(const char *keys, uint32_t seed) {
    Experiment experiment = wish(keys), settled;
    const TaskSplit *split = split_of(&experiment);
    uint64_t n = 0;
    tacos_run run;
    tacos_error err;
    assert_succeeds(task_split_settle(split, &experiment, &settled, &err));
    assert_succeeds(protocol_run(&run, split, &settled, seed,
                                 &(ProtocolOptions){.n_threads = 1, .progress = add_up, .user = &n},
                                 &err));
    assert_int_equal(n, task_split_samples(split, &settled)); /* so that progress ends at 100% */
    return run;
}

static double final_ma(const char *keys) {
    tacos_run run = run_seed(keys, 1);
    double ma = run.after[run.n_tasks - 1].MA;
    run_free(&run);
    return ma;
}

/* ---- every method ---- */

static void every_model_has_a_name_and_a_method(void **state) {
    (void)state;
    const Key *key = &model_table.keys[0];
    size_t n_spiking = 0, n_rivals = 0;
    for (int m = 0; key->choices[m]; m++) {
        assert_string_equal(model_name(m), key->choices[m]);
        if (model_is_rival(m))
            assert_string_equal(rival_info(model_method(m))->name, key->choices[m]);
        else
            assert_string_equal(models[model_spiking(m)].name, key->choices[m]);
        n_spiking += !model_is_rival(m);
        n_rivals += model_is_rival(m);
    }
    assert_int_equal(n_spiking, columns_model + 1);
    assert_string_equal(models[model_spiking((int)n_spiking)].name,
                        "snn");                /* whose spikes are read */
    assert_non_null(rival_info(n_rivals - 1)); /* none is left out */
    assert_null(rival_info(n_rivals));
}

static void every_method_runs_and_is_counted(void **state) {
    (void)state;
    for (size_t i = 0; rival_info(i); i++) {
        const RivalInfo *info = rival_info(i);
        char keys[128];
        (void)snprintf(keys, sizeof keys, "model=%s batch=30 epochs=2", info->name);
        tacos_run run = run_seed(keys, 1), again = run_seed(keys, 1), other = run_seed(keys, 2);
        size_t n = info->keeps_data ? 100 * (1 + 2 + 3 + 4 + 5) : 500;
        assert_int_equal(run.stats.learning.samples, 2 * n);
        assert_int_equal(run.stats.predicting.samples, 6 * 5 * 40);
        assert_true(run.stats.learning.macs > 0 && run.stats.predicting.macs > 0);
        assert_int_equal(run.stats.learning.synaptic_events, 0);
        assert_true(run.memory_overhead >= 1);
        assert_int_equal(run.model_digest, again.model_digest);
        assert_memory_equal(run.R, again.R, 25 * sizeof *run.R);
        assert_int_not_equal(run.model_digest, other.model_digest);
        run_free(&run);
        run_free(&again);
        run_free(&other);
    }
}

static void iterations_take_the_place_of_passes(void **state) {
    tacos_run run = run_seed("model=naive batch=30 epochs=9 iterations=11", 1);
    (void)state;
    /* 100 samples are batches of 30, 30, 30, 10: twice that, and three more */
    assert_int_equal(run.stats.learning.samples, 5 * (200 + 90));
    run_free(&run);
}

/* Trained on all tasks at once, none is forgotten. */
static void joint_training_is_the_upper_bound(void **state) {
    (void)state;
    double joint = final_ma("model=joint epochs=10 batch=20");
    assert_true(joint > final_ma("model=naive epochs=10 batch=20") + 10);
    assert_true(joint > 80);
}

static void a_told_task_makes_it_easier(void **state) {
    (void)state;
    assert_true(final_ma("model=naive scenario=task epochs=5 batch=20") >
                final_ma("model=naive scenario=class epochs=5 batch=20") + 20);
}

/* ---- what a rival sees ---- */

static void a_frame_and_a_scale(void **state) {
    Experiment experiment = wish("model=naive pad_to=32 pixel_mean=0.1 pixel_sd=0.5"), settled;
    const TaskSplit *split = split_of(&experiment);
    const Images *images = &split->data->train;
    size_t margin = (32 - images->width) / 2;
    float seen[32 * 32];
    Features *features;
    tacos_error err;
    (void)state;
    assert_succeeds(task_split_settle(split, &experiment, &settled, &err));
    assert_succeeds(features_new(&features, split, &settled, 1, &err));
    assert_int_equal(features_size(features), 32 * 32);
    features_extract(features, images->pixels, RNG_INPUT, 0, seen);
    for (size_t y = 0; y < 32; y++)
        for (size_t x = 0; x < 32; x++) {
            bool inside = y >= margin && y < margin + images->height && x >= margin &&
                          x < margin + images->width;
            double pixel =
                inside ? images->pixels[(y - margin) * images->width + x - margin] / 255.0 : 0;
            assert_true(fabs(seen[y * 32 + x] - (pixel - 0.1) / 0.5) < 1e-6);
        }
    features_free(features);
}

/* The spike counts are those of the untrained network's hidden layer. */
static void spikes_of_a_frozen_layer(void **state) {
    Experiment experiment = wish("model=rls features=spikes hidden=40"), settled;
    const TaskSplit *split = split_of(&experiment);
    tacos_learner_stats stats = {0};
    float seen[40];
    double sum = 0;
    Features *features;
    tacos_error err;
    (void)state;
    assert_succeeds(task_split_settle(split, &experiment, &settled, &err));
    assert_succeeds(features_new(&features, split, &settled, 1, &err));
    assert_int_equal(features_size(features), 40);
    features_extract(features, split->data->train.pixels, RNG_PREDICT, 7, seen);
    for (size_t j = 0; j < 40; j++)
        sum += (double)seen[j];
    features_count(features, &stats);
    assert_true(sum > 0);
    assert_int_equal((uint64_t)sum, stats.predicting.hidden_spikes);
    assert_true(stats.model_bytes > 0 && stats.learning.hidden_spikes == 0);
    features_free(features);
    assert_true(final_ma("model=rls features=spikes hidden=100") > 65);
}

static void every_seed_can_draw_its_tasks(void **state) {
    Experiment a = wish("tasks=random:5x2:seed"), b = a;
    (void)state;
    experiment_draw(&a, 3);
    experiment_draw(&b, 12);
    assert_string_equal(a.params.tasks, "random:5x2:3");
    assert_string_equal(b.params.tasks, "random:5x2:12");
    assert_int_not_equal(0, memcmp(split_of(&a)->tasks.task, split_of(&b)->tasks.task,
                                   sizeof split_of(&a)->tasks.task));
    Experiment plain = wish("tasks=0-1,2-3");
    experiment_draw(&plain, 3);
    assert_string_equal(plain.params.tasks, "0-1,2-3");
}

/* ---- keys ---- */

static void count_key(void *user, const ExperimentKey *key, const char *value) {
    size_t *n = user;
    (void)value;
    n[0]++;
    n[1] += strcmp(key->key->name, "strength") == 0;
    n[2] += strcmp(key->key->name, "w_ref_rate") == 0;
    n[3] += strcmp(key->key->name, "hidden") == 0;
}

static void a_model_has_the_keys_that_mean_something(void **state) {
    static const struct {
        const char *keys;
        size_t strength, w_ref_rate, hidden;
    } some[] = {{"model=tacos", 0, 1, 1},
                {"model=ewc", 1, 0, 1},
                {"model=rls", 1, 0, 1},
                {"model=rls features=spikes", 1, 1, 1}};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        Experiment experiment = wish(some[i].keys);
        size_t n[4] = {0};
        experiment_visit(&experiment, count_key, n);
        assert_int_equal(n[1], some[i].strength);
        assert_int_equal(n[2], some[i].w_ref_rate);
        assert_int_equal(n[3], some[i].hidden);
    }
}

/* A key without a meaning for the model makes no other configuration of it. */
static void digests_follow_the_meaning(void **state) {
    char a[SHA256_HEX_SIZE], b[SHA256_HEX_SIZE];
    Experiment ewc = wish("model=ewc"), other = wish("model=ewc m_max=3"),
               weak = wish("model=ewc strength=0.1");
    (void)state;
    experiment_digest(&ewc, a);
    experiment_digest(&other, b);
    assert_string_equal(a, b);
    experiment_digest(&weak, b);
    assert_string_not_equal(a, b);
}

static void what_makes_no_sense_is_refused(void **state) {
    static const struct {
        const char *keys, *says;
    } bad[] = {
        {"model=naive pad_to=20", "pad_to = 20 is too small for images of 28 x 28"},
        {"model=rls features=spikes hidden=none", "needs a hidden layer to read"},
        {"model=rls features=relu hidden=none", "hidden"},
        {"model=slda features=relu hidden=20,10", "hidden must be one number, and has 2"},
        {"model=randumb hidden=none", "hidden must be one number, and has 0"},
        {"model=fly hidden=20,10", "hidden must be one number, and has 2"},
        {"model=knn memory_kb=0.5", "memory_kb = 0.5 holds no sample of 784 values"},
        {"model=ewc measure=all", "measure needs a spiking model, and ewc is not one"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Experiment experiment = wish(bad[i].keys), settled;
        const TaskSplit *split = split_of(&experiment);
        tacos_error err = {0};
        tacos_run run;
        if (task_split_settle(split, &experiment, &settled, &err) == TACOS_OK)
            assert_fails(
                protocol_run(&run, split, &settled, 1, &(ProtocolOptions){.n_threads = 1}, &err),
                TACOS_INVALID);
        assert_int_equal(err.status, TACOS_INVALID);
        assert_says(err, bad[i].says);
    }
}

/* ---- divergence ---- */

/* Weights that are no numbers answer something, too; it must not pass for a result. */
static void what_diverges_fails(void **state) {
    static const struct {
        const char *keys, *says;
    } diverging[] = {
        {"model=naive optimizer=sgd optimizer_rate=100 pixel_sd=1e-9", "its answers on task 1"},
        {"model=joint optimizer=sgd optimizer_rate=100 pixel_sd=1e-9", "its answers on task 1"},
        {"model=l2 optimizer=sgd optimizer_rate=0.1 batch=4 strength=1e3",
         "its weights after task "},
        {"model=ewc optimizer=sgd optimizer_rate=1 batch=4 strength=1e6 pixel_sd=0.01",
         "its weights after task "},
        {"model=online-ewc optimizer=sgd optimizer_rate=1 batch=4 strength=1e6 pixel_sd=0.01",
         "its weights after task "},
        {"model=si optimizer=sgd optimizer_rate=1 batch=4 strength=1e6 pixel_sd=0.01",
         "its weights after task "},
        {"model=mas optimizer=sgd optimizer_rate=1 batch=4 strength=1e6 pixel_sd=0.01",
         "its weights after task "},
        {"model=lwf optimizer=sgd optimizer_rate=100 pixel_sd=1e-9", "its answers on task 1"},
        {"model=bgd sigma_init=1000", "its weights after task "},
        {"model=ss optimizer_rate=100 pixel_sd=1e-9", "its answers on task 1"},
        {"model=bgd sigma_init=1000 validation=0.2", "its weights after task "},
        {"model=l2 optimizer=sgd optimizer_rate=0.1 batch=4 strength=1e3 scenario=task",
         "its weights after task "},
    };
    (void)state;
    for (size_t i = 0; i < sizeof diverging / sizeof *diverging; i++) {
        Experiment experiment = wish(diverging[i].keys), settled;
        const TaskSplit *split = split_of(&experiment);
        tacos_error err = {0};
        tacos_run run;
        assert_succeeds(task_split_settle(split, &experiment, &settled, &err));
        assert_fails(
            protocol_run(&run, split, &settled, 1, &(ProtocolOptions){.n_threads = 1}, &err),
            TACOS_DIVERGED);
        assert_says(err, diverging[i].says);
    }
}

/* Whatever the method: also least squares, which no values of keys make diverge. */
static void every_method_knows_when_it_diverged(void **state) {
    RivalShape shape = {.n_inputs = 3, .n_outputs = 2, .hidden = {.n = 1, .value = {4}}};
    float x[] = {1, 0.5f, 0, 1, INFINITY, 1};
    uint16_t target[] = {1, 0};
    (void)state;
    for (size_t i = 0; rival_info(i); i++) {
        Experiment experiment = wish("batch=1 fly_density=1");
        bool whole = strcmp(rival_info(i)->name, "knn") == 0; /* keeps bytes */
        float scores[2];
        Rival *rival;
        tacos_error err;
        assert_succeeds(rival_new(&rival, i, &experiment.rival, &shape, 1, &err));
        rival_begin_task(rival);
        rival_learn(rival, x, target, 1);
        assert_true(rival_is_finite(rival));
        rival_learn(rival, x + 3, target + 1, 1);
        assert_true(rival_is_finite(rival) == whole);
        rival_predict(rival, x, 1, scores);
        if (strcmp(rival_info(i)->name, "rls") == 0 || strcmp(rival_info(i)->name, "slda") == 0)
            assert_true(isnan(scores[0]) && isnan(scores[1])); /* there is no solution */
        rival_free(rival);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_has_a_name_and_a_method),
        cmocka_unit_test(every_method_runs_and_is_counted),
        cmocka_unit_test(iterations_take_the_place_of_passes),
        cmocka_unit_test(joint_training_is_the_upper_bound),
        cmocka_unit_test(a_told_task_makes_it_easier),
        cmocka_unit_test(a_frame_and_a_scale),
        cmocka_unit_test(spikes_of_a_frozen_layer),
        cmocka_unit_test(every_seed_can_draw_its_tasks),
        cmocka_unit_test(a_model_has_the_keys_that_mean_something),
        cmocka_unit_test(digests_follow_the_meaning),
        cmocka_unit_test(what_makes_no_sense_is_refused),
        cmocka_unit_test(what_diverges_fails),
        cmocka_unit_test(every_method_knows_when_it_diverged),
    };
    return cmocka_run_group_tests(tests, open_stages, close_stages);
}
