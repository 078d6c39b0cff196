/* event_camera.c - tacos_events_read: a recording of an event camera as spikes, by step and input.
 */
#include "tacos.h"

#include "base/real.h"
#include "data/recording.h"

#include <math.h>
#include <stdlib.h>

#define SPIKES_MAX ((size_t)1 << 30)
enum { SIDE_MAX = 1 << 15 };

static tacos_status check_options(const tacos_events_options *o, tacos_error *err) {
    if (o->height < 1 || o->height > SIDE_MAX || o->width < 1 || o->width > SIDE_MAX)
        return failure(err, TACOS_RANGE, "a sensor of %zu x %zu pixels: each side is from 1 to %d",
                       o->height, o->width, SIDE_MAX);
    if (o->n_polarities != 1 && o->n_polarities != 2)
        return failure(err, TACOS_RANGE, "there are 1 or 2 polarities, not %zu", o->n_polarities);
    if (!(o->bin_ms >= 1e-3 && o->bin_ms <= 1e9))
        return failure(err, TACOS_RANGE, "a step is from 0.001 to 1e9 ms long, not %s",
                       REAL(o->bin_ms));
    if (o->max_steps < 1)
        return failure(err, TACOS_RANGE, "there must be at least one step");
    return TACOS_OK;
}

/* Spikes that are being filled in. */
typedef struct Filling {
    const tacos_events_options *options;
    uint64_t first_us;
    tacos_events *out;
} Filling;

/* From 0; below 2^63, since so are times. */
static uint64_t step_of(const tacos_events_options *options, uint64_t since_us) {
    return (uint64_t)floor((double)since_us / (options->bin_ms * 1000));
}

static void fill(void *user, const SensorEvent *event) {
    Filling *filling = user;
    const tacos_events_options *o = filling->options;
    tacos_events *out = filling->out;
    uint64_t step = step_of(o, event->at_us - filling->first_us);
    if (step >= out->n_steps) {
        out->n_left_out++;
        return;
    }
    size_t plane = o->n_polarities == 2 && event->on;
    size_t input = (plane * o->height + event->y) * o->width + event->x;
    out->spikes[(size_t)step * out->n_inputs + input] = 1;
}

static tacos_status make_spikes(tacos_events *out, const Recording *recording,
                                const tacos_events_options *options, tacos_error *err) {
    uint64_t n_steps = step_of(options, recording->last_us - recording->first_us) + 1;
    out->n_events = recording->n_events;
    out->duration_ms = (double)(recording->last_us - recording->first_us) / 1000;
    out->n_inputs = options->n_polarities * options->height * options->width;
    out->n_steps = n_steps < options->max_steps ? (size_t)n_steps : options->max_steps;
    if (out->n_steps > SPIKES_MAX / out->n_inputs)
        return failure(err, TACOS_RANGE, "%.300s: %zu steps of %zu inputs are more than %zu spikes",
                       recording->path, out->n_steps, out->n_inputs, SPIKES_MAX);
    out->spikes = calloc(out->n_steps, out->n_inputs);
    if (!out->spikes)
        return failure(err, TACOS_MEMORY, "no memory for the spikes of %.300s", recording->path);
    Filling filling = {options, recording->first_us, out};
    recording_visit(recording, fill, &filling);
    return TACOS_OK;
}

tacos_status tacos_events_read(tacos_events **out, const char *path,
                               const tacos_events_options *options, tacos_error *err) {
    Recording recording;
    *out = NULL;
    TRY(check_options(options, err));
    TRY(recording_open(&recording, path, options->height, options->width, err));
    tacos_events *events = calloc(1, sizeof *events);
    tacos_status status = TACOS_OK;
    if (events)
        status = make_spikes(events, &recording, options, err);
    else
        status = failure(err, TACOS_MEMORY, "no memory to read %.300s", path);
    recording_close(&recording);
    if (status == TACOS_OK)
        *out = events;
    else
        tacos_events_free(events);
    return status;
}

void tacos_events_free(tacos_events *events) {
    if (events)
        free(events->spikes);
    free(events);
}
