/* live.h - what is scored so far of the runs at hand: workers note it, the runner's thread looks.
 */
#ifndef PLAN_LIVE_H
#define PLAN_LIVE_H

#include "tacos_lab.h"

typedef struct Live Live;

/* NULL without memory: then nothing is noted, which only costs the view. */
Live *live_new(void);
void live_free(Live *live);

/* From any thread: n_rows rows of b and R together are complete. They never change again. */
void live_note(Live *live, uint32_t seed, size_t n_tasks, size_t n_rows, const double *b,
               const double *R);

/* The runs noted, at most TACOS_LIVE_MAX. The arrays last as long as `live`. Returns their number.
 */
size_t live_view(Live *live, tacos_live_run out[TACOS_LIVE_MAX]);

#endif
