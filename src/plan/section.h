/* section.h - one section of a plan: the lines that vary, their axes, and the resulting
 * configurations. */
#ifndef PLAN_SECTION_H
#define PLAN_SECTION_H

#include "plan/axis.h"
#include "plan/plan.h"
#include "plan/points.h"

enum { SECTION_AXES_MAX = 64 };

extern const char *const sampling_names[];

/* A line of a plan file that sets a key of the experiment. */
struct PlanLine {
    size_t number;
    const Key *key;
    Pattern pattern;
};

static inline bool line_varies(const PlanLine *line) {
    return line->pattern.n_axes + line->pattern.n_times > 0;
}

/* The line of a key, or NULL. */
const PlanLine *line_find(const PlanLine *lines, size_t n, const Key *key);

/* A line that varies, and the first of its axes in the section. */
typedef struct Varied {
    const PlanLine *line;
    size_t axis;
} Varied;

struct PlanSection {
    Experiment start; /* its name, and all keys that do not vary */
    size_t first_line, n_lines;
    size_t n_varied;
    Varied *varied; /* [n_varied]; `times` comes after what it refers to */
    size_t n_axes;
    const Piece *axes[SECTION_AXES_MAX];
    Points points;
    size_t n_configs;
};

/* Build it from the plan's lines and the experiment to vary; only the section's name and lines are
 * already set. Sections with different streams have different points. */
tacos_status section_lay_out(PlanSection *section, const Plan *plan, const Experiment *base,
                             uint32_t stream, tacos_error *err);
void section_free(PlanSection *section);

/* The i-th configuration. */
tacos_status section_config(const PlanSection *section, const Plan *plan, size_t i, Experiment *out,
                            tacos_error *err);

/* Check every level of every axis, or some places on it, with the other axes at their first. */
typedef tacos_status SectionCheck(const void *user, const Experiment *config, tacos_error *err);
tacos_status section_check(const PlanSection *section, const Plan *plan, SectionCheck *check,
                           const void *user, tacos_error *err);

#endif
