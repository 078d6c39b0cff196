/* classifier_keep.c - a classifier as a file and as bytes. */
#include "native.h"

static tacos_status save(void *inner, const char *path, tacos_error *err) {
    return tacos_classifier_save(inner, path, err);
}

static tacos_status save_to(void *inner, tacos_write *write, void *user, tacos_error *err) {
    return tacos_classifier_save_to(inner, write, user, err);
}

static tacos_status load(void **out, const char *path, tacos_error *err) {
    tacos_classifier *inner = NULL;
    tacos_status status = tacos_classifier_load(&inner, path, err);
    *out = inner;
    return status;
}

static tacos_status load_from(void **out, tacos_read *read, void *user, tacos_error *err) {
    tacos_classifier *inner = NULL;
    tacos_status status = tacos_classifier_load_from(&inner, read, user, err);
    *out = inner;
    return status;
}

static void release(void *inner) {
    tacos_classifier_free(inner);
}

static const Keeper keeper = {save, load, save_to, load_from, release};

PyObject *classifier_save(PyObject *object, PyObject *path) {
    Classifier *self = (Classifier *)object;
    if (!classifier_enter(self))
        return NULL;
    PyObject *result = keep_save(&keeper, self->inner, path);
    classifier_leave(self);
    return result;
}

PyObject *classifier_save_bytes(PyObject *object, PyObject *nothing) {
    Classifier *self = (Classifier *)object;
    (void)nothing;
    if (!classifier_enter(self))
        return NULL;
    PyObject *bytes = keep_save_bytes(&keeper, self->inner);
    classifier_leave(self);
    return bytes;
}

PyObject *classifier_load(PyObject *type, PyObject *path) {
    tacos_classifier *inner = keep_load(&keeper, path);
    return inner ? classifier_around((PyTypeObject *)type, inner) : NULL;
}

PyObject *classifier_load_bytes(PyObject *type, PyObject *bytes) {
    tacos_classifier *inner = keep_load_bytes(&keeper, bytes);
    return inner ? classifier_around((PyTypeObject *)type, inner) : NULL;
}
