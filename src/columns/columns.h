/* columns.h - a learner whose units compete place by place, keep what they have seen, and count
 * labels; docs/columns.md is its specification.
 *
 * Columns is what learning changes, and its constants; predicting only reads it, with one
 * ColumnsScratch per thread. Everything between the counts of the inputs and the answer is whole
 * numbers. */
#ifndef COLUMNS_COLUMNS_H
#define COLUMNS_COLUMNS_H

#ifndef COLUMNS_SMALL
#include "base/spikes.h"
#endif
#include "columns/count.h"
#include "columns/geometry.h"
#include "columns/integer.h"
#include "kernel/kernel.h"

/* The parameters as whole numbers. A match of 1 is MATCH_ONE, a trust of 1 TRUST_ONE. */
enum {
    MATCH_ONE = 1 << 30,
    TRUST_SHIFT = 16,
    TRUST_ONE = 1 << TRUST_SHIFT,
    TRUST_LEAST = TRUST_ONE / 20,
    TRUST_MOST = 16 * TRUST_ONE,
};

enum { SMOOTH_SUM = 16 }; /* of the weights 1-2-1 in both directions */

typedef struct ColumnsRule {
    uint32_t norm2;   /* S^2: squared norm of a patch */
    uint32_t norm;    /* S, times 2^16 */
    uint64_t silence; /* a patch with less than this is silent */
    int32_t match;    /* theta, as a place starts */
    int32_t look_cost;
    uint32_t error_gap;           /* (1 - theta_E) / (1 - theta), times 2^16 */
    int32_t match_down, match_up; /* steps of theta once all units are in use */
    uint32_t inherit;             /* kappa, times 256 */
    uint32_t trust_rate;          /* change of g per difference of z, times 2^16 */
    bool smooth;                  /* counts of spikes are smoothed before edges are taken ... */
    int smooth_shift;             /* ... and divided by 2^this, to fit */
    int edge_shift; /* differences of inputs are divided by 2^this, so that sums fit */
    int root_shift; /* and sums by 2^this */
    int sum_shift;  /* of a vector: sums of a place by 2^this */
} ColumnsRule;

/* What it is made for. */
typedef struct ColumnsTask {
    size_t n_inputs, n_outputs;
    size_t n_steps; /* of the spikes that it sees; 0: it sees values */
    uint32_t full;  /* the count of a full input, on average if spikes are counted ... */
    uint32_t most;  /* ... and the largest that there can be */
} ColumnsTask;

typedef struct Columns Columns;
struct Columns {
    ColumnsParams params;
    Geometry geometry;
    ColumnsRule rule;
    const Kernel *kernel;
    uint32_t seed;
    size_t n_outputs, n_steps;
    size_t most_units, most_blocks;
    size_t n_bytes; /* of what learning changes */

    /* What learning changes. Units are in blocks of KERNEL_UNITS; a place owns whole blocks. */
    size_t n_units, n_blocks;
    uint32_t *totals;      /* n_c: [n_outputs] samples learned */
    uint32_t *silent;      /* [n_places][n_outputs] samples in which the place was silent */
    int32_t *trust;        /* g: [n_places] */
    int32_t *match;        /* theta: [n_places] */
    uint32_t *place_units; /* [n_places] */
    BlockIndex *blocks;    /* [n_blocks]: those of the first place, then of the next, ... */
    int8_t *templates;     /* t: [most_blocks][n_words][KERNEL_UNITS][4] */
    uint8_t *uses;         /* [most_blocks][KERNEL_UNITS] codes of count.h */
    uint8_t *counts;       /* [most_blocks][KERNEL_UNITS][n_outputs] likewise */

    /* Derived from it. */
    uint32_t *first_block; /* [n_places + 1]: where a place's blocks begin in `blocks` */
    uint32_t *wanted;      /* [n_places]: while reading a file, the units that places will have */
    int32_t *inverse;      /* [most_blocks][KERNEL_UNITS]: MATCH_ONE / (S |t|) */

#ifndef COLUMNS_SMALL /* a device has them in flash */
    Tables tables;
    uint16_t count_log[COUNT_MOST + 1]; /* 256 log2(2 n + 1) of a code */
#endif
};

/* Room to sum the edges of an image, row by row. */
typedef struct EdgeRoom {
    int32_t *slope_x, *slope_y; /* [width] how brightness changes */
    uint32_t *listed;           /* [width] positions where it does */
    uint32_t *line;             /* [map_wide + 1][EDGE_DIRECTIONS] their sums */
} EdgeRoom;

/* How unlike everything learned a sample is: how far its places disagree with the answer, in 1/256
 * bit; and how far the winners are from a perfect match, as a multiple of what recruits a unit, in
 * 1/256: the mean of all places that are not silent. */
typedef struct ColumnsNovelty {
    int64_t disagreement, unlikeness;
} ColumnsNovelty;

