/* plan.c - plans by name and by file. */
#include "plan/plan.h"

#include "base/output.h"
#include "plan/plan_read.h"
#include "plan/section.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAN_MAX = 1 << 20 };

static const Builtins builtins = {"plans/", "plan"};

int plan_builtin(size_t i, tacos_experiment_info *out) {
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

tacos_status plan_open(Plan **out, const char *name_or_path, tacos_error *err) {
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
        plan_free(plan);
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
        plan_free(plan);
    return status;
}

void plan_free(Plan *plan) {
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

tacos_status plan_set_seeds(Plan *plan, uint32_t n, tacos_error *err) {
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

/* As many samples fewer, as much faster metaplasticity and consolidation. */
static void quicken(Experiment *experiment) {
    enum { QUICK_SAMPLES = 600, QUICK_TEST_SAMPLES = 200, FULL_SAMPLES = 12000 };
    ExperimentParams *own = &experiment->own;
    Params *learner = &experiment->learner;
    size_t full = own->samples_per_task ? own->samples_per_task : FULL_SAMPLES;
    if (full > QUICK_SAMPLES) {
        double faster = (double)full / QUICK_SAMPLES;
        own->samples_per_task = QUICK_SAMPLES;
        learner->delta_m_hidden *= faster;
        learner->delta_m_output *= faster;
        learner->tau_cons_ms /= faster;
        if (experiment->rival.iterations > 0) /* 0 would mean epochs */
            experiment->rival.iterations =
                1 + (size_t)((double)(experiment->rival.iterations - 1) / faster);
    }
    if (own->test_samples_per_task == 0 || own->test_samples_per_task > QUICK_TEST_SAMPLES)
        own->test_samples_per_task = QUICK_TEST_SAMPLES;
}

tacos_status plan_config(const Plan *plan, size_t i, Experiment *out, tacos_error *err) {
    const PlanSection *section = plan->sections;
    assert(i < plan->n_configs);
    for (; i >= section->n_configs; section++)
        i -= section->n_configs;
    TRY(section_config(section, plan, i, out, err));
    if (plan->quick)
        quicken(out);
    return TACOS_OK;
}
