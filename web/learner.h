/* learner.h - the three networks of the playground, called from its page.
 *
 * TACOS and a plain spiking network of the same size learn in which basket a drawing belongs; a
 * columns learner learns from the same samples what it is, with an output per thing. Functions that
 * can fail return 0, and play_error() has a message for users; else 1.
 *
 * The addresses of buffers never change. */
#ifndef WEB_LEARNER_H
#define WEB_LEARNER_H

#include "sketch.h"

enum {
    PLAY_TACOS,
    PLAY_PLAIN,
    PLAY_SPIKING, /* networks that spike are before the others */
    PLAY_COLUMNS = PLAY_SPIKING,
    PLAY_NETS,
};

enum {
    PLAY_POINTS = 4096, /* limit on points of a drawing, pen-ups included */
    PLAY_BASKETS = 2,   /* outputs of the networks that spike */
    PLAY_THINGS = 64,   /* outputs of columns */
    PLAY_HIDDEN = 144,
    PLAY_STEPS = 60,
    PLAY_COPIES = 25, /* per drawing that is taught */
    PLAY_EXAM = 6,    /* per drawing, to test whether it is still known */
    PLAY_SPIKES = 1 << 15,
};

const char *play_error(void);

/* The sizes that the page must know: side of an image, hidden neurons, steps, copies, copies of an
 * exam, points, baskets, things. */
const uint32_t *play_numbers(void);

/* New networks from a seed, in place of the old ones. */
int play_begin(uint32_t seed);

/* Where a drawing of up to PLAY_POINTS points is written before the calls below. */
SketchPoint *play_paper(void);

/* Teach all networks one copy of the drawing, 0 to PLAY_COPIES - 1: that it belongs in this basket,
 * and is this thing. Drawings are numbered from 0 on, so that no two have the same copies. */
int play_teach(size_t n_points, uint32_t drawing, uint32_t copy, uint32_t basket, uint32_t thing);

/* Predict the drawing itself: the basket whose neuron spikes most, the most likely thing, or -1. */
int play_ask(uint32_t net, size_t n_points);

/* Of the last prediction, for each output: spikes; of columns: score (tacos.h). [PLAY_THINGS] */
const uint32_t *play_counts(void);

/* All spikes of a spiking network's last prediction, or of the last copy that it was taught: group,
 * step, neuron of each. Groups are as in tacos.h. */
const uint16_t *play_spikes(uint32_t net);
size_t play_n_spikes(uint32_t net);

/* Copies of a drawing that are never taught, [PLAY_EXAM][SKETCH_PIXELS]. */
int play_exam_draw(size_t n_points, uint32_t drawing);
float *play_exam(void);

/* How many of the copies in play_exam() get this answer from a network. */
int play_exam_right(uint32_t net, uint32_t answer);

/* Bytes that a network must keep between samples. */
size_t play_bytes(uint32_t net);

/* The weights of the first layer of a spiking network, one image per hidden neuron:
 * [PLAY_HIDDEN][SKETCH_PIXELS]. */
const float *play_fields(uint32_t net);

/* The metaplastic state m of each hidden neuron: the mean over its synapses from the inputs, as a
 * part of m_max. All 0 in the plain network. [PLAY_HIDDEN] */
const float *play_m(uint32_t net);

/* A network to and from the file of this name; what is loaded must have the shape of what is here.
 */
#define PLAY_FILE "the network"
int play_save(uint32_t net);
int play_load(uint32_t net);

#endif
