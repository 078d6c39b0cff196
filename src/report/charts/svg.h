/* svg.h - the few SVG elements that figures are made of.
 *
 * Classes say what an element is, chart.css how it looks. Words are escaped here. A tip (may be
 * NULL) is the tooltip of a mark: its first line names the mark, the others are its numbers. */
#ifndef REPORT_SVG_H
#define REPORT_SVG_H

#include "report/charts/colour.h"
#include "report/charts/text.h"

typedef struct Box {
    double x, y, width, height;
} Box;

/* A tooltip while it is written; what does not fit is cut off. */
typedef struct Tip {
    char text[512];
    size_t n;
} Tip;

void tip_add(Tip *tip, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "82.95 ± 1.22 %", and the paper's value on a line of its own; NaN: none. */
void tip_value(Tip *tip, int digits, const char *unit, double value, double sd, double paper);

void svg_line(Text *svg, const char *class, double x1, double y1, double x2, double y2);
void svg_rect(Text *svg, const char *class, Box box, const char *tip);
void svg_rect_filled(Text *svg, Box box, Rgb fill, const char *tip);

/* Filled with ramp_amount(t); a dark page colours it by its class, q0 to q100. */
void svg_rect_shaded(Text *svg, Box box, double t, const char *tip);
void svg_text(Text *svg, const char *class, double x, double y, const char *words);
void svg_number(Text *svg, const char *class, double x, double y, int digits, double value);

/* A mark of one of these shapes, so that series differ by more than colour. */
enum { SHAPES = 6, SHAPE_DIAMOND = 3 };
void svg_shape(Text *svg, const char *class, unsigned shape, double x, double y, double radius,
               const char *tip);

/* A path, point by point; `move`: for the first point, and for one after a gap. */
void svg_path_begin(Text *svg, const char *class);
void svg_path_to(Text *svg, bool move, double x, double y);
void svg_path_end(Text *svg, const char *tip);

/* The beginning of an element with x, y, width and height. */
void svg_begin_box(Text *svg, const char *element, const char *class, Box box);

/* A small image, with a palette or without. */
enum { IMAGE_COLOURS_MAX = 256 };
typedef struct Image {
    size_t width, height;
    const uint8_t *pixels; /* [height][width] indices of colours, or [height][width][3] */
    size_t n_colours;      /* 0: pixels are red, green and blue */
    const Rgb *colours;    /* [n_colours] */
    bool clear;            /* colour 0 is transparent */
} Image;

/* Embedded as a PNG and drawn without smoothing (svg_image.c). The same image gives the same bytes
 * with the same libpng and zlib. */
tacos_status svg_image(Text *svg, Box box, const Image *image, tacos_error *err);

/* The width of words in em: a generous estimate, since fonts differ. */
double svg_text_width(const char *words);

#endif
