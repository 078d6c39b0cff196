/* no_malloc.c - linked with a program that must not allocate: whoever tries ends it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void refuse(const char *text) {
    ssize_t n = write(STDERR_FILENO, text, strlen(text));
    _exit(n > 0 ? 99 : 98);
}

void *malloc(size_t n) {
    (void)n;
    refuse("malloc was called\n");
}

void *calloc(size_t n, size_t size) {
    (void)n, (void)size;
    refuse("calloc was called\n");
}

void *realloc(void *memory, size_t n) {
    (void)memory, (void)n;
    refuse("realloc was called\n");
}

void *aligned_alloc(size_t alignment, size_t n) {
    (void)alignment, (void)n;
    refuse("aligned_alloc was called\n");
}

int posix_memalign(void **out, size_t alignment, size_t n) {
    (void)out, (void)alignment, (void)n;
    refuse("posix_memalign was called\n");
}

void free(void *memory) {
    if (memory)
        refuse("free was called\n");
}
