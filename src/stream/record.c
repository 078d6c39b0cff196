/* record.c - from a sample to a record: whether it fits, and sounds that are read. */
#include "stream/classifier.h"

#include "sound/spectrogram.h"

#include <stdlib.h>

size_t classifier_record_size(const Classifier *c) {
    return c->params.encoder == ENCODER_SPECTROGRAM ? c->params.bands * c->params.frames
                                                    : c->schema.n;
}

/* ---- checks ---- */

/* Pixels, signals and intensities are numbers, and the last have a range. */
static tacos_status check_numbers(const Classifier *c, const tacos_sample *sample,
                                  tacos_error *err) {
    char name[FEATURE_TEXT_SIZE];
    int encoder = c->params.encoder;
    for (size_t i = 0; i < sample->n; i++) {
        if (sample->texts && sample->texts[i])
            return failure(
                err, TACOS_INVALID, "%s is '%.40s'; it must be a number with encoder = %s",
                feature_text(&c->schema, i, name), sample->texts[i], encoder_names[encoder]);
        if (encoder == ENCODER_NONE && !(sample->numbers[i] >= 0 && sample->numbers[i] <= 1))
            return failure(err, TACOS_RANGE, "%s must be from 0 to 1 with encoder = none",
                           feature_text(&c->schema, i, name));
    }
    return TACOS_OK;
}

static tacos_status check_sound(const Classifier *c, const tacos_sample *sample, tacos_error *err) {
    char name[FEATURE_TEXT_SIZE];
    if (sample->n != 1)
        return failure(err, TACOS_INVALID,
                       "a sample of %zu features was given; with encoder = spectrogram it is the "
                       "name of one WAV file",
                       sample->n);
    if (!sample->texts || !sample->texts[0])
        return failure(err, TACOS_INVALID,
                       "%s must be the name of a WAV file with encoder = spectrogram",
                       feature_text(&c->schema, 0, name));
    return TACOS_OK;
}

tacos_status classifier_check(const Classifier *c, const tacos_sample *sample, tacos_error *err) {
    int encoder = c->params.encoder;
    if (encoder == ENCODER_SPECTROGRAM)
        TRY(check_sound(c, sample, err));
    TRY(schema_check(&c->schema, sample, err));
    if (encoder == ENCODER_IMAGE || encoder == ENCODER_NONE || encoder == ENCODER_SIGNAL)
        return check_numbers(c, sample, err);
    return TACOS_OK;
}

/* ---- sounds ---- */

bool sample_is_sound(const tacos_sample *sample) {
    const char *text = sample->n == 1 && sample->texts ? sample->texts[0] : NULL;
    return text && wav_is_name(text);
}

/* The bands need some width below half the sampling rate. */
static tacos_status check_bands(const StreamParams *params, const Sound *sound, const char *path,
                                tacos_error *err) {
    double half_rate = sound->rate / 2.0;
    if (params->low_hz >= params->high_hz)
        return failure(err, TACOS_INVALID, "encoder_low_hz = %g must be below encoder_high_hz = %g",
                       params->low_hz, params->high_hz);
    if (params->low_hz >= half_rate)
        return failure(err, TACOS_INVALID,
                       "%.300s has no frequencies above encoder_low_hz = %g: at %u samples per "
                       "second they end at %g Hz",
                       path, params->low_hz, sound->rate, half_rate);
    return TACOS_OK;
}

static tacos_status draw(const StreamParams *params, const Sound *sound, const char *path,
                         double *record, tacos_error *err) {
    const SpectrogramRules rules = {.n_bands = params->bands,
                                    .n_frames = params->frames,
                                    .low_hz = params->low_hz,
                                    .high_hz = params->high_hz};
    size_t n = params->bands * params->frames;
    TRY(check_bands(params, sound, path, err));
    uint8_t *pixels = malloc(n);
    if (!pixels)
        return failure(err, TACOS_MEMORY, "no memory to draw %.300s", path);
    tacos_status status = spectrogram_draw(sound, &rules, pixels, path, err);
    for (size_t i = 0; i < n && status == TACOS_OK; i++)
        record[i] = pixels[i] / 255.0;
    free(pixels);
    return status;
}

static tacos_status read_sound(Classifier *c, const char *path, tacos_error *err) {
    Sound sound;
    TRY(wav_read(&sound, path, err));
    tacos_status status = draw(&c->params, &sound, path, c->record, err);
    sound_free(&sound);
    return status;
}

/* ---- taking ---- */

tacos_status classifier_read(Classifier *c, const tacos_sample *sample, tacos_error *err) {
    if (c->params.encoder == ENCODER_SPECTROGRAM)
        return read_sound(c, sample->texts[0], err);
    schema_record(&c->schema, sample, classifier_categories(c), c->record);
    return TACOS_OK;
}

tacos_status classifier_take(Classifier *c, const tacos_sample *sample, tacos_error *err) {
    TRY(classifier_read(c, sample, err));
    if (c->encoder.n_inputs > 0)
        encoder_encode(&c->encoder, &c->schema, c->record, c->intensity);
    return TACOS_OK;
}
