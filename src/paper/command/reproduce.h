/* reproduce.h - what the parts of `tacos reproduce` share: settings, files, plans and runs. */
#ifndef PAPER_REPRODUCE_H
#define PAPER_REPRODUCE_H

#include "cli.h"
#include "system/files.h"
#include "tacos_lab.h"

#include <stdio.h>

/* The store, in OUT. */
#define REPRODUCE_STORE "runs.db"

enum { PARTS_MAX = 32 };

typedef struct ReproduceArgs {
    const char *out, *data;
    char tables[PATH_SIZE];    /* where tables go: `out`, or a folder below it */
    OptionList sets;           /* "key=value" */
    unsigned long seeds, jobs; /* 0: not given */
    int quick, show, quiet, with_rivals;
    size_t n_parts;
    tacos_paper_part parts[PARTS_MAX];
    int function, score; /* wanted too */
} ReproduceArgs;

/* Those below that return an int: 0, or what to exit with, having said why. */

/* Are all settings keys with values that can be? So it is known before any run is made. */
int reproduce_check_sets(const ReproduceArgs *args);

/* Where tables go. Those of other settings must not take the place of the paper's:
 * OUT/KEY=VALUE/KEY=VALUE. */
int reproduce_name_tables(ReproduceArgs *args);

/* One of the tables, written anew. */
typedef struct TableFile {
    char path[PATH_SIZE];
    WholeFile whole;
} TableFile;

/* The stream to print PART.ENDING to; NULL, having said why, if there is none. */
FILE *reproduce_open(TableFile *file, const ReproduceArgs *args, const char *part,
                     const char *ending);
int reproduce_close(TableFile *file);

/* PART.json: how the part was made, and the store with its runs, for `tacos report`. */
int reproduce_write_origin(const ReproduceArgs *args, const char *part);

void reproduce_heading(FILE *out, const ReproduceArgs *args, const char *name, const char *about,
                       int markdown);

/* A built-in plan, as the options want it. *out must be freed also on failure. */
int reproduce_plan(const ReproduceArgs *args, const char *name, tacos_plan **out);

/* Make the runs that the store does not have, unless just what is there is to be shown. */
int reproduce_runs(const ReproduceArgs *args, const tacos_plan *plan, const char *store);

#endif
