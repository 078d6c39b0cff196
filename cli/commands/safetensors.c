/* safetensors.c - writes and reads the safetensors format. */
#include "commands/safetensors.h"

#include "base/little_endian.h"
#include "system/files.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { HEADER_MAX = 1 << 20, ALIGN = 8 };

static const struct {
    const char *name;
    size_t size;
} types[] = {[TENSOR_F32] = {"F32", 4}, [TENSOR_U16] = {"U16", 2}};
enum { N_TYPES = sizeof types / sizeof *types };

static size_t tensor_bytes(const Tensor *tensor) {
    return tensor->rows * tensor->columns * types[tensor->type].size;
}

/* ---- numbers ---- */

static uint64_t value_at(const Tensor *tensor, size_t i) {
    uint32_t bits = 0;
    if (tensor->type == TENSOR_U16)
        return ((const uint16_t *)tensor->values)[i];
    memcpy(&bits, (const char *)tensor->values + i * sizeof bits, sizeof bits);
    return bits;
}

static void set_value(Tensor *tensor, size_t i, uint64_t value) {
    uint32_t bits = (uint32_t)value;
    if (tensor->type == TENSOR_U16)
        ((uint16_t *)tensor->values)[i] = (uint16_t)value;
    else
        memcpy((char *)tensor->values + i * sizeof bits, &bits, sizeof bits);
}

/* ---- out ---- */

static json_t *header_of(const TensorFile *file) {
    json_t *header = json_object();
    size_t at = 0;
    (void)json_object_set(header, "__metadata__", file->about);
    for (size_t k = 0; k < file->n; k++) {
        const Tensor *tensor = &file->tensors[k];
        size_t end = at + tensor_bytes(tensor);
        (void)json_object_set_new(header, tensor->name,
                                  json_pack("{s:s, s:[I,I], s:[I,I]}", "dtype",
                                            types[tensor->type].name, "shape",
                                            (json_int_t)tensor->rows, (json_int_t)tensor->columns,
                                            "data_offsets", (json_int_t)at, (json_int_t)end));
        at = end;
    }
    return header;
}

static void write_all(const TensorFile *file, const char *header, FILE *out) {
    unsigned char bytes[8];
    size_t n = strlen(header), padding = (ALIGN - n % ALIGN) % ALIGN;
    little_endian_put(bytes, n + padding, 8);
    (void)fwrite(bytes, 1, 8, out);
    (void)fwrite(header, 1, n, out);
    (void)fwrite("        ", 1, padding, out);
    for (size_t k = 0; k < file->n; k++) {
        const Tensor *tensor = &file->tensors[k];
        for (size_t i = 0; i < tensor->rows * tensor->columns; i++) {
            little_endian_put(bytes, value_at(tensor, i), types[tensor->type].size);
            (void)fwrite(bytes, 1, types[tensor->type].size, out);
        }
    }
}

tacos_status tensors_write(const TensorFile *file, const char *path, tacos_error *err) {
    json_t *header = header_of(file);
    char *text = json_dumps(header, JSON_COMPACT);
    WholeFile whole;
    json_decref(header);
    if (!text)
        return whole_file_no_memory(path, err);
    tacos_status status = whole_file_open(&whole, path, err);
    if (status == TACOS_OK) {
        write_all(file, text, whole.out);
        status = whole_file_close(&whole, path, err);
    }
    free(text);
    return status;
}

/* ---- in ---- */

/* A whole number of an array, or -1. */
static json_int_t item(const json_t *array, size_t i) {
    const json_t *value = json_array_get(array, i);
    return json_is_integer(value) && json_integer_value(value) >= 0 ? json_integer_value(value)
                                                                    : -1;
}

static int find_type(const char *name) {
    for (int t = 0; name && t < N_TYPES; t++)
        if (strcmp(types[t].name, name) == 0)
            return t;
    return -1;
}

typedef struct Reading {
    FILE *file;
    size_t start, n_bytes; /* of the values, in the file */
} Reading;

