/* test_small.c - the learner in one file (tools/single) against the library: the same bits after
 * every sample, the same answers; what it keeps comes back, and nothing else does. */
#include "check.h"
#include "net/learner.h"
#include "setup_keys.h"
#include "single/tacos.h"

#include <stdlib.h>

enum { INPUTS = 400, CLASSES = 5, SAMPLES = 500, MEMORY = 256 * 1024, GUARD = 64 };

/* Memory for a learner of exactly so many bytes, between two guards. */
typedef struct Room {
    size_t n;
    unsigned char *all;
} Room;

static Room room_of(size_t n) {
    Room room = {n, aligned_alloc(64, (n + 2 * GUARD + 63) / 64 * 64)};
    assert_non_null(room.all);
    memset(room.all, 0xa5, n + 2 * GUARD);
    return room;
}

static void *room_inside(const Room *room) {
    return room->all + GUARD;
}

static void room_close(Room *room) {
    for (size_t k = 0; k < GUARD; k++)
        assert_true(room->all[k] == 0xa5 && room->all[GUARD + room->n + k] == 0xa5);
    free(room->all);
}

/* Bars whose place and direction follow from the class, with noise. */
static void draw_sample(const tacos_setup *s, uint32_t k, uint32_t class, uint8_t *out) {
    Dice dice = {.game = 77, .turn = k * 1000};
    uint32_t high = s->height > 0 ? s->height : 1, wide = s->width, n = s->channels;
    uint32_t shift = roll_word(&dice) % 3;
    for (uint32_t y = 0; y < high; y++)
        for (uint32_t x = 0; x < wide; x++)
            for (uint32_t c = 0; c < n; c++) {
                uint32_t noise = roll_word(&dice) % 16 == 0 ? roll_word(&dice) % 256 : 0;
                uint32_t along = class % 2 ? x + y : x, bar = (along + shift + class * 2) % 9 < 3;
                out[(y * wide + x) * n + c] = (uint8_t)(noise > bar * 200 ? noise : bar * 200);
            }
}

static uint32_t class_of(uint32_t k) {
    return k < 100 ? k % 2 : k < 250 ? k % 3 : k % CLASSES;
}

static tacos_setup setup_of(uint32_t height, uint32_t width, uint32_t channels, uint32_t units) {
    tacos_setup setup;
    tacos_defaults(&setup);
    setup.height = height;
    setup.width = width;
    setup.channels = channels;
    setup.outputs = CLASSES;
    setup.units = units;
    return setup;
}

/* Images, signals, vectors; more units than are used, and fewer, so that they are recycled. */
enum { KINDS = 10 };

static tacos_setup kind_of(size_t kind) {
    const tacos_setup kinds[KINDS] = {setup_of(14, 14, 1, 300), setup_of(14, 14, 1, 60),
                                      setup_of(9, 11, 3, 100),  setup_of(1, 60, 1, 40),
                                      setup_of(1, 40, 3, 90),   setup_of(0, 20, 1, 50),
                                      setup_of(0, 6, 1, 30),    setup_of(20, 20, 1, 50),
                                      setup_of(12, 12, 1, 90),  setup_of(12, 12, 1, 90)};
    tacos_setup setup = kinds[kind];
    setup.seed = (uint32_t)kind + 1;
    if (kind == 7)
        setup.looks = 5;
    if (kind == 8) {
        setup.features = 2;
        setup.settle = 1;
        setup.match = 900000;
        setup.match_error = 950000;
        setup.trust = 5000;
    }
    if (kind == 9) {
        setup.settle = 2;
        setup.inherit = 0;
        setup.recycle = 0;
        setup.cells = 5;
        setup.stride = 1;
    }
    return setup;
}

static tacos *started(const tacos_setup *setup, Room *room) {
    tacos *learner;
    *room = room_of(tacos_bytes(setup));
    assert_int_equal(tacos_start(&learner, room_inside(room), room->n, setup), TACOS_GOOD);
    return learner;
}

