/* test_small_spiking.c - spiking networks in one file (tools/single) against the library: the same
 * bits after every sample, the same answers, at most as much memory besides the model.
 *
 *   test_small_spiking [CASES [GAME]] */
#include "any_config.h"
#include "kernel/lane.h"
#include "kernel/whole.h"
#include "net/learner.h"
#include "single/tacos.h"
#include "toy.h"

enum { CASES = 800, SAMPLES = 12, SAMPLES_TOY = 60, GUARD = 64 };

static size_t n_cases = CASES;
static uint32_t first_game = 1;
static size_t n_tried;

/* ---- blocks and networks ---- */

typedef struct Bytes {
    size_t n, room;
    unsigned char *at;
} Bytes;

static int append(void *user, const void *bytes, size_t n) {
    Bytes *to = user;
    if (to->n + n > to->room) {
        to->room = 2 * (to->n + n);
        to->at = realloc(to->at, to->room);
        assert_non_null(to->at);
    }
    memcpy(to->at + to->n, bytes, n);
    to->n += n;
    return 0;
}

static int refuse(void *user, const void *bytes, size_t n) {
    (void)user, (void)bytes, (void)n;
    return -1;
}

static Bytes block_of(tacos_learner *learner) {
    Bytes block = {0};
    tacos_error err;
    assert_succeeds(tacos_learner_save_small(learner, append, &block, &err));
    return block;
}

/* A network in exactly the bytes that it asks for, between two guards. */
typedef struct Device {
    Bytes block;
    size_t n;
    unsigned char *memory;
    tacos_spiking *network;
} Device;

static Device device_of(Bytes block) {
    Device device = {.block = block, .n = tacos_spiking_bytes(block.at, block.n)};
    assert_true(device.n > 0);
    device.memory = aligned_alloc(64, (device.n + 2 * GUARD + 63) / 64 * 64);
    assert_non_null(device.memory);
    memset(device.memory, 0xa5, device.n + 2 * GUARD);
    assert_int_equal(
        tacos_spiking_start(&device.network, device.memory + GUARD, device.n, block.at, block.n),
        TACOS_GOOD);
    return device;
}

static void device_close(Device *device) {
    for (size_t k = 0; k < GUARD; k++)
        assert_true(device->memory[k] == 0xa5 && device->memory[GUARD + device->n + k] == 0xa5);
    free(device->memory);
    free(device->block.at);
}

static bool same_state(const Device *device, tacos_learner *learner) {
    return tacos_spiking_digest(device->network) == tacos_learner_digest(learner) &&
           tacos_spiking_learned(device->network) == tacos_learner_learned(learner);
}

/* ---- samples ---- */

static void show(const uint8_t *pixels, float *intensity, size_t n) {
    for (size_t j = 0; j < n; j++)
        intensity[j] = (float)pixels[j] / 255.0f;
}

static void learn_both(Device *device, tacos_learner *learner, const uint8_t *pixels,
                       size_t target) {
    float intensity[784];
    tacos_error err;
    size_t n = tacos_learner_shape(learner).n_inputs;
    show(pixels, intensity, n);
    assert_succeeds(tacos_learner_learn(learner, intensity, n, target, &err));
    assert_int_equal(tacos_spiking_learn(device->network, pixels, (uint32_t)target), TACOS_GOOD);
}

static bool same_answer(Device *device, tacos_learner *learner, const uint8_t *pixels,
                        uint64_t draw) {
    float intensity[784];
    tacos_error err;
    tacos_prediction answer;
    tacos_shape shape = tacos_learner_shape(learner);
    show(pixels, intensity, shape.n_inputs);
    assert_succeeds(tacos_learner_predict(learner, intensity, shape.n_inputs, draw, &answer, &err));
    bool same = tacos_spiking_predict(device->network, pixels, draw) == answer.output;
    for (uint32_t o = 0; o < shape.n_outputs; o++)
        same &= tacos_spiking_count(device->network, o) == answer.counts[o];
    return same;
}

/* ---- the same bits ---- */

static void toy_pixels(uint32_t k, uint8_t *pixels) {
    ToySample sample = toy_sample(k);
    for (size_t j = 0; j < TOY_INPUTS; j++)
        pixels[j] = (uint8_t)(sample.intensity[j] * 255);
}

