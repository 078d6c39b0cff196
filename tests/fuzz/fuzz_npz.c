/* fuzz_npz.c - NumPy arrays in a zip file, as it is and with its sums repaired. */
#include "fuzz_images.h"
#include "repair_zip.h"

#include "data/formats/formats.h"

static void read_zip(const uint8_t *bytes, size_t n) {
    FuzzFile file = file_of(bytes, n);
    Images images;
    tacos_error err = {0};
    tacos_status status = npz_read(&images, file.path, &err);
    if (status == TACOS_OK)
        use_images(&images);
    else
        check_failure(status, &err);
    file_end(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    uint8_t *copy = malloc(n + 1);
    HOLDS(copy);
    memcpy(copy, bytes, n);
    read_zip(bytes, n);
    repair_zip(copy, n);
    read_zip(copy, n);
    free(copy);
    return 0;
}
