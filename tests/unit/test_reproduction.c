/* test_reproduction.c - the paper's tables as data, their numbers beside ours, and measures. */
#include "lab/measures.h"
#include "paper/paper.h"
#include "plan/plan.h"
#include "lab/protocol.h"
#include "store/store.h"

#include "folder.h"

#include <math.h>

/* ---- the tables ---- */

static bool plan_has(const Plan *plan, const char *section) {
    Experiment experiment;
    for (size_t i = 0; i < plan->n_configs; i++)
        if (plan_config(plan, i, &experiment, NULL) == TACOS_OK &&
            strcmp(experiment.name, section) == 0)
            return true;
    return false;
}

static void every_part_has_a_plan_with_its_sections(void **state) {
    static const char *const names[] = {"columns",    "headline",   "methods", "omniglot",
                                        "orders",     "plasticity", "reduced", "rivals",
                                        "similarity", "transfer"};
    PaperPart part;
    PaperCell cell;
    size_t n = 0;
    (void)state;
    for (; paper_part(n, &part); n++) {
        Plan *plan;
        tacos_error err;
        size_t n_cells = 0;
        assert_true(n < sizeof names / sizeof *names);
        assert_string_equal(part.name, names[n]);
        assert_true(strlen(part.about) > 20);
        assert_succeeds(tacos_plan_open(&plan, part.plan, &err));
        assert_int_equal(plan->n_seeds, 5);
        for (const char *line = part.lines; paper_next(&line, &cell); n_cells++)
            if (!plan_has(plan, cell.section))
                fail_msg("%s: the plan %s has no section '%s'", part.name, part.plan, cell.section);
        assert_true(n_cells > 10);
        tacos_plan_free(plan);
    }
    assert_int_equal(n, 10);
}

/* The spiking rows of `methods` are those of `headline`: a range that is changed in one place only
 * would set rivals beside another TACOS. */
static void methods_have_the_headlines_own_rows(void **state) {
    Plan *headline, *methods;
    Experiment a, b;
    tacos_error err;
    size_t n_same = 0;
    (void)state;
    assert_succeeds(tacos_plan_open(&headline, "headline", &err));
    assert_succeeds(tacos_plan_open(&methods, "methods", &err));
    for (size_t i = 0; i < headline->n_configs; i++)
        for (size_t k = 0; k < methods->n_configs; k++) {
            char x[SHA256_HEX_SIZE], y[SHA256_HEX_SIZE];
            assert_succeeds(plan_config(headline, i, &a, &err));
            assert_succeeds(plan_config(methods, k, &b, &err));
            if (strcmp(a.name, b.name) != 0)
                continue;
            experiment_digest(&a, x);
            experiment_digest(&b, y);
            assert_string_equal(x, y);
            n_same++;
        }
    assert_int_equal(n_same, headline->n_configs);
    tacos_plan_free(headline);
    tacos_plan_free(methods);
}

static void the_papers_numbers_are_as_it_prints_them(void **state) {
    static const struct {
        const char *part, *section, *metric;
        size_t after_task, part_index;
        double value, sd;
    } some[] = {
        {"headline", "tacos mnist", "MA", 5, 0, 82.56, 1.12},
        {"headline", "snn fashion", "MA", 5, 0, 75.52, 1.31},
        {"headline", "tacos-2layer fashion", "MA", 5, 0, 92.94, 0.01},
        {"headline", "snn+consolidation mnist", "MO", 0, 0, 2, NAN},
        {"transfer", "tacos m=25", "BWT", 5, 0, -8.98, NAN},
        {"transfer", "fixed m=10", "A", 2, 0, 93.23, NAN},
        {"transfer", "snn", "FWT", 3, 0, -24.46, NAN},
        {"orders", "order 4", "MA", 5, 0, 70.48, NAN},
        {"similarity", "snn", "similarity", 5, 1, 0.8632, NAN},
        {"plasticity", "snn", "change_in_task", 1, 1, NAN, NAN},
    };
    (void)state;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        PaperPart part;
        PaperCell cell;
        bool found = false;
        for (size_t p = 0; paper_part(p, &part); p++)
            for (const char *line = part.lines;
                 strcmp(part.name, some[i].part) == 0 && paper_next(&line, &cell);) {
                if (strcmp(cell.section, some[i].section) != 0 ||
                    strcmp(cell.metric, some[i].metric) != 0 ||
                    cell.after_task != some[i].after_task || cell.part != some[i].part_index)
                    continue;
                found = true;
                assert_true(isnan(some[i].value) ? isnan(cell.value) : cell.value == some[i].value);
                assert_true(isnan(some[i].sd) ? isnan(cell.sd) : cell.sd == some[i].sd);
            }
        assert_true(found);
    }
}

