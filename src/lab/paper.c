/* paper.c - lines of comma-separated cells, and whether an experiment is the paper's own. */
#include "lab/paper.h"

#include "lab/model.h"

#include "base/c_locale.h"
#include "lab/embedded.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

/* Copy what stands up to one of the ends; returns where that is. */
static const char *copy_until(char *out, size_t size, const char *from, const char *ends) {
    size_t n = strcspn(from, ends);
    (void)snprintf(out, size, "%.*s", (int)n, from);
    return from + n;
}

bool paper_part(size_t i, PaperPart *out) {
    static const char folder[] = "paper/", plan[] = "# plan: ";
    for (const EmbeddedFile *f = embedded_files; f->name; f++) {
        if (strncmp(f->name, folder, strlen(folder)) != 0 || i-- > 0)
            continue;
        const char *second = next_line(f->text);
        *out = (PaperPart){.lines = next_line(next_line(second))}; /* past the names of columns */
        (void)copy_until(out->name, sizeof out->name, f->name + strlen(folder), ".");
        (void)copy_until(out->about, sizeof out->about, f->text + 2, "\n");
        if (strncmp(second, plan, strlen(plan)) == 0)
            (void)copy_until(out->plan, sizeof out->plan, second + strlen(plan), "\n");
        return true;
    }
    return false;
}

/* The text of the next cell, which ends at a comma or with the line. */
static const char *take_cell(char *out, size_t size, const char *at) {
    at = copy_until(out, size, at, ",\n");
    return *at == ',' ? at + 1 : at;
}

static double number_or_nan(const char *text) {
    return text[0] ? strtod(text, NULL) : NAN;
}

bool paper_next(const char **line, PaperCell *out) {
    char after[16], part[16], value[32], sd[32];
    const char *at = *line;
    if (!*at)
        return false;
    at = take_cell(out->section, sizeof out->section, at);
    at = take_cell(out->metric, sizeof out->metric, at);
    at = take_cell(after, sizeof after, at);
    at = take_cell(part, sizeof part, at);
    at = take_cell(value, sizeof value, at);
    (void)take_cell(sd, sizeof sd, at);
    CLocale locale = c_locale_begin();
    out->after_task = strtoul(after, NULL, 10);
    out->part = strtoul(part, NULL, 10);
    out->value = number_or_nan(value);
    out->sd = number_or_nan(sd);
    c_locale_end(&locale);
    *line = next_line(*line);
    return true;
}

/* ---- table 1 ---- */

/* A number of the headline table; -1 where there is none. */
static double headline(const char *section, const char *metric, bool sd) {
    PaperPart part;
    PaperCell cell;
    for (size_t i = 0; paper_part(i, &part); i++)
        for (const char *line = part.lines;
             strcmp(part.name, "headline") == 0 && paper_next(&line, &cell);) {
            double value = sd ? cell.sd : cell.value;
            if (strcmp(cell.section, section) == 0 && strcmp(cell.metric, metric) == 0)
                return isnan(value) ? -1 : value;
        }
    return -1;
}

bool paper_leaves_open(const char *key) {
    static const char *const keys[] = {"init_w", "init_w_mean", "init_b"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (strcmp(key, keys[k]) == 0)
            return true;
    return false;
}

typedef struct Difference {
    const Experiment *paper;
    bool found;
} Difference;

static void look_for_difference(void *user, const ExperimentKey *found, const char *value) {
    const Key *key = found->key;
    Difference *difference = user;
    char theirs[KEY_VALUE_SIZE];
    if (paper_leaves_open(key->name) || strcmp(key->name, "measure") == 0 ||
        experiment_derives(key->name))
        return; /* measuring changes nothing, others follow */
    (void)experiment_get(difference->paper, key->name, theirs, sizeof theirs, NULL);
    difference->found |= strcmp(value, theirs) != 0;
}

/* Is it the paper's but for the data set, the model and the number of hidden layers of 200? */
static bool is_the_papers(const Experiment *experiment) {
    Experiment paper;
    experiment_defaults(&paper);
    strcpy(paper.own.dataset, experiment->own.dataset);
    paper.model = experiment->model;
    paper.learner.hidden = experiment->learner.hidden;
    Difference difference = {.paper = &paper};
    experiment_visit(experiment, look_for_difference, &difference);
    const Counts *hidden = &experiment->learner.hidden;
    for (size_t l = 0; l < hidden->n; l++)
        difference.found |= hidden->value[l] != 200;
    return !difference.found && (hidden->n == 1 || hidden->n == 2);
}

tacos_paper_row paper_row(const Experiment *experiment) {
    char section[128], by_model[128];
    const char *model = model_name(experiment->model);
    const char *layers = experiment->learner.hidden.n == 2 ? "-2layer" : "";
    (void)snprintf(section, sizeof section, "%s%s %.63s", model, layers,
                   experiment_dataset(experiment));
    (void)snprintf(by_model, sizeof by_model, "%s%s mnist", model, layers);
    bool own = is_the_papers(experiment);
    return (tacos_paper_row){
        .ma = own ? headline(section, "MA", false) : -1,
        .ma_sd = own ? headline(section, "MA", true) : -1,
        .memory_overhead = headline(by_model, "MO", false), /* the same on any data */
    };
}
