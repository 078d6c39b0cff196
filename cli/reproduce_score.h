/* reproduce_score.h - how far we are from the paper. */
#ifndef CLI_REPRODUCE_SCORE_H
#define CLI_REPRODUCE_SCORE_H

#include "reproduce.h"

/* Make the runs that count, and print and write what they are off by; returns what to exit with. */
int reproduce_score(const ReproduceArgs *args, const char *store);

#endif
