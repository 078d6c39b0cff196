/* test_no_memory.c - memory runs out at the n-th allocation, for every n: a status and a sentence,
 * nothing made, nothing lost, what was on disk still whole, and all well once there is memory
 * again. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "scarce.h"

#include "folder.h"
#include "heap.h"

#include "base/little_endian.h"
#include "base/pack.h"
#include "base/status.h"

#include "classifier_box.h"
#include "tone.h"

/* Of an experiment's allocations, which are many: one in so many fails. */
static size_t every = 1;

/* ---- a learner's life ---- */

static const char LIFE[] = "inputs = 12\nhidden = 6\noutputs = 2\nsteps = 20\ninit_w = 3\n";
static const char COLUMNS[] = "model = columns\ninputs = 12\noutputs = 2\ncolumn_units = 30\n";
static const float BRIGHT[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static const float HALF_BRIGHT[12] = {1, 1, 1, 1, 1, 1};

typedef struct Life {
    tacos_config *config;
    tacos_learner *learner, *loaded;
} Life;

static tacos_status live(Life *life, const char *text, const char *path, tacos_error *err) {
    tacos_prediction answer;
    TRY(tacos_config_new(&life->config, err));
    TRY(tacos_config_parse(life->config, text, "life", err));
    TRY(tacos_learner_new(&life->learner, life->config, 1, NULL, err));
    tacos_learner_set_threads(life->learner, 2); /* does with fewer */
    for (size_t k = 0; k < 4; k++)
        TRY(tacos_learner_learn(life->learner, BRIGHT, 12, k % 2, err));
    TRY(tacos_learner_save(life->learner, path, err));
    TRY(tacos_learner_load(&life->loaded, path, NULL, err));
    return tacos_learner_predict(life->loaded, BRIGHT, 12, 0, &answer, err);
}

static tacos_status live_as(const char *text, const Folder *folder, tacos_error *err) {
    Life life = {0};
    tacos_status status = live(&life, text, folder->file, err);
    tacos_learner_free(life.loaded);
    tacos_learner_free(life.learner);
    tacos_config_free(life.config);
    return status;
}

static tacos_status live_once(const Folder *folder, tacos_error *err) {
    return live_as(LIFE, folder, err);
}

static tacos_status live_as_columns(const Folder *folder, tacos_error *err) {
    return live_as(COLUMNS, folder, err);
}

/* ---- learners that are merged ---- */

static tacos_status merge_two(tacos_learner *parts[3], tacos_error *err) {
    tacos_config *config;
    TRY(tacos_config_new(&config, err));
    tacos_status status = tacos_config_parse(config, COLUMNS, "columns", err);
    for (size_t k = 0; k < 2 && status == TACOS_OK; k++) {
        status = tacos_learner_new(&parts[k], config, 1, NULL, err);
        if (status == TACOS_OK)
            status = tacos_learner_learn(parts[k], HALF_BRIGHT, 12, k, err);
    }
    tacos_config_free(config);
    if (status != TACOS_OK)
        return status;
    return tacos_learner_merge(&parts[2], (const tacos_learner *const *)parts, 2, NULL, NULL, err);
}

static tacos_status merge_once(const Folder *folder, tacos_error *err) {
    tacos_learner *parts[3] = {NULL};
    (void)folder;
    tacos_status status = merge_two(parts, err);
    for (size_t k = 0; k < 3; k++)
        tacos_learner_free(parts[k]);
    return status;
}

/* ---- an evaluation ---- */

typedef struct Saved {
    unsigned char bytes[1 << 13];
    size_t n, taken;
} Saved;

static int save_some(void *user, const void *bytes, size_t n) {
    Saved *saved = user;
    memcpy(saved->bytes + saved->n, bytes, n);
    saved->n += n;
    return 0;
}

static int load_some(void *user, void *bytes, size_t n) {
    Saved *saved = user;
    memcpy(bytes, saved->bytes + saved->taken, n);
    saved->taken += n;
    return 0;
}

/* Labels appear, so that there must be room for them. */
static tacos_status evaluate(tacos_evaluation *parts[2], char **text, tacos_error *err) {
    Saved saved = {.n = 0};
    size_t n;
    TRY(tacos_evaluation_new(&parts[0], NULL, err));
    for (size_t k = 0; k < 40; k++)
        TRY(tacos_evaluation_add(parts[0], k, (int)k / 2, 0, err));
    TRY(tacos_evaluation_save_to(parts[0], save_some, &saved, err));
    TRY(tacos_evaluation_load_from(&parts[1], load_some, &saved, err));
    return tacos_evaluation_json(parts[1], NULL, text, &n, err);
}

static tacos_status evaluate_once(const Folder *folder, tacos_error *err) {
    tacos_evaluation *parts[2] = {NULL};
    char *text = NULL;
    (void)folder;
    tacos_status status = evaluate(parts, &text, err);
    assert_int_equal(status == TACOS_OK, text != NULL);
    tacos_evaluation_json_free(text);
    tacos_evaluation_free(parts[0]);
    tacos_evaluation_free(parts[1]);
    return status;
}

/* ---- a classifier ---- */

/* New labels, categories and kinds in the warm-up and after it. If a sample cannot be learned the
 * classifier is as it was, and learns it once there is memory. */
static tacos_status stream_through(tacos_classifier *c, tacos_error *err) {
    for (uint32_t k = 0; k < 90; k++) {
        BoxSample box;
        box_sample(&box, k);
        size_t fail_at = atomic_exchange(&scarce.fail_at, 0);
        uint32_t digest = tacos_classifier_digest(c);
        atomic_store(&scarce.fail_at, fail_at);
        tacos_status status = tacos_classifier_next(c, &box.sample, box.label, NULL, err);
        if (status == TACOS_OK)
            continue;
        atomic_store(&scarce.fail_at, 0);
        assert_int_equal(tacos_classifier_digest(c), digest);
        box_learn(c, k, 90);
        atomic_store(&scarce.fail_at, fail_at);
        return status;
    }
    return TACOS_OK;
}

static tacos_status stream_and_save(tacos_classifier *parts[2], BoxTape *tape, tacos_error *err) {
    static const char *const names[] = {"one", "two", "three", "four"};
    static uint32_t digest; /* of the first, undisturbed stream */
    TRY(tacos_classifier_new(&parts[0], "small", 1, err));
    TRY(tacos_classifier_set(parts[0], "column_memory_kb", "10", err));
    TRY(tacos_classifier_set(parts[0], "encoder_trends", "5,9", err));
    TRY(tacos_classifier_set(parts[0], "warm_up", "20", err));
    TRY(tacos_classifier_set_features(parts[0], names, 4, err));
    tacos_status status = stream_through(parts[0], err);
    size_t fail_at = atomic_exchange(&scarce.fail_at, 0);
    digest = digest ? digest : tacos_classifier_digest(parts[0]);
    assert_int_equal(tacos_classifier_digest(parts[0]), digest);
    atomic_store(&scarce.fail_at, fail_at);
    TRY(status);
    TRY(tacos_classifier_save_to(parts[0], box_write, tape, err));
    return tacos_classifier_load_from(&parts[1], box_read, tape, err);
}

static void tone_path(const Folder *folder, char path[128]) {
    (void)snprintf(path, 128, "%s/tone.wav", folder->path);
}

/* The first sound decides that samples are sounds. */
static tacos_status hear_sounds(tacos_classifier *c, const Folder *folder, tacos_error *err) {
    const double none = 0;
    char path[128];
    const char *const text = path;
    tone_path(folder, path);
    for (int k = 0; k < 3; k++)
        TRY(tacos_classifier_next(c, &(tacos_sample){&none, &text, 1}, "a", NULL, err));
    return TACOS_OK;
}

static tacos_status hear_once(const Folder *folder, tacos_error *err) {
    tacos_classifier *c;
    TRY(tacos_classifier_new(&c, "small", 1, err));
    tacos_status status = hear_sounds(c, folder, err);
    tacos_classifier_free(c);
    return status;
}

static tacos_status classify_once(const Folder *folder, tacos_error *err) {
    static uint8_t room[1 << 16];
    BoxTape tape = {.bytes = room, .room = sizeof room};
    tacos_classifier *parts[2] = {NULL};
    (void)folder;
    tacos_status status = stream_and_save(parts, &tape, err);
    tacos_classifier_free(parts[0]);
    tacos_classifier_free(parts[1]);
    return status;
}

/* ---- an experiment ---- */

static const char *const TINY_KEYS[][2] = {
    {"tasks", "0-1,2-3"}, {"samples_per_task", "2"}, {"test_samples_per_task", "2"},
    {"hidden", "6"},      {"steps", "20"},           {"measure", "all"},
    {"curve_points", "2"}};

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

static tacos_status run_experiment_on(const char *dataset, const char *model, const Folder *folder,
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
    if (status == TACOS_OK && model)
        status = tacos_experiment_set(experiment, "measure", "none", err);
    if (status == TACOS_OK && model)
        status = tacos_experiment_set(experiment, "model", model, err);
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
    return run_experiment_on("tiny", NULL, folder, NULL, err);
}

static tacos_status run_glyphs(const Folder *folder, tacos_error *err) {
    return run_experiment_on("glyphs", NULL, folder, NULL, err);
}

static tacos_status run_into_folder(const Folder *folder, tacos_error *err) {
    return run_experiment_on("tiny", NULL, folder, folder->file, err);
}

static tacos_status run_columns(const Folder *folder, tacos_error *err) {
    return run_experiment_on("tiny", "columns", folder, NULL, err);
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
    assert_true(try_every(live_as_columns, folder, 1) >= 6);
    assert_int_equal(folder_count(folder->path), 1); /* the file, and nothing beside it */
}

static void a_merge_without_memory(void **state) {
    size_t n = try_every(merge_once, *state, 1);
    assert_true(n >= 6); /* a configuration, three learners, and what merging needs */
}

static void an_evaluation_without_memory(void **state) {
    size_t n = try_every(evaluate_once, *state, 1);
    assert_true(n >= 10); /* two evaluations with room for labels, twice more, and JSON */
}

static void a_classifier_without_memory(void **state) {
    size_t n = try_every(classify_once, *state, 1);
    printf("a classifier's life: %zu allocations\n", n);
    assert_true(n >= 60);
}

static void sounds_without_memory(void **state) {
    char path[128];
    tone_path(*state, path);
    assert_true(tone_write(path, 300, 600));
    assert_true(try_every(hear_once, *state, 1) >= 30);
}

/* A file that names more features, labels or a larger learner than it has bytes for. */
static void few_bytes_ask_for_little(void **state) {
    enum { BEFORE_TEXT = 17, COUNTS = 20, MOST = 1 << 18 };
    tacos_classifier *c = classifier_of(NULL, NULL), *is;
    BoxTape tape = {0};
    tacos_error err;
    (void)state;
    box_save(c, &tape);
    size_t begin = BEFORE_TEXT + (size_t)little_endian_get(tape.bytes + 13, 4) + 4;
    little_endian_put(tape.bytes + begin + COUNTS, 1000000, 4); /* features */
    atomic_store(&scarce.largest, 0);
    assert_fails(tacos_classifier_load_from(&is, box_read, &tape, &err), TACOS_CHECKSUM);
    assert_true(atomic_load(&scarce.largest) < MOST);
    tacos_classifier_free(c);
    c = classifier_of(NULL, (const char *[]){"column_memory_kb", "30000", NULL});
    box_learn(c, 0, 3);
    box_save(c, &tape);
    assert_true(tape.n > 20000000);
    tape.n = 30000; /* the learner begins, and ends too soon */
    atomic_store(&scarce.largest, 0);
    assert_fails(tacos_classifier_load_from(&is, box_read, &tape, &err), TACOS_FORMAT);
    assert_true(atomic_load(&scarce.largest) < MOST);
    tacos_classifier_free(c);
    free(tape.bytes);
}

static void an_experiment_without_memory(void **state) {
    const Folder *folder = *state;
    put_data(folder);
    size_t n = try_every(run_tiny, folder, every);
    printf("an experiment: %zu allocations\n", n);
    assert_true(n >= 500);
    assert_true(try_every(run_glyphs, folder, 400) >= 500);
    assert_true(try_every(run_columns, folder, 10 * every) >= 500);
}

static void a_folder_of_results_without_memory(void **state) {
    const Folder *folder = *state;
    tacos_error err;
    put_data(folder);
    for (size_t n = 1, more = 1; more; n += 20 * every) {
        remove_all(folder->file);
        more = try_with(run_into_folder, folder, n, n / (20 * every) % 2);
        assert_succeeds(run_into_folder(folder, &err)); /* it goes on from whatever is there */
    }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_learner_without_memory),     IN_FOLDER(a_merge_without_memory),
        IN_FOLDER(an_evaluation_without_memory), IN_FOLDER(a_classifier_without_memory),
        IN_FOLDER(sounds_without_memory),        IN_FOLDER(few_bytes_ask_for_little),
        IN_FOLDER(an_experiment_without_memory), IN_FOLDER(a_folder_of_results_without_memory),
    };
    if (argc > 1 && !getenv("TACOS_TEST_ALL"))
        every = strtoul(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
