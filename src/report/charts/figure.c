/* figure.c - sizes, panels, legend and styles of a figure. */
#include "report/charts/figure.h"

#include <stdio.h>
#include <string.h>

const Sizes sizes_page = {.em = 12, .largest = 15, .column = 460, .wide = 940, .unit = "px"};
const Sizes sizes_print = {.em = 7.5, .largest = 7.5, .column = 234, .wide = 486, .unit = "pt"};

enum { LEGEND_LINE_EMS = 2 }; /* height of a line of the legend */

void figure_begin(Figure *figure, const Sizes *sizes, const char *name, const char *title) {
    *figure = (Figure){.sizes = *sizes};
    (void)snprintf(figure->name, sizeof figure->name, "%s", name);
    (void)snprintf(figure->title, sizeof figure->title, "%s", title);
    figure_size(figure, false, 0.62);
}

void figure_free(Figure *figure) {
    text_free(&figure->about);
    text_free(&figure->marks);
    text_free(&figure->csv);
    text_free(&figure->choices);
}

void figure_size(Figure *figure, bool wide, double aspect) {
    figure->width = wide ? figure->sizes.wide : figure->sizes.column;
    figure->height = figure->width * aspect;
}

Box figure_box(const Figure *figure) {
    double margin = figure->sizes.em * 0.25;
    return (Box){margin, margin, figure->width - 2 * margin, figure->height - 2 * margin};
}

Box figure_panel(const Figure *figure, size_t i, size_t columns, size_t rows) {
    Box all = figure_box(figure);
    size_t column = i % columns, row = i / columns;
    double gap = figure->sizes.em * 0.9, wide = all.width / (double)columns;
    double high = all.height / (double)rows;
    return (Box){all.x + wide * (double)column, all.y + high * (double)row, wide - gap, high - gap};
}

Box figure_row(const Figure *figure, size_t i, size_t n) {
    Box all = figure_box(figure);
    double high = figure->height / (double)n;
    return (Box){all.x, all.y + high * (double)i, all.width, high - figure->sizes.em * 0.8};
}

/* ---- series ---- */

size_t figure_key(Figure *figure, LegendMark mark, unsigned colour, const char *label) {
    if (figure->n_keys == LEGEND_MAX)
        return LEGEND_MAX - 1;
    LegendKey *key = &figure->keys[figure->n_keys];
    *key = (LegendKey){.mark = mark, .colour = colour};
    (void)snprintf(key->label, sizeof key->label, "%s", label);
    return figure->n_keys++;
}

static void class_of(const LegendKey *key, Text *out) {
    if (key->mark == LEGEND_RAMP)
        text_format(out, "class=\"series\" style=\"color:#%02x%02x%02x\"", key->shade.r,
                    key->shade.g, key->shade.b);
    else
        text_format(out, "class=\"series c%u d%u\"", key->colour % PALETTE_SIZE,
                    key->colour / PALETTE_SIZE % 3);
}

void figure_series(Figure *figure, size_t series) {
    text_add(&figure->marks, "<g ");
    class_of(&figure->keys[series], &figure->marks);
    text_format(&figure->marks, " data-series=\"%zu\">", series);
}

void figure_series_end(Figure *figure) {
    text_add(&figure->marks, "</g>\n");
}

void figure_paper_mark(Figure *figure, size_t series, bool own, double x, double y, double radius,
                       const char *tip) {
    text_format(&figure->marks, "<g class=\"c%u\">", figure->keys[series].colour % PALETTE_SIZE);
    svg_shape(&figure->marks, own ? "paper own" : "paper", SHAPE_DIAMOND, x, y, radius, tip);
    text_add(&figure->marks, "</g>");
}

/* ---- legend ---- */

/* A sample of the mark in a square of one em whose middle is at x, y. */
static void draw_swatch(const LegendKey *key, double em, double x, double y, Text *out) {
    if (key->mark == LEGEND_BAR)
        svg_rect(out, "bar", (Box){x - em * 0.5, y - em * 0.45, em, em * 0.9}, NULL);
    if (key->mark == LEGEND_LINE || key->mark == LEGEND_RAMP)
        svg_line(out, "line", x - em * 0.8, y, x + em * 0.8, y);
    if (key->mark == LEGEND_LINE)
        svg_shape(out, "dot", key->colour, x, y, em * 0.26, NULL);
    if (key->mark == LEGEND_POINT)
        svg_shape(out, "paper", SHAPE_DIAMOND, x, y, em * 0.36, NULL);
}

static double key_width(const LegendKey *key, double em) {
    return em * (2.3 + svg_text_width(key->label) + 1.2);
}

