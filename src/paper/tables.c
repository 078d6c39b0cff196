/* tables.c - parses the embedded tables, which are lines of comma-separated cells. */
#include "paper/paper.h"

#include "base/decimal.h"
#include "lab/builtin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *next_line(const char *line) {
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}

/* Copy the text up to one of the end characters; returns its end. */
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
        *out = (PaperPart){.lines = next_line(next_line(second))}; /* skip the column names */
        (void)copy_until(out->name, sizeof out->name, f->name + strlen(folder), ".");
        (void)copy_until(out->about, sizeof out->about, f->text + 2, "\n");
        if (strncmp(second, plan, strlen(plan)) == 0)
            (void)copy_until(out->plan, sizeof out->plan, second + strlen(plan), "\n");
        return true;
    }
    return false;
}

bool paper_part_find(const char *name, PaperPart *out) {
    for (size_t i = 0; paper_part(i, out); i++)
        if (strcmp(out->name, name) == 0)
            return true;
    return false;
}

int tacos_paper_part_get(size_t i, tacos_paper_part *out) {
    PaperPart part;
    if (!paper_part(i, &part))
        return 0;
    *out = (tacos_paper_part){0};
    strcpy(out->name, part.name);
    strcpy(out->about, part.about);
    strcpy(out->plan, part.plan);
    return 1;
}

/* Copy the next cell, which ends at a comma or the end of the line. */
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

int tacos_paper_function(size_t i, tacos_paper_point *out) {
    static const double ms[TACOS_PAPER_CURVES] = {0, 1, 5, 10, 25, 50};
    size_t at = i / TACOS_PAPER_CURVES;
    if (at >= TACOS_PAPER_WEIGHTS)
        return 0;
    double m = ms[i % TACOS_PAPER_CURVES], w = -1 + 0.05 * (double)at;
    *out = (tacos_paper_point){m, w, exp(-fabs(m * w))};
    return 1;
}
