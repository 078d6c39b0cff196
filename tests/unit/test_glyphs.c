/* test_glyphs.c - the built-in set is the same everywhere, and as hard as it should be. */
#include "data/catalog/catalog.h" /* before cmocka, whose fail() is a macro */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { N_PIXELS = GLYPHS_SIDE * GLYPHS_SIDE, N_TASKS = GLYPHS_CLASSES / 2 };

static int make_set(void **state) {
    Dataset *set = calloc(1, sizeof *set);
    if (!set || glyphs_make(set, 1, NULL) != TACOS_OK)
        return -1;
    *state = set;
    return 0;
}

static int free_set(void **state) {
    dataset_free(*state);
    free(*state);
    return 0;
}

/* If this fails, results of the demo are not comparable with any made before. */
static void is_pinned(void **state) {
    const Dataset *set = *state;
    assert_int_equal(images_checksum(images_checksum(0, &set->train), &set->test), 0x46e892fc);
}

static void has_its_shape(void **state) {
    const Dataset *set = *state;
    const Images *parts[] = {&set->train, &set->test};
    assert_int_equal(set->n_classes, GLYPHS_CLASSES);
    assert_int_equal(set->train.n, 1200 * GLYPHS_CLASSES);
    assert_int_equal(set->test.n, 250 * GLYPHS_CLASSES);
    for (size_t part = 0; part < 2; part++) {
        assert_int_equal(parts[part]->height, GLYPHS_SIDE);
        assert_int_equal(parts[part]->width, GLYPHS_SIDE);
        for (size_t i = 0; i < parts[part]->n; i++)
            assert_int_equal(parts[part]->labels[i], i % GLYPHS_CLASSES);
    }
}

/* One image drawn alone is the one in the set: nothing depends on what was drawn before. */
static void draws_one_image_alone(void **state) {
    const Dataset *set = *state;
    uint8_t image[N_PIXELS];
    glyphs_draw(1, 7, 1199, image);
    assert_memory_equal(image, set->train.pixels + 11997 * N_PIXELS, N_PIXELS);
    glyphs_draw(1, 7, 1200, image);
    assert_memory_equal(image, set->test.pixels + 7 * N_PIXELS, N_PIXELS);
}

static void differs_by_seed(void **state) {
    const Dataset *set = *state;
    uint8_t image[N_PIXELS];
    for (unsigned c = 0; c < GLYPHS_CLASSES; c++) {
        glyphs_draw(2, c, 0, image);
        assert_memory_not_equal(image, set->train.pixels + c * N_PIXELS, N_PIXELS);
    }
}

static int compare_images(const void *a, const void *b) {
    return memcmp(*(const uint8_t *const *)a, *(const uint8_t *const *)b, N_PIXELS);
}

static void repeats_no_image(void **state) {
    const Dataset *set = *state;
    size_t n = set->train.n + set->test.n;
    const uint8_t **all = malloc(n * sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < n; i++)
        all[i] = i < set->train.n ? set->train.pixels + i * N_PIXELS
                                  : set->test.pixels + (i - set->train.n) * N_PIXELS;
    qsort(all, n, sizeof *all, compare_images);
    for (size_t i = 1; i < n; i++)
        assert_true(compare_images(&all[i - 1], &all[i]) != 0);
    free(all);
}

/* MNIST has a mean intensity of 0.131 and 150 pixels with ink. */
static void is_as_sparse_as_mnist(void **state) {
    const Dataset *set = *state;
    double sum = 0, n_inked = 0;
    for (size_t i = 0; i < set->train.n * N_PIXELS; i++) {
        sum += set->train.pixels[i] / 255.0;
        n_inked += set->train.pixels[i] > 0;
    }
    double mean = sum / (double)(set->train.n * N_PIXELS);
    n_inked /= (double)set->train.n;
    print_message("mean intensity %.4f, %.1f pixels with ink\n", mean, n_inked);
    assert_true(mean > 0.115 && mean < 0.145);
    assert_true(n_inked > 100 && n_inked < 155);
}

/* The direction that tells a task's two classes apart points against that of every other task. */
static void tasks_conflict(void **state) {
    const Dataset *set = *state;
    static double d[N_TASKS][N_PIXELS]; /* mean of the first class less mean of the second */
    for (size_t i = 0; i < set->train.n; i++) {
        size_t label = set->train.labels[i];
        for (size_t k = 0; k < N_PIXELS; k++) {
            double pixel = set->train.pixels[i * N_PIXELS + k];
            d[label / 2][k] += label % 2 ? -pixel : pixel;
        }
    }
    for (size_t a = 0; a < N_TASKS; a++) {
        for (size_t b = 0; b < a; b++) {
            double ab = 0, aa = 0, bb = 0;
            for (size_t k = 0; k < N_PIXELS; k++) {
                ab += d[a][k] * d[b][k];
                aa += d[a][k] * d[a][k];
                bb += d[b][k] * d[b][k];
            }
            double cosine = ab / sqrt(aa * bb);
            print_message("tasks %zu and %zu: cosine %.3f\n", b, a, cosine);
            assert_true(cosine < -0.02);
        }
    }
}

