/* test_user_dataset.c - data sets of one's own: CSV, NumPy and IDX files, good ones and bad ones.
 */
#include "data/catalog/catalog.h"
#include "data/formats/formats.h"

#include "folder.h"
#include "npy_file.h"

#include <sys/resource.h>

static void put(const Folder *folder, const char *name, const void *bytes, size_t n) {
    char path[160];
    (void)snprintf(path, sizeof path, "%s/%s", folder->path, name);
    write_bytes(path, bytes, n);
}

static void put_text(const Folder *folder, const char *name, const char *text) {
    put(folder, name, text, strlen(text));
}

static void put_npy(const Folder *folder, const char *name, const char *descr, const char *shape,
                    const void *elements, size_t n) {
    Npy npy = make_npy(descr, shape, elements, n);
    put(folder, name, npy.bytes, npy.n);
}

static void csv_with_and_without_names_of_columns(void **state) {
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    put_text(folder, "train.csv", "label,a,b,c,d\n3,0,10,20,255\n\n0, 1 ,2,3,4\r\n");
    put_text(folder, "test.csv", "2,9,8,7,6");
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.n_classes, 4);
    assert_int_equal(set.train.n, 2);
    assert_int_equal(set.train.height, 2); /* four pixels are a square */
    assert_int_equal(set.train.width, 2);
    assert_int_equal(set.train.labels[0], 3);
    assert_int_equal(set.train.pixels[3], 255);
    assert_int_equal(set.train.pixels[4], 1);
    assert_int_equal(set.test.labels[0], 2);
    dataset_free(&set);
}

/* Every first line that may come before the same two images. */
static void a_byte_order_mark_eats_no_image(void **state) {
    static const char *const heads[] = {
        "",
        "\xef\xbb\xbf",
        "label,p1,p2,p3,p4\n",
        "\xef\xbb\xbflabel,p1,p2,p3,p4\r\n",
        "\n \t\nlabel,1x1,1x2,2x1,2x2\n",
        "\"label\", \"p 1\" ,_2,nanometre,H\xc3\xb6he\n\n",
    };
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    put_text(folder, "test.csv", "2,9,8,7,6");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "%s3,0,10,20,255\n0,1,2,3,4\n", heads[i]);
        put_text(folder, "train.csv", text);
        assert_succeeds(user_dataset_read(&set, folder->path, &err));
        assert_int_equal(set.train.n, 2);
        assert_int_equal(set.train.labels[0], 3);
        assert_int_equal(set.train.pixels[3], 255);
        assert_int_equal(set.train.names_line, i < 2 ? 0 : i == 4 ? 3 : 1);
        assert_int_equal(set.test.names_line, 0);
        dataset_free(&set);
    }
}

static void npy_of_bytes_and_of_floats(void **state) {
    static const uint8_t bytes[] = {0, 1, 2, 3, 4, 255, 7, 7, 7, 7, 7, 7};
    static const float floats[] = {0, 1, 0.5F, 0.25F, 0, 0};
    static const int64_t labels[] = {300, 0};
    static const uint8_t one[] = {5};
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    put_npy(folder, "train-images.npy", "|u1", "2, 2, 3", bytes, sizeof bytes);
    put_npy(folder, "train-labels.npy", "<i8", "2,", labels, sizeof labels);
    put_npy(folder, "test-images.npy", "<f4", "1, 2, 3", floats, sizeof floats);
    put_npy(folder, "test-labels.npy", "|u1", "1,", one, sizeof one);
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.n_classes, 301);
    assert_int_equal(set.train.height, 2);
    assert_int_equal(set.train.width, 3);
    assert_memory_equal(set.train.pixels, bytes, sizeof bytes);
    assert_int_equal(set.train.labels[0], 300);
    assert_int_equal(set.test.pixels[1], 255);
    assert_int_equal(set.test.pixels[2], 128);
    assert_int_equal(set.test.pixels[3], 64);
    dataset_free(&set);
}

