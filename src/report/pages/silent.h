/* silent.h - a network whose outputs do not fire: said on its page, and never marked as best. */
#ifndef REPORT_SILENT_H
#define REPORT_SILENT_H

#include "report/input/runs.h"
#include "report/charts/text.h"

/* On so many test samples that its metrics mean little? */
bool silent_is(const RunFolder *runs);

/* A warning above the page of a run; nothing if it is not silent. */
void silent_banner(Text *out, const RunFolder *runs);

/* Above a comparison: which of them are silent. */
void silent_banners(Text *out, const RunFolder *runs, size_t n);

#endif
