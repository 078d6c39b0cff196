/* verify.c - recognises the files of a data set by their SHA-256. */
#include "data/catalog/catalog.h"
#include "data/catalog/sha256.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The sums of one file; those that no entry asks for stay empty. */
typedef struct Sums {
    char content[SHA256_HEX_SIZE];
    char file[SHA256_HEX_SIZE];
    char entries[SHA256_HEX_SIZE];
} Sums;

/* The next entry of a file after `previous` (NULL: the first), one for each edition. */
static const CatalogEntry *next_entry(const Catalog *catalog, const tacos_data_info *set,
                                      const char *file, const CatalogEntry *previous) {
    const CatalogEntry *end = catalog->entries + catalog->n_entries;
    const CatalogEntry *entry = previous ? previous + 1 : catalog->entries;
    for (; entry < end; entry++)
        if (strcmp(entry->set, set->name) == 0 && strcmp(entry->file, file) == 0)
            return entry;
    return NULL;
}

bool catalog_may_be_zipped(const Catalog *catalog, const tacos_data_info *set, const char *file) {
    const CatalogEntry *entry = NULL;
    while ((entry = next_entry(catalog, set, file, entry)))
        if (entry->sum_of == SUM_OF_CONTENT)
            return true;
    return false;
}

/* The plain file wins over the .gz, as it does for those who read them. */
tacos_status catalog_locate(const Catalog *catalog, const tacos_data_info *set, const char *file,
                            const char *folder, CatalogPath *out, tacos_error *err) {
    struct stat info;
    bool zipped = catalog_may_be_zipped(catalog, set, file);
    for (int with_gz = 0; with_gz <= (zipped ? 1 : 0); with_gz++) {
        TRY(path_join(out->text, folder, file, with_gz ? ".gz" : "", err));
        if (stat(out->text, &info) == 0) {
            if (S_ISREG(info.st_mode))
                return TACOS_OK;
            return failure(err, TACOS_FORMAT, "%s is not a regular file", out->text);
        }
        if (errno != ENOENT && errno != ENOTDIR)
            return failure_errno(err, "cannot look at %s", out->text);
    }
    return TACOS_MISSING;
}

tacos_status catalog_folder(const Catalog *catalog, const tacos_data_info *set, const char *dir,
                            CatalogPath *out, tacos_error *err) {
    const char *first = catalog_file(catalog, set, 0);
    CatalogPath shelf, found;
    TRY(path_join(out->text, dir, set->name, "", err));
    if (!set->shelf || !*set->shelf || !first)
        return TACOS_OK;
    TRY(path_join(shelf.text, dir, set->shelf, "", err));
    tacos_status own = catalog_locate(catalog, set, first, out->text, &found, NULL);
    if (own == TACOS_MISSING &&
        catalog_locate(catalog, set, first, shelf.text, &found, NULL) == TACOS_OK)
        *out = shelf;
    return TACOS_OK;
}

static tacos_status sum_up(const Catalog *catalog, const tacos_data_info *set, const char *file,
                           const char *path, Sums *out, tacos_error *err) {
    const CatalogEntry *entry = NULL;
    while ((entry = next_entry(catalog, set, file, entry))) {
        if (entry->sum_of == SUM_OF_CONTENT && !*out->content)
            TRY(sha256_content(path, out->content, err));
        if (entry->sum_of == SUM_OF_FILE && !*out->file)
            TRY(sha256_file(path, out->file, err));
        if (entry->sum_of == SUM_OF_ENTRIES && !*out->entries)
            TRY(sha256_entries(path, out->entries, err));
    }
    return TACOS_OK;
}

static const char *sum_for(const CatalogEntry *entry, const Sums *sums) {
    return entry->sum_of == SUM_OF_CONTENT ? sums->content
           : entry->sum_of == SUM_OF_FILE  ? sums->file
                                           : sums->entries;
}

/* The entry that a file's sums agree with, in `edition` or (NULL) in any; NULL if none. */
static const CatalogEntry *match(const Catalog *catalog, const tacos_data_info *set,
                                 const char *file, const Sums *sums, const char *edition) {
    const CatalogEntry *entry = NULL;
    while ((entry = next_entry(catalog, set, file, entry))) {
        if (edition && strcmp(entry->edition, edition) != 0)
            continue;
        if (strcmp(entry->sha256, sum_for(entry, sums)) == 0)
            return entry;
    }
    return NULL;
}

