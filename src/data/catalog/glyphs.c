/* glyphs.c - the built-in data set: ten symbols of an invented alphabet, drawn by strokes.
 *
 * It makes the program usable without a download, so it must be hard in the way that matters here.
 * Tasks are the class pairs 0-1, 2-3, 4-5, 6-7, 8-9; the first class of a pair means output 0, the
 * second output 1. The symbols were chosen from a larger alphabet so that tasks interfere: with d
 * the mean image of a pair's first class minus that of its second, d_i . d_j < 0 for any two tasks.
 * Learning a task undoes earlier ones, yet all ten classes can be told apart;
 * tests/unit/test_glyphs.c checks both.
 *
 * Assumes IEEE floats and no contraction to fused multiply-add (-ffp-contract=off). Only + - * /
 * and sqrtf are used, in a fixed order: the images have the same bits on every machine. */
#include "base/rng.h"
#include "data/catalog/catalog.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A symbol is a list of strokes over a board of 5 x 5 points, named as in chess: a-e from left to
 * right, 1-5 from bottom to top. Two points are a line; three are a bow that leaves the first
 * toward the middle one and arrives at the last from there (a quadratic Bezier curve). */
enum { BOARD = 5 };
static const char *const alphabet[GLYPHS_CLASSES] = {
    "a1a5 e1e5 a2e4",                   /* 0 */
    "c1c5 a5e5 a1a3c3",                 /* 1 */
    "e1e5a5 a5a2 c2c4",                 /* 2 */
    "a1e1 c1a3a5 c1e3e5",               /* 3 */
    "c1c5 c1a1a3 c3e3",                 /* 4 */
    "e1a3e5 a3c3",                      /* 5 */
    "b1b5 b1e1e3 a4d4",                 /* 6 */
    "c5e5e3 e3e1c1 c1a1a3 a3a5c5 c4c2", /* 7 */
    "a5c1e5 c1c5",                      /* 8 */
    "a1c5 c5e1 c5c2",                   /* 9 */
};

#define BOARD_HALF_PX 8.2f  /* from the middle of the board to its upper edge */
#define BOARD_ASPECT  0.80f /* width to height: letters are tall */
#define HALF_WIDTH_PX 1.25f /* of a stroke */
#define EDGE_PX       0.75f /* ink falls from full to none over this distance */

/* How much one image differs from the next: each draw is uniform in plus or minus this. Strong
 * enough that a linear readout of the pixels errs on one image in twenty. */
#define VARY_POINT    0.16f /* each board point by itself, as a fraction of the board's half */
#define VARY_TURN     0.14f /* tan of half the angle: 16 degrees */
#define VARY_SHEAR    0.22f
#define VARY_SCALE    0.15f /* width and height by themselves */
#define VARY_SHIFT_PX 2.2f
#define VARY_WIDTH_PX 0.30f /* of HALF_WIDTH_PX */

#define INK_LOSS 0.25f /* a pixel lacks up to this much of its ink, each by itself */
enum { N_SPECKLES_MAX = 7, SPECKLE_MIN = 48 };

/* A bow is drawn as this many straight pieces; more cannot be seen at this size. */
enum { BOW_PIECES = 6 };

/* Where an image's random numbers are, in Philox blocks. */
enum {
    BLOCK_TURN = 0,    /* angle, shear, scales */
    BLOCK_SHIFT = 1,   /* x, y */
    BLOCK_PEN = 2,     /* width, number of speckles */
    BLOCK_SPECKLE = 8, /* one each */
    BLOCK_JITTER = 16, /* one for two board points */
    BLOCK_INK = 32,    /* one for 16 pixels */
};

enum { SIDE = GLYPHS_SIDE, N_PIXELS = SIDE * SIDE };
_Static_assert(N_PIXELS % 16 == 0, "the ink's noise is drawn 16 pixels at a time");
_Static_assert(FLT_EVAL_METHOD == 0, "wider intermediate results would change the images");
enum { N_TRAIN = 1200, N_TEST = 250 }; /* images a class */

typedef struct Point {
    float x, y; /* pixels; y points down */
} Point;

/* [-1, 1) */
static float rng_sym(uint32_t word) {
    return 2.0f * rng_unit(word) - 1.0f;
}

/* Put the board's points into the image: jittered one by one, then turned, sheared, scaled and
 * moved together. Strokes that meet in a point still meet, as a hand would draw them. */
