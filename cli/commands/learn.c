/* learn.c - `tacos learn`: learn samples from standard input until it ends. */
#include "input/samples.h"
#include "system/process.h"
#include "terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SAVE_EVERY = 10000, REPORT_EVERY = 1000 };
static const double REDRAW_SECONDS = 0.25;

typedef struct LearnArgs {
    const char *path;
    OptionList sets;
    SampleReaderArgs reader;
    unsigned long seed, save_every, report_every;
    int fresh, blind, quiet;
} LearnArgs;

#define AT(field) offsetof(LearnArgs, field)

static const Option table[] = {
    FLAG_OPTION("new", AT(fresh), "create MODEL, which must not exist; `--set` configures it"),
    LIST_OPTION(
        "set", "KEY=VALUE", NAME_SETTING, AT(sets),
        "with `--new`: set a key of the learner, in particular `inputs`, `hidden` and `outputs`"),
    WHOLE_OPTION("seed", "K", 0, UINT32_MAX, AT(seed), "with `--new`: the seed (default: 1)"),
    SAMPLE_READER_OPTIONS(AT(reader)),
    WHOLE_OPTION(
        "save-every", "N", 1, UINT32_MAX, AT(save_every),
        "save MODEL after every N samples (default: 10000), and always at the end and on a signal"),
    WHOLE_OPTION(
        "tell-every", "N", 1, UINT32_MAX, AT(report_every),
        "if stderr is not a terminal, report progress after every N samples (default: 1000)"),
    FLAG_OPTION("no-test", AT(blind),
                "do not predict samples before learning them: faster, but reports no accuracy"),
    FLAG_OPTION("quiet", AT(quiet), "print nothing but errors"),
    OPTION_END,
};

/* ---- the learner ---- */

static int compare_bytes(void *user, const void *bytes, size_t n) {
    FILE *file = user;
    for (size_t k = 0; k < n; k++)
        if (getc(file) != ((const unsigned char *)bytes)[k])
            return -1;
    return 0;
}

/* Is MODEL exactly this new learner? Then the process that created it ended before it saved a
 * sample, and nothing is lost by creating it again. */
static int is_saved(tacos_learner *learner, const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    int same =
        tacos_learner_save_to(learner, compare_bytes, file, NULL) == TACOS_OK && getc(file) == EOF;
    (void)fclose(file);
    return same;
}

static tacos_status set_key(void *config, const char *key, const char *value, tacos_error *err) {
    return tacos_config_set(config, key, value, err);
}

static int make(const LearnArgs *args, tacos_learner **out) {
    tacos_config *config;
    tacos_error err = {0};
    if (tacos_config_new(&config, &err) != TACOS_OK)
        return cli_fail(&err);
    int code = settings_apply("learn", &args->sets, set_key, config);
    if (code == EXIT_OK &&
        tacos_learner_new(out, config, (uint32_t)args->seed, NULL, &err) != TACOS_OK)
        code = cli_fail(&err);
    tacos_config_free(config);
    if (code != EXIT_OK)
        return code;
    if (access(args->path, F_OK) == 0 && !is_saved(*out, args->path)) {
        cli_error("%s exists; without --new it is resumed", args->path);
        return EXIT_USAGE;
    }
    /* Find out now, not at the end, whether it can be saved. */
    return tacos_learner_save(*out, args->path, &err) == TACOS_OK ? EXIT_OK : cli_fail(&err);
}

static int open_learner(const LearnArgs *args, tacos_learner **out) {
    tacos_error err = {0};
    if (args->fresh)
        return make(args, out);
    if (tacos_learner_load(out, args->path, NULL, &err) == TACOS_OK)
        return EXIT_OK;
    int code = cli_fail(&err);
    if (err.status == TACOS_MISSING)
        fputs("--new creates it\n", stderr);
    return code;
}

/* ---- accuracy before learning ---- */

enum { RECENT_SAMPLES = 1000 };

/* Of all samples, and of the most recent ones. */
typedef struct RunningAccuracy {
    uint64_t n, right;
    uint32_t recent_right;
    uint8_t recent[RECENT_SAMPLES]; /* a ring: sample k is at k modulo its size */
} RunningAccuracy;

static void accuracy_add(RunningAccuracy *accuracy, int right) {
    uint8_t *place = &accuracy->recent[accuracy->n % RECENT_SAMPLES];
    accuracy->recent_right -= *place;
    *place = right != 0;
    accuracy->recent_right += *place;
    accuracy->right += *place;
    accuracy->n++;
}

static double percent(uint64_t part, uint64_t of) {
    return of > 0 ? 100.0 * (double)part / (double)of : 0;
}

/* ---- learning ---- */

typedef struct Learning {
    const LearnArgs *args;
    tacos_learner *learner;
    SampleReader reader;
    RunningAccuracy accuracy;
    uint64_t n;         /* samples */
    double reported_at; /* on a terminal: when */
    int terminal;
} Learning;

static double now_seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* On a terminal the line is redrawn; the last one stays. */
static void report(const Learning *learning, int last) {
    const RunningAccuracy *a = &learning->accuracy;
    if (learning->terminal)
        fputc('\r', stderr);
    fprintf(stderr, "%llu samples", (unsigned long long)learning->n);
    if (!learning->args->blind)
        fprintf(stderr, "  predicted correctly before learning: %.2f%%, of the last %d %.2f%%",
                percent(a->right, a->n), RECENT_SAMPLES,
                percent(a->recent_right, a->n < RECENT_SAMPLES ? a->n : RECENT_SAMPLES));
    if (learning->terminal)
        fputs("\033[K", stderr);
    if (last || !learning->terminal)
        fputc('\n', stderr);
    (void)fflush(stderr);
}

