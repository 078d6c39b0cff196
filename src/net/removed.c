/* removed.c - the list of what version 0.1.0 had: a sparse random expansion of the inputs,
 * plasticity that falls with use, and weights that are counted. */
#include "net/removed.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const char *const removed_models[] = {"use", "use+consolidation", "counting"};

static const struct {
    const char *name, *idle; /* its default, at which it has no effect */
    bool alone;              /* other values have an effect in every model */
} removed_keys[] = {
    {"expansion", "0", true},
    {"expansion_active", "0.005", false},
    {"expansion_steps", "150", false},
    {"expansion_rate_hz", "150", false},
    {"expansion_synapses", "drawn", false},
    {"use_slope", "0.1", false},
    {"count_prior", "1", false},
    {"output_inhibition", "0", true},
};

Removed removed_setting(const char *key, const char *value) {
    for (size_t i = 0; i < sizeof removed_models / sizeof *removed_models; i++)
        if (strcmp(key, "model") == 0 && strcmp(value, removed_models[i]) == 0)
            return REMOVED_NEEDED;
    for (size_t i = 0; i < sizeof removed_keys / sizeof *removed_keys; i++)
        if (strcmp(key, removed_keys[i].name) == 0) {
            if (strcmp(value, removed_keys[i].idle) == 0)
                return REMOVED_DEFAULT;
            return removed_keys[i].alone ? REMOVED_NEEDED : REMOVED_SET;
        }
    return REMOVED_NOT;
}

tacos_status removed_refuse(const char *key, const char *value, tacos_error *err) {
    if (removed_setting(key, value) == REMOVED_NOT)
        return TACOS_OK;
    if (strcmp(key, "model") == 0)
        return failure(err, TACOS_INVALID,
                       "model = %s was removed after version 0.1.0; model = columns took its place",
                       value);
    return failure(err, TACOS_UNKNOWN,
                   "key '%s' was removed after version 0.1.0; model = columns does without it",
                   key);
}
