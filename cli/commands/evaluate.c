/* evaluate.c - `tacos evaluate`: how well streams in files are learned, with several seeds. */
#include "commands/evaluate.h"

#include "system/files.h"
#include "system/process.h"
#include "terminal/progress.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define AT(field) offsetof(EvaluateArgs, field)

static const Option table[] = {
    STREAM_SETTING_OPTIONS(AT(settings)),
    WHOLE_OPTION("seeds", "N", 1, 10000, AT(seeds), "evaluate N seeds, from 1 (default: 5)"),
    OPTION_JOBS(AT(jobs)),
    TEXT_OPTION("out", "FOLDER", NAME_FOLDER, AT(out),
                "write evaluate.csv to FOLDER, and stream.json and stream.csv of each seed to a "
                "folder in it, for `tacos report`"),
    TEXT_OPTION("label", "COLUMN", NAME_ANY, AT(reader.label),
                "the column of the label: `first`, `last`, its name or its number"),
    ROWS_HEADER_OPTION(AT(reader)),
    TEXT_OPTION("on-error", "WHAT", NAME_ANY, AT(reader.on_error),
                "what to do about a malformed line: `stop` (the default) or `skip` it"),
    TEXT_OPTION("reject", "P", NAME_ANY, AT(reject),
                "answer `unknown` if the chance to be right is below P, from 0 to 1"),
    WHOLE_OPTION("window", "N", 1, 1000000, AT(window),
                 "samples in the window of recent accuracy (default: 1000)"),
    OPTION_DATA(AT(data)),
    OPTION_QUIET(AT(quiet)),
    OPTION_END,
};

/* ---- a trial ---- */

static double cpu_seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int learn_rows(Session *session, Rows *rows, const StreamFolder *folder, double reject) {
    for (;;) {
        Answered answered;
        tacos_error err = {0};
        ReadResult kind = interrupt_signal() ? READ_STOPPED : rows_next(rows);
        if (kind != READ_SAMPLE)
            return kind == READ_END ? EXIT_OK : EXIT_FAILED;
        tacos_status status =
            session_next(session, &rows->row.sample, rows->row.label, reject, &answered, &err);
        int code = EXIT_OK;
        if (status != TACOS_OK)
            code = rows_refused(rows, &err);
        else if (rows->row.label)
            code = folder_update(folder, session, 0);
        if (code != EXIT_OK)
            return code;
    }
}

static void take_figures(Trial *trial, const Session *session, double seconds) {
    tacos_classifier_info info = tacos_classifier_info_get(session->classifier);
    trial->figures = tacos_evaluation_figures_get(session->evaluation);
    trial->alarms = tacos_evaluation_drift_get(session->evaluation).alarms;
    trial->n_labels = info.n_labels;
    trial->bytes = info.model_bytes;
    trial->us = info.n_seen > 0 ? 1e6 * seconds / (double)info.n_seen : 0;
    trial->digest = tacos_classifier_digest(session->classifier);
}

static int run_opened(Trial *trial, const EvaluateArgs *args, Session *session, Rows *rows) {
    char path[PATH_SIZE], name[80];
    StreamFolder folder = {NULL, trial->name, "classifier"};
    tacos_error err = {0};
    double reject, start = cpu_seconds();
    (void)snprintf(name, sizeof name, "%s-%u", trial->name, trial->seed);
    if (args->out && folder_path(path, args->out, name) != 0) {
        cli_error("%s: %s", args->out, strerror(errno));
        return EXIT_FAILED;
    }
    folder.path = args->out ? path : NULL;
    int code = answers_reject("evaluate", args->reject, &reject);
    if (code == EXIT_OK && rows_name_features(rows, session->classifier, &err) != TACOS_OK)
        code = cli_fail(&err);
    tacos_evaluation_clock(session->evaluation, clock_seconds());
    if (code == EXIT_OK)
        code = learn_rows(session, rows, &folder, reject);
    if (code == EXIT_OK)
        code = folder_update(&folder, session, 1);
    if (code == EXIT_OK)
        take_figures(trial, session, cpu_seconds() - start);
    return code;
}

