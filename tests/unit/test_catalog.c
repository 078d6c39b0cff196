/* test_catalog.c - data sets recognised by checksum, and installed whole or not at all.
 *
 * Most tests bring a toy catalog of their own, so that every case can be made from a few bytes.
 * Those with the true data run only where $TACOS_DATA points at some. */
#include "data/catalog/catalog.h"
#include "data/catalog/sha256.h"
#include "folder.h"

#include <zlib.h>

#define SHA_ABC   "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
#define SHA_HELLO "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
#define SHA_WORLD "486ea46224d1bb4fb680f34f7c9ad96a8f24ec88be73ea8e5a6c65260e9cb8a7"
#define SHA_SAME  "0967115f2813a3541eaef77de9d9d5773f1c0c04314b0bbfe4ff3b3b1c55b5d5"
#define SHA_ZIP   "4a70fe9aa6436e02c2dea340fbd1e352e4ef2d8ce6ca52ad25d4b95471fc8bf2"

/* "common" is the same in both editions, as labels can be. */
static const CatalogSet toy_sets[] = {
    {.info = {.name = "toy", .about = "two editions"}},
    {.info = {.name = "box", .about = "an archive", .shelf = "shelf"}},
    {.info = {.name = "air", .about = "nothing to obtain", .built_in = 1}},
};
static const CatalogEntry toy_entries[] = {
    {"toy", "common", "first", SUM_OF_CONTENT, SHA_SAME},
    {"toy", "letters", "first", SUM_OF_CONTENT, SHA_ABC},
    {"toy", "word", "first", SUM_OF_CONTENT, SHA_HELLO},
    {"toy", "common", "second", SUM_OF_CONTENT, SHA_SAME},
    {"toy", "letters", "second", SUM_OF_FILE, SHA_ZIP},
    {"toy", "word", "second", SUM_OF_CONTENT, SHA_WORLD},
    {"box", "box.zip", "only", SUM_OF_FILE, SHA_ZIP},
};
static const Catalog toy = {toy_sets, 3, toy_entries, 7};

/* ---- Folders and files ----------------------------------------------------------------------- */

typedef struct Place {
    char root[64];    /* all of the following are in it */
    char from[128];   /* an empty folder */
    char dir[128];    /* a data folder that is not there yet */
    char target[160]; /* dir/toy */
} Place;

static int set_up(void **state) {
    Place *place = calloc(1, sizeof *place);
    assert_non_null(place);
    strcpy(place->root, "/tmp/tacos-catalog-XXXXXX");
    assert_non_null(mkdtemp(place->root));
    (void)snprintf(place->from, sizeof place->from, "%s/from", place->root);
    (void)snprintf(place->dir, sizeof place->dir, "%s/deep/data", place->root);
    (void)snprintf(place->target, sizeof place->target, "%s/toy", place->dir);
    assert_int_equal(mkdir(place->from, 0777), 0);
    *state = place;
    return 0;
}

static int tear_down(void **state) {
    Place *place = *state;
    remove_all(place->root);
    free(place);
    return 0;
}

static void write_file(const char *folder, const char *name, const char *text) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    write_bytes(path, text, strlen(text));
}

static void write_gzip(const char *folder, const char *name, const char *text) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, text, (unsigned)strlen(text)), strlen(text));
    assert_int_equal(gzclose(file), Z_OK);
}

static void flip_byte(const char *folder, const char *name, long at) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    int byte = getc(file);
    assert_int_not_equal(byte, EOF);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_not_equal(putc(byte ^ 1, file), EOF);
    assert_int_equal(fclose(file), 0);
}

static void write_first_edition(const char *folder) {
    write_file(folder, "common", "same");
    write_file(folder, "letters", "abc");
    write_file(folder, "word", "hello");
}

static int holds(const char *folder, const char *name) {
    char path[512];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return exists(path);
}

/* ---- Checksums ------------------------------------------------------------------------------- */

