/* test_future.c - the paper's future work: growth by error, release, neurogenesis, rehearsal. */
#include "future/mechanisms.h"
#include "net/learner.h"
#include "folder.h"
#include "toy.h"

#include <math.h>

#define GROWTH "m_growth_error = 1\n"
#define FALL   "tend_every = 3\ntau_release_ms = 1000\n"
#define ERRORS                                                                                     \
    "tend_every = 3\nrelease_error_hz = 20\ntau_release_error_ms = 200\nrelease_share = 0.3\n"
#define REBIRTH  "tend_every = 4\nneurogenesis_m = 0.05\nneurogenesis_neurons = 2\n"
#define REHEARSE "rehearsal_every = 5\nrehearsal_means = 3\nrehearsal_release = 0.3\n"

static const char *const ways[] = {GROWTH,
                                   "m_growth_error = -0.7\n",
                                   FALL,
                                   ERRORS,
                                   REBIRTH,
                                   REHEARSE,
                                   GROWTH ERRORS REBIRTH REHEARSE "tau_release_ms = 1000\n"};
enum { WAYS = sizeof ways / sizeof *ways };

static tacos_learner *learner_with(const char *way, const char *model) {
    char text[1024];
    (void)snprintf(text, sizeof text, "%s%s", TOY, way);
    return toy_learner(text, model, 4, NULL);
}

static uint32_t digest_after(const char *way, const char *model, uint32_t n) {
    tacos_learner *learner = learner_with(way, model);
    toy_learn(learner, 0, n);
    uint32_t digest = tacos_learner_digest(learner);
    tacos_learner_free(learner);
    return digest;
}

/* ---- on and off ---- */

static void without_them_all_is_as_ever(void **state) {
    static const char settings[] = "tend_every = 2\nrelease_share = 1\ntau_release_error_ms = 5\n"
                                   "neurogenesis_neurons = 9\nrehearsal_means = 4\n"
                                   "rehearsal_rounds = 3\nrehearsal_release = 1\n";
    (void)state;
    for (size_t m = 0; m < TOY_MODELS; m++) {
        uint32_t plain = digest_after("", toy_models[m], 30);
        assert_int_equal(digest_after(settings, toy_models[m], 30), plain);
        if (strcmp(toy_models[m], "tacos") == 0 || strcmp(toy_models[m], "snn+metaplasticity") == 0)
            continue;
        /* where m does not grow, they have no meaning */
        for (size_t w = 0; w < WAYS; w++)
            assert_int_equal(digest_after(ways[w], toy_models[m], 30), plain);
    }
}

static void each_of_them_changes_what_is_learned(void **state) {
    static const char *const models_that_grow[] = {"tacos", "snn+metaplasticity"};
    (void)state;
    for (size_t m = 0; m < 2; m++) {
        uint32_t digests[WAYS + 1];
        digests[WAYS] = digest_after("", models_that_grow[m], 30);
        for (size_t w = 0; w < WAYS; w++) {
            digests[w] = digest_after(ways[w], models_that_grow[m], 30);
            assert_int_equal(digest_after(ways[w], models_that_grow[m], 30), digests[w]);
        }
        for (size_t w = 0; w <= WAYS; w++)
            for (size_t other = 0; other < w; other++)
                assert_int_not_equal(digests[w], digests[other]);
    }
}

static void every_kernel_gives_the_same(void **state) {
    (void)state;
    for (size_t w = 0; w < WAYS; w++) {
        uint32_t first = 0;
        for (size_t k = 0; kernels[k]; k++) {
            if (!kernels[k]->runs_here())
                continue;
            assert_int_equal(setenv("TACOS_KERNEL", kernels[k]->name, 1), 0);
            uint32_t digest = digest_after(ways[w], "tacos", 20);
            first = first ? first : digest;
            assert_int_equal(digest, first);
        }
    }
    assert_int_equal(unsetenv("TACOS_KERNEL"), 0);
}

/* ---- files ---- */

