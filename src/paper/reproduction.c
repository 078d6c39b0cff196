/* reproduction.c - the numbers of a part of the paper, from the runs in a store, and a verdict on
 * each. */
#include "paper/paper.h"

#include "base/array.h"
#include "lab/results.h"
#include "plan/plan.h"
#include "store/store.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A configuration of the plan and its runs. */
typedef struct Row {
    Experiment experiment; /* its name is the section's */
    size_t n_runs;
    tacos_run *runs; /* [n_runs] */
} Row;

typedef struct tacos_reproduction {
    char part[32];
    size_t n_seeds; /* of the plan */
    size_t n_rows;
    Row *rows;
    size_t n_cells, cells_room;
    tacos_cell *cells;
} Reproduction;

/* ---- cells ---- */

static const char *judge(const tacos_cell *cell, double tolerance) {
    double allowed = tolerance, distance = cell->here.mean - cell->paper;
    if (isnan(cell->paper) || cell->here.n == 0)
        return "";
    if (2 * cell->here.sd > allowed)
        allowed = 2 * cell->here.sd;
    if (2 * cell->paper_sd > allowed) /* false for NaN */
        allowed = 2 * cell->paper_sd;
    return fabs(distance) <= allowed ? "match" : distance > 0 ? "above" : "below";
}

static tacos_status fill_cell(tacos_cell *cell, const Row *row, const RunMetric *metric,
                              tacos_error *err) {
    double *values = calloc(row->n_runs + 1, sizeof *values);
    size_t n = 0;
    if (!values)
        return failure(err, TACOS_MEMORY, "no memory for a table");
    for (size_t i = 0; i < row->n_runs; i++) {
        const tacos_run *run = &row->runs[i];
        size_t after = cell->after_task ? cell->after_task : run->n_tasks;
        if (after > run->n_tasks)
            continue;
        Asked asked = {&row->experiment, run, after, cell->part, cell->metric};
        double value = metric->get(&asked);
        if (!isnan(value))
            values[n++] = value;
    }
    if (n > 0)
        cell->here = metrics_summary(values, n);
    free(values);
    cell->verdict = judge(cell, metric->tolerance);
    return TACOS_OK;
}

static const Row *find_row(const Reproduction *reproduction, const char *section) {
    for (size_t i = 0; i < reproduction->n_rows; i++)
        if (strcmp(reproduction->rows[i].experiment.name, section) == 0)
            return &reproduction->rows[i];
    return NULL;
}

static tacos_status add_cell(Reproduction *reproduction, const Plan *plan, const PaperCell *from,
                             tacos_error *err) {
    const Row *row = find_row(reproduction, from->section);
    const RunMetric *metric = run_metric(from->metric);
    if (!row && plan->partial)
        return TACOS_OK;
    if (!row || !metric)
        return failure(err, TACOS_INVALID, "no section '%s' or no metric '%s' of the paper's table",
                       from->section, from->metric);
    if (!array_grow(&reproduction->cells, &reproduction->cells_room, reproduction->n_cells + 1,
                    sizeof *reproduction->cells))
        return failure(err, TACOS_MEMORY, "no memory for a table");
    tacos_cell *cell = &reproduction->cells[reproduction->n_cells++];
    *cell = (tacos_cell){
        .section = row->experiment.name,
        .metric = metric->name,
        .after_task = from->after_task,
        .part = from->part,
        .paper = from->value,
        .paper_sd = from->sd,
        .verdict = "",
    };
    return fill_cell(cell, row, metric, err);
}

static tacos_status add_cells(Reproduction *reproduction, const char *part, const Plan *plan,
                              tacos_error *err) {
    PaperPart found;
    PaperCell cell;
    if (!paper_part_find(part, &found))
        return failure(err, TACOS_UNKNOWN, "the paper has no part '%.60s'", part);
    strcpy(reproduction->part, found.name);
    reproduction->n_seeds = plan->n_seeds;
    for (const char *line = found.lines; paper_next(&line, &cell);)
        TRY(add_cell(reproduction, plan, &cell, err));
    return TACOS_OK;
}

/* ---- runs ---- */

static tacos_status read_row(Row *row, const Plan *plan, Store *store, tacos_error *err) {
    row->runs = calloc(plan->n_seeds, sizeof *row->runs);
    if (!row->runs)
        return failure(err, TACOS_MEMORY, "no memory for %zu runs", plan->n_seeds);
    for (size_t k = 0; k < plan->n_seeds; k++) {
        int64_t id = 0;
        TRY(store_find(store, &row->experiment, plan->seeds[k], &id, err));
        if (id == 0)
            continue;
        TRY(store_read(store, id, &row->runs[row->n_runs], err));
        row->n_runs++;
    }
    return TACOS_OK;
}

static tacos_status read_rows(Reproduction *reproduction, const Plan *plan, const char *path,
                              tacos_error *err) {
    Store *store;
    reproduction->rows = calloc(plan->n_configs, sizeof *reproduction->rows);
    if (!reproduction->rows)
        return failure(err, TACOS_MEMORY, "no memory for %zu configurations", plan->n_configs);
    TRY(store_open_to_read(&store, path, err));
    tacos_status status = TACOS_OK;
    for (size_t i = 0; i < plan->n_configs && status == TACOS_OK; i++) {
        Row *row = &reproduction->rows[reproduction->n_rows++];
        status = plan_config(plan, i, &row->experiment, err);
        if (status == TACOS_OK)
            status = read_row(row, plan, store, err);
    }
    store_close(store);
    return status;
}

tacos_status tacos_reproduction_open(Reproduction **out, const char *part, const Plan *plan,
                                     const char *store, tacos_error *err) {
    *out = NULL;
    Reproduction *reproduction = calloc(1, sizeof *reproduction);
    if (!reproduction)
        return failure(err, TACOS_MEMORY, "no memory for a table");
    tacos_status status = read_rows(reproduction, plan, store, err);
    if (status == TACOS_OK)
        status = add_cells(reproduction, part, plan, err);
    if (status == TACOS_OK)
        *out = reproduction;
    else
        tacos_reproduction_free(reproduction);
    return status;
}

void tacos_reproduction_free(Reproduction *reproduction) {
    if (!reproduction)
        return;
    for (size_t i = 0; i < reproduction->n_rows; i++) {
        Row *row = &reproduction->rows[i];
        for (size_t k = 0; k < row->n_runs; k++)
            run_free(&row->runs[k]);
        free(row->runs);
    }
    free(reproduction->rows);
    free(reproduction->cells);
    free(reproduction);
}

const char *reproduction_part(const Reproduction *reproduction) {
    return reproduction->part;
}

size_t reproduction_planned(const Reproduction *reproduction) {
    return reproduction->n_seeds;
}

const tacos_cell *tacos_reproduction_cell(const Reproduction *reproduction, size_t i) {
    return i < reproduction->n_cells ? &reproduction->cells[i] : NULL;
}

const tacos_run *tacos_reproduction_run(const Reproduction *reproduction, size_t i,
                                        const char **section) {
    for (size_t r = 0; r < reproduction->n_rows; r++) {
        const Row *row = &reproduction->rows[r];
        if (i < row->n_runs) {
            *section = row->experiment.name;
            return &row->runs[i];
        }
        i -= row->n_runs;
    }
    return NULL;
}
