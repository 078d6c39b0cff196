/* folder.h - what the files are called that a run of one configuration has in its folder, beside
 * those of all seeds together (record.h). */
#ifndef PLAN_FOLDER_H
#define PLAN_FOLDER_H

#include "base/files.h"

#include <stdint.h>

/* The store, in which all results are. */
#define FOLDER_STORE "results.db"

/* What a seed has learned. */
static inline void folder_model(const char *folder, uint32_t seed, char path[OUTPUT_PATH_MAX]) {
    (void)snprintf(path, OUTPUT_PATH_MAX, "%s/model-%u.tacos", folder, seed);
}

/* Where its run is, until it is complete. */
static inline void folder_checkpoint(const char *folder, uint32_t seed,
                                     char path[OUTPUT_PATH_MAX]) {
    (void)snprintf(path, OUTPUT_PATH_MAX, "%s/run-%u.checkpoint", folder, seed);
}

/* The run is in the store: its checkpoint goes. */
void folder_forget_checkpoint(const char *folder, uint32_t seed);

typedef enum FolderState {
    FOLDER_ABSENT,
    FOLDER_UNFILLED, /* nothing is in it, but perhaps the rests of a start that was killed */
    FOLDER_FILLED,
} FolderState;

FolderState folder_look(const char *folder);

/* Remove what killed processes were writing in it. */
void folder_clean(const char *folder);

#endif