static void a_loaded_learner_goes_on_as_the_saved_one(void **state) {
    const Folder *folder = *state;
    tacos_error err;
    for (size_t w = 0; w < WAYS; w++) {
        uint32_t whole = digest_after(ways[w], "tacos", 33);
        tacos_learner *learner = learner_with(ways[w], "tacos");
        for (uint32_t k = 0; k < 33; k++) { /* saved and loaded after every sample */
            toy_learn(learner, k, k + 1);
            assert_succeeds(tacos_learner_save(learner, folder->file, &err));
            tacos_learner_free(learner);
            assert_succeeds(tacos_learner_load(&learner, folder->file, NULL, &err));
        }
        assert_int_equal(tacos_learner_digest(learner), whole);
        tacos_learner_free(learner);
    }
}

static void what_no_memory_can_be_is_refused(void **state) {
    const Folder *folder = *state;
    for (int damage = 0; damage < 4; damage++) {
        tacos_learner *learner = learner_with(REHEARSE, "tacos"), *other;
        tacos_error err;
        toy_learn(learner, 0, 4);
        if (damage == 0)
            learner->net.future.memory.open[1] = 3;
        else if (damage == 1)
            learner->net.future.memory.means[7] = NAN;
        else if (damage == 2)
            learner->net.future.memory.open[0] = 2; /* with nothing in the second */
        else
            learner->net.future.memory.n[0] = UINT64_MAX;
        assert_succeeds(tacos_learner_save(learner, folder->file, &err));
        assert_fails(tacos_learner_load(&other, folder->file, NULL, &err), TACOS_CHECKSUM);
        tacos_learner_free(learner);
    }
}

/* ---- errors, and growth by them ---- */

static void errors_are_heard_through_the_feedback(void **state) {
    tacos_learner *learner = learner_with(ERRORS, "tacos");
    Scratch *scratch = &learner->scratch;
    const Layer *hidden = &learner->net.layers[0];
    const float hz = 1000.0f / 60;
    (void)state;
    for (uint32_t k = 0; k < 5; k++) {
        uint64_t before = tacos_learner_stats_get(learner).learning.error_spikes;
        toy_learn(learner, k, k + 1);
        uint64_t after = tacos_learner_stats_get(learner).learning.error_spikes;
        const uint32_t *n_fp = scratch->future.n_errors, *n_fn = n_fp + 2;
        assert_int_equal(n_fp[0] + n_fp[1] + n_fn[0] + n_fn[1], after - before);
        assert_true(after > before);
        for (size_t o = 0; o < 2; o++)
            assert_float_equal(scratch->future.heard[1][o], hz * (float)(n_fp[o] + n_fn[o]), 1e-3);
        for (size_t i = 0; i < 20; i++) {
            float sum = 0, weight = 0;
            for (size_t n = 0; n < 4; n++) { /* both kinds of both outputs, or two shared rows */
                size_t row = learner->net.params.feedback == FEEDBACK_SHARED ? n % 2 : n;
                float b = fabsf(hidden->feedback[row * hidden->stride + i]);
                sum += b * (float)scratch->future.n_errors[n];
                weight += b / 2;
            }
            assert_float_equal(scratch->future.heard[0][i], hz * sum / weight, 1e-3);
        }
    }
    tacos_learner_free(learner);
}

/* How many of the 20 hidden neurons' synapses may grow, over many samples, if each hears this. */
static double grown_part(const char *way, float heard_hz) {
    tacos_learner *learner = learner_with(way, "tacos");
    FutureScratch *s = &learner->scratch.future;
    size_t grown = 0;
    for (uint32_t k = 0; k < 500; k++) {
        learner->net.n_learned = k;
        for (size_t i = 0; i < 20; i++)
            s->heard[0][i] = heard_hz;
        growth_draw(&learner->net, 0, &learner->scratch);
        for (size_t i = 0; i < 20; i++)
            grown += s->grows[0][i];
    }
    tacos_learner_free(learner);
    return (double)grown / (500 * 20);
}

