/* trained.c - open model-SEED.tacos, and watch it learn. */
#include "report/input/trained.h"

#include "base/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SPIKES_MAX = 4000000 }; /* of a group: what a page could show anyway is far less */

bool trained_is_expanded(const tacos_learner *learner) {
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

tacos_status trained_open(tacos_learner **out, const RunFolder *runs, tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    *out = NULL;
    int n = snprintf(path, sizeof path, "%s/model-%u.tacos", runs->folder, runs->runs[0].seed);
    if (n < 0 || (size_t)n >= sizeof path)
        return failure(err, TACOS_INVALID, "the path %.100s... is too long", runs->folder);
    if (access(path, F_OK) != 0)
        return failure(err, TACOS_MISSING,
                       "%s has no model-%u.tacos: `tacos run` leaves one for every spiking run",
                       runs->folder, runs->runs[0].seed);
    TRY(tacos_learner_load(out, path, NULL, err));
    uint32_t digest = tacos_learner_digest(*out);
    if (digest == runs->runs[0].model_digest)
        return TACOS_OK;
    tacos_learner_free(*out);
    *out = NULL;
    return failure(err, TACOS_FORMAT, "%s is not of this run: its digest is %08x, not %08x", path,
                   digest, runs->runs[0].model_digest);
}

tacos_status trained_check_example(const tacos_learner *learner, const RunFolder *runs,
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

/* ---- watching ---- */

static bool make_room(SpikeGroup *group, size_t n) {
    size_t wanted = group->n + n;
    if (wanted <= group->room)
        return true;
    size_t room = wanted * 2;
    Spike *more = room <= SPIKES_MAX ? realloc(group->spikes, room * sizeof *more) : NULL;
    if (!more)
        return false;
    group->spikes = more;
    group->room = room;
    return true;
}

static void take_spikes(void *user, const tacos_spikes *spikes) {
    Watched *watched = user;
    SpikeGroup *group = spikes->group < watched->n_groups ? &watched->groups[spikes->group] : NULL;
    if (!group || !make_room(group, spikes->n)) {
        watched->failed = true;
        return;
    }
    for (size_t i = 0; i < spikes->n; i++)
        group->spikes[group->n++] = (Spike){(uint32_t)spikes->step, spikes->neurons[i]};
}

/* Who the groups are. */
static tacos_status name_groups(Watched *watched, tacos_learner *learner, tacos_error *err) {
    tacos_shape shape = tacos_learner_shape(learner);
    size_t last = shape.n_layers;
    strcpy(watched->groups[0].label, "inputs");
    watched->groups[0].n_neurons = shape.n_inputs;
    for (size_t l = 0; l < shape.n_layers; l++) {
        tacos_layer_view view;
        SpikeGroup *group = &watched->groups[l + 1];
        TRY(tacos_learner_layer(learner, l, &view, err));
        group->n_neurons = view.n_post;
        if (l + 1 == last)
            strcpy(group->label, "outputs");
        else
            (void)snprintf(group->label, sizeof group->label, last > 2 ? "hidden %zu" : "hidden",
                           l + 1);
    }
    strcpy(watched->groups[last + 1].label, "error: too much");
    strcpy(watched->groups[last + 2].label, "error: too little");
    watched->groups[last + 1].n_neurons = watched->groups[last + 2].n_neurons = shape.n_outputs;
    return TACOS_OK;
}

static tacos_status learn(Watched *watched, tacos_learner *learner, const RunFolder *runs,
                          tacos_error *err) {
    size_t n = runs->example.height * runs->example.width;
    float *intensity = calloc(n, sizeof *intensity);
    if (!intensity)
        return failure(err, TACOS_MEMORY, "no memory for an image");
    for (size_t i = 0; i < n; i++)
        intensity[i] = (float)runs->example.pixels[i] / 255;
    tacos_learner_watch(learner, take_spikes, watched);
    tacos_status status = tacos_learner_learn(learner, intensity, n, runs->example.target, err);
    tacos_learner_watch(learner, NULL, NULL);
    free(intensity);
    if (status == TACOS_OK && watched->failed)
        status = failure(err, TACOS_MEMORY, "no memory for the spikes of a sample");
    return status;
}

tacos_status watched_learn(Watched *out, tacos_learner *learner, const RunFolder *runs,
                           tacos_error *err) {
    tacos_shape shape = tacos_learner_shape(learner);
    *out = (Watched){.n_groups = shape.n_layers + 3};
    out->groups = calloc(out->n_groups, sizeof *out->groups);
    if (!out->groups)
        return failure(err, TACOS_MEMORY, "no memory for the spikes of a sample");
    TRY(trained_check_example(learner, runs, err));
    TRY(name_groups(out, learner, err));
    return learn(out, learner, runs, err);
}

void watched_free(Watched *watched) {
    for (size_t g = 0; watched->groups && g < watched->n_groups; g++)
        free(watched->groups[g].spikes);
    free(watched->groups);
    *watched = (Watched){0};
}
