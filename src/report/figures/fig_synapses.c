/* fig_synapses.c - the synapses of the saved network: distributions of w, w_ref and m, and
 * receptive fields, the weights from the image to each neuron of the first layer. */
#include "report/figures/figures.h"
#include "report/input/saved_network.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* One value of a synapse. */
typedef double Pick(const tacos_layer_view *view, size_t pre, size_t post);

static double pick_w(const tacos_layer_view *view, size_t pre, size_t post) {
    return (double)view->w[pre * view->stride + post];
}

static double pick_w_ref(const tacos_layer_view *view, size_t pre, size_t post) {
    return (double)view->w_ref[pre * view->stride + post];
}

static double pick_m(const tacos_layer_view *view, size_t pre, size_t post) {
    return (double)tacos_layer_m(view, pre, post);
}

static Range range_of(const tacos_layer_view *view, Pick *pick) {
    Range range = RANGE_EMPTY;
    for (size_t pre = 0; pre < view->n_pre; pre++)
        for (size_t post = 0; post < view->n_post; post++)
            range_take(&range, pick(view, pre, post));
    return range;
}

static Counting count(const tacos_layer_view *view, Pick *pick, Range range) {
    Counting counting = {.lo = range.lo, .hi = range.hi};
    for (size_t pre = 0; pre < view->n_pre; pre++)
        for (size_t post = 0; post < view->n_post; post++)
            counting_take(&counting, pick(view, pre, post));
    return counting;
}

/* What a figure shows of each layer. */
typedef struct Values {
    const char *x_label;
    size_t n;
    Pick *pick[2];         /* [n] */
    const char *labels[2]; /* [n] */
} Values;

static void draw_panel(Figure *figure, const tacos_layer_view *view, const Values *values, Box box,
                       const char *title) {
    static const size_t series[] = {0, 1};
    Counting counting[2];
    Range range = RANGE_EMPTY;
    for (size_t k = 0; k < values->n; k++) {
        Range one = range_of(view, values->pick[k]);
        range_take(&range, one.lo);
        range_take(&range, one.hi);
    }
    range = range_round(range, 6);
    for (size_t k = 0; k < values->n; k++)
        counting[k] = count(view, values->pick[k], range);
    Histogram histogram = {.box = box,
                           .title = title,
                           .x_label = values->x_label,
                           .n = values->n,
                           .counting = counting,
                           .series = series,
                           .labels = values->labels};
    histogram_draw(figure, &histogram);
    histogram_table(figure, &histogram, title);
}

/* One panel per layer. */
static tacos_status draw_layers(Figure *figure, tacos_learner *learner, const Values *values,
                                tacos_error *err) {
    size_t n = tacos_learner_shape(learner).n_layers;
    char title[96];
    figure->height = figure->height * 0.72 * (double)n;
    for (size_t layer = 0; layer < n; layer++) {
        tacos_layer_view view;
        TRY(tacos_learner_layer(learner, layer, &view, err));
        layer_name(title, sizeof title, layer, n);
        draw_panel(figure, &view, values, figure_row(figure, layer, n), title);
    }
    return figure_check(figure, err);
}

static tacos_status weights(Figure *figure, const RunFolder *runs, tacos_learner *learner,
                            tacos_error *err) {
    Values values = {"weight", 2, {pick_w, pick_w_ref}, {"w", "w_ref"}};
    tacos_layer_view view;
    text_format(&figure->about,
                "Share of synapses by weight w, and by the reference weight that follows it, after "
                "the last task; the network of seed %u. The y-axis is logarithmic.",
                runs->runs[0].seed);
    TRY(tacos_learner_layer(learner, 0, &view, err));
    values.n = view.w_ref ? 2 : 1;
    for (size_t k = 0; k < values.n; k++)
        (void)figure_key(figure, LEGEND_BAR, (unsigned)k, values.labels[k]);
    return draw_layers(figure, learner, &values, err);
}

static tacos_status states(Figure *figure, const RunFolder *runs, tacos_learner *learner,
                           tacos_error *err) {
    static const Values values = {"m", 1, {pick_m}, {"m"}};
    tacos_layer_view view;
    text_format(
        &figure->about,
        "Share of synapses by metaplastic state m after the last task; the larger it is, "
        "the less a large weight changes. The network of seed %u; the y-axis is logarithmic.",
        runs->runs[0].seed);
    TRY(tacos_learner_layer(learner, 0, &view, err));
    if (!view.m_steps)
        return failure(err, TACOS_MISSING,
                       "in %s all synapses have the same m, as in every network of its model",
                       runs->folder);
    (void)figure_key(figure, LEGEND_BAR, 2, values.labels[0]);
    TRY(draw_layers(figure, learner, &values, err));
    figure->n_keys = 0; /* the axis is labelled */
    return TACOS_OK;
}

/* ---- receptive fields ---- */

enum { FIELDS_MAX = 200 };

/* A neuron and the mean metaplastic state of its synapses. */
typedef struct Neuron {
    size_t index;
    double mean_m, bound; /* bound: the largest weight */
} Neuron;

/* Most consolidated first; ties by number, so that the order is unique. */
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

typedef struct Fields {
    size_t channels; /* of an image; their mean is drawn */
    Neuron *neurons;
    float *values;
    ImageTile *tiles;
} Fields;

