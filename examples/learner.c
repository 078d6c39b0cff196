/* learner.c - learn from a stream: one sample per line on standard input, seen once, first to
 * answer and then to learn from.
 *
 *   learner INPUTS OUTPUTS < samples
 *
 * A line is the right output, from 0, and INPUTS numbers from 0 to 1. After every line: how many of
 * the last hundred answers were right.
 *
 *   cc -O2 learner.c $(pkg-config --cflags --libs tacos) -o learner */
#include <tacos.h>

#include <stdio.h>
#include <stdlib.h>

enum { WINDOW = 100 };

static void must(tacos_status status, const tacos_error *err) {
    if (status == TACOS_OK)
        return;
    fprintf(stderr, "learner: %s\n", err->text);
    exit(EXIT_FAILURE);
}

int main(int argc, char **argv) {
    tacos_config *config;
    tacos_learner *learner;
    tacos_error err;
    if (argc != 3) {
        fprintf(stderr, "usage: learner INPUTS OUTPUTS < samples\n");
        return 2;
    }
    must(tacos_config_new(&config, &err), &err);
    must(tacos_config_set(config, "inputs", argv[1], &err), &err);
    must(tacos_config_set(config, "outputs", argv[2], &err), &err);
    must(tacos_learner_new(&learner, config, /* seed */ 1, /* malloc */ NULL, &err), &err);
    tacos_config_free(config);

    size_t n = tacos_learner_shape(learner).n_inputs, n_right = 0, target, k = 0;
    float *sample = calloc(n, sizeof *sample);
    int right[WINDOW] = {0};
    while (sample && scanf("%zu", &target) == 1) {
        tacos_prediction answer;
        for (size_t i = 0; i < n; i++)
            if (scanf("%f", &sample[i]) != 1)
                sample[i] = -1; /* which the library will not take */
        must(tacos_learner_predict(learner, sample, n, /* draw */ k, &answer, &err), &err);
        must(tacos_learner_learn(learner, sample, n, target, &err), &err);
        n_right -= (size_t)right[k % WINDOW];
        right[k % WINDOW] = answer.output == (int)target;
        n_right += (size_t)right[k++ % WINDOW];
        printf("%zu %zu\n", k, n_right);
    }
    free(sample);
    tacos_learner_free(learner);
    return 0;
}
