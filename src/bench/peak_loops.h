/* peak_loops.h - loops that only multiply and add, read, or update, as fast as the machine can.
 *
 * Included once per kind of vector by peaks.c, which defines
 *   V             floats per vector
 *   CHAINS        multiply-adds in flight: enough to hide the latency of one, few enough for the
 *                 registers
 *   FMA(a, b, c)  a b + c
 *   TARGET        the attribute of functions for processors that have these vectors
 *   NAME(word)    the word, for this kind of vector */

typedef float NAME(vf) __attribute__((vector_size(V * sizeof(float)), aligned(4), may_alias));

/* All lanes of n vectors, so that every one of them is needed. */
TARGET static float NAME(total)(const NAME(vf) * x, size_t n) {
    float total = 0;
    for (size_t c = 0; c < n; c++)
        for (size_t lane = 0; lane < V; lane++)
            total += x[c][lane];
    return total;
}

TARGET static float NAME(fma)(size_t n) {
    NAME(vf) x[CHAINS], zero = {0}, half = zero + 0.5f;
    for (size_t c = 0; c < CHAINS; c++)
        x[c] = zero + (float)c;
    for (size_t k = 0; k < n; k += CHAINS * V)
#pragma GCC unroll 16
        for (size_t c = 0; c < CHAINS; c++)
            x[c] = FMA(x[c], half, half);
    return NAME(total)(x, CHAINS);
}

TARGET static float NAME(read)(const float *p, size_t n, size_t times) {
    NAME(vf) sum[SUMS] = {{0}};
    for (size_t k = 0; k < times; k++, memory_changed())
        for (size_t i = 0; i < n; i += SUMS * V)
#pragma GCC unroll 16
            for (size_t c = 0; c < SUMS; c++)
                sum[c] += *(const NAME(vf) *)(p + i + c * V);
    return NAME(total)(sum, SUMS);
}

TARGET static void NAME(update)(float *p, size_t n, size_t times) {
    NAME(vf) zero = {0}, half = zero + 0.5f;
    for (size_t k = 0; k < times; k++, memory_changed())
        for (size_t i = 0; i < n; i += SUMS * V)
#pragma GCC unroll 16
            for (size_t c = 0; c < SUMS; c++) {
                NAME(vf) *x = (NAME(vf) *)(p + i + c * V);
                *x = FMA(*x, half, half);
            }
}

#undef V
#undef CHAINS
#undef FMA
#undef TARGET
#undef NAME
