/* tiny_checkpoint.h - a run so small that it takes no time, and the checkpoint that it leaves. */
#ifndef FUZZ_TINY_CHECKPOINT_H
#define FUZZ_TINY_CHECKPOINT_H

#include "repair.h"

#include "base/little_endian.h"
#include "lab/protocol.h"
#include "net/learner.h"

/* docs/checkpoint.md: what a checkpoint is made of, for two tasks. */
enum { OWNER_BYTES = 8 + 4 + 64 + 4 + 4 + 4 + 4 }; /* with its sum */
enum { COUNTER_BYTES = 8 + 2 * 9 * 8 };

typedef struct TinyRun {
    Dataset data;
    TaskSplits *splits;
    const TaskSplit *split;
    Experiment settled;
} TinyRun;

/* One image of four pixels of each of four classes. */
static inline void tiny_images(Images *out) {
    *out = (Images){
        .n = 4, .height = 2, .width = 2, .channels = 1, .pixels = calloc(16, 1), .labels = NULL};
    out->labels = calloc(4, sizeof *out->labels);
    HOLDS(out->pixels && out->labels);
    for (size_t i = 0; i < 4; i++) {
        out->labels[i] = (uint16_t)i;
        out->pixels[5 * i] = 255;
    }
}

static inline void tiny_open(TinyRun *out, const char *model) {
    const char *const keys[][2] = {{"model", model}, {"dataset", "tiny"},   {"tasks", "0-1,2-3"},
                                   {"hidden", "3"},  {"column_units", "4"}, {"steps", "5"}};
    Experiment experiment;
    tiny_images(&out->data.train);
    tiny_images(&out->data.test);
    out->data.n_classes = 4;
    experiment_defaults(&experiment);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        HOLDS(tacos_experiment_set(&experiment, keys[k][0], keys[k][1], NULL) == TACOS_OK);
    HOLDS(task_splits_new(&out->splits, NULL, NULL) == TACOS_OK);
    HOLDS(task_splits_lend(out->splits, "tiny", &out->data, NULL) == TACOS_OK);
    HOLDS(task_splits_get(out->splits, &experiment.params, &out->split, NULL) == TACOS_OK);
    HOLDS(task_split_settle(out->split, &experiment, &out->settled, NULL) == TACOS_OK);
}

static inline void tiny_close(TinyRun *tiny) {
    task_splits_free(tiny->splits);
    dataset_free(&tiny->data);
}

/* How far the run is: as many counts of answers as there are rows, unless that is damaged. */
static inline void tiny_repair_state(const TinyRun *tiny, Repair *repair) {
    enum { TASKS = 2, STATE = 4 * 8 + TASKS * 8 + TASKS * TASKS * 8 + TASKS * 8 };
    uint64_t row = 4 * tiny->data.n_classes * (tiny->settled.learner.n_outputs + 1), n_rows = 0;
    if (repair->n >= 8 && repair->at <= repair->n - 8)
        n_rows = little_endian_get(repair->bytes + repair->at, 8);
    repair_part(repair, STATE + (n_rows <= TASKS + 1 ? n_rows * row : 0));
}

static inline tacos_status tiny_run(const TinyRun *tiny, const char *checkpoint, uint64_t every,
                                    tacos_run *out, tacos_error *err) {
    ProtocolOptions how = {.n_threads = 1, .checkpoint = checkpoint, .checkpoint_every = every};
    return protocol_run(out, tiny->split, &tiny->settled, 1, &how, err);
}

/* What the run leaves in a folder that goes at once; free it. */
static inline uint8_t *tiny_checkpoint(const TinyRun *tiny, size_t *n) {
    char folder[] = "/tmp/tacos-fuzz-XXXXXX", path[64];
    tacos_run run;
    HOLDS(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/checkpoint", folder);
    HOLDS(tiny_run(tiny, path, 3, &run, NULL) == TACOS_OK);
    run_free(&run);
    FILE *file = fopen(path, "rb");
    uint8_t *bytes = malloc(1 << 16);
    HOLDS(file && bytes);
    *n = fread(bytes, 1, 1 << 16, file);
    (void)fclose(file);
    (void)unlink(path);
    (void)rmdir(folder);
    return bytes;
}

#endif
