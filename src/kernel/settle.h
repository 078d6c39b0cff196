/* settle.h - a template follows a patch: the loop of every kernel. Compilers turn it into vectors
 * by themselves, and each kernel compiles it for its own instructions. */
#include "base/draws.h"

/* SETTLE_LANES values at a time. Each lane has draws of its own, every SETTLE_LANES-th of all. */
static uint32_t settle(const Settling *s) {
    uint32_t lane[SETTLE_LANES], squares[SETTLE_LANES] = {0};
    uint32_t draws = s->draws, factor = 1, step = 0, sum = 0;
    int32_t rate = s->rate;
    for (size_t l = 0; l < SETTLE_LANES; l++) {
        lane[l] = draw_next(&draws);
        factor *= DRAW_FACTOR; /* what so many draws at once do */
        step = step * DRAW_FACTOR + DRAW_STEP;
    }
    for (size_t k = 0; k < s->n; k += SETTLE_LANES) {
        int8_t *restrict t = s->t + k;
        const int8_t *restrict x = s->x + k;
        for (size_t l = 0; l < SETTLE_LANES; l++) {
            int32_t moved = t[l] + (((x[l] - t[l]) * rate + (int32_t)(lane[l] >> 16)) >> 16);
            t[l] = (int8_t)moved;
            squares[l] += (uint32_t)(moved * moved);
            lane[l] = lane[l] * factor + step;
        }
    }
    for (size_t l = 0; l < SETTLE_LANES; l++)
        sum += squares[l];
    return sum;
}
