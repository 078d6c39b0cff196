/* saved_network.c - opens the learner in model-SEED.tacos. */
#include "report/input/saved_network.h"

#include "base/files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

void layer_name(char *out, size_t size, size_t layer, size_t n_layers) {
    char from[32] = "inputs", to[32] = "outputs";
    if (layer > 0)
        (void)snprintf(from, sizeof from, n_layers > 2 ? "hidden %zu" : "hidden", layer);
    if (layer + 1 < n_layers)
        (void)snprintf(to, sizeof to, n_layers > 2 ? "hidden %zu" : "hidden", layer + 1);
    (void)snprintf(out, size, "%s to %s", from, to);
}

static tacos_status check_network(tacos_learner *learner, const char *path, const RunFolder *runs,
                                  bool columns, tacos_error *err) {
    uint32_t digest = tacos_learner_digest(learner);
    if (digest != runs->runs[0].model_digest)
        return failure(err, TACOS_FORMAT,
                       "%s does not belong to this run: its digest is %08x, not %08x", path, digest,
                       runs->runs[0].model_digest);
    bool is_columns = tacos_learner_shape(learner).n_layers == 0;
    if (is_columns && !columns)
        return failure(err, TACOS_MISSING, "%s: columns have no synapses and no spikes", path);
    if (columns && !is_columns)
        return failure(err, TACOS_MISSING, "%s: a spiking network has no templates", path);
    return TACOS_OK;
}

static tacos_status open_saved(tacos_learner **out, const RunFolder *runs, bool columns,
                               tacos_error *err) {
    char path[OUTPUT_PATH_MAX], name[32];
    *out = NULL;
    (void)snprintf(name, sizeof name, "model-%u.tacos", runs->runs[0].seed);
    TRY(path_join(path, runs->folder, name, "", err));
    if (access(path, F_OK) != 0)
        return failure(err, TACOS_MISSING,
                       "%s has no %s: `tacos run` saves one for every spiking run", runs->folder,
                       name);
    tacos_error why = {0};
    tacos_status status = tacos_learner_load(out, path, NULL, &why);
    if (status == TACOS_UNKNOWN) /* of an older version: the page does without, and says so */
        status = TACOS_MISSING;
    if (status != TACOS_OK)
        return failure(err, status, "%s", why.text);
    status = check_network(*out, path, runs, columns, err);
    if (status != TACOS_OK) {
        tacos_learner_free(*out);
        *out = NULL;
    }
    return status;
}

tacos_status saved_network_open(tacos_learner **out, const RunFolder *runs, tacos_error *err) {
    return open_saved(out, runs, false, err);
}

tacos_status saved_columns_open(tacos_learner **out, const RunFolder *runs, tacos_error *err) {
    return open_saved(out, runs, true, err);
}

tacos_status saved_network_check_example(const tacos_learner *learner, const RunFolder *runs,
                                         tacos_error *err) {
    const Example *example = &runs->example;
    tacos_shape shape = tacos_learner_shape(learner);
    if (!example->pixels)
        return failure(err, TACOS_MISSING, "%s/results.json has no example image", runs->folder);
    if (example_size(example) != shape.n_inputs || example->target >= shape.n_outputs)
        return failure(err, TACOS_FORMAT,
                       "%s is damaged: its example has %zu values for output %zu, its network %zu "
                       "inputs and %zu outputs",
                       runs->folder, example_size(example), example->target, shape.n_inputs,
                       shape.n_outputs);
    return TACOS_OK;
}