/* Labels spike at 200 Hz: so do the errors of a network that is silent. */
static void the_error_scales_the_growth_of_m(void **state) {
    (void)state;
    assert_true(grown_part("m_growth_error = 1", 0) == 1);
    assert_true(grown_part("m_growth_error = 1", 200) == 0);
    assert_true(grown_part("m_growth_error = 1", 900) == 0);
    assert_true(grown_part("m_growth_error = -1", 0) == 0);
    assert_true(grown_part("m_growth_error = -1", 200) == 1);
    assert_true(fabs(grown_part("m_growth_error = 1", 50) - 0.75) < 0.02);
    assert_true(fabs(grown_part("m_growth_error = -1", 50) - 0.25) < 0.02);
    assert_true(fabs(grown_part("m_growth_error = 0.4", 200) - 0.6) < 0.02);
    assert_true(fabs(grown_part("m_growth_error = -0.4", 0) - 0.6) < 0.02);
}

static uint64_t all_steps(const tacos_learner *learner) {
    uint64_t sum = 0;
    for (size_t l = 0; l < learner->net.n_layers; l++) {
        const Layer *layer = &learner->net.layers[l];
        for (size_t k = 0; k < layer->n_pre * layer->stride; k++)
            sum += layer->m_steps[k];
    }
    return sum;
}

static void m_grows_less_with_it(void **state) {
    static const char *const scales[] = {"m_growth_error = 1", "m_growth_error = -1"};
    tacos_learner *plain = learner_with("", "tacos");
    (void)state;
    toy_learn(plain, 0, 30);
    for (size_t k = 0; k < 2; k++) {
        tacos_learner *learner = learner_with(scales[k], "tacos");
        toy_learn(learner, 0, 30);
        assert_in_range(all_steps(learner), 1, all_steps(plain) - 1);
        tacos_learner_free(learner);
    }
    tacos_learner_free(plain);
}

/* ---- release ---- */

static void set_steps(tacos_learner *learner, uint16_t steps) {
    for (size_t l = 0; l < learner->net.n_layers; l++) {
        const Layer *layer = &learner->net.layers[l];
        for (size_t j = 0; j < layer->n_pre; j++)
            for (size_t i = 0; i < layer->n_post; i++)
                layer->m_steps[j * layer->stride + i] = steps;
    }
}

/* The part of its steps that the first layer keeps. */
static double kept(uint16_t steps, double share) {
    tacos_learner *learner = learner_with(FALL, "tacos");
    uint64_t *shares = learner->scratch.future.shares;
    set_steps(learner, steps);
    uint64_t before = all_steps(learner);
    for (size_t l = 0; l < 2; l++) {
        for (size_t i = 0; i < learner->net.layers[l].stride; i++)
            shares[i] = rng_odds(share);
        release_steps(&learner->net, l, 0, shares);
    }
    double part = (double)all_steps(learner) / (double)before;
    tacos_learner_free(learner);
    return part;
}

static void the_right_part_of_m_is_lost_on_average(void **state) {
    static const uint16_t counts[] = {1, 2, 7, 100, 3001, 65535};
    (void)state;
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        uint16_t steps = counts[k];
        assert_true(kept(steps, 0) == 1);
        assert_true(kept(steps, 1) == 0);
        assert_true(kept(steps, 7) == 0);
        assert_true(fabs(kept(steps, 0.25) - 0.75) < 0.06 / (double)steps + 1e-6);
    }
}

static void m_falls_at_its_time_alone(void **state) {
    tacos_learner *learner = learner_with("tend_every = 7\ntau_release_ms = 1\n", "tacos");
    (void)state;
    for (uint32_t k = 1; k <= 30; k++) {
        uint64_t before = all_steps(learner);
        toy_learn(learner, k - 1, k);
        if (k % 7 == 0)
            assert_int_equal(all_steps(learner), 0);
        else
            assert_true(all_steps(learner) >= before);
    }
    assert_true(all_steps(learner) > 0);
    tacos_learner_free(learner);
}

