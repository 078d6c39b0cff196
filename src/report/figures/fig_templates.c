/* fig_templates.c - what units of a columns learner have seen, and which output they vote for. */
#include "report/figures/figures.h"
#include "report/input/answers.h"
#include "report/input/saved_network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* TILES, in rows of COLUMNS; CELL: pixels of a cell of edges; REACH: how far they are smeared. */
enum { TILES = 96, COLUMNS = 16, CELL = 7, REACH = 5, DIRECTIONS = 8 };

/* A unit, and the output of most samples that it won. */
typedef struct Vote {
    size_t unit, place, output;
    uint32_t uses, most, of;
} Vote;

typedef struct Templates {
    tacos_columns_view view;
    size_t n_outputs, n, wide, high; /* of the units shown, and of an image in pixels */
    Vote *votes;                     /* [view.n_units], of which the first n are shown */
    int8_t *values;                  /* of one */
    uint32_t *counts;
    float *pixels; /* [n][high][wide] */
    ImageTile *tiles;
} Templates;

/* ---- which ---- */

/* By output, those that won most first; ties by number, so that the order is unique. */
static int by_output(const void *a, const void *b) {
    const Vote *one = a, *other = b;
    if (one->output != other->output)
        return one->output < other->output ? -1 : 1;
    if (one->uses != other->uses)
        return one->uses > other->uses ? -1 : 1;
    return one->unit < other->unit ? -1 : one->unit > other->unit;
}

static tacos_status read_votes(Templates *t, const tacos_learner *learner, tacos_error *err) {
    for (size_t i = 0; i < t->view.n_units; i++) {
        tacos_unit unit;
        Vote vote = {.unit = i};
        TRY(tacos_learner_unit(learner, i, &unit, NULL, t->counts, err));
        vote.place = unit.place;
        vote.uses = unit.uses;
        for (size_t k = 0; k < t->n_outputs; k++) {
            vote.of += t->counts[k];
            if (t->counts[k] > vote.most) {
                vote.most = t->counts[k];
                vote.output = k;
            }
        }
        t->votes[i] = vote;
    }
    qsort(t->votes, t->view.n_units, sizeof *t->votes, by_output);
    return TACOS_OK;
}

/* As many of each output, moved to the front. */
static void choose(Templates *t) {
    size_t n_all = t->view.n_units, outputs = 0;
    for (size_t i = 0; i < n_all; i++)
        outputs += i == 0 || t->votes[i].output != t->votes[i - 1].output;
    size_t each = outputs > 0 ? TILES / outputs : 0, run = 0, before = 0;
    each = each > 0 ? each : 1;
    for (size_t i = 0; i < n_all && t->n < TILES; i++) {
        run = i == 0 || t->votes[i].output != before ? 0 : run + 1;
        before = t->votes[i].output;
        if (run < each)
            t->votes[t->n++] = t->votes[i];
    }
}

/* ---- images of them ---- */

/* Brightness that rises in a direction, as an edge across it, on its bright side. */
static float edge_at(int x, int y, size_t direction) {
    double angle = (double)direction * 2 * acos(-1) / DIRECTIONS;
    double along = x * cos(angle) + y * sin(angle) - 1, across = y * cos(angle) - x * sin(angle);
    return (float)exp(-along * along - across * across / 16);
}

static void add_cell(const Templates *t, float *to, size_t row, size_t column,
                     const int8_t *values) {
    int from_y = (int)(row * CELL + CELL / 2), from_x = (int)(column * CELL + CELL / 2);
    for (size_t d = 0; d < DIRECTIONS; d++)
        for (int y = -REACH; y <= REACH && values[d] != 0; y++)
            for (int x = -REACH; x <= REACH; x++) {
                int at_y = from_y + y, at_x = from_x + x;
                if (at_y >= 0 && at_y < (int)t->high && at_x >= 0 && at_x < (int)t->wide)
                    to[(size_t)at_y * t->wide + (size_t)at_x] +=
                        (float)values[d] * edge_at(x, y, d);
            }
}

static void draw_image(const Templates *t, float *to) {
    const tacos_columns_view *view = &t->view;
    for (size_t y = 0; y < view->window_high; y++)
        for (size_t x = 0; x < view->window_wide; x++) {
            const int8_t *values = t->values + (y * view->window_wide + x) * view->n_values;
            if (view->edges)
                add_cell(t, to, y, x, values);
            for (size_t k = 0; k < view->n_values && !view->edges; k++)
                to[y * t->wide + x] += (float)values[k] / (float)view->n_values;
        }
}

/* All on one scale: two thirds of the largest value are 1, and so is what is above. */
static void scale(Templates *t) {
    size_t n = t->n * t->wide * t->high;
    float most = 1e-9F;
    for (size_t i = 0; i < n; i++)
        most = fmaxf(most, fabsf(t->pixels[i]));
    for (size_t i = 0; i < n; i++)
        t->pixels[i] *= 1.5F / most;
}

/* ---- words ---- */

