/* test_many_learners.c - learners of many threads at once: none knows of the others, and each
 * learns what it learns alone, bit for bit. tools/check-all runs it with the thread sanitizer. */
#include "toy.h"

#include <pthread.h>
#include <stdio.h>

enum { THREADS = 8, HALF = 6 };

/* Wide enough that several threads share its layers. */
#define WIDE                                                                                       \
    "inputs = 40\noutputs = 2\nhidden = 1200\nsteps = 10\ninput_rate_hz = 600\n"                   \
    "threshold_hidden = 0.3\nthreshold_output = 0.5\n"

/* A learner and what it came to. cmocka's assertions are for the main thread alone, so whatever
 * goes wrong elsewhere is told by `failed`. */
typedef struct Life {
    const char *text, *model;
    uint32_t seed;
    size_t n_team; /* threads that share the learner's layers */
    tacos_learner *learner;
    uint32_t digest, counts[2];
    const char *failed; /* the call, or NULL */
    tacos_error err;
} Life;

#define STEP(life, call)                                                                           \
    do {                                                                                           \
        if (!(life)->failed && (call) != TACOS_OK)                                                 \
            (life)->failed = #call;                                                                \
    } while (0)

/* ---- the parts of a life ---- */

static void get_help(Life *life) {
    if (!life->failed && life->n_team > 1)
        tacos_learner_set_threads(life->learner, life->n_team);
}

static void be_made(Life *life) {
    tacos_config *config = NULL;
    STEP(life, tacos_config_new(&config, &life->err));
    STEP(life, tacos_config_parse(config, life->text, "toy", &life->err));
    STEP(life, tacos_config_set(config, "model", life->model, &life->err));
    STEP(life, tacos_learner_new(&life->learner, config, life->seed, NULL, &life->err));
    tacos_config_free(config);
    get_help(life);
}

static void learn(Life *life, uint32_t from, uint32_t to) {
    for (uint32_t k = from; k < to; k++) {
        ToySample sample = toy_sample(k);
        STEP(life, tacos_learner_learn(life->learner, sample.intensity, TOY_INPUTS, sample.target,
                                       &life->err));
    }
}

static void answer(Life *life) {
    ToySample sample = toy_sample(99);
    tacos_prediction out;
    STEP(life, tacos_learner_predict(life->learner, sample.intensity, TOY_INPUTS, life->seed, &out,
                                     &life->err));
    if (life->failed)
        return;
    memcpy(life->counts, out.counts, sizeof life->counts);
    life->digest = tacos_learner_digest(life->learner);
}

typedef struct Memory {
    char *bytes;
    size_t n, at;
} Memory;

static int keep(void *user, const void *bytes, size_t n) {
    Memory *memory = user;
    char *more = realloc(memory->bytes, memory->n + n);
    if (!more)
        return 1;
    memory->bytes = more;
    memcpy(more + memory->n, bytes, n);
    memory->n += n;
    return 0;
}

static int give(void *user, void *bytes, size_t n) {
    Memory *memory = user;
    if (n > memory->n - memory->at)
        return 1;
    memcpy(bytes, memory->bytes + memory->at, n);
    memory->at += n;
    return 0;
}

/* Saved to memory, freed, and loaded again. */
static void be_reborn(Life *life) {
    Memory memory = {0};
    STEP(life, tacos_learner_save_to(life->learner, keep, &memory, &life->err));
    tacos_learner_free(life->learner);
    life->learner = NULL;
    STEP(life, tacos_learner_load_from(&life->learner, give, &memory, NULL, &life->err));
    free(memory.bytes);
    get_help(life);
}

static void live(Life *life) {
    be_made(life);
    learn(life, 0, HALF);
    be_reborn(life);
    learn(life, HALF, 2 * HALF);
    answer(life);
    tacos_learner_free(life->learner);
    life->learner = NULL;
}

static void assert_same_end(const Life *life, const Life *alone) {
    if (life->failed)
        fail_msg("%s, seed %u: %s: %s", life->model, life->seed, life->failed, life->err.text);
    assert_int_equal(life->digest, alone->digest);
    assert_memory_equal(life->counts, alone->counts, sizeof life->counts);
}

/* ---- all at once ---- */

/* A thread's work begins when all are there. */
typedef struct Worker {
    pthread_barrier_t *start;
    void (*work)(Life *life);
    Life *lives; /* [n], one after the other */
    size_t n;
} Worker;

static void *worker_run(void *user) {
    const Worker *worker = user;
    pthread_barrier_wait(worker->start);
    for (size_t i = 0; i < worker->n; i++)
        worker->work(&worker->lives[i]);
    return NULL;
}

