/* predict_stream.c - `tacos predict` with a classifier. */
#include "commands/predict.h"
#include "output/json.h"
#include "stream/answers.h"
#include "stream/rows.h"
#include "system/process.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct Predicting {
    const PredictArgs *args;
    Session session;
    Rows rows;
    double reject;
    uint64_t n_labelled, n_right, n_rejected;
} Predicting;

static json_t *chances_object(const Predicting *p, const tacos_answer *answer) {
    const tacos_classifier *classifier = p->session.classifier;
    json_t *chances = json_object();
    int bad = 0;
    for (size_t k = 0; k < tacos_classifier_n_labels(classifier); k++)
        bad |= json_object_set_new(chances, tacos_classifier_label(classifier, k),
                                   json_real(answer->chances[k]));
    return json_unless(bad, chances);
}

static int print_json(const Predicting *p, const Answered *answered) {
    const tacos_answer *answer = &answered->answer;
    int known = answer->label >= 0 && !answered->rejected;
    json_t *root = json_pack(
        "{s:I, s:o, s:f, s:o, s:o}", "line", (json_int_t)p->rows.row.line, "label",
        known ? json_text(tacos_classifier_label(p->session.classifier, (size_t)answer->label))
              : json_null(),
        "confidence", answer->confidence, "novelty",
        isnan(answer->novelty) ? json_null() : json_real(answer->novelty), "chances",
        chances_object(p, answer));
    if (!root)
        return cli_no_memory("the JSON output");
    int code = json_print(root, JSON_REAL_PRECISION(6));
    json_decref(root);
    return code;
}

static void count(Predicting *p, const Answered *answered) {
    const char *label = p->rows.row.label;
    int known = answered->answer.label >= 0 && !answered->rejected;
    p->n_rejected += answered->rejected != 0;
    if (!label)
        return;
    p->n_labelled++;
    p->n_right +=
        known && strcmp(label, tacos_classifier_label(p->session.classifier,
                                                      (size_t)answered->answer.label)) == 0;
}

static int predict_row(Predicting *p) {
    Answered answered = {0};
    tacos_error err = {0};
    tacos_status status = tacos_classifier_predict(p->session.classifier, &p->rows.row.sample,
                                                   &answered.answer, &err);
    if (status != TACOS_OK)
        return rows_refused(&p->rows, &err);
    answered.rejected = answered.answer.label >= 0 && answered.answer.confidence < p->reject;
    count(p, &answered);
    if (p->args->json)
        return print_json(p, &answered);
    answers_print(p->session.classifier, &answered);
    return EXIT_OK;
}

static void report_end(const Predicting *p) {
    if (p->args->quiet)
        return;
    if (p->n_labelled > 0)
        fprintf(stderr, "%.2f%% of %llu right\n",
                100.0 * (double)p->n_right / (double)p->n_labelled,
                (unsigned long long)p->n_labelled);
    if (p->n_rejected > 0)
        fprintf(stderr, "%llu unknown\n", (unsigned long long)p->n_rejected);
    rows_report_skipped(&p->rows);
}

static int predict_rows(Predicting *p) {
    ReadResult kind;
    int code = EXIT_OK;
    if (!p->args->json)
        answers_head();
    do {
        kind = interrupt_signal() ? READ_STOPPED : rows_next(&p->rows);
        if (kind == READ_SAMPLE)
            code = predict_row(p);
    } while (kind == READ_SAMPLE && code == EXIT_OK);
    report_end(p);
    return kind == READ_FAILED ? EXIT_FAILED : code;
}

static int predict_opened(Predicting *p) {
    const PredictArgs *args = p->args;
    RowsArgs how = {args->reader.label, args->header, args->reader.on_error};
    RowsKnown known = {p->session.classifier, p->session.label_at, args->quiet};
    int code = rows_open(&p->rows, "predict", STDIN_FILENO, NULL, &how, &known);
    if (code == EXIT_OK)
        code = predict_rows(p);
    rows_close(&p->rows);
    return code;
}

int predict_stream(const PredictArgs *args) {
    Predicting p = {.args = args, .session = {.path = args->path}};
    tacos_error err = {0};
    Interrupt guard;
    int code = answers_reject("predict", args->reject, &p.reject);
    if (code != EXIT_OK)
        return code;
    if (tacos_classifier_load(&p.session.classifier, args->path, &err) != TACOS_OK)
        return cli_fail(&err);
    interrupt_begin(&guard);
    code = session_load(&p.session, 0, 1);
    if (code == EXIT_OK)
        code = predict_opened(&p);
    session_free(&p.session);
    interrupt_end(&guard);
    return code;
}
