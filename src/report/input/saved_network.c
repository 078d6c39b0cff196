/* saved_network.c - opens the learner in model-SEED.tacos. */
#include "report/input/saved_network.h"

#include "base/files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool saved_network_is_expanded(const tacos_learner *learner) {
    return tacos_learner_stats_get(learner).fixed_bytes > 0;
}

void layer_name(char *out, size_t size, size_t layer, size_t n_layers, bool expanded) {
    char from[32] = "inputs", to[32] = "outputs";
    if (expanded)
        strcpy(from, "expansion");
    if (layer > 0)
        (void)snprintf(from, sizeof from, n_layers > 2 ? "hidden %zu" : "hidden", layer);
    if (layer + 1 < n_layers)
        (void)snprintf(to, sizeof to, n_layers > 2 ? "hidden %zu" : "hidden", layer + 1);
    (void)snprintf(out, size, "%s to %s", from, to);
}

tacos_status saved_network_open(tacos_learner **out, const RunFolder *runs, tacos_error *err) {
    char path[OUTPUT_PATH_MAX], name[32];
    *out = NULL;
    (void)snprintf(name, sizeof name, "model-%u.tacos", runs->runs[0].seed);
    TRY(path_join(path, runs->folder, name, "", err));
    if (access(path, F_OK) != 0)
        return failure(err, TACOS_MISSING,
                       "%s has no %s: `tacos run` saves one for every spiking run", runs->folder,
                       name);
    TRY(tacos_learner_load(out, path, NULL, err));
    uint32_t digest = tacos_learner_digest(*out);
    if (digest == runs->runs[0].model_digest)
        return TACOS_OK;
    tacos_learner_free(*out);
    *out = NULL;
    return failure(err, TACOS_FORMAT,
                   "%s does not belong to this run: its digest is %08x, not %08x", path, digest,
                   runs->runs[0].model_digest);
}

tacos_status saved_network_check_example(const tacos_learner *learner, const RunFolder *runs,
                                         tacos_error *err) {
    const Example *example = &runs->example;
    tacos_shape shape = tacos_learner_shape(learner);
    if (!example->pixels)
        return failure(err, TACOS_MISSING, "%s/results.json has no example image", runs->folder);
    if (example->height * example->width != shape.n_inputs || example->target >= shape.n_outputs)
        return failure(err, TACOS_FORMAT,
                       "%s is damaged: its example has %zu pixels for output %zu, its network %zu "
                       "inputs and %zu outputs",
                       runs->folder, example->height * example->width, example->target,
                       shape.n_inputs, shape.n_outputs);
    return TACOS_OK;
}
