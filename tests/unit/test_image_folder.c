/* test_image_folder.c - sets with a file for each sample, in folders: pictures of every kind, and
 * all that can be wrong with folders. */
#include "data/catalog/catalog.h"
#include "data/formats/formats.h"

#include "folder.h"

#include <png.h>
#include <zlib.h>

typedef struct Path {
    char text[200];
} Path;

static Path path_of(const Folder *folder, const char *name) {
    Path path;
    (void)snprintf(path.text, sizeof path.text, "%s/%s", folder->path, name);
    return path;
}

/* Write a file, and make the folders above it. */
static void put(const Folder *folder, const char *name, const void *bytes, size_t n) {
    Path path = path_of(folder, name);
    for (char *at = strchr(path.text + strlen(folder->path) + 1, '/'); at; at = strchr(at, '/')) {
        *at = '\0';
        (void)mkdir(path.text, 0700);
        *at++ = '/';
    }
    write_bytes(path.text, bytes, n);
}

typedef struct Png {
    uint8_t bytes[4096];
    size_t n;
} Png;

/* format: PNG_FORMAT_... of the pixels, without padding. */
static Png make_png(png_uint_32 format, size_t height, size_t width, const void *pixels,
                    const void *palette, size_t n_palette) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)width,
                       .height = (png_uint_32)height,
                       .format = format,
                       .colormap_entries = (png_uint_32)n_palette};
    Png out = {.n = sizeof out.bytes};
    assert_true(png_image_write_to_memory(&image, out.bytes, &out.n, 0, pixels, 0, palette));
    return out;
}

static Png grey_png(size_t height, size_t width, const uint8_t *pixels) {
    return make_png(PNG_FORMAT_GRAY, height, width, pixels, NULL, 0);
}

static void put_png(const Folder *folder, const char *name, Png png) {
    put(folder, name, png.bytes, png.n);
}

static void put_grey(const Folder *folder, const char *name, uint8_t value) {
    uint8_t pixels[4] = {value, 1, 2, 3};
    put_png(folder, name, grey_png(2, 2, pixels));
}

/* ---- names ---- */

static void numbers_are_the_classes(void **state) {
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    put_grey(folder, "train/10/b.png", 11);
    put_grey(folder, "train/10/a.png", 10);
    put_grey(folder, "train/2/x.PNG", 20);
    put_grey(folder, "train/2/.hidden", 20);
    put_grey(folder, "train/2/Thumbs.db", 20);
    put_grey(folder, "train/desktop.ini", 20);
    put_grey(folder, "test/02/x.png", 30);
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.train.n_ignored, 3);
    assert_int_equal(set.test.n_ignored, 0);
    assert_int_equal(set.n_classes, 11);
    assert_int_equal(set.train.n, 3);
    assert_int_equal(set.train.labels[0], 10); /* "10" is before "2" */
    assert_int_equal(set.train.pixels[0], 10); /* white is strong: as in the file */
    assert_int_equal(set.train.pixels[4], 11);
    assert_int_equal(set.train.labels[2], 2);
    assert_int_equal(set.test.labels[0], 2);
    dataset_free(&set);
}

static void names_are_classes_in_their_order(void **state) {
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    put_grey(folder, "train/cat/1.png", 1);
    put_grey(folder, "train/ant/1.png", 2);
    put_grey(folder, "train/7/1.png", 3);
    put_grey(folder, "test/cat/1.png", 4);
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.n_classes, 3);
    assert_int_equal(set.train.labels[0], 0); /* 7 */
    assert_int_equal(set.train.pixels[0], 3);
    assert_int_equal(set.train.labels[1], 1); /* ant */
    assert_int_equal(set.test.labels[0], 2);  /* cat */
    dataset_free(&set);
    put_grey(folder, "test/dog/1.png", 4);
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "test/dog: there is no such class in train");
}

/* ---- pixels ---- */

