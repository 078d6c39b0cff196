/* test_oracle.c - the engine against examples/reference.c, after every step of random small
 * networks.
 *
 * Spikes must be identical; V, I, U, X, w, w_ref and m must agree to rounding. Where a value is
 * within rounding of a threshold the reference follows the engine; those cases are counted and must
 * be rare. What the networks did is counted too, so that agreement about nothing cannot pass.
 *
 * The engine catches up with synapses only when it needs them. So each network runs twice: looked
 * at after every step, where w must agree step by step; and undisturbed, where decays of many steps
 * and samples are taken at once, and w must agree in the end all the same. */
#include "follow.h"
#include "net/encode.h"
#include "net/predict.h"
#include "net/synapse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NETWORKS = 70, SAMPLES = 20, PREDICTIONS = 10 };

/* Of a weight, or of 0.1 init_w if it is smaller; and of a state, or of 1. Where decays are merged
 * with errors, up to alpha k = KERNEL_MERGED_MAX of an error is taken too much. */
static const double WEIGHT_TOLERANCE = 1e-4, STATE_TOLERANCE = 1e-4;
static const double MERGED_TOLERANCE = 5e-3;

typedef struct Worst {
    double weight_tolerance, state_tolerance;
    double weight, state;
} Worst;

typedef struct Bench {
    Network net;
    Scratch scratch;
    Predictor predictor;
    tacos_counters tally;
    Reference reference;
    void *memory;
    uint64_t strengthened;
    size_t n_answered, n_mistaken; /* predictions: of an output; other than the reference's */
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
    p.model = (int)(dice->network % 5); /* all */
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
    p.init_b = (Reals){1, {roll(dice, 0.05, 0.5) * (dice->network % 3 == 1 ? 12 : 1)}};
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
    p.m_max_output = roll(dice, 0, 1) < 0.5 ? roll(dice, 1, 8) : (double)INFINITY;
    /* More steps to m_max than 16 bits count. Such an m is small, so not where decay is strong. */
    if (params_model(&p)->metaplasticity == M_DYNAMIC && dice->network % 4 == 3)
        p.m_max = 1000, p.delta_m_hidden = roll(dice, 0.004, 0.009);
    p.feedback = (int)roll_count(dice, 0, 1);
    p.target_fp = (int)roll_count(dice, 0, 2);
    p.alpha = dice->network % 2 ? roll(dice, 1e-4, 1e-3) : roll(dice, 1e-3, 0.02);
    p.w_ref_rate = roll(dice, 0.004, 0.2);
    return p;
}

static void bench_carve(Bench *bench, Arena *arena) {
    const Params *p = &bench->net.params;
    network_carve(&bench->net, arena);
    scratch_carve(&bench->scratch, &bench->net, arena);
    predictor_carve(&bench->predictor, &bench->net, arena);
    raster_carve(&bench->scratch.raster, p->n_steps, p->n_inputs, arena);
    raster_carve(&bench->predictor.raster, p->n_steps, p->n_inputs, arena);
}

static void bench_open(Bench *bench, const Params *params, uint32_t seed) {
    Arena arena = {0};
    const Kernel *kernel;
    assert_int_equal(params_check(params, NULL), TACOS_OK);
    assert_int_equal(kernel_select(&kernel, NULL), TACOS_OK);
    network_shape(&bench->net, params, seed, kernel);
    bench_carve(bench, &arena);
    bench->memory = aligned_alloc(ARENA_ALIGN, arena.used);
    assert_non_null(bench->memory);
    memset(bench->memory, 0, arena.used);
    arena = (Arena){.base = bench->memory};
    bench_carve(bench, &arena);
    network_draw(&bench->net);
    scratch_start(&bench->scratch, &bench->net);
    predictor_start(&bench->predictor, &bench->net);
    follow_init(&bench->reference, &bench->net);
}

