/* fig_memory.c - what columns reach in how many bytes, beside their rivals.
 *
 * The sections are "memory DATA: ...", with one look or five, and "class DATA: ...", of which those
 * that are not columns are the rivals. */
#include "report/figures/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LOOKS = 2, SPOTS_MAX = 64 };

static const char *const look_names[LOOKS] = {"columns, one look", "columns, five looks"};
static const char FIVE_LOOKS[] = "5 looks", COLUMNS[] = "columns";

/* A point; x and y are on the axes. */
typedef struct Spot {
    const char *name;
    double kilobytes, x, y;
    tacos_summary accuracy;
} Spot;

typedef struct Spots {
    size_t n;
    Spot spot[SPOTS_MAX];
} Spots;

typedef struct Panel {
    const char *data, *title;
    Spots curves[LOOKS], rivals;
    Range x, y;
} Panel;

/* ---- axes: bytes and errors are logarithmic ---- */

static double x_of(double kilobytes) {
    return log10(kilobytes);
}

static double y_of(double accuracy) {
    const double least_error = 0.05;
    return -log10(fmax(100 - accuracy, least_error));
}

static const struct {
    double value;
    const char *label;
} sizes_shown[] = {{1, "1 kB"},     {3, "3 kB"},     {10, "10 kB"},   {30, "30 kB"},
                   {100, "100 kB"}, {300, "300 kB"}, {1e3, "1 MB"},   {3e3, "3 MB"},
                   {1e4, "10 MB"},  {3e4, "30 MB"},  {1e5, "100 MB"}, {1e6, "1 GB"}},
  accuracies_shown[] = {{0, "0"},   {20, "20"}, {40, "40"},    {60, "60"}, {70, "70"},
                        {80, "80"}, {85, "85"}, {90, "90"},    {95, "95"}, {97, "97"},
                        {98, "98"}, {99, "99"}, {99.5, "99.5"}};

static const double MARGIN = 0.12; /* between the numbers and the end of an axis */

static void add_tick(Ticks *ticks, Range range, double at, const char *label) {
    if (at < range.lo || at > range.hi)
        return;
    ticks->at[ticks->n] = at;
    ticks->label[ticks->n++] = label;
}

static Plane draw_axes(Figure *figure, const Panel *panel, Box box) {
    Ticks x_ticks = {0}, y_ticks = {0};
    Range within = {panel->x.lo, panel->x.hi - MARGIN}; /* a label at the end would stick out */
    for (size_t i = 0; i < sizeof sizes_shown / sizeof *sizes_shown; i++)
        add_tick(&x_ticks, within, x_of(sizes_shown[i].value), sizes_shown[i].label);
    for (size_t i = 0; i < sizeof accuracies_shown / sizeof *accuracies_shown; i++)
        add_tick(&y_ticks, panel->y, y_of(accuracies_shown[i].value), accuracies_shown[i].label);
    Axes axes = {.box = box,
                 .x = panel->x,
                 .y = panel->y,
                 .x_ticks = &x_ticks,
                 .y_ticks = &y_ticks,
                 .x_label = "memory that learning changes",
                 .y_label = "mean accuracy, %",
                 .title = panel->title};
    return axes_draw(figure, &axes);
}

/* ---- the numbers ---- */

static void add_spot(Panel *panel, Spots *spots, const Part *part, const char *section,
                     const char *name) {
    tacos_summary accuracy = cell_summary(part_cell(part, section, "MA", LAST_TASK, 0));
    double kilobytes = cell_summary(part_cell(part, section, "kilobytes", LAST_TASK, 0)).mean;
    if (accuracy.n == 0 || !(kilobytes > 0) || spots->n == SPOTS_MAX)
        return;
    Spot *spot = &spots->spot[spots->n++];
    *spot = (Spot){name, kilobytes, x_of(kilobytes), y_of(accuracy.mean), accuracy};
    range_take(&panel->x, spot->x);
    range_take(&panel->y, spot->y);
}

/* What follows "GROUP DATA: " in the name of a section, or NULL. */
static const char *name_within(const char *section, const char *group, const char *data) {
    char prefix[64];
    int n = snprintf(prefix, sizeof prefix, "%s %s: ", group, data);
    return n > 0 && strncmp(section, prefix, (size_t)n) == 0 ? section + n : NULL;
}

static void collect(Panel *panel, const Part *part) {
    Sections sections = sections_of_cells(part);
    panel->x = panel->y = RANGE_EMPTY;
    for (size_t i = 0; i < sections.n; i++) {
        const char *section = sections.names[i];
        const char *size = name_within(section, "memory", panel->data);
        const char *rival = name_within(section, "class", panel->data);
        if (size)
            add_spot(panel, &panel->curves[strstr(size, FIVE_LOOKS) != NULL], part, section, size);
        if (rival && strncmp(rival, COLUMNS, strlen(COLUMNS)) != 0)
            add_spot(panel, &panel->rivals, part, section, rival);
    }
    panel->x = (Range){panel->x.lo - MARGIN, panel->x.hi + MARGIN};
    panel->y = (Range){panel->y.lo - MARGIN, panel->y.hi + MARGIN};
}

/* ---- marks ---- */

