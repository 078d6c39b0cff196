/* saved_network.h - the network that a run saved in its folder. */
#ifndef REPORT_SAVED_NETWORK_H
#define REPORT_SAVED_NETWORK_H

#include "report/input/runs.h"

/* The network of the lowest seed. TACOS_MISSING if the folder has none, as those of rivals, or one
 * of a model that this version no longer has. */
tacos_status saved_network_open(tacos_learner **out, const RunFolder *runs, tacos_error *err);

/* The same of a columns learner; TACOS_MISSING if it is none. */
tacos_status saved_columns_open(tacos_learner **out, const RunFolder *runs, tacos_error *err);

/* Does the example fit the network's inputs and outputs? */
tacos_status saved_network_check_example(const tacos_learner *learner, const RunFolder *runs,
                                         tacos_error *err);

/* "inputs to hidden", "hidden 1 to hidden 2": a layer of synapses by its number. */
void layer_name(char *out, size_t size, size_t layer, size_t n_layers);

#endif