/* A second of 8000 samples of 8 bits, a square wave of so many samples. */
static void put_wav(const Folder *folder, const char *name, size_t period) {
    static const uint8_t head[] = "RIFF\x64\x1f\0\0WAVEfmt \x10\0\0\0\1\0\1\0"
                                  "\x40\x1f\0\0\x40\x1f\0\0\1\0\x8\0data\x40\x1f\0\0";
    uint8_t wav[44 + 8000];
    memcpy(wav, head, 44);
    for (size_t i = 0; i < 8000; i++)
        wav[44 + i] = i % period < period / 2 ? 64 : 192;
    put(folder, name, wav, sizeof wav);
}

static void sounds_become_spectrograms(void **state) {
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    put_wav(folder, "train/high/1.wav", 4);
    put_wav(folder, "train/low/1.WAV", 40);
    put_wav(folder, "test/low/2.wav", 40);
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.train.height, 16);
    assert_int_equal(set.train.width, 32);
    assert_memory_equal(set.train.pixels + (size_t)16 * 32, set.test.pixels, 16 * 32);
    assert_true(memcmp(set.train.pixels, set.test.pixels, 16 * 32) != 0);
    dataset_free(&set);
    put(folder, "size.conf", "height = 8\nwidth = 5\n", 21);
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.train.height, 8);
    assert_int_equal(set.train.width, 5);
    dataset_free(&set);
    put(folder, "size.conf", "height = 257\nwidth = 5\n", 23);
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "sounds have 256 at most");
    put(folder, "size.conf", "channels = 1\n", 13);
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "channels, which only pictures have");
    put(folder, "size.conf", "height = 8\nwidth = 5\n", 21);
    put(folder, "test/low/3.wav", "RIFF", 4);
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "test/low/3.wav: it is not a WAV file");
}

/* If size.conf asks for it, or if there is no colour in it. */
static void every_kind_of_pixel_becomes_grey(void **state) {
    static const uint8_t rgb[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
    static const uint8_t rgba[] = {255, 255, 255, 128, 10, 20, 30, 0, 255, 0, 0, 255, 9, 9, 9, 255};
    static const uint8_t grey_alpha[] = {200, 255, 200, 0, 100, 128, 0, 255};
    static const uint16_t deep[] = {0, 65535, 32768, 257};
    static const uint8_t index[] = {1, 0, 0, 1}, palette[] = {0, 0, 0, 255, 255, 0};
    static const struct {
        png_uint_32 format;
        const void *pixels, *palette;
        uint8_t wanted[4];
    } cases[] = {
        {PNG_FORMAT_RGB, rgb, NULL, {76, 150, 29, 255}},
        {PNG_FORMAT_RGBA, rgba, NULL, {128, 0, 76, 9}},
        {PNG_FORMAT_GA, grey_alpha, NULL, {200, 0, 50, 0}},
        {PNG_FORMAT_LINEAR_Y, deep, NULL, {0, 255, 128, 1}},
        {PNG_FORMAT_RGB_COLORMAP, index, palette, {226, 0, 0, 226}},
    };
    const Folder *folder = *state;
    Images images;
    tacos_error err;
    put(folder, "size.conf", "channels = 1\n", 13);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_png(folder, "train/0/a.png",
                make_png(cases[i].format, 2, 2, cases[i].pixels, cases[i].palette, 2));
        assert_succeeds(image_folder_read(&images, folder->path, "train", &err));
        assert_int_equal(images.height, 2);
        assert_int_equal(images.channels, 1);
        assert_memory_equal(images.pixels, cases[i].wanted, 4);
        images_free(&images);
    }
}

static void pictures_keep_their_colour(void **state) {
    static const uint8_t rgb[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 1, 2, 3};
    static const uint8_t rgba[] = {255, 100, 0, 128, 10, 20, 30, 0, 7, 8, 9, 255, 9, 9, 9, 255};
    static const uint8_t faded[] = {128, 50, 0, 0, 0, 0, 7, 8, 9, 9, 9, 9};
    static const uint8_t index[] = {1, 0, 0, 1}, palette[] = {0, 0, 0, 255, 255, 0};
    static const uint8_t yellow[] = {255, 255, 0, 0, 0, 0, 0, 0, 0, 255, 255, 0};
    static const struct {
        png_uint_32 format;
        const void *pixels, *palette;
        const uint8_t *wanted;
    } cases[] = {
        {PNG_FORMAT_RGB, rgb, NULL, rgb},
        {PNG_FORMAT_RGBA, rgba, NULL, faded},
        {PNG_FORMAT_RGB_COLORMAP, index, palette, yellow},
    };
    const Folder *folder = *state;
    Images images;
    tacos_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_png(folder, "train/0/a.png",
                make_png(cases[i].format, 2, 2, cases[i].pixels, cases[i].palette, 2));
        assert_succeeds(image_folder_read(&images, folder->path, "train", &err));
        assert_int_equal(images.channels, 3);
        assert_memory_equal(images.pixels, cases[i].wanted, 12);
        images_free(&images);
    }
}

