/* gpu.c - gpu.h over a machine: images, and work for many networks at once. */
#include "cuda/network.h"

#include "cuda/rooms.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- the device ---- */

tacos_status gpu_open(Gpu **out, tacos_error *err) {
    Gpu *gpu = calloc(1, sizeof *gpu);
    if (!gpu)
        return failure(err, TACOS_MEMORY, "no memory to use a GPU");
    tacos_status status = machine_open(&gpu->machine, &gpu->info, err);
    if (status != TACOS_OK) {
        free(gpu);
        return status;
    }
    *out = gpu;
    return TACOS_OK;
}

void gpu_close(Gpu *gpu) {
    if (!gpu)
        return;
    machine_close(gpu->machine);
    free(gpu);
}

const GpuInfo *gpu_info(const Gpu *gpu) {
    return &gpu->info;
}

/* ---- images ---- */

tacos_status gpu_images_new(GpuImages **out, Gpu *gpu, const uint8_t *pixels, size_t n,
                            size_t n_inputs, tacos_error *err) {
    GpuImages *images = calloc(1, sizeof *images);
    if (!images)
        return failure(err, TACOS_MEMORY, "no memory for images");
    images->gpu = gpu;
    images->pixels = machine_alloc(gpu->machine, n * n_inputs);
    tacos_status status =
        images->pixels ? TACOS_OK
                       : failure(err, TACOS_MEMORY, "no memory on the GPU for %zu images", n);
    if (status == TACOS_OK)
        status = machine_write(gpu->machine, images->pixels, pixels, n * n_inputs, err);
    if (status != TACOS_OK) {
        gpu_images_free(images);
        return status;
    }
    *out = images;
    return TACOS_OK;
}

void gpu_images_free(GpuImages *images) {
    if (!images)
        return;
    machine_free(images->gpu->machine, images->pixels);
    free(images);
}

/* ---- work ---- */

static_assert(sizeof(GpuSample) == sizeof(StreamSample), "samples are copied as they are");
static_assert(offsetof(GpuSample, target) == offsetof(StreamSample, target), "likewise");

/* Jobs that one launch does: networks alike, all learning or all predicting. */
typedef struct Group {
    size_t n;
    GpuJob **jobs; /* [n] */
    unsigned stream;
    uint32_t n_parts;
    ScoreLaunch launch;

    /* Device memory of the group, in one block. */
    void *memory;
    GpuTask *tasks;     /* [n] */
    GpuSample *samples; /* of all jobs */
    uint16_t *counts;   /* of all jobs */
    GpuTally *tallies;  /* [n][n_parts] */
    float *inputs;      /* [n * n_parts][] */
    uint16_t *events;   /* [n * n_parts][] */
    size_t n_samples;

    GpuTally *taken; /* [n][n_parts]: `tallies`, on this machine */
} Group;

static bool jobs_alike(const GpuJob *a, const GpuJob *b) {
    return a->predicts == b->predicts && gpu_nets_alike(a->net, b->net);
}

static const GpuNet *first_net(const Group *group) {
    return group->jobs[0]->net;
}

static void carve_group(Group *group, Arena *arena) {
    const GpuNet *net = first_net(group);
    bool predicts = group->jobs[0]->predicts;
    size_t n_blocks = group->n * group->n_parts, T = net->params.n_steps;
    group->tasks = arena_take(arena, group->n, sizeof *group->tasks);
    group->samples = arena_take(arena, group->n_samples, sizeof *group->samples);
    if (!predicts)
        return;
    group->counts =
        arena_take_rows(arena, group->n_samples, net->params.n_outputs, sizeof *group->counts);
    group->tallies = arena_take(arena, n_blocks, sizeof *group->tallies);
    group->launch.input_size = T * net->widest;
    group->launch.events_size = T * net->params.n_inputs;
    group->inputs =
        arena_take_rows(arena, n_blocks, group->launch.input_size, sizeof *group->inputs);
    group->events =
        arena_take_rows(arena, n_blocks, group->launch.events_size, sizeof *group->events);
}

