/* learn.c - `tacos learn`: learn samples from standard input until it ends. */
#include "commands/learn.h"

#include "cluster.h"
#include "output/unused.h"
#include "system/process.h"
#include "terminal/terminal.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { SAVE_EVERY = 10000, REPORT_EVERY = 1000 };

#define AT(field) offsetof(LearnArgs, field)

static const Option table[] = {
    FLAG_OPTION("new", AT(fresh), "create MODEL, which must not exist"),
    FLAG_OPTION("resume", AT(resume_input),
                "after a kill, the same command and the same input: skip the lines that MODEL "
                "has seen; without MODEL, create it"),
    TEXT_OPTION("preset", "NAME", NAME_PRESET, AT(preset),
                "with `--new`: the settings to begin with; `tacos help presets` lists them"),
    LIST_OPTION("set", "KEY=VALUE", NAME_STREAM_SETTING, AT(sets),
                "with `--new`: set a key; `tacos help KEY` explains one. With `inputs=N` MODEL is "
                "a learner of fixed shape"),
    WHOLE_OPTION("seed", "K", 0, UINT32_MAX, AT(seed), "with `--new`: the seed (default: 1)"),
    SAMPLE_READER_OPTIONS(AT(reader)),
    TEXT_OPTION("header", "YES|NO", NAME_YES_NO, AT(header),
                "whether the first line names the columns (default: if it looks like it)"),
    TEXT_OPTION("reject", "P", NAME_ANY, AT(reject),
                "answer `unknown` if the chance to be right is below P, from 0 to 1"),
    FLAG_OPTION("answers", AT(answers), "print answers also where a terminal shows a file learned"),
    FLAG_OPTION("no-answers", AT(no_answers), "print no answers"),
    TEXT_OPTION("out", "FOLDER", NAME_FOLDER, AT(out),
                "keep stream.json and stream.csv current in FOLDER, for `tacos report`"),
    WHOLE_OPTION("window", "N", 1, 1000000, AT(window),
                 "samples in the window of recent accuracy (default: 1000)"),
    WHOLE_OPTION(
        "save-every", "N", 1, UINT32_MAX, AT(save_every),
        "save MODEL after every N samples (default: 10000), and always at the end and on a signal"),
    WHOLE_OPTION(
        "tell-every", "N", 1, UINT32_MAX, AT(report_every),
        "if stderr is not a terminal, report progress after every N samples (default: 1000)"),
    FLAG_OPTION("no-test", AT(blind),
                "of a fixed shape: do not predict samples before learning them: faster, but "
                "reports no accuracy"),
    FLAG_OPTION("quiet", AT(quiet), "print nothing but errors: no answers, either"),
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
    tacos_key_info info;
    tacos_status status = tacos_config_set(config, key, value, err);
    for (size_t i = 0; status == TACOS_UNKNOWN && tacos_key(i, &info); i++)
        if (strcmp(info.name, key) == 0)
            (void)snprintf(err->text, sizeof err->text,
                           "'%s' is a key of experiments, which a learner does not have", key);
    return status;
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
    if (code == EXIT_OK)
        unused_report_learner(&args->sets, *out);
    tacos_config_free(config);
    return code;
}

/* Find out now, not at the end, whether it can be saved. */
static int create(const LearnArgs *args, tacos_learner *learner) {
    tacos_error err = {0};
    if (access(args->path, F_OK) == 0 && !is_saved(learner, args->path)) {
        cli_error("%s exists; without --new it is resumed", args->path);
        return EXIT_USAGE;
    }
    return tacos_learner_save(learner, args->path, &err) == TACOS_OK ? EXIT_OK : cli_fail(&err);
}

static int load(const LearnArgs *args, tacos_learner **out) {
    tacos_error err = {0};
    if (tacos_learner_load(out, args->path, NULL, &err) == TACOS_OK)
        return EXIT_OK;
    int code = cli_fail(&err);
    if (err.status == TACOS_MISSING)
        fputs("--new creates it\n", stderr);
    return code;
}

static int open_learner(const LearnArgs *args, tacos_learner **out) {
    int code = args->fresh ? make(args, out) : load(args, out);
    if (code == EXIT_OK && cluster_size() > 1)
        code = learn_shared_check(args, *out);
    return code == EXIT_OK && args->fresh ? create(args, *out) : code;
}

