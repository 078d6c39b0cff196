/* pack.c - writes and reads what columns have learned. */
#include "columns/pack.h"

static size_t unit_bytes(const Columns *c) {
    return c->geometry.n_values + 1 + c->n_outputs;
}

uint64_t columns_packed_places(const Columns *c) {
    uint64_t place = 3 * 4 + 4 * (uint64_t)c->n_outputs;
    return 4 * (uint64_t)c->n_outputs + c->geometry.n_places * place + 4;
}

uint64_t columns_packed_bytes(const Columns *c) {
    return columns_packed_places(c) + (uint64_t)c->most_units * unit_bytes(c) + 4;
}

static uint32_t move_32(Pack *pack, uint32_t value) {
    return (uint32_t)pack_whole(pack, value, sizeof value);
}

static void move_32s(Pack *pack, uint32_t *values, size_t n) {
    for (size_t k = 0; k < n; k++)
        values[k] = move_32(pack, values[k]);
}

/* All of a place but its units, and how many those are. */
static void move_place(Columns *c, Pack *pack, size_t place, uint32_t *n_units) {
    *n_units = move_32(pack, *n_units);
    c->trust[place] = (int32_t)move_32(pack, (uint32_t)c->trust[place]);
    c->match[place] = (int32_t)move_32(pack, (uint32_t)c->match[place]);
    move_32s(pack, c->silent + place * c->n_outputs, c->n_outputs);
}

static void move_unit(Columns *c, Pack *pack, size_t unit) {
    for (size_t d = 0; d < c->geometry.n_values; d++)
        pack_bytes(pack, columns_value(c, unit, d), 1);
    pack_bytes(pack, &c->uses[unit], 1);
    pack_bytes(pack, columns_counts(c, unit), c->n_outputs);
}

/* Units not in use. True if they are zeros. */
static bool move_rest(const Columns *c, Pack *pack) {
    bool good = true;
    for (size_t left = (c->most_units - c->n_units) * unit_bytes(c); left > 0;) {
        unsigned char zeros[1024] = {0};
        size_t n = left < sizeof zeros ? left : sizeof zeros;
        pack_bytes(pack, zeros, n);
        for (size_t k = 0; k < n; k++)
            good = good && zeros[k] == 0;
        left -= n;
    }
    return good;
}

static bool place_holds(const Columns *c, size_t place) {
    return c->trust[place] >= TRUST_LEAST && c->trust[place] <= TRUST_MOST &&
           c->match[place] >= 0 && c->match[place] <= c->rule.match;
}

static bool unit_holds(const Columns *c, size_t unit) {
    for (size_t d = 0; d < c->geometry.n_values; d++)
        if (*columns_value(c, unit, d) == INT8_MIN)
            return false;
    return true;
}

/* Makes as many units as the places have. */
static bool add_units(Columns *c, const uint32_t *n_units) {
    for (size_t p = 0; p < c->geometry.n_places; p++) {
        if (!place_holds(c, p) || n_units[p] > c->most_units - c->n_units)
            return false;
        for (uint32_t u = 0; u < n_units[p]; u++)
            (void)columns_add_unit(c, p);
    }
    return true;
}

bool columns_move(Columns *c, Pack *pack) {
    bool good = true;
    uint32_t *n_units = c->place_units;
    if (!pack->writing) {
        columns_start(c, c->seed, c->kernel);
        n_units = c->wanted;
    }
    move_32s(pack, c->totals, c->n_outputs);
    for (size_t p = 0; p < c->geometry.n_places; p++)
        move_place(c, pack, p, &n_units[p]);
    if (!pack_checksum(pack) || (!pack->writing && !add_units(c, n_units)))
        return false;
    for (size_t p = 0; p < c->geometry.n_places; p++)
        for (size_t u = 0; u < c->place_units[p] && good; u++) {
            size_t unit = columns_unit(c, p, u);
            move_unit(c, pack, unit);
            if (!pack->writing) {
                good = unit_holds(c, unit);
                columns_set_inverse(c, unit);
            }
        }
    return good && move_rest(c, pack) && pack_checksum(pack);
}
