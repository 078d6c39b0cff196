/* test_report_parts.c - reports and figures of `tacos reproduce`, from a store made up of the
 * paper's own numbers. */
#include "paper/paper.h"
#include "plan/plan.h"
#include "report_box.h"
#include "store/store.h"

#include <math.h>

enum { SEEDS = 2, TASKS = 50, N_MEASURES = 4 * 3 };

/* PART.json as `tacos reproduce` writes it. */
static void write_origin(const char *folder, const char *part, const char *quick) {
    char path[320], text[512];
    (void)snprintf(path, sizeof path, "%s/%s.json", folder, part);
    int n = snprintf(text, sizeof text,
                     "{\"schema\": \"tacos-reproduction\", \"schema_version\": 1, \"quick\": %s, "
                     "\"seeds\": %d, \"set\": {}, \"store\": \"runs.db\"}\n",
                     quick, SEEDS);
    write_bytes(path, text, (size_t)n);
}

/* What the paper says of MA after the last task, or 42. */
static double final_ma(const PaperPart *part, const char *section) {
    PaperCell cell;
    double ma = 42;
    size_t last = 0;
    for (const char *line = part->lines; paper_next(&line, &cell);)
        if (strcmp(cell.section, section) == 0 && strcmp(cell.metric, "MA") == 0 &&
            cell.after_task > last && !isnan(cell.value)) {
            last = cell.after_task;
            ma = cell.value;
        }
    return ma;
}

/* A run that is 20 on tasks it has not learned, and `learned` on others. */
static void put_run(Store *store, const Experiment *config, uint32_t seed, double learned) {
    static const StoreData data = {"mnist", 60000, 10000, 0x1234abcd};
    static double R[TASKS * TASKS], b[TASKS];
    static tacos_metrics after[TASKS]; /* what is read follows from R */
    tacos_measure measures[N_MEASURES];
    uint64_t bytes = (uint64_t)(config->learner.columns.memory_kb * 1000);
    size_t n;
    Tasks tasks;
    int64_t row = 0;
    bool there;
    tacos_error err;
    assert_succeeds(store_want(store, config, &data, seed, &row, &there, &err));
    if (there)
        return;
    assert_succeeds(tasks_parse(&tasks, config->params.tasks, &err));
    n = tasks.n;
    assert_true(n <= TASKS);
    for (size_t t = 0; t < n; t++) {
        b[t] = 20;
        for (size_t k = 0; k < n; k++)
            R[k * n + t] = t <= k ? learned : 20;
    }
    for (unsigned i = 0; i < N_MEASURES; i++)
        measures[i] = (tacos_measure){.kind = (tacos_measure_kind)(i / 4),
                                      .after_task = i & 1 ? (unsigned)n : 1,
                                      .part = i >> 1 & 1,
                                      .value = 0.5};
    tacos_run run = {.seed = seed,
                     .stats = {.model_bytes = bytes},
                     .n_tasks = n,
                     .R = R,
                     .b = b,
                     .after = after,
                     .measures = measures,
                     .n_measures = n > 1 ? N_MEASURES : 0}; /* after the first and the last */
    assert_succeeds(store_complete(store, row, &run, "here", &err));
}

/* The runs of a part: their mean is what the paper says and their deviation 0.5; or 91 and 92. */
static void put_part(const char *folder, const PaperPart *part, bool as_the_paper) {
    char path[320];
    Store *store;
    Plan *plan;
    Experiment config;
    tacos_error err;
    (void)snprintf(path, sizeof path, "%s/runs.db", folder);
    assert_succeeds(store_open(&store, path, &err));
    assert_succeeds(tacos_plan_open(&plan, part->plan, &err));
    for (size_t i = 0; i < plan->n_configs; i++) {
        assert_succeeds(plan_config(plan, i, &config, &err));
        double ma = final_ma(part, config.name), off = sqrt(0.125);
        put_run(store, &config, 1, as_the_paper ? ma - off : 91);
        put_run(store, &config, 2, as_the_paper ? ma + off : 92);
    }
    tacos_plan_free(plan);
    store_close(store);
    write_origin(folder, part->name, "false");
}

static PaperPart part_named(const char *name) {
    PaperPart part;
    size_t i = 0;
    while (paper_part(i, &part) && strcmp(part.name, name) != 0)
        i++;
    return part;
}