static const char *const toy_shapes[] = {
    "inputs = 40\nhidden = none\noutputs = 2\nsteps = 60\n",
    TOY_SHAPE,
    "inputs = 40\nhidden = 30\noutputs = 3\nsteps = 150\nfeedback = shared\nrefractory_ms = 0\n",
    "inputs = 40\nhidden = 20,15\noutputs = 2\nsteps = 70\ntarget_fp = kept\n",
    "inputs = 40\nhidden = 17,9,11\noutputs = 4\nsteps = 33\ntarget_fp = silent\n",
};

enum { TOY_SHAPES = sizeof toy_shapes / sizeof *toy_shapes };

static void lively_networks_learn_the_same(void **state) {
    (void)state;
    for (size_t shape = 0; shape < TOY_SHAPES; shape++)
        for (size_t model = 0; model < TOY_MODELS; model++) {
            char text[1000];
            (void)snprintf(text, sizeof text, "%s" TOY_LIVELY, toy_shapes[shape]);
            tacos_learner *learner = toy_learner(text, toy_models[model], 5, NULL);
            Device device = device_of(block_of(learner));
            uint32_t before = tacos_spiking_digest(device.network);
            for (uint32_t k = 0; k < SAMPLES_TOY; k++) {
                uint8_t pixels[TOY_INPUTS];
                toy_pixels(k, pixels);
                if (!same_answer(&device, learner, pixels, k))
                    fail_msg("%s, shape %zu: another answer to sample %u", toy_models[model], shape,
                             k);
                learn_both(&device, learner, pixels, k % 2);
                if (!same_state(&device, learner))
                    fail_msg("%s, shape %zu differs after sample %u", toy_models[model], shape, k);
            }
            assert_true(tacos_spiking_digest(device.network) != before);
            device_close(&device);
            tacos_learner_free(learner);
        }
}

/* What a device does not have. */
static void without_future(tacos_config *config) {
    static const char *const keys[] = {"m_growth_error", "tau_release_ms", "release_error_hz",
                                       "neurogenesis_m", "rehearsal_every"};
    tacos_error err;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        assert_succeeds(tacos_config_set(config, keys[k], "0", &err));
}

static void try_config(uint32_t game) {
    static char text[20000];
    Dice dice = {.game = game};
    tacos_config *config;
    tacos_learner *learner;
    tacos_error err;
    roll_config(&dice, text, sizeof text);
    assert_succeeds(tacos_config_new(&config, &err));
    if (tacos_config_parse(config, text, "rolled", &err) != TACOS_OK) {
        tacos_config_free(config);
        return;
    }
    without_future(config);
    tacos_status status = tacos_learner_new(&learner, config, game, NULL, &err);
    tacos_config_free(config);
    if (status != TACOS_OK)
        return; /* i_min is not below i_max */
    if (learner->net.layers[0].m_every > UINT32_MAX ||
        learner->net.layers[learner->net.n_layers - 1].m_every > UINT32_MAX) {
        tacos_learner_free(learner); /* what a device cannot have */
        return;
    }
    Device device = device_of(block_of(learner));
    n_tried++;
    tacos_shape shape = tacos_learner_shape(learner);
    for (uint32_t k = 0; k < SAMPLES; k++) {
        uint8_t pixels[NEURONS_MAX];
        uint32_t busy = roll_word(&dice) % 3;
        for (size_t j = 0; j < shape.n_inputs; j++)
            pixels[j] = (uint8_t)(busy == 0   ? 255
                                  : busy == 1 ? roll_word(&dice) % 2 * 255
                                              : roll_word(&dice) % 256);
        if (!same_answer(&device, learner, pixels, k))
            fail_msg("game %u: another answer to sample %u\n%s", game, k, text);
        learn_both(&device, learner, pixels, roll_word(&dice) % shape.n_outputs);
        if (!same_state(&device, learner))
            fail_msg("game %u differs after sample %u\n%s", game, k, text);
    }
    device_close(&device);
    tacos_learner_free(learner);
}

static void any_network_learns_the_same(void **state) {
    (void)state;
    for (size_t k = 0; k < n_cases; k++)
        try_config(first_game + (uint32_t)k);
    assert_true(n_tried >= n_cases / 2);
    print_message("%zu networks\n", n_tried);
}

/* ---- memory ---- */

