/* classify.c - a stream of samples through a classifier of the C interface, for Python to be held
 * against.
 *
 *   classify PRESET SEED SAMPLES OUT
 *
 * A line of the file SAMPLES is a label, or nothing, and then features, each after a tab: a number
 * as %a writes it, "t" and a text, or nothing for a missing value. The classifier is saved to OUT;
 * on stdout are the digest, the labels in the order of their numbers, and a line for each sample:
 * the label, confidence and novelty that were answered in the stream; and then another one for
 * each: what is answered after it, with the chances of all labels. */
#include "tacos_stream.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES = 1024, LINE = 64 * 1024, ROWS = 10000 };

static void need(int good, const char *what) {
    if (!good) {
        (void)fprintf(stderr, "classify: %s\n", what);
        exit(1);
    }
}

typedef struct Line {
    char text[LINE];
    double numbers[FEATURES];
    const char *texts[FEATURES];
    tacos_sample sample;
} Line;

/* Cut the line at its tabs; returns the label or NULL. */
static const char *cut(Line *line) {
    char *at = line->text, *tab;
    size_t n = 0;
    at[strcspn(at, "\n")] = '\0';
    for (tab = strchr(at, '\t'); tab; tab = strchr(at, '\t')) {
        *tab = '\0';
        at = tab + 1;
        need(n < FEATURES, "too many features");
        size_t length = strcspn(at, "\t");
        line->texts[n] = at[0] == 't' ? at + 1 : NULL;
        line->numbers[n++] = length == 0 || at[0] == 't' ? (double)NAN : strtod(at, NULL);
    }
    line->sample = (tacos_sample){line->numbers, line->texts, n};
    return line->text[0] ? line->text : NULL;
}

static void tell(const tacos_classifier *classifier, const tacos_answer *answer, int with_chances) {
    const char *label =
        answer->label < 0 ? "" : tacos_classifier_label(classifier, (size_t)answer->label);
    size_t n = with_chances ? tacos_classifier_n_labels(classifier) : 0;
    (void)printf("%s\t%a\t%a", label, answer->confidence, answer->novelty);
    for (size_t k = 0; k < n; k++)
        (void)printf("\t%a", answer->chances[k]);
    (void)printf("\n");
}

int main(int argc, char **argv) {
    static Line line;
    static tacos_answer answers[ROWS];
    tacos_classifier *classifier;
    tacos_error err = {0};
    need(argc == 5, "usage: classify PRESET SEED SAMPLES OUT");
    uint32_t seed = (uint32_t)strtoul(argv[2], NULL, 10);
    need(tacos_classifier_new(&classifier, argv[1], seed, &err) == TACOS_OK, err.text);
    FILE *file = fopen(argv[3], "r");
    need(file != NULL, argv[3]);
    size_t n = 0;
    while (fgets(line.text, sizeof line.text, file)) {
        const char *label = cut(&line);
        need(n < ROWS, "too many samples");
        need(tacos_classifier_next(classifier, &line.sample, label, &answers[n++], &err) ==
                 TACOS_OK,
             err.text);
    }
    (void)printf("%" PRIu32 "\n", tacos_classifier_digest(classifier));
    for (size_t k = 0; k < tacos_classifier_n_labels(classifier); k++)
        (void)printf("%s%s", k > 0 ? "\t" : "", tacos_classifier_label(classifier, k));
    (void)printf("\n");
    for (size_t i = 0; i < n; i++) /* chances are those of the last answer */
        tell(classifier, &answers[i], 0);
    rewind(file);
    while (fgets(line.text, sizeof line.text, file)) {
        tacos_answer answer;
        (void)cut(&line);
        need(tacos_classifier_predict(classifier, &line.sample, &answer, &err) == TACOS_OK,
             err.text);
        tell(classifier, &answer, 1);
    }
    need(tacos_classifier_save(classifier, argv[4], &err) == TACOS_OK, err.text);
    tacos_classifier_free(classifier);
    (void)fclose(file);
    return 0;
}
