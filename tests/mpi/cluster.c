/* cluster.c - processes that MPI started, and the runs that they make for the first.
 *
 * mpirun -n N cluster               on one host
 * mpirun -n N cluster RANKS         as if every so many processes were on a host of their own
 * mpirun -n N cluster hosts         on several hosts
 * mpirun -n 3 cluster version V W   as if the third were version W, and the others V */
#include "data/dataset.h"
#include "lab/clock.h"
#include "lab/protocol.h"
#include "mpi/cluster.h"
#include "tacos_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N_RUNS = 20, N_IMAGES = 200, SIDE = 28 };
static const char GLYPHS[] = "glyphs", MNIST[] = "mnist";

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "cluster.c:%d: %s: ", __LINE__, #condition);                           \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fprintf(stderr, "\n");                                                                 \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define SUCCEED(call)                                                                              \
    do {                                                                                           \
        tacos_error err_ = {0};                                                                    \
        tacos_error *why = &err_;                                                                  \
        CHECK((call) == TACOS_OK, "%s", why->text);                                                \
    } while (0)

typedef struct World {
    char dir[64]; /* the data folder */
    tacos_cluster *cluster;
    TaskSplits *splits;
    bool several_nodes;
} World;

static double now(void) {
    return clock_seconds(); /* clock: what takes how long is printed, not judged */
}

/* ---- data: a made-up MNIST ---- */

static void put_be32(FILE *file, unsigned value) {
    for (int shift = 24; shift >= 0; shift -= 8)
        fputc((int)(value >> shift & 0xff), file);
}

static void write_file(const World *world, const char *name, const unsigned *head, size_t n_head,
                       size_t n_bytes, unsigned version) {
    char path[160];
    (void)snprintf(path, sizeof path, "%s/mnist/%s", world->dir, name);
    FILE *file = fopen(path, "wb");
    CHECK(file, "%s", path);
    for (size_t i = 0; i < n_head; i++)
        put_be32(file, head[i]);
    for (unsigned i = 0; i < n_bytes; i++)
        fputc(version == 0 ? (int)(i % 10) : (int)(i * i * (version + 1) >> 7 & 0xff), file);
    CHECK(fclose(file) == 0, "%s", path);
}

/* The pixels are made of the version, the labels (version 0) count. */
static void write_mnist(const World *world, unsigned version) {
    const unsigned images[] = {2051, N_IMAGES, SIDE, SIDE}, labels[] = {2049, N_IMAGES};
    size_t n_pixels = (size_t)N_IMAGES * SIDE * SIDE;
    write_file(world, "train-images-idx3-ubyte", images, 4, n_pixels, version);
    write_file(world, "t10k-images-idx3-ubyte", images, 4, n_pixels, version);
    write_file(world, "train-labels-idx1-ubyte", labels, 2, N_IMAGES, 0);
    write_file(world, "t10k-labels-idx1-ubyte", labels, 2, N_IMAGES, 0);
}

static void remove_mnist(const World *world) {
    static const char *const names[] = {"train-images-idx3-ubyte", "t10k-images-idx3-ubyte",
                                        "train-labels-idx1-ubyte", "t10k-labels-idx1-ubyte"};
    char path[160];
    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(path, sizeof path, "%s/mnist/%s", world->dir, names[i]);
        (void)remove(path);
    }
}

static void make_folder(World *world) {
    char path[160];
    strcpy(world->dir, "/tmp/tacos-mpi-XXXXXX");
    CHECK(mkdtemp(world->dir), "no folder %s", world->dir);
    (void)snprintf(path, sizeof path, "%s/mnist", world->dir);
    CHECK(mkdir(path, 0777) == 0, "no folder %s", path);
}

static void remove_folder(const World *world) {
    char path[160];
    remove_mnist(world);
    (void)snprintf(path, sizeof path, "%s/mnist", world->dir);
    (void)rmdir(path);
    (void)rmdir(world->dir);
}

/* ---- runs ---- */

