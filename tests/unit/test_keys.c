/* test_keys.c - values by name and text: what is written reads back the same, and what is wrong is
 * explained. */
#include "base/keys.h"
#include "lab/experiment.h"
#include "net/params.h"
#include "check.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>

static KeyTable table(size_t t) {
    return t == 0 ? params_table : experiment_table;
}

typedef union Fields {
    Params params;
    ExperimentParams own;
} Fields;

static const Key *key(const char *name) {
    const Key *found = keys_find(params_table, name);
    assert_non_null(found);
    return found;
}

/* ---- Reading back ---------------------------------------------------------------------------- */

static void every_default_is_a_value_of_its_key(void **state) {
    (void)state;
    for (size_t t = 0; t < 2; t++)
        for (size_t k = 0; k < table(t).n; k++) {
            Fields fields = {0};
            tacos_error err;
            assert_succeeds(
                key_set(&table(t).keys[k], &fields, table(t).keys[k].default_value, &err));
        }
}

/* And written as any value of the key would be: pages and `inspect` compare the texts. */
static void every_default_is_written_as_values_are(void **state) {
    tacos_key_info info;
    tacos_error err;
    tacos_experiment *experiment;
    (void)state;
    assert_succeeds(tacos_experiment_open(&experiment, "split-mnist", &err));
    for (size_t i = 0; tacos_key(i, &info); i++) {
        char text[KEY_VALUE_SIZE];
        if (info.derived)
            continue;
        assert_succeeds(tacos_experiment_set(experiment, info.name, info.default_value, &err));
        assert_succeeds(tacos_experiment_get(experiment, info.name, text, sizeof text, &err));
        assert_string_equal(text, info.default_value);
    }
    tacos_experiment_free(experiment);
}

/* Write every key of one struct as text, and read that into another. */
static void assert_round_trip(KeyTable keys, const Fields *from) {
    Fields to = {0};
    keys_defaults(keys, &to); /* so that a key that is not read is found */
    for (size_t k = 0; k < keys.n; k++) {
        char text[KEY_VALUE_SIZE];
        key_get(&keys.keys[k], from, text);
        assert_int_equal(key_set(&keys.keys[k], &to, text, NULL), TACOS_OK);
    }
    assert_memory_equal(&to, from, sizeof to);
}

static void defaults_round_trip(void **state) {
    (void)state;
    for (size_t t = 0; t < 2; t++) {
        Fields fields = {0};
        keys_defaults(table(t), &fields);
        assert_round_trip(table(t), &fields);
    }
}

/* Numbers with no short decimal form come back to the last bit. */
static void awkward_reals_round_trip(void **state) {
    (void)state;
    for (uint32_t game = 0; game < 200; game++) {
        Fields fields = {0};
        Dice dice = {.game = game};
        keys_defaults(params_table, &fields);
        for (size_t k = 0; k < params_table.n; k++) {
            const Key *real = &params_table.keys[k];
            double low = fmax(real->min, -1000), high = fmin(real->max, 1000);
            double value = low + (high - low) * pow(roll(&dice, 0, 1), game % 5) / 3;
            if (real->type == KEY_REAL)
                *(double *)((char *)&fields + real->offset) = value;
        }
        assert_round_trip(params_table, &fields);
    }
}

static void lists_and_texts_round_trip(void **state) {
    Fields params = {0}, own = {0};
    (void)state;
    keys_defaults(params_table, &params);
    keys_defaults(experiment_table, &own);
    params.params.hidden = (Counts){0};
    params.params.init_w = (Reals){3, {1.0 / 3, 0, 1000}};
    assert_round_trip(params_table, &params);
    params.params.hidden = (Counts){3, {1, 1000000, 20}};
    params.params.init_b.n = KEY_LIST_MAX; /* the longest text a list can have */
    for (size_t i = 0; i < KEY_LIST_MAX; i++)
        params.params.init_b.value[i] = 1e-200 / 3 * (double)(i + 1);
    assert_round_trip(params_table, &params);
    memset(own.own.tasks, '0', KEY_TEXT_SIZE - 1);
    assert_round_trip(experiment_table, &own);
}

/* ---- Comparing ------------------------------------------------------------------------------- */

typedef struct Sorts {
    double real, bound;
    size_t count;
    int choice;
    Reals reals;
    Counts counts;
    char text[KEY_TEXT_SIZE];
} Sorts;