/* A folder with all parts. */
static void reproduce_into(const char *folder) {
    PaperPart part, omniglot = part_named("omniglot"), transfer = part_named("transfer");
    PaperPart columns = part_named("columns");
    assert_int_equal(mkdir(folder, 0777), 0);
    put_part(folder, &omniglot, false);
    put_part(folder, &transfer, false);
    for (size_t i = 0; paper_part(i, &part); i++)
        if (strcmp(part.name, columns.name) != 0)
            put_part(folder, &part, true);
    put_part(folder, &columns, true); /* it has rows of the others, but no number of the paper */
    write_origin(folder, "function", "false");
}

static void every_figure_of_the_paper(void **state) {
    const Folder *folder = *state;
    char *text, parts[256];
    tacos_error err;
    tacos_figure_info info;
    size_t n = 0;
    strcpy(parts, within(folder, "parts"));
    reproduce_into(parts);
    for (size_t i = 0; tacos_figure(i, &info); i++) {
        if (!info.of_reproduction) {
            assert_fails(tacos_figure_draw(info.name, parts, 0, &text, &err), TACOS_INVALID);
            assert_says(err, "`tacos run`");
            continue;
        }
        assert_succeeds(tacos_figure_draw(info.name, parts, 0, &text, &err));
        const char *style = strstr(text, "</style>");
        assert_non_null(style);
        assert_well_formed(style + strlen("</style>"), text + strlen(text) - strlen("\n</svg>\n"));
        tacos_figure_free(text);
        assert_succeeds(tacos_figure_draw(info.name, parts, 1, &text, &err));
        assert_non_null(strchr(text, '\n'));
        tacos_figure_free(text);
        n++;
    }
    assert_int_equal(n, 12);
}

/* What is drawn is what the table says, beside what the paper says. */
static void numbers_of_a_figure(void **state) {
    const Folder *folder = *state;
    char *text;
    tacos_error err;
    reproduce_into(within(folder, "parts"));
    assert_succeeds(tacos_figure_draw("headline", within(folder, "parts"), 1, &text, &err));
    assert_memory_equal(text, "model,series,value,sd,paper,paper_sd\n", 37);
    assert_holds(text, "tacos,split-MNIST,82.56,0.5,82.56,1.12\n");
    assert_holds(text, "tacos,split-Fashion-MNIST,93.22,0.5,93.22,0.22\n");
    tacos_figure_free(text);
    assert_succeeds(tacos_figure_draw("omniglot", within(folder, "parts"), 1, &text, &err));
    assert_holds(text, "\"mean over tasks so far, %\",low,50,91.5,0.7071067812\n");
    tacos_figure_free(text);
    assert_succeeds(tacos_figure_draw("memory", within(folder, "parts"), 1, &text, &err));
    assert_memory_equal(text, "panel,series,kilobytes,mean,sd\n", 31);
    assert_holds(text, "split-MNIST,\"columns, one look\",16,42,0.5\n");
    assert_holds(text, "split-Fashion-MNIST,\"columns, five looks\",667,42,0.5\n");
    assert_holds(text, "split-MNIST,rls relu 1000,667,42,0.5\n");
    assert_lacks(text, "spikes");
    tacos_figure_free(text);
    assert_succeeds(tacos_figure_draw("memory", within(folder, "parts"), 0, &text, &err));
    assert_holds(text, ">rls relu 1000</text>");
    tacos_figure_free(text);
    assert_succeeds(tacos_figure_draw("accuracy", within(folder, "parts"), 1, &text, &err));
    assert_holds(text, "\"task 3, %\",snn,2,20,0\n");
    assert_holds(text, "\"task 3, %\",snn,3,91.5,0.7071067812\n");
    tacos_figure_free(text);
}

#define TABLE_HEAD "section,metric,after_task,part,runs,mean,sd,paper,paper_sd,verdict\n"

static void write_table(const Folder *folder, const char *text) {
    write_bytes(within(folder, "columns.csv"), text, strlen(text));
}

