/* test_report_verdict.c - what a page says first: the verdict in words, which tasks they were, what
 * was set, and where chance is. */
#include "report_box.h"

/* In every run of a folder: each task is learned to `learned` percent, and later has `kept`. */
static void set_matrix(const char *folder, double learned, double kept) {
    json_t *root = open_results(folder), *run;
    size_t i;
    json_array_foreach(json_object_get(root, "runs"), i, run) {
        json_t *rows = json_object_get(run, "R"), *row, *after = json_object_get(run, "after");
        size_t n = json_array_size(rows), k;
        json_object_del(run, "measures"); /* among them that it is silent */
        json_array_foreach(rows, k, row) {
            for (size_t t = 0; t <= k; t++)
                json_array_set_new(row, t, json_real(t == k ? learned : kept));
            json_object_set_new(json_array_get(after, k), "MA",
                                json_real((learned + kept * (double)k) / (double)(k + 1)));
        }
        assert_true(n > 0);
    }
    write_results(root, folder);
}

static char *page_with(const Folder *folder, const char *run, const char *baseline) {
    tacos_report_options options = {.dirs = &run, .n_dirs = 1, .baseline = baseline};
    tacos_error err;
    size_t n;
    assert_succeeds(tacos_report_write_with(&options, folder->file, &err));
    return read_bytes(folder->file, &n);
}

static void a_run_says_what_it_learned_and_kept(void **state) {
    const Folder *folder = *state;
    char run[256], snn[256];
    strcpy(run, within(folder, "run"));
    strcpy(snn, within(folder, "snn"));
    run_into(run, 2, KEYS("tasks=0-1,2-3"));
    run_into(snn, 2, KEYS("tasks=0-1,2-3", "model=snn"));
    set_matrix(run, 90.4, 80);
    set_matrix(snn, 99.6, 51.4);
    char *page = page_of(run, folder->file);
    assert_holds(page, "<strong>Learned each task to 90%; kept 80% of 0 vs 1 and 85% of all 2 "
                       "tasks</strong> (chance: 50%).</p>");
    free(page);
    page = page_with(folder, run, snn);
    assert_holds(page, "; a plain SNN on the same stream keeps 51% of 0 vs 1 and 76% of all 2 "
                       "tasks.</p>");
    free(page);
    set_matrix(snn, 90.4, 80); /* the same in every number */
    page = page_with(folder, run, snn);
    assert_holds(page, "Within their deviations over seeds this is a tie.");
    free(page);
}

static void a_baseline_learned_the_same_stream(void **state) {
    const Folder *folder = *state;
    char run[256], other[256];
    const char *dir = run;
    tacos_error err;
    strcpy(run, within(folder, "run"));
    strcpy(other, within(folder, "other"));
    run_into(run, 1, KEYS("tasks=0-1,2-3"));
    run_into(other, 1, KEYS("tasks=0-1,2-3", "samples_per_task=11", "model=snn"));
    tacos_report_options options = {.dirs = &dir, .n_dirs = 1, .baseline = other};
    assert_fails(tacos_report_write_with(&options, folder->file, &err), TACOS_INVALID);
    assert_says(err, "it learned another stream of samples (samples_per_task differs)");
    options.baseline = folder->path;
    assert_fails(tacos_report_write_with(&options, folder->file, &err), TACOS_MISSING);
    options.baseline = run;
    char *page = page_with(folder, run, run); /* one seed each */
    assert_holds(page, "A single seed says little about a difference.");
    free(page);
}