typedef struct ColumnsScratch {
#ifndef COLUMNS_SMALL
    Raster raster; /* the spikes of the sample, if it sees spikes */
#endif
    uint16_t *input; /* [n_inputs] counts of the sample */
    uint16_t *moved; /* the same, moved by a pixel; and room to smooth them */
    EdgeRoom edges;
    uint32_t *sums;   /* [map]: edges, before the root is taken */
    uint16_t *map;    /* [map] */
    uint16_t *window; /* [D]: values of the map that a place sees */
    int8_t *patch;    /* x: [n_places][row] of the look that won */
    int8_t *unmoved;  /* the same of the first look; is `patch` if there is only one */
    int8_t *look;     /* [row] of the look in progress */
    bool *is_silent;  /* [n_places] */
    Match *win;       /* [n_places] */
    int32_t *z;       /* [n_places][n_outputs]: log2 n_uc / n_c, times 256 */
    int32_t *total;   /* [n_outputs]: log2 of the totals */
    int32_t *score;   /* [n_outputs] */
    uint32_t *counts; /* [n_outputs]: the score above the least likely output's, in 1/256 bits; 0
                         for outputs never seen */
    uint64_t macs;    /* products of values with templates, since it was made */
    bool wants_novelty;
    ColumnsNovelty novelty; /* of the last sample, before it was learned, if it is wanted */
} ColumnsScratch;

/* ---- its size and its constants: shape.c, from parameters; setup.c, from whole numbers ---- */

size_t columns_count_blocks(const Columns *columns);
size_t columns_state_bytes(const Columns *columns); /* of what learning changes */

/* The norm of patches. */
void columns_take_norm(Columns *columns);

/* theta, as a place starts, if the parameters do not say. */
int32_t columns_default_match(const Columns *columns);

/* Everything but the arrays. */
#ifndef COLUMNS_SMALL
tacos_status columns_shape(Columns *out, const ColumnsParams *params, const ColumnsTask *task,
                           tacos_error *err);
#endif

/* Carve the arrays (twice, see arena.h), then start from nothing learned. */
void columns_carve(Columns *columns, Arena *arena);
void columns_start(Columns *columns, uint32_t seed, const Kernel *kernel);
void columns_scratch_carve(ColumnsScratch *scratch, const Columns *columns, Arena *arena);

#ifndef COLUMNS_SMALL
bool columns_same_rule(const ColumnsRule *a, const ColumnsRule *b);

/* In memory of its own. */
tacos_status columns_scratch_new(ColumnsScratch **out, const Columns *columns, tacos_error *err);
void columns_scratch_free(ColumnsScratch *scratch);
#endif

/* The likeliest output for the sample in scratch->input; -1 before anything was learned. */
int columns_predict(const Columns *columns, ColumnsScratch *scratch);

#ifndef COLUMNS_SMALL
/* Everything that `from` has learned, for more outputs: `out`, which has learned nothing, differs
 * only in their number and, since its memory is the same, in the number of units. If there are too
 * many, those used least are left out. */
void columns_widen(Columns *out, const Columns *from);
#endif

/* Learn it; `number` is the number of samples learned before. */
void columns_learn(Columns *columns, ColumnsScratch *scratch, uint64_t number, size_t target);

#ifndef COLUMNS_SMALL
static inline const Tables *columns_tables(const Columns *columns) {
    return &columns->tables;
}

static inline const uint16_t *columns_count_log(const Columns *columns) {
    return columns->count_log;
}
#endif

/* ---- edges.c ---- */

/* sums = the edges of an image in each cell, [map_high][map_wide][EDGE_DIRECTIONS]. */
void edges_sum(const Columns *columns, const uint16_t *input, EdgeRoom *room, uint32_t *sums);

/* ---- sense.c: from an input to patches ---- */

/* Replace the counts of an image by their mean with their neighbours', times 16. */
void sense_smooth(const Columns *columns, ColumnsScratch *scratch);

/* The features of an input, into scratch->map. */
void sense_map(const Columns *columns, ColumnsScratch *scratch, const uint16_t *input);

/* The patch of a place, scaled to norm S; false if it is silent. */
bool sense_patch(const Columns *columns, ColumnsScratch *scratch, size_t place, int8_t *x);

/* ---- units ---- */

/* The unit of a place by its number in the place: an index into uses, inverse, counts. */
static inline size_t columns_unit(const Columns *columns, size_t place, size_t u) {
    size_t block = columns->blocks[columns->first_block[place] + u / KERNEL_UNITS];
    return block * KERNEL_UNITS + u % KERNEL_UNITS;
}

static inline uint8_t *columns_counts(const Columns *columns, size_t unit) {
    return columns->counts + unit * columns->n_outputs;
}

/* Value d of a unit's template. */
static inline int8_t *columns_value(const Columns *columns, size_t unit, size_t d) {
    size_t block = unit / KERNEL_UNITS, i = unit % KERNEL_UNITS;
    return columns->templates +
           ((block * columns->geometry.n_words + d / 4) * KERNEL_UNITS + i) * 4 + d % 4;
}

/* A new unit of a place, whose arrays are to be filled; there must be room. Returns its index. */
size_t columns_add_unit(Columns *columns, size_t place);

/* A unit's template, side by side: [row]. Whoever writes one knows its squared norm. */
void columns_read_template(const Columns *columns, size_t unit, int8_t *out);
void columns_write_template(Columns *columns, size_t unit, const int8_t *t, uint32_t squares);

/* After values of a template have changed. */
void columns_set_inverse(Columns *columns, size_t unit);

#endif
