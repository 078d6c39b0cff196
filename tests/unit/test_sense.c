/* test_sense.c - what a columns learner sees: edges and patches against their definitions, value by
 * value. */
#include "net/learner.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE_MAX = 30, CHANNELS_MAX = 3, MAP_VALUES = SIDE_MAX * SIDE_MAX * EDGE_DIRECTIONS };

static Learner *learner_for(const char *shape, const char *cells, const char *window) {
    tacos_error err;
    Learner *learner;
    Params params;
    params_defaults(&params);
    const char *const settings[][2] = {{"model", "columns"},      {"outputs", "2"},
                                       {"input_shape", shape},    {"column_cells", cells},
                                       {"column_window", window}, {"column_units", "500"}};
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++)
        assert_succeeds(
            key_set(keys_find(params_table, settings[k][0]), &params, settings[k][1], &err));
    params.n_inputs = params.columns.shape.n > 0 ? 1 : 100;
    for (size_t k = 0; k < params.columns.shape.n; k++)
        params.n_inputs *= params.columns.shape.value[k];
    assert_succeeds(learner_new(&learner, &params, 1, NULL, &err));
    return learner;
}

/* A few bright inputs among dark ones, or noise. */
static void draw_input(Learner *learner, uint32_t number) {
    Dice dice = {number, 0};
    uint32_t rare = number % 5 == 0 ? 1 : 1 + roll_word(&dice) % 30;
    for (size_t j = 0; j < learner->columns.geometry.n_inputs; j++)
        learner->view.input[j] =
            (uint16_t)(roll_word(&dice) % rare == 0 ? roll_word(&dice) % 256 : 0);
}

/* ---- edges ---- */

/* What brightness is at a position, or at the nearest one of the image. */
static int brightness(const Learner *learner, long y, long x, size_t k) {
    const Geometry *g = &learner->columns.geometry;
    y = y < 0 ? 0 : y < (long)g->height ? y : (long)g->height - 1;
    x = x < 0 ? 0 : x < (long)g->width ? x : (long)g->width - 1;
    return learner->view.input[((size_t)y * g->width + (size_t)x) * g->channels + k];
}

static void find_slope(const Learner *learner, long y, long x, int *along, int *down) {
    *along = *down = 0;
    for (size_t k = 0; k < learner->columns.geometry.channels; k++) {
        int a = brightness(learner, y, x + 1, k) - brightness(learner, y, x - 1, k);
        int d = brightness(learner, y + 1, x, k) - brightness(learner, y - 1, x, k);
        if (abs(a) + abs(d) > abs(*along) + abs(*down)) {
            *along = a;
            *down = d;
        }
    }
}

/* How many eighths of a position belong to a cell, along an axis. */
static uint32_t share_of(CellShare share, size_t cell) {
    return cell == share.cell ? share.here : cell == share.cell + 1 ? share.next : 0;
}

