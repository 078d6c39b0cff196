/* keep.c - saving and loading, as a file and as bytes. */
#include "native.h"

#include <stdlib.h>
#include <string.h>

PyObject *keep_save(const Keeper *keeper, void *object, PyObject *path) {
    PyObject *name;
    tacos_error err;
    if (!PyUnicode_FSConverter(path, &name))
        return NULL;
    const char *text = PyBytes_AsString(name);
    PyThreadState *thread = PyEval_SaveThread();
    tacos_status status = keeper->save(object, text, &err);
    PyEval_RestoreThread(thread);
    Py_DECREF(name);
    return status == TACOS_OK ? Py_BuildValue("") : raise_error(&err);
}

void *keep_load(const Keeper *keeper, PyObject *path) {
    PyObject *name;
    void *object = NULL;
    tacos_error err;
    if (!PyUnicode_FSConverter(path, &name))
        return NULL;
    const char *text = PyBytes_AsString(name);
    PyThreadState *thread = PyEval_SaveThread();
    tacos_status status = keeper->load(&object, text, &err);
    PyEval_RestoreThread(thread);
    Py_DECREF(name);
    if (status != TACOS_OK)
        (void)raise_error(&err);
    return object;
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

PyObject *keep_save_bytes(const Keeper *keeper, void *object) {
    Pile pile = {0};
    PyObject *bytes = NULL;
    tacos_error err;
    PyThreadState *thread = PyEval_SaveThread();
    tacos_status status = keeper->save_to(object, pile_up, &pile, &err);
    PyEval_RestoreThread(thread);
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

void *keep_load_bytes(const Keeper *keeper, PyObject *object) {
    Block bytes;
    void *loaded = NULL;
    tacos_error err;
    if (!block_take(&bytes, object, "bytes", KIND_U8, false)) {
        block_drop(&bytes);
        return NULL;
    }
    Store store = {bytes.buffer.buf, bytes.n};
    PyThreadState *thread = PyEval_SaveThread();
    tacos_status status = keeper->load_from(&loaded, take_from, &store, &err);
    PyEval_RestoreThread(thread);
    block_drop(&bytes);
    if (status != TACOS_OK) {
        (void)raise_error(&err);
        return NULL;
    }
    if (store.left == 0)
        return loaded;
    keeper->free(loaded);
    PyErr_Format(PyExc_ValueError, "what was read is damaged: %zu bytes are left over", store.left);
    return NULL;
}
