/* folder.h - the few things that commands do with folders. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include <stddef.h>

enum { FOLDER_PATH_SIZE = 4096 };

/* All return 0, or -1 with errno. */

/* "FOLDER/NAME" into out[FOLDER_PATH_SIZE]. */
int folder_join(char *out, const char *folder, const char *name);

/* Make a folder and those above it. */
int folder_make(const char *path);

/* Look for a file in a folder and all below it; the folder that holds it goes to
 * out[FOLDER_PATH_SIZE]. ENOENT if there is none. */
int folder_find(char *out, const char *folder, const char *file);

/* Remove a folder and all in it. */
int folder_remove(const char *folder);

#endif
