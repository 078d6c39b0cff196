/* fig_confusion.c - what every class was taken for, and how often it was right, after every task.
 */
#include "report/figures/figures.h"
#include "report/input/answers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* MOMENTS_SHOWN: of more tasks an even selection; CLASSES_SHOWN: of more the first. */
enum { MOMENTS_SHOWN = 13, CLASSES_SHOWN = 20, TITLE_SIZE = TASK_NAME_SIZE + 16 };

static void name_moment(char out[TITLE_SIZE], const RunFolder *runs, size_t moment) {
    if (moment == 0)
        (void)snprintf(out, TITLE_SIZE, "before learning");
    else
        (void)snprintf(out, TITLE_SIZE, "after %s", runs->tasks[moment - 1]);
}

/* ---- confusion ---- */

/* The storage behind a heat map. */
typedef struct Cells {
    size_t n_rows, n_columns;
    double *values;
    const char **names; /* of rows, then of columns */
} Cells;

static tacos_status cells_make(Cells *out, size_t n_rows, size_t n_columns, tacos_error *err) {
    *out = (Cells){.n_rows = n_rows,
                   .n_columns = n_columns,
                   .values = calloc(n_rows * n_columns, sizeof *out->values),
                   .names = calloc(n_rows + n_columns, sizeof *out->names)};
    if (out->values && out->names)
        return TACOS_OK;
    free(out->values);
    free(out->names);
    return failure(err, TACOS_MEMORY, "no memory for a figure");
}

static void cells_free(Cells *cells) {
    free(cells->values);
    free(cells->names);
}

static Heat heat_of(const Cells *cells, const char *row_label, const char *column_label) {
    return (Heat){.row_label = row_label,
                  .column_label = column_label,
                  .n_rows = cells->n_rows,
                  .n_columns = cells->n_columns,
                  .values = cells->values,
                  .range = {0, 100},
                  .row_names = cells->names,
                  .column_names = cells->names + cells->n_rows};
}

static size_t shown_classes(const Answers *answers) {
    return answers->n_classes < CLASSES_SHOWN ? answers->n_classes : CLASSES_SHOWN;
}

static void fill_moment(Cells *cells, const Answers *answers, size_t moment) {
    for (size_t c = 0; c < cells->n_rows; c++) {
        cells->names[c] = answers->class_names[c];
        for (size_t a = 0; a < cells->n_columns; a++)
            cells->values[c * cells->n_columns + a] = answers_percent(answers, moment, c, a);
    }
    for (size_t a = 0; a < cells->n_columns; a++)
        cells->names[cells->n_rows + a] = answers->answer_names[a];
}

static void write_table(Figure *figure, const Answers *answers) {
    static const char *const head[] = {"after_task", "class", "answer", "samples", "right", NULL};
    csv_head(&figure->csv, head);
    for (size_t k = 0; k < answers->n_moments; k++)
        for (size_t c = 0; c < answers->n_classes; c++)
            for (size_t a = 0; a < answers->n_answers; a++) {
                size_t cell = c * answers->n_answers + a;
                csv_whole(&figure->csv, k);
                csv_word(&figure->csv, answers->class_names[c]);
                csv_word(&figure->csv, answers->answer_names[a]);
                csv_real(&figure->csv,
                         answers->counts[k * answers->n_classes * answers->n_answers + cell]);
                csv_whole(&figure->csv, answers->right[cell]);
                csv_end(&figure->csv);
            }
}

