/* heat.c - a heat map: cells, their numbers, and the scale of colours beside them. */
#include "report/charts/charts.h"

#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double TOP = 1.7, BOTTOM = 3.1, LEFT = 4.4, RIGHT = 4.6; /* em */

/* A cell is wide enough for "100.0". */
static const double NUMBERS = 2.9;

/* ---- names ---- */

static const double NAME_MAX_EMS = 9;
enum { NAME_SIZE = 160 };

/* As much of a name as fits. */
static void shorten(char out[NAME_SIZE], const char *name) {
    size_t n = 0;
    out[0] = '\0';
    while (name[n]) {
        size_t more = utf8_length((const unsigned char *)name + n);
        more = more > 0 ? more : 1;
        if (n + more + 4 > NAME_SIZE || svg_text_width(out) > NAME_MAX_EMS) {
            strcpy(out + n, "\xe2\x80\xa6");
            return;
        }
        memcpy(out + n, name + n, more);
        n += more;
        out[n] = '\0';
    }
}

/* The width left of the cells, in em. */
static double left_of(const Heat *heat) {
    double width = 0;
    char name[NAME_SIZE];
    for (size_t r = 0; heat->row_names && r < heat->n_rows; r++) {
        shorten(name, heat->row_names[r]);
        width = fmax(width, svg_text_width(name));
    }
    return heat->row_names ? fmax(width + 3.2, LEFT) : LEFT;
}

static bool column_fits(const Heat *heat, size_t column, double ems) {
    return heat->column_names && svg_text_width(heat->column_names[column]) < ems;
}

static bool all_columns_fit(const Heat *heat, double ems) {
    for (size_t c = 0; c < heat->n_columns; c++)
        if (!column_fits(heat, c, ems))
            return false;
    return true;
}

static void draw_names(Figure *figure, const Heat *heat, Box inner) {
    double em = figure->sizes.em, wide = inner.width / (double)heat->n_columns;
    double high = inner.height / (double)heat->n_rows;
    bool fits = all_columns_fit(heat, wide / em);
    char name[NAME_SIZE], words[NAME_SIZE + 24];
    for (size_t r = 0; r < heat->n_rows; r++) {
        shorten(name, heat->row_names[r]);
        (void)snprintf(words, sizeof words, "%zu  %s", r + 1 - heat->first_row, name);
        svg_text(&figure->marks, "muted e", inner.x - em * 0.6,
                 inner.y + high * ((double)r + 0.5) + em * 0.35,
                 fits || r < heat->first_row ? name : words);
    }
    for (size_t c = 0; c < heat->n_columns; c++) {
        (void)snprintf(words, sizeof words, "%zu", c + 1);
        svg_text(&figure->marks, "muted m", inner.x + wide * ((double)c + 0.5),
                 inner.y + inner.height + em * 1.3,
                 column_fits(heat, c, wide / em) ? heat->column_names[c] : words);
    }
}

static double top_of(const Heat *heat) {
    return heat->title ? TOP + 1.5 : TOP;
}

double heat_height_at(const Figure *figure, const Heat *heat, double width) {
    double em = figure->sizes.em;
    double cell = (width - em * (left_of(heat) + RIGHT)) / (double)heat->n_columns;
    return em * (top_of(heat) + BOTTOM) + (double)heat->n_rows * fmin(cell, em * 3.4);
}

double heat_height(const Figure *figure, const Heat *heat) {
    return heat_height_at(figure, heat, figure_box(figure).width);
}

/* ---- cells ---- */

static void tip_cell(Tip *tip, const Heat *heat, size_t row, size_t column) {
    if (heat->row_names)
        tip_add(tip, "%s %s, %s %s\n", heat->row_label, heat->row_names[row], heat->column_label,
                heat->column_names[column]);
    else
        tip_add(tip, "%s %zu, %s %zu\n", heat->row_label, row, heat->column_label, column + 1);
}

static void draw_cell(Figure *figure, const Heat *heat, Box cell, size_t row, size_t column) {
    size_t i = row * heat->n_columns + column;
    double value = heat->values[i], em = figure->sizes.em;
    Tip tip = {.n = 0};
    if (!isfinite(value))
        return;
    double amount = (value - heat->range.lo) / (heat->range.hi - heat->range.lo);
    bool dark = colour_is_dark(ramp_amount(amount));
    bool bright = !colour_is_dark(ramp_amount_dark(round(100 * amount) / 100));
    char class[24];
    tip_cell(&tip, heat, row, column);
    tip_value(&tip, 2, " %", value, heat->sd ? heat->sd[i] : NAN, NAN);
    svg_rect_shaded(&figure->marks, cell, amount, tip.text);
    if (cell.width < em * NUMBERS || cell.height < em * 1.4)
        return;
    (void)snprintf(class, sizeof class, "m %s %s", dark ? "on-dark" : "on-light",
                   bright ? "qb" : "qd");
    svg_number(&figure->marks, class, cell.x + cell.width / 2, cell.y + cell.height / 2 + em * 0.35,
               1, value);
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
        svg_rect_shaded(&figure->marks,
                        (Box){x, inner.y + step * (double)(STEPS - 1 - k), em * 0.8, step * 1.04},
                        ((double)k + 0.5) / STEPS, NULL);
    Scale scale = {heat->range.lo, heat->range.hi, inner.y + inner.height, inner.y};
    Ticks ticks = ticks_in(heat->range, 4, false);
    for (size_t k = 0; k < ticks.n; k++)
        svg_number(&figure->marks, "muted", x + em * 1.2, scale_at(&scale, ticks.at[k]) + em * 0.35,
                   ticks.digits, ticks.at[k]);
}

static void draw_labels(Figure *figure, const Heat *heat, Box inner) {
    double em = figure->sizes.em, middle = inner.x + inner.width / 2;
    if (heat->title)
        svg_text(&figure->marks, "strong m", middle, heat->box.y + em * 1.1, heat->title);
    svg_text(&figure->marks, "muted m", middle, inner.y + inner.height + em * 2.6,
             heat->column_label);
    svg_text(&figure->marks, "muted", heat->box.x, inner.y - em * 0.6, heat->row_label);
}

void heat_draw(Figure *figure, const Heat *heat) {
    double em = figure->sizes.em, left = left_of(heat);
    double top = top_of(heat);
    Box inner = {heat->box.x + em * left, heat->box.y + em * top,
                 heat->box.width - em * (left + RIGHT), heat->box.height - em * (top + BOTTOM)};
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
    if (heat->row_names) {
        draw_names(figure, heat, inner);
    } else {
        draw_numbers(figure, heat, inner, true);
        draw_numbers(figure, heat, inner, false);
    }
    draw_labels(figure, heat, inner);
    draw_ramp(figure, heat, inner);
}
