/* plan.c - plans by name and by file. */
#include "plan/plan.h"

#include "base/nearest.h"
#include "base/output.h"
#include "lab/embedded.h"
#include "plan/plan_read.h"
#include "plan/section.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAN_MAX = 1 << 20 };

/* ---- built-in plans ---- */

static bool is_plan(const EmbeddedFile *file) {
    size_t n = strlen(file->name);
    return strncmp(file->name, "plans/", 6) == 0 && n > 11 &&
           strcmp(file->name + n - 5, ".conf") == 0;
}

int plan_builtin(size_t i, tacos_experiment_info *out) {
    for (const EmbeddedFile *f = embedded_files; f->name; f++)
        if (is_plan(f) && i-- == 0) {
            *out = (tacos_experiment_info){.text = f->text};
            (void)snprintf(out->name, sizeof out->name, "%.*s", (int)strlen(f->name) - 11,
                           f->name + 6);
            if (strncmp(f->text, "# ", 2) == 0)
                (void)snprintf(out->about, sizeof out->about, "%.*s",
                               (int)strcspn(f->text + 2, "\n"), f->text + 2);
            return 1;
        }
    return 0;
}

/* The text of a built-in plan, or NULL. */
static const char *find_builtin(const char *name) {
    tacos_experiment_info info;
    for (size_t i = 0; plan_builtin(i, &info); i++)
        if (strcmp(info.name, name) == 0)
            return info.text;
    return NULL;
}

static tacos_status fail_no_plan(const char *name, tacos_error *err) {
    enum { BUILTINS_MAX = 64 };
    char all[256] = "";
    size_t used = 0, n = 0;
    tacos_experiment_info info[BUILTINS_MAX];
    const char *names[BUILTINS_MAX + 1] = {NULL};
    for (; n < BUILTINS_MAX && used < sizeof all && plan_builtin(n, &info[n]); n++) {
        names[n] = info[n].name;
        used +=
            (size_t)snprintf(all + used, sizeof all - used, "%s%s", n ? ", " : "", info[n].name);
    }
    const char *best = nearest(name, names);
    if (best)
        return failure(err, TACOS_UNKNOWN, "no plan '%.80s'; the nearest is '%s'", name, best);
    return failure(err, TACOS_UNKNOWN, "no plan '%.80s'; it is a .conf file or one of: %.250s",
                   name, all);
}

/* ---- open ---- */

static tacos_status name_plan(Plan *plan, const char *path, tacos_error *err) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strlen(name);
    if (n > 5 && strcmp(name + n - 5, ".conf") == 0)
        n -= 5;
    if (n == 0 || n >= sizeof plan->name || name[0] == '.')
        return failure(err, TACOS_INVALID,
                       "'%.100s' is no name for a plan: it needs 1 to %zu bytes and must not begin "
                       "with a point",
                       name, sizeof plan->name - 1);
    memcpy(plan->name, name, n);
    plan->name[n] = '\0';
    return TACOS_OK;
}

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
    const char *builtin = plan_is_path(name_or_path) ? NULL : find_builtin(name_or_path);
    char *text = NULL;
    Plan *plan = NULL;
    if (!builtin && !plan_is_path(name_or_path))
        return fail_no_plan(name_or_path, err);
    if (!builtin)
        TRY(input_read_text(name_or_path, PLAN_MAX, &text, err));
    tacos_status status = new_plan(&plan, name_or_path, err);
    if (status == TACOS_OK)
        status = name_plan(plan, name_or_path, err);
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

tacos_status plan_set_seeds(Plan *plan, uint32_t n, tacos_error *err) {
    uint32_t *seeds = calloc((size_t)n + 1, sizeof *seeds);
    if (n == 0 || !seeds) {
        free(seeds);
        return n == 0 ? failure(err, TACOS_INVALID, "no seed to run")
                      : failure(err, TACOS_MEMORY, "no memory for %u seeds", n);
    }
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
    if (strcmp(experiment_dataset(experiment), "omniglot") == 0)
        return; /* has no more than 75 a task */
    size_t full = own->samples_per_task ? own->samples_per_task : FULL_SAMPLES;
    if (full > QUICK_SAMPLES) {
        double faster = (double)full / QUICK_SAMPLES;
        own->samples_per_task = QUICK_SAMPLES;
        learner->delta_m_hidden *= faster;
        learner->delta_m_output *= faster;
        learner->tau_cons_ms /= faster;
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
