/* tasks.h - the classes of each task, and the samples of a task. */
#ifndef DATA_TASKS_H
#define DATA_TASKS_H

#include "data/dataset.h"

#include <stdbool.h>

enum { TASKS_MAX = 64, TASK_CLASSES_MAX = 16 };

typedef struct Task {
    size_t n_classes;
    uint16_t classes[TASK_CLASSES_MAX];
    uint16_t outputs[TASK_CLASSES_MAX]; /* classes[k] is taught as outputs[k] */
} Task;

typedef struct Tasks {
    size_t n;
    Task task[TASKS_MAX];
    size_t n_outputs;
    bool random;    /* the classes are still to be drawn ... */
    uint32_t draw;  /* ... and this is the number of the draw */
    size_t n_named; /* classes given by name: tasks_number turns them into numbers. Until then the
                       k-th such class is CLASSES_MAX - 1 - k */
} Tasks;

/* "0-1,2-3": tasks separated by commas, classes by dashes. A class is a number or a name,
 * "cat-dog"; a name with a dash, a comma or digits alone is between double quotes. "random:50x5":
 * 50 tasks of 5 classes, no class twice; "random:50x5:2" is another draw, and "random:50x5:seed" a
 * different draw per seed. The tasks share one head: the k-th class of a task is output k, and
 * there are as many as the largest task has classes. */
#define TASKS_BY_SEED ":seed"
tacos_status tasks_parse(Tasks *out, const char *text, tacos_error *err);

/* Write the same tasks with numbers for names into out[size]: the place of each among these names.
 */
tacos_status tasks_number(const char *text, const ClassNames *names, char *out, size_t size,
                          tacos_error *err);

/* Keep the first n tasks of a list like "0-1,2-3". */
void tasks_cut(char *text, size_t n);

/* Draw random classes, and check that all classes exist. */
tacos_status tasks_settle(Tasks *tasks, size_t n_classes, tacos_error *err);

/* One output per class instead of the shared head, in order of first appearance. For settled
 * tasks. */
void tasks_split_head(Tasks *tasks);

/* The samples of one task: which images, and which output each should give. */
typedef struct TaskSamples {
    size_t n;
    uint32_t *image;  /* [n] */
    uint16_t *target; /* [n] */
} TaskSamples;

/* Which images of each class: a fraction is held out, evenly over the class; either that or the
 * rest is taken. {0} takes all. The same images are held out whatever the seed. */
typedef struct TaskPart {
    double fraction;
    bool held_out;
    size_t limit; /* on the samples of the task; 0: none */
} TaskPart;

/* In the images' order, which is by class; of more than the limit an even selection. An
 * empty task is an error. */
tacos_status task_samples(TaskSamples *out, const Images *images, const Tasks *tasks, size_t t,
                          TaskPart part, tacos_error *err);

/* In a random order that depends on the seed, then at most the limit. */
tacos_status task_samples_shuffled(TaskSamples *out, const Images *images, const Tasks *tasks,
                                   size_t t, TaskPart part, uint32_t seed, tacos_error *err);
void task_samples_free(TaskSamples *samples);

#endif
