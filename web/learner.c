/* learner.c - the three networks of the playground, taught and tested with the same samples. */
#include "learner.h"

#include <tacos.h>

#include <stdio.h>
#include <string.h>

/* docs/playground.md explains where these differ from the defaults. */
static const char spiking_text[] = "inputs = 256\n"
                                   "hidden = 144\n"
                                   "outputs = 2\n"
                                   "steps = 60\n"
                                   "learning_rate = 0.8\n"
                                   "threshold_hidden = 2\n"
                                   "threshold_output = 3\n"
                                   "m_threshold_hidden = 1\n"
                                   "delta_m_hidden = 0.25\n"
                                   "delta_m_output = 1.2\n"
                                   "init_w = 0.8\n"
                                   "init_b = 0.12\n"
                                   "feedback = shared\n";

static const char columns_text[] = "inputs = 256\n"
                                   "input_shape = 16, 16\n"
                                   "outputs = 64\n"
                                   "column_memory_kb = 100\n";

static const struct {
    const char *model, *text;
} configs[PLAY_NETS] = {
    [PLAY_TACOS] = {"tacos", spiking_text},
    [PLAY_PLAIN] = {"snn", spiking_text},
    [PLAY_COLUMNS] = {"columns", columns_text},
};

/* Copies to teach with; those of exams come after all of them. */
static uint64_t copy_number(uint32_t drawing, uint32_t copy) {
    return 1 + (uint64_t)drawing * PLAY_COPIES + copy;
}

static uint64_t exam_number(uint32_t drawing, uint32_t copy) {
    return (1ull << 48) + (uint64_t)drawing * PLAY_EXAM + copy;
}

typedef struct Spikes {
    uint16_t spike[PLAY_SPIKES][3]; /* group, step, neuron */
    size_t n;
} Spikes;

/* A page has one of each; nothing here is shared with anything else. */
static tacos_learner *nets[PLAY_NETS];
static uint32_t seed_of_copies;
static tacos_error error;
static SketchPoint paper[PLAY_POINTS];
static float exam[PLAY_EXAM][SKETCH_PIXELS];
static float fields[PLAY_HIDDEN][SKETCH_PIXELS];
static float mean_m[PLAY_HIDDEN];
static uint32_t counts[PLAY_THINGS];
static Spikes spikes[PLAY_SPIKING];

static int done(tacos_status status) {
    return status == TACOS_OK;
}

static int refuse(const char *why) {
    snprintf(error.text, sizeof error.text, "%s", why);
    return 0;
}

const char *play_error(void) {
    return error.text;
}

const uint32_t *play_numbers(void) {
    static const uint32_t numbers[] = {
        SKETCH_SIDE, PLAY_HIDDEN, PLAY_STEPS,   PLAY_COPIES,
        PLAY_EXAM,   PLAY_POINTS, PLAY_BASKETS, PLAY_THINGS,
    };
    return numbers;
}

/* ---- begin ---- */

static int make(uint32_t net, uint32_t seed) {
    tacos_config *config = NULL;
    int good = done(tacos_config_new(&config, &error)) &&
               done(tacos_config_parse(config, configs[net].text, "the playground", &error)) &&
               done(tacos_config_set(config, "model", configs[net].model, &error)) &&
               done(tacos_learner_new(&nets[net], config, seed, NULL, &error));
    tacos_config_free(config);
    return good;
}

static void forget_spikes(uint32_t net) {
    if (net < PLAY_SPIKING)
        spikes[net].n = 0;
}

int play_begin(uint32_t seed) {
    seed_of_copies = seed;
    for (uint32_t net = 0; net < PLAY_NETS; net++) {
        tacos_learner_free(nets[net]);
        nets[net] = NULL;
        forget_spikes(net);
        if (!make(net, seed))
            return 0;
    }
    return 1;
}

/* ---- teach and ask ---- */

SketchPoint *play_paper(void) {
    return paper;
}

static int check_drawing(size_t n_points) {
    for (uint32_t net = 0; net < PLAY_NETS; net++)
        if (!nets[net])
            return refuse("there are no networks yet");
    if (n_points < 1 || n_points > PLAY_POINTS)
        return refuse("a drawing has between 1 and 4096 points");
    return 1;
}

static void note(void *user, const tacos_spikes *told) {
    Spikes *s = user;
    for (size_t k = 0; k < told->n && s->n < PLAY_SPIKES; k++, s->n++) {
        s->spike[s->n][0] = (uint16_t)told->group;
        s->spike[s->n][1] = (uint16_t)told->step;
        s->spike[s->n][2] = (uint16_t)told->neurons[k];
    }
}

static void watch(uint32_t net) {
    if (net >= PLAY_SPIKING)
        return;
    spikes[net].n = 0;
    tacos_learner_watch(nets[net], note, &spikes[net]);
}

