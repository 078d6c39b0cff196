/* paper_numbers.c - go through the plans of the paper's tables. */
#include "plan/paper_numbers.h"

#include "lab/paper.h"
#include "plan/plan.h"

#include <math.h>
#include <string.h>

/* ---- the same configuration ---- */

typedef struct Comparison {
    const Experiment *other;
    bool but_ranges; /* the first weights and feedback do not count */
    bool same;
} Comparison;

static void compare_key(void *user, const ExperimentKey *found, const char *value) {
    Comparison *comparison = user;
    const char *key = found->key->name;
    char theirs[KEY_VALUE_SIZE];
    if (!comparison->same || strcmp(key, "measure") == 0 || experiment_derives(key) ||
        (comparison->but_ranges && paper_leaves_open(key)))
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

/* ---- its numbers ---- */

/* The paper has some thirty for one configuration at most. */
enum { NUMBERS_MAX = 128 };

typedef struct Numbers {
    size_t n;
    tacos_paper_number number[NUMBERS_MAX];
} Numbers;

/* Several parts may print the same number. */
static bool has(const Numbers *numbers, const PaperCell *cell) {
    for (size_t i = 0; i < numbers->n; i++) {
        const tacos_paper_number *number = &numbers->number[i];
        if (strcmp(number->metric, cell->metric) == 0 && number->after_task == cell->after_task &&
            number->part == cell->part)
            return true;
    }
    return false;
}

static void add_section(Numbers *numbers, const PaperPart *part, const char *section) {
    PaperCell cell;
    for (const char *line = part->lines; paper_next(&line, &cell);) {
        if (strcmp(cell.section, section) != 0 || isnan(cell.value) || has(numbers, &cell) ||
            numbers->n == NUMBERS_MAX)
            continue;
        tacos_paper_number *number = &numbers->number[numbers->n++];
        *number = (tacos_paper_number){
            .after_task = cell.after_task, .part = cell.part, .value = cell.value, .sd = cell.sd};
        strcpy(number->metric, cell.metric);
    }
}

/* The first configuration of the part's plan that is the same, if any. */
static tacos_status look_into(const PaperPart *part, const Experiment *experiment, bool but_ranges,
                              Numbers *numbers, tacos_error *err) {
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
        add_section(numbers, part, config.name);
    plan_free(plan);
    return status;
}

tacos_status paper_numbers(const Experiment *experiment, tacos_paper_number *out, size_t max,
                           size_t *n, tacos_error *err) {
    PaperPart part;
    Numbers numbers = {0};
    *n = 0;
    for (int but_ranges = 0; but_ranges < 2 && numbers.n == 0; but_ranges++)
        for (size_t i = 0; paper_part(i, &part); i++)
            if (strcmp(part.name, "rivals") != 0) /* other papers' numbers */
                TRY(look_into(&part, experiment, but_ranges, &numbers, err));
    *n = numbers.n;
    for (size_t i = 0; i < numbers.n && i < max; i++)
        out[i] = numbers.number[i];
    return TACOS_OK;
}
