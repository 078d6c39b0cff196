/* stream.c - learn from a stream of any features and labels, and know when an answer is not known.
 *
 *   stream MODEL < lines
 *
 * A line is features and a label, between commas: "21.5,red,?,ripe". A feature is a number, a text,
 * or missing ("?" or nothing); a label that is empty is asked for, and not learned. Each line is
 * answered before it is learned: the answer, or "unknown" if its confidence is below 0.9, then the
 * confidence and the novelty. MODEL is where the program goes on the next time.
 *
 *   cc -O2 stream.c $(pkg-config --cflags --libs tacos) -o stream */
#include <tacos_stream.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES = 100, LINE = 10000 };

static void must(tacos_status status, const tacos_error *err) {
    if (status == TACOS_OK)
        return;
    fprintf(stderr, "stream: %s\n", err->text);
    exit(EXIT_FAILURE);
}

/* Cut a line at its commas; returns the label, which is the last field. */
static const char *read_sample(char *line, double *numbers, const char **texts, size_t *n) {
    line[strcspn(line, "\r\n")] = '\0';
    for (*n = 0; *n < FEATURES; ++*n) {
        char *comma = strchr(line, ','), *end;
        if (!comma)
            break;
        *comma = '\0';
        numbers[*n] = strtod(line, &end);
        texts[*n] = NULL;
        if (strcmp(line, "?") == 0 || *line == '\0')
            numbers[*n] = NAN;
        else if (*end != '\0')
            texts[*n] = line;
        line = comma + 1;
    }
    return line;
}

int main(int argc, char **argv) {
    static char line[LINE];
    double numbers[FEATURES];
    const char *texts[FEATURES];
    tacos_sample sample = {numbers, texts, 0};
    tacos_classifier *classifier;
    tacos_answer answer;
    tacos_error err;
    if (argc != 2) {
        fprintf(stderr, "usage: stream MODEL < lines\n");
        return 2;
    }
    if (tacos_classifier_is_file(argv[1]))
        must(tacos_classifier_load(&classifier, argv[1], &err), &err);
    else
        must(tacos_classifier_new(&classifier, /* preset */ NULL, /* seed */ 1, &err), &err);
    while (fgets(line, sizeof line, stdin)) {
        const char *label = read_sample(line, numbers, texts, &sample.n);
        must(tacos_classifier_next(classifier, &sample, *label ? label : NULL, &answer, &err),
             &err);
        int known = answer.label >= 0 && answer.confidence >= 0.9;
        printf("%s %.3f %.3f\n",
               known ? tacos_classifier_label(classifier, (size_t)answer.label) : "unknown",
               answer.confidence, answer.novelty);
    }
    must(tacos_classifier_save(classifier, argv[1], &err), &err);
    tacos_classifier_free(classifier);
    return 0;
}
