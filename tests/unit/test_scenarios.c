/* test_scenarios.c - outputs, streams, pixels and answers as the keys scenario, blur, permute,
 * centre, soften and silence want them. */
#include "data/preprocess.h"
#include "lab/protocol.h"
#include "net/encode.h"
#include "lab/stream.h"
#include "net/learner.h"
#include "check.h"

#include <math.h>
#include <stdlib.h>

enum { CLASSES = 8, SIDE = 6, PIXELS = SIDE * SIDE };

/* ---- Toy data -------------------------------------------------------------------------------- */

/* `each` images of every class, class c one more than class c - 1; a pattern with some noise. */
static void draw_images(Images *images, size_t each, Dice *dice) {
    uint32_t pattern[CLASSES][2];
    *images = (Images){.height = SIDE, .width = SIDE, .channels = 1};
    images->pixels = malloc(CLASSES * (each + CLASSES) * PIXELS);
    images->labels = malloc(CLASSES * (each + CLASSES) * sizeof *images->labels);
    assert_true(images->pixels && images->labels);
    for (size_t c = 0; c < CLASSES; c++) {
        memcpy(pattern[c], rng_block(7, (RngPurpose)98, c, 0, 0).word, sizeof pattern[c]);
        for (size_t i = 0; i < each + c; i++, images->n++) {
            images->labels[images->n] = (uint16_t)c;
            for (size_t j = 0; j < PIXELS; j++) {
                bool ink = pattern[c][j / 32] >> j % 32 & 1;
                images->pixels[images->n * PIXELS + j] = ink != (roll(dice, 0, 1) < 0.1) ? 255 : 0;
            }
        }
    }
}

typedef struct World {
    Dataset data;
    TaskSplits *splits;
} World;

static int make_world(World *world, size_t each) {
    Dice dice = {3, 0};
    tacos_error err;
    world->data = (Dataset){.n_classes = CLASSES};
    draw_images(&world->data.train, each, &dice);
    draw_images(&world->data.test, 12, &dice);
    assert_succeeds(task_splits_new(&world->splits, NULL, &err));
    assert_succeeds(task_splits_lend(world->splits, "glyphs", &world->data, &err));
    return 0;
}

static World small, large; /* read only, but for the splits in them */

static int make_worlds(void **state) {
    (void)state;
    return make_world(&small, 30) || make_world(&large, 1000);
}

static int free_worlds(void **state) {
    (void)state;
    for (World *world = &small; world; world = world == &small ? &large : NULL) {
        task_splits_free(world->splits);
        dataset_free(&world->data);
    }
    return 0;
}

static ExperimentParams wish(const char *tasks) {
    ExperimentParams own;
    keys_defaults(experiment_table, &own);
    strcpy(own.tasks, tasks);
    return own;
}

static const TaskSplit *split_of(const World *world, const ExperimentParams *own) {
    const TaskSplit *split;
    tacos_error err;
    assert_succeeds(task_splits_get(world->splits, own, &split, &err));
    return split;
}

static Stream open_stream(const TaskSplit *split, uint32_t seed) {
    Stream stream;
    tacos_error err;
    assert_succeeds(stream_open(&stream, split, seed, &err));
    return stream;
}

/* ---- Outputs --------------------------------------------------------------------------------- */

static void targets_are(int scenario, size_t n_outputs, size_t t, const uint16_t *output_of) {
    ExperimentParams own = wish("5-2,2-7-0,5-0");
    own.scenario = scenario;
    const TaskSplit *split = split_of(&small, &own);
    Experiment experiment, settled;
    tacos_error err;
    experiment_defaults(&experiment);
    assert_succeeds(task_split_settle(split, &experiment, &settled, &err));
    assert_int_equal(settled.learner.n_outputs, n_outputs);
    for (size_t i = 0; i < split->test[t].n; i++) {
        uint16_t label = split->scored->labels[split->test[t].image[i]];
        assert_int_equal(split->test[t].target[i], output_of[label]);
    }
    Stream stream = open_stream(split, 1);
    for (size_t i = 0; i < stream.end[2]; i++)
        if (stream.samples[i].task == t) {
            uint16_t label = split->data->train.labels[stream.samples[i].image];
            assert_int_equal(stream.samples[i].target, output_of[label]);
        }
    stream_close(&stream);
}

