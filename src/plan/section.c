/* section.c - lays out the axes of a section and makes its configurations. */
#include "plan/section.h"

#include "base/decimal.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYS_MAX = 128 };

const char *const sampling_names[] = {
    [SAMPLING_GRID] = "grid",   [SAMPLING_RANDOM] = "random", [SAMPLING_LATIN] = "latin",
    [SAMPLING_SOBOL] = "sobol", [SAMPLING_SOBOL + 1] = NULL,
};

const PlanLine *line_find(const PlanLine *lines, size_t n, const Key *key) {
    for (size_t i = 0; i < n; i++)
        if (lines[i].key == key)
            return &lines[i];
    return NULL;
}

/* ---- configurations ---- */

/* The value of a numeric key. */
static double number_of(const void *user, const char *name) {
    const Experiment *experiment = user;
    ExperimentKey found = {0};
    bool known = experiment_key(name, &found);
    assert(known && (found.key->type == KEY_COUNT || found.key->type == KEY_REAL));
    (void)known;
    const void *field = (const char *)experiment + found.offset + found.key->offset;
    return found.key->type == KEY_COUNT ? (double)*(const size_t *)field : *(const double *)field;
}

static tacos_status set_line(const PlanLine *line, const double *places, Experiment *out,
                             tacos_error *err) {
    char value[KEY_VALUE_SIZE];
    TRY(pattern_write(&line->pattern, places, number_of, out, value, err));
    return tacos_experiment_set(out, line->key->name, value, err);
}

/* The configuration at a place on each axis. */
static tacos_status make_config(const PlanSection *section, const Plan *plan, const double *places,
                                Experiment *out, tacos_error *err) {
    *out = section->start;
    for (size_t i = 0; i < section->n_varied; i++) {
        const Varied *varied = &section->varied[i];
        tacos_error inner;
        if (set_line(varied->line, places + varied->axis, out, &inner) != TACOS_OK)
            return keys_fail_line(plan->source, varied->line->number, &inner, err);
    }
    return TACOS_OK;
}

tacos_status section_config(const PlanSection *section, const Plan *plan, size_t i, Experiment *out,
                            tacos_error *err) {
    double places[SECTION_AXES_MAX];
    for (size_t a = section->n_axes; a-- > 0;) {
        const Piece *axis = section->axes[a];
        if (plan->params.sampling != SAMPLING_GRID) {
            places[a] = points_at(&section->points, (uint32_t)i, (uint32_t)a);
            continue;
        }
        places[a] = axis_place(axis, i % axis->n_levels);
        i /= axis->n_levels;
    }
    return make_config(section, plan, places, out, err);
}

tacos_status section_check(const PlanSection *section, const Plan *plan, SectionCheck *check,
                           const void *user, tacos_error *err) {
    /* If there are too many levels to try all: both ends and, for integer keys, one in between. */
    static const double some[] = {0, 1, 0.318309886};
    double places[SECTION_AXES_MAX] = {0};
    Experiment config;
    TRY(make_config(section, plan, places, &config, err));
    TRY(check(user, &config, err));
    for (size_t a = 0; a < section->n_axes; a++) {
        const Piece *axis = section->axes[a];
        bool all = axis->n_levels > 0 && axis->n_levels <= AXIS_LEVELS_MAX;
        for (size_t i = 0; i < (all ? axis->n_levels : 3); i++) {
            places[a] = all ? axis_place(axis, i) : some[i];
            TRY(make_config(section, plan, places, &config, err));
            TRY(check(user, &config, err));
        }
        places[a] = 0;
    }
    return TACOS_OK;
}

/* ---- axes ---- */

/* "init_w", or "init_w[2]" where the key has several axes. */
static void name_axis(const PlanLine *line, size_t a, char *buf, size_t size) {
    if (line->pattern.n_axes > 1)
        (void)snprintf(buf, size, "%s[%zu]", line->key->name, a + 1);
    else
        (void)snprintf(buf, size, "%s", line->key->name);
}

static tacos_status add_axes(PlanSection *section, const Plan *plan, const PlanLine *line,
                             tacos_error *err) {
    int sampling = plan->params.sampling;
    size_t max = sampling == SAMPLING_SOBOL ? SOBOL_AXES_MAX : SECTION_AXES_MAX;
    if (section->n_axes + line->pattern.n_axes > max)
        return failure(err, TACOS_RANGE,
                       "%s: this range is one too many: at most %zu are possible with sampling = "
                       "%s",
                       line->key->name, max, sampling_names[sampling]);
    for (size_t a = 0; a < line->pattern.n_axes; a++) {
        const Piece *axis = pattern_axis(&line->pattern, a);
        char name[64];
        name_axis(line, a, name, sizeof name);
        if (sampling == SAMPLING_GRID && axis->n_levels == 0)
            return failure(
                err, TACOS_INVALID, "%s: a grid needs a number of levels here: %s(%s, %s, N)", name,
                axis->kind == PIECE_LOG ? "log" : "linear", REAL(axis->low), REAL(axis->high));
        section->axes[section->n_axes++] = axis;
    }
    return TACOS_OK;
}

