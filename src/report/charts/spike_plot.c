/* spike_plot.c - spikes over time: one tick per spike, one path per group. */
#include "report/charts/charts.h"

#include <math.h>
#include <stdio.h>

static const double GAP = 0.9; /* em between groups */

/* Height of a group in em: a line per neuron for few neurons or if they have names, else less. */
static double group_height(const SpikeGroup *group) {
    double n = (double)group->n_neurons;
    if (group->names)
        return fmax(0.95 * n, 2.2);
    return fmin(fmax(0.9 * n, 2.2), fmax(2.2, 4.2 * log10(n + 1)));
}

double spike_plot_height_ems(const SpikeGroup *groups, size_t n_groups) {
    double height = 3.6;
    for (size_t g = 0; g < n_groups; g++)
        height += group_height(&groups[g]) + GAP;
    return height;
}

/* The widest name, in em. */
static double names_width(const SpikePlot *plot) {
    double width = 0;
    for (size_t g = 0; g < plot->n_groups; g++)
        for (size_t i = 0; plot->groups[g].names && i < plot->groups[g].n_neurons; i++)
            width = fmax(width, 0.85 * svg_text_width(plot->groups[g].names[i]) + 0.5);
    return width;
}

static void draw_names(Figure *figure, const SpikeGroup *group, Box box) {
    double em = figure->sizes.em, row = box.height / (double)group->n_neurons;
    for (size_t i = 0; group->names && i < group->n_neurons; i++)
        svg_text(&figure->marks, "muted small", box.x + box.width + em * 0.4,
                 box.y + row * ((double)i + 0.5) + em * 0.3, group->names[i]);
}

/* Where a page moves a cursor over the spikes (page.js). */
static void mark_area(Figure *figure, const SpikePlot *plot, Box box) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"x", box.x},
                   {"y", box.y},
                   {"width", box.width},
                   {"height", box.height},
                   {"steps", (double)plot->n_steps},
                   {"ms", plot->step_ms}};
    Text *out = &figure->marks;
    text_add(out, "<g class=\"play\"");
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
        text_format(out, " data-%s=\"", numbers[k].name);
        text_number(out, numbers[k].value, 3);
        text_add(out, "\"");
    }
    text_add(out, "></g>\n");
}

static void draw_spikes(Figure *figure, const SpikeGroup *group, const Scale *time, Box box) {
    double row = box.height / (double)group->n_neurons;
    double tick = fmax(row * 0.8, figure->sizes.em * 0.09);
    Text *out = &figure->marks;
    if (group->n == 0)
        return;
    svg_path_begin(out, "spike");
    for (size_t i = 0; i < group->n; i++) {
        double y = box.y + row * ((double)group->spikes[i].neuron + 0.5) - tick / 2;
        text_add(out, "M");
        text_number(out, scale_at(time, (double)group->spikes[i].step), 1);
        text_add(out, " ");
        text_number(out, y, 1);
        text_add(out, "v");
        text_number(out, tick, 2);
    }
    svg_path_end(out, NULL);
}

static void draw_group(Figure *figure, const SpikePlot *plot, const SpikeGroup *group,
                       const Scale *time, Box box) {
    double em = figure->sizes.em;
    double seconds = (double)plot->n_steps * plot->step_ms / 1000;
    double rate = (double)group->n / ((double)group->n_neurons * seconds);
    char words[64], tip[192];
    svg_rect(&figure->marks, "frame", box, NULL);
    draw_spikes(figure, group, time, box);
    draw_names(figure, group, box);
    (void)snprintf(words, sizeof words, "%zu neuron%s", group->n_neurons,
                   group->n_neurons == 1 ? "" : "s");
    svg_text(&figure->marks, "e", box.x - em * 0.6, box.y + box.height / 2 - em * 0.05,
             group->label);
    svg_text(&figure->marks, "muted small e", box.x - em * 0.6, box.y + box.height / 2 + em * 1.05,
             words);
    (void)snprintf(tip, sizeof tip, "%s\n%zu spikes of %zu neuron%s\n%.1f Hz each", group->label,
                   group->n, group->n_neurons, group->n_neurons == 1 ? "" : "s", rate);
    svg_rect(&figure->marks, "hit", box, tip);
}

void spike_plot_draw(Figure *figure, const SpikePlot *plot) {
    double em = figure->sizes.em, left = em * 9.2, y = plot->box.y;
    double wide = plot->box.width - left - em - em * names_width(plot), sum = 0;
    double high = plot->box.height - em * 3.4;
    for (size_t g = 0; g < plot->n_groups; g++)
        sum += group_height(&plot->groups[g]) + GAP;
    Scale time = {0, (double)plot->n_steps, plot->box.x + left, plot->box.x + left + wide};
    for (size_t g = plot->n_groups; g-- > 0;) {
        double height = high * group_height(&plot->groups[g]) / sum;
        figure_series(figure, plot->series[g]);
        draw_group(figure, plot, &plot->groups[g], &time,
                   (Box){plot->box.x + left, y, wide, height});
        figure_series_end(figure);
        y += height + high * GAP / sum;
    }
    mark_area(figure, plot, (Box){plot->box.x + left, plot->box.y, wide, y - plot->box.y});
    Ticks ticks = ticks_in((Range){0, (double)plot->n_steps * plot->step_ms}, 8, false);
    for (size_t k = 0; k < ticks.n; k++) {
        double x = scale_at(&time, ticks.at[k] / plot->step_ms);
        svg_line(&figure->marks, "axis", x, y - em * 0.4, x, y - em * 0.1);
        svg_number(&figure->marks, "muted m", x, y + em, ticks.digits, ticks.at[k]);
    }
    svg_text(&figure->marks, "muted m", plot->box.x + left + wide / 2, y + em * 2.3, "time, ms");
}
