/* test_report_stream.c - the page of a stream: its figures, beside repeating the last label; files
 * that are damaged or hostile. */
#include "report/input/stream.h"
#include "report_box.h"
#include "stream_box.h"

static const char *const figures[] = {"stream-accuracy", "stream-kappa", "stream-speed",
                                      "stream-confusion"};
enum { N_FIGURES = sizeof figures / sizeof *figures };

static bool has_figure(const char *page, const char *name) {
    char words[64];
    (void)snprintf(words, sizeof words, "data-name=\"%s\"", name);
    return strstr(page, words) != NULL;
}

/* The name of a label in turns a number, something long, and something evil. */
static const char *name_label(void *user, size_t label) {
    static const char *const names[] = {NULL, "a name that is much too long for a column of cells",
                                        "</text><script>alert(1)</script>\"'&"};
    (void)user;
    return names[label % 3];
}

/* Write the stream.json of an evaluation into a folder. */
static void write_stream(const char *folder, const tacos_evaluation *evaluation,
                         const char *stream) {
    tacos_evaluation_about about = {stream, "columns", name_label, NULL};
    char path[320], *text;
    size_t n;
    tacos_error err;
    assert_succeeds(tacos_evaluation_json(evaluation, &about, &text, &n, &err));
    (void)snprintf(path, sizeof path, "%s/stream.json", folder);
    write_bytes(path, text, n);
    tacos_evaluation_json_free(text);
}

/* The page of an evaluation, which is freed; free the page. */
static char *page_of_stream(const Folder *folder, tacos_evaluation *evaluation) {
    write_stream(folder->path, evaluation, "pets.csv");
    tacos_evaluation_free(evaluation);
    return page_of(folder->path, folder->file);
}

static tacos_evaluation *stream_until(size_t n) {
    tacos_evaluation *evaluation = evaluation_of(150, 4096, 25);
    tacos_evaluation_clock(evaluation, 0);
    go_on(evaluation, 0, n);
    (void)tacos_evaluation_report(evaluation, 10, 64000);
    return evaluation;
}

/* ---- what is there ---- */

static void a_stream_that_has_everything(void **state) {
    tacos_evaluation *evaluation = stream_until(2009);
    tacos_evaluation_figures got = tacos_evaluation_figures_get(evaluation);
    tacos_evaluation_drift drift = tacos_evaluation_drift_get(evaluation);
    char words[200];
    (void)tacos_evaluation_report(evaluation, 12, 64000); /* the speed of two seconds */
    char *page = page_of_stream(*state, evaluation);
    for (size_t i = 0; i < N_FIGURES; i++)
        if (!has_figure(page, figures[i]))
            fail_msg("no figure %s", figures[i]);
    (void)snprintf(words, sizeof words,
                   "<strong>%.1f%% right before learning</strong>, over 2,009 samples; repeating "
                   "the last label would have %.1f%% (kappa-temporal %.2f).",
                   got.overall.accuracy, got.overall.repeat_last, got.overall.kappa_temporal);
    assert_holds(page, words);
    assert_holds(page, "<h1>pets.csv</h1>");
    assert_holds(page, "<dd>columns</dd>");
    assert_holds(page, "<dd>64,000</dd>");
    (void)snprintf(words, sizeof words, "drift alarm\nsamples %llu<",
                   (unsigned long long)drift.at[drift.n - 1]);
    assert_holds(page, words);
    (void)snprintf(words, sizeof words, "data-v=\"%llu\"", (unsigned long long)got.rejected_right);
    assert_holds(page, words);
    assert_int_equal(assert_drawings(page), N_FIGURES);
    assert_lacks(page, "http://");
    assert_lacks(page, "https://");
    free(page);
}

/* Labels 0 and 1 in turns are never repeated; always answering 0 is right half of the time. */
static tacos_evaluation *in_turns(size_t n, bool wrong) {
    tacos_evaluation *evaluation = evaluation_of(0, 0, 1);
    tacos_evaluation_clock(evaluation, 0);
    for (size_t k = 0; k < n; k++) {
        add_sample(evaluation, wrong ? 1 : k % 2, 0, 0);
        (void)tacos_evaluation_report(evaluation, (double)(k + 1) / 50, 7);
    }
    return evaluation;
}

