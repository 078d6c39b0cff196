/* history.c - see history.h. */
#include "stream/history.h"

#include "base/array.h"

#include "base/pack_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

tacos_status history_new(History *history, size_t length, size_t n, tacos_error *err) {
    *history = (History){.length = length, .n = n};
    if (length == 0)
        return TACOS_OK;
    if (n > SIZE_MAX / sizeof(double) / length ||
        !(history->values = malloc(length * n * sizeof(double))))
        return failure(err, TACOS_MEMORY, "no memory for the last %zu samples", length);
    history_clear(history);
    return TACOS_OK;
}

void history_free(History *history) {
    free(history->values);
    *history = (History){0};
}

void history_clear(History *history) {
    history->next = 0;
    for (size_t k = 0; k < history->length * history->n; k++)
        history->values[k] = (double)NAN;
}

void history_add(History *history, const double *record) {
    if (history->length == 0)
        return;
    memcpy(history->values + history->next * history->n, record,
           history->n * sizeof *history->values);
    history->next = (history->next + 1) % history->length;
}

const double *history_record(const History *history, size_t age) {
    size_t at = (history->next + history->length - age) % history->length;
    return history->values + at * history->n;
}

bool history_move(History *history, size_t length, size_t n, Pack *pack) {
    size_t next = (size_t)pack_whole(pack, history->next, 4);
    if (length > 0 ? next >= length : next != 0)
        return false;
    if (!pack->writing)
        *history = (History){.length = length, .n = n, .next = next};
    for (size_t k = 0; k < length; k++) {
        pack->no_memory = !pack->writing && !array_grow(&history->values, &history->room,
                                                        (k + 1) * n, sizeof *history->values);
        if (pack->no_memory || pack->failed)
            return false;
        pack_reals(pack, history->values + k * n, n);
    }
    return !pack->failed;
}
