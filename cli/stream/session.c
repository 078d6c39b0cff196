/* session.c - see session.h. The file MODEL-stream is JSON with at most two states: that of the
 * model that was saved before and that of the one saved now, since the model is replaced after it.
 */
#include "stream/session.h"

#include "output/json.h"
#include "stream/rows.h"
#include "system/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SCHEMA_VERSION = 1 };
static const char SCHEMA[] = "tacos-stream-state";

void session_free(Session *session) {
    tacos_classifier_free(session->classifier);
    tacos_evaluation_free(session->evaluation);
    json_decref(session->last_saved);
}

static int state_path(const Session *session, char out[PATH_SIZE]) {
    return snprintf(out, PATH_SIZE, "%s-stream", session->path) < PATH_SIZE ? 0 : -1;
}

void session_forget(const Session *session) {
    char path[PATH_SIZE];
    if (state_path(session, path) == 0)
        (void)unlink(path);
}

/* ---- the evaluation as text ---- */

typedef struct Hex {
    char *text;
    size_t n, room; /* digits; when reading, `room` are there */
} Hex;

static int put_hex(void *user, const void *bytes, size_t n) {
    static const char digits[] = "0123456789abcdef";
    Hex *hex = user;
    if (hex->n + 2 * n >= hex->room) {
        size_t room = 2 * (hex->n + 2 * n) + 1;
        char *text = realloc(hex->text, room);
        if (!text)
            return -1;
        hex->text = text;
        hex->room = room;
    }
    for (size_t k = 0; k < n; k++) {
        unsigned byte = ((const unsigned char *)bytes)[k];
        hex->text[hex->n++] = digits[byte >> 4];
        hex->text[hex->n++] = digits[byte & 15];
    }
    hex->text[hex->n] = '\0';
    return 0;
}

