/* test_encode.c - intensities become spikes of the right frequency, each draw its own. */
#include "data/encode.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>

static const PoissonCode PAPER = {.seed = 7, .purpose = RNG_INPUT, .rate_hz = 250, .dt_ms = 1};

static Raster make_raster(size_t n_steps, size_t n_inputs) {
    Raster raster = {n_steps, n_inputs, raster_words(n_inputs), NULL};
    raster.bits = malloc(n_steps * raster.n_words * sizeof *raster.bits);
    assert_non_null(raster.bits);
    memset(raster.bits, 0xa5, n_steps * raster.n_words * sizeof *raster.bits); /* of the last one */
    return raster;
}

/* All inputs of one intensity; free the raster. */
static Raster encode_all(const PoissonCode *code, uint64_t sample, float intensity, size_t n_steps,
                         size_t n_inputs) {
    Raster raster = make_raster(n_steps, n_inputs);
    float *intensities = malloc(n_inputs * sizeof *intensities);
    tacos_error err;
    assert_non_null(intensities);
    for (size_t j = 0; j < n_inputs; j++)
        intensities[j] = intensity;
    assert_succeeds(encode_intensities(code, sample, intensities, &raster, &err));
    free(intensities);
    return raster;
}

static size_t count_spikes(const Raster *raster) {
    uint32_t *spikes = malloc(64 * raster->n_words * sizeof *spikes);
    size_t n = 0;
    assert_non_null(spikes);
    for (size_t step = 0; step < raster->n_steps; step++) {
        size_t here = raster_spikes(raster, step, spikes);
        assert_true(here == 0 || spikes[here - 1] < raster->n_inputs);
        n += here;
    }
    free(spikes);
    return n;
}

static bool same(const Raster *a, const Raster *b) {
    return memcmp(a->bits, b->bits, a->n_steps * a->n_words * sizeof *a->bits) == 0;
}

static void frequency_is_intensity_times_rate(void **state) {
    static const struct {
        float intensity;
        double rate_hz, dt_ms;
    } cases[] = {{1, 250, 1},     {0.5f, 250, 1},   {0.1f, 250, 1}, {1.0f / 255, 250, 1},
                 {0.9f, 1000, 1}, {0.3f, 400, 0.5}, {1, 999, 1},    {0.001f, 10, 1}};
    enum { STEPS = 5000, INPUTS = 100 };
    double worst = 0;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PoissonCode code = {3, RNG_INPUT, cases[i].rate_hz, cases[i].dt_ms};
        Raster raster = encode_all(&code, i, cases[i].intensity, STEPS, INPUTS);
        double p = (double)cases[i].intensity * cases[i].rate_hz * cases[i].dt_ms / 1000;
        double n = STEPS * INPUTS, sigma = sqrt(n * p * (1 - p));
        double off = fabs((double)count_spikes(&raster) - n * p) / sigma;
        if (off > 5)
            fail_msg("probability %g: %g sigma off", p, off);
        worst = fmax(worst, off);
        free(raster.bits);
    }
    print_message("worst frequency is %.2f sigma off\n", worst);
}

static void intensity_0_never_spikes(void **state) {
    (void)state;
    for (int negative = 0; negative < 2; negative++) {
        Raster raster = encode_all(&PAPER, 1, negative ? -0.0f : 0.0f, 1000, 70);
        assert_int_equal(count_spikes(&raster), 0);
        free(raster.bits);
    }
}

static void probability_1_and_more_always_spikes(void **state) {
    static const double rates_hz[] = {1000, 1001, 1e5};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        PoissonCode code = {3, RNG_INPUT, rates_hz[i], 1};
        Raster raster = encode_all(&code, i, 1, 997, 70);
        assert_int_equal(count_spikes(&raster), 997 * 70);
        free(raster.bits);
    }
}

