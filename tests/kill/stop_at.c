/* stop_at.c - stop a program just before the N-th thing it does to files, counted, not timed.
 *
 *   stop_at N kill COMMAND...    kill it there, as SIGKILL does
 *   stop_at N SCRIPT COMMAND...  let sh run SCRIPT there, while it stands still, and then let it go
 * on
 *   stop_at 0 count COMMAND...   leave it alone, and say on standard error how many there are
 *
 * What counts is every system call of any of its threads that makes, changes, locks, renames or
 * removes a file; not what it writes to its standard streams. Exits as the command does; 137 if it
 * was killed; 77 where programs may not be traced. Standard input is the command's alone. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXIT_UNABLE = 77, EXIT_KILLED = 137 };

/* Some machines have only the calls that end with "at". */
static const long changes[] = {
#ifdef SYS_rename
    SYS_rename,   SYS_mkdir,     SYS_rmdir,     SYS_unlink,   SYS_link,   SYS_symlink,
    SYS_creat,
#endif
    SYS_renameat, SYS_renameat2, SYS_mkdirat,   SYS_unlinkat, SYS_linkat, SYS_symlinkat,
    SYS_truncate, SYS_ftruncate, SYS_fallocate, SYS_fchmod,   SYS_flock,
};

static const long writes[] = {SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev, SYS_sendfile};

static bool is_one_of(const long *calls, size_t n, uint64_t call) {
    for (size_t k = 0; k < n; k++)
        if ((uint64_t)calls[k] == call)
            return true;
    return false;
}

static bool counts(const struct __ptrace_syscall_info *info) {
    const uint64_t *args = info->entry.args;
    uint64_t call = info->entry.nr;
    if (call == SYS_openat)
        return (args[2] & (O_CREAT | O_TRUNC)) != 0;
#ifdef SYS_open
    if (call == SYS_open)
        return (args[1] & (O_CREAT | O_TRUNC)) != 0;
#endif
    if (is_one_of(writes, sizeof writes / sizeof *writes, call))
        return args[0] > STDERR_FILENO;
    return is_one_of(changes, sizeof changes / sizeof *changes, call);
}

static _Noreturn void fail(const char *what) {
    fprintf(stderr, "stop_at: %s: %s\n", what, strerror(errno));
    exit(EXIT_UNABLE);
}

/* Without what belongs to the command. */
static void run_script(const char *script) {
    pid_t child = fork();
    if (child == 0) {
        int nothing = open("/dev/null", O_RDONLY);
        (void)dup2(nothing, STDIN_FILENO);
        (void)execl("/bin/sh", "sh", "-c", script, (char *)NULL);
        _exit(127);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child)
        fail("sh");
}

static pid_t start(char **command) {
    pid_t child = fork();
    if (child == 0) {
        if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
            _exit(EXIT_UNABLE);
        (void)raise(SIGSTOP);
        (void)execvp(command[0], command);
        _exit(127);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFSTOPPED(status))
        fail("cannot trace");
    long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;
    if (ptrace(PTRACE_SETOPTIONS, child, 0, options) != 0 ||
        ptrace(PTRACE_SYSCALL, child, 0, 0) != 0)
        fail("cannot trace");
    return child;
}

static bool is_counted_entry(pid_t thread) {
    struct __ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0)
        return false;
    return info.op == PTRACE_SYSCALL_INFO_ENTRY && counts(&info);
}

/* The signal to go on with: none for stops of our own making. */
static int signal_of(int status) {
    int number = WSTOPSIG(status);
    bool ours = status >> 16 != 0 || number == SIGSTOP || number == SIGTRAP;
    return ours ? 0 : number;
}

static int exit_code(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fputs("stop_at N kill|count|SCRIPT COMMAND...\n", stderr);
        return 2;
    }
    unsigned long n = strtoul(argv[1], NULL, 10), seen = 0;
    bool kills = strcmp(argv[2], "kill") == 0;
    pid_t child = start(argv + 3);
    for (;;) {
        int status, pass = 0;
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0)
            fail("waitpid");
        if (!WIFSTOPPED(status)) {
            if (thread != child)
                continue;
            if (strcmp(argv[2], "count") == 0)
                fprintf(stderr, "deeds: %lu\n", seen);
            return exit_code(status);
        }
        if (WSTOPSIG(status) != (SIGTRAP | 0x80))
            pass = signal_of(status);
        else if (is_counted_entry(thread) && ++seen == n) {
            if (!kills)
                run_script(argv[2]);
            else if (kill(child, SIGKILL) != 0)
                fail("kill");
            else
                continue;
        }
        (void)ptrace(PTRACE_SYSCALL, thread, 0, pass);
    }
}
