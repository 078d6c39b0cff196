/* fig_synapses.c - the synapses of the saved network: distributions of w, w_ref and m, and
 * receptive fields, the weights from the image to each neuron of the first layer. */
#include "report/figures/figures.h"
#include "report/input/answers.h"
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

/* A neuron: the output that it excites most, if it is connected with outputs, and the mean
 * metaplastic state of its synapses. */
typedef struct Neuron {
    size_t index, output;
    double pull;          /* its weight to that output */
    double mean_m, bound; /* bound: the largest weight */
} Neuron;

/* By the output that they excite most, of each the most consolidated first; without m the
 * strongest; ties by number, so that the order is unique. */
static int by_meaning(const void *a, const void *b) {
    const Neuron *one = a, *other = b;
    if (one->output != other->output)
        return one->output < other->output ? -1 : 1;
    if (one->mean_m != other->mean_m)
        return one->mean_m > other->mean_m ? -1 : 1;
    if (one->pull != other->pull)
        return one->pull > other->pull ? -1 : 1;
    return one->index < other->index ? -1 : one->index > other->index;
}

/* `outputs`: the synapses from these neurons to outputs, or NULL. */
static void find_output(Neuron *neuron, const tacos_layer_view *outputs) {
    for (size_t o = 0; outputs && o < outputs->n_post; o++) {
        double w = (double)outputs->w[neuron->index * outputs->stride + o];
        if (o == 0 || w > neuron->pull) {
            neuron->output = o;
            neuron->pull = w;
        }
    }
}

static void survey(const tacos_layer_view *view, const tacos_layer_view *outputs, Neuron *neurons) {
    for (size_t post = 0; post < view->n_post; post++) {
        double sum = 0, most = 0;
        for (size_t pre = 0; pre < view->n_pre; pre++) {
            sum += (double)tacos_layer_m(view, pre, post);
            most = fmax(most, fabs((double)view->w[pre * view->stride + post]));
        }
        neurons[post] = (Neuron){.index = post, .mean_m = sum / (double)view->n_pre, .bound = most};
        find_output(&neurons[post], outputs);
    }
    qsort(neurons, view->n_post, sizeof *neurons, by_meaning);
}

/* The scale of all images: only one weight in a hundred is larger, and is drawn like the largest.
 * From counts, since there are many. */
static double scale_of(const tacos_layer_view *view) {
    enum { BINS = 4096 };
    size_t counts[BINS] = {0}, above = 0, least = view->n_pre * view->n_post / 100, bin = BINS;
    double most = 0;
    for (size_t pre = 0; pre < view->n_pre; pre++)
        for (size_t post = 0; post < view->n_post; post++)
            most = fmax(most, fabs((double)view->w[pre * view->stride + post]));
    for (size_t pre = 0; pre < view->n_pre && most > 0; pre++)
        for (size_t post = 0; post < view->n_post; post++) {
            double share = fabs((double)view->w[pre * view->stride + post]) / most;
            counts[(size_t)fmin(share * BINS, BINS - 1)]++;
        }
    while (bin > 1 && above + counts[bin - 1] <= least)
        above += counts[--bin];
    return most * (double)bin / BINS;
}

typedef struct Fields {
    size_t channels; /* of an image; their mean is drawn */
    double scale;    /* the weight that is drawn darkest */
    bool has_outputs;
    Neuron *neurons;
    float *values;
    ImageTile *tiles;
} Fields;

static void write_neuron(const Neuron *neuron, bool has_outputs, Text *csv) {
    csv_whole(csv, neuron->index);
    if (has_outputs) {
        csv_whole(csv, neuron->output);
        csv_real(csv, neuron->pull);
    } else {
        csv_word(csv, "");
        csv_word(csv, "");
    }
    csv_real(csv, neuron->mean_m);
    csv_real(csv, neuron->bound);
    csv_end(csv);
}

static void name_tile(ImageTile *tile, const RunFolder *runs, const Neuron *neuron,
                      bool has_outputs) {
    char output[ANSWER_NAME_SIZE], speaks[ANSWER_NAME_SIZE + 32] = "";
    answers_name_output(output, runs, neuron->output);
    if (has_outputs)
        (void)snprintf(speaks, sizeof speaks, "\n%+.2f to %s", neuron->pull, output);
    (void)snprintf(tile->tip, sizeof tile->tip, "neuron %zu%s\nmean m %.2f, |w| up to %.2f",
                   neuron->index, speaks, neuron->mean_m, neuron->bound);
}

