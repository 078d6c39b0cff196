/* png_out.c - libpng, which leaves by longjmp when something is wrong. */
#include "report/charts/png_out.h"

#include <png.h>

static void take(png_structp png, png_bytep bytes, size_t n) {
    text_add_bytes(png_get_io_ptr(png), bytes, n);
}

/* The library never prints. */
static void fail_silently(png_structp png, png_const_charp why) {
    (void)why;
    png_longjmp(png, 1);
}

static void pass_over(png_structp png, png_const_charp why) {
    (void)png;
    (void)why;
}

static void nothing_to_flush(png_structp png) {
    (void)png;
}

static void set_colours(png_structp png, png_infop info, const PngImage *image) {
    png_color palette[PNG_COLOURS_MAX];
    png_byte clear = 0;
    for (size_t k = 0; k < image->n_colours; k++)
        palette[k] = (png_color){image->colours[k].r, image->colours[k].g, image->colours[k].b};
    png_set_PLTE(png, info, palette, (int)image->n_colours);
    if (image->clear)
        png_set_tRNS(png, info, &clear, 1, NULL);
}

/* Nothing that is changed between setjmp and longjmp is used after it. */
static int write_image(png_structp png, png_infop info, const PngImage *image) {
    if (setjmp(png_jmpbuf(png)))
        return -1;
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
                 PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, 9);
    set_colours(png, info, image);
    png_write_info(png, info);
    for (size_t row = 0; row < image->height; row++)
        png_write_row(png, image->pixels + row * image->width);
    png_write_end(png, info);
    return 0;
}

tacos_status png_write(const PngImage *image, Text *out, tacos_error *err) {
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail_silently, pass_over);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    int failed = -1;
    if (info) {
        png_set_write_fn(png, out, take, nothing_to_flush);
        failed = write_image(png, info, image);
    }
    png_destroy_write_struct(&png, &info);
    if (failed)
        return failure(err, TACOS_MEMORY, "no memory for an image of %zu x %zu pixels",
                       image->width, image->height);
    return text_check(out, err);
}