static void report_progress(Learning *learning) {
    if (learning->args->quiet)
        return;
    if (!learning->terminal) {
        if (learning->n % learning->args->report_every == 0)
            report(learning, 0);
        return;
    }
    double now = now_seconds();
    if (now - learning->reported_at < REDRAW_SECONDS)
        return;
    learning->reported_at = now;
    report(learning, 0);
}

static int save(const Learning *learning) {
    tacos_error err = {0};
    if (tacos_learner_save(learning->learner, learning->args->path, &err) == TACOS_OK)
        return EXIT_OK;
    return cli_fail(&err);
}

static int learn_sample(Learning *learning) {
    const Sample *sample = &learning->reader.sample;
    size_t n_inputs = learning->reader.format.n_inputs;
    tacos_learner *learner = learning->learner;
    tacos_prediction answer;
    tacos_error err = {0};
    tacos_status status = TACOS_OK;
    if (!learning->args->blind) {
        status = tacos_learner_predict(learner, sample->intensity, n_inputs,
                                       tacos_learner_learned(learner), &answer, &err);
        if (status == TACOS_OK)
            accuracy_add(&learning->accuracy, answer.output == (int)sample->label);
    }
    if (status == TACOS_OK)
        status =
            tacos_learner_learn(learner, sample->intensity, n_inputs, (size_t)sample->label, &err);
    if (status != TACOS_OK)
        return cli_fail(&err);
    learning->n++;
    report_progress(learning);
    return learning->n % learning->args->save_every == 0 ? save(learning) : EXIT_OK;
}

/* Until the input ends or a signal arrives. What was learned is always saved. */
static int learn_all(Learning *learning) {
    ReadResult kind;
    int code = EXIT_OK;
    do {
        kind = interrupt_signal() ? READ_STOPPED : sample_reader_next(&learning->reader, 1);
        if (kind == READ_SAMPLE)
            code = learn_sample(learning);
    } while (kind == READ_SAMPLE && code == EXIT_OK);
    int saved = save(learning);
    if (!learning->args->quiet) {
        report(learning, 1);
        sample_reader_report_skipped(&learning->reader);
    }
    if (kind == READ_FAILED || saved != EXIT_OK)
        return EXIT_FAILED;
    return code;
}

static int learn(Learning *learning) {
    const LearnArgs *args = learning->args;
    int code = open_learner(args, &learning->learner);
    if (code == EXIT_OK)
        code = sample_reader_open(&learning->reader, "learn", &args->reader, learning->learner);
    if (code == EXIT_OK) {
        code = learn_all(learning);
        sample_reader_close(&learning->reader);
    }
    tacos_learner_free(learning->learner);
    return code;
}

/* Under a lock: of two learners of the same MODEL, the last to save would undo the other.
 */
static int learn_alone(Learning *learning) {
    Interrupt guard;
    tacos_lock *lock;
    tacos_error err = {0};
    int code = EXIT_OK;
    interrupt_begin(&guard);
    if (tacos_lock_take(&lock, learning->args->path, &err) == TACOS_OK)
        code = learn(learning);
    else
        code = cli_fail(&err);
    tacos_lock_release(lock);
    interrupt_end(&guard);
    return code;
}

static int cmd_learn(int argc, char **argv) {
    LearnArgs args = {.seed = 1, .save_every = SAVE_EVERY, .report_every = REPORT_EVERY};
    Learning learning = {.args = &args, .terminal = terminal_is(stderr)};
    int code = EXIT_OK;
    if (!options_read(&command_learn, table, &args, argc, argv, &code))
        return code;
    if (args.sets.n > 0 && !args.fresh)
        return cli_usage("learn", "--set requires --new: a saved learner cannot be reconfigured");
    args.path = argv[optind];
    return learn_alone(&learning);
}

static const Example examples[] = {
    {"tacos learn model.tacos --new --set inputs=784 --set hidden=200 --set outputs=10 --scale 255 "
     "<train.csv",
     "a new learner, from lines of a label and 784 pixels"},
    {"tail -f samples.jsonl | tacos learn model.tacos --on-error skip",
     "keep learning as samples arrive"},
    {NULL, NULL},
};

const Command command_learn = {
    .name = "learn",
    .group = GROUP_LEARNER,
    .run = cmd_learn,
    .about = "learn from samples on standard input, one per line",
    .arguments = {1, 1, "one MODEL"},
    .synopsis = "MODEL [options] <SAMPLES",
    .text =
        "MODEL is a saved learner (`tacos run` saves them too, as model-SEED.tacos). It learns "
        "each sample of standard input once, in order, and is saved at the end, at intervals, and "
        "on SIGINT and SIGTERM; each save is atomic. A second `tacos learn` or `tacos import` on "
        "the same MODEL fails at once and names the process that uses it.\n\n"
        "A sample is one line: numbers separated by commas, the label first; or a JSON object, "
        "{\"x\": [0, 0.5, 1], \"y\": 2}. Numbers are from 0 to 1, or to --scale; the label is the "
        "number of the output that should fire. Empty lines are skipped, and so is a first line "
        "of column names, one per number, which is reported on stderr.\n\n"
        "Each sample is predicted before it is learned; how often the prediction was right is "
        "reported on stderr. Memory use does not grow, however long it runs.",
    .argument = NAME_FILE,
    .options = table,
    .examples = examples,
};
