/* job.c - a fixed job for the playground's networks; tests/web/digest.mjs gives the browser's
 * the same one, and compares what both print. */
#include "learner.h"

#include <stdio.h>

enum { DRAWINGS = 6, STROKES = 3, POINTS = 12, PAPER = 1000 };

/* Places on the paper that look like nothing: whole numbers, the same in every language. */
static uint32_t next_place(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) % (PAPER + 1);
}

static size_t draw(uint32_t drawing) {
    SketchPoint *paper = play_paper();
    uint32_t state = drawing + 1;
    size_t n = 0;
    for (int stroke = 0; stroke < STROKES; stroke++) {
        for (int k = 0; k < POINTS; k++, n++) {
            paper[n].x = (float)((double)next_place(&state) / PAPER);
            paper[n].y = (float)((double)next_place(&state) / PAPER);
        }
        paper[n++] = (SketchPoint){-1, -1};
    }
    return n;
}

static uint32_t crc32_of(FILE *file) {
    uint32_t crc = ~0u;
    for (int byte = getc(file); byte != EOF; byte = getc(file)) {
        crc ^= (uint32_t)byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

static int report(uint32_t net) {
    FILE *file = play_save(net) ? fopen(PLAY_FILE, "rb") : NULL;
    if (!file)
        return 0;
    printf("network %u %08x\n", net, crc32_of(file));
    fclose(file);
    remove(PLAY_FILE);
    for (uint32_t k = 0; k < DRAWINGS; k++) {
        int says = play_ask(net, draw(k));
        const uint32_t *counts = play_counts();
        printf("drawing %u: says %d, counts", k, says);
        for (uint32_t o = 0; o < (net < PLAY_SPIKING ? PLAY_BASKETS : DRAWINGS); o++)
            printf(" %u", counts[o]);
        if (net < PLAY_SPIKING)
            printf(", spikes %zu", play_n_spikes(net));
        play_exam_draw(draw(k), k);
        printf(", right %d\n", play_exam_right(net, net < PLAY_SPIKING ? k % PLAY_BASKETS : k));
    }
    return 1;
}

int main(void) {
    int good = play_begin(7);
    for (uint32_t k = 0; k < DRAWINGS && good; k++)
        for (uint32_t copy = 0; copy < PLAY_COPIES && good; copy++)
            good = play_teach(draw(k), k, copy, k % PLAY_BASKETS, k);
    for (uint32_t net = 0; net < PLAY_NETS && good; net++)
        good = report(net);
    if (!good)
        fprintf(stderr, "%s\n", play_error());
    return !good;
}
