/* engine_layer.c - what a layer has learned: views of it, and other values in its place. */
#include "native.h"

/* A matrix, or None where the model has none. */
static PyObject *matrix(Engine *engine, const tacos_layer_view *layer, const void *data,
                        char letter, size_t size) {
    State *state = PyType_GetModuleState(Py_TYPE((PyObject *)engine));
    if (!data)
        return Py_BuildValue("");
    return view_new((PyTypeObject *)state->view_type, (PyObject *)engine, layer, data, letter,
                    size);
}

PyObject *engine_layer(PyObject *self, PyObject *index) {
    Engine *engine = (Engine *)self;
    tacos_layer_view view;
    tacos_error err;
    unsigned long long i;
    if (!take_number(index, "layer", SIZE_MAX, &i) || !engine_enter(engine))
        return NULL;
    tacos_status status = tacos_learner_layer(engine->learner, (size_t)i, &view, &err);
    engine_leave(engine);
    if (status != TACOS_OK)
        return raise_error(&err);
    return Py_BuildValue("(NNNfff)", matrix(engine, &view, view.w, 'f', sizeof *view.w),
                         matrix(engine, &view, view.w_ref, 'f', sizeof *view.w_ref),
                         matrix(engine, &view, view.m_steps, 'H', sizeof *view.m_steps),
                         (double)view.delta_m, (double)view.m_max, (double)view.m_all);
}

/* An array [n_pre][n_post] for set_layer, or NULL where None is given. */
static bool take_values(Block *block, PyObject *object, const char *what, Kind kind, size_t n,
                        const void **out) {
    *out = NULL;
    if (object == Py_None)
        return true;
    if (!block_take_n(block, object, what, kind, false, n))
        return false;
    *out = block->buffer.buf;
    if ((uintptr_t)*out % (size_t)block->buffer.itemsize == 0)
        return true;
    PyErr_Format(PyExc_ValueError, "%s are not aligned", what);
    return false;
}

/* The arrays of a call of set_layer. */
typedef struct Given {
    PyObject *w, *w_ref, *m_steps;
    Block blocks[3];
} Given;

static bool take_given(Given *given, const tacos_layer_view *view, tacos_layer_values *out) {
    size_t n = view->n_pre * view->n_post;
    const void *at[3];
    if (!take_values(&given->blocks[0], given->w, "values of w", KIND_F32, n, &at[0]) ||
        !take_values(&given->blocks[1], given->w_ref, "values of w_ref", KIND_F32, n, &at[1]) ||
        !take_values(&given->blocks[2], given->m_steps, "values of m_steps", KIND_U16, n, &at[2]))
        return false;
    *out = (tacos_layer_values){.w = at[0], .w_ref = at[1], .m_steps = at[2]};
    return true;
}

static tacos_status set_layer(Engine *engine, size_t i, Given *given, tacos_error *err) {
    tacos_layer_view view;
    tacos_layer_values values;
    tacos_status status = tacos_learner_layer(engine->learner, i, &view, err);
    if (status != TACOS_OK)
        return status;
    if (!take_given(given, &view, &values))
        return TACOS_OK; /* with an exception */
    return tacos_learner_set_layer(engine->learner, i, &values, err);
}

PyObject *engine_set_layer(PyObject *self, PyObject *args) {
    Engine *engine = (Engine *)self;
    PyObject *index;
    Given given = {0};
    unsigned long long i;
    tacos_error err;
    if (!PyArg_ParseTuple(args, "OOOO", &index, &given.w, &given.w_ref, &given.m_steps) ||
        !take_number(index, "layer", SIZE_MAX, &i) || !engine_enter(engine))
        return NULL;
    tacos_status status = set_layer(engine, (size_t)i, &given, &err);
    engine_leave(engine);
    for (size_t k = 0; k < 3; k++)
        block_drop(&given.blocks[k]);
    if (status != TACOS_OK)
        return raise_error(&err);
    return PyErr_Occurred() ? NULL : Py_BuildValue("");
}
