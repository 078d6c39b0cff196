/* measures.c - compares weights with copies, and activity with that after the first task. */
#include "lab/measures.h"

#include "net/encode.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Measures {
    const TaskSplit *split;
    const Stream *stream;
    Learner *learner;
    bool activity;
    float *before, *first; /* weights before this task, after the first one; NULL: not requested */
    double *then, *now;    /* [classes of the first task][hidden neurons] mean spike counts */
    uint8_t *room;         /* of stream_show */
    size_t n_hidden;       /* of the last hidden layer */
    tacos_measure *list;
    size_t n;
};

static void add(Measures *measures, tacos_measure_kind kind, size_t k, size_t part, double value) {
    assert(measures->n < MEASURES_MAX);
    measures->list[measures->n++] = (tacos_measure){kind, (uint32_t)k + 1, (uint32_t)part, value};
}

/* ---- weights ---- */

static size_t count_weights(const Network *net) {
    size_t n = 0;
    for (size_t l = 0; l < net->n_layers; l++)
        n += net->layers[l].n_pre * net->layers[l].n_post;
    return n;
}

/* All weights, layer by layer and row by row, without the padding of rows. */
static void copy_weights(const Network *net, float *to) {
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        for (size_t j = 0; j < layer->n_pre; j++, to += layer->n_post)
            memcpy(to, layer->w + j * layer->stride, layer->n_post * sizeof *to);
    }
}

/* Mean distance of a layer's weights from a copy. */
static double mean_change(const Layer *layer, const float *from) {
    double sum = 0;
    for (size_t j = 0; j < layer->n_pre; j++)
        for (size_t i = 0; i < layer->n_post; i++)
            sum +=
                fabs((double)layer->w[j * layer->stride + i] - (double)from[j * layer->n_post + i]);
    return sum / (double)(layer->n_pre * layer->n_post);
}

static void measure_weights(Measures *measures, size_t k) {
    const Network *net = &measures->learner->net;
    size_t at = 0;
    for (size_t l = 0; l < net->n_layers; l++) {
        const Layer *layer = &net->layers[l];
        add(measures, TACOS_MEASURE_change_in_task, k, l,
            mean_change(layer, measures->before + at));
        if (k > 0)
            add(measures, TACOS_MEASURE_change_since_first, k, l,
                mean_change(layer, measures->first + at));
        at += layer->n_pre * layer->n_post;
    }
    copy_weights(net, measures->before);
    if (k == 0)
        copy_weights(net, measures->first);
}

/* ---- activity ---- */

/* Mean spike counts of the last hidden layer per class, over the scored samples of the first
 * task. */
static void find_patterns(Measures *measures, double *patterns) {
    const Network *net = &measures->learner->net;
    const TaskSamples *samples = &measures->split->test[0];
    size_t n_classes = measures->split->tasks.task[0].n_classes, n_of[TASK_CLASSES_MAX] = {0};
    Predictor *predictor = &measures->learner->predictor;
    const Events *spikes = &predictor->events[(net->n_layers - 2) % 2];
    tacos_counters unused = {0};
    memset(patterns, 0, n_classes * measures->n_hidden * sizeof *patterns);
    for (size_t i = 0; i < samples->n; i++) {
        double *pattern = patterns + samples->target[i] * measures->n_hidden;
        uint32_t image = samples->image[i];
        n_of[samples->target[i]]++;
        const uint8_t *pixels =
            stream_show(measures->stream, 0, measures->split->scored, image, measures->room);
        show_pixels(net, pixels, RNG_PREDICT, image, &predictor->raster);
        (void)sample_predict(net, predictor, &unused);
        for (size_t s = 0; s < spikes->at[spikes->n_steps]; s++)
            pattern[spikes->row[s]]++;
    }
    for (size_t c = 0; c < n_classes; c++)
        for (size_t j = 0; j < measures->n_hidden; j++)
            patterns[c * measures->n_hidden + j] /= n_of[c] ? (double)n_of[c] : 1;
}

/* NaN if one of them is silent, since it has no direction. */
static double cosine(const double *a, const double *b, size_t n) {
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < n; i++) {
        ab += a[i] * b[i];
        aa += a[i] * a[i];
        bb += b[i] * b[i];
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : NAN;
}

