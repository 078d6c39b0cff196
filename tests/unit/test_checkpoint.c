/* test_checkpoint.c - a run that is killed, again and again, ends as if nothing had been. */
#include "folder.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>

/* A moment's work, with everything that a run may carry along. */
#define SMALL                                                                                      \
    "dataset = glyphs\ntasks = 0-1,2-3,4-5\nhidden = 30\nsteps = 60\nsamples_per_task = 150\n"     \
    "test_samples_per_task = 40\nmeasure = all\n"                                                  \
    "rehearsal_every = 40\nrehearsal_means = 2\nrelease_error_hz = 50\ntend_every = 20\n"

static tacos_experiment *open_small(const Folder *folder, const char *more) {
    char path[128], text[512];
    tacos_experiment *experiment;
    tacos_error err;
    (void)snprintf(path, sizeof path, "%s/small.conf", folder->path);
    int n = snprintf(text, sizeof text, "%s%s", SMALL, more);
    write_bytes(path, text, (size_t)n);
    assert_succeeds(tacos_experiment_open(&experiment, path, &err));
    return experiment;
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
                       int (*progress)(void *, const tacos_progress *), tacos_error *err) {
    static const uint32_t seed = 3;
    tacos_run_options how = {.out_dir = where->out,
                             .checkpoint_every = every,
                             .seeds = &seed,
                             .n_seeds = 1,
                             .n_jobs = 1,
                             .progress = progress};
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
    assert_non_null(strstr(json_a, "\"measures\""));
    assert_true(end_a && end_b && end_a - json_a == end_b - json_b);
    assert_memory_equal(json_a, json_b, (size_t)(end_a - json_a));
    free(json_a);
    free(json_b);
}

/* ---- killed ---- */

static void rest(long microseconds) {
    struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
    (void)nanosleep(&time, NULL);
}

static int tell_of_work; /* a pipe: the child is at work */

static int say_at_work(void *user, const tacos_progress *progress) {
    (void)user;
    (void)progress;
    return write(tell_of_work, "!", 1) < 0;
}

/* A child that runs and is killed some time after it has begun to work, or before; true if it had
 * come to its end. */
