/* node_data.h - data sets, read once per node and shared by its processes.
 *
 * The first process of each node (its leader) reads a set and puts it into shared memory. It stays
 * there until another version of the set is needed, or until the end. */
#ifndef SRC_MPI_NODE_DATA_H
#define SRC_MPI_NODE_DATA_H

#include "mpi/message.h"

typedef struct NodeData {
    char name[DATASETS_MAX][DATASET_NAME_SIZE]; /* of the sets on this node */
    Dataset shared[DATASETS_MAX];               /* the sets; n_classes is 0 for none */
    MPI_Win window[DATASETS_MAX];               /* the memory of a shared set */
    Dataset own[DATASETS_MAX]; /* or, for a process alone on its node, the set itself */
} NodeData;

void node_data_init(NodeData *data);

/* Read the sets that the briefing names and the node lacks, and check that they match the first
 * process's. All processes of a node must call it together, though only leaders read; the first
 * process does not, since its splits have the data. */
tacos_status node_data_read(NodeData *data, const Ranks *ranks, const Briefing *briefing,
                            tacos_error *err);

/* If any process failed: drop what was read. */
void node_data_forget(NodeData *data);

/* If all succeeded: share the sets, and lend them to the splits. The first process keeps using its
 * own. All processes of a node must call it together. */
void node_data_share(NodeData *data, const Ranks *ranks, const Briefing *briefing,
                     TaskSplits *splits);

/* All processes of a node must call it together, with no set in use. */
void node_data_free(NodeData *data);

#endif
