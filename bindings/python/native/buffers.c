/* buffers.c - arrays through the buffer protocol: rows of intensities and plain blocks. Shape,
 * strides, format and alignment are checked here. */
#include "native.h"

#include <string.h>

/* ---- formats ---- */

/* In the notation of the module struct. A size is part of the meaning: "l" is not the same
 * everywhere. */
typedef struct Format {
    Kind kind;
    char size, letter;
} Format;

static const Format formats[] = {
    {KIND_F32, 4, 'f'}, {KIND_F64, 8, 'd'}, {KIND_U8, 1, 'B'},  {KIND_U8, 1, '?'},
    {KIND_U32, 4, 'I'}, {KIND_U32, 4, 'L'}, {KIND_I64, 8, 'q'}, {KIND_I64, 8, 'l'},
    {KIND_U64, 8, 'Q'}, {KIND_U64, 8, 'L'}, {KIND_U16, 2, 'H'},
};

static const char *const kind_names[] = {
    [KIND_F32] = "float32", [KIND_F64] = "float64", [KIND_U8] = "uint8",   [KIND_U16] = "uint16",
    [KIND_U32] = "uint32",  [KIND_I64] = "int64",   [KIND_U64] = "uint64",
};

static bool is_native(char order) {
    const uint16_t one = 1;
    bool little = *(const unsigned char *)&one == 1;
    return order == '@' || order == '=' || order == (little ? '<' : '>');
}

static Kind kind_of(const Py_buffer *buffer) {
    const char *format = buffer->format ? buffer->format : "B";
    if (strlen(format) == 2 && is_native(format[0]))
        format++;
    for (size_t k = 0; k < sizeof formats / sizeof *formats && strlen(format) == 1; k++)
        if (formats[k].letter == format[0] && formats[k].size == buffer->itemsize)
            return formats[k].kind;
    return KIND_OTHER;
}

/* ---- rows ---- */

/* One element at a time, since rows may have any strides; 8-bit pixels as in experiments. */
static void read_f32(const char *at, Py_ssize_t stride, size_t n, float *out) {
    for (size_t j = 0; j < n; j++, at += stride)
        memcpy(&out[j], at, sizeof *out);
}

static void read_f64(const char *at, Py_ssize_t stride, size_t n, float *out) {
    for (size_t j = 0; j < n; j++, at += stride) {
        double value;
        memcpy(&value, at, sizeof value);
        out[j] = (float)value;
    }
}

static void read_u8(const char *at, Py_ssize_t stride, size_t n, float *out) {
    for (size_t j = 0; j < n; j++, at += stride)
        out[j] = (float)*(const unsigned char *)at / 255.0f;
}

static void (*const readers[])(const char *, Py_ssize_t, size_t, float *) = {
    [KIND_F32] = read_f32, [KIND_F64] = read_f64, [KIND_U8] = read_u8};

/* Rows of floats that the library can read in place. */
static bool as_they_lie(const Rows *rows) {
    const Py_buffer *b = &rows->buffer;
    return rows->kind == KIND_F32 && b->strides[1] == (Py_ssize_t)sizeof(float) &&
           (uintptr_t)b->buf % sizeof(float) == 0 && b->strides[0] % (Py_ssize_t)sizeof(float) == 0;
}

static bool check_rows(Rows *rows) {
    const Py_buffer *b = &rows->buffer;
    rows->kind = kind_of(b);
    if (rows->kind != KIND_F32 && rows->kind != KIND_F64 && rows->kind != KIND_U8)
        PyErr_Format(PyExc_TypeError, "rows of format '%s'; they must be float32, float64 or uint8",
                     b->format ? b->format : "B");
    else if (b->ndim != 2)
        PyErr_Format(PyExc_ValueError, "an array of %d dimensions; rows have two", b->ndim);
    else if ((size_t)b->shape[1] != rows->n_inputs)
        PyErr_Format(PyExc_ValueError, "rows of %zd values were given; the network has %zu inputs",
                     b->shape[1], rows->n_inputs);
    return !PyErr_Occurred();
}

bool rows_take(Rows *rows, PyObject *object, size_t n_inputs) {
    *rows = (Rows){.n_inputs = n_inputs};
    if (PyObject_GetBuffer(object, &rows->buffer, PyBUF_STRIDES | PyBUF_FORMAT) < 0)
        return false;
    if (!check_rows(rows))
        return false;
    rows->n = (size_t)rows->buffer.shape[0];
    if (as_they_lie(rows))
        return true;
    rows->room = PyMem_Malloc(n_inputs * sizeof *rows->room);
    if (!rows->room)
        PyErr_NoMemory();
    return rows->room != NULL;
}

void rows_drop(Rows *rows) {
    PyMem_Free(rows->room);
    rows->room = NULL;
    PyBuffer_Release(&rows->buffer); /* of one that was never filled: nothing */
}

const float *rows_get(const Rows *rows, size_t i) {
    const Py_buffer *b = &rows->buffer;
    const char *at = (const char *)b->buf + (Py_ssize_t)i * b->strides[0];
    if (!rows->room)
        return (const float *)(const void *)at;
    readers[rows->kind](at, b->strides[1], rows->n_inputs, rows->room);
    return rows->room;
}

/* ---- blocks ---- */

bool block_take(Block *block, PyObject *object, const char *what, Kind kind, bool writable) {
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    *block = (Block){.n = 0};
    if (PyObject_GetBuffer(object, &block->buffer, flags) < 0)
        return false;
    if (kind_of(&block->buffer) == kind) {
        block->n = (size_t)(block->buffer.len / block->buffer.itemsize);
        return true;
    }
    PyErr_Format(PyExc_TypeError, "%s of format '%s'; they must be %s", what,
                 block->buffer.format ? block->buffer.format : "B", kind_names[kind]);
    return false;
}

bool block_take_n(Block *block, PyObject *object, const char *what, Kind kind, bool writable,
                  size_t n) {
    if (!block_take(block, object, what, kind, writable))
        return false;
    if (block->n != n)
        PyErr_Format(PyExc_ValueError, "%zu %s were given; there must be %zu", block->n, what, n);
    return block->n == n;
}

void block_drop(Block *block) {
    PyBuffer_Release(&block->buffer);
}
