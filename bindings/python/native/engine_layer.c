/* engine_layer.c - the weights of a layer: reading them as views, and replacing them. */
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

static bool find_layer(Engine *engine, PyObject *index, size_t *i, tacos_layer_view *view) {
    unsigned long long number;
    tacos_error err;
    if (!take_number(index, "layer", SIZE_MAX, &number) || !engine_enter(engine))
        return false;
    *i = (size_t)number;
    tacos_status status = tacos_learner_layer(engine->learner, *i, view, &err);
    engine_leave(engine);
    if (status != TACOS_OK)
        (void)raise_error(&err);
    return status == TACOS_OK;
}

PyObject *engine_layer(PyObject *self, PyObject *index) {
    Engine *engine = (Engine *)self;
    tacos_layer_view view;
    size_t i;
    if (!find_layer(engine, index, &i, &view))
        return NULL;
    return Py_BuildValue("(NNNfff)", matrix(engine, &view, view.w, 'f', sizeof *view.w),
                         matrix(engine, &view, view.w_ref, 'f', sizeof *view.w_ref),
                         matrix(engine, &view, view.m_steps, 'H', sizeof *view.m_steps),
                         (double)view.delta_m, (double)view.m_max, (double)view.m_all);
}

/* An array of n values for set_layer, or NULL where None is given. */
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
enum { ARRAYS = 3 };
typedef struct Given {
    PyObject *w, *w_ref, *m_steps;
    Block blocks[ARRAYS];
} Given;

static bool take_given(Given *given, const tacos_layer_view *view, tacos_layer_values *out) {
    size_t n = view->n_pre * view->n_post;
    const void *at[ARRAYS];
    if (!take_values(&given->blocks[0], given->w, "values of w", KIND_F32, n, &at[0]) ||
        !take_values(&given->blocks[1], given->w_ref, "values of w_ref", KIND_F32, n, &at[1]) ||
        !take_values(&given->blocks[2], given->m_steps, "values of m_steps", KIND_U16, n, &at[2]))
        return false;
    *out = (tacos_layer_values){.w = at[0], .w_ref = at[1], .m_steps = at[2]};
    return true;
}

static bool set_layer(Engine *engine, size_t i, const tacos_layer_values *values) {
    tacos_error err;
    if (!engine_enter(engine))
        return false;
    tacos_status status = tacos_learner_set_layer(engine->learner, i, values, &err);
    engine_leave(engine);
    if (status != TACOS_OK)
        (void)raise_error(&err);
    return status == TACOS_OK;
}

PyObject *engine_set_layer(PyObject *self, PyObject *args) {
    Engine *engine = (Engine *)self;
    PyObject *index;
    Given given = {0};
    tacos_layer_view view;
    tacos_layer_values values;
    size_t i;
    if (!PyArg_ParseTuple(args, "OOOO", &index, &given.w, &given.w_ref, &given.m_steps) ||
        !find_layer(engine, index, &i, &view))
        return NULL;
    bool done = take_given(&given, &view, &values) && set_layer(engine, i, &values);
    for (size_t k = 0; k < ARRAYS; k++)
        block_drop(&given.blocks[k]);
    return done ? Py_BuildValue("") : NULL;
}
