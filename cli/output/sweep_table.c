/* sweep_table.c - the contents of a store for people: the best configurations, the effect of each
 * key, and the Pareto fronts. */
#include "commands/sweep.h"

#include "cli.h"
#include "output/json.h"
#include "output/failure.h"
#include "terminal/grid.h"
#include "terminal/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is printed without --all. */
enum { ROWS_USUAL = 10, FRONT_USUAL = 20, LEVELS_USUAL = 12, REASONS = 5 };

typedef struct Show {
    const tacos_survey *survey;
    const SweepShow *how;
    size_t n_rows, n_whole, n_keys;
    int experiments; /* there is more than one */
} Show;

static const tacos_survey_row *row_at(const Show *show, size_t i) {
    return tacos_survey_row_get(show->survey, i);
}

static size_t at_most(size_t n, size_t limit, const SweepShow *how) {
    return n > limit && !how->all ? limit : n;
}

/* The word that is needed where some were stopped. */
static const char *whole(const Show *show) {
    return show->n_whole < show->n_rows ? "whole " : "";
}

static void print_rest(size_t n, size_t shown) {
    if (n > shown)
        printf("  ... and %zu more; --all shows them\n", n - shown);
}

/* Does not end the line. */
static void print_title(const char *title) {
    putchar('\n');
    style_print(stdout, STYLE_HEADING, "%s", title);
}

/* ---- cells ---- */

static void put_mean(Grid *grid, const tacos_summary *summary) {
    if (summary->n > 0)
        grid_cell(grid, "%.2f", summary->mean);
    else
        grid_cell(grid, "-"); /* not defined: one task has no transfer */
}

static void put_text(Grid *grid, const char *text) {
    grid_cell(grid, "%s", *text ? text : "-");
}

static int row_is_silent(const Show *show, size_t i) {
    return is_silent(tacos_survey_silent(show->survey, i));
}

static int row_is_chance(const Show *show, size_t i) {
    return tacos_is_chance(row_at(show, i)->MA.mean, tacos_survey_chance(show->survey, i));
}

static int row_competes(const Show *show, size_t i) {
    return !row_is_silent(show, i) && !row_is_chance(show, i);
}

/* The columns that identify a configuration. */
static void put_name_heads(Grid *grid, const Show *show) {
    int counts;
    grid_head(grid, "rank", 0);
    if (show->experiments)
        grid_head(grid, "experiment", 1);
    for (size_t k = 0; k < show->n_keys; k++) {
        const char *key = tacos_survey_key(show->survey, k);
        grid_head(grid, key, !key_is_number(key, &counts));
    }
}

static void put_name(Grid *grid, const Show *show, size_t i) {
    grid_cell(grid, "%zu", i + 1);
    if (show->experiments)
        put_text(grid, row_at(show, i)->experiment);
    for (size_t k = 0; k < show->n_keys; k++)
        put_text(grid, tacos_survey_value(show->survey, i, k));
}

/* ---- head ---- */

static size_t count_failures(const Show *show) {
    size_t n = 0;
    while (tacos_survey_failure(show->survey, n))
        n++;
    return n;
}

static void print_counts(const Show *show) {
    size_t n_runs = 0, n_planned = tacos_survey_planned(show->survey);
    size_t n_failed = count_failures(show);
    double seconds = 0;
    for (size_t i = 0; i < show->n_rows; i++) {
        const tacos_survey_row *row = row_at(show, i);
        n_runs += row->n_runs;
        seconds += row->seconds * (double)row->n_runs;
    }
    print("%s: %zu configuration%s", show->how->store, show->n_rows, show->n_rows == 1 ? "" : "s");
    if (show->n_whole < show->n_rows)
        printf(", %zu of them stopped early", show->n_rows - show->n_whole);
    print("; %zu run%s complete", n_runs, n_runs == 1 ? "" : "s");
    if (n_failed > 0)
        printf(", %zu failed", n_failed);
    if (n_planned > 0)
        printf(", %zu planned", n_planned);
    printf("; %.3g s per run\n", seconds / (double)n_runs);
}

static void print_keys(const Show *show) {
    if (show->n_keys == 0)
        return;
    fputs("keys that vary: ", stdout);
    for (size_t k = 0; k < show->n_keys; k++)
        print("%s%s", k > 0 ? ", " : "", tacos_survey_key(show->survey, k));
    putchar('\n');
}

/* ---- best configurations ---- */

/* Is it ahead of all that come after it and compete by more than the deviations? */
static int is_clear(const Show *show, size_t first) {
    for (size_t i = first + 1; i < show->n_whole; i++)
        if (row_competes(show, i) &&
            !tacos_summary_above(&row_at(show, first)->MA, &row_at(show, i)->MA))
            return 0;
    return first < show->n_whole;
}