static void each_scenario_has_its_outputs(void **state) {
    static const uint16_t shared[3][CLASSES] = {
        {[5] = 0, [2] = 1}, {[2] = 0, [7] = 1, [0] = 2}, {[5] = 0, [0] = 1}};
    static const uint16_t own[CLASSES] = {[5] = 0, [2] = 1, [7] = 2, [0] = 3};
    (void)state;
    for (size_t t = 0; t < 3; t++) {
        targets_are(SCENARIO_DOMAIN, 3, t, shared[t]);
        targets_are(SCENARIO_CLASS, 4, t, own);
        targets_are(SCENARIO_TASK, 4, t, own);
    }
}

/* As many outputs as classes are possible, so no choice of tasks has too many. */
static void outputs_are_never_too_many(void **state) {
    (void)state;
    assert_true(keys_find(params_table, "outputs")->max >= CLASSES_MAX);
    assert_true(CLASSES_MAX <= UINT16_MAX);
}

static void a_task_of_one_class_cannot_be_told(void **state) {
    ExperimentParams own = wish("0-1,2");
    const TaskSplit *split;
    tacos_error err;
    (void)state;
    own.scenario = SCENARIO_TASK;
    assert_fails(task_splits_get(small.splits, &own, &split, &err), TACOS_INVALID);
    assert_says(err, "task 2 has only one class");
    own.scenario = SCENARIO_CLASS;
    assert_succeeds(task_splits_get(small.splits, &own, &split, &err));
    assert_int_equal(split->tasks.n_outputs, 3);
}

static void stages_differ_by_every_key(void **state) {
    enum { WISHES = 7 };
    ExperimentParams own[WISHES];
    (void)state;
    for (size_t k = 0; k < WISHES; k++)
        own[k] = wish("0-1,2-3");
    own[1].scenario = SCENARIO_CLASS;
    own[2].permute = PERMUTE_PIXELS;
    own[3].blur = 0.5;
    own[4].centre = CENTRE_MASS;
    own[5].soften = 1;
    own[6].silence = SILENCE_WRONG;
    for (size_t k = 0; k < WISHES; k++)
        for (size_t l = 0; l < WISHES; l++)
            assert_true((split_of(&small, &own[k]) == split_of(&small, &own[l])) == (k == l));
}

static double cost_of(const TaskSplit *split, const char *hidden) {
    Experiment experiment, settled;
    tacos_error err;
    experiment_defaults(&experiment);
    assert_succeeds(tacos_experiment_set(&experiment, "hidden", hidden, &err));
    assert_succeeds(task_split_settle(split, &experiment, &settled, &err));
    return task_split_cost(split, &settled);
}

/* What takes longest is begun first, so the estimate must have the order right. */
static void wide_and_many_layers_cost_most(void **state) {
    ExperimentParams own = wish("0-1,2-3");
    const TaskSplit *split = split_of(&large, &own);
    static const char *const order[] = {"none", "10", "200", "1000", "1000,10"};
    (void)state;
    for (size_t k = 1; k < sizeof order / sizeof *order; k++)
        assert_true(cost_of(split, order[k]) > cost_of(split, order[k - 1]));
}

/* ---- Stream ---------------------------------------------------------------------------------- */

/* The order without blur, made task by task. */
static StreamSample *plain_order(const TaskSplit *split, uint32_t seed) {
    Experiment experiment;
    experiment_defaults(&experiment);
    StreamSample *all = malloc(task_split_samples(split, &experiment) * sizeof *all);
    size_t n = 0;
    tacos_error err;
    assert_non_null(all);
    for (size_t t = 0; t < split->tasks.n; t++) {
        TaskSamples samples;
        assert_succeeds(task_samples_shuffled(&samples, &split->data->train, &split->tasks, t,
                                              task_split_learned(split), seed, &err));
        for (size_t i = 0; i < samples.n; i++)
            all[n++] = (StreamSample){samples.image[i], samples.target[i], (uint16_t)t};
        task_samples_free(&samples);
    }
    return all;
}

