/* score_table.c - the table of `tacos reproduce score`: rows, totals per part and overall; and the
 * runs behind them. */
#include "reproduce.h"

#include "cli.h"
#include "terminal/grid.h"
#include "terminal/print.h"

#include <math.h>
#include <string.h>

enum { CELL_SIZE = 96, SECTIONS_MAX = 64 };

static const char SCORE[] = "score";

/* ---- lines: the rows of a part and its total, and finally the overall total ---- */

typedef void Visit(void *user, const tacos_score_row *row);

static void visit_lines(const tacos_score *score, Visit *visit, void *user) {
    tacos_score_row row, next, total;
    for (size_t i = 0; tacos_score_row_get(score, i, &row); i++) {
        int last = !tacos_score_row_get(score, i + 1, &next) || strcmp(next.part, row.part) != 0;
        visit(user, &row);
        if (!last)
            continue;
        total = tacos_score_total(score, row.part);
        visit(user, &total);
    }
    total = tacos_score_total(score, NULL);
    visit(user, &total);
}

static int is_total(const tacos_score_row *row) {
    return row->section[0] == '\0';
}

/* ---- texts ---- */

enum { N_GROUPS = 4 };
static const char *const heads[N_GROUPS] = {"A and MA", "BWT", "FWT", "all"};

static const tacos_difference *group(const tacos_score_row *row, size_t g) {
    const tacos_difference *const groups[N_GROUPS] = {&row->accuracy, &row->bwt, &row->fwt,
                                                      &row->all};
    return groups[g];
}

static void write_name(char text[CELL_SIZE], const tacos_score_row *row) {
    if (!is_total(row))
        (void)snprintf(text, CELL_SIZE, "%s", row->section);
    else
        (void)snprintf(text, CELL_SIZE, "%s, all rows", row->part[0] ? row->part : "all parts");
}

static void write_runs(char text[CELL_SIZE], const tacos_score_row *row) {
    if (row->n_runs == row->n_planned)
        (void)snprintf(text, CELL_SIZE, "%zu", row->n_runs);
    else
        (void)snprintf(text, CELL_SIZE, "%zu of %zu", row->n_runs, row->n_planned);
}

/* "1.23", in a total "1.23 (81)", or "1.23 (72 of 81)" if some numbers have no run. */
static void write_difference(char text[CELL_SIZE], const tacos_difference *difference, int total) {
    int whole = difference->n_cells == difference->n_paper;
    int used = isnan(difference->mean) ? snprintf(text, CELL_SIZE, "-")
                                       : snprintf(text, CELL_SIZE, "%.2f", difference->mean);
    if (!whole && !isnan(difference->mean))
        (void)snprintf(text + used, CELL_SIZE - (size_t)used, " (%zu of %zu)", difference->n_cells,
                       difference->n_paper);
    else if (total && difference->n_cells > 0)
        (void)snprintf(text + used, CELL_SIZE - (size_t)used, " (%zu)", difference->n_cells);
}

/* ---- what is missing ---- */

static void list_rows(FILE *out, const tacos_score *score, const char *head, int some_runs) {
    tacos_score_row row;
    const char *before = head;
    for (size_t i = 0; tacos_score_row_get(score, i, &row); i++) {
        if (row.n_runs == row.n_planned && row.n_runs > 0)
            continue;
        if ((row.n_runs > 0) != some_runs)
            continue;
        print_to(out, "%s%s", before, row.section);
        before = ", ";
    }
    if (before != head)
        fputc('\n', out);
}

static void print_missing(FILE *out, const tacos_score *score) {
    tacos_score_row all = tacos_score_total(score, NULL);
    print_to(out, "over %s%zu of the paper's %zu numbers\n",
             all.all.n_cells < all.all.n_paper ? "only " : "", all.all.n_cells, all.all.n_paper);
    list_rows(out, score, "left out, since they have no runs: ", 0);
    list_rows(out, score, "fewer runs than planned: ", 1);
}

/* ---- terminal ---- */

static void add_line(void *user, const tacos_score_row *row) {
    Grid *grid = user;
    char text[CELL_SIZE];
    Style style = is_total(row) ? STYLE_HEADING : STYLE_PLAIN;
    write_name(text, row);
    grid_cell(grid, "%s", text);
    grid_style(grid, style);
    write_runs(text, row);
    grid_cell(grid, "%s", text);
    for (size_t g = 0; g < N_GROUPS; g++) {
        write_difference(text, group(row, g), is_total(row));
        grid_cell(grid, "%s", text);
        grid_style(grid, style);
    }
}

static int score_print(const tacos_score *score) {
    Grid grid = {0};
    grid_head(&grid, "row", 1);
    grid_head(&grid, "runs", 0);
    for (size_t g = 0; g < N_GROUPS; g++)
        grid_head(&grid, heads[g], 0);
    visit_lines(score, add_line, &grid);
    if (grid_end(&grid) != 0)
        return -1;
    putchar('\n');
    print_missing(stdout, score);
    putchar('\n');
    return 0;
}

/* ---- files ---- */

