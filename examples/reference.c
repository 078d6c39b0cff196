/* reference.c - the model of the paper, written to be read: every neuron and every synapse in every
 * time step, in double precision, in one file, without the library.
 *
 *   cc -O2 reference.c -lm -o reference && ./reference
 *
 * Steps have the numbers of docs/engine.md. The program learns five tasks of two symbols each, one
 * after the other, with TACOS and with the plain network, and prints what each still knows.
 *
 * The tests include this file, supply the engine's first weights and spikes, and compare both after
 * every time step. DECIDE is a macro for their sake alone. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A comparison on which the course of the network depends. Single precision may get it wrong where
 * value and threshold are close, so the tests watch each; layer -1 is the inputs. */
#ifndef DECIDE
#define DECIDE(quantity, layer, neuron, value, is, threshold) ((value)is(threshold))
#endif

enum { NEURONS = 144, LAYERS = 5 }; /* at most: neurons per layer, layers of synapses */
enum { CLEARED, KEPT, SILENT };     /* the target's own false-positive neuron, in step 5 */

/* Named like the keys of docs/keys.md. */
typedef struct ReferenceParams {
    int n_layers, n_neurons[LAYERS + 1]; /* inputs, hidden layers, outputs */
    int n_steps;
    double dt_ms, input_rate_hz, label_rate_hz;
    double tau_syn_input_ms, tau_syn_later_ms, tau_m_hidden_ms, tau_m_output_ms;
    double r_hidden, r_output, threshold_hidden, threshold_output, refractory_ms;
    double tau_e_ms, r_e, threshold_error;
    int target_fp; /* CLEARED, KEPT or SILENT */
    double tau_u_ms, r_u, i_min, i_max, learning_rate, alpha;
    double tau_trace_ms, m_threshold_input, m_threshold_hidden, m_threshold_output;
    double delta_m_hidden, delta_m_output, m_first, m_max, m_max_output, w_ref_rate;
} ReferenceParams;

/* The neurons i of a layer, and their synapses from the neurons j of the layer before. */
typedef struct ReferenceLayer {
    int n_pre, n_post;
    double tau_syn_ms, tau_m_ms, r, v_th;                                     /* of step 2 */
    double x_pre_min, x_post_min, delta_m, m_max;                             /* of step 10 */
    double w[NEURONS][NEURONS], w_ref[NEURONS][NEURONS], m[NEURONS][NEURONS]; /* [i][j] */
    double b_fp[NEURONS][NEURONS], b_fn[NEURONS][NEURONS];                    /* [i][output] */
    double i[NEURONS], v[NEURONS], u[NEURONS], x[NEURONS];
    int s[NEURONS], last_spike[NEURONS]; /* a step */
} ReferenceLayer;

typedef struct Reference {
    ReferenceParams p;
    ReferenceLayer layers[LAYERS];
    int input_s[NEURONS];
    double input_x[NEURONS];
    double v_fp[NEURONS], v_fn[NEURONS]; /* [output]: error neurons */
    int s_fp[NEURONS], s_fn[NEURONS];
} Reference;

/* A network with all but its first weights and feedback. Outputs hear their own error neurons. */
static void reference_shape(Reference *net, const ReferenceParams *p) {
    memset(net, 0, sizeof *net);
    net->p = *p;
    for (int l = 0; l < p->n_layers; l++) {
        ReferenceLayer *y = &net->layers[l];
        int output = l == p->n_layers - 1;
        y->n_pre = p->n_neurons[l];
        y->n_post = p->n_neurons[l + 1];
        y->tau_syn_ms = l == 0 ? p->tau_syn_input_ms : p->tau_syn_later_ms;
        y->tau_m_ms = output ? p->tau_m_output_ms : p->tau_m_hidden_ms;
        y->r = output ? p->r_output : p->r_hidden;
        y->v_th = output ? p->threshold_output : p->threshold_hidden;
        y->x_pre_min = l == 0 ? p->m_threshold_input : p->m_threshold_hidden;
        y->x_post_min = output ? p->m_threshold_output : p->m_threshold_hidden;
        y->delta_m = output ? p->delta_m_output : p->delta_m_hidden;
        y->m_max = output ? p->m_max_output : p->m_max;
        for (int i = 0; i < y->n_post; i++) {
            y->b_fp[i][i] = y->b_fn[i][i] = output;
            for (int j = 0; j < y->n_pre; j++)
                y->m[i][j] = p->m_first;
        }
    }
}