/* ---- learning ---- */

static int save(const Learning *learning) {
    tacos_error err = {0};
    if (tacos_learner_save(learning->learner, learning->args->path, &err) == TACOS_OK)
        return EXIT_OK;
    return cli_fail(&err);
}

int learn_sample(tacos_learner *learner, const float *intensity, size_t n_inputs, size_t label,
                 int blind, int *answer) {
    tacos_prediction guess;
    tacos_error err = {0};
    tacos_status status = TACOS_OK;
    *answer = ANSWER_WRONG;
    if (!blind) {
        status = tacos_learner_predict(learner, intensity, n_inputs, tacos_learner_learned(learner),
                                       &guess, &err);
        if (status == TACOS_OK)
            *answer = guess.output < 0             ? ANSWER_NONE
                      : guess.output == (int)label ? ANSWER_RIGHT
                                                   : ANSWER_WRONG;
    }
    if (status == TACOS_OK)
        status = tacos_learner_learn(learner, intensity, n_inputs, label, &err);
    return status == TACOS_OK ? EXIT_OK : cli_fail(&err);
}

static int learn_next(Learning *learning) {
    const Sample *sample = &learning->reader.sample;
    const LearnArgs *args = learning->args;
    unsigned long save_every = args->save_every > 0 ? args->save_every : SAVE_EVERY;
    int right;
    int code = learn_sample(learning->learner, sample->intensity, learning->reader.format.n_inputs,
                            (size_t)sample->label, args->blind, &right);
    if (code != EXIT_OK)
        return code;
    learn_count(learning, right);
    return learning->n % save_every == 0 ? save(learning) : EXIT_OK;
}

/* Until the input ends or a signal arrives. */
static int learn_alone(Learning *learning, ReadResult *kind) {
    int code = EXIT_OK;
    do {
        *kind = interrupt_signal() ? READ_STOPPED : sample_reader_next(&learning->reader, 1);
        if (*kind == READ_SAMPLE)
            code = learn_next(learning);
    } while (*kind == READ_SAMPLE && code == EXIT_OK);
    return code;
}

/* What was learned is always saved. */
static int learn_all(Learning *learning) {
    ReadResult kind;
    int code = cluster_size() > 1 ? learn_shared(learning, &kind) : learn_alone(learning, &kind);
    int saved = learning->learner ? save(learning) : EXIT_FAILED;
    learn_report_end(learning);
    if (kind == READ_STOPPED && saved == EXIT_OK)
        learn_report_interrupted(learning);
    if (kind == READ_FAILED || saved != EXIT_OK)
        return EXIT_FAILED;
    return code;
}

/* After `create`. A new learner that has learned nothing when something fails is of no use, and
 * its file would be in the way of the next attempt. */
static int learn_created(Learning *learning) {
    const LearnArgs *args = learning->args;
    int code = sample_reader_open(&learning->reader, "learn", &args->reader, learning->learner);
    if (code == EXIT_OK) {
        code = learn_all(learning);
        sample_reader_close(&learning->reader);
    }
    if (code != EXIT_OK && args->fresh && learning->n == 0)
        (void)unlink(args->path);
    return code;
}

static int learn(Learning *learning) {
    int code = open_learner(learning->args, &learning->learner);
    if (code == EXIT_OK)
        code = learn_created(learning);
    tacos_learner_free(learning->learner);
    return code;
}

/* Under a lock: of two learners of the same MODEL, the last to save would undo the other.
 */
