/* test_files.c - files that appear whole, and files of one writer at a time. */
#define _DEFAULT_SOURCE /* flock, S_IFLNK */
#include "folder.h"

#include "base/files.h"

#include <fcntl.h>
#include <sys/file.h>

static void put(const char *path, const char *text) {
    tacos_error err;
    assert_succeeds(tacos_file_write(path, text, strlen(text), &err));
}

static void assert_holds(const char *path, const char *text) {
    size_t n;
    char *bytes = read_bytes(path, &n);
    assert_string_equal(bytes, text);
    free(bytes);
}

static void beside(const Folder *folder, const char *ending, char path[128]) {
    (void)snprintf(path, 128, "%s%s", folder->file, ending);
}

/* ---- whole files ---- */

static void a_file_is_replaced(void **state) {
    const Folder *folder = *state;
    put(folder->file, "one");
    put(folder->file, "another");
    assert_holds(folder->file, "another");
    assert_int_equal(folder_count(folder->path), 1);
}

/* Who writes it last wins, and nobody writes into another's file. */
static void many_write_one_file(void **state) {
    enum { MANY = 16 };
    const Folder *folder = *state;
    static Output outputs[MANY];
    static Output one_more;
    tacos_error err;
    for (size_t k = 0; k < MANY; k++)
        assert_succeeds(output_open(&outputs[k], folder->file, &err));
    assert_fails(output_open(&one_more, folder->file, &err), TACOS_BUSY);
    assert_says(err, "is being written by others");
    output_abandon(&outputs[5]);
    assert_succeeds(output_open(&outputs[5], folder->file, &err));
    for (size_t k = MANY; k-- > 0;) {
        char text[24];
        (void)fprintf(outputs[k].file, "%zu", k);
        assert_succeeds(output_commit(&outputs[k], &err));
        (void)snprintf(text, sizeof text, "%zu", k);
        assert_holds(folder->file, text);
    }
    assert_int_equal(folder_count(folder->path), 1);
}

/* Nobody has the file of a dead process locked. */
static void what_is_left_behind_goes(void **state) {
    const Folder *folder = *state;
    char stale[128], live[128], other[128];
    beside(folder, ".tmp-1", stale);
    beside(folder, ".tmp-3", live);
    beside(folder, ".tmp-17", other);
    write_bytes(stale, "x", 1);
    write_bytes(live, "x", 1);
    write_bytes(other, "x", 1);
    int fd = open(live, O_RDONLY);
    assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
    put(folder->file, "text");
    assert_false(exists(stale));
    assert_true(exists(live));
    assert_true(exists(other));
    (void)close(fd);
    put(folder->file, "text");
    assert_false(exists(live));
}

static void what_is_no_file_stays_what_it_is(void **state) {
    const Folder *folder = *state;
    char link[128];
    struct stat info;
    tacos_error err;
    put("/dev/null", "text");
    assert_true(stat("/dev/null", &info) == 0 && S_ISCHR(info.st_mode));
    assert_fails(tacos_file_write("/dev/full", "text", 4, &err), TACOS_IO);
    assert_fails(tacos_file_write(folder->path, "text", 4, &err), TACOS_IO);
    beside(folder, ".link", link);
    put(folder->file, "one");
    assert_int_equal(symlink("file", link), 0);
    put(link, "through it");
    assert_true(lstat(link, &info) == 0 && S_ISLNK(info.st_mode));
    assert_holds(folder->file, "through it");
}

static void names_of_temporary_files(void **state) {
    static const struct {
        const char *name;
        size_t stem;
    } cases[] = {{"a.tmp-1", 1},  {"abc.tmp-123", 3}, {"a.tmp-1.tmp-2", 7},
                 {".tmp-1", 0},   {"a.tmp-", 0},      {"a.tmp-x", 0},
                 {"a.tmp-1x", 0}, {"12", 0},          {"a.tmp", 0},
                 {"", 0},         {"-1", 0},          {"a.xtmp-1", 0}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(output_temporary_stem(cases[k].name), cases[k].stem);
}

/* ---- locks ---- */

static void one_at_a_time(void **state) {
    const Folder *folder = *state;
    char link[128];
    tacos_lock *first, *second;
    tacos_error err;
    put(folder->file, "text");
    beside(folder, ".link", link);
    assert_int_equal(symlink(folder->file, link), 0);
    assert_succeeds(tacos_lock_take(&first, folder->file, &err));
    assert_fails(tacos_lock_take(&second, folder->file, &err), TACOS_BUSY);
    assert_says(err, "is in use by process");
    assert_null(second);
    assert_fails(tacos_lock_take(&second, link, &err), TACOS_BUSY);
    tacos_lock_release(first);
    assert_int_equal(folder_count(folder->path), 2);
    assert_succeeds(tacos_lock_take(&second, link, &err));
    tacos_lock_release(second);
    tacos_lock_release(NULL);
}

/* Its holder is dead; it may have been another user. */
static void a_lock_that_was_left_is_none(void **state) {
    const Folder *folder = *state;
    char path[128];
    tacos_lock *lock;
    tacos_error err;
    beside(folder, "-lock", path);
    write_bytes(path, "process 1 on elsewhere\n", 23);
    assert_int_equal(chmod(path, 0444), 0);
    assert_succeeds(tacos_lock_take(&lock, folder->file, &err));
    tacos_lock_release(lock);
    assert_int_equal(folder_count(folder->path), 0);
}

static void places_that_are_wrong(void **state) {
    tacos_lock *lock;
    tacos_error err;
    (void)state;
    assert_fails(tacos_lock_take(&lock, "", &err), TACOS_INVALID);
    assert_fails(tacos_lock_take(&lock, NULL, &err), TACOS_INVALID);
    assert_fails(tacos_lock_take(&lock, "/no/such/place", &err), TACOS_MISSING);
    assert_fails(tacos_file_write("/no/such/place", "", 0, &err), TACOS_MISSING);
    assert_fails(tacos_file_write("", "", 0, &err), TACOS_MISSING);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_file_is_replaced),
        IN_FOLDER(many_write_one_file),
        IN_FOLDER(what_is_left_behind_goes),
        IN_FOLDER(what_is_no_file_stays_what_it_is),
        cmocka_unit_test(names_of_temporary_files),
        IN_FOLDER(one_at_a_time),
        IN_FOLDER(a_lock_that_was_left_is_none),
        cmocka_unit_test(places_that_are_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
