/* test_columns_spikes.c - columns that are given spikes: rasters and recordings of event cameras
 * are counted over the time of a sample. */
#include "folder.h"
#include "net/learner.h"
#include "raster_box.h"
#include "toy.h"

#define SPIKES "inputs = 40\noutputs = 2\nsteps = 60\ncolumn_units = 60\ncolumn_input = spikes\n"
#define VALUES "inputs = 40\noutputs = 2\nsteps = 60\ncolumn_units = 60\n"
#define IMAGE  "input_shape = 5,8\n"
#define CELLS  "column_features = values\ncolumn_cells = 8\n"

static const char *const kinds[] = {SPIKES, SPIKES IMAGE, SPIKES IMAGE CELLS};
enum { KINDS = sizeof kinds / sizeof *kinds, STEPS = 60 };

/* The spikes that a learner of this seed draws for the k-th sample. */
static void draw_spikes(uint32_t k, uint32_t seed, uint8_t *spikes) {
    ToySample sample = toy_sample(k);
    PoissonCode code = {&kernel_ref, seed, RNG_INPUT, 250, 1};
    RasterBox box = raster_box_new(STEPS, TOY_INPUTS);
    assert_int_equal(encode_intensities(&code, k, sample.intensity, &box.raster, NULL), TACOS_OK);
    raster_box_open(&box);
    memcpy(spikes, box.spikes, (size_t)STEPS * TOY_INPUTS);
    raster_box_free(&box);
}

static void assert_same(tacos_learner *a, tacos_learner *b) {
    assert_int_equal(tacos_learner_digest(a), tacos_learner_digest(b));
}

/* ---- rasters ---- */

static void given_spikes_are_as_good_as_drawn_ones(void **state) {
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        tacos_learner *a = toy_learner(kinds[kind], "columns", 9, NULL);
        tacos_learner *b = toy_learner(kinds[kind], "columns", 9, NULL);
        uint32_t before = tacos_learner_digest(a);
        for (uint32_t k = 0; k < 40; k++) {
            uint8_t spikes[STEPS * TOY_INPUTS];
            tacos_error err;
            draw_spikes(k, 9, spikes);
            toy_learn(a, k, k + 1);
            assert_succeeds(tacos_learner_learn_spikes(b, spikes, STEPS, TOY_INPUTS, k % 2, &err));
            assert_same(a, b);
        }
        assert_int_not_equal(tacos_learner_digest(a), before);
        tacos_learner_free(a);
        tacos_learner_free(b);
    }
}

/* When a spike comes does not matter, nor do steps at the end without any. */
static void spikes_are_counted_whenever_they_come(void **state) {
    Learner *learner = toy_learner(SPIKES, "columns", 1, NULL);
    uint8_t early[STEPS * TOY_INPUTS] = {0}, late[STEPS * TOY_INPUTS] = {0};
    tacos_prediction guess;
    tacos_error err;
    (void)state;
    for (size_t j = 0; j < TOY_INPUTS; j++)
        for (size_t t = 0; t < j; t++) {
            early[t * TOY_INPUTS + j] = 1;
            late[(STEPS - 1 - t) * TOY_INPUTS + j] = 200;
        }
    assert_succeeds(tacos_learner_learn_spikes(learner, early, TOY_INPUTS, TOY_INPUTS, 1, &err));
    for (size_t j = 0; j < TOY_INPUTS; j++)
        assert_int_equal(learner->view.input[j], j);
    assert_succeeds(tacos_learner_predict_spikes(learner, late, STEPS, TOY_INPUTS, &guess, &err));
    for (size_t j = 0; j < TOY_INPUTS; j++)
        assert_int_equal(learner->view.input[j], j);
    assert_int_equal(guess.output, 1);
    tacos_learner_free(learner);
}

