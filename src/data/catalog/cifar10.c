/* cifar10.c - CIFAR-10 from the files of its binary version: five of training images, one of test
 * images. */
#include "data/catalog/catalog.h"
#include "data/formats/formats.h"

enum { FILES_MAX = 5 };

/* One half of the set, from the files of these names. */
static tacos_status read_half(Images *out, const char *folder, const char *const *names, size_t n,
                              tacos_error *err) {
    CatalogPath paths[FILES_MAX];
    const char *texts[FILES_MAX];
    for (size_t i = 0; i < n; i++) {
        TRY(path_join(paths[i].text, folder, names[i], "", err));
        texts[i] = paths[i].text;
    }
    return cifar_read(out, texts, n, err);
}

tacos_status cifar10_read(Dataset *out, const char *folder, tacos_error *err) {
    static const char *const train[FILES_MAX] = {"data_batch_1.bin", "data_batch_2.bin",
                                                 "data_batch_3.bin", "data_batch_4.bin",
                                                 "data_batch_5.bin"};
    static const char *const test[] = {"test_batch.bin"};
    *out = (Dataset){.n_classes = CIFAR_CLASSES};
    tacos_status status = read_half(&out->train, folder, train, FILES_MAX, err);
    if (status == TACOS_OK)
        status = read_half(&out->test, folder, test, 1, err);
    if (status != TACOS_OK)
        dataset_free(out);
    return status;
}
