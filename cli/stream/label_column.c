/* label_column.c - which column of a table is the label. */
#include "stream/rows.h"

#include "terminal/print.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const usual_names[] = {"label", "class", "target", "y", NULL};

/* ---- the first row, where no header names columns ---- */

static int is_number(const char *field) {
    char *end;
    (void)strtod(field, &end);
    return *field && !*end && !isalpha((unsigned char)*field);
}

/* Whether a field is a number with a fraction, and so no label. */
static int has_fraction(const char *field) {
    double value = is_number(field) ? strtod(field, NULL) : 0;
    return isfinite(value) && floor(value) != value;
}

int names_sound(const char *text) {
    size_t n = strlen(text);
    return n > 4 && strcasecmp(text + n - 4, ".wav") == 0;
}

/* A sound and its label, as hello.wav,hello; numbers and one word behind them, as
 * 5,3,1,Iris-setosa; or the first has a fraction and the last has none, as 5.1,3.5,1.4,0.2,0 and
 * 5.1,3.5,red,rose. */
static int ends_with_label(const char *const *fields, size_t n) {
    const char *first = fields[0], *last = fields[n - 1];
    size_t n_words = 0;
    for (size_t i = 0; i < n; i++)
        n_words += *fields[i] && !is_number(fields[i]);
    if (names_sound(first) || names_sound(last))
        return !names_sound(last);
    if (!*last)
        return 0;
    return (n_words == 1 && !is_number(last)) || (has_fraction(first) && !has_fraction(last));
}

/* ---- choosing ---- */

static long usual_column(const tacos_table_info *info) {
    for (size_t k = 0; usual_names[k]; k++)
        for (size_t i = 0; i < info->n_columns; i++)
            if (strcasecmp(info->names[i], usual_names[k]) == 0)
                return (long)i;
    return LABEL_UNKNOWN;
}

/* By name, by place, or by number. */
static long given_column(const Rows *rows, const tacos_table_info *info, const char *given) {
    char *end;
    unsigned long number = strtoul(given, &end, 10);
    for (size_t i = 0; i < info->n_columns; i++)
        if (strcmp(info->names[i], given) == 0)
            return (long)i;
    if (strcmp(given, "none") == 0)
        return (long)info->n_columns;
    if (strcmp(given, "first") == 0)
        return 0;
    if (strcmp(given, "last") == 0)
        return (long)info->n_columns - 1;
    if (isdigit((unsigned char)*given) && !*end && number >= 1 && number <= info->n_columns)
        return (long)number - 1;
    (void)cli_usage(rows->command,
                    "--label %s: there is no such column; expected first, last, none, a number "
                    "up to %zu%s",
                    given, info->n_columns,
                    info->header_line ? ", or a name of the first line" : "");
    return LABEL_UNKNOWN;
}

/* Of a stream that nothing is known of. */
static long first_guess(const tacos_table_info *info) {
    long usual = info->header_line ? usual_column(info) : LABEL_UNKNOWN;
    if (info->n_columns == 1)
        return 1; /* a sample has a feature */
    if (usual != LABEL_UNKNOWN)
        return usual;
    if (info->first && !ends_with_label(info->first, info->n_columns))
        return 0;
    return (long)info->n_columns - 1;
}

static int has_feature(const tacos_classifier *classifier, const char *name) {
    tacos_feature_info feature;
    for (size_t i = 0; tacos_classifier_feature(classifier, i, &feature); i++)
        if (feature.name && strcmp(feature.name, name) == 0)
            return 1;
    return 0;
}

/* The only column that is no feature; LABEL_UNKNOWN if there are several. */
static long other_column(const tacos_table_info *info, const tacos_classifier *classifier) {
    long found = LABEL_UNKNOWN;
    for (size_t i = 0; i < info->n_columns; i++) {
        if (has_feature(classifier, info->names[i]))
            continue;
        if (found != LABEL_UNKNOWN)
            return LABEL_UNKNOWN;
        found = (long)i;
    }
    return found;
}

/* Of samples whose features are known. */
static long known_column(const tacos_table_info *info, const RowsKnown *known) {
    size_t n_features = tacos_classifier_info_get(known->classifier).n_features;
    if (info->n_columns == n_features)
        return (long)info->n_columns;
    if (info->n_columns != n_features + 1) {
        cli_error("the first line has %zu columns; expected %zu features, and perhaps a label",
                  info->n_columns, n_features);
        return LABEL_UNKNOWN;
    }
    long other = info->header_line ? other_column(info, known->classifier) : LABEL_UNKNOWN;
    if (other != LABEL_UNKNOWN)
        return other;
    return known->label_at != LABEL_UNKNOWN ? known->label_at : first_guess(info);
}

static void tell(const tacos_table_info *info, long column) {
    if ((size_t)column == info->n_columns)
        fputs("no column is the label\n", stderr);
    else if (info->header_line)
        print_to(stderr, "the label is column %ld, '%s'\n", column + 1, info->names[column]);
    else
        print_to(stderr, "the label is the %s column\n",
                 column == 0                             ? "first"
                 : (size_t)column + 1 == info->n_columns ? "last"
                                                         : "given");
}

long label_column(const Rows *rows, const RowsArgs *args, const RowsKnown *known) {
    const tacos_table_info *info = tacos_table_info_get(rows->table);
    long column;
    if (args->label)
        column = given_column(rows, info, args->label);
    else if (known->classifier && tacos_classifier_info_get(known->classifier).n_features > 0)
        column = known_column(info, known);
    else
        column = first_guess(info);
    if (column != LABEL_UNKNOWN && !args->label && !known->quiet)
        tell(info, column);
    return column;
}