static void place_board(Point board[BOARD][BOARD], uint32_t seed, unsigned class_index,
                        uint64_t image) {
    RngBlock turn = rng_block(seed, RNG_GLYPHS, image, BLOCK_TURN, class_index);
    RngBlock shift = rng_block(seed, RNG_GLYPHS, image, BLOCK_SHIFT, class_index);
    float t = VARY_TURN * rng_sym(turn.word[0]);
    float cosine = (1.0f - t * t) / (1.0f + t * t);
    float sine = 2.0f * t / (1.0f + t * t);
    float shear = VARY_SHEAR * rng_sym(turn.word[1]);
    float scale_x = BOARD_HALF_PX * BOARD_ASPECT * (1.0f + VARY_SCALE * rng_sym(turn.word[2]));
    float scale_y = BOARD_HALF_PX * (1.0f + VARY_SCALE * rng_sym(turn.word[3]));
    float middle_x = 0.5f * (float)(SIDE - 1) + VARY_SHIFT_PX * rng_sym(shift.word[0]);
    float middle_y = 0.5f * (float)(SIDE - 1) + VARY_SHIFT_PX * rng_sym(shift.word[1]);

    for (unsigned row = 0; row < BOARD; row++) {
        for (unsigned col = 0; col < BOARD; col++) {
            unsigned i = row * BOARD + col;
            RngBlock r = rng_block(seed, RNG_GLYPHS, image, BLOCK_JITTER + i / 2, class_index);
            const uint32_t *word = &r.word[i % 2 ? 2 : 0];
            float x = 0.5f * (float)col - 1.0f + VARY_POINT * rng_sym(word[0]);
            float y = 1.0f - 0.5f * (float)row + VARY_POINT * rng_sym(word[1]);
            x = (x + shear * y) * scale_x;
            y = y * scale_y;
            board[row][col] =
                (Point){middle_x + (cosine * x - sine * y), middle_y + (sine * x + cosine * y)};
        }
    }
}

static float clamp(float value, float low, float high) {
    float above = value > low ? value : low;
    return above < high ? above : high;
}

/* Lower the squared distance of every pixel that the segment p-q could ink. */
static void near_segment(float dist2[N_PIXELS], Point p, Point q, float reach) {
    float last = (float)(SIDE - 1);
    int x0 = (int)clamp((p.x < q.x ? p.x : q.x) - reach, 0.0f, last);
    int x1 = (int)clamp((p.x > q.x ? p.x : q.x) + reach, 0.0f, last);
    int y0 = (int)clamp((p.y < q.y ? p.y : q.y) - reach, 0.0f, last);
    int y1 = (int)clamp((p.y > q.y ? p.y : q.y) + reach, 0.0f, last);
    float ux = q.x - p.x, uy = q.y - p.y;
    float length2 = ux * ux + uy * uy;
    float inverse = length2 > 0.0f ? 1.0f / length2 : 0.0f;

    for (int y = y0; y <= y1; y++) {
        float *row = dist2 + y * SIDE;
        float py = (float)y - p.y;
        for (int x = x0; x <= x1; x++) {
            float px = (float)x - p.x;
            float along = clamp((px * ux + py * uy) * inverse, 0.0f, 1.0f);
            float dx = px - along * ux, dy = py - along * uy;
            float d2 = dx * dx + dy * dy;
            row[x] = d2 < row[x] ? d2 : row[x];
        }
    }
}

static Point bow_at(Point p, Point via, Point q, float t) {
    float s = 1.0f - t;
    float a = s * s, b = 2.0f * s * t, c = t * t;
    return (Point){(a * p.x + b * via.x) + c * q.x, (a * p.y + b * via.y) + c * q.y};
}

/* Read one stroke of a symbol and return what follows it. */
static const char *draw_stroke(const char *text, Point board[BOARD][BOARD], float dist2[N_PIXELS],
                               float reach) {
    Point points[3];
    unsigned n = 0;
    for (; *text && *text != ' '; text += 2) {
        assert(n < 3 && text[0] >= 'a' && text[0] <= 'e' && text[1] >= '1' && text[1] <= '5');
        points[n++] = board[text[1] - '1'][text[0] - 'a'];
    }
    assert(n >= 2);
    if (n == 2) {
        near_segment(dist2, points[0], points[1], reach);
    } else {
        Point from = points[0];
        for (unsigned i = 1; i <= BOW_PIECES; i++) {
            Point to = bow_at(points[0], points[1], points[2], (float)i / (float)BOW_PIECES);
            near_segment(dist2, from, to, reach);
            from = to;
        }
    }
    return *text ? text + 1 : text;
}

