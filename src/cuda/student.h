/* student.h - the paper's network on the device as a student of the protocol. */
#ifndef CUDA_STUDENT_H
#define CUDA_STUDENT_H

#include "cuda/batch.h"
#include "cuda/shown.h"
#include "lab/student.h"

tacos_status student_cuda(Student *out, Session *session, Batch *batch, ShownAll *shown,
                          tacos_error *err);

#endif