static void speed_is_drawn_if_it_is_known(void **state) {
    char *page = page_of_stream(*state, in_turns(40, false));
    assert_true(has_figure(page, "stream-speed"));
    assert_holds(page, "samples per second\nsamples 1: 50 per second");
    assert_int_equal(assert_drawings(page), N_FIGURES);
    assert_lacks(page, "class=\"warning\"");
    free(page);
    tacos_evaluation *evaluation = evaluation_of(0, 0, 10);
    go_on(evaluation, 0, 100);
    page = page_of_stream(*state, evaluation);
    assert_false(has_figure(page, "stream-speed"));
    assert_holds(page, "<b>Speed</b> not shown: no number of it is known");
    free(page);
}

static void worse_than_repeating_is_said(void **state) {
    char *page = page_of_stream(*state, in_turns(40, true));
    assert_holds(page, "0.0% right before learning");
    assert_holds(page, "class=\"warning\">Repeating the last label would have been right more");
    free(page);
}

static void what_is_confused(void **state) {
    tacos_evaluation *evaluation = evaluation_of(0, 0, 10);
    for (size_t k = 0; k < 8; k++)
        add_sample(evaluation, 0, k < 5 ? 0 : k < 7 ? 1 : -1, 0);
    for (size_t k = 0; k < 4; k++)
        add_sample(evaluation, 3, k < 3 ? 3 : 0, 0);
    char *page = page_of_stream(*state, evaluation);
    assert_holds(page, "label 0, answer 0\n62.50 %");
    assert_holds(page, "label 0, answer none\n12.50 %");
    assert_holds(page, "label 3, answer 0\n25.00 %");
    assert_holds(page, "<td>a name that is much too long for a column of cells (2)</td>");
    assert_holds(page, "none: rejected, or without an answer");
    free(page);
}

/* From nothing to more labels than can be drawn. */
static void any_number_of_samples_and_labels(void **state) {
    static const size_t n_labels[] = {1, 2, 5, 6, 20, 21, 300};
    const Folder *folder = *state;
    char *page = page_of_stream(folder, evaluation_of(0, 0, 0));
    assert_holds(page, "The stream had no labelled sample.");
    assert_int_equal(assert_drawings(page), 0);
    free(page);
    for (size_t i = 0; i < sizeof n_labels / sizeof *n_labels; i++) {
        tacos_evaluation *evaluation = evaluation_of(0, 0, 100);
        for (size_t k = 0; k < 1000; k++)
            add_sample(evaluation, k % n_labels[i], (int)(k / 2 % n_labels[i]), k % 7 == 0);
        (void)tacos_evaluation_report(evaluation, (double)NAN, 0);
        page = page_of_stream(folder, evaluation);
        assert_true(has_figure(page, "stream-confusion"));
        assert_int_equal(strstr(page, "Only the most frequent labels") != NULL, n_labels[i] > 20);
        assert_true(assert_drawings(page) > 0);
        free(page);
    }
}

static void the_same_file_gives_the_same_bytes(void **state) {
    const Folder *folder = *state;
    char *first = page_of_stream(folder, stream_until(500));
    char *second = page_of(folder->path, folder->file);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

/* ---- words of others ---- */

static void no_word_becomes_part_of_the_page(void **state) {
    static const char evil[] = "</title><script>alert(1)</script><img src=x onerror=alert(2)>\"'&";
    const Folder *folder = *state;
    tacos_evaluation *evaluation = stream_until(1500);
    write_stream(folder->path, evaluation, evil);
    tacos_evaluation_free(evaluation);
    char *page = page_of(folder->path, folder->file);
    assert_lacks(page, "<script>alert");
    assert_lacks(page, "<img");
    assert_holds(page, "&lt;img src=x onerror=alert(2)&gt;&quot;&#39;&amp;");
    assert_holds(page, "&lt;/text&gt;&lt;script&gt;");
    assert_true(assert_drawings(page) > 0);
    free(page);
}

/* ---- not so ---- */

static void a_stream_is_neither_compared_nor_plotted(void **state) {
    const Folder *folder = *state;
    tacos_evaluation *evaluation = stream_until(100);
    const char *const both[] = {folder->path, folder->path};
    tacos_error err;
    char *text;
    write_stream(folder->path, evaluation, "pets.csv");
    tacos_evaluation_free(evaluation);
    assert_fails(tacos_report_write(both, 2, folder->file, &err), TACOS_INVALID);
    assert_says(err, "is the folder of a stream: it cannot be compared");
    assert_fails(tacos_figure_draw("accuracy", folder->path, 0, &text, &err), TACOS_INVALID);
    assert_says(err, "`tacos report`");
}

static void files_that_are_no_streams(void **state) {
    static const struct {
        const char *text, *words;
        tacos_status status;
    } cases[] = {
        {"", "line 1", TACOS_FORMAT},
        {"{}", "does not hold the evaluation of a stream", TACOS_FORMAT},
        {"{\"schema\": \"tacos-results\"}", "does not hold the evaluation", TACOS_FORMAT},
        {"{\"schema\": \"tacos-stream\", \"schema_version\": 2}", "written by a newer program",
         TACOS_VERSION},
        {"{\"schema\": \"tacos-stream\", \"schema_version\": 0}", "schema version 0", TACOS_FORMAT},
        {"{\"schema\": \"tacos-stream\", \"schema_version\": 1}", "'program_version' is not a text",
         TACOS_FORMAT},
    };
    const Folder *folder = *state;
    const char *dir = folder->path;
    tacos_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_bytes(within(folder, "stream.json"), cases[i].text, strlen(cases[i].text));
        assert_fails(tacos_report_write(&dir, 1, folder->file, &err), cases[i].status);
        assert_says(err, cases[i].words);
    }
}

