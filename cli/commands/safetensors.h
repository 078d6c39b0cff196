/* safetensors.h - arrays by name in one file: a length, a JSON header, the bytes. The format is
 * Hugging Face's; numpy, PyTorch and JAX read it through a small library. */
#ifndef CLI_SAFETENSORS_H
#define CLI_SAFETENSORS_H

#include "system/files.h"
#include "tacos.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

typedef enum TensorType { TENSOR_F32, TENSOR_U16 } TensorType;

typedef struct Tensor {
    char name[32];
    TensorType type;
    size_t rows, columns;
    void *values; /* [rows][columns], in this machine's order of bytes */
} Tensor;

enum { TENSORS_MAX = 256 };

typedef struct TensorFile {
    json_t *about; /* an object of texts */
    size_t n;
    Tensor tensors[TENSORS_MAX];
} TensorFile;

/* Whole or not at all. */
tacos_status tensors_write(const TensorFile *file, const char *path, tacos_error *err);

/* 0, or -1 with a sentence. Everything that is claimed is checked before memory is asked for.
 * tensors_free, also after -1. */
int tensors_read(TensorFile *out, const char *path, char why[WHY_SIZE]);
void tensors_free(TensorFile *file);

const Tensor *tensors_find(const TensorFile *file, const char *name);

#endif