static void sums_of_plain_and_zipped(void **state) {
    const Place *place = *state;
    char hex[SHA256_HEX_SIZE], path[256];
    write_file(place->from, "plain", "abc");
    write_gzip(place->from, "zipped", "abc");
    (void)snprintf(path, sizeof path, "%s/plain", place->from);
    assert_int_equal(sha256_file(path, hex, NULL), TACOS_OK);
    assert_string_equal(hex, SHA_ABC);
    assert_int_equal(sha256_content(path, hex, NULL), TACOS_OK);
    assert_string_equal(hex, SHA_ABC);
    (void)snprintf(path, sizeof path, "%s/zipped", place->from);
    assert_int_equal(sha256_content(path, hex, NULL), TACOS_OK);
    assert_string_equal(hex, SHA_ABC);
    assert_int_equal(sha256_file(path, hex, NULL), TACOS_OK);
    assert_string_not_equal(hex, SHA_ABC);
}

static void sums_of_bad_files(void **state) {
    const Place *place = *state;
    char hex[SHA256_HEX_SIZE], path[256];
    tacos_error err;
    assert_int_equal(sha256_file("/nowhere/x", hex, &err), TACOS_MISSING);
    assert_int_equal(sha256_content("/nowhere/x", hex, &err), TACOS_MISSING);
    assert_int_equal(sha256_file(place->from, hex, &err), TACOS_IO);
    assert_int_equal(sha256_content(place->from, hex, &err), TACOS_IO);
    write_gzip(place->from, "cut", "abcabcabc");
    (void)snprintf(path, sizeof path, "%s/cut", place->from);
    assert_int_equal(truncate(path, 15), 0);
    assert_int_equal(sha256_content(path, hex, &err), TACOS_FORMAT);
    assert_says(err, "ends too early");
    write_gzip(place->from, "bad", "abcabcabc");
    flip_byte(place->from, "bad", 12);
    (void)snprintf(path, sizeof path, "%s/bad", place->from);
    assert_int_equal(sha256_content(path, hex, &err), TACOS_FORMAT);
    assert_says(err, path);
}

/* ---- Verify ---------------------------------------------------------------------------------- */

static void verify_plain_and_zipped(void **state) {
    const Place *place = *state;
    char toy_folder[256];
    const char *edition = "untouched";
    tacos_error err = {TACOS_OK, "untouched"};
    (void)snprintf(toy_folder, sizeof toy_folder, "%s/toy", place->from);
    assert_int_equal(mkdir(toy_folder, 0777), 0);
    write_file(toy_folder, "common", "same");
    write_gzip(toy_folder, "letters.gz", "abc");
    write_file(toy_folder, "word", "hello");
    assert_int_equal(catalog_verify(&toy, "toy", place->from, &edition, &err), TACOS_OK);
    assert_string_equal(edition, "first");
    assert_string_equal(err.text, "untouched");
    write_file(toy_folder, "letters", "zip"); /* a plain file wins over a .gz */
    write_file(toy_folder, "word", "world");
    assert_int_equal(catalog_verify(&toy, "toy", place->from, &edition, NULL), TACOS_OK);
    assert_string_equal(edition, "second");
}

static void verify_missing(void **state) {
    const Place *place = *state;
    char toy_folder[256];
    tacos_error err;
    assert_int_equal(catalog_verify(&toy, "toy", place->dir, NULL, &err), TACOS_MISSING);
    assert_says(err, "common");
    (void)snprintf(toy_folder, sizeof toy_folder, "%s/toy", place->from);
    assert_int_equal(mkdir(toy_folder, 0777), 0);
    write_first_edition(toy_folder);
    (void)snprintf(toy_folder, sizeof toy_folder, "%s/toy/word", place->from);
    assert_int_equal(unlink(toy_folder), 0);
    assert_int_equal(catalog_verify(&toy, "toy", place->from, NULL, &err), TACOS_MISSING);
    assert_says(err, "word is not in");
    /* An archive is not looked for as .gz. */
    (void)snprintf(toy_folder, sizeof toy_folder, "%s/box", place->from);
    assert_int_equal(mkdir(toy_folder, 0777), 0);
    write_file(toy_folder, "box.zip.gz", "zip");
    assert_int_equal(catalog_verify(&toy, "box", place->from, NULL, &err), TACOS_MISSING);
}

