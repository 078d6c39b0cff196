/* test_report_pages.c - reports of runs: all that is there is shown, what is not is left out, and
 * nothing that a file says becomes part of the page. */
#include "old_learner.h"
#include "report_box.h"

#include <locale.h>

static const char *const run_figures[] = {
    "accuracy", "matrix", "classes", "confusion", "means", "transfer",   "plasticity", "similarity",
    "weights",  "states", "fields",  "raster",    "rates", "operations", "memory",     "curves"};
/* All that can be asked for. */
#define MEASURED "measure=all", "curve_points=5"

enum { N_RUN_FIGURES = sizeof run_figures / sizeof *run_figures };

static bool has_figure(const char *page, const char *name) {
    char words[64];
    (void)snprintf(words, sizeof words, "data-name=\"%s\"", name);
    return strstr(page, words) != NULL;
}

static void a_run_that_has_everything(void **state) {
    const Folder *folder = *state;
    run_into(within(folder, "run"), 3, KEYS(MEASURED));
    char *page = page_of(within(folder, "run"), folder->file);
    for (size_t i = 0; i < N_RUN_FIGURES; i++)
        if (!has_figure(page, run_figures[i]))
            fail_msg("no figure %s", run_figures[i]);
    assert_int_equal(assert_drawings(page), N_RUN_FIGURES);
    assert_holds(page, "<h1>demo</h1>");
    assert_holds(page, "<dd>1 to 3</dd>");
    assert_holds(page,
                 "tacos run demo --set samples_per_task=12 --set test_samples_per_task=8 --set "
                 "measure=all --set curve_points=5 --set hidden=24 --set steps=60 --seeds 3");
    assert_holds(page, "time constant of the spike traces X"); /* what a key is */
    assert_lacks(page, "http://");                             /* nothing to fetch */
    assert_lacks(page, "https://");
    free(page);
}