static void m_falls_where_errors_persist(void **state) {
    tacos_learner *learner = learner_with(ERRORS "release_share = 1\n", "tacos");
    const Layer *layer = &learner->net.layers[0];
    (void)state;
    set_steps(learner, 9);
    for (size_t i = 0; i < 20; i++)
        learner->net.future.error_hz[0][i] = i % 3 == 0 ? 20.5f : 20;
    release_run(&learner->net, &learner->scratch);
    for (size_t j = 0; j < 40; j++)
        for (size_t i = 0; i < 20; i++)
            assert_int_equal(layer->m_steps[j * layer->stride + i], i % 3 == 0 ? 0 : 9);
    tacos_learner_free(learner);
}

static void errors_are_averaged_over_samples(void **state) {
    tacos_learner *learner = learner_with(ERRORS, "tacos"); /* a sample is 60 of 200 ms */
    float mean[2] = {0, 0};
    (void)state;
    for (uint32_t k = 0; k < 10; k++) {
        toy_learn(learner, k, k + 1);
        for (size_t o = 0; o < 2; o++) {
            mean[o] += 0.3f * (learner->scratch.future.heard[1][o] - mean[o]);
            assert_float_equal(learner->net.future.error_hz[1][o], mean[o], 1e-3);
        }
    }
    assert_true(mean[0] > 0 && mean[1] > 0);
    tacos_learner_free(learner);
}

/* ---- neurogenesis ---- */

/* m of 100 steps is 4. First weights of the first layer are uniform in -3..3. */
#define ANEW(m, neurons)                                                                           \
    "neurogenesis_m = " m "\nneurogenesis_neurons = " neurons "\ninit_w = 3,0.5\n"

/* Is this neuron as one that has begun anew? */
static bool is_new(const tacos_learner *learner, size_t i) {
    const Layer *in = &learner->net.layers[0], *out = &learner->net.layers[1];
    for (size_t j = 0; j < in->n_pre; j++) {
        size_t at = j * in->stride + i;
        if (in->m_steps[at] != 0 || in->w[at] != in->w_ref[at] || fabsf(in->w[at]) > 3)
            return false;
    }
    for (size_t o = 0; o < out->n_post; o++) {
        size_t at = i * out->stride + o;
        if (out->w[at] != 0 || out->w_ref[at] != 0 || out->m_steps[at] != 0)
            return false;
    }
    return true;
}

static void those_that_mean_least_begin_anew(void **state) {
    tacos_learner *learner = learner_with(ANEW("3.9", "2"), "tacos");
    Layer *in = &learner->net.layers[0], *out = &learner->net.layers[1];
    float before[40 * 32];
    (void)state;
    set_steps(learner, 100);
    for (size_t i = 0; i < 20; i++)
        for (size_t o = 0; o < 2; o++)
            out->w[i * out->stride + o] = (i == 5 || i == 11) ? -0.01f : 1;
    for (size_t j = 0; j < 40; j++)
        in->m_steps[j * in->stride + 2] = 97; /* below the threshold: young */
    for (size_t o = 0; o < 2; o++)
        out->w[2 * out->stride + o] = 0;
    memcpy(before, in->w, 40 * in->stride * sizeof *before);
    neurogenesis_run(&learner->net, &learner->scratch);
    for (size_t i = 0; i < 20; i++) {
        bool reborn = i == 5 || i == 11;
        assert_int_equal(is_new(learner, i), reborn);
        for (size_t j = 0; j < 40; j++)
            assert_int_equal(in->w[j * in->stride + i] != before[j * in->stride + i], reborn);
    }
    /* With two of 20 new the mean is below the threshold, and no more are replaced. */
    uint32_t digest = tacos_learner_digest(learner);
    neurogenesis_run(&learner->net, &learner->scratch);
    assert_int_equal(tacos_learner_digest(learner), digest);
    tacos_learner_free(learner);
}

