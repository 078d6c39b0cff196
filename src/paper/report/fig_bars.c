/* fig_bars.c - the paper's bars and tables of final values: figures 4 and 5, tables 1 and 3. */
#include "report/figures/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_cell(Curves *curves, size_t s, size_t g, const tacos_cell *cell) {
    curves_set(curves, s, g, 0, cell_summary(cell));
    curves_set_paper(curves, s, g, cell ? cell->paper : NAN, cell ? cell->paper_sd : NAN);
}

static size_t paper_key(Figure *figure, const Curves *curves) {
    return curves_any_paper(curves) ? figure_key(figure, LEGEND_POINT, 0, "paper") : 0;
}

/* ---- MA of models on two data sets ---- */

static void fill_models(Curves *curves, const Part *part, const Models *named) {
    char section[80];
    for (size_t g = 0; g < named->n; g++) {
        for (size_t d = 0; d < curves->n; d++) {
            (void)snprintf(section, sizeof section, "%s %s", named->names[g], section_datasets[d]);
            const tacos_cell *cell = part_cell(part, section, "MA", LAST_TASK, 0);
            if (!cell && d == 0)
                cell = part_cell(part, named->names[g], "MA", LAST_TASK, 0);
            set_cell(curves, d, g, cell);
        }
        curves->names[g] = named->names[g];
    }
}

static tacos_status draw_models(Figure *figure, const Parts *parts, const char *name,
                                tacos_error *err) {
    static const char *const labels[DATASETS] = {"split-MNIST", "split-Fashion-MNIST"};
    const Part *part;
    Curves curves;
    TRY(parts_find(parts, name, &part, err));
    Sections sections = sections_of_cells(part);
    Models *named = calloc(1, sizeof *named);
    if (!named)
        return failure(err, TACOS_MEMORY, "no memory for a figure");
    sections_models(&sections, named);
    tacos_status status = curves_make(&curves, DATASETS, named->n, err);
    if (status == TACOS_OK) {
        for (size_t d = 0; d < DATASETS; d++)
            curves_series(&curves, d, figure_key(figure, LEGEND_BAR, (unsigned)d, labels[d]),
                          labels[d]);
        fill_models(&curves, part, named);
        figure->height = bars_horizontal_height(figure, named->n, DATASETS);
        Bars bars = {.box = figure_box(figure),
                     .label = "mean accuracy after the last task, %",
                     .unit = " %",
                     .digits = 2,
                     .horizontal = true,
                     .n_groups = named->n,
                     .groups = curves.names,
                     .n_series = DATASETS,
                     .series = curves.bar,
                     .paper_series = paper_key(figure, &curves)};
        bars_draw(figure, &bars);
        bars_table(figure, &bars, NULL, "model");
        curves_free(&curves);
        status = figure_check(figure, err);
    }
    free(named);
    return status;
}

tacos_status draw_paper_headline(Figure *figure, const Sizes *sizes, const Parts *parts,
                                 tacos_error *err) {
    figure_begin(figure, sizes, "headline", "Mean accuracy of every model");
    text_add(&figure->about, "Bars are these runs with one deviation over seeds, diamonds the "
                             "paper's table 1.");
    return draw_models(figure, parts, "headline", err);
}

tacos_status draw_paper_methods(Figure *figure, const Sizes *sizes, const Parts *parts,
                                tacos_error *err) {
    figure_begin(figure, sizes, "methods", "Every method under the same protocol");
    text_add(&figure->about, "One pass over the same streams. Bars are these runs with one "
                             "deviation over seeds, diamonds the paper's table 1.");
    return draw_models(figure, parts, "methods", err);
}

tacos_status draw_paper_rivals(Figure *figure, const Sizes *sizes, const Parts *parts,
                               tacos_error *err) {
    figure_begin(figure, sizes, "rivals", "The rivals as their sources ran them");
    text_add(&figure->about, "Bars are these runs, diamonds what the methods' own sources "
                             "published.");
    return draw_models(figure, parts, "rivals", err);
}

/* ---- sections as groups ---- */

tacos_status draw_paper_similarity(Figure *figure, const Sizes *sizes, const Parts *parts,
                                   tacos_error *err) {
    static const char *const labels[] = {"digit 0", "digit 1"};
    const Part *part;
    Curves curves;
    figure_begin(figure, sizes, "similarity", "How similar hidden activity stays");
    text_add(&figure->about,
             "Cosine of hidden activity for digits 0 and 1 after the first task and "
             "after the last; diamonds are the paper's table 3.");
    TRY(parts_find(parts, "similarity", &part, err));
    Sections sections = sections_of_cells(part);
    TRY(curves_make(&curves, 2, sections.n, err));
    for (size_t c = 0; c < 2; c++) {
        curves_series(&curves, c, figure_key(figure, LEGEND_LINE, (unsigned)c, labels[c]),
                      labels[c]);
        for (size_t g = 0; g < sections.n; g++)
            set_cell(&curves, c, g, part_cell(part, sections.names[g], "similarity", LAST_TASK, c));
    }
    figure->height = bars_horizontal_height(figure, sections.n, 2);
    Bars bars = {.box = figure_box(figure),
                 .label = "cosine similarity",
                 .unit = "",
                 .digits = 4,
                 .horizontal = true,
                 .dots = true,
                 .n_groups = sections.n,
                 .groups = sections.names,
                 .n_series = 2,
                 .series = curves.bar,
                 .paper_series = paper_key(figure, &curves)};
    bars_draw(figure, &bars);
    bars_table(figure, &bars, NULL, "model");
    curves_free(&curves);
    return figure_check(figure, err);
}

