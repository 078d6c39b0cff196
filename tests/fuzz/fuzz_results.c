/* fuzz_results.c - results.json, as `tacos report` reads it; what is read becomes a page, in which
 * every place is a number and no word of the file is anything but a word. */
#include "fuzz_images.h"

#include "report/pages/page.h"

static char folder[] = "/tmp/tacos-fuzz-XXXXXX";
static char name[sizeof folder + 16]; /* of results.json in it, which points to: */
static int file;                      /* in memory */

static void remove_folder(void) {
    (void)unlink(name);
    (void)rmdir(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    char place[40];
    (void)argc;
    (void)argv;
    file = memfd_create("results", MFD_CLOEXEC);
    HOLDS(file >= 0 && mkdtemp(folder));
    (void)snprintf(place, sizeof place, "/proc/self/fd/%d", file);
    (void)snprintf(name, sizeof name, "%s/results.json", folder);
    HOLDS(symlink(place, name) == 0 && atexit(remove_folder) == 0);
    return 0;
}

/* Pages have no element <i>; a file that has it in its words must not bring one in. */
static void check_page(const char *page) {
    static const char *const never[] = {"=\"nan", "=\"-nan", "=\"inf", "=\"-inf", "<i>"};
    size_t n = strlen(page);
    HOLDS(n > 8 && strcmp(page + n - 8, "</html>\n") == 0);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        HOLDS(!strstr(page, never[i]));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    const char *dir = folder;
    Text page = {0};
    tacos_error err = {0};
    HOLDS(ftruncate(file, 0) == 0 && pwrite(file, bytes, n, 0) == (ssize_t)n);
    tacos_status status = page_write(&page, &dir, 1, &err);
    if (status == TACOS_OK)
        check_page(text_bytes(&page));
    else
        check_failure(status, &err);
    text_free(&page);
    return 0;
}
