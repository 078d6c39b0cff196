/* spiking.c - spiking networks of TACOS learn on a device: made of blocks in flash, which a desktop
 * has written (`tacos export --small`; here tests/api/devices.c). Compile with -DTACOS_SPIKING.
 *
 * After each sample it answers for the same one. A digest of all that was learned and one of the
 * answers are the same on every processor. Lines that begin with # differ between them: bytes, and
 * instructions per sample. */
#include "port.h"
#include "spiking_blocks.h"
#include "spiking_samples.h"
#include "tacos.h"

#ifndef MEMORY
#define MEMORY (80 * 1024)
#endif

static uint64_t memory[MEMORY / 8];

static void show(uint32_t k, uint8_t *input) {
    for (uint32_t j = 0; j < INPUTS; j++)
        input[j] = sample_value(k, j, OUTPUTS);
}

static void print_part(const char *name, uint64_t number) {
    port_print(name);
    print_number(number);
}

static void print_figures(const tacos_spiking *network, size_t bytes, uint64_t learning,
                          uint64_t predicting) {
    size_t model = tacos_spiking_model_bytes(network);
    print_part("# model ", model);
    print_part(" workspace ", bytes - model);
    print_part(" stack ", port_stack_used());
    print_part(" learn ", learning / SAMPLES);
    print_part(" predict ", predicting / SAMPLES);
    port_print("\n");
}

static void run(tacos_spiking *network, size_t bytes) {
    static uint8_t input[INPUTS];
    uint32_t answers = 2166136261u;
    uint64_t learning = 0, predicting = 0;
    for (uint32_t k = 0; k < SAMPLES; k++) {
        show(k, input);
        uint64_t start = port_instructions();
        (void)tacos_spiking_learn(network, input, k % OUTPUTS);
        uint64_t learned = port_instructions();
        answers = (answers ^ (uint32_t)tacos_spiking_predict(network, input, k)) * 16777619u;
        predicting += port_instructions() - learned;
        learning += learned - start;
        for (uint32_t o = 0; o < OUTPUTS; o++)
            answers = (answers ^ tacos_spiking_count(network, o)) * 16777619u;
    }
    port_print(" digest ");
    print_hex(tacos_spiking_digest(network));
    port_print(" answers ");
    print_hex(answers);
    port_print("\n");
    print_figures(network, bytes, learning, predicting);
}

int main(void) {
    for (size_t k = 0; k < sizeof networks / sizeof *networks; k++) {
        tacos_spiking *network;
        size_t bytes = tacos_spiking_bytes(networks[k].block, networks[k].n);
        port_print(networks[k].name);
        if (tacos_spiking_start(&network, memory, sizeof memory, networks[k].block,
                                networks[k].n) != TACOS_GOOD) {
            print_part(": too little memory; it takes ", bytes);
            port_print("\n");
            return 1;
        }
        run(network, bytes);
    }
    return 0;
}