/* The four numbers of a random block are used for four steps, none of them twice. */
static void steps_and_inputs_are_independent(void **state) {
    enum { STEPS = 4000, INPUTS = 64 };
    Raster raster = encode_all(&PAPER, 5, 1, STEPS, INPUTS);
    double sigma = sqrt(STEPS * 0.25 * 0.25 * (1 - 0.25 * 0.25));
    (void)state;
    for (size_t lag = 1; lag < 9; lag++)
        for (size_t j = 0; j + lag < INPUTS; j += 9) {
            size_t in_time = 0, in_space = 0;
            for (size_t t = 0; t < STEPS; t++) {
                uint64_t now = raster.bits[t], later = raster.bits[(t + lag) % STEPS];
                in_time += now >> j & later >> j & 1;
                in_space += now >> j & now >> (j + lag) & 1;
            }
            assert_true(fabs((double)in_time - STEPS * 0.0625) < 5 * sigma);
            assert_true(fabs((double)in_space - STEPS * 0.0625) < 5 * sigma);
        }
    free(raster.bits);
}

static void bad_intensities_are_refused_by_index(void **state) {
    const float bad[] = {NAN, INFINITY, -INFINITY, nextafterf(1, 2), -1e-30f, 255};
    Raster raster = make_raster(10, 70);
    float intensity[70] = {0};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tacos_error err;
        intensity[69] = bad[i];
        assert_fails(encode_intensities(&PAPER, 0, intensity, &raster, &err), TACOS_RANGE);
        assert_says(err, "intensity 69 is ");
        assert_says(err, "from 0 to 1");
    }
    free(raster.bits);
}

static void pixels_are_intensities_of_255(void **state) {
    uint8_t pixels[256];
    float intensity[256];
    Raster a = make_raster(150, 256), b = make_raster(150, 256);
    (void)state;
    for (size_t j = 0; j < 256; j++) {
        pixels[j] = (uint8_t)j;
        intensity[j] = (float)j / 255.0f;
    }
    encode_pixels(&PAPER, 11, pixels, &a);
    assert_int_equal(encode_intensities(&PAPER, 11, intensity, &b, NULL), TACOS_OK);
    assert_true(count_spikes(&a) > 3000);
    assert_true(same(&a, &b));
    free(a.bits);
    free(b.bits);
}

static void samples_purposes_and_seeds_differ(void **state) {
    PoissonCode seed = PAPER, purpose = PAPER;
    (void)state;
    seed.seed++;
    purpose.purpose = RNG_PREDICT;
    Raster rasters[] = {
        encode_all(&PAPER, 3, 1, 50, 20),
        encode_all(&PAPER, 4, 1, 50, 20),
        encode_all(&PAPER, 3 + (UINT64_C(1) << 32), 1, 50, 20), /* all 64 bits count */
        encode_all(&seed, 3, 1, 50, 20),
        encode_all(&purpose, 3, 1, 50, 20),
    };
    Raster again = encode_all(&PAPER, 3, 1, 50, 20);
    assert_true(same(&rasters[0], &again));
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < i; k++)
            assert_false(same(&rasters[i], &rasters[k]));
    for (size_t i = 0; i < 5; i++)
        free(rasters[i].bits);
    free(again.bits);
}

/* What an input does is its own business, whoever else is there. */
static void other_inputs_change_nothing(void **state) {
    float alone[70] = {0}, crowd[70];
    Raster a = make_raster(150, 70), b = make_raster(150, 70);
    (void)state;
    for (size_t j = 0; j < 70; j++)
        crowd[j] = 0.5f;
    alone[65] = 0.5f;
    assert_int_equal(encode_intensities(&PAPER, 1, alone, &a, NULL), TACOS_OK);
    assert_int_equal(encode_intensities(&PAPER, 1, crowd, &b, NULL), TACOS_OK);
    assert_true(count_spikes(&a) > 0);
    for (size_t t = 0; t < 150; t++)
        assert_true(a.bits[2 * t + 1] == (b.bits[2 * t + 1] & 2));
    free(a.bits);
    free(b.bits);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequency_is_intensity_times_rate),
        cmocka_unit_test(intensity_0_never_spikes),
        cmocka_unit_test(probability_1_and_more_always_spikes),
        cmocka_unit_test(steps_and_inputs_are_independent),
        cmocka_unit_test(bad_intensities_are_refused_by_index),
        cmocka_unit_test(pixels_are_intensities_of_255),
        cmocka_unit_test(samples_purposes_and_seeds_differ),
        cmocka_unit_test(other_inputs_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