static void grey_pixels_saved_as_colours_are_grey(void **state) {
    static const uint8_t rgb[] = {5, 5, 5, 0, 0, 0, 255, 255, 255, 9, 9, 9},
                         grey[] = {5, 0, 255, 9};
    const Folder *folder = *state;
    Images images;
    tacos_error err;
    put_png(folder, "train/0/a.png", make_png(PNG_FORMAT_RGB, 2, 2, rgb, NULL, 0));
    assert_succeeds(image_folder_read(&images, folder->path, "train", &err));
    assert_int_equal(images.channels, 1);
    assert_memory_equal(images.pixels, grey, sizeof grey);
    images_free(&images);
    put(folder, "size.conf", "channels = 3\n", 13);
    assert_succeeds(image_folder_read(&images, folder->path, "train", &err));
    assert_int_equal(images.channels, 3);
    assert_memory_equal(images.pixels, rgb, sizeof rgb);
    images_free(&images);
}

/* Grey pictures before and after the first one with colour, and a half without any. */
static void one_picture_with_colour_colours_all(void **state) {
    static const uint8_t rgb[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    static const uint8_t first[] = {77, 77, 77, 1, 1, 1, 2, 2, 2, 3, 3, 3};
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    put_grey(folder, "train/0/a.png", 77);
    put_png(folder, "train/0/b.png", make_png(PNG_FORMAT_RGB, 2, 2, rgb, NULL, 0));
    put_grey(folder, "train/0/c.png", 77);
    put_grey(folder, "train/0/d.png", 77);
    put_grey(folder, "test/0/a.png", 77);
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.train.n, 4);
    assert_int_equal(set.train.channels, 3);
    assert_int_equal(set.test.channels, 3);
    assert_memory_equal(set.train.pixels, first, 12);
    assert_memory_equal(set.train.pixels + 12, rgb, 12);
    assert_memory_equal(set.train.pixels + 24, first, 12);
    assert_memory_equal(set.train.pixels + 36, first, 12);
    assert_memory_equal(set.test.pixels, first, 12);
    dataset_free(&set);
    put(folder, "size.conf", "channels = 1\n", 13);
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.train.channels, 1);
    assert_int_equal(set.train.pixels[0], 77);
    assert_int_equal(set.train.pixels[4], 2); /* of 1, 2, 3 */
    dataset_free(&set);
}

static void colours_are_scaled_one_by_one(void **state) {
    static const uint8_t rgb[] = {10, 0, 200, 30, 0, 100};
    static const uint8_t scaled[] = {20, 0, 150};
    const Folder *folder = *state;
    Images images;
    tacos_error err;
    put_png(folder, "train/0/a.png", make_png(PNG_FORMAT_RGB, 1, 2, rgb, NULL, 0));
    put(folder, "size.conf", "height = 1\nwidth = 1\n", 21);
    assert_succeeds(image_folder_read(&images, folder->path, "train", &err));
    assert_int_equal(images.width, 1);
    assert_memory_equal(images.pixels, scaled, sizeof scaled);
    images_free(&images);
}

