/* bare.c - runs bits.c on a bare Cortex-M with newlib: start-up of examples/mcu, and the functions
 * that newlib wants of a system. Only output and memory exist. */
#include "port.h"
#include "tacos.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

enum { HEAP = 3 << 20, COPROCESSORS = 0xf << 20 };

int bits_main(void);
int main(void);

int _close(int file);
int _fstat(int file, struct stat *out);
int _getpid(void);
int _isatty(int file);
int _kill(int process, int number);
int _lseek(int file, int to, int whence);
int _read(int file, char *bytes, int n);
int _write(int file, const char *bytes, int n);
void *_sbrk(int n);
void _exit(int code);

int _close(int file) {
    (void)file;
    return -1;
}

int _fstat(int file, struct stat *out) {
    (void)file;
    out->st_mode = S_IFCHR;
    return 0;
}

int _getpid(void) {
    return 1;
}

int _isatty(int file) {
    (void)file;
    return 1;
}

int _kill(int process, int number) {
    (void)process, (void)number;
    errno = EINVAL;
    return -1;
}

int _lseek(int file, int to, int whence) {
    (void)file, (void)to, (void)whence;
    return 0;
}

int _read(int file, char *bytes, int n) {
    (void)file, (void)bytes, (void)n;
    return 0;
}

int _write(int file, const char *bytes, int n) {
    (void)file;
    for (int k = 0; k < n; k++) {
        const char one[2] = {bytes[k], '\0'};
        port_print(one);
    }
    return n;
}

void *_sbrk(int n) {
    static _Alignas(8) char heap[HEAP];
    static int used;
    if (n > HEAP - used)
        return (void *)-1; /* NOLINT */
    used += n;
    return heap + used - n;
}

void _exit(int code) {
    (void)code;
    for (;;) {
    }
}

/* Numbers in texts: newlib-nano does not know %zu. */
static void print_texts(void) {
    char value[16] = "";
    tacos_config *config;
    tacos_learner *learner;
    tacos_error err = {TACOS_OK, ""};
    if (tacos_config_new(&config, &err) != TACOS_OK)
        return;
    (void)tacos_config_parse(config, "model = columns\ninputs = 34\ninput_shape = 5,7\n", "keys",
                             &err);
    (void)tacos_config_get(config, "inputs", value, sizeof value, &err);
    (void)tacos_learner_new(&learner, config, 1, NULL, &err);
    port_print("# inputs ");
    port_print(value);
    port_print("; ");
    port_print(err.text);
    port_print("\n");
    tacos_config_free(config);
}

int main(void) {
#ifdef __ARM_FP
    *(volatile uint32_t *)0xe000ed88u |= COPROCESSORS; /* the floating-point unit, on */
#endif
    uint64_t before = port_instructions();
    int code = bits_main();
    (void)fflush(stdout);
    port_print("# instructions ");
    print_number(port_instructions() - before);
    port_print("\n");
    print_texts();
    return code;
}
