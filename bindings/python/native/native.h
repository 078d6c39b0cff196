/* native.h - what the files of the extension share. They use only tacos.h of the library.
 *
 * Everything is written for the limited API of Python 3.11, the first that has buffers; setup.py
 * tells when it is compiled for that. It knows nothing of numpy: arrays come and go through the
 * buffer protocol. src/tacos/_core.pyi lists what Python sees of it. */
#ifndef NATIVE_H
#define NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pythread.h>

#include "tacos.h"

#include <stdbool.h>

/* ---- raise.c ---- */

/* Raise an error of the library as a Python exception. Returns NULL, for `return raise_error(...)`.
 */
PyObject *raise_error(const tacos_error *err);

/* A whole number from 0 to max; else false, with an exception that names it `what`. */
bool take_number(PyObject *object, const char *what, unsigned long long max,
                 unsigned long long *out);

/* ---- buffers.c ---- */

/* What the elements of a buffer may be. */
typedef enum Kind {
    KIND_OTHER, /* including numbers of the other byte order */
    KIND_F32,
    KIND_F64,
    KIND_U8, /* or bool */
    KIND_U16,
    KIND_U32,
    KIND_I64,
    KIND_U64,
} Kind;

/* A two-dimensional buffer, of any strides, as rows of intensities. */
typedef struct Rows {
    Py_buffer buffer;
    Kind kind; /* F32, F64 or U8 */
    size_t n, n_inputs;
    float *room; /* [n_inputs] for one row; NULL where rows are read in place */
} Rows;

/* Zeroed ones may be dropped; taking fails with an exception. */
bool rows_take(Rows *rows, PyObject *object, size_t n_inputs);
void rows_drop(Rows *rows);
/* Row i, until the next call. */
const float *rows_get(const Rows *rows, size_t i);

/* A contiguous buffer of n elements of any shape and alignment. */
typedef struct Block {
    Py_buffer buffer;
    size_t n;
} Block;

/* `what` is what errors call it. */
bool block_take(Block *block, PyObject *object, const char *what, Kind kind, bool writable);
void block_drop(Block *block);
/* Take a buffer of exactly n elements. */
bool block_take_n(Block *block, PyObject *object, const char *what, Kind kind, bool writable,
                  size_t n);

/* ---- engine.c: creating, properties, locking ---- */

/* A learner as a Python object. */
typedef struct Engine {
    PyObject ob_base;
    tacos_learner *learner;
    tacos_shape shape;
    PyThread_type_lock lock; /* of the learner, since learning releases the GIL */
    unsigned long owner;     /* the thread that holds it, */
    bool taken;              /* if any does */
    size_t n_threads;        /* that share wide layers, */
    long process;            /* and the process they live in */
} Engine;

extern PyType_Spec engine_spec;

/* Wrap a learner, which it then owns (and frees on failure). */
PyObject *engine_around(PyTypeObject *type, tacos_learner *learner);

/* Between these the caller has the learner for itself. Entering fails, with an exception, from a
 * signal handler that interrupts this very thread in the learner, and in a forked process, which
 * has lost the learner's threads. */
bool engine_enter(Engine *engine);
void engine_leave(Engine *engine);

/* ---- batch.c ---- */

/* Process row i of a batch, without the GIL. */
typedef tacos_status batch_step(void *job, size_t i, tacos_error *err);

/* Process rows 0 to n - 1; Ctrl-C interrupts. False with an exception if a row fails, which is then
 * named, or if a signal handler raises. */
bool batch_run(batch_step *step, void *job, size_t n);

/* ---- engine_learn.c, engine_layer.c, engine_keep.c: methods; docs in engine.c ---- */

PyObject *engine_learn(PyObject *self, PyObject *args);
PyObject *engine_predict(PyObject *self, PyObject *args);
PyObject *engine_learn_spikes(PyObject *self, PyObject *args);
PyObject *engine_predict_spikes(PyObject *self, PyObject *args);

PyObject *engine_layer(PyObject *self, PyObject *index);
PyObject *engine_set_layer(PyObject *self, PyObject *args);

PyObject *engine_save(PyObject *self, PyObject *path);
PyObject *engine_load(PyObject *type, PyObject *path);
PyObject *engine_save_bytes(PyObject *self, PyObject *nothing);
PyObject *engine_load_bytes(PyObject *type, PyObject *bytes);

/* ---- view.c ---- */

/* A matrix of a layer's, through the buffer protocol; it keeps the learner alive. */
extern PyType_Spec view_spec;

/* Its elements are of `size` bytes and, as module struct has it, the format `letter`. */
PyObject *view_new(PyTypeObject *type, PyObject *engine, const tacos_layer_view *layer,
                   const void *data, char letter, size_t size);

/* ---- module.c ---- */

typedef struct State {
    PyObject *engine_type, *view_type; /* NULL until made */
} State;

#endif
