/* verdict.h - the sentence on top of a page: what was learned, and what is left of it. */
#ifndef REPORT_VERDICT_H
#define REPORT_VERDICT_H

#include "report/charts/text.h"
#include "report/input/runs.h"

/* Of one run. `baseline`, of the same stream, may be NULL. */
void verdict_of_run(Text *out, const RunFolder *runs, const RunFolder *baseline);

/* Of several runs. */
void verdict_of_runs(Text *out, const RunFolder *runs, size_t n);

/* Can it be compared with the run: did it learn the same stream? */
tacos_status verdict_check_baseline(const RunFolder *runs, const RunFolder *baseline,
                                    tacos_error *err);

#endif
