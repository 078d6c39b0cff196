/* sections.h - the configurations of a part, as series or groups of a figure. */
#ifndef PAPER_REPORT_SECTIONS_H
#define PAPER_REPORT_SECTIONS_H

#include "report/charts/charts.h"
#include "paper/report/parts.h"

typedef struct Sections {
    size_t n;
    const char *names[SECTIONS_MAX];
} Sections;

/* Colours for lines: those whose m is fixed are dashed, the plain network is grey. */
unsigned section_colour(const Sections *sections, size_t i);

/* Add every section to the figure's legend. */
void sections_add_keys(Figure *figure, const Sections *sections, LegendMark mark);

/* Sections that are a model and a data set, "tacos mnist": the models, in order. A section that
 * ends with no known data set is a model by itself. */
enum { DATASETS = 2 };
extern const char *const section_datasets[DATASETS];
typedef struct Models {
    size_t n;
    char names[SECTIONS_MAX][64];
} Models;
void sections_models(const Sections *sections, Models *out);

#endif
