/* peak_ref.h - peak.h in plain C, as fast as a compiler makes it. Part of ref.c. */

enum { PEAK_CHAINS = 48, PEAK_SUMS = 32 };

/* A multiply and an add: plain processors have no more. */
static float peak_fma(size_t n) {
    float x[PEAK_CHAINS], total = 0;
    for (size_t c = 0; c < PEAK_CHAINS; c++)
        x[c] = (float)c;
    for (size_t k = 0; k < n; k += PEAK_CHAINS)
        for (size_t c = 0; c < PEAK_CHAINS; c++)
            x[c] = x[c] * 0.5f + 0.5f;
    for (size_t c = 0; c < PEAK_CHAINS; c++)
        total += x[c];
    return total;
}

static float peak_read(const float *p, size_t n, size_t times) {
    float sum[PEAK_SUMS] = {0}, total = 0;
    for (size_t k = 0; k < times; k++, kernel_peak_again())
        for (size_t i = 0; i < n; i += PEAK_SUMS)
            for (size_t c = 0; c < PEAK_SUMS; c++)
                sum[c] += p[i + c];
    for (size_t c = 0; c < PEAK_SUMS; c++)
        total += sum[c];
    return total;
}

static void peak_update(float *p, size_t n, size_t times) {
    for (size_t k = 0; k < times; k++, kernel_peak_again())
        for (size_t i = 0; i < n; i++)
            p[i] = p[i] * 0.5f + 0.5f;
}
