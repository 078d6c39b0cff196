/* oracle.c - the specification, line by line. */
#include "oracle.h"

#include <math.h>
#include <stdlib.h>

/* a >= b, unless rounding could tell otherwise: then what the engine decided. */
static bool reaches(Oracle *o, double a, double b, bool engine) {
    o->n_decisions++;
    if (fabs(a - b) > o->near * (1 + fabs(b)))
        return a >= b;
    o->n_followed += (a >= b) != engine;
    return engine;
}

static double uniform(const Oracle *o, RngPurpose purpose, long step, size_t index) {
    RngBlock block = rng_block(o->seed, purpose, o->sample, (uint32_t)(step / 4), (uint32_t)index);
    return block.word[step % 4] / 0x1p32;
}

void oracle_init(Oracle *o, const Network *net) {
    *o = (Oracle){.p = net->params, .seed = net->seed, .n_layers = net->n_layers};
    for (size_t l = 0; l < o->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        OracleLayer *to = &o->layers[l];
        to->n_pre = layer->n_pre;
        to->n_post = layer->n_post;
        to->output = l + 1 == o->n_layers;
        for (size_t i = 0; i < to->n_post; i++) {
            for (size_t j = 0; j < to->n_pre; j++) {
                to->w[i][j] = to->w_ref[i][j] = (double)layer->w[j * layer->stride + i];
                to->m[i][j] = params_model(&o->p)->metaplasticity == M_FIXED ? o->p.m_max : 0;
            }
            for (size_t k = 0; k < o->p.n_outputs && !to->output; k++) {
                size_t fn = o->p.feedback == FEEDBACK_SHARED ? k : o->p.n_outputs + k;
                to->b_fp[i][k] = (double)layer->feedback[k * layer->stride + i];
                to->b_fn[i][k] = (double)layer->feedback[fn * layer->stride + i];
            }
        }
    }
}

void oracle_begin_sample(Oracle *o) {
    for (size_t n = 0; n < ORACLE_NEURONS; n++) {
        o->input_x[n] = o->v_fp[n] = o->v_fn[n] = 0;
        for (size_t l = 0; l < o->n_layers; l++) {
            OracleLayer *y = &o->layers[l];
            y->i[n] = y->v[n] = y->u[n] = y->x[n] = 0;
            y->last_spike[n] = -1000000;
            y->used[n] = false;
        }
    }
}

static void step2(Oracle *o, size_t l, const bool *s_pre, long t, const Scratch *engine) {
    const Params *p = &o->p;
    OracleLayer *y = &o->layers[l];
    double tau_syn = l == 0 ? p->tau_syn_input_ms : p->tau_syn_later_ms;
    double tau_m = y->output ? p->tau_m_output_ms : p->tau_m_hidden_ms;
    double r = y->output ? p->r_output : p->r_hidden;
    double v_th = y->output ? p->threshold_output : p->threshold_hidden;
    for (size_t i = 0; i < y->n_post; i++) {
        double sum = 0;
        for (size_t j = 0; j < y->n_pre; j++)
            sum += y->w[i][j] * s_pre[j];
        y->i[i] += p->dt_ms / tau_syn * (sum - y->i[i]);
        y->v[i] += p->dt_ms / tau_m * (r * y->i[i] - y->v[i]);
        y->v[i] = fmax(y->v[i], -v_th / 10);
        if ((double)(t - y->last_spike[i]) * p->dt_ms <= p->refractory_ms + 1e-9)
            y->v[i] = 0;
        y->s[i] = reaches(o, y->v[i], v_th, oracle_engine_spiked(&engine->layers[l], i));
        if (y->s[i]) {
            y->v[i] = 0;
            y->last_spike[i] = t;
        }
    }
}

static void steps4and5(Oracle *o, size_t target, long t, const Scratch *engine) {
    const Params *p = &o->p;
    const OracleLayer *out = &o->layers[o->n_layers - 1];
    bool label = uniform(o, RNG_LABEL, t, 0) < p->label_rate_hz * p->dt_ms / 1000;
    double v_th = p->threshold_error, gain = p->dt_ms / p->tau_e_ms * p->r_e;
    for (size_t k = 0; k < p->n_outputs; k++) {
        double e = out->s[k] - (k == target && label);
        o->v_fp[k] = fmax(o->v_fp[k] + gain * e, -v_th / 10);
        o->v_fn[k] = fmax(o->v_fn[k] - gain * e, -v_th / 10);
        bool silent = p->target_fp == TARGET_FP_SILENT && k == target;
        o->s_fp[k] = !silent && reaches(o, o->v_fp[k], v_th, engine->s_fp[k]);
        o->s_fn[k] = reaches(o, o->v_fn[k], v_th, engine->s_fn[k]);
        o->v_fp[k] -= o->s_fp[k] * v_th;
        o->v_fn[k] -= o->s_fn[k] * v_th;
    }
    if (p->target_fp != TARGET_FP_KEPT)
        o->v_fp[target] = 0;
}