/* Of steps 1 and 4: the probability of a spike in one time step. */
static double reference_chance(const Reference *net, double rate_hz) {
    return rate_hz * net->p.dt_ms / 1000;
}

static const int *spikes_before(const Reference *net, int l) {
    return l == 0 ? net->input_s : net->layers[l - 1].s;
}

/* 2: a layer receives the spikes of the layer before, and fires. */
static void step2_fire(Reference *net, int l, int t) {
    const ReferenceParams *p = &net->p;
    ReferenceLayer *y = &net->layers[l];
    const int *s_pre = spikes_before(net, l);
    for (int i = 0; i < y->n_post; i++) {
        double sum = 0;
        for (int j = 0; j < y->n_pre; j++)
            sum += y->w[i][j] * s_pre[j];
        y->i[i] += p->dt_ms / y->tau_syn_ms * (sum - y->i[i]);
        y->v[i] += p->dt_ms / y->tau_m_ms * (y->r * y->i[i] - y->v[i]);
        y->v[i] = fmax(y->v[i], -y->v_th / 10);
        if ((t - y->last_spike[i]) * p->dt_ms <= p->refractory_ms + 1e-9)
            y->v[i] = 0;
        y->s[i] = DECIDE(SPIKE, l, i, y->v[i], >=, y->v_th);
        if (y->s[i]) {
            y->v[i] = 0;
            y->last_spike[i] = t;
        }
    }
}

/* 3: traces follow spikes. */
static void step3_trace(const Reference *net, int n, const int *s, double *x) {
    for (int i = 0; i < n; i++)
        x[i] += s[i] - x[i] * net->p.dt_ms / net->p.tau_trace_ms;
}

/* 5: error neurons compare the spikes of outputs and label. */
static void step5_compare(Reference *net, int target, int label_spike) {
    const ReferenceParams *p = &net->p;
    const int *s_out = net->layers[p->n_layers - 1].s;
    double v_th = p->threshold_error, gain = p->dt_ms * p->r_e / p->tau_e_ms;
    for (int o = 0; o < p->n_neurons[p->n_layers]; o++) {
        double e = s_out[o] - (o == target && label_spike);
        int silent = p->target_fp == SILENT && o == target;
        net->v_fp[o] = fmax(net->v_fp[o] + gain * e, -v_th / 10);
        net->v_fn[o] = fmax(net->v_fn[o] - gain * e, -v_th / 10);
        net->s_fp[o] = !silent && DECIDE(FALSE_POSITIVE, 0, o, net->v_fp[o], >=, v_th);
        net->s_fn[o] = DECIDE(FALSE_NEGATIVE, 0, o, net->v_fn[o], >=, v_th);
        net->v_fp[o] -= net->s_fp[o] * v_th;
        net->v_fn[o] -= net->s_fn[o] * v_th;
    }
    if (p->target_fp != KEPT)
        net->v_fp[target] = 0;
}

/* 6 and 7: feedback E from the error neurons, and the error compartment U. */
static void steps6and7_feed_back(const Reference *net, ReferenceLayer *y) {
    const ReferenceParams *p = &net->p;
    for (int i = 0; i < y->n_post; i++) {
        double e = 0;
        for (int o = 0; o < p->n_neurons[p->n_layers]; o++)
            e += y->b_fp[i][o] * net->s_fp[o] - y->b_fn[i][o] * net->s_fn[o];
        y->u[i] += p->dt_ms / p->tau_u_ms * (p->r_u * e - y->u[i]);
    }
}

/* 8: synapses follow the error, and fall back towards w_ref. */
static void step8_learn(Reference *net, int l) {
    const ReferenceParams *p = &net->p;
    ReferenceLayer *y = &net->layers[l];
    const int *s_pre = spikes_before(net, l);
    for (int i = 0; i < y->n_post; i++) {
        int gate = DECIDE(CURRENT, l, i, y->i[i], >, p->i_min) &&
                   DECIDE(CURRENT, l, i, y->i[i], <, p->i_max);
        for (int j = 0; j < y->n_pre; j++) {
            if (!s_pre[j] && !y->s[i])
                continue; /* both terms are 0 */
            double error = p->learning_rate * s_pre[j] * y->u[i] * gate;
            double decay = p->alpha * (y->w[i][j] - y->w_ref[i][j]) * y->s[i];
            double plasticity = exp(-fabs(y->m[i][j] * y->w[i][j])); /* less as m grows */
            y->w[i][j] -= plasticity * (error + decay);
        }
    }
}

