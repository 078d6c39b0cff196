/* test_snapshot.c - a learner as a file: it goes on as if nothing had been, and no damage passes.
 */
#include "folder.h"
#include "heap.h"
#include "old_learner.h"
#include "toy.h"

#include <signal.h>
#include <sys/resource.h>
#include <zlib.h>

/* A file of less than two kilobytes, to be damaged in every place. */
#define TINY "inputs = 5\nhidden = 3\noutputs = 2\nsteps = 20\ninit_w = 2"

/* Save a learner and free it. */
static void save(tacos_learner *learner, const char *path) {
    tacos_error err;
    assert_succeeds(tacos_learner_save(learner, path, &err));
    tacos_learner_free(learner);
}

static tacos_learner *load(const char *path) {
    tacos_learner *learner;
    tacos_error err;
    assert_succeeds(tacos_learner_load(&learner, path, NULL, &err));
    return learner;
}

/* Loading this fails cleanly: a status, a sentence with the path, nothing made, nothing kept. */
static tacos_status refused(const char *path) {
    Heap heap = {0};
    tacos_allocator allocator = heap_allocator(&heap);
    tacos_learner *learner = (tacos_learner *)&heap;
    tacos_error err = {0};
    tacos_status status = tacos_learner_load(&learner, path, &allocator, &err);
    if (status == TACOS_OK)
        tacos_learner_free(learner);
    else
        assert_says(err, path);
    assert_true(status == TACOS_OK || (!learner && err.status == status));
    assert_int_equal(heap.live_bytes, 0);
    return status;
}

/* The bytes of a tiny learner's file that has learned a little; free them. */
static char *tiny_file(const char *path, size_t *n) {
    tacos_learner *learner = toy_learner(TINY, "tacos", 3, NULL);
    const float bright[5] = {1, 1, 1, 1, 1};
    for (size_t k = 0; k < 5; k++)
        assert_int_equal(tacos_learner_learn(learner, bright, 5, k % 2, NULL), TACOS_OK);
    save(learner, path);
    return read_bytes(path, n);
}

/* ---- Going on -------------------------------------------------------------------------------- */

static void a_loaded_learner_goes_on_bit_for_bit(void **state) {
    const Folder *folder = *state;
    for (size_t m = 0; m < TOY_MODELS; m++) {
        Twins twins = toy_twins(toy_models[m], 4);
        toy_learn(twins.a, 0, 40);
        toy_learn(twins.b, 0, 20);
        save(twins.b, folder->file);
        twins.b = load(folder->file);
        assert_false(same_learner(twins.a, twins.b));
        toy_learn(twins.b, 20, 40);
        assert_true(same_learner(twins.a, twins.b));
        for (uint32_t k = 0; k < 5; k++) {
            tacos_prediction a = toy_predict(twins.a, k, k), b = toy_predict(twins.b, k, k);
            assert_memory_equal(a.counts, b.counts, 2 * sizeof *a.counts);
        }
        twins_free(twins);
    }
}

/* Layers of every size, and parameters that are not the defaults, come along. */
static void every_shape_comes_back(void **state) {
    static const char *const shapes[] = {"hidden = none", "hidden = 1", "hidden = 17,3,40"};
    const Folder *folder = *state;
    for (size_t i = 0; i < 3; i++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "inputs = 40\nlearning_rate = 0.0333333333333333333\n%s\n", shapes[i]);
        tacos_learner *was = toy_learner(text, "tacos", 4294967295u, NULL);
        toy_learn(was, 0, 3);
        assert_int_equal(tacos_learner_save(was, folder->file, NULL), TACOS_OK);
        tacos_learner *is = load(folder->file);
        assert_true(same_learner(was, is));
        toy_learn(was, 3, 6);
        toy_learn(is, 3, 6);
        assert_true(same_learner(was, is));
        tacos_learner_free(was);
        tacos_learner_free(is);
    }
}

/* The digest is of what was learned: one sample changes it, a file does not. */
static void the_digest_tells_what_was_learned(void **state) {
    const Folder *folder = *state;
    for (size_t m = 0; m < TOY_MODELS; m++) {
        Twins twins = toy_twins(toy_models[m], 4);
        toy_learn(twins.a, 0, 20);
        assert_int_not_equal(tacos_learner_digest(twins.a), tacos_learner_digest(twins.b));
        tacos_learner_free(twins.b);
        assert_int_equal(tacos_learner_save(twins.a, folder->file, NULL), TACOS_OK);
        twins.b = load(folder->file);
        uint32_t digest = tacos_learner_digest(twins.a);
        assert_int_equal(tacos_learner_digest(twins.b), digest);
        toy_learn(twins.b, 20, 21);
        assert_int_not_equal(tacos_learner_digest(twins.b), digest);
        twins_free(twins);
    }
}

