/* merge.h - columns that learned different samples become one; docs/columns.md. */
#ifndef COLUMNS_MERGE_H
#define COLUMNS_MERGE_H

#include "columns/columns.h"

typedef struct ColumnsPart {
    const Columns *columns;
    uint64_t n_learned;
} ColumnsPart;

/* The match from which on units are alike, for columns that will have the units of `out`. */
int32_t merge_default_match(const Columns *out);

/* Merge parts of the same geometry, seed and features into `out`, which has learned nothing and
 * may have another number of units. Units that match each other by `alike` or more are joined. The
 * result does not depend on the order of the parts. Fails without memory; `out` is good for nothing
 * then. */
tacos_status columns_merge(Columns *out, const ColumnsPart *parts, size_t n, int32_t alike,
                           tacos_error *err);

#endif