static int learn_locked(Learning *learning) {
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

/* Options that only a classifier has. */
static int check_fixed(const LearnArgs *args) {
    const char *given = args->preset         ? "--preset"
                        : args->header       ? "--header"
                        : args->reject       ? "--reject"
                        : args->out          ? "--out"
                        : args->resume_input ? "--resume"
                        : args->answers      ? "--answers"
                                             : NULL;
    if (!given)
        return EXIT_OK;
    return cli_usage("learn", "%s requires a classifier; %s is a learner of fixed shape", given,
                     args->path);
}

static int cmd_learn(int argc, char **argv) {
    LearnArgs args = {.seed = 1,
                      .report_every = REPORT_EVERY,
                      .resume = {.command = "learn", .argc = argc, .argv = argv}};
    Learning learning = {.args = &args, .terminal = terminal_is(stderr)};
    int code = EXIT_OK;
    if (!options_read(&command_learn, table, &args, argc, argv, &code))
        return code;
    if ((args.sets.n > 0 || args.preset) && !args.fresh && !args.resume_input)
        return cli_usage("learn", "%s requires --new: a saved learner cannot be reconfigured",
                         args.preset ? "--preset" : "--set");
    args.path = argv[optind];
    if (learn_is_stream(&args))
        return learn_stream(&args);
    code = check_fixed(&args);
    return code == EXIT_OK ? learn_locked(&learning) : code;
}

static const Example examples[] = {
    {"tacos learn m --new <train.csv", "a table of your own; --label NAME if it is not found out"},
    {"tacos learn m --reject 0.9 <more.csv >answers.csv",
     "continue, and say `unknown` where an answer is less likely right than this"},
    {"tail -f samples.jsonl | tacos learn model.tacos --on-error skip",
     "keep learning as samples arrive"},
    {"tacos learn big --resume --out big.d <train.csv && tacos report big.d",
     "a long stream: after a kill, the same command resumes"},
    {"mpirun -n 16 tacos learn m.tacos --new --set model=columns --set inputs=784 --set "
     "outputs=10 --set input_shape=28,28 --scale 255 <train.csv",
     "16 processes share the samples of a learner of fixed shape"},
    {NULL, NULL},
};

const Command command_learn = {
    .name = "learn",
    .group = GROUP_LEARNER,
    .run = cmd_learn,
    .member = learn_member,
    .about = "learn from samples on standard input, one per line",
    .arguments = {1, 1, "one MODEL"},
    .synopsis = "MODEL [options] <SAMPLES",
    .text =
        "Every sample of standard input is answered first and then learned, once and in order. "
        "MODEL is a file; nothing needs to be told about the samples: the scales of numbers, the "
        "categories of words and the labels are learned as they come. It is saved at the end, at "
        "intervals, and on SIGINT and SIGTERM; each save is atomic. A second `tacos learn` on the "
        "same MODEL fails at once and names the process that uses it.\n\n"
        "A sample is a line of a table (CSV): fields separated by commas, semicolons or tabs, "
        "perhaps in quotes; a first line may name the columns. Or it is a JSON object, {\"x\": "
        "[1.5, null, \"red\"], \"y\": \"a\"}. A field that is empty, `?` or `NA` is missing. "
        "The label is the column called label, class, target or y, otherwise the last if columns "
        "have names; without names the first, or the last if only that can be one. The choice is "
        "reported on stderr. A sample without a label is answered and not learned. If a sample is "
        "the name of a WAV file, as in `hello.wav,hello`, its spectrogram is learned.\n\n"
        "For each sample a line is printed: the likeliest label, the chance that it is right, and "
        "how unlike everything learned the sample is, from 0 to 1. Whoever writes to a pipe and "
        "waits gets it at once. No answers are printed with `--quiet` and `--no-answers`, and "
        "where a terminal would show those to a file.\n\n"
        "In the end stderr has the accuracy of these answers, beside that of repeating the last "
        "label. The evaluation is kept in MODEL-stream and continues with MODEL. Memory use does "
        "not grow, however long the stream is.\n\n"
        "With `--set inputs=N`, MODEL is a learner of fixed shape, as `tacos run` saves them: then "
        "a line has N numbers from 0 to 1, or to `--scale`, and its label is the number of an "
        "output. Nothing is printed on stdout. Under mpirun or srun, several processes share such "
        "a stream if the model is columns: the first deals samples in blocks of 64, in turns; each "
        "learns its share with a learner of its own, which predicts it, too; and in the end they "
        "are merged (`tacos help merge`), with what MODEL had learned before. The result depends "
        "on the number of processes, but not on timing. MODEL is then saved at the end and on a "
        "signal only.",
    .argument = NAME_FILE,
    .options = table,
    .examples = examples,
};