static Assignment tiny(uint64_t tag, const char *dataset, const char *samples) {
    const char *const keys[][2] = {{"hidden", "20"},
                                   {"steps", "40"},
                                   {"tasks", "0-1,2-3"},
                                   {"samples_per_task", samples},
                                   {"test_samples_per_task", "20"},
                                   {"curve_points", "9"}};
    Assignment out = {.tag = tag, .seed = (uint32_t)tag, .n_threads = 1};
    Experiment *experiment;
    SUCCEED(tacos_experiment_open(&experiment, "demo", why));
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        SUCCEED(tacos_experiment_set(experiment, keys[k][0], keys[k][1], why));
    SUCCEED(tacos_experiment_set(experiment, "dataset", dataset, why));
    out.experiment = *experiment;
    free(experiment);
    return out;
}

/* What tiny() is, made here; and how many samples that takes. */
static uint64_t make_here(const World *world, const Assignment *assignment, tacos_run *out) {
    const TaskSplit *split;
    Experiment settled;
    SUCCEED(task_splits_get(world->splits, &assignment->experiment.params, &split, why));
    SUCCEED(task_split_settle(split, &assignment->experiment, &settled, why));
    SUCCEED(protocol_run(out, split, &settled, assignment->seed, &(ProtocolOptions){.n_threads = 1},
                         why));
    return task_split_samples(split, &settled);
}

static void check_same(const tacos_run *a, const tacos_run *b) {
    CHECK(a->seed == b->seed && a->n_tasks == 2 && b->n_tasks == 2, "seed %u", (unsigned)a->seed);
    CHECK(memcmp(a->R, b->R, 4 * sizeof *a->R) == 0, "R of seed %u", (unsigned)a->seed);
    CHECK(memcmp(a->b, b->b, 2 * sizeof *a->b) == 0, "b of seed %u", (unsigned)a->seed);
    CHECK(memcmp(a->after, b->after, 2 * sizeof *a->after) == 0, "metrics");
    CHECK(a->n_measures > 2 * 9 && a->n_measures == b->n_measures, "number of measures");
    for (size_t i = 0; i < a->n_measures; i++) {
        const tacos_measure *one = &a->measures[i], *other = &b->measures[i];
        CHECK(one->kind == other->kind && one->after_task == other->after_task &&
                  one->part == other->part && one->value == other->value,
              "measure %zu", i);
    }
    CHECK(memcmp(&a->stats, &b->stats, sizeof a->stats) == 0, "counters");
    CHECK(a->model_digest == b->model_digest, "model of seed %u", (unsigned)a->seed);
}

static Outcome wait_for_one(tacos_cluster *cluster) {
    Outcome outcome;
    while (!cluster->take(cluster, &outcome))
        ranks_nap();
    return outcome;
}

/* ---- what is tested ---- */

static tacos_status begin(World *world, bool mnist, unsigned n_jobs, size_t *jobs,
                          tacos_error *err) {
    const Dataset *data;
    SUCCEED(task_splits_new(&world->splits, world->dir, why));
    SUCCEED(task_splits_data(world->splits, GLYPHS, &data, why));
    if (mnist)
        SUCCEED(task_splits_data(world->splits, MNIST, &data, why));
    return world->cluster->begin(world->cluster, world->splits, world->dir, n_jobs, jobs, err);
}

static void end(World *world) {
    world->cluster->end(world->cluster);
    CHECK(world->cluster->load(world->cluster) == 0, "load after the end");
    task_splits_free(world->splits);
}

