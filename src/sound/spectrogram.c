/* spectrogram.c - from samples to energies in bands, to logarithms, to a picture. Only + - * / on
 * doubles: the same picture everywhere. */
#include "base/exact.h"

#include "sound/spectrogram.h"

#include "base/elementary.h"
#include "base/fourier.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const SpectrogramRules spectrogram_default = {
    .n_bands = 16, .n_frames = 32, .low_hz = 100, .high_hz = 8000};

enum { WINDOW_PER_SECOND = 40, FRAMES_PER_SECOND = 100 }; /* 25 ms every 10 ms */

static const double quiet = 1e-3; /* of the loudest frame: quieter ones at the ends are silence */
static const double dark = 1e-5;  /* of the largest energy: what is far below it is all the same */

/* Which frequencies a band has, by index. */
typedef struct Band {
    size_t first, end;
} Band;

typedef struct Drawing {
    const Sound *sound;
    const SpectrogramRules *rules;
    size_t window, hop, n; /* in samples; frames */
    Fourier fourier;
    double *hann;             /* [window] */
    double *share;            /* [n_bands][fourier.n / 2 + 1]: of a frequency in a band */
    Band *bands;              /* [n_bands] */
    double *real, *imaginary; /* [fourier.n] */
    double *energy;           /* [n][n_bands], later their logarithms */
    double *picture;          /* [n_bands][n_frames] */
} Drawing;

/* ---- bands ---- */

/* The critical band of a frequency, in Bark, and back (Traunmueller 1990). */
static double bark_of(double hz) {
    return 26.81 * hz / (1960 + hz) - 0.53;
}

static double hz_of(double bark) {
    return 1960 * (bark + 0.53) / (26.28 - bark);
}

/* Triangles that overlap by half, equally wide in Bark. */
static void make_bands(Drawing *drawing) {
    const SpectrogramRules *rules = drawing->rules;
    double half_rate = drawing->sound->rate / 2.0;
    double high = rules->high_hz < half_rate ? rules->high_hz : half_rate;
    double from = bark_of(rules->low_hz),
           step = (bark_of(high) - from) / (double)(rules->n_bands + 1);
    size_t n = drawing->fourier.n / 2 + 1;
    for (size_t b = 0; b < rules->n_bands; b++) {
        double low = hz_of(from + step * (double)b), middle = hz_of(from + step * (double)(b + 1)),
               top = hz_of(from + step * (double)(b + 2));
        Band *band = &drawing->bands[b];
        for (size_t k = 0; k < n; k++) {
            double hz = half_rate * (double)k / (double)(n - 1);
            double rise = (hz - low) / (middle - low), fall = (top - hz) / (top - middle);
            double share = rise < fall ? rise : fall;
            drawing->share[b * n + k] = share > 0 ? share : 0;
            if (share > 0 && band->end == 0)
                band->first = k;
            if (share > 0)
                band->end = k + 1;
        }
    }
}

/* ---- energies ---- */

static void measure_frame(Drawing *drawing, size_t frame) {
    size_t n = drawing->fourier.n / 2 + 1, first = frame * drawing->hop;
    double *energy = drawing->energy + frame * drawing->rules->n_bands;
    memset(drawing->real, 0, drawing->fourier.n * sizeof *drawing->real);
    memset(drawing->imaginary, 0, drawing->fourier.n * sizeof *drawing->imaginary);
    for (size_t i = 0; i < drawing->window && first + i < drawing->sound->n; i++)
        drawing->real[i] = drawing->hann[i] * (double)drawing->sound->samples[first + i];
    fourier_transform(&drawing->fourier, drawing->real, drawing->imaginary);
    for (size_t b = 0; b < drawing->rules->n_bands; b++) {
        energy[b] = 0;
        for (size_t k = drawing->bands[b].first; k < drawing->bands[b].end; k++)
            energy[b] +=
                drawing->share[b * n + k] * (drawing->real[k] * drawing->real[k] +
                                             drawing->imaginary[k] * drawing->imaginary[k]);
    }
}

/* The energy of a frame in all bands. */
static double loudness(const Drawing *drawing, size_t frame) {
    double sum = 0;
    for (size_t b = 0; b < drawing->rules->n_bands; b++)
        sum += drawing->energy[frame * drawing->rules->n_bands + b];
    return sum;
}

/* Cut silence off both ends; false if there is nothing else. */
static bool trim(Drawing *drawing) {
    double loudest = 0;
    size_t first = 0;
    for (size_t i = 0; i < drawing->n; i++)
        loudest = loudness(drawing, i) > loudest ? loudness(drawing, i) : loudest;
    if (!(loudest > 0))
        return false;
    while (!(loudness(drawing, first) > quiet * loudest))
        first++;
    while (!(loudness(drawing, drawing->n - 1) > quiet * loudest))
        drawing->n--;
    drawing->n -= first;
    memmove(drawing->energy, drawing->energy + first * drawing->rules->n_bands,
            drawing->n * drawing->rules->n_bands * sizeof *drawing->energy);
    return true;
}

static void take_logarithms(Drawing *drawing) {
    size_t n = drawing->n * drawing->rules->n_bands;
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = drawing->energy[i] > largest ? drawing->energy[i] : largest;
    for (size_t i = 0; i < n; i++)
        drawing->energy[i] = log2_exact(drawing->energy[i] / largest + dark);
}