/* The panels below each other, each a step of which a page shows one at a time. */
static void draw_steps(Figure *figure, const RunFolder *runs, const Answers *answers,
                       Cells *cells) {
    size_t n = answers->n_moments < MOMENTS_SHOWN ? answers->n_moments : MOMENTS_SHOWN;
    char title[TITLE_SIZE];
    Heat heat = heat_of(cells, "class", "answer, %");
    heat.title = title;
    fill_moment(cells, answers, 0);
    double height = heat_height(figure, &heat), gap = figure->sizes.em;
    figure->height = (height + gap) * (double)n;
    for (size_t i = 0; i < n; i++) {
        size_t moment = n > 1 ? i * (answers->n_moments - 1) / (n - 1) : 0;
        fill_moment(cells, answers, moment);
        name_moment(title, runs, moment);
        heat.box = figure_box(figure);
        heat.box.y += (height + gap) * (double)i;
        heat.box.height = height;
        text_add(&figure->marks, "<g class=\"step\" data-step=\"");
        text_number(&figure->marks, height + gap, 2);
        text_wrap(&figure->marks, "\" data-title=\"", title, "\">");
        heat_draw(figure, &heat);
        text_add(&figure->marks, "</g>\n");
    }
}

tacos_status draw_confusion(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                            tacos_error *err) {
    Answers answers;
    Cells cells;
    figure_begin(figure, sizes, "confusion", "What each class was taken for");
    TRY(answers_make(&answers, runs, err));
    size_t n = shown_classes(&answers);
    text_format(&figure->about,
                "Percent of a class's test samples (row) that got an answer (column), before "
                "learning and after each task%s.%s",
                runs->n_runs > 1 ? ", over all seeds" : "",
                n < answers.n_classes ? " Only the first classes are shown." : "");
    size_t n_answers = answers.n_answers < CLASSES_SHOWN ? answers.n_answers : CLASSES_SHOWN;
    tacos_status status = cells_make(&cells, n, n_answers, err);
    if (status == TACOS_OK) {
        draw_steps(figure, runs, &answers, &cells);
        write_table(figure, &answers);
        cells_free(&cells);
        status = figure_check(figure, err);
    }
    answers_free(&answers);
    return status;
}

/* ---- every class ---- */

static void fill_classes(Cells *cells, const RunFolder *runs, const Answers *answers) {
    for (size_t k = 0; k < cells->n_rows; k++) {
        cells->names[k] = k == 0 ? "before" : runs->tasks[k - 1];
        for (size_t c = 0; c < cells->n_columns; c++)
            cells->values[k * cells->n_columns + c] = answers_right_percent(answers, k, c);
    }
    for (size_t c = 0; c < cells->n_columns; c++)
        cells->names[cells->n_rows + c] = answers->class_names[c];
}

static void write_classes(Figure *figure, const Answers *answers) {
    static const char *const head[] = {"after_task", "class", "accuracy", NULL};
    csv_head(&figure->csv, head);
    for (size_t k = 0; k < answers->n_moments; k++)
        for (size_t c = 0; c < answers->n_classes; c++) {
            csv_whole(&figure->csv, k);
            csv_word(&figure->csv, answers->class_names[c]);
            csv_real(&figure->csv, answers_right_percent(answers, k, c));
            csv_end(&figure->csv);
        }
}

tacos_status draw_classes(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                          tacos_error *err) {
    Answers answers;
    Cells cells;
    figure_begin(figure, sizes, "classes", "Accuracy on every class after every task");
    TRY(answers_make(&answers, runs, err));
    size_t n = shown_classes(&answers);
    text_format(&figure->about, "Percent of a class's test samples that are right%s.%s",
                runs->n_runs > 1 ? ", over all seeds" : "",
                n < answers.n_classes ? " Only the first classes are shown." : "");
    tacos_status status = cells_make(&cells, answers.n_moments, n, err);
    if (status == TACOS_OK) {
        fill_classes(&cells, runs, &answers);
        Heat heat = heat_of(&cells, "after", "class");
        heat.first_row = 1;
        if (answers.n_moments > MOMENTS_SHOWN)
            heat.row_names = NULL; /* there is room for numbers only */
        figure->height = heat_height(figure, &heat);
        heat.box = figure_box(figure);
        heat_draw(figure, &heat);
        write_classes(figure, &answers);
        cells_free(&cells);
        status = figure_check(figure, err);
    }
    answers_free(&answers);
    return status;
}
