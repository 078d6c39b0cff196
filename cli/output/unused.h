/* unused.h - keys that were set and have no effect: said once, instead of silently ignored. */
#ifndef CLI_UNUSED_H
#define CLI_UNUSED_H

#include "cli.h"

enum { UNUSED_MAX = 32 };
typedef struct Unused {
    size_t n;
    char keys[UNUSED_MAX][64];
} Unused;

/* Each key is noted once. */
void unused_add(Unused *unused, const char *key);

/* The keys of --set that `user` does not use. */
typedef int UsesKey(const void *user, const char *key);
void unused_settings(Unused *unused, const OptionList *settings, UsesKey *uses, const void *user);

/* "note: hidden and m_max have no effect with model=columns" on stderr, for "with model=" and
 * "columns"; nothing if there is none. */
void unused_report(const Unused *unused, const char *where, const char *name);

/* The same of a new learner. */
void unused_report_learner(const OptionList *settings, const tacos_learner *learner);

#endif
