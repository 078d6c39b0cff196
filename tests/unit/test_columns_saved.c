/* test_columns_saved.c - what columns have learned as a file: all of it, nothing else, and no
 * damage passes; and as bytes of memory. */
#include "base/little_endian.h"
#include "columns/pack.h"
#include "net/learner.h"
#include "toy.h"

#include <stdio.h>

/* Small, and soon full. */
static const char *const kinds[] = {
    "inputs = 40\noutputs = 3\ninput_shape = 5,8\ncolumn_cells = 4\ncolumn_stride = 2\n"
    "column_units = 20\n",
    "inputs = 40\noutputs = 2\ninput_shape = 5,8\ncolumn_looks = 5\ncolumn_features = values\n"
    "column_units = 40\n",
    "inputs = 40\noutputs = 2\ninput_shape = 2,10,2\ncolumn_units = 30\n",
    "inputs = 40\noutputs = 2\ninput_shape = 1,40\ncolumn_units = 70\n",
    "inputs = 40\noutputs = 2\ncolumn_units = 100\ncolumn_settle = nearest\n",
    "inputs = 40\noutputs = 2\ninput_shape = 5,8\ncolumn_input = spikes\nsteps = 20\n"
    "column_units = 50\n",
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- files in memory ---- */

typedef struct Tape {
    uint8_t bytes[1 << 16];
    size_t n, at;
} Tape;

static int write_tape(void *user, const void *bytes, size_t n) {
    Tape *tape = user;
    if (tape->n + n > sizeof tape->bytes)
        return 1;
    memcpy(tape->bytes + tape->n, bytes, n);
    tape->n += n;
    return 0;
}

static int read_tape(void *user, void *bytes, size_t n) {
    Tape *tape = user;
    if (tape->at + n > tape->n)
        return 1;
    memcpy(bytes, tape->bytes + tape->at, n);
    tape->at += n;
    return 0;
}

static void save(tacos_learner *learner, Tape *tape) {
    tacos_error err;
    tape->n = tape->at = 0;
    assert_succeeds(tacos_learner_save_to(learner, write_tape, tape, &err));
}

static tacos_learner *load(Tape *tape) {
    tacos_learner *learner;
    tape->at = 0;
    (void)tacos_learner_load_from(&learner, read_tape, tape, NULL, NULL);
    return learner;
}

static bool same_tape(const Tape *a, const Tape *b) {
    return a->n == b->n && memcmp(a->bytes, b->bytes, a->n) == 0;
}

/* Where what was learned begins, and where the part for places ends. */
static size_t header_bytes(const Tape *tape) {
    enum { BEFORE_TEXT = 28, CHECKSUM = 4 };
    return BEFORE_TEXT + (size_t)little_endian_get(tape->bytes + 24, 4) + CHECKSUM;
}

static size_t places_bytes(const Columns *c) {
    return 4 * c->n_outputs + c->geometry.n_places * (12 + 4 * c->n_outputs);
}

/* Make the checksums of what was learned right. */
static void repair(Tape *tape, const Columns *c) {
    size_t at = header_bytes(tape), n = places_bytes(c);
    little_endian_put(tape->bytes + at + n, crc_add(0, tape->bytes + at, n), 4);
    at += n + 4;
    little_endian_put(tape->bytes + tape->n - 4, crc_add(0, tape->bytes + at, tape->n - 4 - at), 4);
}

static tacos_learner *taught(size_t kind, uint32_t n_samples) {
    char text[256];
    (void)snprintf(text, sizeof text, "%scolumn_match = 0.999\n", kinds[kind]);
    tacos_learner *learner = toy_learner(text, "columns", 3, NULL);
    toy_learn(learner, 0, n_samples);
    return learner;
}

/* ---- round trips ---- */

static void a_loaded_learner_goes_on_bit_for_bit(void **state) {
    static Tape first, again, other;
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++)
        for (uint32_t n = 0; n < 200; n = 2 * n + 3) {
            tacos_learner *was = taught(kind, n);
            save(was, &first);
            tacos_learner *is = load(&first);
            assert_non_null(is);
            assert_int_equal(tacos_learner_digest(is), tacos_learner_digest(was));
            save(is, &again);
            assert_true(same_tape(&first, &again));
            toy_learn(was, n, n + 20);
            toy_learn(is, n, n + 20);
            save(was, &other);
            save(is, &again);
            assert_true(same_tape(&other, &again) && !same_tape(&first, &again));
            for (uint32_t k = 0; k < 5; k++) {
                tacos_prediction a = toy_predict(was, k, k), b = toy_predict(is, k, k);
                assert_memory_equal(a.counts, b.counts, 2 * sizeof *a.counts);
            }
            tacos_learner_free(was);
            tacos_learner_free(is);
        }
}

