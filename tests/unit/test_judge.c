/* test_judge.c - from evidence to chances, confidence and novelty: they are in range whatever the
 * evidence, and they become what streams of known chances show. */
#include "stream/judge.h"

#include <float.h>
#include <math.h>

#include "check.h"

enum { LABELS = 5 };
static const uint64_t seen[LABELS] = {10, 20, 30, 0, 40}; /* one was never learned */

static Evidence evidence_of(const double *bits, size_t n) {
    return (Evidence){.bits = bits, .n = n};
}

static double sum_of(const double *values, size_t n) {
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += values[k];
    return sum;
}

/* ---- chances ---- */

static void chances_are_a_softmax(void **state) {
    static const double bits[LABELS] = {-3, 4, 0, 100, 1};
    const Evidence evidence = evidence_of(bits, LABELS);
    double chances[LABELS], odds[LABELS], most = 0;
    Judge judge;
    (void)state;
    judge_start(&judge);
    Verdict verdict = judge_sample(&judge, &evidence, seen, false, chances);
    for (size_t k = 0; k < LABELS; k++)
        odds[k] = seen[k] > 0 ? exp2(0.2 * bits[k]) : 0;
    most = odds[1] / sum_of(odds, LABELS);
    assert_int_equal(verdict.label, 1);
    assert_true(fabs(verdict.chance - most) < 1e-12);
    assert_true(chances[3] == 0 && fabs(sum_of(chances, LABELS) - 1) < 1e-12);
    assert_true(fabs(chances[4] / chances[2] - odds[4] / odds[2]) < 1e-12);
    assert_true(isnan(verdict.novelty));
}

/* However far apart the evidence is, also where all but the first round to nothing beside it. */
static void chances_are_1_in_all(void **state) {
    Dice dice = {.game = 1};
    (void)state;
    for (int i = 0; i < 20000; i++) {
        Judge judge;
        double bits[LABELS], chances[LABELS], room[2 * LABELS];
        const Evidence evidence = evidence_of(bits, LABELS);
        judge_start(&judge);
        double scale = ldexp(1, i % 24);
        for (size_t k = 0; k < LABELS; k++)
            bits[k] = roll(&dice, -1, 1) * scale;
        for (int k = 0; k < i % 50; k++)
            judge_learn(&judge, &evidence, seen, i % 3, room);
        judge_follow(&judge, i % 3);
        for (int in_stream = 0; in_stream < 2; in_stream++) {
            Verdict verdict = judge_sample(&judge, &evidence, seen, in_stream, chances);
            assert_true(fabs(sum_of(chances, LABELS) - 1) < 1e-12);
            assert_in_range(verdict.label, 0, LABELS - 1);
            assert_true(verdict.confidence >= 0 && verdict.confidence <= 1);
            for (size_t k = 0; k < LABELS; k++)
                assert_true(chances[k] >= 0 &&
                            ((int)k == verdict.label || chances[k] < chances[verdict.label]));
        }
    }
}

/* 53 bits apart: 1 minus the chance of the first is not what the others have. */
static void chances_that_round_to_1_do_too(void **state) {
    double chances[LABELS], bits[LABELS] = {0};
    const Evidence evidence = evidence_of(bits, LABELS);
    Judge judge;
    (void)state;
    judge_start(&judge);
    for (double apart = 40; apart < 70; apart += 0.25) {
        bits[1] = apart / 0.2;
        (void)judge_sample(&judge, &evidence, seen, false, chances);
        assert_true(fabs(sum_of(chances, LABELS) - 1) < 1e-12);
    }
}

static void nobody_is_likely_before_anything_was_learned(void **state) {
    static const uint64_t none[LABELS] = {0};
    static const double bits[LABELS] = {1, 2, 3};
    const Evidence evidence = evidence_of(bits, LABELS), empty = {0};
    double chances[LABELS] = {1};
    Judge judge;
    (void)state;
    judge_start(&judge);
    assert_int_equal(judge_sample(&judge, &evidence, none, true, chances).label, NO_LABEL);
    assert_true(sum_of(chances, LABELS) == 0);
    assert_int_equal(judge_sample(&judge, &empty, NULL, true, NULL).label, NO_LABEL);
}

static void extreme_evidence_stays_finite(void **state) {
    static const double odd[] = {8388607, -8388608, 0, 4e9, DBL_TRUE_MIN, 1};
    double bits[LABELS], chances[LABELS], room[2 * LABELS];
    const Evidence evidence = {
        .bits = bits, .n = LABELS, .has_novelty = true, .disagreement = 1e15, .unlikeness = 1e12};
    Judge judge;
    (void)state;
    judge_start(&judge);
    for (size_t i = 0; i < 3000; i++) {
        for (size_t k = 0; k < LABELS; k++)
            bits[k] = odd[(i + k * i / 7) % 6];
        Verdict verdict = judge_sample(&judge, &evidence, seen, true, chances);
        assert_true(verdict.novelty >= 0 && verdict.novelty <= 1);
        assert_true(fabs(sum_of(chances, LABELS) - 1) < 1e-12);
        judge_learn(&judge, &evidence, seen, (long)(i % 3), room);
        judge_follow(&judge, (long)(i % 3));
        assert_true(isfinite(judge.in_stream.w_evidence) && isfinite(judge.in_stream.w_context));
    }
}