/* The figure of columns is drawn from their table as from their runs. */
static void a_figure_of_a_table(void **state) {
    const Folder *folder = *state;
    char *text;
    tacos_error err;
    write_table(folder, TABLE_HEAD "memory mnist: 16 kB,MA,0,0,5,92.5,0.25,,,\n"
                                   "memory mnist: 16 kB,kilobytes,0,0,5,15.5,0,,,\r\n"
                                   "memory mnist: 64 kB,MA,0,0,0,,,,,\n"
                                   "memory mnist: 64 kB,kilobytes,0,0,0,,,,,\n"
                                   "class fashion: <fly> & co,kilobytes,0,0,1,1000,0,,,\n"
                                   "class fashion: <fly> & co,MA,0,0,1,76,0,70.5,1,above");
    assert_succeeds(tacos_figure_draw("memory", within(folder, "columns.csv"), 1, &text, &err));
    assert_string_equal(text, "panel,series,kilobytes,mean,sd\n"
                              "split-MNIST,\"columns, one look\",15.5,92.5,0.25\n"
                              "split-Fashion-MNIST,<fly> & co,1000,76,\n");
    tacos_figure_free(text);
    assert_succeeds(tacos_figure_draw("memory", within(folder, "columns.csv"), 0, &text, &err));
    assert_holds(text, ">&lt;fly&gt; &amp; co</text>");
    tacos_figure_free(text);
    assert_fails(tacos_figure_draw("headline", within(folder, "columns.csv"), 0, &text, &err),
                 TACOS_INVALID);
    assert_says(err, "figure 'headline' is made from a folder");
    assert_fails(tacos_figure_draw("raster", within(folder, "columns.csv"), 0, &text, &err),
                 TACOS_INVALID);
    assert_fails(tacos_figure_draw("memory", within(folder, "none.csv"), 0, &text, &err),
                 TACOS_MISSING);
    assert_says(err, "cannot read");
}

static void a_damaged_table(void **state) {
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"", "its first line is not 'section,metric,"},
        {"section,seed,after_task,task,accuracy\n", "is not a table of `tacos reproduce`"},
        {TABLE_HEAD "class mnist: ncm,MA,0,0,5,92.5,0.25,,\n", "columns.csv:2: expected 10 fields"},
        {TABLE_HEAD "class mnist: a,b,MA,0,0,5,9,0.25,,,\n", "columns.csv:2: expected 10 fields"},
        {TABLE_HEAD "class mnist: ncm,MA,0,0,5,92.5,0.25,,,\n\nx", ":3: expected 10 fields"},
        {TABLE_HEAD "class mnist: ncm,MA,-1,0,5,92.5,0.25,,,\n", "'-1' is not a whole number"},
        {TABLE_HEAD "class mnist: ncm,MA,0,,5,92.5,0.25,,,\n", "'' is not a whole number"},
        {TABLE_HEAD "class mnist: ncm,MA,0,0,99999999999,92.5,0.25,,,\n", "is not a whole number"},
        {TABLE_HEAD "class mnist: ncm,MA,0,0,5,9x,0.25,,,\n", "'9x' is not a number"},
        {TABLE_HEAD "class mnist: ncm,MA,0,0,5,inf,0.25,,,\n", "'inf' is not a number"},
        {TABLE_HEAD "class mnist: ncm,MA,0,0,5,92.5,,,,\n", "but no mean or no sd"},
    };
    const Folder *folder = *state;
    char *text;
    tacos_error err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_table(folder, bad[i].text);
        assert_fails(tacos_figure_draw("memory", within(folder, "columns.csv"), 0, &text, &err),
                     TACOS_FORMAT);
        assert_says(err, bad[i].says);
    }
    write_table(folder, TABLE_HEAD "class mnist: ncm,A,0,0,5,92.5,0.25,,,\n");
    assert_fails(tacos_figure_draw("memory", within(folder, "columns.csv"), 0, &text, &err),
                 TACOS_MISSING);
    assert_says(err, "columns.csv has no runs of columns on split-MNIST");
}

static void a_page_of_all_parts(void **state) {
    const Folder *folder = *state;
    reproduce_into(within(folder, "parts"));
    char *page = page_of(within(folder, "parts"), folder->file);
    PaperPart part;
    for (size_t i = 0; paper_part(i, &part); i++) {
        char words[64];
        (void)snprintf(words, sizeof words, "<section id=\"%s\"", part.name);
        assert_holds(page, words);
    }
    assert_int_equal(assert_drawings(page), 12);
    assert_holds(page, "<span class=\"verdict match\">match</span>");
    assert_lacks(page, "--quick");
    free(page);

    write_origin(within(folder, "parts"), "orders", "true");
    page = page_of(within(folder, "parts"), folder->file);
    assert_holds(page, "Made with --quick");
    free(page);
}

static void a_part_alone(void **state) {
    const Folder *folder = *state;
    PaperPart part = part_named("reduced");
    char *text, parts[256];
    tacos_error err;
    strcpy(parts, within(folder, "parts"));
    assert_int_equal(mkdir(parts, 0777), 0);
    put_part(parts, &part, true);
    char *page = page_of(parts, folder->file);
    assert_int_equal(assert_drawings(page), 1);
    free(page);
    assert_fails(tacos_figure_draw("headline", parts, 0, &text, &err), TACOS_MISSING);
    assert_says(err, "has no headline.json; `tacos reproduce headline --out");
    assert_fails(tacos_figure_draw("omniglot", parts, 0, &text, &err), TACOS_MISSING);
    assert_says(err, "has no omniglot.json");
    assert_fails(tacos_figure_draw("function", parts, 0, &text, &err), TACOS_MISSING);
    assert_says(err, "`tacos reproduce function");
}

