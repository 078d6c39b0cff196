/* fig_spikes.c - every spike while the saved network learns one image. */
#include "base/array.h"
#include "report/figures/figures.h"
#include "report/input/saved_network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LAYERS_MAX: panels for layers, beside those of inputs and error neurons. SPIKES_MAX: per group,
 * far more than a page can show. */
enum { LAYERS_MAX = 32, SPIKES_MAX = 4000000 };

typedef struct Recording {
    size_t n_groups;
    SpikeGroup *groups; /* [n_groups] */
    bool failed;        /* out of memory */
} Recording;

/* ---- recording ---- */

static bool make_room(SpikeGroup *group, size_t n) {
    return n <= SPIKES_MAX && array_grow(&group->spikes, &group->room, n, sizeof *group->spikes);
}

static void take_spikes(void *user, const tacos_spikes *spikes) {
    Recording *recording = user;
    SpikeGroup *group =
        spikes->group < recording->n_groups ? &recording->groups[spikes->group] : NULL;
    if (!group || !make_room(group, group->n + spikes->n)) {
        recording->failed = true;
        return;
    }
    for (size_t i = 0; i < spikes->n; i++)
        group->spikes[group->n++] = (Spike){(uint32_t)spikes->step, spikes->neurons[i]};
}

/* The groups as tacos_spikes numbers them. */
static tacos_status name_groups(Recording *recording, tacos_learner *learner, tacos_error *err) {
    tacos_shape shape = tacos_learner_shape(learner);
    size_t last = shape.n_layers;
    strcpy(recording->groups[0].label, "inputs");
    recording->groups[0].n_neurons = shape.n_inputs;
    for (size_t l = 0; l < shape.n_layers; l++) {
        tacos_layer_view view;
        SpikeGroup *group = &recording->groups[l + 1];
        TRY(tacos_learner_layer(learner, l, &view, err));
        group->n_neurons = view.n_post;
        if (l + 1 == last)
            strcpy(group->label, "outputs");
        else
            (void)snprintf(group->label, sizeof group->label, last > 2 ? "hidden %zu" : "hidden",
                           l + 1);
    }
    strcpy(recording->groups[last + 1].label, "error: too much");
    strcpy(recording->groups[last + 2].label, "error: too little");
    recording->groups[last + 1].n_neurons = recording->groups[last + 2].n_neurons = shape.n_outputs;
    return TACOS_OK;
}

static tacos_status learn(Recording *recording, tacos_learner *learner, const RunFolder *runs,
                          tacos_error *err) {
    size_t n = example_size(&runs->example);
    float *intensity = calloc(n, sizeof *intensity);
    if (!intensity)
        return failure(err, TACOS_MEMORY, "no memory for an image");
    for (size_t i = 0; i < n; i++)
        intensity[i] = (float)runs->example.pixels[i] / 255;
    tacos_learner_watch(learner, take_spikes, recording);
    tacos_status status = tacos_learner_learn(learner, intensity, n, runs->example.target, err);
    tacos_learner_watch(learner, NULL, NULL);
    free(intensity);
    if (status == TACOS_OK && recording->failed)
        status = failure(err, TACOS_MEMORY, "no memory for the spikes of a sample");
    return status;
}

static tacos_status record(Recording *out, tacos_learner *learner, const RunFolder *runs,
                           tacos_error *err) {
    tacos_shape shape = tacos_learner_shape(learner);
    *out = (Recording){.n_groups = shape.n_layers + 3};
    out->groups = calloc(out->n_groups, sizeof *out->groups);
    if (!out->groups)
        return failure(err, TACOS_MEMORY, "no memory for the spikes of a sample");
    TRY(saved_network_check_example(learner, runs, err));
    TRY(name_groups(out, learner, err));
    return learn(out, learner, runs, err);
}

static void recording_free(Recording *recording) {
    for (size_t g = 0; recording->groups && g < recording->n_groups; g++)
        free(recording->groups[g].spikes);
    free(recording->groups);
    *recording = (Recording){0};
}

/* ---- drawing ---- */

