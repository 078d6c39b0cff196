/* fuzz_plan.c - the same file as an experiment and as a plan. */
#include "fuzz_images.h"

static void open_experiment(const char *path) {
    tacos_experiment *experiment;
    tacos_error err = {0};
    tacos_status status = tacos_experiment_open(&experiment, path, &err);
    if (status == TACOS_OK)
        HOLDS(tacos_experiment_name(experiment));
    else
        check_failure(status, &err);
    tacos_experiment_free(experiment);
}

static void open_plan(const char *path) {
    tacos_plan *plan;
    tacos_error err = {0};
    tacos_status status = tacos_plan_open(&plan, path, &err);
    if (status == TACOS_OK) {
        tacos_plan_info info = tacos_plan_info_get(plan);
        HOLDS(info.n_configs > 0 && info.n_seeds > 0 && info.n_stages > 0);
    } else {
        check_failure(status, &err);
    }
    tacos_plan_free(plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    FuzzFile file = file_of(bytes, n);
    open_experiment(file.path);
    open_plan(file.path);
    file_end(&file);
    return 0;
}
