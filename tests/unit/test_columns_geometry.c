/* test_columns_geometry.c - where the places of columns look: inside the input, for every shape;
 * and what cannot be is refused with a sentence that says why. */
#include "columns/columns.h"
#include "heap.h"
#include "toy.h"

typedef struct Look {
    Geometry geometry;
    void *memory;
} Look;

static bool look_open(Look *look, const ColumnsParams *params, size_t n_inputs, uint32_t seed) {
    Arena arena = {0};
    *look = (Look){.memory = NULL};
    if (geometry_shape(&look->geometry, params, n_inputs, NULL) != TACOS_OK)
        return false;
    geometry_carve(&look->geometry, &arena);
    look->memory = aligned_alloc(ARENA_ALIGN, arena.used);
    assert_non_null(look->memory);
    arena = (Arena){.base = look->memory};
    geometry_carve(&look->geometry, &arena);
    geometry_fill(&look->geometry, seed);
    return true;
}

static size_t roll_below(Dice *dice, size_t n) {
    return (size_t)((uint64_t)roll_word(dice) * n >> 32);
}

/* Images of one to three channels, lines, single inputs. */
static ColumnsParams roll_image(Dice *dice, size_t *n_inputs) {
    size_t height = 1 + roll_below(dice, 70), width = 1 + roll_below(dice, 70);
    size_t channels = 1 + roll_below(dice, 3);
    if (roll_below(dice, 4) == 0)
        height = 1;
    if (roll_below(dice, 4) == 0)
        width = 1;
    *n_inputs = height * width * channels;
    ColumnsParams params = {.shape = {3, {height, width, channels}}};
    params.features = (int)roll_below(dice, 3);
    if (roll_below(dice, 2))
        params.cells = roll_below(dice, 40);
    if (roll_below(dice, 2))
        params.window = roll_below(dice, 12);
    if (roll_below(dice, 2))
        params.stride = roll_below(dice, 6);
    return params;
}

/* ---- windows ---- */

static void assert_inside(const Geometry *g) {
    size_t map = geometry_map(g);
    assert_true(g->n_places >= 1 && g->n_values >= 1 && 4 * g->n_words >= g->n_values);
    for (size_t p = 0; p < g->n_places; p++)
        for (size_t k = 0; k < g->n_values; k++) {
            size_t at = geometry_value(g, p, k);
            assert_true(at < map);
            assert_true(k == 0 || at > geometry_value(g, p, k - 1)); /* row by row */
        }
}

/* What is left over is as wide before the first window as behind the last, or one cell less. */
static void assert_centred(const Geometry *g) {
    size_t last_y = g->first_y + (g->places_high - 1) * g->stride + g->window_high;
    size_t last_x = g->first_x + (g->places_wide - 1) * g->stride + g->window_wide;
    assert_true(last_y <= g->map_high && last_x <= g->map_wide);
    assert_true(g->map_high - last_y - g->first_y <= 1);
    assert_true(g->map_wide - last_x - g->first_x <= 1);
    assert_true(g->map_high - last_y + g->first_y < g->stride);
    assert_true(g->map_wide - last_x + g->first_x < g->stride);
}

static void every_window_is_inside_of_the_input(void **state) {
    size_t n_good = 0;
    (void)state;
    for (uint32_t game = 0; game < 3000; game++) {
        Dice dice = {.game = game};
        Look look;
        size_t n_inputs;
        ColumnsParams params = roll_image(&dice, &n_inputs);
        if (look_open(&look, &params, n_inputs, game)) {
            assert_inside(&look.geometry);
            assert_centred(&look.geometry);
            n_good++;
        }
        free(look.memory);
    }
    assert_true(n_good > 1500);
}

/* With no key set, every shape of at least one input has places. */
static void every_shape_has_defaults(void **state) {
    (void)state;
    for (size_t height = 1; height < 40; height++)
        for (size_t width = 1; width < 40; width++) {
            ColumnsParams params = {.shape = {2, {height, width}}};
            Look look;
            assert_true(look_open(&look, &params, height * width, 1));
            assert_inside(&look.geometry);
            free(look.memory);
        }
    for (size_t n = 1; n < 300; n++) {
        ColumnsParams params = {.shape = {0}};
        Look look;
        assert_true(look_open(&look, &params, n, 1));
        free(look.memory);
    }
}