static void tell(Tip *tip, const char *series, const Spot *spot) {
    tip_add(tip, "%s\n%.0f kB: ", series, spot->kilobytes);
    tip_value(tip, 2, " %", spot->accuracy.mean, spot->accuracy.n > 1 ? spot->accuracy.sd : NAN,
              NAN);
}

static void write_row(Figure *figure, const Panel *panel, const char *series, const Spot *spot) {
    Text *csv = &figure->csv;
    csv_word(csv, panel->title);
    csv_word(csv, series);
    csv_real(csv, spot->kilobytes);
    csv_real(csv, spot->accuracy.mean);
    csv_real(csv, spot->accuracy.n > 1 ? spot->accuracy.sd : NAN);
    csv_end(csv);
}

static void draw_curve(Figure *figure, const Panel *panel, const Plane *plane, size_t k,
                       Labels *labels) {
    const Spots *spots = &panel->curves[k];
    double em = figure->sizes.em, was_x = 0, was_y = 0;
    figure_series(figure, k);
    svg_path_begin(&figure->marks, "line");
    for (size_t i = 0; i < spots->n; i++) {
        double x = scale_at(&plane->x, spots->spot[i].x), y = scale_at(&plane->y, spots->spot[i].y);
        svg_path_to(&figure->marks, i == 0, x, y);
        labels_take_line(labels, em, i == 0 ? x : was_x, i == 0 ? y : was_y, x, y);
        was_x = x;
        was_y = y;
    }
    svg_path_end(&figure->marks, NULL);
    for (size_t i = 0; i < spots->n; i++) {
        Tip tip = {.n = 0};
        tell(&tip, look_names[k], &spots->spot[i]);
        svg_shape(&figure->marks, "dot", (unsigned)k, scale_at(&plane->x, spots->spot[i].x),
                  scale_at(&plane->y, spots->spot[i].y), em * 0.27, tip.text);
        write_row(figure, panel, look_names[k], &spots->spot[i]);
    }
    figure_series_end(figure);
}

/* All points are in the way of all names. */
static void draw_rivals(Figure *figure, const Panel *panel, const Plane *plane, Labels *labels) {
    const Spots *spots = &panel->rivals;
    double em = figure->sizes.em, half = em * 0.45;
    for (size_t i = 0; i < spots->n; i++)
        labels_take(labels,
                    (Box){scale_at(&plane->x, spots->spot[i].x) - half,
                          scale_at(&plane->y, spots->spot[i].y) - half, 2 * half, 2 * half});
    figure_series(figure, LOOKS);
    for (size_t i = 0; i < spots->n; i++)
        labels_write(labels, figure, scale_at(&plane->x, spots->spot[i].x),
                     scale_at(&plane->y, spots->spot[i].y), spots->spot[i].name);
    for (size_t i = 0; i < spots->n; i++) {
        Tip tip = {.n = 0};
        tell(&tip, spots->spot[i].name, &spots->spot[i]);
        svg_shape(&figure->marks, "paper", SHAPE_DIAMOND, scale_at(&plane->x, spots->spot[i].x),
                  scale_at(&plane->y, spots->spot[i].y), em * 0.33, tip.text);
        write_row(figure, panel, spots->spot[i].name, &spots->spot[i]);
    }
    figure_series_end(figure);
}

static tacos_status draw_panel(Figure *figure, const Parts *parts, Panel *panel, Box box,
                               tacos_error *err) {
    const Part *part;
    TRY(parts_find(parts, COLUMNS, &part, err));
    collect(panel, part);
    if (panel->curves[0].n + panel->curves[1].n + panel->rivals.n == 0)
        return failure(err, TACOS_MISSING, "%s has no runs of %s on %s", parts->folder, COLUMNS,
                       panel->title);
    Plane plane = draw_axes(figure, panel, box);
    Labels labels = {.inside = plane.inner};
    for (size_t k = 0; k < LOOKS; k++)
        draw_curve(figure, panel, &plane, k, &labels);
    draw_rivals(figure, panel, &plane, &labels);
    return TACOS_OK;
}

tacos_status draw_paper_memory(Figure *figure, const Sizes *sizes, const Parts *parts,
                               tacos_error *err) {
    static const char *const head[] = {"panel", "series", "kilobytes", "mean", "sd", NULL};
    static const char *const titles[DATASETS] = {"split-MNIST", "split-Fashion-MNIST"};
    figure_begin(figure, sizes, "memory", "Accuracy by memory");
    text_add(&figure->about,
             "Mean accuracy after five tasks with an output per class, by the memory that learning "
             "changes. Both axes are logarithmic, the vertical one in the errors.");
    figure_size(figure, true, 0.52);
    for (size_t k = 0; k < LOOKS; k++)
        (void)figure_key(figure, LEGEND_LINE, (unsigned)k, look_names[k]);
    (void)figure_key(figure, LEGEND_POINT, PALETTE_SIZE - 1, "other methods");
    csv_head(&figure->csv, head);
    for (size_t d = 0; d < DATASETS; d++) {
        Panel panel = {.data = section_datasets[d], .title = titles[d]};
        TRY(draw_panel(figure, parts, &panel, figure_panel(figure, d, DATASETS, 1), err));
    }
    return figure_check(figure, err);
}