static void several_runs_say_which_kept_most(void **state) {
    const Folder *folder = *state;
    char a[256], b[256], c[256];
    const char *dirs[] = {a, b, c};
    tacos_error err;
    size_t n;
    strcpy(a, within(folder, "snn"));
    strcpy(b, within(folder, "tacos"));
    strcpy(c, within(folder, "ewc"));
    run_into(a, 2, KEYS("tasks=0-1,2-3", "model=snn"));
    run_into(b, 2, KEYS("tasks=0-1,2-3"));
    run_into(c, 2, KEYS("tasks=0-1,2-3", "model=ewc"));
    set_matrix(a, 99, 52);
    set_matrix(b, 90, 84);
    set_matrix(c, 91, 80);
    assert_succeeds(tacos_report_write(dirs, 2, folder->file, &err));
    char *page = read_bytes(folder->file, &n);
    assert_holds(page, "<strong>tacos learned each task to 90%; kept 84% of 0 vs 1 and 87% of all "
                       "2 tasks</strong> (chance: 50%); snn (a plain SNN) on the same stream keeps "
                       "52% of 0 vs 1");
    free(page);
    assert_succeeds(tacos_report_write(dirs, 3, folder->file, &err));
    page = read_bytes(folder->file, &n);
    assert_holds(page, "Of 3 runs tacos has the most after its last task: 84% of 0 vs 1");
    assert_holds(page, "; snn the least: 52% of 0 vs 1");
    free(page);
}

static void what_is_set_is_in_the_head(void **state) {
    const Folder *folder = *state;
    run_into(within(folder, "run"), 1, NULL);
    char *page = page_of(within(folder, "run"), folder->file);
    char *end = strstr(page, "</header>");
    assert_non_null(end);
    const char *config = strstr(end, "keys at their default</summary>");
    assert_non_null(config);
    *end = '\0';
    assert_holds(page, "<li>samples_per_task = 12</li>");
    assert_holds(page, "<li>hidden = 24</li>");
    assert_lacks(page, "alpha");
    assert_lacks(end + 1, "Run them again");
    const char *again = strstr(end + 1, "<h3>Run it again</h3>");
    assert_non_null(again);
    assert_null(strstr(again + 1, "<h3>Run it again</h3>"));
    assert_holds(config, "<th scope=\"row\">alpha</th>");
    free(page);
}

static void tasks_have_the_names_of_their_classes(void **state) {
    const Folder *folder = *state;
    static const char *const names[] = {"cat", "dog", "<b>fish</b>", "a very long name of a bird"};
    run_into(within(folder, "run"), 1, KEYS("tasks=0-1,2-3"));
    json_t *root = open_results(within(folder, "run")), *tasks = json_array();
    for (size_t t = 0; t < 2; t++)
        json_array_append_new(tasks,
                              json_pack("{s:[ii],s:[ss]}", "classes", (int)(2 * t),
                                        (int)(2 * t + 1), "names", names[2 * t], names[2 * t + 1]));
    json_object_set_new(root, "tasks", tasks);
    write_results(root, within(folder, "run"));
    char *page = page_of(within(folder, "run"), folder->file);
    assert_holds(page, "of cat vs dog and ");
    assert_holds(page, "&lt;b&gt;fish&lt;/b&gt; vs a very long name of");
    assert_lacks(page, "<b>fish");
    free(page);
    root = open_results(within(folder, "run")); /* the same classes twice: numbers, then */
    tasks = json_object_get(root, "tasks");
    json_array_set(tasks, 1, json_array_get(tasks, 0));
    write_results(root, within(folder, "run"));
    page = page_of(within(folder, "run"), folder->file);
    assert_holds(page, "of task 1 and ");
    assert_lacks(page, "cat vs dog");
    free(page);
}

static void figures_of_accuracy_show_chance(void **state) {
    static const char *const figures[] = {"accuracy", "means"};
    const Folder *folder = *state;
    char *text;
    tacos_error err;
    run_into(within(folder, "run"), 1, KEYS("tasks=0-1,2-3"));
    for (size_t i = 0; i < 2; i++) {
        assert_succeeds(tacos_figure_draw(figures[i], within(folder, "run"), 0, &text, &err));
        assert_holds(text, "chance\n50 %</title>");
        tacos_figure_free(text);
    }
    assert_succeeds(tacos_figure_draw("transfer", within(folder, "run"), 0, &text, &err));
    assert_lacks(text, "chance\n");
    tacos_figure_free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_run_says_what_it_learned_and_kept),
        IN_FOLDER(a_baseline_learned_the_same_stream),
        IN_FOLDER(several_runs_say_which_kept_most),
        IN_FOLDER(what_is_set_is_in_the_head),
        IN_FOLDER(tasks_have_the_names_of_their_classes),
        IN_FOLDER(figures_of_accuracy_show_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
