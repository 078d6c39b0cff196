/* test_wav.c - sound: WAV files of every kind and every way of being wrong; transforms and
 * spectrograms, which have the same bits everywhere. */
#include "base/elementary.h"
#include "base/fourier.h"
#include "base/little_endian.h"
#include "sound/spectrogram.h"

#include "folder.h"

#include <math.h>
#include <zlib.h>

static const double pi = 3.14159265358979323846;

/* ---- WAV files ---- */

typedef struct WavFile {
    uint8_t bytes[512];
    size_t n;
} WavFile;

static void put(WavFile *file, const void *bytes, size_t n) {
    assert_true(file->n + n <= sizeof file->bytes);
    memcpy(file->bytes + file->n, bytes, n);
    file->n += n;
}

static void put_number(WavFile *file, uint64_t number, size_t n) {
    uint8_t bytes[8];
    little_endian_put(bytes, number, n);
    put(file, bytes, n);
}

typedef struct Form {
    unsigned tag, channels, rate, bits;
} Form;

static void put_chunk(WavFile *file, const char *name, const void *bytes, size_t n) {
    put(file, name, 4);
    put_number(file, n, 4);
    put(file, bytes, n);
    put(file, "", n & 1);
}

static void put_form(WavFile *file, Form form) {
    static const uint8_t guid_end[] = {0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71};
    unsigned frame = form.channels * form.bits / 8, extensible = form.tag == 0xfffe;
    put(file, "fmt ", 4);
    put_number(file, extensible ? 40 : 16, 4);
    put_number(file, form.tag, 2);
    put_number(file, form.channels, 2);
    put_number(file, form.rate, 4);
    put_number(file, form.rate * frame, 4);
    put_number(file, frame, 2);
    put_number(file, form.bits, 2);
    if (extensible) {
        put_number(file, 22, 2);
        put_number(file, form.bits, 2);
        put_number(file, 0, 4);
        put_number(file, 1, 2);
        put(file, guid_end, sizeof guid_end);
    }
}

static WavFile begin_wav(void) {
    WavFile file = {.n = 0};
    put(&file, "RIFF\0\0\0\0WAVE", 12);
    return file;
}

static void end_wav(WavFile *file) {
    little_endian_put(file->bytes + 4, file->n - 8, 4);
}

static WavFile make_wav(Form form, const void *samples, size_t n) {
    WavFile file = begin_wav();
    put_form(&file, form);
    put_chunk(&file, "data", samples, n);
    end_wav(&file);
    return file;
}

static void reads_every_kind_of_samples(void **state) {
    static const struct {
        Form form;
        uint8_t samples[12];
        size_t n, n_wanted;
        float wanted[3];
    } cases[] = {
        {{1, 1, 8000, 8}, {128, 0, 192}, 3, 3, {0, -1, 0.5F}},
        {{1, 1, 44100, 16}, {0, 0, 0, 0x80, 0, 0x40}, 6, 3, {0, -1, 0.5F}},
        {{1, 1, 8000, 24}, {0, 0, 0, 0, 0, 0x80, 0, 0, 0x40}, 9, 3, {0, -1, 0.5F}},
        {{1, 1, 8000, 32}, {0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x40}, 12, 3, {0, -1, 0.5F}},
        {{1, 2, 8000, 16}, {0, 0x40, 0, 0, 0, 0x80, 0, 0x80}, 8, 2, {0.25F, -1}},
        {{0xfffe, 1, 8000, 16}, {0, 0x40}, 2, 1, {0.5F}},
    };
    Sound sound;
    tacos_error err;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WavFile file = make_wav(cases[i].form, cases[i].samples, cases[i].n);
        assert_succeeds(wav_decode(&sound, file.bytes, file.n, "a.wav", &err));
        assert_int_equal(sound.n, cases[i].n_wanted);
        assert_int_equal(sound.rate, cases[i].form.rate);
        for (size_t k = 0; k < sound.n; k++)
            assert_true(sound.samples[k] == cases[i].wanted[k]);
        sound_free(&sound);
    }
}

static void skips_other_chunks(void **state) {
    const Folder *folder = *state;
    WavFile file = begin_wav();
    Sound sound;
    tacos_error err;
    put_chunk(&file, "LIST", "odd", 3);
    put_form(&file, (Form){1, 1, 8000, 8});
    put_chunk(&file, "fact", "abcd", 4);
    put_chunk(&file, "data", "\x80\x81\x82", 3);
    put_chunk(&file, "id3 ", "more", 4);
    end_wav(&file);
    write_bytes(folder->file, file.bytes, file.n);
    assert_succeeds(wav_read(&sound, folder->file, &err));
    assert_int_equal(sound.n, 3);
    sound_free(&sound);
}

