/* node_data.h - data sets, read once a node and shared by its processes.
 *
 * The first process of each node (its leader) reads a set and puts it where the others see it. What
 * a node has stays until another version of the set is wanted, or the end. */
#ifndef SRC_MPI_NODE_DATA_H
#define SRC_MPI_NODE_DATA_H

#include "mpi/message.h"

typedef struct NodeData {
    char name[DATASETS_MAX][DATASET_NAME_SIZE]; /* of what this node has, ... */
    Dataset shared[DATASETS_MAX]; /* ... and that; n_classes is 0 where it has nothing */
    MPI_Win window[DATASETS_MAX]; /* the memory it is in, ... */
    Dataset own[DATASETS_MAX];    /* ... or, for a process alone on its node, this */
} NodeData;

void node_data_init(NodeData *data);

/* Read what the briefing wants and is not there yet, and see that it is what the first process has.
 * All of a node must call it together, though only leaders read, and of them not the first process:
 * it has its data in its splits. */
tacos_status node_data_read(NodeData *data, const Ranks *ranks, const Briefing *briefing,
                            tacos_error *err);

/* If somebody could not: forget what was read. */
void node_data_forget(NodeData *data);

/* If everybody could: share it, and lend it to the splits. The first process keeps using its own.
 * All of a node must call it together. */
void node_data_share(NodeData *data, const Ranks *ranks, const Briefing *briefing,
                     TaskSplits *splits);

/* All of a node together, and nobody may be using it. */
void node_data_free(NodeData *data);

#endif