/* Only w, w_ref and m last from one sample to the next. */
static void reference_begin_sample(Reference *net) {
    for (int n = 0; n < NEURONS; n++) {
        net->input_x[n] = net->v_fp[n] = net->v_fn[n] = 0;
        for (int l = 0; l < net->p.n_layers; l++) {
            ReferenceLayer *y = &net->layers[l];
            y->i[n] = y->v[n] = y->u[n] = y->x[n] = 0;
            y->last_spike[n] = -1000000; /* long ago */
        }
    }
}

/* One time step of learning. The caller has drawn the spikes of inputs (1) and label (4). */
static void reference_step(Reference *net, int target, int label_spike, int t) {
    int n_layers = net->p.n_layers;
    for (int l = 0; l < n_layers; l++)
        step2_fire(net, l, t);
    step3_trace(net, net->p.n_neurons[0], net->input_s, net->input_x);
    for (int l = 0; l < n_layers; l++)
        step3_trace(net, net->layers[l].n_post, net->layers[l].s, net->layers[l].x);
    step5_compare(net, target, label_spike);
    for (int l = 0; l < n_layers; l++)
        steps6and7_feed_back(net, &net->layers[l]);
    for (int l = 0; l < n_layers; l++)
        step8_learn(net, l);
}

/* 9 and 10, once per training sample: w_ref follows w; m grows where both traces are high. */
static void reference_end_sample(Reference *net) {
    for (int l = 0; l < net->p.n_layers; l++) {
        ReferenceLayer *y = &net->layers[l];
        const double *x_pre = l == 0 ? net->input_x : net->layers[l - 1].x;
        for (int i = 0; i < y->n_post; i++)
            for (int j = 0; j < y->n_pre; j++) {
                y->w_ref[i][j] += net->p.w_ref_rate * (y->w[i][j] - y->w_ref[i][j]);
                if (y->delta_m > 0 && DECIDE(TRACE, l - 1, j, x_pre[j], >, y->x_pre_min) &&
                    DECIDE(TRACE, l, i, y->x[i], >, y->x_post_min))
                    y->m[i][j] = fmin(y->m[i][j] + y->delta_m, y->m_max);
            }
    }
}

#ifndef REFERENCE_WITHOUT_MAIN
enum { SIDE = 12, HIDDEN = 30, TASKS = 5, SAMPLES = 150, TEST_SAMPLES = 50 };

/* The paper's constants, with faster learning for such a small network and short tasks. */
/* clang-format off */
static const ReferenceParams tacos = {
    .n_neurons = {SIDE * SIDE, HIDDEN, 2}, .n_layers = 2, .n_steps = 100, .dt_ms = 1,
    .input_rate_hz = 250, .label_rate_hz = 200,
    .tau_syn_input_ms = 10, .tau_syn_later_ms = 25, .tau_m_hidden_ms = 15, .tau_m_output_ms = 25,
    .r_hidden = 1, .r_output = 5, .threshold_hidden = 1, .threshold_output = 2, .refractory_ms = 4,
    .tau_e_ms = 10, .r_e = 25, .threshold_error = 2.5, .target_fp = CLEARED, .w_ref_rate = 0.004,
    .tau_u_ms = 15, .r_u = 5, .i_min = -11, .i_max = 13, .learning_rate = 0.1, .alpha = 0.0005,
    .tau_trace_ms = 50, .m_threshold_input = 6, .m_threshold_hidden = 5, .m_threshold_output = 2,
    .delta_m_hidden = 0.006, .delta_m_output = 0.04, .m_max = 25, .m_max_output = INFINITY,
};
/* clang-format on */
static const double INIT_W = 0.8, INIT_B = 6;

/* The program's built-in symbols: strokes over a board of points a1 to e5; two points are a line,
 * three a bow. Each task has two symbols: the first means output 0, the second output 1. */
static const char *const symbols[2 * TASKS] = {
    "a1a5 e1e5 a2e4",   "c1c5 a5e5 a1a3c3", "e1e5a5 a5a2 c2c4", "a1e1 c1a3a5 c1e3e5",
    "c1c5 c1a1a3 c3e3", "e1a3e5 a3c3",      "b1b5 b1e1e3 a4d4", "c5e5e3 e3e1c1 c1a1a3 a3a5c5 c4c2",
    "a5c1e5 c1c5",      "a1c5 c5e1 c5c2"};

