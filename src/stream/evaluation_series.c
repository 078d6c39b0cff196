/* evaluation_series.c - the figures over time: rows, and which of them are kept. */
#include "stream/evaluation.h"

#include "base/exact.h"

#include <math.h>

const RowColumn evaluation_columns[ROW_COLUMNS] = {
#define COLUMN(name, is_whole) {#name, offsetof(tacos_evaluation_row, name), is_whole},
#define WHOLE(name, text)      COLUMN(name, true)
#define NUMBER(name, text)     COLUMN(name, false)
    TACOS_EVALUATION_ROW_MAP(WHOLE, NUMBER)
#undef NUMBER
#undef WHOLE
#undef COLUMN
};

int tacos_evaluation_due(const tacos_evaluation *evaluation) {
    return evaluation->all.n > 0 && evaluation->all.n % evaluation->options.report_every == 0;
}

static bool is_kept(const Evaluation *e) {
    uint64_t last = e->n_rows > 0 ? e->rows[e->n_rows - 1].samples : 0;
    return tacos_evaluation_due(e) && e->all.n > last &&
           e->all.n / e->options.report_every % e->stride == 0;
}

/* Every second one goes. */
static void thin_out(Evaluation *e) {
    for (size_t k = 0; k < e->n_rows / 2; k++)
        e->rows[k] = e->rows[2 * k + 1];
    e->n_rows /= 2;
    e->stride *= 2;
}

static void keep(Evaluation *e, const tacos_evaluation_row *row) {
    if (is_kept(e) && e->n_rows == TACOS_EVALUATION_ROWS)
        thin_out(e);
    if (is_kept(e))
        e->rows[e->n_rows++] = *row;
}

static double rate_since(const Evaluation *e, double seconds) {
    double passed = seconds - e->clock_s;
    return passed > 0 && isfinite(passed) ? (double)(e->all.n - e->clock_samples) / passed : NAN;
}

void tacos_evaluation_clock(tacos_evaluation *evaluation, double seconds) {
    evaluation->clock_s = seconds;
    evaluation->clock_samples = evaluation->all.n;
}

tacos_evaluation_row tacos_evaluation_report(tacos_evaluation *evaluation, double seconds,
                                             uint64_t bytes) {
    tacos_evaluation_figures figures = tacos_evaluation_figures_get(evaluation);
    const tacos_evaluation_span *all = &figures.overall, *recent = &figures.window;
    tacos_evaluation_row row = {
        .samples = all->samples,
        .accuracy = all->accuracy,
        .window_accuracy = recent->accuracy,
        .repeat_last = all->repeat_last,
        .window_repeat_last = recent->repeat_last,
        .kappa = all->kappa,
        .window_kappa = recent->kappa,
        .kappa_temporal = all->kappa_temporal,
        .window_kappa_temporal = recent->kappa_temporal,
        .rejected = all->rejected,
        .drift_alarms = evaluation->n_alarms,
        .samples_per_second = rate_since(evaluation, seconds),
        .bytes = bytes,
    };
    keep(evaluation, &row);
    evaluation->latest = row;
    tacos_evaluation_clock(evaluation, seconds);
    return row;
}

const tacos_evaluation_row *tacos_evaluation_series(const tacos_evaluation *evaluation, size_t *n) {
    *n = evaluation->n_rows;
    return evaluation->rows;
}
