/* histogram.c - distributions as step curves over a logarithmic axis. */
#include "report/charts/charts.h"

#include "report/charts/text.h"

#include <math.h>

/* ---- counting ---- */

void counting_take(Counting *counting, double value) {
    double place = (value - counting->lo) / (counting->hi - counting->lo) * HISTOGRAM_BINS;
    size_t bin = place > 0 ? (size_t)fmin(place, HISTOGRAM_BINS - 1) : 0;
    counting->bin[bin]++;
    counting->n++;
}

/* ---- drawing ---- */

static double percent(const Counting *counting, size_t bin) {
    return counting->n ? 100 * (double)counting->bin[bin] / (double)counting->n : 0;
}

static double bin_edge(const Counting *counting, size_t bin) {
    return counting->lo + (counting->hi - counting->lo) * (double)bin / HISTOGRAM_BINS;
}

/* The decade below the rarest bin that is not empty; at most six decades are shown. */
static double lowest(const Histogram *histogram) {
    double least = 100;
    for (size_t k = 0; k < histogram->n; k++)
        for (size_t b = 0; b < HISTOGRAM_BINS; b++)
            if (histogram->counting[k].bin[b] > 0)
                least = fmin(least, percent(&histogram->counting[k], b));
    return fmax(floor(log10(least) - 1e-9), -4);
}

static void draw_steps(Figure *figure, const Plane *plane, const Counting *counting, bool area) {
    double bottom = plane->inner.y + plane->inner.height;
    svg_path_begin(&figure->marks, area ? "area" : "line thin");
    for (size_t b = 0; b < HISTOGRAM_BINS; b++) {
        double value = percent(counting, b);
        double y = value > 0 ? fmin(scale_at(&plane->y, log10(value)), bottom) : bottom;
        if (b == 0 && area)
            svg_path_to(&figure->marks, true, plane->inner.x, bottom);
        svg_path_to(&figure->marks, b == 0 && !area, scale_at(&plane->x, bin_edge(counting, b)), y);
        svg_path_to(&figure->marks, false, scale_at(&plane->x, bin_edge(counting, b + 1)), y);
    }
    if (area) {
        svg_path_to(&figure->marks, false, plane->inner.x + plane->inner.width, bottom);
        text_add(&figure->marks, "z");
    }
    svg_path_end(&figure->marks, NULL);
}

/* An invisible bar over each bin has a tooltip for all kinds of values. */
static void draw_tips(Figure *figure, const Plane *plane, const Histogram *histogram) {
    const Counting *first = &histogram->counting[0];
    for (size_t b = 0; b < HISTOGRAM_BINS; b++) {
        double from = bin_edge(first, b), to = bin_edge(first, b + 1);
        double x = scale_at(&plane->x, from);
        Tip tip = {.n = 0};
        tip_add(&tip, "%.3g to %.3g", from, to);
        for (size_t k = 0; k < histogram->n; k++)
            tip_add(&tip, "\n%s: %.3g %%", histogram->labels[k],
                    percent(&histogram->counting[k], b));
        svg_rect(&figure->marks, "hit",
                 (Box){x, plane->inner.y, scale_at(&plane->x, to) - x, plane->inner.height},
                 tip.text);
    }
}

void histogram_draw(Figure *figure, const Histogram *histogram) {
    Axes axes = {.box = histogram->box,
                 .x = {histogram->counting[0].lo, histogram->counting[0].hi},
                 .y = {lowest(histogram), 2},
                 .log_y = true,
                 .x_label = histogram->x_label,
                 .y_label = "% of synapses",
                 .title = histogram->title};
    Plane plane = axes_draw(figure, &axes);
    for (size_t k = 0; k < histogram->n; k++) {
        figure_series(figure, histogram->series[k]);
        draw_steps(figure, &plane, &histogram->counting[k], true);
        draw_steps(figure, &plane, &histogram->counting[k], false);
        figure_series_end(figure);
    }
    draw_tips(figure, &plane, histogram);
}

void histogram_table(Figure *figure, const Histogram *histogram, const char *panel) {
    static const char *const head[] = {"layer", "value", "from", "to", "count", NULL};
    if (figure->csv.n == 0)
        csv_head(&figure->csv, head);
    for (size_t k = 0; k < histogram->n; k++)
        for (size_t b = 0; b < HISTOGRAM_BINS; b++) {
            const Counting *counting = &histogram->counting[k];
            csv_word(&figure->csv, panel);
            csv_word(&figure->csv, histogram->labels[k]);
            csv_real(&figure->csv, bin_edge(counting, b));
            csv_real(&figure->csv, bin_edge(counting, b + 1));
            csv_whole(&figure->csv, counting->bin[b]);
            csv_end(&figure->csv);
        }
}