static void agree(double engine, double reference, double tolerance, double least, double *worst,
                  const char *what, size_t l, size_t i, size_t j) {
    double off = fabs(engine - reference) / fmax(fabs(reference), least);
    if (!(off <= tolerance))
        fail_msg("%s: engine %.9g, reference %.9g at layer %zu, post %zu, pre %zu", what, engine,
                 reference, l, i, j);
    *worst = fmax(*worst, off);
}

/* The engine knows traces only as they are at the end of a sample. */
static void agree_traces(const Bench *bench, Worst *worst) {
    if (params_model(&bench->net.params)->metaplasticity != M_DYNAMIC)
        return;
    for (size_t j = 0; j < bench->net.params.n_inputs; j++)
        agree((double)bench->scratch.input_x[j], bench->reference.input_x[j],
              worst->state_tolerance, 1, &worst->state, "X of input", 0, 0, j);
    for (size_t l = 0; l < bench->net.n_layers; l++)
        for (size_t i = 0; i < bench->net.layers[l].n_post; i++)
            agree((double)bench->scratch.layers[l].x[i], bench->reference.layers[l].x[i],
                  worst->state_tolerance, 1, &worst->state, "X", l, i, 0);
}

static void agree_neurons(const Bench *bench, Worst *worst) {
    for (size_t l = 0; l < bench->net.n_layers; l++) {
        const ReferenceLayer *y = &bench->reference.layers[l];
        const LayerScratch *s = &bench->scratch.layers[l];
        for (size_t i = 0; i < bench->net.layers[l].n_post; i++) {
            int spiked = engine_spiked(&bench->scratch, l, i);
            if (spiked != y->s[i])
                fail_msg("spike: engine %d, reference %d at layer %zu, neuron %zu", spiked, y->s[i],
                         l, i);
            agree((double)s->neurons.i[i], y->i[i], worst->state_tolerance, 1, &worst->state, "I",
                  l, i, 0);
            agree((double)s->neurons.v[i], y->v[i], worst->state_tolerance, 1, &worst->state, "V",
                  l, i, 0);
            agree((double)s->neurons.u[i], y->u[i], worst->state_tolerance, 1, &worst->state, "U",
                  l, i, 0);
        }
    }
}

static void agree_synapses(const Bench *bench, Worst *worst) {
    double least = 0.1 * bench->net.params.init_w.value[0];
    for (size_t l = 0; l < bench->net.n_layers; l++) {
        const ReferenceLayer *y = &bench->reference.layers[l];
        const Layer *layer = &bench->net.layers[l];
        for (size_t i = 0; i < layer->n_post; i++)
            for (size_t j = 0; j < layer->n_pre; j++) {
                size_t at = j * layer->stride + i;
                agree((double)layer->w[at], y->w[i][j], worst->weight_tolerance, least,
                      &worst->weight, "w", l, i, j);
                if (layer->w_ref)
                    agree((double)layer->w_ref[at], y->w_ref[i][j], worst->weight_tolerance, least,
                          &worst->weight, "w_ref", l, i, j);
                if (layer->m_steps)
                    agree(fmin((double)layer->m_steps[at] * (double)layer->synapse.delta_m,
                               (double)layer->synapse.m_max),
                          y->m[i][j], worst->weight_tolerance, 0.1, &worst->weight, "m", l, i, j);
            }
    }
}

/* Make w tell every step so far: wake and catch up every row, as if all were to be read. */
static void look(Bench *bench, size_t l) {
    static uint32_t all[NEURONS];
    const Layer *layer = &bench->net.layers[l];
    LayerScratch *s = &bench->scratch.layers[l];
    size_t parts = kernel_parts(&layer->synapse);
    for (uint32_t j = 0; j < layer->n_pre; j++)
        all[j] = j;
    synapses_plan(&bench->net, l, &bench->scratch, all, layer->n_pre, false);
    synapses_ready(&bench->net, l, &bench->scratch, (Span){0, layer->stride});
    synapses_visit(&bench->net, l, &bench->scratch, s->waste, (Span){0, layer->stride});
    for (size_t j = 0; j < layer->n_pre; j++)
        for (size_t i = 0; i < layer->stride; i++) {
            float v = s->rows[j].awake[i / KERNEL_LANES * KERNEL_LANES * parts + i % KERNEL_LANES];
            float *w = &layer->w[j * layer->stride + i];
            *w = layer->w_ref ? v + layer->w_ref[j * layer->stride + i] : v;
        }
}

