/* fuzz_idx.c - two IDX files, plain or gzip: images and labels. */
#include "data/formats/formats.h"
#include "fuzz_images.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    TwoParts parts = parts_of(bytes, n);
    FuzzFile one = file_of(parts.one, parts.n_one), two = file_of(parts.two, parts.n_two);
    Images images;
    tacos_error err = {0};
    tacos_status status = idx_read(&images, one.path, two.path, UINT8_MAX + 1, &err);
    if (status == TACOS_OK)
        use_images(&images);
    else
        check_failure(status, &err);
    file_end(&one);
    file_end(&two);
    return 0;
}
