/* fig_stream.c - a stream over time, and which labels were taken for which. */
#include "report/figures/figures.h"

#include <math.h>
#include <stdlib.h>

/* ---- over time ---- */

/* A line of a figure: a column of the time series. */
typedef struct SeriesLine {
    const char *label;
    size_t column; /* its place in a row */
    unsigned colour;
} SeriesLine;

static double value_of(const tacos_evaluation_row *row, size_t column) {
    return *(const double *)((const char *)row + column);
}

/* Lines over the samples; *n_values is how many numbers they have. */
static tacos_status make_curves(Curves *curves, Figure *figure, const StreamFolder *stream,
                                const SeriesLine *lines, size_t n_lines, tacos_error *err) {
    size_t n_values = 0;
    if (stream->n_rows == 0)
        return failure(err, TACOS_MISSING, "the stream ended before the first row of figures");
    TRY(curves_make(curves, n_lines, stream->n_rows, err));
    for (size_t s = 0; s < n_lines; s++) {
        (void)figure_key(figure, LEGEND_LINE, lines[s].colour, lines[s].label);
        curves_series(curves, s, s, lines[s].label);
        for (size_t i = 0; i < stream->n_rows; i++) {
            const tacos_evaluation_row *row = &stream->rows[i];
            double value = value_of(row, lines[s].column);
            bool known = isfinite(value);
            curves_set(curves, s, i, (double)row->samples, (tacos_summary){known, value, 0});
            n_values += known;
        }
    }
    if (n_values > 0)
        return TACOS_OK;
    curves_free(curves);
    return failure(err, TACOS_MISSING, "no number of it is known");
}

/* Drift alarms are marked where `alarms`. */
static tacos_status draw_curves(Curves *curves, Figure *figure, const StreamFolder *stream,
                                Lines style, bool alarms, tacos_error *err) {
    double at[TACOS_EVALUATION_ALARMS];
    Lines lines = style;
    for (size_t k = 0; k < stream->drift.n; k++)
        at[k] = (double)stream->drift.at[k];
    lines.axes.box = figure_box(figure);
    lines.axes.x =
        (Range){0, (double)stream->overall.samples * 1.03}; /* room for the last number */
    lines.axes.whole_x = true;
    lines.axes.x_label = "samples";
    lines.smooth = stream->n_rows > 64;
    lines.n = curves->n;
    lines.line = curves->line;
    if (alarms && stream->drift.n > 0) {
        lines.mark_series = figure_key(figure, LEGEND_POINT, 0, "drift alarm");
        lines.marks = at;
        lines.n_marks = stream->drift.n;
    }
    lines_draw(figure, &lines);
    lines_table(figure, &lines, NULL, "samples");
    curves_free(curves);
    return figure_check(figure, err);
}

#define LINE(label, column, colour)                                                                \
    { label, offsetof(tacos_evaluation_row, column), colour }

tacos_status draw_stream_accuracy(Figure *figure, const Sizes *sizes, const StreamFolder *stream,
                                  tacos_error *err) {
    static const SeriesLine lines[] = {LINE("right", window_accuracy, 0),
                                       LINE("repeating the last label", window_repeat_last, 1),
                                       LINE("right, of all so far", accuracy, 7)};
    Curves curves;
    figure_begin(figure, sizes, "stream-accuracy", "Accuracy over time");
    figure_size(figure, true, 0.36);
    text_format(&figure->about,
                "Percent right before learning, over the last %llu samples, beside what repeating "
                "the last label would have.",
                (unsigned long long)stream->window);
    if (stream->drift.alarms > 0)
        text_format(&figure->about,
                    " Dashed lines are drift alarms: the accuracy fell by more than chance "
                    "explains%s.",
                    stream->drift.alarms > stream->drift.n ? "; only the last of them are shown"
                                                           : "");
    TRY(make_curves(&curves, figure, stream, lines, sizeof lines / sizeof *lines, err));
    Lines style = {.axes = {.y = RANGE_EMPTY, .y_label = "accuracy, %"},
                   .unit = " %",
                   .digits = 2,
                   .percent = true};
    return draw_curves(&curves, figure, stream, style, true, err);
}

tacos_status draw_stream_kappa(Figure *figure, const Sizes *sizes, const StreamFolder *stream,
                               tacos_error *err) {
    static const SeriesLine lines[] = {
        LINE("kappa-temporal: 0 is repeating the last label", window_kappa_temporal, 0),
        LINE("kappa: 0 is chance", window_kappa, 2)};
    Curves curves;
    double least = 0;
    figure_begin(figure, sizes, "stream-kappa", "Kappa over time");
    text_format(&figure->about, "Over the last %llu samples; 1 is perfect.",
                (unsigned long long)stream->window);
    TRY(make_curves(&curves, figure, stream, lines, sizeof lines / sizeof *lines, err));
    for (size_t i = 0; i < stream->n_rows; i++)
        least = fmin(least, fmin(stream->rows[i].window_kappa_temporal, /* fmin ignores NaN */
                                 stream->rows[i].window_kappa));
    if (least < -1)
        text_add(&figure->about, " Values below -1 are drawn at -1.");
    Lines style = {.axes = {.y = {least < -0.5 ? -1
                                  : least < 0  ? -0.5
                                               : 0,
                                  1}},
                   .unit = "",
                   .digits = 3};
    return draw_curves(&curves, figure, stream, style, false, err);
}

