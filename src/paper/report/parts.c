/* parts.c - CSV files, one a part. */
#include "paper/report/parts.h"

#include "base/output.h"
#include "report/input/csv_in.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char FUNCTION[] = "function";
enum { COUNT_MAX = 1000000, MOMENTS_MAX = 255 };

static tacos_status path_in(char out[OUTPUT_PATH_MAX], const char *folder, const char *name,
                            const char *ending, tacos_error *err) {
    int n = snprintf(out, OUTPUT_PATH_MAX, "%s/%s%s", folder, name, ending);
    if (n < 0 || n >= OUTPUT_PATH_MAX)
        return failure(err, TACOS_INVALID, "the path %.100s... is too long", folder);
    return TACOS_OK;
}

static bool is_there(const char *folder, const char *name) {
    char path[OUTPUT_PATH_MAX];
    return path_in(path, folder, name, ".csv", NULL) == TACOS_OK && access(path, F_OK) == 0;
}

bool parts_are_in(const char *folder) {
    tacos_paper_part part;
    for (size_t i = 0; tacos_paper_part_get(i, &part); i++)
        if (is_there(folder, part.name))
            return true;
    return is_there(folder, FUNCTION);
}

/* Room for one more of n, by doubling; the old block on failure. */
static void *one_more(void *rows, size_t n, size_t size) {
    bool full = (n & (n - 1)) == 0; /* n is 0 or a power of two */
    return full ? realloc(rows, (n > 0 ? 2 * n : 1) * size) : rows;
}

/* ---- tables ---- */

static tacos_status read_cell(const CsvFile *file, const char *const *cells, PartCell *out,
                              tacos_error *err) {
    TRY(csv_in_text(file, cells[0], out->section, sizeof out->section, err));
    TRY(csv_in_text(file, cells[1], out->metric, sizeof out->metric, err));
    TRY(csv_in_whole(file, cells[2], COUNT_MAX, &out->after_task, err));
    TRY(csv_in_whole(file, cells[3], COUNT_MAX, &out->part, err));
    TRY(csv_in_whole(file, cells[4], COUNT_MAX, &out->n_runs, err));
    TRY(csv_in_real(file, cells[5], true, &out->mean, err));
    TRY(csv_in_real(file, cells[6], true, &out->sd, err));
    TRY(csv_in_real(file, cells[7], true, &out->paper, err));
    TRY(csv_in_real(file, cells[8], true, &out->paper_sd, err));
    return csv_in_text(file, cells[9], out->verdict, sizeof out->verdict, err);
}

static tacos_status read_rows(PartTable *table, CsvFile *file, tacos_error *err) {
    const char *cells[CSV_COLUMNS_MAX];
    bool more = true;
    for (;;) {
        TRY(csv_in_next(file, cells, &more, err));
        if (!more)
            return TACOS_OK;
        PartCell *room = one_more(table->cells, table->n, sizeof *room);
        if (!room)
            return failure(err, TACOS_MEMORY, "no memory to read %s", file->path);
        table->cells = room;
        TRY(read_cell(file, cells, &room[table->n], err));
        table->n++;
    }
}

static tacos_status read_table(Parts *parts, const tacos_paper_part *part, tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    CsvFile file;
    PartTable *table = &parts->tables[parts->n];
    TRY(path_in(path, parts->folder, part->name, ".csv", err));
    TRY(csv_in_open(&file, path,
                    "section,metric,after_task,part,runs,mean,sd,paper,paper_sd,verdict", err));
    *table = (PartTable){0};
    (void)snprintf(table->name, sizeof table->name, "%s", part->name);
    (void)snprintf(table->about, sizeof table->about, "%s", part->about);
    parts->n++;
    tacos_status status = read_rows(table, &file, err);
    csv_in_close(&file);
    if (status == TACOS_OK && table->n == 0)
        status = failure(err, TACOS_FORMAT, "%s has no rows", path);
    return status;
}

/* The table in words says so in its first line. */
static bool is_quick(const char *folder, const char *part) {
    char path[OUTPUT_PATH_MAX], line[512] = "";
    FILE *file = path_in(path, folder, part, ".md", NULL) == TACOS_OK ? fopen(path, "re") : NULL;
    if (!file)
        return false;
    const char *found = fgets(line, sizeof line, file);
    (void)fclose(file);
    return found && strstr(line, "(QUICK:");
}

/* ---- the function ---- */

static tacos_status read_points(Parts *parts, CsvFile *file, tacos_error *err) {
    const char *cells[CSV_COLUMNS_MAX];
    bool more = true;
    for (;;) {
        TRY(csv_in_next(file, cells, &more, err));
        if (!more)
            return TACOS_OK;
        FunctionPoint *room = one_more(parts->function, parts->n_function, sizeof *room);
        if (!room)
            return failure(err, TACOS_MEMORY, "no memory to read %s", file->path);
        parts->function = room;
        FunctionPoint *point = &room[parts->n_function];
        TRY(csv_in_real(file, cells[0], false, &point->m, err));
        TRY(csv_in_real(file, cells[1], false, &point->w, err));
        TRY(csv_in_real(file, cells[2], false, &point->plasticity, err));
        parts->n_function++;
    }
}

