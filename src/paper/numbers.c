/* numbers.c - every number that the paper prints for a configuration, from the tables whose plans
 * contain it. */
#include "paper/paper.h"

#include "lab/experiment.h"
#include "plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Keys that say what is watched, or that follow from others. */
static bool changes_nothing(const char *key) {
    return strcmp(key, "measure") == 0 || strcmp(key, "curve_points") == 0 ||
           experiment_derives(key);
}

bool paper_same_config(const Experiment *a, const Experiment *b) {
    return experiment_same(a, b, changes_nothing);
}

/* The paper has about thirty for one configuration at most. */
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

/* Take the numbers of the first identical configuration in the part's plan, if any. */
static tacos_status look_into(const PaperPart *part, const Experiment *experiment, Numbers *numbers,
                              tacos_error *err) {
    Experiment config;
    Plan *plan;
    bool found = false;
    TRY(tacos_plan_open(&plan, part->plan, err));
    tacos_status status = TACOS_OK;
    for (size_t i = 0; i < plan->n_configs && status == TACOS_OK && !found; i++) {
        status = plan_config(plan, i, &config, err);
        found = status == TACOS_OK && paper_same_config(experiment, &config);
    }
    if (found)
        add_section(numbers, part, config.name);
    tacos_plan_free(plan);
    return status;
}

tacos_status tacos_experiment_paper_numbers(const Experiment *experiment, tacos_paper_number *out,
                                            size_t max, size_t *n, tacos_error *err) {
    PaperPart part;
    Numbers numbers = {0};
    *n = 0;
    for (size_t i = 0; paper_part(i, &part); i++)
        if (strcmp(part.name, "rivals") != 0) /* those are other papers' numbers */
            TRY(look_into(&part, experiment, &numbers, err));
    *n = numbers.n;
    for (size_t i = 0; i < numbers.n && i < max; i++)
        out[i] = numbers.number[i];
    return TACOS_OK;
}

/* ---- table 1 ---- */

/* Memory does not depend on the data, so it is that of the model's MNIST row. */
static double memory_overhead(const Experiment *experiment) {
    char section[64];
    const char *layers = experiment->learner.hidden.n == 2 ? "-2layer" : "";
    PaperPart part;
    PaperCell cell;
    (void)snprintf(section, sizeof section, "%.40s%s mnist", model_name(experiment->model), layers);
    if (!paper_part_find("headline", &part))
        return -1;
    for (const char *line = part.lines; paper_next(&line, &cell);)
        if (strcmp(cell.section, section) == 0 && strcmp(cell.metric, "MO") == 0)
            return cell.value;
    return -1;
}

tacos_paper_row tacos_experiment_paper(const Experiment *experiment) {
    tacos_paper_row row = {-1, -1, memory_overhead(experiment)};
    tacos_paper_number numbers[NUMBERS_MAX];
    size_t n = 0, last = 0;
    if (tacos_experiment_paper_numbers(experiment, numbers, NUMBERS_MAX, &n, NULL) != TACOS_OK)
        return row;
    for (size_t i = 0; i < n; i++)
        if (strcmp(numbers[i].metric, "MA") == 0 && numbers[i].after_task > last) {
            last = numbers[i].after_task;
            row.ma = numbers[i].value;
            row.ma_sd = isnan(numbers[i].sd) ? -1 : numbers[i].sd;
        }
    return row;
}
