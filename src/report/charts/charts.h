/* charts.h - the kinds of charts: lines, bars, heat map, histogram, spikes and a grid of images,
 * and names for points. Each draws into a box of a figure; its *_table function writes the numbers
 * as CSV. */
#ifndef REPORT_CHARTS_H
#define REPORT_CHARTS_H

#include "report/charts/axes.h"
#include "tacos_lab.h"

/* ---- lines.c: lines over a whole number, such as the tasks learned, each with a band ---- */

typedef struct Line {
    size_t series; /* of figure_key */
    const char *label;
    size_t n;
    const double *x, *y; /* [n]; NaN in y is a gap */
    const double *sd;    /* [n], the band is y - sd to y + sd; NULL: none */
    const double *paper; /* [n], NaN: no mark; NULL: none */
    bool faint;          /* one of many, in the background: no points, no band */
} Line;

typedef struct Lines {
    Axes axes;        /* empty ranges are computed from the data */
    const char *unit; /* of y, in tooltips: " %" */
    int digits;       /* of y, in tooltips */
    bool percent;     /* the y-axis stays within 0 to 100 */
    bool smooth;      /* a function: lines without points */
    bool zero;        /* the y-axis includes 0 */
    size_t n;
    const Line *line;    /* [n] */
    const double *rules; /* [n_rules] dashed vertical lines */
    size_t n_rules;
    size_t paper_series; /* of the paper's marks */
    const double *marks; /* [n_marks] dashed vertical lines with a diamond on top, as a series */
    size_t n_marks, mark_series;
    double chance;     /* a dotted line, labelled; 0: none */
    bool not_negative; /* the y-axis does not go below 0, whatever the deviations */
} Lines;

void lines_draw(Figure *figure, const Lines *lines);

/* Head (once) and rows: panel (omitted if NULL), series, x, mean, sd, and the paper's value if any
 * line has one. */
void lines_table(Figure *figure, const Lines *lines, const char *panel, const char *x_name);

/* ---- bars.c: groups of bars with their deviation and the paper's value ---- */

typedef struct BarSeries {
    size_t series; /* of figure_key */
    const char *label;
    const double *value;            /* [n_groups]; NaN: no bar */
    const double *sd;               /* [n_groups], or NULL */
    const double *paper, *paper_sd; /* [n_groups], or NULL */
} BarSeries;

typedef struct Bars {
    Box box;
    const char *label; /* of the values */
    const char *title; /* of one panel of several, or NULL */
    const char *unit;  /* in tooltips: " %" */
    int digits;        /* in tooltips */
    bool horizontal;   /* for groups with long names */
    bool one_each;     /* series g has a value in group g only: one bar per group, in its colour */
    bool dots;         /* instead of bars, for values far from 0 that differ little */
    size_t n_groups;
    const char *const *groups; /* [n_groups] names */
    const char *group_label;   /* below the names of the groups, or NULL */
    size_t n_series;
    const BarSeries *series; /* [n_series] */
    size_t paper_series;     /* of the paper's marks */
    double left;             /* least width left of the axis */
} Bars;

/* The height a figure of horizontal bars needs. */
double bars_horizontal_height(const Figure *figure, size_t n_groups, size_t n_series);

void bars_draw(Figure *figure, const Bars *bars);

/* Head (once) and rows: panel (omitted if NULL), group, series, value, sd, and the paper's if any
 * series has them. */
void bars_table(Figure *figure, const Bars *bars, const char *panel, const char *group_name);

/* ---- labels.c: names beside points, none over another or over what is in the way ---- */

enum { LABELS_MAX = 512 };

typedef struct Labels {
    Box inside; /* where names may be */
    size_t n;
    Box taken[LABELS_MAX]; /* [n] where they may not */
} Labels;

void labels_take(Labels *labels, Box box);

/* A straight line: a box for every em of it. */
void labels_take_line(Labels *labels, double em, double x1, double y1, double x2, double y2);

/* Find room for a name near a point and take it; false if there is none. */
bool labels_place(Labels *labels, double em, double x, double y, const char *words, Box *out);

/* The same, and write it there, with a thin line to the point unless it is right beside. */
void labels_write(Labels *labels, Figure *figure, double x, double y, const char *words);

/* ---- curves.c: storage for the numbers of lines or bars ---- */

/* n series of m values; every number starts as NaN. */
typedef struct Curves {
    size_t n, m;
    Line *line;         /* [n] */
    BarSeries *bar;     /* [n], over the same numbers */
    double *numbers;    /* [n][5][m]: x, y, sd, paper, the paper's sd */
    const char **names; /* [m] of groups; not owned, initially the labels below */
    char (*labels)[64]; /* [m] */
} Curves;

tacos_status curves_make(Curves *out, size_t n, size_t m, tacos_error *err);
void curves_free(Curves *curves);

/* Begin series s: its place in the legend and its name. Then set its values one by one; a deviation
 * is shown only if there is more than one run. */
