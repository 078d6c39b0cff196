/* engine_keep.c - a learner as a file and as bytes. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

PyObject *engine_save(PyObject *self, PyObject *path) {
    Engine *engine = (Engine *)self;
    PyObject *name;
    tacos_error err;
    if (!PyUnicode_FSConverter(path, &name))
        return NULL;
    if (!engine_enter(engine)) {
        Py_DECREF(name);
        return NULL;
    }
    const char *text = PyBytes_AsString(name);
    PyThreadState *thread = PyEval_SaveThread();
    tacos_status status = tacos_learner_save(engine->learner, text, &err);
    PyEval_RestoreThread(thread);
    engine_leave(engine);
    Py_DECREF(name);
    return status == TACOS_OK ? Py_BuildValue("") : raise_error(&err);
}

PyObject *engine_load(PyObject *type, PyObject *path) {
    PyObject *name;
    tacos_learner *learner;
    tacos_error err;
    if (!PyUnicode_FSConverter(path, &name))
        return NULL;
    const char *text = PyBytes_AsString(name);
    PyThreadState *thread = PyEval_SaveThread();
    tacos_status status = tacos_learner_load(&learner, text, NULL, &err);
    PyEval_RestoreThread(thread);
    Py_DECREF(name);
    return status == TACOS_OK ? engine_around((PyTypeObject *)type, learner) : raise_error(&err);
}

/* ---- through memory ---- */

/* Bytes being written, in a buffer that doubles; needs no thread state. */
typedef struct Pile {
    char *bytes;
    size_t n, room;
} Pile;

static int pile_up(void *user, const void *bytes, size_t n) {
    Pile *pile = user;
    if (n > pile->room - pile->n) {
        size_t room = 2 * (pile->room + n);
        char *more = realloc(pile->bytes, room);
        if (!more)
            return 1;
        pile->bytes = more;
        pile->room = room;
    }
    memcpy(pile->bytes + pile->n, bytes, n);
    pile->n += n;
    return 0;
}

PyObject *engine_save_bytes(PyObject *self, PyObject *nothing) {
    Engine *engine = (Engine *)self;
    Pile pile = {0};
    PyObject *bytes = NULL;
    tacos_error err;
    (void)nothing;
    if (!engine_enter(engine))
        return NULL;
    PyThreadState *thread = PyEval_SaveThread();
    tacos_status status = tacos_learner_save_to(engine->learner, pile_up, &pile, &err);
    PyEval_RestoreThread(thread);
    engine_leave(engine);
    if (status == TACOS_OK)
        bytes = PyBytes_FromStringAndSize(pile.bytes, (Py_ssize_t)pile.n);
    else if (status == TACOS_IO) /* only memory can be the reason */
        PyErr_NoMemory();
    else
        (void)raise_error(&err);
    free(pile.bytes);
    return bytes;
}

/* Bytes being read. */
typedef struct Store {
    const char *at;
    size_t left;
} Store;

static int take_from(void *user, void *bytes, size_t n) {
    Store *store = user;
    if (n > store->left)
        return 1;
    memcpy(bytes, store->at, n);
    store->at += n;
    store->left -= n;
    return 0;
}

PyObject *engine_load_bytes(PyObject *type, PyObject *object) {
    Block bytes;
    tacos_learner *learner = NULL;
    tacos_error err;
    if (!block_take(&bytes, object, "bytes", KIND_U8, false)) {
        block_drop(&bytes);
        return NULL;
    }
    Store store = {bytes.buffer.buf, bytes.n};
    PyThreadState *thread = PyEval_SaveThread();
    tacos_status status = tacos_learner_load_from(&learner, take_from, &store, NULL, &err);
    PyEval_RestoreThread(thread);
    block_drop(&bytes);
    if (status != TACOS_OK)
        return raise_error(&err);
    if (store.left > 0) {
        tacos_learner_free(learner);
        PyErr_Format(PyExc_ValueError, "what was read is damaged: %zu bytes are left over",
                     store.left);
        return NULL;
    }
    return engine_around((PyTypeObject *)type, learner);
}
