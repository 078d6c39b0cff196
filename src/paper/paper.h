/* paper.h - the numbers the paper prints, from the tables in experiments/paper.
 *
 * A part of the paper is one file: its description, the plan that makes its runs, and a line per
 * number, with the paper's value if it gives one. */
#ifndef PAPER_PAPER_H
#define PAPER_PAPER_H

#include "lab/experiment.h"
#include "tacos_lab.h"

typedef struct PaperPart {
    char name[32];   /* "headline" */
    char about[256]; /* one sentence */
    char plan[32];   /* built-in plan */
    const char *lines;
} PaperPart;

/* The i-th part; false past the end. */
bool paper_part(size_t i, PaperPart *out);

/* The part of this name; false if there is none. */
bool paper_part_find(const char *name, PaperPart *out);

typedef struct PaperCell {
    char section[64]; /* of the plan */
    char metric[32];
    size_t after_task; /* 0: the whole run */
    size_t part;       /* layer or class, if there are several */
    double value, sd;  /* NaN where the paper gives none */
} PaperCell;

/* Read a line's cell and advance to the next line; false at the end. */
bool paper_next(const char **line, PaperCell *out);

/* Are two configurations the same, apart from what is measured? */
bool paper_same_config(const Experiment *a, const Experiment *b);

/* ---- one number of one run, by its name in a table ---- */

typedef struct Asked {
    const Experiment *experiment;
    const tacos_run *run;
    size_t after_task; /* from 1 */
    size_t part;       /* layer or class */
    const char *metric;
} Asked;

typedef struct RunMetric {
    const char *name;
    double (*get)(const Asked *asked); /* NaN: none */
    double tolerance;                  /* differences up to this match, whatever the deviations */
} RunMetric;

/* NULL if there is none of this name. */
const RunMetric *run_metric(const char *name);

/* ---- reproductions ---- */

/* The part that a reproduction is of, and the number of runs planned per section. */
const char *reproduction_part(const tacos_reproduction *reproduction);
size_t reproduction_planned(const tacos_reproduction *reproduction);

#endif
