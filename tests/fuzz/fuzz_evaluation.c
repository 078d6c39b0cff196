/* fuzz_evaluation.c - a saved evaluation, as it is and as if its sums were right; what can be
 * loaded goes on, has figures, and is saved and loaded again. */
#include "fuzz_images.h"

#include "stream/evaluation.h"

/* Of the header, which holds numbers of 4 bytes; after it only sums have so many. */
enum { HEADER_BYTES = 8 + 4 + 4 + 4 + 8 + 4 + 8 };

typedef struct Reading {
    const uint8_t *bytes;
    size_t n, taken;
    const Pack *pack; /* that reads it; NULL: sums are read as they are */
} Reading;

static int take(void *user, void *to, size_t n) {
    Reading *reading = user;
    if (n > reading->n - reading->taken)
        return -1;
    memcpy(to, reading->bytes + reading->taken, n);
    reading->taken += n;
    return 0;
}

static bool take_with_sums(void *user, void *to, size_t n) {
    Reading *reading = user;
    bool sum = n == 4 && reading->taken >= HEADER_BYTES;
    if (take(reading, to, n) != 0)
        return false;
    for (size_t k = 0; k < n && sum; k++)
        ((uint8_t *)to)[k] = (uint8_t)(reading->pack->crc >> (8 * k));
    return true;
}

typedef struct Saved {
    uint8_t bytes[1 << 18];
    size_t n;
} Saved;

static int put(void *user, const void *bytes, size_t n) {
    Saved *saved = user;
    HOLDS(n <= sizeof saved->bytes - saved->n);
    memcpy(saved->bytes + saved->n, bytes, n);
    saved->n += n;
    return 0;
}

static void check_percent(double value) {
    HOLDS(!(value < 0) && !(value > 100));
}

static void check_figures(const tacos_evaluation *evaluation) {
    tacos_evaluation_figures figures = tacos_evaluation_figures_get(evaluation);
    const tacos_evaluation_span *spans[] = {&figures.overall, &figures.window};
    for (size_t k = 0; k < 2; k++) {
        check_percent(spans[k]->accuracy);
        check_percent(spans[k]->answered);
        check_percent(spans[k]->repeat_last);
        check_percent(spans[k]->majority);
        HOLDS(!(spans[k]->kappa > 1) && !(spans[k]->kappa_temporal > 1));
    }
    for (size_t k = 0; k < figures.labels; k++) {
        check_percent(tacos_evaluation_label_get(evaluation, k).recall);
        check_percent(tacos_evaluation_label_get(evaluation, k).precision);
    }
}

static void use(tacos_evaluation *evaluation) {
    static Saved saved;
    tacos_evaluation *again;
    char *text;
    size_t n;
    check_figures(evaluation);
    for (size_t k = 0; k < 70; k++)
        HOLDS(tacos_evaluation_add(evaluation, 0, (int)(k % 3 == 0) - 1, k % 5 == 0, NULL) ==
              TACOS_OK);
    (void)tacos_evaluation_report(evaluation, 1, 1);
    check_figures(evaluation);
    HOLDS(tacos_evaluation_json(evaluation, NULL, &text, &n, NULL) == TACOS_OK);
    touch(text, n + 1);
    tacos_evaluation_json_free(text);
    saved.n = 0;
    HOLDS(tacos_evaluation_save_to(evaluation, put, &saved, NULL) == TACOS_OK);
    Reading reading = {saved.bytes, saved.n, 0, NULL};
    HOLDS(tacos_evaluation_load_from(&again, take, &reading, NULL) == TACOS_OK);
    HOLDS(reading.taken == reading.n);
    tacos_evaluation_free(again);
}

static void end(tacos_status status, tacos_evaluation *evaluation, const tacos_error *err) {
    if (status == TACOS_OK)
        use(evaluation);
    else
        check_failure(status, err);
    HOLDS(status == TACOS_OK || !evaluation);
    tacos_evaluation_free(evaluation);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    tacos_evaluation *evaluation;
    tacos_error err = {0};
    Reading plain = {bytes, n, 0, NULL};
    tacos_status status = tacos_evaluation_load_from(&evaluation, take, &plain, &err);
    end(status, evaluation, &err);
    Pack pack = {.move = take_with_sums};
    Reading summed = {bytes, n, 0, &pack};
    pack.user = &summed;
    status = evaluation_unpack(&evaluation, &pack, "fuzz", &err);
    end(status, evaluation, &err);
    return 0;
}
