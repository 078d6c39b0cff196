/* classifier.c - the type Classifier: a classifier of the library, and what it knows. */
#include "native.h"

/* ---- creating ---- */

PyObject *classifier_around(PyTypeObject *type, tacos_classifier *inner) {
    Classifier *self = (Classifier *)PyType_GenericAlloc(type, 0);
    if (!self || !lock_make(&self->lock)) {
        Py_XDECREF((PyObject *)self);
        tacos_classifier_free(inner);
        return PyErr_NoMemory();
    }
    self->inner = inner;
    return (PyObject *)self;
}

static void dealloc(PyObject *object) {
    Classifier *self = (Classifier *)object;
    PyTypeObject *type = Py_TYPE(object);
    tacos_classifier_free(self->inner);
    lock_free(&self->lock);
    PyObject_Free(object);
    Py_DECREF(type);
}

bool classifier_enter(Classifier *self) {
    return lock_enter(&self->lock, "classifier");
}

void classifier_leave(Classifier *self) {
    lock_leave(&self->lock);
}

static PyObject *new_classifier(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    const char *preset;
    PyObject *seed_object;
    unsigned long long seed;
    tacos_classifier *inner;
    tacos_error err;
    if (keywords && PyDict_Size(keywords) > 0) {
        PyErr_SetString(PyExc_TypeError, "Classifier takes no keyword arguments");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "zO", &preset, &seed_object) ||
        !take_number(seed_object, "seed", UINT32_MAX, &seed))
        return NULL;
    if (tacos_classifier_new(&inner, preset, (uint32_t)seed, &err) != TACOS_OK)
        return raise_error(&err);
    return classifier_around(type, inner);
}

/* ---- settings ---- */

/* None, or NULL with an exception. */
static PyObject *result(tacos_status status, const tacos_error *err) {
    return status == TACOS_OK ? Py_BuildValue("") : raise_error(err);
}

static PyObject *set(PyObject *object, PyObject *args) {
    Classifier *self = (Classifier *)object;
    const char *name, *value;
    tacos_error err;
    if (!PyArg_ParseTuple(args, "ss", &name, &value) || !classifier_enter(self))
        return NULL;
    tacos_status status = tacos_classifier_set(self->inner, name, value, &err);
    classifier_leave(self);
    return result(status, &err);
}

static PyObject *get(PyObject *object, PyObject *key) {
    Classifier *self = (Classifier *)object;
    const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
    char value[1024];
    tacos_error err;
    if (!name || !classifier_enter(self))
        return NULL;
    tacos_status status = tacos_classifier_get(self->inner, name, value, sizeof value, &err);
    classifier_leave(self);
    return status == TACOS_OK ? PyUnicode_FromString(value) : raise_error(&err);
}

static PyObject *set_features(PyObject *object, PyObject *list) {
    Classifier *self = (Classifier *)object;
    Words names;
    tacos_error err = {.status = TACOS_OK};
    bool done = words_take(&names, list, "names of features") && classifier_enter(self);
    if (done) {
        (void)tacos_classifier_set_features(self->inner, names.texts, names.n, &err);
        classifier_leave(self);
    }
    words_drop(&names);
    return done ? result(err.status, &err) : NULL;
}

/* ---- what it knows ---- */

/* Names and how often each was learned, in the order in which they were. */
static PyObject *labels(PyObject *object, PyObject *nothing) {
    Classifier *self = (Classifier *)object;
    PyObject *list = PyList_New(0);
    (void)nothing;
    if (!list || !classifier_enter(self)) {
        Py_XDECREF(list);
        return NULL;
    }
    for (size_t k = 0; list && k < tacos_classifier_n_labels(self->inner); k++) {
        PyObject *pair =
            Py_BuildValue("sK", tacos_classifier_label(self->inner, k),
                          (unsigned long long)tacos_classifier_label_samples(self->inner, k));
        if (!pair || PyList_Append(list, pair) < 0) {
            Py_DECREF(list);
            list = NULL;
        }
        Py_XDECREF(pair);
    }
    classifier_leave(self);
    return list;
}

static PyObject *info(PyObject *object, PyObject *nothing) {
    Classifier *self = (Classifier *)object;
    (void)nothing;
    if (!classifier_enter(self))
        return NULL;
    tacos_classifier_info i = tacos_classifier_info_get(self->inner);
    classifier_leave(self);
    return Py_BuildValue(
        "{sK,sK,sn,sn,sn,ss,s(nnn),sn,sn,sO}", "n_learned", (unsigned long long)i.n_learned,
        "n_seen", (unsigned long long)i.n_seen, "n_features", (Py_ssize_t)i.n_features, "n_inputs",
        (Py_ssize_t)i.n_inputs, "n_labels", (Py_ssize_t)i.n_labels, "encoder", i.encoder,
        "image_shape", (Py_ssize_t)i.height, (Py_ssize_t)i.width, (Py_ssize_t)i.channels,
        "model_bytes", (Py_ssize_t)i.model_bytes, "workspace_bytes", (Py_ssize_t)i.workspace_bytes,
        "warming_up", i.warming_up ? Py_True : Py_False);
}

static PyObject *digest(PyObject *object, PyObject *nothing) {
    Classifier *self = (Classifier *)object;
    (void)nothing;
    if (!classifier_enter(self))
        return NULL;
    uint32_t value = tacos_classifier_digest(self->inner);
    classifier_leave(self);
    return PyLong_FromUnsignedLong(value);
}

/* ---- the type ---- */

static PyMethodDef methods[] = {
    {"next", classifier_next, METH_VARARGS,
     "next(samples, labels, answers): the next samples of the stream: answer each, then learn it.\n"
     "labels: (codes, names), a code being the index of a name, or -1; or None. answers: None, or\n"
     "as in predict."},
    {"predict", classifier_predict, METH_VARARGS,
     "predict(samples, answers): samples are (numbers, codes, words): float64 [row][feature]; and\n"
     "int64 likewise, the index of a word or -1, or None. answers are (labels, confidence,\n"
     "novelty, chances), to be written: int64, float64, float64, and float64 [row][label] or None."},
    {"predict_next", classifier_predict_next, METH_VARARGS,
     "predict_next(samples, answers): the same for a sample that comes next in the stream."},
    {"set", set, METH_VARARGS, "set(key, value), before the first sample."},
    {"get", get, METH_O, "get(key): the value of a key, as text."},
    {"set_features", set_features, METH_O, "set_features(names), before the first sample."},
    {"labels", labels, METH_NOARGS, "[(name, samples learned)], in the order of their numbers."},
    {"info", info, METH_NOARGS, "What it is, and how large."},
    {"digest", digest, METH_NOARGS, "A checksum of everything learned."},
    {"save", classifier_save, METH_O, "save(path)"},
    {"load", classifier_load, METH_O | METH_CLASS, "load(path)"},
    {"save_bytes", classifier_save_bytes, METH_NOARGS, "What save would write."},
    {"load_bytes", classifier_load_bytes, METH_O | METH_CLASS, "load_bytes(bytes)"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc, (void *)"Classifier(preset, seed): a preset's name, or None for the default."},
    {Py_tp_new, (void *)new_classifier},
    {Py_tp_dealloc, (void *)dealloc},
    {Py_tp_methods, methods},
    {0, NULL},
};

PyType_Spec classifier_spec = {
    .name = "tacos._core.Classifier",
    .basicsize = sizeof(Classifier),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = slots,
};