/* The library's learner of the same setup. */
static Learner *twin_of(const tacos_setup *setup) {
    ColumnsSetup same;
    Learner *twin;
    _Static_assert(sizeof same == sizeof *setup, "the same struct");
    memcpy(&same, setup, sizeof same);
    Params params = keys_of(&same);
    assert_int_equal(learner_new(&twin, &params, setup->seed, NULL, NULL), TACOS_OK);
    return twin;
}

static void show_twin(Learner *twin, const uint8_t *input) {
    learner_show_columns(twin, &twin->view, input, RNG_INPUT, twin->net.n_learned);
}

/* ---- the same bits ---- */

static void assert_answer(const tacos_answer *answer, const Learner *twin, int output) {
    const ColumnsScratch *view = &twin->view;
    assert_int_equal(answer->output, output);
    if (answer->second >= 0)
        assert_int_equal(answer->margin, view->score[output] - view->score[answer->second]);
    assert_true(answer->match <= 1000);
    for (size_t c = 0; c < CLASSES; c++)
        if ((int)c != output && twin->columns.totals[c] > 0)
            assert_true(view->score[c] <= view->score[answer->second]);
}

static void it_learns_what_the_library_learns(void **state) {
    size_t n_full = 0;
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        tacos_setup setup = kind_of(kind);
        Room room;
        tacos *learner = started(&setup, &room);
        Learner *twin = twin_of(&setup);
        for (uint32_t k = 0; k < SAMPLES; k++) {
            uint8_t input[INPUTS];
            draw_sample(&setup, k, class_of(k), input);
            tacos_answer answer = tacos_predict(learner, input);
            show_twin(twin, input);
            assert_answer(&answer, twin, learner_predict(twin));
            assert_int_equal(tacos_learn(learner, input, class_of(k)), TACOS_GOOD);
            learner_learn(twin, class_of(k));
            if (tacos_digest(learner) != tacos_learner_digest(twin))
                fail_msg("kind %zu differs after sample %u", kind, k);
        }
        n_full += tacos_units_used(learner) == setup.units;
        assert_int_equal(tacos_learned(learner), SAMPLES);
        assert_int_equal(tacos_units_used(learner), twin->columns.n_units);
        tacos_learner_free(twin);
        room_close(&room);
    }
    assert_true(n_full >= 4);
}

static void targets_out_of_range_are_refused(void **state) {
    tacos_setup setup = kind_of(0);
    Room room;
    tacos *learner = started(&setup, &room);
    uint8_t input[INPUTS] = {0};
    uint32_t before = tacos_digest(learner);
    (void)state;
    assert_int_equal(tacos_learn(learner, input, CLASSES), TACOS_TARGET);
    assert_int_equal(tacos_learned(learner), 0);
    assert_int_equal(tacos_digest(learner), before);
    assert_int_equal(tacos_predict(learner, input).output, -1);
    room_close(&room);
}

/* ---- memory ---- */

static void it_lives_in_the_bytes_it_asks_for(void **state) {
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        tacos_setup setup = kind_of(kind);
        Room room = room_of(tacos_bytes(&setup));
        tacos *learner = NULL;
        assert_int_equal(tacos_start(&learner, room_inside(&room), room.n - 1, &setup), TACOS_ROOM);
        assert_null(learner);
        assert_int_equal(tacos_start(&learner, (char *)room_inside(&room) + 4, room.n, &setup),
                         TACOS_ROOM);
        assert_int_equal(tacos_start(&learner, room_inside(&room), room.n, &setup), TACOS_GOOD);
        assert_int_equal(tacos_setup_of(learner)->units, setup.units);
        room_close(&room);
    }
}

static void as_many_units_as_fit(void **state) {
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        tacos_setup setup = kind_of(kind);
        Room room = room_of(16384);
        tacos *learner;
        setup.units = 0;
        assert_int_equal(tacos_start(&learner, room_inside(&room), room.n, &setup), TACOS_GOOD);
        setup = *tacos_setup_of(learner);
        assert_true(setup.units > 20 && tacos_bytes(&setup) <= room.n);
        setup.units++;
        assert_true(tacos_bytes(&setup) > room.n);
        room_close(&room);
        setup.units = 0;
        room = room_of(1000);
        assert_int_equal(tacos_start(&learner, room_inside(&room), room.n, &setup), TACOS_ROOM);
        room_close(&room);
    }
}

