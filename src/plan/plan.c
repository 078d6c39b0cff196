/* plan.c - opens plans by name or file, and changes them. */
#include "plan/plan.h"

#include "base/files.h"
#include "plan/section.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAN_MAX = 1 << 20 };

static const Builtins builtins = {"plans/", "plan"};

int tacos_plan_builtin(size_t i, tacos_experiment_info *out) {
    return builtin_get(&builtins, i, out);
}

/* ---- open ---- */

static tacos_status new_plan(Plan **out, const char *source, tacos_error *err) {
    Plan *plan = calloc(1, sizeof *plan);
    if (plan)
        plan->source = strdup(source);
    if (!plan || !plan->source) {
        free(plan);
        return failure(err, TACOS_MEMORY, "no memory for a plan");
    }
    *out = plan;
    return TACOS_OK;
}

tacos_status tacos_plan_open(Plan **out, const char *name_or_path, tacos_error *err) {
    *out = NULL;
    const char *builtin = builtin_find(&builtins, name_or_path);
    char *text = NULL;
    Plan *plan = NULL;
    if (!builtin && !builtin_is_path(name_or_path))
        return builtin_fail(&builtins, name_or_path, err);
    if (!builtin)
        TRY(input_read_text(name_or_path, PLAN_MAX, &text, err));
    tacos_status status = new_plan(&plan, name_or_path, err);
    if (status == TACOS_OK)
        status = builtin_name(&builtins, name_or_path, plan->name, err);
    if (status == TACOS_OK)
        status = plan_read(plan, builtin ? builtin : text, err);
    free(text);
    if (status == TACOS_OK)
        *out = plan;
    else
        tacos_plan_free(plan);
    return status;
}

static tacos_status fill_plan(Plan *plan, const Experiment *experiment, const uint32_t *seeds,
                              size_t n_seeds, tacos_error *err) {
    keys_defaults(plan_table, &plan->params);
    strcpy(plan->name, experiment->name);
    plan->seeds = calloc(n_seeds, sizeof *plan->seeds);
    plan->sections = calloc(1, sizeof *plan->sections);
    if (!plan->seeds || !plan->sections)
        return failure(err, TACOS_MEMORY, "no memory for %zu runs", n_seeds);
    memcpy(plan->seeds, seeds, n_seeds * sizeof *seeds);
    plan->n_seeds = n_seeds;
    plan->n_sections = plan->n_configs = plan->sections->n_configs = 1;
    plan->sections->start = *experiment;
    return plan_sort_seeds(plan, err);
}

tacos_status plan_of(Plan **out, const Experiment *experiment, const uint32_t *seeds,
                     size_t n_seeds, tacos_error *err) {
    Plan *plan = NULL;
    if (n_seeds == 0)
        return failure(err, TACOS_INVALID, "no seed to run");
    TRY(plan_check_runs(&(Plan){.n_configs = 1}, n_seeds, err));
    TRY(new_plan(&plan, experiment->name, err));
    tacos_status status = fill_plan(plan, experiment, seeds, n_seeds, err);
    if (status == TACOS_OK)
        *out = plan;
    else
        tacos_plan_free(plan);
    return status;
}

void tacos_plan_free(Plan *plan) {
    if (!plan)
        return;
    for (size_t i = 0; i < plan->n_lines; i++)
        pattern_free(&plan->lines[i].pattern);
    for (size_t s = 0; s < plan->n_sections; s++)
        section_free(&plan->sections[s]);
    free(plan->lines);
    free(plan->sections);
    free(plan->seeds);
    free(plan->source);
    free(plan);
}

tacos_status plan_check_runs(const Plan *plan, size_t n_seeds, tacos_error *err) {
    if (n_seeds > TACOS_SEEDS_MAX)
        return failure(err, TACOS_RANGE, "%zu seeds are out of range: at most %d", n_seeds,
                       TACOS_SEEDS_MAX);
    if (plan->n_configs > PLAN_RUNS_MAX / n_seeds)
        return failure(err, TACOS_RANGE, "%.200s: there are more than %d runs",
                       plan->source ? plan->source : plan->name, PLAN_RUNS_MAX);
    return TACOS_OK;
}

tacos_status tacos_plan_set_seeds(Plan *plan, uint32_t n, tacos_error *err) {
    if (n == 0)
        return failure(err, TACOS_INVALID, "no seed to run");
    TRY(plan_check_runs(plan, n, err));
    uint32_t *seeds = calloc(n, sizeof *seeds);
    if (!seeds)
        return failure(err, TACOS_MEMORY, "no memory for %u seeds", n);
    for (uint32_t i = 0; i < n; i++)
        seeds[i] = i + 1;
    free(plan->seeds);
    plan->seeds = seeds;
    plan->n_seeds = n;
    return TACOS_OK;
}

/* ---- change ---- */

static bool has_line(const Plan *plan, size_t from, size_t n, const Key *key) {
    return n > 0 && line_find(&plan->lines[from], n, key) != NULL;
}

static bool varies(const PlanSection *section, const Key *key) {
    for (size_t i = 0; i < section->n_varied; i++)
        if (section->varied[i].line->key == key)
            return true;
    return false;
}

