/* test_paper_numbers.c - which configurations are the paper's, and what it prints for them. */
#include "check.h"

#include <math.h>

enum { MAX = 64 };

typedef struct Numbers {
    size_t n;
    tacos_paper_number number[MAX];
} Numbers;

/* What the paper has for an experiment with these keys, "key=value", ended by NULL. */
static Numbers numbers_of(const char *name, const char *const *keys) {
    Numbers numbers;
    tacos_experiment *experiment;
    tacos_error err;
    assert_succeeds(tacos_experiment_open(&experiment, name, &err));
    for (; *keys; keys++) {
        char key[64] = "";
        size_t n = strcspn(*keys, "=");
        assert_true(n < sizeof key);
        memcpy(key, *keys, n);
        assert_succeeds(tacos_experiment_set(experiment, key, *keys + n + 1, &err));
    }
    assert_succeeds(
        tacos_experiment_paper_numbers(experiment, numbers.number, MAX, &numbers.n, &err));
    assert_true(numbers.n <= MAX);
    tacos_experiment_free(experiment);
    return numbers;
}

#define NUMBERS_OF(name, ...) numbers_of(name, (const char *const[]){__VA_ARGS__, NULL})

static double find(const Numbers *numbers, const char *metric, size_t after_task, size_t part) {
    for (size_t i = 0; i < numbers->n; i++) {
        const tacos_paper_number *number = &numbers->number[i];
        if (strcmp(number->metric, metric) == 0 && number->after_task == after_task &&
            number->part == part)
            return number->value;
    }
    return NAN;
}

static void assert_near(double value, double wanted) {
    if (!(fabs(value - wanted) < 1e-9))
        fail_msg("%g instead of %g", value, wanted);
}

/* Tables 1, 2 and 3 in one. */
static void the_papers_own(void **state) {
    (void)state;
    Numbers own = NUMBERS_OF("split-mnist", "measure=all");
    assert_near(find(&own, "MA", 5, 0), 82.56);
    assert_near(find(&own, "MO", 0, 0), 2.5);
    assert_near(find(&own, "BWT", 5, 0), -8.98);
    assert_near(find(&own, "FWT", 2, 0), 17.10);
    assert_near(find(&own, "similarity", 5, 1), 0.9872);
    assert_true(isnan(find(&own, "A", 6, 0)));
    for (size_t i = 0; i < own.n; i++) /* none twice */
        for (size_t k = 0; k < i; k++)
            assert_false(strcmp(own.number[i].metric, own.number[k].metric) == 0 &&
                         own.number[i].after_task == own.number[k].after_task &&
                         own.number[i].part == own.number[k].part);
}

static void rows_of_its_tables(void **state) {
    (void)state;
    Numbers m50 = NUMBERS_OF("split-mnist", "m_max=50"),
            snn = NUMBERS_OF("split-mnist", "model=snn");
    Numbers order = NUMBERS_OF("split-mnist", "m_max=50", "tasks=4-0,6-8,7-3,9-2,1-5");
    Numbers fashion = NUMBERS_OF("split-fashion", "measure=none");
    assert_near(find(&m50, "MA", 5, 0), 81.94);
    assert_near(find(&snn, "MA", 5, 0), 60.69);
    assert_near(find(&order, "MA", 5, 0), 86.09);
    assert_near(find(&fashion, "MA", 5, 0), 93.22);
}

static void rows_of_the_supplement(void **state) {
    (void)state;
    Numbers low = NUMBERS_OF("split-mnist", "init_w=0.2,0.8");
    Numbers lower = NUMBERS_OF("split-mnist", "init_w=0.2,0.8", "m_max=15");
    assert_near(find(&low, "MA", 5, 0), 82.15);   /* TACOS LD */
    assert_near(find(&lower, "MA", 5, 0), 81.84); /* TACOS LF */
}

static void what_is_not_in_the_paper(void **state) {
    (void)state;
    assert_int_equal(NUMBERS_OF("split-mnist", "alpha=0.001").n, 0);
    assert_int_equal(NUMBERS_OF("split-mnist", "init_w=0.7").n, 0);
    assert_int_equal(NUMBERS_OF("split-mnist", "samples_per_task=100").n, 0);
    assert_int_equal(NUMBERS_OF("demo", "measure=none").n, 0);
}

static void less_room_than_numbers(void **state) {
    (void)state;
    tacos_paper_number one = {.after_task = 99}, guard = one;
    tacos_experiment *experiment;
    tacos_error err;
    size_t n, n_all;
    assert_succeeds(tacos_experiment_open(&experiment, "split-mnist", &err));
    assert_succeeds(tacos_experiment_paper_numbers(experiment, NULL, 0, &n_all, &err));
    assert_true(n_all > 20);
    struct {
        tacos_paper_number first, guard;
    } room = {one, guard};
    assert_succeeds(tacos_experiment_paper_numbers(experiment, &room.first, 1, &n, &err));
    assert_int_equal(n, n_all);
    assert_string_equal(room.first.metric, "MA");
    assert_int_equal(room.guard.after_task, 99);
    tacos_experiment_free(experiment);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_papers_own),         cmocka_unit_test(rows_of_its_tables),
        cmocka_unit_test(rows_of_the_supplement), cmocka_unit_test(what_is_not_in_the_paper),
        cmocka_unit_test(less_room_than_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