static int read_values(const Reading *reading, size_t from, Tensor *tensor, char why[WHY_SIZE]) {
    size_t n = tensor->rows * tensor->columns, size = types[tensor->type].size;
    unsigned char bytes[8];
    tensor->values = malloc(n * size + 1);
    if (!tensor->values)
        return refuse(why, "no memory for %s", tensor->name);
    if (fseek(reading->file, (long)(reading->start + from), SEEK_SET) != 0)
        return refuse(why, "%s", strerror(errno));
    for (size_t i = 0; i < n; i++) {
        if (fread(bytes, 1, size, reading->file) != size)
            return refuse(why, "%s is truncated", tensor->name);
        set_value(tensor, i, little_endian_get(bytes, size));
    }
    return 0;
}

static int read_tensor(const Reading *reading, const char *name, const json_t *entry,
                       TensorFile *out, char why[WHY_SIZE]) {
    const json_t *shape = json_object_get(entry, "shape");
    const json_t *offsets = json_object_get(entry, "data_offsets");
    int type = find_type(json_string_value(json_object_get(entry, "dtype")));
    json_int_t rows = item(shape, 0), columns = item(shape, 1);
    json_int_t from = item(offsets, 0), to = item(offsets, 1);
    if (out->n == TENSORS_MAX || strlen(name) >= sizeof out->tensors->name)
        return refuse(why, "it has more arrays, or longer names, than a learner has");
    if (type < 0 || json_array_size(shape) != 2 || rows < 0 || columns < 0)
        return refuse(why, "%s must be F32 or U16 with two dimensions", name);
    if (from < 0 || to < from || (size_t)to > reading->n_bytes)
        return refuse(why, "%s lies outside the file", name);
    size_t n = (size_t)(to - from) / types[type].size;
    if (n * types[type].size != (size_t)(to - from) ||
        (rows > 0 && (n / (size_t)rows != (size_t)columns || n % (size_t)rows != 0)) ||
        (rows == 0 && n != 0))
        return refuse(why, "the size of %s does not fit its shape", name);
    Tensor *tensor = &out->tensors[out->n++];
    *tensor = (Tensor){.type = (TensorType)type, .rows = (size_t)rows, .columns = (size_t)columns};
    strcpy(tensor->name, name);
    return read_values(reading, (size_t)from, tensor, why);
}

static int read_header(Reading *reading, json_t **out, char why[WHY_SIZE]) {
    unsigned char bytes[8];
    struct stat info;
    json_error_t error;
    if (fstat(fileno(reading->file), &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < 8 ||
        fread(bytes, 1, 8, reading->file) != 8)
        return refuse(why, "it is not a safetensors file");
    uint64_t n = little_endian_get(bytes, 8);
    if (n < 2 || n > HEADER_MAX || n > (uint64_t)info.st_size - 8)
        return refuse(why, "it is not a safetensors file");
    char *text = malloc((size_t)n);
    if (!text)
        return refuse(why, "no memory");
    if (fread(text, 1, (size_t)n, reading->file) != n) {
        free(text);
        return refuse(why, "its header is truncated");
    }
    *out = json_loadb(text, (size_t)n, JSON_REJECT_DUPLICATES, &error);
    free(text);
    if (!json_is_object(*out)) {
        json_decref(*out);
        *out = NULL;
        return refuse(why, "its header is not a JSON object");
    }
    reading->start = 8 + (size_t)n;
    reading->n_bytes = (size_t)info.st_size - reading->start;
    return 0;
}

int tensors_read(TensorFile *out, const char *path, char why[WHY_SIZE]) {
    Reading reading = {.file = fopen(path, "rb")};
    json_t *header = NULL, *entry;
    const char *name;
    memset(out, 0, sizeof *out);
    if (!reading.file)
        return refuse(why, "%s", strerror(errno));
    int wrong = read_header(&reading, &header, why);
    if (!wrong) {
        json_object_foreach(header, name, entry) {
            if (strcmp(name, "__metadata__") == 0)
                out->about = json_incref(entry);
            else if (!wrong)
                wrong = read_tensor(&reading, name, entry, out, why);
        }
    }
    json_decref(header);
    (void)fclose(reading.file);
    return wrong;
}

void tensors_free(TensorFile *file) {
    for (size_t k = 0; k < file->n; k++)
        free(file->tensors[k].values);
    json_decref(file->about);
}

const Tensor *tensors_find(const TensorFile *file, const char *name) {
    for (size_t k = 0; k < file->n; k++)
        if (strcmp(file->tensors[k].name, name) == 0)
            return &file->tensors[k];
    return NULL;
}
