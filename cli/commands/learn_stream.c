/* learn_stream.c - `tacos learn` with a classifier: features of any scale, labels as they come, an
 * answer to every sample before it is learned. */
#include "commands/learn.h"

#include "cluster.h"
#include "stream/answers.h"
#include "stream/rows.h"
#include "system/process.h"
#include "terminal/print.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SAVE_EVERY = 10000 };
static const double REDRAW_SECONDS = 0.25;

typedef struct Stream {
    const LearnArgs *args;
    StreamSettings settings;
    StreamFolder folder;
    Session session;
    Rows rows;
    double reject;
    uint64_t n;        /* samples of this run */
    uint64_t n_before; /* those that the model had seen */
    int shows_answers;
    int shows_progress; /* on a terminal: one line, redrawn */
    double shown_at;
} Stream;

/* ---- which kind of learner ---- */

static int has_inputs(const OptionList *sets) {
    for (size_t i = 0; i < sets->n; i++)
        if (strncmp(sets->items[i], "inputs=", 7) == 0)
            return 1;
    return 0;
}

int learn_is_stream(const LearnArgs *args) {
    if (args->fresh || (args->resume_input && access(args->path, F_OK) != 0))
        return !has_inputs(&args->sets);
    return tacos_classifier_is_file(args->path);
}

/* ---- the model ---- */

static int make(Stream *stream) {
    tacos_error err = {0};
    Session *session = &stream->session;
    int code =
        settings_classifier("learn", &stream->settings, stream->args->quiet, &session->classifier);
    if (code != EXIT_OK)
        return code;
    session_forget(session);
    /* Find out now, not at the end, whether it can be saved. */
    if (tacos_classifier_save(session->classifier, session->path, &err) != TACOS_OK)
        return cli_fail(&err);
    return session_load(session, stream->args->window, 1);
}

static int load(Stream *stream) {
    tacos_error err = {0};
    Session *session = &stream->session;
    if (tacos_classifier_load(&session->classifier, session->path, &err) != TACOS_OK)
        return cli_fail(&err);
    int code = settings_fit("learn", &stream->settings, session->classifier, session->path);
    return code == EXIT_OK ? session_load(session, stream->args->window, stream->args->quiet)
                           : code;
}

/* Whether MODEL has learned, so that it is not made anew. */
static int has_learned(const char *path) {
    tacos_classifier *classifier;
    if (tacos_classifier_load(&classifier, path, NULL) != TACOS_OK)
        return 1; /* it is something else */
    int learned = tacos_classifier_info_get(classifier).n_seen > 0;
    tacos_classifier_free(classifier);
    return learned;
}

static int open_model(Stream *stream) {
    const LearnArgs *args = stream->args;
    int exists = access(args->path, F_OK) == 0;
    if (!exists)
        return make(stream);
    if (args->fresh && has_learned(args->path)) {
        cli_error("%s exists; without --new it is resumed", args->path);
        return EXIT_USAGE;
    }
    return args->fresh ? make(stream) : load(stream);
}

/* ---- learning ---- */

static int save(Stream *stream) {
    stream->session.n_rows = stream->rows.n_rows;
    stream->session.label_at = stream->rows.label_at;
    return session_save(&stream->session);
}

static void show_progress(Stream *stream) {
    const LearnArgs *args = stream->args;
    if (args->quiet)
        return;
    if (!stream->shows_progress) {
        if (args->report_every == 0 || stream->n % args->report_every != 0)
            return;
        summary_line(&stream->session, stream->n_before, stream->n);
        fputc('\n', stderr);
        return;
    }
    double now = clock_seconds();
    if (now - stream->shown_at < REDRAW_SECONDS)
        return;
    stream->shown_at = now;
    fputc('\r', stderr);
    summary_line(&stream->session, stream->n_before, stream->n);
    fputs("\033[K", stderr);
    (void)fflush(stderr);
}

/* Names of sounds beside other features are words. */
static void note_sounds(const Stream *stream) {
    const tacos_sample *sample = &stream->rows.row.sample;
    for (size_t i = 0; sample->n > 1 && sample->texts && i < sample->n; i++) {
        if (!sample->texts[i] || !names_sound(sample->texts[i]))
            continue;
        print_to(stderr,
                 "note: feature %zu is the name of a WAV file, which is read only where it is the "
                 "only feature; here it is a word\n",
                 i + 1);
        return;
    }
}

/* EXIT_OK, also for a row that is skipped. */
static int learn_row(Stream *stream) {
    const LearnArgs *args = stream->args;
    const Row *row = &stream->rows.row;
    unsigned long save_every = args->save_every > 0 ? args->save_every : SAVE_EVERY;
    Answered answered;
    tacos_error err = {0};
    tacos_status status =
        session_next(&stream->session, &row->sample, row->label, stream->reject, &answered, &err);
    if (status != TACOS_OK)
        return rows_refused(&stream->rows, &err);
    stream->n++;
    if (stream->n == 1 && !args->quiet)
        note_sounds(stream);
    if (stream->shows_answers)
        answers_print(stream->session.classifier, &answered);
    int code = row->label ? folder_update(&stream->folder, &stream->session, 0) : EXIT_OK;
    show_progress(stream);
    if (code == EXIT_OK && (stream->n_before + stream->n) % save_every == 0)
        code = save(stream);
    return code;
}

