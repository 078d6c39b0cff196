/* view.c - a matrix of a layer as an object from which arrays can be made without copying. */
#include "native.h"

typedef struct View {
    PyObject ob_base;
    PyObject *engine; /* whose memory it is */
    void *data;
    char format[2];
    Py_ssize_t shape[2], strides[2];
} View;

PyObject *view_new(PyTypeObject *type, PyObject *engine, const tacos_layer_view *layer,
                   const void *data, char letter, size_t size) {
    View *view = (View *)PyType_GenericAlloc(type, 0);
    if (!view)
        return NULL;
    Py_INCREF(engine);
    view->engine = engine;
    view->data = (void *)data; /* get_buffer makes it read-only */
    view->format[0] = letter;
    view->shape[0] = (Py_ssize_t)layer->n_pre;
    view->shape[1] = (Py_ssize_t)layer->n_post;
    view->strides[0] = (Py_ssize_t)(layer->stride * size);
    view->strides[1] = (Py_ssize_t)size;
    return (PyObject *)view;
}

static int get_buffer(PyObject *self, Py_buffer *out, int flags) {
    View *view = (View *)self;
    bool dense = view->strides[0] == view->shape[1] * view->strides[1];
    out->obj = NULL;
    if (flags & PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "what a learner has learned can only be read");
        return -1;
    }
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES ||
        (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS ||
        ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS && !dense) ||
        ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS && !dense)) {
        PyErr_SetString(PyExc_BufferError, "the rows of a layer lie apart: strides are needed");
        return -1;
    }
    *out = (Py_buffer){
        .buf = view->data,
        .obj = self,
        .len = view->shape[0] * view->shape[1] * view->strides[1],
        .itemsize = view->strides[1],
        .readonly = 1,
        .ndim = 2,
        .format = flags & PyBUF_FORMAT ? view->format : NULL,
        .shape = view->shape,
        .strides = view->strides,
    };
    Py_INCREF(self);
    return 0;
}

static PyObject *refuse(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    (void)type, (void)args, (void)keywords;
    PyErr_SetString(PyExc_TypeError, "a view is had from Engine.layer");
    return NULL;
}

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((View *)self)->engine);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"A matrix of a layer, as a read-only buffer that follows the learning."},
    {Py_tp_new, (void *)refuse},
    {Py_tp_dealloc, (void *)dealloc},
    {Py_bf_getbuffer, (void *)get_buffer},
    {0, NULL},
};

PyType_Spec view_spec = {
    .name = "tacos._core.View",
    .basicsize = sizeof(View),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
