/* native.h - what the files of the extension share. They use only tacos.h and
 * tacos_stream.h of the library.
 *
 * Everything is written for the limited API of Python 3.11, the first that has buffers;
 * build_backend.py tells when it is compiled for that. It knows nothing of numpy: arrays come and
 * go through the buffer protocol. src/tacos/_core.pyi lists what Python sees of it. */
#ifndef NATIVE_H
#define NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <pythread.h>

#include "tacos_stream.h"

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

/* ---- lock.c ---- */

typedef struct Lock {
    PyThread_type_lock lock;
    unsigned long owner; /* the thread that holds it, */
    bool taken;          /* if any does */
} Lock;

bool lock_make(Lock *lock);
/* A zeroed one may be freed. */
void lock_free(Lock *lock);

/* Between these the caller has what the lock protects, which errors call `what`, for itself.
 * Entering fails, with an exception, from a signal handler that interrupts the owner. */
bool lock_enter(Lock *lock, const char *what);
void lock_leave(Lock *lock);

/* ---- keep.c ---- */

/* How a kind of object is saved and loaded: functions of the library behind void pointers. */
typedef struct Keeper {
    tacos_status (*save)(void *object, const char *path, tacos_error *err);
    tacos_status (*load)(void **out, const char *path, tacos_error *err);
    tacos_status (*save_to)(void *object, tacos_write *write, void *user, tacos_error *err);
    tacos_status (*load_from)(void **out, tacos_read *read, void *user, tacos_error *err);
    void (*free)(void *object);
} Keeper;

/* All release the GIL. Saving returns None or bytes; loading returns the object, which the caller
 * owns. NULL with an exception on failure. */
PyObject *keep_save(const Keeper *keeper, void *object, PyObject *path);
PyObject *keep_save_bytes(const Keeper *keeper, void *object);
void *keep_load(const Keeper *keeper, PyObject *path);
void *keep_load_bytes(const Keeper *keeper, PyObject *bytes);

/* ---- engine.c: creating, properties ---- */

/* A learner as a Python object. */
typedef struct Engine {
    PyObject ob_base;
    tacos_learner *learner;
    tacos_shape shape;
    Lock lock;
    size_t n_threads; /* that share wide layers, */
    long process;     /* and the process they live in */
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

/* ---- engine_merge.c ---- */

PyObject *engine_merge(PyObject *type, PyObject *args);

/* ---- samples.c: what a classifier is given and what it answers ---- */

/* Each of these is zeroed or taken, and may then be dropped; taking fails with an exception. */

/* The texts of a list of str, which may change in the meantime. */
typedef struct Words {
    PyObject *tuple;
    const char **texts; /* [n] */
    size_t n;
} Words;

bool words_take(Words *words, PyObject *list, const char *what);
void words_drop(Words *words);

/* Rows of numbers, of which some are words. */
typedef struct Samples {
    Block numbers; /* [n][n_features], float64 */
    Block codes;   /* likewise, int64: which word it is, or -1 */
    Words words;
    bool has_words;
    size_t n, n_features;
    double *row;        /* room for one of them */
    const char **texts; /* likewise */
} Samples;

bool samples_take(Samples *samples, PyObject *given);
void samples_drop(Samples *samples);
/* Sample i, until the next call. */
tacos_status samples_get(const Samples *samples, size_t i, tacos_sample *out, tacos_error *err);

typedef struct Labels {
    bool any;
    Block codes; /* [n], int64: which name it is, or -1 */
    Words names;
} Labels;

bool labels_take(Labels *labels, PyObject *given, size_t n);
void labels_drop(Labels *labels);
tacos_status labels_get(const Labels *labels, size_t i, const char **out, tacos_error *err);

typedef struct Answers {
    bool any;
    Block labels;              /* [n], int64 */
    Block confidence, novelty; /* [n], float64 */
    Block chances;             /* [n][n_chances], float64 */
    size_t n_chances;
} Answers;

bool answers_take(Answers *answers, PyObject *given, size_t n);
void answers_drop(Answers *answers);
/* Chances of labels beyond the first n_labels are 0. */
void answers_put(const Answers *answers, size_t i, const tacos_answer *answer, size_t n_labels);

/* ---- classifier.c, classifier_learn.c, classifier_keep.c ---- */

/* A classifier as a Python object. */
typedef struct Classifier {
    PyObject ob_base;
    tacos_classifier *inner;
    Lock lock;
} Classifier;

extern PyType_Spec classifier_spec;

/* As for engines. */
PyObject *classifier_around(PyTypeObject *type, tacos_classifier *inner);
bool classifier_enter(Classifier *self);
void classifier_leave(Classifier *self);

PyObject *classifier_next(PyObject *self, PyObject *args);
PyObject *classifier_predict(PyObject *self, PyObject *args);
PyObject *classifier_predict_next(PyObject *self, PyObject *args);

PyObject *classifier_save(PyObject *object, PyObject *path);
PyObject *classifier_load(PyObject *type, PyObject *path);
PyObject *classifier_save_bytes(PyObject *object, PyObject *nothing);
PyObject *classifier_load_bytes(PyObject *type, PyObject *bytes);

/* ---- view.c ---- */

/* A matrix of a layer's, through the buffer protocol; it keeps the learner alive. */
extern PyType_Spec view_spec;

/* Its elements are of `size` bytes and, as module struct has it, the format `letter`. */
PyObject *view_new(PyTypeObject *type, PyObject *engine, const tacos_layer_view *layer,
                   const void *data, char letter, size_t size);

/* ---- module.c ---- */

typedef struct State {
    PyObject *engine_type, *view_type, *classifier_type; /* NULL until made */
} State;

#endif
