/* svg.c - writes SVG elements; coordinates have two decimals. */
#include "report/charts/svg.h"

#include "base/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void attribute(Text *svg, const char *name, double value) {
    text_format(svg, " %s=\"", name);
    text_number(svg, value, 2);
    text_add(svg, "\"");
}

static void begin(Text *svg, const char *element, const char *class) {
    text_format(svg, "<%s", element);
    if (class)
        text_format(svg, " class=\"%s\"", class);
}

/* The end of an element that contains at most a tip. */
static void finish(Text *svg, const char *element, const char *tip) {
    if (!tip) {
        text_add(svg, "/>");
        return;
    }
    text_add(svg, "><title>");
    text_escape(svg, tip);
    text_format(svg, "</title></%s>", element);
}

/* ---- tooltips ---- */

void tip_add(Tip *tip, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(tip->text + tip->n, sizeof tip->text - tip->n, format, args);
    va_end(args);
    size_t room = sizeof tip->text - 1 - tip->n;
    if (n > 0)
        tip->n += (size_t)n < room ? (size_t)n : room;
}

void tip_value(Tip *tip, int digits, const char *unit, double value, double sd, double paper) {
    tip_add(tip, "%.*f", digits, value);
    if (isfinite(sd))
        tip_add(tip, " \xc2\xb1 %.*f", digits, sd);
    tip_add(tip, "%s", unit);
    if (isfinite(paper))
        tip_add(tip, "\npaper: %.*f%s", digits, paper, unit);
}

/* ---- elements ---- */

void svg_line(Text *svg, const char *class, double x1, double y1, double x2, double y2) {
    begin(svg, "line", class);
    attribute(svg, "x1", x1);
    attribute(svg, "y1", y1);
    attribute(svg, "x2", x2);
    attribute(svg, "y2", y2);
    finish(svg, "line", NULL);
}

void svg_begin_box(Text *svg, const char *element, const char *class, Box box) {
    begin(svg, element, class);
    attribute(svg, "x", box.x);
    attribute(svg, "y", box.y);
    attribute(svg, "width", fmax(box.width, 0));
    attribute(svg, "height", fmax(box.height, 0));
}

void svg_rect(Text *svg, const char *class, Box box, const char *tip) {
    svg_begin_box(svg, "rect", class, box);
    finish(svg, "rect", tip);
}

void svg_rect_filled(Text *svg, Box box, Rgb fill, const char *tip) {
    svg_begin_box(svg, "rect", NULL, box);
    text_format(svg, " fill=\"#%02x%02x%02x\"", fill.r, fill.g, fill.b);
    finish(svg, "rect", tip);
}

void svg_rect_shaded(Text *svg, Box box, double t, const char *tip) {
    char class[16];
    Rgb fill = ramp_amount(t);
    (void)snprintf(class, sizeof class, "q%d", (int)lround(100 * fmin(fmax(t, 0), 1)));
    svg_begin_box(svg, "rect", class, box);
    text_format(svg, " fill=\"#%02x%02x%02x\"", fill.r, fill.g, fill.b);
    finish(svg, "rect", tip);
}

void svg_text(Text *svg, const char *class, double x, double y, const char *words) {
    begin(svg, "text", class);
    attribute(svg, "x", x);
    attribute(svg, "y", y);
    text_wrap(svg, ">", words, "</text>");
}

void svg_number(Text *svg, const char *class, double x, double y, int digits, double value) {
    char number[400];
    (void)snprintf(number, sizeof number, "%.*f", digits, value);
    svg_text(svg, class, x, y, number);
}

/* ---- shapes ---- */

/* The corners of each shape but the circle, x and y in turn, in units of its radius; of about the
 * same area. */
static const struct {
    size_t n;
    double at[24];
} polygons[SHAPES] = {
    [1] = {4, {-.9, -.9, .9, -.9, .9, .9, -.9, .9}},
    [2] = {3, {0, -1.25, 1.15, .8, -1.15, .8}},
    [SHAPE_DIAMOND] = {4, {0, -1.35, 1.1, 0, 0, 1.35, -1.1, 0}},
    [4] = {3, {0, 1.25, 1.15, -.8, -1.15, -.8}},
    [5] = {12, {-.4, -1.1, .4,  -1.1, .4,  -.4, 1.1,  -.4, 1.1,  .4,  .4,  .4,
                .4,  1.1,  -.4, 1.1,  -.4, .4,  -1.1, .4,  -1.1, -.4, -.4, -.4}},
};

void svg_shape(Text *svg, const char *class, unsigned shape, double x, double y, double radius,
               const char *tip) {
    shape %= SHAPES;
    if (shape == 0) {
        begin(svg, "circle", class);
        attribute(svg, "cx", x);
        attribute(svg, "cy", y);
        attribute(svg, "r", radius);
        finish(svg, "circle", tip);
        return;
    }
    svg_path_begin(svg, class);
    for (size_t k = 0; k < polygons[shape].n; k++)
        svg_path_to(svg, k == 0, x + radius * polygons[shape].at[2 * k],
                    y + radius * polygons[shape].at[2 * k + 1]);
    text_add(svg, "z");
    svg_path_end(svg, tip);
}

/* ---- paths ---- */

void svg_path_begin(Text *svg, const char *class) {
    begin(svg, "path", class);
    text_add(svg, " d=\"");
}

void svg_path_to(Text *svg, bool move, double x, double y) {
    text_add(svg, move ? "M" : "L");
    text_number(svg, x, 2);
    text_add(svg, " ");
    text_number(svg, y, 2);
}

void svg_path_end(Text *svg, const char *tip) {
    text_add(svg, "\"");
    finish(svg, "path", tip);
}

/* ---- text ---- */

static double letter_width(const unsigned char *at, size_t n) {
    if (n > 1)
        return 0.7;
    if (strchr("ijl.,:;'|!()[]/ tfrI-", *at))
        return 0.38;
    if (strchr("mwMW%@+=", *at))
        return 0.92;
    return *at >= 'A' && *at <= 'Z' ? 0.74 : 0.63;
}

double svg_text_width(const char *words) {
    const unsigned char *at = (const unsigned char *)words;
    double width = 0;
    while (*at) {
        size_t n = utf8_length(at);
        n = n > 0 ? n : 1;
        width += letter_width(at, n);
        at += n;
    }
    return width;
}