/* The conditions of halving were checked against the values in the file. */
static tacos_status check_settable(const Plan *plan, const Key *key, tacos_error *err) {
    bool halved = strcmp(key->name, "validation") == 0 || strcmp(key->name, "tasks") == 0;
    if (plan->params.halving > 0 && halved)
        return failure(err, TACOS_INVALID, "%s cannot be set: the plan %.100s halves by it",
                       key->name, plan->name);
    for (size_t s = 0; s < plan->n_sections; s++) {
        const PlanSection *section = &plan->sections[s];
        if (varies(section, key) && !has_line(plan, section->first_line, section->n_lines, key))
            return failure(err, TACOS_INVALID, "%s cannot be set: the plan %.100s varies it",
                           key->name, plan->name);
    }
    return TACOS_OK;
}

tacos_status tacos_plan_set(Plan *plan, const char *name, const char *value, tacos_error *err) {
    Experiment scratch = plan->sections[0].start;
    ExperimentKey found = {0};
    TRY(tacos_experiment_set(&scratch, name, value, err));
    (void)experiment_key(name, &found); /* known, since setting it succeeded */
    TRY(check_settable(plan, found.key, err));
    for (size_t s = 0; s < plan->n_sections; s++) {
        PlanSection *section = &plan->sections[s];
        if (!has_line(plan, section->first_line, section->n_lines, found.key))
            TRY(tacos_experiment_set(&section->start, name, value, err));
    }
    return TACOS_OK;
}

static bool is_among(const char *name, const char *const *names, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool has_section(const Plan *plan, const char *name) {
    for (size_t s = 0; s < plan->n_sections; s++)
        if (strcmp(plan->sections[s].start.name, name) == 0)
            return true;
    return false;
}

tacos_status tacos_plan_keep(Plan *plan, const char *const *sections, size_t n, tacos_error *err) {
    size_t n_kept = 0;
    if (n == 0)
        return failure(err, TACOS_INVALID, "no section of the plan %.100s to keep", plan->name);
    for (size_t i = 0; i < n; i++)
        if (!has_section(plan, sections[i]))
            return failure(err, TACOS_UNKNOWN, "the plan %.100s has no section '%.60s'", plan->name,
                           sections[i]);
    plan->n_configs = 0;
    for (size_t s = 0; s < plan->n_sections; s++) {
        PlanSection *section = &plan->sections[s];
        if (!is_among(section->start.name, sections, n)) {
            section_free(section);
            plan->partial = true;
            continue;
        }
        plan->n_configs += section->n_configs;
        plan->sections[n_kept++] = *section;
    }
    plan->n_sections = n_kept;
    return TACOS_OK;
}

/* Fisher information is the mean square of gradients, which are larger after fewer samples: with
 * the strength of a whole run the penalty would overshoot, and diverge. */
static bool is_of_fisher(const Experiment *experiment) {
    const char *model = model_name(experiment->model);
    return strcmp(model, "ewc") == 0 || strcmp(model, "online-ewc") == 0;
}

/* With fewer samples, metaplasticity and consolidation become faster in proportion. */
static void quicken(Experiment *experiment) {
    enum { QUICK_SAMPLES = 600, QUICK_TEST_SAMPLES = 200, FULL_SAMPLES = 12000 };
    ExperimentParams *params = &experiment->params;
    Params *learner = &experiment->learner;
    size_t full = params->samples_per_task ? params->samples_per_task : FULL_SAMPLES;
    if (full > QUICK_SAMPLES) {
        double faster = (double)full / QUICK_SAMPLES;
        params->samples_per_task = QUICK_SAMPLES;
        learner->delta_m_hidden *= sqrt(faster); /* any faster, and the last task is lost */
        learner->delta_m_output *= faster;
        learner->w_ref_rate = fmin(learner->w_ref_rate * faster, 1);
        if (is_of_fisher(experiment))
            experiment->rival.strength /= faster;
        if (experiment->rival.iterations > 0) /* 0 would mean epochs */
            experiment->rival.iterations =
                1 + (size_t)((double)(experiment->rival.iterations - 1) / faster);
    }
    if (params->test_samples_per_task == 0 || params->test_samples_per_task > QUICK_TEST_SAMPLES)
        params->test_samples_per_task = QUICK_TEST_SAMPLES;
}

tacos_status plan_config(const Plan *plan, size_t i, Experiment *out, tacos_error *err) {
    const PlanSection *section = plan->sections;
    assert(i < plan->n_configs);
    for (; i >= section->n_configs; section++)
        i -= section->n_configs;
    TRY(section_config(section, plan, i, out, err));
    if (plan->quick)
        quicken(out);
    return plan->is_run ? experiment_number_tasks(out, plan->data_dir, err) : TACOS_OK;
}

tacos_status tacos_plan_set_part(tacos_plan *plan, uint32_t part, uint32_t n_parts,
                                 tacos_error *err) {
    if (part == 0 || part > n_parts)
        return failure(err, TACOS_RANGE, "there is no part %u of %u", part, n_parts);
    if (plan->params.halving > 1)
        return failure(err, TACOS_INVALID,
                       "the plan %.100s halves, which compares the results of all runs: it has no "
                       "parts",
                       plan->name);
    plan->part = part - 1;
    plan->n_parts = n_parts;
    return TACOS_OK;
}

void tacos_plan_set_quick(tacos_plan *plan) {
    plan->quick = true;
}