/* ---- calibration ---- */

/* Two labels; what the evidence says is right with a known chance, whatever its weight claims. */
static double confidence_after(double hit_rate, double apart, size_t n_samples) {
    static const uint64_t both[2] = {1, 1};
    double bits[2] = {apart, 0}, chances[2], room[4], sum = 0;
    const Evidence evidence = evidence_of(bits, 2);
    Dice dice = {.game = (uint32_t)(1000 * hit_rate)};
    Judge judge;
    judge_start(&judge);
    for (size_t k = 0; k < n_samples; k++) {
        if (k >= n_samples / 2)
            sum += judge_sample(&judge, &evidence, both, false, chances).confidence;
        judge_learn(&judge, &evidence, both, roll(&dice, 0, 1) < hit_rate ? 0 : 1, room);
    }
    return sum / (double)(n_samples - n_samples / 2);
}

/* Evidence that claims far too much (900 bits) is distrusted less exactly: what chances say in bins
 * without answers counts as two answers each, and there are many of these below. */
static void confidence_becomes_the_hit_rate(void **state) {
    static const double rates[] = {0.6, 0.75, 0.9, 0.99};
    (void)state;
    for (size_t k = 0; k < 4; k++)
        for (double apart = 1; apart < 1000; apart *= 30) {
            double error = confidence_after(rates[k], apart, 8000) - rates[k];
            print_message("hit rate %g, %g bits: %+.3f\n", rates[k], apart, error);
            assert_true(fabs(error) < (apart < 100 ? 0.025 : 0.1));
        }
}

/* Evidence of all strengths, each right as often as it is; then answers of every confidence are
 * right so often. */
static void answers_of_a_confidence_are_right_so_often(void **state) {
    static const uint64_t both[2] = {1, 1};
    double bits[2] = {0}, chances[2], room[4], said[5] = {0}, right[5] = {0}, all[5] = {0};
    const Evidence evidence = evidence_of(bits, 2);
    Dice dice = {.game = 2};
    Judge judge;
    (void)state;
    judge_start(&judge);
    for (size_t k = 0; k < 60000; k++) {
        bits[0] = roll(&dice, -40, 40);
        double chance = 1 / (1 + exp2(-bits[0] / 10)); /* of label 0 */
        long label = roll(&dice, 0, 1) < chance ? 0 : 1;
        Verdict verdict = judge_sample(&judge, &evidence, both, false, chances);
        size_t bin = verdict.confidence < 0.5 ? 0 : (size_t)((verdict.confidence - 0.5) * 9.999);
        if (k > 5000) {
            said[bin] += verdict.confidence;
            right[bin] += verdict.label == label;
            all[bin]++;
        }
        judge_learn(&judge, &evidence, both, label, room);
    }
    for (size_t b = 0; b < 5; b++) {
        assert_true(all[b] > 1000);
        assert_true(fabs(said[b] / all[b] - right[b] / all[b]) < 0.03);
    }
}

/* Whatever was seen: a likelier answer is never less sure. */
static void confidence_never_falls_with_the_chance(void **state) {
    static const uint64_t both[2] = {1, 1};
    Dice dice = {.game = 4};
    (void)state;
    for (int i = 0; i < 200; i++) {
        double bits[2] = {0}, chances[2], room[4], last = 0;
        const Evidence evidence = evidence_of(bits, 2);
        Judge judge;
        judge_start(&judge);
        for (int k = 0; k < 300; k++) {
            bits[0] = roll(&dice, 0, 100);
            judge_learn(&judge, &evidence, both, (long)roll(&dice, 0, 2), room);
        }
        for (bits[0] = 0.1; bits[0] < 200; bits[0] += 0.5) {
            double confidence = judge_sample(&judge, &evidence, both, false, chances).confidence;
            assert_true(confidence >= last);
            last = confidence;
        }
    }
}

/* ---- context ---- */

static void context_learns_how_often_labels_repeat(void **state) {
    static const uint64_t both[2] = {500, 500};
    static const double parts[] = {0.02, 0.5, 0.95};
    double bits[2] = {0}, chances[2];
    const Evidence evidence = evidence_of(bits, 2);
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        Dice dice = {.game = 60 + (uint32_t)i};
        Judge judge;
        long label = 0;
        double sum = 0;
        judge_start(&judge);
        for (size_t k = 0; k < 3000; k++) {
            label = roll(&dice, 0, 1) < parts[i] ? label : 1 - label;
            judge_follow(&judge, label);
            sum += k >= 1000 ? judge.context.repeat : 0;
        }
        assert_true(fabs(sum / 2000 - parts[i]) < 0.03);
        Verdict verdict = judge_sample(&judge, &evidence, both, true, chances);
        if (parts[i] > 0.6)
            assert_int_equal(verdict.label, label);
        if (parts[i] < 0.4)
            assert_int_equal(verdict.label, 1 - label);
        (void)judge_sample(&judge, &evidence, both, false, chances);
        assert_true(fabs(chances[0] - chances[1]) < 0.1); /* alone it says nothing */
    }
}