static void markdown_line(void *user, const tacos_score_row *row) {
    FILE *out = user;
    const char *bold = is_total(row) ? "**" : "";
    char text[CELL_SIZE];
    write_name(text, row);
    print_to(out, "| %s%s%s |", bold, text, bold);
    write_runs(text, row);
    print_to(out, " %s |", text);
    for (size_t g = 0; g < N_GROUPS; g++) {
        write_difference(text, group(row, g), is_total(row));
        print_to(out, " %s |", text);
    }
    fputc('\n', out);
}

static void score_markdown(FILE *out, const tacos_score *score) {
    fputs("| row | runs |", out);
    for (size_t g = 0; g < N_GROUPS; g++)
        print_to(out, " %s |", heads[g]);
    fputs("\n| --- | --- | --- | --- | --- | --- |\n", out);
    visit_lines(score, markdown_line, out);
    fputc('\n', out);
    print_missing(out, score);
    fputc('\n', out);
}

static void csv_line(void *user, const tacos_score_row *row) {
    static const char *const names[N_GROUPS] = {"accuracy", "BWT", "FWT", "all"};
    FILE *out = user;
    for (size_t g = 0; g < N_GROUPS; g++) {
        const tacos_difference *difference = group(row, g);
        if (difference->n_paper == 0)
            continue;
        print_to(out, "%s,%s,%s,%zu,%zu,%zu,%zu,", row->part[0] ? row->part : "all",
                 is_total(row) ? "all" : row->section, names[g], row->n_runs, row->n_planned,
                 difference->n_cells, difference->n_paper);
        if (!isnan(difference->mean))
            print_to(out, "%.10g", difference->mean);
        fputc('\n', out);
    }
}

static void score_csv(FILE *out, const tacos_score *score) {
    fputs("part,section,metric,runs,planned,numbers,paper_numbers,mean_difference\n", out);
    visit_lines(score, csv_line, out);
}

/* ---- runs ---- */

/* The sections of a part that count, into sections[SECTIONS_MAX]; returns their number. */
static size_t scored_sections(const tacos_score *score, const char *part, const char **sections) {
    tacos_score_row row;
    size_t n = 0;
    for (size_t i = 0; tacos_score_row_get(score, i, &row); i++)
        if (strcmp(row.part, part) == 0 && n < SECTIONS_MAX)
            sections[n++] = row.section;
    return n;
}

static int add_to_score(tacos_score *score, const char *part, const tacos_plan *plan,
                        const char *store) {
    tacos_reproduction *reproduction = NULL;
    tacos_error err = {0};
    tacos_status status = tacos_reproduction_open(&reproduction, part, plan, store, &err);
    if (status == TACOS_OK)
        status = tacos_score_add(score, reproduction, &err);
    tacos_reproduction_free(reproduction);
    return status == TACOS_OK ? EXIT_OK : cli_fail(&err);
}

/* Make only the runs of a part that count. */
static int score_part(const ReproduceArgs *args, const tacos_paper_part *part, const char *store,
                      tacos_score *score) {
    const char *sections[SECTIONS_MAX];
    size_t n = scored_sections(score, part->name, sections);
    tacos_plan *plan = NULL;
    tacos_error err = {0};
    if (n == 0)
        return EXIT_OK;
    int code = reproduce_plan(args, part->plan, &plan);
    if (code == EXIT_OK && tacos_plan_keep(plan, sections, n, &err) != TACOS_OK)
        code = cli_fail(&err);
    if (code == EXIT_OK)
        code = reproduce_runs(args, plan, store);
    if (code == EXIT_OK)
        code = add_to_score(score, part->name, plan, store);
    tacos_plan_free(plan);
    return code;
}

static int write_score(const ReproduceArgs *args, const tacos_score *score) {
    static const char about[] = "mean absolute difference from the paper, in points, over what it "
                                "prints for split-MNIST with one hidden layer";
    reproduce_heading(stdout, args, SCORE, about, 0);
    if (score_print(score) != 0) {
        cli_error("no memory to show the score");
        return EXIT_FAILED;
    }
    TableFile file;
    FILE *out = reproduce_open(&file, args, SCORE, ".md");
    if (!out)
        return EXIT_FAILED;
    reproduce_heading(out, args, SCORE, about, 1);
    score_markdown(out, score);
    int code = reproduce_close(&file);
    if (code != EXIT_OK || !(out = reproduce_open(&file, args, SCORE, ".csv")))
        return EXIT_FAILED;
    score_csv(out, score);
    return reproduce_close(&file);
}

int reproduce_score(const ReproduceArgs *args, const char *store) {
    tacos_score *score = NULL;
    tacos_paper_part part;
    tacos_error err = {0};
    int code = EXIT_OK;
    if (tacos_score_new(&score, &err) != TACOS_OK)
        return cli_fail(&err);
    for (size_t i = 0; code == EXIT_OK && tacos_paper_part_get(i, &part); i++)
        code = score_part(args, &part, store, score);
    if (code == EXIT_OK)
        code = write_score(args, score);
    tacos_score_free(score);
    return code;
}
