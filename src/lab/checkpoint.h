/* checkpoint.h - a run that is not complete, as a file, so that it goes on where it was.
 * docs/checkpoint.md tells what is in it. */
#ifndef LAB_CHECKPOINT_H
#define LAB_CHECKPOINT_H

#include "lab/student.h"

/* Write the state of a session to how->checkpoint, in place of what was there. */
tacos_status checkpoint_write(const Session *session, tacos_error *err);

/* Bring a session that has just begun to where how->checkpoint left it. A file that is not there,
 * or that is another configuration's, leaves it as it is; a damaged one or a newer program's is an
 * error. */
tacos_status checkpoint_read(Session *session, tacos_error *err);

#endif