/* Lay out the legend and return its number of lines; draw it unless `out` is NULL. */
static size_t lay_out_legend(const Figure *figure, double top, Text *out) {
    double em = figure->sizes.em, x = em * 0.5;
    size_t lines = figure->n_keys > 0;
    for (size_t k = 0; k < figure->n_keys; k++) {
        const LegendKey *key = &figure->keys[k];
        double width = key_width(key, em);
        if (k > 0 && x + width > figure->width) {
            x = em * 0.5;
            lines++;
        }
        if (out) {
            double y = top + em * LEGEND_LINE_EMS * ((double)lines - 0.5);
            text_add(out, "<g ");
            class_of(key, out);
            text_add(out, ">");
            draw_swatch(key, em, x + em * 0.9, y, out);
            svg_text(out, "words", x + em * 2.1, y + em * 0.35, key->label);
            text_add(out, "</g>");
        }
        x += width;
    }
    return lines;
}

double figure_legend_height(const Figure *figure) {
    return (double)lay_out_legend(figure, 0, NULL) * LEGEND_LINE_EMS * figure->sizes.em;
}

static void write_legend(const Figure *figure, Text *out) {
    if (figure->n_keys == 0)
        return;
    text_add(out, "<g class=\"legend\">");
    (void)lay_out_legend(figure, figure->height, out);
    text_add(out, "</g>");
}

/* ---- writing ---- */

/* The styles with each var(--name, value) replaced by the value, for viewers without variables. */
static void write_plain_styles(Text *out) {
    static const char var[] = "var(--";
    for (const char *at = asset_chart_css; *at;) {
        const char *next = strstr(at, var);
        if (!next) {
            text_add(out, at);
            return;
        }
        text_add_bytes(out, at, (size_t)(next - at));
        const char *value = next + strcspn(next, ",)"), *end = value + strcspn(value, ")");
        value += *value == ',';
        value += strspn(value, " ");
        text_add_bytes(out, value, (size_t)(end - value));
        at = end + (*end == ')');
    }
}

static void write_length(Text *out, const char *name, double value, const char *unit) {
    text_format(out, " %s=\"", name);
    text_number(out, value, 2);
    text_format(out, "%s\"", unit);
}

static void write_view(const Figure *figure, double height, Text *out) {
    text_add(out, " viewBox=\"0 0 ");
    text_number(out, figure->width, 2);
    text_add(out, " ");
    text_number(out, height, 2);
    text_add(out, "\"");
    write_length(out, "font-size", figure->sizes.em, "");
}

void figure_write_svg(const Figure *figure, Text *out) {
    double height = figure->height + figure_legend_height(figure);
    text_add(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\"");
    write_length(out, "width", figure->width, figure->sizes.unit);
    write_length(out, "height", height, figure->sizes.unit);
    write_view(figure, height, out);
    text_wrap(out, ">\n<title>", figure->title, "</title>\n<style>\n");
    write_plain_styles(out);
    text_add(out, "svg { background: #ffffff; }\n</style>\n"); /* legible on a dark page */
    text_add(out, text_bytes(&figure->marks));
    write_legend(figure, out);
    text_add(out, "\n</svg>\n");
}

void figure_write_inline(const Figure *figure, const char *id, Text *out) {
    text_format(out, "<svg id=\"%s\" class=\"chart\" role=\"img\" aria-label=\"", id);
    text_escape(out, figure->title);
    text_wrap(out, ". ", text_bytes(&figure->about), "\"");
    write_view(figure, figure->height, out);
    write_length(out, "data-height", figure->height + figure_legend_height(figure), "");
    text_add(out, ">\n");
    text_add(out, text_bytes(&figure->marks));
    write_legend(figure, out);
    text_add(out, "</svg>\n");
}

void figure_write_keys(const Figure *figure, Text *out) {
    double em = figure->sizes.em;
    if (figure->n_keys == 0)
        return;
    text_add(out, "<ul class=\"keys\">");
    for (size_t k = 0; k < figure->n_keys; k++) {
        const LegendKey *key = &figure->keys[k];
        text_format(out,
                    "<li data-series=\"%zu\"><svg class=\"chart swatch\" viewBox=\"0 0 20 12\"", k);
        write_length(out, "font-size", em, "");
        text_add(out, " aria-hidden=\"true\"><g ");
        class_of(key, out);
        text_add(out, ">");
        draw_swatch(key, em, 10, 6, out);
        text_wrap(out, "</g></svg>", key->label, "</li>");
    }
    text_add(out, "</ul>\n");
}

tacos_status figure_check(const Figure *figure, tacos_error *err) {
    TRY(text_check(&figure->about, err));
    TRY(text_check(&figure->marks, err));
    TRY(text_check(&figure->csv, err));
    return text_check(&figure->choices, err);
}