/* ---- cells ---- */

static const char SECTIONS[] = "experiment = demo\nhidden = 16\nsteps = 80\nsamples_per_task = 60\n"
                               "test_samples_per_task = 20\nseeds = 3\nmeasure = all\n"
                               "[tacos m=50]\nm_max = 50\n[tacos m=25]\n[tacos m=10]\nm_max = 10\n"
                               "[tacos m=5]\nm_max = 5\n[fixed m=50]\nmodel = fixed\nm_max = 50\n"
                               "[fixed m=25]\nmodel = fixed\n[fixed m=10]\nmodel = fixed\n"
                               "m_max = 10\n[fixed m=5]\nmodel = fixed\nm_max = 5\n"
                               "[snn]\nmodel = snn\n";

static Plan *open_sections(const Folder *folder) {
    char path[128];
    Plan *plan;
    tacos_error err;
    (void)snprintf(path, sizeof path, "%s/p.conf", folder->path);
    write_bytes(path, SECTIONS, strlen(SECTIONS));
    assert_succeeds(tacos_plan_open(&plan, path, &err));
    (void)remove(path);
    return plan;
}

static const tacos_cell *find(const tacos_reproduction *reproduction, const char *section,
                              const char *metric, size_t after_task, size_t part) {
    const tacos_cell *cell;
    for (size_t i = 0; (cell = tacos_reproduction_cell(reproduction, i)); i++)
        if (strcmp(cell->section, section) == 0 && strcmp(cell->metric, metric) == 0 &&
            cell->after_task == after_task && cell->part == part)
            return cell;
    fail_msg("no cell %s %s %zu %zu", section, metric, after_task, part);
    return NULL;
}

/* The mean over the runs of a section of what `get` says. */
static double mean_over(const tacos_reproduction *reproduction, const char *section,
                        double (*get)(const tacos_run *run)) {
    const tacos_run *run;
    const char *of;
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; (run = tacos_reproduction_run(reproduction, i, &of)); i++)
        if (strcmp(of, section) == 0) {
            sum += get(run);
            n++;
        }
    assert_int_equal(n, 3);
    return sum / 3;
}

static double get_ma3(const tacos_run *run) {
    return (run->R[10] + run->R[11] + run->R[12]) / 3;
}

static double get_fwt4(const tacos_run *run) {
    return run->R[19] - run->b[4];
}

static double get_similarity(const tacos_run *run) {
    for (size_t i = 0; i < run->n_measures; i++)
        if (run->measures[i].kind == TACOS_MEASURE_similarity && run->measures[i].after_task == 5 &&
            run->measures[i].part == 1)
            return run->measures[i].value;
    return NAN;
}

static void assert_close(double a, double b) {
    if (!(fabs(a - b) < 1e-9))
        fail_msg("%.12g is not %.12g", a, b);
}

