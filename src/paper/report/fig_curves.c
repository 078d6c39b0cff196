/* fig_curves.c - the paper's curves: figures 2, 3 and 6, table 2, the supplement's orders. */
#include "report/figures/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PANELS_MAX = 6 };

typedef struct PanelStyle {
    const char *title;
    bool percent; /* else points around zero */
    Range y;
    double rule; /* a vertical line here, unless NaN */
    size_t paper_series;
} PanelStyle;

static void draw_panel(Figure *figure, const Curves *curves, const PanelStyle *style, Box box) {
    Lines lines = {.axes = {.box = box,
                            .x = RANGE_EMPTY,
                            .y = style->y,
                            .whole_x = true,
                            .x_label = "tasks learned",
                            .left = figure->sizes.em * 2.9,
                            .title = style->title},
                   .unit = "",
                   .digits = 2,
                   .percent = style->percent,
                   .zero = !style->percent,
                   .n = curves->n,
                   .line = curves->line,
                   .rules = &style->rule,
                   .n_rules = isfinite(style->rule) ? 1 : 0,
                   .paper_series = style->paper_series};
    lines_draw(figure, &lines);
    lines_table(figure, &lines, style->title, "tasks_learned");
}

/* ---- figure 2: a synapse's remaining plasticity by its weight, for several m ---- */

tacos_status draw_paper_function(Figure *figure, const Sizes *sizes, const Parts *parts,
                                 tacos_error *err) {
    enum { N = TACOS_PAPER_CURVES };
    char labels[N][48];
    tacos_paper_point point;
    Curves curves;
    figure_begin(figure, sizes, "function", "Plasticity as a function of the weight");
    text_add(&figure->about, "exp(-|m w|), what is left of a synapse's plasticity, for several "
                             "metaplastic states m.");
    if (!parts->function)
        return parts_missing(parts, "function", err);
    TRY(curves_make(&curves, N, TACOS_PAPER_WEIGHTS, err));
    for (size_t i = 0; tacos_paper_function(i, &point); i++) {
        size_t s = i % N;
        if (i < N) {
            (void)snprintf(labels[s], sizeof labels[s], "m = %g", point.m);
            curves_series(&curves, s, figure_key(figure, LEGEND_LINE, (unsigned)s, labels[s]),
                          labels[s]);
        }
        curves_set(&curves, s, i / N, point.w, (tacos_summary){1, point.plasticity, 0});
    }
    Lines lines = {.axes = {.box = figure_box(figure),
                            .x = RANGE_EMPTY,
                            .y = {0, 1},
                            .x_label = "weight w",
                            .y_label = "plasticity"},
                   .unit = "",
                   .digits = 4,
                   .smooth = true,
                   .n = N,
                   .line = curves.line};
    lines_draw(figure, &lines);
    lines_table(figure, &lines, NULL, "w");
    curves_free(&curves);
    return figure_check(figure, err);
}

/* ---- metrics after each task: one panel per metric ---- */

typedef struct Panels {
    const char *part;
    size_t n;
    const char *metrics[PANELS_MAX], *titles[PANELS_MAX];
    size_t columns, rows;
} Panels;

static size_t last_task(const Part *part) {
    const tacos_cell *cell;
    size_t last = 0;
    for (size_t i = 0; (cell = part_number(part, i)); i++)
        if (cell->after_task > last)
            last = cell->after_task;
    return last;
}

static tacos_status draw_metric(Figure *figure, const Part *part, const Sections *sections,
                                const Panels *panels, size_t p, size_t paper, tacos_error *err) {
    size_t last = last_task(part);
    Curves curves;
    TRY(curves_make(&curves, sections->n, last, err));
    for (size_t s = 0; s < sections->n; s++) {
        curves_series(&curves, s, s, sections->names[s]);
        for (size_t k = 1; k <= last; k++) {
            const tacos_cell *cell =
                part_cell(part, sections->names[s], panels->metrics[p], (int)k, 0);
            curves_set(&curves, s, k - 1, (double)k, cell_summary(cell));
            curves_set_paper(&curves, s, k - 1, cell ? cell->paper : NAN, NAN);
        }
    }
    PanelStyle style = {.title = panels->titles[p],
                        .percent = panels->metrics[p][1] != 'W',
                        .y = RANGE_EMPTY,
                        .rule = NAN,
                        .paper_series = paper};
    draw_panel(figure, &curves, &style, figure_panel(figure, p, panels->columns, panels->rows));
    curves_free(&curves);
    return TACOS_OK;
}

