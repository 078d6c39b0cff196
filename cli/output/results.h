/* results.h - the results of an experiment as tables. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "tacos_lab.h"

/* 0, or -1 if there was no memory. */
int results_print(const tacos_experiment *experiment, const tacos_results *results);

#endif