/* ---- lines ---- */

/* Set a fixed line once and for all, or note a line that varies. */
static tacos_status take_line(PlanSection *section, const Plan *plan, const PlanLine *line,
                              tacos_error *err) {
    if (!line_varies(line))
        return set_line(line, NULL, &section->start, err);
    assert(section->n_varied < KEYS_MAX);
    section->varied[section->n_varied++] = (Varied){line, section->n_axes};
    return add_axes(section, plan, line, err);
}

/* The common lines that the section does not override, then its own. */
static tacos_status take_lines(PlanSection *section, const Plan *plan, tacos_error *err) {
    for (size_t i = 0; i < plan->n_common + section->n_lines; i++) {
        bool common = i < plan->n_common;
        const PlanLine *line = &plan->lines[common ? i : section->first_line + i - plan->n_common];
        tacos_error inner;
        if (common && section->n_lines > 0 &&
            line_find(&plan->lines[section->first_line], section->n_lines, line->key))
            continue;
        if (take_line(section, plan, line, &inner) != TACOS_OK)
            return keys_fail_line(plan->source, line->number, &inner, err);
    }
    return TACOS_OK;
}

/* Does the `times` of a line refer to a line at `from` or later? */
static bool wants_any(const PlanSection *section, size_t i, size_t from) {
    const Pattern *pattern = &section->varied[i].line->pattern;
    for (size_t p = 0; p < pattern->n; p++)
        for (size_t k = from; k < section->n_varied; k++)
            if (pattern->pieces[p].kind == PIECE_TIMES &&
                strcmp(pattern->pieces[p].text, section->varied[k].line->key->name) == 0)
                return true;
    return false;
}

/* Move every line after those that its `times` refer to. */
static tacos_status order_lines(PlanSection *section, const Plan *plan, tacos_error *err) {
    for (size_t at = 0; at < section->n_varied; at++) {
        size_t i = at;
        while (i < section->n_varied && wants_any(section, i, at))
            i++;
        if (i == section->n_varied) {
            const PlanLine *line = section->varied[at].line;
            tacos_error inner;
            (void)failure(&inner, TACOS_INVALID, "%s: circular `times`", line->key->name);
            return keys_fail_line(plan->source, line->number, &inner, err);
        }
        Varied next = section->varied[i];
        memmove(&section->varied[at + 1], &section->varied[at], (i - at) * sizeof next);
        section->varied[at] = next;
    }
    return TACOS_OK;
}

/* ---- lay out ---- */

/* Without an axis all points coincide. Stops counting above PLAN_RUNS_MAX. */
static uint64_t count_configs(const PlanSection *section, const Plan *plan) {
    uint64_t n = 1;
    if (plan->params.sampling != SAMPLING_GRID)
        return section->n_axes > 0 ? plan->params.n_configs : 1;
    for (size_t a = 0; a < section->n_axes && n <= PLAN_RUNS_MAX; a++)
        if (__builtin_mul_overflow(n, (uint64_t)section->axes[a]->n_levels, &n))
            return UINT64_MAX;
    return n;
}

tacos_status section_lay_out(PlanSection *section, const Plan *plan, const Experiment *base,
                             uint32_t stream, tacos_error *err) {
    char name[sizeof base->name];
    strcpy(name, section->start.name);
    section->start = *base;
    strcpy(section->start.name, name);
    section->n_varied = section->n_axes = 0;
    section->varied = calloc(KEYS_MAX, sizeof *section->varied);
    if (!section->varied)
        return failure(err, TACOS_MEMORY, "no memory for a section of the plan");
    TRY(take_lines(section, plan, err));
    TRY(order_lines(section, plan, err));
    uint64_t n = count_configs(section, plan);
    if (n > PLAN_RUNS_MAX)
        return failure(err, TACOS_RANGE, "%.200s: the ranges have more than %d combinations",
                       plan->source, PLAN_RUNS_MAX);
    section->n_configs = (size_t)n;
    points_init(&section->points, (Sampling)plan->params.sampling,
                (uint32_t)plan->params.sampling_seed, stream, (uint32_t)n);
    return TACOS_OK;
}

void section_free(PlanSection *section) {
    free(section->varied);
}
