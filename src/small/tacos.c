/* tacos.c - the functions of tacos.h. */
#include "tacos.h"

#include "small/prologue.h"

#include "base/pack.h"
#include "columns/block.h"
#include "columns/columns.h"
#include "columns/pack.h"
#include "small/tables.h"

static inline const Tables *columns_tables(const Columns *columns) {
    (void)columns;
    return &flash_tables;
}

static inline const uint16_t *columns_count_log(const Columns *columns) {
    (void)columns;
    return flash_count_log;
}

/* clang-format off: in this order */
#include "base/pack.c"
#include "columns/geometry.c"
#include "columns/columns.c"
#include "columns/edges.c"
#include "columns/sense.c"
#include "columns/learn.c"
#include "columns/pack.c"
#include "columns/setup.c"
#include "columns/block.c"
#include "small/kernel.h"
#include "small/learner.c"
#include "small/flash.c"

#ifdef TACOS_SPIKING
#include "base/exact.h"
#include "small/spiking.c"
#include "small/spiking_learn.c"
#include "small/spiking_block.c"
#endif
