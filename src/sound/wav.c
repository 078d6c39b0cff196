/* wav.c - RIFF WAVE: chunks of a name, a size and so many bytes, padded to an even number; `fmt `
 * says what the samples in `data` are. */
#include "base/posix.h"

#include "sound/wav.h"

#include "base/bytes.h"
#include "base/little_endian.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HEAD_BYTES = 12, CHUNK_HEAD_BYTES = 8, FORMAT_BYTES = 16, EXTENSIBLE_BYTES = 40 };
enum { TAG_PCM = 1, TAG_EXTENSIBLE = 0xfffe }; /* the latter: a GUID says which */

/* What is being read. */
typedef struct Wav {
    const char *name;
    const uint8_t *format, *data; /* NULL: not seen yet */
    size_t n_format, n_data;
    size_t n_channels, sample_bytes;
    unsigned rate;
} Wav;

static tacos_status fail(const Wav *wav, const char *what, tacos_error *err) {
    return failure(err, TACOS_FORMAT, "%.300s: %s", wav->name, what);
}

/* ---- chunks ---- */

static tacos_status keep_chunk(Wav *wav, const uint8_t *name, const uint8_t *bytes, size_t n,
                               tacos_error *err) {
    bool is_format = memcmp(name, "fmt ", 4) == 0, is_data = memcmp(name, "data", 4) == 0;
    if ((is_format && wav->format) || (is_data && wav->data))
        return fail(wav, "it has two of the chunks of which there is one", err);
    if (is_data && !wav->format)
        return fail(wav, "its samples come before their format", err);
    if (is_format) {
        wav->format = bytes;
        wav->n_format = n;
    } else if (is_data) {
        wav->data = bytes;
        wav->n_data = n;
    }
    return TACOS_OK;
}

static tacos_status find_chunks(Wav *wav, const uint8_t *bytes, size_t n, tacos_error *err) {
    if (n < HEAD_BYTES || memcmp(bytes, "RIFF", 4) != 0 || memcmp(bytes + 8, "WAVE", 4) != 0)
        return fail(wav, "it is not a WAV file: it does not begin with RIFF and WAVE", err);
    size_t whole = (size_t)little_endian_get(bytes + 4, 4) + 8;
    if (whole > n)
        return fail(wav, "it is cut off", err);
    if (whole + (whole & 1) < n)
        return fail(wav, "something comes after its end", err);
    for (size_t at = HEAD_BYTES; at < whole;) {
        if (whole - at < CHUNK_HEAD_BYTES)
            return fail(wav, "its last chunk is cut off", err);
        size_t size = (size_t)little_endian_get(bytes + at + 4, 4);
        if (size > whole - at - CHUNK_HEAD_BYTES)
            return fail(wav, "a chunk is longer than the file", err);
        TRY(keep_chunk(wav, bytes + at, bytes + at + CHUNK_HEAD_BYTES, size, err));
        at += CHUNK_HEAD_BYTES + size + (size & 1);
    }
    return wav->data ? TACOS_OK : fail(wav, "it has no samples", err);
}

/* ---- the format ---- */

/* The tag, or that which an extensible format has in its GUID; 0 if that is of another kind. */
static unsigned find_tag(const Wav *wav) {
    static const uint8_t guid_end[] = {0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71};
    unsigned tag = (unsigned)little_endian_get(wav->format, 2);
    if (tag != TAG_EXTENSIBLE)
        return tag;
    if (wav->n_format < EXTENSIBLE_BYTES ||
        memcmp(wav->format + 26, guid_end, sizeof guid_end) != 0)
        return 0;
    return (unsigned)little_endian_get(wav->format + 24, 2);
}