/* What it was made from, and how far it is, can be asked of a loaded learner. */
static void a_loaded_learner_tells_what_it_is(void **state) {
    const Folder *folder = *state;
    char value[64];
    tacos_error err;
    tacos_learner *learner =
        toy_learner("inputs = 40\nhidden = 17,3\nm_max = 12.5", "fixed", 7, NULL);
    assert_int_equal(tacos_learner_learned(learner), 0);
    toy_learn(learner, 0, 3);
    save(learner, folder->file);
    learner = load(folder->file);
    toy_learn(learner, 3, 5);
    assert_int_equal(tacos_learner_learned(learner), 5);
    assert_int_equal(tacos_learner_seed(learner), 7);
    assert_succeeds(tacos_learner_get(learner, "model", value, sizeof value, &err));
    assert_string_equal(value, "fixed");
    assert_succeeds(tacos_learner_get(learner, "hidden", value, sizeof value, &err));
    assert_string_equal(value, "17,3");
    assert_succeeds(tacos_learner_get(learner, "m_max", value, sizeof value, &err));
    assert_string_equal(value, "12.5");
    assert_fails(tacos_learner_get(learner, "m_mx", value, sizeof value, &err), TACOS_UNKNOWN);
    assert_string_equal(value, "");
    assert_fails(tacos_learner_get(learner, "hidden", value, 3, &err), TACOS_RANGE);
    tacos_learner_free(learner);
}

static void the_same_learner_gives_the_same_file(void **state) {
    const Folder *folder = *state;
    Twins twins = toy_twins("tacos", 4);
    size_t n_a, n_b;
    twins_learn(twins, 0, 5);
    save(twins.a, folder->file);
    char *a = read_bytes(folder->file, &n_a);
    save(twins.b, folder->file); /* over the first */
    char *b = read_bytes(folder->file, &n_b);
    assert_int_equal(n_a, n_b);
    assert_memory_equal(a, b, n_a);
    assert_int_equal(folder_count(folder->path), 1);
    free(a);
    free(b);
}

static void a_loaded_learner_allocates_once(void **state) {
    const Folder *folder = *state;
    Heap heap = {0}, empty = {.empty = true};
    tacos_allocator from = heap_allocator(&heap), nothing = heap_allocator(&empty);
    tacos_learner *learner;
    tacos_error err;
    save(toy_learner(TOY, "tacos", 1, NULL), folder->file);
    assert_fails(tacos_learner_load(&learner, folder->file, &nothing, &err), TACOS_MEMORY);
    assert_succeeds(tacos_learner_load(&learner, folder->file, &from, &err));
    assert_int_equal(heap.calls, 1);
    tacos_learner_free(learner);
    assert_int_equal(heap.live_bytes, 0);
}

/* ---- Version 1 ------------------------------------------------------------------------------- */

/* What only later versions have. */
static bool is_new_key(const char *line) {
    static const char *const keys[] = {"w_ref_rate ", "m_max_output ", "feedback ", "target_fp "};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (strncmp(line, keys[k], strlen(keys[k])) == 0)
            return true;
    return false;
}

/* Write a learner's file again as version 1 would have, with these lines in place of new keys. */
static void as_version_1(const char *path, const char *more) {
    enum { VERSION = 8, LENGTH = 24, TEXT = 28 };
    size_t n, used = TEXT;
    char *was = read_bytes(path, &n), *is = calloc(1, n + strlen(more)), *line = was + TEXT;
    const unsigned char *length = (const unsigned char *)was + LENGTH;
    const char *end = line + (length[0] | length[1] << 8);
    memcpy(is, was, TEXT);
    for (size_t size; line < end; line += size) {
        size = strcspn(line, "\n") + 1;
        if (is_new_key(line))
            continue;
        memcpy(is + used, line, size);
        used += size;
    }
    memcpy(is + used, more, strlen(more));
    used += strlen(more);
    put_u32(is + VERSION, 1);
    put_u32(is + LENGTH, (uint32_t)(used - TEXT));
    put_u32(is + used, crc_add(0, is, used));
    used += 4;
    size_t rest = n - (size_t)(end + 4 - was);
    memcpy(is + used, end + 4, rest);
    write_bytes(path, is, used + rest);
    free(was);
    free(is);
}

