/* short_out.h - `-o FILE` for --out FILE, as compilers have it. */
#ifndef CLI_SHORT_OUT_H
#define CLI_SHORT_OUT_H

#include <string.h>

/* Before the options are read; behind "--" all are words. */
static inline void short_out(int argc, char **argv) {
    static char out[] = "--out";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "-o") == 0)
            argv[i] = out;
}

#endif
