/* sketch.c - strokes to a small grey image, a little different every time.
 *
 * Only + - * / and sqrtf, in a fixed order: see tacos.h, the same bits on every machine. */
#include "sketch.h"

#include <Random123/philox.h>

#include <math.h>
#include <stdbool.h>

enum { SIDE = SKETCH_SIDE };

#define SIZE_PX       (0.40f * (float)SIDE)  /* from a drawing's middle to its farther edge */
#define HALF_WIDTH_PX (0.046f * (float)SIDE) /* of a stroke */
#define EDGE_PX       0.9f                   /* ink falls from full to none over this distance */
#define EXTENT_MIN    0.15f /* smaller drawings than this (half their size) stay small */

/* How much a copy differs from the drawing: each is uniform in plus or minus this. */
#define VARY_TURN     0.05f /* tan of half the angle: 6 degrees */
#define VARY_SHEAR    0.06f
#define VARY_SCALE    0.06f /* width and height by themselves */
#define VARY_SHIFT_PX (0.03f * (float)SIDE)
#define VARY_WIDTH    0.25f /* of HALF_WIDTH_PX */
#define VARY_BEND     0.05f /* each corner and middle of the paper, of SIZE_PX */

enum { BEND = 3 }; /* the paper bends at 3 x 3 places */

/* What turns a place of the drawing into one of the image. */
typedef struct Hand {
    SketchPoint middle;           /* of the drawing */
    float zoom;                   /* drawing to -1..1 */
    float xx, xy, yx, yy;         /* turn, shear, scale; in pixels */
    float dx, dy;                 /* shift, in pixels */
    SketchPoint bend[BEND][BEND]; /* in -1..1 */
    float half_width;             /* pixels */
} Hand;

/* ---- random numbers by name ---- */

/* The n-th number of a copy, in [-1, 1); copy 0 has only zeros. */
static float vary(uint32_t seed, uint64_t copy, uint32_t n) {
    philox4x32_ctr_t counter = {{n / 4, 0, (uint32_t)copy, (uint32_t)(copy >> 32)}};
    philox4x32_key_t key = {{seed, 0x736b6574}};
    philox4x32_ctr_t bits = philox4x32(counter, key);
    float unit = (float)(bits.v[n % 4] >> 8) * 0x1p-24f;
    return copy ? 2.0f * unit - 1.0f : 0.0f;
}

/* ---- the hand that draws a copy ---- */

static float least(float a, float b) {
    return a < b ? a : b;
}

static float most(float a, float b) {
    return a > b ? a : b;
}

static bool pen_up(SketchPoint p) {
    return p.x < 0.0f;
}

static void frame(Hand *hand, const SketchPoint *points, size_t n) {
    SketchPoint low = {1, 1}, high = {0, 0};
    for (size_t k = 0; k < n; k++) {
        if (pen_up(points[k]))
            continue;
        low = (SketchPoint){least(low.x, points[k].x), least(low.y, points[k].y)};
        high = (SketchPoint){most(high.x, points[k].x), most(high.y, points[k].y)};
    }
    float extent = 0.5f * most(high.x - low.x, high.y - low.y);
    hand->middle = (SketchPoint){0.5f * (low.x + high.x), 0.5f * (low.y + high.y)};
    hand->zoom = 1.0f / most(extent, EXTENT_MIN);
}

static Hand hand_of(const SketchPoint *points, size_t n, uint32_t seed, uint64_t copy) {
    Hand hand;
    frame(&hand, points, n);
    float t = VARY_TURN * vary(seed, copy, 0);
    float cosine = (1.0f - t * t) / (1.0f + t * t), sine = 2.0f * t / (1.0f + t * t);
    float shear = VARY_SHEAR * vary(seed, copy, 1);
    float wide = SIZE_PX * (1.0f + VARY_SCALE * vary(seed, copy, 2));
    float high = SIZE_PX * (1.0f + VARY_SCALE * vary(seed, copy, 3));
    hand.xx = cosine * wide;
    hand.xy = cosine * (shear * wide) - sine * high;
    hand.yx = sine * wide;
    hand.yy = sine * (shear * wide) + cosine * high;
    hand.dx = 0.5f * (float)(SIDE - 1) + VARY_SHIFT_PX * vary(seed, copy, 4);
    hand.dy = 0.5f * (float)(SIDE - 1) + VARY_SHIFT_PX * vary(seed, copy, 5);
    hand.half_width = HALF_WIDTH_PX * (1.0f + VARY_WIDTH * vary(seed, copy, 6));
    for (uint32_t k = 0; k < BEND * BEND; k++)
        hand.bend[k / BEND][k % BEND] = (SketchPoint){VARY_BEND * vary(seed, copy, 8 + 2 * k),
                                                      VARY_BEND * vary(seed, copy, 9 + 2 * k)};
    return hand;
}

