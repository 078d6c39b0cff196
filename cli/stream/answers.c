/* answers.c - see answers.h. */
#include "stream/answers.h"

#include "terminal/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int answers_reject(const char *command, const char *given, double *out) {
    char *end;
    *out = given ? strtod(given, &end) : 0;
    if (given && (end == given || *end || !(*out >= 0 && *out <= 1)))
        return cli_usage(command, "--reject %s: expected a number from 0 to 1", given);
    return EXIT_OK;
}

void answers_head(void) {
    puts("label,confidence,novelty");
}

void answers_field(const char *text) {
    if (!text[strcspn(text, ",\"\r\n")]) {
        print_data(text, strlen(text));
        return;
    }
    putchar('"');
    for (; *text; text++) {
        if (*text == '"')
            putchar('"');
        print_data(text, 1);
    }
    putchar('"');
}

void answers_print(const tacos_classifier *classifier, const Answered *answered) {
    const tacos_answer *answer = &answered->answer;
    if (answer->label < 0 || answered->rejected)
        fputs("unknown", stdout);
    else
        answers_field(tacos_classifier_label(classifier, (size_t)answer->label));
    printf(",%.4f,", answer->confidence);
    if (!isnan(answer->novelty))
        printf("%.4f", answer->novelty);
    putchar('\n');
}
