/* test_learner.c - a learner as its users see it, through tacos.h. Only to tell what the encoding
 * would have drawn does a test look inside. */
#include "raster_box.h"
#include "heap.h"
#include "toy.h"

#include <math.h>
#include <stdio.h>

/* ---- Making ---------------------------------------------------------------------------------- */

static void every_model_and_depth_can_be_made(void **state) {
    static const char *const hidden[] = {"none", "9", "9,8", "9,8,17"};
    static const size_t sizes[] = {9, 8, 17};
    (void)state;
    for (size_t m = 0; m < TOY_MODELS; m++)
        for (size_t depth = 0; depth < 4; depth++) {
            char text[128];
            (void)snprintf(text, sizeof text, "inputs=40\nsteps=60\nhidden=%s\noutputs=3",
                           hidden[depth]);
            tacos_learner *learner = toy_learner(text, toy_models[m], 1, NULL);
            tacos_shape shape = tacos_learner_shape(learner);
            assert_int_equal(shape.n_inputs, 40);
            assert_int_equal(shape.n_outputs, 3);
            assert_int_equal(shape.n_steps, 60);
            assert_int_equal(shape.n_layers, depth + 1);
            for (size_t l = 0; l <= depth; l++) {
                tacos_layer_view view = toy_layer(learner, l);
                assert_int_equal(view.n_pre, l == 0 ? 40 : sizes[l - 1]);
                assert_int_equal(view.n_post, l == depth ? 3 : sizes[l]);
                assert_true(view.stride >= view.n_post);
            }
            toy_learn(learner, 0, 2);
            tacos_learner_free(learner);
        }
    tacos_learner_free(NULL);
}

/* Every layer's first weights fill its own range. */
static void first_weights_are_where_they_are_asked_for(void **state) {
    static const float range[] = {1, 0.25f, 0.5f};
    tacos_learner *learner = toy_learner("inputs=40\nhidden=20,30\noutputs=4\n"
                                         "init_w=1,0.25,0.5",
                                         "tacos", 1, NULL);
    (void)state;
    for (size_t l = 0; l < 3; l++) {
        tacos_layer_view view = toy_layer(learner, l);
        float least = INFINITY, most = -INFINITY, edge = 0.1f * range[l];
        for (size_t j = 0; j < view.n_pre; j++)
            for (size_t i = 0; i < view.n_post; i++) {
                float w = view.w[j * view.stride + i];
                least = fminf(least, w);
                most = fmaxf(most, w);
                assert_true(w == view.w_ref[j * view.stride + i]);
            }
        assert_true(least >= -range[l] && least < -range[l] + edge);
        assert_true(most <= range[l] && most > range[l] - edge);
    }
    tacos_learner_free(learner);
}

