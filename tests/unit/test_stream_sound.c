/* test_stream_sound.c - classifiers of sounds: a sample is the name of a WAV file. */
#include "sound/spectrogram.h"

#include "classifier_box.h"
#include "folder.h"
#include "tone.h"

enum { N_KINDS = 3 };
static const char *const kinds[N_KINDS] = {"rising", "falling", "high"};

/* Sound k of the folder, and the number of its kind. */
static size_t make_sound(const Folder *folder, uint32_t k, char path[128]) {
    static const double from[] = {300, 1500, 2500}, to[] = {1500, 300, 3000};
    size_t kind = k * 7 % N_KINDS;
    Dice dice = {.game = 400 + k};
    (void)snprintf(path, 128, "%s/%u.WAV", folder->path, k);
    if (!exists(path))
        assert_true(
            tone_write(path, from[kind] + roll(&dice, 0, 200), to[kind] + roll(&dice, 0, 200)));
    return kind;
}

static tacos_status next_path(tacos_classifier *c, const char *path, const char *label,
                              tacos_answer *answer, tacos_error *err) {
    const double none = 0;
    return tacos_classifier_next(c, &(tacos_sample){&none, &path, 1}, label, answer, err);
}

static tacos_answer next_sound(tacos_classifier *c, const Folder *folder, uint32_t k) {
    char path[128];
    tacos_answer answer;
    tacos_error err;
    size_t kind = make_sound(folder, k, path);
    assert_succeeds(next_path(c, path, k % 5 == 4 ? NULL : kinds[kind], &answer, &err));
    return answer;
}

static void names_of_wav_files_need_no_key(void **state) {
    enum { N = 90, LATE = 45 };
    tacos_classifier *c = classifier_of(NULL, NULL);
    tacos_feature_info feature;
    size_t right = 0;
    for (uint32_t k = 0; k < N; k++) {
        tacos_answer answer = next_sound(c, *state, k);
        if (k >= LATE)
            right += strcmp(tacos_classifier_label(c, (size_t)answer.label),
                            kinds[k * 7 % N_KINDS]) == 0;
    }
    assert_int_equal(right, N - LATE);
    tacos_classifier_info info = tacos_classifier_info_get(c);
    assert_string_equal(info.encoder, "spectrogram");
    assert_int_equal(info.n_features, 1);
    assert_int_equal(info.n_inputs, 16 * 32);
    assert_int_equal(info.height, 16);
    assert_int_equal(info.width, 32);
    assert_int_equal(info.channels, 1);
    assert_true(tacos_classifier_feature(c, 0, &feature));
    assert_string_equal(feature.kind, "sound");
    assert_int_equal(feature.n_categories, 0);
    assert_int_equal(feature.n_inputs, info.n_inputs);
    tacos_classifier_free(c);
}

static void inputs_are_the_spectrogram(void **state) {
    const char *const keys[] = {
        "encoder_bands", "6", "encoder_frames", "5", "encoder_low_hz", "200", "encoder_high_hz",
        "3500",          NULL};
    const SpectrogramRules rules = {.n_bands = 6, .n_frames = 5, .low_hz = 200, .high_hz = 3500};
    tacos_classifier *c = classifier_of("sound", keys);
    uint8_t pixels[6 * 5];
    char path[128];
    const double none = 0;
    const char *const text = path;
    const float *inputs;
    size_t n;
    Sound sound;
    tacos_error err;
    (void)next_sound(c, *state, 0);
    (void)make_sound(*state, 2, path);
    assert_succeeds(wav_read(&sound, path, &err));
    assert_succeeds(spectrogram_draw(&sound, &rules, pixels, path, &err));
    sound_free(&sound);
    assert_succeeds(
        tacos_classifier_encode(c, &(tacos_sample){&none, &text, 1}, &inputs, &n, &err));
    assert_int_equal(n, sizeof pixels);
    for (size_t i = 0; i < n; i++)
        assert_true(inputs[i] == (float)(pixels[i] / 255.0));
    tacos_classifier_free(c);
}

/* Saved and loaded after any sound, also in the warm-up. */
static void a_loaded_classifier_continues_bit_for_bit(void **state) {
    const char *const keys[] = {"warm_up", "12", "column_memory_kb", "20", NULL};
    BoxTape tape = {0};
    for (uint32_t n = 0; n < 24; n += n < 14 ? 2 : 5) {
        tacos_classifier *c = classifier_of(NULL, keys);
        for (uint32_t k = 0; k < n; k++)
            (void)next_sound(c, *state, k);
        box_save(c, &tape);
        tacos_classifier *again = box_load(&tape);
        assert_int_equal(tacos_classifier_digest(c), tacos_classifier_digest(again));
        for (uint32_t k = n; k < n + 8; k++) {
            tacos_answer a = next_sound(c, *state, k), b = next_sound(again, *state, k);
            assert_int_equal(a.label, b.label);
            assert_true(same_real(a.confidence, b.confidence));
        }
        assert_int_equal(tacos_classifier_digest(c), tacos_classifier_digest(again));
        tacos_classifier_free(c);
        tacos_classifier_free(again);
    }
    free(tape.bytes);
}