/* Also in a locale with decimal commas, where the system has one. */
static void the_same_files_give_the_same_bytes(void **state) {
    const Folder *folder = *state;
    run_into(within(folder, "run"), 2, KEYS("measure=all"));
    char *first = page_of(within(folder, "run"), folder->file);
    (void)setlocale(LC_ALL, "de_DE.UTF-8");
    char *second = page_of(within(folder, "run"), within(folder, "again"));
    (void)setlocale(LC_ALL, "C");
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void what_is_not_there_is_left_out(void **state) {
    const Folder *folder = *state;
    run_into(within(folder, "run"), 2, NULL);
    assert_int_equal(remove(within(folder, "run/model-1.tacos")), 0);
    json_t *root = open_results(within(folder, "run"));
    assert_int_equal(json_object_del(root, "example"), 0); /* as older programs wrote it */
    write_results(root, within(folder, "run"));
    char *page = page_of(within(folder, "run"), folder->file);
    for (size_t i = 0; i < N_RUN_FIGURES; i++) {
        bool wanted = strcmp(run_figures[i], "plasticity") != 0 &&
                      strcmp(run_figures[i], "similarity") != 0 &&
                      strcmp(run_figures[i], "curves") != 0 && (i < 8 || i > 11);
        assert_int_equal(has_figure(page, run_figures[i]), wanted);
    }
    assert_lacks(page, "id=\"network\"");
    assert_lacks(page, "id=\"measures\"");
    assert_lacks(page, "id=\"paper\"");
    free(page);
}

/* Templates instead of synapses; only of images. */
static void columns_show_what_they_have_seen(void **state) {
    const Folder *folder = *state;
    run_into(within(folder, "run"), 1, KEYS("model=columns"));
    char *page = page_of(within(folder, "run"), folder->file);
    assert_true(has_figure(page, "templates"));
    assert_false(has_figure(page, "fields"));
    assert_holds(page, "Templates, and what they vote for");
    assert_holds(page, "samples that it won\nrow ");
    assert_lacks(page, "no synapses");
    free(page);
}

/* What a network answers to the example is in words, and the rows of its outputs have names. */
static void the_raster_says_what_is_answered(void **state) {
    const Folder *folder = *state;
    run_into(within(folder, "run"), 1, NULL);
    char *page = page_of(within(folder, "run"), folder->file);
    assert_true(strstr(page, ", which is right. The rows at the top show ") ||
                strstr(page, ", which is wrong. The rows at the top show ") ||
                strstr(page, "No output fires. The rows at the top show "));
    assert_holds(page, ">outputs before</text>");
    assert_holds(page, ">outputs after</text>");
    assert_holds(page, ">1/3/5/7/9</text>");
    assert_holds(page, "<g class=\"play\"");
    assert_holds(page, "all on one scale");
    assert_holds(page, " for 0/2/4/6/8");
    free(page);
}

static void a_rival_has_no_spikes(void **state) {
    const Folder *folder = *state;
    run_into(within(folder, "run"), 1, KEYS("model=naive"));
    char *page = page_of(within(folder, "run"), folder->file);
    assert_true(has_figure(page, "accuracy"));
    assert_true(has_figure(page, "operations"));
    assert_false(has_figure(page, "rates"));
    assert_false(has_figure(page, "raster"));
    free(page);
}

/* From one task to the most there are, from one seed to many: drawn without a place that is none.
 */
static void any_number_of_tasks_and_seeds(void **state) {
    const Folder *folder = *state;
    static const struct {
        const char *tasks;
        size_t n_seeds;
    } cases[] = {{"tasks=0-1", 1},
                 {"tasks=0-1,2-3", 2},
                 {"tasks=0-1,2-3,4-5,6-7,8-9,1-0,3-2,5-4,7-6,9-8,0-2,1-3", 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *run = within(folder, i == 0 ? "a" : i == 1 ? "b" : "c");
        run_into(run, cases[i].n_seeds, KEYS(MEASURED, cases[i].tasks));
        char *page = page_of(run, folder->file);
        /* one task has no transfer, and its activity nothing to be compared with */
        assert_int_equal(assert_drawings(page), i == 0 ? N_RUN_FIGURES - 2 : N_RUN_FIGURES);
        assert_int_equal(strstr(page, "<b>Transfer and forgetting</b> not shown: after one task") !=
                             NULL,
                         i == 0);
        assert_int_equal(strstr(page, "<select") != NULL, cases[i].n_seeds > 1);
        free(page);
    }
}

static void many_layers_or_none(void **state) {
    const Folder *folder = *state;
    run_into(within(folder, "deep"), 1, KEYS("hidden=9,8,7", MEASURED, "init_b=0.1"));
    char *page = page_of(within(folder, "deep"), folder->file);
    assert_int_equal(assert_drawings(page), N_RUN_FIGURES - 1);
    assert_holds(page, "hidden 2 to hidden 3");
    assert_holds(page, "the last hidden layer does not fire"); /* so that it is like nothing */
    free(page);
    run_into(within(folder, "flat"), 1, KEYS("hidden=none"));
    page = page_of(within(folder, "flat"), folder->file);
    assert_true(has_figure(page, "fields"));
    assert_holds(page, "inputs to outputs");
    assert_holds(page, "The weights from the image to 2 outputs of seed 1");
    free(page);
}

static void models_without_states(void **state) {
    const Folder *folder = *state;
    run_into(within(folder, "snn"), 1, KEYS("model=snn"));
    char *page = page_of(within(folder, "snn"), folder->file);
    assert_true(has_figure(page, "weights"));
    assert_false(has_figure(page, "states"));
    assert_holds(page, "<b>Metaplastic states</b> not shown: in ");
    free(page);
}

/* ---- the paper ---- */

/* As if the run had been the paper's own. */
static void pretend(json_t *root, const char *key, json_t *value) {
    assert_int_equal(json_object_set_new(json_object_get(root, "config"), key, value), 0);
}

static void the_papers_numbers_stand_beside(void **state) {
    const Folder *folder = *state;
    run_into(within(folder, "run"), 2, KEYS("measure=all"));
    json_t *root = open_results(within(folder, "run"));
    tacos_key_info key;
    for (size_t i = 0; tacos_key(i, &key); i++) {
        json_t *config = json_object_get(root, "config");
        if (json_object_get(config, key.name) && !key.derived)
            pretend(root, key.name, json_string(key.default_value));
    }
    pretend(root, "dataset", json_string("mnist"));
    write_results(root, within(folder, "run"));
    char *page = page_of(within(folder, "run"), folder->file);
    assert_holds(page, "paper 82.56 \xc2\xb1 1.12"); /* table 1 */
    assert_holds(page, "paper -8.98");               /* table 2, BWT after the last task */
    assert_true(has_figure(page, "beside"));
    assert_holds(page, "similarity, output 1");
    free(page);

    root = open_results(within(folder, "run"));
    pretend(root, "alpha", json_string("0.001")); /* no longer the paper's */
    write_results(root, within(folder, "run"));
    page = page_of(within(folder, "run"), folder->file);
    assert_lacks(page, "paper 82.56");
    assert_false(has_figure(page, "beside"));
    free(page);
}

/* ---- older versions ---- */

/* A model that this version no longer has: its results are shown, its network is not. */
static void removed_models_are_shown_without_their_network(void **state) {
    const Folder *folder = *state;
    char *text;
    tacos_error err;
    run_into(within(folder, "run"), 1, NULL);
    as_0_1_0(within(folder, "run/model-1.tacos"), "expansion = 0\n", "counting");
    json_t *root = open_results(within(folder, "run"));
    pretend(root, "model", json_string("counting"));
    pretend(root, "expansion", json_integer(0));
    write_results(root, within(folder, "run"));
    char *page = page_of(within(folder, "run"), folder->file);
    assert_true(has_figure(page, "accuracy"));
    assert_false(has_figure(page, "weights"));
    assert_holds(page, "was made by another version, whose models or keys are unknown here");
    free(page);
    assert_fails(tacos_figure_draw("weights", within(folder, "run"), 0, &text, &err),
                 TACOS_MISSING);
    assert_says(err, "was saved with model counting, which this version no longer has");
}

static void removed_keys_without_effect_are_not_shown(void **state) {
    const Folder *folder = *state;
    run_into(within(folder, "run"), 1, NULL);
    json_t *root = open_results(within(folder, "run"));
    pretend(root, "expansion", json_integer(0));
    pretend(root, "expansion_active", json_real(0.005));
    pretend(root, "use_slope", json_real(0.1));
    write_results(root, within(folder, "run"));
    char *page = page_of(within(folder, "run"), folder->file);
    assert_true(has_figure(page, "rates"));
    assert_lacks(page, "expansion");
    assert_lacks(page, "unknown");
    free(page);
}

/* ---- several ---- */

static void several_runs_are_compared(void **state) {
    const Folder *folder = *state;
    char a[256], b[256], c[256];
    const char *const dirs[] = {a, b, c};
    tacos_error err;
    size_t n;
    strcpy(a, within(folder, "one/tacos"));
    strcpy(b, within(folder, "one/snn"));
    strcpy(c, within(folder, "two/tacos"));
    run_into(a, 2, KEYS("init_w=5"));
    run_into(b, 1, KEYS("init_w=5", "model=snn"));
    run_into(c, 2, KEYS("init_w=5", "tasks=0-1,2-3", "m_max=7"));
    assert_succeeds(tacos_report_write(dirs, 3, folder->file, &err));
    char *page = read_bytes(folder->file, &n);
    assert_holds(page, "3 runs compared");
    assert_int_equal(assert_drawings(page), 7 + 3);
    assert_holds(page, "(best)");
    assert_holds(page, "<th scope=\"col\">two/tacos</th>"); /* the least that tells them apart */
    assert_holds(page, "<th scope=\"row\">m_max</th>");
    assert_lacks(page, "<th scope=\"row\">alpha</th>");
    free(page);
}

/* Nothing is forgotten by who never answers: BWT is 0, the others' is less. */
static void a_silent_network_is_said_to_be_one_and_best_in_nothing(void **state) {
    const Folder *folder = *state;
    char a[256], b[256];
    const char *const dirs[] = {a, b};
    tacos_error err;
    size_t n;
    strcpy(a, within(folder, "answers"));
    strcpy(b, within(folder, "never"));
    run_into(a, 1, KEYS("model=columns"));
    run_into(b, 1, KEYS("threshold_output=100000", "hidden=none"));
    char *page = page_of(a, folder->file);
    assert_lacks(page, "class=\"warning\"");
    free(page);
    page = page_of(b, folder->file);
    assert_holds(page, "<p class=\"warning\">A silent network: no output spiked on 100.0%");
    free(page);
    assert_succeeds(tacos_report_write(dirs, 2, folder->file, &err));
    page = read_bytes(folder->file, &n);
    assert_holds(page, "never is a silent network: no output spiked on 100.0%");
    assert_lacks(page, "answers is a silent network");
    char *row = strstr(page, "<td>tacos</td>"), *best = strstr(page, "(best)");
    assert_non_null(row);
    assert_non_null(best);
    assert_true(best < row);
    *strstr(row, "</tr>") = '\0';
    assert_lacks(row, "(best)");
    assert_holds(row, "0.0"); /* BWT */
    free(page);
}

static void as_many_as_may_be(void **state) {
    const Folder *folder = *state;
    const char *dirs[TACOS_REPORT_DIRS_MAX + 1];
    char run[256];
    tacos_error err;
    size_t n;
    strcpy(run, within(folder, "run"));
    run_into(run, 1, NULL);
    for (size_t i = 0; i <= TACOS_REPORT_DIRS_MAX; i++)
        dirs[i] = run;
    assert_succeeds(tacos_report_write(dirs, TACOS_REPORT_DIRS_MAX, folder->file, &err));
    char *page = read_bytes(folder->file, &n);
    assert_int_equal(assert_drawings(page), 7 + TACOS_REPORT_DIRS_MAX);
    free(page);
    assert_fails(tacos_report_write(dirs, TACOS_REPORT_DIRS_MAX + 1, folder->file, &err),
                 TACOS_INVALID);
    assert_fails(tacos_report_write(dirs, 0, folder->file, &err), TACOS_INVALID);
}

/* ---- words of others ---- */

static void no_word_becomes_part_of_the_page(void **state) {
    const Folder *folder = *state;
    static const char evil[] = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&";
    char run[256], twin[256];
    strcpy(run, within(folder, "a\"><svg onload=alert(3)>"));
    run_into(run, 2, KEYS("measure=all"));
    json_t *root = open_results(run);
    assert_int_equal(json_object_set_new(root, "experiment", json_string(evil)), 0);
    assert_int_equal(json_object_set_new(root, "program_version", json_string(evil)), 0);
    assert_int_equal(json_object_set_new(json_object_get(root, "data"), "name", json_string(evil)),
                     0);
    pretend(root, evil, json_string(evil));
    pretend(root, "model", json_string(evil));
    write_results(root, run);
    char *page = page_of(run, folder->file);
    assert_lacks(page, "<script>alert");
    assert_lacks(page, "<img");
    assert_lacks(page, "<svg onload");
    assert_holds(page, "&lt;img src=x onerror=alert(2)&gt;&quot;&#39;&amp;");
    assert_true(assert_drawings(page) > 0);
    free(page);

    const char *const dirs[] = {run, twin};
    tacos_error err;
    size_t n;
    strcpy(twin, within(folder, "b</title><script>alert(4)</script>"));
    run_into(twin, 1, NULL);
    assert_succeeds(tacos_report_write(dirs, 2, folder->file, &err));
    page = read_bytes(folder->file, &n);
    assert_lacks(page, "<script>alert");
    assert_lacks(page, "<img");
    assert_lacks(page, "<svg onload");
    assert_true(assert_drawings(page) > 0);
    free(page);
}

/* A name that is a path is never opened: only what is built in is looked up. */
static void a_name_opens_no_file(void **state) {
    const Folder *folder = *state;
    run_into(within(folder, "run"), 1, NULL);
    write_bytes(within(folder, "mine.conf"), "hidden = 3\n", 11);
    json_t *root = open_results(within(folder, "run"));
    assert_int_equal(
        json_object_set_new(root, "experiment", json_string(within(folder, "mine.conf"))), 0);
    write_results(root, within(folder, "run"));
    char *page = page_of(within(folder, "run"), folder->file);
    assert_holds(page, "mine.conf.conf"); /* the file that one would write */
    assert_holds(page, "hidden = 24\n");
    free(page);
}

/* ---- figures ---- */

static void figures_by_name(void **state) {
    const Folder *folder = *state;
    char run[256], columns[256], *text;
    tacos_error err;
    tacos_figure_info info;
    size_t n_drawn = 0;
    strcpy(run, within(folder, "run"));
    strcpy(columns, within(folder, "columns"));
    run_into(run, 2, KEYS(MEASURED));
    run_into(columns, 1, KEYS("model=columns"));
    for (size_t i = 0; tacos_figure(i, &info); i++) {
        const char *from = strcmp(info.name, "templates") == 0 ? columns : run;
        if (!info.of_run) {
            assert_fails(tacos_figure_draw(info.name, run, 0, &text, &err), TACOS_INVALID);
            assert_says(err, "`tacos reproduce`");
            continue;
        }
        if (strcmp(info.name, "beside") == 0) {
            assert_fails(tacos_figure_draw(info.name, run, 0, &text, &err), TACOS_MISSING);
            assert_says(err, "the paper has no numbers");
            continue;
        }
        assert_succeeds(tacos_figure_draw(info.name, from, 0, &text, &err));
        assert_memory_equal(text, "<svg xmlns", 10);
        assert_null(strstr(text, "var(--")); /* readers of SVG know no variables */
        const char *style = strstr(text, "</style>");
        assert_non_null(style);
        assert_well_formed(style + strlen("</style>"), text + strlen(text) - strlen("\n</svg>\n"));
        tacos_figure_free(text);
        assert_succeeds(tacos_figure_draw(info.name, from, 1, &text, &err));
        assert_non_null(strchr(text, '\n'));
        assert_null(strstr(text, "nan"));
        tacos_figure_free(text);
        n_drawn++;
    }
    assert_int_equal(n_drawn, N_RUN_FIGURES + 1); /* and the templates of columns */
    assert_fails(tacos_figure_draw("acuracy", run, 0, &text, &err), TACOS_UNKNOWN);
    assert_null(text);
    assert_says(err, "the nearest is 'accuracy'");
    assert_succeeds(tacos_figure_write("matrix", run, 1, folder->file, &err));
    size_t n;
    text = read_bytes(folder->file, &n);
    assert_memory_equal(text, "after_task,task,mean,sd\n0,1,", 28);
    free(text);
}

/* Two models in one picture, as every paper has it. */
static void figures_of_several_runs(void **state) {
    static const char *const names[] = {"accuracy", "matrix", "means", "transfer"};
    const Folder *folder = *state;
    char a[256], b[256], *text;
    const char *const dirs[] = {a, b};
    tacos_error err;
    strcpy(a, within(folder, "tacos"));
    strcpy(b, within(folder, "snn"));
    run_into(a, 2, KEYS("tasks=0-1,2-3"));
    run_into(b, 2, KEYS("tasks=0-1,2-3", "model=snn"));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_succeeds(tacos_figure_draw_several(names[i], dirs, 2, 0, &text, &err));
        assert_holds(text, ">tacos<");
        assert_holds(text, ">snn<");
        const char *style = strstr(text, "</style>");
        assert_well_formed(style + strlen("</style>"), text + strlen(text) - strlen("\n</svg>\n"));
        tacos_figure_free(text);
        assert_succeeds(tacos_figure_draw_several(names[i], dirs, 2, 1, &text, &err));
        assert_holds(text, "tacos,");
        assert_holds(text, "snn,");
        tacos_figure_free(text);
    }
    assert_fails(tacos_figure_draw_several("raster", dirs, 2, 0, &text, &err), TACOS_INVALID);
    assert_says(err, "is of one folder");
    assert_fails(tacos_figure_draw_several("means", dirs, 0, 0, &text, &err), TACOS_INVALID);
    const char *const mixed[] = {a, folder->path};
    assert_fails(tacos_figure_draw_several("means", mixed, 2, 0, &text, &err), TACOS_MISSING);
}

static void figures_that_were_not_measured(void **state) {
    const Folder *folder = *state;
    char *text;
    tacos_error err;
    run_into(within(folder, "run"), 1, NULL);
    assert_fails(tacos_figure_draw("plasticity", within(folder, "run"), 0, &text, &err),
                 TACOS_MISSING);
    assert_says(err, "--set measure=all");
    assert_int_equal(remove(within(folder, "run/model-1.tacos")), 0);
    assert_fails(tacos_figure_draw("raster", within(folder, "run"), 0, &text, &err), TACOS_MISSING);
    assert_says(err, "has no model-1.tacos");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_run_that_has_everything),
        IN_FOLDER(the_same_files_give_the_same_bytes),
        IN_FOLDER(what_is_not_there_is_left_out),
        IN_FOLDER(columns_show_what_they_have_seen),
        IN_FOLDER(the_raster_says_what_is_answered),
        IN_FOLDER(a_rival_has_no_spikes),
        IN_FOLDER(any_number_of_tasks_and_seeds),
        IN_FOLDER(many_layers_or_none),
        IN_FOLDER(models_without_states),
        IN_FOLDER(removed_models_are_shown_without_their_network),
        IN_FOLDER(removed_keys_without_effect_are_not_shown),
        IN_FOLDER(the_papers_numbers_stand_beside),
        IN_FOLDER(several_runs_are_compared),
        IN_FOLDER(a_silent_network_is_said_to_be_one_and_best_in_nothing),
        IN_FOLDER(as_many_as_may_be),
        IN_FOLDER(no_word_becomes_part_of_the_page),
        IN_FOLDER(a_name_opens_no_file),
        IN_FOLDER(figures_by_name),
        IN_FOLDER(figures_of_several_runs),
        IN_FOLDER(figures_that_were_not_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
