/* test_report_every.c - every model in every shape, through every figure and both pages: from the
 * program's own tables, so that no new model or figure is forgotten. Under the sanitizers this is
 * what finds a figure that takes one layer for another. */
#include "report/figures/figures.h"
#include "report_box.h"

/* What a network may be like; a model that has no such thing says so. */
typedef struct Shape {
    const char *name;
    const char *const *keys;
} Shape;

static const Shape shapes[] = {
    {"as it is", NULL},
    {"time enough for every layer to fire", KEYS("steps=150")},
    {"one hidden neuron", KEYS("hidden=1")},
    {"two layers", KEYS("hidden=9,4", "init_b=0.1")},
    {"no hidden layer", KEYS("hidden=none")},
    {"an output for each class", KEYS("scenario=class")},
    {"told the task", KEYS("scenario=task", "permute=pixels")},
    {"one task", KEYS("tasks=0-1")},
    {"another look", KEYS("centre=mass", "soften=1", "blur=0.5")},
    {"features", KEYS("features=spikes")},
};
enum {
    N_SHAPES = sizeof shapes / sizeof *shapes,
    KEYS_MAX = 24,
    MODELS_MAX = 64,
    FIGURES_MAX = 64
};

/* Images of 8 x 8 pixels, of four classes, each bright in rows of its own. */
static void write_images(const Folder *folder, const char *name) {
    enum { SIDE = 8, CLASSES = 4, EACH = 6 };
    FILE *file = fopen(within(folder, name), "w");
    assert_non_null(file);
    for (int i = 0; i < CLASSES * EACH; i++) {
        (void)fprintf(file, "%d", i % CLASSES);
        for (int p = 0; p < SIDE * SIDE; p++)
            (void)fprintf(file, ",%d", p / SIDE / 2 == i % CLASSES ? 200 + i : (7 * i + p) % 60);
        (void)fputc('\n', file);
    }
    assert_int_equal(fclose(file), 0);
}

static void write_data(const Folder *folder) {
    assert_int_equal(mkdir(within(folder, "mine"), 0700), 0);
    write_images(folder, "mine/train.csv");
    write_images(folder, "mine/test.csv");
}

/* The smallest run that has something to show, of one shape of one model. */
static tacos_status run_shape(const Folder *folder, const char *run, size_t n_seeds,
                              const tacos_model_info *model, const Shape *shape, tacos_error *err) {
    static const char *const least[] = {"dataset=mine", "tasks=0-1,2-3", "samples_per_task=6",
                                        "test_samples_per_task=4", "steps=30"};
    const char *keys[KEYS_MAX + 1] = {0};
    char of_model[64];
    size_t n = 0;
    (void)snprintf(of_model, sizeof of_model, "model=%s", model->name);
    keys[n++] = of_model;
    keys[n++] = "curve_points=3";
    if (model->kind == TACOS_MODEL_SPIKING)
        keys[n++] = "measure=all";
    for (size_t i = 0; i < sizeof least / sizeof *least; i++)
        keys[n++] = least[i];
    for (size_t i = 0; shape->keys && shape->keys[i]; i++)
        keys[n++] = shape->keys[i];
    assert_true(n <= KEYS_MAX);
    return try_run_into(run, n_seeds, keys, folder->path, err);
}

/* No number that is none, in a tip, a place or a cell; in the bytes of an image it may be letters.
 */
static void assert_numbers(const char *text) {
    static const char *const nowhere[] = {" nan", "-nan", "\"nan", ">nan", ",nan", " inf", "\"inf"};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        assert_lacks(text, nowhere[i]);
}

