/* sweep.h - runs a plan, and shows the contents of a store as a table, CSV or JSON. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "cli.h"
#include "output/resume.h"
#include "tacos_lab.h"

/* ---- running ---- */

typedef struct PlanRun {
    const char *store, *data;
    unsigned long jobs; /* 0: one per core */
    int quiet;
    const char *page;           /* kept current while it runs; NULL: none */
    Resume resume;              /* the command line */
    tacos_plan_outcome outcome; /* filled in, if the result is TACOS_OK or TACOS_INTERRUPTED */
} PlanRun;

/* Run it within an interrupt guard. Says what went wrong; *code is what to exit with. */
tacos_status plan_run(const tacos_plan *plan, PlanRun *run, int *code);

/* ---- merging ---- */

extern const Option sweep_merge_options[];

/* argv[0] is "merge". */
int sweep_merge(int argc, char **argv);

/* ---- showing ---- */

typedef struct SweepShow {
    const char *store;
    unsigned long top; /* at most so many configurations; 0: as many as is usual */
    int all;           /* leave nothing out */
} SweepShow;

/* Each returns what to exit with. Usual are ten in a table, else all. */
int sweep_show_table(const tacos_survey *survey, const SweepShow *how);
int sweep_show_csv(const tacos_survey *survey, const SweepShow *how);
int sweep_show_json(const tacos_survey *survey, const SweepShow *how);

/* Keys by their share of the variance, the largest first: one per key of the survey, to be freed;
 * NULL without memory. */
size_t *sweep_keys_by_share(const tacos_survey *survey, size_t *n);

#endif
