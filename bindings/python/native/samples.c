/* samples.c - what a classifier is given: rows of numbers and words, and what it answers. */
#include "native.h"

#include <stdio.h>
#include <string.h>

/* ---- words ---- */

/* The text of a str. It lasts as long as the str does. */
static const char *text_of(PyObject *object, const char *what) {
    Py_ssize_t n;
    const char *text = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, &n) : NULL;
    if (text && strlen(text) == (size_t)n)
        return text;
    if (text)
        PyErr_Format(PyExc_ValueError, "%s: %R has a null character in it", what, object);
    else if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%s: %R is not a str", what, object);
    return NULL;
}

bool words_take(Words *words, PyObject *list, const char *what) {
    *words = (Words){.tuple = PySequence_Tuple(list)};
    if (!words->tuple)
        return false;
    words->n = (size_t)PyTuple_Size(words->tuple);
    words->texts = PyMem_Calloc(words->n + 1, sizeof *words->texts);
    if (!words->texts)
        (void)PyErr_NoMemory();
    for (size_t k = 0; words->texts && k < words->n; k++) {
        words->texts[k] = text_of(PyTuple_GetItem(words->tuple, (Py_ssize_t)k), what);
        if (!words->texts[k])
            return false;
    }
    return words->texts != NULL;
}

void words_drop(Words *words) {
    PyMem_Free((void *)words->texts);
    Py_XDECREF(words->tuple);
}

/* Word `code` of the words; NULL for -1. Another thread may be writing to the codes, so each is
 * checked when it is used. */
static tacos_status find_word(const Words *words, const Block *codes, size_t at, const char **out,
                              tacos_error *err) {
    int64_t code;
    memcpy(&code, (const char *)codes->buffer.buf + at * sizeof code, sizeof code);
    *out = NULL;
    if (code == -1)
        return TACOS_OK;
    if (code >= 0 && (uint64_t)code < words->n) {
        *out = words->texts[code];
        return TACOS_OK;
    }
    err->status = TACOS_RANGE;
    (void)snprintf(err->text, sizeof err->text, "there is no word %lld", (long long)code);
    return TACOS_RANGE;
}

/* ---- samples ---- */

static bool take_numbers(Samples *samples, PyObject *numbers) {
    const Py_buffer *b = &samples->numbers.buffer;
    if (!block_take(&samples->numbers, numbers, "numbers", KIND_F64, false))
        return false;
    if (b->ndim != 2)
        PyErr_Format(PyExc_ValueError, "an array of %d dimensions; rows have two", b->ndim);
    else {
        samples->n = (size_t)b->shape[0];
        samples->n_features = (size_t)b->shape[1];
    }
    return !PyErr_Occurred();
}

bool samples_take(Samples *samples, PyObject *given) {
    PyObject *numbers, *codes, *words;
    *samples = (Samples){.n = 0};
    if (!PyArg_ParseTuple(given, "OOO;samples are (numbers, codes, words)", &numbers, &codes,
                          &words) ||
        !take_numbers(samples, numbers))
        return false;
    samples->row = PyMem_Calloc(samples->n_features + 1, sizeof *samples->row);
    samples->texts = PyMem_Calloc(samples->n_features + 1, sizeof *samples->texts);
    if (!samples->row || !samples->texts) {
        (void)PyErr_NoMemory();
        return false;
    }
    samples->has_words = codes != Py_None;
    return !samples->has_words ||
           (words_take(&samples->words, words, "words") &&
            block_take_n(&samples->codes, codes, "codes", KIND_I64, false, samples->numbers.n));
}

void samples_drop(Samples *samples) {
    words_drop(&samples->words);
    PyMem_Free((void *)samples->texts);
    PyMem_Free(samples->row);
    block_drop(&samples->codes);
    block_drop(&samples->numbers);
}

