/* shown.h - what runs on the same data share on the device: the images as networks see them, and
 * the samples to score. */
#ifndef CUDA_SHOWN_H
#define CUDA_SHOWN_H

#include "cuda/batch.h"
#include "lab/task_split.h"

/* Of one split. */
typedef struct Shown {
    const GpuImages *learned, *scored;
    StreamSample *samples; /* [n_samples]: of all tests, task by task */
    size_t n_samples;
} Shown;

typedef struct ShownAll ShownAll;

/* Its calls on the Gpu go through the batch. */
tacos_status shown_all_new(ShownAll **out, Batch *batch, tacos_error *err);
void shown_all_free(ShownAll *all);

/* Copied to the device on first use. Thread-safe; *out is valid until shown_all_free. */
tacos_status shown_get(ShownAll *all, const TaskSplit *split, const Shown **out, tacos_error *err);

#endif
