/* method.h - internals of the rivals: the functions that define a method, the state all methods
 * share, and the state each adds. */
#ifndef RIVALS_METHOD_H
#define RIVALS_METHOD_H

#include "rivals/gram.h"
#include "rivals/mlp.h"
#include "rivals/optimizer.h"
#include "rivals/rival.h"

#include <float.h>

/* ---- penalty.c: quadratic penalties on moving parameters ----
 *
 * c sum Omega (theta - theta*)^2, over one or more pairs (Omega, theta*). Note: no factor 1/2. */

typedef struct Anchor {
    float *omega;          /* [n_theta], or NULL: all 1 */
    float *theta;          /* theta*: [n_theta] */
    struct Anchor *before; /* the next pair, or NULL */
} Anchor;

/* Add the slope of the penalty at theta[from .. from + n) to grad. Both pointers are to the
 * piece. */
void penalty_add(const Anchor *anchors, double strength, size_t from, size_t n, const float *theta,
                 float *grad);

/* Merge a pair into another: up to a constant, the sum of both penalties has the summed Omega
 * around their weighted mean. */
void penalty_merge(Anchor *into, const float *omega, const float *theta, size_t n);

/* ---- methods ---- */

/* A piece of the state kept between batches. */
typedef enum KeptKind { KEPT_FLOATS, KEPT_DOUBLES, KEPT_WHOLE } KeptKind;

struct Kept {
    const void *at;
    size_t n_bytes;
    KeptKind kind; /* whole numbers of any size are always finite */
};

/* The score of an output of which no sample was seen, with methods that learn each output apart. */
#define SCORE_UNSEEN (-FLT_MAX)

/* A NULL function does nothing. */
typedef struct Method {
    tacos_status (*check)(const RivalParams *params, const RivalShape *shape, tacos_error *err);
    void (*shape)(Rival *rival); /* everything but the arrays; NULL: the requested network */
    void (*carve)(Rival *rival, Arena *arena); /* called twice, see arena.h */
    void (*start)(Rival *rival);               /* the arrays are zeroed */
    void (*close)(Rival *rival);               /* free what is outside the arena */
    void (*begin_task)(Rival *rival);
    void (*learn)(Rival *rival, const float *x, const uint16_t *target, size_t n);
    void (*end_task)(Rival *rival, RivalBatches *batches, void *user);
    void (*predict)(Rival *rival, const float *x, size_t n, float *scores);
    bool (*kept)(const Rival *rival, size_t i, Kept *out); /* the i-th piece; false past the end */
} Method;

#define METHOD_DECLARE(id, name, told, keeps, about) extern const Method method_##id;
RIVAL_MAP(METHOD_DECLARE)
#undef METHOD_DECLARE

/* ---- state of the methods ---- */

/* l2, ewc, online-ewc, si, mas */
typedef struct Held {
    Anchor *anchors; /* NULL before the end of the first task */
    Anchor anchor;   /* the only one, for methods with a single pair */
    float *path;     /* si: path integral since the task began, [n_theta] */
    float *sum;      /* mas: sum of this task's importances, [n_theta] */
    float *x;        /* ewc, mas: a batch of the task that just ended, [batch][n_inputs] */
    uint16_t *label; /* [batch] */
} Held;

typedef struct Lwf {
    size_t task;       /* from 1 */
    float *old;        /* [n_theta]: the network after the last task */
    float *old_logits; /* [n_outputs][batch] */
} Lwf;

typedef struct Bgd {
    float *sigma;       /* [n_theta]; mu is the network's theta */
    uint64_t n_batches; /* learned so far; numbers the draws of the next batch */
    float *drawn;       /* [n_theta]: mu + sigma epsilon */
    float *epsilon;     /* [n_theta] */
    float *slope;       /* [n_theta]: sum over draws of g */
    float *moment;      /* [n_theta]: sum over draws of g epsilon */
} Bgd;

