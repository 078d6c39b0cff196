/* test_device.c - runs on a device give the store that the processor gives, whatever the device
 * takes, and wherever it fails. The device is fake_gpu.h, which counts. */
#include "plan/plan.h"
#include "tacos_cuda.h"

#include "fake_gpu.h"
#include "unit/folder.h"

#include <sqlite3.h>

static const char TINY_PLAN[] =
    "experiment = demo\nhidden = 12\nsteps = 80\nsamples_per_task = 60\n"
    "test_samples_per_task = 10\ntasks = 0-1,2-3\nseeds = 3\n";

/* Several shapes and streams, and a section per reason not to take a run. */
static const char MIXED[] =
    "[variants]\nmodel = choice(tacos | snn | fixed | snn+consolidation)\n"
    "[two layers]\nhidden = 12,9\nscenario = class\n"
    "[permuted]\ntasks = 0-1,0-1,0-1\npermute = pixels\nblur = 0.4\n"
    "[seen otherwise]\ncentre = mass\nsoften = 1\nvalidation = 0.25\n"
    "[deep]\nhidden = 12,9,7\n"
    "[future]\nrehearsal_every = 20\nrehearsal_means = 2\n"
    "[rival]\nmodel = naive\n"
    "[columns]\nmodel = columns\ncolumn_units = 40\n"
    "[measured]\nmeasure = all\n"
    "[curved]\ncurve_points = 7\n"
    "[curved otherwise]\ncurve_points = 100\npermute = pixels\nblur = 0.4\n";
enum { MIXED_RUNS = 14 * 3 };

static const char ALIKE[] = "m_max = choice(5 | 25)\nmodel = choice(tacos | snn)\n";
enum { ALIKE_RUNS = 4 * 3 };

static Plan *open_plan(const Folder *folder, const char *more) {
    char path[128], text[2048];
    Plan *plan;
    tacos_error err;
    (void)snprintf(path, sizeof path, "%s/tiny.conf", folder->path);
    (void)snprintf(text, sizeof text, "%s%s", TINY_PLAN, more);
    write_bytes(path, text, strlen(text));
    assert_succeeds(tacos_plan_open(&plan, path, &err));
    (void)remove(path);
    return plan;
}

/* ---- a store as text ---- */

static void add_rows(sqlite3 *db, const char *sql, FILE *out) {
    sqlite3_stmt *rows;
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &rows, NULL), SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(rows); i++) {
            const char *name = sqlite3_column_name(rows, i);
            bool varies = strstr(name, "seconds") || strcmp(name, "host") == 0 ||
                          strcmp(name, "finished") == 0;
            const unsigned char *text = sqlite3_column_text(rows, i);
            if (!varies)
                fprintf(out, "%s=%s|", name, text ? (const char *)text : "NULL");
        }
        fputc('\n', out);
    }
    sqlite3_finalize(rows);
}

/* Everything in it but times and hosts, row by row; free it. */
static char *contents(const char *path) {
    static const char *const tables[] = {"config",   "setting", "data",  "run",
                                         "accuracy", "measure", "answer"};
    sqlite3 *db;
    char *text = NULL, sql[64];
    size_t n;
    FILE *out = open_memstream(&text, &n);
    assert_non_null(out);
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        (void)snprintf(sql, sizeof sql, "SELECT * FROM %s", tables[i]);
        add_rows(db, sql, out);
    }
    sqlite3_close(db);
    (void)fclose(out);
    return text;
}

static void assert_same_store(const char *a, const char *b) {
    char *text_a = contents(a), *text_b = contents(b);
    assert_string_equal(text_a, text_b);
    free(text_a);
    free(text_b);
}

/* ---- running ---- */

typedef struct Watch {
    uint64_t stop_at; /* samples done; 0: never */
    char notes[2048];
    bool wrong;
    tacos_progress last;
} Watch;

