/* sensor.c - the life of a sensor: windows of an accelerometer, learned as they are labelled, in
 * memory of a fixed size; kinds of motion that appear later; "unknown" for those never seen; and a
 * state that survives losing power.
 *
 * The signals are made up here; a device has the same three numbers from its bus. */
#include "port.h"
#include "tacos.h"

enum { WINDOW = 64, AXES = 3, SCALES = 5, INPUTS = AXES * (SCALES + 1) };
enum { STILL, WALKING, RUNNING, STAIRS, SHAKING, MOTIONS };
enum { MEMORY = 7 * 1024, SLOT = 3 * 1024, UNITS = 128 };
enum { LABELLED = 60, TESTED = 100 };

/* An answer is given only if the input looks like something seen before, from 0 to 1000. */
enum { KNOWN = 965, UNKNOWN = -1 };

static const char *const names[MOTIONS] = {"still", "walking", "running", "stairs", "shaking"};

static uint64_t memory[MEMORY / 8];

/* ---- the sensor ---- */

/* Of each motion: steps of a wave's phase per sample, and how far each axis swings. */
static const struct {
    uint8_t pace, swing[AXES];
    int8_t tilt[AXES];
} motions[MOTIONS] = {{0, {0, 0, 0}, {0, 0, 60}},
                      {6, {12, 6, 25}, {5, 0, 60}},
                      {11, {30, 10, 60}, {15, 0, 50}},
                      {5, {25, 6, 35}, {30, 0, 40}},
                      {29, {40, 45, 20}, {0, 20, 45}}};

/* A wave of 128 steps, from -64 to 64: two parabolas. */
static int32_t wave(uint32_t phase) {
    int32_t x = (int32_t)(phase & 63);
    int32_t hill = x * (64 - x) / 16;
    return phase & 64 ? -hill : hill;
}

static void sense(uint32_t motion, uint32_t *random, int16_t window[WINDOW][AXES]) {
    uint32_t phase = next_random(random) >> 25, faster = next_random(random) >> 31;
    int32_t strength = 90 + (int32_t)(next_random(random) >> 27); /* percent, about */
    for (uint32_t t = 0; t < WINDOW; t++)
        for (uint32_t a = 0; a < AXES; a++) {
            uint32_t at = phase + t * (motions[motion].pace + faster) + a * 20;
            int32_t swing = wave(at) + wave(2 * at) / 3;
            int32_t noise = (int32_t)(next_random(random) >> 29) - 4;
            window[t][a] = (int16_t)(motions[motion].tilt[a] * 4 + noise +
                                     swing * motions[motion].swing[a] * strength / 1600);
        }
}

/* ---- from a window to inputs ---- */

/* 16 log2(1 + x), nearly, up to 255. */
static uint8_t level_of(uint32_t x) {
    uint32_t e = 0;
    for (x++; x >> e > 1; e++) {
    }
    uint32_t level = 16 * e + ((x << 4 >> e) & 15);
    return (uint8_t)(level < 255 ? level : 255);
}

/* How an axis leans, and how much it changes within 2, 4, 8, 16 and 32 samples (Haar wavelets): so
 * it does not matter when a step begins. */
static void take_inputs(int16_t window[WINDOW][AXES], uint8_t inputs[INPUTS]) {
    for (uint32_t a = 0; a < AXES; a++) {
        int32_t sums[WINDOW], total = 0;
        for (uint32_t t = 0; t < WINDOW; t++)
            sums[t] = window[t][a];
        for (uint32_t scale = 0, n = WINDOW / 2; scale < SCALES; scale++, n /= 2) {
            uint32_t change = 0;
            for (uint32_t k = 0; k < n; k++) {
                int32_t before = sums[2 * k], after = sums[2 * k + 1];
                change += (uint32_t)(after > before ? after - before : before - after);
                sums[k] = before + after;
            }
            inputs[a * (SCALES + 1) + scale] = level_of(change / (2 * n));
        }
        for (uint32_t t = 0; t < WINDOW; t++)
            total += window[t][a];
        total = 128 + total / WINDOW / 3;
        inputs[a * (SCALES + 1) + SCALES] = (uint8_t)(total < 0 ? 0 : total > 255 ? 255 : total);
    }
}

