/* image_grid.c - a grid of images: one PNG per row of tiles, with labels and tooltips over it. */
#include "report/charts/charts.h"

#include <math.h>
#include <stdlib.h>

/* Colours: 0 is the gap between tiles, 1 to LEVELS are values from -1 to 1. */
enum { LEVELS = 63, GAP = 2 };

static const double LABEL = 1.25; /* em below each row of tiles */

static size_t rows_of(const ImageGrid *grid) {
    return (grid->n + grid->columns - 1) / grid->columns;
}

/* A tile with its gap is this much of the grid's width. */
static double tile_width(const ImageGrid *grid) {
    size_t pixels = grid->columns * (grid->width + GAP) - GAP;
    return grid->box.width * (double)(grid->width + GAP) / (double)pixels;
}

static double tile_height(const ImageGrid *grid) {
    return tile_width(grid) * (double)grid->height / (double)(grid->width + GAP);
}

double image_grid_height(const Figure *figure, const ImageGrid *grid) {
    return (double)rows_of(grid) * (tile_height(grid) + figure->sizes.em * LABEL);
}

static uint8_t level(double value) {
    double t = fmin(fmax(value, -1), 1);
    return (uint8_t)(1 + lround((t + 1) / 2 * (LEVELS - 1)));
}

/* One row of tiles as a strip of pixels. */
static void fill_strip(const ImageGrid *grid, size_t row, uint8_t *pixels, size_t width) {
    for (size_t c = 0; c < grid->columns && row * grid->columns + c < grid->n; c++) {
        const float *tile = grid->values + (row * grid->columns + c) * grid->width * grid->height;
        uint8_t *at = pixels + c * (grid->width + GAP);
        for (size_t y = 0; y < grid->height; y++)
            for (size_t x = 0; x < grid->width; x++)
                at[y * width + x] = level((double)tile[y * grid->width + x]);
    }
}

static tacos_status draw_strip(Figure *figure, const ImageGrid *grid, size_t row, double y,
                               tacos_error *err) {
    Rgb colours[LEVELS + 1] = {{255, 255, 255}};
    size_t width = grid->columns * (grid->width + GAP) - GAP;
    uint8_t *pixels = calloc(width, grid->height);
    if (!pixels)
        return failure(err, TACOS_MEMORY, "no memory for images");
    for (int k = 0; k < LEVELS; k++)
        colours[k + 1] = ramp_sign((double)k / (LEVELS - 1) * 2 - 1);
    fill_strip(grid, row, pixels, width);
    Image image = {width, grid->height, pixels, LEVELS + 1, colours, true};
    Box box = {grid->box.x, y, grid->box.width, tile_height(grid)};
    tacos_status status = svg_image(&figure->marks, box, &image, err);
    free(pixels);
    return status;
}

static void draw_labels(Figure *figure, const ImageGrid *grid, size_t row, double y) {
    double em = figure->sizes.em, pitch = tile_width(grid), high = tile_height(grid);
    double wide = pitch * (double)grid->width / (double)(grid->width + GAP);
    for (size_t c = 0; c < grid->columns && row * grid->columns + c < grid->n; c++) {
        size_t i = row * grid->columns + c;
        double x = grid->box.x + pitch * (double)c;
        svg_text(&figure->marks, "muted tiny m", x + wide / 2, y + high + em * 0.8,
                 grid->tiles[i].label);
        svg_rect(&figure->marks, "hit", (Box){x, y, wide, high}, grid->tiles[i].tip);
    }
}

tacos_status image_grid_draw(Figure *figure, const ImageGrid *grid, tacos_error *err) {
    double pitch = tile_height(grid) + figure->sizes.em * LABEL;
    for (size_t row = 0; row < rows_of(grid); row++) {
        double y = grid->box.y + pitch * (double)row;
        TRY(draw_strip(figure, grid, row, y, err));
        draw_labels(figure, grid, row, y);
    }
    return TACOS_OK;
}
