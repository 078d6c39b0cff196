/* paper.h - the paper's own numbers, to set beside ours. */
#ifndef LAB_PAPER_H
#define LAB_PAPER_H

#include "lab/experiment.h"

tacos_paper_row paper_row(const Experiment *experiment);

#endif