static void weights_of_new_neurons_are_new(void **state) {
    tacos_learner *learner = learner_with(ANEW("1", "99"), "tacos");
    Layer *in = &learner->net.layers[0];
    float first[40 * 32], sum = 0, squares = 0;
    (void)state;
    for (uint64_t turn = 0; turn < 2; turn++) {
        set_steps(learner, 100);
        learner->net.n_learned = 64 * turn;
        memcpy(first, in->w, 40 * in->stride * sizeof *first);
        neurogenesis_run(&learner->net, &learner->scratch);
        for (size_t i = 0; i < 20; i++) {
            assert_true(is_new(learner, i));
            for (size_t j = 0; j < 40; j++)
                assert_true(in->w[j * in->stride + i] != first[j * in->stride + i]);
        }
    }
    for (size_t k = 0; k < 40 * in->stride; k++) {
        bool padding = k % in->stride >= 20;
        sum += in->w[k];
        squares += in->w[k] * in->w[k];
        assert_true(!padding || in->w[k] == 0);
    }
    assert_true(fabsf(sum / 800) < 0.2f);
    assert_true(fabsf(squares / 800 - 3) < 0.3f); /* as uniform as that */
    tacos_learner_free(learner);
}

/* ---- rehearsal ---- */

/* Learn n samples in which inputs from..from+9 spike at every second step. */
static void learn_stripe(tacos_learner *learner, size_t from, size_t target, size_t n) {
    uint8_t spikes[60 * TOY_INPUTS] = {0};
    tacos_error err;
    for (size_t t = 0; t < 60; t += 2)
        memset(spikes + t * TOY_INPUTS + from, 1, 10);
    for (size_t k = 0; k < n; k++)
        assert_succeeds(tacos_learner_learn_spikes(learner, spikes, 60, TOY_INPUTS, target, &err));
}

static const float *mean_of(const tacos_learner *learner, size_t output, size_t k) {
    const Params *p = &learner->net.params;
    return learner->net.future.memory.means +
           (output * p->future.rehearsal_means + k) * p->n_inputs;
}

static void assert_stripe(const float *mean, size_t from, float value) {
    for (size_t j = 0; j < TOY_INPUTS; j++) {
        float wanted = j >= from && j < from + 10 ? value : 0;
        assert_float_equal(mean[j], wanted, 1e-6);
    }
}

static void an_output_has_the_mean_of_its_samples(void **state) {
    tacos_learner *learner = learner_with("rehearsal_every = 3\n", "tacos");
    const Memory *memory = &learner->net.future.memory;
    (void)state;
    learn_stripe(learner, 0, 1, 6);
    learn_stripe(learner, 20, 0, 1);
    learn_stripe(learner, 10, 1, 2);
    assert_int_equal(memory->n[0], 1);
    assert_int_equal(memory->n[1], 8);
    assert_stripe(mean_of(learner, 0, 0), 20, 0.5f);
    for (size_t j = 0; j < 20; j++)
        assert_float_equal(mean_of(learner, 1, 0)[j], j < 10 ? 0.375 : 0.125, 1e-6);
    tacos_learner_free(learner);
}

/* Of three blocks with room for three means (one is open) those that are alike become one. */
static void means_that_are_alike_become_one(void **state) {
    tacos_learner *learner = learner_with("rehearsal_every = 4\nrehearsal_means = 3\n", "tacos");
    const Memory *memory = &learner->net.future.memory;
    (void)state;
    learn_stripe(learner, 0, 0, 4);
    learn_stripe(learner, 10, 0, 4);
    learn_stripe(learner, 0, 0, 4); /* the third: now two become one */
    assert_int_equal(memory->open[0], 2);
    assert_int_equal(memory->n[0], 8);
    assert_int_equal(memory->n[1], 4);
    assert_int_equal(memory->n[2], 0);
    assert_stripe(mean_of(learner, 0, 0), 0, 0.5f);
    assert_stripe(mean_of(learner, 0, 1), 10, 0.5f);
    learn_stripe(learner, 15, 0, 8); /* nearer to the second than to the first */
    assert_int_equal(memory->n[0], 8);
    assert_int_equal(memory->n[1], 12);
    assert_int_equal(memory->n[2], 0);
    assert_stripe(mean_of(learner, 0, 0), 0, 0.5f);
    learn_stripe(learner, 0, 1, 1);
    assert_int_equal(memory->n[3], 1);
    tacos_learner_free(learner);
}

