/* small.h - the state of a learner on a microcontroller as a file: docs/small.md. */
#ifndef CLI_SMALL_H
#define CLI_SMALL_H

#include "tacos.h"

#include <stdbool.h>

/* These return an exit status, after an error message. */
int small_export(tacos_learner *learner, const char *path);
int small_import(const char *path, const char *to);

/* Whether a file begins as such a state does. */
bool small_is(const char *path);

#endif
