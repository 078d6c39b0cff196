/* params.h - the parameters of a columns learner; the key table is in net/params.c. */
#ifndef COLUMNS_PARAMS_H
#define COLUMNS_PARAMS_H

#ifndef COLUMNS_SMALL
#include "base/keys.h"
#endif

/* What the units of a place see of an input. */
typedef enum ColumnFeatures {
    COLUMN_AUTO,   /* edges of images, otherwise values */
    COLUMN_EDGES,  /* per cell: how much brightness rises in each of eight directions */
    COLUMN_VALUES, /* per cell: the sum of the values */
} ColumnFeatures;

/* How a unit's template follows the patches that it wins. */
typedef enum ColumnSettle {
    SETTLE_STOCHASTIC, /* rounded up or down at random, so that small steps are not lost */
    SETTLE_NEAREST,
    SETTLE_NONE, /* it stays the patch that recruited it */
} ColumnSettle;

/* Where the counts of a sample's inputs come from. */
typedef enum ColumnInput { COLUMN_INPUT_VALUES, COLUMN_INPUT_SPIKES } ColumnInput;

typedef struct ColumnsParams {
    Counts shape; /* height, width and, optionally, channels; none: a plain vector */
    int input;    /* ColumnInput */
    int features; /* ColumnFeatures */

    /* Geometry; 0 is chosen from the shape. */
    size_t cells;  /* along each side of the input */
    size_t window; /* side of a place's window, in cells; of a vector: inputs per place */
    size_t stride; /* from window to window, in cells */
    size_t places; /* of a vector */
    size_t group;  /* inputs of a vector that stay together: a place sees all or none of them */

    size_t n_units;      /* 0: as many as fit in memory_kb */
    int settle;          /* ColumnSettle */
    size_t recycle;      /* units compared to find one to take over, once all are in use */
    size_t recycle_uses; /* the most uses of a unit that may be taken over */
    size_t looks;        /* 1: as it is; 5, 9: also moved by a pixel, in 4 or 8 directions */

#ifndef COLUMNS_SMALL          /* a device has their whole numbers, see setup.h */
    double memory_kb;          /* of learned state; decides the number of units */
    double match, match_error; /* theta, theta_E: a place recruits below this match */
    double match_step;         /* by which theta falls at a recruit once all units are in use */
    double inherit;            /* kappa: counts that a recruit takes over from the nearest unit */
    double trust;              /* step of a place's weight g in the vote */
    double contrast;           /* a place with less is silent; 1 is the full range of an input */
    double look_cost;          /* subtracted from the match of a moved look */
#endif
} ColumnsParams;

#endif