static void impossible_setups_have_no_size(void **state) {
    tacos_setup setup = setup_of(14, 14, 1, 10);
    Room room = room_of(1000);
    tacos *learner;
    (void)state;
    setup.window = 8; /* of 7 x 7 cells */
    assert_int_equal(tacos_bytes(&setup), 0);
    assert_int_equal(tacos_start(&learner, room_inside(&room), room.n, &setup), TACOS_SETUP);
    assert_null(learner);
    room_close(&room);
}

/* ---- blocks ---- */

typedef struct Bytes {
    size_t n, most; /* writing fails beyond most */
    unsigned char *at;
} Bytes;

static int append(void *user, const void *bytes, size_t n) {
    Bytes *to = user;
    if (n > to->most - to->n)
        return -1;
    memcpy(to->at + to->n, bytes, n);
    to->n += n;
    return 0;
}

static Bytes saved(const tacos *learner) {
    Bytes block = {0, tacos_block_bytes(learner), malloc(tacos_block_bytes(learner))};
    assert_non_null(block.at);
    assert_int_equal(tacos_save(learner, append, &block), TACOS_GOOD);
    assert_int_equal(block.n, block.most);
    return block;
}

static void learn_from_to(tacos *learner, uint32_t from, uint32_t to) {
    for (uint32_t k = from; k < to; k++) {
        uint8_t input[INPUTS];
        draw_sample(tacos_setup_of(learner), k, class_of(k), input);
        assert_int_equal(tacos_learn(learner, input, class_of(k)), TACOS_GOOD);
    }
}

static void a_restored_learner_goes_on_bit_for_bit(void **state) {
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++)
        for (uint32_t stop = 0; stop <= 200; stop += 100) {
            tacos_setup setup = kind_of(kind);
            Room room, other;
            tacos *learner = started(&setup, &room), *restored;
            learn_from_to(learner, 0, stop);
            Bytes block = saved(learner);
            assert_int_equal(tacos_restore_bytes(block.at, block.n), tacos_bytes(&setup));
            other = room_of(tacos_bytes(&setup));
            assert_int_equal(
                tacos_restore(&restored, room_inside(&other), other.n, block.at, block.n),
                TACOS_GOOD);
            assert_int_equal(tacos_learned(restored), stop);
            learn_from_to(learner, stop, 300);
            learn_from_to(restored, stop, 300);
            assert_int_equal(tacos_digest(learner), tacos_digest(restored));
            assert_int_equal(
                tacos_restore(&restored, room_inside(&other), other.n - 1, block.at, block.n),
                TACOS_ROOM);
            block.most = block.n - 1;
            block.n = 0;
            assert_int_equal(tacos_save(learner, append, &block), TACOS_FLASH);
            free(block.at);
            room_close(&room);
            room_close(&other);
        }
}

/* A bit anywhere, or bytes missing at the end. */
static void no_damage_passes(void **state) {
    tacos_setup setup = kind_of(6);
    Room room, other;
    tacos *learner = started(&setup, &room), *restored;
    learn_from_to(learner, 0, 200);
    Bytes block = saved(learner);
    other = room_of(room.n);
    (void)state;
    for (size_t k = 0; k < 8 * block.n; k++) {
        block.at[k / 8] ^= (unsigned char)(1u << k % 8);
        int status = tacos_restore(&restored, room_inside(&other), other.n, block.at, block.n);
        assert_true(status == TACOS_BLOCK || (status == TACOS_NEWER && k / 32 == 2));
        assert_null(restored);
        block.at[k / 8] ^= (unsigned char)(1u << k % 8);
    }
    for (size_t n = 0; n < block.n; n++)
        assert_int_equal(tacos_restore(&restored, room_inside(&other), other.n, block.at, n),
                         TACOS_BLOCK);
    assert_int_equal(tacos_restore(&restored, room_inside(&other), other.n, block.at, block.n),
                     TACOS_GOOD);
    free(block.at);
    room_close(&room);
    room_close(&other);
}

