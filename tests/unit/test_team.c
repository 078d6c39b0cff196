/* test_team.c - threads that work together, and a learner whose result does not depend on them. */
#include "base/team.h"
#include "toy.h"
#include "net/learner.h"

#include <sched.h>
#include <stdatomic.h>

typedef struct Tally {
    atomic_uint parts, seen[64];
    size_t sum;
} Tally;

static void count_part(void *user, size_t member, size_t n) {
    Tally *tally = user;
    atomic_fetch_add(&tally->seen[member], 1);
    atomic_fetch_add(&tally->parts, 1);
    if (member == 0)
        tally->sum += n;
}

static void every_member_does_its_part_once_a_round(void **state) {
    (void)state;
    for (size_t n = 2; n <= 8; n += 3) {
        Tally tally = {0};
        Team *team = team_new(n);
        assert_non_null(team);
        assert_int_equal(team_size(team), n);
        for (int round = 0; round < 1000; round++) {
            team_do(team, count_part, &tally);
            assert_int_equal(atomic_load(&tally.parts), (unsigned)(round + 1) * (unsigned)n);
        }
        for (size_t k = 0; k < n; k++)
            assert_int_equal(atomic_load(&tally.seen[k]), 1000);
        team_free(team);
    }
}

static void without_a_team_the_caller_does_it_all(void **state) {
    Tally tally = {0};
    (void)state;
    assert_null(team_new(0));
    assert_null(team_new(1));
    team_do(NULL, count_part, &tally);
    assert_int_equal(tally.sum, 1);
    assert_int_equal(team_size(NULL), 1);
    team_free(NULL);
}

static void members_wake_from_sleep(void **state) {
    Tally tally = {0};
    Team *team = team_new(3);
    (void)state;
    for (int round = 0; round < 4; round++) {
        while (team_asleep(team) < 2)
            (void)sched_yield();
        team_do(team, count_part, &tally);
    }
    assert_int_equal(atomic_load(&tally.parts), 12);
    while (team_asleep(team) < 2)
        (void)sched_yield();
    team_free(team); /* and free them while they sleep */
    team = team_new(2);
    team_free(team); /* or before they ever worked */
}

/* ---- bits ------------------------------------------------------------------------------------ */

/* Wide enough to be shared: 40 inputs, two hidden layers. */
#define WIDE                                                                                       \
    "inputs = 40\noutputs = 2\nhidden = 1200, 1000\nsteps = 10\ninput_rate_hz = 600\n"             \
    "threshold_hidden = 0.3\nthreshold_output = 0.5\ndelta_m_hidden = 0.5\n"                       \
    "m_threshold_input = 1\nm_threshold_hidden = 1\n"

static uint32_t digest_of(const char *model, const char *kernel, size_t n_threads) {
    setenv("TACOS_KERNEL", kernel, 1);
    tacos_learner *learner = toy_learner(WIDE, model, 5, NULL);
    unsetenv("TACOS_KERNEL");
    tacos_learner_set_threads(learner, n_threads);
    toy_learn(learner, 0, 2);
    uint32_t digest = tacos_learner_digest(learner);
    tacos_learner_free(learner);
    return digest;
}

/* The reference shares its rows as all others do, and is slow where threads are watched. */
static bool is_tried(const Kernel *kernel) {
    return kernel->runs_here() && !(THREADS_ARE_WATCHED && kernel == &kernel_ref);
}

static void kernels_and_threads_change_no_bit(void **state) {
    const char *const names[] = {"tacos", "snn+consolidation", "snn+metaplasticity", "snn"};
    (void)state;
    for (size_t m = 0; m < 4; m++) {
        uint32_t first = digest_of(names[m], THREADS_ARE_WATCHED ? "" : "ref", 1);
        for (size_t k = 0; kernels[k]; k++)
            for (size_t n = 1; n <= 3 && is_tried(kernels[k]); n++)
                assert_int_equal(digest_of(names[m], kernels[k]->name, n), first);
    }
}

/* ---- TACOS_KERNEL ---------------------------------------------------------------------------- */

static void a_kernel_that_is_not_there_is_refused(void **state) {
    const Kernel *kernel = NULL;
    tacos_error err;
    (void)state;
    setenv("TACOS_KERNEL", "avx1024", 1);
    assert_fails(kernel_select(&kernel, &err), TACOS_UNKNOWN);
    assert_says(err, "'avx1024'");
    assert_says(err, "ref");
    setenv("TACOS_KERNEL", "ref", 1);
    assert_succeeds(kernel_select(&kernel, &err));
    assert_ptr_equal(kernel, &kernel_ref);
    setenv("TACOS_KERNEL", "", 1); /* as if it were not set */
    assert_succeeds(kernel_select(&kernel, &err));
    assert_true(kernel->runs_here());
    unsetenv("TACOS_KERNEL");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_does_its_part_once_a_round),
        cmocka_unit_test(without_a_team_the_caller_does_it_all),
        cmocka_unit_test(members_wake_from_sleep),
        cmocka_unit_test(kernels_and_threads_change_no_bit),
        cmocka_unit_test(a_kernel_that_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