static int watch(void *user, const tacos_progress *progress) {
    Watch *seen = user;
    seen->wrong |= progress->done > progress->total || progress->runs_done > progress->runs_total;
    if (progress->note && strlen(seen->notes) + strlen(progress->note) + 2 < sizeof seen->notes)
        strcat(strcat(seen->notes, progress->note), "\n");
    seen->last = *progress;
    return seen->stop_at > 0 && progress->done >= seen->stop_at;
}

static void make_fake(FakeGpu fake) {
    fake_gpu = fake;
}

/* With a device from beginning to end. */
static tacos_status run(const Plan *plan, const char *store, Watch *seen, tacos_plan_outcome *out,
                        tacos_error *err) {
    tacos_cluster *gpu;
    tacos_plan_options options = {.store = store, .n_jobs = 2, .progress = watch, .user = seen};
    TRY(tacos_cuda_begin(&gpu, err));
    options.cluster = gpu;
    tacos_status status = tacos_plan_run(plan, &options, out, err);
    tacos_cuda_end(gpu);
    assert_false(seen->wrong);
    assert_int_equal(fake_gpu.n_open, 0);
    assert_int_equal(fake_gpu.n_images, 0);
    return status;
}

/* folder->file is what the processor makes. */
static void run_here(const Folder *folder, const Plan *plan) {
    tacos_plan_options options = {.store = folder->file, .n_jobs = 2};
    tacos_plan_outcome out;
    tacos_error err;
    assert_succeeds(tacos_plan_run(plan, &options, &out, &err));
    assert_int_equal(out.n_failed, 0);
}

typedef struct Made {
    char store[128];
    Watch seen;
    tacos_plan_outcome out;
} Made;

static void run_there(const Folder *folder, const Plan *plan, const char *name, Made *made) {
    tacos_error err;
    *made = (Made){0};
    (void)snprintf(made->store, sizeof made->store, "%s/%s.db", folder->path, name);
    assert_succeeds(run(plan, made->store, &made->seen, &made->out, &err));
    assert_int_equal(made->out.n_failed, 0);
    assert_same_store(folder->file, made->store);
}

static size_t count(const char *text, const char *word) {
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        n++;
    return n;
}

/* ---- what it takes ---- */

static void a_device_changes_no_result(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, MIXED);
    Made made;
    run_here(folder, plan);
    make_fake((FakeGpu){.room = 5});
    run_there(folder, plan, "there", &made);
    assert_int_equal(made.out.n_complete, MIXED_RUNS);
    assert_int_equal(made.seen.last.done, made.seen.last.total);
    assert_true(fake_gpu.n_calls > 0);
    tacos_plan_free(plan);
}

static void why_a_run_is_not_taken_is_told_once(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, MIXED);
    Made made;
    run_here(folder, plan);
    make_fake((FakeGpu){0});
    run_there(folder, plan, "there", &made);
    assert_int_equal(count(made.seen.notes, "rivals"), 1);
    assert_int_equal(count(made.seen.notes, "columns"), 1);
    assert_int_equal(count(made.seen.notes, "at most two hidden layers"), 1);
    assert_int_equal(count(made.seen.notes, "nothing of the future work"), 1);
    assert_int_equal(count(made.seen.notes, "\n"), 4);
    tacos_plan_free(plan);
}

static void batches_are_full(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, ALIKE);
    Made made;
    run_here(folder, plan);
    for (size_t room = 1; room <= ALIKE_RUNS; room *= 2) {
        char name[32];
        (void)snprintf(name, sizeof name, "room-%zu", room);
        make_fake((FakeGpu){.room = room});
        run_there(folder, plan, name, &made);
        size_t n_jobs = 0, left = ALIKE_RUNS % room;
        for (size_t i = 0; i < fake_gpu.n_calls; i++) {
            assert_true(fake_gpu.calls[i] == room || fake_gpu.calls[i] == left);
            n_jobs += fake_gpu.calls[i];
        }
        assert_int_equal(n_jobs, ALIKE_RUNS * (3 + 2)); /* rows, and parts of the stream */
        assert_string_equal(made.seen.notes, "");
    }
    tacos_plan_free(plan);
}