/* ---- A linear readout by ridge regression -----------------------------------------------------
 */

enum {
    N_FEATURES = N_PIXELS + 1,     /* a constant is the last */
    N_TARGETS = GLYPHS_CLASSES + 1 /* one a class, and the class's place in its pair */
};

typedef struct Readout {
    double gram[N_FEATURES][N_FEATURES]; /* lower half; then its Cholesky factor */
    double weights[N_TARGETS][N_FEATURES];
} Readout;

static size_t features(const Images *images, size_t i, double value[N_FEATURES],
                       size_t at[N_FEATURES]) {
    size_t n = 0; /* of the features that are not 0 */
    for (size_t k = 0; k < N_FEATURES; k++) {
        value[n] = k < N_PIXELS ? images->pixels[i * N_PIXELS + k] / 255.0 : 1.0;
        at[n] = k;
        n += value[n] > 0;
    }
    return n;
}

static void add_images(Readout *r, const Images *images) {
    double value[N_FEATURES];
    size_t at[N_FEATURES];
    for (size_t i = 0; i < images->n; i++) {
        size_t label = images->labels[i], n = features(images, i, value, at);
        for (size_t a = 0; a < n; a++) {
            double *row = r->gram[at[a]], v = value[a];
            for (size_t b = 0; b <= a; b++)
                row[at[b]] += v * value[b];
            r->weights[label][at[a]] += v;
            r->weights[GLYPHS_CLASSES][at[a]] += label % 2 ? v : -v;
        }
    }
}

/* (X'X + ridge I) w = X'y for all targets, in place. */
static void solve(Readout *r, double ridge) {
    for (size_t i = 0; i < N_FEATURES; i++) {
        double *li = r->gram[i];
        li[i] += ridge;
        for (size_t j = 0; j <= i; j++) {
            const double *lj = r->gram[j];
            double sum = li[j];
            for (size_t k = 0; k < j; k++)
                sum -= li[k] * lj[k];
            li[j] = i == j ? sqrt(sum) : sum / lj[j];
        }
    }
    for (size_t t = 0; t < N_TARGETS; t++) {
        double *w = r->weights[t];
        for (size_t i = 0; i < N_FEATURES; i++) {
            for (size_t k = 0; k < i; k++)
                w[i] -= r->gram[i][k] * w[k];
            w[i] /= r->gram[i][i];
        }
        for (size_t i = N_FEATURES; i-- > 0;) {
            w[i] /= r->gram[i][i];
            for (size_t k = 0; k < i; k++)
                w[k] -= r->gram[i][k] * w[i];
        }
    }
}

/* Ten classes: hard for a linear readout, but not too hard. Five pairs on two outputs, learned at
 * once: possible, so that there is something for a learner of one pair after another to keep. */
static void challenges_a_linear_readout(void **state) {
    const Dataset *set = *state;
    Readout *r = calloc(1, sizeof *r);
    assert_non_null(r);
    add_images(r, &set->train);
    solve(r, 1.0);

    double value[N_FEATURES];
    size_t at[N_FEATURES];
    double right_class = 0, right_place = 0;
    for (size_t i = 0; i < set->test.n; i++) {
        size_t label = set->test.labels[i], n = features(&set->test, i, value, at), best = 0;
        double out[N_TARGETS] = {0};
        for (size_t t = 0; t < N_TARGETS; t++)
            for (size_t k = 0; k < n; k++)
                out[t] += r->weights[t][at[k]] * value[k];
        for (size_t t = 1; t < GLYPHS_CLASSES; t++)
            if (out[t] > out[best])
                best = t;
        right_class += best == label;
        right_place += (out[GLYPHS_CLASSES] > 0) == label % 2;
    }
    free(r);
    right_class /= (double)set->test.n;
    right_place /= (double)set->test.n;
    print_message("linear readout: ten classes %.4f, place in the pair %.4f\n", right_class,
                  right_place);
    assert_true(right_class > 0.90 && right_class < 0.97);
    assert_true(right_place > 0.86 && right_place < 0.95);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_pinned),
        cmocka_unit_test(has_its_shape),
        cmocka_unit_test(draws_one_image_alone),
        cmocka_unit_test(differs_by_seed),
        cmocka_unit_test(repeats_no_image),
        cmocka_unit_test(is_as_sparse_as_mnist),
        cmocka_unit_test(tasks_conflict),
        cmocka_unit_test(challenges_a_linear_readout),
    };
    return cmocka_run_group_tests(tests, make_set, free_set);
}
