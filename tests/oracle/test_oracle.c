/* test_oracle.c - the engine against the oracle, after every step of random small networks.
 *
 * Spikes must be identical; V, I, U, X, w, w_ref and m must agree to rounding. Where a value is
 * within rounding of a threshold the oracle follows the engine; those turns are counted and must be
 * rare. What the networks did is counted too, so that agreement about nothing cannot pass.
 *
 * The engine catches up with synapses only when it needs them. So each network runs twice: looked
 * at after every step, where w must agree step by step; and undisturbed, where whole runs of decays
 * are taken at once and w must agree at the end of every sample all the same. */
#include "data/encode.h"
#include "oracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NETWORKS = 60, SAMPLES = 20 };

static const double WEIGHT_TOLERANCE = 1e-5; /* of the weight, or of 0.1 init_w if it is smaller */
static const double STATE_TOLERANCE = 1e-4;

typedef struct Worst {
    double weight, state;
} Worst;

typedef struct Bench {
    Network net;
    Scratch scratch;
    tacos_counters tally;
    Oracle oracle;
    void *memory;
    uint64_t strengthened;
} Bench;

/* A repeatable choice of test networks, by the same counter-based numbers. */
typedef struct Dice {
    uint32_t network, turn;
} Dice;

static double roll(Dice *dice, double low, double high) {
    RngBlock block = rng_block(20260901, (RngPurpose)99, dice->network, dice->turn++, 0);
    return low + (high - low) * (double)rng_unit(block.word[0]);
}

static size_t roll_count(Dice *dice, size_t low, size_t high) {
    return (size_t)roll(dice, (double)low, (double)high + 0.999);
}

/* Parameters around the paper's, over all models and 0 to 3 hidden layers, with stronger
 * metaplasticity and decay than the paper's so that 20 samples exercise them. */
static Params roll_params(Dice *dice) {
    Params p;
    params_defaults(&p);
    p.model = (int)(dice->network % 5);
    p.n_inputs = roll_count(dice, 1, 80);
    p.n_outputs = roll_count(dice, 1, 5);
    p.hidden.n = roll_count(dice, 0, 3);
    for (size_t l = 0; l < p.hidden.n; l++)
        p.hidden.value[l] = roll_count(dice, 1, 40);
    p.n_steps = roll_count(dice, 20, 100);
    p.dt_ms = roll(dice, 0, 1) < 0.7 ? 1 : roll(dice, 0.3, 1);
    p.input_rate_hz = roll(dice, 100, 400);
    p.label_rate_hz = roll(dice, 100, 400);
    p.learning_rate = roll(dice, 0.001, 0.02);
    p.init_w = (Reals){1, {roll(dice, 1, 3)}};
    p.init_b = (Reals){1, {roll(dice, 0.05, 0.5)}};
    p.threshold_hidden = roll(dice, 0.05, 0.6);
    p.threshold_output = roll(dice, 0.1, 1.5);
    p.threshold_error = roll(dice, 1, 4);
    p.tau_trace_ms = roll(dice, 20, 80);
    p.refractory_ms = roll(dice, 0, 1) < 0.5 ? (double)roll_count(dice, 0, 6) : roll(dice, 0, 6);
    p.i_min = roll(dice, -6, -0.5);
    p.i_max = roll(dice, 0.5, 6);
    p.m_threshold_input = roll(dice, 0.5, 6);
    p.m_threshold_hidden = roll(dice, 0.5, 5);
    p.m_threshold_output = roll(dice, 0.2, 2);
    p.delta_m_hidden = roll(dice, 0.05, 1);
    p.delta_m_output = roll(dice, 0.05, 1);
    p.m_max = roll(dice, 1, 8);
    p.alpha = dice->network % 2 ? roll(dice, 1e-4, 1e-3) : roll(dice, 1e-3, 0.02);
    p.tau_cons_ms = roll(dice, 500, 5000);
    return p;
}