static int run_trial(Trial *trial, const EvaluateArgs *args) {
    Session session = {0};
    Rows rows;
    StreamSettings settings = args->settings;
    int first = trial->seed == settings.seed;
    int quiet = args->quiet || !first;
    settings.seed = trial->seed;
    int code = settings_classifier("evaluate", &settings, quiet, &session.classifier);
    if (code == EXIT_OK)
        code = session_evaluate(&session, args->window);
    if (code == EXIT_OK) {
        RowsKnown known = {session.classifier, LABEL_UNKNOWN, quiet};
        code = rows_open(&rows, "evaluate", -1, trial->path, &args->reader, &known);
        if (code == EXIT_OK)
            code = run_opened(trial, args, &session, &rows);
        rows_close(&rows);
    }
    if (code == EXIT_OK && first && !quiet)
        summary_warn(&session);
    session_free(&session);
    return code;
}

/* ---- all of them, several at the same time ---- */

typedef struct Work {
    const EvaluateArgs *args;
    Trial *trials;
    size_t n, next, n_done;
    int failed;
    Progress progress;
    pthread_mutex_t lock;
} Work;

static Trial *next_trial(Work *work) {
    Trial *trial = NULL;
    (void)pthread_mutex_lock(&work->lock);
    if (!work->failed && work->next < work->n && !interrupt_signal())
        trial = &work->trials[work->next++];
    (void)pthread_mutex_unlock(&work->lock);
    return trial;
}

static void *run_trials(void *user) {
    Work *work = user;
    Trial *trial;
    while ((trial = next_trial(work))) {
        trial->code = run_trial(trial, work->args);
        (void)pthread_mutex_lock(&work->lock);
        trial->done = trial->code == EXIT_OK;
        work->failed |= trial->code;
        work->n_done++;
        progress_step(&work->progress, work->n_done, work->n, trial->name);
        (void)pthread_mutex_unlock(&work->lock);
    }
    return NULL;
}

static void run_all(Work *work, size_t jobs) {
    pthread_t threads[TACOS_JOBS_MAX];
    size_t n = 0;
    (void)pthread_mutex_init(&work->lock, NULL);
    while (n + 1 < jobs && n + 1 < work->n &&
           pthread_create(&threads[n], NULL, run_trials, work) == 0)
        n++;
    (void)run_trials(work);
    while (n > 0)
        (void)pthread_join(threads[--n], NULL);
    (void)pthread_mutex_destroy(&work->lock);
    progress_end(&work->progress);
}

/* ---- which streams ---- */

/* A file, or a table in the data folder: NAME/NAME.csv or streams/NAME.csv, perhaps gzipped. */
static int find_stream(const char *name, const char *data, char out[PATH_SIZE]) {
    static const char *const places[] = {"%s/%s/%s.csv", "%s/%s/%s.csv.gz", "%s/streams/%.0s%s.csv",
                                         "%s/streams/%.0s%s.csv.gz"};
    char dir[PATH_SIZE];
    if (access(name, R_OK) == 0 && snprintf(out, PATH_SIZE, "%s", name) < PATH_SIZE)
        return EXIT_OK;
    int known = tacos_data_dir(data, dir, sizeof dir, NULL) == TACOS_OK;
    for (size_t k = 0; known && !strchr(name, '/') && k < sizeof places / sizeof *places; k++)
        if (snprintf(out, PATH_SIZE, places[k], dir, name, name) < PATH_SIZE &&
            access(out, R_OK) == 0)
            return EXIT_OK;
    cli_error("there is no file %s, and no table of this name in the data folder", name);
    cli_hint_data(name, data);
    return EXIT_FAILED;
}

