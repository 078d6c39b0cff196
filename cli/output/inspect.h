/* inspect.h - what `tacos inspect` finds in a saved learner, and its two ways to print it. */
#ifndef CLI_INSPECT_H
#define CLI_INSPECT_H

#include "output/distribution.h"
#include "tacos.h"

/* What is told of every layer of synapses. */
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
    Spread spread[QUANTITIES];
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

/* Does a learner have this key? Rivals and experiments have others. */
int inspect_has_key(const tacos_key_info *key);

/* Each returns what to exit with. */
int inspect_text(const Inspection *inspection);
int inspect_json(const Inspection *inspection);

#endif