static int digit_of(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int take_hex(void *user, void *bytes, size_t n) {
    Hex *hex = user;
    if (n > (hex->room - hex->n) / 2)
        return -1;
    for (size_t k = 0; k < n; k++, hex->n += 2) {
        int high = digit_of(hex->text[hex->n]), low = digit_of(hex->text[hex->n + 1]);
        if (high < 0 || low < 0)
            return -1;
        ((unsigned char *)bytes)[k] = (unsigned char)(high << 4 | low);
    }
    return 0;
}

/* ---- states ---- */

static json_t *state_of(const Session *session, tacos_error *err) {
    tacos_classifier_info info = tacos_classifier_info_get(session->classifier);
    Hex hex = {0};
    json_t *state = NULL;
    if (tacos_evaluation_save_to(session->evaluation, put_hex, &hex, err) == TACOS_OK)
        state = json_pack("{s:I, s:I, s:I, s:I, s:s}", "samples", (json_int_t)info.n_seen, "digest",
                          (json_int_t)tacos_classifier_digest(session->classifier), "rows",
                          (json_int_t)session->n_rows, "label_column",
                          (json_int_t)session->label_at, "evaluation", hex.text);
    free(hex.text);
    if (!state)
        (void)whole_file_no_memory(session->path, err);
    return state;
}

static int fits(const Session *session, const json_t *state) {
    tacos_classifier_info info = tacos_classifier_info_get(session->classifier);
    return json_integer_value(json_object_get(state, "samples")) == (json_int_t)info.n_seen &&
           json_integer_value(json_object_get(state, "digest")) ==
               (json_int_t)tacos_classifier_digest(session->classifier);
}

/* 0, or -1 if it is not what was written. */
static int take_state(Session *session, json_t *state) {
    const char *text = json_string_value(json_object_get(state, "evaluation"));
    json_int_t rows = json_integer_value(json_object_get(state, "rows"));
    json_int_t label_at = json_integer_value(json_object_get(state, "label_column"));
    tacos_error err;
    if (!text || rows < 0 || label_at < LABEL_AT_UNKNOWN || label_at > INT32_MAX)
        return -1;
    Hex hex = {(char *)text, 0, strlen(text)};
    if (tacos_evaluation_load_from(&session->evaluation, take_hex, &hex, &err) != TACOS_OK)
        return -1;
    session->n_rows = (uint64_t)rows;
    session->label_at = (long)label_at;
    session->last_saved = json_incref(state);
    return 0;
}

/* ---- the files ---- */

int session_evaluate(Session *session, unsigned long window) {
    char most[32] = "";
    tacos_error err = {0};
    (void)tacos_classifier_get(session->classifier, "labels_max", most, sizeof most, NULL);
    tacos_evaluation_options options = {.window = window, .max_labels = strtoul(most, NULL, 10)};
    return tacos_evaluation_new(&session->evaluation, &options, &err) == TACOS_OK ? EXIT_OK
                                                                                  : cli_fail(&err);
}

/* The state that fits the model: 1, or 0. */
static int find_state(Session *session, const json_t *root) {
    size_t i;
    json_t *state;
    json_array_foreach(json_object_get(root, "states"), i,
                       state) if (fits(session, state) && take_state(session, state) == 0) return 1;
    return 0;
}

int session_load(Session *session, unsigned long window, int quiet) {
    char path[PATH_SIZE];
    json_error_t error;
    uint64_t n_seen = tacos_classifier_info_get(session->classifier).n_seen;
    session->label_at = LABEL_AT_UNKNOWN;
    if (n_seen > 0 && state_path(session, path) == 0) {
        json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
        int found = find_state(session, root);
        json_decref(root);
        if (found)
            return EXIT_OK;
        if (!quiet)
            cli_error("%s does not belong to this model: the evaluation starts over", path);
    }
    session->n_rows = n_seen;
    return session_evaluate(session, window);
}

static tacos_status write_states(const Session *session, json_t *state, tacos_error *err) {
    char path[PATH_SIZE];
    json_t *states = json_array();
    int bad = state_path(session, path);
    if (session->last_saved)
        bad |= json_array_append(states, session->last_saved);
    bad |= json_array_append(states, state);
    json_t *root = json_pack("{s:s, s:i, s:o}", "schema", SCHEMA, "schema_version", SCHEMA_VERSION,
                             "states", json_unless(bad, states));
    char *text = root ? json_dumps(root, JSON_INDENT(1)) : NULL;
    json_decref(root);
    tacos_status status = text ? tacos_file_write(path, text, strlen(text), err)
                               : whole_file_no_memory(session->path, err);
    free(text);
    return status;
}

int session_save(Session *session) {
    tacos_error err = {0};
    json_t *state = state_of(session, &err);
    tacos_status status = state ? TACOS_OK : err.status;
    if (state && !json_equal(state, session->last_saved))
        status = write_states(session, state, &err);
    if (status == TACOS_OK)
        status = tacos_classifier_save(session->classifier, session->path, &err);
    if (status != TACOS_OK) {
        json_decref(state);
        return cli_fail(&err);
    }
    json_decref(session->last_saved);
    session->last_saved = state;
    return EXIT_OK;
}

/* ---- answering ---- */

/* The number of a label that was learned. It is often the answer. */
static size_t number_of(const tacos_classifier *classifier, const char *label, int answer) {
    size_t n = tacos_classifier_n_labels(classifier);
    if (answer >= 0 && strcmp(tacos_classifier_label(classifier, (size_t)answer), label) == 0)
        return (size_t)answer;
    for (size_t k = 0; k < n; k++)
        if (strcmp(tacos_classifier_label(classifier, k), label) == 0)
            return k;
    return n;
}

tacos_status session_next(Session *session, const tacos_sample *sample, const char *label,
                          double reject, Answered *out, tacos_error *err) {
    tacos_status status =
        tacos_classifier_next(session->classifier, sample, label, &out->answer, err);
    int answer = out->answer.label;
    if (status != TACOS_OK)
        return status;
    out->rejected = answer >= 0 && out->answer.confidence < reject;
    if (!label)
        return TACOS_OK;
    return tacos_evaluation_add(session->evaluation, number_of(session->classifier, label, answer),
                                answer, out->rejected, err);
}
