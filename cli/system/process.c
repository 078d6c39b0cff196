/* process.c - signals to this process, and child processes started by posix_spawnp. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np, in POSIX since 2024 */
#endif
#include "system/process.h"

#include "cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* The two things that a signal handler may touch. */
static volatile sig_atomic_t caught_signal;
static volatile sig_atomic_t running_child;

static const int guarded[INTERRUPT_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

static void on_signal(int number) {
    int before = errno;
    caught_signal = number;
    /* A terminal interrupts the child too, but a plain kill reaches only us. */
    if (running_child > 0)
        (void)kill((pid_t)running_child, SIGTERM);
    errno = before;
}

void interrupt_begin(Interrupt *guard) {
    struct sigaction action = {0};
    caught_signal = 0;
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND;
    (void)sigemptyset(&action.sa_mask);
    for (int i = 0; i < INTERRUPT_SIGNALS; i++) {
        (void)sigaction(guarded[i], NULL, &guard->before[i]);
        if (guard->before[i].sa_handler != SIG_IGN)
            (void)sigaction(guarded[i], &action, NULL);
    }
}

int interrupt_signal(void) {
    return caught_signal;
}

void interrupt_child(pid_t child) {
    running_child = (sig_atomic_t)child;
    if (child > 0 && caught_signal) /* it came while the child was being started */
        (void)kill(child, SIGTERM);
}

void interrupt_end(const Interrupt *guard) {
    for (int i = 0; i < INTERRUPT_SIGNALS; i++)
        (void)sigaction(guarded[i], &guard->before[i], NULL);
    if (!caught_signal)
        return;
    (void)fflush(NULL);
    cluster_leave(); /* srun, unlike mpirun, would wait for the others */
    (void)raise(caught_signal);
}

extern char **environ;

/* The working folder of a child, and its standard input and output; -1: no input, output to stderr.
 */
typedef struct Place {
    const char *folder;
    int in, out;
} Place;

static int start(pid_t *child, const char *const *argv, const Place *place) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    if (place->in >= 0)
        error = posix_spawn_file_actions_adddup2(&actions, place->in, STDIN_FILENO);
    else
        error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_adddup2(
            &actions, place->out >= 0 ? place->out : STDERR_FILENO, STDOUT_FILENO);
    if (!error)
        error = posix_spawn_file_actions_addchdir_np(&actions, place->folder);
    if (!error) /* argv is not written to; the missing const is history */
        error = posix_spawnp(child, argv[0], &actions, NULL, (char *const *)argv, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

static ChildResult run(const char *const *argv, const Place *place) {
    pid_t child;
    int status;
    if (interrupt_signal())
        return CHILD_FAILED;
    int error = start(&child, argv, place);
    if (error)
        return error == ENOENT || error == EACCES || error == ENOTDIR ? CHILD_ABSENT : CHILD_FAILED;
    interrupt_child(child);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    interrupt_child(0);
    return !interrupt_signal() && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? CHILD_OK
                                                                                : CHILD_FAILED;
}

ChildResult child_run(const char *const *argv, const char *folder) {
    return run(argv, &(Place){folder, -1, -1});
}

ChildResult child_filter(const char *const *argv, int in, int out) {
    return run(argv, &(Place){".", in, out});
}