/* A shelf holds files of several sets; a set's own folder comes first. */
static void a_shelf_is_looked_at_too(void **state) {
    const Place *place = *state;
    char shelf[256], own[256];
    tacos_error err;
    (void)snprintf(shelf, sizeof shelf, "%s/shelf", place->from);
    (void)snprintf(own, sizeof own, "%s/box", place->from);
    assert_int_equal(mkdir(shelf, 0777), 0);
    write_file(shelf, "box.zip", "zip");
    assert_int_equal(catalog_verify(&toy, "box", place->from, NULL, &err), TACOS_OK);
    assert_int_equal(catalog_install(&toy, "box", place->from, place->dir, &err), TACOS_OK);
    (void)snprintf(own, sizeof own, "%s/box/box.zip", place->dir);
    assert_true(exists(own));
    (void)snprintf(own, sizeof own, "%s/box", place->from);
    assert_int_equal(mkdir(own, 0777), 0);
    assert_int_equal(catalog_verify(&toy, "box", place->from, NULL, &err), TACOS_OK);
    write_file(own, "box.zip", "another");
    assert_int_equal(catalog_verify(&toy, "box", place->from, NULL, &err), TACOS_CHECKSUM);
    assert_says(err, "from/box/box.zip");
}

static void verify_damaged(void **state) {
    const Place *place = *state;
    char toy_folder[256];
    tacos_error err;
    (void)snprintf(toy_folder, sizeof toy_folder, "%s/toy", place->from);
    assert_int_equal(mkdir(toy_folder, 0777), 0);
    write_first_edition(toy_folder);
    flip_byte(toy_folder, "letters", 1);
    assert_int_equal(catalog_verify(&toy, "toy", place->from, NULL, &err), TACOS_CHECKSUM);
    assert_int_equal(err.status, TACOS_CHECKSUM);
    assert_says(err, "toy/letters");
    assert_says(err, SHA_ABC); /* right */
    assert_says(err,
                "414322309db5c06d090a2e922ccc3e00708c993b9b96405de127b7fd8da2dd21"); /* found */
}

static void verify_mixed_editions(void **state) {
    const Place *place = *state;
    char toy_folder[256];
    tacos_error err;
    (void)snprintf(toy_folder, sizeof toy_folder, "%s/toy", place->from);
    assert_int_equal(mkdir(toy_folder, 0777), 0);
    write_first_edition(toy_folder);
    write_file(toy_folder, "word", "world");
    assert_int_equal(catalog_verify(&toy, "toy", place->from, NULL, &err), TACOS_CHECKSUM);
    assert_says(err, "editions are mixed");
    assert_says(err, "letters is of the first");
    assert_says(err, "word is of the second");
}

static void verify_names(void **state) {
    const Place *place = *state;
    const char *edition;
    tacos_error err;
    assert_int_equal(catalog_verify(&toy, "tyo", place->dir, NULL, &err), TACOS_UNKNOWN);
    assert_says(err, "'tyo'");
    assert_int_equal(catalog_verify(&toy, NULL, place->dir, NULL, &err), TACOS_INVALID);
    assert_int_equal(catalog_verify(&toy, "air", place->dir, &edition, &err), TACOS_OK);
    assert_string_equal(edition, "built in");
}

/* ---- Install --------------------------------------------------------------------------------- */

static void install_into_fresh_folder(void **state) {
    const Place *place = *state;
    const char *edition;
    write_first_edition(place->from);
    assert_int_equal(catalog_install(&toy, "toy", place->from, place->dir, NULL), TACOS_OK);
    assert_int_equal(catalog_verify(&toy, "toy", place->dir, &edition, NULL), TACOS_OK);
    assert_string_equal(edition, "first");
    assert_int_equal(folder_count(place->target), 3);
}

