/* unused.c - the keys that a plan sets without any effect. */
#include "plan/plan.h"

#include "plan/section.h"

typedef struct Search {
    const Key *key;
    bool used;
} Search;

static tacos_status note_use(const void *user, const Experiment *config, tacos_error *err) {
    Search *search = *(Search *const *)user;
    search->used |= tacos_experiment_uses_key(config, search->key->name) != 0;
    (void)err;
    return TACOS_OK;
}

static bool is_of(const Plan *plan, const PlanSection *section, size_t line) {
    return line < plan->n_common ||
           (line >= section->first_line && line < section->first_line + section->n_lines);
}

/* Does the key of a line matter in any configuration that the line is of? */
static bool is_used(const Plan *plan, size_t line) {
    Search search = {.key = plan->lines[line].key}, *at = &search;
    for (size_t s = 0; s < plan->n_sections && !search.used; s++)
        if (is_of(plan, &plan->sections[s], line) &&
            section_check(&plan->sections[s], plan, note_use, &at, NULL) != TACOS_OK)
            return true;
    return search.used;
}

static bool is_first(const Plan *plan, size_t line) {
    for (size_t l = 0; l < line; l++)
        if (plan->lines[l].key == plan->lines[line].key)
            return false;
    return true;
}

const char *tacos_plan_unused_key(const Plan *plan, size_t i) {
    for (size_t l = 0; l < plan->n_lines; l++)
        if (is_first(plan, l) && !is_used(plan, l) && i-- == 0)
            return plan->lines[l].key->name;
    return NULL;
}
