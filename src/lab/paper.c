/* paper.c - what the paper printed, from the tables in experiments/paper. */
#include "lab/paper.h"

#include "base/c_locale.h"
#include "lab/embedded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *table(const char *name) {
    for (const EmbeddedFile *f = embedded_files; f->name; f++)
        if (strcmp(f->name, name) == 0)
            return f->text;
    return "";
}

/* The n-th comma-separated cell of a line; its length in *length. */
static const char *cell(const char *line, size_t n, size_t *length) {
    for (; n > 0; n--) {
        line += strcspn(line, ",\n");
        line += *line == ',';
    }
    *length = strcspn(line, ",\n");
    return line;
}

static bool cell_is(const char *line, size_t n, const char *text) {
    size_t length;
    const char *at = cell(line, n, &length);
    return strlen(text) == length && strncmp(at, text, length) == 0;
}

static double number(const char *line, size_t column) {
    size_t length;
    const char *at = cell(line, column, &length);
    return length > 0 ? strtod(at, NULL) : -1;
}

/* Which column of a header line has this name; 0, the first, if none. */
static size_t column_of(const char *header, const char *name) {
    size_t length;
    for (size_t k = 1; cell(header, k, &length), length > 0; k++)
        if (cell_is(header, k, name))
            return k;
    return 0;
}

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

static double lookup(const char *header, const char *row, const char *name) {
    size_t column = column_of(header, name);
    return column > 0 ? number(row, column) : -1;
}

/* The row of headline.csv for a model's name. */
static tacos_paper_row headline(const char *model, const char *data_set) {
    tacos_paper_row row = {-1, -1, -1};
    bool fashion = strcmp(data_set, "fashion") == 0, mnist = strcmp(data_set, "mnist") == 0;
    const char *line = table("paper/headline.csv");
    while (*line == '#')
        line = next_line(line);
    const char *header = line;
    for (line = next_line(line); *line; line = next_line(line)) {
        if (!cell_is(line, 0, model))
            continue;
        row.memory_overhead = lookup(header, line, "memory_overhead");
        if (fashion || mnist) {
            row.ma = lookup(header, line, fashion ? "fmnist_ma" : "mnist_ma");
            row.ma_sd = lookup(header, line, fashion ? "fmnist_sd" : "mnist_sd");
        }
    }
    return row;
}

typedef struct Difference {
    const Experiment *paper;
    bool found;
} Difference;

static void look_for_difference(void *user, const Key *key, const char *value) {
    Difference *difference = user;
    char theirs[KEY_VALUE_SIZE];
    if (strcmp(key->name, "init_w") == 0 || strcmp(key->name, "init_b") == 0 ||
        experiment_derives(key->name))
        return; /* the paper does not tell the first two, and the others follow */
    (void)experiment_get(difference->paper, key->name, theirs, sizeof theirs, NULL);
    difference->found |= strcmp(value, theirs) != 0;
}

/* Is it the paper's but for the data set, the model and the number of hidden layers of 200? */
static bool is_the_papers(const Experiment *experiment) {
    Experiment paper = *experiment;
    keys_defaults(experiment_table, &paper.own);
    params_defaults(&paper.learner);
    paper.own.dataset = experiment->own.dataset;
    paper.learner.model = experiment->learner.model;
    paper.learner.hidden = experiment->learner.hidden;
    Difference difference = {.paper = &paper};
    experiment_visit(experiment, look_for_difference, &difference);
    const Counts *hidden = &experiment->learner.hidden;
    for (size_t l = 0; l < hidden->n; l++)
        difference.found |= hidden->value[l] != 200;
    return !difference.found && (hidden->n == 1 || hidden->n == 2);
}

tacos_paper_row paper_row(const Experiment *experiment) {
    char name[64];
    const Counts *hidden = &experiment->learner.hidden;
    (void)snprintf(name, sizeof name, "%s%s", params_model(&experiment->learner)->name,
                   hidden->n == 2 ? "-2layer" : "");
    CLocale locale = c_locale_begin();
    tacos_paper_row row = headline(name, experiment_dataset(experiment));
    c_locale_end(&locale);
    if (!is_the_papers(experiment))
        row.ma = row.ma_sd = -1;
    return row;
}
