/* predict.c - `tacos predict`: answers samples from standard input, line by line. */
#include "commands/predict.h"

#include "input/samples.h"
#include "output/failure.h"
#include "system/process.h"
#include "terminal/print.h"

#include <stdio.h>

/* What was answered. */
typedef struct Tally {
    uint64_t n, n_silent;         /* no output spiked: the answer is -1 */
    uint64_t n_labelled, n_right; /* of the samples that have a label */
} Tally;

#define AT(field) offsetof(PredictArgs, field)

static const Option table[] = {
    FLAG_OPTION(
        "json", AT(json),
        "print one JSON object per line: `line`, `label`, `confidence`, `novelty` and the "
        "`chances` of all labels; of a fixed shape `output`, and `counts`, how often each fired"),
    SAMPLE_READER_OPTIONS(AT(reader)),
    TEXT_OPTION("header", "YES|NO", NAME_YES_NO, AT(header),
                "whether the first line names the columns (default: if it looks like it)"),
    TEXT_OPTION("reject", "P", NAME_ANY, AT(reject),
                "answer `unknown` if the chance to be right is below P, from 0 to 1"),
    FLAG_OPTION("quiet", AT(quiet), "do not report the accuracy"),
    OPTION_END,
};

static void print_json(const SampleReader *reader, const tacos_prediction *answer) {
    printf("{\"line\": %llu, \"output\": %d, \"counts\": [",
           (unsigned long long)reader->lines.number, answer->output);
    for (size_t o = 0; o < reader->format.n_outputs; o++)
        print("%s%u", o > 0 ? ", " : "", answer->counts[o]);
    puts("]}");
}

static int answer_sample(SampleReader *reader, tacos_learner *learner, const PredictArgs *args,
                         Tally *tally) {
    const Sample *sample = &reader->sample;
    tacos_prediction answer;
    tacos_error err = {0};
    if (tacos_learner_predict(learner, sample->intensity, reader->format.n_inputs,
                              reader->lines.number, &answer, &err) != TACOS_OK)
        return cli_fail(&err);
    if (sample->label != NO_LABEL) {
        tally->n_labelled++;
        tally->n_right += answer.output == (int)sample->label;
    }
    tally->n++;
    tally->n_silent += answer.output < 0;
    if (args->json)
        print_json(reader, &answer);
    else
        printf("%d\n", answer.output);
    /* Whoever waits for an answer gets it before the next sample is read. */
    return fflush(stdout) == 0 ? EXIT_OK : EXIT_FAILED;
}

static void print_tally(const Tally *tally) {
    if (tally->n_labelled > 0)
        fprintf(stderr, "%.2f%% of %llu right\n",
                100.0 * (double)tally->n_right / (double)tally->n_labelled,
                (unsigned long long)tally->n_labelled);
    if (tally->n > 0 && is_silent(100.0 * (double)tally->n_silent / (double)tally->n))
        cli_error("warning: silent network: no output spiked on %llu of %llu samples, answered "
                  "with -1",
                  (unsigned long long)tally->n_silent, (unsigned long long)tally->n);
}

static int answer_all(SampleReader *reader, tacos_learner *learner, const PredictArgs *args) {
    Tally tally = {0};
    ReadResult kind;
    int code = EXIT_OK;
    do {
        kind = interrupt_signal() ? READ_STOPPED : sample_reader_next(reader, 0);
        if (kind == READ_SAMPLE)
            code = answer_sample(reader, learner, args, &tally);
    } while (kind == READ_SAMPLE && code == EXIT_OK);
    if (!args->quiet) {
        print_tally(&tally);
        sample_reader_report_skipped(reader);
    }
    return kind == READ_FAILED ? EXIT_FAILED : code;
}

static int predict_fixed(const PredictArgs *args) {
    tacos_learner *learner;
    tacos_error err = {0};
    SampleReader reader;
    Interrupt guard;
    if (args->header || args->reject)
        return cli_usage("predict", "%s requires a classifier; %s is a learner of fixed shape",
                         args->header ? "--header" : "--reject", args->path);
    if (tacos_learner_load(&learner, args->path, NULL, &err) != TACOS_OK)
        return cli_fail(&err);
    int code = sample_reader_open(&reader, "predict", &args->reader, learner);
    interrupt_begin(&guard);
    if (code == EXIT_OK) {
        code = answer_all(&reader, learner, args);
        sample_reader_close(&reader);
    }
    tacos_learner_free(learner);
    interrupt_end(&guard);
    return code;
}

static int cmd_predict(int argc, char **argv) {
    PredictArgs args = {0};
    int code = EXIT_OK;
    if (!options_read(&command_predict, table, &args, argc, argv, &code))
        return code;
    args.path = argv[optind];
    return tacos_classifier_is_file(args.path) ? predict_stream(&args) : predict_fixed(&args);
}

static const Example examples[] = {
    {"tacos predict m <test.csv", "a label per line, how sure, and how new"},
    {"tacos predict m --reject 0.95 --json <test.csv", "or `unknown`; all chances"},
    {"tacos predict model.tacos --label none --scale 255 <images.csv",
     "a learner of fixed shape: one output per line"},
    {NULL, NULL},
};

const Command command_predict = {
    .name = "predict",
    .group = GROUP_LEARNER,
    .run = cmd_predict,
    .about = "predict samples from standard input, one per line",
    .arguments = {1, 1, "one MODEL"},
    .synopsis = "MODEL [options] <SAMPLES",
    .text =
        "For each sample of standard input, in the format of `tacos learn`, prints the likeliest "
        "label, the chance that it is right, and how unlike everything learned the sample is, on "
        "a line of its own and without delay. Nothing is learned: samples are answered each for "
        "itself, not as a stream. If samples have labels, the accuracy is reported on stderr at "
        "the end.\n\n"
        "If MODEL is a learner of fixed shape, prints the output that fires most, or -1 if none "
        "does. Input spikes are drawn at random, from the seed of MODEL and the line number: the "
        "same lines get the same predictions.",
    .argument = NAME_FILE,
    .options = table,
    .examples = examples,
};