static double uniform(double low, double high) { /* splitmix64 */
    static uint64_t state = 1;
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return low + (high - low) * (double)((z ^ (z >> 31)) >> 11) / 0x1p53;
}

/* A symbol, slightly shifted and slanted. */
static void draw(double *image, const char *symbol) {
    double dx = uniform(0.5, 2.5), dy = uniform(0.5, 2.5), bend = uniform(-0.2, 0.2);
    memset(image, 0, SIDE * SIDE * sizeof *image);
    for (const char *from = symbol; *from; from += strspn(from, " ")) {
        const char *to = from + strcspn(from, " ") - 2, *by = to - 2; /* by is from in a line */
        for (double t = 0; t <= 1; t += 1.0 / 32) {
            double a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
            double x = a * from[0] + b * by[0] + c * to[0] - 'a';
            double y = a * from[1] + b * by[1] + c * to[1] - '1';
            int column = (int)(2.1 * (x + bend * (y - 2)) + dx), row = (int)(2.1 * (4 - y) + dy);
            image[row * SIDE + column] = 1;
        }
        from = to + 2;
    }
}

static void draw_weights(Reference *net) {
    for (int l = 0; l < net->p.n_layers; l++) {
        ReferenceLayer *y = &net->layers[l];
        for (int i = 0; i < y->n_post; i++) {
            for (int j = 0; j < y->n_pre; j++)
                y->w[i][j] = y->w_ref[i][j] = uniform(-INIT_W, INIT_W);
            for (int o = 0; o < 2 && l < net->p.n_layers - 1; o++) {
                y->b_fp[i][o] = uniform(-INIT_B, INIT_B);
                y->b_fn[i][o] = uniform(-INIT_B, INIT_B);
            }
        }
    }
}

/* 1: inputs spike at random. */
static void step1_inputs(Reference *net, const double *image) {
    for (int j = 0; j < SIDE * SIDE; j++)
        net->input_s[j] = uniform(0, 1) < reference_chance(net, image[j] * net->p.input_rate_hz);
}

static void learn(Reference *net, const double *image, int target) {
    reference_begin_sample(net);
    for (int t = 0; t < net->p.n_steps; t++) {
        step1_inputs(net, image);
        int label_spike = uniform(0, 1) < reference_chance(net, net->p.label_rate_hz); /* 4 */
        reference_step(net, target, label_spike, t);
    }
    reference_end_sample(net);
}

/* 11: the output with the most spikes, the lowest on a tie. */
static int predict(Reference *net, const double *image) {
    int n_spikes[2] = {0, 0};
    reference_begin_sample(net);
    for (int t = 0; t < net->p.n_steps; t++) {
        step1_inputs(net, image);
        for (int l = 0; l < net->p.n_layers; l++)
            step2_fire(net, l, t);
        for (int o = 0; o < 2; o++)
            n_spikes[o] += net->layers[net->p.n_layers - 1].s[o];
    }
    return n_spikes[1] > n_spikes[0];
}

static double accuracy(Reference *net, int task) {
    double image[SIDE * SIDE];
    int n_right = 0;
    for (int k = 0; k < TEST_SAMPLES; k++) {
        draw(image, symbols[2 * task + k % 2]);
        n_right += predict(net, image) == k % 2;
    }
    return 100.0 * n_right / TEST_SAMPLES;
}

static void demonstrate(const char *name, const ReferenceParams *p) {
    static Reference net;
    double image[SIDE * SIDE];
    reference_shape(&net, p);
    draw_weights(&net);
    printf("%s: %% correct in tasks 1 to %d, and their mean, after each task\n", name, TASKS);
    for (int task = 0; task < TASKS; task++) {
        double sum = 0;
        for (int k = 0; k < SAMPLES; k++) {
            int target = uniform(0, 1) < 0.5;
            draw(image, symbols[2 * task + target]);
            learn(&net, image, target);
        }
        for (int seen = 0; seen <= task; seen++) {
            double percent = accuracy(&net, seen);
            sum += percent;
            printf("%6.0f", percent);
        }
        printf("%*s%8.1f\n", 6 * (TASKS - 1 - task), "", sum / (task + 1));
    }
}

int main(void) {
    ReferenceParams snn = tacos; /* 12: neither metaplasticity nor consolidation */
    snn.delta_m_hidden = snn.delta_m_output = snn.alpha = 0;
    demonstrate("TACOS", &tacos);
    demonstrate("plain SNN", &snn);
    return 0;
}

#endif
