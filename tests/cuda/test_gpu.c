/* test_gpu.c - the kernels of src/cuda against the engine: every bit of what is learned, every
 * count of spikes, for every model, shape and key that they take. Here they run on the processor
 * (emulate.c), with little and much shared memory, threads forwards and backwards; tools/check-cuda
 * runs the same program on a GPU. */
#include "cuda/gpu.h"
#include "device.h"
#include "net/encode.h"
#include "net/learner.h"

#include "unit/check.h"

#include <stdio.h>
#include <stdlib.h>

enum { IMAGES = 40, TASKS = 3, LONGEST = 800 };

/* A network, and how it is tried. */
typedef struct Trial {
    const char *name, *keys;
    size_t n_learned;
    bool permuted;
} Trial;

#define SMALL "inputs = 70\noutputs = 2\nhidden = 40\nsteps = 60\n"
#define LIVELY                                                                                     \
    "input_rate_hz = 400\nthreshold_hidden = 0.5\nthreshold_output = 0.6\nlabel_rate_hz = 300\n"
/* So that m is felt after a few samples. */
#define GROWING                                                                                    \
    "delta_m_hidden = 0.4\ndelta_m_output = 0.2\nm_threshold_input = 1\n"                          \
    "m_threshold_hidden = 1\nm_threshold_output = 0.5\n"

static const Trial trials[] = {
    {"tacos", SMALL LIVELY GROWING, 45, false},
    {"tacos as in the paper", "inputs = 100\noutputs = 2\nhidden = 200\n", 12, false},
    {"snn", SMALL LIVELY "model = snn\n", 40, false},
    {"metaplasticity", SMALL LIVELY GROWING "model = snn+metaplasticity\n", 40, false},
    {"consolidation", SMALL LIVELY "model = snn+consolidation\n", 40, false},
    {"fixed", SMALL LIVELY "model = fixed\nm_max = 3\n", 40, false},
    {"strong decay", SMALL LIVELY GROWING "alpha = 0.02\nw_ref_rate = 0.01\n", 40, false},
    {"decay of every spike", SMALL LIVELY "alpha = 0.2\nmodel = snn+consolidation\n", 20, false},
    {"no decay", SMALL LIVELY GROWING "alpha = 0\n", 20, false},
    {"fast learning", SMALL LIVELY GROWING "learning_rate = 0.3\ninit_b = 4\n", 40, false},
    {"large m", SMALL LIVELY "m_max = 200\ndelta_m_hidden = 20\nm_threshold_input = 0.5\n", 30,
     false},
    {"m with a bound on the outputs", SMALL LIVELY GROWING "m_max_output = 1\nm_max = 2\n", 30,
     false},
    {"m in one of many samples",
     SMALL LIVELY GROWING "delta_m_output = 0.00001\nm_max_output = 1\n", 30, false},
    {"shared feedback", SMALL LIVELY GROWING "feedback = shared\n", 20, false},
    {"false positives kept", SMALL LIVELY GROWING "target_fp = kept\n", 20, false},
    {"false positives silent", SMALL LIVELY GROWING "target_fp = silent\n", 20, false},
    {"ten outputs", "inputs = 70\noutputs = 10\nhidden = 64\nsteps = 50\n" LIVELY GROWING, 30,
     false},
    {"two layers", "inputs = 70\noutputs = 2\nhidden = 40,33\nsteps = 60\n" LIVELY GROWING, 40,
     false},
    {"two layers without m",
     "inputs = 70\noutputs = 3\nhidden = 30,50\nsteps = 60\n"
     "model = snn+consolidation\nalpha = 0.01\n" LIVELY,
     40, false},
    {"two layers of snn",
     "inputs = 70\noutputs = 2\nhidden = 32,32\nsteps = 40\nmodel = snn\n" LIVELY, 30, false},
    {"a wide layer", "inputs = 50\noutputs = 2\nhidden = 1000\nsteps = 20\n" LIVELY GROWING, 6,
     false},
    {"one hidden neuron", "inputs = 33\noutputs = 1\nhidden = 1\nsteps = 7\n" LIVELY, 10, false},
    {"many inputs", "inputs = 800\noutputs = 2\nhidden = 50\nsteps = 30\n" LIVELY GROWING, 20,
     false},
    {"every input at every step",
     "inputs = 64\noutputs = 2\nhidden = 20\nsteps = 30\n"
     "input_rate_hz = 1000\ninit_w = 0.2\n" GROWING,
     12, false},
    {"permuted", SMALL LIVELY GROWING, 30, true},
};

/* ---- samples ---- */

/* Half of the pixels are dark, some as bright as can be. */
static void draw_images(uint8_t *pixels, size_t n_inputs) {
    Dice dice = {(uint32_t)n_inputs, 0};
    for (size_t k = 0; k < IMAGES * n_inputs; k++) {
        uint32_t word = roll_word(&dice);
        pixels[k] = word % 2 ? 0 : word >> 8 & 1 ? 255 : (uint8_t)(word >> 16);
    }
}

