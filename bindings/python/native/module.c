/* module.c - the module tacos._core. */
#include "native.h"

static PyObject *keys(PyObject *module, PyObject *nothing) {
    PyObject *list = PyList_New(0);
    const char *name;
    (void)module, (void)nothing;
    for (size_t i = 0; list && (name = tacos_config_key(i)) != NULL; i++) {
        PyObject *text = PyUnicode_FromString(name);
        if (!text || PyList_Append(list, text) < 0) {
            Py_DECREF(list);
            list = NULL;
        }
        Py_XDECREF(text);
    }
    return list;
}

static PyObject *version(PyObject *module, PyObject *nothing) {
    (void)module, (void)nothing;
    return PyUnicode_FromString(tacos_version());
}

/* (path, bytes) */
static PyObject *write_file(PyObject *module, PyObject *args) {
    PyObject *name, *data;
    char *bytes;
    Py_ssize_t n;
    tacos_error err;
    (void)module;
    if (!PyArg_ParseTuple(args, "O&O", PyUnicode_FSConverter, &name, &data))
        return NULL;
    if (PyBytes_AsStringAndSize(data, &bytes, &n) < 0) {
        Py_DECREF(name);
        return NULL;
    }
    const char *path = PyBytes_AsString(name);
    PyThreadState *thread = PyEval_SaveThread();
    tacos_status status = tacos_file_write(path, bytes, (size_t)n, &err);
    PyEval_RestoreThread(thread);
    Py_DECREF(name);
    return status == TACOS_OK ? Py_BuildValue("") : raise_error(&err);
}

static int add_type(PyObject *module, PyType_Spec *spec, PyObject **out) {
    *out = PyType_FromModuleAndSpec(module, spec, NULL);
    return *out ? PyModule_AddType(module, (PyTypeObject *)*out) : -1;
}

static int start(PyObject *module) {
    State *state = PyModule_GetState(module);
    if (add_type(module, &engine_spec, &state->engine_type) < 0)
        return -1;
    return add_type(module, &view_spec, &state->view_type);
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
    State *state = PyModule_GetState(module);
    Py_VISIT(state->engine_type);
    Py_VISIT(state->view_type);
    return 0;
}

static int clear(PyObject *module) {
    State *state = PyModule_GetState(module);
    Py_CLEAR(state->engine_type);
    Py_CLEAR(state->view_type);
    return 0;
}

static void release(void *module) {
    (void)clear(module);
}

static PyMethodDef functions[] = {
    {"keys", keys, METH_NOARGS, "The names of all keys of a learner."},
    {"version", version, METH_NOARGS, "The version of the library."},
    {"write_file", write_file, METH_VARARGS,
     "write_file(path, bytes)\n\nA file that appears whole or not at all."},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, (void *)start},
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "tacos._core",
    .m_doc = "The library, as near as Python gets; use tacos.Learner.",
    .m_size = sizeof(State),
    .m_methods = functions,
    .m_slots = slots,
    .m_traverse = traverse,
    .m_clear = clear,
    .m_free = release,
};

PyMODINIT_FUNC PyInit__core(void) {
    return PyModuleDef_Init(&definition);
}
