/* test_plan_change.c - a plan after it was read: keys set on top, sections left out. */
#include "plan/plan.h"
#include "paper/paper.h"
#include "store/store.h"

#include "folder.h"

static const char SECTIONS[] = "experiment = demo\nseeds = 2\nm_max = 10\n"
                               "[own]\nm_max = 50\n[common]\n[two layers]\nhidden = 16,8\n";

static tacos_status open_text(const Folder *folder, const char *text, Plan **out,
                              tacos_error *err) {
    write_bytes(folder->file, text, strlen(text));
    return tacos_plan_open(out, folder->file, err);
}

static Plan *opened(const Folder *folder, const char *text) {
    Plan *plan = NULL;
    tacos_error err;
    assert_succeeds(open_text(folder, text, &plan, &err));
    return plan;
}

static void assert_value(const Plan *plan, size_t i, const char *key, const char *wanted) {
    char value[KEY_VALUE_SIZE];
    Experiment config;
    tacos_error err;
    assert_succeeds(plan_config(plan, i, &config, &err));
    assert_succeeds(tacos_experiment_get(&config, key, value, sizeof value, &err));
    if (strcmp(value, wanted) != 0)
        fail_msg("configuration %zu has %s = %s, not %s", i, key, value, wanted);
}

static void what_a_section_sets_itself_stays(void **state) {
    tacos_error err;
    Plan *plan = opened(*state, SECTIONS);
    assert_succeeds(tacos_plan_set(plan, "m_max", "5", &err));
    assert_value(plan, 0, "m_max", "50");
    assert_value(plan, 1, "m_max", "5"); /* a common line gives way */
    assert_value(plan, 2, "m_max", "5");
    assert_succeeds(tacos_plan_set(plan, "hidden", "24", &err));
    assert_value(plan, 0, "hidden", "24");
    assert_value(plan, 1, "hidden", "24");
    assert_value(plan, 2, "hidden", "16,8");
    assert_succeeds(tacos_plan_set(plan, "validation", "0.1", &err));
    assert_succeeds(tacos_plan_set(plan, "validation", "0.2", &err)); /* the last one counts */
    for (size_t i = 0; i < 3; i++)
        assert_value(plan, i, "validation", "0.2");
    tacos_plan_free(plan);
}

static void what_cannot_be_set_changes_nothing(void **state) {
    tacos_error err;
    Plan *plan = opened(*state, SECTIONS);
    assert_fails(tacos_plan_set(plan, "m_maxx", "5", &err), TACOS_UNKNOWN);
    assert_fails(tacos_plan_set(plan, "m_max", "many", &err), TACOS_INVALID);
    assert_fails(tacos_plan_set(plan, "inputs", "5", &err),
                 TACOS_INVALID); /* follows from the data */
    assert_value(plan, 1, "m_max", "10");
    tacos_plan_free(plan);
}

/* What a plan varies is what it is for; what it halves by was checked when it was read. */
static void a_sweep_keeps_its_ranges(void **state) {
    tacos_error err;
    Plan *plan = opened(
        *state,
        "experiment = demo\nm_max = linear(5, 10, 2)\n[own]\nm_max = linear(1, 2, 2)\n[b]\n");
    assert_fails(tacos_plan_set(plan, "m_max", "3", &err), TACOS_INVALID);
    assert_non_null(strstr(err.text, "varies it"));
    assert_succeeds(tacos_plan_set(plan, "hidden", "24", &err));
    assert_int_equal(plan->n_configs, 4);
    assert_value(plan, 1, "m_max", "2");
    assert_value(plan, 3, "hidden", "24");
    tacos_plan_free(plan);
    plan = opened(*state,
                  "experiment = demo\nm_max = linear(5, 10, 2)\nvalidation = 0.1\nhalving = 2\n");
    assert_fails(tacos_plan_set(plan, "validation", "0", &err), TACOS_INVALID);
    assert_fails(tacos_plan_set(plan, "tasks", "0-1", &err), TACOS_INVALID);
    assert_succeeds(tacos_plan_set(plan, "hidden", "24", &err));
    tacos_plan_free(plan);
}

static void sections_may_be_left_out(void **state) {
    static const char *const kept[] = {"two layers", "own"}, *const wrong[] = {"own", "owm"};
    tacos_error err;
    Plan *plan = opened(*state, SECTIONS);
    assert_fails(tacos_plan_keep(plan, wrong, 2, &err), TACOS_UNKNOWN);
    assert_non_null(strstr(err.text, "'owm'"));
    assert_fails(tacos_plan_keep(plan, kept, 0, &err), TACOS_INVALID);
    assert_int_equal(plan->n_configs, 3);
    assert_false(plan->partial);
    assert_succeeds(tacos_plan_keep(plan, kept, 2, &err));
    assert_int_equal(plan->n_configs, 2);
    assert_value(plan, 0, "m_max", "50"); /* in the plan's order */
    assert_value(plan, 1, "hidden", "16,8");
    assert_succeeds(tacos_plan_set(plan, "m_max", "7", &err)); /* still knows what is its own */
    assert_value(plan, 0, "m_max", "50");
    assert_value(plan, 1, "m_max", "7");
    tacos_plan_free(plan);
}

static void a_reproduction_has_the_sections_that_are_left(void **state) {
    static const char *const kept[] = {"snn", "tacos m=10"};
    const Folder *folder = *state;
    Plan *plan;
    tacos_reproduction *reproduction;
    Store *store;
    const tacos_cell *cell;
    size_t n = 0;
    tacos_error err;
    assert_succeeds(store_open(&store, folder->file, &err));
    store_close(store);
    assert_succeeds(tacos_plan_open(&plan, "transfer", &err));
    assert_succeeds(tacos_plan_keep(plan, kept, 2, &err));
    assert_succeeds(tacos_reproduction_open(&reproduction, "transfer", plan, folder->file, &err));
    for (; (cell = tacos_reproduction_cell(reproduction, n)); n++)
        assert_true(strcmp(cell->section, "snn") == 0 || strcmp(cell->section, "tacos m=10") == 0);
    assert_int_equal(n, 2 * 20);
    tacos_reproduction_free(reproduction);
    tacos_plan_free(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_a_section_sets_itself_stays),
        IN_FOLDER(what_cannot_be_set_changes_nothing),
        IN_FOLDER(a_sweep_keeps_its_ranges),
        IN_FOLDER(sections_may_be_left_out),
        IN_FOLDER(a_reproduction_has_the_sections_that_are_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
