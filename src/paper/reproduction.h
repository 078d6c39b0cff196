/* reproduction.h - the numbers of a part of the paper beside those of a store. */
#ifndef PAPER_REPRODUCTION_H
#define PAPER_REPRODUCTION_H

#include "plan/plan.h"
#include "tacos_lab.h"

typedef struct tacos_reproduction Reproduction;

/* The runs of `plan`, which is the part's, out of a store; those that are not there are left out.
 */
tacos_status reproduction_open(Reproduction **out, const char *part, const Plan *plan,
                               const char *store, tacos_error *err);
void reproduction_free(Reproduction *reproduction);

/* Which part of the paper it is, and how many runs of each section were planned. */
const char *reproduction_part(const Reproduction *reproduction);
size_t reproduction_planned(const Reproduction *reproduction);

/* NULL past the end. */
const tacos_cell *reproduction_cell(const Reproduction *reproduction, size_t i);
const tacos_run *reproduction_run(const Reproduction *reproduction, size_t i, const char **section);

#endif
