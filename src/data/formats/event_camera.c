/* event_camera.c - reads files of events. The same code walks a file twice: first to check it, then
 * to use it. */
#include "data/formats/event_camera.h"

#include "base/decimal.h"
#include "base/little_endian.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char AEDAT[] = "#!AER-DAT", AEDAT_VERSION[] = "3.1", END_HEADER[] = "#!END-HEADER";

enum { BIN_EVENT = 5, BIN_OVERFLOW_Y = 240, BIN_OVERFLOW_US = 8192 };
enum { PACKET_HEADER = 28, POLARITY_TYPE = 1, POLARITY_EVENT = 8, POLARITY_TIME_AT = 4 };

/* One walk over a recording. */
typedef struct Walk {
    const Recording *recording;
    size_t at; /* in its bytes */
    RecordingVisitor *visit;
    void *user;
} Walk;

static tacos_status fail(const Walk *walk, const char *what, tacos_error *err) {
    return failure(err, TACOS_FORMAT, "%.300s: at byte %zu %s", walk->recording->path, walk->at,
                   what);
}

static tacos_status meet(const Walk *walk, SensorEvent event, tacos_error *err) {
    const Recording *recording = walk->recording;
    if (event.x >= recording->width || event.y >= recording->height)
        return failure(err, TACOS_FORMAT,
                       "%.300s: at byte %zu is an event in column %zu, row %zu; the sensor's are 0 "
                       "to %zu and 0 to %zu",
                       recording->path, walk->at, event.x, event.y, recording->width - 1,
                       recording->height - 1);
    walk->visit(walk->user, &event);
    return TACOS_OK;
}

/* ---- N-MNIST ---- */

static tacos_status walk_bin(Walk *walk, tacos_error *err) {
    const Bytes *bytes = &walk->recording->bytes;
    uint64_t overflow_us = 0;
    if (bytes->n % BIN_EVENT != 0)
        return failure(err, TACOS_FORMAT,
                       "%.300s has %zu bytes, which is not a multiple of %d, the size of an event",
                       walk->recording->path, bytes->n, BIN_EVENT);
    for (; walk->at < bytes->n; walk->at += BIN_EVENT) {
        const uint8_t *b = bytes->at + walk->at;
        uint64_t at_us = (uint64_t)(b[2] & 0x7f) << 16 | (uint64_t)b[3] << 8 | b[4];
        if (b[1] == BIN_OVERFLOW_Y)
            overflow_us += BIN_OVERFLOW_US;
        else
            TRY(meet(walk, (SensorEvent){overflow_us + at_us, b[0], b[1], b[2] >> 7}, err));
    }
    return TACOS_OK;
}

/* ---- AEDAT ---- */

static uint32_t word(const uint8_t *b) {
    return (uint32_t)little_endian_get(b, 4);
}

static bool starts_with(const Walk *walk, const char *text) {
    const Bytes *bytes = &walk->recording->bytes;
    size_t n = strlen(text);
    return bytes->n - walk->at >= n && memcmp(bytes->at + walk->at, text, n) == 0;
}

/* The packets begin after #!END-HEADER, or where a line does not begin with #. */
static tacos_status skip_header(Walk *walk, tacos_error *err) {
    const Bytes *bytes = &walk->recording->bytes;
    bool last = false;
    walk->at = strlen(AEDAT);
    if (!starts_with(walk, AEDAT_VERSION))
        return failure(err, TACOS_FORMAT, "%.300s is AEDAT of another version; 3.1 is read",
                       walk->recording->path);
    walk->at = 0;
    while (!last && walk->at < bytes->n && bytes->at[walk->at] == '#') {
        const uint8_t *end = memchr(bytes->at + walk->at, '\n', bytes->n - walk->at);
        if (starts_with(walk, "#Format:") && !starts_with(walk, "#Format: RAW"))
            return fail(walk, "it says that its events are packed; '#Format: RAW' is read", err);
        last = starts_with(walk, END_HEADER);
        if (!end)
            return fail(walk, "a line of its header has no end", err);
        walk->at = (size_t)(end + 1 - bytes->at);
    }
    return TACOS_OK;
}

typedef struct Packet {
    uint32_t type, event_size, time_at, overflow, capacity, number;
} Packet;

static Packet read_packet(const uint8_t *b) {
    return (Packet){
        .type = word(b) & 0xffff,
        .event_size = word(b + 4),
        .time_at = word(b + 8),
        .overflow = word(b + 12),
        .capacity = word(b + 16),
        .number = word(b + 20),
    };
}

static tacos_status check_packet(const Walk *walk, const Packet *packet, tacos_error *err) {
    uint64_t left = walk->recording->bytes.n - walk->at - PACKET_HEADER;
    if (packet->number > packet->capacity || packet->overflow > INT32_MAX)
        return fail(walk, "is a packet whose header is damaged", err);
    if ((uint64_t)packet->capacity * packet->event_size > left)
        return fail(walk, "is a packet that is cut off", err);
    if (packet->type == POLARITY_TYPE &&
        (packet->event_size != POLARITY_EVENT || packet->time_at != POLARITY_TIME_AT))
        return fail(walk, "is a packet of events of an unknown form", err);
    return TACOS_OK;
}