static bool child_ends(const tacos_experiment *experiment, const Place *where, uint64_t every,
                       bool early, long microseconds) {
    int status, pipes[2];
    char byte;
    assert_int_equal(pipe(pipes), 0);
    tell_of_work = pipes[1];
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(go(experiment, where, every, say_at_work, NULL) == TACOS_OK ? 0 : 1);
    (void)close(pipes[1]);
    if (!early)
        (void)!read(pipes[0], &byte, 1);
    rest(microseconds);
    (void)kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    (void)close(pipes[0]);
    assert_true(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    return WIFEXITED(status);
}

/* How long the work of a run takes, by its own account. */
static double work_us(const Place *where) {
    char path[128];
    size_t n;
    double train = 0, test = 0;
    (void)snprintf(path, sizeof path, "%s/results.json", where->out);
    char *json = read_bytes(path, &n), *seconds = strstr(json, "\"seconds\"");
    assert_non_null(seconds);
    assert_int_equal(sscanf(seconds, "\"seconds\": { \"train\": %lf, \"test\": %lf", &train, &test),
                     2);
    free(json);
    return (train + test) * 1e6;
}

/* So many as the environment says: it takes a while. */
static size_t kills_wanted(void) {
    const char *n = getenv("TACOS_TEST_KILLS");
    return n ? strtoul(n, NULL, 10) : 40;
}

static void killed_at_any_moment_it_ends_the_same(void **state) {
    const Folder *folder = *state;
    tacos_experiment *experiment = open_small(folder, "");
    Place undisturbed = place(folder, "a"), killed = place(folder, "b");
    Dice dice = {.game = 1};
    tacos_error err;
    size_t wanted = kills_wanted(), n_kills = 0, n_ends = 0, n_seen = 0;
    assert_succeeds(go(experiment, &undisturbed, 0, NULL, &err));
    double whole_us = work_us(&undisturbed);
    assert_false(exists(undisturbed.checkpoint));
    while (n_kills < wanted) {
        bool early = roll_word(&dice) % 8 == 0; /* while it opens its files */
        double life_us = roll(&dice, 0, 0.6 * whole_us);
        uint64_t every = 1 + roll_word(&dice) % 20;
        bool ended = child_ends(experiment, &killed, every, early, (long)life_us);
        n_seen += !ended && exists(killed.checkpoint);
        n_kills += !ended;
        if (ended) {
            n_ends++;
            assert_same_run(&undisturbed, &killed);
            assert_false(exists(killed.checkpoint));
            remove_all(killed.out);
        }
    }
    assert_succeeds(go(experiment, &killed, 5, NULL, &err));
    assert_same_run(&undisturbed, &killed);
    printf("%zu kills, %zu with a checkpoint there, %zu runs to the end\n", n_kills, n_seen,
           n_ends);
    assert_true(n_seen > wanted / 3);
    tacos_experiment_free(experiment);
}

/* ---- what else may be there ---- */

static int stop_at_once(void *user, const tacos_progress *progress) {
    (void)user;
    return progress->done > 0;
}

/* A run that was stopped after its first checkpoint. */
static tacos_experiment *stopped(const Folder *folder, Place *where, const char *more) {
    tacos_experiment *experiment = open_small(folder, more);
    tacos_error err;
    *where = place(folder, "c");
    for (int k = 0; k < 100 && !exists(where->checkpoint); k++)
        assert_fails(go(experiment, where, 1, stop_at_once, &err), TACOS_INTERRUPTED);
    assert_true(exists(where->checkpoint));
    return experiment;
}

static void damage_is_told(void **state) {
    Place where;
    tacos_experiment *experiment = stopped(*state, &where, "");
    size_t n;
    char *bytes = read_bytes(where.checkpoint, &n);
    tacos_error err;
    for (size_t at = 0; at < n; at += 1 + at / 2) {
        bytes[at] ^= 4;
        write_bytes(where.checkpoint, bytes, n);
        bytes[at] ^= 4;
        assert_int_not_equal(go(experiment, &where, 1, NULL, &err), TACOS_OK);
        assert_says(err, "run-3.checkpoint");
    }
    for (size_t at = 0; at < n; at += 1 + at / 2) {
        write_bytes(where.checkpoint, bytes, at);
        assert_int_not_equal(go(experiment, &where, 1, NULL, &err), TACOS_OK);
        assert_says(err, "run-3.checkpoint");
    }
    bytes[8] = 9; /* the version */
    write_bytes(where.checkpoint, bytes, n);
    assert_fails(go(experiment, &where, 1, NULL, &err), TACOS_VERSION);
    assert_says(err, "has format version 9; this program reads up to 1");
    free(bytes);
    tacos_experiment_free(experiment);
}

static void of_another_configuration_it_is_left_alone(void **state) {
    const Folder *folder = *state;
    Place where, fresh = place(folder, "a"), other = place(folder, "b");
    tacos_experiment *experiment = stopped(folder, &where, "");
    tacos_experiment *another = open_small(folder, "m_max = 7\n");
    tacos_error err;
    size_t n;
    char *bytes = read_bytes(where.checkpoint, &n);
    assert_succeeds(go(another, &fresh, 0, NULL, &err));
    assert_int_equal(mkdir(other.out, 0777), 0);
    /* In an empty folder it would be in the way: put there once the run has begun. */
    assert_fails(go(another, &other, 1000, stop_at_once, &err), TACOS_INTERRUPTED);
    if (!exists(other.out))
        assert_int_equal(mkdir(other.out, 0777), 0);
    write_bytes(other.checkpoint, bytes, n);
    tacos_run_options how = {.out_dir = other.out,
                             .checkpoint_every = 10,
                             .force = 0,
                             .seeds = &(uint32_t){3},
                             .n_seeds = 1,
                             .n_jobs = 1};
    tacos_results *results;
    tacos_status status = tacos_experiment_run(another, &how, &results, &err);
    if (status == TACOS_EXISTS) { /* the store went with the empty run */
        how.force = 1;
        status = tacos_experiment_run(another, &how, &results, &err);
    }
    assert_int_equal(status, TACOS_OK);
    tacos_results_free(results);
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
    assert_succeeds(go(experiment, &where, 1, NULL, &err));
    assert_false(exists(where.checkpoint));
    assert_false(exists(where.model));
    tacos_experiment_free(experiment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(killed_at_any_moment_it_ends_the_same),
        IN_FOLDER(damage_is_told),
        IN_FOLDER(of_another_configuration_it_is_left_alone),
        IN_FOLDER(rivals_begin_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