/* A sample that is refused leaves no trace: before the first one, in the warm-up and after it. */
static void what_is_no_sound_is_refused(void **state) {
    const Folder *folder = *state;
    const double none = 0;
    char gone[128], broken[128];
    (void)snprintf(gone, sizeof gone, "%s/gone.wav", folder->path);
    (void)snprintf(broken, sizeof broken, "%s/broken.wav", folder->path);
    write_bytes(broken, "RIFF", 4);
    tacos_classifier *c = classifier_of(NULL, (const char *[]){"warm_up", "3", NULL});
    for (uint32_t k = 0; k < 6; k++) {
        tacos_error err;
        uint32_t digest = tacos_classifier_digest(c);
        assert_fails(next_path(c, gone, "a", NULL, &err), TACOS_MISSING);
        assert_says(err, "gone.wav");
        assert_fails(next_path(c, broken, "a", NULL, &err), TACOS_FORMAT);
        assert_says(err, "broken.wav");
        if (k > 0) /* until then only the name tells what is a sound */
            assert_fails(next_path(c, folder->path, "a", NULL, &err), TACOS_FORMAT);
        assert_int_equal(tacos_classifier_digest(c), digest);
        (void)next_sound(c, folder, k);
        assert_fails(tacos_classifier_next(c, &(tacos_sample){&none, NULL, 1}, "a", NULL, &err),
                     TACOS_INVALID);
    }
    tacos_classifier_free(c);
}

static void a_sample_is_one_name(void **state) {
    static const struct {
        const char *encoder, *texts[2];
        size_t n;
        const char *says;
    } cases[] = {
        {"spectrogram", {"a.wav", "b.wav"}, 2, "the name of one WAV file"},
        {"spectrogram", {NULL}, 1, "feature 1 must be the name of a WAV file"},
        {"image", {"a.wav"}, 1, "encoder = image"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double numbers[2] = {0};
        tacos_error err;
        tacos_classifier *c =
            classifier_of(NULL, (const char *[]){"encoder", cases[k].encoder, NULL});
        assert_fails(tacos_classifier_next(c, &(tacos_sample){numbers, cases[k].texts, cases[k].n},
                                           "a", NULL, &err),
                     TACOS_INVALID);
        assert_says(err, cases[k].says);
        tacos_classifier_free(c);
    }
}

/* A name is a category where the encoder is a table's, or where a sample has more than it. */
static void names_may_be_words(void **state) {
    const char *const names[] = {"no.wav", "red"};
    const double none[2] = {0};
    tacos_error err;
    (void)state;
    tacos_classifier *c = classifier_of(NULL, (const char *[]){"encoder", "table", NULL});
    assert_succeeds(next_path(c, "no.wav", "a", NULL, &err));
    tacos_classifier_free(c);
    c = classifier_of(NULL, NULL);
    assert_succeeds(tacos_classifier_next(c, &(tacos_sample){none, names, 2}, "a", NULL, &err));
    assert_string_equal(tacos_classifier_info_get(c).encoder, "table");
    tacos_classifier_free(c);
}

static void bands_must_be_below_half_the_rate(void **state) {
    static const char *const wrong[][3] = {
        {"4000", "8000", "has no frequencies above encoder_low_hz = 4000"}, /* TONE_RATE / 2 */
        {"2000", "2000", "must be below encoder_high_hz = 2000"},
        {"3000", "200", "encoder_low_hz = 3000 must be below"},
    };
    char path[128];
    (void)make_sound(*state, 0, path);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        tacos_error err;
        tacos_classifier *c =
            classifier_of("sound", (const char *[]){"encoder_low_hz", wrong[k][0],
                                                    "encoder_high_hz", wrong[k][1], NULL});
        assert_fails(next_path(c, path, "a", NULL, &err), TACOS_INVALID);
        assert_says(err, wrong[k][2]);
        tacos_classifier_free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_FOLDER(names_of_wav_files_need_no_key),
        IN_FOLDER(inputs_are_the_spectrogram),
        IN_FOLDER(a_loaded_classifier_continues_bit_for_bit),
        IN_FOLDER(what_is_no_sound_is_refused),
        cmocka_unit_test(a_sample_is_one_name),
        cmocka_unit_test(names_may_be_words),
        IN_FOLDER(bands_must_be_below_half_the_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
