/* node_data.c - reads data sets and shares them within a node through MPI windows. */
#include "mpi/node_data.h"

#include "data/catalog/catalog.h"

#include <assert.h>
#include <string.h>

void node_data_init(NodeData *data) {
    memset(data, 0, sizeof *data);
    for (size_t d = 0; d < DATASETS_MAX; d++)
        data->window[d] = MPI_WIN_NULL;
}

static bool same_images(const Images *a, const Images *b) {
    return a->n == b->n && a->height == b->height && a->width == b->width &&
           a->channels == b->channels;
}

static bool same(const Dataset *a, const Dataset *b) {
    return a->checksum == b->checksum && a->n_classes == b->n_classes &&
           same_images(&a->train, &b->train) && same_images(&a->test, &b->test);
}

static bool lacks(const NodeData *data, const Briefing *briefing, size_t d) {
    return briefing->name[d][0] && (strcmp(briefing->name[d], data->name[d]) != 0 ||
                                    !same(&data->shared[d], &briefing->data[d]));
}

static void release(NodeData *data, size_t d) {
    if (data->window[d] != MPI_WIN_NULL)
        MPI_Win_free(&data->window[d]);
    dataset_free(&data->own[d]);
    data->shared[d] = (Dataset){0};
}

void node_data_free(NodeData *data) {
    for (size_t d = 0; d < DATASETS_MAX; d++)
        release(data, d);
}

/* ---- reading ---- */

static tacos_status read_set(NodeData *data, const Briefing *briefing, size_t d, tacos_error *err) {
    Dataset *out = &data->own[d];
    const char *dir = briefing->has_data_dir ? briefing->data_dir : NULL;
    TRY(dataset_load(out, briefing->name[d], dir, err));
    if (!same(out, &briefing->data[d]))
        return failure(err, TACOS_CHECKSUM,
                       "%s in %.200s is not what the first process has: checksum %08x, not %08x",
                       briefing->name[d], dir ? dir : "the data folder", (unsigned)out->checksum,
                       (unsigned)briefing->data[d].checksum);
    return TACOS_OK;
}

tacos_status node_data_read(NodeData *data, const Ranks *ranks, const Briefing *briefing,
                            tacos_error *err) {
    bool reads = ranks->node_rank == 0 && ranks->rank != 0;
    tacos_status status = TACOS_OK;
    for (size_t d = 0; d < DATASETS_MAX; d++)
        if (lacks(data, briefing, d)) {
            release(data, d); /* also after a failure, since the node's other processes do so too */
            if (reads && status == TACOS_OK)
                status = read_set(data, briefing, d, err);
        }
    return status;
}

void node_data_forget(NodeData *data) {
    for (size_t d = 0; d < DATASETS_MAX; d++)
        if (data->shared[d].n_classes == 0)
            dataset_free(&data->own[d]);
}

/* ---- sharing ---- */

static size_t pixel_bytes(const Images *images) {
    return images->n * images_size(images);
}

static size_t n_labels(const Dataset *set) {
    return set->train.n + set->test.n;
}

static size_t n_bytes(const Dataset *set) {
    return n_labels(set) * sizeof *set->train.labels + pixel_bytes(&set->train) +
           pixel_bytes(&set->test);
}

/* Lay the set out at an address; labels come first, so that they are aligned. */
static void place(Dataset *set, void *memory) {
    uint16_t *labels = memory;
    uint8_t *pixels = (uint8_t *)(labels + n_labels(set));
    set->train.labels = labels;
    set->test.labels = labels + set->train.n;
    set->train.pixels = pixels;
    set->test.pixels = pixels + pixel_bytes(&set->train);
}

static void copy_images(const Images *to, const Images *from) {
    memcpy(to->pixels, from->pixels, pixel_bytes(from));
    memcpy(to->labels, from->labels, from->n * sizeof *from->labels);
}

/* Memory for a set, owned by the leader and visible to the whole node. */
static Dataset open_window(const Ranks *ranks, const Dataset *shape, MPI_Win *window) {
    MPI_Aint size = ranks->node_rank == 0 ? (MPI_Aint)n_bytes(shape) : 0;
    void *mine, *leaders;
    int unit;
    MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, ranks->node, &mine, window);
    MPI_Win_shared_query(*window, 0, &size, &unit, &leaders);
    Dataset out = *shape;
    place(&out, leaders);
    return out;
}

static void share_set(NodeData *data, const Ranks *ranks, const Dataset *shape, size_t d,
                      const Dataset *source) {
    Dataset shared = open_window(ranks, shape, &data->window[d]);
    MPI_Win_fence(0, data->window[d]);
    if (ranks->node_rank == 0) {
        copy_images(&shared.train, &source->train);
        copy_images(&shared.test, &source->test);
    }
    MPI_Win_fence(0, data->window[d]);
    dataset_free(&data->own[d]); /* the leader's, which is copied now */
    data->shared[d] = shared;
}

void node_data_share(NodeData *data, const Ranks *ranks, const Briefing *briefing,
                     TaskSplits *splits) {
    for (size_t d = 0; d < DATASETS_MAX; d++) {
        const Dataset *source = &data->own[d];
        const char *name = briefing->name[d];
        if (ranks->rank == 0 && name[0])
            (void)task_splits_data(splits, name, &source, NULL); /* read long ago */
        if (lacks(data, briefing, d)) {
            if (ranks->node_size > 1)
                share_set(data, ranks, &briefing->data[d], d, source);
            else
                data->shared[d] = *source;
            memcpy(data->name[d], name, DATASET_NAME_SIZE);
        }
        if (ranks->rank != 0 && name[0])
            (void)task_splits_lend(splits, name, &data->shared[d],
                                   NULL); /* cannot fail: as many slots */
    }
}
