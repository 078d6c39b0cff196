/* tables.h - what the paper printed, from the tables in experiments/paper.
 *
 * A part of the paper is one file: what it is, the plan that makes its runs, and a line for each
 * number, with the paper's value where it gives one. */
#ifndef PAPER_TABLES_H
#define PAPER_TABLES_H

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

/* One number. */
typedef struct PaperCell {
    char section[64]; /* of the plan */
    char metric[32];
    size_t after_task; /* 0: of the whole run */
    size_t part;       /* layer or class, where there are several */
    double value, sd;  /* NaN where the paper gives none */
} PaperCell;

/* Read the cell of a line and go on to the next; false at the end. */
bool paper_next(const char **line, PaperCell *out);

#endif