static void steps6and7(Oracle *o, OracleLayer *y) {
    for (size_t i = 0; i < y->n_post; i++) {
        double e = 0;
        for (size_t k = 0; k < o->p.n_outputs; k++)
            e += (y->output ? k == i : y->b_fp[i][k]) * o->s_fp[k] -
                 (y->output ? k == i : y->b_fn[i][k]) * o->s_fn[k];
        y->e[i] = e;
        y->u[i] += o->p.dt_ms / o->p.tau_u_ms * (o->p.r_u * e - y->u[i]);
    }
}

static void step8(Oracle *o, OracleLayer *y, const bool *s_pre, const LayerScratch *engine) {
    const Params *p = &o->p;
    double alpha = params_model(p)->consolidation ? p->alpha : 0;
    for (size_t i = 0; i < y->n_post; i++) {
        double i_engine = (double)engine->neurons.i[i];
        bool above = !reaches(o, p->i_min, y->i[i], !(p->i_min < i_engine));
        bool below = !reaches(o, y->i[i], p->i_max, !(i_engine < p->i_max));
        for (size_t j = 0; j < y->n_pre; j++) {
            double w = y->w[i][j], f = exp(-fabs(y->m[i][j] * w));
            if (params_model(p)->metaplasticity == M_USE)
                f = 1 / (1 + p->use_slope * y->n[j]);
            y->used[j] |= s_pre[j];
            double erbp = p->learning_rate * s_pre[j] * y->u[i] * (above && below);
            double decay = alpha * (w - y->w_ref[i][j]) * y->s[i];
            y->w[i][j] = w - f * (erbp + decay);
        }
    }
}

void oracle_step(Oracle *o, const float *intensity, size_t target, long t, const Scratch *engine) {
    const Params *p = &o->p;
    for (size_t j = 0; j < p->n_inputs; j++) /* 1 */
        o->input_s[j] =
            uniform(o, RNG_INPUT, t, j) < (double)intensity[j] * p->input_rate_hz * p->dt_ms / 1000;
    for (size_t l = 0; l < o->n_layers; l++)
        step2(o, l, l == 0 ? o->input_s : o->layers[l - 1].s, t, engine);
    double fade = p->dt_ms / p->tau_trace_ms;
    for (size_t j = 0; j < p->n_inputs; j++) /* 3 */
        o->input_x[j] += o->input_s[j] - o->input_x[j] * fade;
    for (size_t l = 0; l < o->n_layers; l++)
        for (size_t i = 0; i < o->layers[l].n_post; i++)
            o->layers[l].x[i] += o->layers[l].s[i] - o->layers[l].x[i] * fade;
    steps4and5(o, target, t, engine);
    for (size_t l = 0; l < o->n_layers; l++)
        steps6and7(o, &o->layers[l]);
    for (size_t l = 0; l < o->n_layers; l++)
        step8(o, &o->layers[l], l == 0 ? o->input_s : o->layers[l - 1].s, &engine->layers[l]);
}

/* X > threshold, near ones as the engine decided. */
static bool above(Oracle *o, double x, double threshold, float x_engine) {
    return !reaches(o, threshold, x, !((double)x_engine > threshold));
}

void oracle_end_sample(Oracle *o, const Scratch *engine) {
    const Params *p = &o->p;
    const Model *model = params_model(p);
    for (size_t l = 0; l < o->n_layers; l++) {
        OracleLayer *y = &o->layers[l];
        double pre_th = l == 0 ? p->m_threshold_input : p->m_threshold_hidden;
        double post_th = y->output ? p->m_threshold_output : p->m_threshold_hidden;
        double delta_m = y->output ? p->delta_m_output : p->delta_m_hidden;
        double m_max = y->output ? p->m_max_output : p->m_max;
        uint64_t every = isfinite(m_max) ? (uint64_t)ceil(ceil(m_max / delta_m) / 65535) : 1;
        const double *x_pre = l == 0 ? o->input_x : o->layers[l - 1].x;
        const float *x_engine = l == 0 ? engine->input_x : engine->layers[l - 1].x;
        for (size_t j = 0; j < y->n_pre; j++)
            y->n[j] += y->used[j];
        for (size_t i = 0; i < y->n_post; i++)
            for (size_t j = 0; j < y->n_pre; j++) {
                y->w_ref[i][j] += p->w_ref_rate * (y->w[i][j] - y->w_ref[i][j]);
                if (model->metaplasticity == M_DYNAMIC && above(o, x_pre[j], pre_th, x_engine[j]) &&
                    above(o, y->x[i], post_th, engine->layers[l].x[i]) && o->sample % every == 0)
                    y->m[i][j] = fmin(y->m[i][j] + (double)every * delta_m, m_max);
            }
    }
    o->sample++;
}
