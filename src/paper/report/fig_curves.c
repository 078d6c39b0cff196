/* fig_curves.c - the paper's curves: figure 3, table 2, the supplement's orders, figure 6. */
#include "report/figures/figures.h"
#include "paper/report/sections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PANELS_MAX = 6 };

static void draw_panel(Figure *figure, const Curves *curves, const char *title, bool percent,
                       Range y, Box box, double rule, size_t paper_series) {
    Lines lines = {.axes = {.box = box,
                            .x = RANGE_EMPTY,
                            .y = y,
                            .whole_x = true,
                            .x_label = "tasks learned",
                            .left = figure->look.em * 2.9,
                            .title = title},
                   .unit = "",
                   .digits = 2,
                   .percent = percent,
                   .zero = !percent,
                   .n = curves->n,
                   .line = curves->line,
                   .rules = &rule,
                   .n_rules = isfinite(rule) ? 1 : 0,
                   .paper_series = paper_series};
    lines_draw(figure, &lines);
    lines_table(figure, &lines, title, "tasks_learned");
}

/* ---- metrics after each task: a panel each ---- */

typedef struct Panels {
    const char *part;
    size_t n;
    const char *metrics[PANELS_MAX], *titles[PANELS_MAX];
    size_t columns, rows;
} Panels;

static size_t last_task(const PartTable *table) {
    size_t last = 0;
    for (size_t i = 0; i < table->n; i++)
        if (table->cells[i].after_task > last)
            last = table->cells[i].after_task;
    return last;
}

static tacos_status draw_metric(Figure *figure, const PartTable *table, const Sections *sections,
                                const Panels *panels, size_t p, size_t paper, tacos_error *err) {
    size_t last = last_task(table);
    Curves curves;
    TRY(curves_make(&curves, sections->n, last, err));
    for (size_t s = 0; s < sections->n; s++) {
        curves_series(&curves, s, s, sections->names[s]);
        for (size_t k = 1; k <= last; k++) {
            const PartCell *cell = part_cell(table, sections->names[s], panels->metrics[p], k, 0);
            curves_set(&curves, s, k - 1, (double)k, part_summary(cell));
            curves_set_paper(&curves, s, k - 1, cell ? cell->paper : NAN, NAN);
        }
    }
    draw_panel(figure, &curves, panels->titles[p], panels->metrics[p][1] != 'W', RANGE_EMPTY,
               figure_panel(figure, p, panels->columns, panels->rows), NAN, paper);
    curves_free(&curves);
    return TACOS_OK;
}

static tacos_status draw_metrics(Figure *figure, const Parts *parts, const Panels *panels,
                                 tacos_error *err) {
    const PartTable *table;
    Sections sections = {0};
    TRY(parts_table(parts, panels->part, &table, err));
    sections.n = part_sections(table, sections.names);
    sections_add_keys(figure, &sections, LEGEND_LINE);
    size_t paper = figure_key(figure, LEGEND_POINT, 0, "paper");
    for (size_t p = 0; p < panels->n; p++)
        TRY(draw_metric(figure, table, &sections, panels, p, paper, err));
    return figure_check(figure, err);
}

tacos_status draw_paper_transfer(Figure *figure, const Look *look, const Parts *parts,
                                 tacos_error *err) {
    static const Panels panels = {
        .part = "transfer",
        .n = 4,
        .metrics = {"A", "MA", "BWT", "FWT"},
        .titles = {"A, %", "MA, %", "BWT, points", "FWT, points"},
        .columns = 2,
        .rows = 2,
    };
    figure_begin(figure, look, "transfer", "Accuracy and transfer after every task");
    text_add(&figure->about,
             "Lines are these runs, diamonds the paper's table 2. Dashed where m is "
             "fixed from the start.");
    figure_size(figure, true, 0.62);
    return draw_metrics(figure, parts, &panels, err);
}

tacos_status draw_paper_orders(Figure *figure, const Look *look, const Parts *parts,
                               tacos_error *err) {
    static const Panels panels = {
        .part = "orders",
        .n = 3,
        .metrics = {"MA", "BWT", "FWT"},
        .titles = {"MA, %", "BWT, points", "FWT, points"},
        .columns = 3,
        .rows = 1,
    };
    figure_begin(figure, look, "orders", "Five orders of the digits");
    text_add(&figure->about, "Lines are these runs, diamonds the paper's supplement.");
    figure_size(figure, true, 0.36);
    return draw_metrics(figure, parts, &panels, err);
}

/* ---- accuracies of single tasks ---- */

/* One number of every run: of a task, or a mean over tasks, at a moment. */
typedef struct Moment {
    const char *section;
    size_t after_task;
    size_t first_task, last_task; /* the mean over these */
} Moment;