/* One layer's changes, in one half of the figure. */
static tacos_status draw_layer(Figure *figure, const Part *part, const Sections *sections,
                               size_t layer, tacos_error *err) {
    static const char *const metrics[] = {"change_since_first", "change_in_task"};
    static const char *const labels[] = {"since the first task", "in the last task"};
    static const char *const titles[] = {"inputs to hidden", "hidden to outputs"};
    Curves curves;
    TRY(curves_make(&curves, 2, sections->n, err));
    for (size_t s = 0; s < 2; s++) {
        curves_series(&curves, s, s, labels[s]);
        for (size_t g = 0; g < sections->n; g++)
            set_cell(&curves, s, g,
                     part_cell(part, sections->names[g], metrics[s], LAST_TASK, layer));
    }
    Box box = figure_box(figure);
    double half = box.width / 2, gap = figure->sizes.em;
    Bars bars = {.box = {box.x + half * (double)layer, box.y, half - gap, box.height},
                 .label = "mean |change of w|",
                 .title = titles[layer],
                 .unit = "",
                 .digits = 4,
                 .horizontal = true,
                 .n_groups = sections->n,
                 .groups = sections->names,
                 .n_series = 2,
                 .series = curves.bar};
    bars_draw(figure, &bars);
    bars_table(figure, &bars, titles[layer], "model");
    curves_free(&curves);
    return TACOS_OK;
}

tacos_status draw_paper_plasticity(Figure *figure, const Sizes *sizes, const Parts *parts,
                                   tacos_error *err) {
    const Part *part;
    figure_begin(figure, sizes, "plasticity", "How much the weights change");
    text_add(&figure->about,
             "Mean distance of the weights after the last task from those after the "
             "first, and from those before the last, by layer.");
    TRY(parts_find(parts, "plasticity", &part, err));
    Sections sections = sections_of_cells(part);
    (void)figure_key(figure, LEGEND_BAR, 0, "since the first task");
    (void)figure_key(figure, LEGEND_BAR, 1, "in the last task");
    figure_size(figure, true, 0.5);
    figure->height = bars_horizontal_height(figure, sections.n, 2) + figure->sizes.em;
    for (size_t layer = 0; layer < 2; layer++)
        TRY(draw_layer(figure, part, &sections, layer, err));
    return figure_check(figure, err);
}

/* ---- figure 5 ---- */

tacos_status draw_paper_reduced(Figure *figure, const Sizes *sizes, const Parts *parts,
                                tacos_error *err) {
    static const char *const samples[] = {"200", "400", "800", "1600", "5000", "all"};
    static const char *const kinds[] = {"scaled", "unscaled"};
    enum { N = sizeof samples / sizeof *samples };
    const Part *part;
    char section[64];
    Curves curves;
    figure_begin(figure, sizes, "reduced", "With fewer samples");
    text_add(&figure->about, "Mean accuracy after five tasks of so many samples each, with "
                             "metaplasticity and consolidation scaled to them or not.");
    TRY(parts_find(parts, "reduced", &part, err));
    TRY(curves_make(&curves, 2, N, err));
    for (size_t s = 0; s < 2; s++) {
        curves_series(&curves, s, figure_key(figure, LEGEND_BAR, (unsigned)s, kinds[s]), kinds[s]);
        for (size_t g = 0; g < N; g++) {
            (void)snprintf(section, sizeof section, "%s %s", samples[g], kinds[s]);
            const tacos_cell *cell = part_cell(part, section, "MA", LAST_TASK, 0);
            if (!cell && s == 0)
                cell = part_cell(part, samples[g], "MA", LAST_TASK, 0);
            set_cell(&curves, s, g, cell);
            (void)snprintf(curves.labels[g], sizeof curves.labels[g], "%s", samples[g]);
        }
    }
    Bars bars = {.box = figure_box(figure),
                 .label = "mean accuracy, %",
                 .unit = " %",
                 .digits = 2,
                 .n_groups = N,
                 .groups = curves.names,
                 .group_label = "training samples per task",
                 .n_series = 2,
                 .series = curves.bar};
    bars_draw(figure, &bars);
    bars_table(figure, &bars, NULL, "samples");
    curves_free(&curves);
    return figure_check(figure, err);
}
