/* test_report_marks.c - what a reader takes for granted: bars begin at 0, a mean is of all runs,
 * the best is better, and every word can be read. */
#include "report/charts/figure.h"
#include "report/charts/charts.h"
#include "report_box.h"

#include <math.h>

/* ---- contrast ---- */

/* "#1c2126" or "#fff" at the end of some words. */
static Rgb colour_after(const char *css, const char *words) {
    const char *at = strstr(css, words);
    if (!at)
        fail_msg("'%s' is not in the style", words);
    at = strchr(at, '#') + 1;
    unsigned long value = strtoul(at, NULL, 16);
    if (strspn(at, "0123456789abcdef") == 6)
        return (Rgb){(uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    return (Rgb){(uint8_t)(value >> 8 & 15) * 17, (uint8_t)(value >> 4 & 15) * 17,
                 (uint8_t)(value & 15) * 17};
}

static const double READABLE = 4.5; /* WCAG, for text of any size */

static void numbers_in_cells_can_be_read(void **state) {
    (void)state;
    Rgb light = colour_after(asset_chart_css, ".on-light {");
    Rgb dark = colour_after(asset_chart_css, ".on-dark {");
    bool was_dark = false;
    for (int value = 0; value <= 1000; value++) { /* in tenths of a percent, as they are written */
        Rgb cell = ramp_amount(value / 1000.0);
        double contrast = colour_contrast(cell, colour_is_dark(cell) ? dark : light);
        if (contrast < READABLE)
            fail_msg("%.1f has a contrast of %.2f", value / 10.0, contrast);
        assert_true(colour_is_dark(cell) || !was_dark); /* the page knows one place to change at */
        was_dark = colour_is_dark(cell);
    }
    assert_true(was_dark);
}

/* On dark ground more is brighter, and the page knows one place to change the numbers' colour at.
 */
static void numbers_in_cells_can_be_read_on_dark_ground(void **state) {
    static const Rgb white = {255, 255, 255}, black = {0, 0, 0};
    bool was_bright = false;
    (void)state;
    for (int value = 0; value <= 100; value++) {
        Rgb cell = ramp_amount_dark(value / 100.0);
        bool bright = !colour_is_dark(cell);
        if (colour_contrast(cell, bright ? black : white) < READABLE)
            fail_msg("%d %% cannot be read", value);
        assert_true(bright || !was_bright);
        if (value > 0)
            assert_true(colour_contrast(cell, black) >
                        colour_contrast(ramp_amount_dark((value - 1) / 100.0), black));
        was_bright = bright;
    }
    assert_true(was_bright);
}

/* A colour of one theme of the page; of print, what it has not is as in the light one. */
static Rgb page_colour(const char *theme, const char *name) {
    char words[32];
    const char *block = strstr(asset_page_css, theme);
    assert_non_null(block);
    (void)snprintf(words, sizeof words, "--%s:", name);
    const char *at = strstr(block, words), *end = strchr(block, '}');
    return at && at < end ? colour_after(at, words) : colour_after(asset_page_css, words);
}

static void words_on_every_ground_can_be_read(void **state) {
    static const char *const themes[] = {":root {", ":root:not([data-theme=\"light\"]) {",
                                         ":root[data-theme=\"dark\"] {",
                                         ":root, :root:not([data-theme=\"light\"])"};
    static const struct {
        const char *words, *ground;
    } pairs[] = {{"ink", "page"},    {"ink", "paper"},  {"ink", "mark"},      {"muted", "page"},
                 {"muted", "paper"}, {"muted", "mark"}, {"link", "page"},     {"link", "paper"},
                 {"good", "paper"},  {"paper", "ink"},  {"warn", "warn-back"}};
    (void)state;
    for (size_t t = 0; t < sizeof themes / sizeof *themes; t++)
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
            double contrast = colour_contrast(page_colour(themes[t], pairs[i].words),
                                              page_colour(themes[t], pairs[i].ground));
            if (contrast < READABLE)
                fail_msg("%s on %s has a contrast of %.2f in %s", pairs[i].words, pairs[i].ground,
                         contrast, themes[t]);
        }
}

/* ---- bars ---- */

static char *draw_bars(const double *value, const double *sd, bool horizontal) {
    static const char *const names[] = {"one", "two"};
    Figure figure;
    figure_begin(&figure, &sizes_page, "test", "test");
    BarSeries series = {.series = figure_key(&figure, LEGEND_BAR, 0, "all"),
                        .label = "all",
                        .value = value,
                        .sd = sd};
    Bars bars = {.box = figure_box(&figure),
                 .unit = "",
                 .digits = 2,
                 .horizontal = horizontal,
                 .n_groups = 2,
                 .groups = names,
                 .n_series = 1,
                 .series = &series};
    bars_draw(&figure, &bars);
    char *marks = strdup(text_bytes(&figure.marks));
    assert_non_null(marks);
    figure_free(&figure);
    return marks;
}

/* Labels of ticks below 0, and whether a tick of 0 is there. */
static void assert_axis(const char *marks, bool below, bool above) {
    assert_holds(marks, ">0<");
    assert_int_equal(strstr(marks, ">-") != NULL, below);
    assert_int_equal(strstr(marks, ">10<") || strstr(marks, ">20<"), above);
}

static void bars_begin_at_zero(void **state) {
    static const struct {
        double value[2], sd[2];
        bool below, above;
    } cases[] = {
        {{10, 20}, {0, 0}, false, true},     {{10, 20}, {30, 30}, false, true}, /* spread below 0 */
        {{0, 20}, {0, 0}, false, true},      {{-10, -20}, {0, 0}, true, false},
        {{-10, -20}, {30, 30}, true, false}, {{-10, 20}, {0, 0}, true, true},
        {{10, NAN}, {20, NAN}, false, true},
    };
    (void)state;
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        char *marks = draw_bars(cases[i / 2].value, cases[i / 2].sd, i % 2);
        assert_axis(marks, cases[i / 2].below, cases[i / 2].above);
        assert_lacks(marks, "nan");
        free(marks);
    }
    char *marks = draw_bars((const double[]){0, 0}, (const double[]){0, 0}, true);
    assert_lacks(marks, ">-"); /* nothing but 0 */
    free(marks);
}