static void says_what_is_wrong(void **state) {
    static const uint8_t four[4] = {1, 2, 3, 4};
    static const struct {
        Form form;
        size_t n;
        const char *says;
    } cases[] = {
        {{3, 1, 8000, 32}, 4, "not PCM"},
        {{0, 1, 8000, 16}, 4, "not PCM"},
        {{1, 0, 8000, 16}, 4, "0 channels"},
        {{1, 9, 8000, 8}, 4, "9 channels; expected 1 to 8"},
        {{1, 1, 999, 16}, 4, "999 samples per second"},
        {{1, 1, 400000, 16}, 4, "400000 samples per second"},
        {{1, 1, 8000, 12}, 4, "12 bits"},
        {{1, 1, 8000, 24}, 4, "do not fit together"},
        {{1, 1, 8000, 16}, 0, "no samples"},
    };
    Sound sound;
    tacos_error err;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        WavFile file = make_wav(cases[i].form, four, cases[i].n);
        assert_fails(wav_decode(&sound, file.bytes, file.n, "a.wav", &err), TACOS_FORMAT);
        assert_says(err, "a.wav");
        assert_says(err, cases[i].says);
        assert_null(sound.samples);
    }
    WavFile file = begin_wav();
    put_form(&file, (Form){1, 1, 8000, 8});
    end_wav(&file);
    assert_fails(wav_decode(&sound, file.bytes, file.n, "a.wav", &err), TACOS_FORMAT);
    assert_says(err, "no samples");
    put_chunk(&file, "data", four, 4);
    put_chunk(&file, "data", four, 4);
    end_wav(&file);
    assert_fails(wav_decode(&sound, file.bytes, file.n, "a.wav", &err), TACOS_FORMAT);
    assert_says(err, "two of the chunks");
    put(&file, "junk", 4);
    assert_fails(wav_decode(&sound, file.bytes, file.n, "a.wav", &err), TACOS_FORMAT);
    assert_says(err, "something comes after its end");
    assert_fails(wav_decode(&sound, (const uint8_t *)"RIFX", 4, "a.wav", &err), TACOS_FORMAT);
    assert_says(err, "RIFF");
    assert_fails(wav_read(&sound, "/no/such.wav", &err), TACOS_MISSING);
}

/* Cut anywhere it is an error. */
static void notices_what_is_cut_off(void **state) {
    static const uint8_t samples[6] = {1, 2, 3, 4, 5, 6};
    WavFile file = make_wav((Form){1, 1, 8000, 16}, samples, sizeof samples);
    Sound sound;
    tacos_error err;
    (void)state;
    for (size_t n = 0; n < file.n; n++)
        assert_fails(wav_decode(&sound, file.bytes, n, "a.wav", &err), TACOS_FORMAT);
    assert_succeeds(wav_decode(&sound, file.bytes, file.n, "a.wav", &err));
    sound_free(&sound);
}

/* ---- functions ---- */

static void functions_are_right(void **state) {
    Dice dice = {.game = 1};
    (void)state;
    for (int i = 0; i < 20000; i++) {
        double turns = roll(&dice, -3, 3), value = exp(roll(&dice, -300, 300));
        assert_true(fabs(sine_of_turns(turns) - sin(2 * pi * turns)) < 4e-15);
        assert_true(fabs(cosine_of_turns(turns) - cos(2 * pi * turns)) < 4e-15);
        assert_true(fabs(log2_exact(value) - log2(value)) <= 1e-15 * fmax(1, fabs(log2(value))));
    }
    for (int k = -8; k <= 8; k++)
        assert_true(sine_of_turns(k / 4.0) == (k % 2 == 0 ? 0 : (k & 3) == 1 ? 1 : -1));
    for (int k = -20; k <= 20; k++)
        assert_true(log2_exact(ldexp(1, k)) == k);
}

static void functions_have_the_same_bits_everywhere(void **state) {
    uint32_t crc = 0;
    (void)state;
    for (int i = 0; i < 1000; i++) {
        double values[3] = {sine_of_turns(i / 257.0), cosine_of_turns(i / 257.0),
                            log2_exact((i + 1) / 257.0)};
        crc = (uint32_t)crc32(crc, (const uint8_t *)values, sizeof values);
    }
    assert_int_equal(crc, 0xfedfd68d);
}

static void transforms_as_the_sum_does(void **state) {
    (void)state;
    for (size_t n = 2; n <= 64; n *= 2) {
        double real[64], imaginary[64], x[64], y[64];
        Dice dice = {.game = (uint32_t)n};
        Fourier fourier;
        assert_true(fourier_new(&fourier, n));
        for (size_t i = 0; i < n; i++) {
            real[i] = x[i] = roll(&dice, -1, 1);
            imaginary[i] = y[i] = roll(&dice, -1, 1);
        }
        fourier_transform(&fourier, real, imaginary);
        for (size_t k = 0; k < n; k++) {
            double re = 0, im = 0;
            for (size_t i = 0; i < n; i++) {
                double angle = -2 * pi * (double)(i * k) / (double)n;
                re += x[i] * cos(angle) - y[i] * sin(angle);
                im += x[i] * sin(angle) + y[i] * cos(angle);
            }
            assert_true(fabs(re - real[k]) < 1e-12 && fabs(im - imaginary[k]) < 1e-12);
        }
        fourier_free(&fourier);
    }
}