/* Where labels come in runs and the evidence is noise, the weights learn to trust the context. */
static void context_is_weighed_against_evidence(void **state) {
    static const uint64_t both[2] = {500, 500};
    double bits[2] = {0}, chances[2], room[4];
    const Evidence evidence = evidence_of(bits, 2);
    Dice dice = {.game = 70};
    Judge judge;
    long label = 0;
    size_t right = 0, right_alone = 0;
    (void)state;
    judge_start(&judge);
    for (size_t k = 0; k < 4000; k++) {
        label = roll(&dice, 0, 1) < 0.9 ? label : 1 - label;
        bits[0] = roll(&dice, -20, 20) + (label == 0 ? 3 : -3);
        if (k >= 2000) {
            right += judge_sample(&judge, &evidence, both, true, chances).label == label;
            right_alone += judge_sample(&judge, &evidence, both, false, chances).label == label;
        }
        judge_learn(&judge, &evidence, both, label, room);
        judge_follow(&judge, label);
    }
    print_message("right of 2000: %zu, without context %zu\n", right, right_alone);
    assert_true(right >= 1770 && right_alone < 1300);
}

/* ---- novelty ---- */

static void a_typical_sample_is_near_half(void **state) {
    static const double bits[2] = {1, 0};
    static const uint64_t both[2] = {1, 1};
    Evidence evidence = {.bits = bits, .n = 2, .has_novelty = true};
    double chances[2], room[4], sum = 0, common;
    Dice dice = {.game = 8};
    Judge judge;
    (void)state;
    judge_start(&judge);
    for (size_t k = 0; k < 4000; k++) {
        evidence.disagreement = roll(&dice, 500, 1500);
        evidence.unlikeness = roll(&dice, 40, 60);
        sum += k < 2000 ? 0 : judge_sample(&judge, &evidence, both, false, chances).novelty;
        judge_learn(&judge, &evidence, both, 0, room);
    }
    assert_true(fabs(sum / 2000 - 0.5) < 0.01);
    evidence.disagreement = 1000;
    evidence.unlikeness = 50;
    common = judge_sample(&judge, &evidence, both, false, chances).confidence;
    evidence.disagreement = 20000;
    evidence.unlikeness = 200;
    Verdict verdict = judge_sample(&judge, &evidence, both, false, chances);
    assert_true(verdict.novelty > 0.85 && verdict.confidence < common / 2);
    evidence.disagreement = evidence.unlikeness = 0;
    verdict = judge_sample(&judge, &evidence, both, false, chances);
    assert_true(verdict.novelty == 0 && verdict.confidence == common);
}

/* A stream in which nothing disagrees for very long: the mean fades to nearly 0. */
static void a_mean_that_faded_is_no_trap(void **state) {
    static const double bits[2] = {1, 0};
    static const uint64_t both[2] = {1, 1};
    static const double faded[] = {DBL_TRUE_MIN, 1e-320, 1e-306, 1e-200};
    Evidence evidence = {.bits = bits, .n = 2, .has_novelty = true, .disagreement = 1e4};
    double chances[2], room[4];
    Judge judge;
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        judge_start(&judge);
        judge.disagreement = judge.unlikeness = faded[k];
        evidence.unlikeness = k % 2 ? 1e5 : 0;
        judge.n = 1000;
        Verdict verdict = judge_sample(&judge, &evidence, both, false, chances);
        assert_true(verdict.novelty > 0.99 && verdict.novelty < 1);
        judge_learn(&judge, &evidence, both, 0, room);
        assert_true(judge.novelties[NOVELTY_BINS - 1] == 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chances_are_a_softmax),
        cmocka_unit_test(chances_are_1_in_all),
        cmocka_unit_test(chances_that_round_to_1_do_too),
        cmocka_unit_test(nobody_is_likely_before_anything_was_learned),
        cmocka_unit_test(extreme_evidence_stays_finite),
        cmocka_unit_test(confidence_becomes_the_hit_rate),
        cmocka_unit_test(answers_of_a_confidence_are_right_so_often),
        cmocka_unit_test(confidence_never_falls_with_the_chance),
        cmocka_unit_test(context_learns_how_often_labels_repeat),
        cmocka_unit_test(context_is_weighed_against_evidence),
        cmocka_unit_test(a_typical_sample_is_near_half),
        cmocka_unit_test(a_mean_that_faded_is_no_trap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
