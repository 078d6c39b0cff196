/* test_no_memory.c - memory runs out at the n-th allocation, for every n: a status and a sentence,
 * nothing made, nothing lost, what was on disk still whole, and all well once there is memory
 * again. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "scarce.h"

#include "folder.h"
#include "heap.h"

#include "base/status.h"

/* Of an experiment's allocations, which are many: every so-manieth fails. */
static size_t every = 1;

/* ---- a learner's life ---- */

static const char LIFE[] = "inputs = 12\nhidden = 6\noutputs = 2\nsteps = 20\ninit_w = 3\n";
static const float BRIGHT[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

typedef struct Life {
    tacos_config *config;
    tacos_learner *learner, *loaded;
} Life;

static tacos_status live(Life *life, const char *path, tacos_error *err) {
    tacos_prediction answer;
    TRY(tacos_config_new(&life->config, err));
    TRY(tacos_config_parse(life->config, LIFE, "life", err));
    TRY(tacos_learner_new(&life->learner, life->config, 1, NULL, err));
    tacos_learner_set_threads(life->learner, 2); /* does with fewer */
    for (size_t k = 0; k < 4; k++)
        TRY(tacos_learner_learn(life->learner, BRIGHT, 12, k % 2, err));
    TRY(tacos_learner_save(life->learner, path, err));
    TRY(tacos_learner_load(&life->loaded, path, NULL, err));
    return tacos_learner_predict(life->loaded, BRIGHT, 12, 0, &answer, err);
}

static tacos_status live_once(const Folder *folder, tacos_error *err) {
    Life life = {0};
    tacos_status status = live(&life, folder->file, err);
    tacos_learner_free(life.loaded);
    tacos_learner_free(life.learner);
    tacos_config_free(life.config);
    return status;
}

/* ---- an experiment ---- */

static const char *const TINY_KEYS[][2] = {
    {"tasks", "0-1,2-3"}, {"samples_per_task", "2"}, {"test_samples_per_task", "2"},
    {"hidden", "6"},      {"steps", "20"},           {"measure", "all"}};

/* Images of four pixels: the built-in ones take longer to make than all the rest. */
static void put_data(const Folder *folder) {
    static const char lines[] = "0,255,0,0,0\n1,0,255,0,0\n2,0,0,255,0\n3,0,0,0,255\n";
    static const char *const names[] = {"", "/train.csv", "/test.csv"};
    char path[160];
    for (size_t k = 0; k < 3; k++) {
        (void)snprintf(path, sizeof path, "%s/tiny%s", folder->path, names[k]);
        if (k == 0)
            assert_int_equal(mkdir(path, 0777), 0);
        else
            write_bytes(path, lines, sizeof lines - 1);
    }
}

static tacos_status set_all(tacos_experiment *experiment, const char *dataset, tacos_error *err) {
    for (size_t k = 0; k < sizeof TINY_KEYS / sizeof *TINY_KEYS; k++)
        TRY(tacos_experiment_set(experiment, TINY_KEYS[k][0], TINY_KEYS[k][1], err));
    return tacos_experiment_set(experiment, "dataset", dataset, err);
}

static tacos_status run_experiment_on(const char *dataset, const Folder *folder,
                                      const char *out_dir, tacos_error *err) {
    static const uint32_t seed = 1;
    tacos_run_options how = {
        .data_dir = folder->path, .out_dir = out_dir, .seeds = &seed, .n_seeds = 1, .n_jobs = 1};
    tacos_experiment *experiment = NULL;
    tacos_results *results = NULL;
    tacos_summary summary;
    tacos_status status = tacos_experiment_open(&experiment, "demo", err);
    if (status == TACOS_OK)
        status = set_all(experiment, dataset, err);
    if (status == TACOS_OK)
        status = tacos_experiment_run(experiment, &how, &results, err);
    assert_int_equal(status == TACOS_OK, results != NULL);
    if (status == TACOS_OK)
        status = tacos_results_summary(results, "MA", &summary, err);
    tacos_results_free(results);
    tacos_experiment_free(experiment);
    return status;
}

static tacos_status run_tiny(const Folder *folder, tacos_error *err) {
    return run_experiment_on("tiny", folder, NULL, err);
}

static tacos_status run_glyphs(const Folder *folder, tacos_error *err) {
    return run_experiment_on("glyphs", folder, NULL, err);
}

static tacos_status run_into_folder(const Folder *folder, tacos_error *err) {
    return run_experiment_on("tiny", folder, folder->file, err);
}

/* ---- memory runs out ---- */

typedef tacos_status Deed(const Folder *folder, tacos_error *err);

/* Whether it ran out. If so the deed failed cleanly, or could do without. */
static bool try_with(Deed *deed, const Folder *folder, size_t fail_at, bool all) {
    tacos_error err = {0};
    long before = atomic_load(&scarce.live);
    scarce_begin(fail_at, all);
    tacos_status status = deed(folder, &err);
    bool ran_out = scarce_end();
    long lost = atomic_load(&scarce.live) - before;
    if (status != TACOS_OK && (!ran_out || err.status != status || !err.text[0]))
        fail_msg("allocation %zu: status %d, '%s'", fail_at, (int)status, err.text);
    if (status != TACOS_OK && status != TACOS_MEMORY)
        fail_msg("allocation %zu: %s: %s", fail_at, tacos_status_text(status), err.text);
    if (lost > 0)
        fail_msg("allocation %zu: %ld blocks lost (%s)", fail_at, lost, err.text);
    return ran_out;
}

/* Every step-th allocation fails, alone or with all after it in turns; returns how many there are.
 */
static size_t try_every(Deed *deed, const Folder *folder, size_t step) {
    tacos_error err;
    size_t n = 1;
    for (int k = 0; k < 2; k++) /* what libraries allocate once and for all */
        assert_succeeds(deed(folder, &err));
    while (try_with(deed, folder, n, false) && try_with(deed, folder, n, true))
        n += step;
    return n;
}

static void a_learner_without_memory(void **state) {
    const Folder *folder = *state;
    size_t n = try_every(live_once, folder, 1);
    printf("a learner's life: %zu allocations\n", n);
    assert_true(n >= 6);
    assert_int_equal(folder_count(folder->path), 1); /* the file, and nothing beside it */
}

static void an_experiment_without_memory(void **state) {
    const Folder *folder = *state;
    put_data(folder);
    size_t n = try_every(run_tiny, folder, every);
    printf("an experiment: %zu allocations\n", n);
    assert_true(n >= 500);
    assert_true(try_every(run_glyphs, folder, 400) >= 500);
}

static void a_folder_of_results_without_memory(void **state) {
    const Folder *folder = *state;
    tacos_error err;
    put_data(folder);
    for (size_t n = 1, more = 1; more; n += 20 * every) {
        remove_all(folder->file);
        more = try_with(run_into_folder, folder, n, n / every % 2);
        assert_succeeds(run_into_folder(folder, &err)); /* it goes on from whatever is there */
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_learner_without_memory),
        IN_FOLDER(an_experiment_without_memory),
        IN_FOLDER(a_folder_of_results_without_memory),
    };
    if (argc > 1)
        every = strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
