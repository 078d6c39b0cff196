/* drawing.c - drawings, through libpng. */
#include "data/drawing.h"

#include <assert.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK_BYTES_MAX = 65536 };

typedef struct Decoder {
    const uint8_t *bytes; /* [n] */
    size_t n, at;
    size_t side;
    uint8_t *ink; /* [side][side] */
    char *why;    /* [DRAWING_WHY_SIZE] */
    png_structp png;
    png_infop info;
} Decoder;

/* libpng would print, and end the program if this returned. */
static void on_error(png_structp png, png_const_charp text) {
    Decoder *decoder = png_get_error_ptr(png);
    (void)snprintf(decoder->why, DRAWING_WHY_SIZE, "it is a broken PNG image (%.100s)", text);
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

/* Only what a drawing can be: everything else would need a rule for what is ink in it. */
static bool check_header(const Decoder *decoder) {
    png_uint_32 width = png_get_image_width(decoder->png, decoder->info);
    png_uint_32 height = png_get_image_height(decoder->png, decoder->info);
    int color = png_get_color_type(decoder->png, decoder->info);
    int depth = png_get_bit_depth(decoder->png, decoder->info);
    if (width != decoder->side || height != decoder->side) {
        (void)snprintf(decoder->why, DRAWING_WHY_SIZE, "it is %lu x %lu pixels, not %zu x %zu",
                       (unsigned long)width, (unsigned long)height, decoder->side, decoder->side);
        return false;
    }
    if (color != PNG_COLOR_TYPE_GRAY || depth > 8) {
        (void)snprintf(decoder->why, DRAWING_WHY_SIZE,
                       "its pixels are not plain grey of at most 8 bits");
        return false;
    }
    return true;
}

static void read_pixels(const Decoder *decoder) {
    size_t side = decoder->side;
    png_set_expand_gray_1_2_4_to_8(decoder->png);
    int n_passes = png_set_interlace_handling(decoder->png);
    png_read_update_info(decoder->png, decoder->info);
    assert(png_get_rowbytes(decoder->png, decoder->info) == side);
    for (int pass = 0; pass < n_passes; pass++)
        for (size_t y = 0; y < side; y++)
            png_read_row(decoder->png, decoder->ink + y * side, NULL);
    png_read_end(decoder->png, NULL); /* also checks the sums of what is left */
}

/* No variable of this function changes after setjmp, so that none is lost by a longjmp. */
static bool decode(Decoder *decoder) {
    if (setjmp(png_jmpbuf(decoder->png)))
        return false;
    png_set_benign_errors(decoder->png, 0);
    png_set_crc_action(decoder->png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_chunk_malloc_max(decoder->png, CHUNK_BYTES_MAX);
    png_set_read_fn(decoder->png, decoder, on_read);
    png_read_info(decoder->png, decoder->info);
    if (!check_header(decoder))
        return false;
    read_pixels(decoder);
    return true;
}

bool drawing_decode(const uint8_t *png, size_t n, size_t side, uint8_t *ink,
                    char why[DRAWING_WHY_SIZE]) {
    Decoder decoder = {.bytes = png, .n = n, .side = side, .ink = ink, .why = why};
    bool ok = false;
    (void)snprintf(why, DRAWING_WHY_SIZE, "there is no memory to decode it");
    decoder.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &decoder, on_error, on_warning);
    if (decoder.png)
        decoder.info = png_create_info_struct(decoder.png);
    if (decoder.info)
        ok = decode(&decoder);
    png_destroy_read_struct(&decoder.png, &decoder.info, NULL);
    for (size_t i = 0; ok && i < side * side; i++)
        ink[i] = (uint8_t)(UINT8_MAX - ink[i]);
    return ok;
}

/* How much of the target's pixel `t` lies on the source's pixel `s`, along one side. A side is
 * from * to long: there a pixel of the source has the length `to`, one of the target `from`. */
static size_t overlap(size_t s, size_t t, size_t from, size_t to) {
    size_t start = s * to > t * from ? s * to : t * from;
    size_t end = (s + 1) * to < (t + 1) * from ? (s + 1) * to : (t + 1) * from;
    return end - start;
}

static uint8_t mean_of_area(const uint8_t *in, size_t from, size_t to, size_t y, size_t x) {
    size_t sum = 0, area = from * from;
    for (size_t v = y * from / to; v * to < (y + 1) * from; v++)
        for (size_t u = x * from / to; u * to < (x + 1) * from; u++)
            sum += overlap(v, y, from, to) * overlap(u, x, from, to) * in[v * from + u];
    return (uint8_t)((2 * sum + area) / (2 * area));
}

void drawing_shrink(const uint8_t *in, size_t from, uint8_t *out, size_t to) {
    assert(to <= from);
    for (size_t y = 0; y < to && y < from; y++) /* an analyser does not see the assert */
        for (size_t x = 0; x < to; x++)
            out[y * to + x] = mean_of_area(in, from, to, y, x);
}
