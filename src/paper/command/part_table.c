/* part_table.c - arranges the cells of a part in tables, by group of sections and by metric. */
#include "reproduce.h"

#include "terminal/print.h"
#include "terminal/terminal.h"

#include <math.h>
#include <string.h>

enum { COLUMNS_MAX = 64, SECTIONS_MAX = 256, CELL_SIZE = 64 };

/* A table; each column is identified by one of its cells, a group by one of its sections. */
typedef struct Table {
    const tacos_reproduction *cells;
    const char *group;
    size_t n_columns;
    const tacos_cell *columns[COLUMNS_MAX];
    size_t n_sections;
    const char *sections[SECTIONS_MAX];
} Table;

static int same_column(const tacos_cell *a, const tacos_cell *b) {
    return strcmp(a->metric, b->metric) == 0 && a->after_task == b->after_task &&
           a->part == b->part;
}

/* The length of the group in a section's name, "class mnist" in "class mnist: tacos"; 0: none. */
static size_t group_length(const char *section) {
    const char *colon = strstr(section, ": ");
    return colon ? (size_t)(colon - section) : 0;
}

static int same_group(const char *a, const char *b) {
    size_t n = group_length(a);
    return group_length(b) == n && strncmp(a, b, n) == 0;
}

/* Is this metric given after more than one task? */
static int is_series(const tacos_reproduction *cells, const tacos_cell *cell) {
    const tacos_cell *other;
    for (size_t i = 0; (other = tacos_reproduction_cell(cells, i)); i++)
        if (strcmp(other->metric, cell->metric) == 0 && other->after_task != cell->after_task &&
            same_group(other->section, cell->section))
            return 1;
    return 0;
}

static void add_section(Table *table, const char *section) {
    for (size_t i = 0; i < table->n_sections; i++)
        if (strcmp(table->sections[i], section) == 0)
            return;
    if (table->n_sections < SECTIONS_MAX)
        table->sections[table->n_sections++] = section;
}

static void add_column(Table *table, const tacos_cell *cell) {
    for (size_t i = 0; i < table->n_columns; i++)
        if (same_column(table->columns[i], cell))
            return;
    if (table->n_columns < COLUMNS_MAX)
        table->columns[table->n_columns++] = cell;
}

/* `of` is a metric and part that form a series, or NULL for all that do not. */
static void make_table(Table *table, const tacos_reproduction *cells, const char *group,
                       const tacos_cell *of) {
    const tacos_cell *cell;
    *table = (Table){.cells = cells, .group = group};
    for (size_t i = 0; (cell = tacos_reproduction_cell(cells, i)); i++) {
        int wanted = of ? strcmp(cell->metric, of->metric) == 0 && cell->part == of->part
                        : !is_series(cells, cell);
        if (!wanted || !same_group(cell->section, group))
            continue;
        add_section(table, cell->section);
        add_column(table, cell);
    }
}

static const tacos_cell *find(const Table *table, const char *section, const tacos_cell *column) {
    const tacos_cell *cell;
    for (size_t i = 0; (cell = tacos_reproduction_cell(table->cells, i)); i++)
        if (strcmp(cell->section, section) == 0 && same_column(cell, column))
            return cell;
    return NULL;
}

