/* fuzz_classifier.c - a saved classifier, as it is and with its sums repaired; what can be loaded
 * answers, learns, and is saved and loaded again. Learners have a limit, as in fuzz_learner.c. */
#include "base/array.h"
#include "base/little_endian.h"
#include "fuzz_images.h"
#include "repair.h"
#include "stream/classifier.h"

typedef struct Reading {
    const uint8_t *bytes;
    size_t n, taken;
    size_t section;  /* where the last one begins whose sum was not right so far */
    uint32_t crc;    /* of it */
    bool may_be_sum; /* the last read was of four bytes, and they were not its sum */
} Reading;

static int take(void *user, void *to, size_t n) {
    Reading *reading = user;
    if (n > reading->n - reading->taken)
        return -1;
    memcpy(to, reading->bytes + reading->taken, n);
    reading->taken += n;
    bool is_sum = n == 4 && little_endian_get(to, 4) == reading->crc;
    reading->may_be_sum = n == 4 && !is_sum;
    reading->crc = is_sum ? 0 : crc_add(reading->crc, to, n);
    reading->section = is_sum ? reading->taken : reading->section;
    return 0;
}

typedef struct Saved {
    uint8_t *bytes;
    size_t n, room;
} Saved;

static int put(void *user, const void *bytes, size_t n) {
    Saved *saved = user;
    HOLDS(array_grow(&saved->bytes, &saved->room, saved->n + n, 1));
    memcpy(saved->bytes + saved->n, bytes, n);
    saved->n += n;
    return 0;
}

/* ---- what was loaded ---- */

/* Whether another label would take a learner within the limit. */
static bool may_learn(const Classifier *c) {
    Params params = classifier_params(c, &c->encoder);
    Learner *learner = NULL;
    if (c->n_seen == 0 || params.n_inputs > FEATURES_MAX)
        return false;
    bool good = learner_new(&learner, &params, c->seed, &limited, NULL) == TACOS_OK;
    tacos_learner_free(learner);
    return good;
}

static void check_answer(const Classifier *c, const tacos_answer *answer) {
    double sum = 0;
    HOLDS(answer->label >= -1 && answer->label < (int)c->labels.n);
    HOLDS(answer->confidence >= 0 && answer->confidence <= 1);
    HOLDS(!(answer->novelty < 0) && !(answer->novelty > 1));
    for (size_t k = 0; answer->label >= 0 && k < c->labels.n; k++)
        sum += answer->chances[k];
    HOLDS(answer->label < 0 || (sum > 1 - 1e-9 && sum < 1 + 1e-9));
}

/* A sound that does not exist leaves no trace. */
static void refuse_sound(Classifier *c) {
    const double none = 0;
    const char *const path = "/nonexistent.wav";
    const tacos_sample sample = {&none, &path, 1};
    tacos_answer answer;
    uint32_t before = tacos_classifier_digest(c);
    HOLDS(tacos_classifier_predict(c, &sample, &answer, NULL) != TACOS_OK);
    HOLDS(tacos_classifier_next(c, &sample, "a", NULL, NULL) != TACOS_OK);
    HOLDS(tacos_classifier_digest(c) == before);
}

/* A sample of the kinds that features have. */
static void go_on(Classifier *c, const char *label, size_t turn) {
    size_t n = c->schema.n;
    double *numbers = calloc(n, sizeof *numbers);
    const char **texts = calloc(n, sizeof *texts);
    tacos_answer answer;
    HOLDS(numbers && texts);
    for (size_t i = 0; i < n; i++) {
        if (c->schema.feature[i].kind == FEATURE_CATEGORY)
            texts[i] = (i + turn) % 2 ? "red" : "other";
        else
            numbers[i] = (double)((i + turn) % 3) / 2;
    }
    const tacos_sample sample = {numbers, texts, n};
    HOLDS(tacos_classifier_predict(c, &sample, &answer, NULL) == TACOS_OK);
    check_answer(c, &answer);
    uint32_t before = tacos_classifier_digest(c);
    if (tacos_classifier_next(c, &sample, label, &answer, NULL) == TACOS_OK)
        check_answer(c, &answer);
    else /* one label too many, or settings that do not fit */
        HOLDS(tacos_classifier_digest(c) == before);
    free(numbers);
    free(texts);
}

static void save_and_load(Classifier *c) {
    Saved saved = {0};
    Classifier *again;
    HOLDS(tacos_classifier_save_to(c, put, &saved, NULL) == TACOS_OK);
    Reading reading = {.bytes = saved.bytes, .n = saved.n};
    HOLDS(tacos_classifier_load_from(&again, take, &reading, NULL) == TACOS_OK);
    HOLDS(reading.taken == reading.n);
    HOLDS(tacos_classifier_digest(again) == tacos_classifier_digest(c));
    tacos_classifier_free(again);
    free(saved.bytes);
}

static void use(Classifier *c) {
    save_and_load(c);
    if (!may_learn(c))
        return;
    for (size_t turn = 0; turn < 4 && c->params.encoder != ENCODER_SPECTROGRAM; turn++)
        go_on(c, (const char *[]){NULL, "a", "new", "a"}[turn], turn);
    if (c->params.encoder == ENCODER_SPECTROGRAM)
        refuse_sound(c);
    save_and_load(c);
}

/* ---- loading ---- */

static tacos_status load(Reading *reading) {
    Classifier *c;
    tacos_error err = {0};
    tacos_status status = tacos_classifier_load_from(&c, take, reading, &err);
    if (status == TACOS_OK)
        use(c);
    else
        check_failure(status, &err);
    HOLDS(status == TACOS_OK || !c);
    tacos_classifier_free(c);
    return status;
}

/* Where reading stops at a wrong sum it is put right; twice, for settings and for what is known of
 * the stream. A learner may follow. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    uint8_t *copy = malloc(n + 1);
    Reading reading = {0};
    HOLDS(copy);
    memcpy(copy, bytes, n);
    for (size_t k = 0; k < 3; k++) {
        reading = (Reading){.bytes = copy, .n = n};
        if (load(&reading) == TACOS_OK || !reading.may_be_sum)
            break;
        repair_part(&(Repair){copy, n, reading.section}, reading.taken - 4 - reading.section);
    }
    if (n - reading.section > 8 && memcmp(copy + reading.section, "TACOSNET", 8) == 0 &&
        repair_learner(&(Repair){copy, n, reading.section})) {
        reading = (Reading){.bytes = copy, .n = n};
        (void)load(&reading);
    }
    free(copy);
    return 0;
}
