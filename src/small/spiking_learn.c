/* spiking_learn.c - a sample of a spiking network, step by step in the order of docs/engine.md;
 * "step 2" is one of that list. */

/* ---- synapses ---- */

static uint32_t bits_set(uint32_t x) {
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    return ((x + (x >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

/* alpha times the spikes of neuron c before a line, which is 1 + a step. */
static float spiking_count(const tacos_spiking *s, const SpikingLayer *y, uint32_t c,
                           uint32_t line) {
    uint32_t words = spiking_words(&s->block.plan), k = (line - 1) / 32, n = y->n_spikes[c];
    const uint32_t *bits = y->spiked + c * words;
    n -= bits_set(bits[k] >> (line - 1) % 32);
    while (++k <= s->step / 32 && k < words)
        n -= bits_set(bits[k]);
    return s->block.sums[n];
}

static float spiking_m(const SpikingLayer *y, uint32_t k) {
    const SynapseRule *rule = &y->synapse;
    return y->m_steps ? lane_m(y->m_steps[k], rule->delta_m, rule->m_max) : rule->m_all;
}

/* A synapse of a row that wakes (line = NO_LINE), or is awake. */
static AwakeSynapse spiking_load(const SpikingLayer *y, uint32_t k, uint32_t line, float w_ref) {
    bool plastic = y->synapse.plastic;
    float m = plastic ? spiking_m(y, k) : 0.0f;
    if (line == NO_LINE)
        return synapse_wake(y->w[k], w_ref, m, plastic, y->synapse.decays);
    AwakeSynapse a = {y->w[k], 1, 0};
    if (plastic) {
        a.f = lane_magnitude(y->f[k]);
        a.M = lane_signed(m, y->f[k]);
    }
    return a;
}

static void spiking_refresh(const SpikingLayer *y, AwakeSynapse *a, float w_ref) {
    synapse_refresh(a, y->synapse.decays ? a->v + w_ref : a->v, lane_magnitude(a->M));
}

/* What synapse (pre, c) owes up to line `now`: the error of its row's last spike and the decays
 * since, those of many steps apart. Returns v. */
static float spiking_pay(const tacos_spiking *s, SpikingLayer *y, uint32_t pre, uint32_t c,
                         uint32_t now) {
    const SynapseRule *rule = &y->synapse;
    uint32_t k = pre * y->n_post + c, line = y->line[pre];
    bool spiked = line != NO_LINE, plastic = rule->plastic, decays = rule->decays;
    uint32_t last = spiked ? y->now[line] : 0;
    float drive = spiked ? y->drive[line * y->n_post + c] : 0.0f;
    float w_ref = decays ? y->w_ref[k] : 0.0f, total = 0, before = 0;
    AwakeSynapse a = spiking_load(y, k, line, w_ref);
    if (decays) {
        total = s->block.sums[y->n_spikes[c]];
        before = spiked ? spiking_count(s, y, c, last) : 0.0f;
    }
    if (decays && now > y->merged_steps && last < now - y->merged_steps) {
        float merged = spiked ? spiking_count(s, y, c, last + y->merged_steps) : 0.0f;
        if (spiked && !synapse_visit(&a, drive, merged - before, plastic, true))
            spiking_refresh(y, &a, w_ref);
        synapse_decay(&a, total - merged, w_ref, rule, plastic);
    } else if (!synapse_visit(&a, drive, total - before, plastic, decays)) {
        spiking_refresh(y, &a, w_ref);
    }
    y->w[k] = a.v;
    if (plastic)
        y->f[k] = lane_signed(a.f, a.M);
    return a.v;
}

/* ---- a step ---- */

/* Neurons that spike: those of the layer before, or inputs. */
typedef struct SpikeList {
    const uint16_t *neurons;
    uint32_t n;
} SpikeList;

static SpikeList spiking_heard(const tacos_spiking *s, uint32_t l) {
    SpikeList list = {s->common.list, s->n_list};
    if (l > 0) {
        list.neurons = s->layers[l - 1].list;
        list.n = s->layers[l - 1].n_list;
    }
    return list;
}

/* Neuron c receives `input`. */
static void spiking_fire(const tacos_spiking *s, SpikingLayer *y, uint32_t c, float input) {
    Membrane m = {y->i[c], y->v[c], y->hold[c]};
    bool spikes = neuron_fire(&m, input, &y->neuron);
    y->i[c] = m.i;
    y->v[c] = m.v;
    y->hold[c] = (uint16_t)m.hold;
    if (!spikes)
        return;
    y->n_spikes[c]++;
    y->list[y->n_list++] = (uint16_t)c;
    if (y->spiked)
        y->spiked[c * spiking_words(&s->block.plan) + s->step / 32] |= (uint32_t)1 << s->step % 32;
}

/* Rows that spiked let go of the lines they had, and share one of this step. There is always one
 * that no row has. */
static void spiking_take_line(SpikingLayer *y, SpikeList list, uint32_t now) {
    for (uint32_t k = 0; k < list.n; k++)
        if (y->line[list.neurons[k]] != NO_LINE)
            y->n_rows[y->line[list.neurons[k]]]--;
    y->fresh = NO_LINE;
    if (list.n == 0)
        return;
    y->fresh = 0;
    while (y->n_rows[y->fresh] > 0)
        y->fresh++;
    y->n_rows[y->fresh] = (uint16_t)list.n;
    y->now[y->fresh] = (uint16_t)now;
    for (uint32_t k = 0; k < list.n; k++)
        y->line[list.neurons[k]] = (uint16_t)y->fresh;
}

/* Step 2 of docs/engine.md while learning: rows that spike pay, and are heard. */
static void spiking_learn_forward(const tacos_spiking *s, SpikingLayer *y, SpikeList list) {
    y->n_list = 0;
    for (uint32_t c = 0; c < y->n_post; c++) {
        float sum = 0;
        for (uint32_t k = 0; k < list.n && y->synapse.decays; k++)
            sum += y->w_ref[list.neurons[k] * y->n_post + c];
        for (uint32_t k = 0; k < list.n; k++)
            sum += spiking_pay(s, y, list.neurons[k], c, s->step + 1);
        spiking_fire(s, y, c, sum);
    }
    spiking_take_line(y, list, s->step + 1);
}

/* The same while predicting. */
static void spiking_forward(const tacos_spiking *s, SpikingLayer *y, SpikeList list) {
    y->n_list = 0;
    for (uint32_t c = 0; c < y->n_post; c++) {
        float sum = 0;
        for (uint32_t k = 0; k < list.n; k++)
            sum += y->w[list.neurons[k] * y->n_post + c];
        spiking_fire(s, y, c, sum);
    }
}

/* Step 1: four steps at a time. */
static void spiking_draw(tacos_spiking *s, const uint8_t *input, RngPurpose purpose,
                         uint64_t sample) {
    const SpikingCommon *common = &s->common;
    uint32_t part = s->step % 4;
    s->n_list = 0;
    for (uint32_t j = 0; j < s->block.plan.n_inputs; j++) {
        if (input[j] < s->block.plan.first)
            continue;
        if (part == 0) {
            RngBlock r = rng_block(s->seed, purpose, sample, s->step / 4, j);
            common->drawn[j] = 0;
            for (uint32_t k = 0; k < 4; k++)
                common->drawn[j] |= (uint8_t)((r.word[k] <= s->block.limit[input[j]]) << k);
        }
        if (common->drawn[j] >> part & 1)
            common->list[s->n_list++] = (uint16_t)j;
    }
}

/* Step 5, one error neuron. */
static int8_t spiking_integrate(float *v, float input, const PlanHeader *plan) {
    *v += plan->error_step * input;
    *v = *v > plan->error_min ? *v : plan->error_min;
    if (*v < plan->error_th)
        return 0;
    *v -= plan->error_th;
    return 1;
}

/* Steps 4 and 5. */
static void spiking_err(tacos_spiking *s, uint32_t target) {
    const PlanHeader *plan = &s->block.plan;
    const SpikingLayer *y = &s->layers[plan->n_layers - 1];
    const SpikingCommon *common = &s->common;
    RngBlock r = rng_block(s->seed, RNG_LABEL, s->n_learned, s->step / 4, 0);
    bool label = plan->labels && r.word[s->step % 4] <= plan->label_limit;
    for (uint32_t o = 0, k = 0; o < plan->n_outputs; o++) {
        bool spikes = k < y->n_list && y->list[k] == o, silent = plan->silent && o == target;
        float e = (float)((int)spikes - (int)(o == target && label));
        k += spikes;
        common->s_fp[o] = silent ? (int8_t)0 : spiking_integrate(&common->v_fp[o], e, plan);
        common->s_fn[o] = spiking_integrate(&common->v_fn[o], -e, plan);
    }
    if (plan->clears)
        common->v_fp[target] = 0;
}

/* Step 6: the error that neuron c hears. */
static float spiking_error(const tacos_spiking *s, const SpikingLayer *y, uint32_t c) {
    const PlanHeader *plan = &s->block.plan;
    const SpikingCommon *common = &s->common;
    const float *b_fp = y->feedback + c;
    const float *b_fn = b_fp + (plan->feedback_rows - plan->n_outputs) * y->n_post;
    float error = 0;
    for (uint32_t o = 0; o < plan->n_outputs; o++) {
        if (common->s_fp[o])
            error += b_fp[o * y->n_post];
        if (common->s_fn[o])
            error -= b_fn[o * y->n_post];
    }
    return error;
}

/* Steps 6 and 7. */
static void spiking_feel(const tacos_spiking *s, SpikingLayer *y) {
    const SpikingCommon *common = &s->common;
    for (uint32_t c = 0; c < y->n_post; c++) {
        float error =
            y->feedback ? spiking_error(s, y, c) : (float)(common->s_fp[c] - common->s_fn[c]);
        float drive = neuron_feel(&y->u[c], error, y->i[c], &y->neuron);
        if (y->fresh != NO_LINE)
            y->drive[y->fresh * y->n_post + c] = drive;
    }
}

static void spiking_clear(tacos_spiking *s) {
    const PlanHeader *plan = &s->block.plan;
    s->step = 0;
    for (uint32_t l = 0; l < plan->n_layers; l++) {
        SpikingLayer *y = &s->layers[l];
        uint32_t n = y->n_post;
        memset(y->i, 0, n * sizeof *y->i);
        memset(y->v, 0, n * sizeof *y->v);
        memset(y->u, 0, n * sizeof *y->u);
        memset(y->hold, 0, n * sizeof *y->hold);
        memset(y->n_spikes, 0, n * sizeof *y->n_spikes);
        memset(y->line, 0xff, y->n_pre * sizeof *y->line); /* NO_LINE */
        memset(y->n_rows, 0, y->n_lines * sizeof *y->n_rows);
        if (y->spiked)
            memset(y->spiked, 0, n * spiking_words(plan) * sizeof *y->spiked);
    }
    if (plan->grows)
        memset(s->common.x, 0, plan->n_inputs * sizeof *s->common.x);
    memset(s->common.v_fp, 0, plan->n_outputs * sizeof *s->common.v_fp);
    memset(s->common.v_fn, 0, plan->n_outputs * sizeof *s->common.v_fn);
}

static void spiking_learn_step(tacos_spiking *s, const uint8_t *input, uint32_t target) {
    const PlanHeader *plan = &s->block.plan;
    spiking_draw(s, input, RNG_INPUT, s->n_learned);
    for (uint32_t k = 0; k < s->n_list && plan->grows; k++)
        s->common.x[s->common.list[k]] += s->block.trace[s->step];
    for (uint32_t l = 0; l < plan->n_layers; l++)
        spiking_learn_forward(s, &s->layers[l], spiking_heard(s, l));
    spiking_err(s, target);
    for (uint32_t l = 0; l < plan->n_layers; l++)
        spiking_feel(s, &s->layers[l]);
}

/* ---- a sample ends ---- */

/* X of all neurons, in the place of u. */
static void spiking_leave_traces(const tacos_spiking *s, SpikingLayer *y) {
    uint32_t words = spiking_words(&s->block.plan);
    for (uint32_t c = 0; c < y->n_post; c++) {
        y->u[c] = 0;
        for (uint32_t t = 0; t < s->block.plan.n_steps; t++)
            if (y->spiked[c * words + t / 32] >> t % 32 & 1)
                y->u[c] += s->block.trace[t];
    }
}

/* Synapse k of a row that was awake: all is paid. */
static void spiking_sleep(SpikingLayer *y, uint32_t k, float v, bool grows) {
    const SynapseRule *rule = &y->synapse;
    if (rule->decays) {
        float w_ref = y->w_ref[k];
        y->w[k] = v + w_ref;
        y->w_ref[k] = lane_fma(rule->cons_rate, v, w_ref);
    }
    if (grows && y->m_steps[k] < rule->m_ceiling)
        y->m_steps[k]++;
}

/* Synapse k, onto neuron c, slept through the sample. */
static void spiking_rest(const tacos_spiking *s, SpikingLayer *y, uint32_t k, uint32_t c) {
    const SynapseRule *rule = &y->synapse;
    float *w = &y->w[k], *w_ref = &y->w_ref[k];
    if (*w == *w_ref)
        return; /* and that remains so */
    if (y->n_spikes[c] > 0)
        synapse_rest(w, w_ref, rule->plastic ? spiking_m(y, k) : 0.0f,
                     s->block.sums[y->n_spikes[c]], rule, rule->plastic);
    else
        *w_ref = lane_fma(rule->cons_rate, *w - *w_ref, *w_ref);
}

static void spiking_end_layer(const tacos_spiking *s, uint32_t l) {
    SpikingLayer *y = &s->layers[l];
    const float *x_pre = l > 0 ? s->layers[l - 1].u : s->common.x;
    bool grows = s->block.plan.grows && s->n_learned % y->m_every == 0;
    for (uint32_t pre = 0; pre < y->n_pre; pre++) {
        bool pre_grows = grows && x_pre[pre] > y->x_pre_min;
        for (uint32_t c = 0; c < y->n_post; c++) {
            uint32_t k = pre * y->n_post + c;
            if (y->line[pre] != NO_LINE)
                spiking_sleep(y, k, spiking_pay(s, y, pre, c, s->step + 1),
                              pre_grows && y->u[c] > y->x_post_min);
            else if (y->synapse.decays)
                spiking_rest(s, y, k, c);
        }
    }
}

int tacos_spiking_learn(tacos_spiking *s, const uint8_t *input, uint32_t target) {
    const PlanHeader *plan = &s->block.plan;
    if (target >= plan->n_outputs)
        return TACOS_TARGET;
    for (spiking_clear(s); s->step < plan->n_steps; s->step++)
        spiking_learn_step(s, input, target);
    for (uint32_t l = 0; l < plan->n_layers && plan->grows; l++)
        spiking_leave_traces(s, &s->layers[l]);
    for (uint32_t l = 0; l < plan->n_layers; l++)
        spiking_end_layer(s, l);
    s->n_learned++;
    return TACOS_GOOD;
}

/* Step 11. */
int32_t tacos_spiking_predict(tacos_spiking *s, const uint8_t *input, uint64_t draw) {
    const PlanHeader *plan = &s->block.plan;
    const uint16_t *n_spikes = s->layers[plan->n_layers - 1].n_spikes;
    int32_t best = -1;
    for (spiking_clear(s); s->step < plan->n_steps; s->step++) {
        spiking_draw(s, input, RNG_PREDICT, draw);
        for (uint32_t l = 0; l < plan->n_layers; l++)
            spiking_forward(s, &s->layers[l], spiking_heard(s, l));
    }
    for (uint32_t o = 0; o < plan->n_outputs; o++)
        if (n_spikes[o] > (best < 0 ? 0 : n_spikes[best]))
            best = (int32_t)o;
    return best;
}

uint32_t tacos_spiking_count(const tacos_spiking *s, uint32_t output) {
    return s->layers[s->block.plan.n_layers - 1].n_spikes[output];
}
