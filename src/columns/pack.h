/* pack.h - what columns have learned as bytes, for files and digests; docs/checkpoint.md. */
#ifndef COLUMNS_PACK_H
#define COLUMNS_PACK_H

#include "base/pack.h"
#include "columns/columns.h"

/* Writes or reads everything, units place by place. Its length follows from the configuration:
 * units not in use are zeros. False on failure, or if what was read is not a state of such columns;
 * they are good for nothing then. */
bool columns_move(Columns *columns, Pack *pack);

/* Its length; and that of its first section, what is not about units. Checksums included. */
uint64_t columns_packed_bytes(const Columns *columns);
uint64_t columns_packed_places(const Columns *columns);

#endif