static int learn_rows(Stream *stream, ReadResult *kind) {
    int code = EXIT_OK;
    do {
        *kind = interrupt_signal() ? READ_STOPPED : rows_next(&stream->rows);
        if (*kind == READ_SAMPLE)
            code = learn_row(stream);
    } while (*kind == READ_SAMPLE && code == EXIT_OK);
    return code;
}

static void report_interrupted(const LearnArgs *args) {
    static const char *const without[] = {"new", "resume", NULL};
    Resume resume = args->resume;
    resume.without = without;
    resume.with = "resume";
    cli_error("interrupted; what was learned is kept in %s; with the same input", args->path);
    resume_print(&resume);
}

static void report_end(Stream *stream, ReadResult kind) {
    if (stream->args->quiet)
        return;
    if (stream->shows_progress)
        fputc('\r', stderr);
    summary_line(&stream->session, stream->n_before, stream->n);
    if (stream->shows_progress)
        fputs("\033[K", stderr);
    fputc('\n', stderr);
    if (tacos_evaluation_figures_get(stream->session.evaluation).overall.samples > 0)
        summary_print(&stream->session);
    rows_report_skipped(&stream->rows);
    summary_warn(&stream->session);
    if (kind == READ_STOPPED)
        report_interrupted(stream->args);
}

/* What was learned is always saved. */
static int learn_all(Stream *stream) {
    ReadResult kind = READ_SAMPLE;
    int code = EXIT_OK;
    if (stream->args->resume_input)
        kind = rows_pass(&stream->rows, stream->session.n_rows);
    if (stream->shows_answers && !(stream->args->resume_input && stream->session.n_rows > 0))
        answers_head();
    tacos_evaluation_clock(stream->session.evaluation, clock_seconds());
    if (kind == READ_SAMPLE)
        code = learn_rows(stream, &kind);
    int saved = stream->rows.n_rows >= stream->session.n_rows ? save(stream) : EXIT_OK;
    if (saved == EXIT_OK)
        saved = folder_update(&stream->folder, &stream->session, 1);
    report_end(stream, kind);
    if (kind == READ_FAILED || saved != EXIT_OK)
        return EXIT_FAILED;
    if (code == EXIT_OK && stream->n == 0 && stream->rows.n_skipped > 0) {
        cli_error("no line could be learned");
        return EXIT_FAILED;
    }
    return code;
}

/* Answers are for whoever waits for them, or for a file; a terminal that shows a file being
 * learned would only be flooded. */
static int wants_answers(const LearnArgs *args) {
    struct stat in;
    int is_file = fstat(STDIN_FILENO, &in) == 0 && S_ISREG(in.st_mode);
    if (args->quiet || args->no_answers)
        return 0;
    return args->answers || !isatty(STDOUT_FILENO) || !is_file;
}

static int learn_opened(Stream *stream) {
    const LearnArgs *args = stream->args;
    Session *session = &stream->session;
    RowsArgs how = {args->reader.label, args->header, args->reader.on_error};
    RowsKnown known = {session->classifier, session->label_at, args->quiet};
    tacos_error err = {0};
    if (!args->resume_input)
        session->n_rows = 0; /* another input */
    stream->n_before = tacos_classifier_info_get(session->classifier).n_seen;
    int code = rows_open(&stream->rows, "learn", STDIN_FILENO, NULL, &how, &known);
    if (code == EXIT_OK && rows_name_features(&stream->rows, session->classifier, &err) != TACOS_OK)
        code = cli_fail(&err);
    if (code == EXIT_OK)
        code = learn_all(stream);
    rows_close(&stream->rows);
    return code;
}

static int learn(Stream *stream) {
    const LearnArgs *args = stream->args;
    int was_there = access(args->path, F_OK) == 0;
    int code = open_model(stream);
    if (code == EXIT_OK) {
        code = learn_opened(stream);
        /* A new model that has learned nothing when something fails would be in the way. */
        if (code != EXIT_OK && (args->fresh || !was_there) && stream->n == 0) {
            (void)unlink(args->path);
            session_forget(&stream->session);
        }
    }
    session_free(&stream->session);
    return code;
}

static int check(const LearnArgs *args) {
    if (cluster_size() > 1)
        return cli_usage("learn", "several processes can only share a learner of fixed shape: "
                                  "--new --set inputs=N --set outputs=N");
    if (args->blind)
        return cli_usage("learn", "--no-test requires --set inputs=N; here every sample is "
                                  "answered, and --no-answers prints none");
    if (args->reader.scale && !args->quiet)
        fputs("--scale is not needed: scales are learned\n", stderr);
    return EXIT_OK;
}

int learn_stream(const LearnArgs *args) {
    Interrupt guard;
    tacos_lock *lock;
    tacos_error err = {0};
    Stream stream = {.args = args,
                     .settings = {args->preset, args->sets, args->seed},
                     .folder = {args->out, NULL, args->path},
                     .session = {.path = args->path},
                     .shows_answers = wants_answers(args)};
    int code = check(args);
    if (code == EXIT_OK)
        code = answers_reject("learn", args->reject, &stream.reject);
    if (code != EXIT_OK)
        return code;
    stream.shows_progress =
        isatty(STDERR_FILENO) && !(stream.shows_answers && isatty(STDOUT_FILENO));
    interrupt_begin(&guard);
    if (tacos_lock_take(&lock, args->path, &err) == TACOS_OK)
        code = learn(&stream);
    else
        code = cli_fail(&err);
    tacos_lock_release(lock);
    interrupt_end(&guard);
    return code;
}