static tacos_status read_format(Wav *wav, tacos_error *err) {
    const uint8_t *format = wav->format;
    if (wav->n_format < FORMAT_BYTES)
        return fail(wav, "its format is cut off", err);
    if (find_tag(wav) != TAG_PCM)
        return fail(wav, "its samples are not PCM: save it without compression, as whole numbers",
                    err);
    wav->n_channels = (size_t)little_endian_get(format + 2, 2);
    wav->rate = (unsigned)little_endian_get(format + 4, 4);
    size_t bits = (size_t)little_endian_get(format + 14, 2);
    size_t frame = (size_t)little_endian_get(format + 12, 2);
    if (wav->n_channels < 1 || wav->n_channels > WAV_CHANNELS_MAX)
        return failure(err, TACOS_FORMAT, "%.300s has %zu channels; expected 1 to %d", wav->name,
                       wav->n_channels, WAV_CHANNELS_MAX);
    if (wav->rate < WAV_RATE_MIN || wav->rate > WAV_RATE_MAX)
        return failure(err, TACOS_FORMAT, "%.300s has %u samples per second; expected %d to %d",
                       wav->name, wav->rate, WAV_RATE_MIN, WAV_RATE_MAX);
    if (bits != 8 && bits != 16 && bits != 24 && bits != 32)
        return failure(err, TACOS_FORMAT,
                       "%.300s has %zu bits per sample; expected 8, 16, 24 or 32", wav->name, bits);
    wav->sample_bytes = bits / 8;
    if (frame != wav->n_channels * wav->sample_bytes || wav->n_data % frame != 0)
        return fail(wav, "its sizes do not fit together", err);
    if (wav->n_data == 0)
        return fail(wav, "it has no samples", err);
    return TACOS_OK;
}

/* ---- samples ---- */

/* From -1 to 1. Bytes are unsigned with 128 in the middle; others have a sign. */
static float read_sample(const uint8_t *at, size_t n_bytes) {
    uint32_t bits = (uint32_t)little_endian_get(at, n_bytes) << (32 - 8 * n_bytes);
    if (n_bytes == 1)
        bits ^= UINT32_C(1) << 31;
    int64_t value = bits < UINT32_C(1) << 31 ? (int64_t)bits : (int64_t)bits - (INT64_C(1) << 32);
    return (float)((double)value * 0x1p-31);
}

static tacos_status read_samples(Sound *out, const Wav *wav, tacos_error *err) {
    size_t n_channels = wav->n_channels, frame = n_channels * wav->sample_bytes;
    *out = (Sound){.n = wav->n_data / frame, .rate = wav->rate};
    out->samples = malloc(out->n * sizeof *out->samples);
    if (!out->samples)
        return failure(err, TACOS_MEMORY, "no memory for the samples of %.300s", wav->name);
    for (size_t i = 0; i < out->n; i++) {
        double sum = 0;
        for (size_t c = 0; c < n_channels; c++)
            sum += (double)read_sample(wav->data + i * frame + c * wav->sample_bytes,
                                       wav->sample_bytes);
        out->samples[i] = (float)(sum / (double)n_channels);
    }
    return TACOS_OK;
}

tacos_status wav_decode(Sound *out, const uint8_t *bytes, size_t n, const char *name,
                        tacos_error *err) {
    Wav wav = {.name = name};
    *out = (Sound){0};
    TRY(find_chunks(&wav, bytes, n, err));
    TRY(read_format(&wav, err));
    return read_samples(out, &wav, err);
}

tacos_status wav_read(Sound *out, const char *path, tacos_error *err) {
    Bytes bytes;
    *out = (Sound){0};
    TRY(file_take(&bytes, path, WAV_BYTES_MAX, err));
    tacos_status status = wav_decode(out, bytes.at, bytes.n, path, err);
    free(bytes.at);
    return status;
}

bool wav_is_name(const char *name) {
    static const char ending[] = ".wav";
    size_t n = strlen(name), n_ending = sizeof ending - 1;
    return n > n_ending && strcasecmp(name + n - n_ending, ending) == 0;
}

void sound_free(Sound *sound) {
    free(sound->samples);
    *sound = (Sound){0};
}
