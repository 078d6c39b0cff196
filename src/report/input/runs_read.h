/* runs_read.h - what results.json and running.json have in common. */
#ifndef REPORT_RUNS_READ_H
#define REPORT_RUNS_READ_H

#include "report/input/json_in.h"
#include "report/input/runs.h"

enum { TASKS_LIMIT = 256 };

/* Read the file up to its runs. `path` must outlive *top. */
tacos_status runs_read_head(RunFolder *runs, const char *path, JsonPlace *top, tacos_error *err);

#endif
