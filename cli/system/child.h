/* child.h - run another program without a shell, and stop it when we are told to stop. */
#ifndef CLI_CHILD_H
#define CLI_CHILD_H

typedef enum ChildResult {
    CHILD_OK,
    CHILD_ABSENT, /* there is no such program on PATH */
    CHILD_FAILED, /* it could not be started, or did not end with 0, or we were interrupted */
} ChildResult;

/* Run argv[0] (ended by NULL, looked for on PATH) in `folder` and wait for its end. What it prints
 * goes to stderr, because stdout is for our data; it has nothing to read. */
ChildResult child_run(const char *const *argv, const char *folder);

/* The same here, with files that it reads from and writes to as its standard streams. */
ChildResult child_filter(const char *const *argv, int in, int out);

#endif
