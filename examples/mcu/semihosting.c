/* semihosting.c - port.h by semihosting, for emulators and debuggers. */
#include "semihosting.h"
#include "port.h"

#include <stddef.h>

enum { BINARY = 1, WRITE = 4 };

static uintptr_t file, terminal;

static uintptr_t open_file(const char *name, uintptr_t mode) {
    uintptr_t n = 0;
    while (name[n])
        n++;
    const uintptr_t arguments[3] = {(uintptr_t)name, mode, n};
    return semihosting(SYS_OPEN, arguments);
}

void port_print(const char *text) {
    uintptr_t n = 0;
    while (text[n])
        n++;
    if (terminal == 0)
        terminal = open_file(":tt", WRITE); /* standard output */
    const uintptr_t arguments[3] = {terminal, (uintptr_t)text, n};
    (void)semihosting(SYS_WRITE, arguments);
}

bool port_open(const char *name) {
    file = open_file(name, BINARY);
    return file != (uintptr_t)-1;
}

bool port_read(void *bytes, size_t n) {
    const uintptr_t arguments[3] = {file, (uintptr_t)bytes, n};
    return semihosting(SYS_READ, arguments) == 0; /* bytes that are missing */
}