static void bench_open(Bench *bench, const Params *params, uint32_t seed) {
    Arena arena = {0};
    assert_int_equal(params_check(params, NULL), TACOS_OK);
    network_shape(&bench->net, params, seed);
    network_carve(&bench->net, &arena);
    scratch_carve(&bench->scratch, &bench->net, &arena);
    bench->memory = aligned_alloc(ARENA_ALIGN, arena.used);
    assert_non_null(bench->memory);
    memset(bench->memory, 0, arena.used);
    arena = (Arena){.base = bench->memory};
    network_carve(&bench->net, &arena);
    scratch_carve(&bench->scratch, &bench->net, &arena);
    network_draw(&bench->net);
    oracle_init(&bench->oracle, &bench->net);
}

static void agree(double engine, double oracle, double tolerance, double least, double *worst,
                  const char *what, size_t l, size_t i, size_t j) {
    double off = fabs(engine - oracle) / fmax(fabs(oracle), least);
    if (!(off <= tolerance))
        fail_msg("%s: engine %.9g, oracle %.9g at layer %zu, post %zu, pre %zu", what, engine,
                 oracle, l, i, j);
    *worst = fmax(*worst, off);
}

static void agree_neurons(const Bench *bench, Worst *worst) {
    bool traces = params_model(&bench->oracle.p)->metaplasticity == M_DYNAMIC;
    for (size_t j = 0; traces && j < bench->oracle.p.n_inputs; j++)
        agree((double)bench->scratch.input_x[j], bench->oracle.input_x[j], STATE_TOLERANCE, 1,
              &worst->state, "X of input", 0, 0, j);
    for (size_t l = 0; l < bench->oracle.n_layers; l++) {
        const OracleLayer *y = &bench->oracle.layers[l];
        const LayerScratch *s = &bench->scratch.layers[l];
        for (size_t i = 0; i < y->n_post; i++) {
            if (s->neurons.spiked[i] != y->s[i])
                fail_msg("spike: engine %d, oracle %d at layer %zu, neuron %zu",
                         s->neurons.spiked[i], y->s[i], l, i);
            if (traces)
                agree((double)s->x[i], y->x[i], STATE_TOLERANCE, 1, &worst->state, "X", l, i, 0);
            agree((double)s->neurons.i[i], y->i[i], STATE_TOLERANCE, 1, &worst->state, "I", l, i,
                  0);
            agree((double)s->neurons.v[i], y->v[i], STATE_TOLERANCE, 1, &worst->state, "V", l, i,
                  0);
            agree((double)s->neurons.u[i], y->u[i], STATE_TOLERANCE, 1, &worst->state, "U", l, i,
                  0);
        }
    }
}

static void agree_synapses(const Bench *bench, Worst *worst) {
    double least = 0.1 * bench->oracle.p.init_w.value[0];
    for (size_t l = 0; l < bench->oracle.n_layers; l++) {
        const OracleLayer *y = &bench->oracle.layers[l];
        const Layer *layer = &bench->net.layers[l];
        for (size_t i = 0; i < y->n_post; i++)
            for (size_t j = 0; j < y->n_pre; j++) {
                size_t at = j * layer->stride + i;
                agree((double)layer->w[at], y->w[i][j], WEIGHT_TOLERANCE, least, &worst->weight,
                      "w", l, i, j);
                if (layer->w_ref)
                    agree((double)layer->w_ref[at], y->w_ref[i][j], WEIGHT_TOLERANCE, least,
                          &worst->weight, "w_ref", l, i, j);
                if (layer->m_steps)
                    agree(fmin((double)layer->m_steps[at] * (double)layer->synapse.delta_m,
                               (double)layer->synapse.m_max),
                          y->m[i][j], WEIGHT_TOLERANCE, 0.1, &worst->weight, "m", l, i, j);
            }
    }
}

