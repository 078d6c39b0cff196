/* any_config.h - configurations of a spiking learner over the whole range of its keys, of small
 * sizes. */
#ifndef TESTS_ANY_CONFIG_H
#define TESTS_ANY_CONFIG_H

#include "net/params.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NEURONS_MAX = 40, STEPS_MAX = 60 };

static inline size_t roll_count(Dice *dice, size_t low, size_t high) {
    return low + roll_word(dice) % (high - low + 1);
}

/* ---- a configuration ---- */

/* An end of the range, its default, or anything between: evenly, or by the order of magnitude. */
static inline double roll_real(Dice *dice, const tacos_key_info *key) {
    double small = key->min > 0 ? key->min : 1e-45, at = roll(dice, 0, 1);
    switch (roll_word(dice) % 8) {
    case 0:
        return key->min;
    case 1:
    case 2:
        return key->max;
    case 3:
        return strtod(key->default_value, NULL);
    case 4:
        return key->min + (key->max - key->min) * at;
    case 5:
        return key->min < 0 ? -pow(-key->min, at) : small;
    default:
        return small * pow(key->max / small, at);
    }
}

/* Other than the defaults, what makes a small network lively. */
static const char *const lively[][2] = {
    {"init_w", "10"},
    {"learning_rate", "0.03"},
    {"m_threshold_input", "1"},
    {"m_threshold_hidden", "1"},
    {"m_threshold_output", "0.5"},
    {"alpha", "0.002"},
};

static inline const char *lively_value(const tacos_key_info *key) {
    for (size_t k = 0; k < sizeof lively / sizeof *lively; k++)
        if (strcmp(key->name, lively[k][0]) == 0)
            return lively[k][1];
    return key->default_value;
}

/* Sizes that a test can afford; the widths that fill vectors, and those that do not. */
static const struct {
    const char *name;
    size_t low, high;
} sizes[] = {{"inputs", 1, NEURONS_MAX}, {"outputs", 1, NEURONS_MAX}, {"steps", 1, STEPS_MAX}};

/* The same for those that are drawn like any other key. */
static const struct {
    const char *name;
    size_t low, high;
} counts[] = {{"tend_every", 1, 8},
              {"neurogenesis_neurons", 1, 5},
              {"rehearsal_every", 0, 12},
              {"rehearsal_means", 1, 4},
              {"rehearsal_rounds", 1, 2}};

static inline bool roll_small(Dice *dice, const tacos_key_info *key, char *text, size_t size) {
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        if (strcmp(key->name, counts[k].name) == 0) {
            (void)snprintf(text, size, "%zu", roll_count(dice, counts[k].low, counts[k].high));
            return true;
        }
    return false;
}

static inline void roll_choice(Dice *dice, const tacos_key_info *key, char *text, size_t size) {
    size_t n = 1;
    const char *at = key->choices;
    for (const char *c = at; *c; c++)
        n += *c == ',';
    for (size_t k = roll_word(dice) % n; k > 0; k--)
        at = strchr(at, ',') + 2;
    (void)snprintf(text, size, "%.*s", (int)strcspn(at, ","), at);
}

/* One value for all, or one for each of n. */
static inline void roll_reals(Dice *dice, const tacos_key_info *key, size_t n, char *text,
                              size_t size) {
    size_t used = 0;
    n = n > 0 && roll_word(dice) % 2 ? n : 1;
    for (size_t k = 0; k < n; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%.17g", k ? "," : "",
                                 roll_real(dice, key));
}

static inline size_t roll_hidden(Dice *dice, char *text, size_t size) {
    size_t n = roll_word(dice) % 4, used = (size_t)snprintf(text, size, n ? "" : "none");
    for (size_t k = 0; k < n; k++)
        used += (size_t)snprintf(text + used, size - used, "%s%zu", k ? "," : "",
                                 roll_count(dice, 1, NEURONS_MAX));
    return n;
}

static inline void roll_value(Dice *dice, const tacos_key_info *key, double wild, size_t n_hidden,
                              char *text, size_t size) {
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (strcmp(key->name, sizes[k].name) == 0) {
            (void)snprintf(text, size, "%zu", roll_count(dice, sizes[k].low, sizes[k].high));
            return;
        }
    if (strcmp(key->type, "choice") != 0 && roll(dice, 0, 1) >= wild)
        (void)snprintf(text, size, "%s", lively_value(key));
    else if (strcmp(key->type, "choice") == 0)
        roll_choice(dice, key, text, size);
    else if (strcmp(key->type, "reals") == 0)
        roll_reals(dice, key, n_hidden + (strcmp(key->name, "init_b") != 0), text, size);
    else if (strcmp(key->type, "bound") == 0 && roll_word(dice) % 4 == 0)
        (void)snprintf(text, size, "none");
    else if (strcmp(key->type, "real") == 0 || strcmp(key->type, "bound") == 0)
        (void)snprintf(text, size, "%.17g", roll_real(dice, key));
    else if (!roll_small(dice, key, text, size))
        fail_msg("a key of a kind that this test does not know: %s", key->name);
}

/* The text of a configuration. */
static inline void roll_config(Dice *dice, char *text, size_t size) {
    char value[600];
    tacos_key_info key;
    double wild = roll_word(dice) % 8 == 0 ? 1 : roll(dice, 0, 0.4);
    size_t n_hidden = roll_hidden(dice, value, sizeof value);
    size_t used = (size_t)snprintf(text, size, "hidden = %s\n", value);
    for (size_t i = 0; tacos_key(i, &key); i++) {
        if (!tacos_key_of_learner(&key) || strcmp(key.name, "hidden") == 0 ||
            key.group == TACOS_KEY_COLUMNS) /* which compute with whole numbers */
            continue;
        if (strcmp(key.name, "model") == 0) /* rivals are no learners */
            (void)snprintf(value, sizeof value, "%s",
                           models[roll_word(dice) % (uint32_t)columns_model].name);
        else
            roll_value(dice, &key, wild, n_hidden, value, sizeof value);
        used += (size_t)snprintf(text + used, size - used, "%s = %s\n", key.name, value);
        assert_true(used < size);
    }
}

#endif
