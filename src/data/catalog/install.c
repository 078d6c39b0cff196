/* install.c - copies the files of a data set into the data folder: all of them, verified, or none.
 *
 * The sources are verified first, so that a wrong one changes nothing. The copies get temporary
 * names and are verified again, since a source may have changed meanwhile; only then are they
 * renamed. */
#include "base/files.h"
#include "data/catalog/catalog.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_BYTES = 1 << 16 };

typedef struct Installation {
    const Catalog *catalog;
    const tacos_data_info *set;
    size_t n_files;
    CatalogPath folder;                    /* where the files go */
    CatalogPath source[CATALOG_MAX_FILES]; /* where they come from */
    Output copy[CATALOG_MAX_FILES];        /* their copies in `folder`, until they are in place */
    bool in_place[CATALOG_MAX_FILES];      /* the source is already where it should be */
} Installation;

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static tacos_status find_sources(Installation *it, const char *from, tacos_error *err) {
    const char *file;
    CatalogPath inner;
    TRY(catalog_folder(it->catalog, it->set, from, &inner, err));
    for (; (file = catalog_file(it->catalog, it->set, it->n_files)); it->n_files++) {
        assert(it->n_files < CATALOG_MAX_FILES);
        CatalogPath *out = &it->source[it->n_files];
        /* The set's own folder first: MNIST and Fashion-MNIST use the same file names. */
        tacos_status status = catalog_locate(it->catalog, it->set, file, inner.text, out, err);
        if (status == TACOS_MISSING)
            status = catalog_locate(it->catalog, it->set, file, from, out, err);
        if (status == TACOS_MISSING)
            return failure(err, status, "%s: %s%s is neither in %s nor in %s", it->set->name, file,
                           catalog_may_be_zipped(it->catalog, it->set, file) ? " (or .gz)" : "",
                           from, inner.text);
        TRY(status);
    }
    return TACOS_OK;
}

/* Which sources lie in the target folder itself; names may differ, so the folders are compared. */
static void find_in_place(Installation *it) {
    struct stat target, source;
    bool have_target = stat(it->folder.text, &target) == 0;
    for (size_t i = 0; have_target && i < it->n_files; i++) {
        CatalogPath parent = it->source[i];
        *strrchr(parent.text, '/') = '\0'; /* find_sources always puts one there */
        it->in_place[i] = stat(*parent.text ? parent.text : "/", &source) == 0 &&
                          source.st_dev == target.st_dev && source.st_ino == target.st_ino;
    }
}

static tacos_status copy_bytes(int in, FILE *out, const char *from, const char *to,
                               tacos_error *err) {
    unsigned char buffer[COPY_BYTES];
    ssize_t n;
    while ((n = read(in, buffer, sizeof buffer)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return failure_errno(err, "cannot read %s", from);
        if (fwrite(buffer, 1, (size_t)n, out) != (size_t)n)
            return failure_errno(err, "cannot write %s", to);
    }
    /* What is checked is what is on the disk. */
    return fflush(out) == 0 && fsync(fileno(out)) == 0 ? TACOS_OK
                                                       : failure_errno(err, "cannot write %s", to);
}

/* Copy source i beside its place. */
static tacos_status make_copy(Installation *it, size_t i, tacos_error *err) {
    const char *from = it->source[i].text;
    CatalogPath to;
    TRY(path_join(to.text, it->folder.text, base_name(from), "", err));
    int in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return failure_errno(err, "cannot open %s", from);
    tacos_status status = output_open(&it->copy[i], to.text, err);
    if (status == TACOS_OK)
        status = copy_bytes(in, it->copy[i].file, from, to.text, err);
    (void)close(in);
    return status;
}

static tacos_status check_copies(const Installation *it, tacos_error *err) {
    CatalogPath paths[CATALOG_MAX_FILES];
    for (size_t i = 0; i < it->n_files; i++)
        (void)snprintf(paths[i].text, sizeof paths[i].text, "%.*s", OUTPUT_PATH_MAX - 1,
                       it->in_place[i] ? it->source[i].text : it->copy[i].temporary);
    return catalog_identify(it->catalog, it->set, paths, NULL, err);
}

/* A stale FILE would hide a new FILE.gz, and a stale FILE.gz would be confusing. */
static tacos_status remove_other_form(const Installation *it, size_t i, const char *placed,
                                      tacos_error *err) {
    CatalogPath other;
    const char *file = catalog_file(it->catalog, it->set, i);
    bool placed_plain = strcmp(base_name(placed), file) == 0;
    if (!catalog_may_be_zipped(it->catalog, it->set, file))
        return TACOS_OK;
    TRY(path_join(other.text, it->folder.text, file, placed_plain ? ".gz" : "", err));
    if (unlink(other.text) != 0 && errno != ENOENT)
        return failure_errno(err, "cannot remove the old %s", other.text);
    return TACOS_OK;
}

static tacos_status place(Installation *it, tacos_error *err) {
    for (size_t i = 0; i < it->n_files; i++) {
        if (it->in_place[i])
            continue;
        TRY(output_commit(&it->copy[i], err));
        TRY(remove_other_form(it, i, it->source[i].text, err));
    }
    return TACOS_OK;
}

static tacos_status install(Installation *it, const char *from, tacos_error *err) {
    bool all_in_place = true;
    TRY(find_sources(it, from, err));
    TRY(catalog_identify(it->catalog, it->set, it->source, NULL, err));
    find_in_place(it);
    for (size_t i = 0; i < it->n_files; i++)
        all_in_place = all_in_place && it->in_place[i];
    if (all_in_place)
        return TACOS_OK;
    TRY(output_make_folder(it->folder.text, err));
    for (size_t i = 0; i < it->n_files; i++)
        if (!it->in_place[i])
            TRY(make_copy(it, i, err));
    TRY(check_copies(it, err));
    return place(it, err);
}

tacos_status catalog_install(const Catalog *catalog, const char *name, const char *from,
                             const char *dir, tacos_error *err) {
    const CatalogSet *set;
    CatalogPath base;
    TRY(catalog_find(catalog, name, &set, err));
    if (set->info.built_in)
        return failure(err, TACOS_INVALID, "%s is built in: there is nothing to install", name);
    if (!from || !*from)
        return failure(err, TACOS_INVALID, "no source folder was given for %s", name);
    TRY(tacos_data_dir(dir, base.text, sizeof base.text, err));
    /* On the heap: thirteen paths are a lot for the stack of a thread. */
    Installation *it = calloc(1, sizeof *it);
    if (!it)
        return failure(err, TACOS_MEMORY, "no memory to install %s", name);
    it->catalog = catalog;
    it->set = &set->info;
    tacos_status status = path_join(it->folder.text, base.text, name, "", err);
    if (status == TACOS_OK)
        status = install(it, from, err);
    for (size_t i = 0; i < CATALOG_MAX_FILES; i++)
        output_abandon(&it->copy[i]);
    free(it);
    return status;
}

tacos_status tacos_data_install(const char *name, const char *from, const char *dir,
                                tacos_error *err) {
    return catalog_install(catalog_builtin(), name, from, dir, err);
}