static void fill(const Fields *fields, const tacos_layer_view *view, size_t n, bool has_m,
                 Text *csv) {
    static const char *const head[] = {"neuron", "mean_m", "largest_weight", NULL};
    csv_head(csv, head);
    for (size_t i = 0; i < n; i++) {
        const Neuron *neuron = &fields->neurons[i];
        ImageTile *tile = &fields->tiles[i];
        for (size_t pre = 0; pre < view->n_pre; pre++)
            fields->values[(i * view->n_pre + pre) / fields->channels] +=
                view->w[pre * view->stride + neuron->index] /
                (float)(fmax(neuron->bound, 1e-9) * (double)fields->channels);
        if (has_m)
            (void)snprintf(tile->label, sizeof tile->label, "%.1f", neuron->mean_m);
        (void)snprintf(tile->tip, sizeof tile->tip, "neuron %zu\nmean m %.2f, |w| up to %.2f",
                       neuron->index, neuron->mean_m, neuron->bound);
        csv_whole(csv, neuron->index);
        csv_real(csv, neuron->mean_m);
        csv_real(csv, neuron->bound);
        csv_end(csv);
    }
}

/* The first layer, whose weights are images. */
static tacos_status see_layer(tacos_learner *learner, const RunFolder *runs, tacos_layer_view *out,
                              tacos_error *err) {
    size_t n_inputs = example_size(&runs->example);
    TRY(tacos_learner_layer(learner, 0, out, err));
    if (out->n_pre != n_inputs)
        return failure(err, TACOS_FORMAT,
                       "%s is damaged: its example has %zu values, its first layer %zu rows",
                       runs->folder, n_inputs, out->n_pre);
    return TACOS_OK;
}

static void describe(Figure *figure, const RunFolder *runs, const tacos_layer_view *view, size_t n,
                     bool outputs) {
    text_format(&figure->about,
                "The weights from the image to %s%zu %s%s of seed %u, each scaled by its ",
                n < view->n_post ? "the first " : "", n, outputs ? "output" : "hidden neuron",
                n == 1 ? "" : "s", runs->runs[0].seed);
    text_add(&figure->about, "largest weight: blue excites, orange inhibits.");
    if (runs->example.channels > 1)
        text_add(&figure->about, " A pixel is the mean of its channels.");
    if (view->m_steps)
        text_add(&figure->about, " Below each is the mean m of its synapses; the most "
                                 "consolidated come first.");
}

static tacos_status draw_grid(Figure *figure, const RunFolder *runs, const tacos_layer_view *view,
                              const Fields *fields, size_t n, tacos_error *err) {
    survey(view, fields->neurons);
    fill(fields, view, n, view->m_steps != NULL, &figure->csv);
    ImageGrid grid = {.box = figure_box(figure),
                      .n = n,
                      .columns = n > 20 ? 20 : 10,
                      .width = runs->example.width,
                      .height = runs->example.height,
                      .values = fields->values,
                      .tiles = fields->tiles};
    figure->height = image_grid_height(figure, &grid) + figure->sizes.em * 0.5;
    TRY(image_grid_draw(figure, &grid, err));
    return figure_check(figure, err);
}

static tacos_status fields_of(Figure *figure, const RunFolder *runs, tacos_learner *learner,
                              tacos_error *err) {
    tacos_layer_view view;
    TRY(saved_network_check_example(learner, runs, err));
    TRY(see_layer(learner, runs, &view, err));
    size_t n = view.n_post < FIELDS_MAX ? view.n_post : FIELDS_MAX;
    describe(figure, runs, &view, n, tacos_learner_shape(learner).n_layers == 1);
    figure_size(figure, n > 20, 0.5);
    Fields fields = {.channels = runs->example.channels,
                     .neurons = calloc(view.n_post, sizeof *fields.neurons),
                     .values = calloc(n * view.n_pre, sizeof *fields.values),
                     .tiles = calloc(n, sizeof *fields.tiles)};
    tacos_status status;
    if (fields.neurons && fields.values && fields.tiles)
        status = draw_grid(figure, runs, &view, &fields, n, err);
    else
        status = failure(err, TACOS_MEMORY, "no memory for receptive fields");
    free(fields.neurons);
    free(fields.values);
    free(fields.tiles);
    return status;
}

/* ---- all ---- */

typedef tacos_status DrawNetwork(Figure *figure, const RunFolder *runs, tacos_learner *learner,
                                 tacos_error *err);

static tacos_status draw(Figure *figure, const RunFolder *runs, DrawNetwork *of, tacos_error *err) {
    tacos_learner *learner;
    TRY(saved_network_open(&learner, runs, err));
    tacos_status status = of(figure, runs, learner, err);
    tacos_learner_free(learner);
    return status;
}

tacos_status draw_weights(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                          tacos_error *err) {
    figure_begin(figure, sizes, "weights", "Weights and reference weights");
    return draw(figure, runs, weights, err);
}

tacos_status draw_states(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                         tacos_error *err) {
    figure_begin(figure, sizes, "states", "Metaplastic states");
    return draw(figure, runs, states, err);
}

tacos_status draw_fields(Figure *figure, const Sizes *sizes, const RunFolder *runs,
                         tacos_error *err) {
    figure_begin(figure, sizes, "fields", "Receptive fields");
    return draw(figure, runs, fields_of, err);
}
