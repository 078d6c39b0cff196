/* plan.h - many runs as one: a list of configurations, each run with the same seeds.
 *
 * A plan file is an experiment's file with ranges in place of values (axis.h), the keys of
 * plan_table, and sections. A configuration is made when it is asked for, so that a plan of a
 * million runs is as small as its file. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "lab/experiment.h"
#include "tacos_lab.h"

/* The keys of a plan file that are not an experiment's. */
typedef struct PlanParams {
    char experiment[KEY_TEXT_SIZE]; /* what is varied: a built-in experiment or a .conf file */
    char seeds[KEY_TEXT_SIZE];      /* "5": 1 to 5; or "1-5", or "1,3,7-9" */
    int sampling;                   /* enum Sampling of points.h */
    size_t n_configs;               /* a section, where sampling is not a grid */
    size_t sampling_seed;
    size_t halving; /* keep one configuration of this many at each rung; 0: no halving */
    Counts rungs;   /* after how many tasks; none: 2, 4, 8 ... below the number of tasks */
} PlanParams;

extern const KeyTable plan_table;

typedef struct PlanLine PlanLine;
typedef struct PlanSection PlanSection;

typedef struct tacos_plan {
    char name[BUILTIN_NAME_SIZE];
    char *source; /* what errors call the file */
    PlanParams params;
    size_t n_seeds;
    uint32_t *seeds; /* [n_seeds], ascending */
    size_t n_lines, n_common, lines_room;
    PlanLine *lines; /* [n_lines] of keys of the experiment: the common ones, then by section */
    size_t n_sections, sections_room;
    PlanSection *sections; /* [n_sections], at least one */
    size_t n_configs;      /* of all sections */
    bool quick;            /* see tacos_plan_set_quick */
    bool partial;          /* some of its sections were left out: plan_keep */
} Plan;

/* The i-th built-in plan; 0 past the end, else 1. */

/* The plan of one configuration. */
tacos_status plan_of(Plan **out, const Experiment *experiment, const uint32_t *seeds,
                     size_t n_seeds, tacos_error *err);

/* A built-in plan by name, or a file by path. */

/* The most runs a plan may have: each takes some memory before it is made. */
enum { PLAN_RUNS_MAX = 10000000 };

/* Check the number of runs with so many seeds per configuration. */
tacos_status plan_check_runs(const Plan *plan, size_t n_seeds, tacos_error *err);

/* Seeds 1 to n in place of its own. */

/* See tacos_plan_set and tacos_plan_keep. */

/* Fill a plan that has its name and source from the text of its file; on error it is to be freed
 * like any other. */
tacos_status plan_read(Plan *plan, const char *text, tacos_error *err);

/* Sort the seeds; a duplicate is an error. */
tacos_status plan_sort_seeds(Plan *plan, tacos_error *err);

/* The i-th configuration: a function of the plan and i alone. */
tacos_status plan_config(const Plan *plan, size_t i, Experiment *out, tacos_error *err);

#endif