static void draw_samples(StreamSample *samples, size_t n, size_t n_outputs, bool permuted) {
    Dice dice = {7, 0};
    for (size_t k = 0; k < n; k++)
        samples[k] =
            (StreamSample){roll_word(&dice) % IMAGES, (uint16_t)(roll_word(&dice) % n_outputs),
                           permuted ? (uint16_t)(roll_word(&dice) % TASKS) : (uint16_t)0};
}

/* ---- the engine ---- */

typedef struct World {
    const Trial *trial;
    Params params;
    Learner *learner;
    uint8_t *pixels;
    uint32_t *order; /* [TASKS - 1][n_inputs] */
    StreamSample samples[LONGEST];
    tacos_counters learned, predicted;
} World;

static const uint8_t *show(const World *world, const StreamSample *sample, uint8_t *room) {
    size_t n = world->params.n_inputs;
    const uint8_t *image = world->pixels + sample->image * n;
    if (sample->task == 0)
        return image;
    for (size_t j = 0; j < n; j++)
        room[j] = image[world->order[(sample->task - 1u) * n + j]];
    return room;
}

static void engine_learn(World *world, size_t from, size_t to) {
    Learner *learner = world->learner;
    uint8_t *room = malloc(world->params.n_inputs);
    for (size_t k = from; k < to; k++) {
        const StreamSample *sample = &world->samples[k];
        show_pixels(&learner->net, show(world, sample, room), RNG_INPUT, learner->net.n_learned,
                    &learner->scratch.raster);
        sample_learn(&learner->net, &learner->scratch, sample->target, &world->learned);
    }
    network_settle(&learner->net, &learner->scratch);
    free(room);
}

static void engine_predict(World *world, const StreamSample *sample, uint16_t *counts) {
    Learner *learner = world->learner;
    uint8_t *room = malloc(world->params.n_inputs);
    show_pixels(&learner->net, show(world, sample, room), RNG_PREDICT, sample->image,
                &learner->predictor.raster);
    (void)sample_predict(&learner->net, &learner->predictor, &world->predicted);
    for (size_t o = 0; o < world->params.n_outputs; o++)
        counts[o] = (uint16_t)learner->predictor.counts[o];
    free(room);
}

static void world_open(World *world, const Trial *trial, uint32_t seed) {
    tacos_config *config = NULL;
    tacos_error err = {0};
    *world = (World){.trial = trial};
    if (tacos_config_new(&config, &err) != TACOS_OK ||
        tacos_config_parse(config, trial->keys, trial->name, &err) != TACOS_OK)
        fail_msg("%s: %s", trial->name, err.text);
    world->params = config->params;
    tacos_config_free(config);
    if (learner_new(&world->learner, &world->params, seed, NULL, &err) != TACOS_OK)
        fail_msg("%s: %s", trial->name, err.text);
    size_t n = world->params.n_inputs;
    world->pixels = malloc(IMAGES * n);
    world->order = malloc((TASKS - 1) * n * sizeof *world->order);
    draw_images(world->pixels, n);
    for (size_t t = 1; t < TASKS; t++)
        rng_order(world->order + (t - 1) * n, n, 5, RNG_PERMUTE, t);
    draw_samples(world->samples, trial->n_learned, world->params.n_outputs, trial->permuted);
}

static void world_close(World *world) {
    tacos_learner_free(world->learner);
    free(world->pixels);
    free(world->order);
}

/* ---- the comparison ---- */

