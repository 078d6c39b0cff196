/* figures.h - all figures.
 *
 * A figure is drawn from a folder of `tacos run`, from several of them, from a folder of `tacos
 * reproduce` or a table in it, or from the evaluation of a stream. If a folder lacks something a
 * figure needs, drawing fails with TACOS_MISSING and says what; a page then omits the figure. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "report/charts/charts.h"
#include "paper/report/parts.h"
#include "report/input/runs.h"
#include "report/input/stream.h"

/* Begins with figure_begin; the figure must be freed even if drawing fails. */
typedef tacos_status DrawRun(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                             tacos_error *err);
typedef tacos_status DrawRuns(Figure *figure, const Sizes *sizes, const RunFolder *runs, size_t n,
                              tacos_error *err);
typedef tacos_status DrawParts(Figure *figure, const Sizes *sizes, const Parts *parts,
                               tacos_error *err);
typedef tacos_status DrawStream(Figure *figure, const Sizes *sizes, const StreamFolder *stream,
                                tacos_error *err);

/* ---- one run ---- */
DrawRun draw_accuracy;   /* fig_accuracy.c: each task over time */
DrawRun draw_matrix;     /* R as a heat map */
DrawRun draw_confusion;  /* fig_confusion.c: what classes were taken for */
DrawRun draw_classes;    /* accuracy of each class */
DrawRun draw_within;     /* fig_within.c: accuracy within tasks */
DrawRun draw_means;      /* fig_metrics.c: MA and A after each task */
DrawRun draw_transfer;   /* BWT, FWT and forgetting after each task */
DrawRun draw_beside;     /* final values compared with the paper's */
DrawRun draw_change;     /* how much weights change */
DrawRun draw_similarity; /* how similar hidden activity stays */
DrawRun draw_rates;      /* fig_cost.c: firing rates */
DrawRun draw_operations; /* operations per sample */
DrawRun draw_memory;     /* bytes held */
DrawRun draw_weights;    /* fig_synapses.c: w and w_ref */
DrawRun draw_states;     /* m */
DrawRun draw_fields;     /* receptive fields */
DrawRun draw_templates;  /* fig_templates.c: what units of columns keep */
DrawRun draw_spikes;     /* fig_spikes.c: the spikes of one sample */

/* ---- several runs: fig_compare.c ---- */
DrawRuns draw_compare_tasks;    /* each task over time, one panel per task */
DrawRuns draw_compare_bars;     /* final values, one panel per metric */
DrawRuns draw_compare_means;    /* MA and the first task, after each task */
DrawRuns draw_compare_transfer; /* BWT and FWT */
DrawRuns draw_compare_matrices; /* fig_accuracy.c: R of each, side by side */

/* A metric after each task. */
typedef struct CompareCurve {
    const char *metric, *y_label;
    bool zero; /* the y-axis includes 0 */
    const char *name, *title, *about;
} CompareCurve;
enum { COMPARE_CURVES = 5 };
extern const CompareCurve compare_curves[COMPARE_CURVES];
tacos_status draw_compare_curve(Figure *figure, const Sizes *sizes, const RunFolder *runs, size_t n,
                                const CompareCurve *curve, tacos_error *err);

/* Fill a series with a metric of a run: after each task, or, at place i, after the last one. */
void curves_set_metric(Curves *curves, size_t s, const RunFolder *runs, const char *metric,
                       size_t part);
void curves_set_last(Curves *curves, size_t s, size_t i, const RunFolder *runs, const char *metric);

/* ---- the paper ---- */
DrawParts draw_paper_function;   /* fig_curves.c: figure 2 */
DrawParts draw_paper_accuracy;   /* figure 3 */
DrawParts draw_paper_transfer;   /* table 2 */
DrawParts draw_paper_orders;     /* the supplement's orders */
DrawParts draw_paper_omniglot;   /* figure 6 */
DrawParts draw_paper_plasticity; /* fig_bars.c: figure 4 */
DrawParts draw_paper_reduced;    /* figure 5 */
DrawParts draw_paper_headline;   /* table 1 */
DrawParts draw_paper_similarity; /* table 3 */
DrawParts draw_paper_methods;    /* table 1 with all rivals */
DrawParts draw_paper_rivals;     /* the rivals as their sources ran them */
DrawParts draw_paper_memory;     /* fig_memory.c: columns and their rivals */

/* ---- a stream: fig_stream.c ---- */
DrawStream draw_stream_accuracy;  /* over time, with drift alarms */
DrawStream draw_stream_kappa;     /* likewise */
DrawStream draw_stream_speed;     /* likewise */
DrawStream draw_stream_confusion; /* labels and answers */

/* Up to so many labels fit into one of two columns. */
enum { STREAM_NARROW = 5 };

/* A figure of `tacos plot`. */
typedef struct FigureKind {
    const char *name;
    const char *about_run; /* what it shows of a run; NULL: not made from one */
    DrawRun *of_run;
    const char *about_runs; /* the same of several runs */
    DrawRuns *of_runs;
    const char *about_parts; /* the same of the reproduced paper */
    DrawParts *of_parts;
    const char *part; /* the part of the paper in whose section it appears; NULL: none */
} FigureKind;

/* Is it made from the numbers of its part alone, without runs? Then it is also drawn from their
 * table, PART.csv. */
bool figure_is_of_numbers(const FigureKind *kind);

/* Ends with a row without a name. */
extern const FigureKind figure_kinds[];
const FigureKind *figure_kind(const char *name);

#endif