/* `work` on lives[THREADS][n], each thread on its own n. */
static void at_once(void (*work)(Life *life), Life *lives, size_t n) {
    pthread_t threads[THREADS];
    pthread_barrier_t start;
    Worker workers[THREADS];
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (size_t k = 0; k < THREADS; k++) {
        workers[k] = (Worker){&start, work, lives + k * n, n};
        assert_int_equal(pthread_create(&threads[k], NULL, worker_run, &workers[k]), 0);
    }
    for (size_t k = 0; k < THREADS; k++)
        assert_int_equal(pthread_join(threads[k], NULL), 0);
    (void)pthread_barrier_destroy(&start);
}

static void each_thread_has_learners_of_its_own(void **state) {
    Life lives[THREADS][TOY_ALL_MODELS], alone[THREADS][TOY_ALL_MODELS];
    (void)state;
    for (uint32_t k = 0; k < THREADS; k++)
        for (size_t m = 0; m < TOY_ALL_MODELS; m++) {
            lives[k][m] = (Life){.text = TOY, .model = toy_models[m], .seed = k};
            alone[k][m] = lives[k][m];
            live(&alone[k][m]);
        }
    at_once(live, lives[0], TOY_ALL_MODELS);
    for (size_t k = 0; k < THREADS; k++)
        for (size_t m = 0; m < TOY_ALL_MODELS; m++)
            assert_same_end(&lives[k][m], &alone[k][m]);
    assert_int_not_equal(alone[0][0].digest, alone[1][0].digest);
}

static void learners_share_their_layers_among_threads_of_their_own(void **state) {
    Life lives[THREADS], alone = {.text = WIDE, .model = "tacos", .seed = 3};
    (void)state;
    for (size_t k = 0; k < THREADS; k++) {
        lives[k] = alone;
        lives[k].n_team = 1 + k % 3;
    }
    live(&alone);
    at_once(live, lives, 1);
    for (size_t k = 0; k < THREADS; k++)
        assert_same_end(&lives[k], &alone);
}

/* ---- from hand to hand ---- */

static void learn_first_half(Life *life) {
    be_made(life);
    learn(life, 0, HALF);
}

static void learn_second_half(Life *life) {
    be_reborn(life);
    learn(life, HALF, 2 * HALF);
    answer(life);
}

/* The thread that a learner belongs to may change between calls. */
static void learners_change_hands(void **state) {
    Life lives[THREADS], alone[THREADS];
    (void)state;
    for (uint32_t k = 0; k < THREADS; k++) {
        lives[k] = alone[k] =
            (Life){.text = TOY, .model = toy_models[k % TOY_ALL_MODELS], .seed = k};
        live(&alone[k]);
    }
    at_once(learn_first_half, lives, 1);
    Life first = lives[0]; /* everybody gets the next one's */
    memmove(lives, lives + 1, (THREADS - 1) * sizeof *lives);
    lives[THREADS - 1] = first;
    at_once(learn_second_half, lives, 1);
    for (size_t k = 0; k < THREADS; k++) {
        assert_same_end(&lives[k], &alone[(k + 1) % THREADS]);
        tacos_learner_free(lives[k].learner);
    }
}

/* ---- what is not a learner's ---- */

static void be_refused(Life *life) {
    tacos_config *config = NULL;
    tacos_key_info key;
    char value[32];
    (void)snprintf(value, sizeof value, "%u!", life->seed);
    for (size_t i = 0; tacos_key(i, &key); i++)
        life->digest += (uint32_t)strlen(key.doc);
    STEP(life, tacos_config_new(&config, &life->err));
    if (tacos_config_set(config, "steps", value, &life->err) != TACOS_INVALID)
        life->failed = "tacos_config_set";
    tacos_config_free(config);
}

/* Errors and tables are nobody's, so everybody gets the right ones. */
static void errors_stay_with_their_thread(void **state) {
    Life lives[THREADS][16], alone = {0};
    (void)state;
    be_refused(&alone);
    for (uint32_t k = 0; k < THREADS; k++)
        for (uint32_t i = 0; i < 16; i++)
            lives[k][i] = (Life){.seed = 100 * k + i};
    at_once(be_refused, lives[0], 16);
    for (uint32_t k = 0; k < THREADS; k++)
        for (uint32_t i = 0; i < 16; i++) {
            char value[32];
            (void)snprintf(value, sizeof value, "%u!", 100 * k + i);
            assert_null(lives[k][i].failed);
            assert_says(lives[k][i].err, value);
            assert_int_equal(lives[k][i].digest, alone.digest);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_thread_has_learners_of_its_own),
        cmocka_unit_test(learners_share_their_layers_among_threads_of_their_own),
        cmocka_unit_test(learners_change_hands),
        cmocka_unit_test(errors_stay_with_their_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
