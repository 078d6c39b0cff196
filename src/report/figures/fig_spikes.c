/* fig_spikes.c - every spike while the saved network learns one image. */
#include "base/array.h"
#include "report/figures/figures.h"
#include "report/input/answers.h"
#include "report/input/saved_network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* LAYERS_MAX: panels for layers, beside those of inputs and error neurons. SPIKES_MAX: per group,
 * far more than a page can show. */
enum { LAYERS_MAX = 32, SPIKES_MAX = 4000000 };

/* More outputs than this have no names beside their rows; of error neurons, which have the same. */
enum { NAMED_MAX = 12, NAMED_ERRORS_MAX = 3 };

/* How often the wanted output spikes for the image, and the one that does most of the others. */
typedef struct Votes {
    uint32_t wanted, other;
} Votes;

typedef struct Recording {
    size_t n_watched, n_groups;     /* groups of the network; with the outputs before and after */
    SpikeGroup *groups;             /* [n_groups] */
    size_t outputs;                 /* the group that takes their spikes */
    char (*names)[SPIKE_NAME_SIZE]; /* [n_outputs] */
    size_t n_outputs;
    Votes before, after; /* the lesson: without learning, the same input spikes */
    bool failed;         /* out of memory */
} Recording;

/* ---- recording ---- */

static bool make_room(SpikeGroup *group, size_t n) {
    return n <= SPIKES_MAX && array_grow(&group->spikes, &group->room, n, sizeof *group->spikes);
}

static void take_into(Recording *recording, size_t g, const tacos_spikes *spikes) {
    SpikeGroup *group = g < recording->n_groups ? &recording->groups[g] : NULL;
    if (!group || !make_room(group, group->n + spikes->n)) {
        recording->failed = true;
        return;
    }
    for (size_t i = 0; i < spikes->n; i++)
        group->spikes[group->n++] = (Spike){(uint32_t)spikes->step, spikes->neurons[i]};
}

static void take_spikes(void *user, const tacos_spikes *spikes) {
    take_into(user, spikes->group, spikes);
}

/* Of the outputs alone. */
static void take_outputs(void *user, const tacos_spikes *spikes) {
    Recording *recording = user;
    if (spikes->group + 3 == recording->n_watched)
        take_into(recording, recording->outputs, spikes);
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
    strcpy(recording->groups[last + 3].label, "outputs before");
    strcpy(recording->groups[last + 4].label, "outputs after");
    for (size_t g = last + 1; g < recording->n_groups; g++)
        recording->groups[g].n_neurons = shape.n_outputs;
    return TACOS_OK;
}

static void name_outputs(Recording *recording, const RunFolder *runs) {
    size_t n = recording->n_outputs;
    for (size_t o = 0; o < n; o++)
        answers_name_output(recording->names[o], runs, o);
    for (size_t k = 1; k <= 5; k++) { /* outputs, two kinds of error neurons, outputs twice more */
        bool errors = k == 3 || k == 4;
        if (n <= (errors ? NAMED_ERRORS_MAX : NAMED_MAX))
            recording->groups[recording->n_groups - k].names =
                (const char(*)[SPIKE_NAME_SIZE])recording->names;
    }
}

/* The image without learning: votes, and the spikes of the outputs. */
static tacos_status vote(Recording *recording, size_t group, Votes *out, tacos_learner *learner,
                         const RunFolder *runs, const float *intensity, size_t n,
                         tacos_error *err) {
    tacos_prediction prediction;
    recording->outputs = group;
    tacos_learner_watch(learner, take_outputs, recording);
    tacos_status status = tacos_learner_predict(learner, intensity, n, 0, &prediction, err);
    tacos_learner_watch(learner, NULL, NULL);
    TRY(status);
    size_t n_outputs = tacos_learner_shape(learner).n_outputs;
    *out = (Votes){.wanted = prediction.counts[runs->example.target]};
    for (size_t o = 0; o < n_outputs; o++)
        if (o != runs->example.target && prediction.counts[o] > out->other)
            out->other = prediction.counts[o];
    return TACOS_OK;
}

static tacos_status lesson(Recording *recording, tacos_learner *learner, const RunFolder *runs,
                           const float *intensity, size_t n, tacos_error *err) {
    size_t before = recording->n_watched, after = before + 1;
    TRY(vote(recording, before, &recording->before, learner, runs, intensity, n, err));
    tacos_learner_watch(learner, take_spikes, recording);
    tacos_status status = tacos_learner_learn(learner, intensity, n, runs->example.target, err);
    tacos_learner_watch(learner, NULL, NULL);
    TRY(status);
    return vote(recording, after, &recording->after, learner, runs, intensity, n, err);
}

