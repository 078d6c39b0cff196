/* archive.c - zip files, through libzip. */
#include "data/formats/archive.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

ArchiveName archive_show(const char *name) {
    ArchiveName out = {""};
    size_t n = 0;
    for (; name[n] && n + 1 < sizeof out.text; n++)
        out.text[n] = name[n] >= ' ' && name[n] <= '~' ? name[n] : '?';
    if (name[n])
        memcpy(out.text + n - 3, "...", 3);
    return out;
}

static tacos_status status_of(int code) {
    switch (code) {
    case ZIP_ER_NOENT:
        return TACOS_MISSING;
    case ZIP_ER_MEMORY:
        return TACOS_MEMORY;
    case ZIP_ER_OPEN:
    case ZIP_ER_READ:
    case ZIP_ER_SEEK:
    case ZIP_ER_TELL:
        return TACOS_IO;
    default:
        return TACOS_FORMAT;
    }
}

static tacos_status fail_open(const char *path, int code, tacos_error *err) {
    zip_error_t why;
    tacos_status status = status_of(code);
    zip_error_init_with_code(&why, code);
    status_explain(err, status, "cannot open %s: %s", path, zip_error_strerror(&why));
    zip_error_fini(&why);
    return status;
}

tacos_status archive_open(Archive *out, const char *path, tacos_error *err) {
    int code = ZIP_ER_OK;
    TRY(file_check(path, err));
    zip_t *zip = zip_open(path, ZIP_RDONLY, &code);
    if (!zip)
        return fail_open(path, code, err);
    zip_int64_t n = zip_get_num_entries(zip, 0);
    if (n < 0 || n > ARCHIVE_ENTRIES_MAX) {
        zip_discard(zip);
        return failure(err, TACOS_FORMAT, "%s has %lld entries, which exceeds the limit of %d",
                       path, (long long)n, ARCHIVE_ENTRIES_MAX);
    }
    *out = (Archive){.path = path, .zip = zip, .n_entries = (size_t)n};
    return TACOS_OK;
}

void archive_close(Archive *archive) {
    if (archive->zip)
        zip_discard(archive->zip);
    *archive = (Archive){0};
}

/* Nothing is ever written under these names, but such a file is malicious. */
static bool leads_out(const char *name) {
    if (*name == '/' || strchr(name, '\\'))
        return true;
    for (const char *part = name; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return true;
    }
    return false;
}

tacos_status archive_name(const Archive *archive, size_t i, const char **out, tacos_error *err) {
    const char *name = zip_get_name(archive->zip, i, ZIP_FL_ENC_RAW);
    if (!name)
        return failure(err, status_of(zip_error_code_zip(zip_get_error(archive->zip))),
                       "%s: the name of entry %zu cannot be read (%s)", archive->path, i,
                       zip_strerror(archive->zip));
    if (leads_out(name))
        return failure(err, TACOS_FORMAT, "%s: the name of '%s' leads out of the zip file",
                       archive->path, archive_show(name).text);
    *out = name;
    return TACOS_OK;
}

static tacos_status fail_entry(const Archive *archive, const char *name, zip_error_t *why,
                               tacos_error *err) {
    return failure(err, status_of(zip_error_code_zip(why)), "%s: %s cannot be unpacked (%s)",
                   archive->path, archive_show(name).text, zip_error_strerror(why));
}

static tacos_status fail_large(const Archive *archive, const char *name, tacos_error *err) {
    return failure(err, TACOS_FORMAT, "%s: %s exceeds the limit of %d bytes", archive->path,
                   archive_show(name).text, ARCHIVE_BYTES_MAX);
}

/* What the zip file's directory says. */
static tacos_status check_claims(const Archive *archive, size_t i, const char *name, uint64_t limit,
                                 tacos_error *err) {
    zip_stat_t info;
    if (zip_stat_index(archive->zip, i, 0, &info) != 0)
        return fail_entry(archive, name, zip_get_error(archive->zip), err);
    if ((info.valid & ZIP_STAT_ENCRYPTION_METHOD) && info.encryption_method != ZIP_EM_NONE)
        return failure(err, TACOS_FORMAT, "%s: %s is encrypted", archive->path,
                       archive_show(name).text);
    if (!(info.valid & ZIP_STAT_COMP_METHOD) ||
        (info.comp_method != ZIP_CM_STORE && info.comp_method != ZIP_CM_DEFLATE))
        return failure(err, TACOS_FORMAT, "%s: %s is neither stored nor deflated", archive->path,
                       archive_show(name).text);
    if ((info.valid & ZIP_STAT_SIZE) && info.size > limit)
        return fail_large(archive, name, err);
    return TACOS_OK;
}

