/* fig_metrics.c - metrics and measures of one run after each task, with the paper's values. */
#include "report/figures/figures.h"
#include "report/input/saved_network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void curves_set_metric(Curves *curves, size_t s, const RunFolder *runs, const char *metric,
                       size_t part) {
    for (size_t k = 1; k <= curves->m; k++) {
        curves_set(curves, s, k - 1, (double)k, runs_metric(runs, metric, k, part));
        curves_set_paper(curves, s, k - 1, runs_paper(runs, metric, k, part).value, NAN);
    }
}

void curves_set_last(Curves *curves, size_t s, size_t i, const RunFolder *runs,
                     const char *metric) {
    size_t after = strcmp(metric, "MO") == 0 ? 0 : runs->n_tasks; /* MO is of the whole run */
    curves_set(curves, s, i, 0, runs_metric(runs, metric, 0, 0));
    tacos_paper_number paper = runs_paper(runs, metric, after, 0);
    curves_set_paper(curves, s, i, paper.value, paper.sd);
}

/* ---- metrics ---- */

typedef struct Shown {
    const char *metric, *label;
} Shown;

/* Draw some metrics as lines over the tasks learned. */
static tacos_status draw(Figure *figure, const RunFolder *runs, const Shown *shown, size_t n,
                         const char *y_label, bool zero, tacos_error *err) {
    Curves curves;
    TRY(curves_make(&curves, n, runs->n_tasks, err));
    for (size_t s = 0; s < n; s++) {
        curves_series(&curves, s, figure_key(figure, LEGEND_LINE, (unsigned)s, shown[s].label),
                      shown[s].label);
        curves_set_metric(&curves, s, runs, shown[s].metric, 0);
    }
    Lines style = {.unit = " %",
                   .digits = 2,
                   .percent = !zero,
                   .zero = zero,
                   .chance = zero ? 0 : runs_chance(runs)};
    return curves_draw_tasks(&curves, figure, y_label, style, err);
}

tacos_status draw_means(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                        tacos_error *err) {
    static const Shown shown[] = {{"MA", "MA, all tasks so far"}, {"A", "A, the newest task"}};
    figure_begin(figure, sizes, "means", "Mean accuracy, and accuracy on the newest task");
    text_add(&figure->about, "MA is the mean over the tasks learned so far, A the accuracy on the "
                             "one just learned.");
    return draw(figure, runs, shown, 2, "accuracy, %", false, err);
}

tacos_status draw_transfer(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                           tacos_error *err) {
    static const Shown shown[] = {{"BWT", "BWT"}, {"FWT", "FWT"}, {"forgetting", "forgetting"}};
    figure_begin(figure, sizes, "transfer", "Transfer and forgetting");
    text_add(
        &figure->about,
        "BWT is the change on earlier tasks since they were learned, FWT the gain on future "
        "tasks over the untrained network, forgetting the drop from the best accuracy so far.");
    return draw(figure, runs, shown, 3, "points", true, err);
}

tacos_status draw_beside(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                         tacos_error *err) {
    static const char *const metrics[] = {"MA", "A", "BWT"};
    enum { N = sizeof metrics / sizeof *metrics };
    size_t n = 0;
    Curves curves;
    figure_begin(figure, sizes, "beside", "After the last task, compared with the paper");
    text_add(&figure->about, "Bars are these runs with one standard deviation over seeds, diamonds "
                             "the paper's values for the same configuration.");
    if (isnan(runs_paper(runs, "MA", runs->n_tasks, 0).value))
        return failure(err, TACOS_MISSING, "the paper has no numbers for the configuration in %s",
                       runs->folder);
    TRY(curves_make(&curves, 1, N, err));
    curves_series(&curves, 0, figure_key(figure, LEGEND_BAR, 0, "here"), "here");
    for (size_t m = 0; m < N; m++)
        if (!isnan(runs_paper(runs, metrics[m], runs->n_tasks, 0).value)) {
            curves_set_last(&curves, 0, n, runs, metrics[m]);
            curves.names[n++] = metrics[m];
        }
    figure->height = bars_horizontal_height(figure, n, 1);
    Bars style = {.box = figure_box(figure),
                  .label = "% or points",
                  .unit = "",
                  .digits = 2,
                  .horizontal = true,
                  .n_groups = n,
                  .paper_series = figure_key(figure, LEGEND_POINT, 0, "paper")};
    curves_draw_bars(&curves, figure, style, NULL, "metric");
    return figure_check(figure, err);
}

