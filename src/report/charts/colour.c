/* colour.c - colour ramps, interpolated between a few fixed colours. */
#include "report/charts/colour.h"

#include <math.h>
#include <stddef.h>

static uint8_t mix(uint8_t a, uint8_t b, double part) {
    return (uint8_t)lround((double)a + ((double)b - (double)a) * part);
}

/* t in [0, 1] over evenly spaced colours; NaN gives the first. */
static Rgb between(const Rgb *colours, size_t n, double t) {
    double place = t > 0 ? fmin(t, 1) * (double)(n - 1) : 0;
    size_t k = (size_t)place;
    if (k >= n - 1)
        return colours[n - 1];
    double part = place - (double)k;
    return (Rgb){mix(colours[k].r, colours[k + 1].r, part),
                 mix(colours[k].g, colours[k + 1].g, part),
                 mix(colours[k].b, colours[k + 1].b, part)};
}

Rgb ramp_amount(double t) {
    static const Rgb colours[] = {{243, 247, 245}, {203, 228, 219}, {136, 199, 192}, {70, 158, 172},
                                  {36, 112, 150},  {28, 66, 117},   {15, 29, 66}};
    return between(colours, sizeof colours / sizeof *colours, t);
}

Rgb ramp_amount_dark(double t) {
    static const Rgb colours[] = {{36, 42, 50},   {36, 62, 84},    {30, 92, 118},  {28, 128, 140},
                                  {66, 168, 142}, {146, 208, 122}, {246, 240, 130}};
    return between(colours, sizeof colours / sizeof *colours, t);
}

Rgb ramp_sign(double t) {
    static const Rgb colours[] = {{138, 46, 0},    {213, 94, 0},  {246, 190, 150}, {250, 250, 250},
                                  {150, 200, 232}, {0, 114, 178}, {0, 55, 100}};
    return between(colours, sizeof colours / sizeof *colours, (t + 1) / 2);
}

Rgb ramp_order(double t) {
    static const Rgb colours[] = {{112, 104, 192}, {20, 122, 186}, {0, 144, 130},
                                  {116, 148, 30},  {206, 116, 0},  {201, 72, 40}};
    return between(colours, sizeof colours / sizeof *colours, t);
}

static double linear(uint8_t part) {
    double c = (double)part / 255;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(Rgb colour) {
    return 0.2126 * linear(colour.r) + 0.7152 * linear(colour.g) + 0.0722 * linear(colour.b);
}

double colour_contrast(Rgb a, Rgb b) {
    double one = luminance(a) + 0.05, other = luminance(b) + 0.05;
    return fmax(one, other) / fmin(one, other);
}

/* One of the two always has a contrast of at least 4.58, the square root of 21. */
bool colour_is_dark(Rgb colour) {
    static const Rgb white = {255, 255, 255}, black = {0, 0, 0};
    return colour_contrast(colour, white) > colour_contrast(colour, black);
}