static void name_tile(Templates *t, size_t i, const RunFolder *runs) {
    const Vote *vote = &t->votes[i];
    char name[ANSWER_NAME_SIZE], share[16], *label = t->tiles[i].label;
    const size_t size = sizeof t->tiles[i].label;
    answers_name_output(name, runs, vote->output);
    (void)snprintf(share, sizeof share, "%.0f%%", 100.0 * vote->most / fmax(vote->of, 1));
    if (svg_text_width(name) > 4) /* it would not fit below an image */
        (void)snprintf(label, size, "%zu: %s", vote->output, share);
    else
        (void)snprintf(label, size, "%s: %s", name, share);
    (void)snprintf(t->tiles[i].tip, sizeof t->tiles[i].tip,
                   "%s\n%u of %u samples that it won\nrow %zu, column %zu of its place", name,
                   vote->most, vote->of, vote->place / t->view.places_wide + 1,
                   vote->place % t->view.places_wide + 1);
}

static void write_table(Text *csv, const Templates *t) {
    static const char *const head[] = {"unit",   "place_row", "place_column", "uses",
                                       "output", "samples",   "of",           NULL};
    csv_head(csv, head);
    for (size_t i = 0; i < t->n; i++) {
        const Vote *vote = &t->votes[i];
        csv_whole(csv, vote->unit);
        csv_whole(csv, vote->place / t->view.places_wide + 1);
        csv_whole(csv, vote->place % t->view.places_wide + 1);
        csv_whole(csv, vote->uses);
        csv_whole(csv, vote->output);
        csv_whole(csv, vote->most);
        csv_whole(csv, vote->of);
        csv_end(csv);
    }
}

static void describe(Figure *figure, const Templates *t, const RunFolder *runs) {
    text_format(
        &figure->about,
        "What %zu of the %zu units of seed %u have seen: of each output those that won most "
        "samples. A unit looks at one place of the image, a window of %zu x %zu cells. ",
        t->n, t->view.n_units, runs->runs[0].seed, t->view.window_high, t->view.window_wide);
    text_add(&figure->about, t->view.edges
                                 ? "Edges are drawn on their bright side, the stronger the darker. "
                                 : "Blue is brighter than the window's mean, orange darker. ");
    text_add(&figure->about, "Below each is what it votes for: the output of most samples that it "
                             "won, and its share of them.");
}

/* ---- all ---- */

static tacos_status draw_grid(Figure *figure, Templates *t, const tacos_learner *learner,
                              const RunFolder *runs, tacos_error *err) {
    for (size_t i = 0; i < t->n; i++) {
        tacos_unit unit;
        TRY(tacos_learner_unit(learner, t->votes[i].unit, &unit, t->values, NULL, err));
        draw_image(t, t->pixels + i * t->wide * t->high);
        name_tile(t, i, runs);
    }
    scale(t);
    describe(figure, t, runs);
    write_table(&figure->csv, t);
    figure_size(figure, true, 0.5);
    ImageGrid grid = {.box = figure_box(figure),
                      .n = t->n,
                      .columns = COLUMNS,
                      .width = t->wide,
                      .height = t->high,
                      .values = t->pixels,
                      .tiles = t->tiles};
    figure->height = image_grid_height(figure, &grid) + figure->sizes.em * 0.5;
    TRY(image_grid_draw(figure, &grid, err));
    return figure_check(figure, err);
}

static tacos_status draw(Figure *figure, Templates *t, const tacos_learner *learner,
                         const RunFolder *runs, tacos_error *err) {
    const tacos_columns_view *view = &t->view;
    size_t pixels = view->edges ? CELL : 1;
    t->wide = view->window_wide * pixels;
    t->high = view->window_high * pixels;
    t->votes = calloc(view->n_units, sizeof *t->votes);
    t->values = calloc(view->window_high * view->window_wide, view->n_values);
    t->counts = calloc(t->n_outputs, sizeof *t->counts);
    t->pixels = calloc(TILES * t->wide * t->high, sizeof *t->pixels);
    t->tiles = calloc(TILES, sizeof *t->tiles);
    if (!t->votes || !t->values || !t->counts || !t->pixels || !t->tiles)
        return failure(err, TACOS_MEMORY, "no memory for templates");
    TRY(read_votes(t, learner, err));
    choose(t);
    return draw_grid(figure, t, learner, runs, err);
}

static tacos_status draw_learner(Figure *figure, const tacos_learner *learner,
                                 const RunFolder *runs, tacos_error *err) {
    Templates t = {.n_outputs = tacos_learner_shape(learner).n_outputs};
    TRY(tacos_learner_columns(learner, &t.view, err));
    if (t.view.window_high == 1)
        return failure(err, TACOS_MISSING, "the inputs of %s are not images", runs->folder);
    if (t.view.n_units == 0)
        return failure(err, TACOS_MISSING, "no unit of %s has learned anything", runs->folder);
    tacos_status status = draw(figure, &t, learner, runs, err);
    free(t.votes);
    free(t.values);
    free(t.counts);
    free(t.pixels);
    free(t.tiles);
    return status;
}

tacos_status draw_templates(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                            tacos_error *err) {
    tacos_learner *learner;
    figure_begin(figure, sizes, "templates", "Templates, and what they vote for");
    TRY(saved_columns_open(&learner, runs, err));
    tacos_status status = draw_learner(figure, learner, runs, err);
    tacos_learner_free(learner);
    return status;
}
