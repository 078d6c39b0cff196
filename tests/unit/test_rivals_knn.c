/* test_rivals_knn.c - nearest neighbours: which samples are kept, what they remember, how they
 * vote. */
#include "test_rivals.h"

#include <stdio.h>

/* ---- keeping ---- */

/* `n` samples of one value, their number; learned `a_batch` at a time. */
static void learn_numbers(Rival *rival, size_t n, size_t a_batch) {
    for (size_t from = 0; from < n; from += a_batch) {
        float x[64];
        uint16_t target[64] = {0};
        size_t now = n - from < a_batch ? n - from : a_batch;
        for (size_t i = 0; i < now; i++) {
            x[i] = (float)(from + i) / 255;
            target[i] = (uint16_t)((from + i) % 2);
        }
        rival_learn(rival, x, target, now);
    }
}

/* Values of one byte, labels of two, and eight bytes for the count. */
static Rival *numbers_rival(size_t capacity, uint32_t seed) {
    char text[80];
    (void)snprintf(text, sizeof text, "batch 64 memory_kb %.3f", (8 + 3 * (double)capacity) / 1000);
    Rival *rival = toy_rival("knn", text, (RivalShape){1, 2, {0, {0}}}, seed);
    assert_int_equal(rival->knn.capacity, capacity);
    return rival;
}

static void memory_is_used_up_and_no_more(void **state) {
    Rival *rival = toy_rival("knn", "memory_kb 667", (RivalShape){784, 10, {0, {0}}}, 50);
    size_t bytes = rival_stats(rival).model_bytes;
    (void)state;
    assert_int_equal(rival->knn.capacity, 848);
    assert_int_equal(bytes, 848 * (784 + 2) + 8);
    assert_true(bytes <= 667000 && bytes + 786 > 667000);
    rival_free(rival);
}

static void all_are_kept_while_there_is_room(void **state) {
    Rival *rival = numbers_rival(20, 51);
    (void)state;
    learn_numbers(rival, 20, 7);
    for (size_t i = 0; i < 20; i++) {
        assert_int_equal(rival->knn.values[i], i);
        assert_int_equal(rival->knn.label[i], i % 2);
    }
    rival_free(rival);
}

/* Each of 60 samples is as likely as any other to be among the 12 kept. */
static void what_is_kept_is_uniform(void **state) {
    enum { SEEDS = 4000, SEEN = 60, CAPACITY = 12 };
    double times[SEEN] = {0}, p = (double)CAPACITY / SEEN;
    (void)state;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        Rival *rival = numbers_rival(CAPACITY, seed);
        bool has[SEEN] = {false};
        learn_numbers(rival, SEEN, 32);
        for (size_t i = 0; i < CAPACITY; i++) {
            uint8_t number = rival->knn.values[i];
            assert_true(number < SEEN && !has[number]);
            assert_int_equal(rival->knn.label[i], number % 2);
            has[number] = true;
            times[number]++;
        }
        rival_free(rival);
    }
    for (size_t i = 0; i < SEEN; i++)
        assert_close(times[i], SEEDS * p, 5 * sqrt(SEEDS * p * (1 - p)));
}

/* However often it stops, and whatever it is asked in between. */
static void what_is_kept_does_not_depend_on_batches(void **state) {
    static const size_t cuts[] = {1, 5, 64};
    uint32_t digest[3];
    (void)state;
    for (size_t c = 0; c < 3; c++) {
        Rival *rival = numbers_rival(12, 52);
        float scores[2];
        learn_numbers(rival, 30, cuts[c]);
        rival_predict(rival, (float[]){0.5f}, 1, scores);
        learn_numbers(rival, 200, cuts[c]);
        digest[c] = rival_digest(rival);
        rival_free(rival);
    }
    assert_int_equal(digest[0], digest[1]);
    assert_int_equal(digest[0], digest[2]);
}

static void pixels_come_back_exactly(void **state) {
    static const struct {
        const char *text;
        double mean, sd;
    } scales[] = {{"pixel_mean 0 pixel_sd 1", 0, 1},
                  {"pixel_mean 0.1307 pixel_sd 0.3081", 0.1307, 0.3081},
                  {"pixel_mean -3 pixel_sd 7.5", -3, 7.5}};
    (void)state;
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        Rival *rival = toy_rival("knn", scales[i].text, (RivalShape){256, 2, {0, {0}}}, 53);
        float x[256];
        for (int p = 0; p < 256; p++) /* as lab/features.c scales them */
            x[p] = (float)((p / 255.0 - scales[i].mean) / scales[i].sd);
        rival_learn(rival, x, (uint16_t[]){1}, 1);
        for (int p = 0; p < 256; p++)
            assert_int_equal(rival->knn.values[p], p);
        rival_free(rival);
    }
}

static void counts_of_spikes_are_kept_as_they_are(void **state) {
    Rival *rival =
        toy_rival("knn", "features spikes pixel_sd 0.1", (RivalShape){4, 2, {0, {0}}}, 54);
    (void)state;
    rival_learn(rival, (float[]){0, 7, 255, 300}, (uint16_t[]){1}, 1);
    assert_memory_equal(rival->knn.values, ((uint8_t[]){0, 7, 255, 255}), 4);
    rival_free(rival);
}

/* ---- voting ---- */

enum { KEPT = 40, SIDE = 3, OUTPUTS = 4 };

