/* figures.h - every figure there is, by name.
 *
 * A figure is drawn from a folder of `tacos run`, from several of them, or from a folder of `tacos
 * reproduce`. One for which a folder has nothing fails with TACOS_MISSING and says what is wanted;
 * a page then leaves it out. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "report/charts/figure.h"
#include "paper/report/parts.h"
#include "report/input/runs.h"
#include "tacos_lab.h"

/* What is drawn begins with figure_begin, and is to be freed whether it fails or not. */
typedef tacos_status DrawRun(Figure *figure, const Look *look, const RunFolder *runs,
                             tacos_error *err);
typedef tacos_status DrawRuns(Figure *figure, const Look *look, const RunFolder *runs, size_t n,
                              tacos_error *err);
typedef tacos_status DrawParts(Figure *figure, const Look *look, const Parts *parts,
                               tacos_error *err);

/* ---- one run ---- */
DrawRun draw_accuracy;   /* fig_accuracy.c: each task over time */
DrawRun draw_matrix;     /* fig_matrix.c: R as a heat map */
DrawRun draw_means;      /* fig_metrics.c: MA and A after each task */
DrawRun draw_transfer;   /* the same for BWT, FWT and forgetting */
DrawRun draw_beside;     /* last values beside the paper's */
DrawRun draw_change;     /* fig_measures.c: how much weights change */
DrawRun draw_similarity; /* how alike hidden activity stays */
DrawRun draw_rates;      /* fig_cost.c: spikes a second */
DrawRun draw_operations; /* operations a sample */
DrawRun draw_memory;     /* bytes held */
DrawRun draw_weights;    /* fig_synapses.c: w and w_ref */
DrawRun draw_states;     /* m */
DrawRun draw_fields;     /* fig_fields.c: receptive fields */
DrawRun draw_raster;     /* fig_raster.c: one sample's spikes */

/* ---- several ---- */
DrawRuns draw_compare_means;    /* fig_compare.c: MA after each task */
DrawRuns draw_compare_newest;   /* A */
DrawRuns draw_compare_backward; /* BWT */
DrawRuns draw_compare_forward;  /* FWT */
DrawRuns draw_compare_tasks;    /* each task over time, a panel each */
DrawRuns draw_compare_bars;     /* last values, a panel a metric */

/* ---- the paper ---- */
DrawParts draw_paper_function;   /* fig_function.c: figure 2 */
DrawParts draw_paper_accuracy;   /* fig_curves.c: figure 3 */
DrawParts draw_paper_transfer;   /* table 2 */
DrawParts draw_paper_orders;     /* the supplement's orders */
DrawParts draw_paper_omniglot;   /* figure 6 */
DrawParts draw_paper_plasticity; /* fig_bars.c: figure 4 */
DrawParts draw_paper_reduced;    /* figure 5 */
DrawParts draw_paper_headline;   /* table 1 */
DrawParts draw_paper_similarity; /* table 3 */
DrawParts draw_paper_methods;    /* table 1 with all rivals */
DrawParts draw_paper_rivals;     /* the rivals as their sources ran them */

/* A figure that can be asked for by name. */
typedef struct FigureKind {
    const char *name;
    const char *about_run; /* what it shows of a run; NULL: it is not made from one */
    DrawRun *of_run;
    const char *about_parts; /* the same of the paper, reproduced */
    DrawParts *of_parts;
    const char *part; /* in whose section of a page it stands; NULL: none */
} FigureKind;

/* Ended by a row without a name. */
extern const FigureKind figure_kinds[];
const FigureKind *figure_kind(const char *name);

#endif
