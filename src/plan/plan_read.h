/* plan_read.h - from a plan's file to a plan. */
#ifndef PLAN_PLAN_READ_H
#define PLAN_PLAN_READ_H

#include "plan/plan.h"

/* Fill a plan that has its name and source from the text of its file. On an error the plan is to be
 * freed as it is. */
tacos_status plan_read(Plan *plan, const char *text, tacos_error *err);

/* Make the seeds ascend; the same one twice is an error. */
tacos_status plan_sort_seeds(Plan *plan, tacos_error *err);

#endif
