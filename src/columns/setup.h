/* setup.h - what a columns learner is made for, in whole numbers: what a device is given in place
 * of keys. */
#ifndef COLUMNS_SETUP_H
#define COLUMNS_SETUP_H

#include <stdint.h>

/* Fractions are in millionths (750000 is 0.75), `inherit` is in thousandths. Every field has the
 * meaning and the default of a key of the same name (docs/keys.md, column_...); 0 is the default
 * where it says so. */
typedef struct ColumnsSetup {
    uint32_t height, width; /* of the input; height 1 is a signal, 0 a vector without order */
    uint32_t channels;      /* values of a pixel or instant, side by side */
    uint32_t outputs;
    uint32_t units; /* 0: as many as fit into the memory */
    uint32_t seed;

    uint32_t features;              /* 0: edges of images, else values; 1: edges; 2: values */
    uint32_t cells, window, stride; /* 0: the default */
    uint32_t places;                /* of a vector; 0: the default */

    uint32_t match, match_error; /* 0: the default */
    uint32_t match_step;
    uint32_t settle; /* 0: stochastic; 1: nearest; 2: none */
    uint32_t inherit;
    uint32_t recycle, recycle_uses;
    uint32_t trust;
    uint32_t contrast; /* 0: the default */
    uint32_t looks;    /* 1, 5 or 9 */
    uint32_t look_cost;
} ColumnsSetup;

#endif
