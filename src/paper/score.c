/* score.c - the mean distance from the paper: selects the numbers that count, and averages. */
#include "paper/paper.h"

#include "base/array.h"
#include "plan/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct ScoreRow {
    char part[32];
    Experiment experiment; /* its name is the section's */
    size_t n_runs, n_planned;
} ScoreRow;

typedef struct ScoreCell {
    size_t row;
    char metric[32];
    size_t after_task;
    double off; /* |here - paper|; NaN: no run */
} ScoreCell;

typedef struct tacos_score {
    size_t n_rows, rows_room;
    ScoreRow *rows;
    size_t n_cells, cells_room;
    ScoreCell *cells; /* by row */
} Score;

/* ---- which numbers count ---- */

/* A number that several parts print counts in the first of these. */
static const char *const score_parts[] = {"transfer", "headline", "orders"};

/* The group that a metric's score belongs to, besides `all`. */
static const struct {
    const char *metric;
    size_t group; /* offset in tacos_score_row */
} score_metrics[] = {
    {"A", offsetof(tacos_score_row, accuracy)},
    {"MA", offsetof(tacos_score_row, accuracy)},
    {"BWT", offsetof(tacos_score_row, bwt)},
    {"FWT", offsetof(tacos_score_row, fwt)},
};
enum { N_METRICS = sizeof score_metrics / sizeof *score_metrics };

/* Its index in the table, or N_METRICS. */
static size_t metric_place(const char *metric) {
    size_t m = 0;
    while (m < N_METRICS && strcmp(score_metrics[m].metric, metric) != 0)
        m++;
    return m;
}

static bool is_scored(const Experiment *experiment) {
    return strcmp(experiment_dataset(experiment), "mnist") == 0 &&
           experiment->learner.hidden.n == 1;
}

/* Without another task to gain or lose on, transfer is 0 by definition. */
static bool is_by_definition(const PaperCell *cell, size_t n_tasks) {
    return (strcmp(cell->metric, "BWT") == 0 && cell->after_task == 1) ||
           (strcmp(cell->metric, "FWT") == 0 && cell->after_task == n_tasks);
}

/* After the first task, MA equals A. */
static const char *plain_metric(const char *metric, size_t after_task) {
    return after_task == 1 && strcmp(metric, "MA") == 0 ? "A" : metric;
}

static bool has_number(const Score *score, const Experiment *experiment, const PaperCell *cell) {
    const char *metric = plain_metric(cell->metric, cell->after_task);
    for (size_t i = 0; i < score->n_cells; i++) {
        const ScoreCell *other = &score->cells[i];
        if (other->after_task == cell->after_task &&
            strcmp(plain_metric(other->metric, other->after_task), metric) == 0 &&
            paper_same_config(&score->rows[other->row].experiment, experiment))
            return true;
    }
    return false;
}

/* ---- make ---- */

static tacos_status add_cell(Score *score, size_t row, const PaperCell *from, tacos_error *err) {
    if (!array_grow(&score->cells, &score->cells_room, score->n_cells + 1, sizeof *score->cells))
        return failure(err, TACOS_MEMORY, "no memory for a score");
    ScoreCell *cell = &score->cells[score->n_cells++];
    *cell = (ScoreCell){.row = row, .after_task = from->after_task, .off = NAN};
    strcpy(cell->metric, from->metric);
    return TACOS_OK;
}

/* Prepare the next row, which counts once it has a cell. */
static tacos_status next_row(Score *score, const PaperPart *part, const Experiment *experiment,
                             tacos_error *err) {
    if (!array_grow(&score->rows, &score->rows_room, score->n_rows + 1, sizeof *score->rows))
        return failure(err, TACOS_MEMORY, "no memory for a score");
    score->rows[score->n_rows] = (ScoreRow){.experiment = *experiment};
    strcpy(score->rows[score->n_rows].part, part->name);
    return TACOS_OK;
}

static tacos_status add_row(Score *score, const PaperPart *part, const Experiment *experiment,
                            tacos_error *err) {
    size_t n_before = score->n_cells;
    PaperCell cell;
    Tasks tasks;
    TRY(experiment_tasks(experiment, &tasks, err));
    TRY(next_row(score, part, experiment, err));
    for (const char *line = part->lines; paper_next(&line, &cell);)
        if (strcmp(cell.section, experiment->name) == 0 && !isnan(cell.value) &&
            metric_place(cell.metric) < N_METRICS && !is_by_definition(&cell, tasks.n) &&
            !has_number(score, experiment, &cell))
            TRY(add_cell(score, score->n_rows, &cell, err));
    score->n_rows += score->n_cells > n_before;
    return TACOS_OK;
}

static tacos_status add_part(Score *score, const PaperPart *part, tacos_error *err) {
    Plan *plan;
    TRY(tacos_plan_open(&plan, part->plan, err));
    tacos_status status = TACOS_OK;
    for (size_t i = 0; i < plan->n_configs && status == TACOS_OK; i++) {
        Experiment experiment;
        status = plan_config(plan, i, &experiment, err);
        if (status == TACOS_OK && is_scored(&experiment))
            status = add_row(score, part, &experiment, err);
    }
    tacos_plan_free(plan);
    return status;
}

