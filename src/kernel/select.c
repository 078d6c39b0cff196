/* select.c - which kernel runs. */
#include "kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

#if defined KERNEL_X86
#define KERNEL_NAMES "avx512, avx2, ref"
const Kernel *const kernels[] = {&kernel_avx512, &kernel_avx2, &kernel_ref, NULL};
#elif defined KERNEL_NEON
#define KERNEL_NAMES "neon, ref"
const Kernel *const kernels[] = {&kernel_neon, &kernel_ref, NULL};
#else
#define KERNEL_NAMES "ref"
const Kernel *const kernels[] = {&kernel_ref, NULL};
#endif

const Kernel *kernel_named(const char *name) {
    for (size_t k = 0; kernels[k]; k++)
        if (strcmp(kernels[k]->name, name) == 0)
            return kernels[k];
    return NULL;
}

tacos_status kernel_select(const Kernel **out, tacos_error *err) {
    const char *wanted = getenv("TACOS_KERNEL");
    size_t k = 0;
    if (wanted && *wanted) {
        const Kernel *named = kernel_named(wanted);
        if (!named)
            return failure(err, TACOS_UNKNOWN, "TACOS_KERNEL is '%.40s'; the kernels are: %s",
                           wanted, KERNEL_NAMES);
        if (!named->runs_here())
            return failure(err, TACOS_INVALID,
                           "TACOS_KERNEL is %s, which this machine does not support", wanted);
        *out = named;
        return TACOS_OK;
    }
    while (!kernels[k]->runs_here())
        k++;
    *out = kernels[k];
    return TACOS_OK;
}
