/* device_cuda.c - device.h for tacos-cuda, the program with CUDA. */
#include "device.h"

#include "tacos_cuda.h"

static tacos_cluster *device;

int device_begin(char **argv, int *code) {
    tacos_error err = {0};
    (void)argv;
    if (tacos_cuda_begin(&device, &err) == TACOS_OK)
        return 1;
    *code = cli_fail(&err);
    return 0;
}

tacos_cluster *device_get(void) {
    return device;
}

void device_end(void) {
    tacos_cuda_end(device);
    device = NULL;
}