static tacos_status meet_polarity(const Walk *walk, const Packet *packet, const uint8_t *b,
                                  tacos_error *err) {
    uint32_t data = word(b), time = word(b + POLARITY_TIME_AT);
    if (!(data & 1)) /* marked invalid */
        return TACOS_OK;
    if (time > INT32_MAX)
        return fail(walk, "is an event with a negative time", err);
    SensorEvent event = {
        .at_us = (uint64_t)packet->overflow << 31 | time,
        .x = data >> 17,
        .y = data >> 2 & 0x7fff,
        .on = data >> 1 & 1,
    };
    return meet(walk, event, err);
}

static tacos_status walk_packet(Walk *walk, tacos_error *err) {
    const Bytes *bytes = &walk->recording->bytes;
    if (bytes->n - walk->at < PACKET_HEADER)
        return fail(walk, "is a packet that is cut off", err);
    Packet packet = read_packet(bytes->at + walk->at);
    TRY(check_packet(walk, &packet, err));
    size_t end = walk->at + PACKET_HEADER + (size_t)packet.capacity * packet.event_size;
    walk->at += PACKET_HEADER;
    if (packet.type == POLARITY_TYPE)
        for (size_t i = 0; i < packet.number; i++, walk->at += POLARITY_EVENT)
            TRY(meet_polarity(walk, &packet, bytes->at + walk->at, err));
    walk->at = end;
    return TACOS_OK;
}

static tacos_status walk_aedat(Walk *walk, tacos_error *err) {
    TRY(skip_header(walk, err));
    while (walk->at < walk->recording->bytes.n)
        TRY(walk_packet(walk, err));
    return TACOS_OK;
}

static tacos_status walk_all(const Recording *recording, RecordingVisitor *visit, void *user,
                             tacos_error *err) {
    Walk walk = {.recording = recording, .visit = visit, .user = user};
    return starts_with(&walk, AEDAT) ? walk_aedat(&walk, err) : walk_bin(&walk, err);
}

/* ---- a recording ---- */

static void note(void *user, const SensorEvent *event) {
    Recording *recording = user;
    if (recording->n_events == 0 || event->at_us < recording->first_us)
        recording->first_us = event->at_us;
    if (recording->n_events == 0 || event->at_us > recording->last_us)
        recording->last_us = event->at_us;
    recording->n_events++;
}

tacos_status recording_take(Recording *out, Bytes bytes, const char *path, size_t height,
                            size_t width, tacos_error *err) {
    *out = (Recording){.path = path, .bytes = bytes, .height = height, .width = width};
    tacos_status status = walk_all(out, note, out, err);
    if (status == TACOS_OK && out->n_events == 0)
        status = failure(err, TACOS_FORMAT, "%.300s holds no event", path);
    if (status != TACOS_OK)
        recording_close(out);
    return status;
}

tacos_status recording_open(Recording *out, const char *path, size_t height, size_t width,
                            tacos_error *err) {
    Bytes bytes;
    TRY(file_take(&bytes, path, RECORDING_BYTES_MAX, err));
    return recording_take(out, bytes, path, height, width, err);
}

void recording_close(Recording *recording) {
    free(recording->bytes.at);
    *recording = (Recording){0};
}

void recording_visit(const Recording *recording, RecordingVisitor *visit, void *user) {
    (void)walk_all(recording, visit, user, NULL); /* it was seen to be good */
}

/* ---- counts ---- */

typedef struct Counting {
    size_t height, width;
    uint32_t *count; /* [2][height][width]; a file has fewer events than this can count */
} Counting;

static void count(void *user, const SensorEvent *event) {
    const Counting *counting = user;
    counting->count[(event->on * counting->height + event->y) * counting->width + event->x]++;
}

tacos_status recording_count(const Recording *recording, uint8_t *pixels, tacos_error *err) {
    size_t n = 2 * recording->height * recording->width;
    Counting counting = {recording->height, recording->width, calloc(n, sizeof(uint32_t))};
    uint64_t most = 1;
    if (!counting.count)
        return failure(err, TACOS_MEMORY, "no memory to count the events of %.300s",
                       recording->path);
    recording_visit(recording, count, &counting);
    for (size_t i = 0; i < n; i++)
        most = counting.count[i] > most ? counting.count[i] : most;
    for (size_t i = 0; i < n; i++)
        pixels[i] = (uint8_t)((510 * (uint64_t)counting.count[i] + most) / (2 * most));
    free(counting.count);
    return TACOS_OK;
}

/* ---- as spikes: tacos_events_read ---- */

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