static void cells_sum_up_their_runs(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_sections(folder);
    tacos_plan_options options = {.store = folder->file, .n_jobs = 2};
    tacos_plan_outcome outcome;
    tacos_reproduction *transfer, *similarity, *plasticity;
    tacos_error err;
    assert_succeeds(tacos_plan_run(plan, &options, &outcome, &err));
    assert_int_equal(outcome.n_complete, 27);
    assert_succeeds(tacos_reproduction_open(&transfer, "transfer", plan, folder->file, &err));
    assert_succeeds(tacos_reproduction_open(&similarity, "similarity", plan, folder->file, &err));
    assert_succeeds(tacos_reproduction_open(&plasticity, "plasticity", plan, folder->file, &err));

    assert_close(find(transfer, "snn", "MA", 3, 0)->here.mean, mean_over(transfer, "snn", get_ma3));
    assert_close(find(transfer, "tacos m=10", "FWT", 4, 0)->here.mean,
                 mean_over(transfer, "tacos m=10", get_fwt4));
    assert_close(find(similarity, "fixed m=5", "similarity", 5, 1)->here.mean,
                 mean_over(similarity, "fixed m=5", get_similarity));
    assert_int_equal(find(plasticity, "snn", "change_in_task", 1, 1)->here.n, 3);

    size_t n_of[3] = {0};
    const tacos_cell *cell;
    for (size_t i = 0; (cell = tacos_reproduction_cell(transfer, i)); i++) {
        if (cell->here.n == 0) { /* the paper has 0 where nothing is defined */
            assert_true(strcmp(cell->metric, "BWT") == 0 ? cell->after_task == 1
                                                         : cell->after_task == 5);
            assert_true(cell->paper == 0);
            assert_string_equal(cell->verdict, "");
            continue;
        }
        double allowed = fmax(2, 2 * cell->here.sd), off = cell->here.mean - cell->paper;
        const char *verdict = fabs(off) <= allowed ? "match" : off > 0 ? "above" : "below";
        assert_string_equal(cell->verdict, verdict);
        n_of[verdict[0] == 'm' ? 0 : verdict[0] == 'a' ? 1 : 2]++;
    }
    assert_true(n_of[0] > 0 && n_of[1] > 0 && n_of[2] > 0); /* all three occur */
    assert_string_equal(find(plasticity, "snn", "change_in_task", 1, 1)->verdict, "");
    tacos_reproduction_free(transfer);
    tacos_reproduction_free(similarity);
    tacos_reproduction_free(plasticity);
    tacos_plan_free(plan);
}

static void what_is_not_there_is_left_out(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_sections(folder);
    tacos_reproduction *reproduction;
    Store *store;
    tacos_error err;
    assert_fails(tacos_reproduction_open(&reproduction, "transfer", plan, folder->file, &err),
                 TACOS_MISSING);
    assert_succeeds(store_open(&store, folder->file, &err));
    store_close(store);
    assert_fails(tacos_reproduction_open(&reproduction, "transfr", plan, folder->file, &err),
                 TACOS_UNKNOWN);
    assert_fails(tacos_reproduction_open(&reproduction, "headline", plan, folder->file, &err),
                 TACOS_INVALID); /* other sections */
    assert_succeeds(tacos_reproduction_open(&reproduction, "transfer", plan, folder->file, &err));
    assert_int_equal(find(reproduction, "snn", "MA", 5, 0)->here.n, 0);
    assert_string_equal(find(reproduction, "snn", "MA", 5, 0)->verdict, "");
    tacos_reproduction_free(reproduction);
    tacos_plan_free(plan);
}

static void quick_runs_are_scaled(void **state) {
    Plan *plan;
    Experiment full, quick;
    tacos_error err;
    (void)state;
    assert_succeeds(tacos_plan_open(&plan, "transfer", &err));
    assert_succeeds(plan_config(plan, 1, &full, &err));
    plan->quick = true;
    assert_succeeds(plan_config(plan, 1, &quick, &err));
    assert_int_equal(full.params.samples_per_task, 0);
    assert_int_equal(quick.params.samples_per_task, 600);
    assert_int_equal(quick.params.test_samples_per_task, 200);
    assert_close(quick.learner.delta_m_hidden, sqrt(20) * full.learner.delta_m_hidden);
    assert_close(quick.learner.delta_m_output, 20 * full.learner.delta_m_output);
    assert_close(quick.learner.w_ref_rate, full.learner.w_ref_rate * 20);
    assert_succeeds(tacos_plan_set_seeds(plan, 2, &err));
    assert_int_equal(plan->n_seeds, 2);
    assert_int_equal(plan->seeds[1], 2);
    assert_fails(tacos_plan_set_seeds(plan, 0, &err), TACOS_INVALID);
    tacos_plan_free(plan);
    assert_succeeds(tacos_plan_open(&plan, "rivals", &err));
    plan->quick = true;
    for (size_t i = 0; i < plan->n_configs; i++) {
        assert_succeeds(plan_config(plan, i, &quick, &err));
        if (strcmp(quick.name, "lwf (drawn tasks)") == 0)
            assert_int_equal(quick.rival.iterations, 100);
        if (strcmp(quick.name, "mas") == 0)
            assert_int_equal(quick.rival.iterations, 0);
    }
    tacos_plan_free(plan);
}

