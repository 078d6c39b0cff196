/* fuzz_checkpoint.c - the checkpoint of a run, taken up by that run, which then goes on to its end.
 */
#include "fuzz_images.h"
#include "repair.h"
#include "tiny_checkpoint.h"

static TinyRun tiny;
static uint8_t owner[OWNER_BYTES]; /* whose a checkpoint must be */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    size_t n;
    tiny_open(&tiny);
    uint8_t *bytes = tiny_checkpoint(&tiny, &n);
    HOLDS(n > sizeof owner);
    memcpy(owner, bytes, sizeof owner);
    free(bytes);
    return 0;
}

/* A run that takes it up, and goes on if it can. */
static void go_on(const uint8_t *bytes, size_t n) {
    FuzzFile file = file_of(bytes, n);
    tacos_run run = {0};
    tacos_error err = {0};
    tacos_status status = tiny_run(&tiny, file.path, UINT64_MAX, &run, &err);
    if (status == TACOS_OK)
        run_free(&run);
    else
        check_failure(status, &err);
    file_end(&file);
}

static void repair_all(uint8_t *bytes, size_t n) {
    Repair repair = {bytes, n, sizeof owner};
    tacos_learner *learner;
    memcpy(bytes, owner, n < sizeof owner ? n : sizeof owner);
    repair_part(&repair, STATE_BYTES);
    repair_part(&repair, COUNTER_BYTES);
    HOLDS(learner_new(&learner, &tiny.settled.learner, 1, NULL, NULL) == TACOS_OK);
    repair_layers(&repair, learner);
    tacos_learner_free(learner);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    uint8_t *copy = malloc(n + 1);
    HOLDS(copy);
    memcpy(copy, bytes, n);
    go_on(bytes, n);
    repair_all(copy, n);
    go_on(copy, n);
    free(copy);
    return 0;
}