static void the_workspace_is_not_larger_than_the_model(void **state) {
    static const char *const shapes[] = {"inputs = 784\nhidden = 200\noutputs = 2\n",
                                         "inputs = 12\nhidden = 50\noutputs = 5\n"};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        tacos_learner *learner = toy_learner(shapes[k], "tacos", 1, NULL);
        Device device = device_of(block_of(learner));
        size_t model = tacos_spiking_model_bytes(device.network);
        assert_true(model <= tacos_learner_stats_get(learner).model_bytes);
        if (device.n > 2 * model)
            fail_msg("%zu bytes beside %zu", device.n - model, model);
        print_message("%zu bytes beside a model of %zu\n", device.n - model, model);
        for (uint32_t i = 0; i < 3; i++) {
            uint8_t pixels[784];
            Dice dice = {.game = i};
            for (size_t j = 0; j < sizeof pixels; j++)
                pixels[j] = (uint8_t)(roll_word(&dice) % 5 == 0 ? roll_word(&dice) % 256 : 0);
            learn_both(&device, learner, pixels, i % 2);
        }
        assert_true(same_state(&device, learner));
        device_close(&device);
        tacos_learner_free(learner);
    }
}

static void too_little_memory_is_refused(void **state) {
    tacos_learner *learner = toy_learner(TOY, "tacos", 1, NULL);
    Device device = device_of(block_of(learner));
    tacos_spiking *network = device.network;
    const Bytes *block = &device.block;
    unsigned char *memory = device.memory + GUARD;
    (void)state;
    assert_int_equal(tacos_spiking_start(&network, memory, device.n - 1, block->at, block->n),
                     TACOS_ROOM);
    assert_null(network);
    assert_int_equal(tacos_spiking_start(&network, memory + 4, device.n, block->at, block->n),
                     TACOS_ROOM);
    assert_int_equal(tacos_spiking_start(&network, NULL, device.n, block->at, block->n),
                     TACOS_ROOM);
    device_close(&device);
    tacos_learner_free(learner);
}

static void targets_out_of_range_are_refused(void **state) {
    tacos_learner *learner = toy_learner(TOY, "tacos", 1, NULL);
    Device device = device_of(block_of(learner));
    uint8_t pixels[TOY_INPUTS] = {0};
    (void)state;
    assert_int_equal(tacos_spiking_learn(device.network, pixels, 2), TACOS_TARGET);
    assert_int_equal(tacos_spiking_predict(device.network, pixels, 0), -1);
    assert_true(same_state(&device, learner));
    device_close(&device);
    tacos_learner_free(learner);
}

/* ---- blocks ---- */

/* From desktop to device to device to desktop. */
static void a_saved_state_goes_on_bit_for_bit(void **state) {
    (void)state;
    for (size_t model = 0; model < TOY_MODELS; model++) {
        tacos_learner *learner = toy_learner(TOY, toy_models[model], 3, NULL), *back;
        tacos_error err;
        toy_learn(learner, 0, 20);
        Device first = device_of(block_of(learner));
        for (uint32_t k = 20; k < 60; k++) {
            uint8_t pixels[TOY_INPUTS];
            toy_pixels(k, pixels);
            learn_both(&first, learner, pixels, k % 2);
            if (k != 40)
                continue;
            Bytes block = {0};
            assert_int_equal(tacos_spiking_save(first.network, append, &block), TACOS_GOOD);
            assert_int_equal(block.n, tacos_spiking_block_bytes(first.network));
            device_close(&first);
            first = device_of(block);
        }
        assert_true(same_state(&first, learner));
        Bytes block = {0}, same = block_of(learner);
        assert_int_equal(tacos_spiking_save(first.network, append, &block), TACOS_GOOD);
        assert_int_equal(block.n, same.n);
        assert_memory_equal(block.at, same.at, block.n);
        assert_int_equal(tacos_spiking_save(first.network, refuse, NULL), TACOS_FLASH);
        assert_succeeds(tacos_learner_load_small(&back, block.at, block.n, NULL, &err));
        assert_true(same_state(&first, back));
        tacos_learner_free(back);
        free(block.at);
        free(same.at);
        device_close(&first);
        tacos_learner_free(learner);
    }
}

