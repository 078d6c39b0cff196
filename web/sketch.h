/* sketch.h - a drawing as the network sees it: strokes to a small grey image.
 *
 * A drawing is a list of points; a pen-up ends a stroke. Any number of copies can be made of it,
 * each a little different, as if drawn again by hand, so that one drawing can teach as much as a
 * hundred. The same drawing, seed and copy give the same image, on every machine. */
#ifndef WEB_SKETCH_H
#define WEB_SKETCH_H

#include <stddef.h>
#include <stdint.h>

enum { SKETCH_SIDE = 16, SKETCH_PIXELS = SKETCH_SIDE * SKETCH_SIDE };

/* A place on the paper, in units of its width; y points down. x < 0: the pen goes up. */
typedef struct SketchPoint {
    float x, y;
} SketchPoint;

/* Copy 0 is the drawing itself, only moved to the middle and to a common size. Ink is in [0, 1]. */
void sketch_copy(const SketchPoint *points, size_t n, uint32_t seed, uint64_t copy,
                 float image[SKETCH_PIXELS]);

#endif
