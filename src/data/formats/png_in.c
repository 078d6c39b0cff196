/* png_in.c - decodes PNG with libpng, and scales images. */
#include "data/formats/png_in.h"

#include "data/dataset.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES_MAX = 8 << 20, SIDE_MAX = 65535, SAMPLES_MAX = 4 };
enum { DEFLATE_RATIO = 1032 }; /* no byte of a PNG becomes more bytes of pixels */

typedef struct Decoder {
    const uint8_t *bytes; /* [n] */
    size_t n, at;
    PictureRules rules;
    char *why; /* [PICTURE_WHY_SIZE] */
    png_structp png;
    png_infop info;
    size_t height, width, channels;
    uint8_t *pixels; /* [height][width][channels]: in the end those of the picture */
} Decoder;

/* libpng would print, and abort if this returned. */
static void on_error(png_structp png, png_const_charp text) {
    Decoder *decoder = png_get_error_ptr(png);
    (void)snprintf(decoder->why, PICTURE_WHY_SIZE, "it is a broken PNG image (%.100s)", text);
    png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

static void on_read(png_structp png, png_bytep to, size_t n) {
    Decoder *decoder = png_get_io_ptr(png);
    if (n > decoder->n - decoder->at)
        png_error(png, "it ends too early");
    memcpy(to, decoder->bytes + decoder->at, n);
    decoder->at += n;
}

/* ---- what kind of PNG it is ---- */

static bool check_rules(const Decoder *decoder) {
    int color = png_get_color_type(decoder->png, decoder->info);
    int depth = png_get_bit_depth(decoder->png, decoder->info);
    bool clear = png_get_valid(decoder->png, decoder->info, PNG_INFO_tRNS) != 0;
    size_t side = decoder->rules.side;
    if (side > 0 && (decoder->width != side || decoder->height != side)) {
        (void)snprintf(decoder->why, PICTURE_WHY_SIZE, "it is %zu x %zu pixels, not %zu x %zu",
                       decoder->width, decoder->height, side, side);
        return false;
    }
    if (decoder->rules.plain_grey && (color != PNG_COLOR_TYPE_GRAY || depth > 8 || clear)) {
        (void)snprintf(decoder->why, PICTURE_WHY_SIZE,
                       "its pixels are not plain grey of at most 8 bits");
        return false;
    }
    return true;
}

static bool check_size(const Decoder *decoder) {
    size_t row_bytes = png_get_rowbytes(decoder->png, decoder->info);
    if (decoder->width * decoder->height > PICTURE_PIXELS_MAX) {
        (void)snprintf(decoder->why, PICTURE_WHY_SIZE,
                       "it is %zu x %zu pixels; the limit is %d in all", decoder->width,
                       decoder->height, PICTURE_PIXELS_MAX);
        return false;
    }
    if (row_bytes * decoder->height / DEFLATE_RATIO > decoder->n) {
        (void)snprintf(decoder->why, PICTURE_WHY_SIZE,
                       "it says that it is %zu x %zu pixels, which do not fit into its %zu bytes",
                       decoder->width, decoder->height, decoder->n);
        return false;
    }
    return true;
}

/* ---- its pixels ---- */

/* One byte a channel: grey, grey and alpha, colours, or colours and alpha. */
static void unify(const Decoder *decoder) {
    png_set_expand(decoder->png);
    png_set_scale_16(decoder->png);
}

static bool read_pixels(Decoder *decoder) {
    unify(decoder);
    int n_passes = png_set_interlace_handling(decoder->png);
    png_read_update_info(decoder->png, decoder->info);
    decoder->channels = png_get_channels(decoder->png, decoder->info);
    size_t row = decoder->width * decoder->channels;
    if (decoder->channels > SAMPLES_MAX || png_get_rowbytes(decoder->png, decoder->info) != row) {
        (void)snprintf(decoder->why, PICTURE_WHY_SIZE, "its kind of pixels is not known");
        return false;
    }
    decoder->pixels = calloc(decoder->height, row);
    if (!decoder->pixels)
        return false;
    for (int pass = 0; pass < n_passes; pass++)
        for (size_t y = 0; y < decoder->height; y++)
            png_read_row(decoder->png, decoder->pixels + y * row, NULL);
    png_read_end(decoder->png, NULL); /* also checks the sums of what is left */
    return true;
}

/* No variable of this function changes after setjmp, so that none is lost by a longjmp. */
static bool decode(Decoder *decoder) {
    if (setjmp(png_jmpbuf(decoder->png)))
        return false;
    png_set_benign_errors(decoder->png, 0);
    /* Comments, profiles and the like are skipped. */
    png_set_keep_unknown_chunks(decoder->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_crc_action(decoder->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_chunk_malloc_max(decoder->png, CHUNK_BYTES_MAX);
    png_set_user_limits(decoder->png, SIDE_MAX, SIDE_MAX);
    png_set_read_fn(decoder->png, decoder, on_read);
    png_read_info(decoder->png, decoder->info);
    decoder->width = png_get_image_width(decoder->png, decoder->info);
    decoder->height = png_get_image_height(decoder->png, decoder->info);
    return check_rules(decoder) && check_size(decoder) && read_pixels(decoder);
}

/* Light of one pixel. The weights are those of ITU-R BT.601. */
static uint8_t luminance(const uint8_t *pixel, size_t channels) {
    bool colour = channels >= 3, alpha = channels % 2 == 0;
    unsigned light =
        colour ? (299U * pixel[0] + 587U * pixel[1] + 114U * pixel[2] + 500) / 1000 : pixel[0];
    return (uint8_t)(alpha ? (light * pixel[channels - 1] + 127) / 255 : light);
}

/* Red, green and blue of one pixel. */
typedef struct Colour {
    uint8_t of[COLOURS];
} Colour;

static Colour colour_of(const uint8_t *pixel, size_t channels) {
    Colour colour;
    unsigned alpha = channels > COLOURS ? pixel[COLOURS] : UINT8_MAX;
    for (size_t k = 0; k < COLOURS; k++)
        colour.of[k] = (uint8_t)((pixel[k] * alpha + 127) / 255);
    return colour;
}

static bool has_colour(const Decoder *decoder) {
    size_t n = decoder->channels < COLOURS ? 0 : decoder->height * decoder->width;
    for (size_t i = 0; i < n; i++) {
        Colour colour = colour_of(decoder->pixels + i * decoder->channels, decoder->channels);
        if (colour.of[0] != colour.of[1] || colour.of[1] != colour.of[2])
            return true;
    }
    return false;
}

/* In place: what is written is never behind what it is made from. */
static void make_grey(Decoder *decoder) {
    for (size_t i = 0; i < decoder->height * decoder->width; i++) {
        uint8_t grey = luminance(decoder->pixels + i * decoder->channels, decoder->channels);
        decoder->pixels[i] = decoder->rules.invert ? (uint8_t)(UINT8_MAX - grey) : grey;
    }
    decoder->channels = 1;
}

static void make_colour(Decoder *decoder) {
    for (size_t i = 0; i < decoder->height * decoder->width; i++) {
        Colour colour = colour_of(decoder->pixels + i * decoder->channels, decoder->channels);
        for (size_t k = 0; k < COLOURS; k++)
            decoder->pixels[i * COLOURS + k] =
                decoder->rules.invert ? (uint8_t)(UINT8_MAX - colour.of[k]) : colour.of[k];
    }
    decoder->channels = COLOURS;
}

bool picture_decode(Picture *out, const uint8_t *png, size_t n, PictureRules rules,
                    char why[PICTURE_WHY_SIZE]) {
    Decoder decoder = {.bytes = png, .n = n, .rules = rules, .why = why};
    bool ok = false;
    *out = (Picture){0};
    (void)snprintf(why, PICTURE_WHY_SIZE, "there is no memory to decode it");
    decoder.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder, on_error, on_warning);
    if (decoder.png)
        decoder.info = png_create_info_struct(decoder.png);
    if (decoder.info)
        ok = decode(&decoder);
    png_destroy_read_struct(&decoder.png, &decoder.info, NULL);
    if (!ok) {
        free(decoder.pixels);
        return false;
    }
    if (!rules.grey && has_colour(&decoder))
        make_colour(&decoder);
    else
        make_grey(&decoder);
    *out = (Picture){decoder.height, decoder.width, decoder.channels, decoder.pixels};
    return true;
}

/* ---- another size ---- */

/* How much of the target's pixel `t` lies on the source's pixel `s`, along one side. A side is
 * from * to long: there a pixel of the source has the length `to`, one of the target `from`. */
static size_t overlap(size_t s, size_t t, size_t from, size_t to) {
    size_t start = s * to > t * from ? s * to : t * from;
    size_t end = (s + 1) * to < (t + 1) * from ? (s + 1) * to : (t + 1) * from;
    return end - start;
}

typedef struct Scaling {
    const uint8_t *in;
    size_t in_height, in_width, channels, height, width;
} Scaling;

static uint8_t mean_of_area(const Scaling *s, size_t y, size_t x, size_t k) {
    size_t sum = 0, area = s->in_height * s->in_width;
    for (size_t v = y * s->in_height / s->height; v * s->height < (y + 1) * s->in_height; v++)
        for (size_t u = x * s->in_width / s->width; u * s->width < (x + 1) * s->in_width; u++)
            sum += overlap(v, y, s->in_height, s->height) * overlap(u, x, s->in_width, s->width) *
                   s->in[(v * s->in_width + u) * s->channels + k];
    return (uint8_t)((2 * sum + area) / (2 * area));
}

void picture_scale(const uint8_t *in, size_t in_height, size_t in_width, size_t channels,
                   uint8_t *out, size_t height, size_t width) {
    Scaling scaling = {in, in_height, in_width, channels, height, width};
    if (in_height == 0 || in_width == 0) /* no picture is empty; an analyser does not know */
        return;
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            for (size_t k = 0; k < channels; k++)
                out[(y * width + x) * channels + k] = mean_of_area(&scaling, y, x, k);
}