static int print_best(const Show *show) {
    static const char *const heads[] = {"runs", "MA", "A", "BWT", "forgetting", "MO", "kops"};
    size_t limit = show->how->top > 0 ? show->how->top : ROWS_USUAL;
    size_t n = at_most(show->n_rows, limit, show->how);
    int stopped = n > show->n_whole;
    size_t n_silent = 0, n_chance = 0;
    Grid grid = {0};
    print_title("best configurations");
    puts(" (kops: thousands of operations per training sample)");
    put_name_heads(&grid, show);
    if (stopped)
        grid_head(&grid, "stopped", 1);
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
        grid_head(&grid, heads[h], 0);
    for (size_t i = 0; i < n; i++) {
        const tacos_survey_row *row = row_at(show, i);
        put_name(&grid, show, i);
        if (stopped && row->stopped)
            grid_cell(&grid, "task %zu", row->n_tasks);
        else if (stopped)
            grid_cell(&grid, "%s", "");
        int silent = row_is_silent(show, i), chance = row_is_chance(show, i);
        int best = !silent && !chance && n_silent + n_chance == i;
        n_silent += silent != 0;
        n_chance += !silent && chance;
        grid_cell(&grid, "%zu%s", row->n_runs, failure_mark(silent, chance));
        grid_summary(&grid, &row->MA);
        if (best && is_clear(show, i))
            grid_style(&grid, STYLE_GOOD);
        put_mean(&grid, &row->A);
        put_mean(&grid, &row->BWT);
        put_mean(&grid, &row->forgetting);
        grid_cell(&grid, "%.2f", row->memory_overhead);
        grid_cell(&grid, "%.1f", row->operations / 1e3);
    }
    if (grid_end(&grid) != 0)
        return -1;
    print_rest(show->n_rows, n);
    failure_footnotes(n_silent, n_chance);
    return 0;
}

/* ---- effects ---- */

static void put_level(Grid *grid, const tacos_survey_level *level) {
    put_text(grid, level->label);
    grid_cell(grid, "%zu", level->n_configs);
    grid_summary(grid, &level->MA);
    put_mean(grid, &level->A);
    put_mean(grid, &level->BWT);
}

static void put_effect(Grid *grid, const Show *show, size_t k) {
    tacos_survey_level level;
    size_t n = 0, l = 0;
    while (tacos_survey_level_get(show->survey, k, n, &level))
        n++;
    for (; l < at_most(n, LEVELS_USUAL, show->how); l++) {
        (void)tacos_survey_level_get(show->survey, k, l, &level);
        grid_cell(grid, "%s", l == 0 ? tacos_survey_key(show->survey, k) : "");
        if (l == 0)
            grid_cell(grid, "%.1f%%", 100 * tacos_survey_share(show->survey, k));
        else
            grid_cell(grid, "%s", "");
        put_level(grid, &level);
    }
    if (l == n)
        return;
    for (size_t c = 0; c < grid->n_columns; c++) {
        if (c == 2)
            grid_cell(grid, "... %zu more", n - l);
        else
            grid_cell(grid, "%s", "");
    }
}

static int print_effects(const Show *show) {
    Grid grid = {0};
    size_t n, *order = sweep_keys_by_share(show->survey, &n);
    if (!order)
        return -1;
    print_title("effect of each key");
    print(": its share of the variance of MA over %zu %sconfigurations\n", show->n_whole,
          whole(show));
    grid_head(&grid, "key", 1);
    grid_head(&grid, "share", 0);
    grid_head(&grid, "level", 1);
    grid_head(&grid, "n", 0);
    grid_head(&grid, "MA", 0);
    grid_head(&grid, "A", 0);
    grid_head(&grid, "BWT", 0);
    for (size_t k = 0; k < n; k++)
        put_effect(&grid, show, order[k]);
    free(order);
    return grid_end(&grid);
}

/* ---- fronts ---- */

typedef enum FrontKind { FRONT_TRANSFER, FRONT_MEMORY, FRONT_OPERATIONS } FrontKind;

typedef struct FrontMember {
    size_t i; /* the row */
    double A;
} FrontMember;

static int is_on(const tacos_survey_row *row, FrontKind kind) {
    return kind == FRONT_TRANSFER ? row->transfer_front
           : kind == FRONT_MEMORY ? row->memory_front
                                  : row->operations_front;
}

static int most_plastic_first(const void *a, const void *b) {
    const FrontMember *x = a, *y = b;
    if (x->A != y->A)
        return x->A > y->A ? -1 : 1;
    return (x->i > y->i) - (x->i < y->i);
}

/* Rows come by MA, so that the other two fronts are sorted already. */
static size_t find_members(const Show *show, FrontKind kind, FrontMember *members) {
    size_t n = 0;
    for (size_t i = 0; i < show->n_whole; i++)
        if (is_on(row_at(show, i), kind))
            members[n++] = (FrontMember){i, row_at(show, i)->A.mean};
    if (kind == FRONT_TRANSFER && n > 0)
        qsort(members, n, sizeof *members, most_plastic_first);
    return n;
}

static void put_front_heads(Grid *grid, const Show *show, FrontKind kind) {
    static const char *const heads[][3] = {{"A", "BWT", "MA"}, {"MA", "MB", "MO"}, {"MA", "kops"}};
    put_name_heads(grid, show);
    for (size_t h = 0; h < 3 && heads[kind][h]; h++)
        grid_head(grid, heads[kind][h], 0);
}

