/* predict.h - the parts of `tacos predict`. */
#ifndef CLI_PREDICT_H
#define CLI_PREDICT_H

#include "input/samples.h"
#include "tacos_stream.h"

typedef struct PredictArgs {
    const char *path, *header, *reject;
    SampleReaderArgs reader;
    int json, quiet;
} PredictArgs;

/* ---- predict_stream.c ---- */

/* With a classifier. */
int predict_stream(const PredictArgs *args);

#endif
