/* paper_numbers.c - go through the plans of the paper's tables. */
#include "report/paper_numbers.h"

#include "plan/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Comparison {
    const Experiment *other;
    bool but_ranges; /* the first weights and feedback do not count */
    bool same;
} Comparison;

static bool is_range(const char *key) {
    return strcmp(key, "init_w") == 0 || strcmp(key, "init_b") == 0;
}

static void compare_key(void *user, const ExperimentKey *found, const char *value) {
    Comparison *comparison = user;
    const char *key = found->key->name;
    char theirs[KEY_VALUE_SIZE];
    if (strcmp(key, "measure") == 0 || experiment_derives(key) ||
        (comparison->but_ranges && is_range(key)))
        return;
    if (experiment_get(comparison->other, key, theirs, sizeof theirs, NULL) != TACOS_OK ||
        strcmp(theirs, value) != 0)
        comparison->same = false;
}

static bool is_same(const Experiment *a, const Experiment *b, bool but_ranges) {
    Comparison comparison = {.other = b, .but_ranges = but_ranges, .same = true};
    experiment_visit(a, compare_key, &comparison);
    return comparison.same;
}

static tacos_status add_section(PaperNumbers *paper, const PaperPart *part, const char *section,
                                tacos_error *err) {
    PaperCell cell;
    for (const char *line = part->lines; paper_next(&line, &cell);) {
        if (strcmp(cell.section, section) != 0 || isnan(cell.value) ||
            !isnan(paper_number(paper, cell.metric, cell.after_task, cell.part)))
            continue;
        PaperCell *more = realloc(paper->cells, (paper->n + 1) * sizeof *more);
        if (!more)
            return failure(err, TACOS_MEMORY, "no memory for the paper's numbers");
        paper->cells = more;
        paper->cells[paper->n++] = cell;
    }
    return TACOS_OK;
}

/* The first configuration of the plan that is the same, if any. */
static tacos_status find_in_part(PaperNumbers *paper, const PaperPart *part,
                                 const Experiment *experiment, bool but_ranges, tacos_error *err) {
    Experiment config;
    Plan *plan;
    bool found = false;
    TRY(plan_open(&plan, part->plan, err));
    tacos_status status = TACOS_OK;
    for (size_t i = 0; i < plan->n_configs && status == TACOS_OK && !found; i++) {
        status = plan_config(plan, i, &config, err);
        found = status == TACOS_OK && is_same(experiment, &config, but_ranges);
    }
    if (found)
        status = add_section(paper, part, config.name, err);
    plan_free(plan);
    return status;
}

tacos_status paper_numbers_find(PaperNumbers *out, const Experiment *experiment, tacos_error *err) {
    PaperPart part;
    *out = (PaperNumbers){0};
    for (int but_ranges = 0; but_ranges < 2 && out->n == 0; but_ranges++)
        for (size_t i = 0; paper_part(i, &part); i++) {
            if (strcmp(part.name, "rivals") == 0)
                continue; /* other papers' numbers */
            tacos_status status = find_in_part(out, &part, experiment, but_ranges, err);
            if (status != TACOS_OK) {
                paper_numbers_free(out);
                return status;
            }
        }
    return TACOS_OK;
}

void paper_numbers_free(PaperNumbers *paper) {
    free(paper->cells);
    *paper = (PaperNumbers){0};
}

static const PaperCell *find(const PaperNumbers *paper, const char *metric, size_t after_task,
                             size_t part) {
    for (size_t i = 0; i < paper->n; i++) {
        const PaperCell *cell = &paper->cells[i];
        if (strcmp(cell->metric, metric) == 0 && cell->after_task == after_task &&
            cell->part == part)
            return cell;
    }
    return NULL;
}

double paper_number(const PaperNumbers *paper, const char *metric, size_t after_task, size_t part) {
    const PaperCell *cell = find(paper, metric, after_task, part);
    return cell ? cell->value : NAN;
}

double paper_number_sd(const PaperNumbers *paper, const char *metric, size_t after_task,
                       size_t part) {
    const PaperCell *cell = find(paper, metric, after_task, part);
    return cell ? cell->sd : NAN;
}
