/* test_report_damage.c - files that are damaged, newer or hostile: a sentence that says what is
 * wrong, and never a crash. */
#include "report/input/runs.h"
#include "report_box.h"

/* Reading the folder fails so, and says so. */
static void assert_refused(const char *folder, tacos_status status, const char *words) {
    char out[320];
    tacos_error err;
    (void)snprintf(out, sizeof out, "%s/report.html", folder);
    assert_fails(tacos_report_write(&folder, 1, out, &err), status);
    assert_says(err, words);
    assert_false(exists(out));
}

static void no_such_folder(void **state) {
    const Folder *folder = *state;
    assert_refused(within(folder, "nowhere"), TACOS_MISSING, "cannot read");
    assert_refused(folder->path, TACOS_MISSING, "holds neither the results.json of `tacos run`");
    write_bytes(within(folder, "f"), "x", 1);
    assert_refused(within(folder, "f"), TACOS_INVALID, "is not a folder");
}

static void files_that_are_no_results(void **state) {
    const Folder *folder = *state;
    static const struct {
        const char *text, *words;
        tacos_status status;
    } cases[] = {
        {"", "line 1", TACOS_FORMAT},
        {"{", "line 1", TACOS_FORMAT},
        {"[]", "does not hold an object", TACOS_FORMAT},
        {"{}", "does not hold results of `tacos run`", TACOS_FORMAT},
        {"{\"schema\": \"tacos-bench\"}", "does not hold results", TACOS_FORMAT},
        {"{\"schema\": \"tacos-results\"}", "'schema_version' is not a whole number", TACOS_FORMAT},
        {"{\"schema\": \"tacos-results\", \"schema_version\": 3}", "written by a newer program",
         TACOS_VERSION},
        {"{\"schema\": \"tacos-results\", \"schema_version\": 1}", "'experiment' is not a text",
         TACOS_FORMAT},
    };
    char path[320];
    (void)snprintf(path, sizeof path, "%s/results.json", folder->path);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_bytes(path, cases[i].text, strlen(cases[i].text));
        assert_refused(folder->path, cases[i].status, cases[i].words);
    }
}

/* ---- one member wrong ---- */

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
    const Folder *folder = *state;
    static const struct {
        const char *parent, *name, *value, *words;
    } cases[] = {
        {"runs.0", "R", "[[1,2],[3,4]]", "'b' is not 2 numbers"},
        {"runs.0", "R", "[[1],[2],[3],[4],[5]]", "'R' is not 5 numbers"},
        {"runs.0", "R", "[]", "runs of 0 tasks"},
        {"runs.1", "R", "[]", "different numbers of tasks"},
        {"runs.0", "b", "[1,2,3,4,101]", "'b' is not 5 numbers from 0 to 100"},
        {"runs.0", "b", "[1,2,3,4,\"5\"]", "'b' is not 5 numbers from 0 to 100"},
        {"runs.0", "seed", "-1", "'seed' is not a whole number from 0 to 4294967295"},
        {"runs.1", "seed", "1", "its seeds do not ascend"},
        {"runs.0", "after", "[]", "'A' is not a number"},
        {"runs.0.after.2", "BWT", "1e300", "'BWT' is not a number from -100 to 100"},
        {"runs.0", "counters", "null", "'counters' is not an object"},
        {"runs.0.bytes", "model", "1.5", "'model' is not a whole number"},
        {"runs.0", "measures", "{}", "'measures' is not an array"},
        {"runs.0.measures.0", "part", "100000", "'part' is not a whole number"},
        {"runs.0.measures.0", "value", "1e9", "'value' is not a number"},
        {"runs.0.seconds", "train", "-1", "'train' is not a number"},
        {"", "config", "[]", "'config' is not an object"},
        {"config", "alpha", "[1]", "the value of 'alpha' is neither a number nor a short text"},
        {"", "runs", "[]", "has no complete run yet"},
        {"data", "name", "3", "'name' is not a text"},
        {"example", "pixels", "\"00\"", "the example is not 28 x 28 pixels"},
        {"example", "height", "0", "the example is not 0 x 28 pixels"},
        {"example", "height", "1000000", "'height' is not a whole number"},
        {"example", "target", "2", "is damaged: its example has 784 values for output 2"},
    };
    char run[256];
    strcpy(run, within(folder, "run"));
    run_into(run, 2, KEYS("measure=all"));
    json_t *good = open_results(run);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *root = json_deep_copy(good);
        json_t *value = json_loads(cases[i].value, JSON_DECODE_ANY, NULL);
        assert_int_equal(json_object_set_new(member(root, cases[i].parent), cases[i].name, value),
                         0);
        write_results(root, run);
        assert_refused(run, TACOS_FORMAT, cases[i].words);
    }
    json_decref(good);
}

