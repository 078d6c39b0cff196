/* session.h - a stream that is learned: the classifier, its evaluation, and how far the input was
 * read; kept in two files that always fit together. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "cli.h"
#include "tacos_stream.h"

struct json_t; /* of jansson */

typedef struct Session {
    const char *path; /* MODEL; NULL: it is not kept */
    tacos_classifier *classifier;
    tacos_evaluation *evaluation;
    uint64_t n_rows;           /* of the input, those skipped as well */
    long label_at;             /* the column of the label, LABEL_UNKNOWN */
    struct json_t *last_saved; /* the state of the model that is saved; NULL: none */
} Session;

enum { LABEL_AT_UNKNOWN = -1 };

void session_free(Session *session);

/* ---- settings.c ---- */

typedef struct StreamSettings {
    const char *preset; /* NULL: the default */
    OptionList sets;
    unsigned long seed;
} StreamSettings;

/* clang-format off */
#define STREAM_SETTING_OPTIONS(at) \
    {"preset", OPTION_TEXT, NAME_PRESET, (at) + offsetof(StreamSettings, preset), 0, 0, "NAME", \
     "the settings to begin with: `tacos help presets` lists them"}, \
    {"set", OPTION_LIST, NAME_STREAM_SETTING, (at) + offsetof(StreamSettings, sets), 0, 0, \
     "KEY=VALUE", "set a key of the classifier or of the learner inside; `tacos help KEY` explains one"}
/* clang-format on */

/* A classifier with these settings. Keys that do not fit together are adjusted, which is reported
 * unless `quiet`, or refused: EXIT_OK, or the exit status after an error message. */
int settings_classifier(const char *command, const StreamSettings *settings, int quiet,
                        tacos_classifier **out);

/* Whether a classifier has these settings; if not, an error message. */
int settings_fit(const char *command, const StreamSettings *settings,
                 const tacos_classifier *classifier, const char *path);

/* ---- session.c ---- */

/* An evaluation that has seen nothing. */
int session_evaluate(Session *session, unsigned long window);

/* Read what was kept beside MODEL. If nothing fits the model, the evaluation starts over, which is
 * told. */
int session_load(Session *session, unsigned long window, int quiet);

/* Save: first what belongs to the model that is saved and to the new one, then the new one. Killed
 * at any moment, it leaves a model and what belongs to it. */
int session_save(Session *session);

/* Forget what was kept for an earlier model of this name. */
void session_forget(const Session *session);

/* ---- answering ---- */

typedef struct Answered {
    tacos_answer answer;
    int rejected;
} Answered;

/* Answer the next sample of the stream, learn it if it has a label, and count it. `reject`: what
 * is less likely than this to be right is "unknown". */
tacos_status session_next(Session *session, const tacos_sample *sample, const char *label,
                          double reject, Answered *out, tacos_error *err);

#endif
