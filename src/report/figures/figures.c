/* figures.c - the table of all figures. */
#include "report/figures/figures.h"

#include <string.h>

const FigureKind figure_kinds[] = {
    {"accuracy", "accuracy of each task over time", draw_accuracy,
     "accuracy of each task over time, a panel per task", draw_compare_tasks,
     "figure 3: accuracy of each task over time, for every model", draw_paper_accuracy, "transfer"},
    {"matrix", "accuracy on every task after every task, as a heat map", draw_matrix,
     "accuracy on every task after every task, side by side", draw_compare_matrices, NULL, NULL,
     NULL},
    {"curves", "accuracy within tasks, of the newest and the first", draw_within, NULL, NULL, NULL,
     NULL, NULL},
    {"classes", "accuracy on every class after every task", draw_classes, NULL, NULL, NULL, NULL,
     NULL},
    {"confusion", "what every class was taken for, after every task", draw_confusion, NULL, NULL,
     NULL, NULL, NULL},
    {"means", "MA and A after each task", draw_means,
     "mean accuracy and accuracy on the first task, after each task", draw_compare_means, NULL,
     NULL, NULL},
    {"transfer", "BWT, FWT and forgetting after each task", draw_transfer,
     "BWT and FWT after each task", draw_compare_transfer,
     "table 2: A, MA, BWT and FWT after each task", draw_paper_transfer, "transfer"},
    {"beside", "final values compared with the paper's", draw_beside, NULL, NULL, NULL, NULL, NULL},
    {"plasticity", "how much the weights change, by task and layer", draw_change, NULL, NULL,
     "figure 4: how much the weights change, by model and layer", draw_paper_plasticity,
     "plasticity"},
    {"similarity", "how similar hidden activity stays", draw_similarity, NULL, NULL,
     "table 3: how similar hidden activity stays", draw_paper_similarity, "similarity"},
    {"rates", "firing rates while learning and predicting", draw_rates, NULL, NULL, NULL, NULL,
     NULL},
    {"operations", "operations per sample", draw_operations, NULL, NULL, NULL, NULL, NULL},
    {"memory", "bytes held", draw_memory, NULL, NULL,
     "accuracy by memory: columns and other methods; also from columns.csv", draw_paper_memory,
     "columns"},
    {"weights", "distributions of w and w_ref, by layer", draw_weights, NULL, NULL, NULL, NULL,
     NULL},
    {"states", "distribution of m, by layer", draw_states, NULL, NULL, NULL, NULL, NULL},
    {"fields", "receptive fields of the hidden neurons, by what they speak for", draw_fields, NULL,
     NULL, NULL, NULL, NULL},
    {"raster", "every spike of one sample, with the error neurons", draw_spikes, NULL, NULL, NULL,
     NULL, NULL},
    {"templates", "what units of columns have seen, and what they vote for", draw_templates, NULL,
     NULL, NULL, NULL, NULL},
    {"function", NULL, NULL, NULL, NULL, "figure 2: plasticity as a function of the weight",
     draw_paper_function, NULL},
    {"reduced", NULL, NULL, NULL, NULL, "figure 5: with fewer samples", draw_paper_reduced,
     "reduced"},
    {"omniglot", NULL, NULL, NULL, NULL,
     "figure 6: 50 tasks, on all of them, the newest and the first", draw_paper_omniglot,
     "omniglot"},
    {"headline", NULL, NULL, NULL, NULL, "table 1: mean accuracy of every model",
     draw_paper_headline, "headline"},
    {"orders", NULL, NULL, NULL, NULL, "supplement: five orders of the digits", draw_paper_orders,
     "orders"},
    {"methods", NULL, NULL, NULL, NULL, "table 1 with every rival under the same protocol",
     draw_paper_methods, "methods"},
    {"rivals", NULL, NULL, NULL, NULL, "the rivals as their sources ran them", draw_paper_rivals,
     "rivals"},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};

bool figure_is_of_numbers(const FigureKind *kind) {
    return kind->of_parts == draw_paper_memory;
}

const FigureKind *figure_kind(const char *name) {
    for (const FigureKind *kind = figure_kinds; kind->name; kind++)
        if (strcmp(kind->name, name) == 0)
            return kind;
    return NULL;
}
