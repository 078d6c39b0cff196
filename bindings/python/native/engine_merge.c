/* engine_merge.c - one learner of several. */
#include "native.h"

#include <stdlib.h>

/* The learners of a list: as they are named, and each once, in an order that all threads agree on,
 * so that two that merge the same learners do not wait for each other. */
typedef struct Herd {
    size_t n, n_once, n_entered;
    const tacos_learner **learners; /* [n] */
    Engine **once;                  /* [n_once] */
} Herd;

static int by_address(const void *a, const void *b) {
    const Engine *x = *(Engine *const *)a, *y = *(Engine *const *)b;
    return x < y ? -1 : x > y;
}

static bool herd_take(Herd *herd, PyTypeObject *type, PyObject *list) {
    size_t n = (size_t)PyList_Size(list);
    /* NOLINTNEXTLINE(bugprone-sizeof-expression) */
    herd->learners = PyMem_Calloc(n + 1, sizeof *herd->learners);
    herd->once = PyMem_Calloc(n + 1, sizeof(Engine *)); /* NOLINT(bugprone-sizeof-expression) */
    if (!herd->learners || !herd->once) {
        (void)PyErr_NoMemory();
        return false;
    }
    for (size_t k = 0; k < n; k++) {
        PyObject *item = PyList_GetItem(list, (Py_ssize_t)k);
        if (!PyObject_TypeCheck(item, type)) {
            PyErr_SetString(PyExc_TypeError, "merge takes a list of Engines");
            return false;
        }
        herd->once[k] = (Engine *)item;
        herd->learners[k] = ((Engine *)item)->learner;
    }
    herd->n = n;
    qsort(herd->once, n, sizeof(Engine *), by_address); /* NOLINT(bugprone-sizeof-expression) */
    for (size_t k = 0; k < n; k++)
        if (k == 0 || herd->once[k] != herd->once[k - 1])
            herd->once[herd->n_once++] = herd->once[k];
    return true;
}

static bool herd_enter(Herd *herd) {
    while (herd->n_entered < herd->n_once && engine_enter(herd->once[herd->n_entered]))
        herd->n_entered++;
    return herd->n_entered == herd->n_once;
}

static void herd_drop(Herd *herd) {
    while (herd->n_entered > 0)
        engine_leave(herd->once[--herd->n_entered]);
    PyMem_Free(herd->learners);
    PyMem_Free(herd->once);
}

PyObject *engine_merge(PyObject *type, PyObject *args) {
    PyObject *list, *units;
    unsigned long long n_units;
    tacos_merge_options how = {0};
    tacos_learner *learner = NULL;
    tacos_error err;
    Herd herd = {0};
    if (!PyArg_ParseTuple(args, "O!ddO", &PyList_Type, &list, &how.memory_kb, &how.match, &units) ||
        !take_number(units, "units", UINT32_MAX, &n_units))
        return NULL;
    how.n_units = (size_t)n_units;
    if (herd_take(&herd, (PyTypeObject *)type, list) && herd_enter(&herd)) {
        PyThreadState *thread = PyEval_SaveThread();
        tacos_status status =
            tacos_learner_merge(&learner, herd.learners, herd.n, &how, NULL, &err);
        PyEval_RestoreThread(thread);
        if (status != TACOS_OK)
            (void)raise_error(&err);
    }
    herd_drop(&herd);
    return learner ? engine_around((PyTypeObject *)type, learner) : NULL;
}
