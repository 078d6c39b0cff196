/* pool.c - writes images of MNIST as mnist.c reads them: two classes after the other, each pixel
 * the mean of POOL x POOL.
 *
 *   pool POOL TRAIN_IMAGES TRAIN_LABELS TEST_IMAGES TEST_LABELS > mnist.bin
 *
 * The files are MNIST's, unpacked. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 28, TASKS = 5, IMAGES_HEAD = 16, LABELS_HEAD = 8 };

typedef struct Bytes {
    size_t n;
    uint8_t *at;
} Bytes;

static Bytes read_whole(const char *path) {
    Bytes file = {0, NULL};
    FILE *from = fopen(path, "rb");
    if (!from || fseek(from, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    file.n = (size_t)ftell(from);
    file.at = malloc(file.n + 1);
    rewind(from);
    if (!file.at || fread(file.at, 1, file.n, from) != file.n) {
        perror(path);
        exit(1);
    }
    (void)fclose(from);
    return file;
}

static void put_count(size_t n) {
    for (int k = 0; k < 4; k++)
        (void)putchar((int)(n >> 8 * k & 255));
}

static void put_image(uint8_t label, const uint8_t *pixels, int pool) {
    (void)putchar(label);
    for (int y = 0; y < SIDE; y += pool)
        for (int x = 0; x < SIDE; x += pool) {
            int sum = 0;
            for (int k = 0; k < pool * pool; k++)
                sum += pixels[(y + k / pool) * SIDE + x + k % pool];
            (void)putchar((sum + pool * pool / 2) / (pool * pool));
        }
}

static void put_all(Bytes images, Bytes labels, int pool) {
    for (int task = 0; task < TASKS; task++)
        for (size_t k = 0; k < labels.n - LABELS_HEAD; k++)
            if (labels.at[LABELS_HEAD + k] / 2 == task)
                put_image(labels.at[LABELS_HEAD + k], images.at + IMAGES_HEAD + k * SIDE * SIDE,
                          pool);
}

int main(int argc, char **argv) {
    int pool = argc == 6 ? atoi(argv[1]) : 0;
    Bytes files[4];
    if (pool < 1 || SIDE % pool != 0) {
        (void)fprintf(stderr, "usage: pool 1|2|4 IMAGES LABELS IMAGES LABELS > FILE\n");
        return 1;
    }
    for (int k = 0; k < 4; k++)
        files[k] = read_whole(argv[2 + k]);
    for (int k = 0; k < 4; k += 2)
        if (files[k + 1].n < LABELS_HEAD ||
            files[k].n != IMAGES_HEAD + (files[k + 1].n - LABELS_HEAD) * SIDE * SIDE) {
            (void)fprintf(stderr, "pool: %s and %s do not belong together\n", argv[2 + k],
                          argv[3 + k]);
            return 1;
        }
    put_count(files[1].n - LABELS_HEAD);
    put_count(files[3].n - LABELS_HEAD);
    put_all(files[0], files[1], pool);
    put_all(files[2], files[3], pool);
    return 0;
}
