/* encoder.c - see encoder.h. */
#include "stream/encoder.h"

#include "base/exact.h"
#include "base/pack_file.h"

#include <math.h>
#include <string.h>

enum { SIDE_LEAST = 8 }; /* of what may be an image */
/* Values of what may be an image that is not square, and of those that are looked at: all divisors
 * are tried. */
enum { OBLONG_MOST = 1 << 16, OBLONG_VALUES = 1 << 21 };
enum { FEW_ROWS = 32 };

/* ---- is it an image? ---- */

/* Pixels of some images, [n_rows][n]; or how they change from one image to the next, in which a
 * pattern that all of them have does not count, such as that of the hours of a day. */
typedef struct Pixels {
    const double *at;
    size_t n_rows, n;
    bool changes;
} Pixels;

/* Neighbours differ less than this fraction of others: in a square, and in any other shape, which
 * is one of many; in real images it is 0.2 to 0.4. */
static const double nearer = 0.8, much_nearer = 0.5;
/* Pixels a row apart differ less than this fraction of those a row and one pixel apart. */
static const double repeats = 0.95;

static size_t root_of(size_t n) {
    size_t root = 0;
    while ((root + 1) * (root + 1) <= n)
        root++;
    return root;
}

/* How much pixels that are `apart` differ, over all images. */
static double difference(const Pixels *pixels, size_t apart) {
    size_t n = pixels->n;
    double sum = 0;
    for (size_t r = pixels->changes; r < pixels->n_rows; r++) {
        const double *row = pixels->at + r * n, *before = pixels->changes ? row - n : NULL;
        for (size_t i = 0; i < n; i++) {
            size_t j = (i + apart) % n;
            double d = row[i] - row[j] - (before ? before[i] - before[j] : 0);
            sum += isnan(d) ? 0 : fabs(d);
        }
    }
    return sum;
}

/* Neighbours differ less than pixels half an image down and some aside. */
static bool is_smooth(const Encoder *encoder, const Pixels *pixels, double part) {
    size_t across = encoder->channels, down = encoder->width * encoder->channels;
    size_t far = pixels->n / 2 + across * (encoder->width / 3);
    double most = part * difference(pixels, far);
    return difference(pixels, across) < most && difference(pixels, down) < most;
}

/* The shape of a square image of n values, grey or in colour. */
static bool take_square(Encoder *encoder, size_t n) {
    for (size_t channels = 1; channels <= 3; channels += 2) {
        size_t side = root_of(n / channels);
        if (side >= SIDE_LEAST && side * side * channels == n) {
            encoder->height = encoder->width = side;
            encoder->channels = channels;
            return true;
        }
    }
    return false;
}

/* Whether pixels are more alike at this distance than at one a little shorter or longer. */
static bool repeats_at(const Pixels *pixels, size_t apart, size_t step) {
    double beside = difference(pixels, apart - step) + difference(pixels, apart + step);
    return difference(pixels, apart) < repeats * beside / 2;
}

/* Of pixels in colours, every third value is of the same colour. */
static size_t count_channels(const Pixels *pixels) {
    return pixels->n % 3 == 0 && repeats_at(pixels, 3, 1) ? 3 : 1;
}

/* The shape of any image: of widths at which pixels repeat, the one at which they are most alike.
 */
static bool take_oblong(Encoder *encoder, const Pixels *pixels, size_t channels) {
    size_t n = pixels->n / channels;
    double least = INFINITY;
    for (size_t width = SIDE_LEAST; width <= n / SIDE_LEAST; width++) {
        size_t down = width * channels;
        if (n % width != 0 || !repeats_at(pixels, down, channels) ||
            difference(pixels, down) >= least)
            continue;
        least = difference(pixels, down);
        *encoder = (Encoder){.height = n / width, .width = width, .channels = channels};
    }
    return encoder->width > 0;
}

/* A square that repeats, else another shape that does. Of the first few images, which may be too
 * few to tell, any square. */
bool encoder_is_image(const double *records, size_t n_rows, size_t n, Encoder *encoder) {
    Pixels all = {records, n_rows, n, false}, some = all;
    bool square = take_square(encoder, n) && is_smooth(encoder, &all, nearer);
    Encoder oblong = {0};
    if (n > OBLONG_MOST || (square && n_rows < FEW_ROWS))
        return square;
    some.n_rows = n_rows < OBLONG_VALUES / n ? n_rows : OBLONG_VALUES / n;
    some.changes = true;
    size_t channels = count_channels(&some);
    if (square && encoder->channels == channels &&
        repeats_at(&some, encoder->width * channels, channels))
        return true;
    if (!take_oblong(&oblong, &some, channels) || !is_smooth(&oblong, &some, much_nearer))
        return false;
    *encoder = oblong;
    return true;
}

/* ---- making ---- */

size_t encoder_groups(const Encoder *encoder, const Feature *feature, size_t n_trends) {
    if (feature->kind == FEATURE_CATEGORY)
        return (encoder->categories + encoder->fields - 1) / encoder->fields;
    return 1 + n_trends;
}

