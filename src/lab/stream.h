/* stream.h - the samples of one run in order, and how each task shows its images: all data that
 * depends on the seed. */
#ifndef LAB_STREAM_H
#define LAB_STREAM_H

#include "lab/task_split.h"

typedef struct StreamSample {
    uint32_t image;
    uint16_t target, task;
} StreamSample;

typedef struct Stream {
    StreamSample *samples; /* [end of the last task], in learning order */
    size_t end[TASKS_MAX]; /* end[k]: number of samples of tasks 0 to k; R is measured there */
    Preprocess look;       /* preprocessing of images */
    size_t n_inputs;       /* the values of an image: height x width x channels */
    uint32_t *order;       /* [tasks but the first][n_inputs]; NULL: not permuted */
} Stream;

tacos_status stream_open(Stream *out, const TaskSplit *split, uint32_t seed, tacos_error *err);
void stream_close(Stream *stream);

/* The position of a sample in the stream, in task lengths: sample i (from 0) of n of task t, up to
 * `blur` earlier or later. */
double stream_place(size_t t, size_t i, size_t n, double blur, uint32_t seed);

/* An image as a task shows it: centred, softened, then permuted: value j is order[j]. `room` is a
 * buffer for that. Everything a network sees of a task goes through here. */
const uint8_t *stream_show(const Stream *stream, size_t t, const Images *images, size_t image,
                           uint8_t *room);

/* The size of `room` in bytes. */
static inline size_t stream_room(const Stream *stream) {
    return 2 * stream->n_inputs; /* images move from one half to the other and back */
}

#endif
