/* key_text.c - unit, range, and a value that one might set. */
#include "help/key_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *key_default(char out[KEY_TEXT_SIZE], const tacos_key_info *key) {
    (void)snprintf(out, KEY_TEXT_SIZE, "%s%s%s", key->default_value, key->unit[0] ? " " : "",
                   key->unit);
    return out;
}

char *key_range(char out[KEY_TEXT_SIZE], const tacos_key_info *key) {
    if (key->choices[0])
        (void)snprintf(out, KEY_TEXT_SIZE, "%s", key->choices);
    else if (key->min != key->max)
        (void)snprintf(out, KEY_TEXT_SIZE, "%.12g to %.12g%s%s", key->min, key->max,
                       key->unit[0] ? " " : "", key->unit);
    else
        (void)snprintf(out, KEY_TEXT_SIZE, "%s", key->type);
    return out;
}

const char *key_type(const tacos_key_info *key) {
    static const char *const types[][2] = {
        {"real", "a number"},
        {"count", "a whole number"},
        {"choice", "a choice"},
        {"bound", "a number, or none"},
        {"reals", "a number, or several with commas between"},
        {"counts", "whole numbers with commas between, or none"},
        {"text", "text"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i][0], key->type) == 0)
            return types[i][1];
    return key->type;
}

const char *key_owner(const tacos_key_info *key) {
    return key->of_rival        ? "rival methods"
           : key->of_experiment ? "experiments"
           : key->derived       ? "learners"
                                : "learners and experiments";
}

/* ---- an example: some other value than the default ---- */

/* The first choice that is not the default. */
static void other_choice(char out[KEY_TEXT_SIZE], const tacos_key_info *key) {
    const char *at = key->choices;
    size_t n = strcspn(at, ",");
    if (n == strlen(key->default_value) && strncmp(at, key->default_value, n) == 0 && at[n]) {
        at += n + 2;
        n = strcspn(at, ",");
    }
    (void)snprintf(out, KEY_TEXT_SIZE, "%.*s", (int)n, at);
}

/* Half of the default, or twice; where it is 0, something small. */
static double other_number(const tacos_key_info *key) {
    double value = strtod(key->default_value, NULL);
    int whole = strncmp(key->type, "count", 5) == 0;
    if (value == 0)
        return !whole ? 0.5 : key->max < 100 ? 1 : 100;
    double half = value / 2;
    int fits = half >= key->min && half <= key->max && (!whole || half == (double)(long)half);
    return fits ? half : 2 * value;
}

char *key_example(char out[KEY_TEXT_SIZE], const tacos_key_info *key) {
    char value[KEY_TEXT_SIZE];
    if (key->choices[0])
        other_choice(value, key);
    else if (key->min != key->max)
        (void)snprintf(value, sizeof value, "%.12g", other_number(key));
    else
        (void)snprintf(value, sizeof value, "%s", key->default_value);
    (void)snprintf(out, KEY_TEXT_SIZE, "%s=%.150s", key->name, value);
    return out;
}
