/* svg_image.c - an image as an <image> element: a PNG by libpng, which reports errors by longjmp.
 */
#include "report/charts/svg.h"

#include <png.h>

static void take(png_structp png, png_bytep bytes, size_t n) {
    text_add_bytes(png_get_io_ptr(png), bytes, n);
}

/* The library never prints. */
static void fail_silently(png_structp png, png_const_charp why) {
    (void)why;
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp why) {
    (void)png;
    (void)why;
}

static void nothing_to_flush(png_structp png) {
    (void)png;
}

static void set_colours(png_structp png, png_infop info, const Image *image) {
    png_color palette[IMAGE_COLOURS_MAX];
    png_byte clear = 0;
    for (size_t k = 0; k < image->n_colours; k++)
        palette[k] = (png_color){image->colours[k].r, image->colours[k].g, image->colours[k].b};
    png_set_PLTE(png, info, palette, (int)image->n_colours);
    if (image->clear)
        png_set_tRNS(png, info, &clear, 1, NULL);
}

/* No variable that changes between setjmp and longjmp is used afterwards. */
static int write_image(png_structp png, png_infop info, const Image *image) {
    const size_t samples = image->n_colours > 0 ? 1 : 3; /* of a pixel */
    if (setjmp(png_jmpbuf(png)))
        return -1;
    png_set_IHDR(png, info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
                 image->n_colours > 0 ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, 9);
    if (image->n_colours > 0)
        set_colours(png, info, image);
    png_write_info(png, info);
    for (size_t row = 0; row < image->height; row++)
        png_write_row(png, image->pixels + row * image->width * samples);
    png_write_end(png, info);
    return 0;
}

static tacos_status write_png(const Image *image, Text *out, tacos_error *err) {
    png_structp png =
        png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail_silently, ignore_warning);
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

tacos_status svg_image(Text *svg, Box box, const Image *image, tacos_error *err) {
    Text png = {0};
    tacos_status status = write_png(image, &png, err);
    if (status == TACOS_OK) {
        svg_begin_box(svg, "image", "pixels", box);
        text_add(svg, " preserveAspectRatio=\"none\" href=\"data:image/png;base64,");
        text_base64(svg, png.bytes, png.n);
        text_add(svg, "\"/>");
    }
    text_free(&png);
    return status;
}
