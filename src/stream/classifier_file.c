/* classifier_file.c - saves and loads a classifier; docs/checkpoint.md describes every byte.
 *
 * A header with all settings, then what is known of features and labels, then the learner as it is
 * saved on its own. */
#include "stream/classifier.h"

#include "base/files.h"
#include "net/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CLASSIFIER_VERSION = 1, SETTINGS_MAX = 64 * 1024 };
static const char MAGIC[8] = {'T', 'A', 'C', 'O', 'S', 'C', 'L', 'S'};

/* ---- settings ---- */

static tacos_status read_setting(void *user, const char *name, const char *value,
                                 tacos_error *err) {
    Classifier *c = user;
    const Key *key = keys_find(stream_table, name);
    if (key)
        return key_set(key, &c->params, value, err);
    key = keys_find(params_table, name);
    if (!key)
        return failure(err, TACOS_FORMAT, "unknown key %s", name);
    return key_set(key, &c->learner_params, value, err);
}

static tacos_status fail_settings(const Pack *pack, const char *name, tacos_error *err) {
    if (pack->writing)
        return failure(err, TACOS_IO, "cannot save a classifier: writing failed");
    return failure(err, TACOS_CHECKSUM, "%s is damaged: the checksum of its header is wrong", name);
}

/* `text` has room for SETTINGS_MAX. */
static tacos_status move_text(Classifier *c, Pack *pack, char *text, const char *name,
                              tacos_error *err) {
    size_t n = 0;
    if (pack->writing) {
        n = keys_write(stream_table, &c->params, text, SETTINGS_MAX);
        n += keys_write(params_table, &c->learner_params, text + n, SETTINGS_MAX - n);
    }
    n = (size_t)pack_whole(pack, n, 4);
    if (n >= SETTINGS_MAX)
        return fail_settings(pack, name, err);
    pack_bytes(pack, text, n);
    if (!pack_checksum(pack))
        return fail_settings(pack, name, err);
    return pack->writing ? TACOS_OK : keys_parse(text, name, read_setting, c, err);
}

static tacos_status move_settings(Classifier *c, Pack *pack, const char *name, tacos_error *err) {
    char *text = calloc(1, SETTINGS_MAX);
    if (!text)
        return failure(err, TACOS_MEMORY, "no memory to read or write %s", name);
    tacos_status status = move_text(c, pack, text, name, err);
    free(text);
    return status;
}

/* ---- features, labels, warm-up ---- */

static bool move_labels(Classifier *c, Pack *pack) {
    if (!names_move(&c->labels, c->params.labels_max, pack))
        return false;
    if (!pack->writing)
        pack->no_memory =
            classifier_make_room(c, c->labels.n + 1, c->encoder.n_inputs, NULL) != TACOS_OK;
    if (pack->no_memory)
        return false;
    for (size_t k = 0; k < c->labels.n; k++)
        c->label_samples[k] = pack_whole(pack, c->label_samples[k], 8);
    return !pack->failed;
}

/* The number of a category is an index later. */
static bool value_holds(const Classifier *c, const Feature *feature, double value) {
    if (isnan(value))
        return true;
    if (feature->kind == FEATURE_CATEGORY)
        return value >= 0 && value <= (double)classifier_categories(c) && value == floor(value);
    if (c->params.encoder == ENCODER_NONE && !(value >= 0 && value <= 1))
        return false;
    return feature->kind == FEATURE_NUMBER && isfinite(value);
}

static bool record_holds(const Classifier *c) {
    bool is_sound = c->params.encoder == ENCODER_SPECTROGRAM;
    size_t n = classifier_record_size(c);
    for (size_t i = 0; i < n; i++)
        if (is_sound ? !(c->record[i] >= 0 && c->record[i] <= 1)
                     : !value_holds(c, &c->schema.feature[i], c->record[i]))
            return false;
    return true;
}