static void a_raster_that_is_too_long_is_refused(void **state) {
    static uint8_t spikes[(STEPS + 1) * TOY_INPUTS];
    tacos_learner *learner = toy_learner(SPIKES, "columns", 1, NULL);
    uint32_t before = tacos_learner_digest(learner);
    tacos_prediction guess;
    tacos_error err;
    (void)state;
    spikes[0] = 1;
    assert_fails(tacos_learner_learn_spikes(learner, spikes, STEPS + 1, TOY_INPUTS, 0, &err),
                 TACOS_RANGE);
    assert_string_equal(err.text, "61 steps were given; a sample has at most 60");
    assert_fails(tacos_learner_predict_spikes(learner, spikes, STEPS + 1, TOY_INPUTS, &guess, &err),
                 TACOS_RANGE);
    assert_fails(tacos_learner_learn_spikes(learner, spikes, STEPS, TOY_INPUTS - 1, 0, &err),
                 TACOS_INVALID);
    assert_int_equal(tacos_learner_learned(learner), 0);
    assert_int_equal(tacos_learner_digest(learner), before);
    tacos_learner_free(learner);
}

/* A spike in every step of the longest sample. */
static void the_largest_count_is_exact(void **state) {
    enum { MOST = 10000, INPUTS = 8 };
    Learner *learner = toy_learner("inputs = 8\noutputs = 2\nsteps = 10000\ncolumn_units = 20\n"
                                   "column_input = spikes\n",
                                   "columns", 1, NULL);
    uint8_t *spikes = calloc(MOST, INPUTS);
    tacos_error err;
    (void)state;
    for (size_t t = 0; t < MOST; t++)
        memset(spikes + t * INPUTS, 1, 1 + t % INPUTS);
    assert_succeeds(tacos_learner_learn_spikes(learner, spikes, MOST, INPUTS, 0, &err));
    for (size_t j = 0; j < INPUTS; j++)
        assert_int_equal(learner->view.input[j], MOST - MOST / INPUTS * j);
    free(spikes);
    tacos_learner_free(learner);
}

/* ---- learners of values ---- */

/* FULL spikes in 60 ms are what an input of intensity 1 has on average. */
static void values_are_in_proportion_to_spikes(void **state) {
    enum { FULL = 15 };
    Learner *learner = toy_learner(VALUES, "columns", 1, NULL);
    uint8_t spikes[STEPS * TOY_INPUTS] = {0};
    tacos_error err;
    (void)state;
    for (size_t j = 0; j < TOY_INPUTS; j++)
        for (size_t t = 0; t < j; t++)
            spikes[t * TOY_INPUTS + j] = 1;
    assert_succeeds(tacos_learner_learn_spikes(learner, spikes, STEPS, TOY_INPUTS, 1, &err));
    for (size_t j = 0; j < TOY_INPUTS; j++)
        assert_int_equal(learner->view.input[j], j < FULL ? 255 / FULL * j : 255);
    tacos_learner_free(learner);
}

/* What was learned from intensities is known from spikes, also where values have to have contrast:
 * a few spikes are enough. */
static void spikes_are_known_by_who_learned_values(void **state) {
    static const char *const shapes[] = {VALUES, VALUES IMAGE, VALUES IMAGE CELLS};
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        Learner *learner = toy_learner(shapes[i], "columns", 1, NULL);
        size_t n_right = 0, n_silent = 0;
        toy_learn(learner, 0, 60);
        for (uint32_t k = 100; k < 140; k++) {
            uint8_t spikes[STEPS * TOY_INPUTS];
            tacos_prediction guess;
            tacos_error err;
            draw_spikes(k, 1, spikes);
            assert_succeeds(
                tacos_learner_predict_spikes(learner, spikes, STEPS, TOY_INPUTS, &guess, &err));
            n_right += guess.output == (int)(k % 2);
            for (size_t p = 0; p < learner->columns.geometry.n_places; p++)
                n_silent += learner->view.is_silent[p];
        }
        assert_true(n_right >= 38);
        assert_true(n_silent < 40 * learner->columns.geometry.n_places / 2);
        tacos_learner_free(learner);
    }
}

/* ---- event cameras ---- */

enum { SENSOR = 6, PASSES = 3 };

typedef struct Film {
    uint8_t bytes[1024];
    size_t n;
} Film;

static void add_event(Film *film, size_t x, size_t y, bool lighter, uint32_t us) {
    uint8_t bytes[] = {(uint8_t)x, (uint8_t)y, (uint8_t)((lighter ? 0x80U : 0) | us >> 16),
                       (uint8_t)(us >> 8), (uint8_t)us};
    assert_true(film->n + sizeof bytes <= sizeof film->bytes);
    memcpy(film->bytes + film->n, bytes, sizeof bytes);
    film->n += sizeof bytes;
}

