/* wasm.c - matching with the vectors of WebAssembly. */
#include "kernel/kernel.h"

#ifdef KERNEL_WASM
#include <string.h>
#include <wasm_simd128.h>

/* Four units: products of bytes fit in 16 bits, and are added in pairs to 32. */
static v128_t dots_of_4(const Matching *m, const int8_t *t) {
    v128_t low = wasm_i32x4_splat(0), high = low; /* two sums per unit, side by side */
    for (size_t k = 0; k < m->n_words; k++) {
        int32_t word;
        memcpy(&word, m->x + 4 * k, sizeof word);
        v128_t x = wasm_i32x4_splat(word), row = wasm_v128_load(t + k * KERNEL_UNITS * 4);
        v128_t first = wasm_i16x8_extmul_low_i8x16(row, x);
        v128_t last = wasm_i16x8_extmul_high_i8x16(row, x);
        low = wasm_i32x4_add(low, wasm_i32x4_extadd_pairwise_i16x8(first));
        high = wasm_i32x4_add(high, wasm_i32x4_extadd_pairwise_i16x8(last));
    }
    return wasm_i32x4_add(wasm_i32x4_shuffle(low, high, 0, 2, 4, 6),
                          wasm_i32x4_shuffle(low, high, 1, 3, 5, 7));
}

static bool match_block(const Matching *m, size_t block, int32_t best, int32_t *matches) {
    const int8_t *t = matching_block(m, block);
    const int32_t *inverse = m->inverse + block * KERNEL_UNITS;
    v128_t above = wasm_i32x4_splat(0);
    for (size_t unit = 0; unit < KERNEL_UNITS; unit += 4) {
        v128_t match = wasm_i32x4_mul(dots_of_4(m, t + 4 * unit), wasm_v128_load(inverse + unit));
        above = wasm_v128_or(above, wasm_i32x4_gt(match, wasm_i32x4_splat(best)));
        wasm_v128_store(matches + unit, match);
    }
    return wasm_v128_any_true(above);
}

#define MATCH_BEST  match
#define MATCH_BLOCK match_block
#include "kernel/match.h"

Match kernel_match_wasm(const Matching *matching) {
    return match(matching);
}
#endif