static bool move_row(Classifier *c, Pack *pack, size_t row) {
    WarmUp *w = &c->warm_up;
    long label = pack->writing ? w->labels[row] : 0;
    size_t n = classifier_record_size(c);
    if (pack->writing)
        memcpy(c->record, w->records + row * n, n * sizeof *c->record);
    label = (long)pack_whole(pack, (uint64_t)(label + 1), 4) - 1;
    pack_reals(pack, c->record, n);
    if (pack->writing)
        return !pack->failed;
    if (pack->failed || label >= (long)c->labels.n || !record_holds(c))
        return false;
    pack->no_memory = warm_up_add(c, label, NULL) != TACOS_OK;
    return !pack->no_memory;
}

static bool move_warm_up(Classifier *c, Pack *pack) {
    WarmUp *w = &c->warm_up;
    uint64_t over = pack_whole(pack, w->over, 1);
    size_t n = (size_t)pack_whole(pack, w->n, 4);
    w->over = over != 0;
    if (over != (c->n_seen >= c->params.warm_up) || n != (w->over ? 0 : c->n_seen))
        return false;
    for (size_t k = 0; k < n; k++)
        if (!move_row(c, pack, k))
            return false;
    return true;
}

static bool shape_holds(const Encoder *e, size_t n) {
    if (e->height == 0)
        return e->width == 0 && e->channels == 0;
    return e->height <= n && e->width <= n && e->channels <= n && e->height * e->width <= n &&
           e->height * e->width * e->channels == n;
}

/* An encoder that the settings and features could have: its inputs become memory. */
static bool encoder_holds(const Classifier *c) {
    const Encoder *e = &c->encoder;
    int wanted = c->params.encoder;
    Encoder table;
    if (c->n_seen == 0)
        return e->kind == ENCODER_AUTO && e->n_inputs == 0;
    if (c->schema.n == 0 || e->kind == ENCODER_AUTO ||
        (wanted == ENCODER_AUTO ? e->kind != ENCODER_TABLE && e->kind != ENCODER_IMAGE
                                : (int)e->kind != wanted))
        return false;
    encoder_table(&table, &c->schema, &c->params);
    if (e->kind == ENCODER_TABLE)
        return e->n_inputs == table.n_inputs && e->fields == table.fields &&
               e->categories == table.categories;
    if (e->kind == ENCODER_SIGNAL)
        return e->width == c->params.window && e->channels == c->schema.n && e->height == 1 &&
               e->n_inputs == e->width * e->channels;
    if (e->kind == ENCODER_SPECTROGRAM)
        return c->schema.n == 1 && e->height == c->params.bands && e->width == c->params.frames &&
               e->channels == 1 && e->n_inputs == e->height * e->width;
    return e->n_inputs == c->schema.n && shape_holds(e, c->schema.n);
}

static bool move_state(Classifier *c, Pack *pack) {
    c->seed = (uint32_t)pack_whole(pack, c->seed, 4);
    c->n_seen = pack_whole(pack, c->n_seen, 8);
    c->n_learned = pack_whole(pack, c->n_learned, 8);
    const StreamParams *past = c->n_seen > 0 ? &c->params : NULL;
    return !pack->failed && schema_move(&c->schema, past, classifier_categories(c), pack) &&
           encoder_move(&c->encoder, pack) && encoder_holds(c) && move_labels(c, pack) &&
           judge_move(&c->judge, pack) && c->judge.context.last < (long)c->labels.n &&
           move_warm_up(c, pack) && pack_checksum(pack);
}

/* ---- all of it ---- */

static tacos_status write_classifier(Classifier *c, Pack *pack, tacos_error *err) {
    char magic[sizeof MAGIC];
    memcpy(magic, MAGIC, sizeof magic);
    pack_bytes(pack, magic, sizeof magic);
    (void)pack_whole(pack, CLASSIFIER_VERSION, 4);
    (void)pack_whole(pack, c->learner != NULL, 1);
    TRY(move_settings(c, pack, "a classifier", err));
    if (!move_state(c, pack))
        return failure(err, TACOS_IO, "cannot save a classifier: writing failed");
    return c->learner ? learner_write(c->learner, pack, err) : TACOS_OK;
}