/* A bit anywhere, or bytes missing at the end. */
static void no_damage_passes(void **state) {
    tacos_learner *learner = toy_learner("inputs = 3\nhidden = 2\noutputs = 2\nsteps = 5\n",
                                         "tacos", 1, NULL),
                  *back;
    Device device = device_of(block_of(learner));
    Bytes *block = &device.block;
    unsigned char *memory = device.memory + GUARD;
    tacos_spiking *network;
    tacos_error err;
    (void)state;
    for (size_t k = 0; k < 8 * block->n; k++) {
        block->at[k / 8] ^= (unsigned char)(1u << k % 8);
        int status = tacos_spiking_start(&network, memory, device.n, block->at, block->n);
        assert_true(status == TACOS_BLOCK || (status == TACOS_NEWER && k / 32 == 2));
        assert_null(network);
        if (tacos_learner_load_small(&back, block->at, block->n, NULL, &err) == TACOS_OK)
            fail_msg("bit %zu", k);
        assert_null(back);
        block->at[k / 8] ^= (unsigned char)(1u << k % 8);
    }
    for (size_t n = 0; n < block->n; n++) {
        assert_int_equal(tacos_spiking_start(&network, memory, device.n, block->at, n),
                         TACOS_BLOCK);
        assert_true(tacos_learner_load_small(&back, block->at, n, NULL, &err) != TACOS_OK);
    }
    assert_int_equal(tacos_spiking_start(&network, memory, device.n, block->at, block->n),
                     TACOS_GOOD);
    device_close(&device);
    tacos_learner_free(learner);
}

static void what_a_device_cannot_have_is_refused(void **state) {
    const struct {
        const char *keys, *why;
    } wrong[] = {
        {"inputs = 4\nhidden = 2\nneurogenesis_m = 1\n", "future work"},
        {"inputs = 4\nhidden = 2\nm_growth_error = -0.5\n", "future work"},
        {"inputs = 4\nhidden = 2\nrehearsal_every = 10\n", "future work"},
        {"inputs = 4\nhidden = 2,2,2,2,2,2,2,2\n", "8 hidden layers"},
        {"inputs = 65535\nhidden = 2\n", "a layer of 65535 neurons"},
        {"inputs = 4\nhidden = 2\ndelta_m_hidden = 1e-20\n", "steps of m"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        tacos_learner *learner = toy_learner(wrong[k].keys, "tacos", 1, NULL);
        Bytes none = {0};
        tacos_error err;
        assert_true(tacos_learner_save_small(learner, append, &none, &err) != TACOS_OK);
        assert_says(err, wrong[k].why);
        assert_int_equal(none.n, 0);
        tacos_learner_free(learner);
    }
}

/* ---- a b + c in whole numbers ---- */

/* Any bits; some that nearly cancel, and some near the smallest numbers. */
static float roll_float(Dice *dice) {
    uint32_t bits = roll_word(dice), exponent = roll_word(dice);
    switch (exponent % 4) {
    case 0:
        bits = (bits & 0x807fffff) | (115 + exponent / 4 % 24) << 23;
        break;
    case 1:
        bits = (bits & 0x80000003) | (1 + exponent / 4 % 254) << 23;
        break;
    case 2:
        bits = (bits & 0x807fffff) | (exponent / 4 % 40) << 23;
        break;
    default:
        break;
    }
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void a_sum_in_whole_numbers_is_rounded_once(void **state) {
    Dice dice = {.game = 3};
    (void)state;
    for (size_t k = 0; k < 1000000; k++) {
        float a = roll_float(&dice), b = roll_float(&dice), c = roll_float(&dice);
        if (k % 3 == 0)
            c = -(a * b) * (1 + (float)(roll_word(&dice) % 5) * 0x1p-23f);
        float got = whole_fma(a, b, c), wanted = fmaf(a, b, c);
        if (lane_bits(got) != lane_bits(wanted) && !(isnan(got) && isnan(wanted)))
            fail_msg("%a %a + %a is %a, not %a", (double)a, (double)b, (double)c, (double)wanted,
                     (double)got);
    }
}

int main(int argc, char **argv) {
    if (argc > 1)
        n_cases = strtoul(argv[1], NULL, 10);
    if (argc > 2)
        first_game = (uint32_t)strtoul(argv[2], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sum_in_whole_numbers_is_rounded_once),
        cmocka_unit_test(lively_networks_learn_the_same),
        cmocka_unit_test(any_network_learns_the_same),
        cmocka_unit_test(the_workspace_is_not_larger_than_the_model),
        cmocka_unit_test(too_little_memory_is_refused),
        cmocka_unit_test(targets_out_of_range_are_refused),
        cmocka_unit_test(a_saved_state_goes_on_bit_for_bit),
        cmocka_unit_test(no_damage_passes),
        cmocka_unit_test(what_a_device_cannot_have_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
