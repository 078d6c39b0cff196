/* fuzz_safetensors.c - arrays by name, as `tacos import` reads them. */
#include "fuzz.h"

#include "commands/safetensors.h"

static size_t bytes_of(const Tensor *tensor) {
    return tensor->rows * tensor->columns * (tensor->type == TENSOR_F32 ? 4 : 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
    FuzzFile file = file_of(bytes, n);
    static TensorFile tensors; /* it is large */
    char why[WHY_SIZE] = "";
    if (tensors_read(&tensors, file.path, why) == 0) {
        for (size_t k = 0; k < tensors.n; k++)
            touch(tensors.tensors[k].values, bytes_of(&tensors.tensors[k]));
        (void)tensors_find(&tensors, "layer.0.w");
    } else {
        check_said(why, sizeof why);
    }
    tensors_free(&tensors);
    file_end(&file);
    return 0;
}