static void install_from_the_sets_folder(void **state) {
    const Place *place = *state;
    char toy_folder[256];
    (void)snprintf(toy_folder, sizeof toy_folder, "%s/toy", place->from);
    assert_int_equal(mkdir(toy_folder, 0777), 0);
    write_first_edition(toy_folder);
    write_file(place->from, "word", "of another set"); /* the set's own folder comes first */
    assert_int_equal(catalog_install(&toy, "toy", place->from, place->dir, NULL), TACOS_OK);
    assert_int_equal(catalog_verify(&toy, "toy", place->dir, NULL, NULL), TACOS_OK);
}

static void install_missing_or_damaged_touches_nothing(void **state) {
    const Place *place = *state;
    tacos_error err;
    write_first_edition(place->from);
    flip_byte(place->from, "word", 0);
    assert_int_equal(catalog_install(&toy, "toy", place->from, place->dir, &err), TACOS_CHECKSUM);
    assert_says(err, "/from/word");
    assert_int_equal(catalog_install(&toy, "box", place->from, place->dir, &err), TACOS_MISSING);
    assert_says(err, "box.zip is neither in");
    assert_false(holds(place->root, "deep"));
}

static void install_failing_leaves_no_temporary_files(void **state) {
    const Place *place = *state;
    char in_the_way[256];
    tacos_error err;
    write_first_edition(place->from);
    assert_int_equal(catalog_install(&toy, "toy", place->from, place->dir, NULL), TACOS_OK);
    flip_byte(place->target, "common", 0);
    (void)snprintf(in_the_way, sizeof in_the_way, "%s/word", place->target);
    assert_int_equal(unlink(in_the_way), 0);
    assert_int_equal(mkdir(in_the_way, 0777), 0); /* where a file belongs */
    assert_int_equal(catalog_install(&toy, "toy", place->from, place->dir, &err), TACOS_IO);
    assert_says(err, "cannot write");
    assert_int_equal(folder_count(place->target), 3);
}

static void install_replaces_the_other_form(void **state) {
    const Place *place = *state;
    write_first_edition(place->from);
    assert_int_equal(catalog_install(&toy, "toy", place->from, place->dir, NULL), TACOS_OK);
    flip_byte(place->target, "word", 0);
    (void)remove_all(place->from);
    assert_int_equal(mkdir(place->from, 0777), 0);
    write_gzip(place->from, "common.gz", "same");
    write_gzip(place->from, "letters.gz", "abc");
    write_gzip(place->from, "word.gz", "hello");
    assert_int_equal(catalog_install(&toy, "toy", place->from, place->dir, NULL), TACOS_OK);
    assert_int_equal(catalog_verify(&toy, "toy", place->dir, NULL, NULL), TACOS_OK);
    assert_true(holds(place->target, "word.gz"));
    assert_int_equal(folder_count(place->target), 3);
}

