/* team.h - threads that repeatedly share one short job.
 *
 * Members spin for a while before they sleep, so that jobs of microseconds are worthwhile. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <stddef.h>

typedef struct Team Team;

/* A part of a job; `member` is 0 to n - 1. */
typedef void TeamJob(void *user, size_t member, size_t n);

/* n members, the caller included. NULL if n < 2, or if no thread could be created. */
Team *team_new(size_t n);
void team_free(Team *team);

/* Do every part; without a team, the job is one part. Returns when all are done. */
void team_do(Team *team, TeamJob *job, void *user);

size_t team_size(const Team *team); /* 1 without a team */

/* Members that have stopped spinning and sleep. */
size_t team_asleep(const Team *team);

#endif
