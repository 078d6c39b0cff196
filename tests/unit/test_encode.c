/* test_encode.c - intensities become spikes of the right frequency, each draw its own. */
#include "raster_box.h"

#include <math.h>

static const PoissonCode PAPER = {
    .kernel = &kernel_ref, .seed = 7, .purpose = RNG_INPUT, .rate_hz = 250, .dt_ms = 1};

static void fill(RasterBox *box, const PoissonCode *code, uint64_t sample,
                 const float *intensities) {
    tacos_error err;
    assert_succeeds(encode_intensities(code, sample, intensities, &box->raster, &err));
    raster_box_open(box);
}

/* All inputs of one intensity; free the box. */
static RasterBox encode_all(const PoissonCode *code, uint64_t sample, float intensity,
                            size_t n_steps, size_t n_inputs) {
    RasterBox box = raster_box_new(n_steps, n_inputs);
    float *intensities = malloc(n_inputs * sizeof *intensities);
    assert_non_null(intensities);
    for (size_t j = 0; j < n_inputs; j++)
        intensities[j] = intensity;
    fill(&box, code, sample, intensities);
    free(intensities);
    return box;
}

static size_t count_spikes(const RasterBox *box) {
    return box->raster.events.at[box->raster.events.n_steps];
}

static bool same(const RasterBox *a, const RasterBox *b) {
    return memcmp(a->spikes, b->spikes, a->raster.events.n_steps * a->raster.n_inputs) == 0;
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
        PoissonCode code = {&kernel_ref, 3, RNG_INPUT, cases[i].rate_hz, cases[i].dt_ms};
        RasterBox raster = encode_all(&code, i, cases[i].intensity, STEPS, INPUTS);
        double p = (double)cases[i].intensity * cases[i].rate_hz * cases[i].dt_ms / 1000;
        double n = STEPS * INPUTS, sigma = sqrt(n * p * (1 - p));
        double off = fabs((double)count_spikes(&raster) - n * p) / sigma;
        if (off > 5)
            fail_msg("probability %g: %g sigma off", p, off);
        worst = fmax(worst, off);
        raster_box_free(&raster);
    }
    print_message("worst frequency is %.2f sigma off\n", worst);
}

static void intensity_0_never_spikes(void **state) {
    (void)state;
    for (int negative = 0; negative < 2; negative++) {
        RasterBox raster = encode_all(&PAPER, 1, negative ? -0.0f : 0.0f, 1000, 70);
        assert_int_equal(count_spikes(&raster), 0);
        raster_box_free(&raster);
    }
}

static void probability_1_and_more_always_spikes(void **state) {
    static const double rates_hz[] = {1000, 1001, 1e5};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        PoissonCode code = {&kernel_ref, 3, RNG_INPUT, rates_hz[i], 1};
        RasterBox raster = encode_all(&code, i, 1, 997, 70);
        assert_int_equal(count_spikes(&raster), 997 * 70);
        raster_box_free(&raster);
    }
}

/* The four numbers of a random block are used for four steps, none of them twice. */
static void steps_and_inputs_are_independent(void **state) {
    enum { STEPS = 4000, INPUTS = 64 };
    RasterBox raster = encode_all(&PAPER, 5, 1, STEPS, INPUTS);
    double sigma = sqrt(STEPS * 0.25 * 0.25 * (1 - 0.25 * 0.25));
    (void)state;
    for (size_t lag = 1; lag < 9; lag++)
        for (size_t j = 0; j + lag < INPUTS; j += 9) {
            size_t in_time = 0, in_space = 0;
            for (size_t t = 0; t < STEPS; t++) {
                const uint8_t *now = raster.spikes + t * INPUTS;
                const uint8_t *later = raster.spikes + (t + lag) % STEPS * INPUTS;
                in_time += now[j] & later[j];
                in_space += now[j] & now[j + lag];
            }
            assert_true(fabs((double)in_time - STEPS * 0.0625) < 5 * sigma);
            assert_true(fabs((double)in_space - STEPS * 0.0625) < 5 * sigma);
        }
    raster_box_free(&raster);
}