/* The squared distance of every pixel from the nearest stroke, or reach squared if that is less. */
static void trace_symbol(float dist2[N_PIXELS], uint32_t seed, unsigned class_index, uint64_t image,
                         float reach) {
    Point board[BOARD][BOARD];
    place_board(board, seed, class_index, image);
    for (unsigned i = 0; i < N_PIXELS; i++)
        dist2[i] = reach * reach;
    for (const char *text = alphabet[class_index]; *text;)
        text = draw_stroke(text, board, dist2, reach);
}

/* 16 pixels, each with its byte of a block. */
static void ink_pixels(uint8_t out[16], const float dist2[16], float reach, RngBlock noise) {
    int level[16];
    for (int k = 0; k < 16; k++)
        level[k] = (int)(noise.word[k / 4] >> (8 * (k % 4)) & 0xff);
    for (int k = 0; k < 16; k++) {
        float ink = clamp((reach - sqrtf(dist2[k])) * (1.0f / EDGE_PX), 0.0f, 1.0f);
        ink *= 1.0f - INK_LOSS * ((float)level[k] * (1.0f / 256.0f));
        level[k] = (int)(255.0f * ink + 0.5f);
    }
    for (int k = 0; k < 16; k++)
        out[k] = (uint8_t)level[k];
}

/* Most of an image is: no stroke comes near. */
static bool are_blank(const float dist2[16], float reach) {
    float nearest = dist2[0];
    for (int k = 1; k < 16; k++)
        nearest = dist2[k] < nearest ? dist2[k] : nearest;
    return nearest >= reach * reach;
}

void glyphs_draw(uint32_t seed, unsigned class_index, uint64_t image,
                 uint8_t out[GLYPHS_SIDE * GLYPHS_SIDE]) {
    assert(class_index < GLYPHS_CLASSES);
    RngBlock pen = rng_block(seed, RNG_GLYPHS, image, BLOCK_PEN, class_index);
    float reach = HALF_WIDTH_PX + VARY_WIDTH_PX * rng_sym(pen.word[0]) + 0.5f * EDGE_PX;
    float dist2[N_PIXELS];
    trace_symbol(dist2, seed, class_index, image, reach);

    for (unsigned i = 0; i < N_PIXELS; i += 16) {
        if (are_blank(dist2 + i, reach))
            memset(out + i, 0, 16);
        else
            ink_pixels(out + i, dist2 + i, reach,
                       rng_block(seed, RNG_GLYPHS, image, BLOCK_INK + i / 16, class_index));
    }
    unsigned n_speckles = pen.word[1] % (N_SPECKLES_MAX + 1);
    for (unsigned i = 0; i < n_speckles; i++) {
        RngBlock r = rng_block(seed, RNG_GLYPHS, image, BLOCK_SPECKLE + i, class_index);
        out[r.word[0] % N_PIXELS] = (uint8_t)(SPECKLE_MIN + r.word[1] % (256 - SPECKLE_MIN));
    }
}

/* Images first .. first + n_each - 1 of every class, the classes taking turns. */
static tacos_status make_images(Images *out, uint32_t seed, size_t first, size_t n_each,
                                tacos_error *err) {
    size_t n = n_each * GLYPHS_CLASSES;
    *out = (Images){.n = n, .height = SIDE, .width = SIDE, .channels = 1};
    out->pixels = malloc(n * N_PIXELS);
    out->labels = malloc(n * sizeof *out->labels);
    if (!out->pixels || !out->labels) {
        images_free(out);
        return failure(err, TACOS_MEMORY, "no memory for %zu built-in images", n);
    }
    for (size_t i = 0; i < n; i++) {
        unsigned class_index = (unsigned)(i % GLYPHS_CLASSES);
        glyphs_draw(seed, class_index, first + i / GLYPHS_CLASSES, out->pixels + i * N_PIXELS);
        out->labels[i] = (uint16_t)class_index;
    }
    return TACOS_OK;
}

tacos_status glyphs_make(Dataset *out, uint32_t seed, tacos_error *err) {
    Dataset made = {.n_classes = GLYPHS_CLASSES};
    TRY(make_images(&made.train, seed, 0, N_TRAIN, err));
    tacos_status status = make_images(&made.test, seed, N_TRAIN, N_TEST, err);
    if (status != TACOS_OK) {
        dataset_free(&made);
        return status;
    }
    *out = made;
    return TACOS_OK;
}

tacos_status glyphs_read(Dataset *out, const char *folder, tacos_error *err) {
    (void)folder;
    return glyphs_make(out, 1, err);
}