static void other_sizes_are_scaled_if_size_conf_says_so(void **state) {
    static const uint8_t wide[] = {10, 20, 30, 40, 50, 60, 70, 80}, one[] = {7};
    static const uint8_t scaled[] = {35, 55}; /* columns of 2, all rows */
    const Folder *folder = *state;
    Images images;
    tacos_error err;
    put_png(folder, "train/0/a.png", grey_png(2, 4, wide));
    put_png(folder, "train/0/b.png", grey_png(1, 1, one));
    assert_fails(image_folder_read(&images, folder->path, "train", &err), TACOS_FORMAT);
    assert_says(err, "train/0/b.png is 1 pixels high and 1 wide, the first picture 2 and 4");
    assert_says(err, "size.conf");
    put(folder, "size.conf", "height = 1\nwidth = 2\n", 21);
    assert_succeeds(image_folder_read(&images, folder->path, "train", &err));
    assert_int_equal(images.n, 2);
    assert_int_equal(images.height, 1);
    assert_int_equal(images.width, 2);
    assert_memory_equal(images.pixels, scaled, 2);
    assert_int_equal(images.pixels[2], 7);
    assert_int_equal(images.pixels[3], 7);
    images_free(&images);
}

static void size_conf_is_checked(void **state) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"height = 3\n", "size.conf must have both height and width"},
        {"hieght = 3\n", "size.conf:1: unknown key 'hieght'"},
        {"height = 0\n", "size.conf:1: height"},
        {"height = 5000\n", "size.conf:1: height"},
        {"28x28\n", "size.conf:1:"},
        {"channels = 3\nwidth = 3\n", "size.conf must have both height and width"},
        {"scale = 3\n", "size.conf has scale, which only CSV files have"},
        {"scale = 0\n", "size.conf:1: scale"},
        {"channels = 2\n", "channels must be 1 (grey) or 3 (colour)"},
        {"channels = 4\n", "size.conf:1: channels"},
        {"", "size.conf must have both height and width"},
    };
    const Folder *folder = *state;
    Images images;
    tacos_error err;
    put_grey(folder, "train/0/a.png", 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(folder, "size.conf", cases[i].text, strlen(cases[i].text));
        memset(&err, 0, sizeof err);
        assert_int_not_equal(image_folder_read(&images, folder->path, "train", &err), TACOS_OK);
        assert_says(err, cases[i].says);
    }
}

/* ---- what is wrong ---- */

static void expect(const Folder *folder, tacos_status status, const char *says) {
    Images images;
    tacos_error err;
    assert_fails(image_folder_read(&images, folder->path, "train", &err), status);
    assert_says(err, says);
}

static void folders_that_are_not_right(void **state) {
    const Folder *folder = *state;
    Path path = path_of(folder, "train");
    assert_int_equal(mkdir(path.text, 0700), 0);
    expect(folder, TACOS_FORMAT, "train is empty");
    path = path_of(folder, "train/1");
    assert_int_equal(mkdir(path.text, 0700), 0);
    expect(folder, TACOS_FORMAT, "train/1 is empty");
    put_grey(folder, "train/1/deeper/a.png", 1);
    expect(folder, TACOS_FORMAT, "train/1/deeper is not a sample");
    remove_all(path.text);
    put_grey(folder, "train/1/deeper.png/a.png", 1);
    expect(folder, TACOS_FORMAT, "train/1/deeper.png is not a file but a folder");
    remove_all(path.text);
    put_grey(folder, "train/1/a.png", 1);
    put_grey(folder, "train/01/a.png", 1);
    expect(folder, TACOS_FORMAT, "01 and 1 are the same class");
    path = path_of(folder, "train/01");
    remove_all(path.text);
    put(folder, "train/readme", "hello", 5);
    expect(folder, TACOS_FORMAT, "train/readme is not a folder: each class needs one");
    path = path_of(folder, "train/readme");
    remove_all(path.text);
    put(folder, "train/1/b.jpg", "hello", 5);
    expect(folder, TACOS_FORMAT, "b.jpg is not a sample: expected .png, .wav, .bin or .aedat");
    path = path_of(folder, "train/1/b.jpg");
    remove_all(path.text);
    put(folder, "train/1/c.bin", "hello", 5);
    expect(folder, TACOS_FORMAT, "c.bin: the files before it are .png");
}