/* ---- blocks and the library ---- */

static Bytes saved_twin(Learner *twin) {
    Bytes block = {0, 1 << 20, malloc(1 << 20)};
    tacos_error err;
    assert_non_null(block.at);
    assert_succeeds(tacos_learner_save_small(twin, append, &block, &err));
    return block;
}

/* Bytes of one are bytes of the other, and either goes on from them. */
static void the_library_writes_and_reads_the_same_block(void **state) {
    (void)state;
    for (size_t kind = 0; kind < KINDS; kind++) {
        tacos_setup setup = kind_of(kind);
        Room room;
        tacos *learner = started(&setup, &room);
        Learner *twin = twin_of(&setup);
        tacos_learner *back;
        tacos_error err;
        for (uint32_t k = 0; k < 250; k++) {
            uint8_t input[INPUTS];
            draw_sample(&setup, k, class_of(k), input);
            show_twin(twin, input);
            learner_learn(twin, class_of(k));
        }
        learn_from_to(learner, 0, 250);
        Bytes mine = saved(learner), theirs = saved_twin(twin);
        assert_int_equal(mine.n, theirs.n);
        assert_memory_equal(mine.at, theirs.at, mine.n);
        assert_succeeds(tacos_learner_load_small(&back, mine.at, mine.n, NULL, &err));
        assert_int_equal(tacos_learner_digest(back), tacos_digest(learner));
        assert_int_equal(tacos_learner_learned(back), 250);
        for (uint32_t k = 250; k < 350; k++) {
            uint8_t input[INPUTS];
            draw_sample(&setup, k, class_of(k), input);
            show_twin(back, input);
            learner_learn(back, class_of(k));
        }
        learn_from_to(learner, 250, 350);
        assert_int_equal(tacos_learner_digest(back), tacos_digest(learner));
        tacos_learner_free(back);
        tacos_learner_free(twin);
        free(mine.at);
        free(theirs.at);
        room_close(&room);
    }
}

static void the_library_lets_no_damage_pass(void **state) {
    tacos_setup setup = kind_of(6);
    Room room;
    tacos *learner = started(&setup, &room);
    tacos_learner *back;
    tacos_error err;
    (void)state;
    learn_from_to(learner, 0, 200);
    Bytes block = saved(learner);
    for (size_t k = 0; k < 8 * block.n; k++) {
        block.at[k / 8] ^= (unsigned char)(1u << k % 8);
        assert_true(tacos_learner_load_small(&back, block.at, block.n, NULL, &err) != TACOS_OK);
        assert_null(back);
        block.at[k / 8] ^= (unsigned char)(1u << k % 8);
    }
    for (size_t n = 0; n < block.n; n++)
        assert_true(tacos_learner_load_small(&back, block.at, n, NULL, &err) != TACOS_OK);
    assert_true(tacos_learner_load_small(&back, block.at, block.n + 1, NULL, &err) != TACOS_OK);
    assert_succeeds(tacos_learner_load_small(&back, block.at, block.n, NULL, &err));
    tacos_learner_free(back);
    free(block.at);
    room_close(&room);
}

