/* test_runner.c - plans: what is run, what is skipped, who does it, and who goes on. */
#include "plan/cluster.h"
#include "plan/halving.h"
#include "plan/plan.h"
#include "plan/runner.h"
#include "plan/waiting.h"

#include "folder.h"

static const char TINY_PLAN[] =
    "experiment = demo\nhidden = 12\nsteps = 80\nsamples_per_task = 60\n"
    "test_samples_per_task = 10\ntasks = 0-1,2-3\nseeds = 3\n";

static Plan *open_plan(const Folder *folder, const char *more) {
    char path[128], text[1024];
    Plan *plan;
    tacos_error err;
    (void)snprintf(path, sizeof path, "%s/tiny.conf", folder->path);
    (void)snprintf(text, sizeof text, "%s%s", TINY_PLAN, more);
    write_bytes(path, text, strlen(text));
    assert_succeeds(tacos_plan_open(&plan, path, &err));
    (void)remove(path);
    return plan;
}

/* ---- a store as numbers that do not depend on the hour ---- */

enum { ROWS_MAX = 64 };

typedef struct Row {
    char digest[80], status[16];
    uint32_t seed;
    double MA, A, BWT;
    uint64_t events;
} Row;

typedef struct Rows {
    size_t n;
    Row row[ROWS_MAX];
} Rows;

static tacos_status add_row(void *user, const StoreRow *from, tacos_error *err) {
    Rows *rows = user;
    (void)err;
    assert_true(rows->n < ROWS_MAX);
    Row *row = &rows->row[rows->n++];
    (void)snprintf(row->digest, sizeof row->digest, "%s", from->digest);
    (void)snprintf(row->status, sizeof row->status, "%s", from->status);
    row->seed = from->seed;
    row->MA = from->final.MA;
    row->A = from->final.A;
    row->BWT = from->final.BWT;
    row->events = from->stats.learning.synaptic_events;
    return TACOS_OK;
}

static Rows read_rows(const char *path) {
    Rows rows;
    Store *store;
    tacos_error err;
    memset(&rows, 0, sizeof rows);
    assert_succeeds(store_open_to_read(&store, path, &err));
    assert_succeeds(store_each_row(store, add_row, &rows, &err));
    store_close(store);
    return rows;
}

static size_t count(const Rows *rows, const char *status) {
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++)
        n += strcmp(rows->row[i].status, status) == 0;
    return n;
}

/* ---- running ---- */

typedef struct Watch {
    size_t stop_at; /* runs done; 0 never */
    tacos_progress last;
    bool wrong;
} Watch;

static int watch(void *user, const tacos_progress *progress) {
    Watch *seen = user;
    seen->wrong |= progress->done > progress->total || progress->runs_done > progress->runs_total ||
                   progress->runs_done < seen->last.runs_done;
    seen->last = *progress;
    return seen->stop_at > 0 && progress->runs_done >= seen->stop_at;
}

static tacos_status run(const Plan *plan, const char *store, unsigned n_jobs,
                        tacos_cluster *cluster, Watch *seen, tacos_plan_outcome *out,
                        tacos_error *err) {
    tacos_plan_options options = {.store = store, .n_jobs = n_jobs, .cluster = cluster};
    Watch unseen = {0};
    options.progress = watch;
    options.user = seen ? seen : &unseen;
    tacos_status status = tacos_plan_run(plan, &options, out, err);
    assert_false(seen && seen->wrong);
    return status;
}

static void what_is_there_is_not_run_again(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, "m_max = choice(5 | 25)\nmodel = choice(tacos | snn)\n");
    tacos_plan_outcome out;
    tacos_error err;
    Watch seen = {0};
    assert_succeeds(run(plan, folder->file, 2, NULL, &seen, &out, &err));
    assert_int_equal(out.n_complete, 12);
    assert_int_equal(out.n_there, 0);
    assert_int_equal(seen.last.runs_done, 12);
    assert_int_equal(seen.last.runs_total, 12);
    assert_int_equal(seen.last.done, 12 * (2 * 60 + 3 * 2 * 10));
    assert_int_equal(seen.last.done, seen.last.total);
    assert_true(seen.last.best > 10); /* they do learn something */
    Rows before = read_rows(folder->file);
    assert_int_equal(count(&before, "complete"), 12);
    assert_succeeds(run(plan, folder->file, 1, NULL, NULL, &out, &err));
    assert_int_equal(out.n_complete, 0);
    assert_int_equal(out.n_there, 12);
    tacos_plan_free(plan);

    plan = open_plan(folder, "m_max = choice(5 | 25 | 50)\nmodel = choice(tacos | snn)\n");
    assert_succeeds(run(plan, folder->file, 2, NULL, NULL, &out, &err));
    assert_int_equal(out.n_complete, 6); /* the rest was there */
    tacos_plan_free(plan);
}

