/* semihosting.h - asking the emulator (or a debugger) for what a program on a bare board lacks. */
#ifndef MCU_SEMIHOSTING_H
#define MCU_SEMIHOSTING_H

#include <stdint.h>

enum { SYS_OPEN = 1, SYS_WRITE = 5, SYS_READ = 6, SYS_EXIT = 0x18 };
enum { STOPPED_EXIT = 0x20026, STOPPED_ERROR = 0x20023 };

static inline uintptr_t semihosting(uintptr_t request, const volatile void *argument) {
#if defined(__arm__)
    register uintptr_t r0 __asm__("r0") = request;
    register uintptr_t r1 __asm__("r1") = (uintptr_t)argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
#elif defined(__riscv)
    register uintptr_t a0 __asm__("a0") = request;
    register uintptr_t a1 __asm__("a1") = (uintptr_t)argument;
    __asm__ volatile(".option push\n"
                     ".option norvc\n"
                     ".balign 16\n" /* all three in one page */
                     "slli zero, zero, 0x1f\n"
                     "ebreak\n"
                     "srai zero, zero, 7\n"
                     ".option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
    return a0;
#endif
}

#endif
