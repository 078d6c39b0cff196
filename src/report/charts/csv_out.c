/* csv_out.c - cells as RFC 4180 has them, but for lines that end as lines do. */
#include "report/charts/csv_out.h"

#include <math.h>
#include <string.h>

static void separate(Text *csv) {
    if (csv->n > 0 && csv->bytes[csv->n - 1] != '\n')
        text_add(csv, ",");
}

void csv_word(Text *csv, const char *words) {
    separate(csv);
    /* An empty cell at the start of a row is quoted, since nothing else tells it from none. */
    if (words[0] && !strpbrk(words, ",\"\r\n")) {
        text_add(csv, words);
        return;
    }
    text_add(csv, "\"");
    for (const char *at = words; *at; at++)
        text_add_bytes(csv, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
    text_add(csv, "\"");
}

void csv_real(Text *csv, double value) {
    separate(csv);
    if (isfinite(value))
        text_format(csv, "%.10g", value);
}

void csv_whole(Text *csv, size_t value) {
    separate(csv);
    text_format(csv, "%zu", value);
}

void csv_end(Text *csv) {
    text_add(csv, "\n");
}

void csv_head(Text *csv, const char *const *words) {
    for (; *words; words++)
        csv_word(csv, *words);
    csv_end(csv);
}
