/* mnist.c - learns real images from a file on the host, in as much RAM as the linker script gives,
 * and says how well and at what price. For figures; docs/small.md has them.
 *
 * The file is what desktop/pool.c writes: how many images are learned and how many tested, then of
 * each its label and its pixels. Without UNITS it takes as many units as fit into MEMORY bytes;
 * LEARNED and TESTED are the most images. */
#include "port.h"
#include "tacos.h"

#ifndef SIDE
#define SIDE 14
#endif
#ifndef MEMORY
#define MEMORY (120 * 1024)
#endif
#ifndef UNITS
#define UNITS 0
#endif
#ifndef LEARNED
#define LEARNED 60000
#endif
#ifndef TESTED
#define TESTED 10000
#endif
#ifndef FILE_NAME
#define FILE_NAME "mnist.bin"
#endif

enum { CLASSES = 10, MEASURED = 500 };

static uint64_t memory[MEMORY / 8];
static uint8_t sample[1 + SIDE * SIDE]; /* label and pixels */

static uint32_t read_count(void) {
    uint8_t bytes[4] = {0};
    (void)port_read(bytes, sizeof bytes);
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void say(const char *what, uint64_t number) {
    port_print(what);
    print_number(number);
}

/* Instructions per image, of the last ones. */
static uint64_t learn_all(tacos *learner, uint32_t n, uint32_t n_learned) {
    uint64_t sum = 0;
    uint32_t n_measured = 0;
    for (uint32_t k = 0; k < n && port_read(sample, sizeof sample); k++) {
        /* All of the file if there are as many; else every second, every third ... */
        if ((uint64_t)k * n_learned / n == (uint64_t)(k + 1) * n_learned / n)
            continue;
        uint64_t before = port_instructions();
        (void)tacos_learn(learner, sample + 1, sample[0]);
        if (tacos_learned(learner) > n_learned - MEASURED) {
            sum += port_instructions() - before;
            n_measured++;
        }
    }
    return n_measured > 0 ? sum / n_measured : 0;
}

static uint64_t test_all(tacos *learner, uint32_t n, uint32_t *right) {
    uint64_t sum = 0;
    *right = 0;
    for (uint32_t k = 0; k < n && port_read(sample, sizeof sample); k++) {
        uint64_t before = port_instructions();
        int32_t output = tacos_predict(learner, sample + 1).output;
        sum += port_instructions() - before;
        *right += output == sample[0];
    }
    return n > 0 ? sum / n : 0;
}

int main(void) {
    tacos_setup setup;
    tacos *learner;
    uint32_t right;
    tacos_defaults(&setup);
    setup.height = setup.width = SIDE;
    setup.outputs = CLASSES;
    setup.units = UNITS;
    if (!port_open(FILE_NAME) ||
        tacos_start(&learner, memory, sizeof memory, &setup) != TACOS_GOOD) {
        port_print("mnist: no file, or too little memory\n");
        return 1;
    }
    uint32_t n_train = read_count(), n_test = read_count();
    uint32_t n_learned = n_train < LEARNED ? n_train : LEARNED;
    uint64_t learning = learn_all(learner, n_train, n_learned);
    uint64_t testing = test_all(learner, n_test < TESTED ? n_test : TESTED, &right);
    say("units ", tacos_setup_of(learner)->units);
    say(" used ", tacos_units_used(learner));
    say(" bytes ", tacos_bytes(tacos_setup_of(learner)));
    say(" stack ", port_stack_used());
    say(" learned ", tacos_learned(learner));
    say(" right ", right);
    say(" of ", n_test < TESTED ? n_test : TESTED);
    say(" learn ", learning);
    say(" predict ", testing);
    port_print(" digest ");
    print_hex(tacos_digest(learner));
    port_print("\n");
    return 0;
}
