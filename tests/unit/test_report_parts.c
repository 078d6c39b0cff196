/* test_report_parts.c - reports and figures of `tacos reproduce`, from tables made up of the
 * paper's own numbers. */
#include "paper/tables.h"
#include "report_box.h"

#include <math.h>

static FILE *open_file(const char *folder, const char *name, const char *ending) {
    char path[320];
    (void)snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    return file;
}

/* A part's table as `tacos reproduce` writes it: here is what the paper says, or 42. */
static void write_part(const char *folder, const PaperPart *part) {
    PaperCell cell;
    FILE *file = open_file(folder, part->name, ".csv");
    fputs("section,metric,after_task,part,runs,mean,sd,paper,paper_sd,verdict\n", file);
    for (const char *line = part->lines; paper_next(&line, &cell);) {
        bool there = !isnan(cell.value);
        fprintf(file, "%s,%s,%zu,%zu,5,%g,0.5,", cell.section, cell.metric, cell.after_task,
                cell.part, there ? cell.value : 42);
        if (there)
            fprintf(file, "%g", cell.value);
        fputs(isnan(cell.sd) ? ",," : ",1.5,", file);
        fprintf(file, "%s\n", there ? "match" : "");
    }
    assert_int_equal(fclose(file), 0);
}

static void write_accuracy(const char *folder, const char *name, const char *const *sections,
                           size_t n_tasks) {
    FILE *file = open_file(folder, name, "-accuracy.csv");
    fputs("section,seed,after_task,task,accuracy\n", file);
    for (; *sections; sections++)
        for (size_t seed = 1; seed <= 2; seed++)
            for (size_t k = 0; k <= n_tasks; k++)
                for (size_t t = 1; t <= n_tasks; t++)
                    fprintf(file, "%s,%zu,%zu,%zu,%zu\n", *sections, seed, k, t,
                            k < t ? 20 : 90 + seed);
    assert_int_equal(fclose(file), 0);
}

/* A folder with all parts. */
static void reproduce_into(const char *folder) {
    static const char *const transfer[] = {"tacos m=25", "fixed m=25", "snn", NULL};
    static const char *const omniglot[] = {"snn", "low", "high", NULL};
    PaperPart part;
    assert_int_equal(mkdir(folder, 0777), 0);
    for (size_t i = 0; paper_part(i, &part); i++)
        write_part(folder, &part);
    write_accuracy(folder, "transfer", transfer, 5);
    write_accuracy(folder, "omniglot", omniglot, 50);
    FILE *file = open_file(folder, "function", ".csv");
    fputs("m,w,plasticity\n0,-1,1\n0,1,1\n5,-1,0.0067\n5,0,1\n5,1,0.0067\n", file);
    assert_int_equal(fclose(file), 0);
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
    assert_int_equal(n, 11);
}

/* What is drawn is what the table says, beside what the paper says. */
static void numbers_of_a_figure(void **state) {
    const Folder *folder = *state;
    char *text;
    tacos_error err;
    reproduce_into(within(folder, "parts"));
    assert_succeeds(tacos_figure_draw("headline", within(folder, "parts"), 1, &text, &err));
    assert_memory_equal(text, "model,series,value,sd,paper,paper_sd\n", 37);
    assert_holds(text, "tacos,split-MNIST,82.56,0.5,82.56,1.5\n");
    assert_holds(text, "tacos,split-Fashion-MNIST,93.22,0.5,93.22,1.5\n");
    tacos_figure_free(text);
    assert_succeeds(tacos_figure_draw("omniglot", within(folder, "parts"), 1, &text, &err));
    assert_holds(text, "\"mean over tasks so far, %\",low,50,91.5,0.7071067812\n");
    tacos_figure_free(text);
    assert_succeeds(tacos_figure_draw("accuracy", within(folder, "parts"), 1, &text, &err));
    assert_holds(text, "\"task 3, %\",snn,2,20,0\n");
    assert_holds(text, "\"task 3, %\",snn,3,91.5,0.7071067812\n");
    tacos_figure_free(text);
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
    assert_int_equal(assert_drawings(page), 11);
    assert_holds(page, "<span class=\"verdict match\">match</span>");
    assert_lacks(page, "--quick");
    free(page);

    write_bytes(within(folder, "parts/orders.md"), "### orders: x (QUICK: few samples)\n", 35);
    page = page_of(within(folder, "parts"), folder->file);
    assert_holds(page, "Made with --quick");
    free(page);
}

