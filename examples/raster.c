/* raster.c - spikes in, as a sensor gives them: no intensities, nothing random.
 *
 * A raster has one row of bytes per time step, with one byte per input: 1 where that input spikes.
 * Here eight touch sensors feel a finger that strokes or taps; the learner hears each touch once,
 * answers, and is then told what it was.
 *
 *   cc -O2 raster.c $(pkg-config --cflags --libs tacos) -o raster */
#include <tacos.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_INPUTS = 8, N_STEPS = 40, N_TOUCHES = 120 };
typedef uint8_t Raster[N_STEPS][N_INPUTS];

/* One line per sensor, one character per step of 1 ms. */
static const char *const touches[2][N_INPUTS] = {
    {
        "|.|.|.|.................|.|.|.|.........", /* a stroke goes over all of them */
        "....|.|.|.|.................|.|.|.|.....",
        "........|.|.|.|.................|.|.|.|.",
        "............|.|.|.|.................|.|.",
        "................|.|.|.|.................",
        "....................|.|.|.|.............",
        "........................|.|.|.|.........",
        "............................|.|.|.|.....",
    },
    {
        "........................................", /* a tap stays where it is */
        "........................................",
        "||..||..||..||..||..||..||..||..||..||..",
        "||||||||||||||||||||||||||||||||||||||||",
        "||||||||||||||||||||||||||||||||||||||||",
        "||..||..||..||..||..||..||..||..||..||..",
        "........................................",
        "........................................",
    },
};

/* With few inputs and few samples the default's rate, which is for MNIST, is too slow. */
static const char settings[] =
    "inputs = 8\nhidden = 64\noutputs = 2\nsteps = 40\nlearning_rate = 0.1\n";

/* A touch that begins `late` steps later. */
static void feel(Raster raster, size_t touch, size_t late) {
    memset(raster, 0, sizeof(Raster));
    for (size_t step = late; step < N_STEPS; step++)
        for (size_t i = 0; i < N_INPUTS; i++)
            raster[step][i] = touches[touch][i][step - late] == '|';
}

static void must(tacos_status status, const tacos_error *err) {
    if (status == TACOS_OK)
        return;
    fprintf(stderr, "raster: %s\n", err->text);
    exit(EXIT_FAILURE);
}

int main(void) {
    tacos_config *config;
    tacos_learner *learner;
    tacos_error err;
    int n_right = 0;
    must(tacos_config_new(&config, &err), &err);
    must(tacos_config_parse(config, settings, "settings", &err), &err);
    must(tacos_learner_new(&learner, config, /* seed */ 1, /* malloc */ NULL, &err), &err);
    tacos_config_free(config);
    for (size_t k = 0; k < N_TOUCHES; k++) {
        Raster raster;
        tacos_prediction answer;
        size_t touch = k % 3 % 2;
        feel(raster, touch, k % 7);
        must(tacos_learner_predict_spikes(learner, &raster[0][0], N_STEPS, N_INPUTS, &answer, &err),
             &err);
        must(tacos_learner_learn_spikes(learner, &raster[0][0], N_STEPS, N_INPUTS, touch, &err),
             &err);
        n_right += k >= N_TOUCHES / 2 && answer.output == (int)touch;
    }
    printf("%d of the last %d touches were right\n", n_right, N_TOUCHES / 2);
    tacos_learner_free(learner);
    return 0;
}
