/* block.h - a columns learner of whole numbers alone: made from a setup, and as one block of bytes.
 * docs/small.md describes every byte of a block. */
#ifndef COLUMNS_BLOCK_H
#define COLUMNS_BLOCK_H

#include "base/pack.h"
#include "columns/columns.h"
#include "columns/setup.h"

/* ---- setup.c ---- */

enum { SETUP_INPUTS_MAX = 65535, SETUP_UNITS_MAX = 65535 };

/* What docs/keys.md says. */
void setup_defaults(ColumnsSetup *setup);

/* Everything but the arrays, for setup->units units; the inputs are values from 0 to 255. False if
 * there is no such learner. */
bool setup_shape(Columns *out, const ColumnsSetup *setup);

/* The constants, for columns whose geometry and number of units are known. */
void setup_rule(Columns *columns, const ColumnsSetup *setup);

/* ---- block.c ---- */

enum { SETUP_FIELDS = 22 }; /* all are uint32_t */

enum { BLOCK_HEADER = 8 + 4 + 4 + 4 * SETUP_FIELDS + 8 + 4, BLOCK_VERSION = 1 };

typedef struct BlockHeader {
    ColumnsSetup setup;
    uint32_t n_bytes; /* of the whole block */
    uint64_t n_learned;
} BlockHeader;

typedef enum BlockFault { BLOCK_GOOD, BLOCK_NOT_ONE, BLOCK_NEWER, BLOCK_DAMAGED } BlockFault;

/* Of columns that have been shaped. */
uint64_t block_bytes(const Columns *columns);

/* Write or read the header; then, for columns of its setup, the rest. */
BlockFault block_move_header(Pack *pack, BlockHeader *header);
bool block_move_columns(Pack *pack, Columns *columns);

#endif