typedef struct Ss {
    float *keep; /* p: [n_theta], 1 for biases */
    uint64_t n_batches;
    float *gain;  /* [n_theta]: 1 / p, or 0 where the synapse is silent */
    float *drawn; /* [n_theta]: theta times that */
} Ss;

/* Fixed features (rivals/frozen.h): rls, slda, randumb */
typedef enum FrozenKind { FROZEN_NONE, FROZEN_RELU, FROZEN_FOURIER } FrozenKind;

typedef struct Frozen {
    FrozenKind kind;
    size_t n; /* features */
} Frozen;

typedef struct Rls {
    Gram gram;       /* lambda I + sum x x^T, of the features and a constant 1 */
    double *cross;   /* sum x y^T: [gram.n][n_outputs] */
    double *readout; /* [gram.n][n_outputs] */
    bool solved;     /* readout is up to date with gram and cross */
    double *x;       /* [batch][gram.n]: a batch's features */
    double *y;       /* [batch][n_outputs]: its targets or scores */
} Rls;

/* Running mean of the samples of each output (rivals/means.h): ncm, slda, randumb */
typedef struct Means {
    size_t n;        /* values of a sample */
    float *mean;     /* [n_outputs][n] */
    uint64_t *count; /* [n_outputs]: samples */
} Means;

typedef struct Ncm {
    Means means;
    double *x; /* [n_inputs]: one sample of a batch */
} Ncm;

/* slda, randumb */
typedef struct Lda {
    Means means;
    Gram scatter;    /* sum (x - mean) (x - mean)^T, of the features */
    double *readout; /* [n][n_outputs] */
    double *offset;  /* [n_outputs] */
    bool solved;     /* readout and offset are up to date */
    double *x;       /* [batch][n]: a batch's features */
    double *y;       /* [batch][n_outputs]: its scores */
} Lda;

enum { FLY_LANES = 8 }; /* samples side by side */

typedef struct FlyCell {
    float activity;
    uint32_t cell;
} FlyCell;

typedef struct Fly {
    size_t n_cells, n_reads, n_active;
    uint16_t *reads; /* [n_cells][n_reads]: the inputs that a cell adds up */
    float *weights;  /* [n_outputs][n_cells] */
    uint8_t *seen;   /* [n_outputs]: 1 if it was ever the target */
    float *lanes;    /* [n_inputs][FLY_LANES]: the inputs of several samples */
    float *sums;     /* [FLY_LANES][n_cells] */
    FlyCell *firing; /* [n_active]: the cells that fire for one sample */
    uint8_t *drawn;  /* [n_inputs]: 1 if the cell reads it already, while drawing */
} Fly;

/* The n_active cells with the largest positive sums, on a tie the first, in any order: their
 * number, and each one's part of the largest sum. */
size_t fly_choose(const float *sums, size_t n_cells, size_t n_active, FlyCell *firing);

typedef struct Knn {
    size_t capacity;
    uint8_t *values;  /* [capacity][n_inputs]: the samples kept */
    uint16_t *label;  /* [capacity] */
    uint64_t *n_seen; /* samples shown so far */
    uint64_t *square; /* [capacity]: squared length of a sample, which follows from its values */
    uint8_t *shown;   /* [n_inputs]: the sample that is learned or answered */
    uint64_t *rank;   /* [n_outputs]: squared distance of its nearest sample, then the output */
    uint64_t *best;   /* [neighbours]: distances of the nearest samples, in order */
    uint16_t *voter;  /* [neighbours]: their labels */
} Knn;

struct Rival {
    const Method *method;
    RivalParams params;
    RivalShape shape;
    uint32_t seed;
    size_t n_bytes; /* allocated in all */
    Blas blas;

    Mlp mlp;
    float *theta; /* [n_theta] */
    float *grad;  /* [n_theta] */
    Optimizer optimizer;
    Frozen frozen;
    union {
        Held held;
        Lwf lwf;
        Bgd bgd;
        Ss ss;
        Rls rls;
        Ncm ncm;
        Lda lda;
        Fly fly;
        Knn knn;
    };

    uint64_t learn_macs, predict_macs;
};

#endif
