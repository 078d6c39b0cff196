/* archive.h - the entries of a zip file, unpacked into memory and nowhere else.
 *
 * Zip files come from anywhere: of what one claims about itself nothing is believed but what can
 * be checked, it has a limited number of entries of a limited size, and no name leads anywhere. */
#ifndef DATA_ARCHIVE_H
#define DATA_ARCHIVE_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { ARCHIVE_ENTRIES_MAX = 10000, ARCHIVE_BYTES_MAX = 65536 };
enum { ARCHIVE_ROOM = ARCHIVE_BYTES_MAX + 1 }; /* one more, to see that an entry is too large */

typedef struct Archive {
    const char *path; /* the caller's */
    struct zip *zip;
    size_t n_entries;
} Archive;

/* A name from a zip file as a sentence may have it: short, and without bytes that a terminal would
 * obey. */
typedef struct ArchiveName {
    char text[100];
} ArchiveName;
ArchiveName archive_show(const char *name);

tacos_status archive_open(Archive *out, const char *path, tacos_error *err);
void archive_close(Archive *archive);

/* The name of an entry, the archive's own. One that is absolute or has ".." is an error. */
tacos_status archive_name(const Archive *archive, size_t i, const char **out, tacos_error *err);

/* Unpack an entry; n is its size. */
tacos_status archive_read(const Archive *archive, size_t i, uint8_t bytes[ARCHIVE_ROOM], size_t *n,
                          tacos_error *err);

#endif
