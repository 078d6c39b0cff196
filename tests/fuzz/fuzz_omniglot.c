/* fuzz_omniglot.c - a zip file of drawings; one to learn and one to test of each character. */
#include "fuzz_images.h"

#include "data/omniglot.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    FuzzFile file = file_of(bytes, n);
    const char *const paths[] = {file.path};
    Dataset set;
    tacos_error err = {0};
    tacos_status status = omniglot_read(&set, paths, 1, 1, 1, &err);
    if (status == TACOS_OK) {
        use_images(&set.train);
        use_images(&set.test);
    } else {
        check_failure(status, &err);
    }
    file_end(&file);
    return 0;
}
