/* test_columns_stream.c - columns after ten million samples: counts are at their end, nothing has
 * overflowed, what was learned is still known, and something new is still learned. */
#include "net/learner.h"
#include "toy.h"

#include <stdlib.h>

static uint64_t n_samples = 10000000; /* fewer in slow builds */

enum { PIXELS = 16, KINDS = 4 };

/* Four patterns, the last of which comes late. */
static const char *const patterns[KINDS] = {
    "#....#....#....#",
    "...#..#..#..#...",
    "#.#.....#.#.....",
    ".#...#.#...#.#.#",
};

static void draw(size_t kind, uint32_t noise, float *image) {
    for (size_t i = 0; i < PIXELS; i++)
        image[i] = patterns[kind][i] == '#' ? 1 - (float)(noise >> i & 1) / 4 : 0;
}

static Learner *open_learner(void) {
    return toy_learner(
        "inputs = 16\noutputs = 4\ninput_shape = 4,4\ncolumn_features = values\n"
        "column_cells = 4\ncolumn_window = 2\ncolumn_stride = 2\ncolumn_units = 10\n",
        "columns", 1, NULL);
}

static void learn(Learner *learner, size_t kind, uint32_t noise) {
    float image[PIXELS];
    draw(kind, noise, image);
    if (tacos_learner_learn(learner, image, PIXELS, kind, NULL) != TACOS_OK)
        fail();
}

static size_t count_right(Learner *learner, size_t kind) {
    size_t n_right = 0;
    for (uint32_t k = 0; k < 100; k++) {
        Dice dice = {.game = k};
        float image[PIXELS];
        tacos_prediction guess;
        draw(kind, roll_word(&dice), image);
        assert_int_equal(tacos_learner_predict(learner, image, PIXELS, k, &guess, NULL), TACOS_OK);
        n_right += guess.output == (int)kind;
    }
    return n_right;
}

static void ten_million_samples_and_then_something_new(void **state) {
    Learner *learner = open_learner();
    const Columns *c = &learner->columns;
    uint32_t noise = 1;
    uint8_t most = 0;
    (void)state;
    for (uint64_t k = 0; k < n_samples; k++)
        learn(learner, k % 3, draw_next(&noise) >> 8);
    for (size_t o = 0; o < 3; o++)
        assert_true(c->totals[o] >= n_samples / 3 && c->totals[o] <= n_samples / 3 + 1);
    for (size_t i = 0; i < c->n_units * c->n_outputs; i++)
        most = c->counts[i] > most ? c->counts[i] : most;
    assert_true(most == COUNT_MOST || n_samples < 5000000);
    for (size_t kind = 0; kind < 3; kind++)
        assert_int_equal(count_right(learner, kind), 100);
    assert_int_equal(count_right(learner, 3), 0);
    for (uint32_t k = 0; k < 1000; k++)
        learn(learner, 3, draw_next(&noise) >> 8);
    for (size_t kind = 0; kind < KINDS; kind++)
        assert_int_equal(count_right(learner, kind), 100);
    tacos_learner_free(learner);
}

int main(int argc, char **argv) {
    if (argc > 1)
        n_samples = strtoull(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_million_samples_and_then_something_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