static json_t *member(json_t *root, const char *path) {
    char copy[128], *rest = NULL;
    strcpy(copy, path);
    for (char *word = strtok_r(copy, ".", &rest); word && root; word = strtok_r(NULL, ".", &rest))
        root = json_is_array(root) ? json_array_get(root, strtoul(word, NULL, 10))
                                   : json_object_get(root, word);
    assert_non_null(root);
    return root;
}

static void members_that_are_wrong(void **state) {
    static const struct {
        const char *parent, *name, *value, *words;
    } cases[] = {
        {"", "overall", "[]", "'overall' is not an object"},
        {"overall", "samples", "-1", "in overall, 'samples' is not a whole number"},
        {"overall", "accuracy", "100.5", "'accuracy' is not a number from 0 to 100"},
        {"recent", "kappa", "1.5", "'kappa' is not a number from -1e+12 to 1"},
        {"drift", "at", "[1, 99999]", "'at' is not a list of samples"},
        {"drift", "at", "[\"1\"]", "'at' is not a list of samples"},
        {"labels.0", "label", "7", "in a label, 'label' is not a text"},
        {"labels.0", "recall", "-1", "'recall' is not a number from 0 to 100"},
        {"", "confusion", "[[0, 0]]", "has a triple that is none"},
        {"", "confusion", "[[0, -2, 1]]", "has a triple that is none"},
        {"", "confusion", "[[0, 9, 1]]", "has a triple that is none"},
        {"", "confusion", "[[9, 0, 1]]", "has a triple that is none"},
        {"", "confusion", "[[0, 0, 0]]", "has a triple that is none"},
        {"series", "samples", "[25, 25, 75, 100]", "does not ascend"},
        {"series", "samples", "[25, 50, 75, 101]", "does not ascend"},
        {"series", "kappa", "[1]", "'kappa' is of another length"},
        {"series", "kappa", "[1, 1, 1, \"\"]", "'kappa' is not a list of numbers"},
        {"series", "bytes", "[1, 1, 1, null]", "'bytes' is not a list of numbers"},
    };
    const Folder *folder = *state;
    const char *dir = folder->path;
    tacos_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tacos_evaluation *evaluation = stream_until(100);
        json_error_t error;
        write_stream(folder->path, evaluation, "pets.csv");
        tacos_evaluation_free(evaluation);
        json_t *root = json_load_file(within(folder, "stream.json"), 0, &error);
        json_t *value = json_loads(cases[i].value, JSON_DECODE_ANY, &error);
        assert_non_null(value);
        assert_int_equal(json_object_set_new(member(root, cases[i].parent), cases[i].name, value),
                         0);
        assert_int_equal(json_dump_file(root, within(folder, "stream.json"), 0), 0);
        json_decref(root);
        assert_fails(tacos_report_write(&dir, 1, folder->file, &err), TACOS_FORMAT);
        assert_says(err, cases[i].words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_stream_that_has_everything),
        IN_FOLDER(speed_is_drawn_if_it_is_known),
        IN_FOLDER(worse_than_repeating_is_said),
        IN_FOLDER(what_is_confused),
        IN_FOLDER(any_number_of_samples_and_labels),
        IN_FOLDER(the_same_file_gives_the_same_bytes),
        IN_FOLDER(no_word_becomes_part_of_the_page),
        IN_FOLDER(a_stream_is_neither_compared_nor_plotted),
        IN_FOLDER(files_that_are_no_streams),
        IN_FOLDER(members_that_are_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
