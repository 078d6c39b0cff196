/* fuzz_events.c - files of event cameras, as spikes and as an image. */
#include "fuzz_images.h"

#include "data/formats/event_camera.h"

enum { HEIGHT = 34, WIDTH = 34, STEPS = 50 };

static void as_image(const char *path) {
    static uint8_t pixels[2 * HEIGHT * WIDTH];
    Recording recording;
    unsigned most = 0;
    if (recording_open(&recording, path, HEIGHT, WIDTH, NULL) != TACOS_OK)
        return;
    HOLDS(recording.n_events > 0 && recording.first_us <= recording.last_us);
    HOLDS(recording_count(&recording, pixels, NULL) == TACOS_OK);
    for (size_t i = 0; i < sizeof pixels; i++)
        most = pixels[i] > most ? pixels[i] : most;
    HOLDS(most == UINT8_MAX);
    recording_close(&recording);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    FuzzFile file = file_of(bytes, n);
    tacos_events_options options = {HEIGHT, WIDTH, 1 + n % 2, 0.5, STEPS};
    tacos_events *events;
    tacos_error err = {0};
    tacos_status status = tacos_events_read(&events, file.path, &options, &err);
    if (status == TACOS_OK) {
        HOLDS(events->n_steps >= 1 && events->n_steps <= STEPS);
        HOLDS(events->n_left_out < events->n_events);
        for (size_t i = 0; i < events->n_steps * events->n_inputs; i++)
            HOLDS(events->spikes[i] <= 1);
    } else {
        HOLDS(!events);
        check_failure(status, &err);
    }
    tacos_events_free(events);
    as_image(file.path);
    file_end(&file);
    return 0;
}