static tacos_status read_function(Parts *parts, tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    CsvFile file;
    TRY(path_in(path, parts->folder, FUNCTION, ".csv", err));
    TRY(csv_in_open(&file, path, "m,w,plasticity", err));
    tacos_status status = read_points(parts, &file, err);
    csv_in_close(&file);
    return status;
}

/* ---- all ---- */

static tacos_status read_all(Parts *parts, tacos_error *err) {
    tacos_paper_part part;
    for (size_t i = 0; tacos_paper_part_get(i, &part) && parts->n < PARTS_MAX; i++) {
        if (!is_there(parts->folder, part.name))
            continue;
        TRY(read_table(parts, &part, err));
        parts->quick |= is_quick(parts->folder, part.name);
    }
    return is_there(parts->folder, FUNCTION) ? read_function(parts, err) : TACOS_OK;
}

tacos_status parts_open(Parts *out, const char *folder, tacos_error *err) {
    *out = (Parts){.folder = folder};
    tacos_status status = read_all(out, err);
    if (status != TACOS_OK)
        parts_free(out);
    return status;
}

void parts_free(Parts *parts) {
    for (size_t i = 0; i < parts->n; i++)
        free(parts->tables[i].cells);
    free(parts->function);
    *parts = (Parts){0};
}

tacos_status parts_table(const Parts *parts, const char *name, const PartTable **out,
                         tacos_error *err) {
    for (size_t i = 0; i < parts->n; i++)
        if (strcmp(parts->tables[i].name, name) == 0) {
            *out = &parts->tables[i];
            return TACOS_OK;
        }
    *out = NULL;
    return failure(err, TACOS_MISSING, "%s has no %s.csv; `tacos reproduce %s --out %s` makes it",
                   parts->folder, name, name, parts->folder);
}

const PartCell *part_cell(const PartTable *table, const char *section, const char *metric,
                          size_t after_task, size_t part) {
    for (size_t i = 0; i < table->n; i++) {
        const PartCell *cell = &table->cells[i];
        if (strcmp(cell->section, section) == 0 && strcmp(cell->metric, metric) == 0 &&
            cell->after_task == after_task && cell->part == part)
            return cell;
    }
    return NULL;
}

tacos_summary part_summary(const PartCell *cell) {
    if (!cell || cell->n_runs == 0 || isnan(cell->mean))
        return (tacos_summary){0, NAN, 0};
    return (tacos_summary){cell->n_runs, cell->mean, isnan(cell->sd) ? 0 : cell->sd};
}

size_t part_sections(const PartTable *table, const char *sections[SECTIONS_MAX]) {
    size_t n = 0;
    for (size_t i = 0; i < table->n && n < SECTIONS_MAX; i++) {
        size_t k = 0;
        while (k < n && strcmp(sections[k], table->cells[i].section) != 0)
            k++;
        if (k == n)
            sections[n++] = table->cells[i].section;
    }
    return n;
}

/* ---- accuracies ---- */

static tacos_status read_accuracies(CsvFile *file, PartAccuracy **rows, size_t *n,
                                    tacos_error *err) {
    const char *cells[CSV_COLUMNS_MAX];
    bool more = true;
    for (;;) {
        TRY(csv_in_next(file, cells, &more, err));
        if (!more)
            return TACOS_OK;
        PartAccuracy *room = one_more(*rows, *n, sizeof *room);
        if (!room)
            return failure(err, TACOS_MEMORY, "no memory to read %s", file->path);
        *rows = room;
        PartAccuracy *row = &room[*n];
        TRY(csv_in_text(file, cells[0], row->section, sizeof row->section, err));
        TRY(csv_in_whole(file, cells[1], UINT32_MAX, &row->seed, err));
        TRY(csv_in_whole(file, cells[2], MOMENTS_MAX, &row->after_task, err));
        TRY(csv_in_whole(file, cells[3], MOMENTS_MAX, &row->task, err));
        TRY(csv_in_real(file, cells[4], false, &row->accuracy, err));
        if (row->task == 0 || row->accuracy < 0 || row->accuracy > 100)
            return failure(err, TACOS_FORMAT, "%s: line %zu is no accuracy of a task", file->path,
                           file->line);
        (*n)++;
    }
}

tacos_status parts_accuracy(const Parts *parts, const char *name, PartAccuracy **out, size_t *n,
                            tacos_error *err) {
    char path[OUTPUT_PATH_MAX];
    CsvFile file;
    *out = NULL;
    *n = 0;
    TRY(path_in(path, parts->folder, name, "-accuracy.csv", err));
    if (access(path, F_OK) != 0)
        return failure(err, TACOS_MISSING,
                       "%s has no %s-accuracy.csv; `tacos reproduce %s --out %s` makes it",
                       parts->folder, name, name, parts->folder);
    TRY(csv_in_open(&file, path, "section,seed,after_task,task,accuracy", err));
    tacos_status status = read_accuracies(&file, out, n, err);
    csv_in_close(&file);
    if (status == TACOS_OK && *n == 0)
        status = failure(err, TACOS_FORMAT, "%s has no rows", path);
    if (status == TACOS_OK)
        return TACOS_OK;
    free(*out);
    *out = NULL;
    *n = 0;
    return status;
}
