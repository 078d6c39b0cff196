/* arena.c - a learner in a fixed array, without malloc; memory is never returned.
 *
 *   cc -O2 arena.c -Wl,--gc-sections -l:libtacos.a -lm -pthread -o arena
 *
 * It learns to tell a low tone from a high one by eight channels of a filter bank. */
#include <tacos.h>

#include <stdint.h>
#include <stdio.h>

enum { N_CHANNELS = 8, N_SAMPLES = 200, ARENA_BYTES = 256 * 1024 };

/* A bump allocator. */
typedef struct Arena {
    _Alignas(64) uint8_t bytes[ARENA_BYTES];
    size_t used;
} Arena;

static Arena arena;

static void *take(void *user, size_t n_bytes, size_t alignment) {
    Arena *from = user;
    size_t at = (from->used + alignment - 1) / alignment * alignment;
    if (n_bytes > sizeof from->bytes || at > sizeof from->bytes - n_bytes)
        return NULL;
    from->used = at + n_bytes;
    return from->bytes + at;
}

/* A little different every time: the k-th sample of a tone. */
static void listen(float channels[N_CHANNELS], unsigned k, unsigned tone) {
    for (unsigned c = 0; c < N_CHANNELS; c++) {
        unsigned distance = c > 2 + 3 * tone ? c - 2 - 3 * tone : 2 + 3 * tone - c;
        channels[c] = distance < 3 ? 0.3f * (float)(3 - distance) : 0;
        channels[c] += 0.02f * (float)((k * 7 + c * 3) % 5);
    }
}

/* With few inputs and few samples the default's rate, which is for MNIST, is too slow. */
static const char settings[] =
    "inputs = 8\nhidden = 32\noutputs = 2\nsteps = 60\nlearning_rate = 0.1\n";

static int learn_and_answer(tacos_error *err) {
    const tacos_allocator from = {take, /* nothing comes back */ NULL, &arena};
    tacos_config *config;
    tacos_learner *learner;
    float channels[N_CHANNELS];
    unsigned n_right = 0;
    if (tacos_config_new_from(&config, &from, err) != TACOS_OK ||
        tacos_config_parse(config, settings, "settings", err) != TACOS_OK ||
        tacos_learner_new(&learner, config, /* seed */ 1, &from, err) != TACOS_OK)
        return 0;
    for (unsigned k = 0; k < N_SAMPLES; k++) {
        tacos_prediction answer;
        unsigned tone = k % 3 % 2;
        listen(channels, k, tone);
        if (tacos_learner_predict(learner, channels, N_CHANNELS, k, &answer, err) != TACOS_OK ||
            tacos_learner_learn(learner, channels, N_CHANNELS, tone, err) != TACOS_OK)
            return 0;
        n_right += k >= N_SAMPLES / 2 && answer.output == (int)tone;
    }
    printf("%zu bytes of %d; %u of the last %d tones were right\n", arena.used, ARENA_BYTES,
           n_right, N_SAMPLES / 2);
    return 1;
}

int main(void) {
    static char line[256];
    tacos_error err;
    setvbuf(stdout, line, _IOLBF, sizeof line); /* else the C library would allocate one */
    setvbuf(stderr, NULL, _IONBF, 0);
    if (learn_and_answer(&err))
        return 0;
    fprintf(stderr, "arena: %s\n", err.text);
    return 1;
}