static void encode(const Network *net, const float *intensity, uint64_t sample, Raster *out) {
    PoissonCode code = {net->kernel, net->seed, RNG_INPUT, net->params.input_rate_hz,
                        net->params.dt_ms};
    assert_int_equal(encode_intensities(&code, sample, intensity, out, NULL), TACOS_OK);
}

static void run_sample(Bench *bench, const float *intensity, size_t target, bool every_step,
                       Worst *worst) {
    Network *net = &bench->net;
    Scratch *scratch = &bench->scratch;
    encode(net, intensity, net->n_learned, &scratch->raster);
    sample_begin(net, scratch, &bench->tally);
    follow_begin_sample(&bench->reference);
    for (size_t t = 0; t < net->params.n_steps; t++) {
        sample_step(net, scratch, target);
        follow_step(&bench->reference, intensity, target, t);
        agree_neurons(bench, worst);
        for (size_t l = 0; l < net->n_layers && every_step; l++)
            look(bench, l);
        if (every_step)
            agree_synapses(bench, worst);
    }
    agree_traces(bench, worst);
    sample_end(net, scratch);
    follow_end_sample(&bench->reference);
    if (every_step || net->n_learned == SAMPLES) {
        network_settle(net, scratch);
        agree_synapses(bench, worst);
    }
}

/* The reference does not follow here, so that a prediction may differ by rounding. */
static void predict_sample(Bench *bench, const float *intensity, uint64_t sample) {
    tacos_counters tally = {0};
    encode(&bench->net, intensity, sample, &bench->predictor.raster);
    int output = sample_predict(&bench->net, &bench->predictor, &tally);
    bench->n_answered += output >= 0;
    bench->n_mistaken += output != follow_predict(&bench->reference, intensity, sample);
}

static void count_strengthened(Bench *bench) {
    for (size_t l = 0; l < bench->net.n_layers; l++) {
        const Layer *layer = &bench->net.layers[l];
        for (size_t k = 0; layer->m_steps && k < layer->n_pre * layer->stride; k++)
            bench->strengthened += layer->m_steps[k] > 0;
    }
}

/* What all networks did. */
typedef struct Sum {
    tacos_counters all;
    uint64_t strengthened;
    size_t n_networks, decisions, followed, n_answered, n_mistaken;
} Sum;

static void add_up(Sum *sum, Bench *bench) {
    count_strengthened(bench);
    sum->all.hidden_spikes += bench->tally.hidden_spikes;
    sum->all.output_spikes += bench->tally.output_spikes;
    sum->all.error_spikes += bench->tally.error_spikes;
    sum->all.error_updates += bench->tally.error_updates;
    sum->all.decay_updates += bench->tally.decay_updates;
    sum->strengthened += bench->strengthened;
    sum->decisions += follower.n_decisions;
    sum->followed += follower.n_followed;
    sum->n_answered += bench->n_answered;
    sum->n_mistaken += bench->n_mistaken;
    sum->n_networks++;
}

static void roll_image(Dice *dice, size_t n, float *intensity) {
    for (size_t j = 0; j < n; j++) {
        double x = roll(dice, -1, 1); /* half of the inputs are dark */
        intensity[j] = (float)(x > 0 ? x : 0);
    }
}

