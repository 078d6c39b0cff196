/* fuzz_csv.c - images as lines of numbers. */
#include "fuzz_images.h"

#include "data/formats/formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    FuzzFile file = file_of(bytes, n);
    Images images;
    tacos_error err = {0};
    tacos_status status = csv_read(&images, file.path, &err);
    if (status == TACOS_OK)
        use_images(&images);
    else
        check_failure(status, &err);
    file_end(&file);
    return 0;
}
