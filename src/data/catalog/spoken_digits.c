/* spoken_digits.c - the Free Spoken Digit Dataset: recordings in a zip file become spectrograms. */
#include "data/catalog/catalog.h"

#include "data/formats/archive.h"
#include "sound/spectrogram.h"

#include <stdlib.h>
#include <string.h>

enum {
    DIGITS = 10,
    N_TEST = 5 /* recordings of a digit by a speaker, in the project's own split */
};

/* What the name of a recording says: DIGIT_SPEAKER_INDEX.wav. */
typedef struct Take {
    unsigned digit, index;
    const char *speaker; /* [n_speaker], not terminated */
    size_t n_speaker;
} Take;

typedef struct SpokenReader {
    Dataset *out;
    const Archive *archive;
    const ArchiveList *list;
    const char *left_out; /* the speaker for testing; NULL: the project's own split */
    uint8_t bytes[ARCHIVE_ROOM];
} SpokenReader;

/* ---- names ---- */

static bool parse_name(Take *out, const char *name) {
    char *end;
    const char *last = strrchr(name, '_');
    if (name[0] < '0' || name[0] > '9' || name[1] != '_' || last <= name + 2 || last[1] < '0' ||
        last[1] > '9')
        return false;
    unsigned long index = strtoul(last + 1, &end, 10);
    *out = (Take){.digit = (unsigned)(name[0] - '0'),
                  .index = (unsigned)(index < N_TEST ? index : N_TEST),
                  .speaker = name + 2,
                  .n_speaker = (size_t)(last - name - 2)};
    return strcmp(end, ".wav") == 0;
}

static bool is_by(const Take *take, const char *speaker) {
    return strlen(speaker) == take->n_speaker &&
           memcmp(take->speaker, speaker, take->n_speaker) == 0;
}

static bool is_test(const SpokenReader *reader, const Take *take) {
    return reader->left_out ? is_by(take, reader->left_out) : take->index < N_TEST;
}

/* How many recordings are for training and for testing. */
static tacos_status count(const SpokenReader *reader, size_t n[2], tacos_error *err) {
    n[0] = n[1] = 0;
    for (size_t i = 0; i < reader->list->n; i++) {
        Take take = {0};
        if (!parse_name(&take, reader->list->items[i].name))
            return failure(err, TACOS_FORMAT, "%s: '%s' is not DIGIT_SPEAKER_INDEX.wav",
                           reader->archive->path, archive_show(reader->list->items[i].name).text);
        n[is_test(reader, &take)]++;
    }
    if (reader->left_out && n[1] == 0)
        return failure(err, TACOS_UNKNOWN,
                       "spoken-digits has no speaker '%.40s'; there are george, jackson, lucas, "
                       "nicolas, theo and yweweler",
                       reader->left_out);
    if (n[0] == 0 || n[1] == 0)
        return failure(err, TACOS_FORMAT, "%s has no recording for %s", reader->archive->path,
                       n[0] == 0 ? "training" : "testing");
    return TACOS_OK;
}

/* ---- recordings ---- */

static tacos_status make_room(Images *images, size_t n, tacos_error *err) {
    *images = (Images){.height = spectrogram_default.n_bands,
                       .width = spectrogram_default.n_frames,
                       .channels = 1};
    images->pixels = malloc(n * images_size(images) + 1);
    images->labels = malloc((n + 1) * sizeof *images->labels);
    return images->pixels && images->labels
               ? TACOS_OK
               : failure(err, TACOS_MEMORY, "no memory for %zu spectrograms", n);
}

static tacos_status read_take(SpokenReader *reader, const ArchiveItem *item, tacos_error *err) {
    Take take = {0};
    Sound sound;
    size_t n = 0;
    (void)parse_name(&take, item->name); /* count has checked it */
    Images *images = is_test(reader, &take) ? &reader->out->test : &reader->out->train;
    TRY(archive_read(reader->archive, item->entry, reader->bytes, &n, err));
    TRY(wav_decode(&sound, reader->bytes, n, archive_show(item->name).text, err));
    tacos_status status =
        spectrogram_draw(&sound, &spectrogram_default,
                         images->pixels + images->n * images_size(images), item->name, err);
    sound_free(&sound);
    images->labels[images->n++] = (uint16_t)take.digit;
    return status;
}

static tacos_status read_takes(SpokenReader *reader, tacos_error *err) {
    size_t n[2];
    TRY(count(reader, n, err));
    TRY(make_room(&reader->out->train, n[0], err));
    TRY(make_room(&reader->out->test, n[1], err));
    for (size_t i = 0; i < reader->list->n; i++)
        TRY(read_take(reader, &reader->list->items[i], err));
    return TACOS_OK;
}

static tacos_status read_archive(Dataset *out, const Archive *archive, const char *left_out,
                                 tacos_error *err) {
    ArchiveList list;
    TRY(archive_list(archive, ".wav", &list, err));
    SpokenReader *reader = malloc(sizeof *reader); /* large for the stack of a thread */
    tacos_status status =
        reader ? TACOS_OK : failure(err, TACOS_MEMORY, "no memory to read %s", archive->path);
    if (reader) {
        reader->out = out;
        reader->archive = archive;
        reader->list = &list;
        reader->left_out = left_out;
        status = read_takes(reader, err);
    }
    free(reader);
    free(list.items);
    return status;
}

tacos_status spoken_digits_read_without(Dataset *out, const char *folder, const char *variant,
                                        tacos_error *err) {
    CatalogPath path;
    Archive archive;
    *out = (Dataset){.n_classes = DIGITS};
    TRY(path_join(path.text, folder, "spoken-digits.zip", "", err));
    TRY(archive_open(&archive, path.text, err));
    tacos_status status = read_archive(out, &archive, variant, err);
    archive_close(&archive);
    if (status != TACOS_OK)
        dataset_free(out);
    return status;
}

tacos_status spoken_digits_read(Dataset *out, const char *folder, tacos_error *err) {
    return spoken_digits_read_without(out, folder, NULL, err);
}
