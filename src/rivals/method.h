/* method.h - the internals of a rival: the functions that define a method, the state that all
 * methods share, and what each one adds. */
#ifndef RIVALS_METHOD_H
#define RIVALS_METHOD_H

#include "rivals/mlp.h"
#include "rivals/optimizer.h"
#include "rivals/rival.h"

/* ---- penalty.c: what holds parameters where they were ----
 *
 * c sum Omega (theta - theta*)^2, over one pair (Omega, theta*) or several. Note that there is no
 * one half before c. */

typedef struct Anchor {
    float *omega;          /* [n_theta], or NULL: all 1 */
    float *theta;          /* theta*: [n_theta] */
    struct Anchor *before; /* another one, or NULL */
} Anchor;

/* Add the slope of the penalty at theta[from .. from + n) to grad. Both point to the piece. */
void penalty_add(const Anchor *anchors, double strength, size_t from, size_t n, const float *theta,
                 float *grad);

/* Make one of two: the sum of both penalties is, but for a constant, that of the sums of Omega
 * around the weighted mean. */
void penalty_merge(Anchor *into, const float *omega, const float *theta, size_t n);

/* ---- methods ---- */

/* A piece of what is kept between batches. */
typedef struct Kept {
    const void *at;
    size_t n_bytes;
    bool doubles; /* else floats */
} Kept;

/* A function that is NULL has nothing to do. */
typedef struct Method {
    tacos_status (*check)(const RivalParams *params, const RivalShape *shape, tacos_error *err);
    void (*shape)(Rival *rival); /* all but the arrays; NULL: the network of the shape asked for */
    void (*carve)(Rival *rival, Arena *arena); /* twice, see arena.h */
    void (*start)(Rival *rival);               /* the arrays are 0 */
    void (*close)(Rival *rival);               /* free what is not in the arena */
    void (*begin_task)(Rival *rival);
    void (*learn)(Rival *rival, const float *x, const uint16_t *target, size_t n);
    void (*end_task)(Rival *rival, RivalBatches *batches, void *user);
    void (*predict)(Rival *rival, const float *x, size_t n, float *scores);
    bool (*kept)(const Rival *rival, size_t i, Kept *out); /* the i-th piece; false past the end */
} Method;

#define METHOD_DECLARE(id, name, told, keeps, about) extern const Method method_##id;
RIVAL_MAP(METHOD_DECLARE)
#undef METHOD_DECLARE

/* ---- What methods add to the network ---- */

/* l2, ewc, online-ewc, si, mas */
typedef struct Held {
    Anchor *anchors; /* NULL before the end of the first task */
    Anchor anchor;   /* the only one, where there is just one */
    float *path;     /* si: path integral since the task began, [n_theta] */
    float *sum;      /* mas: of a task's importances, [n_theta] */
    float *x;        /* ewc, mas: a batch of the task that ends, [batch][n_inputs] */
    uint16_t *label; /* [batch] */
} Held;

typedef struct Lwf {
    size_t task;       /* counted from 1 */
    float *old;        /* [n_theta]: the network as the last task left it */
    float *old_logits; /* [n_outputs][batch] */
} Lwf;

typedef struct Bgd {
    float *sigma;       /* [n_theta]; mu is the network's theta */
    uint64_t n_batches; /* learned; numbers the draws of the next one */
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
    size_t n;        /* features, with the constant one */
    double *gram;    /* lambda I + sum x x^T: [n][n], the upper half filled */
    double *cross;   /* sum x y^T: [n][n_outputs] */
    double *factor;  /* [n][n]: Cholesky's */
    double *readout; /* [n][n_outputs] */
    bool solved;     /* the readout is that of gram and cross */
    double *x;       /* [batch][n]: features of a batch */
    double *y;       /* [batch][n_outputs]: its targets, or its scores */
} Rls;

struct Rival {
    const Method *method;
    RivalParams params;
    RivalShape shape;
    uint32_t seed;
    size_t n_bytes; /* held in all */
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