void curves_series(Curves *curves, size_t s, size_t series, const char *label);
void curves_set(Curves *curves, size_t s, size_t i, double x, tacos_summary value);
void curves_set_paper(Curves *curves, size_t s, size_t i, double value, double sd);

/* Does the paper have any of the numbers? */
bool curves_any_paper(const Curves *curves);

/* Draw a whole figure of lines over the tasks learned, with the paper's numbers if there are any,
 * and free the curves. `style` has unit, digits and what the y-axis shows, and, of one panel of
 * several, box and title. TACOS_MISSING if no value is defined, as after one task. */
tacos_status curves_draw_tasks(Curves *curves, Figure *figure, const char *y_label, Lines style,
                               tacos_error *err);

/* Draw accuracies over the tasks learned, from 0 on, and free the curves; `title` is of one panel
 * of several, else NULL. `chance`: see Lines. */
void curves_draw_accuracy(Curves *curves, Figure *figure, Box box, const char *title,
                          const double *rules, size_t n_rules, double chance);

/* Draw bars over the curves (groups, series and names are taken from them), write their table, and
 * free the curves. */
void curves_draw_bars(Curves *curves, Figure *figure, Bars style, const char *panel,
                      const char *group_name);

/* ---- heat.c: a matrix as coloured cells, with numbers where there is room ---- */

typedef struct Heat {
    Box box;
    const char *title; /* of one panel of several, or NULL */
    const char *row_label, *column_label;
    size_t n_rows, n_columns; /* rows are numbered from 0, columns from 1 */
    const double *values;     /* [n_rows][n_columns]; NaN: no cell */
    const double *sd;         /* the same, for tooltips; NULL: none */
    Range range;              /* of the colours */
    const char *const *row_names,
        *const *column_names; /* NULL: numbers. A column whose
                               * name does not fit has its number, and then all rows have theirs */
    size_t first_row; /* the number of the first row that has a name; those above have none */
} Heat;

void heat_draw(Figure *figure, const Heat *heat);

/* The height of a heat map as wide as the figure with square cells, no larger than its numbers
 * need; or of one of this width. */
double heat_height(const Figure *figure, const Heat *heat);
double heat_height_at(const Figure *figure, const Heat *heat, double width);

/* ---- histogram.c: distributions of several kinds of values, over each other ---- */

enum { HISTOGRAM_BINS = 48 };

/* Counts of values between lo and hi, where hi > lo; values outside are in the first or last bin.
 */
typedef struct Counting {
    double lo, hi;
    size_t bin[HISTOGRAM_BINS];
    size_t n;
} Counting;

void counting_take(Counting *counting, double value);

typedef struct Histogram {
    Box box;
    const char *title, *x_label; /* title: of one panel of several, or NULL */
    size_t n;
    const Counting *counting;  /* [n], with the same lo and hi */
    const size_t *series;      /* [n], of figure_key */
    const char *const *labels; /* [n], for tooltips and the table */
} Histogram;

/* In percent of all, on a logarithmic axis: one value is often far more frequent than the others.
 */
void histogram_draw(Figure *figure, const Histogram *histogram);
void histogram_table(Figure *figure, const Histogram *histogram, const char *panel);

/* ---- spike_plot.c: spikes over time, one panel per group of neurons ---- */

/* A spike of one neuron of a group. */
typedef struct Spike {
    uint32_t step, neuron;
} Spike;

enum { SPIKE_NAME_SIZE = 40 };

typedef struct SpikeGroup {
    char label[48];
    size_t n_neurons;
    const char (*names)[SPIKE_NAME_SIZE]; /* [n_neurons], beside their rows; NULL: none */
    size_t n, room;
    Spike *spikes; /* [n] in the order of steps */
} SpikeGroup;

typedef struct SpikePlot {
    Box box;
    size_t n_steps;
    double step_ms;
    size_t n_groups;
    const SpikeGroup *groups; /* [n_groups], drawn from the bottom up */
    const size_t *series;     /* [n_groups] of figure_key */
} SpikePlot;

/* The height a plot of these groups needs, in em. */
double spike_plot_height_ems(const SpikeGroup *groups, size_t n_groups);

void spike_plot_draw(Figure *figure, const SpikePlot *plot);

/* ---- image_grid.c: many small images in rows and columns, with a label below each ---- */

typedef struct ImageTile {
    char label[64], tip[160];
} ImageTile;

typedef struct ImageGrid {
    Box box;
    size_t n, columns;
    size_t width, height;   /* of one image, in pixels */
    const float *values;    /* [n][height][width], coloured from -1 to 1 */
    const ImageTile *tiles; /* [n] */
} ImageGrid;

/* The height the grid needs at this width. */
double image_grid_height(const Figure *figure, const ImageGrid *grid);

tacos_status image_grid_draw(Figure *figure, const ImageGrid *grid, tacos_error *err);

#endif