static bool same_samples(const StreamSample *a, const StreamSample *b, size_t n) {
    return memcmp(a, b, n * sizeof *a) == 0;
}

static const TaskSplit *blurred(const World *world, double blur, size_t samples_per_task) {
    ExperimentParams own = wish("0-1,7,2-3-4,0-1"); /* of different lengths; one comes twice */
    own.blur = blur;
    own.samples_per_task = samples_per_task;
    return split_of(world, &own);
}

static void without_blur_tasks_follow_each_other(void **state) {
    static const double blurs[] = {0, 1e-4}; /* a hundredth of a sample is as good as nothing */
    static const size_t limits[] = {0, 50};
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        const TaskSplit *split = blurred(&small, blurs[k % 2], limits[k / 2]);
        Stream stream = open_stream(split, 5), other = open_stream(split, 6);
        StreamSample *plain = plain_order(split, 5);
        size_t n = 0;
        for (size_t t = 0; t < 4; t++) {
            n += split->n_train[t];
            assert_int_equal(stream.end[t], n);
        }
        assert_true(same_samples(stream.samples, plain, n));
        assert_false(same_samples(other.samples, plain, n));
        stream_close(&stream);
        stream_close(&other);
        free(plain);
    }
}

/* Where in its task's own order a sample of the stream comes. */
static size_t rank_of(const TaskSplit *split, const StreamSample *plain, const Stream *stream,
                      const StreamSample *sample) {
    size_t i = stream->end[sample->task] - split->n_train[sample->task];
    while (!same_samples(&plain[i], sample, 1))
        assert_true(++i < stream->end[sample->task]);
    return i - (stream->end[sample->task] - split->n_train[sample->task]);
}

static void a_blurred_stream_has_every_sample_once_by_place(void **state) {
    static const double blurs[] = {0.05, 0.3, 1};
    (void)state;
    for (size_t b = 0; b < 3; b++) {
        const TaskSplit *split = blurred(&small, blurs[b], 0);
        Stream stream = open_stream(split, 5);
        StreamSample *plain = plain_order(split, 5);
        size_t n = stream.end[3], next[4] = {0};
        bool *seen = calloc(n, sizeof *seen);
        double last = -2, furthest = 0;
        assert_non_null(seen);
        for (size_t k = 0; k < n; k++) {
            size_t t = stream.samples[k].task, length = split->n_train[t];
            size_t i = rank_of(split, plain, &stream, &stream.samples[k]);
            double nominal = (double)t + ((double)i + 0.5) / (double)length;
            double place = stream_place(t, i, length, blurs[b], 5);
            assert_false(seen[stream.end[t] - length + i]);
            seen[stream.end[t] - length + i] = true;
            assert_true(place > last);
            last = place;
            assert_true(fabs(place - nominal) <= blurs[b]);
            furthest = fmax(furthest, fabs(place - nominal));
            next[t]++;
        }
        for (size_t t = 0; t < 4; t++)
            assert_int_equal(next[t], split->n_train[t]);
        assert_true(furthest > 0.95 * blurs[b]);
        free(seen);
        free(plain);
        stream_close(&stream);
    }
}

static void blurring_is_the_seeds_own(void **state) {
    const TaskSplit *split = blurred(&small, 0.5, 0);
    Stream a = open_stream(split, 1), again = open_stream(split, 1), other = open_stream(split, 2);
    (void)state;
    assert_true(same_samples(a.samples, again.samples, a.end[3]));
    assert_false(same_samples(a.samples, other.samples, a.end[3]));
    stream_close(&a);
    stream_close(&again);
    stream_close(&other);
}

static double shift_of(size_t k) { /* of four seeds, tasks and samples */
    uint32_t seed = (uint32_t)(k / 16);
    return stream_place(k / 4 % 4, k % 4, 4, 1, seed) - stream_place(k / 4 % 4, k % 4, 4, 0, seed);
}

