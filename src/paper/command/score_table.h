/* score_table.h - how far we are from the paper. */
#ifndef PAPER_SCORE_TABLE_H
#define PAPER_SCORE_TABLE_H

#include "reproduce.h"

/* Make the runs that count, and print and write what they are off by; returns what to exit with. */
int reproduce_score(const ReproduceArgs *args, const char *store);

#endif
