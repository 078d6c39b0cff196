/* part_table.h - numbers here and in the paper, as tables. */
#ifndef PAPER_PART_TABLE_H
#define PAPER_PART_TABLE_H

#include "tacos_lab.h"

#include <stdio.h>

/* A table of sections by metrics; where a metric is given after several tasks, one for it alone
 * with a column a task. For people, or as Markdown. */
void reproduce_print(FILE *out, const tacos_reproduction *reproduction, int markdown);

/* All numbers, one a line; and accuracy on every task after every task, run by run. */
void reproduce_csv(FILE *out, const tacos_reproduction *reproduction);
void reproduce_accuracy_csv(FILE *out, const tacos_reproduction *reproduction);

#endif
