/* fuzz_wav.c - a WAV file, and the spectrogram of what it holds. */
#include "fuzz_images.h"

#include "sound/spectrogram.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    static const SpectrogramRules small = {
        .n_bands = 5, .n_frames = 7, .low_hz = 100, .high_hz = 8000};
    uint8_t picture[5 * 7];
    Sound sound;
    tacos_error err = {0};
    tacos_status status = wav_decode(&sound, bytes, n, "input", &err);
    if (status == TACOS_OK) {
        HOLDS(sound.n > 0 && sound.rate >= WAV_RATE_MIN && sound.rate <= WAV_RATE_MAX);
        for (size_t i = 0; i < sound.n; i++)
            HOLDS(sound.samples[i] >= -1 && sound.samples[i] <= 1);
        status = spectrogram_draw(&sound, &small, picture, "input", &err);
        if (status == TACOS_OK)
            touch(picture, sizeof picture);
    }
    if (status != TACOS_OK)
        check_failure(status, &err);
    sound_free(&sound);
    return 0;
}