tacos_status draw_stream_speed(Figure *figure, const Sizes *sizes, const StreamFolder *stream,
                               tacos_error *err) {
    static const SeriesLine lines[] = {LINE("samples per second", samples_per_second, 0)};
    Curves curves;
    figure_begin(figure, sizes, "stream-speed", "Speed");
    text_add(&figure->about, "Samples answered and learned per second.");
    TRY(make_curves(&curves, figure, stream, lines, 1, err));
    Lines style = {.axes = {.y = RANGE_EMPTY, .y_label = "per second"},
                   .unit = " per second",
                   .digits = 0,
                   .zero = true};
    return draw_curves(&curves, figure, stream, style, false, err);
}

/* ---- confusion ---- */

/* The most frequent labels are shown; more would be too small to see. */
enum { SHOWN_MAX = 20 };

typedef struct Shown {
    size_t n, labels[SHOWN_MAX];
    const char *names[SHOWN_MAX + 1];
    bool none; /* there is a column for no answer */
} Shown;

/* Keeps those with the most samples, in the order of labels. */
static Shown choose_labels(const StreamFolder *stream) {
    Shown shown = {.n = 0};
    for (size_t k = 0; k < stream->n_labels; k++) {
        size_t least = 0;
        if (stream->labels[k].of.samples == 0)
            continue;
        if (shown.n < SHOWN_MAX) {
            shown.labels[shown.n++] = k;
            continue;
        }
        for (size_t i = 1; i < SHOWN_MAX; i++)
            if (stream->labels[shown.labels[i]].of.samples <=
                stream->labels[shown.labels[least]].of.samples)
                least = i;
        if (stream->labels[k].of.samples <= stream->labels[shown.labels[least]].of.samples)
            continue;
        for (size_t i = least; i + 1 < SHOWN_MAX; i++)
            shown.labels[i] = shown.labels[i + 1];
        shown.labels[SHOWN_MAX - 1] = k;
    }
    for (size_t i = 0; i < shown.n; i++)
        shown.names[i] = stream->labels[shown.labels[i]].name;
    shown.names[shown.n] = "none";
    shown.none = stream->overall.rejected + stream->overall.unanswered > 0;
    return shown;
}

/* The place of an answer, or SIZE_MAX. */
static size_t place_of(const Shown *shown, long answer) {
    if (answer < 0)
        return shown->none ? shown->n : SIZE_MAX;
    for (size_t i = 0; i < shown->n; i++)
        if (shown->labels[i] == (size_t)answer)
            return i;
    return SIZE_MAX;
}

static void write_table(Figure *figure, const StreamFolder *stream) {
    static const char *const head[] = {"label", "answer", "count", "percent_of_label", NULL};
    csv_head(&figure->csv, head);
    for (size_t k = 0; k < stream->n_cells; k++) {
        const StreamCell *cell = &stream->cells[k];
        csv_word(&figure->csv, stream->labels[cell->label].name);
        csv_word(&figure->csv, stream_answer(stream, cell->answer));
        csv_whole(&figure->csv, cell->n);
        csv_real(&figure->csv,
                 100 * (double)cell->n / (double)stream->labels[cell->label].of.samples);
        csv_end(&figure->csv);
    }
}

static void fill_cells(double *values, size_t n_columns, const Shown *shown,
                       const StreamFolder *stream) {
    for (size_t i = 0; i < shown->n * n_columns; i++)
        values[i] = 0;
    for (size_t k = 0; k < stream->n_cells; k++) {
        const StreamCell *cell = &stream->cells[k];
        size_t row = place_of(shown, (long)cell->label), column = place_of(shown, cell->answer);
        if (row == SIZE_MAX || column == SIZE_MAX)
            continue;
        values[row * n_columns + column] =
            fmin(100 * (double)cell->n / (double)stream->labels[cell->label].of.samples, 100);
    }
}

tacos_status draw_stream_confusion(Figure *figure, const Sizes *sizes, const StreamFolder *stream,
                                   tacos_error *err) {
    Shown shown = choose_labels(stream);
    double values[SHOWN_MAX * (SHOWN_MAX + 1)];
    Heat heat = {.row_label = "label",
                 .column_label = "answer",
                 .n_rows = shown.n,
                 .n_columns = shown.n + shown.none,
                 .values = values,
                 .range = {0, 100},
                 .row_names = shown.names,
                 .column_names = shown.names};
    figure_begin(figure, sizes, "stream-confusion", "Which labels were taken for which");
    if (shown.n == 0)
        return failure(err, TACOS_MISSING, "there was no sample");
    text_format(&figure->about,
                "Percent of the samples of a label (row) that got an answer (column)%s. %s",
                shown.none ? "; none: rejected, or without an answer" : "",
                stream->n_labels > shown.n ? "Only the most frequent labels are shown." : "");
    figure_size(figure, stream->n_labels > STREAM_NARROW, 1);
    figure->height = heat_height(figure, &heat);
    heat.box = figure_box(figure);
    fill_cells(values, heat.n_columns, &shown, stream);
    heat_draw(figure, &heat);
    write_table(figure, stream);
    return figure_check(figure, err);
}
