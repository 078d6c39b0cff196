/* port.h - what the programs of this folder need of a board, or of an emulator. */
#ifndef MCU_PORT_H
#define MCU_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void port_print(const char *text);

/* Instructions so far, as an emulator counts them (-icount shift=0); 0 where nobody counts. Only
 * differences mean anything. */
uint64_t port_instructions(void);

/* The most bytes of stack that were ever used; 0 where nobody knows. */
size_t port_stack_used(void);

/* A file of samples on the host, and its next bytes; for figures from real data. */
bool port_open(const char *name);
bool port_read(void *bytes, size_t n);

/* ---- the same on every board ---- */

static inline void print_number(uint64_t number) {
    char text[21];
    size_t at = sizeof text - 1;
    text[at] = '\0';
    do {
        text[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    port_print(text + at);
}

static inline void print_hex(uint32_t number) {
    char text[9];
    for (int k = 0; k < 8; k++)
        text[k] = "0123456789abcdef"[number >> (28 - 4 * k) & 15];
    text[8] = '\0';
    port_print(text);
}

/* A short sequence of random numbers; the high bits are the good ones. */
static inline uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state;
}

#endif
