/* digits.c - ten digits in two tasks, five and five, learned one after the other on a device.
 *
 * After each task it is tested on both; then it prints a digest of all that it has learned, which
 * is the same on every processor. It takes 14 kB of RAM with the stack. */
#include "port.h"
#include "tacos.h"

enum { SIDE = 14, TASKS = 2, CLASSES = 10, LEARNED = 1000, TESTED = 200, UNITS = 60 };
enum { MEMORY = 12 * 1024 };

static uint64_t memory[MEMORY / 8];

/* ---- digits of 5 x 7 dots ---- */

static const uint8_t font[CLASSES][7] = {{14, 17, 19, 21, 25, 17, 14}, {4, 12, 4, 4, 4, 4, 14},
                                         {14, 17, 1, 2, 4, 8, 31},     {31, 2, 4, 2, 1, 17, 14},
                                         {2, 6, 10, 18, 31, 2, 2},     {31, 16, 30, 1, 1, 17, 14},
                                         {6, 8, 16, 30, 17, 17, 14},   {31, 1, 2, 4, 8, 8, 8},
                                         {14, 17, 17, 14, 17, 17, 14}, {14, 17, 17, 15, 1, 2, 12}};

/* A digit of 10 x 14 pixels somewhere in the middle, leaning or not, with a few dots wrong. */
static void draw_digit(uint32_t digit, uint32_t *random, uint8_t *pixels) {
    uint32_t left = 1 + (next_random(random) >> 30), lean = next_random(random) >> 31;
    uint32_t bright = 160 + (next_random(random) >> 26);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            uint32_t column = x - left - (lean ? (SIDE - 1 - y) / 7 : 0);
            uint32_t dots = font[digit][y / 2];
            uint32_t on = column < 10 && (dots >> (4 - column / 2) & 1);
            if (next_random(random) >> 28 == 0)
                on = !on;
            pixels[y * SIDE + x] = (uint8_t)(on ? bright : next_random(random) >> 28);
        }
}

static uint32_t digit_of(uint32_t task, uint32_t *random) {
    return task * CLASSES / TASKS +
           (uint32_t)((uint64_t)next_random(random) * (CLASSES / TASKS) >> 32);
}

/* ---- learning ---- */

static void learn_task(tacos *learner, uint32_t task) {
    uint32_t random = 1 + task;
    uint8_t pixels[SIDE * SIDE];
    for (uint32_t k = 0; k < LEARNED; k++) {
        uint32_t digit = digit_of(task, &random);
        draw_digit(digit, &random, pixels);
        (void)tacos_learn(learner, pixels, digit);
    }
}

static void test_task(tacos *learner, uint32_t task) {
    uint32_t random = 1001 + task, right = 0;
    uint8_t pixels[SIDE * SIDE];
    for (uint32_t k = 0; k < TESTED; k++) {
        uint32_t digit = digit_of(task, &random);
        draw_digit(digit, &random, pixels);
        right += tacos_predict(learner, pixels).output == (int32_t)digit;
    }
    port_print(" ");
    print_number(right * 100 / TESTED);
    port_print("%");
}

/* A checksum of the state as a block of bytes: FNV-1a. */
static int add_bytes(void *user, const void *bytes, size_t n) {
    uint32_t *sum = (uint32_t *)user;
    for (size_t k = 0; k < n; k++)
        *sum = (*sum ^ ((const uint8_t *)bytes)[k]) * 16777619u;
    return 0;
}

static void print_block(const tacos *learner) {
    uint32_t sum = 2166136261u;
    (void)tacos_save(learner, add_bytes, &sum);
    print_number(tacos_block_bytes(learner));
    port_print(" bytes to save, checksum ");
    print_hex(sum);
    port_print("\n");
}

int main(void) {
    tacos_setup setup;
    tacos *learner;
    tacos_defaults(&setup);
    setup.height = setup.width = SIDE;
    setup.outputs = CLASSES;
    setup.units = UNITS;
    if (tacos_start(&learner, memory, sizeof memory, &setup) != TACOS_GOOD) {
        port_print("digits: too little memory\n");
        return 1;
    }
    for (uint32_t task = 0; task < TASKS; task++) {
        learn_task(learner, task);
        port_print("after task ");
        print_number(task + 1);
        port_print(":");
        for (uint32_t k = 0; k <= task; k++)
            test_task(learner, k);
        port_print("\n");
    }
    print_number(tacos_learned(learner));
    port_print(" samples, ");
    print_number(tacos_units_used(learner));
    port_print(" units, digest ");
    print_hex(tacos_digest(learner));
    port_print("\n");
    print_block(learner);
    return 0;
}
