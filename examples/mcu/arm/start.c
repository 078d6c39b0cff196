/* start.c - start-up of a bare Cortex-M: vectors, memory, main; and the instructions so far. */
#include "../port.h"
#include "../semihosting.h"

int main(void);

extern uint32_t stack_bottom, stack_top, data_load, data_start, data_end, bss_start, bss_end;

/* SysTick counts down from 2^24 - 1 at the clock of the processor. An emulator that takes a
 * nanosecond for an instruction has CLOCK_MHZ ticks in 1000 of them. */
#ifndef CLOCK_MHZ
#define CLOCK_MHZ 25
#endif
#define SYSTICK_CONTROL (*(volatile uint32_t *)0xe000e010u)
#define SYSTICK_RELOAD  (*(volatile uint32_t *)0xe000e014u)
#define SYSTICK_VALUE   (*(volatile uint32_t *)0xe000e018u)

#define FLOATING_POINT (*(volatile uint32_t *)0xe000ed88u)

static volatile uint32_t wraps;

static void systick_handler(void) {
    wraps++;
}

uint64_t port_instructions(void) {
    uint32_t before, value;
    do {
        before = wraps;
        value = SYSTICK_VALUE;
    } while (before != wraps);
    uint64_t ticks = ((uint64_t)before << 24) + (0xffffffu - value);
    return ticks * 1000 / CLOCK_MHZ;
}

/* The stack is painted before main is called; what has another colour was used. */
#define PAINT 0xc5c5c5c5u

static void paint_stack(void) {
    uint32_t here;
    uintptr_t end = (uintptr_t)&here - 64; /* the frame of this function */
    for (volatile uint32_t *at = &stack_bottom; (uintptr_t)at < end; at++)
        *at = PAINT;
}

size_t port_stack_used(void) {
    const uint32_t *at = &stack_bottom;
    while (at < &stack_top && *at == PAINT)
        at++;
    return (size_t)(&stack_top - at) * sizeof *at;
}

static void reset_handler(void) {
    const uint32_t *from = &data_load;
    for (uint32_t *to = &data_start; to < &data_end;)
        *to++ = *from++;
    for (uint32_t *to = &bss_start; to < &bss_end;)
        *to++ = 0;
#ifdef __ARM_FP
    FLOATING_POINT |= 0xf << 20; /* on */
#endif
    paint_stack();
    SYSTICK_RELOAD = 0xffffffu;
    SYSTICK_VALUE = 0;
    SYSTICK_CONTROL = 7; /* on, with interrupts, from the processor's clock */
    (void)semihosting(SYS_EXIT,
                      (const void *)(uintptr_t)(main() == 0 ? STOPPED_EXIT : STOPPED_ERROR));
    for (;;) {
    }
}

/* Whatever else happens is an error. */
static void fault_handler(void) {
    port_print("fault\n");
    (void)semihosting(SYS_EXIT, (const void *)(uintptr_t)STOPPED_ERROR);
    for (;;) {
    }
}

extern void (*const vectors[16])(void);
__attribute__((section(".vectors"), used)) void (*const vectors[16])(void) = {
    (void (*)(void))(uintptr_t)&stack_top,
    reset_handler,
    fault_handler,
    fault_handler,
    fault_handler,
    fault_handler,
    fault_handler,
    0,
    0,
    0,
    0,
    fault_handler,
    fault_handler,
    0,
    fault_handler,
    systick_handler};
