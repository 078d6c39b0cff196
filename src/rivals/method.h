/* method.h - internals of the rivals: the functions that define a method, the state all methods
 * share, and the state each adds. */
#ifndef RIVALS_METHOD_H
#define RIVALS_METHOD_H

#include "rivals/mlp.h"
#include "rivals/optimizer.h"
#include "rivals/rival.h"

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
typedef struct Kept {
    const void *at;
    size_t n_bytes;
    bool doubles; /* else floats */
} Kept;

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

typedef struct Rls {
    size_t n;        /* features, including the constant 1 */
    double *gram;    /* lambda I + sum x x^T: [n][n], upper half only */
    double *cross;   /* sum x y^T: [n][n_outputs] */
    double *factor;  /* [n][n]: Cholesky factor */
    double *readout; /* [n][n_outputs] */
    bool solved;     /* readout is up to date with gram and cross */
    double *x;       /* [batch][n]: a batch's features */
    double *y;       /* [batch][n_outputs]: its targets or scores */
} Rls;

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
    union {
        Held held;
        Lwf lwf;
        Bgd bgd;
        Ss ss;
        Rls rls;
    };

    uint64_t learn_macs, predict_macs;
};

#endif