static void the_same_configuration_twice_is_run_once(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, "[one]\n[two]\nmodel = snn\n[one again]\nmodel = tacos\n");
    tacos_plan_outcome out;
    tacos_error err;
    Watch seen = {0};
    assert_succeeds(run(plan, folder->file, 2, NULL, &seen, &out, &err));
    assert_int_equal(out.n_complete, 6);
    assert_int_equal(out.n_there, 3);
    assert_int_equal(seen.last.runs_done, 9);
    assert_int_equal(seen.last.runs_total, 9);
    assert_int_equal(seen.last.done, 6 * (2 * 60 + 3 * 2 * 10));
    assert_int_equal(seen.last.done, seen.last.total);
    Rows rows = read_rows(folder->file);
    assert_int_equal(rows.n, 6);
    assert_int_equal(count(&rows, "complete"), 6);
    tacos_plan_free(plan);
}

static void a_plan_stopped_anywhere_ends_in_the_same_store(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, "alpha = linear(0, 0.001, 3)\n");
    char other[128];
    tacos_plan_outcome out;
    tacos_error err;
    (void)snprintf(other, sizeof other, "%s/other", folder->path);
    assert_succeeds(run(plan, folder->file, 1, NULL, NULL, &out, &err));
    for (size_t stop_at = 1; stop_at < 9; stop_at += 3) {
        Watch seen = {.stop_at = stop_at};
        assert_fails(run(plan, other, 2, NULL, &seen, &out, &err), TACOS_INTERRUPTED);
    }
    Rows part = read_rows(other);
    assert_true(count(&part, "planned") > 0 && count(&part, "complete") > 0);
    assert_succeeds(run(plan, other, 2, NULL, NULL, &out, &err));
    Rows a = read_rows(folder->file), b = read_rows(other);
    assert_int_equal(a.n, 9);
    assert_memory_equal(&a, &b, sizeof a);
    tacos_plan_free(plan);
}

static void a_configuration_that_cannot_run_stops_no_other(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, "i_min = choice(-11 | 20)\n");
    tacos_plan_outcome out;
    tacos_error err;
    assert_succeeds(run(plan, folder->file, 2, NULL, NULL, &out, &err));
    assert_int_equal(out.n_complete, 3);
    assert_int_equal(out.n_failed, 3);
    assert_non_null(strstr(out.first_failure, "i_min = 20 must be below"));
    Rows rows = read_rows(folder->file);
    assert_int_equal(count(&rows, "failed"), 3);
    tacos_plan_free(plan);

    plan = open_plan(folder, "i_min = choice(20 | 30)\n");
    assert_fails(run(plan, folder->file, 2, NULL, NULL, &out, &err), TACOS_RANGE);
    rows = read_rows(folder->file);
    assert_int_equal(rows.n, 6); /* nothing can run: nothing is noted */
    tacos_plan_free(plan);
}

static void a_missing_data_set_is_told_before_any_work(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, "dataset = choice(glyphs | mnist)\n");
    tacos_plan_options options = {.store = folder->file, .data_dir = folder->path};
    tacos_plan_outcome out;
    tacos_error err;
    assert_fails(tacos_plan_run(plan, &options, &out, &err), TACOS_MISSING);
    assert_says(err, "mnist");
    assert_string_equal(out.missing_dataset, "mnist");
    Rows rows = read_rows(folder->file);
    assert_int_equal(rows.n, 0);
    tacos_plan_free(plan);
}

/* ---- a cluster of threads ---- */

typedef struct FakeCluster {
    tacos_cluster cluster;
    Workers *workers;
    bool useless; /* gives everything back */
    size_t takes; /* of a device: so many runs, all of model tacos; then it is lost */
    size_t n_given, n_begun, n_told;
    char data[64]; /* the first data set */
} FakeCluster;

static tacos_status fake_begin(tacos_cluster *cluster, TaskSplits *splits, const char *data_dir,
                               unsigned n_jobs, size_t *own_jobs, tacos_error *err) {
    FakeCluster *fake = (FakeCluster *)cluster;
    (void)data_dir;
    (void)n_jobs;
    *own_jobs = 1;
    fake->n_begun++;
    (void)snprintf(fake->data, sizeof fake->data, "%s", task_splits_name(splits, 0));
    return workers_new(&fake->workers, 1, splits, err);
}

static bool fake_give(tacos_cluster *cluster, const Assignment *assignment, size_t depth) {
    FakeCluster *fake = (FakeCluster *)cluster;
    if (workers_load(fake->workers) >= depth)
        return false;
    fake->n_given++;
    workers_give(fake->workers, assignment);
    return true;
}