static void bad_intensities_are_refused_by_index(void **state) {
    const float bad[] = {NAN, INFINITY, -INFINITY, nextafterf(1, 2), -1e-30f, 255};
    RasterBox raster = raster_box_new(10, 70);
    float intensity[70] = {0};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        tacos_error err;
        intensity[69] = bad[i];
        assert_fails(encode_intensities(&PAPER, 0, intensity, &raster.raster, &err), TACOS_RANGE);
        assert_says(err, "intensity 69 is ");
        assert_says(err, "from 0 to 1");
    }
    raster_box_free(&raster);
}

static void pixels_are_intensities_of_255(void **state) {
    uint8_t pixels[256];
    float intensity[256];
    RasterBox a = raster_box_new(150, 256), b = raster_box_new(150, 256);
    (void)state;
    for (size_t j = 0; j < 256; j++) {
        pixels[j] = (uint8_t)j;
        intensity[j] = (float)j / 255.0f;
    }
    encode_pixels(&PAPER, 11, pixels, &a.raster);
    raster_box_open(&a);
    fill(&b, &PAPER, 11, intensity);
    assert_true(count_spikes(&a) > 3000);
    assert_true(same(&a, &b));
    raster_box_free(&a);
    raster_box_free(&b);
}

static void samples_purposes_and_seeds_differ(void **state) {
    PoissonCode seed = PAPER, purpose = PAPER;
    (void)state;
    seed.seed++;
    purpose.purpose = RNG_PREDICT;
    RasterBox rasters[] = {
        encode_all(&PAPER, 3, 1, 50, 20),
        encode_all(&PAPER, 4, 1, 50, 20),
        encode_all(&PAPER, 3 + (UINT64_C(1) << 32), 1, 50, 20), /* all 64 bits count */
        encode_all(&seed, 3, 1, 50, 20),
        encode_all(&purpose, 3, 1, 50, 20),
    };
    RasterBox again = encode_all(&PAPER, 3, 1, 50, 20);
    assert_true(same(&rasters[0], &again));
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < i; k++)
            assert_false(same(&rasters[i], &rasters[k]));
    for (size_t i = 0; i < 5; i++)
        raster_box_free(&rasters[i]);
    raster_box_free(&again);
}

/* What an input does is its own business, whoever else is there. */
static void other_inputs_change_nothing(void **state) {
    float alone[70] = {0}, crowd[70];
    RasterBox a = raster_box_new(150, 70), b = raster_box_new(150, 70);
    (void)state;
    for (size_t j = 0; j < 70; j++)
        crowd[j] = 0.5f;
    alone[65] = 0.5f;
    fill(&a, &PAPER, 1, alone);
    fill(&b, &PAPER, 1, crowd);
    assert_true(count_spikes(&a) > 0);
    for (size_t t = 0; t < 150; t++)
        assert_int_equal(a.spikes[t * 70 + 65], b.spikes[t * 70 + 65]);
    raster_box_free(&a);
    raster_box_free(&b);
}

/* As many inputs as fill no word, one, and a little more than one. */
static void every_kernel_draws_the_same(void **state) {
    (void)state;
    for (size_t k = 0; kernels[k]; k++)
        for (size_t n = 1; n < 40 && kernels[k]->runs_here(); n++) {
            PoissonCode code = PAPER;
            code.kernel = kernels[k];
            RasterBox a = encode_all(&PAPER, n, 0.7f, 10 + n, n);
            RasterBox b = encode_all(&code, n, 0.7f, 10 + n, n);
            assert_true(same(&a, &b));
            raster_box_free(&a);
            raster_box_free(&b);
        }
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
        cmocka_unit_test(every_kernel_draws_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
