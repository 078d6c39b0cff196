/* parts.h - what a folder of `tacos reproduce` says: each part's numbers beside the paper's. */
#ifndef PAPER_REPORT_PARTS_H
#define PAPER_REPORT_PARTS_H

#include "report/charts/text.h"
#include "tacos_lab.h"

enum { PARTS_MAX = 32, SECTIONS_MAX = 256 };

/* One number, here and in the paper. */
typedef struct PartCell {
    char section[64], metric[32], verdict[8];
    size_t after_task, part, n_runs;
    double mean, sd, paper, paper_sd; /* NaN: none */
} PartCell;

/* The accuracy of one run on one task at one moment (0: before learning). */
typedef struct PartAccuracy {
    char section[64];
    size_t seed, after_task, task;
    double accuracy;
} PartAccuracy;

typedef struct PartTable {
    char name[32], about[256];
    size_t n;
    PartCell *cells;
} PartTable;

typedef struct FunctionPoint {
    double m, w, plasticity;
} FunctionPoint;

typedef struct Parts {
    const char *folder; /* as it was given */
    bool quick;         /* made with --quick: a first impression, no results */
    size_t n;
    PartTable tables[PARTS_MAX];
    size_t n_function;
    FunctionPoint *function; /* figure 2 */
} Parts;

/* Is there any table of a part in the folder? */
bool parts_are_in(const char *folder);

tacos_status parts_open(Parts *out, const char *folder, tacos_error *err);
void parts_free(Parts *parts);

/* A part's table; TACOS_MISSING if the folder has none. */
tacos_status parts_table(const Parts *parts, const char *name, const PartTable **out,
                         tacos_error *err);

/* A cell of a table, or NULL. */
const PartCell *part_cell(const PartTable *table, const char *section, const char *metric,
                          size_t after_task, size_t part);
tacos_summary part_summary(const PartCell *cell); /* of NULL: none */

/* The table's sections in order. */
size_t part_sections(const PartTable *table, const char *sections[SECTIONS_MAX]);

/* FOLDER/NAME-accuracy.csv; free() the rows. */
tacos_status parts_accuracy(const Parts *parts, const char *name, PartAccuracy **out, size_t *n,
                            tacos_error *err);

#endif