static void no_two_shifts_are_alike(void **state) {
    (void)state;
    for (size_t k = 0; k < 64; k++)
        for (size_t l = 0; l < k; l++)
            assert_true(fabs(shift_of(k) - shift_of(l)) > 1e-9);
}

/* Of shifts that are uniform in +-blur, a share of blur / 4 of a task crosses its end. */
static void as_many_cross_a_boundary_as_should(void **state) {
    static const double blurs[] = {0.2, 0.6, 1};
    (void)state;
    for (size_t b = 0; b < 3; b++) {
        ExperimentParams own = wish("0-1,2-3");
        own.blur = blurs[b];
        own.samples_per_task = 2000;
        Stream stream = open_stream(split_of(&large, &own), 9);
        size_t later = 0, earlier = 0;
        double expected = 2000 * blurs[b] / 4;
        for (size_t k = 0; k < 4000; k++) {
            later += k >= stream.end[0] && stream.samples[k].task == 0;
            earlier += k < stream.end[0] && stream.samples[k].task == 1;
        }
        assert_int_equal(stream.end[0], 2000);
        assert_int_equal(later, earlier);
        assert_true(fabs((double)later - expected) < 5 * sqrt(expected));
        stream_close(&stream);
    }
}

/* ---- Pixels ---------------------------------------------------------------------------------- */

static const TaskSplit *permuted(const char *tasks) {
    ExperimentParams own = wish(tasks);
    own.permute = PERMUTE_PIXELS;
    return split_of(&small, &own);
}

static void pixels_are_permuted_from_the_second_task_on(void **state) {
    const TaskSplit *split = permuted("0-1,0-1,0-1");
    const Images *images = &split->data->train;
    Stream stream = open_stream(split, 1), again = open_stream(split, 1),
           other = open_stream(split, 2);
    uint8_t room[PIXELS];
    (void)state;
    assert_ptr_equal(stream_show(&stream, 0, images, 3, room), images->pixels + 3 * PIXELS);
    for (size_t t = 1; t < 3; t++) {
        const uint32_t *order = stream.order + (t - 1) * PIXELS;
        bool seen[PIXELS] = {false};
        assert_ptr_equal(stream_show(&stream, t, images, 3, room), room);
        for (size_t j = 0; j < PIXELS; j++) {
            assert_true(order[j] < PIXELS && !seen[order[j]]);
            seen[order[j]] = true;
            assert_int_equal(room[j], images->pixels[3 * PIXELS + order[j]]);
        }
    }
    assert_memory_equal(stream.order, again.order, 2 * PIXELS * sizeof *stream.order);
    assert_memory_not_equal(stream.order, other.order, PIXELS * sizeof *stream.order);
    assert_memory_not_equal(stream.order, stream.order + PIXELS, PIXELS * sizeof *stream.order);
    stream_close(&stream);
    stream_close(&again);
    stream_close(&other);
}

static void without_permute_nothing_is_moved(void **state) {
    ExperimentParams own = wish("0-1,0-1");
    Stream stream = open_stream(split_of(&small, &own), 1);
    const Images *images = &small.data.test;
    (void)state;
    assert_null(stream.order);
    assert_ptr_equal(stream_show(&stream, 1, images, 2, NULL), images->pixels + 2 * PIXELS);
    stream_close(&stream);
    stream = open_stream(permuted("0-1"), 1); /* the first task is never */
    assert_ptr_equal(stream_show(&stream, 0, images, 2, NULL), images->pixels + 2 * PIXELS);
    stream_close(&stream);
}