/* No edition has such a file: report the checksums found and expected. */
static tacos_status fail_unknown_file(const Catalog *catalog, const tacos_data_info *set,
                                      const char *file, const char *path, const Sums *sums,
                                      tacos_error *err) {
    char text[400] = "";
    size_t used = 0;
    const char *last = "";
    const CatalogEntry *entry = NULL;
    while ((entry = next_entry(catalog, set, file, entry)) && used < sizeof text) {
        if (strcmp(entry->sha256, last) == 0) /* the same file in several editions */
            continue;
        last = entry->sha256;
        int n =
            snprintf(text + used, sizeof text - used, "%s SHA-256 of the %s %s, found %s",
                     used ? "; or" : "", entry->sum_of == SUM_OF_FILE ? "file itself" : "content",
                     entry->sha256, sum_for(entry, sums));
        used += n > 0 ? (size_t)n : 0;
    }
    return failure(err, TACOS_CHECKSUM, "%s has the wrong checksum: expected%s", path, text);
}

/* Each file is valid, but no edition has them all: name two that do not belong together, leaving
 * out files that are the same in all editions. */
static tacos_status fail_mixed(const Catalog *catalog, const tacos_data_info *set,
                               const CatalogPath *paths, const Sums *sums, tacos_error *err) {
    const char *one, *other;
    for (size_t i = 0; (one = catalog_file(catalog, set, i)); i++) {
        for (size_t k = i + 1; (other = catalog_file(catalog, set, k)); k++) {
            const char *edition = match(catalog, set, one, &sums[i], NULL)->edition;
            const char *edition_k = match(catalog, set, other, &sums[k], NULL)->edition;
            if (!match(catalog, set, one, &sums[i], edition_k) &&
                !match(catalog, set, other, &sums[k], edition))
                return failure(err, TACOS_CHECKSUM,
                               "%s: editions are mixed: %s is of the %s, %s is of the %s",
                               set->name, paths[i].text, edition, paths[k].text, edition_k);
        }
    }
    return failure(err, TACOS_CHECKSUM, "%s: its files are of different editions", set->name);
}

tacos_status catalog_identify(const Catalog *catalog, const tacos_data_info *set,
                              const CatalogPath *paths, const char **edition, tacos_error *err) {
    Sums sums[CATALOG_MAX_FILES] = {{{0}, {0}, {0}}};
    const char *file;
    size_t n_files = 0;
    for (; (file = catalog_file(catalog, set, n_files)); n_files++) {
        assert(n_files < CATALOG_MAX_FILES);
        Sums *of_this = &sums[n_files];
        const char *path = paths[n_files].text;
        TRY(sum_up(catalog, set, file, path, of_this, err));
        if (!match(catalog, set, file, of_this, NULL))
            return fail_unknown_file(catalog, set, file, path, of_this, err);
    }
    /* A file can be the same in several editions: find one that has them all. */
    const CatalogEntry *candidate = NULL;
    const char *first = catalog_file(catalog, set, 0);
    while ((candidate = next_entry(catalog, set, first, candidate))) {
        size_t i = 0;
        while (i < n_files &&
               match(catalog, set, catalog_file(catalog, set, i), &sums[i], candidate->edition))
            i++;
        if (i == n_files) {
            if (edition)
                *edition = candidate->edition;
            return TACOS_OK;
        }
    }
    return fail_mixed(catalog, set, paths, sums, err);
}

tacos_status catalog_verify(const Catalog *catalog, const char *name, const char *dir,
                            const char **edition, tacos_error *err) {
    const CatalogSet *found;
    const char *file;
    CatalogPath base, folder, paths[CATALOG_MAX_FILES];
    TRY(catalog_find(catalog, name, &found, err));
    const tacos_data_info *set = &found->info;
    if (set->built_in) {
        if (edition)
            *edition = "built in";
        return TACOS_OK;
    }
    TRY(tacos_data_dir(dir, base.text, sizeof base.text, err));
    TRY(catalog_folder(catalog, set, base.text, &folder, err));
    for (size_t i = 0; (file = catalog_file(catalog, set, i)); i++) {
        assert(i < CATALOG_MAX_FILES);
        tacos_status status = catalog_locate(catalog, set, file, folder.text, &paths[i], err);
        if (status == TACOS_MISSING)
            return failure(err, status, "%s: %s is not in %s", name, file, folder.text);
        TRY(status);
    }
    return catalog_identify(catalog, set, paths, edition, err);
}

tacos_status tacos_data_verify(const char *name, const char *dir, const char **edition,
                               tacos_error *err) {
    return catalog_verify(catalog_builtin(), name, dir, edition, err);
}