tacos_status samples_get(const Samples *samples, size_t i, tacos_sample *out, tacos_error *err) {
    size_t n = samples->n_features;
    size_t n_bytes = n * sizeof *samples->row;
    memcpy(samples->row, (const char *)samples->numbers.buffer.buf + i * n_bytes, n_bytes);
    *out = (tacos_sample){.numbers = samples->row, .n = n};
    if (!samples->has_words)
        return TACOS_OK;
    for (size_t j = 0; j < n; j++) {
        tacos_status status =
            find_word(&samples->words, &samples->codes, i * n + j, &samples->texts[j], err);
        if (status != TACOS_OK)
            return status;
    }
    out->texts = samples->texts;
    return TACOS_OK;
}

/* ---- labels ---- */

bool labels_take(Labels *labels, PyObject *given, size_t n) {
    PyObject *codes, *names;
    *labels = (Labels){.any = given != Py_None};
    if (!labels->any)
        return true;
    if (!PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "labels are (codes, names)");
        return false;
    }
    return PyArg_ParseTuple(given, "OO;labels are (codes, names)", &codes, &names) &&
           words_take(&labels->names, names, "labels") &&
           block_take_n(&labels->codes, codes, "labels", KIND_I64, false, n);
}

void labels_drop(Labels *labels) {
    words_drop(&labels->names);
    block_drop(&labels->codes);
}

tacos_status labels_get(const Labels *labels, size_t i, const char **out, tacos_error *err) {
    *out = NULL;
    return labels->any ? find_word(&labels->names, &labels->codes, i, out, err) : TACOS_OK;
}

/* ---- answers ---- */

static bool take_chances(Answers *answers, PyObject *chances, size_t n) {
    const Py_buffer *b = &answers->chances.buffer;
    if (chances == Py_None)
        return true;
    if (!block_take(&answers->chances, chances, "chances", KIND_F64, true))
        return false;
    if (b->ndim == 2 && (size_t)b->shape[0] == n) {
        answers->n_chances = (size_t)b->shape[1];
        return true;
    }
    PyErr_Format(PyExc_ValueError, "chances need an array of %zu rows", n);
    return false;
}

bool answers_take(Answers *answers, PyObject *given, size_t n) {
    PyObject *labels, *confidence, *novelty, *chances;
    *answers = (Answers){.any = given != Py_None};
    if (!answers->any)
        return true;
    if (!PyTuple_Check(given)) {
        PyErr_SetString(PyExc_TypeError, "answers are (labels, confidence, novelty, chances)");
        return false;
    }
    return PyArg_ParseTuple(given, "OOOO;answers are (labels, confidence, novelty, chances)",
                            &labels, &confidence, &novelty, &chances) &&
           block_take_n(&answers->labels, labels, "labels", KIND_I64, true, n) &&
           block_take_n(&answers->confidence, confidence, "values of confidence", KIND_F64, true,
                        n) &&
           block_take_n(&answers->novelty, novelty, "values of novelty", KIND_F64, true, n) &&
           take_chances(answers, chances, n);
}

void answers_drop(Answers *answers) {
    block_drop(&answers->labels);
    block_drop(&answers->confidence);
    block_drop(&answers->novelty);
    block_drop(&answers->chances);
}

static void put(const Block *block, size_t i, const void *value, size_t size) {
    memcpy((char *)block->buffer.buf + i * size, value, size);
}

void answers_put(const Answers *answers, size_t i, const tacos_answer *answer, size_t n_labels) {
    int64_t label = answer->label;
    size_t n = answers->n_chances;
    if (!answers->any)
        return;
    put(&answers->labels, i, &label, sizeof label);
    put(&answers->confidence, i, &answer->confidence, sizeof answer->confidence);
    put(&answers->novelty, i, &answer->novelty, sizeof answer->novelty);
    for (size_t k = 0; k < n; k++) {
        double chance = k < n_labels && answer->label >= 0 ? answer->chances[k] : 0;
        put(&answers->chances, i * n + k, &chance, sizeof chance);
    }
}