static char mark_of(const tacos_cell *cell) {
    static const struct {
        const char *verdict;
        char mark;
    } marks[] = {{"match", '='}, {"above", '+'}, {"below", '-'}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (strcmp(cell->verdict, marks[i].verdict) == 0)
            return marks[i].mark;
    return ' ';
}

/* Similarities and weight changes are small numbers. */
static int digits_of(const tacos_cell *cell) {
    return strcmp(cell->metric, "similarity") == 0 || strncmp(cell->metric, "change", 6) == 0 ? 4
                                                                                              : 2;
}

/* "82.95 +- 1.22 (82.56) =" */
static void write_cell(char text[CELL_SIZE], const tacos_cell *cell) {
    int digits = cell ? digits_of(cell) : 0;
    size_t used = 0;
    text[0] = '\0';
    if (!cell || cell->here.n == 0) {
        strcpy(text, "-");
        return;
    }
    used = (size_t)snprintf(text, CELL_SIZE, "%.*f", digits, cell->here.mean);
    if (cell->here.n > 1)
        used += (size_t)snprintf(text + used, CELL_SIZE - used, " +- %.*f", digits, cell->here.sd);
    if (!isnan(cell->paper))
        (void)snprintf(text + used, CELL_SIZE - used, " (%.*f) %c", digits, cell->paper,
                       mark_of(cell));
}

static void write_head(char text[CELL_SIZE], const tacos_cell *column, int series) {
    if (series)
        (void)snprintf(text, CELL_SIZE, "after task %zu", column->after_task);
    else if (strcmp(column->metric, "similarity") == 0)
        (void)snprintf(text, CELL_SIZE, "%s, class %zu", column->metric, column->part);
    else
        (void)snprintf(text, CELL_SIZE, "%s", column->metric);
}

/* The last character of a number is its mark. */
static void write_marked(FILE *out, const char *text, int width) {
    static const char marks[] = "=+-";
    size_t n = strlen(text);
    const char *mark = n > 1 && text[n - 2] == ' ' ? strchr(marks, text[n - 1]) : NULL;
    if (!mark) {
        print_to(out, " %*s ", width, text);
        return;
    }
    print_to(out, " %*.*s", width - 1, (int)n - 1, text);
    style_print(out, *mark == '=' ? STYLE_GOOD : STYLE_OTHER, "%c", *mark);
    fputc(' ', out);
}

/* ---- tables ---- */

typedef char Texts[COLUMNS_MAX + 1][CELL_SIZE];

/* Row 0 is the head, with the name of the group; the others are sections, without it. */
static void fill_row(const Table *table, size_t row, int series, Texts texts) {
    const char *section = row > 0 ? table->sections[row - 1] : table->group;
    size_t n = group_length(section);
    if (row == 0)
        (void)snprintf(texts[0], CELL_SIZE, "%.*s", (int)n, section);
    else
        (void)snprintf(texts[0], CELL_SIZE, "%s", n > 0 ? section + n + strlen(": ") : section);
    for (size_t c = 0; c < table->n_columns; c++)
        if (row == 0)
            write_head(texts[c + 1], table->columns[c], series);
        else
            write_cell(texts[c + 1], find(table, section, table->columns[c]));
}

static void print_markdown(FILE *out, const Table *table, int series) {
    Texts texts;
    for (size_t row = 0; row <= table->n_sections; row++) {
        fill_row(table, row, series, texts);
        fputc('|', out);
        for (size_t c = 0; c <= table->n_columns; c++)
            print_to(out, " %s |", texts[c]);
        fputc('\n', out);
        for (size_t c = 0; row == 0 && c <= table->n_columns; c++)
            print_to(out, "%s --- |", c == 0 ? "|" : "");
        if (row == 0)
            fputc('\n', out);
    }
    fputc('\n', out);
}

static void measure(const Table *table, int series, int widths[COLUMNS_MAX + 1]) {
    Texts texts;
    for (size_t row = 0; row <= table->n_sections; row++) {
        fill_row(table, row, series, texts);
        for (size_t c = 0; c <= table->n_columns; c++)
            if ((int)strlen(texts[c]) > widths[c])
                widths[c] = (int)strlen(texts[c]);
    }
}

/* The end of the columns from `from` on that fit beside the sections; without a terminal, all
 * fit. */
static size_t block_end(FILE *out, const int *widths, size_t n_columns, size_t from) {
    int used = 3 + widths[0];
    size_t to = from;
    if (!terminal_is(out))
        return n_columns + 1;
    for (; to <= n_columns; to++) {
        used += 2 + widths[to];
        if (used > terminal_width(out) && to > from)
            break;
    }
    return to;
}

static void print_columns(FILE *out, const Table *table, int series, const int *widths, size_t from,
                          size_t to) {
    Texts texts;
    for (size_t row = 0; row <= table->n_sections; row++) {
        Style style = row == 0 ? STYLE_HEADING : STYLE_PLAIN;
        fill_row(table, row, series, texts);
        style_begin(out, style);
        print_to(out, "  %-*s ", widths[0], texts[0]);
        for (size_t c = from; c < to; c++)
            write_marked(out, texts[c], widths[c]);
        style_end(out, style);
        fputc('\n', out);
    }
    fputc('\n', out);
}

static void print_table(FILE *out, const Table *table, int series, int markdown) {
    int widths[COLUMNS_MAX + 1] = {0};
    if (markdown) {
        print_markdown(out, table, series);
        return;
    }
    measure(table, series, widths);
    for (size_t from = 1, to; from <= table->n_columns; from = to) {
        to = block_end(out, widths, table->n_columns, from);
        print_columns(out, table, series, widths, from, to);
    }
}

static int seen_before(const tacos_reproduction *cells, size_t i) {
    const tacos_cell *cell = tacos_reproduction_cell(cells, i);
    for (size_t k = 0; k < i; k++) {
        const tacos_cell *other = tacos_reproduction_cell(cells, k);
        if (strcmp(other->metric, cell->metric) == 0 && other->part == cell->part &&
            same_group(other->section, cell->section))
            return 1;
    }
    return 0;
}

static void print_group(FILE *out, const tacos_reproduction *cells, const char *group,
                        int markdown) {
    const tacos_cell *cell;
    Table table;
    make_table(&table, cells, group, NULL);
    if (table.n_columns > 0)
        print_table(out, &table, 0, markdown);
    for (size_t i = 0; (cell = tacos_reproduction_cell(cells, i)); i++) {
        if (!same_group(cell->section, group) || !is_series(cells, cell) || seen_before(cells, i))
            continue;
        make_table(&table, cells, group, cell);
        style_print(out, STYLE_HEADING, markdown ? "**%s**" : "%s", cell->metric);
        if (strncmp(cell->metric, "change", 6) == 0)
            fprintf(out, ", layer %zu", cell->part);
        fputc('\n', out);
        if (markdown)
            fputc('\n', out);
        print_table(out, &table, 1, markdown);
    }
}

static int is_new_group(const tacos_reproduction *cells, size_t i) {
    const char *section = tacos_reproduction_cell(cells, i)->section;
    for (size_t k = 0; k < i; k++)
        if (same_group(tacos_reproduction_cell(cells, k)->section, section))
            return 0;
    return 1;
}

void reproduce_print(FILE *out, const tacos_reproduction *reproduction, int markdown) {
    const tacos_cell *cell;
    for (size_t i = 0; (cell = tacos_reproduction_cell(reproduction, i)); i++)
        if (is_new_group(reproduction, i))
            print_group(out, reproduction, cell->section, markdown);
}

static void write_number(FILE *out, double value) {
    if (!isnan(value))
        fprintf(out, "%.10g", value);
}

void reproduce_csv(FILE *out, const tacos_reproduction *reproduction) {
    const tacos_cell *cell;
    fputs("section,metric,after_task,part,runs,mean,sd,paper,paper_sd,verdict\n", out);
    for (size_t i = 0; (cell = tacos_reproduction_cell(reproduction, i)); i++) {
        print_to(out, "%s,%s,%zu,%zu,%zu,", cell->section, cell->metric, cell->after_task,
                 cell->part, cell->here.n);
        if (cell->here.n > 0)
            fprintf(out, "%.10g,%.10g,", cell->here.mean, cell->here.sd);
        else
            fputs(",,", out);
        write_number(out, cell->paper);
        fputc(',', out);
        write_number(out, cell->paper_sd);
        print_to(out, ",%s\n", cell->verdict);
    }
}

void reproduce_accuracy_csv(FILE *out, const tacos_reproduction *reproduction) {
    const tacos_run *run;
    const char *section;
    fputs("section,seed,after_task,task,accuracy\n", out);
    for (size_t i = 0; (run = tacos_reproduction_run(reproduction, i, &section)); i++)
        for (size_t k = 0; k <= run->n_tasks; k++)
            for (size_t t = 0; t < run->n_tasks; t++)
                print_to(out, "%s,%u,%zu,%zu,%.10g\n", section, run->seed, k, t + 1,
                         k == 0 ? run->b[t] : run->R[(k - 1) * run->n_tasks + t]);
}
