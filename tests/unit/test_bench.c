/* test_bench.c - what `tacos bench` counts and how: look-alikes, peaks, the roofline, times. */
#include "data/catalog/catalog.h"
#include "bench/bench.h"
#include "bench/peaks.h"
#include "bench/roofline.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>

#define assert_near(a, b, within) assert_true(fabs((double)(a) - (double)(b)) <= (within))

/* ---- look-alikes ---- */

typedef struct Statistics {
    double lit, light; /* pixels an image: not 0; their sum, 255 being 1 */
    size_t ever;       /* pixels lit in any image */
} Statistics;

static Statistics measure(const Images *images) {
    Statistics s = {0};
    bool ever[784] = {false};
    for (size_t i = 0; i < images->n * 784; i++) {
        s.lit += images->pixels[i] > 0;
        s.light += images->pixels[i] / 255.0;
        ever[i % 784] |= images->pixels[i] > 0;
    }
    for (size_t j = 0; j < 784; j++)
        s.ever += ever[j];
    s.lit /= (double)images->n;
    s.light /= (double)images->n;
    return s;
}

/* Of the real training sets: 149.9 and 390.3 pixels lit an image; 102.4 and 224.4 of light, which
 * at 250 Hz over 150 ms make 37.5 spikes each. */
static void look_alikes_cost_what_the_data_sets_do(void **state) {
    static const struct {
        const char *name;
        double lit, spikes;
    } sets[] = {{"mnist", 149.9, 3840}, {"fashion", 390.3, 8415}};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        Dataset data;
        tacos_error err;
        assert_succeeds(lookalike_make(&data, sets[k].name, 1000, &err));
        const Images *halves[] = {&data.train, &data.test};
        for (size_t h = 0; h < 2; h++) {
            Statistics s = measure(halves[h]);
            assert_near(s.lit, sets[k].lit, 0.05 * sets[k].lit);
            assert_near(s.light * 37.5, sets[k].spikes, 0.03 * sets[k].spikes);
            assert_true(s.ever > 550); /* not always the same ones */
        }
        dataset_free(&data);
    }
}

static void look_alikes_have_all_classes_in_order_and_no_two_are_alike(void **state) {
    Dataset data, again;
    tacos_error err;
    (void)state;
    assert_succeeds(lookalike_make(&data, "mnist", 100, &err));
    assert_succeeds(lookalike_make(&again, "mnist", 100, &err));
    assert_memory_equal(data.train.pixels, again.train.pixels, 100 * 784);
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(data.train.labels[i], i / 10);
        assert_memory_not_equal(data.train.pixels + i * 784, data.test.pixels + i * 784, 784);
        assert_memory_not_equal(data.train.pixels + i * 784,
                                data.train.pixels + (i + 1) % 100 * 784, 784);
    }
    dataset_free(&data);
    dataset_free(&again);
    assert_fails(lookalike_make(&data, "omniglot", 10, &err), TACOS_UNKNOWN);
}

/* ---- peaks ---- */

static void every_kernel_does_all_of_its_peak_loops(void **state) {
    enum { N = 8 * PEAK_FLOATS };
    float *p = aligned_alloc(64, N * sizeof *p);
    (void)state;
    assert_non_null(p);
    for (size_t k = 0; kernels[k]; k++) {
        const PeakLoops *loops = peak_loops(kernels[k]);
        if (!kernels[k]->runs_here())
            continue;
        for (size_t i = 0; i < N; i++)
            p[i] = (float)(i % 7);
        float sum = 0;
        for (size_t i = 0; i < N; i++)
            sum += p[i];
        assert_true(loops->read(p, N, 3) == 3 * sum); /* whole numbers: exact in any order */
        loops->update(p, N, 2);
        for (size_t i = 0; i < N; i++)
            assert_true(p[i] == ((float)(i % 7) * 0.5f + 0.5f) * 0.5f + 0.5f);
        /* Every chain ends at 1. */
        float chains = loops->fma((size_t)PEAK_FMAS * 64);
        assert_true(chains >= 48 && chains == floorf(chains));
    }
    free(p);
}

/* ---- the roofline ---- */

static Network network(Counts hidden) {
    Network net;
    Params params;
    params_defaults(&params);
    params.n_inputs = 784;
    params.n_outputs = 2;
    params.n_steps = 150;
    params.hidden = hidden;
    network_shape(&net, &params, 1, &kernel_ref);
    return net;
}

