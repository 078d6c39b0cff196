/* chance.c - how often answers without any knowledge are right. */
#include "lab/experiment.h"

/* Classes that occur in any task, each once. */
static size_t count_classes(const Tasks *tasks) {
    bool seen[CLASSES_MAX] = {false};
    size_t n = 0;
    if (tasks->random) /* no class twice */
        return tasks->n * tasks->n_outputs;
    for (size_t t = 0; t < tasks->n; t++)
        for (size_t k = 0; k < tasks->task[t].n_classes; k++) {
            bool *own = &seen[tasks->task[t].classes[k]];
            n += !*own;
            *own = true;
        }
    return n;
}

/* Only the outputs of a task compete: the mean over tasks. */
static double mean_of_tasks(const Tasks *tasks) {
    double sum = 0;
    for (size_t t = 0; t < tasks->n; t++)
        sum += 100.0 / (double)tasks->task[t].n_classes;
    return sum / (double)tasks->n;
}

double tasks_chance(const Tasks *tasks, Scenario scenario) {
    size_t n = scenario == SCENARIO_CLASS ? count_classes(tasks) : tasks->n_outputs;
    if (n < 2)
        return 0;
    return scenario == SCENARIO_TASK ? mean_of_tasks(tasks) : 100.0 / (double)n;
}

double tacos_experiment_chance(const Experiment *experiment) {
    Tasks tasks;
    if (experiment_tasks(experiment, &tasks, NULL) != TACOS_OK)
        return 0;
    return tasks_chance(&tasks, (Scenario)experiment->params.scenario);
}