int play_teach(size_t n_points, uint32_t drawing, uint32_t copy, uint32_t basket, uint32_t thing) {
    float image[SKETCH_PIXELS];
    int good = check_drawing(n_points);
    if (good)
        sketch_copy(paper, n_points, seed_of_copies, copy_number(drawing, copy), image);
    for (uint32_t net = 0; net < PLAY_NETS && good; net++) {
        watch(net);
        uint32_t target = net < PLAY_SPIKING ? basket : thing;
        good = done(tacos_learner_learn(nets[net], image, SKETCH_PIXELS, target, &error));
        tacos_learner_watch(nets[net], NULL, NULL);
    }
    return good;
}

static int answer(uint32_t net, const float *image, uint64_t draw) {
    tacos_prediction said = {.output = -1};
    if (!done(tacos_learner_predict(nets[net], image, SKETCH_PIXELS, draw, &said, &error)))
        return -1;
    size_t n_outputs = net < PLAY_SPIKING ? PLAY_BASKETS : PLAY_THINGS;
    for (size_t o = 0; o < PLAY_THINGS; o++)
        counts[o] = o < n_outputs ? said.counts[o] : 0;
    return said.output;
}

int play_ask(uint32_t net, size_t n_points) {
    float image[SKETCH_PIXELS];
    if (!check_drawing(n_points))
        return -1;
    sketch_copy(paper, n_points, seed_of_copies, 0, image);
    watch(net);
    int said = answer(net, image, 0);
    tacos_learner_watch(nets[net], NULL, NULL);
    return said;
}

const uint32_t *play_counts(void) {
    return counts;
}

const uint16_t *play_spikes(uint32_t net) {
    return spikes[net].spike[0];
}

size_t play_n_spikes(uint32_t net) {
    return spikes[net].n;
}

/* ---- exams ---- */

int play_exam_draw(size_t n_points, uint32_t drawing) {
    if (!check_drawing(n_points))
        return 0;
    for (uint32_t k = 0; k < PLAY_EXAM; k++)
        sketch_copy(paper, n_points, seed_of_copies, exam_number(drawing, k), exam[k]);
    return 1;
}

float *play_exam(void) {
    return exam[0];
}

int play_exam_right(uint32_t net, uint32_t wanted) {
    int right = 0;
    for (uint32_t k = 0; k < PLAY_EXAM; k++)
        right += answer(net, exam[k], k) == (int)wanted;
    return right;
}

/* ---- weights ---- */

size_t play_bytes(uint32_t net) {
    return nets[net] ? tacos_learner_stats_get(nets[net]).model_bytes : 0;
}

const float *play_fields(uint32_t net) {
    tacos_layer_view view;
    if (!done(tacos_learner_layer(nets[net], 0, &view, &error)))
        return NULL;
    for (size_t post = 0; post < PLAY_HIDDEN; post++)
        for (size_t pre = 0; pre < SKETCH_PIXELS; pre++)
            fields[post][pre] = view.w[pre * view.stride + post];
    return fields[0];
}

const float *play_m(uint32_t net) {
    tacos_layer_view view;
    if (!done(tacos_learner_layer(nets[net], 0, &view, &error)))
        return NULL;
    for (size_t post = 0; post < PLAY_HIDDEN; post++) {
        float sum = 0;
        for (size_t pre = 0; pre < SKETCH_PIXELS; pre++)
            sum += tacos_layer_m(&view, pre, post);
        mean_m[post] = view.m_max > 0 ? sum / ((float)SKETCH_PIXELS * view.m_max) : 0;
    }
    return mean_m;
}

/* ---- files ---- */

int play_save(uint32_t net) {
    return done(tacos_learner_save(nets[net], PLAY_FILE, &error));
}

/* What is loaded must be like what is here. */
static int fits(const tacos_learner *loaded, uint32_t net) {
    static const char *const same[] = {"model",  "inputs", "outputs",
                                       "hidden", "steps",  "input_shape"};
    char theirs[64], ours[64];
    int good = nets[net] != NULL;
    for (size_t k = 0; k < sizeof same / sizeof *same && good; k++)
        good = done(tacos_learner_get(loaded, same[k], theirs, sizeof theirs, &error)) &&
               done(tacos_learner_get(nets[net], same[k], ours, sizeof ours, &error)) &&
               strcmp(theirs, ours) == 0;
    return good;
}

int play_load(uint32_t net) {
    tacos_learner *loaded;
    if (!done(tacos_learner_load(&loaded, PLAY_FILE, NULL, &error)))
        return 0;
    if (!fits(loaded, net)) {
        tacos_learner_free(loaded);
        return refuse("the network in the file is not one of this page");
    }
    tacos_learner_free(nets[net]);
    nets[net] = loaded;
    forget_spikes(net);
    return 1;
}
