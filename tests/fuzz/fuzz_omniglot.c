/* fuzz_omniglot.c - a zip file of drawings, as it is and with its sums repaired; one to learn and
 * one to test of each character. */
#include "fuzz_images.h"
#include "repair_zip.h"

#include "data/catalog/catalog.h"

static void read_zip(const uint8_t *bytes, size_t n) {
    FuzzFile file = file_of(bytes, n);
    const char *const paths[] = {file.path};
    Dataset set;
    tacos_error err = {0};
    tacos_status status = omniglot_read_zips(&set, paths, 1, 1, 1, &err);
    if (status == TACOS_OK) {
        use_images(&set.train);
        use_images(&set.test);
    } else {
        check_failure(status, &err);
    }
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