static tacos_status draw_metrics(Figure *figure, const Parts *parts, const Panels *panels,
                                 tacos_error *err) {
    const Part *part;
    TRY(parts_find(parts, panels->part, &part, err));
    Sections sections = sections_of_cells(part);
    sections_add_keys(figure, &sections, LEGEND_LINE);
    size_t paper = figure_key(figure, LEGEND_POINT, 0, "paper");
    for (size_t p = 0; p < panels->n; p++)
        TRY(draw_metric(figure, part, &sections, panels, p, paper, err));
    return figure_check(figure, err);
}

tacos_status draw_paper_transfer(Figure *figure, const Sizes *sizes, const Parts *parts,
                                 tacos_error *err) {
    static const Panels panels = {
        .part = "transfer",
        .n = 4,
        .metrics = {"A", "MA", "BWT", "FWT"},
        .titles = {"A, %", "MA, %", "BWT, points", "FWT, points"},
        .columns = 2,
        .rows = 2,
    };
    figure_begin(figure, sizes, "transfer", "Accuracy and transfer after every task");
    text_add(&figure->about,
             "Lines are these runs, diamonds the paper's table 2. Dashed where m is "
             "fixed from the start.");
    figure_size(figure, true, 0.62);
    return draw_metrics(figure, parts, &panels, err);
}

tacos_status draw_paper_orders(Figure *figure, const Sizes *sizes, const Parts *parts,
                               tacos_error *err) {
    static const Panels panels = {
        .part = "orders",
        .n = 3,
        .metrics = {"MA", "BWT", "FWT"},
        .titles = {"MA, %", "BWT, points", "FWT, points"},
        .columns = 3,
        .rows = 1,
    };
    figure_begin(figure, sizes, "orders", "Five orders of the digits");
    text_add(&figure->about, "Lines are these runs, diamonds the paper's supplement.");
    figure_size(figure, true, 0.36);
    return draw_metrics(figure, parts, &panels, err);
}

/* ---- accuracies of individual tasks ---- */

/* One number per run: the mean over some tasks at a moment. */
typedef struct Moment {
    const char *section;
    size_t after_task;            /* 0: before learning */
    size_t first_task, last_task; /* from 1 */
} Moment;

/* Mean and deviation over seeds. */
static tacos_summary accuracy_at(const Part *part, const Moment *moment) {
    Moments over = {0};
    const tacos_run *run;
    const char *section;
    for (size_t i = 0; (run = tacos_reproduction_run(part->numbers, i, &section)); i++) {
        size_t k = moment->after_task, last = moment->last_task;
        last = last < run->n_tasks ? last : run->n_tasks;
        if (strcmp(section, moment->section) != 0 || k > run->n_tasks || last < moment->first_task)
            continue;
        const double *accuracy = k == 0 ? run->b : run->R + (k - 1) * run->n_tasks;
        double sum = 0;
        for (size_t t = moment->first_task; t <= last; t++)
            sum += accuracy[t - 1];
        moments_add(&over, sum / (double)(last - moment->first_task + 1));
    }
    return moments_summary(&over);
}

static size_t count_tasks(const Part *part) {
    const tacos_run *run;
    const char *section;
    size_t n_tasks = 0;
    for (size_t i = 0; (run = tacos_reproduction_run(part->numbers, i, &section)); i++)
        n_tasks = run->n_tasks > n_tasks ? run->n_tasks : n_tasks;
    return n_tasks;
}

/* A part that has runs. */
static tacos_status find_runs(const Parts *parts, const char *name, const Part **out,
                              tacos_error *err) {
    TRY(parts_find(parts, name, out, err));
    return count_tasks(*out) > 0
               ? TACOS_OK
               : failure(err, TACOS_MISSING, "%s has no runs of %s", parts->folder, name);
}

