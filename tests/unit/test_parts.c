/* test_parts.c - parts of a plan: each run belongs to one of them, whatever their stores hold. */
#include "plan/plan.h"
#include "store/store.h"

#include "folder.h"

static Plan *open_plan(const Folder *folder, const char *more) {
    char path[128], text[1024];
    Plan *plan;
    tacos_error err;
    (void)snprintf(path, sizeof path, "%s/tiny.conf", folder->path);
    (void)snprintf(text, sizeof text,
                   "experiment = demo\nhidden = 12\nsteps = 40\nsamples_per_task = 20\n"
                   "test_samples_per_task = 4\ntasks = 0-1,2-3\nseeds = 2\n%s",
                   more);
    write_bytes(path, text, strlen(text));
    assert_succeeds(tacos_plan_open(&plan, path, &err));
    (void)remove(path);
    return plan;
}

static int watch(void *user, const tacos_progress *progress) {
    *(tacos_progress *)user = *progress;
    return 0;
}

static tacos_plan_outcome run_part(Plan *plan, uint32_t part, uint32_t n_parts, const char *store,
                                   tacos_progress *last) {
    tacos_plan_outcome out;
    tacos_progress unseen;
    tacos_plan_options options = {
        .store = store, .n_jobs = 1, .progress = watch, .user = last ? last : &unseen};
    tacos_error err;
    assert_succeeds(tacos_plan_set_part(plan, part, n_parts, &err));
    assert_succeeds(tacos_plan_run(plan, &options, &out, &err));
    return out;
}

/* How often each row of a store is complete there; counts up over stores. */
enum { ROWS_MAX = 32 };

typedef struct Rows {
    size_t at, n_complete[ROWS_MAX];
} Rows;

static tacos_status add_row(void *user, const StoreRow *row, tacos_error *err) {
    Rows *rows = user;
    (void)err;
    assert_true(rows->at < ROWS_MAX);
    rows->n_complete[rows->at++] += strcmp(row->status, "complete") == 0;
    return TACOS_OK;
}

static void add_rows(Rows *rows, const char *path, size_t n) {
    Store *store;
    tacos_error err;
    rows->at = 0;
    assert_succeeds(store_open_to_read(&store, path, &err));
    assert_succeeds(store_each_row(store, add_row, rows, &err));
    store_close(store);
    assert_int_equal(rows->at, n); /* also what other parts make has a row */
}

static void parts_share_all_runs_and_none_twice(void **state) {
    const Folder *folder = *state;
    /* wide ones take longer; two of the sections are the same */
    Plan *plan = open_plan(folder, "[one]\nhidden = choice(12 | 24)\nm_max = choice(5 | 25)\n"
                                   "[two]\nhidden = 24\nm_max = 5\n");
    Rows rows = {0};
    size_t n = 0;
    for (uint32_t part = 1; part <= 3; part++) {
        char path[128];
        tacos_progress last;
        (void)snprintf(path, sizeof path, "%s/%u.db", folder->path, part);
        tacos_plan_outcome out = run_part(plan, part, 3, path, &last);
        assert_int_equal(out.n_complete, part < 3 ? 3 : 2);
        assert_int_equal(last.runs_done, last.runs_total);
        assert_int_equal(last.done, last.total);
        n += out.n_complete;
        add_rows(&rows, path, 8);
        out = run_part(plan, part, 3, path, NULL);
        assert_int_equal(out.n_complete, 0);
    }
    assert_int_equal(n, 8);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(rows.n_complete[i], 1);
    tacos_plan_free(plan);
}

static void a_part_does_not_depend_on_what_its_store_holds(void **state) {
    const Folder *folder = *state;
    char other[128];
    Rows rows = {0};
    Plan *earlier = open_plan(folder, "m_max = choice(50 | 25)\n");
    Plan *plan = open_plan(folder, "m_max = choice(5 | 25)\n");
    (void)snprintf(other, sizeof other, "%s/other", folder->path);
    (void)run_part(earlier, 1, 1, folder->file, NULL); /* 25 is there, and has earlier rows */
    (void)run_part(plan, 1, 2, folder->file, NULL);
    (void)run_part(plan, 2, 2, other, NULL);
    add_rows(&rows, other, 4);
    /* both seeds of the second part, one per configuration, as in an empty store */
    assert_int_equal(rows.n_complete[0] + rows.n_complete[2], 0);
    assert_int_equal(rows.n_complete[1], 1);
    assert_int_equal(rows.n_complete[3], 1);
    memset(&rows, 0, sizeof rows);
    add_rows(&rows, folder->file, 6);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(rows.n_complete[i], 1);
    assert_int_equal(rows.n_complete[5], 0); /* m_max = 5, seed 2: not of this part */
    tacos_plan_free(earlier);
    tacos_plan_free(plan);
}

static void more_parts_than_runs_leave_some_empty(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, "");
    tacos_plan_outcome out = run_part(plan, 3, 3, folder->file, NULL);
    assert_int_equal(out.n_complete + out.n_there + out.n_failed, 0);
    out = run_part(plan, 2, 3, folder->file, NULL);
    assert_int_equal(out.n_complete, 1);
    tacos_plan_free(plan);
}

static void there_is_no_part_of_nothing_or_of_halving(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, "");
    tacos_error err;
    assert_fails(tacos_plan_set_part(plan, 0, 3, &err), TACOS_RANGE);
    assert_fails(tacos_plan_set_part(plan, 4, 3, &err), TACOS_RANGE);
    assert_fails(tacos_plan_set_part(plan, 0, 0, &err), TACOS_RANGE);
    tacos_plan_outcome out = run_part(plan, 1, 1, folder->file, NULL); /* all of it */
    assert_int_equal(out.n_complete, 2);
    tacos_plan_free(plan);
    plan = open_plan(folder, "validation = 0.25\nhalving = 3\nrungs = 1\n"
                             "learning_rate = linear(0, 0.05, 6)\n");
    assert_fails(tacos_plan_set_part(plan, 1, 3, &err), TACOS_INVALID);
    assert_non_null(strstr(err.text, "halves"));
    tacos_plan_free(plan);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(parts_share_all_runs_and_none_twice),
        IN_FOLDER(a_part_does_not_depend_on_what_its_store_holds),
        IN_FOLDER(more_parts_than_runs_leave_some_empty),
        IN_FOLDER(there_is_no_part_of_nothing_or_of_halving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
