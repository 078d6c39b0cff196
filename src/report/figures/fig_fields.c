/* fig_fields.c - receptive fields: the weights from the image to each neuron of the first layer, as
 * an image. */
#include "report/charts/text.h"
#include "report/figures/figures.h"
#include "report/charts/charts.h"
#include "report/input/trained.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIELDS_MAX = 200, WORDS = 64 };

/* A neuron and the mean metaplastic state of its synapses. */
typedef struct Neuron {
    size_t index;
    double mean_m, bound; /* bound: the largest weight */
} Neuron;

/* Most consolidated first; then by number, so that the order is one. */
static int by_mean_m(const void *a, const void *b) {
    const Neuron *one = a, *other = b;
    if (one->mean_m != other->mean_m)
        return one->mean_m > other->mean_m ? -1 : 1;
    return one->index < other->index ? -1 : one->index > other->index;
}

static void survey(const tacos_layer_view *view, Neuron *neurons) {
    for (size_t post = 0; post < view->n_post; post++) {
        double sum = 0, most = 0;
        for (size_t pre = 0; pre < view->n_pre; pre++) {
            sum += (double)tacos_layer_m(view, pre, post);
            most = fmax(most, fabs((double)view->w[pre * view->stride + post]));
        }
        neurons[post] = (Neuron){post, sum / (double)view->n_pre, most};
    }
    qsort(neurons, view->n_post, sizeof *neurons, by_mean_m);
}

/* All that a figure of n fields needs room for. */
typedef struct Fields {
    Neuron *neurons;
    float *values;
    char (*labels)[WORDS], (*tips)[WORDS];
    const char **label, **tip;
} Fields;

static bool fields_make(Fields *fields, size_t n_neurons, size_t n, size_t n_pixels) {
    *fields = (Fields){.neurons = calloc(n_neurons, sizeof *fields->neurons),
                       .values = calloc(n * n_pixels, sizeof *fields->values),
                       .labels = calloc(n, sizeof *fields->labels),
                       .tips = calloc(n, sizeof *fields->tips),
                       .label = calloc(n, sizeof *fields->label),
                       .tip = calloc(n, sizeof *fields->tip)};
    return fields->neurons && fields->values && fields->labels && fields->tips && fields->label &&
           fields->tip;
}

static void fields_free(Fields *fields) {
    free(fields->neurons);
    free(fields->values);
    free(fields->labels);
    free(fields->tips);
    free(fields->label);
    free(fields->tip);
}

static void fill(Fields *fields, const tacos_layer_view *view, size_t n, bool has_m, Text *csv) {
    static const char *const head[] = {"neuron", "mean_m", "largest_weight", NULL};
    csv_head(csv, head);
    for (size_t i = 0; i < n; i++) {
        const Neuron *neuron = &fields->neurons[i];
        for (size_t pre = 0; pre < view->n_pre; pre++)
            fields->values[i * view->n_pre + pre] =
                view->w[pre * view->stride + neuron->index] / (float)fmax(neuron->bound, 1e-9);
        if (has_m)
            (void)snprintf(fields->labels[i], WORDS, "%.1f", neuron->mean_m);
        (void)snprintf(fields->tips[i], WORDS, "neuron %zu\nmean m %.2f, |w| up to %.2f",
                       neuron->index, neuron->mean_m, neuron->bound);
        fields->label[i] = fields->labels[i];
        fields->tip[i] = fields->tips[i];
        csv_whole(csv, neuron->index);
        csv_real(csv, neuron->mean_m);
        csv_real(csv, neuron->bound);
        csv_end(csv);
    }
}

/* The weights of the first layer are images only if it is the image that it hears. */
static tacos_status see_layer(tacos_learner *learner, const RunFolder *runs, tacos_layer_view *out,
                              tacos_error *err) {
    size_t n_pixels = runs->example.height * runs->example.width;
    TRY(tacos_learner_layer(learner, 0, out, err));
    if (trained_is_expanded(learner))
        return failure(err, TACOS_MISSING,
                       "the first layer of %s hears the %zu units of an expansion, so that its "
                       "weights have no place in the image",
                       runs->folder, out->n_pre);
    if (out->n_pre != n_pixels)
        return failure(err, TACOS_FORMAT,
                       "%s is damaged: its example has %zu pixels, its first layer %zu rows",
                       runs->folder, n_pixels, out->n_pre);
    return TACOS_OK;
}

static void describe(Figure *figure, const RunFolder *runs, const tacos_layer_view *view, size_t n,
                     bool outputs) {
    text_format(&figure->about, "The weights from the image to %s%zu %s%s of seed %u, each by its ",
                n < view->n_post ? "the first " : "", n, outputs ? "output" : "hidden neuron",
                n == 1 ? "" : "s", runs->runs[0].seed);
    text_add(&figure->about, "largest: blue excites, orange inhibits.");
    if (view->m_steps)
        text_add(&figure->about, " Below each the mean m of its synapses; the most consolidated "
                                 "come first.");
}

static tacos_status draw(Figure *figure, const RunFolder *runs, tacos_learner *learner,
                         tacos_error *err) {
    tacos_layer_view view;
    Fields fields;
    TRY(trained_check_example(learner, runs, err));
    TRY(see_layer(learner, runs, &view, err));
    size_t n = view.n_post < FIELDS_MAX ? view.n_post : FIELDS_MAX;
    describe(figure, runs, &view, n, tacos_learner_shape(learner).n_layers == 1);
    figure_size(figure, n > 20, 0.5);
    if (!fields_make(&fields, view.n_post, n, view.n_pre)) {
        fields_free(&fields);
        return failure(err, TACOS_MEMORY, "no memory for receptive fields");
    }
    survey(&view, fields.neurons);
    fill(&fields, &view, n, view.m_steps != NULL, &figure->csv);
    ImageGrid grid = {.box = figure_box(figure),
                      .n = n,
                      .columns = n > 20 ? 20 : 10,
                      .width = runs->example.width,
                      .height = runs->example.height,
                      .values = fields.values,
                      .labels = fields.label,
                      .tips = fields.tip};
    figure->height = image_grid_height(figure, &grid) + figure->look.em * 0.5;
    tacos_status status = image_grid_draw(figure, &grid, err);
    fields_free(&fields);
    return status == TACOS_OK ? figure_check(figure, err) : status;
}

tacos_status draw_fields(Figure *figure, const Look *look, const RunFolder *runs,
                         tacos_error *err) {
    tacos_learner *learner;
    figure_begin(figure, look, "fields", "Receptive fields");
    TRY(trained_open(&learner, runs, err));
    tacos_status status = draw(figure, runs, learner, err);
    tacos_learner_free(learner);
    return status;
}