/* A standing line has the places of a lying one. */
static void a_signal_may_stand(void **state) {
    ColumnsParams lying = {.shape = {2, {1, 200}}}, standing = {.shape = {2, {200, 1}}};
    Look a, b;
    (void)state;
    assert_true(look_open(&a, &lying, 200, 1) && look_open(&b, &standing, 200, 1));
    assert_int_equal(a.geometry.n_places, b.geometry.n_places);
    assert_int_equal(a.geometry.n_values, b.geometry.n_values);
    for (size_t p = 0; p < a.geometry.n_places; p++)
        for (size_t d = 0; d < a.geometry.n_values; d++)
            assert_int_equal(geometry_value(&a.geometry, p, d), geometry_value(&b.geometry, p, d));
    assert_int_equal(a.geometry.places_wide, b.geometry.places_high);
    free(a.memory);
    free(b.memory);
}

/* ---- shares ---- */

static void assert_shares(const CellShare *shares, size_t n, size_t cells, bool edges) {
    size_t last = 0;
    for (size_t i = 0; i < n; i++) {
        bool border = (shares[i].cell == 0 && i * cells < n) ||
                      (shares[i].cell == cells - 1 && (n - 1 - i) * cells < n);
        assert_true(shares[i].cell >= last && shares[i].cell < cells);
        assert_true(shares[i].here > 0);
        assert_true(shares[i].next == 0 || (edges && shares[i].cell + 1 < cells));
        if (!border)
            assert_int_equal(shares[i].here + shares[i].next, CELL_SHARES);
        else
            assert_true(shares[i].here + shares[i].next >= CELL_SHARES / 2 &&
                        shares[i].here + shares[i].next <= CELL_SHARES);
        last = shares[i].cell;
    }
}

/* Also where a cell has so many inputs that some are within 1/16 of its middle. */
static void shares_add_up_but_at_borders(void **state) {
    (void)state;
    for (size_t side = 2; side < 130; side++)
        for (size_t cells = 1; cells <= side && cells < 20; cells++)
            for (int edges = 0; edges < 2; edges++) {
                ColumnsParams params = {.shape = {2, {side, side}}, .cells = cells, .window = 1};
                params.features = edges ? COLUMN_EDGES : COLUMN_VALUES;
                Look look;
                assert_true(look_open(&look, &params, side * side, 1));
                assert_shares(look.geometry.rows, side, cells, edges);
                assert_shares(look.geometry.columns, side, cells, edges);
                free(look.memory);
            }
}

/* Cells have equal shares of the inputs, and border cells at most as much. */
static void no_cell_has_more_than_its_part(void **state) {
    (void)state;
    for (size_t side = 2; side < 130; side++)
        for (size_t cells = 1; cells <= side && cells < 20; cells++) {
            ColumnsParams params = {.shape = {2, {side, side}}, .cells = cells, .window = 1};
            size_t sums[21] = {0};
            Look look;
            assert_true(look_open(&look, &params, side * side, 1));
            for (size_t i = 0; i < side; i++) {
                sums[look.geometry.rows[i].cell] += look.geometry.rows[i].here;
                sums[look.geometry.rows[i].cell + 1] += look.geometry.rows[i].next;
            }
            for (size_t k = 0; k < cells; k++) {
                assert_true(sums[k] > 0);
                assert_true(sums[k] * cells <= CELL_SHARES * (side + cells));
            }
            free(look.memory);
        }
}

/* ---- vectors ---- */

static void orders_are_random_and_complete(void **state) {
    enum { INPUTS = 30, SUMS = 10, PLACES = 3000 };
    ColumnsParams params = {.window = SUMS, .places = PLACES};
    size_t n_seen[INPUTS] = {0}, n_first = 0;
    Look look, other;
    (void)state;
    assert_true(look_open(&look, &params, INPUTS, 1) && look_open(&other, &params, INPUTS, 2));
    for (size_t p = 0; p < PLACES; p++) {
        const uint32_t *at = look.geometry.at + p * INPUTS;
        bool seen[INPUTS] = {false};
        for (size_t k = 0; k < INPUTS; k++) {
            assert_true(at[k] < INPUTS && !seen[at[k]]);
            seen[at[k]] = true;
            n_seen[at[k]] += k % SUMS == 0; /* where the first sum has it */
        }
        n_first += memcmp(at, other.geometry.at + p * INPUTS, SUMS * sizeof *at) == 0;
    }
    for (size_t j = 0; j < INPUTS; j++) /* 300 of each, give or take 16 */
        assert_true(n_seen[j] > 300 - 80 && n_seen[j] < 300 + 80);
    assert_true(n_first < 3); /* another seed, other orders */
    free(look.memory);
    free(other.memory);
}

/* ---- what cannot be ---- */

