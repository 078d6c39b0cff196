/* score.h - how far the runs of a store are from all that the paper prints for split-MNIST with one
 * hidden layer. See tacos_score in tacos_lab.h. */
#ifndef PAPER_SCORE_H
#define PAPER_SCORE_H

#include "paper/reproduction.h"
#include "tacos_lab.h"

typedef struct tacos_score Score;

/* Which numbers count is read from the paper's tables and from the plans as they are built in, so
 * that it is the same for every setting. */
tacos_status score_new(Score **out, tacos_error *err);
void score_free(Score *score);

tacos_status score_add(Score *score, const Reproduction *reproduction, tacos_error *err);

/* False past the end. */
bool score_row(const Score *score, size_t i, tacos_score_row *out);

/* Part NULL: of all. */
tacos_score_row score_total(const Score *score, const char *part);

#endif