static tacos_status allocate(Gpu *gpu, Group *group, tacos_error *err) {
    Arena arena = {0};
    group->n_samples = 0;
    for (size_t k = 0; k < group->n; k++)
        group->n_samples += group->jobs[k]->n;
    carve_group(group, &arena);
    size_t n_bytes = arena.used;
    group->memory = arena.overflow ? NULL : machine_alloc(gpu->machine, n_bytes);
    if (!group->memory)
        return failure(err, TACOS_MEMORY, "no memory on the GPU for %zu samples", group->n_samples);
    arena = (Arena){.base = group->memory};
    carve_group(group, &arena);
    return TACOS_OK;
}

/* The tasks and their samples. */
static tacos_status send(Gpu *gpu, const Group *group, tacos_error *err) {
    GpuTask *tasks = calloc(group->n, sizeof *tasks);
    StreamSample *samples = malloc(group->n_samples * sizeof *samples + 1);
    size_t at = 0, n_outputs = first_net(group)->params.n_outputs;
    tacos_status status = TACOS_OK;
    if (!tasks || !samples)
        status = failure(err, TACOS_MEMORY, "no memory for %zu samples", group->n_samples);
    for (size_t k = 0; k < group->n && status == TACOS_OK; k++) {
        const GpuJob *job = group->jobs[k];
        tasks[k] = (GpuTask){.net = job->net->device,
                             .pixels = job->images->pixels,
                             .samples = group->samples + at,
                             .n = (uint32_t)job->n,
                             .counts = job->predicts ? group->counts + at * n_outputs : NULL};
        memcpy(samples + at, job->samples, job->n * sizeof *samples);
        at += job->n;
    }
    if (status == TACOS_OK)
        status = machine_write(gpu->machine, group->samples, samples, at * sizeof *samples, err);
    if (status == TACOS_OK)
        status = machine_write(gpu->machine, group->tasks, tasks, group->n * sizeof *tasks, err);
    free(tasks);
    free(samples);
    return status;
}

/* As many blocks as keep all processors busy with two each. */
static uint32_t parts(const Gpu *gpu, const Group *group) {
    size_t wanted = 2 * gpu->info.n_processors / group->n, most = 1;
    for (size_t k = 0; k < group->n; k++)
        most = group->jobs[k]->n > most ? group->jobs[k]->n : most;
    wanted = wanted < 1 ? 1 : wanted;
    return (uint32_t)(wanted < most ? wanted : most);
}

static tacos_status launch(Gpu *gpu, Group *group, tacos_error *err) {
    const GpuNet *net = first_net(group);
    Launch what = {.tasks = group->tasks,
                   .n_tasks = (uint32_t)group->n,
                   .plastic = net->plastic,
                   .decays = net->decays,
                   .stream = group->stream};
    if (!group->jobs[0]->predicts) {
        LearnRoom room;
        what.n_threads = GPU_LEARN_THREADS;
        (void)learn_room(&room, &net->params, net->plastic, gpu_learn_bytes(gpu, net->plastic));
        return machine_learn(gpu->machine, &what, &room, err);
    }
    ScoreRoom room;
    what.n_threads = GPU_SCORE_THREADS;
    group->launch.launch = what;
    group->launch.n_parts = group->n_parts;
    group->launch.tallies = group->tallies;
    group->launch.inputs = group->inputs;
    group->launch.events = group->events;
    (void)score_room(&room, &net->params, gpu_score_bytes(gpu));
    return machine_score(gpu->machine, &group->launch, &room, err);
}

/* Everything that may lack memory. */
static tacos_status prepare(Gpu *gpu, Group *group, tacos_error *err) {
    group->n_parts = group->jobs[0]->predicts ? parts(gpu, group) : 1;
    group->taken = malloc(group->n * group->n_parts * sizeof *group->taken);
    if (!group->taken)
        return failure(err, TACOS_MEMORY, "no memory for %zu results", group->n);
    TRY(allocate(gpu, group, err));
    return send(gpu, group, err);
}

/* ---- results ---- */

static void add_tally(tacos_counters *sum, const GpuTally *tally) {
    sum->input_spikes += tally->input_spikes;
    sum->hidden_spikes += tally->hidden_spikes;
    sum->output_spikes += tally->output_spikes;
    sum->error_spikes += tally->error_spikes;
    sum->synaptic_events += tally->synaptic_events;
    sum->error_updates += tally->error_updates;
    sum->decay_updates += tally->decay_updates;
}