static void what_a_device_cannot_have_is_refused(void **state) {
    const struct {
        const char *keys, *why;
    } wrong[] = {
        {"model = columns\ninputs = 16\noutputs = 2\ncolumn_input = spikes\n",
         "column_input = spikes"},
        {"model = columns\ninputs = 16\noutputs = 2\ncolumn_units = 9\n"
         "column_trust = 0.0000001\n",
         "column_trust = 1e-07"},
        {"model = columns\ninputs = 16\noutputs = 2\ncolumn_units = 9\ncolumn_match = 0.1234567\n",
         "column_match = 0.1234567"},
        {"model = columns\ninputs = 16\noutputs = 2\ncolumn_units = 70000\n", "70000 units"},
        {"model = columns\ninputs = 70000\noutputs = 2\ncolumn_units = 20\n", "70000 inputs"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        tacos_config *config;
        tacos_learner *learner;
        tacos_error err;
        unsigned char byte;
        Bytes nothing = {0, 0, &byte};
        assert_succeeds(tacos_config_new(&config, &err));
        assert_succeeds(tacos_config_parse(config, wrong[k].keys, "keys", &err));
        assert_succeeds(tacos_learner_new(&learner, config, 1, NULL, &err));
        assert_true(tacos_learner_save_small(learner, append, &nothing, &err) != TACOS_OK);
        if (!strstr(err.text, wrong[k].why))
            fail_msg("'%s' does not say '%s'", err.text, wrong[k].why);
        tacos_learner_free(learner);
        tacos_config_free(config);
    }
}

static void failed_writing_is_an_error(void **state) {
    tacos_setup setup = kind_of(6);
    Learner *twin = twin_of(&setup);
    tacos_error err;
    Bytes block = saved_twin(twin);
    size_t n = block.n;
    (void)state;
    for (block.most = 0; block.most < n; block.most += 7) {
        block.n = 0;
        assert_int_equal(tacos_learner_save_small(twin, append, &block, &err), TACOS_IO);
    }
    free(block.at);
    tacos_learner_free(twin);
}

/* ---- flash ---- */

/* Two slots, and the power, which fails after so many bytes erased or written. */
typedef struct Flash {
    tacos_flash driver;
    unsigned char *slot[2];
    size_t n, left;
    bool is_off;
} Flash;

static bool powered(Flash *flash) {
    if (flash->left == 0)
        flash->is_off = true;
    flash->left -= flash->left > 0;
    return !flash->is_off;
}

static int erase(void *user, int slot) {
    Flash *flash = user;
    for (size_t k = 0; k < flash->n; k++) {
        if (!powered(flash)) {
            flash->slot[slot][k] &= 0x5a; /* neither the old byte nor the new one */
            return -1;
        }
        flash->slot[slot][k] = 0xff;
    }
    return 0;
}

static int write_flash(void *user, int slot, size_t at, const void *piece) {
    Flash *flash = user;
    const unsigned char *from = piece;
    assert_true(at % TACOS_PIECE == 0 && at + TACOS_PIECE <= flash->n);
    for (size_t k = 0; k < TACOS_PIECE; k++) {
        assert_int_equal(flash->slot[slot][at + k], 0xff); /* was erased */
        if (!powered(flash)) {
            flash->slot[slot][at + k] = from[k] | 0xa5;
            return -1;
        }
        flash->slot[slot][at + k] = from[k];
    }
    return 0;
}

static Flash flash_of(size_t n) {
    Flash flash = {.slot = {malloc(n), malloc(n)}, .n = n, .left = SIZE_MAX};
    for (size_t slot = 0; slot < 2; slot++) {
        assert_non_null(flash.slot[slot]);
        memset(flash.slot[slot], (int)(0x3c + slot), n); /* as it was bought */
        flash.driver.slot[slot] = flash.slot[slot];
    }
    flash.driver.bytes = n;
    flash.driver.erase = erase;
    flash.driver.write = write_flash;
    return flash;
}

static void flash_close(Flash *flash) {
    free(flash->slot[0]);
    free(flash->slot[1]);
}

static int recall(tacos **out, const Room *room, Flash *flash) {
    flash->driver.user = flash;
    return tacos_recall(out, room_inside(room), room->n, &flash->driver);
}

static int keep(const tacos *learner, Flash *flash) {
    flash->driver.user = flash;
    return tacos_keep(learner, &flash->driver);
}

/* Power fails at every byte of a save, into either slot: the state before is there, or the new
 * one; and the next save works. */
static void power_may_fail_at_every_byte(void **state) {
    tacos_setup setup = kind_of(6);
    Room room, other;
    tacos *learner = started(&setup, &room), *recalled;
    Flash flash = flash_of(tacos_slot_bytes(learner) + TACOS_PIECE);
    size_t n_old = 0, n_new = 0, n_none = 0;
    (void)state;
    other = room_of(room.n);
    assert_int_equal(recall(&recalled, &other, &flash), TACOS_NOTHING);
    for (size_t round = 0; round < 4; round++) { /* the first save, then one slot after the other */
        uint32_t before = tacos_digest(learner);
        if (round > 0)
            learn_from_to(learner, (uint32_t)round * 50, (uint32_t)round * 50 + 50);
        uint32_t after = tacos_digest(learner);
        Flash copy = flash_of(flash.n);
        assert_true(round == 0 || before != after);
        for (size_t cut = 0; cut <= 2 * flash.n; cut++) {
            for (size_t slot = 0; slot < 2; slot++)
                memcpy(copy.slot[slot], flash.slot[slot], flash.n);
            copy.is_off = false;
            copy.left = cut;
            int status = keep(learner, &copy);
            assert_int_equal(status, copy.is_off ? TACOS_FLASH : TACOS_GOOD);
            status = recall(&recalled, &other, &copy);
            if (status == TACOS_NOTHING) {
                assert_true(round == 0 && copy.is_off);
                n_none++;
                continue;
            }
            assert_int_equal(status, TACOS_GOOD);
            uint32_t digest = tacos_digest(recalled);
            assert_true(digest == before || digest == after);
            assert_true(copy.is_off || digest == after);
            n_old += digest != after;
            n_new += digest == after;
            if (cut % 50 == 0) { /* and goes on from there */
                copy.is_off = false;
                copy.left = SIZE_MAX;
                assert_int_equal(keep(learner, &copy), TACOS_GOOD);
                assert_int_equal(recall(&recalled, &other, &copy), TACOS_GOOD);
                assert_int_equal(tacos_digest(recalled), after);
            }
        }
        flash_close(&copy);
        assert_int_equal(keep(learner, &flash), TACOS_GOOD);
    }
    assert_true(n_old > 4 * flash.n && n_new > 0 && n_none > flash.n);
    flash_close(&flash);
    room_close(&room);
    room_close(&other);
}

static void a_slot_that_is_too_small_is_left_alone(void **state) {
    tacos_setup setup = kind_of(6);
    Room room, other;
    tacos *learner = started(&setup, &room), *recalled;
    Flash flash = flash_of(tacos_slot_bytes(learner) - 1);
    (void)state;
    flash.left = 0;
    assert_int_equal(keep(learner, &flash), TACOS_FLASH);
    assert_false(flash.is_off); /* nothing was touched */
    other = room_of(room.n);
    assert_int_equal(recall(&recalled, &other, &flash), TACOS_NOTHING);
    flash_close(&flash);
    room_close(&room);
    room_close(&other);
}

/* What is known well matches better than what was never seen. */
static void what_is_new_matches_less(void **state) {
    tacos_setup setup = kind_of(0);
    Room room;
    tacos *learner = started(&setup, &room);
    uint32_t known = 0, strange = 0;
    (void)state;
    learn_from_to(learner, 0, 100); /* classes 0 and 1 */
    for (uint32_t k = 1000; k < 1100; k++) {
        uint8_t input[INPUTS];
        draw_sample(&setup, k, k % 2, input);
        known += tacos_predict(learner, input).match;
        draw_sample(&setup, k, 2 + k % 3, input);
        for (size_t i = 0; i < 100; i++)
            input[i] = (uint8_t)(255 - input[i]);
        strange += tacos_predict(learner, input).match;
    }
    assert_true(known > strange + 5000); /* by more than 50 of 1000 */
    room_close(&room);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_learns_what_the_library_learns),
        cmocka_unit_test(targets_out_of_range_are_refused),
        cmocka_unit_test(it_lives_in_the_bytes_it_asks_for),
        cmocka_unit_test(as_many_units_as_fit),
        cmocka_unit_test(impossible_setups_have_no_size),
        cmocka_unit_test(a_restored_learner_goes_on_bit_for_bit),
        cmocka_unit_test(no_damage_passes),
        cmocka_unit_test(the_library_writes_and_reads_the_same_block),
        cmocka_unit_test(the_library_lets_no_damage_pass),
        cmocka_unit_test(what_a_device_cannot_have_is_refused),
        cmocka_unit_test(failed_writing_is_an_error),
        cmocka_unit_test(power_may_fail_at_every_byte),
        cmocka_unit_test(a_slot_that_is_too_small_is_left_alone),
        cmocka_unit_test(what_is_new_matches_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