/* How much of a slope is along a direction. */
static uint32_t part_along(int along, int down, size_t direction) {
    static const int steps[EDGE_DIRECTIONS][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                                  {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    int x = abs(along), y = abs(down), less = x < y ? x : y, more = x < y ? y : x;
    int dx = steps[direction][0], dy = steps[direction][1];
    if (dx != 0 && dy != 0) /* diagonal */
        return dx * along >= 0 && dy * down >= 0 && less > 0 ? (uint32_t)less * 181 / 128 : 0;
    int on_it = dx != 0 ? dx * along : dy * down;
    return on_it == more && more > less ? (uint32_t)(more - less) : 0;
}

static void edges_are(const Learner *learner, uint32_t *sums) {
    const Geometry *g = &learner->columns.geometry;
    for (size_t i = 0; i < geometry_map(g); i++) {
        size_t direction = i % EDGE_DIRECTIONS, cell = i / EDGE_DIRECTIONS;
        sums[i] = 0;
        for (size_t y = 0; y < g->height; y++)
            for (size_t x = 0; x < g->width; x++) {
                uint32_t share = share_of(g->rows[y], cell / g->map_wide) *
                                 share_of(g->columns[x], cell % g->map_wide);
                int along, down;
                if (share == 0)
                    continue;
                find_slope(learner, (long)y, (long)x, &along, &down);
                sums[i] += share * part_along(along, down, direction);
            }
    }
}

static const char *const shapes[][3] = {
    {"28,28", "0", "0"},   {"28,28", "5", "0"},   {"13,29", "6", "2"}, {"2,2", "0", "0"},
    {"12,20,3", "4", "2"}, {"30,8,2", "30", "1"}, {"16,16", "3", "0"}, {"9,28,3", "9", "3"}};

static void edges_are_those_of_the_definition(void **state) {
    static uint32_t sums[MAP_VALUES];
    (void)state;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        Learner *learner = learner_for(shapes[s][0], shapes[s][1], shapes[s][2]);
        size_t n = geometry_map(&learner->columns.geometry);
        assert_true(n <= MAP_VALUES);
        for (uint32_t k = 0; k < 10; k++) {
            draw_input(learner, k);
            sense_map(&learner->columns, &learner->view, learner->view.input);
            edges_are(learner, sums);
            assert_memory_equal(learner->view.sums, sums, n * sizeof *sums);
        }
        tacos_learner_free(learner);
    }
}

/* A position next to the middle of a cell is all of that cell. Five cells along 28 positions have
 * such positions. */
static void edges_near_the_middle_of_a_cell_count(void **state) {
    Learner *learner = learner_for("28,28", "5", "0");
    const Geometry *g = &learner->columns.geometry;
    size_t found = 0;
    (void)state;
    for (size_t x = 1; x + 1 < g->width; x++) {
        uint32_t sum = 0;
        if (g->columns[x].next > 0 || g->columns[x].here < CELL_SHARES)
            continue;
        found++;
        memset(learner->view.input, 0, g->n_inputs * sizeof *learner->view.input);
        for (size_t y = 0; y < g->height; y++) /* a line to the right of the position */
            learner->view.input[y * g->width + x + 1] = 100;
        sense_map(&learner->columns, &learner->view, learner->view.input);
        for (size_t row = 0; row < g->map_high; row++)
            sum += learner->view.sums[(row * g->map_wide + g->columns[x].cell) * EDGE_DIRECTIONS];
        assert_true(sum > 0); /* it rises to the right, in direction 0 */
    }
    assert_true(found > 0);
    tacos_learner_free(learner);
}

/* ---- patches ---- */

/* Value k of a window: of sums, every D-th input in the place's order, with + and - in turns. */
static double window_value(const Learner *learner, size_t place, size_t k) {
    const Geometry *g = &learner->columns.geometry;
    const uint32_t *at = g->at + place * g->n_runs;
    double sum = 0, sign = 1;
    if (!g->summed)
        return learner->view.map[geometry_value(g, place, k)];
    for (size_t i = k; i < g->n_inputs; i += g->n_values, sign = -sign)
        sum += sign * learner->view.map[at[i]];
    return sum;
}

/* v S / |v| of a place, rounded, with a root that may be off by a few in a million. */
static void patch_is(const Learner *learner, size_t place, const int8_t *x) {
    const Geometry *g = &learner->columns.geometry;
    double squares = 0, sum = 0, mean;
    for (size_t k = 0; k < g->n_values; k++)
        sum += window_value(learner, place, k);
    mean = g->edges ? 0 : sum / (double)g->n_values;
    for (size_t k = 0; k < g->n_values; k++)
        squares += pow(window_value(learner, place, k) - mean, 2);
    for (size_t k = 0; k < g->n_values; k++) {
        double exact = (window_value(learner, place, k) - mean) * learner->columns.rule.norm /
                       65536 / sqrt(squares);
        exact = exact > 127 ? 127 : exact < -127 ? -127 : exact;
        assert_true(fabs(x[k] - exact) < 0.5 + 0.01);
    }
    for (size_t k = g->n_values; k < g->row; k++)
        assert_int_equal(x[k], 0);
}

static size_t check_patches(Learner *learner) {
    const Geometry *g = &learner->columns.geometry;
    int8_t x[WINDOW_MAX];
    size_t seen = 0;
    sense_map(&learner->columns, &learner->view, learner->view.input);
    for (size_t p = 0; p < g->n_places; p++) {
        memset(x, 0x55, sizeof x);
        if (!sense_patch(&learner->columns, &learner->view, p, x))
            continue;
        patch_is(learner, p, x);
        seen++;
    }
    return seen;
}

static void patches_have_the_norm_of_all(void **state) {
    static const char *const ways[][3] = {{"28,28", "0", "0"},   {"28,28", "14", "5"},
                                          {"12,20,3", "4", "2"}, {"1,300", "0", "0"},
                                          {"1,64,3", "0", "7"},  {"none", "0", "33"}};
    (void)state;
    for (size_t s = 0; s < sizeof ways / sizeof *ways; s++) {
        size_t seen = 0;
        Learner *learner = learner_for(ways[s][0], ways[s][1], ways[s][2]);
        for (uint32_t k = 0; k < 20; k++) {
            draw_input(learner, k);
            seen += check_patches(learner);
        }
        assert_true(seen > 0);
        tacos_learner_free(learner);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_are_those_of_the_definition),
        cmocka_unit_test(edges_near_the_middle_of_a_cell_count),
        cmocka_unit_test(patches_have_the_norm_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
