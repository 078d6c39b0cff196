/* image_grid.h - many small images in rows and columns, as one PNG, with a number below each. */
#ifndef REPORT_IMAGE_GRID_H
#define REPORT_IMAGE_GRID_H

#include "report/charts/axes.h"

typedef struct ImageGrid {
    Box box;
    size_t n, columns;
    size_t width, height;      /* of one image, in pixels */
    const float *values;       /* [n][height][width] */
    double bound;              /* values from -bound to bound have colours */
    const char *const *labels; /* [n], below the images */
    const char *const *tips;   /* [n] */
} ImageGrid;

/* How high the grid is if it is this wide. */
double image_grid_height(const Figure *figure, const ImageGrid *grid);

tacos_status image_grid_draw(Figure *figure, const ImageGrid *grid, tacos_error *err);

#endif