/* Its time constant and its one m_max are understood, and the middle of the first weights' range is
 * passed over. */
static void a_file_of_version_1_goes_on(void **state) {
    const Folder *folder = *state;
    tacos_error err;
    tacos_learner *was = toy_learner(TOY "feedback = shared\ntarget_fp = cleared\nm_max = 0.05\n"
                                         "m_max_output = 0.05\nw_ref_rate = 0.0024\n",
                                     "tacos", 4, NULL);
    toy_learn(was, 0, 20);
    assert_succeeds(tacos_learner_save(was, folder->file, &err));
    as_version_1(folder->file, "tau_cons_ms = 25000\ninit_w_mean = 0.05,-1\n");
    tacos_learner *is = load(folder->file);
    assert_true(same_learner(was, is));
    toy_learn(was, 20, 40);
    toy_learn(is, 20, 40);
    assert_true(same_learner(was, is));
    tacos_learner_free(was);
    tacos_learner_free(is);
}

static void a_key_that_version_1_never_had_is_refused(void **state) {
    const Folder *folder = *state;
    size_t n;
    free(tiny_file(folder->file, &n));
    as_version_1(folder->file, "init_w_median = 1\n");
    assert_int_equal(refused(folder->file), TACOS_FORMAT);
}

#define REMOVED_KEYS                                                                               \
    "expansion_active = 0.02\nexpansion_steps = 150\nexpansion_rate_hz = 150\n"                    \
    "expansion_synapses = drawn\nuse_slope = 0.1\ncount_prior = 1\n"

static void removed_keys_without_effect_are_passed_over(void **state) {
    const Folder *folder = *state;
    tacos_error err;
    tacos_learner *was = toy_learner(TOY, "tacos", 4, NULL);
    toy_learn(was, 0, 20);
    assert_succeeds(tacos_learner_save(was, folder->file, &err));
    as_0_1_0(folder->file, "expansion = 0\noutput_inhibition = 0\n" REMOVED_KEYS, "tacos");
    tacos_learner *is = load(folder->file);
    assert_true(same_learner(was, is));
    toy_learn(was, 20, 40);
    toy_learn(is, 20, 40);
    assert_true(same_learner(was, is));
    tacos_learner_free(was);
    tacos_learner_free(is);
}

static void removed_models_are_named(void **state) {
    static const struct {
        const char *model, *more, *named;
    } cases[] = {
        {"use", "expansion = 0\n", "model use"},
        {"use+consolidation", REMOVED_KEYS, "model use+consolidation"},
        {"counting", "expansion = 100\noutput_inhibition = 1\n", "model counting"},
        {"tacos", "expansion = 100\n" REMOVED_KEYS, "expansion = 100"},
        {"snn", "expansion = 0\noutput_inhibition = 0.5\n", "output_inhibition = 0.5"},
    };
    const Folder *folder = *state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char sentence[400];
        tacos_learner *learner;
        tacos_error err;
        size_t n;
        free(tiny_file(folder->file, &n));
        as_0_1_0(folder->file, cases[i].more, cases[i].model);
        assert_fails(tacos_learner_load(&learner, folder->file, NULL, &err), TACOS_UNKNOWN);
        assert_null(learner);
        (void)snprintf(sentence, sizeof sentence,
                       "%s was saved with %s, which this version no longer has; version 0.1.0 "
                       "reads it",
                       folder->file, cases[i].named);
        assert_string_equal(err.text, sentence);
    }
}

/* ---- Damage ---------------------------------------------------------------------------------- */

static void no_shorter_file_passes(void **state) {
    const Folder *folder = *state;
    size_t n;
    free(tiny_file(folder->file, &n));
    assert_int_equal(refused(folder->file), TACOS_OK); /* the whole does */
    while (n-- > 0) {
        assert_int_equal(truncate(folder->file, (off_t)n), 0);
        if (refused(folder->file) == TACOS_OK)
            fail_msg("the first %zu bytes pass for a learner", n);
    }
}

static void put_byte(const char *path, size_t at, char byte) {
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    assert_int_equal(fwrite(&byte, 1, 1, file), 1);
    assert_int_equal(fclose(file), 0);
}

