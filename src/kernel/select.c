/* select.c - selects the kernel to run. */
#include "kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

#if defined KERNEL_X86
#define KERNEL_NAMES "avx512-vnni, avx512, avx2, ref"
const Kernel *const kernels[] = {&kernel_avx512_vnni, &kernel_avx512, &kernel_avx2, &kernel_ref,
                                 NULL};
#elif defined KERNEL_NEON
#define KERNEL_NAMES "neon-dot, neon, ref"
const Kernel *const kernels[] = {&kernel_neon_dot, &kernel_neon, &kernel_ref, NULL};
#elif defined KERNEL_WASM
#define KERNEL_NAMES "wasm, ref"
const Kernel *const kernels[] = {&kernel_wasm, &kernel_ref, NULL};
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

static tacos_status select_named(const Kernel **out, const char *name, tacos_error *err) {
    const Kernel *named = kernel_named(name);
    if (!named)
        return failure(err, TACOS_UNKNOWN, "TACOS_KERNEL is '%.40s'; the kernels are: %s", name,
                       KERNEL_NAMES);
    if (!named->runs_here())
        return failure(err, TACOS_INVALID,
                       "TACOS_KERNEL is %s, which this machine does not support", name);
    *out = named;
    return TACOS_OK;
}

tacos_status kernel_select(const Kernel **out, tacos_error *err) {
    const char *wanted = getenv("TACOS_KERNEL");
    if (wanted && *wanted)
        return select_named(out, wanted, err);
    *out = &kernel_ref; /* the last one, which runs anywhere */
    for (size_t k = 0; kernels[k] && *out == &kernel_ref; k++)
        if (kernels[k]->runs_here())
            *out = kernels[k];
    return TACOS_OK;
}