static void write_table(Figure *figure, const Recording *recording, double step_ms) {
    static const char *const head[] = {"group", "time_ms", "neuron", NULL};
    csv_head(&figure->csv, head);
    for (size_t g = 0; g < recording->n_groups; g++)
        for (size_t i = 0; i < recording->groups[g].n; i++) {
            const Spike *spike = &recording->groups[g].spikes[i];
            csv_word(&figure->csv, recording->groups[g].label);
            csv_real(&figure->csv, (double)spike->step * step_ms);
            csv_whole(&figure->csv, spike->neuron);
            csv_end(&figure->csv);
        }
}

/* The image itself, in the space left of the inputs' panel: red, green and blue as they are, and
 * otherwise the first channel, dark on white. */
static tacos_status draw_image(Figure *figure, const Example *example, tacos_error *err) {
    enum { COLOURS = 3 };
    Rgb greys[IMAGE_COLOURS_MAX];
    double em = figure->sizes.em, side = em * 5;
    size_t n = example->height * example->width;
    for (size_t k = 0; k < IMAGE_COLOURS_MAX; k++)
        greys[k] = (Rgb){(uint8_t)(255 - k), (uint8_t)(255 - k), (uint8_t)(255 - k)};
    bool coloured = example->channels == COLOURS;
    uint8_t *first = malloc(n + 1);
    if (!first)
        return failure(err, TACOS_MEMORY, "no memory for an image");
    for (size_t i = 0; i < n; i++)
        first[i] = example->pixels[i * example->channels];
    Image image = {example->width,
                   example->height,
                   coloured ? example->pixels : first,
                   coloured ? 0 : IMAGE_COLOURS_MAX,
                   greys,
                   false};
    double wide = side * fmin(1, (double)example->width / (double)example->height);
    Box box = {em * 0.3, figure->height - em * 3.6 - side, wide,
               wide * (double)example->height / (double)example->width};
    tacos_status status = svg_image(&figure->marks, box, &image, err);
    svg_rect(&figure->marks, "frame", box, NULL);
    free(first);
    return status;
}

static tacos_status draw(Figure *figure, const RunFolder *runs, tacos_learner *learner,
                         Recording *recording, tacos_error *err) {
    size_t series[LAYERS_MAX + 3];
    tacos_shape shape = tacos_learner_shape(learner);
    TRY(record(recording, learner, runs, err));
    if (shape.n_layers > LAYERS_MAX)
        return failure(err, TACOS_MISSING, "%s has too many layers for this figure", runs->folder);
    text_format(&figure->about,
                "Every spike while the network of seed %u learns one image of class %zu, for which "
                "output %zu should fire. Error neurons fire where an output spikes too much or too "
                "little.",
                runs->runs[0].seed, runs->example.class, runs->example.target);
    figure_size(figure, true, 0.5);
    figure->height =
        figure->sizes.em * (spike_plot_height_ems(recording->groups, recording->n_groups) + 1);
    for (size_t g = 0; g < recording->n_groups; g++) {
        unsigned colour = g == 0 ? 7 : g + 2 >= recording->n_groups ? 1 : (unsigned)g % 2 * 2;
        series[g] = figure_key(figure, LEGEND_BAR, colour, recording->groups[g].label);
    }
    double step_ms = fmax(runs_number(runs, "dt_ms"), 1e-3);
    SpikePlot plot = {.box = figure_box(figure),
                      .n_steps = shape.n_steps,
                      .step_ms = step_ms,
                      .n_groups = recording->n_groups,
                      .groups = recording->groups,
                      .series = series};
    spike_plot_draw(figure, &plot);
    write_table(figure, recording, step_ms);
    TRY(draw_image(figure, &runs->example, err));
    figure->n_keys = 0; /* the panels are labelled */
    return figure_check(figure, err);
}

tacos_status draw_spikes(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                         tacos_error *err) {
    tacos_learner *learner;
    Recording recording = {0};
    figure_begin(figure, sizes, "raster", "One image through the network");
    TRY(saved_network_open(&learner, runs, err));
    tacos_status status = draw(figure, runs, learner, &recording, err);
    recording_free(&recording);
    tacos_learner_free(learner);
    return status;
}
