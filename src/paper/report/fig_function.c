/* fig_function.c - figure 2: what is left of a synapse's plasticity, by its weight, for several m.
 */
#include "report/charts/charts.h"
#include "report/figures/figures.h"

#include <math.h>
#include <stdio.h>

enum { CURVES_MAX = 16 };

/* The different m, in order. */
static size_t find_ms(const Parts *parts, double ms[CURVES_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < parts->n_function; i++) {
        size_t k = 0;
        while (k < n && ms[k] != parts->function[i].m)
            k++;
        if (k == n && n < CURVES_MAX)
            ms[n++] = parts->function[i].m;
    }
    return n;
}

static void fill(Curves *curves, const Parts *parts, const double *ms) {
    for (size_t s = 0; s < curves->n; s++)
        for (size_t i = 0, k = 0; i < parts->n_function; i++)
            if (parts->function[i].m == ms[s] && k < curves->m)
                curves_set(curves, s, k++, parts->function[i].w,
                           (tacos_summary){1, parts->function[i].plasticity, 0});
}

tacos_status draw_paper_function(Figure *figure, const Look *look, const Parts *parts,
                                 tacos_error *err) {
    double ms[CURVES_MAX] = {0};
    char labels[CURVES_MAX][48];
    Curves curves;
    figure_begin(figure, look, "function", "Plasticity as a function of the weight");
    text_add(&figure->about, "exp(-|m w|), what is left of a synapse's plasticity, for several "
                             "metaplastic states m.");
    size_t n = find_ms(parts, ms);
    if (n == 0)
        return failure(err, TACOS_MISSING,
                       "%s has no function.csv; `tacos reproduce function --out %s` makes it",
                       parts->folder, parts->folder);
    TRY(curves_make(&curves, n, parts->n_function, err));
    for (size_t s = 0; s < n; s++) {
        (void)snprintf(labels[s], sizeof labels[s], "m = %g", ms[s]);
        curves_series(&curves, s, figure_key(figure, LEGEND_LINE, (unsigned)s, labels[s]),
                      labels[s]);
    }
    fill(&curves, parts, ms);
    Lines lines = {.axes = {.box = figure_box(figure),
                            .x = RANGE_EMPTY,
                            .y = {0, 1},
                            .x_label = "weight w",
                            .y_label = "plasticity"},
                   .unit = "",
                   .digits = 4,
                   .smooth = true,
                   .n = n,
                   .line = curves.line};
    for (size_t s = 0; s < n; s++) /* each has only its own points */
        while (curves.line[s].n > 0 && isnan(curves.line[s].y[curves.line[s].n - 1]))
            curves.line[s].n--;
    lines_draw(figure, &lines);
    lines_table(figure, &lines, NULL, "w");
    curves_free(&curves);
    return figure_check(figure, err);
}