#define SORT(name, type, default_value, choices)                                                   \
    { #name, type, offsetof(Sorts, name), -10, 10, "", "", default_value, "", choices }

static const char *const colours[] = {"red", "green", NULL};
static const Key sort_keys[] = {
    SORT(real, KEY_REAL, "1", NULL),     SORT(bound, KEY_BOUND, "none", NULL),
    SORT(count, KEY_COUNT, "1", NULL),   SORT(choice, KEY_CHOICE, "red", colours),
    SORT(reals, KEY_REALS, "1,2", NULL), SORT(counts, KEY_COUNTS, "1,2", NULL),
    SORT(text, KEY_TEXT, "one", NULL),
};
static const KeyTable sorts = {sort_keys, sizeof sort_keys / sizeof *sort_keys};

/* Set a key of a; only then it is unlike b. */
static void assert_tells(const char *name, const char *value) {
    Sorts a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0xff, sizeof b); /* what is in no key does not count */
    keys_defaults(sorts, &a);
    keys_defaults(sorts, &b);
    assert_true(keys_equal(sorts, &a, &b));
    assert_int_equal(key_set(keys_find(sorts, name), &a, value, NULL), TACOS_OK);
    assert_false(keys_equal(sorts, &a, &b));
    assert_false(keys_equal(sorts, &b, &a));
    for (size_t k = 0; k < sorts.n; k++)
        assert_true(key_equal(&sort_keys[k], &a, &b) == (strcmp(sort_keys[k].name, name) != 0));
    assert_int_equal(key_set(keys_find(sorts, name), &b, value, NULL), TACOS_OK);
    assert_true(keys_equal(sorts, &a, &b));
}

static void a_key_of_any_type_makes_a_difference(void **state) {
    (void)state;
    assert_int_equal(sorts.n, KEY_TEXT + 1); /* a new type wants a line here */
    assert_tells("real", "1.0000000000000002");
    assert_tells("bound", "10");
    assert_tells("count", "2");
    assert_tells("choice", "green");
    assert_tells("reals", "1,3");
    assert_tells("reals", "0,2");
    assert_tells("reals", "1");
    assert_tells("reals", "1,2,0"); /* the room behind a list has zeros */
    assert_tells("counts", "1,3");
    assert_tells("counts", "1");
    assert_tells("counts", "1,2,0");
    assert_tells("counts", "none");
    assert_tells("text", "on");
    assert_tells("text", "");
}

static void values_are_compared_and_not_their_bytes(void **state) {
    Sorts a, b;
    (void)state;
    memset(&a, 0, sizeof a);
    keys_defaults(sorts, &a);
    b = a;
    a.real = 0.0;
    b.real = -0.0;
    a.reals.value[2] = 7;
    a.counts.value[2] = 7;
    a.text[strlen(a.text) + 1] = 'x';
    assert_true(keys_equal(sorts, &a, &b));
    assert_true(keys_equal((KeyTable){sort_keys, 0}, &a, NULL)); /* nothing to compare */
}

/* ---- Refusing -------------------------------------------------------------------------------- */

