/* peak.h - what the machine can do at best with this kernel's vectors: the roofline of
 * bench/roofline.c. Part of simd.h. */

/* Chains of multiply-adds: enough to hide the latency of one, few enough for the registers. */
enum { PEAK_CHAINS = V == 8 ? 12 : 16, PEAK_SUMS = 8 };

/* All lanes of n vectors, so that every one of them is needed. */
INLINE float peak_total(vf *x, size_t n) {
    float lanes[V], total = 0;
    for (size_t c = 1; c < n; c++)
        x[0] = v_add(x[0], x[c]);
    v_store(lanes, x[0]);
    for (size_t lane = 0; lane < V; lane++)
        total += lanes[lane];
    return total;
}

static float peak_fma(size_t n) {
    vf x[PEAK_CHAINS], half = v_set(0.5f);
    for (size_t c = 0; c < PEAK_CHAINS; c++)
        x[c] = v_set((float)c);
    for (size_t k = 0; k < n; k += PEAK_CHAINS * V)
#pragma GCC unroll 16
        for (size_t c = 0; c < PEAK_CHAINS; c++)
            x[c] = v_fma(x[c], half, half);
    return peak_total(x, PEAK_CHAINS);
}

static float peak_read(const float *p, size_t n, size_t times) {
    vf sum[PEAK_SUMS];
    for (size_t c = 0; c < PEAK_SUMS; c++)
        sum[c] = v_set(0.0f);
    for (size_t k = 0; k < times; k++, kernel_peak_again())
        for (size_t i = 0; i < n; i += PEAK_SUMS * V)
#pragma GCC unroll 16
            for (size_t c = 0; c < PEAK_SUMS; c++)
                sum[c] = v_add(sum[c], v_load(p + i + c * V));
    return peak_total(sum, PEAK_SUMS);
}

static void peak_update(float *p, size_t n, size_t times) {
    vf half = v_set(0.5f);
    for (size_t k = 0; k < times; k++, kernel_peak_again())
        for (size_t i = 0; i < n; i += PEAK_SUMS * V)
#pragma GCC unroll 16
            for (size_t c = 0; c < PEAK_SUMS; c++)
                v_store(p + i + c * V, v_fma(v_load(p + i + c * V), half, half));
}