static void install_in_place_verifies_only(void **state) {
    const Place *place = *state;
    char other_name[256];
    struct stat before, after;
    write_first_edition(place->from);
    assert_int_equal(catalog_install(&toy, "toy", place->from, place->dir, NULL), TACOS_OK);
    (void)snprintf(other_name, sizeof other_name, "%s/word", place->target);
    assert_int_equal(stat(other_name, &before), 0);
    assert_int_equal(catalog_install(&toy, "toy", place->dir, place->dir, NULL), TACOS_OK);
    (void)snprintf(other_name, sizeof other_name, "%s/../data/toy/.", place->dir);
    assert_int_equal(catalog_install(&toy, "toy", other_name, place->dir, NULL), TACOS_OK);
    (void)snprintf(other_name, sizeof other_name, "%s/word", place->target);
    assert_int_equal(stat(other_name, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    flip_byte(place->target, "word", 0);
    assert_int_equal(catalog_install(&toy, "toy", place->dir, place->dir, NULL), TACOS_CHECKSUM);
}

static void install_where_nothing_can_be_written(void **state) {
    const Place *place = *state;
    char below_a_file[256], too_long[OUTPUT_PATH_MAX + 10];
    tacos_error err;
    write_first_edition(place->from);
    (void)snprintf(below_a_file, sizeof below_a_file, "%s/word/below", place->from);
    assert_int_equal(catalog_install(&toy, "toy", place->from, below_a_file, &err), TACOS_IO);
    assert_says(err, "cannot make the folder");
    (void)snprintf(below_a_file, sizeof below_a_file, "%s/toy", place->root);
    write_file(place->root, "toy", "a file where the folder should be");
    assert_int_equal(catalog_install(&toy, "toy", place->from, place->root, &err), TACOS_IO);
    assert_says(err, "not a folder");
    memset(too_long, 'x', sizeof too_long - 1);
    too_long[sizeof too_long - 1] = '\0';
    assert_int_equal(catalog_install(&toy, "toy", place->from, too_long, &err), TACOS_RANGE);
    assert_int_equal(catalog_install(&toy, "toy", too_long, place->dir, &err), TACOS_RANGE);
}

static void install_arguments(void **state) {
    const Place *place = *state;
    assert_int_equal(catalog_install(&toy, "x", place->from, place->dir, NULL), TACOS_UNKNOWN);
    assert_int_equal(catalog_install(&toy, "air", place->from, place->dir, NULL), TACOS_INVALID);
    assert_int_equal(catalog_install(&toy, "toy", NULL, place->dir, NULL), TACOS_INVALID);
    assert_int_equal(catalog_install(&toy, "toy", "", place->dir, NULL), TACOS_INVALID);
}

/* ---- The data folder ------------------------------------------------------------------------- */

static void data_folder_from_the_environment(void **state) {
    char buf[64];
    tacos_error err;
    (void)state;
    assert_int_equal(setenv("TACOS_DATA", "/t", 1), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", "/x", 1), 0);
    assert_int_equal(setenv("HOME", "/h", 1), 0);
    assert_int_equal(tacos_data_dir("given", buf, sizeof buf, NULL), TACOS_OK);
    assert_string_equal(buf, "given");
    assert_int_equal(tacos_data_dir(NULL, buf, sizeof buf, NULL), TACOS_OK);
    assert_string_equal(buf, "/t");
    assert_int_equal(setenv("TACOS_DATA", "", 1), 0); /* empty is as good as unset */
    assert_int_equal(tacos_data_dir(NULL, buf, sizeof buf, NULL), TACOS_OK);
    assert_string_equal(buf, "/x/tacos");
    assert_int_equal(setenv("XDG_CACHE_HOME", "relative", 1), 0);
    assert_int_equal(tacos_data_dir(NULL, buf, sizeof buf, NULL), TACOS_OK);
    assert_string_equal(buf, "/h/.cache/tacos");
    assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
    assert_int_equal(tacos_data_dir(NULL, buf, sizeof buf, NULL), TACOS_OK);
    assert_string_equal(buf, "/h/.cache/tacos");
    assert_int_equal(tacos_data_dir(NULL, buf, strlen(buf), &err), TACOS_RANGE);
    assert_int_equal(unsetenv("HOME"), 0);
    assert_int_equal(tacos_data_dir(NULL, buf, sizeof buf, &err), TACOS_MISSING);
    assert_says(err, "TACOS_DATA");
    assert_int_equal(tacos_data_dir("", buf, sizeof buf, &err), TACOS_INVALID);
}

/* ---- The program's own catalog --------------------------------------------------------------- */

static void every_edition_has_every_file(void **state) {
    const Catalog *catalog = catalog_builtin();
    (void)state;
    for (size_t i = 0; i < catalog->n_entries; i++) {
        const CatalogEntry *entry = &catalog->entries[i];
        const CatalogSet *set;
        size_t n_files = 0, n_in_edition = 0;
        assert_int_equal(catalog_find(catalog, entry->set, &set, NULL), TACOS_OK);
        assert_int_equal(strlen(entry->sha256), 64);
        assert_int_equal(strspn(entry->sha256, "0123456789abcdef"), 64);
        while (catalog_file(catalog, &set->info, n_files))
            n_files++;
        assert_in_range(n_files, 1, CATALOG_MAX_FILES);
        for (size_t k = 0; k < catalog->n_entries; k++)
            n_in_edition += strcmp(catalog->entries[k].set, entry->set) == 0 &&
                            strcmp(catalog->entries[k].edition, entry->edition) == 0;
        assert_int_equal(n_in_edition, n_files);
    }
}

static void sets_can_be_listed(void **state) {
    size_t n = 0;
    (void)state;
    while (tacos_data_set(n))
        n++;
    assert_int_equal(n, 8);
    assert_string_equal(tacos_data_file(tacos_data_set(1), 0), "train-images-idx3-ubyte");
    assert_string_equal(tacos_data_file(tacos_data_set(2), 3), "t10k-labels-idx1-ubyte");
    assert_null(tacos_data_file(tacos_data_set(2), 4)); /* two editions, but four files */
    assert_string_equal(tacos_data_set(4)->archive, "cifar-10-binary.tar.gz");
    assert_string_equal(tacos_data_file(tacos_data_set(4), 5), "test_batch.bin");
    assert_null(tacos_data_file(tacos_data_set(0), 0));
    assert_null(tacos_data_file(NULL, 0));
}

/* A set that is not in $TACOS_DATA is passed over; one that is there must be right. */
static void true_data_can_be_verified_and_installed(void **state) {
    const Place *place = *state;
    const char *data = getenv("TACOS_DATA");
    const tacos_data_info *set;
    int n_seen = 0;
    for (size_t i = 0; data && (set = tacos_data_set(i)); i++) {
        tacos_error err;
        if (set->built_in || (tacos_data_verify(set->name, data, NULL, &err) != TACOS_OK &&
                              err.status == TACOS_MISSING))
            continue;
        n_seen++;
        assert_int_equal(tacos_data_verify(set->name, data, NULL, NULL), TACOS_OK);
        assert_int_equal(tacos_data_install(set->name, data, place->dir, NULL), TACOS_OK);
        assert_int_equal(tacos_data_verify(set->name, place->dir, NULL, NULL), TACOS_OK);
    }
    if (n_seen == 0) {
        print_message("skipped: no data sets in $TACOS_DATA\n");
        skip();
    }
}

#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(sums_of_plain_and_zipped),
        IN_A_FOLDER(sums_of_bad_files),
        IN_A_FOLDER(verify_plain_and_zipped),
        IN_A_FOLDER(verify_missing),
        IN_A_FOLDER(a_shelf_is_looked_at_too),
        IN_A_FOLDER(verify_damaged),
        IN_A_FOLDER(verify_mixed_editions),
        IN_A_FOLDER(verify_names),
        IN_A_FOLDER(install_into_fresh_folder),
        IN_A_FOLDER(install_from_the_sets_folder),
        IN_A_FOLDER(install_missing_or_damaged_touches_nothing),
        IN_A_FOLDER(install_failing_leaves_no_temporary_files),
        IN_A_FOLDER(install_replaces_the_other_form),
        IN_A_FOLDER(install_in_place_verifies_only),
        IN_A_FOLDER(install_where_nothing_can_be_written),
        IN_A_FOLDER(install_arguments),
        cmocka_unit_test(every_edition_has_every_file),
        cmocka_unit_test(sets_can_be_listed),
        IN_A_FOLDER(true_data_can_be_verified_and_installed),
        cmocka_unit_test(data_folder_from_the_environment), /* last: it changes $TACOS_DATA */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
