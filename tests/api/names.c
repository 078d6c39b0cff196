/* names.c - a program whose own names are some of the library's inside: they must not meet. */
#include <tacos_lab.h>

#include <stdio.h>

/* Each would be called, or read, by the library if it saw it. */
int kernels(void);
int status_explain(void);
int network_shape(void);
int keys_find(void);
int store_open(void);
extern int models, params_table, kernel_ref, embedded_files;

static int n_calls;

#define OURS(name)                                                                                 \
    int name(void) {                                                                               \
        return ++n_calls;                                                                          \
    }
OURS(kernels)
OURS(status_explain)
OURS(network_shape)
OURS(keys_find)
OURS(store_open)
int models, params_table, kernel_ref, embedded_files;

int main(void) {
    tacos_config *config;
    tacos_learner *learner;
    tacos_experiment_info experiment;
    tacos_error err;
    float sample[8] = {1, 1, 1, 1};
    if (tacos_config_new(&config, &err) != TACOS_OK ||
        tacos_config_parse(config, "inputs = 8\nhidden = 16\n", "settings", &err) != TACOS_OK ||
        tacos_learner_new(&learner, config, 1, NULL, &err) != TACOS_OK ||
        tacos_learner_learn(learner, sample, 8, 1, &err) != TACOS_OK) {
        fprintf(stderr, "names: %s\n", err.text);
        return 1;
    }
    if (tacos_learner_learn(learner, sample, 8, 2, &err) != TACOS_RANGE || !err.text[0])
        return 1;
    tacos_learner_free(learner);
    tacos_config_free(config);
    return n_calls > 0 || !tacos_experiment_builtin(0, &experiment);
}