static tacos_status add_parts(Score *score, tacos_error *err) {
    PaperPart part;
    for (size_t p = 0; p < sizeof score_parts / sizeof *score_parts; p++)
        if (paper_part_find(score_parts[p], &part))
            TRY(add_part(score, &part, err));
    return TACOS_OK;
}

tacos_status tacos_score_new(Score **out, tacos_error *err) {
    *out = NULL;
    Score *score = calloc(1, sizeof *score);
    if (!score)
        return failure(err, TACOS_MEMORY, "no memory for a score");
    tacos_status status = add_parts(score, err);
    if (status == TACOS_OK)
        *out = score;
    else
        tacos_score_free(score);
    return status;
}

void tacos_score_free(Score *score) {
    if (!score)
        return;
    free(score->rows);
    free(score->cells);
    free(score);
}

/* ---- fill ---- */

static size_t count_runs(const tacos_reproduction *reproduction, const char *section) {
    const char *of;
    size_t n = 0;
    for (size_t i = 0; tacos_reproduction_run(reproduction, i, &of); i++)
        n += strcmp(of, section) == 0;
    return n;
}

static const tacos_cell *find_cell(const tacos_reproduction *reproduction, const char *section,
                                   const ScoreCell *wanted) {
    const tacos_cell *cell;
    for (size_t i = 0; (cell = tacos_reproduction_cell(reproduction, i)); i++)
        if (strcmp(cell->section, section) == 0 && strcmp(cell->metric, wanted->metric) == 0 &&
            cell->after_task == wanted->after_task)
            return cell;
    return NULL;
}

tacos_status tacos_score_add(Score *score, const tacos_reproduction *reproduction,
                             tacos_error *err) {
    const char *part = reproduction_part(reproduction);
    bool counts = false;
    for (size_t r = 0; r < score->n_rows; r++) {
        ScoreRow *row = &score->rows[r];
        if (strcmp(row->part, part) != 0)
            continue;
        counts = true;
        row->n_runs = count_runs(reproduction, row->experiment.name);
        row->n_planned = reproduction_planned(reproduction);
    }
    if (!counts)
        return failure(err, TACOS_UNKNOWN, "the part %.60s has no number that counts", part);
    for (size_t i = 0; i < score->n_cells; i++) {
        ScoreCell *cell = &score->cells[i];
        const ScoreRow *row = &score->rows[cell->row];
        if (strcmp(row->part, part) != 0)
            continue;
        const tacos_cell *found = find_cell(reproduction, row->experiment.name, cell);
        bool there = found && found->here.n > 0;
        cell->off = there ? fabs(found->here.mean - found->paper) : NAN;
    }
    return TACOS_OK;
}

/* ---- read ---- */

/* `mean` holds the sum until all cells are counted. */
static void count_cell(tacos_difference *difference, const ScoreCell *cell) {
    difference->n_paper++;
    if (isnan(cell->off))
        return;
    difference->n_cells++;
    difference->mean += cell->off;
}

static void end_count(tacos_difference *difference) {
    difference->mean = difference->n_cells ? difference->mean / (double)difference->n_cells : NAN;
}

static bool is_wanted(const Score *score, size_t row, const char *part, size_t only) {
    return (only == score->n_rows || row == only) &&
           (!part || strcmp(score->rows[row].part, part) == 0);
}

/* Over the rows of a part, or all if NULL; `only` selects one row, n_rows all. */
static tacos_score_row sum_up(const Score *score, const char *part, size_t only) {
    tacos_score_row out = {.part = part ? part : "", .section = ""};
    for (size_t r = 0; r < score->n_rows; r++)
        if (is_wanted(score, r, part, only)) {
            out.n_runs += score->rows[r].n_runs;
            out.n_planned += score->rows[r].n_planned;
        }
    for (size_t i = 0; i < score->n_cells; i++) {
        const ScoreCell *cell = &score->cells[i];
        if (!is_wanted(score, cell->row, part, only))
            continue;
        size_t group = score_metrics[metric_place(cell->metric)].group;
        count_cell((tacos_difference *)((char *)&out + group), cell);
        count_cell(&out.all, cell);
    }
    end_count(&out.accuracy);
    end_count(&out.bwt);
    end_count(&out.fwt);
    end_count(&out.all);
    return out;
}

int tacos_score_row_get(const Score *score, size_t i, tacos_score_row *out) {
    if (i >= score->n_rows)
        return 0;
    *out = sum_up(score, NULL, i);
    out->part = score->rows[i].part;
    out->section = score->rows[i].experiment.name;
    return 1;
}

tacos_score_row tacos_score_total(const Score *score, const char *part) {
    return sum_up(score, part, score->n_rows);
}
