/* fig_synapses.c - where weights, reference weights and metaplastic states lie in the end. */
#include "report/figures/figures.h"
#include "report/charts/charts.h"
#include "report/input/trained.h"

#include <math.h>
#include <stdio.h>

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

typedef struct Panel {
    Box box;
    const char *title, *x_label;
    size_t n;
    Pick *const *picks;        /* [n] */
    const char *const *labels; /* [n] */
    const size_t *series;      /* [n] */
} Panel;

static void draw_panel(Figure *figure, const tacos_layer_view *view, const Panel *panel) {
    Counting counting[2];
    Range range = RANGE_EMPTY;
    for (size_t k = 0; k < panel->n; k++) {
        Range one = range_of(view, panel->picks[k]);
        range_take(&range, one.lo);
        range_take(&range, one.hi);
    }
    range = range_round(range, 6);
    for (size_t k = 0; k < panel->n; k++)
        counting[k] = count(view, panel->picks[k], range);
    Histogram histogram = {.box = panel->box,
                           .title = panel->title,
                           .x_label = panel->x_label,
                           .n = panel->n,
                           .counting = counting,
                           .series = panel->series,
                           .labels = panel->labels};
    histogram_draw(figure, &histogram);
    histogram_table(figure, &histogram, panel->title);
}

/* A panel a layer, of the same values. */
static tacos_status draw_layers(Figure *figure, tacos_learner *learner, Panel panel,
                                tacos_error *err) {
    size_t n = tacos_learner_shape(learner).n_layers;
    double height = figure->height * 0.72;
    char title[96];
    figure->height = height * (double)n;
    Box box = figure_box(figure);
    for (size_t layer = 0; layer < n; layer++) {
        tacos_layer_view view;
        TRY(tacos_learner_layer(learner, layer, &view, err));
        layer_name(title, sizeof title, layer, n, trained_is_expanded(learner));
        panel.title = title;
        panel.box =
            (Box){box.x, box.y + height * (double)layer, box.width, height - figure->look.em * 0.8};
        draw_panel(figure, &view, &panel);
    }
    return figure_check(figure, err);
}

tacos_status draw_weights(Figure *figure, const Look *look, const RunFolder *runs,
                          tacos_error *err) {
    static Pick *const picks[] = {pick_w, pick_w_ref};
    static const char *const labels[] = {"w", "w_ref"};
    size_t series[2] = {0, 1};
    tacos_learner *learner;
    tacos_layer_view view;
    figure_begin(figure, look, "weights", "Weights and reference weights");
    text_format(&figure->about,
                "Share of synapses by weight w, and by the reference weight that follows it, after "
                "the last task; the network of seed %u. The axis is logarithmic.",
                runs->runs[0].seed);
    TRY(trained_open(&learner, runs, err));
    tacos_status status = tacos_learner_layer(learner, 0, &view, err);
    if (status == TACOS_OK) {
        Panel panel = {.x_label = "weight",
                       .n = view.w_ref ? 2 : 1,
                       .picks = picks,
                       .labels = labels,
                       .series = series};
        for (size_t k = 0; k < panel.n; k++)
            (void)figure_key(figure, LEGEND_BAR, (unsigned)k, labels[k]);
        status = draw_layers(figure, learner, panel, err);
    }
    tacos_learner_free(learner);
    return status;
}

tacos_status draw_states(Figure *figure, const Look *look, const RunFolder *runs,
                         tacos_error *err) {
    static Pick *const picks[] = {pick_m};
    static const char *const labels[] = {"m"};
    size_t series[1] = {0};
    tacos_learner *learner;
    tacos_layer_view view;
    figure_begin(figure, look, "states", "Metaplastic states");
    text_format(&figure->about,
                "Share of synapses by metaplastic state m after the last task; the larger it is, "
                "the less a large weight changes. The network of seed %u; the axis is logarithmic.",
                runs->runs[0].seed);
    TRY(trained_open(&learner, runs, err));
    tacos_status status = tacos_learner_layer(learner, 0, &view, err);
    if (status == TACOS_OK && !view.m_steps)
        status = failure(err, TACOS_MISSING,
                         "in %s m is the same for all synapses, as its model wants", runs->folder);
    if (status == TACOS_OK) {
        Panel panel = {.x_label = "m", .n = 1, .picks = picks, .labels = labels, .series = series};
        (void)figure_key(figure, LEGEND_BAR, 2, labels[0]);
        status = draw_layers(figure, learner, panel, err);
        figure->n_keys = 0; /* the axis says it */
    }
    tacos_learner_free(learner);
    return status;
}