/* ---- the picture ---- */

/* Column `at` of the picture is the mean of the frames near its middle, weighted by how near: of
 * the two beside it, or, if there are more frames than columns, of so many more. */
static void draw_column(Drawing *drawing, size_t at) {
    size_t n_frames = drawing->rules->n_frames, n_bands = drawing->rules->n_bands;
    double step = (double)drawing->n / (double)n_frames, reach = step > 1 ? step : 1, sum = 0;
    double middle = ((double)at + 0.5) * step - 0.5;
    for (size_t b = 0; b < n_bands; b++)
        drawing->picture[b * n_frames + at] = 0;
    for (size_t i = 0; i < drawing->n; i++) {
        double weight = 1 - fabs((double)i - middle) / reach;
        if (!(weight > 0))
            continue;
        sum += weight;
        for (size_t b = 0; b < n_bands; b++)
            drawing->picture[b * n_frames + at] += weight * drawing->energy[i * n_bands + b];
    }
    for (size_t b = 0; b < n_bands; b++)
        drawing->picture[b * n_frames + at] /= sum;
}

/* Half of what a band has on average is the voice and the microphone: it goes. */
static void level_bands(Drawing *drawing) {
    size_t n = drawing->rules->n_frames;
    for (size_t b = 0; b < drawing->rules->n_bands; b++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += drawing->picture[b * n + i];
        for (size_t i = 0; i < n; i++)
            drawing->picture[b * n + i] -= sum / (double)n / 2;
    }
}

/* The darkest pixel becomes 0, the brightest 255. */
static void give_pixels(const Drawing *drawing, uint8_t *out) {
    size_t n = drawing->rules->n_bands * drawing->rules->n_frames;
    double least = drawing->picture[0], most = least;
    for (size_t i = 0; i < n; i++) {
        least = drawing->picture[i] < least ? drawing->picture[i] : least;
        most = drawing->picture[i] > most ? drawing->picture[i] : most;
    }
    double range = most > least ? most - least : 1;
    for (size_t i = 0; i < n; i++)
        out[i] = (uint8_t)(255 * (drawing->picture[i] - least) / range + 0.5);
}

/* ---- all of it ---- */

static size_t power_of_two(size_t least) {
    size_t n = 2;
    while (n < least)
        n *= 2;
    return n;
}

static double *room(size_t n) {
    return calloc(n, sizeof(double));
}

static bool make_room(Drawing *drawing) {
    const SpectrogramRules *rules = drawing->rules;
    size_t n = power_of_two(drawing->window);
    drawing->hann = room(drawing->window);
    drawing->share = room(rules->n_bands * (n / 2 + 1));
    drawing->bands = calloc(rules->n_bands, sizeof *drawing->bands);
    drawing->real = room(n);
    drawing->imaginary = room(n);
    drawing->energy = room(drawing->n * rules->n_bands);
    drawing->picture = room(rules->n_bands * rules->n_frames);
    return fourier_new(&drawing->fourier, n) && drawing->hann && drawing->share && drawing->bands &&
           drawing->real && drawing->imaginary && drawing->energy && drawing->picture;
}

static void free_room(Drawing *drawing) {
    fourier_free(&drawing->fourier);
    free(drawing->hann);
    free(drawing->share);
    free(drawing->bands);
    free(drawing->real);
    free(drawing->imaginary);
    free(drawing->energy);
    free(drawing->picture);
}

static void draw(Drawing *drawing, uint8_t *out) {
    for (size_t i = 0; i < drawing->window; i++)
        drawing->hann[i] = 0.5 - 0.5 * cosine_of_turns(((double)i + 0.5) / (double)drawing->window);
    make_bands(drawing);
    for (size_t i = 0; i < drawing->n; i++)
        measure_frame(drawing, i);
    memset(out, 0, drawing->rules->n_bands * drawing->rules->n_frames);
    if (!trim(drawing))
        return;
    take_logarithms(drawing);
    for (size_t i = 0; i < drawing->rules->n_frames; i++)
        draw_column(drawing, i);
    level_bands(drawing);
    give_pixels(drawing, out);
}

tacos_status spectrogram_draw(const Sound *sound, const SpectrogramRules *rules, uint8_t *out,
                              const char *name, tacos_error *err) {
    Drawing drawing = {.sound = sound,
                       .rules = rules,
                       .window = sound->rate / WINDOW_PER_SECOND,
                       .hop = sound->rate / FRAMES_PER_SECOND};
    assert(rules->n_bands > 0 && rules->n_bands <= SPECTROGRAM_BANDS_MAX && rules->n_frames > 0);
    if (sound->n / sound->rate >= SPECTROGRAM_SECONDS_MAX)
        return failure(err, TACOS_FORMAT, "%.300s is longer than %d seconds", name,
                       SPECTROGRAM_SECONDS_MAX);
    drawing.n = sound->n < drawing.window ? 1 : 1 + (sound->n - drawing.window) / drawing.hop;
    bool made = make_room(&drawing);
    if (made)
        draw(&drawing, out);
    free_room(&drawing);
    return made ? TACOS_OK : failure(err, TACOS_MEMORY, "no memory to draw %.300s", name);
}