/* ---- measures: what the key `measure` asked for ---- */

enum { CLASSES_SHOWN = 8 };

static tacos_status not_measured(const RunFolder *runs, const char *what, tacos_error *err) {
    return failure(err, TACOS_MISSING,
                   "%s does not record %s; `tacos run ... --set measure=all` measures it",
                   runs->folder, what);
}

static tacos_status draw_layer(Figure *figure, const RunFolder *runs, size_t layer, Box box,
                               const char *title, tacos_error *err) {
    static const char *const measures[] = {"change_in_task", "change_since_first"};
    Curves curves;
    TRY(curves_make(&curves, 2, runs->n_tasks, err));
    for (size_t s = 0; s < 2; s++) {
        curves_series(&curves, s, s, figure->keys[s].label);
        curves_set_metric(&curves, s, runs, measures[s], layer);
    }
    for (size_t k = 0; k < runs->n_tasks; k++)
        (void)snprintf(curves.labels[k], sizeof curves.labels[k], "%zu", k + 1);
    Bars style = {.box = box,
                  .label = "mean |change of w|",
                  .title = title,
                  .unit = "",
                  .digits = 4,
                  .group_label = "task"};
    curves_draw_bars(&curves, figure, style, title, "task");
    return TACOS_OK;
}

tacos_status draw_change(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                         tacos_error *err) {
    size_t n_layers = runs_parts(runs, "change_in_task");
    char title[96];
    figure_begin(figure, sizes, "plasticity", "How much the weights change");
    text_add(&figure->about, "The mean distance of a layer's weights from their values before the "
                             "task, and after the first one.");
    if (n_layers == 0)
        return not_measured(runs, "how weights change", err);
    (void)figure_key(figure, LEGEND_BAR, 0, "within the task");
    (void)figure_key(figure, LEGEND_BAR, 1, "since the first task");
    figure->height = figure->height * 0.72 * (double)n_layers;
    for (size_t layer = 0; layer < n_layers; layer++) {
        layer_name(title, sizeof title, layer, n_layers);
        TRY(draw_layer(figure, runs, layer, figure_row(figure, layer, n_layers), title, err));
    }
    return figure_check(figure, err);
}

/* Why there is no similarity: not measured, or nothing to compare. */
static tacos_status not_similar(const RunFolder *runs, tacos_error *err) {
    const char *wish = runs_config(runs, "measure");
    if (!wish || (strcmp(wish, "all") != 0 && strcmp(wish, "activity") != 0))
        return not_measured(runs, "how hidden activity changes", err);
    if (runs->n_tasks == 1)
        return failure(err, TACOS_MISSING, "after one task there is nothing to compare");
    return failure(err, TACOS_MISSING,
                   "in %s the last hidden layer does not fire, or there is none", runs->folder);
}

tacos_status draw_similarity(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                             tacos_error *err) {
    size_t n = runs_parts(runs, "similarity");
    char labels[CLASSES_SHOWN][48];
    Curves curves;
    figure_begin(figure, sizes, "similarity", "How similar hidden activity stays");
    text_add(&figure->about,
             "Cosine between the mean activity of the last hidden layer for a class "
             "of the first task, after that task and after each later one.");
    if (n == 0)
        return not_similar(runs, err);
    figure_size(figure, false, 0.8);
    n = n < CLASSES_SHOWN ? n : CLASSES_SHOWN;
    TRY(curves_make(&curves, n, runs->n_tasks, err));
    for (size_t c = 0; c < n; c++) {
        (void)snprintf(labels[c], sizeof labels[c], "class of output %zu", c);
        curves_series(&curves, c, figure_key(figure, LEGEND_LINE, (unsigned)c, labels[c]),
                      labels[c]);
        curves_set_metric(&curves, c, runs, "similarity", c);
    }
    Lines style = {.unit = "", .digits = 3, .not_negative = true}; /* no activity is negative */
    return curves_draw_tasks(&curves, figure, "cosine similarity", style, err);
}
