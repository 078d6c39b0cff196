/* device.h - something other than the processor that computes the networks of runs, as the protocol
 * sees it; implemented by src/cuda. */
#ifndef LAB_DEVICE_H
#define LAB_DEVICE_H

#include "lab/student.h"

struct Device {
    /* As student_spiking, with the same results. Called from the threads of many runs. */
    tacos_status (*student)(Device *self, Student *out, Session *session, tacos_error *err);
};

#endif