/* -0 is the same number, but not the same bytes in a file or a digest. */
static void a_range_of_0_gives_zeros_without_a_sign(void **state) {
    tacos_learner *learner =
        toy_learner("inputs=40\nhidden=20\noutputs=4\ninit_w=0", "tacos", 1, NULL);
    (void)state;
    for (size_t l = 0; l < 2; l++) {
        tacos_layer_view view = toy_layer(learner, l);
        for (size_t k = 0; k < view.n_pre * view.stride; k++)
            assert_true(view.w[k] == 0 && !signbit(view.w[k]));
    }
    tacos_learner_free(learner);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void a_learner_allocates_once(void **state) {
    Heap heap = {0};
    tacos_allocator allocator = heap_allocator(&heap);
    tacos_learner *learner = toy_learner(TOY, "tacos", 1, &allocator);
    tacos_learner_stats stats = tacos_learner_stats_get(learner);
    (void)state;
    toy_learn(learner, 0, 5);
    (void)toy_predict(learner, 0, 0);
    assert_int_equal(heap.calls, 1);
    assert_int_equal(stats.model_bytes + stats.workspace_bytes, heap.live_bytes);
    tacos_learner_free(learner);
    assert_int_equal(heap.live_bytes, 0);
}

/* Ten bytes a synapse, 2e12 synapses: asked for in full, not for what is left of an overflow. */
/* A device's memory: one block, never given back. */
static void *from_block(void *user, size_t n_bytes, size_t alignment) {
    assert_true(n_bytes <= 1 << 20 && 64 % alignment == 0);
    return user;
}

static void a_static_block_will_do(void **state) {
    (void)state;
    void *block = aligned_alloc(64, 1 << 20);
    tacos_allocator allocator = {.alloc = from_block, .free = NULL, .user = block};
    tacos_learner_free(toy_learner(TOY, "tacos", 1, &allocator));
    free(block);
}

static void absurd_sizes_are_no_memory(void **state) {
    Heap heap = {.empty = true};
    tacos_allocator allocator = heap_allocator(&heap);
    tacos_config *config = toy_config("inputs = 1e6\nhidden = 1e6,1e6", "tacos");
    tacos_learner *learner;
    tacos_error err;
    (void)state;
    assert_fails(tacos_learner_new(&learner, config, 1, &allocator, &err), TACOS_MEMORY);
    assert_true(heap.calls == 1 && heap.asked_bytes > 20 * UINT64_C(1000000000000));
    if (memory_is_honest())
        assert_fails(tacos_learner_new(&learner, config, 1, NULL, &err), TACOS_MEMORY);
    tacos_config_free(config);
}

static void a_model_holds_what_its_mechanisms_need(void **state) {
    static const double times[TOY_MODELS] = {2.5, 1, 1.5, 2, 2};
    (void)state;
    for (size_t m = 0; m < TOY_MODELS; m++) {
        tacos_learner *learner = toy_learner("", toy_models[m], 1, NULL); /* the paper's */
        tacos_learner_stats stats = tacos_learner_stats_get(learner);
        double ratio = (double)stats.model_bytes / (double)stats.baseline_bytes;
        assert_true(fabs(ratio / times[m] - 1) < 0.01);
        assert_true(stats.baseline_bytes >= (784 * 200 + 200 * 2 + 200 * 2) * sizeof(float));
        tacos_learner_free(learner);
    }
}

/* ---- Refusing -------------------------------------------------------------------------------- */

static void bad_arguments_are_refused_without_a_trace(void **state) {
    Twins twins = toy_twins("tacos", 1);
    tacos_learner *learner = twins.a;
    ToySample s = toy_sample(0), bad = s;
    uint8_t spikes[61 * TOY_INPUTS] = {0};
    tacos_prediction out;
    tacos_layer_view view;
    tacos_error err;
    (void)state;
    bad.intensity[39] = NAN;
    assert_fails(tacos_learner_learn(learner, s.intensity, 39, 0, &err), TACOS_INVALID);
    assert_says(err, "39 inputs were given; the network has 40");
    assert_fails(tacos_learner_learn(learner, s.intensity, 40, 2, &err), TACOS_RANGE);
    assert_says(err, "target 2");
    assert_fails(tacos_learner_learn(learner, bad.intensity, 40, 0, &err), TACOS_RANGE);
    assert_says(err, "intensity 39");
    assert_fails(tacos_learner_predict(learner, s.intensity, 41, 0, &out, &err), TACOS_INVALID);
    assert_fails(tacos_learner_predict(learner, bad.intensity, 40, 0, &out, &err), TACOS_RANGE);
    assert_fails(tacos_learner_learn_spikes(learner, spikes, 61, 40, 0, &err), TACOS_RANGE);
    assert_says(err, "61 steps were given; a sample has at most 60");
    assert_fails(tacos_learner_learn_spikes(learner, spikes, 60, 40, 2, &err), TACOS_RANGE);
    assert_fails(tacos_learner_learn_spikes(learner, spikes, 60, 39, 0, &err), TACOS_INVALID);
    assert_fails(tacos_learner_predict_spikes(learner, spikes, 61, 40, &out, &err), TACOS_RANGE);
    assert_fails(tacos_learner_layer(learner, 2, &view, &err), TACOS_RANGE);
    assert_says(err, "0 to 1");
    assert_int_equal(tacos_learner_stats_get(learner).learning.samples, 0);
    twins_learn(twins, 0, 3);
    twins_free(twins);
}

/* ---- Learning -------------------------------------------------------------------------------- */

static void the_same_stream_gives_the_same_bits(void **state) {
    (void)state;
    for (size_t m = 0; m < TOY_MODELS; m++) {
        Twins twins = toy_twins(toy_models[m], 1), others = toy_twins(toy_models[m], 2);
        assert_false(same_learner(twins.a, others.a));
        twins_learn(twins, 0, 20);
        twins_free(twins);
        twins_free(others);
    }
}

static void learning_moves_the_weights(void **state) {
    (void)state;
    for (size_t m = 0; m < TOY_MODELS; m++) {
        Twins twins = toy_twins(toy_models[m], 1);
        toy_learn(twins.a, 0, 1);
        assert_false(same_learner(twins.a, twins.b));
        twins_free(twins);
    }
}

static void predicting_changes_nothing_and_repeats(void **state) {
    Twins twins = toy_twins("tacos", 1);
    uint32_t first[2], others = 0;
    (void)state;
    twins_learn(twins, 0, 10);
    memcpy(first, toy_predict(twins.a, 0, 0).counts, sizeof first);
    for (uint64_t draw = 1; draw < 20; draw++) {
        others += memcmp(toy_predict(twins.a, 0, draw).counts, first, sizeof first) != 0;
        assert_memory_equal(toy_predict(twins.a, 0, 0).counts, first, sizeof first);
    }
    assert_true(first[0] + first[1] > 0 && others > 0);
    assert_true(same_learner(twins.a, twins.b));
    twins_learn(twins, 10, 20); /* nor does what comes after change */
    twins_free(twins);
}

static void the_most_spikes_win_and_ties_go_to_the_lowest(void **state) {
    tacos_learner *mute = toy_learner(TOY_SHAPE "init_w = 0\n", "snn", 1, NULL);
    tacos_learner *learner = toy_learner(TOY, "snn", 3, NULL);
    size_t ties = 0;
    (void)state;
    assert_int_equal(toy_predict(mute, 0, 0).output, -1);
    for (uint32_t k = 0; k < 200; k++) {
        tacos_prediction out = toy_predict(learner, k, k);
        int most = out.counts[1] > out.counts[0];
        ties += out.counts[0] == out.counts[1] && out.counts[0] > 0;
        assert_int_equal(out.output, out.counts[most] > 0 ? most : -1);
    }
    assert_true(ties > 0);
    tacos_learner_free(mute);
    tacos_learner_free(learner);
}

/* The spikes that encoding draws for the k-th sample, one byte each. */
static void draw_spikes(const ToySample *sample, uint32_t seed, uint64_t k, uint8_t *spikes) {
    PoissonCode code = {&kernel_ref, seed, RNG_INPUT, 250, 1};
    RasterBox box = raster_box_new(60, TOY_INPUTS);
    assert_int_equal(encode_intensities(&code, k, sample->intensity, &box.raster, NULL), TACOS_OK);
    raster_box_open(&box);
    for (size_t i = 0; i < 60 * TOY_INPUTS; i++)
        spikes[i] = box.spikes[i] ? 255 : 0;
    raster_box_free(&box);
}

static void given_spikes_are_as_good_as_drawn_ones(void **state) {
    Twins twins = toy_twins("tacos", 9);
    (void)state;
    for (uint32_t k = 0; k < 10; k++) {
        uint8_t spikes[60 * TOY_INPUTS];
        ToySample sample = toy_sample(k);
        tacos_error err;
        draw_spikes(&sample, 9, k, spikes);
        toy_learn(twins.a, k, k + 1);
        assert_succeeds(tacos_learner_learn_spikes(twins.b, spikes, 60, 40, k % 2, &err));
        assert_true(same_learner(twins.a, twins.b));
    }
    twins_free(twins);
}

static void missing_steps_are_silence(void **state) {
    Twins twins = toy_twins("tacos", 9);
    uint8_t spikes[60 * TOY_INPUTS];
    ToySample sample = toy_sample(1);
    tacos_prediction a, b;
    tacos_error err;
    (void)state;
    draw_spikes(&sample, 9, 0, spikes);
    twins_learn(twins, 0, 1); /* leaves spikes in what will be missing */
    assert_succeeds(tacos_learner_learn_spikes(twins.a, spikes, 33, 40, 1, &err));
    memset(spikes + 33 * TOY_INPUTS, 0, 27 * TOY_INPUTS);
    assert_succeeds(tacos_learner_learn_spikes(twins.b, spikes, 60, 40, 1, &err));
    assert_true(same_learner(twins.a, twins.b));
    assert_succeeds(tacos_learner_predict_spikes(twins.a, spikes, 33, 40, &a, &err));
    assert_succeeds(tacos_learner_predict_spikes(twins.b, spikes, 60, 40, &b, &err));
    assert_memory_equal(a.counts, b.counts, 2 * sizeof *a.counts);
    twins_free(twins);
}

static void counters_add_up(void **state) {
    tacos_learner *learner = toy_learner(TOY, "tacos", 1, NULL);
    (void)state;
    toy_learn(learner, 0, 20);
    for (uint32_t k = 0; k < 7; k++)
        (void)toy_predict(learner, k, k);
    tacos_learner_stats stats = tacos_learner_stats_get(learner);
    const tacos_counters *both[] = {&stats.learning, &stats.predicting};
    for (size_t i = 0; i < 2; i++) {
        assert_true(both[i]->output_spikes > 0);
        assert_int_equal(both[i]->synaptic_events,
                         both[i]->input_spikes * 20 + both[i]->hidden_spikes * 2);
    }
    const tacos_counters *c = &stats.learning;
    assert_int_equal(c->samples, 20);
    assert_int_equal(c->decay_updates, 40 * c->hidden_spikes + 20 * c->output_spikes);
    assert_in_range(c->error_updates, 1, c->synaptic_events);
    assert_int_equal(stats.predicting.samples, 7);
    c = &stats.predicting;
    assert_int_equal(c->error_spikes + c->error_updates + c->decay_updates, 0);
    tacos_learner_free(learner);
}

/* The values of one learner given to another of the same seed make it the same. */
static void layers_can_be_given(void **state) {
    (void)state;
    for (size_t m = 0; m < TOY_MODELS; m++) {
        Twins twins = toy_twins(toy_models[m], 1);
        toy_learn(twins.a, 0, 30);
        toy_learn(twins.b, 0, 30);
        for (size_t l = 0; l < 2; l++) {
            tacos_layer_view from = toy_layer(twins.a, l);
            size_t n = from.n_pre * from.n_post;
            float *w = calloc(n, sizeof *w), *w_ref = calloc(n, sizeof *w_ref);
            uint16_t *m_steps = calloc(n, sizeof *m_steps);
            tacos_layer_values values = {.w = w,
                                         .w_ref = from.w_ref ? w_ref : NULL,
                                         .m_steps = from.m_steps ? m_steps : NULL};
            tacos_layer_values too_much = {.w = w, .w_ref = w_ref, .m_steps = m_steps};
            tacos_error err;
            for (size_t i = 0; i < n; i++) { /* other ones first */
                w[i] = w_ref[i] = (float)i;
                m_steps[i] = 1;
            }
            assert_succeeds(tacos_learner_set_layer(twins.b, l, &values, &err));
            assert_false(same_learner(twins.a, twins.b));
            for (size_t i = 0; i < n; i++) {
                size_t at = i / from.n_post * from.stride + i % from.n_post;
                w[i] = from.w[at];
                w_ref[i] = from.w_ref ? from.w_ref[at] : 0;
                m_steps[i] = from.m_steps ? from.m_steps[at] : 0;
            }
            if (!from.w_ref || !from.m_steps)
                assert_fails(tacos_learner_set_layer(twins.b, l, &too_much, &err), TACOS_INVALID);
            w[n - 1] = NAN;
            assert_fails(tacos_learner_set_layer(twins.b, l, &values, &err), TACOS_RANGE);
            w[n - 1] = from.w[(from.n_pre - 1) * from.stride + from.n_post - 1];
            assert_succeeds(tacos_learner_set_layer(twins.b, l, &values, &err));
            assert_fails(tacos_learner_set_layer(twins.b, 2, &values, &err), TACOS_RANGE);
            free(w);
            free(w_ref);
            free(m_steps);
        }
        assert_true(same_learner(twins.a, twins.b));
        twins_learn(twins, 30, 40);
        twins_free(twins);
    }
}

/* Who looks on sees just what the counters count, and changes nothing. */
enum { GROUPS = 5 }; /* inputs, hidden, outputs, errors of two kinds */
typedef struct Seen {
    uint64_t spikes[GROUPS];
} Seen;

static void see(void *user, const tacos_spikes *spikes) {
    static const uint32_t size[GROUPS] = {TOY_INPUTS, 20, 2, 2, 2};
    Seen *seen = user;
    assert_true(spikes->group < GROUPS && spikes->step < 60 && spikes->n > 0);
    for (size_t k = 0; k < spikes->n; k++) {
        assert_true(spikes->neurons[k] < size[spikes->group]);
        assert_true(k == 0 || spikes->neurons[k] > spikes->neurons[k - 1]);
    }
    seen->spikes[spikes->group] += spikes->n;
}

static void check_seen(const Seen *seen, const tacos_counters *counted) {
    assert_true(seen->spikes[1] > 0 && seen->spikes[2] > 0);
    assert_int_equal(seen->spikes[0], counted->input_spikes);
    assert_int_equal(seen->spikes[1], counted->hidden_spikes);
    assert_int_equal(seen->spikes[2], counted->output_spikes);
    assert_int_equal(seen->spikes[3] + seen->spikes[4], counted->error_spikes);
}

static void who_watches_sees_every_spike_and_changes_nothing(void **state) {
    Twins twins = toy_twins("tacos", 1);
    Seen learning = {0}, predicting = {0};
    (void)state;
    tacos_learner_watch(twins.a, see, &learning);
    toy_learn(twins.a, 0, 100);
    toy_learn(twins.b, 0, 100);
    tacos_learner_watch(twins.a, see, &predicting);
    for (uint32_t k = 0; k < 10; k++)
        assert_int_equal(toy_predict(twins.a, k, 0).output, toy_predict(twins.b, k, 0).output);
    tacos_learner_stats stats = tacos_learner_stats_get(twins.a);
    tacos_learner_watch(twins.a, NULL, NULL);
    (void)toy_predict(twins.a, 4, 0);
    assert_true(learning.spikes[3] > 0 && learning.spikes[4] > 0);
    check_seen(&learning, &stats.learning);
    check_seen(&predicting, &stats.predicting);
    assert_true(same_learner(twins.a, twins.b));
    twins_free(twins);
}

static void m_is_what_the_model_says(void **state) {
    static const float all[TOY_MODELS] = {-1, 0, -1, 0, 5}; /* -1: each synapse its own */
    uint16_t steps[] = {0, 3, 1000};
    tacos_layer_view made = {.stride = 2, .m_steps = steps, .delta_m = 0.5f, .m_max = 4};
    (void)state;
    assert_true(tacos_layer_m(&made, 0, 1) == 1.5f && tacos_layer_m(&made, 1, 0) == 4);
    for (size_t m = 0; m < TOY_MODELS; m++) {
        tacos_learner *learner = toy_learner(TOY, toy_models[m], 1, NULL);
        toy_learn(learner, 0, 200);
        tacos_layer_view view = toy_layer(learner, 0);
        size_t grown = 0;
        for (size_t j = 0; j < view.n_pre; j++)
            for (size_t i = 0; i < view.n_post; i++) {
                float mine = tacos_layer_m(&view, j, i);
                assert_true(all[m] < 0 ? mine >= 0 && mine <= 5 : mine == all[m]);
                grown += mine > 0;
            }
        assert_true((grown > 0) == (all[m] != 0));
        assert_true((view.m_steps != NULL) == (all[m] < 0));
        assert_true((view.w_ref != NULL) == (m == 0 || m == 3 || m == 4));
        tacos_learner_free(learner);
    }
}

static void it_learns_to_tell_two_classes(void **state) {
    tacos_learner *learner = toy_learner("inputs = 40\nhidden = 20", "snn", 1, NULL);
    size_t right = 0;
    (void)state;
    toy_learn(learner, 0, 200);
    for (uint32_t k = 1000; k < 1200; k++)
        right += toy_predict(learner, k, k).output == (int)(k % 2);
    print_message("%zu of 200 right after 200 samples\n", right);
    assert_true(right >= 190);
    tacos_learner_free(learner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_and_depth_can_be_made),
        cmocka_unit_test(first_weights_are_where_they_are_asked_for),
        cmocka_unit_test(a_range_of_0_gives_zeros_without_a_sign),
        cmocka_unit_test(a_learner_allocates_once),
        cmocka_unit_test(a_static_block_will_do),
        cmocka_unit_test(absurd_sizes_are_no_memory),
        cmocka_unit_test(a_model_holds_what_its_mechanisms_need),
        cmocka_unit_test(bad_arguments_are_refused_without_a_trace),
        cmocka_unit_test(the_same_stream_gives_the_same_bits),
        cmocka_unit_test(learning_moves_the_weights),
        cmocka_unit_test(predicting_changes_nothing_and_repeats),
        cmocka_unit_test(the_most_spikes_win_and_ties_go_to_the_lowest),
        cmocka_unit_test(given_spikes_are_as_good_as_drawn_ones),
        cmocka_unit_test(missing_steps_are_silence),
        cmocka_unit_test(counters_add_up),
        cmocka_unit_test(layers_can_be_given),
        cmocka_unit_test(who_watches_sees_every_spike_and_changes_nothing),
        cmocka_unit_test(m_is_what_the_model_says),
        cmocka_unit_test(it_learns_to_tell_two_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