static void put_member(Grid *grid, const tacos_survey_row *row, FrontKind kind) {
    if (kind == FRONT_TRANSFER) {
        grid_summary(grid, &row->A);
        grid_summary(grid, &row->BWT);
    }
    grid_summary(grid, &row->MA);
    if (kind == FRONT_MEMORY) {
        grid_cell(grid, "%.3f", row->model_bytes / 1e6);
        grid_cell(grid, "%.2f", row->memory_overhead);
    } else if (kind == FRONT_OPERATIONS) {
        grid_cell(grid, "%.1f", row->operations / 1e3);
    }
}

static int print_front(const Show *show, FrontKind kind) {
    FrontMember *members = malloc((show->n_whole + 1) * sizeof *members);
    Grid grid = {0};
    if (!members)
        return -1;
    size_t n = find_members(show, kind, members), shown = at_most(n, FRONT_USUAL, show->how);
    put_front_heads(&grid, show, kind);
    for (size_t m = 0; m < shown; m++) {
        put_name(&grid, show, members[m].i);
        put_member(&grid, row_at(show, members[m].i), kind);
    }
    free(members);
    if (grid_end(&grid) != 0)
        return -1;
    print_rest(n, shown);
    return 0;
}

static int is_constant(const Show *show, FrontKind kind) {
    const tacos_survey_row *first = row_at(show, 0);
    for (size_t i = 1; i < show->n_whole; i++) {
        const tacos_survey_row *row = row_at(show, i);
        if (kind == FRONT_MEMORY ? row->model_bytes != first->model_bytes
                                 : row->operations != first->operations)
            return 0;
    }
    return 1;
}

/* The front, or the one value that all configurations share. */
static int print_cost_front(const Show *show, FrontKind kind) {
    int memory = kind == FRONT_MEMORY;
    print_title(memory ? "accuracy against memory" : "accuracy against operations");
    if (!is_constant(show, kind)) {
        print(": the front of MA against %s\n", memory ? "the bytes held" : "kops");
        return print_front(show, kind);
    }
    if (memory)
        print(": all %sconfigurations hold %.3f MB\n", whole(show),
              row_at(show, 0)->model_bytes / 1e6);
    else
        print(": all %sconfigurations take %.1f kops\n", whole(show),
              row_at(show, 0)->operations / 1e3);
    return 0;
}

static int print_fronts(const Show *show) {
    puts("\nA configuration is on a front if no other is as good in both and better in one.");
    print_title("stability and plasticity");
    puts(": the front of A (of the last task) against BWT");
    if (print_front(show, FRONT_TRANSFER) != 0 || print_cost_front(show, FRONT_MEMORY) != 0)
        return -1;
    return print_cost_front(show, FRONT_OPERATIONS);
}

/* ---- failures ---- */

static void print_failures(const Show *show) {
    struct {
        const char *why;
        size_t n;
    } reasons[REASONS];
    size_t n_reasons = 0, others = 0, n = count_failures(show);
    for (size_t i = 0; i < n; i++) {
        const char *why = tacos_survey_failure(show->survey, i);
        size_t r = 0;
        while (r < n_reasons && strcmp(reasons[r].why, why) != 0)
            r++;
        if (r == REASONS) {
            others++;
            continue;
        }
        if (r == n_reasons) {
            reasons[n_reasons].why = why;
            reasons[n_reasons++].n = 0;
        }
        reasons[r].n++;
    }
    if (n > 0) {
        putchar('\n');
        style_print(stdout, STYLE_ERROR, "%zu run%s failed", n, n == 1 ? "" : "s");
        putchar('\n');
    }
    for (size_t r = 0; r < n_reasons; r++)
        print("  %zu x  %s\n", reasons[r].n, reasons[r].why);
    if (others > 0)
        printf("  %zu x  other reasons\n", others);
}

/* ---- all ---- */

static Show look_at(const tacos_survey *survey, const SweepShow *how) {
    Show show = {.survey = survey, .how = how};
    const tacos_survey_row *row;
    while (tacos_survey_key(survey, show.n_keys))
        show.n_keys++;
    for (; (row = row_at(&show, show.n_rows)); show.n_rows++) {
        show.n_whole += !row->stopped;
        show.experiments |= strcmp(row->experiment, row_at(&show, 0)->experiment) != 0;
    }
    return show;
}

int sweep_show_table(const tacos_survey *survey, const SweepShow *how) {
    Show show = look_at(survey, how);
    if (show.n_rows == 0) {
        print("no run in %s is complete yet\n", how->store);
        print_failures(&show);
        return EXIT_OK;
    }
    print_counts(&show);
    print_keys(&show);
    int bad = print_best(&show);
    if (show.n_whole > 1) {
        bad = bad || (show.n_keys > 0 && print_effects(&show) != 0);
        bad = bad || print_fronts(&show);
    }
    print_failures(&show);
    return bad ? cli_no_memory("the tables") : EXIT_OK;
}
