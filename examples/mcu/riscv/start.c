/* start.c - start-up of a bare RV32: memory, main; the instructions so far; and the functions of
 * the C library that compilers take for granted, since Debian has no such library for it. */
#include "../port.h"
#include "../semihosting.h"

int main(void);

extern uint32_t stack_bottom, stack_top, bss_start, bss_end;

uint64_t port_instructions(void) {
    uint32_t high, low, again;
    do {
        __asm__ volatile(".option push\n"
                         ".option arch, +zicsr\n"
                         "csrr %0, minstreth\n"
                         "csrr %1, minstret\n"
                         "csrr %2, minstreth\n"
                         ".option pop"
                         : "=&r"(high), "=&r"(low), "=&r"(again));
    } while (high != again);
    return (uint64_t)high << 32 | low;
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

__attribute__((used)) static void start(void) {
    for (volatile uint32_t *to = &bss_start; to < &bss_end;)
        *to++ = 0;
    paint_stack();
    (void)semihosting(SYS_EXIT,
                      (const void *)(uintptr_t)(main() == 0 ? STOPPED_EXIT : STOPPED_ERROR));
    for (;;) {
    }
}

__attribute__((section(".entry"), naked, used)) void entry(void) {
    __asm__ volatile("la sp, stack_top\n"
                     "j start");
}

void *memcpy(void *to, const void *from, size_t n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    while (n-- > 0)
        *t++ = *f++;
    return to;
}

void *memmove(void *to, const void *from, size_t n) {
    unsigned char *t = to;
    const unsigned char *f = from;
    if (t <= f)
        return memcpy(to, from, n);
    while (n-- > 0)
        t[n] = f[n];
    return to;
}

void *memset(void *at, int byte, size_t n) {
    unsigned char *t = at;
    while (n-- > 0)
        *t++ = (unsigned char)byte;
    return at;
}
