/* child.c - child processes by posix_spawnp. */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np, in POSIX since 2024 */
#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The two things that a signal handler may touch. */
static volatile sig_atomic_t caught_signal;
static volatile sig_atomic_t running_child;

static const int guarded[CHILD_GUARD_SIGNALS] = {SIGINT, SIGTERM, SIGHUP};

static void on_signal(int number) {
    int before = errno;
    caught_signal = number;
    /* A terminal interrupts the child too, but a plain kill reaches only us. */
    if (running_child > 0)
        (void)kill((pid_t)running_child, SIGTERM);
    errno = before;
}

void child_guard_begin(ChildGuard *guard) {
    struct sigaction action = {0};
    caught_signal = 0;
    action.sa_handler = on_signal;
    (void)sigemptyset(&action.sa_mask);
    for (int i = 0; i < CHILD_GUARD_SIGNALS; i++) {
        (void)sigaction(guarded[i], NULL, &guard->before[i]);
        /* What was ignored (nohup, background jobs) stays ignored. */
        if (guard->before[i].sa_handler != SIG_IGN)
            (void)sigaction(guarded[i], &action, NULL);
    }
}

int child_interrupted(void) {
    return caught_signal;
}

void child_guard_end(const ChildGuard *guard) {
    for (int i = 0; i < CHILD_GUARD_SIGNALS; i++)
        (void)sigaction(guarded[i], &guard->before[i], NULL);
    if (caught_signal)
        (void)raise(caught_signal);
}

static int start(pid_t *child, const char *const *argv, const char *folder) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    if (!error)
        error = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (!error) /* argv is not written to; the missing const is history */
        error = posix_spawnp(child, argv[0], &actions, NULL, (char *const *)argv, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    return error;
}

ChildResult child_run(const char *const *argv, const char *folder) {
    pid_t child;
    int status;
    if (caught_signal)
        return CHILD_FAILED;
    int error = start(&child, argv, folder);
    if (error)
        return error == ENOENT || error == EACCES || error == ENOTDIR ? CHILD_ABSENT : CHILD_FAILED;
    running_child = (sig_atomic_t)child;
    if (caught_signal) /* it came while the child was being started */
        (void)kill(child, SIGTERM);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    running_child = 0;
    return !caught_signal && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? CHILD_OK
                                                                           : CHILD_FAILED;
}