static void bad_values_are_explained(void **state) {
    static const struct {
        const char *key, *value;
        tacos_status status;
        const char *says;
    } cases[] = {
        {"tau_trace_ms", "nan", TACOS_RANGE, "from 1 to 1000000000 ms"},
        {"tau_trace_ms", "inf", TACOS_RANGE, "from 1 to 1000000000 ms"},
        {"tau_trace_ms", "-inf", TACOS_RANGE, "from 1 to 1000000000 ms"},
        {"tau_trace_ms", "1e999", TACOS_RANGE, "tau_trace_ms = 1e999 is out of range"},
        {"alpha", "1.0001", TACOS_RANGE, "from 0 to 1"},
        {"input_rate_hz", "-1", TACOS_RANGE, "from 0 to 100000 Hz"},
        {"alpha", "half", TACOS_INVALID, "alpha = half: expected a number"},
        {"tau_trace_ms", "50 ms", TACOS_INVALID, "expected a number in ms"},
        {"tau_trace_ms", "", TACOS_INVALID, "(nothing)"},
        {"steps", "150.5", TACOS_INVALID, "steps = 150.5: expected a whole number"},
        {"steps", "0", TACOS_RANGE, "from 1 to 10000"},
        {"steps", "1e30", TACOS_RANGE, "from 1 to 10000"},
        {"steps", "", TACOS_INVALID, "(nothing)"},
        {"hidden", "", TACOS_INVALID, "(nothing): expected a number"},
        {"hidden", "20,none", TACOS_INVALID, "hidden = none: expected a number"},
        {"hidden", "20,0", TACOS_RANGE, "from 1 to 1000000"},
        {"hidden", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18", TACOS_INVALID, "at most 17"},
        {"init_w", "1,nan", TACOS_RANGE, "from 0 to 1000"},
        {"model", "Tacos", TACOS_INVALID,
         "tacos, snn, snn+metaplasticity, snn+consolidation, fixed"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Fields fields = {0}, was;
        tacos_error err;
        keys_defaults(params_table, &fields);
        was = fields;
        assert_fails(key_set(key(cases[i].key), &fields, cases[i].value, &err), cases[i].status);
        assert_says(err, cases[i].says);
        assert_memory_equal(&fields, &was, sizeof was);
        assert_int_equal(key_set(key(cases[i].key), &fields, cases[i].value, NULL),
                         cases[i].status);
    }
}

static void limits_are_inclusive(void **state) {
    (void)state;
    for (size_t k = 0; k < params_table.n; k++) {
        const Key *real = &params_table.keys[k];
        char low[64], high[64];
        Fields fields = {0};
        (void)snprintf(low, sizeof low, "%.17g", real->min);
        (void)snprintf(high, sizeof high, "%.17g", real->max);
        if (real->type != KEY_CHOICE) {
            assert_int_equal(key_set(real, &fields, low, NULL), TACOS_OK);
            assert_int_equal(key_set(real, &fields, high, NULL), TACOS_OK);
        }
    }
}

static void a_long_text_is_refused(void **state) {
    Fields fields = {0};
    tacos_error err;
    char text[KEY_TEXT_SIZE + 1];
    (void)state;
    memset(text, '1', sizeof text);
    text[KEY_TEXT_SIZE] = '\0';
    const Key *tasks = keys_find(experiment_table, "tasks");
    assert_fails(key_set(tasks, &fields, text, &err), TACOS_INVALID);
    assert_says(err, "longer than 1023");
    assert_fails(key_set(key("hidden"), &fields, text, &err), TACOS_INVALID);
    assert_says(err, "too long");
}

static void unknown_keys_name_the_nearest(void **state) {
    const KeyTable *const learners[] = {&params_table};
    tacos_error err;
    (void)state;
    assert_fails(keys_fail_unknown(learners, 1, NULL, "learning_rat", &err), TACOS_UNKNOWN);
    assert_says(err, "unknown key 'learning_rat'; the nearest is 'learning_rate'");
    assert_fails(
        keys_fail_unknown(experiment_tables, EXPERIMENT_TABLES, NULL, "sample_per_tasks", &err),
        TACOS_UNKNOWN);
    assert_says(err, "'samples_per_task'");
    assert_fails(keys_fail_unknown(learners, 1, NULL, "xyzzyxyzzy", &err), TACOS_UNKNOWN);
    assert_null(strstr(err.text, "nearest"));
}

static void a_wrong_choice_names_all_and_the_nearest(void **state) {
    Params fields;
    tacos_error err;
    (void)state;
    params_defaults(&fields);
    assert_fails(key_set(key("model"), &fields, "fxied", &err), TACOS_INVALID);
    assert_says(err, "snn+consolidation, fixed, columns; the nearest is 'fixed'");
    assert_fails(key_set(key("model"), &fields, "xyzzy", &err), TACOS_INVALID);
    assert_null(strstr(err.text, "nearest"));
}

/* Among names that are as near, the one of which letters were left out. */
static void a_letter_left_out_is_likelier_than_a_wrong_one(void **state) {
    static const char *const names[] = {"set", "seeds", "seed", NULL};
    (void)state;
    assert_string_equal(tacos_nearest("sed", names), "seed");
    assert_string_equal(tacos_nearest("ste", names), "set");
    assert_string_equal(tacos_nearest("sedes", names), "seeds");
    assert_null(tacos_nearest("quiet", names));
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Notes what it is given as "<key|value>"; refuses the key "bad". */
static tacos_status note(void *user, const char *name, const char *value, tacos_error *err) {
    char *notes = user;
    size_t used = strlen(notes);
    if (strcmp(name, "bad") == 0) {
        (void)snprintf(err->text, sizeof err->text, "it is %s", value);
        return TACOS_RANGE;
    }
    (void)snprintf(notes + used, 256 - used, "<%s|%s>", name, value);
    return TACOS_OK;
}

static void lines_are_read(void **state) {
    static const struct {
        const char *text, *notes;
    } cases[] = {
        {"", ""},
        {"\n\n  \n\t\n", ""},
        {"a = 1\nb = 2\n", "<a|1><b|2>"},
        {"a = 1\r\nb = 2\r\n\r\n", "<a|1><b|2>"},
        {"a = 1\nb = 2", "<a|1><b|2>"},
        {"# all a comment = 1\n  a=1# and = this\n#", "<a|1>"},
        {"\t a \t=\t 1 2 \t", "<a|1 2>"},
        {"a = b = c\na =\n", "<a|b = c><a|>"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char notes[256] = "";
        tacos_error err;
        assert_succeeds(keys_parse(cases[i].text, "text", note, notes, &err));
        assert_string_equal(notes, cases[i].notes);
    }
}

static void bad_lines_are_named_by_number(void **state) {
    static const struct {
        const char *text, *says;
        tacos_status status;
    } cases[] = {
        {"word", "text:1: expected 'key = value', not 'word'", TACOS_INVALID},
        {"a = 1\n\n# x\nword # y\n", "text:4: expected 'key = value', not 'word'", TACOS_INVALID},
        {"a = 1\r\n\r\nbad = 7\r\n", "text:3: it is 7", TACOS_RANGE},
        {"a = 1\nbad = 7", "text:2: it is 7", TACOS_RANGE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char notes[256] = "";
        tacos_error err;
        assert_fails(keys_parse(cases[i].text, "text", note, notes, &err), cases[i].status);
        assert_string_equal(err.text, cases[i].says);
    }
}

static void a_line_may_have_1099_characters(void **state) {
    char text[2 * KEY_VALUE_SIZE], notes[256] = "";
    tacos_error err;
    (void)state;
    memset(text, ' ', sizeof text);
    memcpy(text, "\na = 1", 6);
    strcpy(text + KEY_VALUE_SIZE, "\n");
    assert_succeeds(keys_parse(text, "text", note, notes, &err));
    assert_string_equal(notes, "<a|1>");
    strcpy(text + KEY_VALUE_SIZE, " \n");
    assert_fails(keys_parse(text, "text", note, notes, &err), TACOS_INVALID);
    assert_says(err, "text:2: the line is longer than 1099 characters");
}

/* ---- tacos_config ---------------------------------------------------------------------------- */

/* What a file says is quoted; a terminal must not obey it. */
static void a_sentence_has_no_control_characters(void **state) {
    (void)state;
    tacos_config *config;
    tacos_error err;
    assert_succeeds(tacos_config_new(&config, &err));
    assert_fails(tacos_config_parse(config, "\x1b[2Jsteps\x7f = 7\n", "my\n.conf", &err),
                 TACOS_UNKNOWN);
    assert_says(err, "my\\u000a.conf:1: unknown key '\\u001b[2Jsteps\\u007f'");
    tacos_config_free(config);
}

static void a_failed_parse_leaves_the_config(void **state) {
    tacos_config *config;
    tacos_error err;
    char value[32];
    (void)state;
    assert_succeeds(tacos_config_new(&config, &err));
    assert_succeeds(tacos_config_parse(config, "steps = 99\n", "text", &err));
    assert_fails(tacos_config_parse(config, "steps = 7\nalpha = 2\n", "my.conf", &err),
                 TACOS_RANGE);
    assert_says(err, "my.conf:2: alpha = 2 is out of range");
    assert_succeeds(tacos_config_get(config, "steps", value, sizeof value, &err));
    assert_string_equal(value, "99");
    assert_fails(tacos_config_set(config, "step", "7", &err), TACOS_UNKNOWN);
    assert_says(err, "'steps'");
    tacos_config_free(config);
    tacos_config_free(NULL);
}

static void a_value_is_given_whole_or_not_at_all(void **state) {
    tacos_config *config;
    tacos_error err;
    char value[8] = "junk";
    (void)state;
    assert_succeeds(tacos_config_new(&config, &err));
    assert_succeeds(tacos_config_set(config, "hidden", "30,40,50", &err));
    assert_fails(tacos_config_get(config, "hidden", value, sizeof value, &err), TACOS_RANGE);
    assert_string_equal(value, "");
    strcpy(value, "junk");
    assert_fails(tacos_config_get(config, "hiden", value, sizeof value, &err), TACOS_UNKNOWN);
    assert_string_equal(value, "");
    tacos_config_free(config);
}

static void sixteen_hidden_layers_with_a_range_each(void **state) {
    Params params;
    tacos_error err;
    (void)state;
    params_defaults(&params);
    assert_succeeds(
        key_set(key("hidden"), &params, "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", &err));
    assert_succeeds(key_set(key("init_w"), &params, "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1", &err));
    assert_succeeds(params_check(&params, &err));
    assert_succeeds(
        key_set(key("hidden"), &params, "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", &err));
    assert_fails(params_check(&params, &err), TACOS_RANGE);
    assert_says(err, "at most 16");
}

/* Every key of the list that is a learner's, in the same order. */
static void a_configuration_names_its_keys(void **state) {
    tacos_key_info info;
    size_t n = 0;
    (void)state;
    for (size_t i = 0; tacos_key(i, &info); i++)
        if (keys_find(params_table, info.name))
            assert_string_equal(tacos_config_key(n++), info.name);
    assert_int_equal(n, params_table.n);
    assert_null(tacos_config_key(n));
    assert_null(tacos_config_key(SIZE_MAX));
}

static void the_key_list_holds_all_tables(void **state) {
    tacos_key_info info;
    size_t n = 0, own = 0, derived = 0, rivals = 0, n_models = 0;
    (void)state;
    for (; tacos_key(n, &info); n++) {
        assert_true(info.name[0] && info.doc[0] && info.default_value && info.type[0]);
        own += !tacos_key_of_learner(&info);
        derived += (size_t)info.derived;
        rivals += info.group == TACOS_KEY_RIVAL;
        n_models += strcmp(info.name, "model") == 0;
    }
    assert_int_equal(n, params_table.n + experiment_table.n + rival_table.n);
    assert_int_equal(own, experiment_table.n + rival_table.n);
    assert_int_equal(rivals, rival_table.n);
    assert_int_equal(n_models, 1); /* the learner's own is hidden by that of the experiment */
    assert_int_equal(derived, 3);
}

/* ---- Locales --------------------------------------------------------------------------------- */

static void a_decimal_comma_changes_nothing(void **state) {
    Params params;
    tacos_error err;
    char value[KEY_VALUE_SIZE];
    (void)state;
    if (!setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
        printf("skipped: no locale with decimal commas\n");
        skip();
    }
    char comma[16];
    (void)snprintf(comma, sizeof comma, "%.1f", 0.5);
    assert_string_equal(comma, "0,5");
    params_defaults(&params);
    assert_true(params.alpha == 5e-4);
    assert_succeeds(key_set(key("m_max"), &params, "12.5", &err));
    key_get(key("m_max"), &params, value);
    assert_string_equal(value, "12.5");
    assert_fails(key_set(key("m_max"), &params, "12,5", &err), TACOS_INVALID);
    (void)snprintf(comma, sizeof comma, "%.1f", 0.5);
    assert_string_equal(comma, "0,5"); /* and the program's own locale is as it was */
    setlocale(LC_NUMERIC, "C");
}

/* Results are found by the keys that are not at their defaults, so those of other defaults would
 * pass for new ones. Has a default changed? Then raise ENGINE_EPOCH, and take over both numbers. */
static void other_defaults_need_another_epoch(void **state) {
    (void)state;
    uint32_t sum = 2166136261u;
    char digest[SHA256_HEX_SIZE];
    Experiment defaults;
    const Key *key;
    for (size_t i = 0; (key = experiment_key_at(i)); i++)
        for (const char *c = key->default_value; *c; c++)
            sum = (sum ^ (uint8_t)*c) * 16777619u;
    experiment_defaults(&defaults);
    experiment_digest(&defaults, digest);
    assert_int_equal(sum, 0x5a105ea3);
    assert_memory_equal(digest, "79a225f5", 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_default_is_a_value_of_its_key),
        cmocka_unit_test(every_default_is_written_as_values_are),
        cmocka_unit_test(defaults_round_trip),
        cmocka_unit_test(awkward_reals_round_trip),
        cmocka_unit_test(lists_and_texts_round_trip),
        cmocka_unit_test(a_key_of_any_type_makes_a_difference),
        cmocka_unit_test(values_are_compared_and_not_their_bytes),
        cmocka_unit_test(bad_values_are_explained),
        cmocka_unit_test(limits_are_inclusive),
        cmocka_unit_test(a_long_text_is_refused),
        cmocka_unit_test(unknown_keys_name_the_nearest),
        cmocka_unit_test(a_wrong_choice_names_all_and_the_nearest),
        cmocka_unit_test(a_letter_left_out_is_likelier_than_a_wrong_one),
        cmocka_unit_test(lines_are_read),
        cmocka_unit_test(bad_lines_are_named_by_number),
        cmocka_unit_test(a_line_may_have_1099_characters),
        cmocka_unit_test(a_sentence_has_no_control_characters),
        cmocka_unit_test(a_failed_parse_leaves_the_config),
        cmocka_unit_test(a_value_is_given_whole_or_not_at_all),
        cmocka_unit_test(sixteen_hidden_layers_with_a_range_each),
        cmocka_unit_test(a_configuration_names_its_keys),
        cmocka_unit_test(the_key_list_holds_all_tables),
        cmocka_unit_test(other_defaults_need_another_epoch),
        cmocka_unit_test(a_decimal_comma_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
