/* test_checkpoint.c - a run that is killed, again and again, ends as if nothing had been. */
#include "folder.h"

#include <signal.h>
#include <sys/wait.h>
#include <zlib.h>

/* A moment's work, with everything that a run may carry along. */
#define TASKS                                                                                      \
    "dataset = glyphs\ntasks = 0-1,2-3,4-5\nsamples_per_task = 150\ntest_samples_per_task = 40\n"
#define SMALL                                                                                      \
    TASKS "hidden = 30\nsteps = 60\nmeasure = all\nrehearsal_every = 40\nrehearsal_means = 2\n"    \
          "release_error_hz = 50\ntend_every = 20\n"

/* Soon full, so that units are recycled. */
#define COLUMNS TASKS "model = columns\ncolumn_units = 60\ncolumn_match = 0.9\n"

/* Three tasks are scored before the first and after each. */
enum { SCORED = 3 * 40, SAMPLES = 3 * 150 + 4 * SCORED };

static tacos_experiment *open_text(const Folder *folder, const char *text) {
    char path[128];
    tacos_experiment *experiment;
    tacos_error err;
    (void)snprintf(path, sizeof path, "%s/small.conf", folder->path);
    write_bytes(path, text, strlen(text));
    assert_succeeds(tacos_experiment_open(&experiment, path, &err));
    return experiment;
}

static tacos_experiment *open_small(const Folder *folder, const char *more) {
    char text[512];
    (void)snprintf(text, sizeof text, "%s%s", SMALL, more);
    return open_text(folder, text);
}

typedef struct Place {
    char out[96], checkpoint[128], model[128], results[128];
} Place;

static Place place(const Folder *folder, const char *name) {
    Place place;
    (void)snprintf(place.out, sizeof place.out, "%s/%s", folder->path, name);
    (void)snprintf(place.checkpoint, sizeof place.checkpoint, "%s/run-3.checkpoint", place.out);
    (void)snprintf(place.model, sizeof place.model, "%s/model-3.tacos", place.out);
    (void)snprintf(place.results, sizeof place.results, "%s/accuracy.csv", place.out);
    return place;
}

