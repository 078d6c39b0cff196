/* archive.h - the entries of a zip file, unpacked only into memory.
 *
 * Zip files are untrusted: everything is checked, the number of entries is limited, and names never
 * become paths. Entries must be stored or deflated, so that none unpacks to more than 1032 times
 * its size in the file, the limit of deflate. */
#ifndef DATA_FORMATS_ARCHIVE_H
#define DATA_FORMATS_ARCHIVE_H

#include "base/bytes.h"

#include <stddef.h>
#include <stdint.h>

enum { ARCHIVE_ENTRIES_MAX = 10000, ARCHIVE_BYTES_MAX = 65536 };
enum { ARCHIVE_ROOM = ARCHIVE_BYTES_MAX + 1 }; /* one more, to see that an entry is too large */

typedef struct Archive {
    const char *path; /* the caller's */
    struct zip *zip;
    size_t n_entries;
} Archive;

/* A name from a zip file, made safe for an error message: short, printable ASCII. */
typedef struct ArchiveName {
    char text[100];
} ArchiveName;
ArchiveName archive_show(const char *name);

tacos_status archive_open(Archive *out, const char *path, tacos_error *err);
void archive_close(Archive *archive);

/* The name of an entry, the archive's own. One that is absolute or has ".." is an error. */
tacos_status archive_name(const Archive *archive, size_t i, const char **out, tacos_error *err);

/* The entry of this name; a missing or duplicate one is an error. */
tacos_status archive_find(const Archive *archive, const char *name, size_t *i, tacos_error *err);

/* The entries whose names end like this, such as ".wav", in the order of their names without
 * folders; hidden ones are left out. None, or two of one name, are an error. */
typedef struct ArchiveItem {
    size_t entry;
    const char *name; /* without folders; the archive's own */
} ArchiveItem;

typedef struct ArchiveList {
    ArchiveItem *items; /* [n], the caller's to free */
    size_t n;
} ArchiveList;

tacos_status archive_list(const Archive *archive, const char *ending, ArchiveList *out,
                          tacos_error *err);

/* Unpack a small entry; n is its size. */
tacos_status archive_read(const Archive *archive, size_t i, uint8_t bytes[ARCHIVE_ROOM], size_t *n,
                          tacos_error *err);

/* An entry of any size, piece by piece. */
typedef struct ArchiveEntry {
    const Archive *archive;
    const char *name; /* the archive's own */
    struct zip_file *file;
} ArchiveEntry;

tacos_status archive_entry_open(ArchiveEntry *out, const Archive *archive, size_t i,
                                tacos_error *err);
ByteSource archive_entry_source(ArchiveEntry *entry, const char *name);
void archive_entry_close(ArchiveEntry *entry);

#endif