/* Mean and deviation over seeds. Rows stand run by run, as they were written. */
static tacos_summary accuracy_at(const PartAccuracy *rows, size_t n, const Moment *moment) {
    Moments over = {0};
    for (size_t i = 0; i < n;) {
        double sum = 0;
        size_t count = 0, k = i;
        for (;
             k < n && rows[k].seed == rows[i].seed && strcmp(rows[k].section, rows[i].section) == 0;
             k++)
            if (rows[k].after_task == moment->after_task && rows[k].task >= moment->first_task &&
                rows[k].task <= moment->last_task) {
                sum += rows[k].accuracy;
                count++;
            }
        if (count > 0 && strcmp(rows[i].section, moment->section) == 0)
            moments_add(&over, sum / (double)count);
        i = k;
    }
    return moments_summary(&over);
}

static size_t count_tasks(const PartAccuracy *rows, size_t n) {
    size_t tasks = 0;
    for (size_t i = 0; i < n; i++)
        if (rows[i].task > tasks)
            tasks = rows[i].task;
    return tasks;
}

static Sections sections_of(const PartAccuracy *rows, size_t n) {
    Sections out = {0};
    for (size_t i = 0; i < n; i++) {
        size_t k = 0;
        while (k < out.n && strcmp(out.names[k], rows[i].section) != 0)
            k++;
        if (k == out.n && out.n < SECTIONS_MAX)
            out.names[out.n++] = rows[i].section;
    }
    return out;
}

/* What a panel shows at a moment. */
typedef enum Show { SHOW_TASK, SHOW_MEAN, SHOW_NEWEST } Show;

typedef struct AccuracyPanel {
    char title[64];
    Show show;
    size_t task; /* for SHOW_TASK */
    size_t from; /* the first moment: 0 is before learning */
} AccuracyPanel;

static tacos_status draw_accuracies(Figure *figure, const PartAccuracy *rows, size_t n,
                                    const Sections *sections, const AccuracyPanel *panel, Range y,
                                    Box box, tacos_error *err) {
    size_t n_tasks = count_tasks(rows, n);
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
            curves_set(&curves, s, k - panel->from, (double)k, accuracy_at(rows, n, &moment));
        }
    }
    draw_panel(figure, &curves, panel->title, true, y, box,
               panel->show == SHOW_TASK && panel->from == 0 ? (double)panel->task : NAN, 0);
    curves_free(&curves);
    return TACOS_OK;
}

tacos_status draw_paper_accuracy(Figure *figure, const Look *look, const Parts *parts,
                                 tacos_error *err) {
    PartAccuracy *rows;
    size_t n;
    figure_begin(figure, look, "accuracy", "Accuracy of each task over time");
    text_add(&figure->about, "Percent right before learning (0) and after each task; a dashed line "
                             "where the task is learned. Dashed curves: m fixed from the start.");
    figure_size(figure, true, 0.62);
    TRY(parts_accuracy(parts, "transfer", &rows, &n, err));
    Sections sections = sections_of(rows, n);
    size_t n_tasks = count_tasks(rows, n);
    tacos_status status = TACOS_OK;
    sections_add_keys(figure, &sections, LEGEND_LINE);
    for (size_t p = 0; p < PANELS_MAX && p <= n_tasks && status == TACOS_OK; p++) {
        AccuracyPanel panel = {.show = p < n_tasks ? SHOW_TASK : SHOW_MEAN,
                               .task = p + 1,
                               .from = p < n_tasks ? 0 : 1};
        (void)snprintf(panel.title, sizeof panel.title,
                       p < n_tasks ? "task %zu, %%" : "mean over tasks so far, %%", p + 1);
        status = draw_accuracies(figure, rows, n, &sections, &panel, (Range){0, 100},
                                 figure_panel(figure, p, 3, 2), err);
    }
    free(rows);
    return status == TACOS_OK ? figure_check(figure, err) : status;
}

tacos_status draw_paper_omniglot(Figure *figure, const Look *look, const Parts *parts,
                                 tacos_error *err) {
    static const AccuracyPanel panels[] = {
        {"mean over tasks so far, %", SHOW_MEAN, 0, 1},
        {"the newest task, %", SHOW_NEWEST, 0, 1},
        {"the first task, %", SHOW_TASK, 1, 1},
    };
    PartAccuracy *rows;
    size_t n;
    figure_begin(figure, look, "omniglot", "Fifty tasks of five Omniglot characters");
    text_add(&figure->about,
             "Accuracy over all tasks so far, on the newest and on the first; bands "
             "are one deviation over seeds. Guessing gives 20 %.");
    figure_size(figure, false, 1.35);
    TRY(parts_accuracy(parts, "omniglot", &rows, &n, err));
    Sections sections = sections_of(rows, n);
    tacos_status status = TACOS_OK;
    sections_add_keys(figure, &sections, LEGEND_LINE);
    for (size_t p = 0; p < 3 && status == TACOS_OK; p++)
        status = draw_accuracies(figure, rows, n, &sections, &panels[p], RANGE_EMPTY,
                                 figure_panel(figure, p, 1, 3), err);
    free(rows);
    return status == TACOS_OK ? figure_check(figure, err) : status;
}