/* Runs of both data sets are the same as here, bit by bit, and all are counted. */
static void test_runs(World *world, size_t n) {
    tacos_cluster *cluster = world->cluster;
    size_t jobs = 0, given = 0, taken = 0;
    uint64_t n_samples = 0, seen = 0;
    bool done[N_RUNS] = {false};
    SUCCEED(begin(world, true, 0, &jobs, why));
    CHECK(jobs >= 1, "no jobs");
    while (taken < n) {
        for (; given < n; given++) {
            Assignment assignment = tiny(given, given % 2 ? MNIST : GLYPHS, "30");
            if (!cluster->give(cluster, &assignment, 2))
                break;
        }
        Outcome outcome = wait_for_one(cluster);
        CHECK(outcome.status == TACOS_OK, "%s", outcome.err.text);
        CHECK(outcome.tag < n && !done[outcome.tag], "tag %u", (unsigned)outcome.tag);
        CHECK(outcome.host[0], "no host");
        CHECK(cluster->samples(cluster) >= seen, "samples went back");
        seen = cluster->samples(cluster);
        done[outcome.tag] = true;
        taken++;
        tacos_run here;
        Assignment again = tiny(outcome.tag, outcome.tag % 2 ? MNIST : GLYPHS, "30");
        n_samples += make_here(world, &again, &here);
        check_same(&outcome.run, &here);
        run_free(&outcome.run);
        run_free(&here);
    }
    CHECK(cluster->load(cluster) == 0, "load %zu", cluster->load(cluster));
    CHECK(cluster->samples(cluster) == n_samples, "samples %llu, not %llu",
          (unsigned long long)cluster->samples(cluster), (unsigned long long)n_samples);
    end(world);
}

/* A run that cannot be made is an outcome, too. */
static void test_failed_run(World *world) {
    size_t jobs;
    Assignment assignment = tiny(7, GLYPHS, "30");
    strcpy(assignment.experiment.params.tasks, "0-1,2-200");
    SUCCEED(begin(world, false, 0, &jobs, why));
    CHECK(world->cluster->give(world->cluster, &assignment, 1), "nobody takes it");
    Outcome outcome = wait_for_one(world->cluster);
    CHECK(outcome.tag == 7 && outcome.status != TACOS_OK && outcome.err.text[0], "it was made");
    end(world);
}

/* A member has reported some of its work. */
static void wait_for_samples(tacos_cluster *cluster) {
    uint64_t before = cluster->samples(cluster);
    while (cluster->samples(cluster) == before) {
        Outcome outcome;
        if (cluster->take(cluster, &outcome))
            outcome_free(&outcome);
        ranks_nap();
    }
}

/* No member gets more than it should; and all may end in the middle of long runs. */
static void test_stop(World *world, size_t n_members) {
    size_t jobs, n = 0;
    Assignment assignment = tiny(0, GLYPHS, "500");
    SUCCEED(tacos_experiment_set(&assignment.experiment, "hidden", "2000", why));
    SUCCEED(tacos_experiment_set(&assignment.experiment, "steps", "300", why));
    SUCCEED(begin(world, false, 3, &jobs, why));
    CHECK(jobs == 3, "%zu jobs", jobs);
    while (world->cluster->give(world->cluster, &assignment, 1))
        n++;
    CHECK(n == 3 * n_members, "%zu runs given", n);
    while (world->cluster->give(world->cluster, &assignment, 100))
        n++;
    CHECK(n == 3 * n_members * WORKERS_QUEUE, "%zu runs given", n);
    wait_for_samples(world->cluster);
    double start = now();
    end(world);
    printf("end in the middle of work: %.0f ms\n", 1e3 * (now() - start));
}

typedef struct Timing {
    double sum, worst;
} Timing;

enum { N_TIMES = 50 };

/* From giving to taking, apart from the run itself. */
static void add_time(Timing *timing, double start, Outcome *outcome) {
    CHECK(outcome->status == TACOS_OK, "%s", outcome->err.text);
    double took = now() - start - outcome->run.train_seconds - outcome->run.test_seconds;
    timing->sum += took;
    timing->worst = took > timing->worst ? took : timing->worst;
    run_free(&outcome->run);
}

static Timing time_workers(const World *world, const Assignment *assignment) {
    Timing timing = {0};
    Workers *workers;
    SUCCEED(workers_new(&workers, 1, world->splits, why));
    for (int i = 0; i < N_TIMES; i++) {
        Outcome outcome;
        double start = now();
        workers_give(workers, assignment);
        while (!workers_take(workers, &outcome, 1))
            continue;
        add_time(&timing, start, &outcome);
    }
    workers_free(workers);
    return timing;
}

