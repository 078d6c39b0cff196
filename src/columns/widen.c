/* widen.c - more outputs for columns that have learned. */
#include "columns/columns.h"

#include <string.h>

/* Of the least used units, so many are left out: all with codes of uses below `code`, and of those
 * with this code the first `n`. */
typedef struct Least {
    uint8_t code;
    size_t n;
} Least;

static Least find_least(const Columns *from, size_t too_many) {
    size_t with[COUNT_MOST + 1] = {0};
    Least least = {.n = too_many};
    for (size_t p = 0; p < from->geometry.n_places; p++)
        for (size_t u = 0; u < from->place_units[p]; u++)
            with[from->uses[columns_unit(from, p, u)]]++;
    while (least.code < COUNT_MOST && least.n >= with[least.code] && least.n > 0)
        least.n -= with[least.code++];
    return least;
}

static void copy_unit(Columns *out, size_t place, const Columns *from, size_t unit) {
    size_t copy = columns_add_unit(out, place);
    for (size_t d = 0; d < from->geometry.n_values; d++)
        *columns_value(out, copy, d) = *columns_value(from, unit, d);
    columns_set_inverse(out, copy);
    out->uses[copy] = from->uses[unit];
    memcpy(columns_counts(out, copy), columns_counts(from, unit), from->n_outputs);
}

static void copy_place(Columns *out, const Columns *from, size_t place, Least *least) {
    memcpy(out->silent + place * out->n_outputs, from->silent + place * from->n_outputs,
           from->n_outputs * sizeof *out->silent);
    out->trust[place] = from->trust[place];
    if (from->match[place] < from->rule.match && from->match[place] < out->rule.match)
        out->match[place] = from->match[place];
    for (size_t u = 0; u < from->place_units[place]; u++) {
        size_t unit = columns_unit(from, place, u);
        uint8_t uses = from->uses[unit];
        bool leave = uses < least->code || (uses == least->code && least->n > 0);
        if (leave && uses == least->code)
            least->n--;
        if (!leave)
            copy_unit(out, place, from, unit);
    }
}

void columns_widen(Columns *out, const Columns *from) {
    bool fits = from->n_units <= out->most_units;
    Least least = find_least(from, fits ? 0 : from->n_units - out->most_units);
    memcpy(out->totals, from->totals, from->n_outputs * sizeof *out->totals);
    for (size_t p = 0; p < from->geometry.n_places; p++)
        copy_place(out, from, p, &least);
}
