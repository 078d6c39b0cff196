/* test_kernels.c - every kernel that runs here against ref: the same bits on random worlds, and how
 * much faster.
 *
 *   test_kernels [--cases N] [--bench]
 *
 * --cases: random worlds, 400 unless told. --bench: time for longer, to compare by. Times never
 * fail the test. It is a plain program, so that it can be built for other machines. */
#include "checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CASES = 400, TAKEN_MIN = 50 };

static World start, expected, got;

/* ---- the same bits ---- */

#define FIELD(name)                                                                                \
    { #name, offsetof(World, name) }
static const struct {
    const char *name;
    size_t at;
} fields[] = {
    FIELD(before_all), FIELD(awake),   FIELD(w),         FIELD(w_ref), FIELD(m_steps),
    FIELD(ready),      FIELD(drive),   FIELD(count),     FIELD(after), FIELD(owed),
    FIELD(current),    FIELD(i),       FIELD(v),         FIELD(u),     FIELD(hold),
    FIELD(error),      FIELD(input),   FIELD(spiked),    FIELD(at),    FIELD(event),
    FIELD(index),      FIELD(limit),   FIELD(column),    FIELD(found), FIELD(patch),
    FIELD(templates),  FIELD(inverse), FIELD(block),     FIELD(best),  FIELD(settled),
    FIELD(toward),     FIELD(squares), FIELD(after_all),
};

static const Check *const lists[] = {checks, column_checks};
enum { N_LISTS = sizeof lists / sizeof *lists };

static uint32_t word_at(const World *world, size_t byte) {
    uint32_t word;
    memcpy(&word, (const char *)world + byte / 4 * 4, sizeof word);
    return word;
}

/* Where two worlds first differ, in words of a person. */
static void explain(const World *is, const World *wanted, const Case *c) {
    size_t byte = 0, f = 0, n = sizeof fields / sizeof *fields;
    while (((const char *)is)[byte] == ((const char *)wanted)[byte])
        byte++;
    while (f + 1 < n && fields[f + 1].at <= byte)
        f++;
    fprintf(stderr,
            "  case %u: %s, byte %zu: the word there is 0x%08x instead of 0x%08x\n"
            "  stride %zu, columns %zu to %zu, %zu rows, plastic %d, decays %d, alpha %g\n",
            c->number, fields[f].name, byte - fields[f].at, word_at(is, byte),
            word_at(wanted, byte), c->stride, c->span.from, c->span.to, c->n_list, c->rule.plastic,
            c->rule.decays, (double)c->rule.alpha);
}

/* Alike, or says what is not; the tail of World's struct is bytes like all others. */
static bool same(const World *is, const World *wanted, const char *who, const Check *check,
                 const Case *c) {
    if (memcmp(is, wanted, sizeof *is) == 0)
        return true;
    fprintf(stderr, "%s %s\n", who, check->name);
    explain(is, wanted, c);
    return false;
}

static bool agrees(const Kernel *kernel, const Check *check, const Case *c, size_t result) {
    memcpy(&got, &start, sizeof got);
    size_t own = check->call(kernel, &got, c);
    if (own != result)
        fprintf(stderr, "%s %s, case %u: returns %zu instead of %zu\n", kernel->name, check->name,
                c->number, own, result);
    return same(&got, &expected, kernel->name, check, c) && own == result;
}

static bool check_case(const Check *check, const Case *c, size_t taken[PATHS]) {
    bool good = true;
    memcpy(&expected, &start, sizeof expected);
    size_t result = check->call(&kernel_ref, &expected, c);
    if (check->count)
        check->count(taken, &start, &expected, c);
    for (size_t k = 0; kernels[k]; k++)
        if (kernels[k]->runs_here())
            good &= agrees(kernels[k], check, c, result);
    check->undo(&expected, &start, c, result);
    return good & same(&expected, &start, "ref writes outside the span:", check, c);
}

static bool check_all(unsigned n_cases) {
    size_t taken[PATHS] = {0};
    bool good = true;
    for (unsigned number = 0; good && number < n_cases; number++) {
        Case c;
        case_roll(&c, &start, number);
        for (size_t k = 0; k < N_LISTS; k++)
            for (const Check *check = lists[k]; check->name; check++)
                good &= check_case(check, &c, taken);
    }
    printf("%u random cases:%s the same bits\nrare paths:", n_cases, good ? "" : " NOT");
    for (size_t p = 0; p < PATHS; p++)
        printf("%s %s %zu", p ? "," : "", path_names[p], taken[p]);
    printf("\n");
    for (size_t p = 0; good && p < PATHS; p++)
        if (taken[p] < TAKEN_MIN) {
            fprintf(stderr, "a rare path was hardly tried: %s\n", path_names[p]);
            good = false;
        }
    return good;
}

/* ---- how fast ---- */

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t); /* clock: printed, not judged */
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The least of several turns, each of so many calls that the clock does not matter. */
static double time_call(const Kernel *kernel, const Check *check, const Case *c, double turn_s,
                        int turns) {
    double best = 0;
    memcpy(&got, &start, sizeof got);
    for (int turn = 0; turn < turns; turn++) {
        size_t calls = 0;
        double begin = seconds(), taken = 0;
        for (size_t more = 1; taken < turn_s; more *= 2) {
            for (size_t k = 0; k < more; k++)
                (void)check->call(kernel, &got, c);
            calls += more;
            taken = seconds() - begin;
        }
        taken /= (double)calls;
        best = turn == 0 || taken < best ? taken : best;
    }
    return best;
}

static void time_check(const Check *check, const Case *c, double turn_s, int turns) {
    double ref = time_call(&kernel_ref, check, c, turn_s, turns);
    printf("%-14s", check->name);
    for (size_t k = 0; kernels[k]; k++) {
        if (!kernels[k]->runs_here())
            continue;
        bool is_ref = kernels[k] == &kernel_ref;
        double own = is_ref ? ref : time_call(kernels[k], check, c, turn_s, turns);
        printf("%9.2f", own * 1e9 / (double)check->work(c));
        if (!is_ref)
            printf(" (%5.1f)", ref / own);
    }
    printf("\n");
}

static void time_all(double turn_s, int turns) {
    Case c;
    case_usual(&c, &start);
    printf("\nns per %d synapses, neurons, numbers, units or values (times as fast as ref)\n%-14s",
           KERNEL_LANES, "");
    for (size_t k = 0; kernels[k]; k++)
        if (kernels[k]->runs_here())
            printf("%17s", kernels[k]->name);
    printf("\n");
    for (size_t k = 0; k < N_LISTS; k++)
        for (const Check *check = lists[k]; check->name; check++)
            time_check(check, &c, turn_s, turns);
}

int main(int argc, char **argv) {
    unsigned n_cases = CASES;
    bool bench = false;
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--bench") == 0) {
            bench = true;
        } else if (strcmp(argv[k], "--cases") == 0 && k + 1 < argc) {
            n_cases = (unsigned)strtoul(argv[++k], NULL, 10);
        } else {
            fprintf(stderr, "usage: test_kernels [--cases N] [--bench]\n");
            return EXIT_FAILURE;
        }
    }
    bool good = check_all(n_cases);
    time_all(bench ? 0.02 : 0.001, bench ? 15 : 3);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