static float between(float a, float b, float share) {
    return a + share * (b - a);
}

static SketchPoint bend_at(const Hand *hand, float x, float y) {
    float u = least(most(x + 1.0f, 0.0f), 1.999f), v = least(most(y + 1.0f, 0.0f), 1.999f);
    size_t i = (size_t)u, j = (size_t)v;
    const SketchPoint *near = &hand->bend[j][i], *far = &hand->bend[j + 1][i];
    u -= (float)i;
    v -= (float)j;
    return (SketchPoint){
        between(between(near[0].x, near[1].x, u), between(far[0].x, far[1].x, u), v),
        between(between(near[0].y, near[1].y, u), between(far[0].y, far[1].y, u), v)};
}

static SketchPoint place(const Hand *hand, SketchPoint p) {
    float x = (p.x - hand->middle.x) * hand->zoom, y = (p.y - hand->middle.y) * hand->zoom;
    SketchPoint bend = bend_at(hand, x, y);
    x += bend.x;
    y += bend.y;
    return (SketchPoint){hand->xx * x + hand->xy * y + hand->dx,
                         hand->yx * x + hand->yy * y + hand->dy};
}

/* ---- ink ---- */

static float within(float value, float low, float high) {
    return most(low, least(value, high));
}

/* Lower the squared distance of every pixel that the segment p-q could ink. */
static void near_segment(float *dist2, SketchPoint p, SketchPoint q, float reach) {
    float last = (float)(SIDE - 1);
    size_t x0 = (size_t)within(least(p.x, q.x) - reach, 0.0f, last);
    size_t x1 = (size_t)within(most(p.x, q.x) + reach, 0.0f, last);
    size_t y0 = (size_t)within(least(p.y, q.y) - reach, 0.0f, last);
    size_t y1 = (size_t)within(most(p.y, q.y) + reach, 0.0f, last);
    float ux = q.x - p.x, uy = q.y - p.y, length2 = ux * ux + uy * uy;
    float inverse = length2 > 0.0f ? 1.0f / length2 : 0.0f;
    for (size_t y = y0; y <= y1; y++)
        for (size_t x = x0; x <= x1; x++) {
            float px = (float)x - p.x, py = (float)y - p.y;
            float along = within((px * ux + py * uy) * inverse, 0.0f, 1.0f);
            float dx = px - along * ux, dy = py - along * uy;
            dist2[y * SIDE + x] = least(dist2[y * SIDE + x], dx * dx + dy * dy);
        }
}

void sketch_copy(const SketchPoint *points, size_t n, uint32_t seed, uint64_t copy,
                 float image[SKETCH_PIXELS]) {
    Hand hand = hand_of(points, n, seed, copy);
    float reach = hand.half_width + 0.5f * EDGE_PX;
    SketchPoint last = {0, 0};
    bool down = false;
    for (size_t i = 0; i < SKETCH_PIXELS; i++)
        image[i] = reach * reach;
    for (size_t k = 0; k < n; k++) {
        if (!pen_up(points[k])) {
            SketchPoint here = place(&hand, points[k]);
            near_segment(image, down ? last : here, here, reach);
            last = here;
        }
        down = !pen_up(points[k]);
    }
    for (size_t i = 0; i < SKETCH_PIXELS; i++)
        image[i] = within((reach - sqrtf(image[i])) * (1.0f / EDGE_PX), 0.0f, 1.0f);
}
