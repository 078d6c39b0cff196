/* stream.h - what one run learns, sample by sample, and how each task shows its images: all data
 * that depends on the seed. */
#ifndef LAB_STREAM_H
#define LAB_STREAM_H

#include "lab/task_split.h"

typedef struct StreamSample {
    uint32_t image;
    uint16_t target, task;
} StreamSample;

typedef struct Stream {
    StreamSample *samples; /* [end of the last task], in the order they are learned */
    size_t end[TASKS_MAX]; /* end[k]: as many as the tasks up to k have; where R is taken */
    Preprocess look;       /* how images are shown, */
    size_t n_pixels;       /* each of so many, height x width */
    uint32_t *order;       /* [tasks but the first][n_pixels], NULL: pixels are as they are */
} Stream;

tacos_status stream_open(Stream *out, const TaskSplit *split, uint32_t seed, tacos_error *err);
void stream_close(Stream *stream);

/* Where a sample comes in the stream, in lengths of a task: the i-th (from 0) of the n of task t,
 * up to `blur` earlier or later. */
double stream_place(size_t t, size_t i, size_t n, double blur, uint32_t seed);

/* An image as a task shows it: centred, then softened, then place j has the pixel order[j]. `room`
 * is used where there is something to do. Whatever a network sees of a task goes through here. */
const uint8_t *stream_show(const Stream *stream, size_t t, const Images *images, size_t image,
                           uint8_t *room);

/* The bytes of that room. */
static inline size_t stream_room(const Stream *stream) {
    return 2 * stream->n_pixels; /* from one half to the other and back */
}

#endif