static void it_stands_alone(void **state) {
    const Folder *folder = *state;
    char run[256], parts[256];
    const char *const dirs[] = {run, parts};
    tacos_error err;
    strcpy(run, within(folder, "run"));
    strcpy(parts, within(folder, "parts"));
    run_into(run, 1, NULL);
    reproduce_into(parts);
    assert_fails(tacos_report_write(dirs, 2, folder->file, &err), TACOS_INVALID);
    assert_says(err, "it cannot be compared with other folders");
}

static void damaged_files(void **state) {
    const Folder *folder = *state;
    static const struct {
        const char *text, *words;
        tacos_status status;
    } cases[] = {
        {"", "line 1", TACOS_FORMAT},
        {"[]", "does not hold an object", TACOS_FORMAT},
        {"{}", "was not written by `tacos reproduce`", TACOS_FORMAT},
        {"{\"schema\": \"tacos-results\"}", "was not written by `tacos reproduce`", TACOS_FORMAT},
        {"{\"schema\": \"tacos-reproduction\"}", "'schema_version' is not", TACOS_FORMAT},
        {"{\"schema\": \"tacos-reproduction\", \"schema_version\": 2}",
         "schema version 2; supported", TACOS_VERSION},
#define HEAD "{\"schema\": \"tacos-reproduction\", \"schema_version\": 1, "
        {HEAD "\"quick\": 1}", "'quick' is not true or false", TACOS_FORMAT},
        {HEAD "\"quick\": false}", "'store' is not a text", TACOS_FORMAT},
#undef HEAD
#define HEAD                                                                                       \
    "{\"schema\": \"tacos-reproduction\", \"schema_version\": 1, \"quick\": false, \"store\": \"s\", "
        {HEAD "\"set\": {}}", "'seeds' is not", TACOS_FORMAT},
        {HEAD "\"seeds\": -5, \"set\": {}}", "'seeds' is not", TACOS_FORMAT},
        {HEAD "\"seeds\": 10001, \"set\": {}}", "'seeds' is not", TACOS_FORMAT},
        {HEAD "\"seeds\": 1}", "'set' is not", TACOS_FORMAT},
        {HEAD "\"seeds\": 1, \"set\": {\"steps\": 40}}", "'steps' is not a text", TACOS_FORMAT},
        {HEAD "\"seeds\": 1, \"set\": {\"stepps\": \"40\"}}", "the nearest is 'steps'",
         TACOS_UNKNOWN},
        {HEAD "\"seeds\": 1, \"set\": {\"steps\": \"x\"}}", "steps", TACOS_INVALID},
        {HEAD "\"seeds\": 1, \"set\": {}}", "cannot read", TACOS_MISSING},
#undef HEAD
    };
    char path[320];
    const char *dir = folder->path;
    tacos_error err;
    (void)snprintf(path, sizeof path, "%s/headline.json", dir);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_bytes(path, cases[i].text, strlen(cases[i].text));
        assert_fails(tacos_report_write(&dir, 1, folder->file, &err), cases[i].status);
        assert_says(err, cases[i].words);
    }
    write_bytes(within(folder, "runs.db"), "not a store", 11);
    write_origin(dir, "headline", "false");
    assert_fails(tacos_report_write(&dir, 1, folder->file, &err), TACOS_FORMAT);
    assert_false(exists(folder->file));
}

static void no_word_becomes_part_of_the_page(void **state) {
    const Folder *folder = *state;
    PaperPart part = part_named("headline");
    char parts[256];
    (void)snprintf(parts, sizeof parts, "%s/<img src=x onerror=alert(1)><b>", folder->path);
    assert_int_equal(mkdir(parts, 0777), 0);
    put_part(parts, &part, true);
    char *page = page_of(parts, folder->file);
    assert_lacks(page, "<img");
    assert_lacks(page, "<b>");
    assert_int_equal(assert_drawings(page), 1);
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_figure_of_the_paper),
        IN_FOLDER(numbers_of_a_figure),
        IN_FOLDER(a_figure_of_a_table),
        IN_FOLDER(a_damaged_table),
        IN_FOLDER(a_page_of_all_parts),
        IN_FOLDER(a_part_alone),
        IN_FOLDER(it_stands_alone),
        IN_FOLDER(damaged_files),
        IN_FOLDER(no_word_becomes_part_of_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