/* Centred first, softened then, permuted last; each alone and with the others. */
static void an_image_is_looked_at_before_it_is_permuted(void **state) {
    (void)state;
    for (size_t k = 0; k < 8; k++) {
        ExperimentParams own = wish("0-1,0-1");
        own.centre = k & 1 ? CENTRE_MASS : CENTRE_NONE;
        own.soften = k & 2 ? 1 : 0;
        own.permute = k & 4 ? PERMUTE_PIXELS : PERMUTE_NONE;
        const TaskSplit *split = split_of(&small, &own);
        const Images *images = &split->data->test;
        Stream stream = open_stream(split, 1);
        uint8_t room[2 * PIXELS], a[PIXELS], b[PIXELS];
        assert_int_equal(stream_room(&stream), sizeof room);
        for (size_t i = 0; i < images->n; i++) {
            memcpy(a, images->pixels + i * PIXELS, PIXELS);
            if (k & 1) {
                preprocess_centre(a, SIDE, SIDE, 1, b);
                memcpy(a, b, PIXELS);
            }
            if (k & 2) {
                preprocess_soften(a, SIDE, SIDE, 1, 1, b);
                memcpy(a, b, PIXELS);
            }
            assert_memory_equal(stream_show(&stream, 0, images, i, room), a, PIXELS);
            for (size_t j = 0; j < PIXELS; j++)
                b[j] = k & 4 ? a[stream.order[j]] : a[j];
            assert_memory_equal(stream_show(&stream, 1, images, i, room), b, PIXELS);
        }
        stream_close(&stream);
    }
}

/* The first pixel comes from each place equally often, to 5 sigma. */
static void a_permutation_favours_no_place(void **state) {
    enum { SEEDS = 2000 };
    const TaskSplit *split = permuted("0-1,0-1");
    size_t times[2][PIXELS] = {{0}};
    double mean = (double)SEEDS / PIXELS;
    (void)state;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        Stream stream = open_stream(split, seed);
        times[0][stream.order[0]]++;
        times[1][stream.order[PIXELS - 1]]++;
        stream_close(&stream);
    }
    for (size_t k = 0; k < 2 * PIXELS; k++)
        assert_true(fabs((double)times[k / PIXELS][k % PIXELS] - mean) < 5 * sqrt(mean));
}

/* ---- Runs ------------------------------------------------------------------------------------ */

/* Few pixels and few neurons, but lively ones: outputs must spike for a score to mean anything. */
static Experiment tiny(const TaskSplit *split) {
    static const char *const keys[][2] = {
        {"hidden", "24"}, {"steps", "80"}, {"input_rate_hz", "600"}, {"r_hidden", "5"}};
    Experiment experiment, settled;
    tacos_error err;
    experiment_defaults(&experiment);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        assert_succeeds(tacos_experiment_set(&experiment, keys[k][0], keys[k][1], &err));
    assert_succeeds(task_split_settle(split, &experiment, &settled, &err));
    return settled;
}

static tacos_run run_stage(const TaskSplit *split, size_t n_threads) {
    Experiment settled = tiny(split);
    tacos_run run;
    tacos_error err;
    assert_succeeds(
        protocol_run(&run, split, &settled, 5, &(ProtocolOptions){.n_threads = n_threads}, &err));
    return run;
}

/* Show an image as its task does. */
static void show_by_hand(Learner *learner, const Stream *stream, size_t t, const Images *images,
                         size_t image, RngPurpose purpose, Raster *raster) {
    uint8_t soft[PIXELS], moved[PIXELS];
    preprocess_soften(images->pixels + image * PIXELS, SIDE, SIDE, 1, stream->look.soften,
                      soft); /* 0: as it is */
    for (size_t j = 0; j < PIXELS; j++) {
        size_t from = t > 0 && stream->order ? stream->order[(t - 1) * PIXELS + j] : j;
        moved[j] = soft[from];
    }
    show_pixels(&learner->net, moved, purpose,
                purpose == RNG_INPUT ? learner->net.n_learned : image, raster);
}

/* Is this the output that counts as the answer? The strongest of all, or of those with classes of
 * task t; the lowest on a tie, which silence is too, if it is no mistake. */
