/* catalog.h - the known data sets as a table, and how their files are recognised and installed.
 *
 * Functions take a Catalog, so that tests can use a small one; the program's is catalog_builtin().
 * In a data folder DIR the files of set NAME are in DIR/NAME. */
#ifndef DATA_CATALOG_CATALOG_H
#define DATA_CATALOG_CATALOG_H

#include "base/files.h"
#include "data/dataset.h"
#include "tacos_lab.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum SumOf {
    SUM_OF_CONTENT, /* unzipped: the file may exist plain or as .gz */
    SUM_OF_FILE,    /* the file's own bytes */
    SUM_OF_ENTRIES, /* what a zip file holds, however it is packed: sha256_entries */
} SumOf;

/* One file of one edition. Every edition of a set lists all of the set's files, in one order. */
typedef struct CatalogEntry {
    const char *set, *file, *edition;
    SumOf sum_of;
    const char *sha256;
} CatalogEntry;

/* Reads a data set from the folder of its files. */
typedef tacos_status CatalogReader(Dataset *out, const char *folder, tacos_error *err);

/* The same of a variant, NAME:VARIANT. */
typedef tacos_status CatalogVariantReader(Dataset *out, const char *folder, const char *variant,
                                          tacos_error *err);

typedef struct CatalogSet {
    tacos_data_info info;
    CatalogReader *read;                /* NULL: a table */
    CatalogVariantReader *read_variant; /* NULL: there are no variants */
} CatalogSet;

typedef struct Catalog {
    const CatalogSet *sets; /* [n_sets] */
    size_t n_sets;
    const CatalogEntry *entries; /* [n_entries] */
    size_t n_entries;
} Catalog;

enum { CATALOG_MAX_FILES = 6 };

typedef struct CatalogPath {
    char text[OUTPUT_PATH_MAX];
} CatalogPath;

/* catalog.c */
const Catalog *catalog_builtin(void);
const char *catalog_file(const Catalog *catalog, const tacos_data_info *set, size_t i);
tacos_status catalog_find(const Catalog *catalog, const char *name, const CatalogSet **out,
                          tacos_error *err);

/* verify.c: the folder of a set's files: DIR/NAME, or DIR/SHELF if only that has the first. */
tacos_status catalog_folder(const Catalog *catalog, const tacos_data_info *set, const char *dir,
                            CatalogPath *out, tacos_error *err);

/* verify.c: whether a file may also exist as FILE.gz. */
bool catalog_may_be_zipped(const Catalog *catalog, const tacos_data_info *set, const char *file);

/* verify.c: find FOLDER/FILE or else FOLDER/FILE.gz; TACOS_MISSING (err untouched) if neither. */
tacos_status catalog_locate(const Catalog *catalog, const tacos_data_info *set, const char *file,
                            const char *folder, CatalogPath *out, tacos_error *err);

/* verify.c: verify the set's files, given in its order, and find the edition they all belong to. */
tacos_status catalog_identify(const Catalog *catalog, const tacos_data_info *set,
                              const CatalogPath *paths, const char **edition, tacos_error *err);

/* verify.c, install.c: see tacos_data_verify and tacos_data_install in tacos.h. */
tacos_status catalog_verify(const Catalog *catalog, const char *name, const char *dir,
                            const char **edition, tacos_error *err);
tacos_status catalog_install(const Catalog *catalog, const char *name, const char *from,
                             const char *dir, tacos_error *err);

/* load.c: a data set by name, from the catalogue or a folder of the user's own in the data folder.
 * Images are sorted by class, in the file's order within each, so that the order in which a file
 * mixes the classes does not matter. */
tacos_status dataset_load(Dataset *out, const char *name, const char *dir, tacos_error *err);

/* load.c: the file of a known data set that is a table (formats/table.h reads it). */
tacos_status catalog_table(const char *name, const char *dir, CatalogPath *out, tacos_error *err);

/* names.c: the names of the classes of a user's data set: those of its folders of samples, or the
 * lines of its classes.txt; none if they are numbers. */
tacos_status dataset_names(ClassNames *out, const char *name, const char *dir, tacos_error *err);

/* names.c: the same in a folder, which is in the format of folders of samples or in another. */
tacos_status folder_class_names(ClassNames *out, const char *folder, bool of_samples,
                                tacos_error *err);

/* load.c: is it read as folders of samples? */
bool user_dataset_is_folders(const char *folder);

/* load.c: any folder in one of the formats of docs/data.md; and one of IDX files with 10 classes.
 */
CatalogReader user_dataset_read, mnist_read;

/* glyphs.c: the built-in set of ten symbols, 28 x 28; it has no folder. */
enum { GLYPHS_CLASSES = 10, GLYPHS_SIDE = 28 };
void glyphs_draw(uint32_t seed, unsigned class_index, uint64_t image,
                 uint8_t out[GLYPHS_SIDE * GLYPHS_SIDE]);
tacos_status glyphs_make(Dataset *out, uint32_t seed, tacos_error *err);
CatalogReader glyphs_read;

/* omniglot.c: handwritten characters of many alphabets, from the zip files in which they are
 * published, FOLDER/ALPHABET/characterNN/NNNN_DD.png, where DD is who drew it.
 *
 * A class is a character of an alphabet in a zip file, in the order of the files given, then of
 * the alphabets' names, then of the characters' numbers: the order within a zip file means nothing.
 * "Small 1" and "small 2" both have Greek and Latin, drawing for drawing the same; they are
 * different classes here, as 50 tasks of five need more classes than the 242 that differ.
 *
 * The first n_train drawers are for training and the next n_test for testing; every character must
 * have been drawn once by each of them, and by nobody else. Folders may have entries of their own;
 * __MACOSX is ignored; any other name is an error. */
enum { OMNIGLOT_SIDE = 28, OMNIGLOT_DRAWING_SIDE = 105 };
tacos_status omniglot_read_zips(Dataset *out, const char *const *paths, size_t n_paths,
                                size_t n_train, size_t n_test, tacos_error *err);
CatalogReader omniglot_read; /* "small 1" and "small 2" */

/* spoken_digits.c: digits spoken by six people, as spectrograms, from a zip file of recordings,
 * ANYTHING/DIGIT_SPEAKER_INDEX.wav; other entries are ignored. For testing are the recordings of
 * index 0 to 4; in the variant of a speaker all of that speaker, who is then not for training. */
CatalogReader spoken_digits_read;
CatalogVariantReader spoken_digits_read_without;

/* cifar10.c: colour photographs of ten kinds of objects, in the files of the binary version. */
CatalogReader cifar10_read;

/* lookalike.c: images that cost a network what those of "mnist" or "fashion" do, for measuring
 * speed where these are not installed: blobs with as many pixels lit, as brightly, in as compact a
 * place, of a shape that depends on the class. n images for training and n for testing, sorted by
 * class. */
enum { LOOKALIKE_SIDE = 28, LOOKALIKE_CLASSES = 10 };
tacos_status lookalike_make(Dataset *out, const char *name, size_t n, tacos_error *err);

#endif