static bool fake_take(tacos_cluster *cluster, Outcome *out) {
    FakeCluster *fake = (FakeCluster *)cluster;
    if (!workers_take(fake->workers, out, 0))
        return false;
    if (fake->useless && out->status == TACOS_OK) {
        run_free(&out->run);
        out->status = failure(&out->err, TACOS_MEMORY, "no memory there");
    }
    return true;
}

static size_t fake_load(const tacos_cluster *cluster) {
    return workers_load(((const FakeCluster *)cluster)->workers);
}

static uint64_t fake_samples(const tacos_cluster *cluster) {
    return workers_samples(((const FakeCluster *)cluster)->workers);
}

static void fake_end(tacos_cluster *cluster) {
    FakeCluster *fake = (FakeCluster *)cluster;
    workers_free(fake->workers);
    fake->workers = NULL;
}

static const tacos_cluster FAKE = {.begin = fake_begin,
                                   .give = fake_give,
                                   .take = fake_take,
                                   .load = fake_load,
                                   .samples = fake_samples,
                                   .end = fake_end};

static void a_cluster_changes_no_result(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, "m_max = choice(5 | 25)\nmodel = choice(tacos | snn)\n");
    char other[128];
    tacos_plan_outcome out;
    tacos_error err;
    assert_succeeds(run(plan, folder->file, 1, NULL, NULL, &out, &err));
    Rows alone = read_rows(folder->file);
    for (int useless = 0; useless < 2; useless++) {
        FakeCluster fake = {.cluster = FAKE, .useless = useless};
        Watch seen = {0};
        (void)snprintf(other, sizeof other, "%s/other-%d", folder->path, useless);
        assert_succeeds(run(plan, other, 1, &fake.cluster, &seen, &out, &err));
        assert_int_equal(out.n_complete, 12);
        assert_int_equal(out.n_failed, 0);
        assert_true(fake.n_given > 0 && fake.n_begun == 1 && strcmp(fake.data, "glyphs") == 0);
        assert_int_equal(seen.last.done, seen.last.total);
        Rows together = read_rows(other);
        assert_memory_equal(&alone, &together, sizeof alone);
    }
    tacos_plan_free(plan);
}

static void a_stopped_cluster_goes_home(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, "m_max = choice(5 | 25)\nmodel = choice(tacos | snn)\n");
    FakeCluster fake = {.cluster = FAKE};
    Watch seen = {.stop_at = 2};
    tacos_plan_outcome out;
    tacos_error err;
    assert_fails(run(plan, folder->file, 1, &fake.cluster, &seen, &out, &err), TACOS_INTERRUPTED);
    assert_null(fake.workers);
    assert_succeeds(run(plan, folder->file, 1, &fake.cluster, NULL, &out, &err));
    assert_int_equal(fake.n_begun, 2);
    tacos_plan_free(plan);
}

/* ---- a device ---- */

static bool fake_takes(tacos_cluster *cluster, const Assignment *assignment) {
    const FakeCluster *fake = (const FakeCluster *)cluster;
    return fake->n_given < fake->takes &&
           strcmp(model_name(assignment->experiment.model), "tacos") == 0;
}

static const char *fake_note(tacos_cluster *cluster) {
    FakeCluster *fake = (FakeCluster *)cluster;
    return fake->n_told++ == 0 ? "a note" : NULL;
}

static int count_notes(void *user, const tacos_progress *progress) {
    size_t *n = user;
    *n += progress->note && strcmp(progress->note, "a note") == 0;
    return 0;
}

static void what_a_device_takes_is_left_to_it(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, "m_max = choice(5 | 25)\nmodel = choice(tacos | snn)\n");
    tacos_plan_outcome out;
    tacos_error err;
    assert_succeeds(run(plan, folder->file, 1, NULL, NULL, &out, &err));
    Rows alone = read_rows(folder->file);
    for (size_t takes = 0; takes <= 9; takes += 3) {
        char other[128];
        size_t n_notes = 0;
        FakeCluster fake = {.cluster = FAKE, .takes = takes};
        fake.cluster.takes = fake_takes;
        fake.cluster.note = fake_note;
        tacos_plan_options options = {.store = other,
                                      .n_jobs = 2,
                                      .cluster = &fake.cluster,
                                      .progress = count_notes,
                                      .user = &n_notes};
        (void)snprintf(other, sizeof other, "%s/takes-%zu", folder->path, takes);
        assert_succeeds(tacos_plan_run(plan, &options, &out, &err));
        assert_int_equal(out.n_complete, 12);
        assert_int_equal(fake.n_given, takes < 6 ? takes : 6);
        assert_int_equal(n_notes, 1);
        Rows together = read_rows(other);
        assert_memory_equal(&alone, &together, sizeof alone);
    }
    tacos_plan_free(plan);
}