static bool is_answer(const TaskSplit *split, size_t t, const uint32_t *counts, size_t output) {
    bool rival[CLASSES] = {false};
    for (size_t u = 0; u < split->tasks.n; u++)
        for (size_t k = 0; k < split->tasks.task[u].n_classes; k++)
            rival[split->tasks.task[u].outputs[k]] |=
                split->params.scenario != SCENARIO_TASK || u == t;
    for (size_t o = 0; o < CLASSES; o++)
        if (rival[o] && (counts[o] > counts[output] || (counts[o] == counts[output] && o < output)))
            return false;
    return counts[output] > 0 || split->params.silence == SILENCE_FIRST;
}

static double score_by_hand(Learner *learner, const Stream *stream, const TaskSplit *split,
                            size_t t) {
    const TaskSamples *test = &split->test[t];
    size_t right = 0;
    learner_settle(learner);
    for (size_t i = 0; i < test->n; i++) {
        show_by_hand(learner, stream, t, split->scored, test->image[i], RNG_PREDICT,
                     &learner->predictor.raster);
        (void)learner_predict(learner);
        right += is_answer(split, t, learner->predictor.counts, test->target[i]);
    }
    return 100.0 * (double)right / (double)test->n;
}

/* The same run without the protocol. */
static void assert_run_by_hand(const TaskSplit *split, const tacos_run *run) {
    Experiment settled = tiny(split);
    Stream stream = open_stream(split, 5);
    size_t n = split->tasks.n, at = 0;
    Learner *learner;
    tacos_error err;
    assert_succeeds(learner_new(&learner, &settled.learner, 5, NULL, &err));
    for (size_t t = 0; t < n; t++)
        assert_true(run->b[t] == score_by_hand(learner, &stream, split, t));
    for (size_t k = 0; k < n; k++) {
        for (size_t end = at + split->n_train[k]; at < end; at++) {
            const StreamSample *sample = &stream.samples[at];
            show_by_hand(learner, &stream, sample->task, &split->data->train, sample->image,
                         RNG_INPUT, &learner->scratch.raster);
            learner_learn(learner, sample->target);
        }
        for (size_t t = 0; t < n; t++)
            assert_true(run->R[k * n + t] == score_by_hand(learner, &stream, split, t));
    }
    assert_int_equal(run->model_digest, tacos_learner_digest(learner));
    tacos_learner_free(learner);
    stream_close(&stream);
}

/* Every scenario, with and without permutation and blur; blurred ones are softened, too. */
static const TaskSplit *combination(size_t k, Silence silence) {
    ExperimentParams own = wish("0-1,3-2,1-0,4-5-6");
    own.scenario = (int)(k % 3);
    own.silence = (int)silence;
    own.permute = (int)(k / 3 % 2);
    own.blur = k / 6 ? 0.4 : 0;
    own.soften = k / 6;
    return split_of(&small, &own);
}

static void runs_are_what_the_keys_say(void **state) {
    uint32_t digests[12];
    (void)state;
    for (size_t k = 0; k < 12; k++) {
        const TaskSplit *split = combination(k, SILENCE_FIRST);
        tacos_run run = run_stage(split, 1), shared = run_stage(split, 2);
        if (!THREADS_ARE_WATCHED) /* slow there, and a matter of one thread */
            assert_run_by_hand(split, &run);
        assert_memory_equal(run.R, shared.R, 16 * sizeof *run.R);
        assert_int_equal(run.model_digest, shared.model_digest);
        digests[k] = run.model_digest;
        for (size_t l = 0; l < k; l++) /* class and task learn the same, all others not */
            assert_true((digests[k] == digests[l]) == (k % 3 == 2 && l == k - 1));
        run_free(&run);
        run_free(&shared);
    }
}

/* Silence answered with the first output is sometimes right. Nothing else differs: not what is
 * learned, and not how many samples are silent. */