static void npy_in_colour(void **state) {
    static const uint8_t bytes[] = {0, 1, 2, 3, 4, 255, 7, 8, 9, 10, 11, 12}, labels[] = {1, 0};
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    put_npy(folder, "train-images.npy", "|u1", "2, 1, 2, 3", bytes, sizeof bytes);
    put_npy(folder, "train-labels.npy", "|u1", "2,", labels, sizeof labels);
    put_npy(folder, "test-images.npy", "|u1", "1, 1, 2", bytes + 2, 2);
    put_npy(folder, "test-labels.npy", "|u1", "1,", labels, 1);
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.train.n, 2);
    assert_int_equal(set.train.height, 1);
    assert_int_equal(set.train.width, 2);
    assert_int_equal(set.train.channels, 3);
    assert_memory_equal(set.train.pixels, bytes, sizeof bytes);
    /* The grey half becomes like the coloured one. */
    static const uint8_t coloured[] = {2, 2, 2, 3, 3, 3};
    assert_int_equal(set.test.channels, 3);
    assert_memory_equal(set.test.pixels, coloured, sizeof coloured);
    dataset_free(&set);
    put_npy(folder, "test-images.npy", "|u1", "1, 1, 2, 2", bytes, 4);
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "training images have 3 channels but test images have 2");
}

static void idx_by_the_names_of_mnist(void **state) {
    static const uint8_t images[] = {0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 2, 11, 22};
    static const uint8_t labels[] = {0, 0, 8, 1, 0, 0, 0, 1, 40};
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    put(folder, "train-images-idx3-ubyte", images, sizeof images);
    put(folder, "train-labels-idx1-ubyte", labels, sizeof labels);
    put(folder, "t10k-images-idx3-ubyte", images, sizeof images);
    put(folder, "t10k-labels-idx1-ubyte", labels, sizeof labels);
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.n_classes, 41);
    assert_int_equal(set.test.pixels[1], 22);
    dataset_free(&set);
}

/* What is white is found out from train.csv, and holds for test.csv too. */
static void csv_of_any_scale(void **state) {
    static const struct {
        const char *train, *test;
        double full;
        uint8_t train_pixel[2], test_pixel[2];
    } cases[] = {
        {"0,0,255\n", "0,7,300\n", 255, {0, 255}, {7, 255}},
        {"0,0,16\n", "0,7,8\n", 255, {0, 16}, {7, 8}},
        {"0,0.5,1\n", "0,0.25,0\n", 1, {128, 255}, {64, 0}},
        {"0,0,1\n", "0,1,0.2\n", 1, {0, 255}, {255, 51}},
        {"0,0.5,200\n", "0,0.4,255\n", 255, {1, 200}, {0, 255}},
        {"0,0,65535\n", "0,32768,70000\n", 65535, {0, 255}, {128, 255}},
        {"0,0,510.0\n", "0,1,2e2\n", 510, {0, 255}, {1, 100}},
        {"0.0,0,0\n", "0e0,1,2\n", 255, {0, 0}, {1, 2}},
        {"0,3e307,9e307\n", "0,1,9e307\n", 9e307, {85, 255}, {0, 255}},
    };
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_text(folder, "train.csv", cases[i].train);
        put_text(folder, "test.csv", cases[i].test);
        assert_succeeds(user_dataset_read(&set, folder->path, &err));
        assert_true(set.train.full == cases[i].full && set.test.full == cases[i].full);
        assert_memory_equal(set.train.pixels, cases[i].train_pixel, 2);
        assert_memory_equal(set.test.pixels, cases[i].test_pixel, 2);
        dataset_free(&set);
    }
    put_text(folder, "size.conf", "scale = 16\nheight = 2\nwidth = 1\n");
    put_text(folder, "train.csv", "0,0,16\n0,8,1\n");
    put_text(folder, "test.csv", "0,7,8\n");
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.train.pixels[1], 255);
    assert_int_equal(set.test.pixels[1], 128);
    assert_int_equal(set.train.height, 2);
    assert_int_equal(set.train.width, 1);
    dataset_free(&set);
    put_text(folder, "test.csv", "0,7,8\n0,17,8\n");
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "test.csv:2: 17 is more than the scale in size.conf, 16");
    put_text(folder, "size.conf", "height = 2\nwidth = 2\n");
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "has 2 values in a line, but size.conf says 2 x 2 x 1");
}