static void refusals_say_why(void **state) {
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"input_shape = 8,8\ncolumn_cells = 8\ncolumn_window = 9",
         "column_window = 9 is larger than the input, which has 8 x 8 cells"},
        {"input_shape = 8,8\ncolumn_cells = 7\ncolumn_window = 8",
         "column_window = 8 is larger than the input, which has 7 x 7 cells"},
        {"input_shape = 1,64\ncolumn_window = 65",
         "column_window = 65 is larger than the input, which has 1 x 64 cells"},
        {"column_window = 65", "column_window = 65 sums per place; there are only 64 inputs"},
        {"input_shape = 64", "input_shape has 1 numbers; it takes height, width and, optionally, "
                             "channels, or none"},
        {"input_shape = 2,2,4,4", "input_shape has 4 numbers; it takes height, width and, "
                                  "optionally, channels, or none"},
        {"input_shape = 7,9", "input_shape is 7 x 9 x 1; there are 64 inputs"},
        {"input_shape = 8,8,3", "input_shape is 8 x 8 x 3; there are 64 inputs"},
        {"input_shape = 1000000,1000000,1000000",
         "input_shape is 1000000 x 1000000 x 1000000; there are 64 inputs"},
        {"column_looks = 5",
         "column_looks = 5 needs an input_shape: a plain vector cannot be moved"},
        {"column_cells = 4",
         "column_cells = 4 needs an input_shape: a plain vector has no neighbours"},
        {"input_shape = 8,8\ncolumn_cells = 9",
         "column_cells = 9 is more than the input has, 8 x 8"},
        {"column_group = 5", "column_group = 5 does not divide the 64 inputs"},
        {"input_shape = 8,8\ncolumn_group = 4",
         "column_group = 4 is for plain vectors, without an input_shape"},
        {"column_features = edges",
         "column_features = edges needs images: an input_shape of at least 2 x 2"},
        {"input_shape = 64,1\ncolumn_features = edges",
         "column_features = edges needs images: an input_shape of at least 2 x 2"},
        {"input_shape = 8,8\ncolumn_cells = 7\ncolumn_memory_kb = 0.7",
         "column_memory_kb is 0.7; 9 places with at least a unit each need 0.906"},
        {"column_match = 0.8\ncolumn_match_error = 0.7",
         "column_match_error = 0.7 must not be below column_match = 0.8"},
        {"inputs = 250000\ninput_shape = 500,500\ncolumn_cells = 500\ncolumn_window = 17",
         "a window of 2312 values is too large; at most 2048"},
        {"inputs = 1000000\ninput_shape = 1000,1000\ncolumn_cells = 1000\ncolumn_window = 1",
         "an input of 1000000 values is too large for columns"},
        {"inputs = 1000000\ninput_shape = 1000,1000\ncolumn_features = values\n"
         "column_cells = 500\ncolumn_window = 1\ncolumn_stride = 1",
         "250000 places are too many; at most 16383"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256];
        tacos_learner *learner;
        tacos_error err;
        (void)snprintf(text, sizeof text, "inputs = 64\noutputs = 2\n%s\n", cases[i].text);
        tacos_config *config = toy_config(text, "columns");
        assert_fails(tacos_learner_new(&learner, config, 1, NULL, &err), TACOS_RANGE);
        assert_string_equal(err.text, cases[i].sentence);
        assert_null(learner);
        tacos_config_free(config);
    }
}

/* What the sentence says is enough. */
static void the_memory_that_places_need_is_enough(void **state) {
    tacos_learner *learner =
        toy_learner("inputs = 64\ninput_shape = 8,8\ncolumn_cells = 7\ncolumn_memory_kb = 0.906",
                    "columns", 1, NULL);
    (void)state;
    assert_true(tacos_learner_stats_get(learner).model_bytes <= 906);
    tacos_learner_free(learner);
}

static void more_units_than_memory_are_refused(void **state) {
    Heap heap = {.empty = true};
    tacos_allocator allocator = heap_allocator(&heap);
    tacos_config *config =
        toy_config("inputs = 64\ninput_shape = 8,8\ncolumn_units = 1e8", "columns");
    tacos_learner *learner;
    tacos_error err;
    char sentence[64];
    (void)state;
    assert_fails(tacos_learner_new(&learner, config, 1, &allocator, &err), TACOS_MEMORY);
    assert_true(heap.calls == 1 && heap.asked_bytes > UINT64_C(7500000000));
    (void)snprintf(sentence, sizeof sentence, "no memory for a network of %.3g MB",
                   (double)heap.asked_bytes / 1e6);
    assert_string_equal(err.text, sentence);
    tacos_config_free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_window_is_inside_of_the_input),
        cmocka_unit_test(every_shape_has_defaults),
        cmocka_unit_test(a_signal_may_stand),
        cmocka_unit_test(shares_add_up_but_at_borders),
        cmocka_unit_test(no_cell_has_more_than_its_part),
        cmocka_unit_test(orders_are_random_and_complete),
        cmocka_unit_test(refusals_say_why),
        cmocka_unit_test(the_memory_that_places_need_is_enough),
        cmocka_unit_test(more_units_than_memory_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