static tacos_status read_rest(Classifier *c, Pack *pack, const char *name, uint64_t has_learner,
                              tacos_error *err) {
    TRY(move_settings(c, pack, name, err));
    bool good = move_state(c, pack);
    if (pack->no_memory)
        return failure(err, TACOS_MEMORY, "no memory to read %s", name);
    if (!good || has_learner != (c->labels.n > 0))
        return failure(err, TACOS_CHECKSUM, "%s is damaged: its contents do not fit together",
                       name);
    if (!has_learner)
        return TACOS_OK;
    Params params = classifier_params(c, &c->encoder);
    TRY(learner_read(&c->learner, &params, pack, name, err));
    c->learner->view.wants_novelty = true;
    return TACOS_OK;
}

static tacos_status read_classifier(Classifier **out, Pack *pack, const char *name,
                                    tacos_error *err) {
    char magic[sizeof MAGIC] = {0};
    pack_bytes(pack, magic, sizeof magic);
    uint32_t version = (uint32_t)pack_whole(pack, 0, 4);
    uint64_t has_learner = pack_whole(pack, 0, 1);
    if (memcmp(magic, MAGIC, sizeof magic) != 0)
        return failure(err, TACOS_FORMAT, "%s is not a saved classifier", name);
    if (!pack->failed && version > CLASSIFIER_VERSION)
        return failure(err, TACOS_VERSION, "%s has format version %u; this program reads up to %d",
                       name, version, CLASSIFIER_VERSION);
    if (pack->failed || version == 0)
        return failure(err, TACOS_FORMAT, "%s is damaged: its header is incomplete", name);
    TRY(tacos_classifier_new(out, NULL, 0, err));
    tacos_status status = read_rest(*out, pack, name, has_learner, err);
    if (status != TACOS_OK) {
        tacos_classifier_free(*out);
        *out = NULL;
    }
    return status;
}

tacos_status tacos_classifier_save(tacos_classifier *c, const char *path, tacos_error *err) {
    Output output;
    TRY(output_open(&output, path, err));
    Pack pack = pack_write_file(output.file);
    tacos_status status = write_classifier(c, &pack, err);
    if (status == TACOS_OK || pack.failed) /* commit reports why */
        return output_commit(&output, err);
    output_abandon(&output);
    return status;
}

tacos_status tacos_classifier_load(tacos_classifier **out, const char *path, tacos_error *err) {
    *out = NULL;
    FILE *file = fopen(path, "rbe");
    if (!file)
        return failure_errno(err, "cannot read %s", path);
    Pack pack = pack_read_file(file);
    tacos_status status = read_classifier(out, &pack, path, err);
    if (status == TACOS_OK && getc(file) != EOF) {
        status = failure(err, TACOS_FORMAT, "%s is damaged: it is longer than its contents", path);
        tacos_classifier_free(*out);
        *out = NULL;
    }
    (void)fclose(file);
    return status;
}

int tacos_classifier_is_file(const char *path) {
    char magic[sizeof MAGIC] = {0};
    FILE *file = fopen(path, "rbe");
    if (!file)
        return 0;
    size_t n = fread(magic, 1, sizeof magic, file);
    (void)fclose(file);
    return n == sizeof magic && memcmp(magic, MAGIC, sizeof magic) == 0;
}

/* ---- through a caller's functions ---- */

tacos_status tacos_classifier_save_to(tacos_classifier *c, tacos_write *write, void *user,
                                      tacos_error *err) {
    PackCalls calls = {.write = write, .user = user};
    Pack pack = pack_write_calls(&calls);
    return write_classifier(c, &pack, err);
}

tacos_status tacos_classifier_load_from(tacos_classifier **out, tacos_read *read, void *user,
                                        tacos_error *err) {
    PackCalls calls = {.read = read, .user = user};
    Pack pack = pack_read_calls(&calls);
    *out = NULL;
    return read_classifier(out, &pack, "what was read", err);
}

uint32_t tacos_classifier_digest(tacos_classifier *c) {
    Pack pack = {.writing = true};
    (void)write_classifier(c, &pack, NULL);
    return pack.digest;
}