static tacos_status learn(Recording *recording, tacos_learner *learner, const RunFolder *runs,
                          tacos_error *err) {
    size_t n = example_size(&runs->example);
    float *intensity = calloc(n, sizeof *intensity);
    if (!intensity)
        return failure(err, TACOS_MEMORY, "no memory for an image");
    for (size_t i = 0; i < n; i++)
        intensity[i] = (float)runs->example.pixels[i] / 255;
    tacos_status status = lesson(recording, learner, runs, intensity, n, err);
    free(intensity);
    if (status == TACOS_OK && recording->failed)
        status = failure(err, TACOS_MEMORY, "no memory for the spikes of a sample");
    return status;
}

static tacos_status record(Recording *out, tacos_learner *learner, const RunFolder *runs,
                           tacos_error *err) {
    tacos_shape shape = tacos_learner_shape(learner);
    *out = (Recording){.n_watched = shape.n_layers + 3,
                       .n_groups = shape.n_layers + 5,
                       .n_outputs = shape.n_outputs};
    out->groups = calloc(out->n_groups, sizeof *out->groups);
    out->names = calloc(out->n_outputs, sizeof *out->names);
    if (!out->groups || !out->names)
        return failure(err, TACOS_MEMORY, "no memory for the spikes of a sample");
    TRY(saved_network_check_example(learner, runs, err));
    TRY(name_groups(out, learner, err));
    name_outputs(out, runs);
    return learn(out, learner, runs, err);
}

static void recording_free(Recording *recording) {
    for (size_t g = 0; recording->groups && g < recording->n_groups; g++)
        free(recording->groups[g].spikes);
    free(recording->groups);
    free(recording->names);
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

/* The output that spikes most while the image is learned, and how often; the first on a tie. */
static size_t answer_of(const Recording *recording, size_t *most) {
    const SpikeGroup *outputs = &recording->groups[recording->n_watched - 3];
    size_t best = 0;
    *most = 0;
    for (size_t o = 0; o < recording->n_outputs; o++) {
        size_t n = 0;
        for (size_t i = 0; i < outputs->n; i++)
            n += outputs->spikes[i].neuron == o;
        if (n > *most) {
            *most = n;
            best = o;
        }
    }
    return best;
}

static void describe(Figure *figure, const RunFolder *runs, const Recording *recording) {
    const Votes *before = &recording->before, *after = &recording->after;
    size_t target = runs->example.target, most, answer = answer_of(recording, &most);
    Text *about = &figure->about;
    text_format(about,
                "Every spike while the network of seed %u learns one image of class %zu, for which "
                "output %zu (%s) should fire. ",
                runs->runs[0].seed, runs->example.class, target, recording->names[target]);
    if (most == 0)
        text_add(about, "No output fires.");
    else
        text_format(about, "It answers %s, with %zu spike%s, which is %s.",
                    recording->names[answer], most, most == 1 ? "" : "s",
                    answer == target ? "right" : "wrong");
    if (recording->n_outputs > 1)
        text_format(
            about,
            " The rows at the top show the outputs without learning: output %zu has %u spikes and "
            "the best other %u before this lesson, %u and %u after it.",
            target, before->wanted, before->other, after->wanted, after->other);
    text_add(about, " Error neurons fire where an output spikes too much or too little.");
}

static tacos_status draw(Figure *figure, const RunFolder *runs, tacos_learner *learner,
                         Recording *recording, tacos_error *err) {
    size_t series[LAYERS_MAX + 5];
    tacos_shape shape = tacos_learner_shape(learner);
    TRY(record(recording, learner, runs, err));
    if (shape.n_layers > LAYERS_MAX)
        return failure(err, TACOS_MISSING, "%s has too many layers for this figure", runs->folder);
    describe(figure, runs, recording);
    figure_size(figure, true, 0.5);
    figure->height =
        figure->sizes.em * (spike_plot_height_ems(recording->groups, recording->n_groups) + 1);
    for (size_t g = 0; g < recording->n_groups; g++) {
        size_t n = recording->n_watched, layer = g < n ? g : n - 3; /* outputs, like those */
        bool errors = g < n && g + 2 >= n;
        unsigned colour = g == 0 ? 7 : errors ? 1 : (unsigned)layer % 2 * 2;
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
