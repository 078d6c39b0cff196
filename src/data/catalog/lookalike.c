/* lookalike.c - generates blobs with the statistics of a data set. Only + - * / on doubles: the
 * same images everywhere. */
#include "data/catalog/catalog.h"

#include "base/rng.h"

#include <stdlib.h>
#include <string.h>

enum { LOOKALIKE_SEED = 1 };

/* A blob is an ellipse; at the distance rho from its centre (1 at the edge) a pixel is lit by
 * 1 - c rho^2 - (1 - c) rho^4, which is 1 - c/2 - (1 - c)/3 on average. */
typedef struct Style {
    const char *name;
    double length, breadth; /* half the axes, in pixels */
    double shift;           /* of the centre, at most */
    double c;
} Style;

static const Style styles[] = {
    {"mnist", 9.4, 5.2, 3.5, 0},      /* 150 pixels lit; all light together is that of 102 */
    {"fashion", 13.0, 9.5, 2.5, 0.5}, /* 390 and 225 */
};

typedef struct Blob {
    double x, y;         /* centre */
    double cosine, sine; /* of the long axis */
    double length, breadth;
    double c;
} Blob;

/* Uniform in (-range, range). */
static double shaken(uint32_t word, double range) {
    return (2 * (double)rng_unit(word) - 1) * range;
}

/* The class is the direction of the long axis. With t the tangent of half an angle, its sine and
 * cosine take no more than a division. */
static Blob blob_draw(const Style *style, unsigned class_index, uint64_t image) {
    RngBlock place = rng_block(LOOKALIKE_SEED, RNG_ALIKE, image, 0, (uint32_t)(style - styles));
    RngBlock size = rng_block(LOOKALIKE_SEED, RNG_ALIKE, image, 1, (uint32_t)(style - styles));
    double middle = (LOOKALIKE_SIDE - 1) / 2.0;
    double t = 2.0 * (class_index + 0.5) / LOOKALIKE_CLASSES - 1 + shaken(size.word[0], 0.1);
    return (Blob){
        .x = middle + shaken(place.word[0], style->shift),
        .y = middle + shaken(place.word[1], style->shift),
        .cosine = (1 - t * t) / (1 + t * t),
        .sine = 2 * t / (1 + t * t),
        .length = style->length * (1 + shaken(size.word[1], 0.2)),
        .breadth = style->breadth * (1 + shaken(size.word[2], 0.2)),
        .c = style->c,
    };
}

static uint8_t blob_at(const Blob *blob, double x, double y) {
    double dx = x - blob->x, dy = y - blob->y;
    double along = (dx * blob->cosine + dy * blob->sine) / blob->length;
    double across = (dy * blob->cosine - dx * blob->sine) / blob->breadth;
    double rho2 = along * along + across * across;
    double light = 1 - blob->c * rho2 - (1 - blob->c) * rho2 * rho2;
    return (uint8_t)(light > 0 ? 255 * light : 0);
}

static void draw(const Style *style, unsigned class_index, uint64_t image, uint8_t *pixels) {
    Blob blob = blob_draw(style, class_index, image);
    for (size_t y = 0; y < LOOKALIKE_SIDE; y++)
        for (size_t x = 0; x < LOOKALIKE_SIDE; x++)
            pixels[y * LOOKALIKE_SIDE + x] = blob_at(&blob, (double)x, (double)y);
}

static tacos_status make_half(Images *out, const Style *style, size_t n, uint64_t first,
                              tacos_error *err) {
    size_t size = (size_t)LOOKALIKE_SIDE * LOOKALIKE_SIDE;
    *out = (Images){.n = n, .height = LOOKALIKE_SIDE, .width = LOOKALIKE_SIDE, .channels = 1};
    out->pixels = malloc(n * size + 1);
    out->labels = malloc(n * sizeof *out->labels + 1);
    if (!out->pixels || !out->labels)
        return failure(err, TACOS_MEMORY, "no memory for %zu images", n);
    for (size_t i = 0; i < n; i++) {
        out->labels[i] = (uint16_t)(i * LOOKALIKE_CLASSES / n);
        draw(style, out->labels[i], first + i, out->pixels + i * size);
    }
    return TACOS_OK;
}

tacos_status lookalike_make(Dataset *out, const char *name, size_t n, tacos_error *err) {
    const Style *style = NULL;
    for (size_t k = 0; k < sizeof styles / sizeof *styles; k++)
        if (strcmp(styles[k].name, name) == 0)
            style = &styles[k];
    *out = (Dataset){.n_classes = LOOKALIKE_CLASSES};
    if (!style)
        return failure(err, TACOS_UNKNOWN, "there are no look-alikes of '%.40s'", name);
    tacos_status status = make_half(&out->train, style, n, 0, err);
    if (status == TACOS_OK)
        status = make_half(&out->test, style, n, n, err);
    if (status != TACOS_OK)
        dataset_free(out);
    return status;
}