/* ---- spectrograms ---- */

enum { HIGH = 16, WIDE = 32, RATE = 8000 };

typedef struct Drawn {
    uint8_t pixel[HIGH * WIDE]; /* the lowest band first */
} Drawn;

/* A tone from `from` to `to` Hz over n samples, as loud as `loud`, with silence around it. */
static Drawn draw_tone(double from, double to, size_t n, double loud, size_t silence) {
    Drawn drawn;
    tacos_error err;
    size_t all = n + 2 * silence;
    Sound sound = {calloc(all, sizeof(float)), all, RATE};
    assert_non_null(sound.samples);
    for (size_t i = 0; i < n; i++) {
        double s = (double)i / RATE, length = (double)n / RATE;
        double turns = from * s + (to - from) * s * s / (2 * length);
        sound.samples[silence + i] = (float)(loud * sine_of_turns(turns));
    }
    assert_succeeds(spectrogram_draw(&sound, &spectrogram_default, drawn.pixel, "a tone", &err));
    sound_free(&sound);
    return drawn;
}

static size_t brightest(const Drawn *drawn, size_t x) {
    size_t best = 0;
    for (size_t y = 1; y < HIGH; y++)
        if (drawn->pixel[y * WIDE + x] > drawn->pixel[best * WIDE + x])
            best = y;
    return best;
}

static void a_rising_tone_rises(void **state) {
    Drawn drawn = draw_tone(200, 3500, 4000, 0.5, 0);
    (void)state;
    assert_true(brightest(&drawn, 0) < 3);
    assert_true(brightest(&drawn, WIDE - 1) > HIGH - 4);
    for (size_t x = 1; x < WIDE; x++)
        assert_true(brightest(&drawn, x) >= brightest(&drawn, x - 1));
}

/* Neither how loud it is nor the silence around it matters, but for rounding. */
static void loudness_and_silence_do_not_matter(void **state) {
    Drawn plain = draw_tone(300, 3000, 4000, 0.5, 0), soft = draw_tone(300, 3000, 4000, 0.01, 0),
          padded = draw_tone(300, 3000, 4000, 0.5, 8000);
    (void)state;
    for (size_t i = 0; i < (size_t)HIGH * WIDE; i++) {
        int first = plain.pixel[i];
        assert_true(abs(first - soft.pixel[i]) <= 1);
    }
    for (size_t x = 0; x < WIDE; x++)
        assert_true(abs((int)brightest(&plain, x) - (int)brightest(&padded, x)) <= 1);
}

static void any_length_has_a_picture(void **state) {
    (void)state;
    for (size_t n = 38; n < 1000; n += 37) {
        Drawn drawn = draw_tone(1000, 1000, n, 1, 0);
        assert_int_equal(drawn.pixel[brightest(&drawn, 0) * WIDE], 255);
    }
    Drawn silent = draw_tone(1000, 1000, 2000, 0, 0);
    for (size_t i = 0; i < (size_t)HIGH * WIDE; i++)
        assert_int_equal(silent.pixel[i], 0);
    Sound sound = {calloc(601, 1000 * sizeof(float)), 600000, 1000};
    tacos_error err;
    assert_non_null(sound.samples);
    assert_fails(spectrogram_draw(&sound, &spectrogram_default, silent.pixel, "an hour", &err),
                 TACOS_FORMAT);
    assert_says(err, "an hour is longer than 600 seconds");
    sound.n--;
    assert_succeeds(spectrogram_draw(&sound, &spectrogram_default, silent.pixel, "an hour", &err));
    sound_free(&sound);
}

static void the_same_picture_everywhere(void **state) {
    Drawn drawn = draw_tone(200, 3500, 5000, 0.3, 100);
    (void)state;
    assert_int_equal(crc32(0, drawn.pixel, sizeof drawn.pixel), 0xd04fc8c3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_kind_of_samples),
        IN_FOLDER(skips_other_chunks),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(notices_what_is_cut_off),
        cmocka_unit_test(functions_are_right),
        cmocka_unit_test(functions_have_the_same_bits_everywhere),
        cmocka_unit_test(transforms_as_the_sum_does),
        cmocka_unit_test(a_rising_tone_rises),
        cmocka_unit_test(loudness_and_silence_do_not_matter),
        cmocka_unit_test(any_length_has_a_picture),
        cmocka_unit_test(the_same_picture_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
