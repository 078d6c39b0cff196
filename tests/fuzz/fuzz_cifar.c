/* fuzz_cifar.c - a file of CIFAR-10's binary version, plain or gzip. */
#include "fuzz_images.h"

#include "data/formats/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    FuzzFile file = file_of(bytes, n);
    const char *paths[] = {file.path};
    Images images;
    tacos_error err = {0};
    tacos_status status = cifar_read(&images, paths, 1, &err);
    if (status == TACOS_OK) {
        HOLDS(images.channels == COLOURS);
        use_images(&images);
    } else {
        check_failure(status, &err);
    }
    file_end(&file);
    return 0;
}