static void silence_changes_the_score_alone(void **state) {
    double before = 0, after = 0;
    (void)state;
    for (size_t k = 0; k < 12; k++) {
        const TaskSplit *split = combination(k, SILENCE_WRONG);
        tacos_run first = run_stage(combination(k, SILENCE_FIRST), 2), wrong = run_stage(split, 2);
        if (!THREADS_ARE_WATCHED)
            assert_run_by_hand(split, &wrong);
        assert_int_equal(first.model_digest, wrong.model_digest);
        assert_true(*run_silent(&first) == *run_silent(&wrong));
        for (size_t i = 0; i < 16; i++) {
            assert_true(first.R[i] >= wrong.R[i]);
            after += first.R[i] - wrong.R[i];
        }
        for (size_t t = 0; t < 4; t++) {
            assert_true(first.b[t] >= wrong.b[t]);
            before += first.b[t] - wrong.b[t];
        }
        run_free(&first);
        run_free(&wrong);
    }
    assert_true(before > 0 && after > 0);
}

/* Outputs that never spike: every sample is silent, and answered with the first output there is, or
 * with the first of its task. Classes have as many samples as their number, and 12 more. */
static void all_silent_is_all_first(void **state) {
    static const double right[3][4] = {
        {12 / 25., 15 / 29., 13 / 25., 16 / 51.}, /* classes 0, 3, 1 and 4 share output 0 */
        {12 / 25., 0, 12 / 25., 0},               /* class 0 has it alone */
        {12 / 25., 15 / 29., 12 / 25., 16 / 51.}, /* of 3-2 output 2, of 1-0 output 0 again */
    };
    (void)state;
    for (size_t k = 0; k < 3; k++)
        for (int silence = SILENCE_FIRST; silence <= SILENCE_WRONG; silence++) {
            const TaskSplit *split = combination(k, (Silence)silence);
            Experiment settled = tiny(split);
            tacos_run run;
            tacos_error err;
            settled.learner.threshold_output = 1e5;
            assert_succeeds(
                protocol_run(&run, split, &settled, 5, &(ProtocolOptions){.n_threads = 1}, &err));
            assert_true(*run_silent(&run) == 100);
            for (size_t i = 0; i < 20; i++) {
                double score = i < 16 ? run.R[i] : run.b[i - 16];
                double wanted = silence == SILENCE_FIRST ? 100 * right[k][i % 4] : 0;
                assert_true(fabs(score - wanted) < 1e-9);
            }
            run_free(&run);
        }
}

/* Who is told the task has fewer rivals, and guesses among fewer. */
static void being_told_the_task_only_helps(void **state) {
    (void)state;
    for (size_t k = 0; k < 8; k++) {
        Silence silence = k % 2 ? SILENCE_WRONG : SILENCE_FIRST;
        tacos_run class = run_stage(combination(k / 2 * 3 + 1, silence), 1);
        tacos_run task = run_stage(combination(k / 2 * 3 + 2, silence), 1);
        double gain = 0;
        for (size_t i = 0; i < 16; i++) {
            assert_true(task.R[i] >= class.R[i]);
            gain += task.R[i] - class.R[i];
        }
        assert_true(gain > 0);
        run_free(&class);
        run_free(&task);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_scenario_has_its_outputs),
        cmocka_unit_test(outputs_are_never_too_many),
        cmocka_unit_test(a_task_of_one_class_cannot_be_told),
        cmocka_unit_test(stages_differ_by_every_key),
        cmocka_unit_test(wide_and_many_layers_cost_most),
        cmocka_unit_test(without_blur_tasks_follow_each_other),
        cmocka_unit_test(a_blurred_stream_has_every_sample_once_by_place),
        cmocka_unit_test(blurring_is_the_seeds_own),
        cmocka_unit_test(no_two_shifts_are_alike),
        cmocka_unit_test(as_many_cross_a_boundary_as_should),
        cmocka_unit_test(pixels_are_permuted_from_the_second_task_on),
        cmocka_unit_test(without_permute_nothing_is_moved),
        cmocka_unit_test(an_image_is_looked_at_before_it_is_permuted),
        cmocka_unit_test(a_permutation_favours_no_place),
        cmocka_unit_test(runs_are_what_the_keys_say),
        cmocka_unit_test(silence_changes_the_score_alone),
        cmocka_unit_test(all_silent_is_all_first),
        cmocka_unit_test(being_told_the_task_only_helps),
    };
    return cmocka_run_group_tests(tests, make_worlds, free_worlds);
}
