/* event_camera.h - recordings of event cameras: files of events, each a pixel that became lighter
 * (on) or darker (off) at some microsecond.
 *
 *   N-MNIST (.bin)      5 bytes per event: x, y, then one bit for on and 23 for the time, highest
 *                       first; y = 240 marks an overflow of the timer, 8192 us
 *   AEDAT 3.1 (.aedat)  lines that begin with #, then packets of little-endian events, of which
 *                       only polarity events are read */
#ifndef DATA_FORMATS_EVENT_CAMERA_H
#define DATA_FORMATS_EVENT_CAMERA_H

#include "base/bytes.h"

#include <stdbool.h>

/* A larger file is not a sample. An event has at least 5 bytes. */
#define RECORDING_BYTES_MAX ((size_t)1 << 28)

typedef struct Recording {
    const char *path; /* the caller's */
    Bytes bytes;
    size_t height, width; /* of the sensor; an event outside is an error */
    uint64_t n_events;
    uint64_t first_us, last_us; /* the earliest and the latest; they need not come in order */
} Recording;

typedef struct SensorEvent {
    uint64_t at_us;
    size_t x, y;
    bool on;
} SensorEvent;

/* Read a file and check every event; there is at least one. */
tacos_status recording_open(Recording *out, const char *path, size_t height, size_t width,
                            tacos_error *err);
void recording_close(Recording *recording);

/* The same from bytes, which become the recording's. */
tacos_status recording_take(Recording *out, Bytes bytes, const char *path, size_t height,
                            size_t width, tacos_error *err);

/* Every event, in the file's order. */
typedef void RecordingVisitor(void *user, const SensorEvent *event);
void recording_visit(const Recording *recording, RecordingVisitor *visit, void *user);

/* Events of each pixel, those off first: pixels[2][height][width], as shares of the most that one
 * pixel had, which is 255. */
tacos_status recording_count(const Recording *recording, uint8_t *pixels, tacos_error *err);

#endif
