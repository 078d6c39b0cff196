/* fuzz_page.h - pages made of a file in memory, whatever it says: every place is a number, and no
 * word of the file is anything but a word. */
#ifndef FUZZ_PAGE_H
#define FUZZ_PAGE_H

#include "fuzz_images.h"

#include "report/pages/page.h"
#include "tacos_report.h"

static char folder[] = "/tmp/tacos-fuzz-XXXXXX";
static char name[sizeof folder + 16]; /* of the file in it, which points to: */
static int file;                      /* in memory */

static void remove_folder(void) {
    (void)unlink(name);
    (void)rmdir(folder);
}

static inline void folder_begin(const char *file_name) {
    char place[40];
    file = memfd_create("page", MFD_CLOEXEC);
    HOLDS(file >= 0 && mkdtemp(folder));
    (void)snprintf(place, sizeof place, "/proc/self/fd/%d", file);
    (void)snprintf(name, sizeof name, "%s/%s", folder, file_name);
    HOLDS(symlink(place, name) == 0 && atexit(remove_folder) == 0);
}

/* Pages and figures have no element <i>; a file that has it in its words must not bring one in. */
static void check_words(const char *page, const char *end) {
    static const char *const never[] = {"=\"nan", "=\"-nan", "=\"inf", "=\"-inf", "<i>"};
    size_t n = strlen(page), n_end = strlen(end);
    HOLDS(n > n_end && strcmp(page + n - n_end, end) == 0);
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        HOLDS(!strstr(page, never[i]));
}

static inline void make_page(const uint8_t *bytes, size_t n) {
    const char *dir = folder;
    tacos_report_options options = {.dirs = &dir, .n_dirs = 1};
    Text page = {0};
    tacos_error err = {0};
    HOLDS(ftruncate(file, 0) == 0 && pwrite(file, bytes, n, 0) == (ssize_t)n);
    tacos_status status = page_write(&page, &options, &err);
    if (status == TACOS_OK)
        check_words(text_bytes(&page), "</html>\n");
    else
        check_failure(status, &err);
    text_free(&page);
}

#endif
