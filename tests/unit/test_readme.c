/* test_readme.c - the library example of the README, whole: if this stops working, so does that. */
#include "tacos.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static void test_example(void **state) {
    (void)state;
    float pixels[784] = {0};
    for (size_t i = 300; i < 450; i++)
        pixels[i] = 1;
    char folder[] = "/tmp/tacos-readme-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/model.tacos", folder);

    tacos_config *config;
    tacos_learner *learner;
    tacos_prediction guess;
    tacos_error err;

    assert_int_equal(tacos_config_new(&config, &err), TACOS_OK);
    assert_int_equal(
        tacos_config_parse(config, "inputs = 784\nhidden = 200\noutputs = 2\n", "example", &err),
        TACOS_OK);
    assert_int_equal(tacos_learner_new(&learner, config, /* seed */ 1, /* malloc */ NULL, &err),
                     TACOS_OK);

    for (int i = 0; i < 20; i++)
        assert_int_equal(tacos_learner_learn(learner, pixels, 784, /* target */ 1, &err), TACOS_OK);
    assert_int_equal(tacos_learner_predict(learner, pixels, 784, /* draw */ 0, &guess, &err),
                     TACOS_OK);
    assert_int_equal(guess.output, 1);
    assert_int_equal(tacos_learner_save(learner, path, &err), TACOS_OK);

    tacos_learner_free(learner);
    tacos_config_free(config);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_example)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
