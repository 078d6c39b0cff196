/* team.c - fork and join, cheap enough for one step of a network. */
#include "base/posix.h"

#include "base/team.h"

#include <unistd.h>

#if defined(_POSIX_THREADS) && _POSIX_THREADS > 0

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

enum { SPINS = 20000, MEMBERS_MAX = 256 };

typedef struct Member {
    Team *team;
    size_t number;
    pthread_t thread;
} Member;

struct Team {
    size_t n;
    TeamJob *job;
    void *user;
    atomic_uint round;   /* a new number starts a new job */
    atomic_uint pending; /* members that have not finished it */
    atomic_bool over;
    atomic_uint sleepers;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    Member members[MEMBERS_MAX];
};

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Wait for another round than the last one; false if there will be none. */
static bool await_round(Team *team, unsigned last) {
    for (int k = 0; k < SPINS; k++) {
        if (atomic_load_explicit(&team->round, memory_order_acquire) != last)
            return !atomic_load(&team->over);
        pause_briefly();
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleepers, 1);
    while (atomic_load(&team->round) == last)
        pthread_cond_wait(&team->wake, &team->lock);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->lock);
    return !atomic_load(&team->over);
}

static void *serve(void *user) {
    Member *member = user;
    Team *team = member->team;
    for (unsigned round = 0; await_round(team, round);) {
        round++;
        team->job(team->user, member->number, team->n);
        atomic_fetch_sub_explicit(&team->pending, 1, memory_order_release);
    }
    return NULL;
}

static void start_round(Team *team) {
    atomic_fetch_add(&team->round, 1);
    if (atomic_load(&team->sleepers) == 0)
        return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->wake);
    pthread_mutex_unlock(&team->lock);
}

Team *team_new(size_t n) {
    if (n < 2)
        return NULL;
    Team *team = calloc(1, sizeof *team);
    if (!team)
        return NULL;
    n = n < MEMBERS_MAX ? n : MEMBERS_MAX;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->wake, NULL);
    /* If threads cannot be created, the team is smaller. Its size is final before the first job,
     * which releases the members. */
    for (team->n = 1; team->n < n; team->n++) {
        Member *member = &team->members[team->n];
        *member = (Member){.team = team, .number = team->n};
        if (pthread_create(&member->thread, NULL, serve, member) != 0)
            break;
    }
    if (team->n > 1)
        return team;
    team_free(team);
    return NULL;
}

void team_free(Team *team) {
    if (!team)
        return;
    atomic_store(&team->over, true);
    start_round(team);
    for (size_t k = 1; k < team->n; k++)
        pthread_join(team->members[k].thread, NULL);
    pthread_cond_destroy(&team->wake);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

void team_do(Team *team, TeamJob *job, void *user) {
    if (!team) {
        job(user, 0, 1);
        return;
    }
    team->job = job;
    team->user = user;
    atomic_store(&team->pending, (unsigned)team->n - 1);
    start_round(team);
    job(user, 0, team->n);
    for (int k = 0; atomic_load_explicit(&team->pending, memory_order_acquire) != 0; k++) {
        if (k < SPINS)
            pause_briefly();
        else
            (void)sched_yield();
    }
}

size_t team_size(const Team *team) {
    return team ? team->n : 1;
}

size_t team_asleep(const Team *team) {
    return team ? atomic_load(&team->sleepers) : 0;
}

#else /* without threads, as on a microcontroller, there is no team, and the caller does all */

Team *team_new(size_t n) {
    (void)n;
    return NULL;
}

void team_free(Team *team) {
    (void)team;
}

void team_do(Team *team, TeamJob *job, void *user) {
    (void)team;
    job(user, 0, 1);
}

size_t team_size(const Team *team) {
    (void)team;
    return 1;
}

size_t team_asleep(const Team *team) {
    (void)team;
    return 0;
}

#endif
