/* plan.h - many runs as one: a list of configurations, each run with the same seeds.
 *
 * A plan file is an experiment file with ranges in place of values (axis.h), the keys of
 * plan_table, and sections. Configurations are made on demand, so a plan of a million runs takes no
 * more memory than its file. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "lab/experiment.h"
#include "tacos_lab.h"

/* The keys that only plan files have. */
typedef struct PlanParams {
    char experiment[KEY_TEXT_SIZE]; /* to vary: a built-in experiment or a .conf file */
    char seeds[KEY_TEXT_SIZE];      /* "5": 1 to 5; or "1-5", or "1,3,7-9" */
    int sampling;                   /* enum Sampling of points.h */
    size_t n_configs;               /* per section, unless sampling is a grid */
    size_t sampling_seed;
    size_t halving; /* keep one configuration of this many at each rung; 0: no halving */
    Counts rungs;   /* numbers of tasks; none: 2, 4, 8 ... below the number of tasks */
} PlanParams;

extern const KeyTable plan_table;

typedef struct PlanLine PlanLine;
typedef struct PlanSection PlanSection;

typedef struct tacos_plan {
    char name[BUILTIN_NAME_SIZE];
    char *source; /* the file, as errors call it */
    PlanParams params;
    size_t n_seeds;
    uint32_t *seeds; /* [n_seeds], ascending */
    size_t n_lines, n_common, lines_room;
    PlanLine *lines; /* [n_lines] that set the experiment's keys: common ones, then by section */
    size_t n_sections, sections_room;
    PlanSection *sections; /* [n_sections], at least one */
    size_t n_configs;      /* over all sections */
    size_t part, n_parts;  /* see tacos_plan_set_part; part counts from 0, n_parts = 0 is all */
    bool quick;            /* see tacos_plan_set_quick */
    bool partial;          /* some sections were dropped: tacos_plan_keep */
    bool is_run;           /* names of classes become numbers, from the sets in data_dir */
    const char *data_dir;  /* see tacos_data_dir */
} Plan;

/* A plan of one configuration. */
tacos_status plan_of(Plan **out, const Experiment *experiment, const uint32_t *seeds,
                     size_t n_seeds, tacos_error *err);

/* The most runs of a plan: each takes some memory before it is made. */
enum { PLAN_RUNS_MAX = 10000000 };

/* Check the number of runs with this many seeds per configuration. */
tacos_status plan_check_runs(const Plan *plan, size_t n_seeds, tacos_error *err);

/* Fill a plan, whose name and source are set, from the text of its file. Free it on error too. */
tacos_status plan_read(Plan *plan, const char *text, tacos_error *err);

/* Sort the seeds; a duplicate is an error. */
tacos_status plan_sort_seeds(Plan *plan, tacos_error *err);

/* The i-th configuration: a function of the plan and i alone. */
tacos_status plan_config(const Plan *plan, size_t i, Experiment *out, tacos_error *err);

#endif