/* A figure is drawn, both as a drawing and as numbers, or there is a sentence why not. */
static bool draw_figure(const FigureKind *kind, const RunFolder *runs) {
    tacos_error err = {0};
    Figure figure = {0};
    Text svg = {0};
    tacos_status status = kind->of_run(&figure, &sizes_print, runs, &err);
    if (status != TACOS_OK && status != TACOS_MISSING)
        fail_msg("%s of %s: %s", kind->name, runs->folder, err.text);
    if (status == TACOS_OK) {
        figure_write_svg(&figure, &svg);
        assert_memory_equal(text_bytes(&svg), "<svg xmlns", 10);
        assert_numbers(text_bytes(&svg));
        assert_numbers(text_bytes(&figure.csv));
    } else {
        assert_true(err.text[0] != '\0');
    }
    text_free(&svg);
    figure_free(&figure);
    return status == TACOS_OK;
}

/* All that `tacos plot` has for a folder. */
static void draw_figures(const char *run, size_t *n_drawn) {
    tacos_error err = {0};
    RunFolder runs;
    assert_succeeds(runs_open(&runs, run, &err));
    for (size_t f = 0; figure_kinds[f].name; f++)
        if (figure_kinds[f].of_run)
            n_drawn[f] += draw_figure(&figure_kinds[f], &runs);
    runs_free(&runs);
}

static void draw_page(const char *const *runs, size_t n, const char *out) {
    tacos_error err = {0};
    size_t size;
    if (tacos_report_write(runs, n, out, &err) != TACOS_OK)
        fail_msg("the page of %s: %s", runs[0], err.text);
    char *page = read_bytes(out, &size);
    assert_true(assert_drawings(page) > 0);
    free(page);
}

static void every_model_in_every_shape(void **state) {
    const Folder *folder = *state;
    size_t n_of_shape[N_SHAPES] = {0}, n_of_figure[FIGURES_MAX] = {0};
    tacos_model_info model;
    char run[256];
    const char *const dir = run;
    strcpy(run, within(folder, "run"));
    write_data(folder);
    for (size_t m = 0; tacos_model(m, &model); m++)
        for (size_t s = 0; s < N_SHAPES; s++) {
            tacos_error err = {0};
            tacos_status status = run_shape(folder, run, 1, &model, &shapes[s], &err);
            if (status != TACOS_OK && (s == 0 || status != TACOS_INVALID))
                fail_msg("%s, %s: %s", model.name, shapes[s].name, err.text);
            if (status == TACOS_OK) {
                n_of_shape[s]++;
                draw_figures(run, n_of_figure);
                draw_page(&dir, 1, folder->file);
            }
            remove_all(run);
        }
    /* Nothing was left out everywhere; what the paper printed, no such run has. */
    for (size_t s = 0; s < N_SHAPES; s++)
        if (n_of_shape[s] == 0)
            fail_msg("no model has %s", shapes[s].name);
    for (const FigureKind *kind = figure_kinds; kind->name; kind++)
        if (kind->of_run && strcmp(kind->name, "beside") != 0 &&
            n_of_figure[kind - figure_kinds] == 0)
            fail_msg("no run has the figure %s", kind->name);
}

/* Several models on one page, of one seed and of two. */
static void every_model_beside_the_others(void **state) {
    const Folder *folder = *state;
    static char paths[MODELS_MAX][256];
    const char *runs[MODELS_MAX];
    tacos_model_info model;
    tacos_error err;
    size_t n = 0;
    write_data(folder);
    for (; tacos_model(n, &model); n++) {
        char name[32];
        assert_true(n < MODELS_MAX);
        (void)snprintf(name, sizeof name, "run-%zu", n);
        runs[n] = strcpy(paths[n], within(folder, name));
        assert_succeeds(run_shape(folder, runs[n], 1 + n % 2, &model, &shapes[n % 3], &err));
    }
    for (size_t from = 0; from < n; from += TACOS_REPORT_DIRS_MAX)
        draw_page(runs + from, n - from < TACOS_REPORT_DIRS_MAX ? n - from : TACOS_REPORT_DIRS_MAX,
                  folder->file);
    draw_page(runs, 2, folder->file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_model_in_every_shape),
        IN_FOLDER(every_model_beside_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