static void measure_activity(Measures *measures, size_t k) {
    size_t n = measures->n_hidden;
    find_patterns(measures, k == 0 ? measures->then : measures->now);
    for (size_t c = 0; k > 0 && c < measures->split->tasks.task[0].n_classes; c++) {
        double value = cosine(measures->then + c * n, measures->now + c * n, n);
        if (isfinite(value))
            add(measures, TACOS_MEASURE_similarity, k, c, value);
    }
}

/* ---- interface ---- */

static bool allocate(Measures *measures, MeasureWish wish) {
    const Network *net = &measures->learner->net;
    size_t n_weights = count_weights(net);
    measures->list = calloc(MEASURES_MAX, sizeof *measures->list);
    if (!measures->list)
        return false;
    if (wish != MEASURE_ACTIVITY) {
        measures->before = calloc(n_weights + 1, sizeof *measures->before);
        measures->first = calloc(n_weights + 1, sizeof *measures->first);
        if (!measures->before || !measures->first)
            return false;
    }
    if (measures->activity) {
        measures->then = calloc(TASK_CLASSES_MAX * measures->n_hidden, sizeof *measures->then);
        measures->now = calloc(TASK_CLASSES_MAX * measures->n_hidden, sizeof *measures->now);
        measures->room = malloc(stream_room(measures->stream));
        if (!measures->then || !measures->now || !measures->room)
            return false;
    }
    return true;
}

tacos_status measures_new(Measures **out, MeasureWish wish, const TaskSplit *split,
                          const Stream *stream, Learner *learner, tacos_error *err) {
    const Network *net = &learner->net;
    *out = NULL;
    if (wish == MEASURE_NONE)
        return TACOS_OK;
    Measures *measures = calloc(1, sizeof *measures);
    if (!measures)
        return failure(err, TACOS_MEMORY, "no memory to measure");
    measures->split = split;
    measures->stream = stream;
    measures->learner = learner;
    measures->activity = wish != MEASURE_WEIGHTS && net->n_layers > 1;
    measures->n_hidden = net->n_layers > 1 ? net->layers[net->n_layers - 2].n_post : 0;
    if (!allocate(measures, wish)) {
        measures_free(measures);
        return failure(err, TACOS_MEMORY, "no memory to measure");
    }
    if (measures->before)
        copy_weights(net, measures->before);
    *out = measures;
    return TACOS_OK;
}

void measures_free(Measures *measures) {
    if (!measures)
        return;
    free(measures->before);
    free(measures->first);
    free(measures->then);
    free(measures->now);
    free(measures->room);
    free(measures->list);
    free(measures);
}

void measures_after(Measures *measures, size_t k) {
    if (!measures)
        return;
    learner_settle(measures->learner);
    if (measures->before)
        measure_weights(measures, k);
    if (measures->activity)
        measure_activity(measures, k);
}

static void move_entry(Pack *pack, tacos_measure *entry) {
    entry->kind = (tacos_measure_kind)pack_whole(pack, (uint64_t)entry->kind, 4);
    entry->after_task = (uint32_t)pack_whole(pack, entry->after_task, 4);
    entry->part = (uint32_t)pack_whole(pack, entry->part, 4);
    entry->value = pack_real(pack, entry->value);
}

bool measures_move(Measures *measures, Pack *pack) {
    if (!measures)
        return true;
    size_t n_weights = count_weights(&measures->learner->net);
    measures->n = (size_t)pack_whole(pack, measures->n, 8);
    if (measures->n > MEASURES_MAX)
        return false;
    for (size_t i = 0; i < measures->n; i++)
        move_entry(pack, &measures->list[i]);
    if (measures->before) {
        pack_floats(pack, measures->before, 1, n_weights, n_weights);
        pack_floats(pack, measures->first, 1, n_weights, n_weights);
    }
    if (measures->activity)
        pack_reals(pack, measures->then, TASK_CLASSES_MAX * measures->n_hidden);
    return pack_checksum(pack);
}

void measures_give(Measures *measures, tacos_run *run) {
    if (!measures)
        return;
    run->measures = measures->list;
    run->n_measures = measures->n;
    measures->list = NULL;
}