static void the_next_run_is_the_first_that_waits(void **state) {
    Waiting waiting;
    tacos_error err;
    size_t run;
    (void)state;
    assert_succeeds(waiting_new(&waiting, 4, &err));
    waiting_leave(&waiting, 1, BY_US);
    waiting_leave(&waiting, 2, BY_CLUSTER);
    assert_true(waiting_first(&waiting, BY_CLUSTER, &run) && run == 0);
    waiting_give(&waiting, 0);
    assert_true(waiting_first(&waiting, BY_CLUSTER, &run) && run == 2);
    assert_true(waiting_first(&waiting, BY_US, &run) && run == 1);
    waiting_give(&waiting, 1);
    assert_true(waiting_first(&waiting, BY_US, &run) && run == 3);
    waiting_give(&waiting, 3);
    assert_false(waiting_first(&waiting, BY_US, &run));
    assert_int_equal(waiting.n_waiting, 1);
    waiting_leave(&waiting, 0, BY_US); /* it comes back */
    assert_true(waiting_first(&waiting, BY_US, &run) && run == 0);
    assert_int_equal(waiting.n_waiting, 2);
    assert_int_equal(waiting.n_for_us, 1);
    waiting_leave(&waiting, 2, BY_US);
    assert_false(waiting_first(&waiting, BY_CLUSTER, &run));
    assert_int_equal(waiting.n_for_us, 2);
    waiting_free(&waiting);
}

/* ---- halving ---- */

static void stages_shrink(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, "validation = 0.2\nhalving = 3\nsampling = sobol\n"
                                   "configurations = 10\nm_max = linear(1, 50)\n"
                                   "[all]\ntasks = 0-1,2-3,4-5,6-7,8-9\n");
    Experiment experiment;
    tacos_error err;
    assert_int_equal(halving_stages(plan), 3); /* after 2, after 4, all 5 */
    assert_int_equal(halving_survivors(plan, 0), 10);
    assert_int_equal(halving_survivors(plan, 1), 4);
    assert_int_equal(halving_survivors(plan, 2), 2);
    static const char *const tasks[] = {"0-1,2-3", "0-1,2-3,4-5,6-7", "0-1,2-3,4-5,6-7,8-9"};
    for (size_t s = 0; s < 3; s++) {
        assert_succeeds(plan_config(plan, 3, &experiment, &err));
        halving_cut(plan, s, &experiment);
        assert_string_equal(experiment.params.tasks, tasks[s]);
    }
    tacos_plan_free(plan);
}

static void the_best_go_on_in_the_order_of_the_plan(void **state) {
    const Standing standings[] = {{10, 1}, {60, 2}, {0, 0}, {90, 3}, {31, 1}, {0, 1}};
    size_t configs[] = {0, 1, 2, 3, 4, 5};
    tacos_error err;
    (void)state;
    assert_succeeds(halving_select(configs, 6, 3, standings, &err));
    assert_int_equal(configs[0], 1); /* 30, and as good as 3, which comes later */
    assert_int_equal(configs[1], 3); /* 30 */
    assert_int_equal(configs[2], 4); /* 31 */
    assert_int_equal(configs[5], 2); /* no run at all is the worst */
}

static void halving_runs_fewer_and_fewer(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, "validation = 0.25\nhalving = 3\nrungs = 1\n"
                                   "learning_rate = linear(0, 0.05, 6)\n");
    tacos_plan_outcome out;
    tacos_error err;
    Watch seen = {0};
    assert_succeeds(run(plan, folder->file, 2, NULL, &seen, &out, &err));
    assert_int_equal(out.n_complete, 6 * 3 + 2 * 3);
    assert_int_equal(seen.last.runs_done, 24);
    assert_int_equal(seen.last.runs_total, 24);
    assert_int_equal(seen.last.done, seen.last.total);
    assert_succeeds(run(plan, folder->file, 1, NULL, NULL, &out, &err));
    assert_int_equal(out.n_there, 24); /* the same were chosen */
    tacos_plan_free(plan);
}

int main(void) {
    (void)setenv("TACOS_TEST_CLOCK", "1", 1); /* who is asked to stop has heard of every sample */
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_is_there_is_not_run_again),
        IN_FOLDER(the_same_configuration_twice_is_run_once),
        IN_FOLDER(a_plan_stopped_anywhere_ends_in_the_same_store),
        IN_FOLDER(a_configuration_that_cannot_run_stops_no_other),
        IN_FOLDER(a_missing_data_set_is_told_before_any_work),
        IN_FOLDER(a_cluster_changes_no_result),
        IN_FOLDER(a_stopped_cluster_goes_home),
        IN_FOLDER(what_a_device_takes_is_left_to_it),
        cmocka_unit_test(the_next_run_is_the_first_that_waits),
        IN_FOLDER(stages_shrink),
        cmocka_unit_test(the_best_go_on_in_the_order_of_the_plan),
        IN_FOLDER(halving_runs_fewer_and_fewer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