static void test_latency(World *world) {
    Timing timing = {0};
    size_t jobs;
    Assignment assignment = tiny(0, GLYPHS, "1");
    double start = now();
    SUCCEED(begin(world, false, 1, &jobs, why));
    printf("begin: %.1f ms\n", 1e3 * (now() - start));
    for (int i = 0; i < N_TIMES; i++) {
        start = now();
        CHECK(world->cluster->give(world->cluster, &assignment, 1), "nobody takes it");
        Outcome outcome = wait_for_one(world->cluster);
        add_time(&timing, start, &outcome);
    }
    Timing here = time_workers(world, &assignment);
    printf("from giving to taking: %.2f ms, at most %.2f ms; in this process %.2f and %.2f ms\n",
           1e3 * timing.sum / N_TIMES, 1e3 * timing.worst, 1e3 * here.sum / N_TIMES,
           1e3 * here.worst);
    end(world);
}

/* The folder is another one by the time that members read it: a host that does not share this
 * one's memory notices. Then all goes on. */
static void test_other_data(World *world, unsigned version, bool missing) {
    const Dataset *data;
    tacos_error err = {0};
    size_t jobs;
    write_mnist(world, version);
    SUCCEED(task_splits_new(&world->splits, world->dir, why));
    SUCCEED(task_splits_data(world->splits, MNIST, &data, why));
    remove_mnist(world);
    if (!missing)
        write_mnist(world, version + 1);
    tacos_status status =
        world->cluster->begin(world->cluster, world->splits, world->dir, 1, &jobs, &err);
    if (world->several_nodes) {
        printf("error: %s\n", err.text);
        CHECK(status == (missing ? TACOS_MISSING : TACOS_CHECKSUM), "%s", err.text);
        CHECK(err.status == status && strchr(err.text, ':') && strstr(err.text, "mnist"), "%s",
              err.text);
    } else {
        CHECK(status == TACOS_OK && !err.text[0], "%s", err.text);
    }
    end(world);
    write_mnist(world, version);
    test_runs(world, 4);
}

static void test_first(World *world, size_t n_members) {
    make_folder(world);
    write_mnist(world, 1);
    test_runs(world, N_RUNS);
    test_failed_run(world);
    test_stop(world, n_members);
    test_runs(world, 5);
    test_latency(world);
    test_other_data(world, 10, false);
    test_other_data(world, 20, true);
    remove_folder(world);
}

/* ---- main ---- */

/* The rank that this process will have once MPI has begun. Two command lines under one mpirun would
 * not need it, but mpirun of Debian 13 (Open MPI 5.0.7) crashes on those before it starts anything.
 */
static int rank_to_be(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    const char *rank = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !rank; i++)
        rank = getenv(names[i]);
    CHECK(rank, "not started by mpirun");
    return atoi(rank);
}

static int test_versions(const char *version, const char *of_the_third) {
    const RanksOptions options = {.version = rank_to_be() == 2 ? of_the_third : version};
    tacos_error err = {0};
    tacos_cluster *cluster;
    int served;
    tacos_status status = cluster_begin(&cluster, &served, &options, &err);
    CHECK(!cluster, "a cluster");
    if (!served) {
        printf("error: %s\nok\n", err.text);
        CHECK(status == TACOS_INVALID && strstr(err.text, ": this is tacos "), "%s", err.text);
    } else {
        CHECK(status == TACOS_OK, "%s", err.text);
    }
    return 0;
}

int main(int argc, char **argv) {
    const char *how = argc > 1 ? argv[1] : "0";
    RanksOptions options = {.version = TACOS_VERSION_STRING, .ranks_a_node = atoi(how)};
    World world = {.several_nodes = strcmp(how, "hosts") == 0};
    int served, n;
    if (argc > 3)
        return test_versions(argv[2], argv[3]);
    SUCCEED(cluster_begin(&world.cluster, &served, &options, why));
    if (served)
        return 0;
    if (world.cluster) {
        MPI_Comm_size(MPI_COMM_WORLD, &n);
        world.several_nodes |= options.ranks_a_node > 0 && options.ranks_a_node < n;
        test_first(&world, (size_t)n - 1);
    }
    tacos_mpi_end(world.cluster);
    printf("ok\n");
    return 0;
}
