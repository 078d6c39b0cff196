/* removed.h - models and keys that version 0.1.0 had, which its files still name. */
#ifndef NET_REMOVED_H
#define NET_REMOVED_H

#include "base/status.h"

typedef enum Removed {
    REMOVED_NOT,     /* it is not one of them */
    REMOVED_DEFAULT, /* a key at its default, without effect */
    REMOVED_SET,     /* a key that has an effect only together with those below */
    REMOVED_NEEDED,  /* the network cannot work without it */
} Removed;

Removed removed_setting(const char *key, const char *value);

/* An error that says so if it is one of them: of a key, even at its default, and of a model. */
tacos_status removed_refuse(const char *key, const char *value, tacos_error *err);

#endif