static void bad_csv_is_explained_with_its_line(void **state) {
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"1,2,3\n2,x,4\n", "train.csv:2: pixels are numbers from 0"},
        {"1,2,-1\n", "train.csv:1: pixels"},
        {"1,2,inf\n", "train.csv:1: pixels"},
        {"1,2,nan\n", "train.csv:1: pixels"},
        {"1.5,2,3\n", "train.csv:1: expected a label"},
        {"1,2,,3\n", "train.csv:1: pixels"},
        {"1,2,3\n1,2\n", "train.csv:2: there are 1 pixels; the first image has 2"},
        {"label,a\n4096,1\n", "train.csv:2: expected a label"},
        {"label\n1,2\n", "train.csv:2: there are 2 numbers, but names of 1 columns"},
        {"label,a,b,c\n1,2,3\n", "train.csv:2: there are 3 numbers, but names of 4 columns"},
        {"[0,1,2,3]\n0,1,2,3\n", "train.csv:1: expected a label"},
        {",,,\n0,1,2,3\n", "train.csv:1: expected a label"},
        {"cat,1,2,3\n0,1,2,3\n", "train.csv:1: expected a label"},
        {"nan,inf,1e5,0x1f\n0,1,2,3\n", "train.csv:1: expected a label"},
        {"-1,a,b,c\n0,1,2,3\n", "train.csv:1: expected a label"},
        {",label,a,b\n0,1,2,3\n", "train.csv:1: expected a label"},
        {"label,0,1,2\n0,1,2,3\n", "train.csv:1: expected a label"},
        {"label,a\nlabel,a\n", "train.csv:2: expected a label"},
        {"\xff\xfe"
         "0,1",
         "train.csv is UTF-16 text; expected UTF-8"},
        {"\xfe\xff"
         "0,1",
         "train.csv is UTF-16 text; expected UTF-8"},
        {"a,b\nc,d\n", "train.csv:2: expected a label"},
        {"7\n", "train.csv:1: there are 0 pixels"},
        {"", "holds no image"},
        {"label,a\n", "holds no image"},
        {"99999999999999999999999,1\n", "train.csv:1: expected a label"},
    };
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_text(folder, "train.csv", cases[i].text);
        assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
        assert_says(err, cases[i].says);
    }
    put(folder, "train.csv", "1,2\0,3", 6);
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "zero byte");
}

static void bad_arrays_are_explained(void **state) {
    static const uint8_t four[20] = {1, 2, 3, 4};
    static const float wild[] = {0, 2, 0, 0};
    static const double half[] = {0.5};
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    static const struct {
        const char *descr, *shape;
        size_t n;
        const char *says;
    } cases[] = {
        {"|u1", "1, 2, 3", 4, "it is cut off"},
        {"|u1", "1, 3", 4, "something comes after its end"},
        {"|u1", "4", 4, "images must be [n][height][width]"},
        {"|u1", "1, 1, 1, 2, 2", 4, "one to four dimensions"},
        {"|u1", "1, 1, 4, 5", 20, "its last dimension, 5, would be the channels"},
        {"|u1", "", 4, "no dimension"},
        {"|u1", "1, 0", 4, "size is out of range"},
        {"|u1", "99999999999, 99999999999", 4, "size is out of range"},
        {">i4", "1, 1", 4, "elements of type '>i4'"},
        {"|S1", "1, 4", 4, "elements of type '|S1'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_npy(folder, "train-images.npy", cases[i].descr, cases[i].shape, four, cases[i].n);
        put_npy(folder, "train-labels.npy", "|u1", "1,", four, 1);
        assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
        assert_says(err, cases[i].says);
    }
    put_npy(folder, "train-images.npy", "<f4", "1, 4", wild, sizeof wild);
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "floats must be from 0 to 1");
    put_npy(folder, "train-images.npy", "|u1", "1, 4", four, 4);
    put_npy(folder, "train-labels.npy", "|u1", "2,", four, 2);
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "one label for each of the 1 images");
    put_npy(folder, "train-labels.npy", "<f8", "1,", half, sizeof half);
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "label 0 (counting from 0) is 0.5");
    put_text(folder, "train-images.npy", "not a NumPy array at all");
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "not a NumPy array");
    put_text(folder, "train-images.npy", "\x93NUMPY\x01\x00\xff\x7f{");
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
}

static void missing_and_unlike_halves(void **state) {
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_MISSING);
    assert_says(err, "no train.csv, no train.npz, no train-images.npy, no train-images-idx3-ubyte "
                     "and no folder train");
    put_text(folder, "train.csv", "1,2,3,4,5\n");
    put_text(folder, "test.csv", "1,2,3\n");
    assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
    assert_says(err, "training images are 2x2 but test images are 1x2");
}

/* Every fifth image of a class is then for testing. */
static void without_a_test_half(void **state) {
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    put_text(folder, "train.csv", "3,0\n3,1\n0,2\n3,3\n3,4\n3,5\n0,6\n0,7\n0,8\n0,9\n3,10\n");
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_true(set.test_from_train);
    assert_int_equal(set.n_classes, 4);
    assert_int_equal(set.train.n, 9);
    assert_int_equal(set.test.n, 2);
    assert_int_equal(set.test.labels[0], 3);
    assert_int_equal(set.test.pixels[0], 5);
    assert_int_equal(set.test.labels[1], 0);
    assert_int_equal(set.test.pixels[1], 9);
    static const uint8_t kept[] = {0, 1, 2, 3, 4, 6, 7, 8, 10};
    assert_memory_equal(set.train.pixels, kept, sizeof kept);
    dataset_free(&set);
    put_text(folder, "test.csv", "3,1\n");
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_false(set.test_from_train);
    assert_int_equal(set.train.n, 11);
    dataset_free(&set);
}