void encoder_table(Encoder *encoder, const Schema *schema, const StreamParams *params) {
    size_t groups = 0;
    *encoder = (Encoder){
        .kind = ENCODER_TABLE, .fields = params->fields, .categories = params->categories};
    for (size_t i = 0; i < schema->n; i++)
        groups += encoder_groups(encoder, &schema->feature[i], schema->n_trends);
    encoder->n_inputs = groups * params->fields;
}

/* `encoder` has the shape. */
void encoder_image(Encoder *encoder, const double *records, size_t n_rows, size_t n) {
    bool any = false;
    encoder->kind = ENCODER_IMAGE;
    encoder->n_inputs = n;
    for (size_t k = 0; k < n_rows * n; k++) {
        double value = records[k];
        if (isnan(value))
            continue;
        encoder->low = any && encoder->low < value ? encoder->low : value;
        encoder->high = any && encoder->high > value ? encoder->high : value;
        any = true;
    }
}

void encoder_none(Encoder *encoder, size_t n) {
    encoder->kind = ENCODER_NONE;
    encoder->n_inputs = n;
}

void encoder_signal(Encoder *encoder, size_t n, size_t window) {
    *encoder = (Encoder){.kind = ENCODER_SIGNAL,
                         .n_inputs = n * window,
                         .height = 1,
                         .width = window,
                         .channels = n};
}

void encoder_spectrogram(Encoder *encoder, size_t n_bands, size_t n_frames) {
    *encoder = (Encoder){.kind = ENCODER_SPECTROGRAM,
                         .n_inputs = n_bands * n_frames,
                         .height = n_bands,
                         .width = n_frames,
                         .channels = 1};
}

/* ---- encoding ---- */

/* From 0 to 1; in the middle if there is no scale. */
static double scaled(double value, double low, double high) {
    double span = high / 2 - low / 2, above = value / 2 - low / 2;
    if (span > 0)
        return above <= 0 ? 0 : above >= span ? 1 : above / span;
    return above < 0 ? 0 : above > 0 ? 1 : 0.5;
}

/* Field j is highest at j / (n - 1), and 0 two fields further. */
static void encode_fields(double place, size_t n, float *out) {
    for (size_t j = 0; j < n; j++) {
        double away = fabs(place * (double)(n - 1) - (double)j) / 2;
        out[j] = away < 1 ? (float)(1 - away) : 0;
    }
}

static void encode_number(const Encoder *encoder, const Schema *schema, size_t i, double value,
                          float *out) {
    const Feature *feature = &schema->feature[i];
    size_t n = encoder->fields;
    if (isnan(value))
        return;
    encode_fields(scaled(value, feature->low, feature->high), n, out);
    for (size_t k = 0; k < schema->n_trends; k++)
        encode_fields(trend_place(schema_trend(schema, i, k), value), n, out + (1 + k) * n);
}

static void encode_table(const Encoder *encoder, const Schema *schema, const double *record,
                         float *out) {
    memset(out, 0, encoder->n_inputs * sizeof *out);
    for (size_t i = 0; i < schema->n; i++) {
        const Feature *feature = &schema->feature[i];
        if (feature->kind != FEATURE_CATEGORY)
            encode_number(encoder, schema, i, record[i], out);
        else if (!isnan(record[i]))
            out[(size_t)record[i]] = 1;
        out += encoder_groups(encoder, feature, schema->n_trends) * encoder->fields;
    }
}

/* The oldest record first; 0 before there were so many. */
static void encode_signal(const Encoder *encoder, const Schema *schema, const double *record,
                          float *out) {
    for (size_t age = encoder->width; age-- > 0; out += schema->n) {
        const double *at = age > 0 ? history_record(&schema->history, age) : record;
        for (size_t i = 0; i < schema->n; i++) {
            const Feature *feature = &schema->feature[i];
            out[i] = isnan(at[i]) ? 0 : (float)scaled(at[i], feature->low, feature->high);
        }
    }
}

void encoder_encode(const Encoder *encoder, const Schema *schema, const double *record,
                    float *out) {
    if (encoder->kind == ENCODER_TABLE || encoder->kind == ENCODER_SIGNAL) {
        (encoder->kind == ENCODER_TABLE ? encode_table : encode_signal)(encoder, schema, record,
                                                                        out);
        return;
    }
    for (size_t i = 0; i < encoder->n_inputs; i++) {
        double value = record[i];
        if (encoder->kind == ENCODER_IMAGE)
            value = scaled(value, encoder->low, encoder->high);
        out[i] = isnan(record[i]) ? 0 : (float)value;
    }
}

bool encoder_move(Encoder *encoder, Pack *pack) {
    size_t *const counts[] = {&encoder->fields, &encoder->categories, &encoder->n_inputs,
                              &encoder->height, &encoder->width,      &encoder->channels};
    encoder->kind = (EncoderKind)pack_whole(pack, encoder->kind, 1);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        *counts[k] = (size_t)pack_whole(pack, *counts[k], 4);
    encoder->low = pack_real(pack, encoder->low);
    encoder->high = pack_real(pack, encoder->high);
    return !pack->failed && encoder->kind <= ENCODER_SPECTROGRAM && isfinite(encoder->low) &&
           isfinite(encoder->high) && encoder->low <= encoder->high;
}