/* Seed 3, with a checkpoint every few samples. */
static tacos_status go(const tacos_experiment *experiment, const Place *where, uint64_t every,
                       int (*progress)(void *, const tacos_progress *), void *user,
                       tacos_error *err) {
    static const uint32_t seed = 3;
    tacos_run_options how = {.out_dir = where->out,
                             .checkpoint_every = every,
                             .seeds = &seed,
                             .n_seeds = 1,
                             .n_jobs = 1,
                             .progress = progress,
                             .user = user};
    tacos_results *results;
    tacos_status status = tacos_experiment_run(experiment, &how, &results, err);
    tacos_results_free(results);
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

/* All numbers of results.json before the seconds that they took. */
static void assert_same_run(const Place *a, const Place *b) {
    char path_a[128], path_b[128];
    size_t n_a, n_b;
    assert_same_file(a->model, b->model);
    assert_same_file(a->results, b->results);
    (void)snprintf(path_a, sizeof path_a, "%s/results.json", a->out);
    (void)snprintf(path_b, sizeof path_b, "%s/results.json", b->out);
    char *json_a = read_bytes(path_a, &n_a), *json_b = read_bytes(path_b, &n_b);
    char *end_a = strstr(json_a, "\"seconds\""), *end_b = strstr(json_b, "\"seconds\"");
    assert_true(end_a && end_b && end_a - json_a == end_b - json_b);
    assert_memory_equal(json_a, json_b, (size_t)(end_a - json_a));
    free(json_a);
    free(json_b);
}

/* ---- killed ---- */

/* When a child dies: once so many samples are done, by its own hand and between two of them; or
 * whenever the signal reaches it after that. */
typedef struct Fate {
    uint64_t after;
    bool at_once;
    int tell; /* a pipe to who sends the signal */
} Fate;

static int meet(void *user, const tacos_progress *progress) {
    const Fate *fate = user;
    if (progress->done < fate->after)
        return 0;
    if (fate->at_once)
        (void)raise(SIGKILL);
    return write(fate->tell, "!", 1) < 0;
}

/* True if the child came to its end before its fate. */
static bool child_ends(const tacos_experiment *experiment, const Place *where, uint64_t every,
                       Fate *fate) {
    int status, pipes[2];
    char byte;
    assert_int_equal(pipe(pipes), 0);
    fate->tell = pipes[1];
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(go(experiment, where, every, meet, fate, NULL) == TACOS_OK ? 0 : 1);
    (void)close(pipes[1]);
    if (fate->after > 0)
        (void)!read(pipes[0], &byte, 1); /* or the end of the child */
    if (!fate->at_once)
        (void)kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    (void)close(pipes[0]);
    assert_true(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    return WIFEXITED(status);
}

static void has_measures(const Place *where) {
    char path[128];
    size_t n;
    (void)snprintf(path, sizeof path, "%s/results.json", where->out);
    char *json = read_bytes(path, &n);
    assert_non_null(strstr(json, "\"measures\""));
    free(json);
}

/* More of them take a while. */
static size_t kills_wanted(void) {
    return getenv("TACOS_TEST_ALL") ? 220 : 40;
}

/* Of every five, two die between two samples, two in the midst of something, one while it opens its
 * files. */
static Place kill_often(const Folder *folder, const tacos_experiment *experiment, size_t wanted,
                        uint32_t game) {
    Place undisturbed = place(folder, "a"), killed = place(folder, "b");
    Dice dice = {.game = game};
    tacos_error err;
    size_t n_kills = 0, n_ends = 0;
    assert_succeeds(go(experiment, &undisturbed, 0, NULL, NULL, &err));
    assert_false(exists(undisturbed.checkpoint));
    for (size_t k = 0; n_kills < wanted; k++) {
        uint64_t every = 1 + roll_word(&dice) % 20;
        Fate fate = {.at_once = k % 5 < 2};
        uint64_t latest = fate.at_once ? SAMPLES : SAMPLES * 5 / 4; /* some come to their end */
        if (k % 5 < 4)
            fate.after = SCORED + every + roll_word(&dice) % (latest - SCORED - every);
        bool complete = exists(killed.model); /* the signal came after the last sample */
        bool ended = child_ends(experiment, &killed, every, &fate);
        n_kills += !ended;
        n_ends += ended;
        if (fate.at_once && !complete)
            assert_true(!ended && exists(killed.checkpoint));
        if (ended) {
            assert_same_run(&undisturbed, &killed);
            assert_false(exists(killed.checkpoint));
            remove_all(killed.out);
        }
    }
    assert_succeeds(go(experiment, &killed, 5, NULL, NULL, &err));
    assert_same_run(&undisturbed, &killed);
    printf("%zu kills, %zu runs to the end\n", n_kills, n_ends);
    return undisturbed;
}

static void killed_at_any_moment_it_ends_the_same(void **state) {
    tacos_experiment *experiment = open_small(*state, "curve_points = 13\n");
    Place undisturbed = kill_often(*state, experiment, kills_wanted(), 1);
    has_measures(&undisturbed);
    tacos_experiment_free(experiment);
}

static void killed_columns_end_the_same(void **state) {
    static const char *const texts[] = {COLUMNS, COLUMNS
                                        "column_input = spikes\nsteps = 30\ncurve_points = 100\n"};
    for (uint32_t i = 0; i < 2; i++) {
        tacos_experiment *experiment = open_text(*state, texts[i]);
        Place undisturbed = kill_often(*state, experiment, kills_wanted() / 4, 2 + i);
        remove_all(undisturbed.out);
        remove_all(place(*state, "b").out);
        tacos_experiment_free(experiment);
    }
}

/* ---- what else may be there ---- */

static int stop_early(void *user, const tacos_progress *progress) {
    const uint64_t *samples = user;
    return progress->done >= *samples;
}

/* A run that was stopped when it had learned three samples, with a checkpoint of each. */
static tacos_experiment *stopped(const Folder *folder, Place *where, const char *text) {
    tacos_experiment *experiment = open_text(folder, text);
    tacos_error err;
    uint64_t samples = SCORED + 3;
    *where = place(folder, "c");
    assert_fails(go(experiment, where, 1, stop_early, &samples, &err), TACOS_INTERRUPTED);
    assert_true(exists(where->checkpoint));
    return experiment;
}

/* The first number above 0 is what the checkpoint has, and one more. */
static int note_first(void *user, const tacos_progress *progress) {
    uint64_t *first = user;
    if (*first == 0)
        *first = progress->done;
    return 0;
}

static void it_stops_within_a_sample(void **state) {
    Place where;
    tacos_experiment *experiment = stopped(*state, &where, SMALL);
    tacos_error err;
    uint64_t first = 0;
    assert_succeeds(go(experiment, &where, 1, note_first, &first, &err));
    assert_int_equal(first, SCORED + 3 + 1);
    tacos_experiment_free(experiment);
}

static void assert_damage_is_told(const Folder *folder, const char *text) {
    Place where;
    tacos_experiment *experiment = stopped(folder, &where, text);
    size_t n;
    char *bytes = read_bytes(where.checkpoint, &n);
    tacos_error err;
    for (size_t at = 0; at < n; at += 1 + at / 2) {
        bytes[at] ^= 4;
        write_bytes(where.checkpoint, bytes, n);
        bytes[at] ^= 4;
        assert_int_not_equal(go(experiment, &where, 1, NULL, NULL, &err), TACOS_OK);
        assert_says(err, "run-3.checkpoint");
    }
    for (size_t at = 0; at < n; at += 1 + at / 2) {
        write_bytes(where.checkpoint, bytes, at);
        assert_int_not_equal(go(experiment, &where, 1, NULL, NULL, &err), TACOS_OK);
        assert_says(err, "run-3.checkpoint");
    }
    bytes[8] = 9; /* the version */
    write_bytes(where.checkpoint, bytes, n);
    assert_fails(go(experiment, &where, 1, NULL, NULL, &err), TACOS_VERSION);
    assert_says(err, "has format version 9; this program reads up to 2");
    free(bytes);
    tacos_experiment_free(experiment);
}

/* The sections of a checkpoint behind the owner's: docs/checkpoint.md. */
enum {
    OWNER = 8 + 4 + 64 + 4 + 4 + 4,
    PROGRESS = OWNER + 4,
    N_TASKS = 3,
    LABELS = 10,
    ANSWERS = 3
};

static uint64_t whole_at(const char *bytes, size_t at) {
    uint64_t value = 0;
    for (size_t k = 8; k-- > 0;)
        value = value << 8 | (unsigned char)bytes[at + k];
    return value;
}

static void put_crc(char *bytes, size_t from, size_t to) {
    uLong crc = crc32(0, (const Bytef *)bytes + from, (uInt)(to - from));
    for (size_t k = 0; k < 4; k++)
        bytes[to + k] = (char)(crc >> 8 * k & 0xff);
}

/* As version 1 wrote it, without counts of answers. */
static void make_it_version_1(const char *path) {
    size_t n, numbers = PROGRESS + 2 * 8 + 2 * 8 + 8 * (N_TASKS + N_TASKS * N_TASKS + N_TASKS);
    char *bytes = read_bytes(path, &n);
    size_t counts = 4 * LABELS * ANSWERS * (size_t)whole_at(bytes, PROGRESS);
    assert_true(bytes[8] == 2 && numbers + counts + 4 < n);
    memmove(bytes + numbers, bytes + numbers + counts, n - numbers - counts);
    bytes[8] = 1;
    put_crc(bytes, 0, OWNER);
    put_crc(bytes, PROGRESS, numbers);
    write_bytes(path, bytes, n - counts);
    free(bytes);
}

/* The run ends as if never stopped; only what its classes were taken for is not known. */
static void a_checkpoint_of_version_1_is_resumed(void **state) {
    const Folder *folder = *state;
    Place where, straight = place(folder, "straight");
    char path[128];
    size_t n;
    tacos_error err;
    tacos_experiment *experiment = stopped(folder, &where, SMALL);
    make_it_version_1(where.checkpoint);
    assert_succeeds(go(experiment, &where, 1, NULL, NULL, &err));
    assert_succeeds(go(experiment, &straight, 0, NULL, NULL, &err));
    assert_same_file(where.model, straight.model);
    assert_same_file(where.results, straight.results);
    (void)snprintf(path, sizeof path, "%s/results.json", where.out);
    char *json = read_bytes(path, &n);
    assert_null(strstr(json, "\"answers\""));
    free(json);
    (void)snprintf(path, sizeof path, "%s/results.json", straight.out);
    json = read_bytes(path, &n);
    assert_non_null(strstr(json, "\"answers\""));
    free(json);
    tacos_experiment_free(experiment);
}

static void damage_is_told(void **state) {
    assert_damage_is_told(*state, SMALL);
    remove_all(place(*state, "c").out);
    assert_damage_is_told(*state, COLUMNS);
}

static void of_another_configuration_it_is_left_alone(void **state) {
    const Folder *folder = *state;
    Place where, fresh = place(folder, "a"), other = place(folder, "b");
    tacos_experiment *experiment = stopped(folder, &where, SMALL);
    tacos_experiment *another = open_small(folder, "m_max = 7\n");
    tacos_error err;
    size_t n;
    char *bytes = read_bytes(where.checkpoint, &n);
    assert_succeeds(go(another, &fresh, 0, NULL, NULL, &err));
    /* In place of its own. */
    uint64_t samples = SCORED + 3;
    assert_fails(go(another, &other, 1, stop_early, &samples, &err), TACOS_INTERRUPTED);
    assert_true(exists(other.checkpoint));
    write_bytes(other.checkpoint, bytes, n);
    assert_succeeds(go(another, &other, 10, NULL, NULL, &err));
    assert_same_run(&fresh, &other);
    free(bytes);
    tacos_experiment_free(experiment);
    tacos_experiment_free(another);
}

static void rivals_begin_anew(void **state) {
    const Folder *folder = *state;
    Place where = place(folder, "a");
    tacos_experiment *experiment = open_small(folder, "");
    tacos_error err;
    assert_succeeds(tacos_experiment_set(experiment, "model", "naive", &err));
    assert_succeeds(tacos_experiment_set(experiment, "measure", "none", &err));
    assert_succeeds(go(experiment, &where, 1, NULL, NULL, &err));
    assert_false(exists(where.checkpoint));
    assert_false(exists(where.model));
    tacos_experiment_free(experiment);
}

int main(void) {
    (void)setenv("TACOS_TEST_CLOCK", "1", 1); /* progress after every sample */
    const struct CMUnitTest tests[] = {
        IN_FOLDER(killed_at_any_moment_it_ends_the_same),
        IN_FOLDER(killed_columns_end_the_same),
        IN_FOLDER(it_stops_within_a_sample),
        IN_FOLDER(a_checkpoint_of_version_1_is_resumed),
        IN_FOLDER(damage_is_told),
        IN_FOLDER(of_another_configuration_it_is_left_alone),
        IN_FOLDER(rivals_begin_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