static void no_changed_byte_passes(void **state) {
    static const int changes[] = {1, 0x80, 0xff};
    const Folder *folder = *state;
    size_t n;
    char *bytes = tiny_file(folder->file, &n);
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < 3; i++) {
            put_byte(folder->file, k, (char)(bytes[k] ^ changes[i]));
            if (refused(folder->file) == TACOS_OK)
                fail_msg("byte %zu of %zu may be changed by %x", k, n, (unsigned)changes[i]);
        }
        put_byte(folder->file, k, bytes[k]);
    }
    assert_int_equal(refused(folder->file), TACOS_OK);
    free(bytes);
}

static void more_bytes_do_not_pass(void **state) {
    const Folder *folder = *state;
    size_t n;
    char *bytes = tiny_file(folder->file, &n); /* a zero is behind it */
    write_bytes(folder->file, bytes, n + 1);
    assert_int_equal(refused(folder->file), TACOS_FORMAT);
    free(bytes);
}

static void other_files_do_not_pass(void **state) {
    const Folder *folder = *state;
    char missing[128];
    size_t n;
    char *bytes = tiny_file(folder->file, &n);
    bytes[0] = 'Q';
    write_bytes(folder->file, bytes, n);
    assert_int_equal(refused(folder->file), TACOS_FORMAT);
    write_bytes(folder->file, "", 0);
    assert_int_equal(refused(folder->file), TACOS_FORMAT);
    (void)snprintf(missing, sizeof missing, "%s/nothing", folder->path);
    assert_int_equal(refused(missing), TACOS_MISSING);
    assert_int_not_equal(refused(folder->path), TACOS_OK);
    free(bytes);
}

static void a_newer_version_is_told_from_damage(void **state) {
    const Folder *folder = *state;
    size_t n;
    char *bytes = tiny_file(folder->file, &n);
    assert_int_equal(bytes[8], 2); /* after the magic word */
    bytes[8] = 3;
    write_bytes(folder->file, bytes, n);
    assert_int_equal(refused(folder->file), TACOS_VERSION);
    bytes[8] = 0; /* there never was one */
    write_bytes(folder->file, bytes, n);
    assert_int_equal(refused(folder->file), TACOS_FORMAT);
    free(bytes);
}

/* ---- Places that cannot be written ----------------------------------------------------------- */

static void an_unwritable_place_is_left_as_it_was(void **state) {
    const Folder *folder = *state;
    char below[128], nowhere[128], taken[128];
    tacos_learner *learner = toy_learner(TINY, "tacos", 3, NULL);
    tacos_error err;
    write_bytes(folder->file, "x", 1);
    (void)snprintf(below, sizeof below, "%s/learner", folder->file);
    (void)snprintf(nowhere, sizeof nowhere, "%s/no/learner", folder->path);
    (void)snprintf(taken, sizeof taken, "%s/taken", folder->path);
    assert_int_equal(mkdir(taken, 0777), 0);
    assert_fails(tacos_learner_save(learner, below, &err), TACOS_IO);
    assert_says(err, below);
    assert_fails(tacos_learner_save(learner, nowhere, &err), TACOS_MISSING);
    assert_fails(tacos_learner_save(learner, taken, &err), TACOS_IO);
    assert_int_equal(folder_count(folder->path), 2);
    assert_int_equal(folder_count(taken), 0);
    tacos_learner_free(learner);
}

/* A disk that fills up, played by a limit on the size of files. */
/* ---- through functions of one's own ---- */

typedef struct Tape {
    unsigned char bytes[1 << 16];
    size_t n, at, end; /* written; read; where it breaks */
} Tape;

static int write_tape(void *user, const void *bytes, size_t n) {
    Tape *tape = user;
    if (tape->n + n > tape->end)
        return 1;
    memcpy(tape->bytes + tape->n, bytes, n);
    tape->n += n;
    return 0;
}

static int read_tape(void *user, void *bytes, size_t n) {
    Tape *tape = user;
    if (tape->at + n > tape->n)
        return 1;
    memcpy(bytes, tape->bytes + tape->at, n);
    tape->at += n;
    return 0;
}

