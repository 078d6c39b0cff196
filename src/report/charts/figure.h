/* figure.h - one figure: its drawing, description, legend and numbers.
 *
 * The same code draws a figure for a page and for print, in different sizes. All lengths are
 * multiples of `em`, the font size. The legend is drawn below the figure's own height: a file shows
 * it, a page crops it and has buttons instead. */
#ifndef REPORT_FIGURE_H
#define REPORT_FIGURE_H

#include "report/charts/svg.h"

/* Sizes of a figure. */
typedef struct Sizes {
    double em;
    double largest;      /* what the style of a page makes of em on a phone */
    double column, wide; /* widths: one column, all columns */
    const char *unit;    /* of these lengths, in a file: "px" or "pt" */
} Sizes;

extern const Sizes sizes_page;  /* scaled with the page */
extern const Sizes sizes_print; /* 3.25 and 6.75 inches, font of 7.5 points */

enum { LEGEND_MAX = 64, LEGEND_LABEL_SIZE = 96, FIGURE_NAME_SIZE = 64, FIGURE_TITLE_SIZE = 128 };

typedef enum LegendMark { LEGEND_LINE, LEGEND_BAR, LEGEND_POINT, LEGEND_RAMP } LegendMark;

/* An entry of the legend. The marks of series k are in a group of class "series" with
 * data-series="k", which a page can hide and show. */
typedef struct LegendKey {
    char label[LEGEND_LABEL_SIZE];
    LegendMark mark;
    unsigned colour; /* of the palette; dashes and shapes follow from it */
    Rgb shade;       /* for LEGEND_RAMP: a series of many, coloured by order */
} LegendKey;

typedef struct Figure {
    Sizes sizes;
    char name[FIGURE_NAME_SIZE]; /* of its files: "accuracy" */
    char title[FIGURE_TITLE_SIZE];
    double width, height; /* without the legend */
    Text about;           /* description, a sentence or two; not escaped */
    Text marks;           /* SVG */
    Text csv;             /* the numbers */
    Text choices;         /* JSON for the page: other numbers the drawing can show; or empty */
    size_t n_keys;
    LegendKey keys[LEGEND_MAX];
} Figure;

void figure_begin(Figure *figure, const Sizes *sizes, const char *name, const char *title);
void figure_free(Figure *figure);

/* A width of one column or of all, and a height as a fraction of it. */
void figure_size(Figure *figure, bool wide, double aspect);

/* Add to the legend; returns the series' number, for figure_series. Beyond LEGEND_MAX the last is
 * shared. */
size_t figure_key(Figure *figure, LegendMark mark, unsigned colour, const char *label);

/* Begin and end the group of a series' marks. */
void figure_series(Figure *figure, size_t series);
void figure_series_end(Figure *figure);

/* A diamond for a value of the paper: in the colour of a series (`own`), else, over a bar, with a
 * dark edge. */
void figure_paper_mark(Figure *figure, size_t series, bool own, double x, double y, double radius,
                       const char *tip);

/* The figure without its margin. */
Box figure_box(const Figure *figure);

/* The i-th of several panels in rows and columns within it, with a gap between. */
Box figure_panel(const Figure *figure, size_t i, size_t columns, size_t rows);

/* The i-th of n panels below each other. */
Box figure_row(const Figure *figure, size_t i, size_t n);

/* The height of the legend, 0 if there is none. */
double figure_legend_height(const Figure *figure);

/* A standalone SVG document with its styles. */
void figure_write_svg(const Figure *figure, Text *out);

/* The <svg> element for a page, and the list of its keys. */
void figure_write_inline(const Figure *figure, const char *id, Text *out);
void figure_write_keys(const Figure *figure, Text *out);

/* Style sheets and script, embedded by cmake/report.cmake. */
extern const char asset_chart_css[];
extern const char asset_page_css[];
extern const char asset_page_js[];

tacos_status figure_check(const Figure *figure, tacos_error *err);

#endif
