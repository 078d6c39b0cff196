/* module.c - the module tacos._core. */
#include "native.h"

/* A list of what `item` makes of 0, 1, ... until it returns NULL: at the end, or with an exception.
 */
static PyObject *list_of(PyObject *(*item)(size_t i)) {
    PyObject *list = PyList_New(0), *next;
    for (size_t i = 0; list && (next = item(i)) != NULL; i++) {
        if (PyList_Append(list, next) < 0)
            Py_CLEAR(list);
        Py_DECREF(next);
    }
    if (list && PyErr_Occurred())
        Py_CLEAR(list);
    return list;
}

static PyObject *key(size_t i) {
    const char *name = tacos_config_key(i);
    return name ? PyUnicode_FromString(name) : NULL;
}

static PyObject *classifier_key(size_t i) {
    tacos_classifier_key_info info;
    return tacos_classifier_key(i, &info) ? PyUnicode_FromString(info.name) : NULL;
}

static PyObject *preset(size_t i) {
    tacos_preset_info info;
    if (!tacos_preset(i, &info))
        return NULL;
    return Py_BuildValue("sss", info.name, info.about, info.settings);
}

static PyObject *keys(PyObject *module, PyObject *nothing) {
    (void)module, (void)nothing;
    return list_of(key);
}

static PyObject *classifier_keys(PyObject *module, PyObject *nothing) {
    (void)module, (void)nothing;
    return list_of(classifier_key);
}

static PyObject *presets(PyObject *module, PyObject *nothing) {
    (void)module, (void)nothing;
    return list_of(preset);
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
    if (add_type(module, &engine_spec, &state->engine_type) < 0 ||
        add_type(module, &classifier_spec, &state->classifier_type) < 0)
        return -1;
    return add_type(module, &view_spec, &state->view_type);
}

static int traverse(PyObject *module, visitproc visit, void *arg) {
    State *state = PyModule_GetState(module);
    Py_VISIT(state->engine_type);
    Py_VISIT(state->classifier_type);
    Py_VISIT(state->view_type);
    return 0;
}

static int clear(PyObject *module) {
    State *state = PyModule_GetState(module);
    Py_CLEAR(state->engine_type);
    Py_CLEAR(state->classifier_type);
    Py_CLEAR(state->view_type);
    return 0;
}

static void release(void *module) {
    (void)clear(module);
}

static PyMethodDef functions[] = {
    {"keys", keys, METH_NOARGS, "The names of all keys of a learner."},
    {"classifier_keys", classifier_keys, METH_NOARGS,
     "The names of the keys that only a classifier has."},
    {"presets", presets, METH_NOARGS, "[(name, what it is for, settings)] of classifiers."},
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
