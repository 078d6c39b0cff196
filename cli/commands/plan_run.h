/* plan_run.h - a plan run from the command line: progress, and what to say when it ends. */
#ifndef CLI_PLAN_RUN_H
#define CLI_PLAN_RUN_H

#include "tacos.h"

typedef struct PlanRun {
    const char *store, *data;
    unsigned long jobs; /* 0: one per core */
    int quiet;
    tacos_plan_outcome outcome; /* filled in, if the result is TACOS_OK or TACOS_INTERRUPTED */
} PlanRun;

/* Run it within an interrupt guard. Says what went wrong; *code is what to exit with. */
tacos_status plan_run(const tacos_plan *plan, PlanRun *run, int *code);

#endif
