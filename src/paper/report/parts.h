/* parts.h - a folder of `tacos reproduce`: the numbers of each part, and the paper's.
 *
 * FOLDER/PART.json says how a part was made and where its store is; the numbers come from that
 * store. The numbers of one part also come from its table alone, PART.csv, wherever that is; there
 * are no runs then. */
#ifndef PAPER_REPORT_PARTS_H
#define PAPER_REPORT_PARTS_H

#include "report/charts/charts.h"
#include "tacos_lab.h"

enum { PARTS_MAX = 32, SECTIONS_MAX = 256, DATASETS = 2 };

typedef struct Part {
    tacos_paper_part of;
    tacos_reproduction *numbers; /* NULL: those of a table */
    struct PartTable *table;
} Part;

typedef struct Parts {
    const char *folder; /* as given; or the table */
    bool quick;         /* made with --quick: a first impression, not for publication */
    bool function;      /* figure 2 is requested, which needs no runs */
    size_t n;
    Part parts[PARTS_MAX];
} Parts;

/* Does the folder contain any part? */
bool parts_are_in(const char *folder);

tacos_status parts_open(Parts *out, const char *folder, tacos_error *err);
void parts_free(Parts *parts);

/* ---- parts_table.c ---- */

/* Does the name say that it is a table? */
bool parts_table_is_named(const char *path);

/* The part of that name alone, from its table. */
tacos_status parts_open_table(Parts *out, const char *path, const char *part, tacos_error *err);

const tacos_cell *part_table_cell(const struct PartTable *table, size_t i);
void part_table_free(struct PartTable *table);

/* ---- parts ---- */

/* A part by name; TACOS_MISSING if the folder has none. */
tacos_status parts_find(const Parts *parts, const char *name, const Part **out, tacos_error *err);
tacos_status parts_missing(const Parts *parts, const char *name, tacos_error *err);

/* ---- cells ---- */

/* The i-th number; NULL past the end. */
const tacos_cell *part_number(const Part *part, size_t i);

/* The cell of a metric, or NULL: after this task, or after the last one it is given for. */
enum { LAST_TASK = -1 };
const tacos_cell *part_cell(const Part *part, const char *section, const char *metric,
                            int after_task, size_t layer_or_class);
tacos_summary cell_summary(const tacos_cell *cell); /* empty for NULL */

/* ---- sections ---- */

/* The configurations of a part, as series or groups of a figure. */
typedef struct Sections {
    size_t n;
    const char *names[SECTIONS_MAX];
} Sections;

/* The sections that have cells, or those that have runs, in order; a table has no runs. */
Sections sections_of_cells(const Part *part);
Sections sections_of_runs(const Part *part);

/* Add every section to the figure's legend. Sections with fixed m are dashed, the plain network is
 * grey. */
void sections_add_keys(Figure *figure, const Sections *sections, LegendMark mark);

/* Sections may be a model and a data set, "tacos mnist": the models, in order. A section that does
 * not end with a known data set is a model by itself. */
extern const char *const section_datasets[DATASETS];
typedef struct Models {
    size_t n;
    char names[SECTIONS_MAX][64];
} Models;
void sections_models(const Sections *sections, Models *out);

#endif