/* ---- means ---- */

static json_t *run_of(json_t *root, size_t i) {
    return json_array_get(json_object_get(root, "runs"), i);
}

static void set_counter(json_t *root, size_t i, const char *name, json_int_t value) {
    json_t *counters = json_object_get(json_object_get(run_of(root, i), "counters"), "learning");
    assert_int_equal(json_object_set_new(counters, name, json_integer(value)), 0);
}

/* A run that moved no weight counts as one that moved none. */
static void zero_is_a_value(void **state) {
    const Folder *folder = *state;
    char *text;
    tacos_error err;
    run_into(within(folder, "run"), 2, KEYS("tasks=0-1,2-3"));
    json_t *root = open_results(within(folder, "run"));
    for (size_t i = 0; i < 2; i++) {
        set_counter(root, i, "samples", 10);
        set_counter(root, i, "error_updates", i == 0 ? 0 : 40000);
    }
    write_results(root, within(folder, "run"));
    assert_succeeds(tacos_figure_draw("operations", within(folder, "run"), 1, &text, &err));
    assert_holds(text, "\nerror updates,learning,2,2.828427125\n"); /* of 0 and 4 thousand */
    assert_holds(text, "\nerror updates,predicting,0,0\n");
    assert_lacks(text, "multiplications"); /* 0 everywhere: a spiking network has none */
    tacos_figure_free(text);
    assert_succeeds(tacos_figure_draw("operations", within(folder, "run"), 0, &text, &err));
    assert_lacks(text, "nan");
    tacos_figure_free(text);
}

/* ---- the best ---- */

/* Every metric of a folder after its last task: middle - half and middle + half for two seeds. */
static void set_metrics(const char *folder, double middle, double half) {
    json_t *root = open_results(folder);
    for (size_t i = 0; i < json_array_size(json_object_get(root, "runs")); i++) {
        json_t *after = json_object_get(run_of(root, i), "after");
        json_t *last = json_array_get(after, json_array_size(after) - 1);
        json_object_del(run_of(root, i), "measures"); /* among them that it is silent */
        const char *const names[] = {"MA", "A", "BWT", "FWT_gem", "forgetting"};
        for (size_t k = 0; k < 5; k++)
            assert_int_equal(
                json_object_set_new(last, names[k], json_real(middle + (i == 0 ? -half : half))),
                0);
    }
    write_results(root, folder);
}

static size_t count_best(const Folder *folder, const char *a, const char *b) {
    const char *const dirs[] = {a, b};
    tacos_error err;
    size_t n, count = 0;
    assert_succeeds(tacos_report_write(dirs, 2, folder->file, &err));
    char *page = read_bytes(folder->file, &n);
    for (const char *at = page; (at = strstr(at, "(best)")); at++)
        count++;
    free(page);
    return count;
}

/* With deviations of sqrt(2) for half = 1. */
static void best_is_better_by_more_than_the_deviations(void **state) {
    const Folder *folder = *state;
    char a[256], b[256], one[256];
    strcpy(a, within(folder, "a"));
    strcpy(b, within(folder, "b"));
    strcpy(one, within(folder, "one"));
    run_into(a, 2, KEYS("tasks=0-1,2-3"));
    run_into(b, 2, KEYS("tasks=0-1,2-3")); /* the same: nothing is the best */
    run_into(one, 1, KEYS("tasks=0-1,2-3"));
    assert_int_equal(count_best(folder, a, b), 0);
    set_metrics(a, 70, 1);
    set_metrics(b, 72, 1); /* apart, but by less than 2.83 */
    assert_int_equal(count_best(folder, a, b), 0);
    set_metrics(b, 73, 1); /* four metrics of b, and a's forgetting */
    assert_int_equal(count_best(folder, a, b), 5);
    set_metrics(b, 73, 3);
    assert_int_equal(count_best(folder, a, b), 0);
    set_metrics(one, 90, 0); /* of one seed nobody knows */
    assert_int_equal(count_best(folder, a, one), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_in_cells_can_be_read),
        cmocka_unit_test(numbers_in_cells_can_be_read_on_dark_ground),
        cmocka_unit_test(words_on_every_ground_can_be_read),
        cmocka_unit_test(bars_begin_at_zero),
        IN_FOLDER(zero_is_a_value),
        IN_FOLDER(best_is_better_by_more_than_the_deviations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
