/* catalog.h - the known data sets as a table, and how their files are recognised and installed.
 *
 * Everything works on a Catalog that is passed in, so that tests can bring a small one of their
 * own; the program's is catalog_builtin(). In a data folder DIR the files of set NAME lie in
 * DIR/NAME. */
#ifndef DATA_CATALOG_H
#define DATA_CATALOG_H

#include "base/output.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum SumOf {
    SUM_OF_CONTENT, /* unzipped: the file may be there plain or as .gz */
    SUM_OF_FILE,    /* the file's own bytes */
} SumOf;

/* One file of one edition. Every edition of a set lists all of the set's files, in one order. */
typedef struct CatalogEntry {
    const char *set, *file, *edition;
    SumOf sum_of;
    const char *sha256;
} CatalogEntry;

typedef struct Catalog {
    const tacos_data_info *sets; /* [n_sets] */
    size_t n_sets;
    const CatalogEntry *entries; /* [n_entries] */
    size_t n_entries;
} Catalog;

enum { CATALOG_MAX_FILES = 4 };

typedef struct CatalogPath {
    char text[OUTPUT_PATH_MAX];
} CatalogPath;

/* catalog.c */
const Catalog *catalog_builtin(void);
const char *catalog_file(const Catalog *catalog, const tacos_data_info *set, size_t i);
tacos_status catalog_find(const Catalog *catalog, const char *name, const tacos_data_info **out,
                          tacos_error *err);
tacos_status catalog_dir(const char *dir, char *buf, size_t size, tacos_error *err);

/* verify.c: whether a file may also be there as FILE.gz. */
bool catalog_may_be_zipped(const Catalog *catalog, const tacos_data_info *set, const char *file);

/* verify.c: find FOLDER/FILE or else FOLDER/FILE.gz; TACOS_MISSING (err untouched) if neither. */
tacos_status catalog_locate(const Catalog *catalog, const tacos_data_info *set, const char *file,
                            const char *folder, CatalogPath *out, tacos_error *err);

/* verify.c: check the set's files, given in its order, and say of which edition they all are. */
tacos_status catalog_identify(const Catalog *catalog, const tacos_data_info *set,
                              const CatalogPath *paths, const char **edition, tacos_error *err);

/* verify.c, install.c: see tacos_data_verify and tacos_data_install in tacos.h. */
tacos_status catalog_verify(const Catalog *catalog, const char *name, const char *dir,
                            const char **edition, tacos_error *err);
tacos_status catalog_install(const Catalog *catalog, const char *name, const char *from,
                             const char *dir, tacos_error *err);

#endif