static void a_newer_programs_keys_are_shown(void **state) {
    const Folder *folder = *state;
    run_into(within(folder, "run"), 1, NULL);
    json_t *root = open_results(within(folder, "run"));
    assert_int_equal(
        json_object_set_new(json_object_get(root, "config"), "novelty", json_integer(7)), 0);
    assert_int_equal(json_object_set_new(root, "more", json_true()), 0); /* members may be added */
    write_results(root, within(folder, "run"));
    char *page = page_of(within(folder, "run"), folder->file);
    assert_holds(page, "<th scope=\"row\">novelty</th>");
    assert_holds(page, "a key unknown to this version");
    assert_holds(page, "made by another version");
    free(page);
}

/* ---- the network ---- */

static void a_damaged_network(void **state) {
    const Folder *folder = *state;
    size_t n;
    char run[256], path[320];
    strcpy(run, within(folder, "run"));
    run_into(run, 1, NULL);
    (void)snprintf(path, sizeof path, "%s/model-1.tacos", run);
    char *bytes = read_bytes(path, &n);
    bytes[n / 2] ^= 1;
    write_bytes(path, bytes, n);
    assert_refused(run, TACOS_CHECKSUM, "model-1.tacos is damaged");
    write_bytes(path, bytes, n / 3);
    assert_refused(run, TACOS_FORMAT, "model-1.tacos");
    free(bytes);
}

/* Another run's network in its place. */
static void a_network_of_another_run(void **state) {
    const Folder *folder = *state;
    size_t n;
    char run[256], other[256];
    strcpy(run, within(folder, "run"));
    strcpy(other, within(folder, "other"));
    run_into(run, 1, NULL);
    run_into(other, 1, KEYS("learning_rate=0.02"));
    char *bytes = read_bytes(within(folder, "other/model-1.tacos"), &n);
    write_bytes(within(folder, "run/model-1.tacos"), bytes, n);
    assert_refused(run, TACOS_FORMAT, "model-1.tacos does not belong to this run");
    free(bytes);
}

/* ---- anything ---- */

/* A byte or some bytes of the file otherwise: it is read, or refused with a sentence. */
static void change(char *text, size_t *n, Dice *dice) {
    static const char letters[] = "0123456789-.eE+\"{}[],: nulltrueA\\\x01\xff";
    size_t at = roll_word(dice) % *n;
    switch (roll_word(dice) % 3) {
    case 0:
        text[at] = letters[roll_word(dice) % (sizeof letters - 1)];
        break;
    case 1: /* cut some out */
        memmove(text + at, text + at + 1, *n - at);
        *n -= 1;
        break;
    default: /* or say something twice */
        if (at + 40 < *n)
            memmove(text + at, text + at + 20, 20);
        break;
    }
}

static void any_damage_gets_a_sentence(void **state) {
    const Folder *folder = *state;
    enum { TURNS = 3000 };
    size_t n, n_read = 0, n_refused = 0;
    char run[256], path[320];
    strcpy(run, within(folder, "run"));
    run_into(run, 2, KEYS("measure=all", "tasks=0-1,2-3"));
    (void)snprintf(path, sizeof path, "%s/results.json", run);
    char *good = read_bytes(path, &n);
    char *text = calloc(n + 1, 1);
    assert_non_null(text);
    Dice dice = {.game = 3};
    for (int turn = 0; turn < TURNS; turn++) {
        size_t length = n;
        memcpy(text, good, n + 1);
        for (uint32_t k = roll_word(&dice) % 4 + 1; k > 0; k--)
            change(text, &length, &dice);
        write_bytes(path, text, length);
        RunFolder runs;
        tacos_error err = {0};
        if (runs_open(&runs, run, &err) != TACOS_OK) {
            assert_true(err.text[0] != '\0');
            n_refused++;
            continue;
        }
        runs_free(&runs);
        if (n_read++ % 25 == 0) { /* and what is read can be shown */
            const char *dir = run;
            if (tacos_report_write(&dir, 1, folder->file, &err) == TACOS_OK) {
                char *page = read_bytes(folder->file, &length);
                assert_true(assert_drawings(page) > 0);
                free(page);
            }
        }
    }
    assert_true(n_read > TURNS / 20 && n_refused > TURNS / 20); /* both are tested */
    free(text);
    free(good);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(no_such_folder),
        IN_FOLDER(files_that_are_no_results),
        IN_FOLDER(members_that_are_wrong),
        IN_FOLDER(a_newer_programs_keys_are_shown),
        IN_FOLDER(a_damaged_network),
        IN_FOLDER(a_network_of_another_run),
        IN_FOLDER(any_damage_gets_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
