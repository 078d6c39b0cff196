/* units.c - what the units of a columns learner have learned, for those who look at it. */
#include "net/learner.h"

static tacos_status check_columns(const Learner *learner, tacos_error *err) {
    if (!learner_is_columns(learner))
        return failure(err, TACOS_INVALID, "a spiking network has no units of columns");
    return TACOS_OK;
}

tacos_status tacos_learner_columns(const tacos_learner *learner, tacos_columns_view *out,
                                   tacos_error *err) {
    const Columns *c = &learner->columns;
    const Geometry *g = &c->geometry;
    TRY(check_columns(learner, err));
    *out = (tacos_columns_view){
        .n_units = c->n_units,
        .n_places = g->n_places,
        .places_wide = g->places_wide,
        .window_high = g->vector ? 1 : g->window_high,
        .window_wide = g->vector ? g->n_values : g->window_wide,
        .n_values = g->vector ? 1 : g->map_channels,
        .edges = g->edges,
    };
    return TACOS_OK;
}

tacos_status tacos_learner_unit(const tacos_learner *learner, size_t index, tacos_unit *out,
                                int8_t *values, uint32_t *counts, tacos_error *err) {
    const Columns *c = &learner->columns;
    size_t place = 0, u = index;
    TRY(check_columns(learner, err));
    if (index >= c->n_units)
        return failure(err, TACOS_RANGE, "unit %zu is out of range: %zu are in use", index,
                       c->n_units);
    for (; u >= c->place_units[place]; place++)
        u -= c->place_units[place];
    size_t unit = columns_unit(c, place, u);
    *out = (tacos_unit){.place = place, .uses = count_value(c->uses[unit])};
    for (size_t d = 0; values && d < c->geometry.n_values; d++)
        values[d] = *columns_value(c, unit, d);
    for (size_t k = 0; counts && k < c->n_outputs; k++)
        counts[k] = count_value(columns_counts(c, unit)[k]);
    return TACOS_OK;
}