static void halving_on_a_device_chooses_the_same(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, "validation = 0.25\nhalving = 3\nrungs = 1\n"
                                   "learning_rate = linear(0, 0.05, 6)\n");
    Made made;
    run_here(folder, plan);
    make_fake((FakeGpu){0});
    run_there(folder, plan, "there", &made);
    assert_int_equal(made.out.n_complete, 6 * 3 + 2 * 3);
    tacos_plan_free(plan);
}

/* ---- failures ---- */

static void little_memory_means_fewer_at_a_time(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, ALIKE);
    Made made;
    run_here(folder, plan);
    for (size_t networks = 1; networks < 4; networks++) {
        char name[32];
        (void)snprintf(name, sizeof name, "networks-%zu", networks);
        make_fake((FakeGpu){.room = 6, .networks = networks});
        run_there(folder, plan, name, &made);
        assert_int_equal(made.out.n_complete, ALIKE_RUNS);
        assert_true(count(made.seen.notes, "memory of the GPU is full") >= 1);
        assert_true(fake_gpu.n_calls > ALIKE_RUNS); /* it goes on there */
        for (size_t i = 0; i < fake_gpu.n_calls; i++)
            assert_true(fake_gpu.calls[i] <= networks);
    }
    tacos_plan_free(plan);
}

static void too_many_jobs_go_in_parts(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, ALIKE);
    Made made;
    run_here(folder, plan);
    make_fake((FakeGpu){.room = 7, .jobs = 2});
    run_there(folder, plan, "there", &made);
    assert_string_equal(made.seen.notes, "");
    for (size_t i = 0; i < fake_gpu.n_calls; i++)
        assert_true(fake_gpu.calls[i] <= 2);
    tacos_plan_free(plan);
}

static void a_device_that_is_lost_loses_no_run(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, MIXED);
    Made made;
    run_here(folder, plan);
    for (size_t lost = 1; lost < 20; lost += 7) {
        char name[32];
        (void)snprintf(name, sizeof name, "lost-%zu", lost);
        make_fake((FakeGpu){.room = 3, .lost = lost});
        run_there(folder, plan, name, &made);
        assert_int_equal(made.out.n_complete, MIXED_RUNS);
        assert_int_equal(fake_gpu.n_calls, lost); /* it is not asked again */
        assert_int_equal(count(made.seen.notes, "the GPU is lost: an illegal instruction"), 1);
    }
    tacos_plan_free(plan);
}

static void a_plan_stopped_anywhere_ends_in_the_same_store(void **state) {
    const Folder *folder = *state;
    Plan *plan = open_plan(folder, MIXED);
    Made made = {0};
    tacos_error err;
    run_here(folder, plan);
    (void)snprintf(made.store, sizeof made.store, "%s/there.db", folder->path);
    make_fake((FakeGpu){.room = 3});
    for (uint64_t stop_at = 1; stop_at < 1000; stop_at *= 6) {
        made.seen = (Watch){.stop_at = stop_at};
        assert_fails(run(plan, made.store, &made.seen, &made.out, &err), TACOS_INTERRUPTED);
    }
    made.seen = (Watch){0};
    assert_succeeds(run(plan, made.store, &made.seen, &made.out, &err));
    assert_int_equal(made.out.n_complete + made.out.n_there, MIXED_RUNS);
    assert_same_store(folder->file, made.store);
    tacos_plan_free(plan);
}

static void without_a_gpu_it_says_so(void **state) {
    tacos_cluster *gpu = (tacos_cluster *)&fake_gpu;
    tacos_error err;
    (void)state;
    make_fake((FakeGpu){.none = true});
    assert_fails(tacos_cuda_begin(&gpu, &err), TACOS_MISSING);
    assert_null(gpu);
    tacos_cuda_end(NULL);
}

/* ---- checkpoints ---- */

typedef struct Kept {
    char out[96], checkpoint[128], model[128], table[128];
} Kept;