static void rehearsed_samples_are_counted_and_take_no_number(void **state) {
    tacos_learner *learner = learner_with("rehearsal_every = 5\nrehearsal_rounds = 3\n", "tacos");
    (void)state;
    toy_learn(learner, 0, 23); /* four rehearsals, three rounds, two outputs */
    assert_int_equal(tacos_learner_learned(learner), 23);
    assert_int_equal(*learner->net.future.memory.rehearsed, 24);
    assert_int_equal(tacos_learner_stats_get(learner).learning.samples, 23 + 24);
    tacos_learner_free(learner);
}

/* A mean spikes as often as it says, and no two rehearsals alike. */
static void means_are_shown_at_their_rates(void **state) {
    tacos_learner *learner = learner_with("rehearsal_every = 2\n", "tacos");
    uint64_t spikes = 0, last = 0, same = 0, n = 0;
    (void)state;
    for (size_t k = 0; k < 100; k++) {
        uint64_t before = tacos_learner_stats_get(learner).learning.input_spikes;
        learn_stripe(learner, 0, 0, 2);
        uint64_t shown = tacos_learner_stats_get(learner).learning.input_spikes - before - 600;
        spikes += shown;
        same += shown == last;
        last = shown;
        n++;
    }
    assert_true(fabs((double)spikes / (double)n / 300 - 1) < 0.02);
    assert_true(same < n / 4);
    tacos_learner_free(learner);
}

static void after_a_rehearsal_m_may_fall_and_w_is_consolidated(void **state) {
    tacos_learner *learner = learner_with("rehearsal_every = 10\nrehearsal_release = 1\n", "tacos");
    (void)state;
    toy_learn(learner, 0, 9);
    assert_true(all_steps(learner) > 0);
    toy_learn(learner, 9, 10);
    assert_int_equal(all_steps(learner), 0);
    for (size_t l = 0; l < 2; l++) {
        tacos_layer_view view = toy_layer(learner, l);
        assert_memory_equal(view.w, view.w_ref, view.n_pre * view.stride * sizeof *view.w);
    }
    tacos_learner_free(learner);
}

/* What must be kept between samples is part of the model's bytes, not of the baseline's. */
static void means_are_counted_as_memory(void **state) {
    tacos_learner *plain = learner_with("", "tacos");
    tacos_learner *learner = learner_with("rehearsal_every = 10\nrehearsal_means = 8\n", "tacos");
    tacos_learner_stats a = tacos_learner_stats_get(plain), b = tacos_learner_stats_get(learner);
    (void)state;
    assert_in_range(b.model_bytes - a.model_bytes, 2 * 8 * (40 * 4 + 8), 2 * 8 * 40 * 4 + 512);
    assert_int_equal(a.baseline_bytes, b.baseline_bytes);
    tacos_learner_free(plain);
    tacos_learner_free(learner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_them_all_is_as_ever),
        cmocka_unit_test(each_of_them_changes_what_is_learned),
        cmocka_unit_test(every_kernel_gives_the_same),
        IN_FOLDER(a_loaded_learner_goes_on_as_the_saved_one),
        IN_FOLDER(what_no_memory_can_be_is_refused),
        cmocka_unit_test(errors_are_heard_through_the_feedback),
        cmocka_unit_test(the_error_scales_the_growth_of_m),
        cmocka_unit_test(m_grows_less_with_it),
        cmocka_unit_test(the_right_part_of_m_is_lost_on_average),
        cmocka_unit_test(m_falls_at_its_time_alone),
        cmocka_unit_test(m_falls_where_errors_persist),
        cmocka_unit_test(errors_are_averaged_over_samples),
        cmocka_unit_test(those_that_mean_least_begin_anew),
        cmocka_unit_test(weights_of_new_neurons_are_new),
        cmocka_unit_test(an_output_has_the_mean_of_its_samples),
        cmocka_unit_test(means_that_are_alike_become_one),
        cmocka_unit_test(rehearsed_samples_are_counted_and_take_no_number),
        cmocka_unit_test(means_are_shown_at_their_rates),
        cmocka_unit_test(after_a_rehearsal_m_may_fall_and_w_is_consolidated),
        cmocka_unit_test(means_are_counted_as_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