/* What a panel plots at each moment. */
typedef enum Show { SHOW_TASK, SHOW_MEAN, SHOW_NEWEST } Show;

typedef struct AccuracyPanel {
    char title[64];
    Show show;
    size_t task; /* for SHOW_TASK */
    size_t from; /* the first moment: 0 is before learning */
} AccuracyPanel;

static tacos_status draw_accuracies(Figure *figure, const Part *part, const Sections *sections,
                                    const AccuracyPanel *panel, Range y, Box box,
                                    tacos_error *err) {
    size_t n_tasks = count_tasks(part);
    Curves curves;
    TRY(curves_make(&curves, sections->n, n_tasks + 1 - panel->from, err));
    for (size_t s = 0; s < sections->n; s++) {
        curves_series(&curves, s, s, sections->names[s]);
        for (size_t k = panel->from; k <= n_tasks; k++) {
            Moment moment = {.section = sections->names[s],
                             .after_task = k,
                             .first_task = panel->show == SHOW_TASK     ? panel->task
                                           : panel->show == SHOW_NEWEST ? k
                                                                        : 1,
                             .last_task = panel->show == SHOW_TASK ? panel->task : k};
            curves_set(&curves, s, k - panel->from, (double)k, accuracy_at(part, &moment));
        }
    }
    bool marked = panel->show == SHOW_TASK && panel->from == 0;
    PanelStyle style = {
        .title = panel->title, .percent = true, .y = y, .rule = marked ? (double)panel->task : NAN};
    draw_panel(figure, &curves, &style, box);
    curves_free(&curves);
    return TACOS_OK;
}

tacos_status draw_paper_accuracy(Figure *figure, const Sizes *sizes, const Parts *parts,
                                 tacos_error *err) {
    const Part *part;
    figure_begin(figure, sizes, "accuracy", "Accuracy of each task over time");
    text_add(&figure->about, "Percent right before learning (0) and after each task; a dashed line "
                             "where the task is learned. Dashed curves: m fixed from the start.");
    figure_size(figure, true, 0.62);
    TRY(find_runs(parts, "transfer", &part, err));
    Sections sections = sections_of_runs(part);
    size_t n_tasks = count_tasks(part);
    sections_add_keys(figure, &sections, LEGEND_LINE);
    for (size_t p = 0; p < PANELS_MAX && p <= n_tasks; p++) {
        AccuracyPanel panel = {.show = p < n_tasks ? SHOW_TASK : SHOW_MEAN,
                               .task = p + 1,
                               .from = p < n_tasks ? 0 : 1};
        (void)snprintf(panel.title, sizeof panel.title,
                       p < n_tasks ? "task %zu, %%" : "mean over tasks so far, %%", p + 1);
        TRY(draw_accuracies(figure, part, &sections, &panel, (Range){0, 100},
                            figure_panel(figure, p, 3, 2), err));
    }
    return figure_check(figure, err);
}

tacos_status draw_paper_omniglot(Figure *figure, const Sizes *sizes, const Parts *parts,
                                 tacos_error *err) {
    static const AccuracyPanel panels[] = {
        {"mean over tasks so far, %", SHOW_MEAN, 0, 1},
        {"the newest task, %", SHOW_NEWEST, 0, 1},
        {"the first task, %", SHOW_TASK, 1, 1},
    };
    const Part *part;
    figure_begin(figure, sizes, "omniglot", "Fifty tasks of five Omniglot characters");
    text_add(&figure->about,
             "Accuracy over all tasks so far, on the newest and on the first; bands "
             "are one deviation over seeds. Guessing gives 20 %.");
    figure_size(figure, false, 1.35);
    TRY(find_runs(parts, "omniglot", &part, err));
    Sections sections = sections_of_runs(part);
    sections_add_keys(figure, &sections, LEGEND_LINE);
    for (size_t p = 0; p < 3; p++)
        TRY(draw_accuracies(figure, part, &sections, &panels[p], RANGE_EMPTY,
                            figure_panel(figure, p, 1, 3), err));
    return figure_check(figure, err);
}
