/* params.h - what a rival is made of: the network's training, and what each method adds.
 *
 * Plain data, set through the key table in params.c. */
#ifndef RIVALS_PARAMS_H
#define RIVALS_PARAMS_H

#include "base/keys.h"

typedef enum OptimizerKind { OPTIMIZER_SGD, OPTIMIZER_ADAM, OPTIMIZER_ADAGRAD } OptimizerKind;

/* What a recursive-least-squares readout sees. */
typedef enum FeatureKind { FEATURES_PIXELS, FEATURES_RELU, FEATURES_SPIKES } FeatureKind;

typedef struct RivalParams {
    /* training */
    int optimizer; /* OptimizerKind */
    double optimizer_rate;
    size_t batch;
    size_t epochs;     /* passes over the samples of a task */
    size_t iterations; /* batches a task, going through its samples again and again; 0: epochs */

    /* what the network sees of an image */
    size_t pad_to; /* side of the frame of zeros an image is put into; 0: none */
    double pixel_mean, pixel_sd;

    /* methods */
    double strength;           /* c, of a penalty */
    double gamma;              /* Online-EWC: what is kept of the importance before */
    double damping;            /* SI */
    double temperature;        /* LwF */
    double sigma_init;         /* BGD */
    size_t draws;              /* BGD: networks drawn a batch; SS: masks a prediction */
    double keep_init;          /* SS: p at the start, and the least it can be */
    double keep_freeze;        /* SS: p above which it stays */
    double keep_up, keep_down; /* SS: steps of p */
    double keep_gradient;      /* SS: |gradient| that moves p up */
    int features;              /* RLS: FeatureKind */
    double ridge;              /* RLS: lambda */
} RivalParams;

extern const KeyTable rival_table;

#endif
