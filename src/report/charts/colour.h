/* colour.h - colours that can be distinguished with any kind of colour vision.
 *
 * Series are coloured by class (chart.css has the colours, one set for light and one for dark),
 * values by one of the ramps. */
#ifndef REPORT_COLOUR_H
#define REPORT_COLOUR_H

#include <stdbool.h>
#include <stdint.h>

/* Further series reuse the colours with other dashes. */
enum { PALETTE_SIZE = 8 };

typedef struct Rgb {
    uint8_t r, g, b;
} Rgb;

/* From 0 (pale) to 1 (dark). */
Rgb ramp_amount(double t);

/* The same on dark ground, where more is brighter. */
Rgb ramp_amount_dark(double t);

/* From -1 (vermilion) through 0 (white) to 1 (blue). */
Rgb ramp_sign(double t);

/* From the first (0) to the last (1) of many series; readable as lines on light and on dark. */
Rgb ramp_order(double t);

/* The contrast ratio of WCAG, from 1 to 21; text needs 4.5. */
double colour_contrast(Rgb a, Rgb b);

/* Is white text on it easier to read than black? */
bool colour_is_dark(Rgb colour);

#endif