static void next_inputs(uint32_t motion, uint32_t *random, uint8_t inputs[INPUTS]) {
    int16_t window[WINDOW][AXES];
    sense(motion, random, window);
    take_inputs(window, inputs);
}

/* ---- flash ---- */

/* RAM stands for two slots of flash here. A device erases and writes its own. */
static uint8_t slots[2][SLOT];

static int erase_slot(void *user, int slot) {
    (void)user;
    for (uint32_t k = 0; k < SLOT; k++)
        slots[slot][k] = 0xff;
    return 0;
}

static int write_piece(void *user, int slot, size_t at, const void *piece) {
    (void)user;
    for (uint32_t k = 0; k < TACOS_PIECE; k++)
        slots[slot][at + k] = ((const uint8_t *)piece)[k];
    return 0;
}

static const tacos_flash flash = {{slots[0], slots[1]}, SLOT, erase_slot, write_piece, NULL};

/* ---- the days of its life ---- */

static int32_t answer_of(tacos *learner, const uint8_t *inputs) {
    tacos_answer answer = tacos_predict(learner, inputs);
    return answer.match < KNOWN ? UNKNOWN : answer.output;
}

static void learn(tacos *learner, uint32_t motion, uint32_t random) {
    uint8_t inputs[INPUTS];
    for (uint32_t k = 0; k < LABELLED; k++) {
        next_inputs(motion, &random, inputs);
        (void)tacos_learn(learner, inputs, motion);
    }
}

/* How many windows of a motion are recognized, and how many are said to be unknown. */
static void test(tacos *learner, uint32_t motion) {
    uint32_t random = 1000 + motion, right = 0, unknown = 0;
    uint8_t inputs[INPUTS];
    for (uint32_t k = 0; k < TESTED; k++) {
        next_inputs(motion, &random, inputs);
        int32_t answer = answer_of(learner, inputs);
        right += answer == (int32_t)motion;
        unknown += answer == UNKNOWN;
    }
    port_print("  ");
    port_print(names[motion]);
    port_print(": recognized ");
    print_number(right * 100 / TESTED);
    port_print("%, unknown ");
    print_number(unknown * 100 / TESTED);
    port_print("%\n");
}

static void test_all(tacos *learner, const char *when) {
    port_print(when);
    port_print("\n");
    for (uint32_t motion = 0; motion < MOTIONS; motion++)
        test(learner, motion);
}

static int live(void) {
    tacos_setup setup;
    tacos *learner;
    tacos_defaults(&setup);
    setup.width = INPUTS; /* a vector: its values have no order */
    setup.outputs = MOTIONS;
    setup.units = UNITS;
    setup.match = 960000; /* 0.96: motions differ in little */
    int status = tacos_start(&learner, memory, sizeof memory, &setup);
    if (status != TACOS_GOOD)
        return status;
    for (uint32_t motion = STILL; motion <= RUNNING; motion++)
        learn(learner, motion, 1 + motion);
    test_all(learner, "three motions learned");
    status = tacos_keep(learner, &flash);
    if (status != TACOS_GOOD)
        return status;

    for (uint32_t k = 0; k < MEMORY / 8; k++)
        memory[k] = 0; /* the battery is empty; what is left is in flash */
    status = tacos_recall(&learner, memory, sizeof memory, &flash);
    if (status != TACOS_GOOD)
        return status;
    for (uint32_t motion = STAIRS; motion < MOTIONS; motion++)
        learn(learner, motion, 1 + motion);
    test_all(learner, "two more, after a new battery");
    print_number(tacos_learned(learner));
    port_print(" windows, ");
    print_number(tacos_units_used(learner));
    port_print(" units, digest ");
    print_hex(tacos_digest(learner));
    port_print("\n");
    return tacos_keep(learner, &flash);
}

int main(void) {
    int status = live();
    if (status != TACOS_GOOD)
        port_print("sensor: failed\n");
    return status;
}