static void no_damage_passes(void **state) {
    static Tape tape;
    tacos_learner *learner = taught(0, 50);
    (void)state;
    save(learner, &tape);
    for (size_t n = tape.n; n-- > 0;) {
        Tape torn = tape;
        torn.n = n;
        assert_null(load(&torn));
        torn.n = tape.n;
        torn.bytes[n] = (uint8_t)(torn.bytes[n] ^ 1 << n % 8);
        assert_null(load(&torn));
    }
    tacos_learner_free(learner);
}

/* With its checksums right a changed file is refused, or it is what the learner saves again. */
static void what_is_loaded_is_what_was_in_the_file(void **state) {
    static Tape tape, changed, again;
    static const uint8_t changes[] = {1, 0x80, 0xff};
    size_t n_refused = 0, n_loaded = 0;
    (void)state;
    for (size_t kind = 0; kind < 2; kind++) {
        Learner *learner = taught(kind, 15); /* some units are free */
        save(learner, &tape);
        for (size_t at = header_bytes(&tape); at < tape.n; at++)
            for (size_t k = 0; k < sizeof changes; k++) {
                changed = tape;
                changed.bytes[at] ^= changes[k];
                repair(&changed, &learner->columns);
                tacos_learner *other = load(&changed);
                n_refused += other == NULL;
                if (!other)
                    continue;
                save(other, &again);
                assert_true(same_tape(&changed, &again));
                toy_learn(other, 15, 20);
                (void)toy_predict(other, 3, 3);
                tacos_learner_free(other);
                n_loaded++;
            }
        tacos_learner_free(learner);
    }
    assert_true(n_refused > 1000 && n_loaded > 1000);
}

/* ---- states that cannot be ---- */

/* The learner's file with other bytes in this place behind the header. */
static tacos_learner *load_with(const Tape *tape, const Columns *c, size_t at, uint32_t value,
                                size_t n) {
    static Tape changed;
    changed = *tape;
    little_endian_put(changed.bytes + header_bytes(tape) + at, value, n);
    repair(&changed, c);
    return load(&changed);
}

static void impossible_states_are_refused(void **state) {
    static Tape tape;
    Learner *learner = taught(0, 15);
    const Columns *c = &learner->columns;
    size_t place = 4 * c->n_outputs, unit = places_bytes(c) + 4;
    size_t unit_bytes = c->geometry.n_values + 1 + c->n_outputs;
    size_t after = unit + c->n_units * unit_bytes;
    const struct {
        size_t at;
        uint32_t good, bad;
        size_t n;
    } cases[] = {
        {place, c->place_units[0], c->place_units[0] + 1000, 4}, /* more units than N */
        {place, c->place_units[0], UINT32_MAX, 4},               /* likewise */
        {place + 4, TRUST_LEAST, TRUST_LEAST - 1, 4},            /* trust */
        {place + 4, TRUST_MOST, TRUST_MOST + 1, 4},              /* trust */
        {place + 4, TRUST_ONE, 1U << 31, 4},                     /* below 0 */
        {place + 8, (uint32_t)c->rule.match, (uint32_t)c->rule.match + 1, 4}, /* theta */
        {place + 8, 0, UINT32_MAX, 4},                                        /* below 0 */
        {unit, 129, 128, 1},                                                  /* -127, -128 */
        {after - unit_bytes, 127, 128, 1},                                    /* of the last unit */
        {after, 0, 1, 1}, /* a unit not in use */
        {tape.n, 0, 0, 0},
    };
    (void)state;
    save(learner, &tape);
    assert_true(c->n_units > 1 && c->n_units < c->most_units);
    for (size_t i = 0; cases[i].n > 0; i++) {
        tacos_learner *good = load_with(&tape, c, cases[i].at, cases[i].good, cases[i].n);
        assert_non_null(good);
        assert_null(load_with(&tape, c, cases[i].at, cases[i].bad, cases[i].n));
        tacos_learner_free(good);
    }
    tacos_learner_free(learner);
}

