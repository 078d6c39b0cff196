/* sections.c - names of sections. */
#include "paper/report/sections.h"

#include <stdio.h>
#include <string.h>

const char *const section_datasets[DATASETS] = {"mnist", "fashion"};

static bool begins(const char *name, const char *with) {
    return strncmp(name, with, strlen(with)) == 0;
}

unsigned section_colour(const Sections *sections, size_t i) {
    unsigned fixed = 0, other = 0;
    if (strcmp(sections->names[i], "snn") == 0)
        return PALETTE_SIZE - 1;
    for (size_t k = 0; k < i; k++) {
        fixed += begins(sections->names[k], "fixed");
        other += !begins(sections->names[k], "fixed") && strcmp(sections->names[k], "snn") != 0;
    }
    return begins(sections->names[i], "fixed") ? PALETTE_SIZE + fixed % PALETTE_SIZE
                                               : other % (PALETTE_SIZE - 1);
}

void sections_add_keys(Figure *figure, const Sections *sections, LegendMark mark) {
    for (size_t i = 0; i < sections->n; i++)
        (void)figure_key(figure, mark, section_colour(sections, i), sections->names[i]);
}

/* The section's name without its data set. */
static void model_of(const char *section, char out[64]) {
    size_t n = strlen(section);
    for (size_t d = 0; d < DATASETS; d++) {
        size_t k = strlen(section_datasets[d]);
        if (n > k + 1 && section[n - k - 1] == ' ' &&
            strcmp(section + n - k, section_datasets[d]) == 0) {
            (void)snprintf(out, 64, "%.*s", (int)(n - k - 1), section);
            return;
        }
    }
    (void)snprintf(out, 64, "%s", section);
}

void sections_models(const Sections *sections, Models *out) {
    char name[64];
    out->n = 0;
    for (size_t i = 0; i < sections->n; i++) {
        size_t k = 0;
        model_of(sections->names[i], name);
        while (k < out->n && strcmp(out->names[k], name) != 0)
            k++;
        if (k == out->n)
            strcpy(out->names[out->n++], name);
    }
}