static void links_and_pipes(void **state) {
    const Folder *folder = *state;
    Path path = path_of(folder, "train/1/b.png");
    Images images;
    tacos_error err;
    put_grey(folder, "train/1/a.png", 9);
    assert_int_equal(symlink("a.png", path.text), 0);
    assert_succeeds(image_folder_read(&images, folder->path, "train", &err));
    assert_int_equal(images.n, 2);
    images_free(&images);
    assert_int_equal(remove(path.text), 0);
    assert_int_equal(symlink("nowhere.png", path.text), 0);
    expect(folder, TACOS_MISSING, "cannot read");
    assert_int_equal(remove(path.text), 0);
    assert_int_equal(symlink("b.png", path.text), 0); /* to itself */
    expect(folder, TACOS_IO, "b.png");
    assert_int_equal(remove(path.text), 0);
    assert_int_equal(symlink("..", path.text), 0); /* a circle */
    expect(folder, TACOS_FORMAT, "b.png is not a file but a folder");
    assert_int_equal(remove(path.text), 0);
    assert_int_equal(mkfifo(path.text, 0600), 0);
    expect(folder, TACOS_FORMAT, "b.png is not a file");
}

/* A picture cut off anywhere, and with any byte changed, is refused: its sums do not hold. */
static void damaged_pictures_are_refused(void **state) {
    const Folder *folder = *state;
    uint8_t pixels[64];
    Png png;
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i * 37);
    png = grey_png(8, 8, pixels);
    for (size_t n = 0; n < png.n; n++) {
        put(folder, "train/1/a.png", png.bytes, n);
        expect(folder, TACOS_FORMAT, "train/1/a.png cannot be read: ");
    }
    for (size_t i = 0; i < png.n; i++) {
        png.bytes[i] ^= 0x21;
        put_png(folder, "train/1/a.png", png);
        expect(folder, TACOS_FORMAT, "train/1/a.png cannot be read: ");
        png.bytes[i] ^= 0x21;
    }
}

/* The width and height of a PNG, with the right sum. */
static void claim_size(Png *png, uint32_t width, uint32_t height) {
    uint8_t *header = png->bytes + 12; /* "IHDR" and 13 bytes, then their sum */
    for (size_t k = 0; k < 4; k++) {
        header[4 + k] = (uint8_t)(width >> (24 - 8 * k));
        header[8 + k] = (uint8_t)(height >> (24 - 8 * k));
    }
    uint32_t sum = (uint32_t)crc32(0, header, 17);
    for (size_t k = 0; k < 4; k++)
        header[17 + k] = (uint8_t)(sum >> (24 - 8 * k));
}

static void absurd_sizes_are_refused_before_memory_is_asked_for(void **state) {
    static const struct {
        uint32_t width, height;
        const char *says;
    } cases[] = {
        {65535, 65535, "the limit is 16777216 in all"},
        {4096, 4096, "which do not fit into its"},
        {100000, 1, "broken PNG"},
        {0, 5, "broken PNG"},
        {2, 3, "broken PNG"}, /* more than there is */
    };
    const Folder *folder = *state;
    const uint8_t pixels[4] = {1, 2, 3, 4};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Png png = grey_png(2, 2, pixels);
        claim_size(&png, cases[i].width, cases[i].height);
        put_png(folder, "train/1/a.png", png);
        expect(folder, TACOS_FORMAT, cases[i].says);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(numbers_are_the_classes),
        IN_FOLDER(names_are_classes_in_their_order),
        IN_FOLDER(every_kind_of_pixel_becomes_grey),
        IN_FOLDER(pictures_keep_their_colour),
        IN_FOLDER(grey_pixels_saved_as_colours_are_grey),
        IN_FOLDER(one_picture_with_colour_colours_all),
        IN_FOLDER(colours_are_scaled_one_by_one),
        IN_FOLDER(sounds_become_spectrograms),
        IN_FOLDER(other_sizes_are_scaled_if_size_conf_says_so),
        IN_FOLDER(size_conf_is_checked),
        IN_FOLDER(folders_that_are_not_right),
        IN_FOLDER(links_and_pipes),
        IN_FOLDER(damaged_pictures_are_refused),
        IN_FOLDER(absurd_sizes_are_refused_before_memory_is_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
