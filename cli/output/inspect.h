/* inspect.h - the contents of a saved learner, as text and as JSON. */
#ifndef CLI_INSPECT_H
#define CLI_INSPECT_H

#include "tacos_lab.h"
#include "tacos_stream.h"

#include <stddef.h>

enum { DISTRIBUTION_BINS = 12 };

typedef struct Distribution {
    size_t n;                         /* finite numbers, which all the rest is about */
    size_t n_odd;                     /* others: infinite, or not a number */
    double min, q1, median, q3, max;  /* quartiles lie between neighbours, in proportion */
    double mean, sd;                  /* sd is the sample's (n - 1); 0 for one number */
    size_t counts[DISTRIBUTION_BINS]; /* from min to max, all of one width; max is in the last */
} Distribution;

/* Sorts the values. Without finite ones all is 0. */
void distribution_of(float *values, size_t n, Distribution *out);

/* Where a bin begins; that of DISTRIBUTION_BINS is where the last one ends. */
double distribution_edge(const Distribution *distribution, size_t bin);

/* The quantities that are shown of every layer of synapses. */
typedef enum Quantity {
    QUANTITY_W,
    QUANTITY_W_REF,
    QUANTITY_DISTANCE, /* |w - w_ref| */
    QUANTITY_M,
    QUANTITIES,
} Quantity;

typedef struct LayerReport {
    size_t n_pre, n_post;
    int has[QUANTITIES]; /* a model without consolidation has no w_ref */
    Distribution distribution[QUANTITIES];
    double at_m_max; /* share of synapses whose m is m_max */
} LayerReport;

typedef struct Inspection {
    const char *path;
    size_t file_bytes;
    const tacos_learner *learner;
    tacos_shape shape;
    tacos_learner_stats stats;
    LayerReport *layers; /* [shape.n_layers] */
} Inspection;

/* The value of a key of the learner's, into value[INSPECT_VALUE_SIZE]. Returns value. */
enum { INSPECT_VALUE_SIZE = 1200 };
char *inspect_key(const Inspection *inspection, const char *key, char value[INSPECT_VALUE_SIZE]);

/* Each returns what to exit with. */
int inspect_text(const Inspection *inspection);
int inspect_json(const Inspection *inspection);

/* ---- inspect_stream.c ---- */

int inspect_stream_text(tacos_classifier *classifier, const char *path, size_t file_bytes);
int inspect_stream_json(tacos_classifier *classifier, size_t file_bytes);

#endif
