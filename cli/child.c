/* child.c - child processes by posix_spawnp. */
#define _GNU_SOURCE /* posix_spawn_file_actions_addchdir_np, in POSIX since 2024 */
#include "child.h"

#include "interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

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
    if (interrupt_signal())
        return CHILD_FAILED;
    int error = start(&child, argv, folder);
    if (error)
        return error == ENOENT || error == EACCES || error == ENOTDIR ? CHILD_ABSENT : CHILD_FAILED;
    interrupt_child(child);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    interrupt_child(0);
    return !interrupt_signal() && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? CHILD_OK
                                                                                : CHILD_FAILED;
}