/* "streams/elec2.csv.gz" is elec2. */
static void short_name(const char *path, char out[64]) {
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *end = strstr(base, ".csv");
    (void)snprintf(out, 64, "%.*s", (int)(end && end > base ? (size_t)(end - base) : strlen(base)),
                   base);
}

static int evaluate(const EvaluateArgs *args, char (*paths)[PATH_SIZE], size_t n_streams) {
    size_t n = n_streams * args->seeds;
    size_t jobs = args->jobs > 0 ? args->jobs : (size_t)sysconf(_SC_NPROCESSORS_ONLN);
    Work work = {.args = args, .trials = calloc(n, sizeof(Trial)), .n = n};
    if (!work.trials)
        return cli_no_memory("the trials");
    for (size_t k = 0; k < n; k++) {
        Trial *trial = &work.trials[k];
        trial->path = paths[k / args->seeds];
        trial->seed = (uint32_t)(args->settings.seed + k % args->seeds);
        short_name(trial->path, trial->name);
    }
    progress_begin(&work.progress, args->quiet);
    run_all(&work, jobs < TACOS_JOBS_MAX ? jobs : TACOS_JOBS_MAX);
    int code = work.failed ? EXIT_FAILED : interrupt_signal() ? EXIT_FAILED : EXIT_OK;
    if (code == EXIT_OK && args->out)
        code = evaluate_write(work.trials, n, args->out);
    if (code == EXIT_OK)
        code = evaluate_print(work.trials, n);
    free(work.trials);
    return code;
}

/* ---- the command ---- */

static int evaluate_named(const EvaluateArgs *args, char **names, size_t n) {
    char(*found)[PATH_SIZE] = calloc(n, PATH_SIZE);
    int code = EXIT_OK;
    if (!found)
        return cli_no_memory("the streams");
    for (size_t k = 0; k < n && code == EXIT_OK; k++)
        code = find_stream(names[k], args->data, found[k]);
    if (code == EXIT_OK)
        code = evaluate(args, found, n);
    free(found);
    return code;
}

static int cmd_evaluate(int argc, char **argv) {
    EvaluateArgs args = {.settings = {.seed = 1}, .seeds = 5};
    Interrupt guard;
    int code = EXIT_OK;
    double reject;
    if (!options_read(&command_evaluate, table, &args, argc, argv, &code))
        return code;
    code = answers_reject("evaluate", args.reject, &reject);
    if (code != EXIT_OK)
        return code;
    interrupt_begin(&guard);
    code = evaluate_named(&args, argv + optind, (size_t)(argc - optind));
    interrupt_end(&guard);
    return code;
}

static const Example examples[] = {
    {"tacos evaluate train.csv", "a table of your own, with 5 seeds"},
    {"tacos evaluate elec2 outdoor --preset series", "known streams, of the data folder"},
    {"tacos evaluate train.csv --seeds 3 --set column_memory_kb=128 --out results/small",
     "in 128 kB, with the results of each seed"},
    {NULL, NULL},
};

const Command command_evaluate = {
    .name = "evaluate",
    .group = GROUP_LEARNER,
    .run = cmd_evaluate,
    .about = "evaluate how well streams in files are learned, with several seeds",
    .arguments = {1, 1000, "one STREAM or more"},
    .synopsis = "STREAM... [options]",
    .text =
        "STREAM is a table (CSV), plain or gzipped, as `tacos learn` reads it; or the name of one "
        "in the data folder, such as elec2. Each is learned from its first line to its last by a "
        "new classifier per seed. The evaluation is prequential: every sample is answered first "
        "and learned then, so there is no test part.\n\n"
        "Prints means over seeds with their standard deviations: accuracy in percent, Cohen's "
        "kappa, kappa-temporal (0 is as good as repeating the last label), what repeating the last "
        "label would have right, time of a processor per sample with reading, and memory. "
        "docs/streams.md defines them.",
    .argument = NAME_FILE,
    .options = table,
    .examples = examples,
};
