/* results_table.h - the results of an experiment as a table for people. */
#ifndef CLI_RESULTS_TABLE_H
#define CLI_RESULTS_TABLE_H

#include "tacos.h"

/* 0, or -1 if there was no memory. */
int results_print(const tacos_experiment *experiment, const tacos_results *results);

#endif