static void a_part_alone(void **state) {
    const Folder *folder = *state;
    PaperPart part;
    char *text, parts[256];
    tacos_error err;
    strcpy(parts, within(folder, "parts"));
    assert_int_equal(mkdir(parts, 0777), 0);
    for (size_t i = 0; paper_part(i, &part); i++)
        if (strcmp(part.name, "reduced") == 0)
            write_part(parts, &part);
    char *page = page_of(parts, folder->file);
    assert_int_equal(assert_drawings(page), 1);
    free(page);
    assert_fails(tacos_figure_draw("headline", parts, 0, &text, &err), TACOS_MISSING);
    assert_says(err, "has no headline.csv; `tacos reproduce headline --out");
    assert_fails(tacos_figure_draw("omniglot", parts, 0, &text, &err), TACOS_MISSING);
    assert_says(err, "has no omniglot-accuracy.csv");
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

static void damaged_tables(void **state) {
    const Folder *folder = *state;
    static const char head[] =
        "section,metric,after_task,part,runs,mean,sd,paper,paper_sd,verdict\n";
    static const struct {
        const char *rows, *words;
    } cases[] = {
        {"", "has no rows"},
        {"a,MA,5,0,5,1,1,1,1\n", "line 2 is not 10 cells"},
        {"a,MA,5,0,5,x,1,1,1,match\n", "line 2: 'x' is not a number"},
        {"a,MA,5,0,5,nan,1,1,1,match\n", "'nan' is not a number"},
        {"a,MA,5,0,5,1e99,1,1,1,match\n", "'1e99' is not a number"},
        {"a,MA,-5,0,5,1,1,1,1,match\n", "'-5' is not a whole number"},
        {"a,MA,5,0,5,1,1,1,1,match\n\"b\",MA,5,0,5,1,1,1,1,match\n", "line 3 is not 10 cells"},
        {"a,MA,5,0,5,1,1,1,1,much too long a verdict\n", "is not short enough"},
    };
    char text[512], parts[256], path[320];
    const char *dir = parts;
    tacos_error err;
    strcpy(parts, folder->path);
    (void)snprintf(path, sizeof path, "%s/headline.csv", parts);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)snprintf(text, sizeof text, "%s%s", head, cases[i].rows);
        write_bytes(path, text, strlen(text));
        assert_fails(tacos_report_write(&dir, 1, folder->file, &err), TACOS_FORMAT);
        assert_says(err, cases[i].words);
    }
    write_bytes(path, "other\n", 6);
    assert_fails(tacos_report_write(&dir, 1, folder->file, &err), TACOS_FORMAT);
    assert_says(err, "does not begin with 'section,metric");
    assert_false(exists(folder->file));
}

static void no_word_becomes_part_of_the_page(void **state) {
    const Folder *folder = *state;
    static const char text[] =
        "section,metric,after_task,part,runs,mean,sd,paper,paper_sd,verdict\n"
        "<img src=x onerror=alert(1)> mnist,MA,5,0,5,1,1,1,1,\"><b>\n";
    static const char safe[] =
        "section,metric,after_task,part,runs,mean,sd,paper,paper_sd,verdict\n"
        "<img src=x onerror=alert(1)> mnist,MA,5,0,5,1,1,1,1,><b>\n";
    const char *dir = folder->path;
    tacos_error err;
    write_bytes(within(folder, "headline.csv"), text, strlen(text));
    assert_fails(tacos_report_write(&dir, 1, folder->file, &err), TACOS_FORMAT); /* a quote */
    write_bytes(within(folder, "headline.csv"), safe, strlen(safe));
    char *page = page_of(folder->path, folder->file);
    assert_lacks(page, "<img");
    assert_lacks(page, "<b>");
    assert_int_equal(assert_drawings(page), 1);
    free(page);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(every_figure_of_the_paper),
        IN_FOLDER(numbers_of_a_figure),
        IN_FOLDER(a_page_of_all_parts),
        IN_FOLDER(a_part_alone),
        IN_FOLDER(it_stands_alone),
        IN_FOLDER(damaged_tables),
        IN_FOLDER(no_word_becomes_part_of_the_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