#define assert_ok(call)                                                                            \
    do {                                                                                           \
        if ((call) != TACOS_OK)                                                                    \
            fail_msg("%s: %s", #call, err.text);                                                   \
    } while (0)

static void compare_bits(const char *trial, const char *what, size_t l, const void *a,
                         const void *b, size_t n, size_t size) {
    for (size_t k = 0; k < n; k++)
        if (memcmp((const char *)a + k * size, (const char *)b + k * size, size) != 0)
            fail_msg("%s: %s %zu of layer %zu differs", trial, what, k, l);
}

static void compare_networks(const char *trial, const Network *a, const Network *b) {
    for (size_t l = 0; l < a->n_layers; l++) {
        const Layer *x = &a->layers[l], *y = &b->layers[l];
        size_t n = x->n_pre * x->stride;
        compare_bits(trial, "w", l, x->w, y->w, n, sizeof *x->w);
        if (x->w_ref)
            compare_bits(trial, "w_ref", l, x->w_ref, y->w_ref, n, sizeof *x->w_ref);
        if (x->m_steps)
            compare_bits(trial, "m", l, x->m_steps, y->m_steps, n, sizeof *x->m_steps);
    }
    assert_int_equal(a->n_learned, b->n_learned);
}

static void compare_counters(const char *trial, const tacos_counters *a, const tacos_counters *b) {
#define COMPARE(name, operation, text)                                                             \
    if (a->name != b->name)                                                                        \
        fail_msg("%s: %s is %llu instead of %llu", trial, #name, (unsigned long long)b->name,      \
                 (unsigned long long)a->name);
    TACOS_COUNTER_MAP(COMPARE)
#undef COMPARE
}

/* Two networks of different seeds at once, in two calls, against one after the other. */
enum { NETS = 2 };

static void compare_counts(World *world, const uint16_t *counts, const StreamSample *samples,
                           size_t n_samples) {
    size_t n = world->params.n_outputs;
    for (size_t k = 0; k < n_samples; k++) {
        uint16_t expected[16];
        engine_predict(world, &samples[k], expected);
        compare_bits(world->trial->name, "count of sample", k, expected, counts + k * n, n,
                     sizeof *counts);
    }
}

static void try_on(Gpu *gpu, const Trial *trial, size_t n_shown) {
    World *worlds = calloc(NETS, sizeof *worlds);
    GpuImages *images = NULL;
    GpuJob jobs[NETS] = {0};
    StreamSample shown[IMAGES];
    uint16_t counts[NETS][IMAGES * 16];
    tacos_error err = {0};
    tacos_counters learned[NETS] = {0};
    size_t half = trial->n_learned / 2;
    for (size_t i = 0; i < NETS; i++) {
        world_open(&worlds[i], trial, (uint32_t)i + 1);
        if (!gpu_takes(gpu, &worlds[i].params, &err))
            fail_msg("%s: %s", trial->name, err.text);
        assert_ok(gpu_net_new(&jobs[i].net, gpu, &worlds[i].learner->net,
                              trial->permuted ? worlds[i].order : NULL,
                              trial->permuted ? TASKS - 1 : 0, &err));
    }
    assert_ok(
        gpu_images_new(&images, gpu, worlds[0].pixels, IMAGES, worlds[0].params.n_inputs, &err));
    for (size_t part = 0; part < 2; part++) {
        size_t from = part ? half : 0, to = part ? trial->n_learned : half;
        for (size_t i = 0; i < NETS; i++) {
            jobs[i].images = images;
            jobs[i].samples = worlds[i].samples + from;
            jobs[i].n = to - from;
            jobs[i].predicts = false;
            engine_learn(&worlds[i], from, to);
        }
        assert_ok(gpu_work(gpu, jobs, NETS, &err));
        for (size_t i = 0; i < NETS; i++) {
#define ADD_COUNTER(name, operation, text) learned[i].name += jobs[i].tally.name;
            TACOS_COUNTER_MAP(ADD_COUNTER)
#undef ADD_COUNTER
            compare_counters(trial->name, &worlds[i].learned, &learned[i]);
        }
    }
    for (size_t k = 0; k < n_shown; k++)
        shown[k] =
            (StreamSample){(uint32_t)k, 0, trial->permuted ? (uint16_t)(k % TASKS) : (uint16_t)0};
    for (size_t i = 0; i < NETS; i++) {
        jobs[i].samples = shown;
        jobs[i].n = n_shown;
        jobs[i].predicts = true;
        jobs[i].counts = counts[i];
    }
    assert_ok(gpu_work(gpu, jobs, NETS, &err));
    for (size_t i = 0; i < NETS; i++) {
        Learner *fetched = NULL;
        assert_ok(learner_new(&fetched, &worlds[i].params, (uint32_t)i + 1, NULL, &err));
        assert_ok(gpu_net_fetch(jobs[i].net, &fetched->net, &err));
        compare_networks(trial->name, &worlds[i].learner->net, &fetched->net);
        compare_counts(&worlds[i], counts[i], shown, n_shown);
        compare_counters(trial->name, &worlds[i].predicted, &jobs[i].tally);
        tacos_learner_free(fetched);
        gpu_net_free(jobs[i].net);
        world_close(&worlds[i]);
    }
    gpu_images_free(images);
    free(worlds);
}

/* ---- tests ---- */

static void every_trial(void **state) {
    (void)state;
    if (THREADS_ARE_WATCHED) /* there is one */
        return;
    for (size_t d = 0; d < test_devices(); d++) {
        Gpu *gpu = NULL;
        tacos_error err = {0};
        test_device_choose(d);
        assert_ok(gpu_open(&gpu, &err));
        for (size_t k = 0; k < sizeof trials / sizeof *trials; k++)
            try_on(gpu, &trials[k], IMAGES);
        gpu_close(gpu);
    }
}

/* A thread for each of a block's: under ThreadSanitizer (tools/check-all), a missing barrier is a
 * data race. */
static void real_threads(void **state) {
    static const char *const more[] = {"outputs = 2\nhidden = 40\n",
                                       "outputs = 2\nhidden = 40,70\n",
                                       "outputs = 3\nhidden = 70\nmodel = snn\n"};
    (void)state;
    for (size_t k = 0; k < 6; k++) {
        char keys[512];
        Gpu *gpu = NULL;
        tacos_error err = {0};
        snprintf(keys, sizeof keys, LIVELY GROWING "inputs = 70\nsteps = 12\n%s", more[k / 2]);
        test_device_threads(k % 2);
        assert_ok(gpu_open(&gpu, &err));
        try_on(gpu, &(Trial){"threads", keys, 4, k == 0}, 3);
        gpu_close(gpu);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_trial),
                                       cmocka_unit_test(real_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
