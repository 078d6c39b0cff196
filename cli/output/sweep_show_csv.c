/* sweep_show_csv.c - one line a configuration, to be read by other programs. */
#include "commands/sweep.h"

#include "cli.h"
#include "terminal/print.h"

#include <stdio.h>
#include <string.h>

/* Between quotes where RFC 4180 wants them. */
static void put_text(const char *text) {
    int quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted)
        putchar('"');
    for (size_t n; n = strcspn(text, "\""), text[n]; text += n + 1) {
        print_data(text, n + 1);
        putchar('"');
    }
    print_data(text, strlen(text));
    if (quoted)
        putchar('"');
}

/* The number of tasks and of runs are called otherwise than the key `tasks`. */
static void put_head(const tacos_survey *survey) {
    fputs("rank,experiment,digest,stopped,n_tasks,n_runs", stdout);
    for (size_t k = 0; tacos_survey_key(survey, k); k++) {
        putchar(',');
        put_text(tacos_survey_key(survey, k));
    }
#define HEAD(name, text) fputs("," #name "_mean," #name "_sd", stdout);
    TACOS_METRIC_MAP(HEAD)
#undef HEAD
    puts(",memory_overhead,model_bytes,operations,seconds,transfer_front,memory_front,"
         "operations_front,silent");
}

/* Nothing between the commas where it is not defined. */
static void put_summary(const tacos_summary *summary) {
    if (summary->n > 0)
        printf(",%.10g,%.10g", summary->mean, summary->sd);
    else
        fputs(",,", stdout);
}

static void put_row(const tacos_survey *survey, size_t i, const tacos_survey_row *row) {
    printf("%zu,", i + 1);
    put_text(row->experiment);
    putchar(',');
    put_text(row->digest);
    printf(",%d,%zu,%zu", row->stopped, row->n_tasks, row->n_runs);
    for (size_t k = 0; tacos_survey_key(survey, k); k++) {
        putchar(',');
        put_text(tacos_survey_value(survey, i, k));
    }
#define VALUE(name, text) put_summary(&row->name);
    TACOS_METRIC_MAP(VALUE)
#undef VALUE
    printf(",%.10g,%.10g,%.10g,%.6g,%d,%d,%d,%.10g\n", row->memory_overhead, row->model_bytes,
           row->operations, row->seconds, row->transfer_front, row->memory_front,
           row->operations_front, tacos_survey_silent(survey, i));
}

int sweep_show_csv(const tacos_survey *survey, const SweepShow *how) {
    const tacos_survey_row *row;
    put_head(survey);
    for (size_t i = 0; (row = tacos_survey_row_get(survey, i)) && (how->top == 0 || i < how->top);
         i++)
        put_row(survey, i, row);
    return EXIT_OK;
}
