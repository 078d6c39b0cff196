/* fig_raster.c - one image through the trained network: every spike, and what the error neurons
 * say. */
#include "report/charts/text.h"
#include "report/figures/figures.h"
#include "report/input/trained.h"

#include <math.h>
#include <stdio.h>

/* Panels that a raster has room for, besides inputs and error neurons. */
enum { LAYERS_MAX = 32 };

static void write_table(Figure *figure, const Watched *watched, double step_ms) {
    static const char *const head[] = {"group", "time_ms", "neuron", NULL};
    csv_head(&figure->csv, head);
    for (size_t g = 0; g < watched->n_groups; g++)
        for (size_t i = 0; i < watched->groups[g].n; i++) {
            const Spike *spike = &watched->groups[g].spikes[i];
            csv_word(&figure->csv, watched->groups[g].label);
            csv_real(&figure->csv, (double)spike->step * step_ms);
            csv_whole(&figure->csv, spike->neuron);
            csv_end(&figure->csv);
        }
}

/* The image itself, in the space left of the inputs' panel. */
static tacos_status draw_image(Figure *figure, const Example *example, tacos_error *err) {
    Rgb greys[IMAGE_COLOURS_MAX];
    double em = figure->look.em, side = em * 5;
    for (size_t k = 0; k < IMAGE_COLOURS_MAX; k++)
        greys[k] = (Rgb){(uint8_t)(255 - k), (uint8_t)(255 - k), (uint8_t)(255 - k)};
    Image image = {example->width,    example->height, example->pixels,
                   IMAGE_COLOURS_MAX, greys,           false};
    double wide = side * fmin(1, (double)example->width / (double)example->height);
    Box box = {em * 0.3, figure->height - em * 3.6 - side, wide,
               wide * (double)example->height / (double)example->width};
    TRY(svg_image(&figure->marks, box, &image, err));
    svg_rect(&figure->marks, "frame", box, NULL);
    return TACOS_OK;
}

static tacos_status draw(Figure *figure, const RunFolder *runs, tacos_learner *learner,
                         Watched *watched, tacos_error *err) {
    size_t series[LAYERS_MAX + 3];
    tacos_shape shape = tacos_learner_shape(learner);
    TRY(watched_learn(watched, learner, runs, err));
    if (shape.n_layers > LAYERS_MAX)
        return failure(err, TACOS_MISSING, "%s has too many layers for a raster", runs->folder);
    text_format(&figure->about,
                "Every spike while the network of seed %u learns one image of class %zu, for which "
                "output %zu should fire. Error neurons fire where an output spikes too much or too "
                "little.",
                runs->runs[0].seed, runs->example.class, runs->example.target);
    figure_size(figure, true, 0.5);
    figure->height =
        figure->look.em * (spike_plot_height_ems(watched->groups, watched->n_groups) + 1);
    for (size_t g = 0; g < watched->n_groups; g++) {
        unsigned colour = g == 0 ? 7 : g + 2 >= watched->n_groups ? 1 : (unsigned)g % 2 * 2;
        series[g] = figure_key(figure, LEGEND_BAR, colour, watched->groups[g].label);
    }
    double step_ms = fmax(runs_number(runs, "dt_ms"), 1e-3);
    SpikePlot raster = {.box = figure_box(figure),
                        .n_steps = shape.n_steps_all,
                        .step_ms = step_ms,
                        .n_groups = watched->n_groups,
                        .groups = watched->groups,
                        .series = series};
    spike_plot_draw(figure, &raster);
    write_table(figure, watched, step_ms);
    TRY(draw_image(figure, &runs->example, err));
    figure->n_keys = 0; /* the panels have their names beside them */
    return figure_check(figure, err);
}

tacos_status draw_raster(Figure *figure, const Look *look, const RunFolder *runs,
                         tacos_error *err) {
    tacos_learner *learner;
    Watched watched = {0};
    figure_begin(figure, look, "raster", "One image through the network");
    TRY(trained_open(&learner, runs, err));
    tacos_status status = draw(figure, runs, learner, &watched, err);
    watched_free(&watched);
    tacos_learner_free(learner);
    return status;
}