static void what_is_no_file_is_not_waited_for(void **state) {
    static const char *const names[] = {"train.csv", "train-images.npy", "train.npz",
                                        "train-images-idx3-ubyte", "train-images-idx3-ubyte.gz"};
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    char path[160];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder->path, names[i]);
        assert_int_equal(mkfifo(path, 0600), 0);
        assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
        assert_says(err, names[i]);
        assert_says(err, "is not a file");
        assert_int_equal(remove(path), 0);
        assert_int_equal(mkdir(path, 0700), 0);
        assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_FORMAT);
        assert_says(err, "is not a file but a folder");
        assert_int_equal(remove(path), 0);
        assert_int_equal(symlink("nowhere", path), 0);
        assert_fails(user_dataset_read(&set, folder->path, &err), TACOS_MISSING);
        assert_says(err, names[i]);
        assert_int_equal(remove(path), 0);
    }
}

static void links_to_files_are_followed(void **state) {
    const Folder *folder = *state;
    Dataset set;
    tacos_error err;
    char path[160];
    put_text(folder, "elsewhere", "1,2,3\n");
    (void)snprintf(path, sizeof path, "%s/train.csv", folder->path);
    assert_int_equal(symlink("elsewhere", path), 0);
    put_text(folder, "test.csv", "0,4,5\n");
    assert_succeeds(user_dataset_read(&set, folder->path, &err));
    assert_int_equal(set.train.pixels[1], 3);
    dataset_free(&set);
}

/* Sanitizers need more memory than the next test allows. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

/* Memory follows the bytes that are there, not what a header or a first line lets hope for. */
static void promises_cost_little(void **state) {
    enum { LIMIT = 64 << 20, N_PIXELS = 1000000 };
    const Folder *folder = *state;
    static const uint8_t some[] = {1, 2, 3, 4};
    struct rlimit before, tight = {0, 0};
    Images images;
    tacos_error err;
    char path[160], labels[160];
    if (SANITIZED)
        skip();
    char *line = malloc(2 * N_PIXELS + 3);
    assert_non_null(line);
    line[0] = '1';
    for (size_t i = 0; i < N_PIXELS; i++)
        memcpy(line + 1 + 2 * i, ",7", 2);
    put(folder, "one.csv", line, 2 * N_PIXELS + 1);
    free(line);
    put_npy(folder, "images.npy", "<f8", "1000, 1000, 1000", some, sizeof some);
    put_npy(folder, "labels.npy", "|u1", "1,", some, 1);

    assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
    tight = before;
    tight.rlim_cur = LIMIT;
    assert_int_equal(setrlimit(RLIMIT_DATA, &tight), 0);
    (void)snprintf(path, sizeof path, "%s/one.csv", folder->path);
    tacos_status csv = csv_read(&images, path, &(CsvScale){0}, &err);
    (void)snprintf(path, sizeof path, "%s/images.npy", folder->path);
    (void)snprintf(labels, sizeof labels, "%s/labels.npy", folder->path);
    Images none;
    tacos_status npy = npy_read(&none, path, labels, &err);
    assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);

    assert_int_equal(csv, TACOS_OK);
    assert_int_equal(images.width * images.height, N_PIXELS);
    images_free(&images);
    assert_int_equal(npy, TACOS_FORMAT);
    assert_says(err, "cut off");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(csv_with_and_without_names_of_columns),
        IN_FOLDER(a_byte_order_mark_eats_no_image),
        IN_FOLDER(npy_of_bytes_and_of_floats),
        IN_FOLDER(npy_in_colour),
        IN_FOLDER(idx_by_the_names_of_mnist),
        IN_FOLDER(csv_of_any_scale),
        IN_FOLDER(bad_csv_is_explained_with_its_line),
        IN_FOLDER(bad_arrays_are_explained),
        IN_FOLDER(missing_and_unlike_halves),
        IN_FOLDER(without_a_test_half),
        IN_FOLDER(what_is_no_file_is_not_waited_for),
        IN_FOLDER(links_to_files_are_followed),
        IN_FOLDER(promises_cost_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