tacos_status archive_find(const Archive *archive, const char *name, size_t *i, tacos_error *err) {
    size_t n_found = 0;
    for (size_t k = 0; k < archive->n_entries; k++) {
        const char *other = NULL;
        TRY(archive_name(archive, k, &other, err));
        if (strcmp(other, name) != 0)
            continue;
        *i = k;
        n_found++;
    }
    if (n_found != 1)
        return failure(err, TACOS_FORMAT, "%.300s holds %s %s", archive->path,
                       n_found ? "more than one" : "no", name);
    return TACOS_OK;
}

/* ---- all entries of a kind ---- */

static const char *base_name(const char *name) {
    const char *slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static bool ends_with(const char *name, const char *ending) {
    size_t n = strlen(name), n_ending = strlen(ending);
    return n >= n_ending && strcmp(name + n - n_ending, ending) == 0;
}

static int compare_items(const void *a, const void *b) {
    const ArchiveItem *one = a, *other = b;
    return strcmp(one->name, other->name);
}

static tacos_status list(const Archive *archive, const char *ending, ArchiveList *out,
                         tacos_error *err) {
    for (size_t i = 0; i < archive->n_entries; i++) {
        const char *name = NULL;
        TRY(archive_name(archive, i, &name, err));
        if (ends_with(name, ending) && *base_name(name) != '.')
            out->items[out->n++] = (ArchiveItem){i, base_name(name)};
    }
    if (out->n == 0)
        return failure(err, TACOS_FORMAT, "%.300s holds no %s", archive->path, ending);
    qsort(out->items, out->n, sizeof *out->items, compare_items);
    for (size_t i = 1; i < out->n; i++)
        if (compare_items(&out->items[i - 1], &out->items[i]) == 0)
            return failure(err, TACOS_FORMAT, "%.300s holds %s twice", archive->path,
                           archive_show(out->items[i].name).text);
    return TACOS_OK;
}

tacos_status archive_list(const Archive *archive, const char *ending, ArchiveList *out,
                          tacos_error *err) {
    *out = (ArchiveList){.items = calloc(archive->n_entries + 1, sizeof *out->items)};
    if (!out->items)
        return failure(err, TACOS_MEMORY, "no memory to list %.300s", archive->path);
    tacos_status status = list(archive, ending, out, err);
    if (status != TACOS_OK) {
        free(out->items);
        *out = (ArchiveList){0};
    }
    return status;
}

/* ---- unpacking ---- */

static tacos_status open_entry(ArchiveEntry *out, const Archive *archive, size_t i, uint64_t limit,
                               tacos_error *err) {
    *out = (ArchiveEntry){.archive = archive};
    TRY(archive_name(archive, i, &out->name, err));
    TRY(check_claims(archive, i, out->name, limit, err));
    out->file = zip_fopen_index(archive->zip, i, 0);
    return out->file ? TACOS_OK : fail_entry(archive, out->name, zip_get_error(archive->zip), err);
}

tacos_status archive_read(const Archive *archive, size_t i, uint8_t bytes[ARCHIVE_ROOM], size_t *n,
                          tacos_error *err) {
    ArchiveEntry entry;
    TRY(open_entry(&entry, archive, i, ARCHIVE_BYTES_MAX, err));
    ByteSource source = archive_entry_source(&entry, archive->path);
    tacos_status status = bytes_fill(&source, bytes, ARCHIVE_ROOM, n, err);
    if (status == TACOS_OK && *n > ARCHIVE_BYTES_MAX)
        status = fail_large(archive, entry.name, err);
    archive_entry_close(&entry);
    return status;
}

tacos_status archive_entry_open(ArchiveEntry *out, const Archive *archive, size_t i,
                                tacos_error *err) {
    return open_entry(out, archive, i, UINT64_MAX, err);
}

/* At the end libzip compares size and checksum with the directory's. */
static tacos_status read_entry(const ByteSource *source, uint8_t *to, size_t n, size_t *got,
                               tacos_error *err) {
    const ArchiveEntry *entry = source->user;
    zip_int64_t read = zip_fread(entry->file, to, n);
    *got = read > 0 ? (size_t)read : 0;
    return read >= 0
               ? TACOS_OK
               : fail_entry(entry->archive, entry->name, zip_file_get_error(entry->file), err);
}

ByteSource archive_entry_source(ArchiveEntry *entry, const char *name) {
    return (ByteSource){.read = read_entry, .user = entry, .name = name};
}

void archive_entry_close(ArchiveEntry *entry) {
    if (entry->file)
        (void)zip_fclose(entry->file);
    *entry = (ArchiveEntry){0};
}
