/* fuzz_csv.c - images as lines of numbers. */
#include "fuzz_images.h"

#include "data/formats/formats.h"

static void read_csv(const char *path, CsvScale scale) {
    Images images;
    tacos_error err = {0};
    tacos_status status = csv_read(&images, path, &scale, &err);
    if (status == TACOS_OK) {
        HOLDS(images.full > 0 && images.most >= 0);
        use_images(&images);
    } else {
        check_failure(status, &err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    FuzzFile file = file_of(bytes, n);
    read_csv(file.path, (CsvScale){0});
    read_csv(file.path, (CsvScale){.full = 0.3, .stated = true});
    file_end(&file);
    return 0;
}
