/* engine.c - the type Engine: a learner and its properties. */
#include "native.h"

#include <string.h>
#include <unistd.h>

/* ---- locking ---- */

/* A forked process does not have the threads. */
static bool has_lost_its_threads(const Engine *engine) {
    return engine->n_threads > 1 && (long)getpid() != engine->process;
}

bool engine_enter(Engine *engine) {
    if (has_lost_its_threads(engine)) {
        PyErr_SetString(PyExc_RuntimeError,
                        "a learner with several threads does not survive a fork; set its threads "
                        "to 1 before, or give the other process a pickle");
        return false;
    }
    return lock_enter(&engine->lock, "learner");
}

void engine_leave(Engine *engine) {
    lock_leave(&engine->lock);
}

/* ---- creating ---- */

PyObject *engine_around(PyTypeObject *type, tacos_learner *learner) {
    Engine *engine = (Engine *)PyType_GenericAlloc(type, 0);
    if (!engine || !lock_make(&engine->lock)) {
        Py_XDECREF((PyObject *)engine);
        tacos_learner_free(learner);
        return PyErr_NoMemory();
    }
    engine->learner = learner;
    engine->shape = tacos_learner_shape(learner);
    engine->n_threads = 1;
    return (PyObject *)engine;
}

static void dealloc(PyObject *self) {
    Engine *engine = (Engine *)self;
    PyTypeObject *type = Py_TYPE(self);
    if (!has_lost_its_threads(engine)) /* else it would wait for them */
        tacos_learner_free(engine->learner);
    lock_free(&engine->lock);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* One pair of a dict of texts. */
static bool set_key(tacos_config *config, PyObject *key, PyObject *value) {
    const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
    const char *text = name ? PyUnicode_AsUTF8AndSize(value, NULL) : NULL;
    tacos_error err;
    if (!text)
        return false;
    if (tacos_config_set(config, name, text, &err) == TACOS_OK)
        return true;
    (void)raise_error(&err);
    return false;
}

static bool set_keys(tacos_config *config, PyObject *keys) {
    PyObject *key, *value;
    Py_ssize_t at = 0;
    while (PyDict_Next(keys, &at, &key, &value))
        if (!set_key(config, key, value))
            return false;
    return true;
}

static PyObject *new_engine(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    PyObject *keys, *seed_object;
    unsigned long long seed;
    tacos_config *config;
    tacos_learner *learner = NULL;
    tacos_error err;
    if (keywords && PyDict_Size(keywords) > 0) {
        PyErr_SetString(PyExc_TypeError, "Engine takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &keys, &seed_object) ||
        !take_number(seed_object, "seed", UINT32_MAX, &seed))
        return NULL;
    if (tacos_config_new(&config, &err) != TACOS_OK)
        return raise_error(&err);
    if (set_keys(config, keys)) {
        PyThreadState *thread = PyEval_SaveThread();
        tacos_status status = tacos_learner_new(&learner, config, (uint32_t)seed, NULL, &err);
        PyEval_RestoreThread(thread);
        if (status != TACOS_OK)
            (void)raise_error(&err);
    }
    tacos_config_free(config);
    return learner ? engine_around(type, learner) : NULL;
}

/* ---- properties ---- */

static PyObject *get(PyObject *self, PyObject *key) {
    const Engine *engine = (Engine *)self;
    const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
    char value[1024];
    tacos_error err;
    if (!name)
        return NULL;
    if (tacos_learner_get(engine->learner, name, value, sizeof value, &err) != TACOS_OK)
        return raise_error(&err);
    return PyUnicode_FromString(value);
}

static const struct {
    const char *name;
    size_t at;
} counter_table[] = {
#define COUNTER(name)                                                                              \
    { #name, offsetof(tacos_counters, name) }
    COUNTER(samples),      COUNTER(input_spikes),    COUNTER(hidden_spikes), COUNTER(output_spikes),
    COUNTER(error_spikes), COUNTER(synaptic_events), COUNTER(error_updates), COUNTER(decay_updates),
#undef COUNTER
};

static PyObject *counters(const tacos_counters *from) {
    PyObject *dict = PyDict_New();
    for (size_t k = 0; dict && k < sizeof counter_table / sizeof *counter_table; k++) {
        uint64_t value;
        memcpy(&value, (const char *)from + counter_table[k].at, sizeof value);
        PyObject *number = PyLong_FromUnsignedLongLong(value);
        if (!number || PyDict_SetItemString(dict, counter_table[k].name, number) < 0)
            Py_CLEAR(dict);
        Py_XDECREF(number);
    }
    return dict;
}

static PyObject *stats(PyObject *self, PyObject *nothing) {
    Engine *engine = (Engine *)self;
    (void)nothing;
    if (!engine_enter(engine))
        return NULL;
    tacos_learner_stats s = tacos_learner_stats_get(engine->learner);
    engine_leave(engine);
    return Py_BuildValue("{sN,sN,sn,sn,sn}", "learning", counters(&s.learning), "predicting",
                         counters(&s.predicting), "model_bytes", (Py_ssize_t)s.model_bytes,
                         "workspace_bytes", (Py_ssize_t)s.workspace_bytes, "baseline_bytes",
                         (Py_ssize_t)s.baseline_bytes);
}

static PyObject *digest(PyObject *self, PyObject *nothing) {
    Engine *engine = (Engine *)self;
    (void)nothing;
    if (!engine_enter(engine))
        return NULL;
    uint32_t value = tacos_learner_digest(engine->learner);
    engine_leave(engine);
    return PyLong_FromUnsignedLong(value);
}

static PyObject *get_learned(PyObject *self, void *closure) {
    Engine *engine = (Engine *)self;
    (void)closure;
    if (!engine_enter(engine))
        return NULL;
    uint64_t n = tacos_learner_learned(engine->learner);
    engine_leave(engine);
    return PyLong_FromUnsignedLongLong(n);
}

static PyObject *get_seed(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromUnsignedLong(tacos_learner_seed(((Engine *)self)->learner));
}

/* (inputs, outputs, layers, steps) */
static PyObject *get_shape(PyObject *self, void *closure) {
    const tacos_shape *shape = &((Engine *)self)->shape;
    (void)closure;
    return Py_BuildValue("(nnnn)", (Py_ssize_t)shape->n_inputs, (Py_ssize_t)shape->n_outputs,
                         (Py_ssize_t)shape->n_layers, (Py_ssize_t)shape->n_steps);
}

static PyObject *get_threads(PyObject *self, void *closure) {
    (void)closure;
    return PyLong_FromSize_t(((Engine *)self)->n_threads);
}

static int set_threads(PyObject *self, PyObject *value, void *closure) {
    enum { THREADS_MAX = 1024 };
    Engine *engine = (Engine *)self;
    unsigned long long n;
    (void)closure;
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "threads cannot be deleted");
        return -1;
    }
    if (!take_number(value, "threads", THREADS_MAX, &n) || !engine_enter(engine))
        return -1;
    engine->n_threads = n > 1 ? (size_t)n : 1;
    engine->process = (long)getpid();
    tacos_learner_set_threads(engine->learner, engine->n_threads);
    engine_leave(engine);
    return 0;
}

/* ---- the type ---- */

static PyMethodDef methods[] = {
    {"learn", engine_learn, METH_VARARGS,
     "learn(x, targets): rows of intensities and, for each, the output that should fire (int64)."},
    {"predict", engine_predict, METH_VARARGS,
     "predict(x, draws, outputs, counts): write the output that fired most (int64, -1: none) and\n"
     "the spikes of all (uint32) for each row. draws (uint64): one number for all, or one a row."},
    {"learn_spikes", engine_learn_spikes, METH_VARARGS,
     "learn_spikes(spikes, targets): spikes are [row][step][input] (uint8)."},
    {"predict_spikes", engine_predict_spikes, METH_VARARGS,
     "predict_spikes(spikes, outputs, counts)"},
    {"get", get, METH_O, "get(key): the value of a key, as text."},
    {"stats", stats, METH_NOARGS, "What has been done, and how large it is."},
    {"digest", digest, METH_NOARGS, "A checksum of everything learned."},
    {"layer", engine_layer, METH_O, "layer(i): (w, w_ref, m_steps, delta_m, m_max, m_all)."},
    {"set_layer", engine_set_layer, METH_VARARGS,
     "set_layer(i, w, w_ref, m_steps): float32, float32 and uint16, of [pre][post]; None leaves\n"
     "what is there."},
    {"save", engine_save, METH_O, "save(path)"},
    {"load", engine_load, METH_O | METH_CLASS, "load(path)"},
    {"save_bytes", engine_save_bytes, METH_NOARGS, "What save would write."},
    {"load_bytes", engine_load_bytes, METH_O | METH_CLASS, "load_bytes(bytes)"},
    {"merge", engine_merge, METH_VARARGS | METH_CLASS,
     "merge(engines, memory_kb, match, units): 0 is the default of each."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef attributes[] = {
    {"learned", get_learned, NULL, "samples learned since it was made", NULL},
    {"seed", get_seed, NULL, "what it was made with", NULL},
    {"shape", get_shape, NULL, "(inputs, outputs, layers, steps)", NULL},
    {"threads", get_threads, set_threads, "threads that share wide layers", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"Engine(keys, seed): a learner made of a dict of texts, and a seed."},
    {Py_tp_new, (void *)new_engine},
    {Py_tp_dealloc, (void *)dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, NULL},
};

/* Without Py_TPFLAGS_BASETYPE: engine_layer takes an engine's type for this one. */
PyType_Spec engine_spec = {
    .name = "tacos._core.Engine",
    .basicsize = sizeof(Engine),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
