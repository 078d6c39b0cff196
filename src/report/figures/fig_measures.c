/* fig_measures.c - what the key `measure` asked for: changes of weights, and of hidden activity. */
#include "report/charts/charts.h"
#include "report/figures/figures.h"
#include "report/input/trained.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CLASSES_SHOWN = 8 };

static tacos_status not_measured(const RunFolder *runs, const char *what, tacos_error *err) {
    return failure(err, TACOS_MISSING,
                   "%s does not tell %s; `tacos run ... --set measure=all` measures it",
                   runs->folder, what);
}

static tacos_status draw_layer(Figure *figure, const RunFolder *runs, size_t layer,
                               const size_t keys[2], Box box, const char *title, tacos_error *err) {
    static const char *const measures[] = {"change_in_task", "change_since_first"};
    static const char *const labels[] = {"within the task", "since the first task"};
    Curves curves;
    TRY(curves_make(&curves, 2, runs->n_tasks, err));
    for (size_t s = 0; s < 2; s++) {
        curves_series(&curves, s, keys[s], labels[s]);
        for (size_t k = 0; k < runs->n_tasks; k++)
            curves_set(&curves, s, k, (double)(k + 1),
                       runs_metric(runs, measures[s], k + 1, layer));
    }
    for (size_t k = 0; k < runs->n_tasks; k++)
        (void)snprintf(curves.words[k], sizeof curves.words[k], "%zu", k + 1);
    Bars bars = {.box = box,
                 .label = "mean |change of w|",
                 .title = title,
                 .unit = "",
                 .digits = 4,
                 .n_groups = runs->n_tasks,
                 .groups = curves.names,
                 .group_label = "task",
                 .n_series = 2,
                 .series = curves.bar};
    bars_draw(figure, &bars);
    bars_table(figure, &bars, title, "task");
    curves_free(&curves);
    return TACOS_OK;
}

tacos_status draw_change(Figure *figure, const Look *look, const RunFolder *runs,
                         tacos_error *err) {
    size_t n_layers = runs_parts(runs, "change_in_task");
    char title[96];
    figure_begin(figure, look, "plasticity", "How much the weights change");
    text_add(&figure->about, "The mean distance of a layer's weights from what they were before "
                             "the task, and after the first one.");
    if (n_layers == 0)
        return not_measured(runs, "how weights change", err);
    size_t keys[2] = {figure_key(figure, LEGEND_BAR, 0, "within the task"),
                      figure_key(figure, LEGEND_BAR, 1, "since the first task")};
    double panel = figure->height * 0.72;
    figure->height = panel * (double)n_layers;
    Box box = figure_box(figure);
    for (size_t layer = 0; layer < n_layers; layer++) {
        layer_name(title, sizeof title, layer, n_layers, runs_number(runs, "expansion") > 0);
        TRY(draw_layer(
            figure, runs, layer, keys,
            (Box){box.x, box.y + panel * (double)layer, box.width, panel - figure->look.em * 0.8},
            title, err));
    }
    return figure_check(figure, err);
}

/* Why there is no similarity: nobody asked, or there was nothing to compare. */
static tacos_status not_similar(const RunFolder *runs, tacos_error *err) {
    const char *wish = runs_config(runs, "measure");
    if (!wish || (strcmp(wish, "all") != 0 && strcmp(wish, "activity") != 0))
        return not_measured(runs, "how hidden activity changes", err);
    if (runs->n_tasks == 1)
        return failure(err, TACOS_MISSING, "after one task there is nothing to compare");
    return failure(err, TACOS_MISSING,
                   "in %s the last hidden layer does not fire, or there is none", runs->folder);
}

tacos_status draw_similarity(Figure *figure, const Look *look, const RunFolder *runs,
                             tacos_error *err) {
    size_t n = runs_parts(runs, "similarity"), m = runs->n_tasks;
    char labels[CLASSES_SHOWN][48];
    Curves curves;
    figure_begin(figure, look, "similarity", "How alike hidden activity stays");
    text_add(&figure->about,
             "Cosine between the mean activity of the last hidden layer for a class "
             "of the first task, after that task and after each later one.");
    if (n == 0)
        return not_similar(runs, err);
    figure_size(figure, false, 0.8);
    n = n < CLASSES_SHOWN ? n : CLASSES_SHOWN;
    TRY(curves_make(&curves, n, m, err));
    for (size_t c = 0; c < n; c++) {
        (void)snprintf(labels[c], sizeof labels[c], "class of output %zu", c);
        curves_series(&curves, c, figure_key(figure, LEGEND_LINE, (unsigned)c, labels[c]),
                      labels[c]);
        for (size_t k = 1; k <= m; k++) {
            curves_set(&curves, c, k - 1, (double)k, runs_metric(runs, "similarity", k, c));
            curves_set_paper(&curves, c, k - 1, runs_paper(runs, "similarity", k, c), NAN);
        }
    }
    return curves_draw_tasks(&curves, figure, "cosine similarity", (Lines){.unit = "", .digits = 4},
                             err);
}