static void spikes_of_each_layer_follow_from_the_counters(void **state) {
    double spikes[LAYERS_MAX];
    Network one = network((Counts){1, {200}}), two = network((Counts){2, {200, 100}});
    (void)state;
    roofline_spikes(&one, &(tacos_counters){.input_spikes = 7, .hidden_spikes = 5}, spikes);
    assert_near(spikes[0], 7, 0);
    assert_near(spikes[1], 5, 0);
    tacos_counters counters = {.input_spikes = 7,
                               .hidden_spikes = 30 + 11,
                               .synaptic_events = 7 * 200 + 30 * 100 + 11 * 2};
    roofline_spikes(&two, &counters, spikes);
    assert_near(spikes[1], 30, 1e-9);
    assert_near(spikes[2], 11, 1e-9);
}

/* 784-200-2 has 13 blocks a row in its first layer and 1 in the second. */
static void roofline_by_hand(void **state) {
    Network net = network((Counts){1, {200}});
    RooflineCount count = {
        .learned = {.samples = 2, .input_spikes = 200, .hidden_spikes = 100},
        .awake = {20, 40},
        .moved = {60, 40},
    };
    tacos_bench_peaks peaks = {.fma_per_s = 16e9,
                               .l1_read_bytes_per_s = 2e9,
                               .l1_update_bytes_per_s = 4e9,
                               .own_read_bytes_per_s = 1e9,
                               .own_update_bytes_per_s = 0.5e9};
    double visits = (100 + 10) * 13 + (50 + 20), wakes = 10 * 13 + 20, rests = 20 * 13;
    double neurons = 150 * 14, draws = 10 / 16.0 * 150 / 4;
    (void)state;
    Roofline line = roofline_sample(&net, &count, &peaks);
    assert_near(line.operations,
                12 * visits + 1300 + 50 + 40 * wakes + 31 * rests + 35 * neurons + 140 * draws,
                1e-6);
    double own_read = 64 * visits + 64 * 50 + 224 * wakes + rests;
    double own_update = 256 * visits + 704 * wakes + 8 * rests;
    double near_read = 128 * visits + 64 * 1300 + 64 * rests + 192 * neurons;
    double near_update = 768 * neurons;
    assert_near(line.bytes, own_read + own_update + near_read + near_update, 1e-6);
    assert_near(line.compute_us, line.operations * 1e-3, 1e-6);
    assert_near(line.memory_us,
                (own_read + 2 * own_update + near_read / 2 + near_update / 4) * 1e-3, 1e-6);
    assert_near(roofline_working_set(&net, &count), 10 * 3 * 13 * 64 + 20 * 4 * 64, 1e-6);
}

/* ---- times ---- */

static void times_are_median_fastest_and_quartiles(void **state) {
    double odd[] = {5, 1, 3, 2, 9}, even[] = {4, 1, 3, 2}, one[] = {7};
    (void)state;
    tacos_bench_time time = bench_time(odd, 5, 160);
    assert_near(time.us_per_sample, 3, 0);
    assert_near(time.fastest_us, 1, 0);
    assert_near(time.spread_us, 5 - 2, 0);
    assert_int_equal(time.n_batches, 5);
    assert_int_equal(time.n_samples, 160);
    time = bench_time(even, 4, 1);
    assert_near(time.us_per_sample, 2.5, 1e-12);
    assert_near(time.spread_us, 3.25 - 1.75, 1e-12);
    time = bench_time(one, 1, 1);
    assert_near(time.us_per_sample, 7, 0);
    assert_near(time.spread_us, 0, 0);
}

/* ---- which cases ---- */

static bool wanted(const tacos_bench_options *options, const char *name, size_t n_threads) {
    tacos_error err;
    int out = -1;
    assert_succeeds(tacos_bench_wanted(options, name, n_threads, &out, &err));
    return out;
}

static void names_patterns_and_sizes_choose(void **state) {
    const char *const pattern[] = {"mnist-*"}, *const exact[] = {"mnist-784-4000-4000-2"};
    tacos_bench_options all = {.n_threads = 6}, quick = {.n_threads = 1, .quick = 1};
    tacos_bench_options large = {.n_threads = 1, .large = 1};
    tacos_bench_options some = {.names = pattern, .n_names = 1, .n_threads = 1};
    tacos_bench_options one = {.names = exact, .n_names = 1, .n_threads = 1, .quick = 1};
    (void)state;
    for (size_t n = 1; n <= 8; n++)
        assert_int_equal(wanted(&all, "fashion-784-200-2", n),
                         n == 1 || n == 2 || n == 4 || n == 6);
    assert_false(wanted(&all, "mnist-784-4000-4000-2", 1));
    assert_true(wanted(&large, "mnist-784-4000-4000-2", 1));
    assert_true(wanted(&one, "mnist-784-4000-4000-2", 1));
    assert_false(wanted(&one, "mnist-784-200-2", 1));
    assert_true(wanted(&all, "mnist-784-4000-2", 1));
    assert_false(wanted(&quick, "mnist-784-4000-2", 1));
    assert_true(wanted(&some, "mnist-784-1000-1000-2", 1));
    assert_false(wanted(&some, "mnist-784-4000-4000-2", 1));
    assert_false(wanted(&some, "fashion-784-200-2", 1));
    assert_false(wanted(&all, "nothing", 1));
}