/* Three times in 45 ms a bar moves over half of the sensor, across or down: its pixels become
 * lighter, and then darker. */
static void shoot(Film *film, bool down, Dice *noise) {
    film->n = 0;
    for (uint32_t pass = 0; pass < PASSES; pass++)
        for (uint32_t t = 0; t < SENSOR; t++) {
            uint32_t us = 15000 * pass + 2000 * t;
            for (uint32_t i = 0; i < SENSOR; i++)
                add_event(film, down ? i : t / 2, down ? t / 2 : i, t % 2 == 0, us + i);
            if (noise)
                add_event(film, roll_word(noise) % SENSOR, roll_word(noise) % SENSOR, true,
                          us + 1000);
        }
}

static tacos_events *record(const Folder *folder, bool down, Dice *noise, double bin_ms) {
    tacos_events_options options = {
        .height = SENSOR, .width = SENSOR, .n_polarities = 2, .bin_ms = bin_ms, .max_steps = STEPS};
    tacos_events *events;
    tacos_error err;
    Film film;
    shoot(&film, down, noise);
    write_bytes(folder->file, film.bytes, film.n);
    assert_succeeds(tacos_events_read(&events, folder->file, &options, &err));
    return events;
}

/* The images of both polarities, one above the other. */
static Learner *open_camera(void) {
    return toy_learner("inputs = 72\noutputs = 2\nsteps = 60\ninput_shape = 12,6\n"
                       "column_input = spikes\ncolumn_units = 200\n",
                       "columns", 1, NULL);
}

static void films_are_told_apart(void **state) {
    Learner *learner = open_camera();
    Dice noise = {.game = 1};
    size_t n_right = 0;
    for (uint32_t k = 0; k < 140; k++) {
        tacos_events *events = record(*state, k % 2, &noise, 1);
        tacos_prediction guess;
        tacos_error err;
        assert_succeeds(tacos_learner_predict_spikes(learner, events->spikes, events->n_steps,
                                                     events->n_inputs, &guess, &err));
        n_right += k >= 100 && guess.output == (int)(k % 2);
        assert_succeeds(tacos_learner_learn_spikes(learner, events->spikes, events->n_steps,
                                                   events->n_inputs, k % 2, &err));
        tacos_events_free(events);
    }
    assert_true(n_right >= 38);
    tacos_learner_free(learner);
}

/* In steps of 1 ms all three passes count, in steps of 25 ms two of them as one. A vector is not
 * smoothed. */
static void a_count_is_of_steps_with_events(void **state) {
    static const double bins[] = {1, 25};
    static const uint16_t wanted[] = {PASSES, 2};
    Learner *learner = toy_learner("inputs = 72\noutputs = 2\nsteps = 60\ncolumn_input = spikes\n",
                                   "columns", 1, NULL);
    for (size_t k = 0; k < 2; k++) {
        tacos_events *events = record(*state, false, NULL, bins[k]);
        tacos_prediction guess;
        tacos_error err;
        assert_int_equal(events->n_events, 2 * 3 * SENSOR * PASSES);
        assert_succeeds(tacos_learner_predict_spikes(learner, events->spikes, events->n_steps,
                                                     events->n_inputs, &guess, &err));
        for (size_t j = 0; j < 72; j++)
            assert_int_equal(learner->view.input[j], j % SENSOR < 3 ? wanted[k] : 0);
        tacos_events_free(events);
    }
    tacos_learner_free(learner);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_spikes_are_as_good_as_drawn_ones),
        cmocka_unit_test(spikes_are_counted_whenever_they_come),
        cmocka_unit_test(a_raster_that_is_too_long_is_refused),
        cmocka_unit_test(the_largest_count_is_exact),
        cmocka_unit_test(values_are_in_proportion_to_spikes),
        cmocka_unit_test(spikes_are_known_by_who_learned_values),
        IN_FOLDER(films_are_told_apart),
        IN_FOLDER(a_count_is_of_steps_with_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