/* ---- bytes ---- */

/* A file is its header, all that is counted as the model but the list of blocks, and checksums. */
static void the_model_is_what_a_file_holds(void **state) {
    static Tape tape;
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        Learner *learner = taught(kind, 5);
        const Columns *c = &learner->columns;
        size_t n_blocks = (c->most_units + 15) / 16 + c->geometry.n_places;
        save(learner, &tape);
        assert_int_equal(tacos_learner_stats_get(learner).model_bytes,
                         tape.n - header_bytes(&tape) - 8 + 4 * n_blocks);
        tacos_learner_free(learner);
    }
}

/* Forget that these bytes have changed; how many had. */
static size_t take(uint8_t *changed, const Learner *learner, const void *from, size_t n_bytes) {
    uint8_t *first = changed + ((const char *)from - (const char *)learner);
    size_t n = 0;
    for (size_t i = 0; i < n_bytes; i++) {
        n += first[i];
        first[i] = 0;
    }
    return n;
}

/* Those of what is counted. */
static size_t take_model(uint8_t *changed, const Learner *learner) {
    const Columns *c = &learner->columns;
    size_t n_places = c->geometry.n_places, n_slots = c->most_blocks * KERNEL_UNITS;
    return take(changed, learner, c->totals, c->n_outputs * sizeof *c->totals) +
           take(changed, learner, c->silent, n_places * c->n_outputs * sizeof *c->silent) +
           take(changed, learner, c->trust, n_places * sizeof *c->trust) +
           take(changed, learner, c->match, n_places * sizeof *c->match) +
           take(changed, learner, c->place_units, n_places * sizeof *c->place_units) +
           take(changed, learner, c->blocks, c->most_blocks * sizeof *c->blocks) +
           take(changed, learner, c->templates, n_slots * c->geometry.n_words * 4) +
           take(changed, learner, c->uses, n_slots) +
           take(changed, learner, c->counts, n_slots * c->n_outputs);
}

/* Every byte of the learner's block that differs after some sample is counted as the model, follows
 * from it, or is of the sample; and no more bytes are counted than can change. */
static void what_learning_changes_is_the_model(void **state) {
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        Learner *learner = taught(kind, 0);
        const Columns *c = &learner->columns;
        size_t n = learner->n_bytes, n_slots = c->most_blocks * KERNEL_UNITS, n_left = 0;
        uint8_t *first = malloc(n), *changed = calloc(n, 1);
        assert_true(first && changed);
        memcpy(first, learner, n);
        for (uint32_t k = 0; k < 600; k++) {
            toy_learn(learner, k, k + 1);
            for (size_t i = 0; i < n; i++)
                changed[i] |= first[i] != ((const uint8_t *)learner)[i];
        }
        const char *end = (const char *)learner + n, *view = (const char *)learner->view.input;
        if (c->n_steps > 0)
            view = (const char *)learner->view.raster.events.at;
        (void)take(changed, learner, learner, sizeof *learner); /* counters; units in use */
        (void)take(changed, learner, view, (size_t)(end - view));
        (void)take(changed, learner, c->first_block,
                   (c->geometry.n_places + 1) * sizeof *c->first_block);
        (void)take(changed, learner, c->inverse, n_slots * sizeof *c->inverse);
        size_t n_model = take_model(changed, learner);
        for (size_t i = 0; i < n; i++)
            n_left += changed[i];
        assert_int_equal(c->n_units, c->most_units);
        assert_int_equal(n_left, 0);
        assert_true(n_model <= tacos_learner_stats_get(learner).model_bytes);
        assert_true(n_model >= c->n_units * c->geometry.n_values / 3);
        free(first);
        free(changed);
        tacos_learner_free(learner);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_learner_goes_on_bit_for_bit),
        cmocka_unit_test(no_damage_passes),
        cmocka_unit_test(what_is_loaded_is_what_was_in_the_file),
        cmocka_unit_test(impossible_states_are_refused),
        cmocka_unit_test(the_model_is_what_a_file_holds),
        cmocka_unit_test(what_learning_changes_is_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