static void run_sample(Bench *bench, const float *intensity, size_t target, bool every_step,
                       Worst *worst) {
    Network *net = &bench->net;
    Scratch *scratch = &bench->scratch;
    PoissonCode code = {net->seed, RNG_INPUT, net->params.input_rate_hz, net->params.dt_ms};
    assert_int_equal(encode_intensities(&code, net->n_learned, intensity, &scratch->raster, NULL),
                     TACOS_OK);
    sample_begin(net, scratch, &bench->tally);
    oracle_begin_sample(&bench->oracle);
    for (size_t t = 0; t < net->params.n_steps; t++) {
        sample_step(net, scratch, target, true);
        oracle_step(&bench->oracle, intensity, target, (long)t, scratch);
        agree_neurons(bench, worst);
        for (size_t l = 0; l < net->n_layers && every_step; l++)
            synapses_settle(&net->layers[l], &scratch->layers[l], scratch->step);
        if (every_step)
            agree_synapses(bench, worst);
    }
    sample_end(net, scratch);
    oracle_end_sample(&bench->oracle, scratch);
    agree_synapses(bench, worst);
}

static void count_strengthened(Bench *bench) {
    for (size_t l = 0; l < bench->net.n_layers; l++) {
        const Layer *layer = &bench->net.layers[l];
        for (size_t k = 0; layer->m_steps && k < layer->n_pre * layer->stride; k++)
            bench->strengthened += layer->m_steps[k] > 0;
    }
}

static void run_networks(bool every_step) {
    Worst worst = {0};
    tacos_counters all = {0};
    uint64_t strengthened = 0;
    size_t decisions = 0, followed = 0;
    Bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    for (uint32_t n = 0; n < NETWORKS; n++) {
        Dice dice = {.network = n};
        Params params = roll_params(&dice);
        *bench = (Bench){0};
        bench_open(bench, &params, 1000 + n);
        for (size_t k = 0; k < SAMPLES; k++) {
            float intensity[ORACLE_NEURONS];
            for (size_t j = 0; j < params.n_inputs; j++) {
                double x = roll(&dice, -1, 1); /* half of the inputs are dark */
                intensity[j] = (float)(x > 0 ? x : 0);
            }
            run_sample(bench, intensity, roll_count(&dice, 0, params.n_outputs - 1), every_step,
                       &worst);
        }
        count_strengthened(bench);
        all.hidden_spikes += bench->tally.hidden_spikes;
        all.output_spikes += bench->tally.output_spikes;
        all.error_spikes += bench->tally.error_spikes;
        all.error_updates += bench->tally.error_updates;
        all.decay_updates += bench->tally.decay_updates;
        strengthened += bench->strengthened;
        decisions += bench->oracle.n_decisions;
        followed += bench->oracle.n_followed;
        free(bench->memory);
    }
    free(bench);
    printf("%d networks, %d samples each: %llu hidden, %llu output, %llu error spikes, "
           "%llu error and %llu decay updates, %llu synapses with m > 0\n",
           NETWORKS, SAMPLES, (unsigned long long)all.hidden_spikes,
           (unsigned long long)all.output_spikes, (unsigned long long)all.error_spikes,
           (unsigned long long)all.error_updates, (unsigned long long)all.decay_updates,
           (unsigned long long)strengthened);
    printf("worst relative difference: weights %.2g, states %.2g; followed %zu of %zu decisions\n",
           worst.weight, worst.state, followed, decisions);
    assert_true(all.hidden_spikes > 10000);
    assert_true(all.output_spikes > 2000);
    assert_true(all.error_spikes > 5000);
    assert_true(all.error_updates > 500000);
    assert_true(all.decay_updates > 200000);
    assert_true(strengthened > 2000);
    assert_true(followed * 100000 < decisions);
}

static void test_engine_is_the_oracle_at_every_step(void **state) {
    (void)state;
    run_networks(true);
}

static void test_engine_is_the_oracle_undisturbed(void **state) {
    (void)state;
    run_networks(false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engine_is_the_oracle_at_every_step),
        cmocka_unit_test(test_engine_is_the_oracle_undisturbed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
