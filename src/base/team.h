/* team.h - threads that do one short job together, again and again.
 *
 * The members wait in a loop for a while before they sleep, so that jobs of microseconds pay. */
#ifndef BASE_TEAM_H
#define BASE_TEAM_H

#include <stddef.h>

typedef struct Team Team;

/* A part of a job; `member` is 0 to n - 1. */
typedef void TeamJob(void *user, size_t member, size_t n);

/* n members, the caller included. NULL if n < 2, or if not one thread could be made. */
Team *team_new(size_t n);
void team_free(Team *team);

/* Does every part; without a team, one part in all. Returns when all are done. */
void team_do(Team *team, TeamJob *job, void *user);

size_t team_size(const Team *team); /* 1 without a team */

/* Members that no longer look for a job, but sleep until one wakes them. */
size_t team_asleep(const Team *team);

#endif