/* ---- measures ---- */

static void measures_change_no_result(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_sections(folder);
    TaskSplits *splits;
    const TaskSplit *with, *without;
    Experiment experiment;
    Experiment settled;
    tacos_run a, b;
    tacos_error err;
    assert_succeeds(plan_config(plan, 1, &experiment, &err));
    assert_succeeds(task_splits_new(&splits, NULL, &err));
    assert_succeeds(task_splits_get(splits, &experiment.params, &with, &err));
    experiment.params.measure = MEASURE_NONE;
    assert_succeeds(task_splits_get(splits, &experiment.params, &without, &err));
    assert_succeeds(task_split_settle(with, &experiment, &settled, &err));
    assert_succeeds(protocol_run(&a, with, &settled, 1, &(ProtocolOptions){.n_threads = 1}, &err));
    assert_succeeds(
        protocol_run(&b, without, &settled, 1, &(ProtocolOptions){.n_threads = 1}, &err));
    assert_int_equal(a.model_digest, b.model_digest);
    assert_memory_equal(&a.stats, &b.stats, sizeof a.stats);
    assert_memory_equal(a.R, b.R, 25 * sizeof *a.R);
    assert_int_equal(b.n_measures, 1); /* silent */
    assert_true(*run_silent(&a) == *run_silent(&b));
    /* in task, since first, similarity, and silent, which is the last */
    assert_int_equal(a.n_measures, 5 * 2 + 4 * 2 + 4 * 2 + 1);
    for (size_t i = 0; i + 1 < a.n_measures; i++) {
        const tacos_measure *m = &a.measures[i];
        bool similarity = m->kind == TACOS_MEASURE_similarity;
        assert_true(m->value > 0 && m->value < (similarity ? 1 : 10));
    }
    run_free(&a);
    run_free(&b);
    task_splits_free(splits);
    tacos_plan_free(plan);
}

/* After the second task both changes are the same: since the first task, and within the second. */
static void changes_of_weights_fit_together(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_sections(folder);
    TaskSplits *splits;
    const TaskSplit *split;
    Experiment experiment;
    Experiment settled;
    tacos_run run;
    double in_task[2] = {0}, since_first[2] = {0}, later[2] = {0};
    tacos_error err;
    assert_succeeds(plan_config(plan, 8, &experiment, &err)); /* snn */
    assert_succeeds(task_splits_new(&splits, NULL, &err));
    assert_succeeds(task_splits_get(splits, &experiment.params, &split, &err));
    assert_succeeds(task_split_settle(split, &experiment, &settled, &err));
    assert_succeeds(
        protocol_run(&run, split, &settled, 1, &(ProtocolOptions){.n_threads = 1}, &err));
    for (size_t i = 0; i < run.n_measures; i++) {
        const tacos_measure *m = &run.measures[i];
        if (m->after_task == 2 && m->kind == TACOS_MEASURE_change_in_task)
            in_task[m->part] = m->value;
        if (m->after_task == 2 && m->kind == TACOS_MEASURE_change_since_first)
            since_first[m->part] = m->value;
        if (m->after_task == 5 && m->kind == TACOS_MEASURE_change_since_first)
            later[m->part] = m->value;
    }
    for (size_t l = 0; l < 2; l++) {
        assert_true(in_task[l] > 0 && in_task[l] == since_first[l]);
        assert_true(later[l] > since_first[l]);
    }
    run_free(&run);
    task_splits_free(splits);
    tacos_plan_free(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_has_a_plan_with_its_sections),
        cmocka_unit_test(methods_have_the_headlines_own_rows),
        cmocka_unit_test(the_papers_numbers_are_as_it_prints_them),
        IN_FOLDER(cells_sum_up_their_runs),
        IN_FOLDER(what_is_not_there_is_left_out),
        cmocka_unit_test(quick_runs_are_scaled),
        IN_FOLDER(measures_change_no_result),
        IN_FOLDER(changes_of_weights_fit_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
