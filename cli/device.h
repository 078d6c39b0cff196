/* device.h - the option --device: what computes the networks of runs.
 *
 * tacos itself is not linked with CUDA: for `--device cuda` it executes tacos-cuda, the same
 * program with CUDA, from its own folder. So only users of a GPU have to load it. */
#ifndef CLI_DEVICE_H
#define CLI_DEVICE_H

#include "cli.h"

#define OPTION_DEVICE(at)                                                                          \
    TEXT_OPTION("device", "NAME", NAME_DEVICE, at,                                                 \
                "what makes the runs: cpu (default), or cuda, a GPU, with the same results; what " \
                "it cannot make is made by the processor")

/* What a command was told, NULL for nothing, before it does anything. False if this process is
 * done, with *code to exit with. After that cluster_get of cluster.h is the device. */
int device_use(const char *command, const char *name, int *code);

/* ---- of each program: device_none.c, device_cuda.c ---- */

/* The GPU; argv is that of the program. False as above. */
int device_begin(char **argv, int *code);
tacos_cluster *device_get(void); /* NULL: none */
void device_end(void);

#endif
