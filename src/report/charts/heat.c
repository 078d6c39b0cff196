/* heat.c - a heat map: cells, their numbers, and the scale of colours beside them. */
#include "report/charts/charts.h"

#include <math.h>

static const double TOP = 1.7, BOTTOM = 3.1, LEFT = 4.4, RIGHT = 4.6; /* em */

/* A cell is wide enough for "100.0". */
static const double NUMBERS = 2.9;

double heat_height(const Figure *figure, double width, size_t n_rows, size_t n_columns) {
    double em = figure->sizes.em;
    double cell = (width - em * (LEFT + RIGHT)) / (double)n_columns;
    return em * (TOP + BOTTOM) + (double)n_rows * fmin(cell, em * 3.4);
}

static void draw_cell(Figure *figure, const Heat *heat, Box cell, size_t row, size_t column) {
    size_t i = row * heat->n_columns + column;
    double value = heat->values[i], em = figure->sizes.em;
    Tip tip = {.n = 0};
    if (!isfinite(value))
        return;
    Rgb colour = ramp_amount((value - heat->range.lo) / (heat->range.hi - heat->range.lo));
    tip_add(&tip, "%s %zu, %s %zu\n", heat->row_label, row, heat->column_label, column + 1);
    tip_value(&tip, 2, " %", value, heat->sd ? heat->sd[i] : NAN, NAN);
    svg_rect_filled(&figure->marks, cell, colour, tip.text);
    if (cell.width < em * NUMBERS || cell.height < em * 1.4)
        return;
    svg_number(&figure->marks, colour_is_dark(colour) ? "m on-dark" : "m on-light",
               cell.x + cell.width / 2, cell.y + cell.height / 2 + em * 0.35, 1, value);
}

/* Numbers of rows or columns, as many as fit. */
static void draw_numbers(Figure *figure, const Heat *heat, Box inner, bool rows) {
    double em = figure->sizes.em;
    size_t n = rows ? heat->n_rows : heat->n_columns, first = rows ? 0 : 1;
    double pitch = (rows ? inner.height : inner.width) / (double)n;
    size_t every = 1;
    while ((double)every * pitch < em * (rows ? 1.3 : 2))
        every = every == 1 ? 5 : every * 2;
    for (size_t k = 0; k < n; k++) {
        size_t value = k + first;
        double at = pitch * ((double)k + 0.5);
        if (every > 1 && value % every != 0 && (first == 0 || value != 1))
            continue;
        if (rows)
            svg_number(&figure->marks, "muted e", inner.x - em * 0.6, inner.y + at + em * 0.35, 0,
                       (double)value);
        else
            svg_number(&figure->marks, "muted m", inner.x + at, inner.y + inner.height + em * 1.3,
                       0, (double)value);
    }
}

static void draw_ramp(Figure *figure, const Heat *heat, Box inner) {
    enum { STEPS = 32 };
    double em = figure->sizes.em, x = inner.x + inner.width + em * 1.1;
    double step = inner.height / STEPS;
    for (size_t k = 0; k < STEPS; k++)
        svg_rect_filled(&figure->marks,
                        (Box){x, inner.y + step * (double)(STEPS - 1 - k), em * 0.8, step * 1.04},
                        ramp_amount(((double)k + 0.5) / STEPS), NULL);
    Scale scale = {heat->range.lo, heat->range.hi, inner.y + inner.height, inner.y};
    Ticks ticks = ticks_in(heat->range, 4, false);
    for (size_t k = 0; k < ticks.n; k++)
        svg_number(&figure->marks, "muted", x + em * 1.2, scale_at(&scale, ticks.at[k]) + em * 0.35,
                   ticks.digits, ticks.at[k]);
}

static void draw_labels(Figure *figure, const Heat *heat, Box inner) {
    double em = figure->sizes.em, middle = inner.x + inner.width / 2;
    svg_text(&figure->marks, "muted m", middle, inner.y + inner.height + em * 2.6,
             heat->column_label);
    svg_text(&figure->marks, "muted", heat->box.x, inner.y - em * 0.6, heat->row_label);
}

void heat_draw(Figure *figure, const Heat *heat) {
    double em = figure->sizes.em;
    Box inner = {heat->box.x + em * LEFT, heat->box.y + em * TOP,
                 heat->box.width - em * (LEFT + RIGHT), heat->box.height - em * (TOP + BOTTOM)};
    double wide = inner.width / (double)heat->n_columns;
    double high = inner.height / (double)heat->n_rows;
    double gap = fmin(wide, high) > em ? em * 0.08 : 0;
    text_add(&figure->marks, "<g class=\"cells\">");
    for (size_t r = 0; r < heat->n_rows; r++)
        for (size_t c = 0; c < heat->n_columns; c++)
            draw_cell(figure, heat,
                      (Box){inner.x + wide * (double)c, inner.y + high * (double)r, wide - gap,
                            high - gap},
                      r, c);
    text_add(&figure->marks, "</g>\n");
    draw_numbers(figure, heat, inner, true);
    draw_numbers(figure, heat, inner, false);
    draw_labels(figure, heat, inner);
    draw_ramp(figure, heat, inner);
}
