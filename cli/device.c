/* device.c - the value of --device. */
#include "device.h"

#include "cluster.h"

#include <string.h>

int device_use(const char *command, const char *name, int *code) {
    Name known;
    if (!name || strcmp(name, "cpu") == 0)
        return 1;
    if (name_find(NAME_DEVICE, name, &known))
        return cluster_use_device(code);
    *code = cli_unknown(command, "unknown device", NAME_DEVICE, name);
    return 0;
}
