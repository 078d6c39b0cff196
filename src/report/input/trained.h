/* trained.h - the network that a run has left in its folder, and what it does with one image. */
#ifndef REPORT_TRAINED_H
#define REPORT_TRAINED_H

#include "report/charts/charts.h"
#include "report/input/runs.h"
#include "tacos_lab.h"

/* The network of the lowest seed. TACOS_MISSING if the folder has none: an older one, or a rival's.
 */
tacos_status trained_open(tacos_learner **out, const RunFolder *runs, tacos_error *err);

/* Does the example fit the network's inputs and outputs? */
tacos_status trained_check_example(const tacos_learner *learner, const RunFolder *runs,
                                   tacos_error *err);

/* Every spike while the network learns the example: groups as tacos_spikes has them. */
typedef struct Watched {
    size_t n_groups;
    SpikeGroup *groups; /* [n_groups] */
    bool failed;        /* out of memory */
} Watched;

tacos_status watched_learn(Watched *out, tacos_learner *learner, const RunFolder *runs,
                           tacos_error *err);
void watched_free(Watched *watched);

/* Does the first layer hear an expansion, not the inputs? */
bool trained_is_expanded(const tacos_learner *learner);

/* "inputs to hidden", "hidden 1 to hidden 2": a layer of synapses by its number. The first hears
 * the inputs, or an expansion of them. */
void layer_name(char *out, size_t size, size_t layer, size_t n_layers, bool expanded);

#endif