static void a_tape_is_as_good_as_a_file(void **state) {
    const Folder *folder = *state;
    Tape tape = {.end = sizeof tape.bytes}, file = {0};
    Twins twins = toy_twins("tacos", 1);
    tacos_error err;
    toy_learn(twins.a, 0, 20);
    assert_succeeds(tacos_learner_save_to(twins.a, write_tape, &tape, &err));
    assert_succeeds(tacos_learner_save(twins.a, folder->file, &err));
    FILE *in = fopen(folder->file, "rb");
    file.n = fread(file.bytes, 1, sizeof file.bytes, in);
    (void)fclose(in);
    assert_int_equal(file.n, tape.n);
    assert_memory_equal(file.bytes, tape.bytes, tape.n);
    tacos_learner_free(twins.b);
    assert_succeeds(tacos_learner_load_from(&twins.b, read_tape, &tape, NULL, &err));
    assert_int_equal(tape.at, tape.n);
    twins_learn(twins, 20, 30);
    twins_free(twins);
}

/* Every end of the tape, and every byte that is wrong, is an error in one direction or the other.
 */
static void a_torn_tape_is_an_error(void **state) {
    Tape whole = {.end = sizeof whole.bytes};
    tacos_learner *learner = toy_learner(TINY, "tacos", 1, NULL), *other;
    tacos_error err;
    (void)state;
    assert_succeeds(tacos_learner_save_to(learner, write_tape, &whole, &err));
    for (size_t end = 0; end < whole.n; end++) {
        Tape torn = {.end = end}, rest = whole;
        assert_fails(tacos_learner_save_to(learner, write_tape, &torn, &err), TACOS_IO);
        rest.n = end;
        assert_int_not_equal(tacos_learner_load_from(&other, read_tape, &rest, NULL, &err),
                             TACOS_OK);
        assert_null(other);
        rest.n = whole.n;
        rest.at = 0;
        rest.bytes[end] ^= 1;
        assert_int_not_equal(tacos_learner_load_from(&other, read_tape, &rest, NULL, &err),
                             TACOS_OK);
        assert_null(other);
    }
    tacos_learner_free(learner);
}

static void checksums_are_those_of_zlib(void **state) {
    unsigned char bytes[300];
    (void)state;
    for (size_t n = 0; n < sizeof bytes; n++) {
        bytes[n] = (unsigned char)(n * n + 7);
        assert_int_equal(crc_add(crc_add(0, bytes, n / 3), bytes + n / 3, n - n / 3),
                         crc32(0, bytes, (uInt)n));
    }
}

static void a_save_cut_short_keeps_the_old_file(void **state) {
    const Folder *folder = *state;
    struct rlimit was, small;
    size_t n, n_after;
    char *before = tiny_file(folder->file, &n);
    tacos_learner *large = toy_learner("", "tacos", 1, NULL);
    tacos_error err;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &was), 0);
    small = (struct rlimit){.rlim_cur = 100000, .rlim_max = was.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_fails(tacos_learner_save(large, folder->file, &err), TACOS_IO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &was), 0);
    (void)signal(SIGXFSZ, handler);
    char *after = read_bytes(folder->file, &n_after);
    assert_int_equal(n, n_after);
    assert_memory_equal(before, after, n);
    assert_int_equal(folder_count(folder->path), 1);
    tacos_learner_free(large);
    free(before);
    free(after);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_loaded_learner_goes_on_bit_for_bit),
        IN_FOLDER(every_shape_comes_back),
        IN_FOLDER(the_digest_tells_what_was_learned),
        IN_FOLDER(a_loaded_learner_tells_what_it_is),
        IN_FOLDER(the_same_learner_gives_the_same_file),
        IN_FOLDER(a_loaded_learner_allocates_once),
        IN_FOLDER(a_file_of_version_1_goes_on),
        IN_FOLDER(a_key_that_version_1_never_had_is_refused),
        IN_FOLDER(removed_keys_without_effect_are_passed_over),
        IN_FOLDER(removed_models_are_named),
        IN_FOLDER(no_shorter_file_passes),
        IN_FOLDER(no_changed_byte_passes),
        IN_FOLDER(more_bytes_do_not_pass),
        IN_FOLDER(other_files_do_not_pass),
        IN_FOLDER(a_newer_version_is_told_from_damage),
        IN_FOLDER(an_unwritable_place_is_left_as_it_was),
        IN_FOLDER(a_save_cut_short_keeps_the_old_file),
        IN_FOLDER(a_tape_is_as_good_as_a_file),
        cmocka_unit_test(a_torn_tape_is_an_error),
        cmocka_unit_test(checksums_are_those_of_zlib),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
