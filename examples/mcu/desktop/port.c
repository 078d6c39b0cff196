/* port.c - port.h on a desktop. */
#include "../port.h"

#include <stdio.h>

static FILE *file;

void port_print(const char *text) {
    (void)fputs(text, stdout);
}

uint64_t port_instructions(void) {
    return 0;
}

size_t port_stack_used(void) {
    return 0;
}

bool port_open(const char *name) {
    file = fopen(name, "rb");
    return file;
}

bool port_read(void *bytes, size_t n) {
    return fread(bytes, 1, n, file) == n;
}
