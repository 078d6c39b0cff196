/* test_evaluation_text.c - the figures as CSV and JSON. */
#include "stream/evaluation.h"

#include <jansson.h>
#include <locale.h>

#include "stream_box.h"

static void csv_of_a_row(void **state) {
    static const char head[] =
        "samples,accuracy,window_accuracy,repeat_last,window_repeat_last,kappa,window_kappa,"
        "kappa_temporal,window_kappa_temporal,rejected,drift_alarms,samples_per_second,bytes\n";
    tacos_evaluation_row row = {.samples = UINT64_MAX,
                                .accuracy = 100.0 / 3,
                                .kappa = -0.5,
                                .window_kappa = NAN,
                                .samples_per_second = INFINITY,
                                .bytes = 64};
    char line[TACOS_EVALUATION_CSV_SIZE], cut[10];
    (void)state;
    assert_int_equal(tacos_evaluation_csv_head(line, sizeof line), strlen(head));
    assert_string_equal(line, head);
    (void)setlocale(LC_ALL, "de_DE.UTF-8");
    size_t n = tacos_evaluation_csv_row(&row, line, sizeof line);
    (void)setlocale(LC_ALL, "C");
    assert_int_equal(n, strlen(line));
    assert_string_equal(line, "18446744073709551615,33.33333333,0,0,0,-0.5,,0,0,0,0,,64\n");
    assert_int_equal(tacos_evaluation_csv_row(&row, cut, sizeof cut), strlen(line));
    assert_string_equal(cut, "184467440");
    assert_int_equal(tacos_evaluation_csv_row(&row, NULL, 0), strlen(line));
}

static void the_longest_row_fits(void **state) {
    char line[TACOS_EVALUATION_CSV_SIZE];
    tacos_evaluation_row row;
    (void)state;
    for (size_t k = 0; k < ROW_COLUMNS; k++) {
        const RowColumn *column = &evaluation_columns[k];
        if (column->whole)
            *row_whole(&row, column) = UINT64_MAX;
        else
            *row_number(&row, column) = -1.2345678912345e-300;
    }
    assert_in_range(tacos_evaluation_csv_row(&row, line, sizeof line), 200, sizeof line - 1);
    assert_int_equal(line[strlen(line) - 1], '\n');
}

/* ---- JSON ---- */

static json_t *json_of(const tacos_evaluation *evaluation, const tacos_evaluation_about *about) {
    char *text;
    size_t n;
    tacos_error err;
    json_error_t error;
    assert_succeeds(tacos_evaluation_json(evaluation, about, &text, &n, &err));
    assert_int_equal(strlen(text), n);
    json_t *root = json_loadb(text, n, 0, &error);
    if (!root)
        fail_msg("line %d: %s", error.line, error.text);
    tacos_evaluation_json_free(text);
    return root;
}

static json_t *at(json_t *root, const char *name) {
    json_t *member = json_object_get(root, name);
    if (!member)
        fail_msg("no member %s", name);
    return member;
}

static const char *animal(void *user, size_t label) {
    static const char *const names[] = {"cat", "\"dog\"\n"};
    ++*(size_t *)user;
    return label < 2 ? names[label] : NULL;
}

static void everything_is_in_the_document(void **state) {
    tacos_evaluation *evaluation = evaluation_of(150, 30, 25);
    size_t n_asked = 0;
    tacos_evaluation_about about = {"pets.csv", "columns", animal, &n_asked};
    (void)state;
    go_on(evaluation, 0, 2010);
    (void)tacos_evaluation_report(evaluation, NAN, 77);
    tacos_evaluation_figures figures = tacos_evaluation_figures_get(evaluation);
    tacos_evaluation_drift drift = tacos_evaluation_drift_get(evaluation);
    json_t *root = json_of(evaluation, &about);
    assert_string_equal(json_string_value(at(root, "schema")), "tacos-stream");
    assert_int_equal(json_integer_value(at(root, "schema_version")), 1);
    assert_string_equal(json_string_value(at(root, "stream")), "pets.csv");
    assert_string_equal(json_string_value(at(root, "model")), "columns");
    assert_int_equal(json_integer_value(at(at(root, "overall"), "samples")), 2010);
    assert_int_equal(json_integer_value(at(at(root, "recent"), "right")), figures.window.right);
    assert_true(fabs(json_number_value(at(at(root, "overall"), "kappa_temporal")) -
                     figures.overall.kappa_temporal) < 1e-11);
    assert_int_equal(json_integer_value(at(at(root, "drift"), "alarms")), drift.alarms);
    assert_true(drift.alarms > 0);
    assert_int_equal(json_array_size(at(at(root, "drift"), "at")), drift.n);
    json_t *labels = at(root, "labels");
    assert_int_equal(json_array_size(labels), figures.labels);
    assert_int_equal(n_asked, figures.labels);
    assert_string_equal(json_string_value(at(json_array_get(labels, 1), "label")), "\"dog\"\n");
    assert_string_equal(json_string_value(at(json_array_get(labels, 2), "label")), "2");
    json_t *series = at(root, "series");
    for (size_t k = 0; k < ROW_COLUMNS; k++) /* every 25 samples, and the last */
        assert_int_equal(json_array_size(at(series, evaluation_columns[k].name)), 2010 / 25 + 1);
    json_t *bytes = at(series, "bytes");
    assert_int_equal(json_integer_value(json_array_get(bytes, json_array_size(bytes) - 1)), 77);
    assert_true(json_is_null(json_array_get(at(series, "samples_per_second"), 0)));
    json_decref(root);
    tacos_evaluation_free(evaluation);
}

/* The cells that are not 0 are the whole confusion matrix. */
static void every_confusion_is_in_the_document(void **state) {
    tacos_evaluation *evaluation = evaluation_of(150, 30, 25);
    uint64_t sum = 0;
    (void)state;
    go_on(evaluation, 0, 2010);
    json_t *root = json_of(evaluation, NULL), *cells = at(root, "confusion");
    for (size_t k = 0; k < json_array_size(cells); k++) {
        json_t *cell = json_array_get(cells, k);
        uint64_t n = (uint64_t)json_integer_value(json_array_get(cell, 2));
        size_t label = (size_t)json_integer_value(json_array_get(cell, 0));
        int answer = (int)json_integer_value(json_array_get(cell, 1));
        assert_true(n > 0);
        assert_int_equal(n, tacos_evaluation_confusion(evaluation, label, answer));
        sum += n;
    }
    assert_int_equal(sum, 2010);
    assert_null(json_object_get(root, "stream"));
    assert_string_equal(json_string_value(at(json_array_get(at(root, "labels"), 0), "label")), "0");
    json_decref(root);
    tacos_evaluation_free(evaluation);
}

static void a_stream_without_samples(void **state) {
    tacos_evaluation *evaluation = evaluation_of(0, 0, 0);
    (void)state;
    json_t *root = json_of(evaluation, NULL);
    assert_int_equal(json_integer_value(at(at(root, "overall"), "samples")), 0);
    assert_true(json_is_null(at(at(root, "overall"), "accuracy")));
    assert_int_equal(json_array_size(at(root, "labels")), 0);
    assert_int_equal(json_array_size(at(at(root, "series"), "samples")), 0);
    json_decref(root);
    tacos_evaluation_free(evaluation);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_of_a_row),
        cmocka_unit_test(the_longest_row_fits),
        cmocka_unit_test(everything_is_in_the_document),
        cmocka_unit_test(every_confusion_is_in_the_document),
        cmocka_unit_test(a_stream_without_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
