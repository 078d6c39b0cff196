/* ss.c - stochastic synapses (Schug, Benzing & Steger 2020): a synapse transmits with probability
 * p, which grows where gradients are large; the larger p, the less the synapse learns.
 *
 * A batch sees the network Bernoulli(p) w / p; with g the gradient with respect to w,
 *   w <- w - eta0 (1 - p) g
 *   p <- clip(p + (1 - p) D, p_min, 1) where p < p_freeze, D = p_up if |g| is large, else -p_down
 * Predictions average the probabilities over several masks.
 *
 * Only weights are masked, as in the authors' program: a bias is not a synapse. There, too, biases
 * keep their initial values. Here that follows from p = 1, which all rules above leave
 * unchanged. */
#include "rivals/train.h"

#include "rivals/clones.h"
#include "rivals/loss.h"
#include "rivals/noise.h"

#include <math.h>
#include <string.h>

/* Learning and predicting draw independent masks. */
enum { LEARNING, PREDICTING };

static void carve(Rival *rival, Arena *arena) {
    Ss *ss = &rival->ss;
    size_t n = rival->mlp.n_theta;
    train_carve_network(rival, arena);
    ss->keep = arena_take(arena, n, sizeof *ss->keep);
    ss->gain = arena_take(arena, n, sizeof *ss->gain);
    ss->drawn = arena_take(arena, n, sizeof *ss->drawn);
}

static void start(Rival *rival) {
    train_start(rival);
    for (size_t l = 0; l < rival->mlp.n_layers; l++) {
        const MlpLayer *layer = &rival->mlp.layers[l];
        for (size_t i = layer->weights; i < layer->biases; i++)
            rival->ss.keep[i] = (float)rival->params.keep_init;
        for (size_t i = layer->biases; i < layer->biases + layer->n_out; i++)
            rival->ss.keep[i] = 1;
    }
}

CLONES static void mask(size_t n, const uint32_t *restrict words, const float *restrict keep,
                        const float *restrict theta, float *restrict gain, float *restrict drawn) {
    for (size_t i = 0; i < n; i++) {
        float unit = (float)(int32_t)(words[i] >> 8) * 0x1p-24f; /* as rng_unit does */
        gain[i] = unit < keep[i] ? 1 / keep[i] : 0;
        drawn[i] = gain[i] * theta[i];
    }
}

static void draw(Rival *rival, uint64_t sample, uint32_t use) {
    Ss *ss = &rival->ss;
    uint32_t words[TRAIN_PIECE];
    NoiseStream stream = {.seed = rival->seed, .sample = sample, .index = use};
    for (size_t from = 0; from < rival->mlp.n_theta; from += TRAIN_PIECE) {
        size_t n = train_piece(rival, from);
        noise_words(stream, from, (n + NOISE_GROUP - 1) / NOISE_GROUP * NOISE_GROUP, words);
        mask(n, words, ss->keep + from, rival->theta + from, ss->gain + from, ss->drawn + from);
    }
}

typedef struct KeepRule {
    float rate, min, freeze, up, down, large;
} KeepRule;

static KeepRule keep_rule(const RivalParams *p) {
    return (KeepRule){.rate = (float)p->optimizer_rate,
                      .min = (float)p->keep_init,
                      .freeze = (float)p->keep_freeze,
                      .up = (float)p->keep_up,
                      .down = (float)-p->keep_down,
                      .large = (float)p->keep_gradient};
}

CLONES static void update(size_t n, KeepRule rule, const float *restrict grad,
                          const float *restrict gain, float *restrict theta, float *restrict keep) {
    for (size_t i = 0; i < n; i++) {
        float p = keep[i], g = gain[i] * grad[i];
        float next = p + (1 - p) * (fabsf(g) >= rule.large ? rule.up : rule.down);
        next = next < rule.min ? rule.min : next;
        next = next > 1 ? 1 : next;
        theta[i] -= rule.rate * (1 - p) * g;
        keep[i] = p < rule.freeze ? next : p;
    }
}

static void learn(Rival *rival, const float *x, const uint16_t *target, size_t n) {
    Mlp *mlp = &rival->mlp;
    Ss *ss = &rival->ss;
    draw(rival, ss->n_batches++, LEARNING);
    const float *logits = mlp_forward(mlp, ss->drawn, x, n);
    (void)loss_cross_entropy(logits, target, n, mlp->n_outputs, 1 / (float)n, mlp->slope);
    mlp_backward(mlp, ss->drawn, x, n, rival->grad);
    update(mlp->n_theta, keep_rule(&rival->params), rival->grad, ss->gain, rival->theta, ss->keep);
}

/* All batches use the same masks, so predictions do not depend on how samples are batched. */
static void predict(Rival *rival, const float *x, size_t n, float *scores) {
    size_t draws = rival->params.draws, n_outputs = rival->mlp.n_outputs;
    memset(scores, 0, n * n_outputs * sizeof *scores);
    for (size_t k = 0; k < draws; k++) {
        draw(rival, k, PREDICTING);
        const float *logits = mlp_forward(&rival->mlp, rival->ss.drawn, x, n);
        loss_add_softmax(logits, n, n_outputs, 1 / (float)draws, scores);
    }
}

static bool kept(const Rival *rival, size_t i, Kept *out) {
    *out = train_kept(rival, i == 0 ? rival->theta : rival->ss.keep);
    return i < 2;
}

const Method method_ss = {
    .carve = carve,
    .start = start,
    .learn = learn,
    .predict = predict,
    .kept = kept,
};
