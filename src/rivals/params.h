/* params.h - parameters of a rival: how its network is trained, and what each method adds.
 *
 * Plain data, set through the key table in params.c. */
#ifndef RIVALS_PARAMS_H
#define RIVALS_PARAMS_H

#include "base/keys.h"

typedef enum OptimizerKind { OPTIMIZER_SGD, OPTIMIZER_ADAM, OPTIMIZER_ADAGRAD } OptimizerKind;

/* Input of a linear readout. */
typedef enum FeatureKind { FEATURES_PIXELS, FEATURES_RELU, FEATURES_SPIKES } FeatureKind;

typedef enum MetricKind { METRIC_EUCLID, METRIC_COSINE } MetricKind;

typedef struct RivalParams {
    /* training */
    int optimizer; /* OptimizerKind */
    double optimizer_rate;
    size_t batch;
    size_t epochs;     /* passes over the samples of a task */
    size_t iterations; /* batches per task, cycling through its samples; 0: use epochs */

    /* input */
    size_t pad_to; /* side of the zero frame that an image is padded to; 0: none */
    double pixel_mean, pixel_sd;

    /* methods */
    double strength;           /* c, strength of a penalty */
    double gamma;              /* Online-EWC: fraction of the old importance that is kept */
    double damping;            /* SI */
    double temperature;        /* LwF */
    double sigma_init;         /* BGD */
    size_t draws;              /* BGD: networks drawn per batch; SS: masks per prediction */
    double keep_init;          /* SS: initial and minimal p */
    double keep_freeze;        /* SS: p above which it is frozen */
    double keep_up, keep_down; /* SS: steps of p */
    double keep_gradient;      /* SS: |gradient| above which p grows */
    int features;              /* RLS, SLDA: FeatureKind */
    double ridge;              /* RLS: lambda */
    double shrinkage;          /* SLDA, RanDumb: epsilon */
    double rbf_gamma;          /* RanDumb: gamma of the kernel */
    double memory_kb;          /* kNN: of the samples kept */
    size_t neighbours;         /* kNN: k */
    int metric;                /* kNN: MetricKind */
    double fly_density;        /* fly: fraction of the inputs that a cell reads */
    double fly_active;         /* fly: fraction of the cells that fire */
    double fly_rate;           /* fly: beta */
    double fly_decay;          /* fly: alpha */
} RivalParams;

extern const KeyTable rival_table;

#endif
