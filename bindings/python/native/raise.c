/* raise.c - errors of the library as Python exceptions. */
#include "native.h"

/* Those that are not ValueError: a value that is wrong, given or in a file. */
static PyObject *const *const exceptions[] = {
    [TACOS_MISSING] = &PyExc_FileNotFoundError,
    [TACOS_EXISTS] = &PyExc_FileExistsError,
    [TACOS_IO] = &PyExc_OSError,
    [TACOS_BUSY] = &PyExc_OSError,
    [TACOS_MEMORY] = &PyExc_MemoryError,
    [TACOS_INTERRUPTED] = &PyExc_KeyboardInterrupt,
};

static PyObject *exception_of(tacos_status status) {
    size_t n = sizeof exceptions / sizeof *exceptions;
    return (size_t)status < n && exceptions[status] ? *exceptions[status] : PyExc_ValueError;
}

PyObject *raise_error(const tacos_error *err) {
    /* A message may contain a file name, which need not be valid text. */
    PyObject *text = PyUnicode_DecodeFSDefault(err->text);
    if (text)
        PyErr_SetObject(exception_of(err->status), text);
    Py_XDECREF(text);
    return NULL;
}

bool take_number(PyObject *object, const char *what, unsigned long long max,
                 unsigned long long *out) {
    PyObject *number = PyNumber_Index(object);
    if (!number)
        return false;
    *out = PyLong_AsUnsignedLongLong(number);
    bool good = !PyErr_Occurred() && *out <= max;
    if (!good && (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_OverflowError)))
        PyErr_Format(PyExc_ValueError, "%s is %S; it must be from 0 to %llu", what, number, max);
    Py_DECREF(number);
    return good;
}
