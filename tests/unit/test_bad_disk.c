/* test_bad_disk.c - the n-th call that writes to the disk fails, alone or with all after it, for
 * every n: a status and a sentence; the old file or the new one is there, whole, and nothing beside
 * it; and once the disk is well the same command goes on. */
#define _GNU_SOURCE /* RTLD_NEXT, fopencookie */
#include "bad_disk.h"

#include "data/catalog/catalog.h"
#include "data/catalog/sha256.h"
#include "folder.h"

/* Of the calls of an experiment, which are many: one in so many. */
static size_t every = 1;

/* ---- a saved learner ---- */

static tacos_learner *make_learner(size_t n_samples) {
    static const float bright[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    tacos_config *config;
    tacos_learner *learner;
    tacos_error err;
    assert_succeeds(tacos_config_new(&config, &err));
    assert_succeeds(tacos_config_parse(
        config, "inputs = 12\nhidden = 300\noutputs = 2\nsteps = 20\ninit_w = 3\n", "settings",
        &err));
    assert_succeeds(tacos_learner_new(&learner, config, 1, NULL, &err));
    for (size_t k = 0; k < n_samples; k++)
        assert_succeeds(tacos_learner_learn(learner, bright, 12, k % 2, &err));
    tacos_config_free(config);
    return learner;
}

/* The bytes of what a learner is saved to. */
static char *save_well(tacos_learner *learner, const char *path, size_t *n) {
    tacos_error err;
    assert_succeeds(tacos_learner_save(learner, path, &err));
    return read_bytes(path, n);
}

static void assert_file(const char *path, const char *bytes, size_t n) {
    size_t n_now;
    char *now = read_bytes(path, &n_now);
    assert_int_equal(n_now, n);
    assert_memory_equal(now, bytes, n);
    free(now);
}

static void a_learner_is_saved_whole_or_not(void **state) {
    const Folder *folder = *state;
    size_t n_old, n_new, n_calls = 0;
    tacos_learner *before = make_learner(1), *after = make_learner(5);
    char *new = save_well(after, folder->file, &n_new),
         *old = save_well(before, folder->file, &n_old);
    for (size_t f = 0; f < N_FAULTS; f++) {
        bool failed = true;
        for (size_t n = 1; failed; n++) {
            tacos_error err = {0};
            write_bytes(folder->file, old, n_old);
            disk_begin(&faults[f], n);
            tacos_status status = tacos_learner_save(after, folder->file, &err);
            failed = disk_end();
            if (status != TACOS_OK) {
                assert_int_equal(status, TACOS_IO);
                assert_says(err, folder->file);
                assert_says(err, strerror(faults[f].number));
            }
            assert_file(folder->file, status == TACOS_OK ? new : old,
                        status == TACOS_OK ? n_new : n_old);
            assert_int_equal(folder_count(folder->path), 1);
            n_calls = n;
        }
    }
    assert_true(n_calls > 5); /* several writes, a flush, a rename */
    free(old);
    free(new);
    tacos_learner_free(before);
    tacos_learner_free(after);
}

/* ---- a data set ---- */

static const CatalogSet toy_set = {.info = {.name = "toy", .about = "two files"}};
static const char OLD_TEXT[] = "something older";

static void path_of(char path[160], const Folder *folder, const char *name) {
    (void)snprintf(path, 160, "%s/%s", folder->path, name);
}

static void put(const Folder *folder, const char *name, const char *text) {
    char path[160];
    path_of(path, folder, name);
    write_bytes(path, text, strlen(text));
}

/* Each file is the old one or the new one. */
static void assert_old_or_new(const Folder *folder, const char *name, const char *new,
                              bool all_new) {
    char path[160];
    size_t n;
    path_of(path, folder, name);
    char *now = read_bytes(path, &n);
    if (strcmp(now, new) != 0 && (all_new || strcmp(now, OLD_TEXT) != 0))
        fail_msg("%s holds '%s'", name, now);
    free(now);
}

static void a_data_set_is_installed_whole_or_not(void **state) {
    const Folder *folder = *state;
    static const char *const texts[] = {"the images", "the labels"};
    char from[160], target[160], hex[2][SHA256_HEX_SIZE];
    size_t n_calls = 0;
    for (size_t k = 0; k < 2; k++)
        sha256_bytes(texts[k], strlen(texts[k]), hex[k]);
    const CatalogEntry entries[] = {{"toy", "images", "only", SUM_OF_CONTENT, hex[0]},
                                    {"toy", "labels", "only", SUM_OF_CONTENT, hex[1]}};
    const Catalog catalog = {&toy_set, 1, entries, 2};
    path_of(from, folder, "from");
    path_of(target, folder, "toy");
    assert_int_equal(mkdir(from, 0777) | mkdir(target, 0777), 0);
    put(folder, "from/images", texts[0]);
    put(folder, "from/labels", texts[1]);
    for (size_t f = 0; f < N_FAULTS; f++) {
        bool failed = true;
        for (size_t n = 1; failed; n++) {
            tacos_error err = {0};
            put(folder, "toy/images", OLD_TEXT);
            put(folder, "toy/labels", OLD_TEXT);
            disk_begin(&faults[f], n);
            tacos_status status = catalog_install(&catalog, "toy", from, folder->path, &err);
            failed = disk_end();
            if (status != TACOS_OK) {
                assert_int_equal(status, TACOS_IO);
                assert_says(err, strerror(faults[f].number));
            }
            assert_old_or_new(folder, "toy/images", texts[0], status == TACOS_OK);
            assert_old_or_new(folder, "toy/labels", texts[1], status == TACOS_OK);
            assert_int_equal(folder_count(target), 2);
            n_calls = n;
        }
    }
    assert_true(n_calls > 6);
}

/* ---- an experiment's folder ---- */

static tacos_status run_into(const Folder *folder, const char *out, double *ma, tacos_error *err) {
    static const char *const keys[][2] = {{"dataset", "tiny"},       {"tasks", "0-1,2-3"},
                                          {"samples_per_task", "2"}, {"test_samples_per_task", "2"},
                                          {"hidden", "6"},           {"steps", "20"}};
    static const uint32_t seeds[] = {1, 2};
    tacos_run_options how = {
        .data_dir = folder->path, .out_dir = out, .seeds = seeds, .n_seeds = 2, .n_jobs = 1};
    tacos_experiment *experiment;
    tacos_results *results;
    tacos_summary summary;
    assert_int_equal(tacos_experiment_open(&experiment, "demo", err), TACOS_OK);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        assert_int_equal(tacos_experiment_set(experiment, keys[k][0], keys[k][1], err), TACOS_OK);
    tacos_status status = tacos_experiment_run(experiment, &how, &results, err);
    if (status == TACOS_OK) {
        assert_int_equal(tacos_results_count(results), 2);
        assert_int_equal(tacos_results_summary(results, "MA", &summary, err), TACOS_OK);
        *ma = summary.mean;
    }
    tacos_results_free(results);
    tacos_experiment_free(experiment);
    return status;
}

static void put_data(const Folder *folder) {
    static const char lines[] = "0,255,0,0,0\n1,0,255,0,0\n2,0,0,255,0\n3,0,0,0,255\n";
    char path[160];
    path_of(path, folder, "tiny");
    assert_int_equal(mkdir(path, 0777), 0);
    put(folder, "tiny/train.csv", lines);
    put(folder, "tiny/test.csv", lines);
}

/* Whatever was left behind, the same command then makes the same results. */
static void an_experiment_goes_on_after_a_bad_disk(void **state) {
    const Folder *folder = *state;
    tacos_error err = {0};
    double wanted = 0, ma = 0;
    size_t n_calls = 0;
    put_data(folder);
    assert_succeeds(run_into(folder, NULL, &wanted, &err));
    for (size_t f = 0; f < N_FAULTS; f++) {
        bool failed = true;
        for (size_t n = 1; failed; n += every) {
            remove_all(folder->file);
            err = (tacos_error){0};
            disk_begin(&faults[f], n);
            tacos_status status = run_into(folder, folder->file, &ma, &err);
            failed = disk_end();
            if (status != TACOS_OK && (status != err.status || !err.text[0]))
                fail_msg("call %zu, %s: no sentence", n, faults[f].name);
            if (status != TACOS_OK && status != TACOS_IO)
                fail_msg("call %zu, %s: %s: %s", n, faults[f].name, tacos_status_text(status),
                         err.text);
            assert_succeeds(run_into(folder, folder->file, &ma, &err));
            assert_true(ma == wanted);
            n_calls = n;
        }
    }
    printf("an experiment: %zu calls\n", n_calls);
    assert_true(n_calls > 20);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_learner_is_saved_whole_or_not),
        IN_FOLDER(a_data_set_is_installed_whole_or_not),
        IN_FOLDER(an_experiment_goes_on_after_a_bad_disk),
    };
    if (argc > 1 && !getenv("TACOS_TEST_ALL"))
        every = strtoul(argv[1], NULL, 10);
    int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    if (disk_careless > 0)
        printf("%zu files were renamed before they were flushed\n", (size_t)disk_careless);
    return n_failed || disk_careless > 0;
}