/* Comes sample a before b, seen from x? By distance, then by number. */
static bool is_nearer(const double *far, size_t a, size_t b) {
    return far[a] < far[b] || (far[a] == far[b] && a < b);
}

static double far_by_hand(bool cosine, const uint8_t *a, const uint8_t *b) {
    double squares = 0, both = 0, aa = 0, bb = 0;
    for (size_t j = 0; j < SIDE; j++) {
        squares += pow((double)a[j] - b[j], 2);
        both += (double)a[j] * b[j];
        aa += (double)a[j] * a[j];
        bb += (double)b[j] * b[j];
    }
    return !cosine ? squares : aa * bb > 0 ? 1 - both / sqrt(aa * bb) : 1;
}

/* By votes; then by the nearest sample; then the first. */
static size_t answer_by_hand(uint8_t (*value)[SIDE], const uint16_t *label, const uint8_t *x,
                             size_t k, bool cosine) {
    double far[KEPT], votes[OUTPUTS] = {0}, nearest[OUTPUTS];
    size_t best = 0;
    for (size_t o = 0; o < OUTPUTS; o++)
        nearest[o] = INFINITY;
    for (size_t s = 0; s < KEPT; s++)
        far[s] = far_by_hand(cosine, value[s], x);
    for (size_t s = 0; s < KEPT; s++) {
        size_t before = 0;
        for (size_t r = 0; r < KEPT; r++)
            before += is_nearer(far, r, s);
        votes[label[s]] += before < k;
        nearest[label[s]] = fmin(nearest[label[s]], far[s]);
    }
    for (size_t o = 1; o < OUTPUTS; o++)
        if (votes[o] > votes[best] || (votes[o] == votes[best] && nearest[o] < nearest[best]))
            best = o;
    return best;
}

static void answers_are_those_of_all_pairs(size_t k, bool cosine) {
    char text[80];
    (void)snprintf(text, sizeof text, "batch 1 neighbours %zu metric %s", k,
                   cosine ? "cosine" : "euclid");
    Rival *rival = toy_rival("knn", text, (RivalShape){SIDE, OUTPUTS, {0, {0}}}, 55);
    uint8_t value[KEPT][SIDE];
    uint16_t label[KEPT];
    Dice dice = {.game = 56 + (uint32_t)k};
    size_t given[OUTPUTS] = {0};
    for (size_t s = 0; s < KEPT; s++) {
        float x[SIDE];
        for (size_t j = 0; j < SIDE; j++) { /* few values, so that many distances are equal */
            value[s][j] = (uint8_t)(roll_word(&dice) % (cosine ? 200 : 4));
            x[j] = (float)value[s][j] / 255;
        }
        label[s] = (uint16_t)(roll_word(&dice) % OUTPUTS);
        rival_learn(rival, x, &label[s], 1);
    }
    for (size_t i = 0; i < 500; i++) {
        uint8_t shown[SIDE];
        float x[SIDE], scores[OUTPUTS];
        size_t best = 0;
        for (size_t j = 0; j < SIDE; j++) {
            shown[j] = (uint8_t)(roll_word(&dice) % (cosine ? 200 : 4));
            x[j] = (float)shown[j] / 255;
        }
        rival_predict(rival, x, 1, scores);
        for (size_t o = 1; o < OUTPUTS; o++)
            best = scores[o] > scores[best] ? o : best;
        assert_int_equal(best, answer_by_hand(value, label, shown, k, cosine));
        given[best]++;
    }
    for (size_t o = 0; k < KEPT && o < OUTPUTS; o++) /* else the majority always wins */
        assert_true(given[o] > 0);
    rival_free(rival);
}

static void the_nearest_vote(void **state) {
    static const size_t votes[] = {1, 2, 3, 7, KEPT, KEPT + 5};
    (void)state;
    for (size_t i = 0; i < sizeof votes / sizeof *votes; i++) {
        answers_are_those_of_all_pairs(votes[i], false);
        answers_are_those_of_all_pairs(votes[i], true);
    }
}

/* Sums of products that 32 bits do not hold. */
static void large_samples_have_large_distances(void **state) {
    enum { N = 100000 };
    Rival *rival = toy_rival("knn", "batch 1", (RivalShape){N, 2, {0, {0}}}, 57);
    float *x = calloc(N, sizeof *x), scores[2];
    (void)state;
    assert_non_null(x);
    rival_learn(rival, x, (uint16_t[]){0}, 1);
    for (size_t j = 0; j < N; j++)
        x[j] = 1;
    rival_learn(rival, x, (uint16_t[]){1}, 1);
    assert_true(rival->knn.square[1] == (uint64_t)N * 255 * 255);
    for (size_t j = 0; j < N / 3; j++)
        x[j] = 0;
    rival_predict(rival, x, 1, scores);
    assert_true(scores[1] > scores[0]);
    for (size_t j = 0; j < 2 * (N / 3); j++)
        x[j] = 0;
    rival_predict(rival, x, 1, scores);
    assert_true(scores[0] > scores[1]);
    free(x);
    rival_free(rival);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_used_up_and_no_more),
        cmocka_unit_test(all_are_kept_while_there_is_room),
        cmocka_unit_test(what_is_kept_is_uniform),
        cmocka_unit_test(what_is_kept_does_not_depend_on_batches),
        cmocka_unit_test(pixels_come_back_exactly),
        cmocka_unit_test(counts_of_spikes_are_kept_as_they_are),
        cmocka_unit_test(the_nearest_vote),
        cmocka_unit_test(large_samples_have_large_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
