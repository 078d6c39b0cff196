/* resume.h - the command that resumes what was interrupted. */
#ifndef CLI_RESUME_H
#define CLI_RESUME_H

#include "cli.h"

typedef struct Resume {
    const char *command; /* "run" */
    int argc;            /* of the command, argv[0] is its name; options were read, which optind
                            separates from the arguments */
    char *const *argv;
    const char *const *without; /* options that are left out, ended by NULL; or NULL */
    const char *with;           /* another option without an argument, such as "resume"; or NULL */
    const char *out;            /* for --out, if the command line did not say it; or NULL */
} Resume;

/* Print "`tacos run demo --out DIR` resumes" on stderr, with arguments between quotes where a shell
 * needs them. */
void resume_print(const Resume *resume);

#endif