static Kept kept(const Folder *folder, const char *name) {
    Kept kept;
    (void)snprintf(kept.out, sizeof kept.out, "%s/%s", folder->path, name);
    (void)snprintf(kept.checkpoint, sizeof kept.checkpoint, "%s/run-3.checkpoint", kept.out);
    (void)snprintf(kept.model, sizeof kept.model, "%s/model-3.tacos", kept.out);
    (void)snprintf(kept.table, sizeof kept.table, "%s/accuracy.csv", kept.out);
    return kept;
}

/* Seed 3, with or without the device, stopped after some samples, or never. */
static tacos_status go(const tacos_experiment *experiment, const Kept *where, bool there,
                       uint64_t stop_at, tacos_error *err) {
    static const uint32_t seed = 3;
    Watch seen = {.stop_at = stop_at};
    tacos_results *results;
    tacos_cluster *gpu = NULL;
    make_fake((FakeGpu){0});
    if (there)
        TRY(tacos_cuda_begin(&gpu, err));
    tacos_run_options how = {.out_dir = where->out,
                             .checkpoint_every = 37,
                             .seeds = &seed,
                             .n_seeds = 1,
                             .n_jobs = 1,
                             .cluster = gpu,
                             .progress = watch,
                             .user = &seen};
    tacos_status status = tacos_experiment_run(experiment, &how, &results, err);
    tacos_results_free(results);
    tacos_cuda_end(gpu);
    return status;
}

static void assert_same_file(const char *a, const char *b) {
    size_t n_a, n_b;
    char *bytes_a = read_bytes(a, &n_a), *bytes_b = read_bytes(b, &n_b);
    assert_int_equal(n_a, n_b);
    assert_memory_equal(bytes_a, bytes_b, n_a);
    free(bytes_a);
    free(bytes_b);
}

/* Wherever a part of a run was made, and whatever makes the rest. */
static void a_run_goes_on_here_or_there(void **state) {
    static const char text[] =
        "dataset = glyphs\ntasks = 0-1,2-3,4-5\nsamples_per_task = 150\n"
        "test_samples_per_task = 40\nhidden = 30\nsteps = 60\nmeasure = all\n";
    const Folder *folder = *state;
    Kept alone = kept(folder, "alone");
    tacos_experiment *experiment;
    tacos_error err;
    write_bytes(folder->file, text, strlen(text));
    assert_succeeds(tacos_experiment_open(&experiment, folder->file, &err));
    assert_succeeds(go(experiment, &alone, false, 0, &err));
    (void)setenv("TACOS_TEST_CLOCK", "1", 1); /* who is asked to stop has heard of every sample */
    for (unsigned turn = 0; turn < 8; turn++) {
        char name[16];
        (void)snprintf(name, sizeof name, "turn-%u", turn);
        Kept part = kept(folder, name);
        assert_fails(go(experiment, &part, turn & 1, 250, &err), TACOS_INTERRUPTED);
        assert_true(exists(part.checkpoint));
        assert_fails(go(experiment, &part, turn & 2, 450, &err), TACOS_INTERRUPTED);
        assert_succeeds(go(experiment, &part, turn & 4, 0, &err));
        assert_false(exists(part.checkpoint));
        assert_same_file(alone.model, part.model);
        assert_same_file(alone.table, part.table);
    }
    (void)unsetenv("TACOS_TEST_CLOCK");
    tacos_experiment_free(experiment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_device_changes_no_result),
        IN_FOLDER(why_a_run_is_not_taken_is_told_once),
        IN_FOLDER(batches_are_full),
        IN_FOLDER(halving_on_a_device_chooses_the_same),
        IN_FOLDER(little_memory_means_fewer_at_a_time),
        IN_FOLDER(too_many_jobs_go_in_parts),
        IN_FOLDER(a_device_that_is_lost_loses_no_run),
        IN_FOLDER(a_plan_stopped_anywhere_ends_in_the_same_store),
        cmocka_unit_test(without_a_gpu_it_says_so),
        IN_FOLDER(a_run_goes_on_here_or_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
