/* reproduce.h - shared by the parts of `tacos reproduce`: settings, files, plans and runs. */
#ifndef PAPER_REPRODUCE_H
#define PAPER_REPRODUCE_H

#include "cli.h"
#include "output/resume.h"
#include "system/files.h"
#include "tacos_lab.h"

#include <stdio.h>

/* The store, inside OUT. */
#define REPRODUCE_STORE "runs.db"

enum { PARTS_MAX = 32 };

typedef struct ReproduceArgs {
    const char *out, *data, *device;
    char tables[PATH_SIZE];    /* folder of the tables: `out`, or one below it */
    OptionList sets;           /* "key=value" */
    unsigned long seeds, jobs; /* 0: not given */
    int quick, show, dry_run, quiet, with_rivals;
    size_t n_parts;
    tacos_paper_part parts[PARTS_MAX];
    int function, score; /* requested too */
    Resume resume;       /* the command line */
    int *runs_failed;    /* set to 1 if some did: their numbers are missing in the tables */
} ReproduceArgs;

/* Functions that return an int return EXIT_OK, or an exit status after printing the error. */

/* Check all settings before making any run. */
int reproduce_check_sets(const ReproduceArgs *args);

/* Choose the folder for tables. With --set it is OUT/KEY=VALUE/KEY=VALUE, so that they do not
 * replace the paper's. */
int reproduce_name_tables(ReproduceArgs *args);

/* A table being written. */
typedef struct TableFile {
    char path[PATH_SIZE];
    WholeFile whole;
} TableFile;

/* A stream for PART.ENDING; NULL after printing an error. */
FILE *reproduce_open(TableFile *file, const ReproduceArgs *args, const char *part,
                     const char *ending);
int reproduce_close(TableFile *file);

/* Write PART.json: how the part was made, and where its store is, for `tacos report`. */
int reproduce_write_origin(const ReproduceArgs *args, const char *part);

void reproduce_heading(FILE *out, const ReproduceArgs *args, const char *name, const char *about,
                       int markdown);

/* A built-in plan with the options applied. *out must be freed even on failure. */
int reproduce_plan(const ReproduceArgs *args, const char *name, tacos_plan **out);

/* Make the runs that the store lacks, unless args->show. That some failed is said, noted in
 * args->runs_failed, and no reason to stop. */
int reproduce_runs(const ReproduceArgs *args, const tacos_plan *plan, const char *store);

/* ---- tables ---- */

/* Print a table of sections by metrics, and for each metric given after several tasks a table with
 * a column per task; as Markdown or for the terminal. Sections named "GROUP: NAME" have tables by
 * group. */
void reproduce_print(FILE *out, const tacos_reproduction *reproduction, int markdown);

/* All numbers, one per line; and the accuracy on every task after every task, for each run. */
void reproduce_csv(FILE *out, const tacos_reproduction *reproduction);
void reproduce_accuracy_csv(FILE *out, const tacos_reproduction *reproduction);

/* Make the runs that count, then print and write their distance from the paper. */
int reproduce_score(const ReproduceArgs *args, const char *store);

/* Print the runs that are missing and the time they will take, and make none. */
int reproduce_estimate(const ReproduceArgs *args);

#endif