static tacos_status take_learned(Gpu *gpu, const Group *group, tacos_error *err) {
    for (size_t k = 0; k < group->n; k++) {
        GpuJob *job = group->jobs[k];
        GpuTally tally;
        TRY(machine_read(gpu->machine, &tally, &job->net->device->tally, sizeof tally, err));
        add_tally(&job->tally, &tally);
    }
    return TACOS_OK;
}

static tacos_status take_counts(Gpu *gpu, const Group *group, tacos_error *err) {
    size_t at = 0, n_outputs = first_net(group)->params.n_outputs;
    TRY(machine_read(gpu->machine, group->taken, group->tallies,
                     group->n * group->n_parts * sizeof *group->taken, err));
    for (size_t k = 0; k < group->n; k++) {
        GpuJob *job = group->jobs[k];
        for (size_t part = 0; part < group->n_parts; part++)
            add_tally(&job->tally, &group->taken[k * group->n_parts + part]);
        TRY(machine_read(gpu->machine, job->counts, group->counts + at * n_outputs,
                         job->n * n_outputs * sizeof *job->counts, err));
        at += job->n;
    }
    return TACOS_OK;
}

static tacos_status take(Gpu *gpu, const Group *group, tacos_error *err) {
    for (size_t k = 0; k < group->n; k++)
        group->jobs[k]->tally = (tacos_counters){.samples = group->jobs[k]->n};
    return group->jobs[0]->predicts ? take_counts(gpu, group, err) : take_learned(gpu, group, err);
}

/* Move the jobs that are like the first of [from, n) to the front; returns their end. */
static size_t gather(GpuJob **jobs, size_t from, size_t n) {
    size_t end = from + 1;
    for (size_t k = end; k < n; k++)
        if (jobs_alike(jobs[from], jobs[k])) {
            GpuJob *job = jobs[k];
            jobs[k] = jobs[end];
            jobs[end++] = job;
        }
    return end;
}

/* ---- all groups ---- */

static size_t divide(GpuJob **jobs, size_t n, Group *groups) {
    size_t n_groups = 0, from = 0;
    while (from < n) {
        size_t end = gather(jobs, from, n);
        groups[n_groups] = (Group){
            .jobs = jobs + from, .n = end - from, .stream = (unsigned)(n_groups % MACHINE_STREAMS)};
        n_groups++;
        from = end;
    }
    return n_groups;
}

static tacos_status work(Gpu *gpu, Group *groups, size_t n, tacos_error *err) {
    for (size_t g = 0; g < n; g++)
        TRY(prepare(gpu, &groups[g], err));
    tacos_status status = TACOS_OK;
    for (size_t g = 0; g < n && status == TACOS_OK; g++)
        status = launch(gpu, &groups[g], err);
    tacos_status waited = machine_wait(gpu->machine, status == TACOS_OK ? err : NULL);
    TRY(status);
    TRY(waited);
    for (size_t g = 0; g < n; g++)
        TRY(take(gpu, &groups[g], err));
    return TACOS_OK;
}

tacos_status gpu_work(Gpu *gpu, GpuJob *jobs, size_t n, tacos_error *err) {
    GpuJob **list = malloc(n * sizeof *list + 1); /* NOLINT(bugprone-sizeof-expression) */
    Group *groups = calloc(n + 1, sizeof *groups);
    size_t n_list = 0, n_groups = 0;
    tacos_status status = TACOS_OK;
    if (!list || !groups)
        status = failure(err, TACOS_MEMORY, "no memory for the work of %zu networks", n);
    for (size_t k = 0; k < n && status == TACOS_OK; k++) {
        jobs[k].tally = (tacos_counters){0};
        if (jobs[k].n > 0)
            list[n_list++] = &jobs[k];
    }
    if (status == TACOS_OK) {
        n_groups = divide(list, n_list, groups);
        status = work(gpu, groups, n_groups, err);
    }
    for (size_t g = 0; g < n_groups; g++) {
        machine_free(gpu->machine, groups[g].memory);
        free(groups[g].taken);
    }
    free(groups);
    free(list);
    return status;
}
