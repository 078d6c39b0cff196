/* png_out.h - a small image as a PNG in memory. */
#ifndef REPORT_PNG_OUT_H
#define REPORT_PNG_OUT_H

#include "report/charts/colour.h"
#include "report/charts/text.h"

enum { PNG_COLOURS_MAX = 256 };

/* Pixels are places in a list of at most PNG_COLOURS_MAX colours, row by row; colour 0 is
 * transparent if `clear`. The same image gives the same bytes with the same libpng and zlib. */
typedef struct PngImage {
    size_t width, height;
    const uint8_t *pixels; /* [height][width] */
    size_t n_colours;
    const Rgb *colours; /* [n_colours] */
    bool clear;
} PngImage;

tacos_status png_write(const PngImage *image, Text *out, tacos_error *err);

#endif