static void run_network(Bench *bench, Dice *dice, const Params *params, bool every_step,
                        Worst *worst) {
    float intensity[NEURONS];
    for (size_t k = 0; k < SAMPLES; k++) {
        roll_image(dice, params->n_inputs, intensity);
        run_sample(bench, intensity, roll_count(dice, 0, params->n_outputs - 1), every_step, worst);
    }
    for (size_t k = 0; k < PREDICTIONS; k++) {
        roll_image(dice, params->n_inputs, intensity);
        predict_sample(bench, intensity, SAMPLES + k);
    }
}

static bool merges(const Network *net) {
    bool any = false;
    for (size_t l = 0; l < net->n_layers; l++)
        any |= net->layers[l].synapse.decays && net->layers[l].merged_steps > 1;
    return any;
}

/* Networks that are looked at after every step or undisturbed; and with or without merging. */
static Sum run_networks(bool every_step, bool merging) {
    double tolerance = merging && !every_step ? MERGED_TOLERANCE : WEIGHT_TOLERANCE;
    Worst worst = {tolerance, merging && !every_step ? MERGED_TOLERANCE : STATE_TOLERANCE, 0, 0};
    Sum sum = {0};
    Bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    for (uint32_t n = 0; n < NETWORKS; n++) {
        Dice dice = {.network = n, .turn = 1};
        Params params = roll_params(&dice);
        *bench = (Bench){0};
        bench_open(bench, &params, 1000 + n);
        follower.engine = &bench->scratch;
        follower.near = 2 * worst.state_tolerance;
        if (merges(&bench->net) == merging) {
            run_network(bench, &dice, &params, every_step, &worst);
            add_up(&sum, bench);
        }
        free(bench->memory);
    }
    free(bench);
    printf("%zu networks, %d samples each: %llu hidden, %llu output, %llu error spikes, "
           "%llu error and %llu decay updates, %llu synapses with m > 0\n",
           sum.n_networks, SAMPLES, (unsigned long long)sum.all.hidden_spikes,
           (unsigned long long)sum.all.output_spikes, (unsigned long long)sum.all.error_spikes,
           (unsigned long long)sum.all.error_updates, (unsigned long long)sum.all.decay_updates,
           (unsigned long long)sum.strengthened);
    printf("worst relative difference: weights %.2g, states %.2g; followed %zu of %zu decisions; "
           "%zu of %zu predictions answered, %zu differ\n",
           worst.weight, worst.state, sum.followed, sum.decisions, sum.n_answered,
           sum.n_networks * PREDICTIONS, sum.n_mistaken);
    return sum;
}

static void check_work(Sum a, Sum b) {
    assert_int_equal(a.n_networks + b.n_networks, NETWORKS);
    assert_true(a.n_networks >= 10 && b.n_networks >= 10);
    assert_true(a.all.hidden_spikes + b.all.hidden_spikes > 10000);
    assert_true(a.all.output_spikes + b.all.output_spikes > 2000);
    assert_true(a.all.error_spikes + b.all.error_spikes > 5000);
    assert_true(a.all.error_updates + b.all.error_updates > 500000);
    assert_true(a.all.decay_updates > 50000 && b.all.decay_updates > 50000);
    assert_true(a.strengthened + b.strengthened > 2000);
    assert_true((a.followed + b.followed) * 100000 < a.decisions + b.decisions);
    assert_true((a.n_answered + b.n_answered) * 4 > NETWORKS * PREDICTIONS);
    assert_true((a.n_mistaken + b.n_mistaken) * 200 <= NETWORKS * PREDICTIONS);
}

static void test_engine_is_the_reference_at_every_step(void **state) {
    (void)state;
    check_work(run_networks(true, false), run_networks(true, true));
}

static void test_engine_is_the_reference_undisturbed(void **state) {
    (void)state;
    check_work(run_networks(false, false), run_networks(false, true));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_engine_is_the_reference_at_every_step),
        cmocka_unit_test(test_engine_is_the_reference_undisturbed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
