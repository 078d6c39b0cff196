/* bars.h - groups of bars with their spread and the paper's value; upright, or lying where the
 * groups have long names. */
#ifndef REPORT_BARS_H
#define REPORT_BARS_H

#include "report/charts/axes.h"

typedef struct BarSeries {
    size_t series; /* of figure_key */
    const char *label;
    const double *value;            /* [n_groups]; NaN: no bar */
    const double *sd;               /* [n_groups], or NULL */
    const double *paper, *paper_sd; /* [n_groups], or NULL */
} BarSeries;

typedef struct Bars {
    Box box;
    const char *label; /* of the values */
    const char *title; /* of one panel of several, or NULL */
    const char *unit;  /* in tips: " %" */
    int digits;        /* in tips */
    bool lying;
    bool one_each; /* series g has a value in group g alone: one bar a group, in its colour */
    bool dots;     /* in place of bars, for values far from 0 that differ little */
    size_t n_groups;
    const char *const *groups; /* [n_groups] names */
    const char *group_label;   /* below the groups' names, or NULL */
    size_t n_series;
    const BarSeries *series; /* [n_series] */
    size_t paper_series;     /* of the paper's marks */
    double left;             /* least width left of the axis */
} Bars;

/* How high a figure of lying bars should be. */
double bars_lying_height(const Figure *figure, size_t n_groups, size_t n_series);

void bars_draw(Figure *figure, const Bars *bars);

/* Head (once) and rows of the figure's table: the panel, where there are several (else NULL),
 * group, series, value, sd, and the paper's where any has one. */
void bars_table(Figure *figure, const Bars *bars, const char *panel, const char *group_name);

#endif