static void wrong_options_are_explained(void **state) {
    const char *const wrong[] = {"mnist-784-20-2"}, *const none[] = {"*-4000-4000-2"};
    tacos_error err;
    int out;
    (void)state;
    tacos_bench_options options = {.names = wrong, .n_names = 1};
    assert_fails(tacos_bench_wanted(&options, "x", 1, &out, &err), TACOS_UNKNOWN);
    assert_says(err, "the nearest is 'mnist-784-200-2'");
    options.names = none;
    assert_fails(tacos_bench_wanted(&options, "x", 1, &out, &err), TACOS_INVALID);
    assert_says(err, "full name");
    options = (tacos_bench_options){.n_threads = 257};
    assert_fails(tacos_bench_wanted(&options, "x", 1, &out, &err), TACOS_RANGE);
}

/* ---- a run ---- */

typedef struct Seen {
    size_t n_results, n_calls, patience; /* calls until it asks to stop */
    tacos_bench_case last;
} Seen;

static int on_case(void *user, const tacos_bench_case *result) {
    Seen *seen = user;
    seen->n_results++;
    seen->last = *result;
    return 0;
}

static int on_progress(void *user, const tacos_bench_progress *progress) {
    Seen *seen = user;
    assert_string_equal(progress->name, "fashion-784-200-2");
    assert_int_equal(progress->n_total, 2);
    return ++seen->n_calls >= seen->patience;
}

static const char *const one_name[] = {"fashion-784-200-2"};
static const tacos_bench_options one_case = {
    .data_dir = "/nowhere/at/all",
    .names = one_name,
    .n_names = 1,
    .n_threads = 2,
    .quick = 1,
    .progress = on_progress,
};

static void a_case_is_reported_with_every_number_of_threads(void **state) {
    Seen seen = {.patience = SIZE_MAX};
    tacos_error err;
    (void)state;
    assert_succeeds(tacos_bench_run(&one_case, on_case, &seen, &err));
    const tacos_bench_case *r = &seen.last;
    assert_int_equal(seen.n_results, 2);
    assert_string_equal(r->name, "fashion-784-200-2");
    assert_string_equal(r->dataset, "fashion");
    assert_true(r->look_alike);
    assert_true(r->n_threads <= 2 && r->n_train_threads == 1);
    assert_true(r->train.fastest_us > 0 && r->train.fastest_us <= r->train.us_per_sample);
    assert_true(r->test.fastest_us > 0 && r->test.fastest_us <= r->test.us_per_sample);
    assert_int_equal(r->train.n_samples % 32, 0);
    assert_near(r->events, 1.7e6, 0.3e6); /* 8,400 input spikes at 200 synapses, and some */
    assert_true(r->bytes > 0 && r->operations > 0 && r->roofline_us > 0);
    assert_near(r->roofline_fraction, r->roofline_us / r->train.us_per_sample, 1e-9);
#define PEAK(member, text) assert_true(r->peaks.member > 0);
    TACOS_BENCH_PEAK_MAP(PEAK)
#undef PEAK
}

static void a_callback_stops_it_within_a_sample(void **state) {
    Seen seen = {.patience = 3};
    tacos_error err;
    (void)state;
    assert_fails(tacos_bench_run(&one_case, on_case, &seen, &err), TACOS_INTERRUPTED);
    assert_int_equal(seen.n_calls, 3);
    assert_int_equal(seen.n_results, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(look_alikes_cost_what_the_data_sets_do),
        cmocka_unit_test(look_alikes_have_all_classes_in_order_and_no_two_are_alike),
        cmocka_unit_test(every_kernel_does_all_of_its_peak_loops),
        cmocka_unit_test(spikes_of_each_layer_follow_from_the_counters),
        cmocka_unit_test(roofline_by_hand),
        cmocka_unit_test(times_are_median_fastest_and_quartiles),
        cmocka_unit_test(names_patterns_and_sizes_choose),
        cmocka_unit_test(wrong_options_are_explained),
        cmocka_unit_test(a_case_is_reported_with_every_number_of_threads),
        cmocka_unit_test(a_callback_stops_it_within_a_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
