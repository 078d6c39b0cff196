/* fuzz_checkpoint.c - the checkpoint of a run, taken up by that run, which then goes on to its end.
 */
#include "fuzz_images.h"
#include "tiny_checkpoint.h"

/* A run, and how the checkpoints that it takes up begin. */
typedef struct Owner {
    const char *model;
    TinyRun tiny;
    uint8_t bytes[OWNER_BYTES];
} Owner;

enum { OWNERS = 2 };
static Owner owners[OWNERS] = {{.model = "tacos"}, {.model = "columns"}};

static void repair_all(const Owner *owner, uint8_t *bytes, size_t n) {
    Repair repair = {bytes, n, OWNER_BYTES};
    tacos_learner *learner;
    memcpy(bytes, owner->bytes, n < OWNER_BYTES ? n : OWNER_BYTES);
    tiny_repair_state(&owner->tiny, &repair);
    repair_part(&repair, COUNTER_BYTES);
    HOLDS(learner_new(&learner, &owner->tiny.settled.learner, 1, NULL, NULL) == TACOS_OK);
    repair_learned(&repair, learner);
    tacos_learner_free(learner);
}

/* What is whole has nothing to repair. */
static void check_repair(const Owner *owner, const uint8_t *bytes, size_t n) {
    uint8_t *copy = malloc(n);
    HOLDS(copy);
    memcpy(copy, bytes, n);
    repair_all(owner, copy, n);
    HOLDS(memcmp(copy, bytes, n) == 0);
    free(copy);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
    for (size_t k = 0; k < OWNERS; k++) {
        size_t n;
        tiny_open(&owners[k].tiny, owners[k].model);
        uint8_t *bytes = tiny_checkpoint(&owners[k].tiny, &n);
        HOLDS(n > OWNER_BYTES);
        memcpy(owners[k].bytes, bytes, OWNER_BYTES);
        check_repair(&owners[k], bytes, n);
        free(bytes);
    }
    return 0;
}

/* A run that takes it up, and goes on if it can. */
static void go_on(const Owner *owner, const uint8_t *bytes, size_t n) {
    FuzzFile file = file_of(bytes, n);
    tacos_run run = {0};
    tacos_error err = {0};
    tacos_status status = tiny_run(&owner->tiny, file.path, UINT64_MAX, &run, &err);
    if (status == TACOS_OK)
        run_free(&run);
    else
        check_failure(status, &err);
    file_end(&file);
}

/* As it is, and as if either run had written it. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    uint8_t *copy = malloc(n + 1);
    HOLDS(copy);
    go_on(&owners[n % OWNERS], bytes, n);
    for (size_t k = 0; k < OWNERS; k++) {
        memcpy(copy, bytes, n);
        repair_all(&owners[k], copy, n);
        go_on(&owners[k], copy, n);
    }
    free(copy);
    return 0;
}