static void fill(const Fields *fields, const RunFolder *runs, const tacos_layer_view *view,
                 size_t n, Text *csv) {
    static const char *const head[] = {"neuron", "output",         "weight_to_output",
                                       "mean_m", "largest_weight", NULL};
    csv_head(csv, head);
    for (size_t i = 0; i < n; i++) {
        const Neuron *neuron = &fields->neurons[i];
        ImageTile *tile = &fields->tiles[i];
        for (size_t pre = 0; pre < view->n_pre; pre++)
            fields->values[(i * view->n_pre + pre) / fields->channels] +=
                view->w[pre * view->stride + neuron->index] /
                (float)(fmax(fields->scale, 1e-9) * (double)fields->channels);
        if (view->m_steps)
            (void)snprintf(tile->label, sizeof tile->label, "%.1f", neuron->mean_m);
        name_tile(tile, runs, neuron, fields->has_outputs);
        write_neuron(neuron, fields->has_outputs, csv);
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

/* "103 for 0/2/4, 97 for 1/3/5." */
static void describe_order(Text *about, const RunFolder *runs, const Fields *fields, size_t n) {
    enum { SHOWN = 12 };
    char output[ANSWER_NAME_SIZE];
    size_t groups = 0;
    text_add(about, " In the order of the output that they excite most: ");
    for (size_t i = 0, from = 0; i < n; i++) {
        size_t here = fields->neurons[i].output;
        if (i + 1 < n && fields->neurons[i + 1].output == here)
            continue;
        answers_name_output(output, runs, here);
        if (groups < SHOWN)
            text_format(about, "%s%zu for %s", groups > 0 ? ", " : "", i + 1 - from, output);
        groups++;
        from = i + 1;
    }
    text_add(about, groups > SHOWN ? " and so on." : ".");
}

static void describe(Figure *figure, const RunFolder *runs, const tacos_layer_view *view,
                     const Fields *fields, size_t n, bool outputs) {
    text_format(&figure->about,
                "The weights from the image to %s%zu %s%s of seed %u, all on one scale: ",
                n < view->n_post ? "the first " : "", n, outputs ? "output" : "hidden neuron",
                n == 1 ? "" : "s", runs->runs[0].seed);
    text_format(&figure->about, "blue excites, orange inhibits, darkest from %.2g on.",
                fields->scale);
    if (runs->example.channels > 1)
        text_add(&figure->about, " A pixel is the mean of its channels.");
    if (fields->has_outputs)
        describe_order(&figure->about, runs, fields, n);
    if (view->m_steps)
        text_add(&figure->about,
                 " Below each is the mean m of its synapses; of the same output the most "
                 "consolidated come first.");
}

static tacos_status draw_grid(Figure *figure, const RunFolder *runs, const tacos_layer_view *view,
                              const Fields *fields, size_t n, tacos_error *err) {
    fill(fields, runs, view, n, &figure->csv);
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
    tacos_layer_view next;
    size_t n = view.n_post < FIELDS_MAX ? view.n_post : FIELDS_MAX;
    size_t n_layers = tacos_learner_shape(learner).n_layers;
    bool has_outputs = n_layers == 2;
    if (has_outputs)
        TRY(tacos_learner_layer(learner, 1, &next, err));
    figure_size(figure, n > 20, 0.5);
    Fields fields = {.channels = runs->example.channels,
                     .scale = scale_of(&view),
                     .has_outputs = has_outputs,
                     .neurons = calloc(view.n_post, sizeof *fields.neurons),
                     .values = calloc(n * view.n_pre, sizeof *fields.values),
                     .tiles = calloc(n, sizeof *fields.tiles)};
    tacos_status status;
    if (fields.neurons && fields.values && fields.tiles) {
        survey(&view, has_outputs ? &next : NULL, fields.neurons);
        describe(figure, runs, &view, &fields, n, n_layers == 1);
        status = draw_grid(figure, runs, &view, &fields, n, err);
    } else
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
